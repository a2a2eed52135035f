"""The small values of play: moves, events, outcomes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kartoteka.engine import registry


class Move(str):
    """A move of a game, which is its notation: ``Move('abroasta', '7h@2')`` equals and serves as ``'7h@2'``.

    Attributes
    ----------
    game : str
    number : int
        Its number among the game's moves, 0 to N - 1.
    """

    __slots__ = ("game", "number")
    game: str
    number: int

    def __new__(cls, game: str, text: str, number: int | None = None) -> Move:
        move = super().__new__(cls, text)
        move.game = game
        move.number = registry.find(game).notation.number(text) if number is None else number
        return move

    def __repr__(self) -> str:
        return f"Move({self.game!r}, {str(self)!r})"

    def __reduce__(self) -> tuple[object, ...]:
        return Move, (self.game, str(self))


@dataclass(frozen=True, slots=True)
class Event:
    """What `Position.play` did: at ply `ply` (from 0) seat `seat` made `move`."""

    ply: int
    seat: int
    move: Move


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a deal ended.

    Attributes
    ----------
    clause, reason : str
        The clause that ended it, and a sentence.
    scores : tuple of float
        One number a seat: points, pairs, or 1, 0 and 0.5.
    winners : tuple of int
        The seats with the highest score. Where all have the same: every seat in a game for points, in which they
        share it; none in any other, in which it is a draw.
    """

    clause: str
    reason: str
    scores: tuple[float, ...]
    winners: tuple[int, ...]


def leaders(scores: Sequence[float]) -> tuple[int, ...]:
    """Return the seats (from 1) with the highest number; none if every seat has the same."""
    best = max(scores)
    won = tuple(seat for seat, score in enumerate(scores, 1) if score == best)
    return won if len(won) < len(scores) else ()
