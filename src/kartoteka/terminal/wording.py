"""Moves in words, both ways: what happened told to a reader, and what a person typed understood."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kartoteka.cards import TEXT, name, tidy
from kartoteka.engine.errors import AmbiguousMove, IllegalMove, MalformedMove
from kartoteka.engine.moves import Move
from kartoteka.engine.position import Position
from kartoteka.engine.telling import label, tell
from kartoteka.text import _

_WORD = re.compile(r"\w+|[^\w\s]")


def log(position: Position, names: Sequence[str], viewer: int) -> list[str]:
    """Tell the deal so far to `viewer`, a line a move."""
    return [
        f"{event.ply + 1}. {tell(before, event.move, after, names, viewer)}"
        for before, event, after in position.steps()
    ]


def understand(position: Position, typed: str) -> Move:
    """Return the move meant by a number of the list, by notation, or by words of its description.

    Raises
    ------
    MalformedMove, AmbiguousMove, IllegalMove
        As `Position.verify` does; AmbiguousMove too where the words fit several moves.
    """
    moves = list(position.moves)
    if typed.isascii() and typed.isdecimal() and len(typed) < 7:
        if 1 <= int(typed) <= len(moves):
            return moves[int(typed) - 1]
        reason = _("the moves are numbered 1 to {n}").format(n=len(moves))
        raise IllegalMove(typed, position.where, f"{position.game.code} notation", reason, moves)
    try:
        return position.verify(tidy(typed))
    except MalformedMove:
        fit = fitting(position, typed)
        if not fit:
            raise
    if len(fit) == 1:
        return fit[0]
    reason = _("these words fit several moves")
    raise AmbiguousMove(typed, position.where, f"{position.game.code} notation", reason, fit)


def fitting(position: Position, typed: str) -> list[Move]:
    """Return the legal moves whose description holds every word typed; none for no words."""
    as_typed, tidied = _words(typed), _words(tidy(typed))
    if not as_typed:
        return []
    described = ((move, _described(position, move)) for move in position.moves)
    return [move for move, words in described if as_typed <= words or tidied <= words]


def _described(position: Position, move: Move) -> set[str]:
    """Every word by which a move may be called: its notation, its description, its cards in words."""
    cards = [move[k : k + 2] for k in range(len(move)) if move[k : k + 2] in TEXT]
    return _words(" ".join([move, *cards, label(position, move), *(name(TEXT.index(card)) for card in cards)]))


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text.casefold()))
