"""Advantage's moves: as records write them, as a list offers them, and as the log tells them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kartoteka.cards import NUMBER, SUITS, TEXT, glyph, name
from kartoteka.core import State
from kartoteka.engine.errors import NotAMove
from kartoteka.games.advantage.rules import (
    DRAW,
    EXCHANGE,
    FIRST_SUIT,
    NOTHING_DONE,
    PAIR,
    PASS,
    SECOND_SUIT,
    STOCK_OUT,
)
from kartoteka.text import N_, _, ngettext

ENDINGS = {
    STOCK_OUT: ("ADV 6.1", N_("The stock is used up, and a third round has brought no pair.")),
    NOTHING_DONE: ("ADV 6.1", N_("In three rounds nothing was placed, exchanged, drawn or put aside.")),
}
ROUNDS = (N_("first round: placing"), N_("second round: exchanging"), N_("third round: pairs"))

_BEGINS = (
    N_("The first round begins: placing."),
    N_("The second round begins: exchanging."),
    N_("The third round begins: pairs."),
)
_TEXTS = [f"{TEXT[card]}{sign}{pile}" for sign in "><" for pile in (1, 2, 3) for card in range(52)]
_TEXTS += [
    TEXT[rank + 13 * first] + TEXT[rank + 13 * second]
    for rank in range(13)
    for first, second in zip(FIRST_SUIT.tolist(), SECOND_SUIT.tolist(), strict=True)
]
_TEXTS += ["draw", "pass"]
_NUMBERS = {text: number for number, text in enumerate(_TEXTS)}


def pair(move: int) -> tuple[int, int]:
    """Return the two cards that the move `move`, a pair, puts aside."""
    rank, suits = divmod(move - PAIR, 6)
    return rank + 13 * int(FIRST_SUIT[suits]), rank + 13 * int(SECOND_SUIT[suits])


_BY_RANK = sorted(range(52), key=lambda card: (card % 13, card))


def cards_of(held: int) -> list[int]:
    """Return the cards of a set by rank, then suit."""
    held = int(held)
    return [card for card in _BY_RANK if held >> card & 1]


def text(s: State, move: int) -> str:
    """Return the move as records write it: ``7h>2``, ``7h<2``, ``7d7h``, ``draw``, ``pass``."""
    return _TEXTS[move]


def number(written: str) -> int:
    """Return the number of a written move; raise NotAMove, with what a move looks like, if it is none."""
    if written in _NUMBERS:
        return _NUMBERS[written]
    first, second = written[:2], written[2:]
    if first in NUMBER and second in NUMBER and first[0] == second[0] and second + first in _NUMBERS:
        raise NotAMove(
            _("a pair is written in the order of suits {suits}: {move}").format(
                suits=" ".join(SUITS), move=second + first
            )
        )
    if first in NUMBER and second in NUMBER and first[0] != second[0]:
        reason = _("{first} and {second} are no pair: a pair is two cards of one rank")
        raise NotAMove(reason.format(first=glyph(NUMBER[first]), second=glyph(NUMBER[second])), "ADV 5.1")
    raise NotAMove(
        _(
            "a move is 7h>2 (place a card on a pile 1 to 3), 7h<2 (give it for the pile), 7d7h (put a pair aside), "
            "draw or pass"
        )
    )


def label(s: State, move: int) -> str:
    """Return the move in a few words for a list of choices."""
    if move == PASS:
        return _("pass")
    if move == DRAW:
        return _("draw a card")
    if move >= PAIR:
        return _("put aside {cards}").format(cards=" ".join(map(glyph, pair(move))))
    card, pile = glyph(move % 52), move % EXCHANGE // 52
    on = glyph(s.top[pile])
    if move < EXCHANGE:
        return _("place {card} on pile {pile} ({top})").format(card=card, pile=pile + 1, top=on)
    n = int(s.pile[pile]).bit_count()
    return ngettext(
        "give {card} for pile {pile} ({top}, {n} card)", "give {card} for pile {pile} ({top}, {n} cards)", n
    ).format(card=card, pile=pile + 1, top=on, n=n)


def tell(before: State, move: int, after: State, names: Sequence[str], viewer: int) -> list[str]:
    """Return sentences that tell a move, and what followed by itself, to seat `viewer` (-1: a spectator)."""
    who = names[before.seat]
    told = []
    if move == PASS:
        told.append(_("{who} passes.").format(who=who))
    elif PAIR <= move < DRAW:
        cards = " ".join(map(glyph, pair(move)))
        told.append(_("{who} puts aside the pair {cards}.").format(who=who, cards=cards))
    elif move < PAIR:
        card, pile = move % 52, move % EXCHANGE // 52
        if move < EXCHANGE:
            told.append(_("{who} places the {card} on pile {pile}.").format(who=who, card=name(card), pile=pile + 1))
        else:
            cards = " ".join(map(glyph, cards_of(before.pile[pile])))
            told.append(
                _("{who} gives {card} for pile {pile} and takes {cards}.").format(
                    who=who, card=glyph(card), pile=pile + 1, cards=cards
                )
            )
    drawn = before.stock[before.drawn : after.drawn].tolist()
    if drawn and viewer == before.seat:
        told.append(_("{who} draws {cards}.").format(who=who, cards=" ".join(map(glyph, drawn))))
    elif drawn:
        n = len(drawn)
        told.append(ngettext("{who} draws a card.", "{who} draws {n} cards.", n).format(who=who, n=n))
    if move == DRAW and not after.drew:
        told.append(_("It does not fit, so the turn is over."))
    return told + list(_followed(before, after, names))


def _followed(before: State, after: State, names: Sequence[str]) -> Iterator[str]:
    """Tell the rounds that began and the players who were passed over between two positions."""
    at, dealer = (int(before.phase), int(before.seat)), int(before.dealer)
    stop = (0, 0) if after.over else (int(after.phase), int(after.seat))
    while at != stop:
        if at[1] != dealer:
            at = at[0], dealer
        elif at[0] == 3 and after.over:
            return
        else:
            if at[0] == 1 and before.switch_hands:
                yield _("The players swap hands, which now lie face up.")
            at = at[0] % 3 + 1, 1 - dealer
            yield _(_BEGINS[at[0] - 1])
        if at[0] == 3 and at != stop:
            yield _("{who} holds no pair.").format(who=names[at[1]])
