"""What nobody has seen of a hand, what it can still be, and how to deal it anew.

Sets of cards are 52-bit masks. A card drawn from the stock goes into a *slot* of the hand, numbered by its draw;
`may[slot]` is what it can be as far as the moves tell everybody. All slots of a hand below `checked` hold
different ranks: their owner was seen to hold no pair after that many draws.

A card that is played from a hand leaves a slot, but which one is not seen. Where it does not matter, the tightest
that it can have been goes (`reveal`); otherwise the card stays as a *ghost*: it occupied some slot that still
has its bit, and was of another rank than what lay with it below its own `until`. So the dealings that `redeal`
draws from are exactly those that the rules and the moves leave open.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from kartoteka.engine.compiled import Ints, State, draw, rule, shuffle

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
    for _skip in range(draw(rng, count(cards))):
        cards &= cards - 1
    return int(CARD[(cards & -cards) % 53])


# --- what the moves tell -----------------------------------------------------------------------------------


@rule
def narrow(s: State, owner: int, cards: int) -> None:
    """Every unseen card of a hand is one of `cards`."""
    keep = cards | int(s.ghosts[owner])
    for slot in range(s.drawn):
        if (int(s.slots[owner]) >> slot) & 1:
            s.may[slot] &= keep


@rule
def holds_no_pair(s: State, owner: int) -> None:
    """A hand is seen to hold no pair."""
    s.checked[owner] = s.drawn
    narrow(s, owner, ~_of_these_ranks(int(s.hand[owner]) & ~int(s.unseen)))


@rule
def reveal(s: State, owner: int, card: int) -> None:
    """A card of a hand is shown; if it was not known, it leaves one of the hand's slots.

    Which one does not matter if a world with the card in any possible slot becomes, by cards changing slots, a
    world with it in the first: what the first may be, the others may be too, and where the first is below
    `checked` and some are not, the first's neighbour of the same rank, if there can be one, can make room as well.
    """
    bit = int(BIT[card])
    if not int(s.unseen) & bit:
        return
    open_still = int(s.unseen) | int(s.ghosts[owner])
    s.unseen &= ~bit
    same_rank = int(RANK[card % 13])
    slots, checked = int(s.slots[owner]), int(s.checked[owner])
    first = last = -1
    settled = not int(s.ghosts[owner]) & same_rank
    for slot in range(s.drawn):
        if (slots >> slot) & 1 and int(s.may[slot]) & bit:
            if first < 0:
                first = slot
            elif int(s.may[first]) & open_still & ~int(s.may[slot]):
                settled = False
            last = slot
    if first < checked <= last and settled:
        for slot in range(checked):
            if not (slots >> slot) & 1:
                continue
            here = int(s.may[slot]) & open_still
            if not here & bit:
                settled = settled and not here & same_rank
                continue
            for later in range(checked, s.drawn):
                if (slots >> later) & 1 and int(s.may[later]) & bit and here & ~int(s.may[later]):
                    settled = False
    if not settled:
        s.ghosts[owner] |= bit
        s.until[card] = checked
    elif first >= 0:
        s.slots[owner] = slots & ~int(BIT[first])
        if first < checked:
            for slot in range(checked):
                if (slots >> slot) & 1:
                    s.may[slot] &= ~same_rank


@rule
def show_all(s: State) -> None:
    """Both hands are known to all."""
    s.unseen &= ~(int(s.hand[0]) | int(s.hand[1]))
    for owner in range(2):
        s.slots[owner] = 0
        s.ghosts[owner] = 0


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
def _limit(s: State, owner: int, card: int) -> int:
    """Below which slot number `card` lay among cards of other ranks."""
    return int(s.until[card]) if (int(s.ghosts[owner]) >> card) & 1 else int(s.checked[owner])


@rule
def _choices(s: State, slots: Longs, owners: Longs, cards: Longs, n: int, k: int, pool: int) -> int:
    """What slot k may hold beside what the other slots were given."""
    left = pool & int(s.may[slots[k]])
    for j in range(n):
        if cards[j] >= 0:
            left &= ~int(BIT[cards[j]])
            if owners[j] == owners[k]:
                limit = _limit(s, owners[j], cards[j])
                if slots[j] < limit and slots[k] < limit:
                    left &= ~int(RANK[cards[j] % 13])
    return left


@rule
def _places(s: State, slots: Longs, owners: Longs, cards: Longs, n: int, ghost: int, owner: int) -> int:
    """In which slots, as a mask, a ghost may have lain beside what the other slots were given."""
    found = 0
    for k in range(n):
        if cards[k] < 0 and owners[k] == owner and (int(s.may[slots[k]]) >> ghost) & 1:
            fits = True
            for j in range(n):
                if cards[j] >= 0 and owners[j] == owner and cards[j] % 13 == ghost % 13:
                    limit = min(_limit(s, owner, cards[j]), int(s.until[ghost]))
                    fits = fits and not (slots[j] < limit and slots[k] < limit)
            if fits:
                found |= int(BIT[k])
    return found


@rule
def _attempt(s: State, seat: int, rng: Any, slots: Longs, owners: Longs, cards: Longs, n: int, pool: int) -> bool:
    """Give each slot any card that it may be by itself; whether that happens to fit together."""
    for owner in range(2):
        ghosts = int(s.ghosts[owner])
        while ghosts and owner != seat:
            ghost = int(CARD[(ghosts & -ghosts) % 53])
            places = _places(s, slots, owners, cards, n, ghost, owner)
            if not places:
                return False
            cards[_one_of(rng, places)] = ghost
            ghosts &= ghosts - 1
    for k in range(n):
        if cards[k] < 0:
            able = pool & int(s.may[slots[k]])
            if not able:
                return False
            card = _one_of(rng, able)
            if not (_choices(s, slots, owners, cards, n, k, pool) >> card) & 1:
                return False
            cards[k] = card
    return True


@rule
def _search(s: State, seat: int, rng: Any, slots: Longs, owners: Longs, cards: Longs, n: int, pool: int) -> bool:
    """Fill the empty slots so that all fits together, trying in random order until it does or cannot."""
    ghosts, ghost_owners, g = np.zeros(n + 1, np.int64), np.zeros(n + 1, np.int64), 0
    for owner in range(2):
        rest = int(s.ghosts[owner])
        while rest and owner != seat:
            ghosts[g], ghost_owners[g] = CARD[(rest & -rest) % 53], owner
            rest &= rest - 1
            g += 1
    empty = 0
    for k in range(n):
        empty += cards[k] < 0
    untried = np.zeros(n + 1, np.int64)
    filled = np.zeros(n + 1, np.int64)
    if g > empty:
        return False
    depth = 0
    while depth < empty:
        if depth < g:
            untried[depth] = _places(s, slots, owners, cards, n, ghosts[depth], ghost_owners[depth])
        else:  # the slot with the fewest choices
            fewest = 99
            for k in range(n):
                if cards[k] < 0 and fewest > 0:
                    choices = _choices(s, slots, owners, cards, n, k, pool)
                    if count(choices) < fewest:
                        fewest = count(choices)
                        filled[depth], untried[depth] = k, choices
        while untried[depth] == 0:
            depth -= 1
            if depth < 0:
                return False
            cards[filled[depth]] = -1
        pick = _one_of(rng, int(untried[depth]))
        untried[depth] &= ~int(BIT[pick])
        if depth < g:
            filled[depth] = pick
            cards[pick] = ghosts[depth]
        else:
            cards[filled[depth]] = pick
        depth += 1
    return True


@rule
def _search_with_pair(
    s: State, seat: int, rng: Any, slots: Longs, owners: Longs, cards: Longs, n: int, pool: int, owner: int
) -> bool:
    """`_search` for a dealing in which `owner` holds a pair: every way to make one is tried, from a random one on."""
    shown = _of_these_ranks(int(s.hand[owner]) & ~int(s.unseen))
    start = draw(rng, 52 * n)
    for step in range(52 * n):
        k, card = (start + step) % (52 * n) // 52, (start + step) % 52
        if owners[k] != owner or not pool & int(s.may[slots[k]]) & int(BIT[card]):
            continue
        for j in range(n):
            if owners[j] != owner:
                continue
            for turn in range(1, 4):
                other = (card + 13 * turn) % 52
                cards[:n] = -1
                cards[k] = card
                if j == k:  # a pair with a card that lies open
                    if turn == 1 and (shown >> card) & 1 and _search(s, seat, rng, slots, owners, cards, n, pool):
                        return True
                elif (_choices(s, slots, owners, cards, n, j, pool) >> other) & 1:
                    cards[j] = other
                    if _search(s, seat, rng, slots, owners, cards, n, pool):
                        return True
    return False


@rule
def redeal(s: State, seat: int, rng: Any) -> None:
    """Deal what a seat cannot place anew, as the moves allow.

    Nearly always each of the possible ways to fill the slots is equally likely; where sixty attempts have
    failed, or ghosts are about, each is at least possible.
    """
    pool = unknown(s, seat)
    slots, owners, n = np.zeros(STOCK, np.int64), np.zeros(STOCK, np.int64), 0
    ghosts = 0
    for owner in range(2):
        if owner != seat:
            ghosts += count(int(s.ghosts[owner]))
            for slot in range(s.drawn):
                if (int(s.slots[owner]) >> slot) & 1:
                    slots[n], owners[n] = slot, owner
                    n += 1
    left = STOCK - int(s.drawn)
    if n - ghosts + left != count(pool) or (left == 0 and seat >= 0):  # the latter: all of it is in the other hand
        return
    pairing = -1  # ADV 5.4: whoever has the move in the third round holds a pair
    in_doubt = s.over == 0 and s.phase == 3 and s.seat != seat
    if in_doubt and ranks_held_twice(int(s.hand[s.seat]) & ~int(s.unseen)) == 0:
        pairing = int(s.seat)
    cards = np.zeros(STOCK, np.int64)
    done = False
    for _attempted in range(ATTEMPTS):
        cards[:n] = -1
        done = _attempt(s, seat, rng, slots, owners, cards, n, pool)
        if done and pairing >= 0:
            done = ranks_held_twice(_hand(s, owners, cards, n, pairing)) != 0
        if done:
            break
    if not done:
        cards[:n] = -1
        if pairing >= 0:
            done = _search_with_pair(s, seat, rng, slots, owners, cards, n, pool, pairing)
        else:
            done = _search(s, seat, rng, slots, owners, cards, n, pool)
    if not done:
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


@rule
def _hand(s: State, owners: Longs, cards: Longs, n: int, owner: int) -> int:
    """The hand with its slots filled as dealt."""
    hand = int(s.hand[owner]) & ~int(s.unseen)
    for k in range(n):
        if owners[k] == owner and not (int(s.ghosts[owner]) >> cards[k]) & 1:
            hand |= int(BIT[cards[k]])
    return hand
