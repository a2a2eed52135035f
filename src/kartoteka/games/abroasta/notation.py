"""Abroasta's moves: as records write them, as a list offers them, and as the log tells them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kartoteka.cards import ACE, KING, NUMBER, TEXT, glyph, name
from kartoteka.core import State
from kartoteka.engine.errors import NotAMove
from kartoteka.games.abroasta.rules import ALL_PASSED, ALL_PLAYED, PASS, SEATS
from kartoteka.text import N_, _

ENDINGS = {
    ALL_PLAYED: ("ABR 3.3", N_("All cards are played.")),
    ALL_PASSED: ("ABR 3.3", N_("All players in turn have passed.")),
}

_TEXTS = [f"{TEXT[card]}@{owner + 1}" for owner in range(SEATS) for card in range(52)] + ["pass"]
_LAY = re.compile(r"(..)@([1-9][0-9]?)")


def text(s: State, move: int) -> str:
    """Return the move as records write it: ``7h@2``, ``pass``."""
    return _TEXTS[move]


def number(written: str) -> int:
    """Return the number of a written move; raise `NotAMove` if it is none."""
    if written == "pass":
        return PASS
    found = _LAY.fullmatch(written)
    if not found or NUMBER.get(found[1], 52) >= 52 or int(found[2]) > SEATS:
        raise NotAMove(_("a move is a card, @ and the seat whose row it goes on, as 7h@2, or pass"))
    return 52 * (int(found[2]) - 1) + NUMBER[found[1]]


def label(s: State, move: int) -> str:
    """Return the move in a few words for a list of choices."""
    if move == PASS:
        return _("pass")
    owner, card = divmod(move, 52)
    if s.length[owner] == 0:
        return _("open your row with {card}").format(card=glyph(card))
    if card % 13 == KING and (s.king_takes == 1 or s.row[owner, 0] % 13 == ACE):  # ABR 2.4, 2.5
        sentence = (
            _("take your own row with {card}") if owner == s.seat else _("take the row of seat {seat} with {card}")
        )
        return sentence.format(card=glyph(card), seat=owner + 1)
    sentence = _("{card} on {top}, your own row") if owner == s.seat else _("{card} on {top}, row of seat {seat}")
    return sentence.format(card=glyph(card), top=glyph(int(s.row[owner, s.length[owner] - 1])), seat=owner + 1)


def tell(before: State, move: int, after: State, names: Sequence[str], viewer: int) -> list[str]:
    """Return sentences that tell a move, and what followed by itself, to seat `viewer` (-1: a spectator)."""
    who = names[before.seat]
    if move == PASS:
        return [_("{who} passes.").format(who=who)]
    owner, card = divmod(move, 52)
    if before.length[owner] == 0:
        return [_("{who} opens a row with the {card}.").format(who=who, card=name(card))]
    if owner == before.seat:
        told = _("{who} lays the {card} on their own row.").format(who=who, card=name(card))
    else:
        told = _("{who} lays the {card} on {owner}'s row.").format(who=who, card=name(card), owner=names[owner])
    if after.took[before.seat] > before.took[before.seat]:
        return [told, _("The king takes the row: 13 points for {who}.").format(who=who)]
    return [told]
