"""The rules of Konstruktsiya on one record. Seats count from 0 here: 0 is black, 1 red.

Moves, with the cells and pairs of `geometry`: a cell builds the turned card there; ``LARGE + cell`` moves the
large piece to it; ``SMALL + pair`` moves a small piece; then `DISCARD` and `PASS`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kartoteka.cards import JOKER, KING, QUEEN
from kartoteka.core import Ints, State, rule, shuffle
from kartoteka.games.konstruktsiya.geometry import (
    CELLS,
    COLUMN,
    COLUMNS,
    END,
    NEAR,
    NEARS,
    PAIR,
    PAIRS,
    REACH,
    ROW,
    START,
    UPRIGHTS,
)

PIECES = 6
DECK = 156
"""Each player's small pieces, and the cards of three packs (KON 1.1)."""

LARGE = CELLS
SMALL = LARGE + CELLS
DISCARD = SMALL + PAIRS
PASS = DISCARD + 1
MOVES = PASS + 1
MAX_LEGAL = CELLS + 6 + PIECES * REACH + 1

EMPTY = -1
"""What `card` says of an empty cell, and `turned` when no card is turned."""
BARRED = 127
"""What `enter` says of a cell that cannot be entered with any card."""

UNMET, CLOSED = 126, -3
"""What a walk knows of a cell it has not met, and of one it does not enter."""

WON, NO_MORE, NOTHING_LEFT, NOTHING_DONE = 1, 2, 3, 4
"""How a game ends: KON 6.1; drawn by KON 2.3, with the reshuffles used up or no discards, or by KON 2.4."""

STATE = np.dtype(
    [
        ("players", "i2"),
        ("dealer", "i2"),
        ("seat", "i2"),
        ("ply", "i2"),
        ("over", "i2"),
        ("to_shuffle", "i2"),
        ("columns", "i2"),
        ("height", "i2"),
        ("reshuffles", "i2"),
        ("gaps", "i2"),  # 0 none, 1 allowed
        ("small_moves", "i2"),  # 0 any, 1 up
        ("king_moves", "i2"),  # 0 placed, 1 any
        ("turned", "i2"),  # the turned card, or EMPTY
        ("king", "i2"),  # 1: the turned card is a king that has just put a piece on its joker
        ("reshuffled", "i2"),  # times
        ("progress", "i2"),  # 1: since the last reshuffle a card was built or a large piece moved
        ("used", "i2"),  # cards turned from the stock
        ("stocked", "i2"),  # cards in it when it was last shuffled
        ("discarded", "i2"),
        ("opens", "i2"),
        ("joker", "i2", 2),
        ("large", "i2", 2),  # where the large pieces stand
        ("been_up", "i2", 2),
        ("placed", "i2", 2),  # small pieces on the table
        ("small", "i2", (2, PIECES)),  # where they stand
        ("uprights", "i2", COLUMNS),  # cards in each column
        ("open", "i2", CELLS),  # the cells where a card can be built
        ("card", "i1", CELLS),
        ("stands", "i1", (2, CELLS)),  # how many pieces of each seat
        ("enter", "i1", (2, CELLS)),  # the rank with which each seat enters a cell, -1 for a joker, or BARRED
        ("stock", "i1", DECK),
        ("discards", "i1", DECK),
    ]
)


# --- the table ---------------------------------------------------------------------------------------------


@rule
def buildable(s: State, cell: int) -> bool:
    """Whether a card may be built on an empty cell."""
    column, row = COLUMN[cell], ROW[cell]
    if cell >= UPRIGHTS:  # KON 3.1: beside an upright card, on the table of KON 1.3
        if column + 1 >= s.columns or row >= s.height:
            return False
        touches = False
        for k in range(4):
            touches |= s.card[NEAR[0, cell, k]] != EMPTY
        return touches
    beside, above_or_below = False, False
    for k in range(NEARS[0, cell]):
        near = NEAR[0, cell, k]
        if s.card[near] != EMPTY:
            if near >= UPRIGHTS:
                beside = True
            else:
                above_or_below = True
    # KON 3.2: beside a sideways card, which none off the table is, and touching its column unless it is the first
    return beside and (above_or_below or s.uprights[column] == 0 or s.gaps == 1)


@rule
def put(s: State, cell: int, card: int) -> None:
    """Put a card on an empty cell and keep up what follows from it."""
    s.card[cell] = card
    rank = -1 if card == JOKER else card % 13
    s.enter[0, cell] = rank
    s.enter[1, cell] = rank
    if cell < UPRIGHTS:
        s.uprights[COLUMN[cell]] += 1
    n = 0
    for k in range(s.opens):
        other = s.open[k]
        if other == cell:
            continue
        # The first card of a column closes those of its cells that do not touch it.
        if cell < UPRIGHTS and other < UPRIGHTS and COLUMN[other] == COLUMN[cell] and not buildable(s, other):
            continue
        s.open[n] = other
        n += 1
    for k in range(NEARS[0, cell]):
        near = NEAR[0, cell, k]
        if s.card[near] == EMPTY and buildable(s, near):
            known = False
            for j in range(n):
                if s.open[j] == near:
                    known = True
            if not known:
                s.open[n] = near
                n += 1
    s.opens = n


