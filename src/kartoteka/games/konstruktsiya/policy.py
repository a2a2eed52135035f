"""What a sensible player of Konstruktsiya looks at: how long the way still is, for itself and for the enemy.

The length of a way is counted in twelfths of a turned card of one's own colour. A card to be entered waits for one
that is high enough; an empty cell must be built first; an enemy piece must be waited for or moved round.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kartoteka.core import Ints, State, rule
from kartoteka.games.konstruktsiya.geometry import CELLS, COLUMN, END, NEAR, NEARS, ROW, START, UPRIGHTS
from kartoteka.games.konstruktsiya.rules import BARRED, DISCARD, EMPTY, LARGE, SMALL, buildable

FAR = 1_000_000
OPEN, LATER, HELD = 28, 44, 150
"""What an empty cell costs that can or cannot yet be built on, and what an enemy piece adds."""

WAIT = np.array([12, 12, 13, 14, 16, 17, 20, 22, 26, 31, 39, 52, 78, 156], np.int32)
"""How long one waits for a card that enters a joker, a 2, a 3 ... an ace."""


@rule
def _costs(s: State, seat: int, cost: Any) -> None:
    """What it costs a seat to enter each cell."""
    enemy = 1 - seat
    for cell in range(CELLS):
        sideways = 1 if cell >= UPRIGHTS else 0
        if COLUMN[cell] + sideways >= s.columns or ROW[cell] + sideways > s.height or cell == s.joker[enemy]:
            cost[cell] = FAR
        elif s.card[cell] == EMPTY:
            cost[cell] = LATER
        else:
            rank = -1 if cell == s.joker[seat] else s.card[cell] % 13
            cost[cell] = WAIT[rank + 1] + (HELD if s.enter[seat, cell] == BARRED else 0)
    for k in range(s.opens):
        cost[s.open[k]] = OPEN


@rule
def _spread(s: State, seat: int, forward: bool, cost: Any, way: Any) -> None:
    """Fill `way`: forward, the cost from the large piece to each cell; else the cost from each cell to the goal."""
    queue = np.empty(CELLS + 1, np.int32)
    waits = np.zeros(CELLS, np.int8)
    head, tail = 0, 0
    for cell in range(CELLS):
        if forward:
            begins = cell == s.large[seat]
        elif s.been_up[seat] == 1:
            begins = cell == s.joker[seat]
        else:
            begins = cell < UPRIGHTS and ROW[cell] == s.height and cost[cell] < FAR
        way[cell] = FAR
        if begins:
            way[cell] = 0
            queue[tail] = cell
            tail += 1
            waits[cell] = 1
    while head != tail:
        cell = queue[head]
        head = (head + 1) % len(queue)
        waits[cell] = 0
        for k in range(NEARS[0, cell]):
            near = NEAR[0, cell, k]
            to = way[cell] + (cost[near] if forward else cost[cell])
            if cost[near] < FAR and to < way[near]:
                way[near] = to
                if waits[near] == 0:
                    waits[near] = 1
                    queue[tail] = near
                    tail = (tail + 1) % len(queue)


@rule
def _without(s: State, seat: int, cell: int, cost: Any, way: Any) -> int:
    """How long the seat's way is if it keeps off a cell."""
    kept = cost[cell]
    cost[cell] = FAR
    _spread(s, seat, False, cost, way)
    cost[cell] = kept
    return int(way[s.large[seat]])


@rule
def _opens(s: State, cell: int, built: int) -> bool:
    """Whether a card built on `built` opens an empty cell next to it that was not open."""
    if s.card[cell] != EMPTY or buildable(s, cell):
        return False
    upright = 1 if built < UPRIGHTS else 0
    s.card[built] = 0  # as if a card lay there, for the length of a question
    s.uprights[COLUMN[built]] += upright
    opens = buildable(s, cell)
    s.card[built] = EMPTY
    s.uprights[COLUMN[built]] -= upright
    return opens


@rule
def _built(s: State, seat: int, cell: int, rank: int, cost: Any, to: Any, on: Any, spare: Any) -> int:
    """By how much a card built on a cell shortens the seat's way (`to` from the large piece, `on` to the goal)."""
    length = on[s.large[seat]]
    if to[cell] >= FAR or on[cell] >= FAR:
        return 0
    new = WAIT[rank + 1]
    into, out_of = to[cell] - cost[cell], on[cell]
    best = FAR
    for k in range(NEARS[0, cell]):
        near = NEAR[0, cell, k]
        if cost[near] == LATER and _opens(s, near, cell):
            into = min(into, to[near] - LATER + OPEN)
            out_of = min(out_of, on[near] + OPEN)
            best = min(best, to[near] - LATER + OPEN + on[near])
    best = min(best, into + new + out_of)
    if best > length:
        if to[cell] + on[cell] > length:
            return 0
        best = min(best, _without(s, seat, cell, cost, spare))
    return int(length - best)


@rule
def _held(s: State, start: int, end: int, cost: Any, to: Any, on: Any, spare: Any) -> int:
    """By how much a small piece that goes from `start` to `end` lengthens the enemy's way."""
    enemy = 1 - s.seat
    length = on[s.large[enemy]]
    longer = 0
    if s.enter[enemy, end] != BARRED and to[end] + on[end] == length:
        longer = min(HELD, _without(s, enemy, end, cost, spare) - length)
    if s.stands[s.seat, start] == 1 and start != s.joker[s.seat] and to[start] < FAR:
        longer -= max(0, length - (to[start] - HELD + on[start]))
    return int(longer)


@rule
def rate(s: State, moves: Ints, n: int, out: Ints) -> None:
    """Shorten one's own way, lengthen the enemy's."""
    seat = s.seat
    enemy = 1 - seat
    cost = np.empty((2, CELLS), np.int32)
    to = np.empty((2, CELLS), np.int32)
    on = np.empty((2, CELLS), np.int32)
    spare = np.empty(CELLS, np.int32)
    for who in range(2):
        _costs(s, who, cost[who])
        _spread(s, who, True, cost[who], to[who])
        _spread(s, who, False, cost[who], on[who])
    rank = s.turned % 13
    for k in range(n):
        move = moves[k]
        if move < LARGE:
            mine = _built(s, seat, move, rank, cost[seat], to[seat], on[seat], spare)
            theirs = _built(s, enemy, move, rank, cost[enemy], to[enemy], on[enemy], spare)
            out[k] = mine - theirs - 1
        elif move < SMALL:
            cell = move - LARGE
            out[k] = on[seat, s.large[seat]] - on[seat, cell]
            if s.been_up[seat] == 1 and cell == s.joker[seat]:
                out[k] = FAR
        elif move < DISCARD:
            out[k] = _held(s, START[move - SMALL], END[move - SMALL], cost[enemy], to[enemy], on[enemy], spare) - 1
        else:
            out[k] = 0
