"""Why a move of Khvostiki is refused: the clause and a sentence."""

from __future__ import annotations

from kartoteka.cards import JOKER, glyph, name
from kartoteka.core import State
from kartoteka.games.khvostiki.state import (
    ADD,
    BIT,
    CARDS,
    END,
    HIGH,
    IN_SET,
    LOW,
    ROWS,
    SWAP,
    TAIL,
    TAKE,
    column,
    layable,
    members,
    own_room,
    paired,
    spare,
    stands_for,
    wanted,
)
from kartoteka.text import _, listed

Refusal = tuple[str, str]


def refuse(s: State, move: int) -> Refusal:
    """Return the clause and the reason why `move` is not legal in `s`."""
    return _duty(s, move) or _hand(s, move) or _place(s, move) or _keep(s, move)


def _row(move: int) -> int:
    """Return the row (from 0) on which a move lays a card."""
    return (move - (ADD if move < LOW else LOW if move < SWAP else SWAP)) % ROWS


def _cards(move: int) -> list[int]:
    """Return the cards that a move lays."""
    if move < ADD:
        return [int(card) for card in CARDS[move]]
    if move < LOW:
        return [(move - ADD) // ROWS]
    if move < SWAP:
        return [JOKER]
    if move < TAKE:
        return [(move - SWAP) // ROWS]
    return [move - TAIL] if TAIL <= move < END else []


def _glyphs(cards: int) -> str:
    """List a set of cards."""
    return listed([glyph(card) for card in members(cards)])


def _duty(s: State, move: int) -> Refusal | None:
    """KHV 3.3, 4.3: what must be laid before anything else."""
    must = int(s.duty) - 1
    if must < 0 or (move < SWAP and must in _cards(move)):
        return None
    if must == JOKER:
        return "KHV 3.3", _("the joker taken must be laid at once, in a new row or on a row of your own")
    sentence = _("the {card} taken from the tail must be laid before anything else, in a new row or added to one")
    return "KHV 4.3", sentence.format(card=name(must))


def _hand(s: State, move: int) -> Refusal | None:
    """The cards a move lays come from the hand of the player."""
    clause = (
        "KHV 2.1" if move < ADD else "KHV 2.4" if move < LOW else "KHV 3.2" if move < SWAP
        else "KHV 3.3" if move < TAKE else "KHV 4.4"
    )  # fmt: skip
    for card in _cards(move):
        if s.hand[s.seat, card] == 0:
            if card == JOKER:
                return "KHV 3.1" if move < ADD else clause, _("there is no joker in your hand")
            return clause, _("the {card} is not in your hand").format(card=name(card))
    return None


def _place(s: State, move: int) -> Refusal | None:
    """The place where a move lays a card must be there and take it."""
    if ADD <= move < TAKE:
        row = _row(move)
        if row >= s.rows:
            return "KHV 2.5", _("there is no row {row}; rows are numbered in the order laid").format(row=row + 1)
        if move < LOW:
            return _add(s, row, _cards(move)[0])
        return _add_joker(s, row, move) if move < SWAP else _swap(s, row, _cards(move)[0])
    if TAKE <= move < TAIL:
        return _take(s, move - TAKE)
    if move == END and not s.last:
        return "KHV 5.1", _("only the last turn of the deal, when the stock is gone, ends without a card to the tail")
    return None


def _full(s: State, row: int) -> Refusal | None:
    if s.want[row]:
        return None
    if s.kind[row] < 4:
        return "KHV 2.2", _("row {row} has thirteen cards, and a run has no more").format(row=row + 1)
    return "KHV 2.3", _("row {row} has four cards, and a set has no more").format(row=row + 1)


def _add(s: State, row: int, card: int) -> Refusal | None:
    if s.want[row] & BIT[card]:
        return None
    full = _full(s, row)
    if full:
        return full
    if s.kind[row] < 4:
        sentence = _("the {card} fits neither end of run {row}, which takes only {cards}")
        clause = "KHV 2.4"
    elif card % 13 == s.kind[row] - 4:
        sentence = _("the suit of the {card} lies already in set {row}, which takes only {cards}")
        clause = "KHV 2.3"
    else:
        sentence = _("the {card} is not of the rank of set {row}, which takes only {cards}")
        clause = "KHV 2.1"
    return clause, sentence.format(card=name(card), row=row + 1, cards=_glyphs(int(s.want[row])))


def _add_joker(s: State, row: int, move: int) -> Refusal | None:
    if s.owner[row] != s.seat:
        sentence = _("row {row} is seat {seat}'s, and a joker is added only to a row of your own")
        return "KHV 3.2", sentence.format(row=row + 1, seat=int(s.owner[row]) + 1)
    full = _full(s, row)
    if full:
        return full
    if s.kind[row] >= 4 and move < IN_SET:
        return "KHV 3.2", _("row {row} is a set, which has no ends: Jk>{row}").format(row=row + 1)
    if s.kind[row] < 4 and move >= IN_SET:
        if s.length[row] == 12:
            return "KHV 3.2", _("row {row} is a run, so say to which end: Jk>{row}+").format(row=row + 1)
        return "KHV 3.2", _("row {row} is a run, so say to which end: Jk>{row}- or Jk>{row}+").format(row=row + 1)
    if s.length[row] == 12 and move < HIGH:
        sentence = _("both ends of run {row} ask for the same card, which goes to the high end: Jk>{row}+")
        return "KHV 2.5", sentence.format(row=row + 1)
    return None


def _swap(s: State, row: int, card: int) -> Refusal | None:
    if s.jokers[row] == 0:
        return "KHV 3.3", _("there is no joker in row {row}").format(row=row + 1)
    if stands_for(s, row) & BIT[card]:
        return None
    kind = int(s.kind[row])
    cards = int(s.jokers[row]) << 16 * kind if kind < 4 else int(column(kind - 4, 15 & ~int(s.start[row])))
    if not cards & BIT[card]:
        sentence = _("a joker in row {row} stands for {cards}, not for the {card}")
        return "KHV 3.3", sentence.format(row=row + 1, cards=_glyphs(cards), card=name(card))
    sentence = _("the joker that stands for the {card} in row {row} was laid there in this turn")
    return "KHV 3.3", sentence.format(card=name(card), row=row + 1)


def _take(s: State, first: int) -> Refusal | None:
    if first >= s.tail_length:
        return "KHV 4.3", _("the tail ends with card {n}").format(n=int(s.tail_length))
    if _can_lay(s, first, 99):
        return None
    card = name(int(s.tail[first]))
    return "KHV 4.3", _("the {card} could not be laid, so it cannot be taken").format(card=card)


def _can_lay(s: State, first: int, free: int) -> bool:
    """Whether a card of the tail, once taken, can be laid by one who may lay so many natural cards."""
    cards = int(s.mask[s.seat])
    for k in range(first, s.tail_length):
        cards |= int(BIT[s.tail[k]])
    return bool(layable(int(s.tail[first]), cards, s.hand[s.seat, JOKER] > 0, free, wanted(s)))


def _keep(s: State, move: int) -> Refusal:
    """KHV 4.4 (or KHV 3.3): what a move obliges to must be possible, and a natural card stay for the tail."""
    free, own, lays = int(spare(s)), own_room(s), sum(card != JOKER for card in _cards(move))
    if SWAP <= move < TAKE and not own:
        card, rest = _cards(move)[0], int(s.mask[s.seat])
        if s.hand[s.seat, card] == 1:
            rest &= ~int(BIT[card])
        if not paired(rest):
            return "KHV 3.3", _("the joker could not be laid afterwards, neither on a row of yours nor in a new one")
        if 1 <= free < 3:
            return "KHV 4.4", _("with the joker laid afterwards you would have no natural card for the tail")
    if TAKE <= move < TAIL:
        lacks = not _can_lay(s, move - TAKE, free + int(s.tail_length) - (move - TAKE))
    else:
        lacks = move < TAKE and lays > max(free, 0)
    if lacks:
        return "KHV 4.4", _("that would leave you no natural card for the tail")
    raise AssertionError(f"nothing forbids move {move}")
