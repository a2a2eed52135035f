"""Which games there are: whatever the entry point group ``kartoteka.games`` names."""

from __future__ import annotations

import functools
from importlib.metadata import entry_points

from kartoteka.engine.declare import Game
from kartoteka.engine.errors import unknown
from kartoteka.text import _

GROUP = "kartoteka.games"


@functools.cache
def games() -> dict[str, Game]:
    """Return the declarations of all games by name, in alphabetical order."""
    return {point.name: point.load() for point in sorted(entry_points(group=GROUP), key=lambda p: p.name)}


def find(name: str) -> Game:
    """Return the game of that name (its own script will do), or raise `UsageError` naming the nearest."""
    for game in games().values():
        if str(name).casefold() in (game.name, game.title.casefold(), game.native.casefold()):
            return game
    raise unknown(_("game"), name, games())
