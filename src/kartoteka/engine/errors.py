"""What can be wrong, in sentences a person can act on.

A move is refused in one of three ways: `MalformedMove` (it is no move of this game), `AmbiguousMove`
(several legal moves begin so) and `IllegalMove` (a move, but not now). Each carries the move, where it was
refused, the clause, and what would be legal.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from kartoteka.text import _, listed


class KartotekaError(Exception):
    """Something a person can mend; its text is one or two sentences for that person.

    `status` is the exit status of a command that ends with it: 1 for a fault in what is there, 2 for what was asked.
    """

    status = 2


class UsageError(KartotekaError):
    """An unknown game, option, seat, clause or value; the sentence names the nearest right one."""


class RecordError(KartotekaError):
    """A record that cannot be read or does not replay.

    Attributes
    ----------
    place : str
        Where in the document, e.g. ``deals[0].moves[12]``.
    clause : str
        The clause it breaks, or ``''``.
    """

    status = 1

    def __init__(self, place: str, reason: str, clause: str = "") -> None:
        self.place, self.reason, self.clause = place, reason, clause
        super().__init__(": ".join(filter(None, (place, with_clause(reason, clause)))))

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.place, self.reason, self.clause)

    @classmethod
    def of_move(cls, place: str, error: MoveError) -> RecordError:
        """Return the error for a move that was refused at `place`."""
        refused = cls(place, str(error))
        refused.clause = error.clause
        return refused


class MoveError(KartotekaError):
    """A refused move.

    Attributes
    ----------
    move : str
        The move as given.
    where : str
        The position, without its hidden cards: game, ply and seat to move.
    clause : str
        The clause that refuses it, e.g. ``'ABR 2.2'``.
    reason : str
        Why, in a sentence.
    legal : tuple of str
        The legal moves there (for `AmbiguousMove` those that were meant).
    """

    def __init__(self, move: str, where: str, clause: str, reason: str, legal: Iterable[str]) -> None:
        self.move, self.where, self.clause, self.reason = move, where, clause, reason
        self.legal = tuple(legal)
        super().__init__(f"{move!r} ({where}): {with_clause(reason, clause)}. {self.advice}")

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.move, self.where, self.clause, self.reason, self.legal)

    @property
    def advice(self) -> str:
        """A sentence that says what would be legal."""
        if not self.legal:
            return _("No move can be made here.")
        shown = list(self.legal[:8])
        if len(self.legal) > 8:
            return _("Legal here: {moves} and {n} more.").format(moves=", ".join(shown), n=len(self.legal) - 8)
        return _("Legal here: {moves}.").format(moves=listed(shown))


class NotAMove(ValueError):
    """What ``notation.number`` raises for a text that is no move: the reason, and the clause if one says so."""

    def __init__(self, reason: str, clause: str = "") -> None:
        self.reason, self.clause = reason, clause
        super().__init__(reason)


class MalformedMove(MoveError):
    """The text is not in the game's notation."""


class IllegalMove(MoveError):
    """A move of the game that its rules do not allow here."""


class AmbiguousMove(MoveError):
    """The text fits more than one legal move."""


def with_clause(reason: str, clause: str) -> str:
    """Return the sentence with its clause in brackets."""
    return f"{reason} ({clause})" if clause else reason


def nearest(word: str, known: Iterable[str]) -> str:
    """Return the known word most like `word`, compared without regard to case; the first if none is like it."""
    known = list(known)
    folded = {k.casefold(): k for k in reversed(known)}
    found = difflib.get_close_matches(word.casefold(), folded, n=1, cutoff=0.0)
    return folded[found[0]] if found else known[0]


def unknown(kind: str, word: object, known: Iterable[str]) -> UsageError:
    """Return the error for a word that is none of the `known`, naming the nearest (`kind` is translated)."""
    known = [str(k) for k in known]
    message = _("There is no {kind} {word!r}; did you mean {nearest}?").format(
        kind=kind, word=str(word)[:40], nearest=nearest(str(word)[:40], known)
    )
    if len(known) <= 12:
        message += " " + _("There is: {all}.").format(all=listed(known, "and"))
    return UsageError(message)
