"""Shuffles at the table: fixed before anyone adds to them, opened at the end, and then to be verified by anyone."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from kartoteka.engine import record as records
from kartoteka.engine.verifying import verify_shuffles
from kartoteka.server.table import messages as msg
from kartoteka.server.table.due import NONCE_WAIT
from kartoteka.server.table.state import HUMAN
from tests.server.sitting import HIDDEN, POINTS, Clock, Sitting, run, settled, sitting


def published(there: Sitting, who: str = "w") -> tuple[str, dict[int, str], str]:
    """Return commitment, nonces and secret as somebody is told them."""
    seal = there.sheet(who).seal
    assert seal
    return seal.commitment, dict(seal.nonces), seal.secret


def test_the_secret_is_fixed_before_anyone_adds_to_it_and_told_at_the_end(tmp_path: Path) -> None:
    async def scene() -> None:
        async with sitting(tmp_path, HIDDEN, begun=False) as there:
            assert there.sheet("p1").phase == "sealing"
            fixed, nonces, secret = published(there)
            assert (len(fixed), nonces, secret) == (64, {}, "")
            await there.does("p1", msg.AddNonce(fixed, "01" * 16))
            assert there.sheet("w").phase == "sealing"
            assert published(there, "p1")[1] == {1: "01" * 16}
            assert published(there, "p2")[1] == published(there)[1] == {1: ""}  # or one could choose one's own by it
            await there.refuses("w", msg.AddNonce(fixed, "33" * 16))
            await there.refuses("p2", msg.AddNonce("0" * 64, "02" * 16))
            await there.does("p1", msg.AddNonce(fixed, "44" * 16))
            await there.does("p2", msg.AddNonce(fixed, "02" * 16))
            assert published(there) == (fixed, {1: "01" * 16, 2: "02" * 16}, "")
            assert there.sheet("w").phase == "playing"
            await there.refuses("p1", msg.AddNonce(fixed, "44" * 16))
            while there.table.turn:
                assert not any(published(there, who)[2] for who in ("p1", "p2", "w"))
                await there.moves()
            _fixed, nonces, secret = published(there)
            assert hashlib.sha256(bytes.fromhex(secret)).hexdigest() == fixed
            kept = await there.hall.store.record(there.sheet("w").record)
            assert kept
            _verified(kept.body, nonces)

    run(scene)


def _verified(body: bytes, nonces: dict[int, str]) -> None:
    """The record's seal holds, and breaks with whatever of it is changed."""
    record = records.read(body)
    assert record.deals[0].seal
    assert dict(record.deals[0].seal.nonces) == nonces
    assert [verdict.finding for verdict in verify_shuffles(record)] == ["good"]
    plain = json.loads(body)
    for path in (["seal", "secret"], ["seal", "commitment"], ["seal", "nonces", 0, 1], ["deck"]):
        other = json.loads(json.dumps(plain))
        *inner, last = path
        at = other["deals"][0]
        for step in inner:
            at = at[step]
        at[last] = at[last][::-1]
        changed = records.read(json.dumps(other))
        assert [verdict.finding for verdict in verify_shuffles(changed)] == ["wrong"], path


def test_a_deal_waits_only_so_long_for_a_nonce(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch)

    async def scene() -> None:
        async with sitting(tmp_path, HIDDEN, begun=False) as there:
            fixed = published(there)[0]
            await there.does("p1", msg.AddNonce(fixed, "01" * 16))
            await clock.move(NONCE_WAIT - 1, there.room)
            await settled(there.room)
            assert there.sheet("w").phase == "sealing"
            await clock.move(2, there.room)
            await settled(there.room)
            assert there.sheet("w").phase == "playing"
            assert published(there)[1] == {1: "01" * 16}

    run(scene)


def test_each_deal_of_a_match_has_its_own_secret_and_each_is_told_when_its_deal_is_over(tmp_path: Path) -> None:
    async def scene() -> None:
        async with sitting(tmp_path, POINTS, HUMAN, "greedy", options={"target": 60}) as there:
            told = []
            while not there.table.record_id:
                await there.plays_out()
                told.append(published(there))
                assert told[-1][2]
                if there.table.phase == "between":
                    await there.begins()
                    assert not published(there)[2]
            kept = await there.hall.store.record(there.table.record_id)
            assert kept
            record = records.read(kept.body)
            assert [verdict.finding for verdict in verify_shuffles(record)] == ["good"] * len(record.deals)
            assert len({secret for _fixed, _nonces, secret in told}) == len(record.deals) > 1

    run(scene)
