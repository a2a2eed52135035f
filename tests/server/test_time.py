"""Waits are measured by a clock that nobody can set, and that stands still while the server does."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from kartoteka.server.rooms.clock import PAUSE
from kartoteka.server.rooms.room import Room
from kartoteka.server.table import events as ev
from kartoteka.server.table import messages as msg
from kartoteka.server.table.due import CONSENT_WAIT
from kartoteka.server.table.state import HUMAN
from tests.server.sitting import OPEN, Clock, run, settled, sitting

HOUR = 3600.0


@pytest.mark.parametrize("jump", [-HOUR, HOUR])
def test_a_clock_that_is_set_changes_no_deadline_and_stalls_no_computer(
    jump: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock(monkeypatch)

    async def scene() -> None:
        async with sitting(tmp_path, OPEN, HUMAN, "greedy", per_move=30) as there:
            room = there.room
            while there.table.turn != 1:
                await clock.move(1, room)
            room._pace = 2.0
            await clock.set(jump, room)
            await clock.move(10, room)
            assert there.table.turn == 1, "nobody's time is up"
            assert 19_000 < room.timed(there.sheet("p1")).deadline <= 20_000
            await there.moves(1)
            assert there.table.turn == 2
            await clock.set(-jump, room)
            await clock.move(3, room)
            assert there.table.turn == 1, "the computer has moved"
            number = there.table.number
            await clock.move(29, room)
            assert there.table.number == number
            await clock.move(2, room)
            assert there.table.number > number, "and a person's time is up in its time"

    run(scene)


@pytest.mark.parametrize("jump", [-HOUR, HOUR])
def test_a_clock_that_is_set_does_not_keep_a_deal_waiting(
    jump: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock(monkeypatch)

    async def scene() -> None:
        async with sitting(tmp_path, OPEN, begun=False) as there:
            assert there.table.sealed
            await clock.set(jump, there.room)
            await clock.move(3, there.room)
            assert there.table.sealed
            await clock.move(2, there.room)
            assert there.table.turn

    run(scene)


def test_a_pause_of_the_server_is_nobodys_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch)

    async def scene() -> None:
        async with sitting(tmp_path, OPEN, per_move=30) as there:
            await clock.move(10, there.room)
            number, sheet = there.table.number, there.sheet(there.mover)
            with there.room.listening("w") as listener:
                await settled(there.room)
                listener.wake.clear()
                await clock.pause(60, there.room)
                assert there.table.number == number
                assert listener.wake.is_set()
            assert there.sheet(there.mover) is not sheet, "those who are here are told of the time they have"
            assert there.room.timed(there.sheet(there.mover)).deadline > 19_000
            await clock.move(19, there.room)
            assert there.table.number == number
            await clock.move(2, there.room)
            assert there.table.number == number + 1

    run(scene)


def test_a_pause_of_the_server_is_nobodys_absence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch)

    async def scene() -> None:
        async with sitting(tmp_path, OPEN, patience=60) as there:
            there.here.close()
            with there.room.listening("p1"):
                await clock.move(10, there.room)
                await clock.pause(HOUR, there.room)
                assert not there.sheet("p1").chairs[1].away
                await there.refuses("p1", msg.End())
                await clock.move(51, there.room)
                assert there.sheet("p1").gone == 2

    run(scene)


def test_what_is_slow_is_not_a_pause(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch)

    async def scene() -> None:
        async with sitting(tmp_path, OPEN, per_move=30) as there:
            number = there.table.number
            for _turn in range(int(30 / PAUSE) + 1):
                await clock.pause(PAUSE, there.room)
            assert there.table.number == number + 1

    run(scene)


def test_the_hall_looks_at_its_clock_all_the_while(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene() -> None:
        async with sitting(tmp_path, OPEN) as there:
            looked, now = asyncio.Event(), there.hall.clock.now

            def look() -> float:
                looked.set()
                return now()

            monkeypatch.setattr(there.hall.clock, "now", look)
            await looked.wait()

    run(scene)


def test_asking_to_take_back_stops_nobodys_clock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch)

    async def scene() -> None:
        async with sitting(tmp_path, OPEN, per_move=30) as there:
            await there.moves(2)
            await clock.move(20, there.room)
            number, mover = there.table.number, there.mover
            await there.does(mover, msg.AskBack())
            await clock.move(9, there.room)
            assert there.table.number == number + 1
            assert there.sheet(mover).asking
            await clock.move(2, there.room)
            assert there.table.number == number + 2
            assert not there.sheet(mover).asking
            made = (await there.hall.store.events(there.table.code))[-1][1]
            assert isinstance(made, ev.Moved)
            assert made.late

    run(scene)


def test_the_computer_waits_while_a_takeback_is_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch)

    async def scene() -> None:
        async with sitting(tmp_path, OPEN, per_move=300) as there:
            await there.moves(1)
            mover, other = there.table.turn, f"p{3 - there.table.turn}"
            there.room._pace = 2.0
            await there.does(other, msg.AskBack())
            there.table.seats[mover - 1].kind = "greedy"  # as one that came to play for a third person
            monkeypatch.setattr(there.table, "people", lambda: [1, 2])
            number = there.table.number
            await clock.move(CONSENT_WAIT - 1, there.room)
            assert there.table.number == number
            await clock.move(2, there.room)
            assert there.table.number > number

    run(scene)


def test_a_seat_given_to_the_computer_and_taken_back_has_the_time_it_had(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock(monkeypatch)

    async def scene() -> None:
        async with sitting(tmp_path, OPEN, per_move=30) as there:
            await there.moves(2)
            there.room._pace = 60.0
            await clock.move(20, there.room)
            number, mover = there.table.number, there.mover
            await there.does(mover, msg.Substitute(there.table.turn))
            await there.does(mover, msg.Return())
            assert there.room.timed(there.sheet(mover)).deadline <= 10_000
            await clock.move(11, there.room)
            assert there.table.number == number + 3

    run(scene)


def test_after_a_restart_a_turn_begins_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch)

    async def scene() -> None:
        async with sitting(tmp_path, OPEN, per_move=30) as there:
            await clock.move(29, there.room)
            await there.hall._put_away(there.table.code)
            clock._now = 5.0  # another start of the machine
            await clock.set(HOUR, there.room)
            room = await there.hall.room(there.table.code)
            assert isinstance(room, Room)
            assert 29_000 < room.timed(room.sheet("p1")).deadline <= 30_000

    run(scene)
