"""Khvostiki on one record: the state, the numbers of its moves, and sets of cards as bits.

A set of natural cards is one whole number: card ``13 * suit + rank`` is bit ``16 * suit + rank``, so that a rank
is a column of four bits and a suit a lane of thirteen, which the ring of ranks rotates (KHV 2.2).
"""

from __future__ import annotations

import numpy as np

from kartoteka.cards import ACE, JOKER, TEN
from kartoteka.core import State, rule

SEATS = 6
ROWS = 36  # each holds at least three of 108 cards
PACK = 108
NATURALS = 104

# Moves. New rows: 4 * (card at the low end) + the joker's place (0: none, 1 to 3) for runs, then for each rank
# four suit triples and six suit pairs with a joker. The others hold a card, a row or both: number + 36 * card + row.
NEW_SET = 4 * 52
ADD = NEW_SET + 13 * 10
LOW = ADD + 52 * ROWS  # a joker to the low end of a run,
HIGH = LOW + ROWS  # to the high end,
IN_SET = HIGH + ROWS  # to a set
SWAP = IN_SET + ROWS
TAKE = SWAP + 52 * ROWS
TAIL = TAKE + NATURALS
END = TAIL + 52
MOVES = END + 1
MAX_LEGAL = NEW_SET + 130 + 2 * ROWS + 2 * ROWS + 4 * 3 + NATURALS + 53

SUITS = ((0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3), (0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3))
"""The suits of a new set, in the order of its move numbers."""


def _new_row(move: int) -> tuple[int, ...]:
    if move < NEW_SET:
        low, joker = divmod(move, 4)
        suit, rank = divmod(low, 13)
        return tuple(JOKER if place == joker else 13 * suit + (rank + place - 1) % 13 for place in (1, 2, 3))
    rank, kind = divmod(move - NEW_SET, 10)
    return (*(13 * suit + rank for suit in SUITS[kind]), JOKER)[:3]


CARDS = np.array([_new_row(move) for move in range(ADD)], np.int64)
"""The three cards of each new row."""

