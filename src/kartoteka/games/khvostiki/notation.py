"""Khvostiki's moves: as records write them, as a list offers them, and as the log tells them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kartoteka.cards import JOKER, NUMBER, TEXT, glyph, name
from kartoteka.engine.compiled import State
from kartoteka.games.khvostiki.state import (
    ADD,
    CARDS,
    END,
    LAST_TURN,
    LOW,
    MOVES,
    NATURALS,
    NEW_SET,
    ROWS,
    SWAP,
    TAIL,
    TAKE,
)
from kartoteka.text import N_, _, listed, ngettext

ENDINGS = {LAST_TURN: ("KHV 5.1", N_("The turn in which the last card of the stock was taken is over."))}


def _write(move: int) -> str:
    if move < ADD:
        return "row " + " ".join(TEXT[card] for card in CARDS[move])
    if move < LOW:
        return f"{TEXT[(move - ADD) // ROWS]}>{(move - ADD) % ROWS + 1}"
    if move < SWAP:
        return f"Jk>{(move - LOW) % ROWS + 1}{('-', '+', '')[(move - LOW) // ROWS]}"
    if move < TAKE:
        return f"{TEXT[(move - SWAP) // ROWS]}<>{(move - SWAP) % ROWS + 1}"
    if move < TAIL:
        return f"take {move - TAKE + 1}"
    return f"tail {TEXT[move - TAIL]}" if move < END else "end"


_TEXTS = [_write(move) for move in range(MOVES)]
_NUMBERS = {written: move for move, written in enumerate(_TEXTS)}


def text(s: State, move: int) -> str:
    """Return the move as records write it: ``row 2h 3h 4h``, ``5h>3``, ``take 4``, ``tail 9c``."""
    return _TEXTS[move]


def number(written: str) -> int:
    """Return the number of a written move; raise ValueError, with what a move looks like, if it is none."""
    if written in _NUMBERS:
        return _NUMBERS[written]
    if written.startswith("row"):
        raise ValueError(
            _(
                "a new row is three cards: a run from its low end, as row 2h 3h 4h, or a set, its suits in the "
                "order c d h s, as row Qc Qh Qs; a joker stands in its place in a run and last in a set"
            )
        )
    if written.startswith("tail") and written[5:] == TEXT[JOKER]:
        raise ValueError(_("a joker never goes to the tail"))
    found = re.fullmatch(r"(?:(..)(?:>|<>)|take )(\d+)[+-]?", written)
    if found and (found[1] is None or found[1] in NUMBER):
        if found[1] is None:
            raise ValueError(_("the cards of the tail are counted from 1 to at most {n}").format(n=NATURALS))
        if not 1 <= int(found[2]) <= ROWS:
            raise ValueError(_("rows are numbered from 1 to at most {n}").format(n=ROWS))
    raise ValueError(
        _("a move is written as row 2h 3h 4h, 5h>3, Jk>3+, Jk>3- or Jk>3, 3h<>2, take 4, tail 9c or end")
    )


def label(s: State, move: int) -> str:
    """Return the move in a few words for a list of choices."""
    if move < ADD:
        cards = " ".join(glyph(int(card)) for card in CARDS[move])
        return (_("new run {cards}") if move < NEW_SET else _("new set {cards}")).format(cards=cards)
    if move < LOW:
        card, row = divmod(move - ADD, ROWS)
        return _("{card} to row {row}").format(card=glyph(card), row=row + 1)
    if move < SWAP:
        end, row = divmod(move - LOW, ROWS)
        sentence = (
            _("joker to the low end of row {row}"), _("joker to the high end of row {row}"), _("joker to row {row}"),
        )[end]  # fmt: skip
        return sentence.format(row=row + 1)
    if move < TAKE:
        card, row = divmod(move - SWAP, ROWS)
        return _("{card} for the joker in row {row}").format(card=glyph(card), row=row + 1)
    if move < TAIL:
        first = move - TAKE
        more = int(s.tail_length) - first - 1
        if more <= 0:
            return _("take {card}").format(card=glyph(int(s.tail[first])))
        sentence = ngettext("take {card} and {n} card after it", "take {card} and {n} cards after it", more)
        return sentence.format(card=glyph(int(s.tail[first])), n=more)
    if move < END:
        return _("{card} to the tail").format(card=glyph(move - TAIL))
    return _("end the deal without a card to the tail")


def tell(before: State, move: int, after: State, names: Sequence[str], viewer: int) -> list[str]:
    """Return sentences that tell a move, and what followed by itself, to seat `viewer` (-1: a spectator)."""
    who = names[before.seat]
    if move < ADD:
        cards = listed([name(int(card)) for card in CARDS[move]], _("and"))
        row = int(before.rows) + 1
        return [_("{who} opens row {row}: {cards}.").format(who=who, row=row, cards=cards)]
    if move < LOW:
        card, row = divmod(move - ADD, ROWS)
        return [_("{who} adds the {card} to row {row}.").format(who=who, card=name(card), row=row + 1)]
    if move < SWAP:
        end, row = divmod(move - LOW, ROWS)
        sentence = (
            _("{who} adds a joker to the low end of row {row}."),
            _("{who} adds a joker to the high end of row {row}."),
            _("{who} adds a joker to row {row}."),
        )[end]
        return [sentence.format(who=who, row=row + 1)]
    if move < TAKE:
        card, row = divmod(move - SWAP, ROWS)
        sentence = _("{who} gives the {card} for the joker in row {row} and must now lay that joker.")
        return [sentence.format(who=who, card=name(card), row=row + 1)]
    if move < TAIL:
        taken = [int(card) for card in before.tail[move - TAKE : before.tail_length]]
        cards = listed([name(card) for card in taken], _("and"))
        sentence = _("{who} takes from the tail {cards} and must now lay the {card}.")
        return [sentence.format(who=who, cards=cards, card=name(taken[0]))]
    if move < END:
        told = [_("{who} lays the {card} on the tail.").format(who=who, card=name(move - TAIL))]
    else:
        told = [_("{who} ends the deal without a card to the tail.").format(who=who)]
    return told + _drawn(before, after, names, viewer)


def _drawn(before: State, after: State, names: Sequence[str], viewer: int) -> list[str]:
    """Return what the next player draws (KHV 4.1)."""
    seat, n = int(after.seat), int(after.drawn - before.drawn)
    if after.over or n == 0:
        return []
    who = names[seat]
    # Jokers turned up at the start lie at the bottom: whoever draws them, everyone knows.
    new = (
        after.hand[seat] - before.hand[seat] if viewer == seat else after.known[seat] - before.known[seat]
    ).tolist()
    cards = [card for card, copies in enumerate(new) for _copy in range(copies)]
    if viewer == seat:
        told = [_("{who} draws {cards}.").format(who=who, cards=listed([name(card) for card in cards], _("and")))]
    else:
        told = [ngettext("{who} draws {n} card.", "{who} draws {n} cards.", n).format(who=who, n=n)]
        if cards:
            told.append(
                ngettext(
                    "Among them is a joker from the bottom.", "Among them are {n} jokers from the bottom.", len(cards)
                ).format(n=len(cards))
            )
    if after.last:
        told.append(_("The stock is gone: this turn is the last."))
    return told
