"""The rules of Advantage on one record. Seats count from 0 here; clauses stand beside the lines they became.

Moves: ``52 * pile + card`` places a card; from `EXCHANGE` on in the same order gives it for the pile; from `PAIR` on
``6 * rank + suits`` puts a pair aside, the six pairs of suits in the order cd ch cs dh ds hs; then `DRAW` and `PASS`.
Sets of cards are 52-bit masks.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kartoteka.cards import TEN
from kartoteka.core import Ints, State, rule
from kartoteka.games.advantage.unseen import (
    ALL,
    BIT,
    CARD,
    STOCK,
    hidden,
    holds_no_pair,
    narrow,
    ranks_held_twice,
    redeal,
    reveal,
    show_all,
)

EXCHANGE, PAIR, DRAW, PASS = 156, 312, 390, 391
MOVES = PASS + 1
MAX_LEGAL = 3 * 49 + 1

STOCK_OUT, NOTHING_DONE = 1, 2
"""How a game ends (ADV 6.1)."""

FIRST_SUIT = np.array([0, 0, 0, 1, 1, 2], np.int64)
SECOND_SUIT = np.array([1, 2, 3, 2, 3, 3], np.int64)


def _fits(card: int, top: int, ten: int) -> bool:
    return (card // 13 in (1, 2)) == (top // 13 in (1, 2)) or card % 13 == top % 13 or ten % 13 == TEN


FITS = np.array(
    [
        [sum(1 << card for card in range(52) if _fits(card, top, card)) for top in range(52)],  # ADV 3.1
        [sum(1 << card for card in range(52) if _fits(card, top, top)) for top in range(52)],  # ADV 4.1
    ],
    np.int64,
)
"""By round and top card: the cards that can be placed on it, or given for the pile."""

STATE = np.dtype(
    [
        ("hand", "i8", 2), ("aside", "i8", 2),
        ("pile", "i8", 3),  # all its cards
        ("unseen", "i8"),  # cards never shown to both; the others lie face up, wherever they are
        ("slots", "i8", 2), ("may", "i8", STOCK),  # see `unseen`
        ("players", "i2"), ("dealer", "i2"), ("seat", "i2"), ("ply", "i2"), ("over", "i2"), ("to_shuffle", "i2"),
        ("pairing", "i2"),  # 0 chain, 1 once
        ("switch_hands", "i2"),
        ("phase", "i2"),  # the round, 1 to 3
        ("drew", "i2"),  # whether the mover drew by choice in this turn
        ("paired", "i2"),  # whether a pair was put aside in this round
        ("done", "i2"),  # whether anything was done in these three rounds
        ("drawn", "i2"),  # cards gone from the stock
        ("pairs", "i2", 2),
        ("checked", "i2", 2),  # see `unseen`
        ("top", "i1", 3),
        ("stock", "i1", STOCK),  # -1 where gone
    ]
)  # fmt: skip


@rule
def deal(s: State, deck: Ints) -> None:
    for k in range(6):  # ADV 1.1: one at a time, the non-dealer first
        s.hand[(s.dealer + 1 + k) % 2] |= BIT[deck[k]]
    for k in range(3):
        s.pile[k] = BIT[deck[6 + k]]
        s.top[k] = deck[6 + k]
    s.unseen = ALL & ~(int(s.hand[0]) | int(s.hand[1]) | int(s.pile[0]) | int(s.pile[1]) | int(s.pile[2]))
    for k in range(STOCK):
        s.stock[k] = deck[9 + k]
    s.phase = 1  # ADV 2.1
    s.seat = 1 - s.dealer  # ADV 2.2


@rule
def fitting(s: State) -> int:
    """Every card that could be placed, or given for a pile, in this round."""
    which = s.phase - 1
    return int(FITS[which, s.top[0]]) | int(FITS[which, s.top[1]]) | int(FITS[which, s.top[2]])


@rule
def legal(s: State, out: Ints) -> int:
    hand = int(s.hand[s.seat])
    n = 0
    if s.phase == 3:
        ranks = ranks_held_twice(hand)  # ADV 5.1: any pair, but a pair
        for rank in range(13):
            if (ranks >> rank) & 1:
                for suits in range(6):
                    pair = int(BIT[rank + 13 * FIRST_SUIT[suits]]) | int(BIT[rank + 13 * SECOND_SUIT[suits]])
                    if hand & pair == pair:
                        out[n] = PAIR + 6 * rank + suits
                        n += 1
        return n
    base = 0 if s.phase == 1 else EXCHANGE
    for pile in range(3):
        cards = hand & int(FITS[s.phase - 1, s.top[pile]])
        while cards:
            out[n] = base + 52 * pile + CARD[(cards & -cards) % 53]
            cards &= cards - 1
            n += 1
    able = n > 0
    if not able and s.drawn < STOCK:  # ADV 3.4, 4.2; a card drawn that does not fit ends the turn, see `play`
        out[n] = DRAW
        n += 1
    if not able or s.phase == 2:  # ADV 3.2, 4.2
        out[n] = PASS
        n += 1
    return n


@rule
def _take(s: State) -> int:
    """The mover takes a card from the stock, if there is one; return it as a set."""
    if s.drawn == STOCK:
        return 0
    slot, seat = int(s.drawn), int(s.seat)
    card = int(BIT[s.stock[slot]])
    s.stock[slot] = -1
    s.hand[seat] |= card
    s.slots[seat] |= BIT[slot]
    s.may[slot] = ALL
    s.drawn += 1
    return card


@rule
def _end_turn(s: State) -> None:
    s.drew = 0
    if s.seat != s.dealer:  # ADV 2.2: the non-dealer, then the dealer
        s.seat = s.dealer
        return
    s.seat = 1 - s.dealer
    if s.phase == 1 and s.switch_hands == 1:  # ADV 6.3
        show_all(s)
        hand = int(s.hand[0])
        s.hand[0] = s.hand[1]
        s.hand[1] = hand
    if s.phase == 3:
        if s.drawn == STOCK and s.paired == 0:  # ADV 6.1
            s.over = STOCK_OUT
            return
        if s.done == 0:
            s.over = NOTHING_DONE
            return
        s.done = 0
    s.paired = 0
    s.phase = s.phase % 3 + 1  # ADV 2.1


@rule
def play(s: State, move: int) -> None:
    seat = int(s.seat)
    s.ply += 1
    if move == PASS:
        if s.phase == 1:  # ADV 3.2: so nothing can be placed; in the second round a pass says nothing (ADV 4.2)
            narrow(s, seat, ~fitting(s))
        _end_turn(s)
    else:
        s.done = 1
        if move == DRAW:
            fits = fitting(s)
            narrow(s, seat, ~fits)  # ADV 3.4, 4.2: drawing shows that nothing fitted, and going on that this does
            slot = int(s.drawn)
            if _take(s) & fits:
                s.may[slot] &= fits
                s.drew = 1
            else:
                s.may[slot] &= ~fits
                _end_turn(s)
        elif move < PAIR:
            pile, card = move % EXCHANGE // 52, move % 52
            reveal(s, seat, card)
            s.hand[seat] &= ~int(BIT[card])
            s.top[pile] = card
            if move < EXCHANGE:
                s.pile[pile] |= BIT[card]
                _take(s)  # ADV 3.3
            else:
                s.hand[seat] |= s.pile[pile]  # ADV 4.1
                s.pile[pile] = BIT[card]
            _end_turn(s)
        else:
            rank, suits = (move - PAIR) // 6, (move - PAIR) % 6
            for card in (rank + 13 * FIRST_SUIT[suits], rank + 13 * SECOND_SUIT[suits]):
                reveal(s, seat, card)
                s.hand[seat] &= ~int(BIT[card])
                s.aside[seat] |= BIT[card]
            s.pairs[seat] += 1
            s.paired = 1
            _take(s)  # ADV 5.2
            _take(s)
            if s.pairing == 1:  # ADV 5.3
                _end_turn(s)
    while s.over == 0 and s.phase == 3 and ranks_held_twice(int(s.hand[s.seat])) == 0:  # ADV 5.3, 5.4
        holds_no_pair(s, int(s.seat))
        _end_turn(s)


@rule
def scores(s: State, out: Any) -> None:
    for seat in range(2):
        out[seat] = s.pairs[seat]  # ADV 6.2


__all__ = ["MAX_LEGAL", "MOVES", "STATE", "deal", "hidden", "legal", "play", "redeal", "scores"]