SUIT_BITS = np.array([sum(1 << suit for suit in suits) for suits in SUITS], np.int64)
BIT = np.array([1 << (16 * (card // 13) + card % 13) for card in range(52)], np.int64)
LANE = (1 << 13) - 1
COLUMN = int(BIT[0] | BIT[13] | BIT[26] | BIT[39])

_CARD_OF = np.zeros(67, np.int64)  # the powers of two leave different rests when divided by 67
for _card in range(52):
    _CARD_OF[int(BIT[_card]) % 67] = _card

VALUE = np.array(
    [15 if rank == ACE else min(rank + 2, 10) if rank < TEN else 10 for _suit in range(4) for rank in range(13)]
    + [-15],
    np.int64,
)  # KHV 5.2, 5.3
"""What each card counts in a house."""

LAST_TURN = 1
"""How a deal ends (KHV 5.1)."""

STATE = np.dtype(
    [
        ("players", "i2"), ("dealer", "i2"), ("seat", "i2"), ("ply", "i2"), ("over", "i2"), ("to_shuffle", "i2"),
        ("swap_scores", "i2"),  # 0 player, 1 house
        ("last", "i2"),  # 1 in the last turn of the deal
        ("duty", "i2"),  # 0, or 1 + the card that must be laid before anything else: one taken, or a joker
        ("rows", "i2"),
        ("kind", "i1", ROWS),  # a run: its suit; a set: 4 + its rank
        ("start", "i1", ROWS),  # a run: the rank at its low end; a set: the suits of its natural cards, as bits
        ("length", "i1", ROWS),
        ("owner", "i1", ROWS),  # in whose house the jokers of a row lie
        ("jokers", "i2", ROWS),  # a run: the ranks they stand for, as bits; a set: how many
        ("fresh", "i2", ROWS),  # of them those laid in this turn
        ("want", "i8", ROWS),  # the set of cards that can be added
        ("house", "i1", (ROWS, 13)),  # where each natural card lies: by rank in a run, by suit in a set
        ("points", "i2", SEATS),  # in the houses
        ("held", "i2", SEATS),  # cards in hand
        ("hand", "i1", (SEATS, 53)),  # copies of each card
        ("mask", "i8", SEATS),  # the same as a set
        ("known", "i1", (SEATS, 53)),  # copies that all know to be in that hand
        ("known_naturals", "i2", SEATS),
        ("natural", "i2", SEATS),  # 1: play has shown that there is a natural card among the rest of the hand
        ("tail_length", "i2"), ("tail", "i1", NATURALS),
        ("drawn", "i2"), ("stock_length", "i2"), ("stock", "i1", PACK),
        ("bottom", "i2"),  # jokers that lie at the bottom of the stock, as all know
    ]
)  # fmt: skip


@rule
def lowest(cards: int) -> int:
    """Return the lowest card of a set that is not empty."""
    return int(_CARD_OF[(cards & -cards) % 67])


@rule
def column(rank: int, suits: int) -> int:
    """Return the set of the cards of a rank in some suits, given as bits."""
    cards = 0
    for suit in range(4):
        if (suits >> suit) & 1:
            cards |= 1 << (16 * suit + rank)
    return cards


@rule
def shift(cards: int, by: int) -> int:
    """Return the set of the cards `by` ranks below those of a set, round the ring."""
    low = ((1 << by) - 1) * COLUMN
    return ((cards & ~low) >> by) | ((cards & low) << (13 - by))


@rule
def paired(cards: int) -> bool:
    """Whether two cards of a set make a new row with a joker (KHV 3.1)."""
    if cards & (shift(cards, 1) | shift(cards, 2)):
        return True
    seen = 0
    for suit in range(4):
        lane = (cards >> (16 * suit)) & LANE
        if seen & lane:
            return True
        seen |= lane
    return False


@rule
def spare(s: State) -> int:
    """Return how many natural cards the player may lay and keep one for the tail (KHV 4.4)."""
    return 99 if s.last else int(s.held[s.seat]) - int(s.hand[s.seat, JOKER]) - 1


@rule
def wanted(s: State) -> int:
    """Return the set of the cards that can be added to some row (KHV 2.4)."""
    cards = 0
    for row in range(s.rows):
        cards |= s.want[row]
    return cards


@rule
def layable(card: int, cards: int, joker: bool, free: int, wants: int) -> bool:
    """Whether a card can be laid (KHV 4.3) by one who holds the set `cards`, which includes it.

    `joker` says whether a joker is held too, `free` is as in `spare`, `wants` as in `wanted`.
    """
    if free < 1:
        return False
    if wants & BIT[card]:
        return True
    suit, rank = int(card) // 13, int(card) % 13
    lane = (cards >> (16 * suit)) & LANE
    near = ((lane | lane << 13) >> (rank + 11) % 13) & 31  # two below, one below, itself, one above, two above
    others = (cards >> rank) & COLUMN & ~(1 << (16 * suit))
    if joker and free >= 2 and (near != 4 or others):
        return True
    if free < 3:
        return False
    return (near & 7) == 7 or (near & 14) == 14 or (near & 28) == 28 or (others & (others - 1)) != 0


@rule
def own_room(s: State) -> bool:
    """Whether the seat to move has a row to which a joker can be added (KHV 3.2)."""
    found = False
    for row in range(s.rows):
        found = found or (s.owner[row] == s.seat and s.want[row] != 0)
    return found


@rule
def stands_for(s: State, row: int) -> int:
    """Return the set of the cards for which a joker in a row can be exchanged in this turn (KHV 3.3)."""
    kind = int(s.kind[row])
    if kind < 4:
        return (int(s.jokers[row]) & ~int(s.fresh[row])) << (16 * kind)
    if s.jokers[row] > s.fresh[row]:
        return int(column(kind - 4, 15 & ~int(s.start[row])))
    return 0


_BITS = BIT[:52].tolist()


def members(cards: int) -> list[int]:
    """Return the cards of a set."""
    return [card for card, bit in enumerate(_BITS) if cards & bit]
