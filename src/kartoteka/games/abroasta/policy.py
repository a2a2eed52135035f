"""What a sensible player of Abroasta looks at."""

from __future__ import annotations

from kartoteka.cards import ACE, JACK, KING, QUEEN
from kartoteka.core import Ints, State, rule
from kartoteka.games.abroasta.rules import PASS


@rule
def _unseen(s: State, rank: int) -> int:
    """How many cards of a rank the seat to move cannot see: neither its own, nor lying face up."""
    left = 4 * ((s.players + 3) // 4)
    for card in range(rank, 52, 13):
        left -= s.hand[s.seat, card] + s.gone[card] + s.aside[card]
    for owner in range(s.players):
        for k in range(s.length[owner]):
            if s.row[owner, k] % 13 == rank:
                left -= 1
    return left


@rule
def _held(s: State, rank: int) -> int:
    count = 0
    for card in range(rank, 52, 13):
        count += s.hand[s.seat, card]
    return count


@rule
def rate(s: State, moves: Ints, n: int, out: Ints) -> None:
    """Take rows; open with aces; do not put within others' reach what only they can take."""
    for k in range(n):
        move = moves[k]
        if move == PASS:
            out[k] = 0
            continue
        owner, rank = move // 52, move % 52 % 13
        opens = s.length[owner] == 0
        takes_here = not opens and rank != ACE and (s.king_takes == 1 or s.row[owner, 0] % 13 == ACE)
        if rank == KING and takes_here:
            out[k] = 1000
        elif opens:
            out[k] = 50 if rank == ACE else -20 - rank
        elif not takes_here:
            out[k] = 10 - rank
        elif rank == QUEEN:  # whoever of the others has a king takes the row before it comes round
            out[k] = 60 if _unseen(s, KING) == 0 else -60
        elif rank == JACK:  # the queen tempts nobody; the king after it is ours if we hold one
            out[k] = 15 if _held(s, KING) > 0 else -5
        else:
            out[k] = 20 + 5 * _held(s, rank + 1)
