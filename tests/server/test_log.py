"""The log is the truth: it comes back as it was written, makes the same table, and is there before anyone is told."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
from pathlib import Path
from typing import Any, get_args

import pytest

from kartoteka.engine.declare import Game
from kartoteka.server.rooms.log import Kept
from kartoteka.server.rooms.room import Room
from kartoteka.server.rooms.store import open_store
from kartoteka.server.table import events as ev
from kartoteka.server.table import messages as msg
from kartoteka.server.table.sheet import Sheet
from kartoteka.server.table.state import HUMAN
from kartoteka.server.table.tell import Reader, sheet_of
from tests.server.house import folded
from tests.server.sitting import GAMES, HIDDEN, OPEN, Sitting, run, settled, sitting

EXAMPLES: list[ev.TableEvent] = [
    ev.Opened("game", 3, {"a": True, "b": 7, "c": "x"}, 1, "host", True, 30, 60, True),
    ev.Sat(1, "visitor", "Ве́ра 🂡", "link"), ev.Shared(1, "other"),
    ev.Relinked(1, "other", "new"), ev.Left(2), ev.Replaced(2, "greedy", 1),
    ev.Returned(2), ev.Sealed("ab" * 32, fresh=True), ev.Nonce(1, "cd" * 16), ev.Dealt(2),
    ev.Moved(1, "As@2", "id", late=True), ev.Asked(1, 4), ev.Answered(2, yes=True), ev.TakenBack(4),
    ev.Ended(1, 2), ev.Recorded("0123"), ev.Spoke(0, "A spectator", "<&>\x00 “…”", "id"), ev.Muted(1, 0, on=True),
]  # fmt: skip


def test_every_event_comes_back_as_it_was_written() -> None:
    assert {type(event) for event in EXAMPLES} == set(get_args(ev.TableEvent))
    for event in EXAMPLES:
        assert ev.decode(ev.encode(event)) == event


def stored(folder: Path, code: str) -> list[tuple[float, ev.TableEvent]]:
    """Return a table's log as another connection reads it."""
    with contextlib.closing(sqlite3.connect(folder / "kartoteka.sqlite")) as database:
        rows = database.execute("SELECT at, body FROM events WHERE code = ? ORDER BY number", (code,)).fetchall()
    return [(at, ev.decode(body)) for at, body in rows]


@pytest.fixture
def followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[int, list[Sheet]]:
    """What every reader is told after each event; it is in the database by then."""
    told: dict[int, list[Sheet]] = {}
    tell = Room._tell

    def tell_what_is_stored(self: Room) -> None:
        log = stored(tmp_path, self.table.code)
        assert len(log) >= self.table.number
        told[self.table.number] = sheets_of(self.table)
        tell(self)

    monkeypatch.setattr(Room, "_tell", tell_what_is_stored)
    return told


def sheets_of(table: Any) -> list[Sheet]:
    """What each seat and a spectator are told; who is connected is not the log's."""
    readers = [Reader(seat, seat == 1) for seat in range(len(table.seats) + 1)]
    return [sheet_of(table, reader, lambda _seat: 0.0, 2e9) for reader in readers]


