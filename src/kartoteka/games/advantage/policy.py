"""What a sensible player of Advantage looks at."""

from __future__ import annotations

from kartoteka.core import Ints, State, rule
from kartoteka.games.advantage.rules import DRAW, EXCHANGE, PAIR, PASS
from kartoteka.games.advantage.unseen import BIT, RANK, count, ranks_held_twice


@rule
def _pairs(hand: int) -> int:
    """How many pairs a hand holds."""
    fours = hand & (hand >> 13) & (hand >> 26) & (hand >> 39) & 8191
    return count(ranks_held_twice(hand)) + count(fours)


@rule
def rate(s: State, moves: Ints, n: int, out: Ints) -> None:
    """Hold pairs and many cards; in the first round part with what will hardly be paired.

    Where hands are swapped after the first round, it is the other way round there: the hand is given away.
    """
    hand = int(s.hand[s.seat])
    aside = int(s.aside[0]) | int(s.aside[1])
    for k in range(n):
        move = moves[k]
        if move == PASS:
            out[k] = 5
        elif move == DRAW:
            out[k] = -20 if s.phase == 1 and s.switch_hands == 1 else 20
        elif move >= PAIR:
            out[k] = 0
        else:
            card, pile = move % 52, move % EXCHANGE // 52
            rest = hand & ~int(BIT[card])
            if move < EXCHANGE:
                mates = 4 - count(aside & int(RANK[card % 13]))
                out[k] = 100 * _pairs(rest) - 10 * mates
                if s.switch_hands == 1:
                    out[k] = -out[k]
            else:
                taken = rest | int(s.pile[pile])
                out[k] = 100 * (_pairs(taken) - _pairs(hand)) + 10 * (count(int(s.pile[pile])) - 1)
