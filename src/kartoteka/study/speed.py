"""How fast the compiled games are."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from kartoteka.core import chance
from kartoteka.core.loops import copies, playouts
from kartoteka.engine.variant import Variant
from kartoteka.players import play_random

ANCHORS = ("crazy_eights", "hearts", "gin_rummy")
"""OpenSpiel's games that are measured beside ours."""


@dataclass(frozen=True)
class Speed:
    """One game's figures on one core.

    Attributes
    ----------
    moves_per_s, games_per_s : float
        Random play inside the compiled core.
    copy_ns : float
        Nanoseconds to copy a state.
    state_bytes : int
    legal_moves : float
        How many moves were legal on average.
    position_us : float
        Microseconds for one `Position.play` and the list of moves after it, from Python.
    """

    moves_per_s: float
    games_per_s: float
    copy_ns: float
    state_bytes: int
    legal_moves: float
    position_us: float


def _timed(work: Callable[[int], int], seconds: float) -> tuple[float, int, float]:
    """Repeat `work`, in growing portions, for about `seconds`; return its sum, portions and the seconds taken."""
    total, units, portion, start = 0, 0, 1, time.perf_counter()
    taken = 0.0
    while not units or taken < seconds:
        total += work(portion)
        units += portion
        taken = time.perf_counter() - start
        portion = min(2 * portion, 1 << 16) if taken < seconds / 4 else portion
    return total, units, time.perf_counter() - start


def measure(variant: Variant, seconds: float = 2.0) -> Speed:
    """Measure a game for about `seconds` a figure."""
    variant.prepare()
    core = variant.core
    states, deck = core.blank(9), variant.pack()
    states[:] = variant.blank()[0]
    rng, buffer = chance("speed"), np.zeros(core.buffer, np.int32)
    random_games, copying = core.bind(playouts), core.bind(copies)
    random_games(states, 1, rng, deck, buffer)  # compiled now, if they ever are
    copying(states, 1)
    moves, games, taken = _timed(lambda k: random_games(states, k, rng, deck, buffer), seconds)

    def copy(k: int) -> int:
        copying(states, 1000 * k)
        return 1000 * k

    copied, _portions, spent = _timed(copy, seconds / 4)
    legal, position_us = _from_python(variant, seconds / 2)
    return Speed(moves / taken, games / taken, 1e9 * spent / copied, core.dtype.itemsize, legal, position_us)


def _from_python(variant: Variant, seconds: float) -> tuple[float, float]:
    """Return the mean number of legal moves, and microseconds for one play and the moves after it."""
    rng = chance("speed", "python")
    spent, plies, legal, deal, end = 0.0, 0, 0, 0, time.perf_counter() + seconds
    while not plies or time.perf_counter() < end:
        position = variant.deal(seed=deal)
        deal += 1
        while not position.over:
            move = play_random(position, rng)
            start = time.perf_counter()
            position.play(move)
            legal += len(position.moves)
            spent += time.perf_counter() - start
            plies += 1
    return legal / plies, 1e6 * spent / plies


def anchors(seconds: float = 2.0) -> dict[str, float]:
    """Return moves/s of OpenSpiel's games under random play driven from Python; nothing where it is not installed."""
    try:
        import pyspiel
    except ImportError:
        return {}
    rng = np.random.default_rng(0)
    rates = {}
    for name in ANCHORS:
        game = pyspiel.load_game(name)
        moves, start = 0, time.perf_counter()
        while time.perf_counter() - start < seconds:
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    outcomes = state.chance_outcomes()
                    state.apply_action(outcomes[int(rng.random() * len(outcomes))][0])
                else:
                    legal = state.legal_actions()
                    state.apply_action(legal[int(rng.random() * len(legal))])
                    moves += 1
        rates[name] = moves / (time.perf_counter() - start)
    return rates
