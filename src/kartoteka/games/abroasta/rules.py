"""The rules of Abroasta on one record. Seats count from 0 here; clauses stand beside the lines they became.

Moves: ``52 * owner + card`` lays a card on the row of seat `owner`; the last number is the pass.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kartoteka.cards import ACE, KING, TWO
from kartoteka.core import Ints, State, randbelow, rule, shuffle

SEATS = 12
PASS = 52 * SEATS
MOVES = PASS + 1
MAX_LEGAL = 52 + 4 * (SEATS - 1)

EMPTY, DEAD = -2, -1
"""What `need` says of a place without a row, and of a row on which nothing is laid any more."""

ALL_PLAYED, ALL_PASSED = 1, 2
"""How a deal ends (ABR 3.3)."""

STATE = np.dtype(
    [
        ("players", "i2"), ("dealer", "i2"), ("seat", "i2"), ("ply", "i2"), ("over", "i2"), ("to_shuffle", "i2"),
        ("king_takes", "i2"),  # 0 full, 1 any
        ("opening", "i2"),  # 0 forced, 1 free
        ("passes", "i2"),  # running, without a card laid
        ("held", "i2", SEATS),  # cards in hand
        ("took", "i2", SEATS),  # rows taken
        ("lacks", "i2", SEATS),  # bit r: by passing, this seat showed that it holds no card of rank r
        ("need", "i2", SEATS),  # the rank that is laid next on a row, or EMPTY or DEAD
        ("length", "i2", SEATS),
        ("row", "i1", (SEATS, 14)),
        ("hand", "i1", (SEATS, 52)),  # copies of each card
        ("gone", "i1", 52),  # copies in rows taken
        ("won", "i1", (SEATS, 14)),  # the rows taken, as many as there are kings at most
        ("won_length", "i2", SEATS),
        ("won_by", "i2", SEATS),  # the seat that took each
        ("aside", "i1", 52),  # copies set aside
    ]
)  # fmt: skip


@rule
def deal(s: State, deck: Ints) -> None:
    n = s.players
    each = len(deck) // n
    for k in range(each * n):  # ABR 1.2: one at a time, from the dealer's left
        s.hand[(s.dealer + 1 + k) % n, deck[k]] += 1
    for k in range(each * n, len(deck)):  # ABR 1.3: what cannot be dealt equally is set aside
        s.aside[deck[k]] += 1
    for seat in range(n):
        s.held[seat] = each
        s.need[seat] = EMPTY
    s.seat = (s.dealer + 1) % n  # ABR 3.1


@rule
def legal(s: State, out: Ints) -> int:
    n = 0
    hand = s.hand[s.seat]
    for owner in range(s.players):  # ABR 2.2: on anyone's row the next rank, whatever its suit
        rank = s.need[owner]
        if rank >= 0:
            for card in range(rank, 52, 13):
                if hand[card] > 0:
                    out[n] = 52 * owner + card
                    n += 1
    can_lay = n > 0
    if s.need[s.seat] == EMPTY:  # ABR 2.1: one's own row, opened with any card
        for card in range(52):
            if hand[card] > 0:
                out[n] = 52 * s.seat + card
                n += 1
    if n == 0 or (s.opening == 1 and not can_lay):  # ABR 3.2
        out[n] = PASS
        n += 1
    return n


@rule
def _lay(s: State, owner: int, card: int) -> None:
    seat = s.seat
    rank = card % 13
    s.hand[seat, card] -= 1
    s.held[seat] -= 1
    s.row[owner, s.length[owner]] = card
    s.length[owner] += 1
    from_ace = s.row[owner, 0] % 13 == ACE
    if rank == KING and s.length[owner] > 1 and (from_ace or s.king_takes == 1):  # ABR 2.4, 2.5
        taken = 0
        for other in range(s.players):
            taken += s.took[other]
        for k in range(s.length[owner]):
            s.gone[s.row[owner, k]] += 1
            s.won[taken, k] = s.row[owner, k]
        s.won_length[taken] = s.length[owner]
        s.won_by[taken] = seat
        s.took[seat] += 1
        s.length[owner] = 0
        s.need[owner] = EMPTY
    elif rank == ACE:  # ABR 2.3: low as the first card, the end of the row after a king
        s.need[owner] = TWO if s.length[owner] == 1 else DEAD
    else:
        s.need[owner] = rank + 1


@rule
def play(s: State, move: int) -> None:
    if move == PASS:
        s.passes += 1
        for owner in range(s.players):
            if s.need[owner] >= 0:
                s.lacks[s.seat] |= 1 << s.need[owner]
    else:
        s.passes = 0
        _lay(s, move // 52, move % 52)
    s.ply += 1
    left = 0
    for seat in range(s.players):
        left += s.held[seat]
    if left == 0:  # ABR 3.3
        s.over = ALL_PLAYED
    elif s.passes >= s.players:
        s.over = ALL_PASSED
    s.seat = (s.seat + 1) % s.players  # ABR 3.1


@rule
def scores(s: State, out: Any) -> None:
    for seat in range(s.players):
        out[seat] = 13 * s.took[seat]  # ABR 4.1


@rule
def hidden(s: State, seat: int, out: Ints) -> int:
    """The other hands."""
    n = 0
    for other in range(s.players):
        if other != seat:
            for card in range(52):
                for _copy in range(s.hand[other, card]):
                    out[n] = card
                    n += 1
    return n


@rule
def redeal(s: State, seat: int, rng: Any) -> None:
    """Deal the other hands anew, no seat getting a card that its passes showed it does not hold (ABR 3.2)."""
    cards = np.zeros(156, np.int32)
    seats = np.zeros(156, np.int32)
    n = hidden(s, seat, cards)
    k = 0
    for other in range(s.players):
        if other != seat:
            for _card in range(s.held[other]):
                seats[k] = other
                k += 1
    shuffle(rng, cards, n)
    # A card where it cannot be changes places with a random one until none is left; the true hands are such
    # an arrangement, so one exists.
    start = 0
    for _step in range(1000 * n):
        while start < n and not (s.lacks[seats[start]] >> (cards[start] % 13)) & 1:
            start += 1
        if start == n:
            break
        j = randbelow(rng, n)
        if not (s.lacks[seats[j]] >> (cards[start] % 13)) & 1:
            cards[start], cards[j] = cards[j], cards[start]
    for other in range(s.players):
        if other != seat:
            for card in range(52):
                s.hand[other, card] = 0
    for k in range(n):
        s.hand[seats[k], cards[k]] += 1
