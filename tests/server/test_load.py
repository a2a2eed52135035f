"""The load benchmark: what it measures, and against what."""

from __future__ import annotations

import sys

import pytest

from kartoteka.study import attack
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


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere one address of the loopback network is all there is")
def test_attacks_are_let_in_within_limits_and_refuse_no_player(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, few in (("LOOKERS", 2), ("PLIES", 4), ("STREAMS", 3), ("SILENT", 230)):
        monkeypatch.setattr(attack, name, few)
    sieges = attack.besieged(tables=1, rate=20, seconds=3)
    assert [siege.attack for siege in sieges] == list(attack.ATTACKS)
    assert all(siege.moves and not siege.refused for siege in sieges)
    assert [bool(siege.tried and siege.done) for siege in sieges] == [False, True, True, True]
    assert sieges[-1].done < sieges[-1].tried  # no address holds so many
