"""The rules of Parkett on one record. Seats count from 0 here; clauses stand beside the lines they became.

A card is 0 to 35: ``card // 18`` is its seat (and colour), ``card % 9`` its rank from the six, see `CARDS`.
A cell is 0 to 34, row by row from a1; a set of cells is the bits of one number. For each colour and rank the
state keeps the set of cells where lying cards want such a card for an L; a legal move is a bit of `spots`.

Moves: ``35 * card + cell`` lays a card, `SHIFT` more moves a lying card there; the last number is the pass.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kartoteka.cards import SIX
from kartoteka.core import Ints, State, rule

CARDS = [13 * suit + SIX + rank for suit in (0, 3, 1, 2) for rank in range(9)]
"""Their numbers among all cards: clubs, spades, diamonds, hearts (PAR 1.1)."""

CELLS = [column + row for row in "12345" for column in "abcdefg"]
"""Their names (PAR 2.2)."""

SHIFT = 35 * 36
PASS = 2 * SHIFT
MOVES = PASS + 1
MAX_LEGAL = 18 * 35

ALL_LAID, STUCK, BOTH_PASSED, IDLE = 1, 2, 3, 4
"""How a game ends (PAR 4.2, 4.3, 4.4)."""

IDLE_TURNS = 20  # PAR 4.4

STATE = np.dtype(
    [
        ("players", "i2"), ("dealer", "i2"), ("seat", "i2"), ("ply", "i2"), ("over", "i2"),
        ("to_shuffle", "i2"),
        ("cross", "i2"),  # 0 one_each, 1 free
        ("order", "i2"),  # 0 line, 1 any
        ("stuck", "i2"),  # 0 loses, 1 passes
        ("complete", "i2"),  # whether the cross ever was
        ("idle", "i2"),  # turns running without a card laid
        ("passes", "i2"),  # running
        ("winner", "i2"),  # 0 nobody, 1 or 2 a seat
        ("held", "i2", 2),  # cards in hand
        ("card", "i1", 35),  # what lies on each cell: 0 nothing, or a card and 1
        ("place", "i1", 36),  # where each card lies: 0 in hand, or a cell and 1
        ("filled", "i8"),  # the set of cells on which cards lie
        ("spots", "i8", (2, 9)),  # colour, rank: the set of cells that some L wants it on, filled ones too
    ]
)  # fmt: skip


# --- the floor ---------------------------------------------------------------------------------------------


def _cell(column: int, row: int) -> int:
    return 7 * row + column if 0 <= column < 7 and 0 <= row < 5 else -1


def _cells(found: Any) -> int:
    return sum(1 << int(cell) for cell in set(found) if cell >= 0)


def _thirds(order: int, bend: int, end: int) -> list[int]:
    """The ranks that make an L with those at its bend and its far end (PAR 3.2), two places, -1 for none."""
    runs = [{low, (low + 1) % 9, (low + 2) % 9} for low in range(9)]  # PAR 1.2: they go round
    found = [rank for rank in range(9) if {rank, bend, end} in runs]
    if order == 0:  # the bend in the middle
        found = [rank for rank in found if (rank - bend) % 9 == (bend - end) % 9]
    return [*found, -1, -1][:2]


ARMS = np.array([[CELLS.index(c) for c in arm.split()] for arm in ("d4 d5", "e3 f3", "d2 d1", "c3 b3")])
CROSS = _cells(ARMS.flat)

NEXT = np.array(
    [[_cell(x % 7 + dx, x // 7 + dy) for dx, dy in ((1, 0), (0, 1), (-1, 0), (0, -1))] for x in range(35)]
)
"""The neighbour of each cell in four directions, even ones along the row; -1 for none."""

BESIDE = np.array([[_cells(NEXT[x, 1::2]), _cells(NEXT[x, 0::2])] for x in range(35)])
"""The cells from which an L turns at a cell into direction k, under ``k % 2`` (PAR 3.1)."""

THIRDS = np.array([[[_thirds(order, b, e) for e in range(9)] for b in range(9)] for order in (0, 1)])

_CELL_OF = np.zeros(37, np.int64)  # 2 ** cell, modulo 37, tells the cell
_CELL_OF[[2**cell % 37 for cell in range(35)]] = np.arange(35)


@rule
def _join(s: State, one: int, k: int) -> None:
    """Enter the spots that a card and its neighbour in direction `k` open (PAR 3.1, 3.2, 3.4)."""
    two = NEXT[one, k]
    if two < 0 or s.card[two] == 0:
        return
    a, b = s.card[one] - 1, s.card[two] - 1
    for j in range(2):
        rank = THIRDS[s.order, a % 9, b % 9, j]
        if rank >= 0:
            s.spots[a // 18, rank] |= BESIDE[one, k % 2]
            s.spots[b // 18, rank] |= BESIDE[one, k % 2]  # PAR 3.3: one of the two has the colour
        rank = THIRDS[s.order, b % 9, a % 9, j]
        if rank >= 0:
            s.spots[a // 18, rank] |= BESIDE[two, k % 2]
            s.spots[b // 18, rank] |= BESIDE[two, k % 2]


@rule
def put(s: State, card: int, cell: int) -> None:
    """Let a card lie on an empty cell."""
    s.card[cell] = card + 1
    s.place[card] = cell + 1
    s.filled |= 1 << int(cell)
    for k in range(4):
        _join(s, cell, k)


@rule
def _lift(s: State, card: int) -> None:
    cell = int(s.place[card]) - 1
    s.card[cell] = 0
    s.place[card] = 0
    s.filled ^= 1 << cell
    s.spots[:] = 0
    for other in range(35):
        if s.card[other] > 0:
            for k in range(2):
                _join(s, other, k)


# --- the moves ---------------------------------------------------------------------------------------------


@rule
def deal(s: State, deck: Ints) -> None:
    s.held[0] = s.held[1] = 18  # PAR 1.1
    s.seat = s.dealer


@rule
def on_arm(s: State, arm: int, seat: int) -> bool:
    """Whether that player has a card on that arm."""
    for k in range(2):
        lies = s.card[ARMS[arm, k]]
        if lies > 0 and (lies - 1) // 18 == seat:
            return True
    return False


@rule
def _cross_moves(s: State, out: Ints) -> int:
    n = 0
    first = 18 * int(s.seat)
    for arm in range(4):
        if s.cross == 0 and on_arm(s, arm, s.seat):  # PAR 2.1
            continue
        inner, outer = ARMS[arm]
        if s.card[inner] == 0:  # PAR 2.2
            for card in range(first, first + 18):
                if s.place[card] == 0:
                    out[n] = 35 * card + inner
                    n += 1
        elif s.card[outer] == 0:
            for step in (1, 8):  # PAR 2.3, round the ring either way
                rank = (s.card[inner] - 1 + step) % 9
                for card in range(first + rank, first + 18, 9):
                    if s.place[card] == 0:
                        out[n] = 35 * card + outer
                        n += 1
    return n


@rule
def _write(cells: int, base: int, out: Ints, n: int) -> int:
    """Add a move for each of a set of cells."""
    while cells:
        out[n] = base + _CELL_OF[(cells & -cells) % 37]
        cells &= cells - 1
        n += 1
    return n


@rule
def can_lay(s: State, seat: int) -> bool:
    """Whether that player can lay a card on the floor."""
    for rank in range(9):
        if s.spots[seat, rank] & ~s.filled and (s.place[18 * seat + rank] == 0 or s.place[18 * seat + 9 + rank] == 0):
            return True
    return False


@rule
def can_go(s: State, seat: int) -> bool:
    """Whether that player can lay or move a card: any card of theirs that is wanted will do."""
    wanted = 0
    for rank in range(9):
        wanted |= s.spots[seat, rank]
    return bool(wanted & ~s.filled)


@rule
def legal(s: State, out: Ints) -> int:
    if s.complete == 0:
        return _cross_moves(s, out)
    n = 0
    first = 18 * int(s.seat)
    for rank in range(9):  # PAR 3.1
        cells = s.spots[s.seat, rank] & ~s.filled
        if cells:
            for card in range(first + rank, first + 18, 9):
                if s.place[card] == 0:
                    n = _write(cells, 35 * card, out, n)
    if n == 0:
        # PAR 3.5: no card that is wanted is in hand, so they all lie. An L that wants a card holds none of its
        # rank, so lifting the card takes no such L away.
        for card in range(first, first + 18):
            n = _write(s.spots[s.seat, card % 9] & ~s.filled, SHIFT + 35 * card, out, n)
    if n == 0:  # PAR 4.3
        out[0] = PASS
        n = 1
    return n


@rule
def play(s: State, move: int) -> None:
    seat = int(s.seat)
    s.ply += 1
    s.idle += 1
    if move == PASS:
        s.passes += 1
    else:
        s.passes = 0
        card, cell = int(move) % SHIFT // 35, int(move) % 35
        if move < SHIFT:
            s.held[seat] -= 1
            s.idle = 0
        else:
            _lift(s, card)
        put(s, card, cell)
        if s.filled & CROSS == CROSS:  # PAR 2.4
            s.complete = 1
    s.seat = 1 - seat
    if s.held[seat] == 0:  # PAR 4.1, 4.2
        s.over = ALL_LAID
        s.winner = 1 + seat
    elif s.idle >= IDLE_TURNS:  # PAR 4.4
        s.over = IDLE
    elif s.passes >= 2:  # PAR 4.3
        s.over = BOTH_PASSED
        if s.held[0] != s.held[1]:
            s.winner = 1 if s.held[0] < s.held[1] else 2
    elif s.complete and s.stuck == 0 and not can_go(s, 1 - seat):  # PAR 4.3
        s.over = STUCK
        s.winner = 1 + seat


@rule
def scores(s: State, out: Any) -> None:
    for seat in range(2):
        if s.over == 0:
            out[seat] = 0.0
        elif s.winner == 0:
            out[seat] = 0.5
        else:
            out[seat] = 1.0 if s.winner == 1 + seat else 0.0


@rule
def hidden(s: State, seat: int, out: Ints) -> int:
    """Nothing."""
    return 0


@rule
def redeal(s: State, seat: int, rng: Any) -> None:
    """Every seat sees everything."""
