"""Prints what a game's compiled functions did in some deals of every variant: ``python -m tests.digest GAME``.

Run compiled, as plain Python and with bounds checked, it must print the same (`test_same_everywhere`).
"""

from __future__ import annotations

import hashlib
import sys

import numpy as np

import kartoteka
from kartoteka.engine.variant import Variant
from tests.cases import VARIANTS, name_of, plies


def digest(variant: Variant, picker: str) -> str:
    """Return a digest of a deal: its states, masks, ratings, hidden cards, and redealt states now and then."""
    summed = hashlib.sha256()
    rate = variant.core.bind(variant.game.policy.rate)
    for position, _move in plies(variant, "digest", picker):
        summed.update(position.to_bytes())
        if position.ply % 25 == 3:
            moves = position.moves.numbers
            ratings = np.zeros(len(moves), np.int32)
            rate(position.state, moves, len(moves), ratings)
            summed.update(position.mask.tobytes() + ratings.tobytes())
            for seat in range(variant.players + 1):
                summed.update(repr(position.hidden(seat)).encode() + position.redeal(seat, seed=1).to_bytes())
    summed.update(repr((position.ply, position.scores, position.shuffles)).encode())
    return summed.hexdigest()


def main(game: str) -> None:
    """Print a line for each variant and way of play."""
    kartoteka.game(game).prepare()
    for variant in VARIANTS:
        few = variant.players in (min(variant.game.players), max(variant.game.players))
        if variant.game.name == game and few:
            print(name_of(variant), *(digest(variant, picker) for picker in ("lazy", "greedy")))


if __name__ == "__main__":
    main(sys.argv[1])