def as_told(folder: Path, there: Sitting, followed: dict[int, list[Sheet]]) -> None:
    """The log makes the same table at every event: going along, and at some events all at once."""
    log = stored(folder, there.table.code)
    assert len(log) == there.table.number
    along = folded(there.table.code, log[: min(followed) - 1])
    for number in range(min(followed), len(log) + 1):
        along.apply(log[number - 1][1], log[number - 1][0])
        if number in followed:
            assert sheets_of(along) == followed[number]
    for number in (len(log) // 2, len(log)):
        if number in followed:
            assert sheets_of(folded(there.table.code, log[:number])) == followed[number]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_the_log_of_a_game_makes_the_same_table(game: Game, tmp_path: Path, followed: dict[int, list[Sheet]]) -> None:
    async def scene() -> None:
        async with sitting(tmp_path, game.name, HUMAN, *["greedy"] * (game.usual - 1)) as there:
            await there.plays_out()
            as_told(tmp_path, there, followed)
            assert len(followed) > 10

    run(scene)


def test_the_log_of_an_eventful_evening_makes_the_same_table(
    tmp_path: Path, followed: dict[int, list[Sheet]]
) -> None:
    async def scene() -> None:
        async with sitting(tmp_path, OPEN, spectators_chat=True) as there:
            await there.moves(3)
            asker = f"p{3 - there.table.turn}"
            await there.does(asker, msg.AskBack())
            await there.does(there.mover, msg.AnswerBack(False))
            await there.does(asker, msg.AskBack())
            await there.does(there.mover, msg.AnswerBack(True))
            await there.room.share("phone", "link 1")
            await there.does("phone", msg.Say("a", "hello"))
            await there.does("phone", msg.NewLink())
            assert await there.room.share("p1", there.table.seats[0].link) == 1
            await there.does("w", msg.Say("a", "psst"))
            await there.does("p2", msg.Mute(0, True))
            there.room._pace = 1e6
            await there.does("p2", msg.Substitute(2))
            await there.does("p2", msg.Return())
            await there.plays_out()
            await there.begins()
            await there.moves(2)
            as_told(tmp_path, there, followed)
            kinds = {type(event) for _at, event in stored(tmp_path, there.table.code)}
            assert {ev.TakenBack, ev.Shared, ev.Spoke, ev.Muted, ev.Returned, ev.Recorded} <= kinds

    run(scene)


def test_an_append_that_fails_leaves_the_table_as_it_was_and_the_next_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def scene() -> None:
        async with sitting(tmp_path, HIDDEN) as there:
            before, sheets = there.table.number, sheets_of(there.table)
            secret = there.table.seals[-1].secret
            with monkeypatch.context() as failing:
                failing.setattr("kartoteka.server.rooms.store._insert", full)
                with pytest.raises(OSError, match="full"):
                    await there.ask(there.mover, there.next_move())
                there.room.settle_soon()
                await settled(there.room)
            assert (there.table.number, sheets_of(there.table)) == (before, sheets)
            await there.moves(2)
            assert there.table.number == before + 2
            assert len(stored(tmp_path, there.table.code)) == there.table.number
            assert secret not in caplog.text

    run(scene)


async def full(*_entry: object) -> None:
    raise OSError("the disk is full")


def test_a_fault_of_the_database_is_logged_without_what_it_was_about(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG", "kartoteka")

    async def scene() -> None:
        async with sitting(tmp_path, HIDDEN, begun=False) as there:
            assert there.table.sealed
            secret = there.table.sealed.secret
            with monkeypatch.context() as failing:
                failing.setattr("kartoteka.server.rooms.room.due", lambda *_table: 1 / 0 if secret else None)
                there.room.settle_soon()
                await settled(there.room)
            assert "ZeroDivisionError" in caplog.text
            with monkeypatch.context() as failing:  # a fault that quotes its row
                failing.setattr("kartoteka.server.rooms.store.encode", lambda _event: object())
                with pytest.raises(Exception, match="parameters hidden"):
                    await there.ask("p1", msg.Say("a", "a private word"))
            for word in (secret, "a private word", "link 1", "p1"):
                assert word not in caplog.text

    run(scene)


def test_one_tables_fault_is_not_anothers(tmp_path: Path) -> None:
    async def scene() -> None:
        store = await open_store(tmp_path)
        await store.append("A", 1, 1.0, EXAMPLES[:1], live=True)
        done = await asyncio.gather(
            store.append("A", 1, 1.0, EXAMPLES[:1], live=True),
            store.append("B", 1, 1.0, EXAMPLES[:2], live=True, record=Kept("r", "B", b"{}")),
            store.append("A", 2, 1.0, EXAMPLES[1:2], live=True),
            return_exceptions=True,
        )
        assert isinstance(done[0], Exception)
        assert not any(done[1:])
        assert [event for _at, event in await store.events("B")] == EXAMPLES[:2]
        assert [event for _at, event in await store.events("A")] == EXAMPLES[:2]
        assert await store.record("r")
        await store.close()

    run(scene)


def test_what_nobody_has_touched_for_long_is_forgotten(tmp_path: Path) -> None:
    async def scene() -> None:
        store, day = await open_store(tmp_path), 86_400.0
        for code, at, live in (("OVER", 1 * day, False), ("LIVE", 6 * day, True), ("DEAD", 1 * day, True),
                               ("NEW", 12 * day, False)):  # fmt: skip
            await store.append(code, 1, at, EXAMPLES[:2], live=live, record=Kept(f"of {code}", code, b"{}"))
        await store.keep(Kept("uploaded", "", b"{}", 2.0))
        assert sorted(await store.unused_since(10 * day)) == ["DEAD", "OVER"]
        await store.forget(["DEAD", "OVER"])
        for code, there in (("OVER", False), ("DEAD", False), ("LIVE", True), ("NEW", True)):
            assert bool(await store.events(code)) == there
            assert (code in await store.visited("visitor")) == there
            assert bool(await store.record(f"of {code}")) == (code == "NEW")
        assert await store.live() == ["LIVE"]
        assert not await store.record("uploaded")
        await store.close()

    run(scene)
