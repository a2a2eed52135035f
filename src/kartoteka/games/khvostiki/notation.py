"""Khvostiki's moves: as records write them, as a list offers them, and as the log tells them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from kartoteka.cards import JOKER, NUMBER, TEXT, UNSEEN, counted, glyph, name
from kartoteka.core import State
from kartoteka.engine.errors import NotAMove
from kartoteka.games.khvostiki.state import (
    ADD,
    CARDS,
    END,
    HIGH,
    IN_SET,
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
_OF_CARDS: dict[tuple[int, ...], list[str]] = {}
for _new_row in range(ADD):
    _OF_CARDS.setdefault(tuple(sorted(CARDS[_new_row].tolist())), []).append(_TEXTS[_new_row])


def text(s: State, move: int) -> str:
    """Return the move as records write it: ``row 2h 3h 4h``, ``5h>3``, ``take 4``, ``tail 9c``."""
    return _TEXTS[move]


def rows_of(cards: Iterable[str]) -> list[str]:
    """Return every way to write the cards as a new row, none if they are no row."""
    return list(_OF_CARDS.get(tuple(sorted(NUMBER[card] for card in cards)), ()))


def number(written: str) -> int:
    """Return the number of a written move; raise `NotAMove` if it is none."""
    if written in _NUMBERS:
        return _NUMBERS[written]
    if written.startswith("row"):
        raise _no_row([NUMBER.get(word, UNSEEN) for word in written.split(" ")[1:]])
    if written == f"tail {TEXT[JOKER]}":
        raise NotAMove(_("a joker never goes to the tail"), "KHV 3.5")
    found = re.fullmatch(r"(?:(..)(?:>|<>)|take )(\d+)[+-]?", written)
    if found and (found[1] is None or found[1] in NUMBER):
        if found[1] is None:
            raise NotAMove(_("the cards of the tail are counted from 1 to at most {n}").format(n=NATURALS))
        if not 1 <= int(found[2]) <= ROWS:
            raise NotAMove(_("rows are numbered from 1 to at most {n}").format(n=ROWS))
    raise NotAMove(_("a move is written as row 2h 3h 4h, 5h>3, Jk>3+, Jk>3- or Jk>3, 3h<>2, take 4, tail 9c or end"))


def _no_row(cards: list[int]) -> NotAMove:
    """Return why cards, in the order written, are no new row."""
    if not cards or UNSEEN in cards:
        return NotAMove(
            _(
                "a new row is three cards: a run from its low end, as row 2h 3h 4h, or a set, its suits in the "
                "order c d h s, as row Qc Qh Qs; a joker stands in its place in a run and last in a set"
            )
        )
    if len(cards) != 3:
        return NotAMove(_("a new row is three cards; others are added to it afterwards, one at a time"), "KHV 2.1")
    if cards.count(JOKER) > 1:
        return NotAMove(_("a new row has one joker at most; another may be added to it afterwards"), "KHV 3.1")
    rows = rows_of(TEXT[card] for card in cards)
    if rows:
        return NotAMove(_("a row of these cards is written {rows}").format(rows=listed(rows)))
    return NotAMove(
        _(
            "{cards} is no row: a row is a run, three cards of one suit next to each other in rank, or a set, "
            "three cards of one rank in different suits"
        ).format(cards=_glyphs(cards)),
        "KHV 2.1",
    )


def _glyphs(cards: Iterable[int]) -> str:
    return " ".join(glyph(int(card)) for card in cards)


def _named(s: State, row: int) -> str:
    """Return a row in a few words for the seat to move: ``run 8♣–10♣ of seat 2``, ``your set Q♣ Q♥``."""
    kind, start, owner = int(s.kind[row]), int(s.start[row]), int(s.owner[row])
    if kind < 4:
        low, high = (glyph(13 * kind + (start + k) % 13) for k in (0, int(s.length[row]) - 1))
        sentence = _("your run {low}–{high}") if owner == s.seat else _("run {low}–{high} of seat {seat}")
        return sentence.format(low=low, high=high, seat=owner + 1)
    cards = [13 * suit + kind - 4 for suit in range(4) if start >> suit & 1] + [JOKER] * int(s.jokers[row])
    sentence = _("your set {cards}") if owner == s.seat else _("set {cards} of seat {seat}")
    return sentence.format(cards=_glyphs(cards), seat=owner + 1)


def label(s: State, move: int) -> str:
    """Return the move in a few words for a list of choices."""
    if move < ADD:
        return (_("new run {cards}") if move < NEW_SET else _("new set {cards}")).format(cards=_glyphs(CARDS[move]))
    if move < TAKE:
        return _label_at_row(s, move)
    if move < TAIL:
        first = move - TAKE
        card, more = glyph(int(s.tail[first])), int(s.tail_length) - first - 1
        if more <= 0:
            return _("take {card}; lay it at once").format(card=card)
        return ngettext(
            "take {card} and {n} more card; lay {card} at once",
            "take {card} and {n} more cards; lay {card} at once",
            more,
        ).format(card=card, n=more)
    if move < END:
        return (_("end the deal: {card} to the tail") if s.last else _("end the turn: {card} to the tail")).format(
            card=glyph(move - TAIL)
        )
    return _("end the deal without a card to the tail")


def _label_at_row(s: State, move: int) -> str:
    card, row = divmod(move - (ADD if move < LOW else LOW if move < SWAP else SWAP), ROWS)
    named, kind, start, length = _named(s, row), int(s.kind[row]), int(s.start[row]), int(s.length[row])
    if move < LOW:
        return _("{card} to row {row}, {named}").format(card=glyph(card), row=row + 1, named=named)
    if move < IN_SET:
        card = 13 * kind + (start + (12 if move < HIGH else length)) % 13
        return _("joker as {card} to row {row}, {named}").format(card=glyph(card), row=row + 1, named=named)
    if move < SWAP:
        return _("joker to row {row}, {named}").format(row=row + 1, named=named)
    return _("{card} for joker in row {row}, {named}").format(card=glyph(card), row=row + 1, named=named)


def tell(before: State, move: int, after: State, names: Sequence[str], viewer: int) -> list[str]:
    """Return sentences that tell a move, and what followed by itself, to seat `viewer` (-1: a spectator)."""
    who = names[before.seat]
    if move < ADD:
        row = int(before.rows) + 1
        return [_("{who} opens row {row}: {cards}.").format(who=who, row=row, cards=_glyphs(CARDS[move]))]
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
        taken = before.tail[move - TAKE : before.tail_length].tolist()
        sentence = (
            _("{who} takes {cards} from the tail and must now lay {card}.")
            if len(taken) > 1
            else _("{who} takes {card} from the tail and must now lay it.")
        )
        return [sentence.format(who=who, cards=_glyphs(taken), card=glyph(taken[0]))]
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
    cards = counted(new)
    if viewer == seat:
        told = [_("{who} draws {cards}.").format(who=who, cards=_glyphs(cards))]
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
