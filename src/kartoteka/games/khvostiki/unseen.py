"""What a seat of Khvostiki cannot see, and how it may be dealt anew.

Play forces two things upon hands that others hold: a player who may not have laid their last natural card has
one (KHV 4.4), and one who took a card or a joker can lay it (KHV 3.3, 4.3).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kartoteka.cards import JOKER
from kartoteka.core import Ints, State, randbelow, rule, shuffle
from kartoteka.games.khvostiki.state import (
    ADD,
    BIT,
    CARDS,
    PACK,
    SEATS,
    layable,
    own_room,
    paired,
    wanted,
)


@rule
def hidden(s: State, seat: int, out: Ints) -> int:
    """The other hands save what is known of them, and the stock save jokers turned up at the start."""
    n = 0
    for other in range(s.players):
        if other != seat:
            for card in range(53):
                for _copy in range(s.hand[other, card] - s.known[other, card]):
                    out[n] = card
                    n += 1
    for k in range(s.drawn, s.stock_length - s.bottom):
        out[n] = s.stock[k]
        n += 1
    return n


@rule
def _dutiful(s: State, pool: Ints, start: int, count: int) -> bool:
    """Whether the seat to move could meet its duty, the unknown cards of its hand being a piece of the pool."""
    mover = s.seat
    cards, jokers = 0, int(s.known[mover, JOKER])
    for card in range(52):
        if s.known[mover, card] > 0:
            cards |= BIT[card]
    for k in range(start, start + count):
        if pool[k] == JOKER:
            jokers += 1
        else:
            cards |= BIT[pool[k]]
    free = 99 if s.last else int(s.held[mover]) - jokers - 1
    if s.duty == JOKER + 1:
        return (own_room(s) and free >= 0) or (free >= 2 and paired(cards))
    return layable(int(s.duty) - 1, cards, jokers > 0, free, wanted(s))


@rule
def _possible(s: State, seat: int, pool: Ints, unknown: Ints) -> bool:
    """Whether the pool, dealt in order, gives every hand what play has shown to be in it."""
    start = 0
    for other in range(s.players):
        if other == seat:
            continue
        if s.natural[other]:
            found = False
            for k in range(start, start + unknown[other]):
                found = found or pool[k] != JOKER
            if not found:
                return False
        if other == s.seat and s.duty and s.over == 0 and not _dutiful(s, pool, start, unknown[other]):
            return False
        start += unknown[other]
    return True


@rule
def _give(s: State, seat: int, pool: Ints, n: int, k: int, unknown: Ints) -> int:
    """Put a card of the pool in a hand; return how many are left."""
    s.hand[seat, pool[k]] += 1
    unknown[seat] -= 1
    pool[k] = pool[n - 1]
    return n - 1


@rule
def _give_natural(s: State, seat: int, pool: Ints, n: int, unknown: Ints, rng: Any) -> int:
    shuffle(rng, pool, n)
    for k in range(n):
        if pool[k] != JOKER:
            return int(_give(s, seat, pool, n, k, unknown))
    return n


@rule
def _need(s: State, way: int, pool: Ints, n: int, unknown: Ints, need: Ints) -> int:
    """Find the unknown cards that meet the duty in one way: a new row, or `ADD` for an addition to a row.

    They go to `need`, the number of them first; -1 for any natural card. Return whether the way is open.
    """
    mover, duty = s.seat, int(s.duty) - 1
    need[0] = 0
    naturals = 0  # of them
    left = int(s.known_naturals[mover])  # for the tail
    if way == ADD:
        if not (own_room(s) if duty == JOKER else wanted(s) & BIT[duty] != 0):
            return False
        left -= duty != JOKER
    else:
        if CARDS[way, 0] != duty and CARDS[way, 1] != duty and CARDS[way, 2] != duty:
            return False
        for place in range(3):
            card = CARDS[way, place]
            if s.known[mover, card] > 0:
                left -= card != JOKER
                continue
            in_pool = False
            for k in range(n):
                in_pool = in_pool or pool[k] == card
            if not in_pool:
                return False
            need[0] += 1
            need[need[0]] = card
            naturals += card != JOKER
    if (s.natural[mover] and naturals == 0) or (s.last == 0 and left == 0):
        need[0] += 1
        need[need[0]] = -1
        naturals += 1
    in_pool_naturals = 0
    for k in range(n):
        in_pool_naturals += pool[k] != JOKER
    for other in range(s.players):  # every other hand that must have one gets one
        if other != mover and unknown[other] > 0:
            naturals += s.natural[other]
    return need[0] <= unknown[mover] and naturals <= in_pool_naturals


@rule
def _give_what_must_be(s: State, seat: int, pool: Ints, n: int, unknown: Ints, rng: Any) -> int:
    """Give every hand by lot, without a look at the true ones, what play has shown to be in it."""
    mover = s.seat
    if s.duty and mover != seat and s.over == 0:
        need, chosen = np.zeros(4, np.int32), np.zeros(4, np.int32)
        ways = 0
        for way in range(ADD + 1):
            if _need(s, way, pool, n, unknown, need):
                ways += 1
                if randbelow(rng, ways) == 0:
                    chosen[:] = need
        for j in range(1, chosen[0] + 1):
            if chosen[j] < 0:
                n = _give_natural(s, mover, pool, n, unknown, rng)
                continue
            for k in range(n):
                if pool[k] == chosen[j]:
                    n = _give(s, mover, pool, n, k, unknown)
                    break
    for other in range(s.players):
        if other != seat and s.natural[other] and (other != mover or s.duty == 0 or s.over):
            n = _give_natural(s, other, pool, n, unknown, rng)
    return n


@rule
def redeal(s: State, seat: int, rng: Any) -> None:
    """Deal what a seat cannot see anew, so that play could have come to this."""
    pool = np.zeros(PACK, np.int32)
    unknown = np.zeros(SEATS, np.int32)
    n = hidden(s, seat, pool)
    for other in range(s.players):
        if other != seat:
            unknown[other] = s.held[other]
            for card in range(53):
                unknown[other] -= s.known[other, card]
    possible = False
    for _attempt in range(200):
        shuffle(rng, pool, n)
        possible = _possible(s, seat, pool, unknown)
        if possible:
            break
    for other in range(s.players):
        if other != seat:
            s.hand[other] = s.known[other]
    if not possible:
        n = _give_what_must_be(s, seat, pool, n, unknown, rng)
        shuffle(rng, pool, n)
    start = 0
    for other in range(s.players):
        if other == seat:
            continue
        for k in range(start, start + unknown[other]):
            s.hand[other, pool[k]] += 1
        start += unknown[other]
        s.mask[other] = 0
        for card in range(52):
            if s.hand[other, card] > 0:
                s.mask[other] |= BIT[card]
    for k in range(start, n):
        s.stock[s.drawn + k - start] = pool[k]
