"""Computer players, each a function from a position and a generator to a legal move."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from kartoteka.core import chance, randbelow
from kartoteka.engine.errors import UsageError, unknown
from kartoteka.engine.match import Match
from kartoteka.engine.moves import Move
from kartoteka.engine.position import Position
from kartoteka.text import _

Player = Callable[[Position, npt.NDArray[np.int64]], Move]


def play_random(position: Position, rng: npt.NDArray[np.int64]) -> Move:
    """Any legal move, each equally likely."""
    numbers = position.moves.numbers
    if not len(numbers):
        raise UsageError(_("It is nobody's turn: {where}.").format(where=position.where))
    return position.move(int(numbers[randbelow(rng, len(numbers))]))


def play_greedy(position: Position, rng: npt.NDArray[np.int64]) -> Move:
    """The move that looks best at once to the game's own policy."""
    return position.best(rng)


PLAYERS: dict[str, Player] = {"random": play_random, "greedy": play_greedy}


def find(kind: str) -> Player:
    """Return the computer player of that name, or raise `UsageError` naming the nearest."""
    if kind not in PLAYERS:
        raise unknown(_("computer player"), kind, PLAYERS)
    return PLAYERS[kind]


def move_of(match: Match, kind: str) -> Move:
    """Return the move that computer player `kind` makes now: it depends on the match's seed and the place alone."""
    position = match.position
    return find(kind)(position, chance(match.seed, len(match.positions), "player", position.ply))


def play_out(match: Match, kinds: Sequence[str]) -> Match:
    """Play a match to its end, computer player ``kinds[k]`` in seat k + 1."""
    while not match.over:
        if match.position.over:
            match.next_deal()
        while not match.position.over:
            match.position.push(move_of(match, kinds[match.position.turn - 1]))
    return match