@rule
def arrive(s: State, seat: int, cell: int) -> None:
    s.stands[seat, cell] += 1
    s.enter[1 - seat, cell] = BARRED  # KON 4.4


@rule
def leave(s: State, seat: int, cell: int) -> None:
    s.stands[seat, cell] -= 1
    if s.stands[seat, cell] == 0 and cell != s.joker[seat]:  # KON 4.5
        s.enter[1 - seat, cell] = s.card[cell] % 13


# --- the course of the game --------------------------------------------------------------------------------


@rule
def deal(s: State, deck: Ints) -> None:
    for k in range(len(deck)):
        s.stock[k] = deck[k]
    s.stocked = len(deck)
    s.turned = EMPTY
    for cell in range(CELLS):
        s.card[cell] = EMPTY
        s.enter[0, cell] = BARRED
        s.enter[1, cell] = BARRED
    for seat in range(2):  # KON 1.2, 1.3: jokers in the middle two columns, with the large pieces on them
        s.joker[seat] = s.columns // 2 - 1 + seat
        s.large[seat] = s.joker[seat]
        put(s, s.joker[seat], JOKER)
    for seat in range(2):
        arrive(s, seat, s.joker[seat])
    _turn(s)


@rule
def _turn(s: State) -> None:
    """Turn the next card, or see what follows when there is none."""
    if s.used < s.stocked:  # KON 2.1: the card belongs to the player of its colour
        s.turned = s.stock[s.used]
        s.used += 1
        suit = s.turned // 13
        s.seat = 1 if suit == 1 or suit == 2 else 0
        if s.turned % 13 == KING and s.placed[s.seat] < PIECES:  # KON 5.1
            s.king = 1
            s.small[s.seat, s.placed[s.seat]] = s.joker[s.seat]
            s.placed[s.seat] += 1
            arrive(s, s.seat, s.joker[s.seat])
    elif s.reshuffled == s.reshuffles:  # KON 2.3
        s.over = NO_MORE
    elif s.discarded == 0:
        s.over = NOTHING_LEFT
    elif s.progress == 0:  # KON 2.4
        s.over = NOTHING_DONE
    else:
        s.to_shuffle = s.discarded


@rule
def waiting(s: State, out: Ints) -> int:
    for k in range(s.discarded):
        out[k] = s.discards[k]
    return int(s.discarded)


@rule
def reshuffle(s: State, order: Ints) -> None:
    """KON 2.3: the discards become the stock."""
    if s.to_shuffle == 0:
        return
    for k in range(len(order)):
        s.stock[k] = order[k]
    s.stocked = len(order)
    s.used = 0
    s.discarded = 0
    s.to_shuffle = 0
    s.progress = 0
    s.reshuffled += 1
    _turn(s)


@rule
def play(s: State, move: int) -> None:
    s.ply += 1
    seat = s.seat
    card = s.turned
    s.turned = EMPTY
    s.king = 0
    if move < LARGE:
        s.progress = 1
        put(s, move, card)
        _turn(s)
        return
    s.discards[s.discarded] = card  # KON 2.2
    s.discarded += 1
    if move < SMALL:
        s.progress = 1
        cell = move - LARGE
        leave(s, seat, s.large[seat])
        arrive(s, seat, cell)
        s.large[seat] = cell
        if cell < UPRIGHTS and ROW[cell] == s.height:  # KON 6.1
            s.been_up[seat] = 1
        if cell == s.joker[seat] and s.been_up[seat] == 1:
            s.over = WON
            return
    elif move < DISCARD:
        start, end = START[move - SMALL], END[move - SMALL]
        k = 0
        while s.small[seat, k] != start:
            k += 1
        s.small[seat, k] = end
        leave(s, seat, start)
        arrive(s, seat, end)
    _turn(s)


@rule
def scores(s: State, out: Any) -> None:
    for seat in range(2):
        if s.over == 0:
            out[seat] = 0.0
        elif s.over == WON:
            out[seat] = 1.0 if s.seat == seat else 0.0
        else:
            out[seat] = 0.5


# --- moving ------------------------------------------------------------------------------------------------


@rule
def reach(s: State) -> int:
    """The highest rank that the turned card enters (KON 4.1)."""
    rank = s.turned % 13
    return QUEEN if rank == KING and s.king == 0 else int(rank)  # KON 5.2


@rule
def last_free(s: State, seat: int, cell: int) -> int:
    """The only card next to `cell` that `seat` may enter, ranks aside; -1 if there are none or several."""
    found = -1
    for k in range(NEARS[0, cell]):
        near = NEAR[0, cell, k]
        if s.enter[seat, near] != BARRED:
            if found >= 0:
                return -1
            found = near
    return found


