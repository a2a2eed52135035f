"""The compiled rules against slow models written from the clauses alone: ply by ply the same."""

from __future__ import annotations

from typing import Any

import pytest

from kartoteka.core import chance
from kartoteka.engine.variant import Variant
from tests.cases import PICKERS, VARIANTS, name_of


@pytest.mark.parametrize("variant", VARIANTS, ids=name_of)
@pytest.mark.parametrize("picker", PICKERS)
def test_the_rules_agree_with_the_reference_model(variant: Variant, picker: str) -> None:
    module: Any = pytest.importorskip(f"tests.reference.{variant.game.name}", reason="no reference model")
    position = variant.deal(seed=f"reference {picker}")
    model = module.Model(variant.players, dict(variant.options), list(position.deck or ()), position.dealer)
    rng = chance("reference", picker)
    shuffles = 0
    longest = 400 if variant.options != variant.game.settle({}) else variant.max_plies  # the models are slow
    while not position.over and position.ply < longest:
        assert not model.over
        assert model.seat == position.turn
        assert set(map(str, position.moves)) == model.legal()
        move = PICKERS[picker](position, rng)
        position.push(move)
        model.play(str(move))
        if len(position.shuffles) > shuffles:
            order = position.shuffles[shuffles]
            shuffles += 1
            assert sorted(order) == sorted(model.to_shuffle)
            model.reshuffle(list(order))
    if not position.over:
        return
    assert model.over
    assert list(position.scores) == list(model.scores())
