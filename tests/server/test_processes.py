"""Any log and any news will do: what rooms want of them, and one table played through two processes."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

from kartoteka import players
from kartoteka.engine import record
from kartoteka.server.rooms.hall import Hall
from kartoteka.server.rooms.log import Kept, Log, Overtaken
from kartoteka.server.rooms.news import GONE, OneProcess
from kartoteka.server.rooms.room import Room
from kartoteka.server.rooms.store import open_store
from kartoteka.server.settings import Settings
from kartoteka.server.table import events as ev
from kartoteka.server.table import messages as msg
from kartoteka.server.table.state import HUMAN
from tests.server.memory import MemoryLog
from tests.server.sitting import OPEN, run, settled
from tests.server.test_log import EXAMPLES

Opening = Callable[[Path], Awaitable[Log]]
_in_memory: dict[Path, MemoryLog] = {}


async def in_memory(folder: Path) -> Log:
    """The one log in memory that belongs to a folder."""
    return _in_memory.setdefault(folder, MemoryLog())


@pytest.fixture(params=[open_store, in_memory], ids=["sqlite", "memory"])
def opening(request: pytest.FixtureRequest) -> Opening:
    """How a log is opened; several that are opened on one folder are one log."""
    way: Opening = request.param
    return way


# --- what is wanted of a log ---------------------------------------------------------------------------------


def test_a_log_gives_back_what_was_appended_from_any_number_on(opening: Opening, tmp_path: Path) -> None:
    async def scene() -> None:
        log, another = await opening(tmp_path), await opening(tmp_path)
        await log.append("A", 1, 1.0, EXAMPLES[:3], live=True)
        await another.append("A", 4, 2.0, EXAMPLES[3:], live=False, record=Kept("r", "A", b"{}"))
        times = [1.0] * 3 + [2.0] * (len(EXAMPLES) - 3)
        for since in (0, 2, 3, len(EXAMPLES), 99):
            assert await log.events("A", since) == list(zip(times, EXAMPLES, strict=True))[since:]
        assert await log.events("B") == []
        assert await another.record("r") == Kept("r", "A", b"{}", 2.0)
        assert await another.record("s") is None
        for one in (log, another):
            await one.close()

    run(scene)


def test_of_two_who_append_the_same_number_one_is_overtaken(opening: Opening, tmp_path: Path) -> None:
    async def scene() -> None:
        log, another = await opening(tmp_path), await opening(tmp_path)
        await log.append("A", 1, 1.0, EXAMPLES[:2], live=True)
        done = await asyncio.gather(
            *(one.append("A", 3, 2.0, EXAMPLES[2:4], live=True) for one in (log, another)), return_exceptions=True
        )
        assert {type(answer) for answer in done} == {type(None), Overtaken}
        for number in (1, 2, 3, 4):
            with pytest.raises(Overtaken):
                await log.append("A", number, 3.0, EXAMPLES[4:], live=False, record=Kept("r", "A", b"{}"))
        assert [event for _at, event in await another.events("A")] == EXAMPLES[:4]
        assert await another.record("r") is None, "all or nothing"
        assert await another.live() == ["A"]
        for one in (log, another):
            await one.close()

    run(scene)


def test_a_log_knows_its_tables_and_records(opening: Opening, tmp_path: Path) -> None:
    async def scene() -> None:
        log, day = await opening(tmp_path), 86_400.0
        for code, at, live in (("OVER", 1 * day, False), ("LIVE", 6 * day, True), ("DEAD", 1.5 * day, True),
                               ("NEW", 12 * day, False)):  # fmt: skip
            await log.append(code, 1, at, EXAMPLES[:2], live=live, record=Kept(f"of {code}", code, b"{}"))
        await log.keep(Kept("uploaded", "", b"{}", 2.0))
        await log.keep(Kept("uploaded", "", b"{}", 3.0))
        assert await log.record("uploaded") == Kept("uploaded", "", b"{}", 3.0)
        assert await log.live() == ["LIVE", "DEAD"]
        assert await log.visited("visitor") == ["NEW", "LIVE", "DEAD", "OVER"]
        assert await log.visited("visitor", limit=1) == ["NEW"]
        assert await log.visited("nobody") == []
        assert [kept.id for kept in await log.records_of(["OVER", "NEW"])] == ["of NEW", "of OVER"]
        assert sorted(await log.unused_since(10 * day)) == ["DEAD", "OVER"]
        await log.forget(["DEAD", "OVER"])
        await log.forget(["NEW"], records=False)
        assert await log.live() == ["LIVE"]
        assert await log.visited("visitor") == ["LIVE"]
        assert await log.events("DEAD") == []
        assert [kept.id for kept in await log.records_of(["OVER", "LIVE", "NEW"])] == ["of NEW"]
        await log.close()

    run(scene)


def test_news_reach_those_who_hear_of_a_table_until_they_end_it() -> None:
    async def scene() -> None:
        news = OneProcess()
        heard: list[tuple[str, int]] = []
        ends = [
            news.subscribe(code, lambda number, name=name: heard.append((name, number)))  # type: ignore[misc]
            for name, code in (("a", "A"), ("b", "B"), ("also a", "A"))
        ]
        await news.publish("A", 1)
        await news.publish("C", 1)
        assert heard == [("a", 1), ("also a", 1)]
        ends[0]()
        ends[0]()
        await news.publish("A", 2)
        assert heard[2:] == [("also a", 2)]

    run(scene)


# --- one table, two processes --------------------------------------------------------------------------------


@contextlib.asynccontextmanager
async def two_halls(opening: Opening, folder: Path) -> AsyncIterator[tuple[Room, Room, Hall, Hall]]:
    """One table for two, in two halls on one log and one news: ``p1`` comes to the first, ``p2`` to the other."""
    news = OneProcess()
    halls = [Hall(Settings(folder, pace=0), await opening(folder), news) for _process in range(2)]
    try:
        opened = ev.Opened(OPEN, 2, {}, 1, "p1")
        here = await halls[0].open(opened, [ev.Sat(k, f"p{k}", f"Name {k}", f"link {k}") for k in (1, 2)])
        there = await halls[1].room(here.table.code)
        assert there
        assert there is not here
        yield here, there, halls[0], halls[1]
    finally:
        for hall in halls:
            await hall.stop()


async def both_settled(*rooms: Room) -> None:
    while any(room._tasks for room in rooms):
        for room in rooms:
            await settled(room)


async def begun(here: Room, there: Room) -> None:
    """Let the first deal begin: each person adds a nonce through their own process."""
    await both_settled(here, there)
    for who, room in (("p1", here), ("p2", there)):
        seal = room.sheet(who).seal
        if here.table.phase == "sealing" and seal:
            await room.ask(who, msg.AddNonce(seal.commitment, "ab" * 16))
            await both_settled(here, there)
    assert here.table.phase == there.table.phase == "playing"


def good_move(room: Room, id: str) -> msg.Play:
    assert room.table.match
    return msg.Play(id, room.table.number, str(players.move_of(room.table.match, "greedy")))


def test_two_people_play_a_game_through_two_processes(opening: Opening, tmp_path: Path) -> None:
    async def scene() -> None:
        async with two_halls(opening, tmp_path) as (here, there, _first, second):
            with here.listening("p1") as one, there.listening("p2") as two:
                await begun(here, there)
                count = 0
                while here.table.turn:
                    mover, count = here.table.turn, count + 1
                    room, listener = ((here, two), (there, one))[mover - 1]
                    listener.wake.clear()
                    done = await room.ask(f"p{mover}", good_move(room, f"m{count}"))
                    assert isinstance(done, msg.Done)
                    await both_settled(here, there)
                    assert listener.wake.is_set(), "whoever listens in the other process is woken"
                    assert here.table.number == there.table.number
                    assert here.sheet("w").view == there.sheet("w").view
                assert here.sheet("w").log == there.sheet("w").log
                assert here.table.phase == there.table.phase == "over"
                assert here.table.record_id == there.table.record_id != ""
                kept = await second.store.record(there.table.record_id)
                assert kept
                record.check(record.read(kept.body))

    run(scene)


def test_whoever_loses_a_race_catches_up_and_is_answered_by_the_table_as_it_is(
    opening: Opening, tmp_path: Path
) -> None:
    async def scene() -> None:
        async with two_halls(opening, tmp_path) as (here, there, *_halls):
            with here.listening("p1"), there.listening("p2"):
                await begun(here, there)
                move, mover = good_move(here, "once"), f"p{here.table.turn}"
                said = [room.ask("p2", msg.Say(f"s{k}", f"word {k}")) for k, room in enumerate((here, there))]
                for answer in await asyncio.gather(*said):
                    assert isinstance(answer, msg.Done), "what can be done after the other is done after it"
                twice = await asyncio.gather(here.ask(mover, move), there.ask(mover, move))
                assert isinstance(twice[0], msg.Done)
                assert twice[0] == twice[1], "one message by two ways is one move"
                await both_settled(here, there)
                position = here.table.position
                assert position
                assert position.ply == 1
                late = [r.ask(f"p{r.table.turn}", good_move(r, f"way {k}")) for k, r in enumerate((here, there))]
                kinds = {type(answer) for answer in await asyncio.gather(*late)}
                assert kinds == {msg.Done, msg.Refused}, "two messages for one turn are one move"
                assert not here.closed
                assert not there.closed
                await both_settled(here, there)
                assert here.table.number == there.table.number

    run(scene)


def test_news_that_were_lost_are_caught_up_by_the_next_that_is_asked(opening: Opening, tmp_path: Path) -> None:
    async def scene() -> None:
        async with two_halls(opening, tmp_path) as (here, there, *_halls):
            there._unsubscribe()
            await here.ask("p1", msg.Say("a", "hello"))
            assert there.table.number < here.table.number
            assert isinstance(await there.ask("p2", msg.Say("b", "hello too")), msg.Done)
            assert [remark.text for remark in there.sheet("p2").chat] == ["hello", "hello too"]
            await both_settled(here, there)
            assert here.sheet("w").chat == there.sheet("w").chat

    run(scene)


def test_a_table_deleted_in_one_process_is_gone_in_the_other(opening: Opening, tmp_path: Path) -> None:
    async def scene() -> None:
        async with two_halls(opening, tmp_path) as (here, there, first, second):
            with there.listening("p2") as listener:
                listener.wake.clear()
                await first.forget(here.table.code)
                assert there.closed
                assert listener.wake.is_set()
            assert isinstance(await there.ask("p2", msg.Say("a", "hello")), msg.Refused)
            assert await second.room(here.table.code) is None
            assert GONE == 0

    run(scene)


def test_a_seat_taken_in_one_process_is_taken_in_the_other(opening: Opening, tmp_path: Path) -> None:
    async def scene() -> None:
        async with two_halls(opening, tmp_path) as (_here, _there, first, second):
            here = await first.open(ev.Opened(OPEN, 2, {}, 1, "p1"), [ev.Sat(1, "p1", "Name 1", "link")])
            there = await second.room(here.table.code)
            assert there
            took = await asyncio.gather(here.sit("a", "A"), there.sit("b", "B"), return_exceptions=True)
            assert sorted(str(answer) for answer in took)[0] == "2"
            assert sum(isinstance(answer, Exception) for answer in took) == 1
            await both_settled(here, there)
            assert there.table.seats[1].kind == HUMAN
            assert there.table.names == here.table.names

    run(scene)
