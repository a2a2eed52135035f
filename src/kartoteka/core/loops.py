"""The loops that run over any game, each on ``(states, i, ...)``: state `i` of an array of states."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from kartoteka.core.arrays import Ints, States
from kartoteka.core.chance import randbelow, shuffle
from kartoteka.core.game import deal, hidden, legal, play, rate, redeal, reshuffle, scores, waiting
from kartoteka.core.marks import loop

# --- what playing needs ------------------------------------------------------------------------------------


@loop
def deal_at(states: States, i: int, deck: Ints) -> None:
    deal(states[i], deck)


@loop
def legal_at(states: States, i: int, out: Ints) -> int:
    return int(legal(states[i], out))


@loop
def play_at(states: States, i: int, move: int) -> None:
    play(states[i], move)


@loop
def scores_at(states: States, i: int, out: npt.NDArray[np.float64]) -> None:
    scores(states[i], out)


@loop
def hidden_at(states: States, i: int, seat: int, out: Ints) -> int:
    return int(hidden(states[i], seat, out))


@loop
def redeal_at(states: States, i: int, seat: int, rng: Any) -> None:
    redeal(states[i], seat, rng)


@loop
def waiting_at(states: States, i: int, out: Ints) -> int:
    return int(waiting(states[i], out))


@loop
def reshuffle_at(states: States, i: int, order: Ints) -> None:
    reshuffle(states[i], order)


@loop
def mask_at(states: States, i: int, mask: npt.NDArray[np.int8], buffer: Ints) -> int:
    mask[:] = 0
    n = legal(states[i], buffer)
    for k in range(n):
        mask[buffer[k]] = 1
    return int(n)


@loop
def best_at(states: States, i: int, rng: Any, buffer: Ints, ratings: Ints) -> int:
    """Return the legal move of state `i` that the game's policy rates highest, by lot among equals."""
    n = legal(states[i], buffer)
    rate(states[i], buffer, n, ratings)
    best, ties = 0, 0
    for k in range(n):
        if ties == 0 or ratings[k] > ratings[best]:
            best, ties = k, 1
        elif ratings[k] == ratings[best]:
            ties += 1
            if randbelow(rng, ties) == 0:
                best = k
    return int(buffer[best])


# --- what studies need -------------------------------------------------------------------------------------


@loop
def playout(states: States, i: int, rng: Any, buffer: Ints) -> int:
    """Play state `i` to its end with random legal moves; return the number of moves."""
    s = states[i]
    plies = 0
    while s.over == 0:
        if s.to_shuffle > 0:
            n = waiting(s, buffer)
            shuffle(rng, buffer, n)
            reshuffle(s, buffer[:n])
        else:
            n = legal(s, buffer)
            play(s, buffer[randbelow(rng, n)])
            plies += 1
    return plies


@loop
def playouts(states: States, games: int, rng: Any, deck: Ints, buffer: Ints) -> int:
    """Deal and play `games` random games in state 1, each from the blank state 0; return the number of moves."""
    plies = 0
    for _game in range(games):
        states[1] = states[0]
        shuffle(rng, deck, len(deck))
        deal(states[1], deck)
        plies += playout(states, 1, rng, buffer)
    return plies


@loop
def copies(states: States, k: int) -> None:
    """Copy state 0 to every other state in turn, `k` times in all."""
    n = len(states) - 1
    for j in range(k):
        states[1 + j % n] = states[0]


@loop
def contest(
    states: States, games: int, rng: Any, deck: Ints, buffer: Ints, ratings: Ints, seat: int, out: Any
) -> float:
    """Play `games` deals in state 1 with the policy in `seat` and random players in the others.

    Return the deals won by `seat`, a deal shared by k seats counting 1/k; `out` holds the scores meanwhile.
    """
    won = 0.0
    s = states[1]
    for _game in range(games):
        states[1] = states[0]
        shuffle(rng, deck, len(deck))
        deal(s, deck)
        while s.over == 0:
            if s.to_shuffle > 0:
                n = waiting(s, buffer)
                shuffle(rng, buffer, n)
                reshuffle(s, buffer[:n])
            elif s.seat == seat:
                play(s, best_at(states, 1, rng, buffer, ratings))
            else:
                n = legal(s, buffer)
                play(s, buffer[randbelow(rng, n)])
        scores(s, out)
        ahead, level = 0, 0
        for other in range(s.players):
            ahead += out[other] > out[seat]
            level += out[other] == out[seat]
        if ahead == 0:
            won += 1.0 / level
    return won
