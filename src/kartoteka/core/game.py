"""What the loops ask of a game: stand-ins for the functions of its ``rules`` and ``policy``."""

from __future__ import annotations

from typing import Any

from kartoteka.core.arrays import Ints
from kartoteka.core.marks import from_game
from kartoteka.core.state import State


@from_game
def deal(s: State, deck: Ints) -> None:
    """Deal the whole pack, as it lies in `deck`, into a blank state."""
    raise NotImplementedError


@from_game
def legal(s: State, out: Ints) -> int:
    """Write the numbers of the legal moves to `out`; return how many there are."""
    raise NotImplementedError


@from_game
def play(s: State, move: int) -> None:
    """Play a legal move."""
    raise NotImplementedError


@from_game
def scores(s: State, out: Any) -> None:
    """Write the score of each seat to `out`."""
    raise NotImplementedError


@from_game
def hidden(s: State, seat: int, out: Ints) -> int:
    """Write the cards that `seat` cannot see (-1: a spectator) to `out`; return how many there are."""
    raise NotImplementedError


@from_game
def redeal(s: State, seat: int, rng: Any) -> None:
    """Deal anew what `seat` cannot see."""
    raise NotImplementedError


@from_game
def rate(s: State, moves: Ints, n: int, out: Ints) -> None:
    """Write to `out` how good each of `n` moves looks to a sensible player."""
    raise NotImplementedError


@from_game
def waiting(s: State, out: Ints) -> int:
    """Write the cards that wait to be shuffled to `out`; return how many there are. No game need offer it."""
    return 0


@from_game
def reshuffle(s: State, order: Ints) -> None:
    """Take the new stock in its order. No game need offer it."""
    return
