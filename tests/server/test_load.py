"""The load benchmark: what it measures, and against what."""

from __future__ import annotations

from kartoteka.study.load import measure


def test_the_cost_of_a_move_is_told_in_echoes_of_the_same_run() -> None:
    load = measure(tables=1, rate=50, seconds=1)
    assert load.moves > 0
    assert load.full_per_s > 0
    assert load.echoes_per_s > 0
    assert load.echoes_a_move == load.echoes_per_s / load.full_per_s


def test_as_fast_as_answered_is_the_only_pace_at_a_rate_of_nothing() -> None:
    load = measure(tables=1, rate=0, seconds=1)
    assert load.full_per_s == load.moves_per_s > 0
