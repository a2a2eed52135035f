"""The first start: tables are played in plain Python at once, and change over when machine code has been made."""

from __future__ import annotations

import asyncio
import functools
import shutil
import sys
import threading
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import pytest

from kartoteka.core import Core
from kartoteka.core.machine import MachineCore
from kartoteka.engine import record, variant, workshop
from kartoteka.engine.declare import Game
from kartoteka.engine.match import Match
from kartoteka.engine.variant import Variant, usual
from kartoteka.engine.workshop import Workshop
from kartoteka.players import move_of, play_out
from kartoteka.server.rooms.hall import Hall
from kartoteka.server.rooms.opening import open_hall
from kartoteka.server.settings import Settings
from kartoteka.server.table import events as ev
from kartoteka.server.table.due import OPENING_PACE, due
from kartoteka.server.table.state import Table
from kartoteka.server.web.replays import _sample
from tests.server.sitting import GAMES, Sitting, run, settled
from tests.waits import HANGS


class Making:
    """Stands in for the compiler's process: it takes until `done` is set, and then what was made lies on disk."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.begun, self.done = threading.Event(), threading.Event()
        self.at_once, self.most = 0, 0

    def make(self, shop: Workshop, game: Game) -> None:
        """Make machine code of a game, as `Workshop._make` does."""
        self.asked.append(game.name)
        self.at_once += 1
        self.most = max(self.most, self.at_once)
        self.begun.set()
        while not self.done.wait(0.01) and not shop._stopped:
            pass
        if not shop._stopped:
            shutil.copytree(MADE[game], variant.machine_core(game).folder, dirs_exist_ok=True)
        self.at_once -= 1


MADE: dict[Game, Path] = {}


@pytest.fixture
def making(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Making]:
    """Nothing is compiled yet on this machine, and compiling takes as long as the test likes."""
    for game in GAMES:
        usual(game).prepare()
        MADE[game] = variant.machine_core(game).folder

    @functools.cache
    def fresh(game: Game) -> MachineCore:
        return MachineCore(game.module("rules"), game.module("policy"))

    monkeypatch.setenv("KARTOTEKA_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(variant, "_IN_FORCE", {})
    monkeypatch.setattr(variant, "plain_core", lambda game: Core(game.module("rules"), game.module("policy")))
    for module in (variant, workshop):
        monkeypatch.setattr(module, "machine_core", fresh)
    making = Making()
    monkeypatch.setattr(Workshop, "_make", lambda shop, game: making.make(shop, game))
    yield making
    making.done.set()


async def _until(holds: Callable[[], object]) -> None:
    async with asyncio.timeout(HANGS):
        while not holds():
            await asyncio.sleep(0.01)


def _hall(scene: Callable[[Hall], Awaitable[None]], folder: Path, done: threading.Event) -> None:
    async def played() -> None:
        hall = await open_hall(Settings(folder, pace=0))
        hall.start()
        try:
            await scene(hall)
        finally:
            done.set()
            await hall.stop()

    run(played)


async def _open(hall: Hall, game: Game) -> Sitting:
    seats: list[ev.TableEvent] = [
        ev.Sat(1, "p1", "Name 1", "link 1"),
        *(ev.Replaced(k, "greedy") for k in range(2, game.usual + 1)),
    ]
    room = await hall.open(ev.Opened(game.name, game.usual, {}, 1, "p1"), seats)
    there = Sitting(hall, room)
    there.here.enter_context(room.listening("p1"))
    await settled(room)
    return there


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_a_table_is_played_before_anything_is_compiled_and_changes_over(
    game: Game, making: Making, tmp_path: Path
) -> None:
    async def scene(hall: Hall) -> None:
        there = await _open(hall, game)
        await there.begins()
        await _until(lambda: there.table.turn == 1 or there.table.phase != "playing")
        assert there.sheet("p1").choices
        await there.moves(2)
        assert not there.table.variant.core.loaded
        making.done.set()
        await _until(lambda: there.table.variant.core.loaded)
        await there.plays_out()
        assert there.table.match
        played = there.table.match.position
        moves = [event.move for event in played.history]
        assert played.variant.replay(played.dealer, played.deck or (), moves, played.shuffles) == played

    _hall(scene, tmp_path, making.done)


def test_a_table_that_was_in_play_goes_on_after_a_restart_at_once(making: Making, tmp_path: Path) -> None:
    game = GAMES[0]
    code, number = [""], [0]

    async def first(hall: Hall) -> None:
        there = await _open(hall, game)
        await there.begins()
        await there.moves(1)
        code[0], number[0] = there.table.code, there.table.number

    async def second(hall: Hall) -> None:
        room = await hall.room(code[0])
        assert room
        there = Sitting(hall, room, ids=100)  # those of before are known as carried out
        with room.listening("p1"):
            await _until(lambda: room.table.turn == 1 or room.table.phase != "playing")
            await there.moves(1)
            assert room.table.number > number[0]
            assert not room.table.variant.core.loaded

    _hall(first, tmp_path, threading.Event())
    _hall(second, tmp_path, making.done)


def test_the_game_just_opened_comes_next_and_one_at_a_time(making: Making) -> None:
    games = GAMES
    shop = Workshop()
    shop.want(*games)
    assert making.begun.wait(HANGS)
    shop.want(games[-2])
    shop.want(games[-1])
    making.done.set()
    while not all(usual(game).prepared for game in games):
        assert shop._thread.is_alive()
        shop._thread.join(0.01)
    assert making.asked == [game.name for game in (games[0], games[-1], games[-2], *games[1:-2])]
    assert making.most == 1
    shop.want(*games)
    shop.stop()
    assert len(making.asked) == len(games)
    assert not shop._thread.is_alive()


def test_what_is_on_disk_is_loaded_before_anything_is_compiled(making: Making) -> None:
    games = GAMES
    shutil.copytree(MADE[games[-1]], variant.machine_core(games[-1]).folder, dirs_exist_ok=True)
    shop = Workshop()
    shop.want(*games)
    assert making.begun.wait(HANGS)
    assert usual(games[-1]).prepared
    assert making.asked == [games[0].name]
    making.done.set()
    shop.stop()


def test_a_compiler_that_fails_is_told_of_and_play_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fails = tmp_path / "python"
    fails.write_text("#!/bin/sh\necho 'no room' >&2\nexit 3\n")
    fails.chmod(0o755)
    game = GAMES[0]
    failed: list[tuple[Game, Exception]] = []
    monkeypatch.setenv("KARTOTEKA_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(sys, "executable", str(fails))
    monkeypatch.setattr(variant, "_IN_FORCE", {game: Core(game.module("rules"), game.module("policy"))})
    fresh = MachineCore(game.module("rules"), game.module("policy"))
    for module in (variant, workshop):
        monkeypatch.setattr(module, "machine_core", lambda game: fresh)
    told = threading.Event()

    def note(game: Game, error: Exception) -> None:
        failed.append((game, error))
        told.set()

    shop = Workshop(note)
    shop.want(game)
    assert told.wait(HANGS)
    shop.stop()
    assert [(game, str(error)) for game, error in failed] == [(game, "no room\n")]
    assert not usual(game).prepared
    position = usual(game).deal(seed=1)
    position.push(position.moves[0])


def test_compiling_lets_everything_else_go_first(monkeypatch: pytest.MonkeyPatch) -> None:
    nice: list[int] = []
    monkeypatch.setattr("os.nice", nice.append, raising=False)
    workshop.main(GAMES[0].name)
    assert nice == [workshop.LOWEST]


def test_the_computer_hurries_until_a_person_has_moved() -> None:
    game = GAMES[0]
    table = Table("code")
    events: list[ev.TableEvent] = [
        ev.Opened(game.name, game.usual, {}, 1, "p1"),
        ev.Sat(1, "p1", "Name", "link"),
        *(ev.Replaced(k, "greedy") for k in range(2, game.usual + 1)),
        ev.Sealed("00" * 32, fresh=True),
        ev.Dealt(1),
    ]
    for event in events:
        table.apply(event, 0.0)

    def wait() -> float | None:
        return due(table, lambda seat: 0.0, table.turned, 60.0).wait

    while table.turn != 1:
        assert wait() == OPENING_PACE
        assert due(table, lambda seat: 0.0, table.turned, 0.1).wait == 0.1
        for event in due(table, lambda seat: 0.0, table.turned + OPENING_PACE, 60.0).events:
            table.apply(event, 0.0)
    while table.turn == 1:
        assert table.match
        table.apply(ev.Moved(1, str(move_of(table.match, "greedy"))), 0.0)
    assert wait() == 60.0


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_a_sample_is_the_shortest_of_many_games(game: Game) -> None:
    """So it can be played at once, also before anything is compiled."""
    variant = Variant(game, min(game.players), game.settle({}))
    played = [play_out(Match(variant, f"sample/{k}"), ["greedy"] * variant.players) for k in range(40)]
    plies = [sum(position.ply for position in match.positions) for match in played]
    assert game.sample == plies.index(min(plies))
    shown = record.read(_sample(game)).deals
    assert [list(deal.moves) for deal in shown] == [[str(e.move) for e in played[game.sample].positions[0].history]]
