"""Kartoteka: an executable rulebook.

>>> import kartoteka
>>> p = kartoteka.game('abroasta', players=3).deal(seed=7)
>>> p.turn, len(p.moves) > 0, p.outcome
(1, True, None)

Importing the package compiles nothing and imports no game; `game` does.
"""

from __future__ import annotations

import importlib
import typing

if typing.TYPE_CHECKING:
    from kartoteka.cards import Card
    from kartoteka.engine.errors import AmbiguousMove, IllegalMove, MalformedMove
    from kartoteka.engine.match import Match
    from kartoteka.engine.moves import Event, Move, Outcome
    from kartoteka.engine.position import Position
    from kartoteka.engine.record import Record
    from kartoteka.engine.variant import Variant

__version__ = "0.1.0"
__all__ = [
    "AmbiguousMove", "Card", "Event", "IllegalMove", "MalformedMove", "Match", "Move", "Outcome", "Position",
    "Record", "Variant", "game", "games",
]  # fmt: skip


def game(name: str, players: int | None = None, **options: object) -> Variant:
    """Return a game to be played: by `players` (the usual number if None), with `options` over the defaults.

    Raises
    ------
    kartoteka.engine.errors.UsageError
        For an unknown game, number of players, option or value; it names the nearest right one.
    """
    from kartoteka.engine import registry
    from kartoteka.engine.variant import Variant

    found = registry.find(name)
    return Variant(found, found.seats(players), found.settle(options))


def games() -> list[str]:
    """Return the names of all games."""
    from kartoteka.engine import registry

    return list(registry.games())


_HOMES = {
    "Card": "cards",
    "AmbiguousMove": "engine.errors",
    "IllegalMove": "engine.errors",
    "MalformedMove": "engine.errors",
    "Match": "engine.match",
    "Position": "engine.position",
    "Record": "engine.record",
    "Variant": "engine.variant",
}


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module 'kartoteka' has no attribute {name!r}")
    return getattr(importlib.import_module(f"kartoteka.{_HOMES.get(name, 'engine.moves')}"), name)
