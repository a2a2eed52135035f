"""Moves in words: what happened told to a reader, and what can be done."""

from __future__ import annotations

from collections.abc import Sequence

from kartoteka.engine.moves import Move
from kartoteka.engine.position import Position


def tell(before: Position, move: Move, after: Position, names: Sequence[str], viewer: int) -> str:
    """Return sentences that tell a move, and what followed by itself, to seat `viewer` (0: a spectator)."""
    return " ".join(before.game.notation.tell(before.reading, move.number, after.reading, names, viewer - 1))


def label(position: Position, move: Move) -> str:
    """Return a legal move in a few words."""
    return position.game.notation.label(position.reading, move.number)
