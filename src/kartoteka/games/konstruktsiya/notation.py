"""Konstruktsiya's moves: as records write them, as a list offers them, and as the log tells them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kartoteka.cards import JOKER, glyph, name
from kartoteka.core import State
from kartoteka.engine.errors import NotAMove
from kartoteka.games.konstruktsiya.geometry import END, NAMES, NUMBERS, PAIR, START, UPRIGHTS
from kartoteka.games.konstruktsiya.rules import (
    DISCARD,
    LARGE,
    NO_MORE,
    NOTHING_DONE,
    NOTHING_LEFT,
    PASS,
    SMALL,
    WON,
)
from kartoteka.text import N_, _, ngettext

ENDINGS = {
    WON: ("KON 6.1", N_("A large piece has been to the top row and is home again.")),
    NO_MORE: ("KON 2.3", N_("The stock is used up and is not shuffled again.")),
    NOTHING_LEFT: ("KON 2.3", N_("The stock is used up and there is nothing to shuffle.")),
    NOTHING_DONE: ("KON 2.4", N_("In a whole stock no card was built and no large piece moved.")),
}

_CELL = "[a-h]{1,2}[0-9]{1,2}"
_MOVE = re.compile(f"=(?P<build>{_CELL})|(?P<start>{_CELL})(?P<how>>>?)(?P<end>{_CELL})")


def text(s: State, move: int) -> str:
    """Return the move as records write it: ``=cd3``, ``c0>c1``, ``c1>>d3``, ``discard``, ``pass``."""
    if move < LARGE:
        return f"={NAMES[move]}"
    if move < SMALL:
        return f"{NAMES[s.large[s.seat]]}>{NAMES[move - LARGE]}"
    if move < DISCARD:
        return f"{NAMES[START[move - SMALL]]}>>{NAMES[END[move - SMALL]]}"
    return "discard" if move == DISCARD else "pass"


def number(written: str) -> int:
    """Return the number of a written move; raise `NotAMove` if it is none."""
    if written in ("discard", "pass"):
        return DISCARD if written == "discard" else PASS
    found = _MOVE.fullmatch(written)
    cells = [found[part] for part in ("build", "start", "end") if found[part]] if found else []
    if not found or not all(cell in NUMBERS for cell in cells):
        raise NotAMove(
            _(
                "a move is = and a cell, as =cd3, two cells with > between them, as c0>c1, or with >>, as c1>>d3, "
                "or discard, or pass"
            )
        )
    end = NUMBERS[cells[-1]]
    if found["build"]:
        return end
    if found["how"] == ">":
        return LARGE + end
    pair = int(PAIR[NUMBERS[cells[0]], end])
    if pair >= 0:
        return SMALL + pair
    if cells[0] == cells[1]:
        raise NotAMove(_("a small piece does not come back to the card it left"), "KON 4.3")
    reason = _("a small piece moves one, two or three cards, and {end} is more than three away from {start}")
    raise NotAMove(reason.format(start=cells[0], end=cells[1]), "KON 4.3")


def label(s: State, move: int) -> str:
    """Return the move in a few words for a list of choices."""
    card = glyph(int(s.turned))
    if move < UPRIGHTS:
        return _("build {card} upright at {cell}").format(card=card, cell=NAMES[move])
    if move < LARGE:
        return _("build {card} sideways at {cell}").format(card=card, cell=NAMES[move])
    if move < SMALL:
        end = move - LARGE
        sentence = (
            _("large piece to your joker on {end}") if s.card[end] == JOKER else _("large piece to {card} on {end}")
        )
        return sentence.format(card=glyph(int(s.card[end])), end=NAMES[end])
    if move < DISCARD:
        start, end = int(START[move - SMALL]), int(END[move - SMALL])
        sentence = (
            _("small piece from {start} to your joker on {end}")
            if s.card[end] == JOKER
            else _("small piece from {start} to {card} on {end}")
        )
        return sentence.format(start=NAMES[start], card=glyph(int(s.card[end])), end=NAMES[end])
    if move == DISCARD:
        return _("discard {card}").format(card=card)
    return _("leave the new piece on {cell}").format(cell=NAMES[s.joker[s.seat]])


def _told(s: State, move: int, who: str) -> str:
    card = name(int(s.turned))
    if move < UPRIGHTS:
        return _("{who} builds the {card} upright at {cell}.").format(who=who, card=card, cell=NAMES[move])
    if move < LARGE:
        return _("{who} builds the {card} sideways at {cell}.").format(who=who, card=card, cell=NAMES[move])
    if move < SMALL:
        return _("With the {card} {who} moves the large piece from {start} to {end}.").format(
            who=who, card=card, start=NAMES[s.large[s.seat]], end=NAMES[move - LARGE]
        )
    if move < DISCARD:
        return _("With the {card} {who} moves a small piece from {start} to {end}.").format(
            who=who, card=card, start=NAMES[START[move - SMALL]], end=NAMES[END[move - SMALL]]
        )
    if move == DISCARD:
        return _("{who} discards the {card}.").format(who=who, card=card)
    return _("{who} leaves the new small piece on {cell}.").format(who=who, cell=NAMES[s.joker[s.seat]])


def tell(before: State, move: int, after: State, names: Sequence[str], viewer: int) -> list[str]:
    """Return sentences that tell a move, and what followed by itself, to seat `viewer` (-1: a spectator)."""
    who = names[before.seat]
    told = [_told(before, move, who)]
    if after.been_up[before.seat] > before.been_up[before.seat]:
        told.append(_("That is the top row; now {who} heads for home.").format(who=who))
    if after.over:
        return told
    # A seeded position has shuffled by now, any other waits for it.
    if after.to_shuffle or after.reshuffled > before.reshuffled:
        n = int(after.to_shuffle or after.stocked)
        told.append(
            ngettext(
                "The stock is used up: {n} discard is shuffled and becomes the new stock.",
                "The stock is used up: {n} discards are shuffled and become the new stock.",
                n,
            ).format(n=n)
        )
    if after.to_shuffle:
        return told
    card, owner = name(int(after.turned)), names[after.seat]
    told.append(_("The {card} is turned, for {who}.").format(card=card, who=owner))
    if after.king:
        cell = NAMES[after.joker[after.seat]]
        told.append(_("The king brings a small piece of {who} onto {cell}.").format(who=owner, cell=cell))
    return told
