"""Parkett's moves: as records write them, as a list offers them, and as the log tells them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kartoteka.cards import NUMBER, TEXT, UNSEEN, glyph, name
from kartoteka.core import State
from kartoteka.engine.errors import NotAMove
from kartoteka.games.parkett.rules import ALL_LAID, BOTH_PASSED, CARDS, CELLS, IDLE, PASS, SHIFT, STUCK
from kartoteka.text import N_, _

ENDINGS = {
    ALL_LAID: ("PAR 4.2", N_("All cards of one player are laid.")),
    STUCK: ("PAR 4.3", N_("The player to move can neither lay nor move a card.")),
    BOTH_PASSED: ("PAR 4.3", N_("Both players in turn have passed.")),
    IDLE: ("PAR 4.4", N_("No card was laid in twenty turns running.")),
}

_NUMBERS = {TEXT[card]: k for k, card in enumerate(CARDS)}
_LAY = re.compile(r"(..)@([a-z]\d)")
_MOVE = re.compile(r"(..):([a-z]\d)>([a-z]\d)")


def _where(s: State, card: int) -> str:
    """The cell on which a card lies, '' if in hand."""
    return CELLS[s.place[card] - 1] if s.place[card] else ""


def text(s: State, move: int) -> str:
    """Return the move as records write it: ``7h@d3``, ``7h:d3>e4``, ``pass``."""
    if move == PASS:
        return "pass"
    card, cell = move % SHIFT // 35, CELLS[move % 35]
    written = TEXT[CARDS[card]]
    return f"{written}@{cell}" if move < SHIFT else f"{written}:{_where(s, card) or cell}>{cell}"


def number(written: str) -> int:
    """Return the number of a written move; raise `NotAMove` if it is none."""
    if written == "pass":
        return PASS
    found = _LAY.fullmatch(written) or _MOVE.fullmatch(written)
    if not found or NUMBER.get(found[1], UNSEEN) == UNSEEN:
        raise NotAMove(_("a move is a card, @ and a cell, as 7h@d3; or, to move a card that lies, 7h:d3>e4; or pass"))
    card, *cells = found.groups()
    if card not in _NUMBERS:
        raise NotAMove(_("there is no {card} here: the cards are six to ace").format(card=card), "PAR 1.1")
    for cell in cells:
        if cell not in CELLS:
            raise NotAMove(_("there is no cell {cell}: the floor has columns a to g, rows 1 to 5").format(cell=cell))
    return SHIFT * (len(cells) - 1) + 35 * _NUMBERS[card] + CELLS.index(cells[-1])


def label(s: State, move: int) -> str:
    """Return the move in a few words for a list of choices."""
    if move == PASS:
        return _("pass")
    card, cell = move % SHIFT // 35, CELLS[move % 35]
    shown = glyph(CARDS[card])
    if move < SHIFT:
        return _("lay {card} on {cell}").format(card=shown, cell=cell)
    return _("move {card} from {origin} to {cell}").format(card=shown, origin=_where(s, card), cell=cell)


def tell(before: State, move: int, after: State, names: Sequence[str], viewer: int) -> list[str]:
    """Return sentences that tell a move, and what followed by itself, to seat `viewer` (-1: a spectator)."""
    who = names[before.seat]
    if move == PASS:
        return [_("{who} can neither lay nor move a card, and passes.").format(who=who)]
    card, cell = move % SHIFT // 35, CELLS[move % 35]
    named = name(CARDS[card])
    if move >= SHIFT:
        origin = _where(before, card)
        told = _("{who} can lay nothing, and moves the {card} from {origin} to {cell}.")
        return [told.format(who=who, card=named, origin=origin, cell=cell)]
    sentences = [_("{who} lays the {card} on {cell}.").format(who=who, card=named, cell=cell)]
    if after.complete and not before.complete:
        sentences.append(_("The cross is complete."))
    return sentences
