"""What a sensible player of Parkett looks at."""

from __future__ import annotations

import numpy as np

from kartoteka.core import Ints, State, rule
from kartoteka.games.parkett.rules import STATE, play

_SCRATCH = np.dtype((np.record, STATE))


@rule
def _count(cells: int) -> int:
    n = 0
    while cells:
        cells &= cells - 1
        n += 1
    return n


@rule
def _room(s: State, seat: int, weight: int) -> int:
    """How much a player can do: cells open to the hand, `weight` each, and cards of it that go somewhere."""
    cells = cards = 0
    for card in range(18 * seat, 18 * seat + 18):
        if s.place[card] == 0:
            here = s.spots[seat, card % 9] & ~s.filled
            if here:
                cards += 1
                cells |= here
    return weight * _count(cells) + cards


@rule
def rate(s: State, moves: Ints, n: int, out: Ints) -> None:
    """Keep more cells open to one's own hand, shut some to the other's; win where the other is stuck."""
    scratch = np.empty(1, _SCRATCH)
    me = int(s.seat)
    for k in range(n):
        scratch[0] = s
        after = scratch[0]
        play(after, moves[k])
        if after.over == 0:
            out[k] = _room(after, me, 4) - _room(after, 1 - me, 2)
        elif after.winner == 0:
            out[k] = 0
        else:
            out[k] = 1000 if after.winner == 1 + me else -1000
