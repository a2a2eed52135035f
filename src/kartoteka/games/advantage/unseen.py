"""What nobody has seen of a hand, what it can still be, and how to deal it anew.

Sets of cards are 52-bit masks. A card drawn from the stock goes into a *slot* of the hand, numbered by its draw;
`may[slot]` is what it can be as far as the moves tell everybody. The slots of a hand below `checked` hold cards
of different ranks: their owner was seen to hold no pair after that many draws.

A card played from a hand leaves a slot, but which one is not seen; see `reveal`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from kartoteka.core import Ints, State, randbelow, rule, shuffle

Longs = npt.NDArray[np.int64]

STOCK = 43
ALL = (1 << 52) - 1

BIT = np.array([1 << card for card in range(52)], np.int64)
RANK = np.array([sum(1 << card for card in range(rank, 52, 13)) for rank in range(13)], np.int64)
CARD = np.zeros(53, np.int64)
CARD[BIT % 53] = range(52)
"""Which card a single bit is, by its remainder modulo 53, of which 2 is a primitive root."""

ATTEMPTS = 60


# --- sets --------------------------------------------------------------------------------------------------


@rule
def count(cards: int) -> int:
    n = 0
    while cards:
        cards &= cards - 1
        n += 1
    return n


@rule
def ranks_held_twice(hand: int) -> int:
    """The ranks, 13 bits, of which a hand holds a pair."""
    c, d, h, s = hand & 8191, (hand >> 13) & 8191, (hand >> 26) & 8191, (hand >> 39) & 8191
    return (c & d) | ((c | d) & h) | ((c | d | h) & s)


@rule
def _of_these_ranks(cards: int) -> int:
    """Every card of a rank that is among `cards`."""
    ranks = (cards | (cards >> 13) | (cards >> 26) | (cards >> 39)) & 8191
    return ranks | (ranks << 13) | (ranks << 26) | (ranks << 39)


@rule
def _one_of(rng: Any, cards: int) -> int:
    """A card of a set that is not empty, each equally likely."""
    for _skip in range(randbelow(rng, count(cards))):
        cards &= cards - 1
    return int(CARD[(cards & -cards) % 53])


# --- what the moves tell -----------------------------------------------------------------------------------


@rule
def narrow(s: State, owner: int, cards: int) -> None:
    """Every unseen card of a hand is one of `cards`."""
    for slot in range(s.drawn):
        if (int(s.slots[owner]) >> slot) & 1:
            s.may[slot] &= cards


@rule
def holds_no_pair(s: State, owner: int) -> None:
    """A hand is seen to hold no pair."""
    s.checked[owner] = s.drawn
    narrow(s, owner, ~_of_these_ranks(int(s.hand[owner]) & ~int(s.unseen)))


@rule
def reveal(s: State, owner: int, card: int) -> None:
    """A card of a hand is shown; if it was not known, it leaves one of the hand's slots.

    The first slot that it can have lain in goes, for nearly always that one allows least: if the card lay in
    another, the first one's card can take its place there; and if below `checked` a card of the same rank was,
    that one can change places with the card shown. So the dealings that fit the slots left over are exactly
    those that fit the moves. There are two exceptions, in which a slot is left some freedom too many: the first
    allows what another does not (it drew by choice in the second round and then passed, say); or a slot
    below `checked` allows the rank but not the suit of a card that can have lain above.
    """
    bit = int(BIT[card])
    if not int(s.unseen) & bit:
        return
    s.unseen &= ~bit
    same_rank = int(RANK[card % 13])
    slots, checked = int(s.slots[owner]), int(s.checked[owner])
    first = last = -1
    moving = 0
    for slot in range(s.drawn):
        here = int(s.may[slot])
        if (slots >> slot) & 1 and here & bit:
            if first < 0:
                first, moving = slot, here
            else:
                s.may[slot] |= moving
                if slot < checked:
                    moving |= here & same_rank
            last = slot
    if first < 0:
        return
    s.slots[owner] = slots & ~int(BIT[first])
    if first < checked:
        for slot in range(checked):
            if (slots >> slot) & 1 and (last < checked or int(s.may[slot]) & bit):
                s.may[slot] &= ~same_rank


@rule
def show_all(s: State) -> None:
    """Both hands are known to all."""
    s.unseen &= ~(int(s.hand[0]) | int(s.hand[1]))
    for owner in range(2):
        s.slots[owner] = 0


# --- dealing anew ------------------------------------------------------------------------------------------


@rule
def unknown(s: State, seat: int) -> int:
    """The cards that a seat cannot place: all that were never shown, but for its own."""
    return int(s.unseen) & ~int(s.hand[seat]) if seat >= 0 else int(s.unseen)


@rule
def hidden(s: State, seat: int, out: Ints) -> int:
    cards = unknown(s, seat)
    n = 0
    while cards:
        out[n] = CARD[(cards & -cards) % 53]
        cards &= cards - 1
        n += 1
    return n


@rule
def _choices(s: State, slots: Longs, owners: Longs, cards: Longs, n: int, k: int, pool: int) -> int:
    """What slot k may hold beside what other slots were given."""
    left = pool & int(s.may[slots[k]])
    checked = s.checked[owners[k]]
    for j in range(n):
        if cards[j] >= 0:
            if owners[j] == owners[k] and slots[j] < checked and slots[k] < checked:
                left &= ~int(RANK[cards[j] % 13])
            else:
                left &= ~int(BIT[cards[j]])
    return left


@rule
def _attempt(s: State, rng: Any, slots: Longs, owners: Longs, cards: Longs, n: int, pool: int) -> bool:
    """Give each slot any card that it may be by itself; whether that happens to fit together."""
    cards[:n] = -1
    for k in range(n):
        able = pool & int(s.may[slots[k]])
        if not able:
            return False
        card = _one_of(rng, able)
        if not (_choices(s, slots, owners, cards, n, k, pool) >> card) & 1:
            return False
        cards[k] = card
    return True


@rule
def _search(s: State, rng: Any, slots: Longs, owners: Longs, cards: Longs, n: int, pool: int, patience: int) -> int:
    """Fill the empty slots so that all fits together, in random order; 1 if it did, 0 if it cannot, -1 if unknown.

    It gives up after `patience` steps.
    """
    empty = 0
    for k in range(n):
        empty += cards[k] < 0
    spare = count(pool) - n  # so many cards go to the stock
    untried, filled = np.zeros(n + 1, np.int64), np.zeros(n + 1, np.int64)
    depth = 0
    while depth < empty:
        patience -= 1
        if patience < 0:
            return -1
        fewest, placeable = 99, 0
        for k in range(n):
            if cards[k] < 0:
                choices = _choices(s, slots, owners, cards, n, k, pool)
                placeable |= choices
                if count(choices) < fewest:
                    fewest = count(choices)
                    filled[depth], untried[depth] = k, choices
            else:
                placeable |= int(BIT[cards[k]])
        if count(pool & ~placeable) > spare:
            untried[depth] = 0
        while untried[depth] == 0:
            depth -= 1
            if depth < 0:
                return 0
            cards[filled[depth]] = -1
        pick = _one_of(rng, int(untried[depth]))
        untried[depth] &= ~int(BIT[pick])
        cards[filled[depth]] = pick
        depth += 1
    return 1


@rule
def _search_with_pair(
    s: State, rng: Any, slots: Longs, owners: Longs, cards: Longs, n: int, pool: int, owner: int, patience: int
) -> int:
    """`_search` for a dealing in which `owner` holds a pair: every way to make one is tried, from a random one on."""
    shown = _of_these_ranks(int(s.hand[owner]) & ~int(s.unseen))
    start = randbelow(rng, 52 * n)
    result = 0
    for step in range(52 * n):
        k, card = (start + step) % (52 * n) // 52, (start + step) % 52
        if owners[k] != owner or not pool & int(s.may[slots[k]]) & int(BIT[card]):
            continue
        for j in range(n):
            for turn in range(1, 4):
                cards[:n] = -1
                cards[k] = card
                if j == k:  # a pair with a card that lies open
                    if turn > 1 or not shown & int(BIT[card]):
                        continue
                else:
                    other = (card + 13 * turn) % 52
                    if owners[j] != owner or not (_choices(s, slots, owners, cards, n, j, pool) >> other) & 1:
                        continue
                    cards[j] = other
                found = _search(s, rng, slots, owners, cards, n, pool, patience)
                if found == 1:
                    return 1
                result = min(result, found)
    return result


@rule
def _hand(s: State, owners: Longs, cards: Longs, n: int, owner: int) -> int:
    """The hand with its slots filled as dealt."""
    hand = int(s.hand[owner]) & ~int(s.unseen)
    for k in range(n):
        if owners[k] == owner:
            hand |= int(BIT[cards[k]])
    return hand


@rule
def redeal(s: State, seat: int, rng: Any) -> None:
    """Deal what a seat cannot place anew, as the moves allow.

    Nearly always each of the possible ways to fill the slots is equally likely; where so many attempts have
    failed, each is at least possible.
    """
    pool = unknown(s, seat)
    slots, owners, n = np.zeros(STOCK, np.int64), np.zeros(STOCK, np.int64), 0
    for owner in range(2):
        if owner != seat:
            for slot in range(s.drawn):
                if (int(s.slots[owner]) >> slot) & 1:
                    slots[n], owners[n] = slot, owner
                    n += 1
    left = STOCK - int(s.drawn)
    if n + left != count(pool) or (left == 0 and seat >= 0):  # the latter: all of it is in the other hand
        return
    pairing = -1  # ADV 5.4: whoever has the move in the third round holds a pair
    in_doubt = s.over == 0 and s.phase == 3 and s.seat != seat
    if in_doubt and ranks_held_twice(int(s.hand[s.seat]) & ~int(s.unseen)) == 0:
        pairing = int(s.seat)
    cards = np.zeros(STOCK, np.int64)
    found = -1
    for _attempted in range(ATTEMPTS):
        fits = _attempt(s, rng, slots, owners, cards, n, pool)
        if fits and (pairing < 0 or ranks_held_twice(_hand(s, owners, cards, n, pairing))):
            found = 1
            break
    patience = 2 * n
    while found < 0:
        patience *= 2
        cards[:n] = -1
        if pairing < 0:
            found = _search(s, rng, slots, owners, cards, n, pool, patience)
        else:
            found = _search_with_pair(s, rng, slots, owners, cards, n, pool, pairing, patience)
    if found == 0:
        return
    for owner in range(2):
        if owner != seat:
            s.hand[owner] = _hand(s, owners, cards, n, owner)
    for k in range(n):
        pool &= ~int(BIT[cards[k]])
    stock = np.zeros(STOCK, np.int64)
    for k in range(left):
        stock[k] = CARD[(pool & -pool) % 53]
        pool &= pool - 1
    shuffle(rng, stock, left)
    for k in range(left):
        s.stock[s.drawn + k] = stock[k]
