"""The rules of Khvostiki. Seats count from 0 here; clauses stand beside the lines they became.

The moves are numbered in ``state``, the legal ones listed in ``legal``, unseen cards dealt anew in ``unseen``.
"""

from __future__ import annotations

from typing import Any

from kartoteka.cards import JOKER
from kartoteka.core import Ints, State, rule
from kartoteka.games.khvostiki.legal import legal
from kartoteka.games.khvostiki.state import (
    ADD,
    BIT,
    CARDS,
    END,
    HIGH,
    LAST_TURN,
    LOW,
    MAX_LEGAL,
    MOVES,
    NEW_SET,
    ROWS,
    STATE,
    SWAP,
    TAIL,
    TAKE,
    VALUE,
    column,
)
from kartoteka.games.khvostiki.unseen import hidden, redeal

__all__ = ["MAX_LEGAL", "MOVES", "STATE", "deal", "hidden", "legal", "play", "redeal", "scores"]


@rule
def _pick_up(s: State, seat: int, card: int, open_: bool) -> None:
    s.hand[seat, card] += 1
    s.held[seat] += 1
    if card != JOKER:
        s.mask[seat] |= BIT[card]
    if open_:
        s.known[seat, card] += 1
        if card != JOKER:
            s.known_naturals[seat] += 1


@rule
def _part_with(s: State, card: int) -> None:
    """Take a card from the hand of the seat to move; of equal ones, that which all know to be there."""
    seat = s.seat
    s.hand[seat, card] -= 1
    s.held[seat] -= 1
    if card != JOKER and s.hand[seat, card] == 0:
        s.mask[seat] &= ~BIT[card]
    if s.known[seat, card] > 0:
        s.known[seat, card] -= 1
        if card != JOKER:
            s.known_naturals[seat] -= 1
    elif card != JOKER:
        s.natural[seat] = 0


@rule
def _begin_turn(s: State) -> None:
    left = s.stock_length - s.drawn
    while s.held[s.seat] < 6 and left > 0:  # KHV 4.1, 5.1
        _pick_up(s, s.seat, int(s.stock[s.drawn]), left <= s.bottom)
        s.drawn += 1
        left -= 1
    s.bottom = min(s.bottom, left)
    s.last = left == 0  # KHV 5.1


@rule
def deal(s: State, deck: Ints) -> None:
    n = s.players
    for k in range(5 * n):  # KHV 1.2: five each, one at a time, from the dealer's left
        _pick_up(s, (s.dealer + 1 + k) % n, int(deck[k]), False)
    up = 5 * n
    while deck[up] == JOKER:  # KHV 1.3
        up += 1
    s.bottom = up - 5 * n
    s.tail[0] = deck[up]
    s.tail_length = 1
    for k in range(up + 1, len(deck)):
        s.stock[k - up - 1] = deck[k]
    s.stock_length = len(deck) - 5 * n - 1
    for k in range(s.stock_length - s.bottom, s.stock_length):
        s.stock[k] = JOKER
    s.seat = (s.dealer + 1) % n  # KHV 1.2
    _begin_turn(s)


@rule
def _refresh(s: State, row: int) -> None:
    """Find anew what can be added to a row."""
    kind, start, length = int(s.kind[row]), int(s.start[row]), int(s.length[row])
    if kind < 4:
        if length == 13:  # KHV 2.2
            s.want[row] = 0
        else:
            s.want[row] = BIT[13 * kind + (start + 12) % 13] | BIT[13 * kind + (start + length) % 13]
    elif length == 4:  # KHV 2.3
        s.want[row] = 0
    else:
        s.want[row] = column(kind - 4, 15 & ~start)


