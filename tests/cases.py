"""The variants that the laws are tested on: every game, every number of players, every reading of every option.

What no rule of a deal reads (how many points win, who deals next) is tried where matches are tested, in `MATCHES`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest

from kartoteka.core import chance, randbelow
from kartoteka.engine import registry
from kartoteka.engine.declare import Game, Option, Value
from kartoteka.engine.errors import IllegalMove
from kartoteka.engine.moves import Move
from kartoteka.engine.position import Position
from kartoteka.engine.variant import Variant

Picker = Callable[[Position, object], Move]


def _random(position: Position, rng: object) -> Move:
    return position.moves[int(randbelow(rng, len(position.moves)))]


def _greedy(position: Position, rng: object) -> Move:
    return position.best(rng)  # type: ignore[arg-type]


def _lazy(position: Position, rng: object) -> Move:
    """Mostly the highest number: in every game the passes, draws and discards stand last."""
    return position.move(int(position.moves.numbers.max())) if randbelow(rng, 8) else _random(position, rng)


PICKERS: dict[str, Picker] = {"random": _random, "greedy": _greedy, "lazy": _lazy}


def _values(option: Option) -> list[Value]:
    """Every named reading, and a small and a large number where numbers are allowed."""
    low = max(option.numbers[0], 1) if option.numbers else 0
    return [*option.readings, *([low, low + 1] if option.numbers else [])]


def _read_by_rules(game: Game, option: Option) -> bool:
    """Whether a deal is played otherwise under the option: its state holds it then."""
    return option.name in (game.rules.STATE.names or ())


def _variants() -> Iterator[Variant]:
    for game in registry.games().values():
        for players in game.players:
            yield Variant(game, players, game.settle({}))
        yield from _readings(game, [option for option in game.options if _read_by_rules(game, option)])
        other = {o.name: _values(o)[-1] for o in game.options if not o.numbers}
        yield Variant(game, game.usual, game.settle(other))


def _readings(game: Game, options: Iterable[Option]) -> Iterator[Variant]:
    """Yield a game with each of these options changed to each other value, for few, as many as usual, and many."""
    for option in options:
        for value in _values(option):
            if value != option.default:
                for players in sorted({min(game.players), game.usual, max(game.players)}):
                    yield Variant(game, players, game.settle({option.name: value}))


def _matches() -> Iterator[Variant]:
    for game in registry.games().values():
        yield from _readings(game, [option for option in game.options if not _read_by_rules(game, option)])


VARIANTS = list(_variants())
MATCHES = list(_matches())
"""Variants that differ from the usual game only in what ends a match or passes the deal."""

DEFAULTS = [Variant(game, game.usual, game.settle({})) for game in registry.games().values()]


def to_points(variant: Variant, target: int) -> Variant:
    """Return the variant with a match for so many points, where it is for points and no number was chosen."""
    option = next((o for o in variant.game.options if o.name == "target"), None)
    if option is None or variant.options["target"] != option.default:
        return variant
    return Variant(variant.game, variant.players, {**variant.options, "target": target})


def name_of(variant: Variant) -> str:
    """Return a short name for a test's id."""
    changed = [f"{k}={v}" for k, v in variant.options.items() if v != variant.game.option(k).default]
    return "-".join([variant.game.name, str(variant.players), *changed])


def plies(variant: Variant, seed: object, picker: str) -> Iterator[tuple[Position, Move]]:
    """Play a deal: yield each position with the move about to be made there; the last has no more moves."""
    position = variant.deal(seed=seed)
    rng = chance(seed, picker)
    while not position.over:
        move = PICKERS[picker](position, rng)
        yield position, move
        position.push(move)


def sampled(ply: int) -> bool:
    """Whether to look closely at this ply: at every one early in a deal, at every ninth later."""
    return ply < 40 or ply % 9 == 0


def played(variant: Variant, seed: object, picker: str) -> Position:
    """Return a deal played to its end."""
    return [position for position, _move in plies(variant, seed, picker)][-1]


def refused(p: Position, move: str) -> str:
    """The clause that refuses a move; its reason is a sentence's worth."""
    with pytest.raises(IllegalMove) as error:
        p.verify(move)
    assert error.value.reason[0].islower()
    assert not error.value.reason.endswith(".")
    return error.value.clause


def changing(position: Position) -> Any:
    """Return a position's state for a test to write to; what was legal before is forgotten."""
    position._forget()
    return position.state
