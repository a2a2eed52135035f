"""What a sensible player of Khvostiki looks at."""

from __future__ import annotations

from kartoteka.cards import JOKER
from kartoteka.core import Ints, State, rule
from kartoteka.games.khvostiki.state import (
    ADD,
    BIT,
    CARDS,
    COLUMN,
    END,
    LOW,
    ROWS,
    SWAP,
    TAIL,
    TAKE,
    VALUE,
    layable,
    lowest,
    wanted,
)

# Ratings are ten times the points they stand for; those of moves that bring nothing lie below ending the turn.
END_TURN, BAD = -50_000, -100_000


@rule
def _near(card: int, cards: int) -> int:
    """Return the set of those among `cards` that make a new row with a card and a third one or a joker."""
    suit, rank = int(card) // 13, int(card) % 13
    lane = 1 << ((rank + 11) % 13) | 1 << ((rank + 12) % 13) | 1 << ((rank + 1) % 13) | 1 << ((rank + 2) % 13)
    return cards & ((lane << (16 * suit)) | ((COLUMN << rank) & ~BIT[card]))


@rule
def _best_pair(cards: int) -> int:
    """Return what the best two cards count that make a new row with a joker."""
    best = 0
    left = cards
    while left:
        card = lowest(left)
        left &= left - 1
        near = _near(card, left)
        while near:
            best = max(best, VALUE[card] + VALUE[lowest(near)])
            near &= near - 1
    return best


@rule
def _take(s: State, first: int, wants: int, liable: int) -> int:
    """Return ten times what taking from the tail seems to bring: points laid less what cards left over may cost."""
    before = s.mask[s.seat]
    joker = s.hand[s.seat, JOKER] > 0
    cards = before
    for k in range(first, s.tail_length):
        cards |= BIT[s.tail[k]]
    gain = 0
    for k in range(first, s.tail_length):
        card = int(s.tail[k])
        if layable(card, cards, joker, 99, wants):
            gain += 10 * VALUE[card]
        else:
            gain -= liable * VALUE[card]
    left = before
    while left:
        card = lowest(left)
        left &= left - 1
        if layable(card, cards, joker, 99, wants) and not layable(card, before, joker, 99, wants):
            gain += 20 * VALUE[card]
    return gain


@rule
def rate(s: State, moves: Ints, n: int, out: Ints) -> None:
    """Lay what counts; take from the tail what brings more than it may cost; to the tail goes what fits least."""
    seat = s.seat
    cards, wants = s.mask[seat], wanted(s)
    turns = (s.stock_length - s.drawn) // (2 * s.players)  # about so many are left to this player
    liable = 10 if s.last else max(5 - turns, 2)  # how much a card in hand counts against it, in tenths
    for k in range(n):
        move = int(moves[k])
        if move < ADD:
            out[k] = 0
            for place in range(3):
                if CARDS[move, place] != JOKER:
                    out[k] += 20 * VALUE[CARDS[move, place]]
        elif move < LOW:
            out[k] = 20 * VALUE[(move - ADD) // ROWS]
        elif move < SWAP:
            out[k] = 5  # it counts the same in hand and laid, but laid makes room to draw
        elif move < TAKE:
            card, row = (move - SWAP) // ROWS, (move - SWAP) % ROWS
            gain = 20 * VALUE[card] + 20 * _best_pair(cards & ~BIT[card])
            if s.owner[row] != seat:  # its minus 15 comes to us
                gain += 10 * VALUE[JOKER] - (20 * VALUE[card] if s.swap_scores == 1 else 0)
            out[k] = gain if gain > 0 else BAD + gain
        elif move < TAIL:
            gain = _take(s, move - TAKE, wants, liable)
            out[k] = gain if gain > 0 else BAD + gain
        elif move < END:
            card = move - TAIL
            if s.last:
                out[k] = END_TURN + VALUE[card]
                continue
            out[k] = END_TURN - 4 * (5 - liable) * VALUE[card]
            near = _near(card, cards)
            while near:
                out[k] -= 40
                near &= near - 1
            if wants & BIT[card]:
                out[k] -= 10 * VALUE[card]
        else:
            out[k] = END_TURN
