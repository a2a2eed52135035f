"""The legal moves of Khvostiki: anything in any order (KHV 4.2), save that a duty comes first (KHV 3.3, 4.3)."""

from __future__ import annotations

from kartoteka.cards import JOKER
from kartoteka.core import Ints, State, rule
from kartoteka.games.khvostiki.state import (
    ADD,
    BIT,
    CARDS,
    END,
    HIGH,
    IN_SET,
    LANE,
    LOW,
    NEW_SET,
    ROWS,
    SUIT_BITS,
    SWAP,
    TAIL,
    TAKE,
    layable,
    lowest,
    paired,
    shift,
    spare,
    stands_for,
)


@rule
def _has(row: int, card: int) -> bool:
    return CARDS[row, 0] == card or CARDS[row, 1] == card or CARDS[row, 2] == card


@rule
def _new_rows(cards: int, joker: bool, free: int, must: int, out: Ints, n: int) -> int:
    """List the new rows (KHV 2.1, 3.1) that can be laid from the set `cards`; with `must`, only those with it."""
    if free < 2 or (free < 3 and not joker):  # KHV 4.4
        return n
    one, two = shift(cards, 1), shift(cards, 2)
    for place in range(4 if joker else 1):
        if place == 0:
            if free < 3:
                continue
            starts = cards & one & two
        elif place == 1:
            starts = one & two
        elif place == 2:
            starts = cards & two
        else:
            starts = cards & one
        while starts:
            row = 4 * lowest(starts) + place
            if must < 0 or _has(row, must):
                out[n] = row
                n += 1
            starts &= starts - 1
    once = twice = 0
    for suit in range(4):
        lane = (cards >> (16 * suit)) & LANE
        twice |= once & lane
        once |= lane
    while twice:
        rank = lowest(twice)
        suits = 0
        for suit in range(4):
            suits |= ((cards >> (16 * suit + rank)) & 1) << suit
        for kind in range(0 if free >= 3 else 4, 10 if joker else 4):
            if suits & SUIT_BITS[kind] == SUIT_BITS[kind]:  # KHV 2.3
                row = NEW_SET + 10 * rank + kind
                if must < 0 or _has(row, must):
                    out[n] = row
                    n += 1
        twice &= twice - 1
    return n


@rule
def _joker_adds(s: State, out: Ints, n: int) -> int:
    """List the places for a joker on the player's own rows (KHV 3.2)."""
    for row in range(s.rows):
        if s.owner[row] != s.seat or s.want[row] == 0:
            continue
        if s.kind[row] >= 4:
            out[n] = IN_SET + row
            n += 1
            continue
        out[n] = HIGH + row
        n += 1
        if s.length[row] < 12:  # with twelve both ends ask for the same card
            out[n] = LOW + row
            n += 1
    return n


@rule
def _swaps(s: State, free: int, own: bool, out: Ints, n: int) -> int:
    """List the exchanges after which the joker can be laid (KHV 3.3)."""
    if free < 1:
        return n
    cards = s.mask[s.seat]
    for row in range(s.rows):
        if s.jokers[row] == 0:
            continue
        given = stands_for(s, row) & cards
        while given:
            card = lowest(given)
            rest = cards if s.hand[s.seat, card] > 1 else cards & ~BIT[card]
            if own or (free >= 3 and paired(rest)):
                out[n] = SWAP + ROWS * card + row
                n += 1
            given &= given - 1
    return n


@rule
def legal(s: State, out: Ints) -> int:
    cards = s.mask[s.seat]
    joker = s.hand[s.seat, JOKER] > 0
    free = spare(s)
    n = 0
    if s.duty == JOKER + 1:
        return int(_new_rows(cards, True, free, JOKER, out, _joker_adds(s, out, n)))
    must = int(s.duty) - 1
    lay = cards if must < 0 else BIT[must]
    if free < 1:
        lay = 0
    wants = 0
    own = jokers = False
    for row in range(s.rows):  # KHV 2.4
        want = s.want[row]
        wants |= want
        jokers = jokers or s.jokers[row] > 0
        own = own or (s.owner[row] == s.seat and want != 0)
        fits = want & lay
        while fits:
            out[n] = ADD + ROWS * lowest(fits) + row
            n += 1
            fits &= fits - 1
    n = _new_rows(cards, joker, free, must, out, n)
    if must >= 0:  # KHV 4.3
        return n
    if joker:
        n = _joker_adds(s, out, n)
    if jokers:
        n = _swaps(s, free, own, out, n)
    for k in range(s.tail_length - 1, -1, -1):  # KHV 4.3: with all that were laid after it
        card = int(s.tail[k])
        cards |= BIT[card]
        free += 1
        if layable(card, cards, joker, free, wants):
            out[n] = TAKE + k
            n += 1
    cards = s.mask[s.seat]
    while cards:  # KHV 4.4, 3.5: a natural card
        out[n] = TAIL + lowest(cards)
        n += 1
        cards &= cards - 1
    if s.last:  # KHV 5.1
        out[n] = END
        n += 1
    return n