@rule
def frees(s: State, start: int, cell: int) -> bool:
    """Whether a piece of the seat to move that leaves `start` leaves it free for the enemy, next to `cell`."""
    if s.stands[s.seat, start] > 1 or start == s.joker[s.seat]:
        return False
    touches = False
    for k in range(NEARS[0, cell]):
        touches |= NEAR[0, cell, k] == start
    return touches


@rule
def shuts_in(s: State, start: int, end: int, cell: int) -> bool:
    """Whether a small move takes from the enemy the last free card next to `cell` (KON 4.6, 4.7).

    Nothing is taken where there was none, and a card that the move itself leaves may make up for it.
    """
    return end == last_free(s, 1 - s.seat, cell) and not frees(s, start, cell)


@rule
def _small_moves(s: State, start: int, last: Any, need: Any, out: Ints, n: int) -> int:
    """Write the moves of a small piece from `start` behind the first `n`; return how many there are then (KON 4.3).

    `need` comes and goes with `UNMET` for every cell that can be entered, `CLOSED` for the others. Here it becomes,
    for each cell met, the lowest rank it must have to stop on it: that of the highest card passed on the best way.
    Walks that come back to a card are never better than those that do not. `last` are the two cells that may be
    the last ones left to the enemy.
    """
    enter = s.enter[s.seat]
    kind = s.small_moves if s.king == 0 else 0
    was = need[start]
    need[start] = CLOSED
    m = n  # a cell is always written there, and counted only when it is new: no branch to foresee
    for k in range(NEARS[kind, start]):
        cell = NEAR[kind, start, k]
        out[m] = cell
        m += need[cell] == UNMET
        need[cell] = min(need[cell], -2)
    one = m
    for i in range(n, one):
        passed = enter[out[i]]
        for k in range(NEARS[kind, out[i]]):
            cell = NEAR[kind, out[i], k]
            out[m] = cell
            m += need[cell] == UNMET
            need[cell] = min(need[cell], passed)
    two = m
    for i in range(one, two):  # the highest card passed goes along with the cell: its `need` may fall below that
        out[i] |= max(int(need[out[i]]), int(enter[out[i]])) << 8
    for i in range(one, two):
        passed = out[i] >> 8
        out[i] &= 255
        for k in range(NEARS[kind, out[i]]):
            cell = NEAR[kind, out[i], k]
            out[m] = cell
            m += need[cell] == UNMET
            need[cell] = min(need[cell], passed)
    enemy = 1 - s.seat
    not_in = last[0] if last[0] < 0 or not frees(s, start, s.large[enemy]) else -1
    not_out = last[1] if last[1] < 0 or not frees(s, start, s.joker[enemy]) else -1
    end = n
    for i in range(n, m):
        cell = out[i]
        out[end] = SMALL + PAIR[start, cell]
        end += (need[cell] <= enter[cell]) & (cell != not_in) & (cell != not_out)
        need[cell] = UNMET
    need[start] = was
    return end


@rule
def legal(s: State, out: Ints) -> int:
    seat = s.seat
    enter = s.enter[seat]
    rank = reach(s)
    n = 1
    if s.king == 1:
        out[0] = PASS
    else:
        out[0] = DISCARD  # KON 2.2
        if s.turned % 13 != KING:  # KON 3.3
            for k in range(s.opens):
                out[n] = s.open[k]
                n += 1
        large = s.large[seat]
        for k in range(NEARS[0, large]):  # KON 4.2
            cell = NEAR[0, large, k]
            if enter[cell] <= rank:
                out[n] = LARGE + cell
                n += 1
    if s.placed[seat] == 0:
        return n
    enemy = 1 - seat
    last = (last_free(s, enemy, s.large[enemy]), last_free(s, enemy, s.joker[enemy]))  # KON 4.6, 4.7
    need = np.empty(CELLS, np.int8)
    for cell in range(CELLS):
        need[cell] = UNMET if enter[cell] <= rank else CLOSED
    if s.king == 1 and s.king_moves == 0:  # KON 5.1: the piece just placed
        return _small_moves(s, s.joker[seat], last, need, out, n)
    for k in range(s.placed[seat]):
        known = False
        for j in range(k):
            if s.small[seat, j] == s.small[seat, k]:
                known = True
        if not known:
            n = _small_moves(s, s.small[seat, k], last, need, out, n)
    return n


# --- what cannot be seen -----------------------------------------------------------------------------------


@rule
def hidden(s: State, seat: int, out: Ints) -> int:
    """The stock: its order is hidden from everybody."""
    n = 0
    for k in range(s.used, s.stocked):
        out[n] = s.stock[k]
        n += 1
    return n


@rule
def redeal(s: State, seat: int, rng: Any) -> None:
    shuffle(rng, s.stock[s.used : s.stocked], s.stocked - s.used)
