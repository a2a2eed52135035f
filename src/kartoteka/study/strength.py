"""How clearly a game's policy beats the random player."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import sqrt

import numpy as np

from kartoteka.core import chance
from kartoteka.core.loops import contest
from kartoteka.engine import registry
from kartoteka.engine.variant import Variant


@dataclass(frozen=True)
class Strength:
    """One greedy player against random ones, in every seat equally often.

    Attributes
    ----------
    deals : int
    won : float
        The share of deals it won, a shared deal counted in parts: 0 to 1.
    """

    players: int
    deals: int
    won: float

    @property
    def fair(self) -> float:
        """The share of a player no better than the others."""
        return 1 / self.players

    @property
    def error(self) -> float:
        """The standard error of the share."""
        return sqrt(max(self.won * (1 - self.won), 1 / self.deals) / self.deals)

    @property
    def clearly(self) -> float:
        """How many standard errors the share lies above the fair one."""
        return (self.won - self.fair) / self.error


def greedy_against_random(variant: Variant, deals: int, seed: object = "strength") -> Strength:
    """Play at least `deals` deals, as many in each seat."""
    variant.prepare()
    core = variant.core
    play = core.bind(contest)
    states, deck = core.blank(2), variant.pack()
    states[0] = variant.blank()[0]
    buffer, ratings = np.zeros(core.buffer, np.int32), np.zeros(core.buffer, np.int32)
    each = -(-deals // variant.players)
    rng, out = chance(seed, variant.game.name, variant.players), np.zeros(16)
    won = sum(play(states, each, rng, deck, buffer, ratings, seat, out) for seat in range(variant.players))
    return Strength(variant.players, each * variant.players, won / (each * variant.players))


def usual_variants() -> Iterator[Variant]:
    """Yield every game with its default options, for every number of players."""
    for game in registry.games().values():
        for players in game.players:
            yield Variant(game, players, game.settle({}))
