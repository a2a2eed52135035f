"""The greedy player beats the random one clearly, in every game and by every number of players."""

from __future__ import annotations

import pytest

from kartoteka.engine.variant import Variant
from kartoteka.study.strength import greedy_against_random, usual_variants
from tests.cases import name_of


@pytest.mark.parametrize("variant", list(usual_variants()), ids=name_of)
def test_greedy_beats_random_clearly(variant: Variant) -> None:
    found = greedy_against_random(variant, 600)
    print(f"{name_of(variant)}: greedy won {found.won:.1%} of {found.deals} deals, a fair share is {found.fair:.1%}")
    assert found.clearly > 4