@rule
def _house(s: State, row: int, card: int, seat: int) -> None:
    """Let a natural card of a row lie in the house of a seat."""
    s.house[row, card % 13 if s.kind[row] < 4 else card // 13] = seat
    s.points[seat] += VALUE[card]


@rule
def _lay_joker(s: State, row: int, rank: int) -> None:
    """Let a joker lie in a row: of a run, at that rank."""
    more = 1 << int(rank) if s.kind[row] < 4 else 1
    s.jokers[row] += more
    s.fresh[row] += more
    s.points[s.owner[row]] += VALUE[JOKER]  # KHV 5.3
    s.length[row] += 1


@rule
def _open(s: State, move: int) -> None:
    row = s.rows  # KHV 2.5
    s.rows += 1
    s.owner[row] = s.seat
    if move < NEW_SET:
        s.kind[row], s.start[row] = move // 52, move // 4 % 13
    else:
        s.kind[row] = 4 + (move - NEW_SET) // 10
    for place in range(3):
        card = int(CARDS[move, place])
        _part_with(s, card)
        if card == JOKER:
            _lay_joker(s, row, (s.start[row] + place) % 13)
            continue
        s.length[row] += 1
        if s.kind[row] >= 4:
            s.start[row] |= 1 << (card // 13)
        _house(s, row, card, s.seat)
    _refresh(s, row)


@rule
def _add(s: State, row: int, card: int) -> None:
    _part_with(s, card)
    kind, start, length = int(s.kind[row]), int(s.start[row]), int(s.length[row])
    if kind >= 4:
        s.start[row] |= 1 << (card // 13)
    elif card % 13 != (start + length) % 13:  # KHV 2.5: what fits both ends goes to the high one
        s.start[row] = card % 13
    s.length[row] += 1
    _house(s, row, card, s.seat)  # KHV 2.4
    _refresh(s, row)


@rule
def _add_joker(s: State, row: int, low: bool) -> None:
    _part_with(s, JOKER)
    start, length = int(s.start[row]), int(s.length[row])
    if low:
        s.start[row] = (start + 12) % 13
        _lay_joker(s, row, (start + 12) % 13)
    else:
        _lay_joker(s, row, (start + length) % 13)
    _refresh(s, row)


@rule
def _swap(s: State, row: int, card: int) -> None:
    _part_with(s, card)
    if s.kind[row] < 4:
        s.jokers[row] &= ~(1 << (card % 13))
    else:
        s.jokers[row] -= 1
        s.start[row] |= 1 << (card // 13)
    owner = s.owner[row]
    s.points[owner] -= VALUE[JOKER]
    _house(s, row, card, owner if s.swap_scores == 1 else s.seat)  # KHV 3.4
    _refresh(s, row)
    _pick_up(s, s.seat, JOKER, True)


@rule
def _end_turn(s: State) -> None:
    if s.last:  # KHV 5.1
        s.over = LAST_TURN
    for row in range(s.rows):  # KHV 3.3
        s.fresh[row] = 0
    s.seat = (s.seat + 1) % s.players
    if s.over == 0:
        _begin_turn(s)


@rule
def play(s: State, move: int) -> None:
    s.ply += 1
    duty = 0
    if move < ADD:
        _open(s, move)
    elif move < LOW:
        _add(s, (move - ADD) % ROWS, (move - ADD) // ROWS)
    elif move < SWAP:
        _add_joker(s, (move - LOW) % ROWS, move < HIGH)
    elif move < TAKE:
        _swap(s, (move - SWAP) % ROWS, (move - SWAP) // ROWS)
        duty = JOKER + 1  # KHV 3.3
    elif move < TAIL:
        first = move - TAKE
        for k in range(first, s.tail_length):
            _pick_up(s, s.seat, int(s.tail[k]), True)
        s.tail_length = first
        duty = int(s.tail[first]) + 1  # KHV 4.3
    else:
        if move < END:
            _part_with(s, move - TAIL)
            s.tail[s.tail_length] = move - TAIL
            s.tail_length += 1
        _end_turn(s)
        return
    s.duty = duty
    if duty == 0 and s.last == 0 and s.known_naturals[s.seat] == 0:
        s.natural[s.seat] = 1  # KHV 4.4: a natural card is there for the tail


@rule
def scores(s: State, out: Any) -> None:
    for seat in range(s.players):
        total = int(s.points[seat])
        for card in range(52):
            total -= VALUE[card] * s.hand[seat, card]  # KHV 5.2
        out[seat] = total + VALUE[JOKER] * s.hand[seat, JOKER]  # KHV 5.3
