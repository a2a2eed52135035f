"""A server killed at any moment loses no move that it has acknowledged, and all tables go on by themselves."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import re
import secrets
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2
import msgspec

from kartoteka.engine import record, registry
from kartoteka.engine.verifying import verify_shuffles
from kartoteka.server.rooms.store import open_store
from kartoteka.server.table import events as ev
from kartoteka.server.table import messages as msg
from kartoteka.server.table.sheet import Sheet
from tests.server.house import folded
from tests.waits import HANGS

KILLS = 3
GAME = next(game.name for game in registry.games().values() if not game.finished and 2 in game.players)


def _command(folder: Path, first: str = "") -> list[str]:
    words = ["serve", "--port", "0", "--data", str(folder), "--pace", "0", "--no-limits"]
    return [sys.executable, "-c", f"{first}from kartoteka.terminal.main import main; main({words!r})"]


class Process:
    """A server as ``kartoteka serve`` starts it."""

    def __init__(self, folder: Path, first: str = "") -> None:
        self._process = subprocess.Popen(
            _command(folder, first), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env={**os.environ, "KARTOTEKA_LANGUAGE": "en"},
        )  # fmt: skip
        assert self._process.stdout
        said = self._process.stdout.readline()
        found = re.search(r"http://\S+", said)
        assert found, said + self._process.communicate(timeout=HANGS)[1]
        self.http = httpx2.Client(base_url=found[0], timeout=HANGS)
        self.pid = self._process.pid

    def kill(self) -> None:
        """End the server as if the power failed."""
        self._process.kill()

    def left(self) -> str:
        """Return what the dead server wrote to stderr."""
        self.http.close()
        return self._process.communicate(timeout=HANGS)[1]


@contextlib.contextmanager
def serving(folder: Path, first: str = "") -> Iterator[Process]:
    """Serve inside the block, at the end of which the server is dead; it has had nothing to complain of.

    `first` is Python to be run before.
    """
    process = Process(folder, first)
    try:
        yield process
    finally:
        process.kill()
        assert process.left() == ""


@dataclass
class Program:
    """One who plays through the API, and remembers which moves were acknowledged, as which event."""

    word: str = field(default_factory=lambda: secrets.token_hex(16))
    code: str = ""
    done: dict[str, tuple[int, str]] = field(default_factory=dict)
    open: msg.Play | None = None

    def ask(self, server: Process, method: str, path: str, body: object = None) -> Any:
        """Ask the API and return its answer, which is a good one."""
        headers = {"Authorization": f"Bearer {self.word}"}
        content = None if body is None else msgspec.json.encode(body)
        answer = server.http.request(method, f"api/tables{path}", headers=headers, content=content)
        assert answer.is_success, answer.text
        return answer.json()

    def sees(self, server: Process) -> Sheet:
        """Return the table."""
        return msgspec.convert(self.ask(server, "GET", f"/{self.code}")["sheet"], Sheet)

    def says(self, server: Process, message: msg.Ask) -> msg.Done:
        """Say something that is done."""
        return msgspec.convert(self.ask(server, "POST", f"/{self.code}/messages", message), msg.Done)

    def goes_on(self, server: Process, rng: random.Random) -> str:
        """Do what can be done now: the move that was not acknowledged once more, else a new one."""
        sheet = self.sees(server)
        if sheet.phase == "waiting":
            self.says(server, msg.NewDeal())
        elif sheet.phase == "sealing" and sheet.seal and sheet.seat not in dict(sheet.seal.nonces):
            self.says(server, msg.AddNonce(sheet.seal.commitment, secrets.token_hex(16)))
        elif sheet.choices or self.open:
            self.open = self.open or msg.Play(secrets.token_hex(8), sheet.number, rng.choice(sheet.choices).move)
            answer = self.says(server, self.open)
            self.done[self.open.id] = answer.number, self.open.move
            self.open = None
        return sheet.phase


def play_on(server: Process, programs: list[Program], moves: int, rng: random.Random) -> None:
    """Play so many moves more, then kill the server while the next is on its way."""
    made = sum(len(program.done) for program in programs)
    with contextlib.suppress(httpx2.TransportError):
        while True:
            for program in programs:
                if sum(len(program.done) for program in programs) == made + moves:
                    threading.Timer(rng.random() / 50, server.kill).start()
                    moves = -1
                program.goes_on(server, rng)


def stored(folder: Path, code: str) -> list[tuple[float, ev.TableEvent]]:
    """Return a table's log as the database has it."""
    with contextlib.closing(sqlite3.connect(f"file:{folder}/kartoteka.sqlite?mode=ro", uri=True)) as database:
        rows = database.execute("SELECT at, body FROM events WHERE code = ? ORDER BY number", (code,)).fetchall()
    return [(at, ev.decode(body)) for at, body in rows]


def test_killed_servers_lose_no_acknowledged_move_and_a_resend_is_made_once(tmp_path: Path) -> None:
    rng = random.Random(1)
    programs = [Program(), Program()]
    with serving(tmp_path) as server:
        programs[0].code = programs[0].ask(server, "POST", "", {"game": GAME, "players": 2})["code"]
        programs[1].code = programs[0].code
        programs[1].ask(server, "POST", f"/{programs[1].code}/seats", {})
        play_on(server, programs, 4, rng)
    for _kill in range(KILLS - 1):
        with serving(tmp_path) as server:
            play_on(server, programs, rng.randrange(1, 6), rng)
            _all_there(stored(tmp_path, programs[0].code), programs)
    with serving(tmp_path) as server:
        while not programs[0].sees(server).record:
            for program in programs:
                program.goes_on(server, rng)
        found = server.http.get(f"r/{programs[0].sees(server).record}.json").content
    log = stored(tmp_path, programs[0].code)
    _all_there(log, programs)
    made = [event.move for _at, event in log if isinstance(event, ev.Moved)]
    assert len(made) == sum(len(program.done) for program in programs)
    kept = record.read(found)
    record.check(kept)
    assert kept.deals[0].moves == made
    assert [verdict.finding for verdict in verify_shuffles(kept)] == ["good"]


def _all_there(log: list[tuple[float, ev.TableEvent]], programs: list[Program]) -> None:
    """Every acknowledged move is where it was said to be, and stands there once."""
    for program in programs:
        for id, (number, move) in program.done.items():
            event = log[number - 1][1]
            assert isinstance(event, ev.Moved)
            assert (event.id, event.move) == (id, move)
            assert sum(isinstance(e, ev.Moved) and e.id == id for _at, e in log) == 1


def test_after_a_kill_the_computer_goes_on_without_anyone_asking(tmp_path: Path) -> None:
    code = "CCCC-2345"
    log: list[ev.TableEvent] = [
        ev.Opened(GAME, 2, {}, 1, "host"), ev.Sat(1, "host", "Vera", "link"), ev.Replaced(2, "greedy"),
        ev.Sealed("ab" * 32, fresh=True), ev.Dealt(1), ev.Replaced(1, "random", 1),
    ]  # fmt: skip
    assert folded(code, [(1.0, event) for event in log]).phase == "playing"

    async def interrupted() -> None:
        store = await open_store(tmp_path)
        await store.append(code, 1, time.time(), log, live=True)  # of long ago, it would be swept away
        await store.close()

    asyncio.run(interrupted())
    with serving(tmp_path):
        until = time.monotonic() + HANGS
        while not isinstance(stored(tmp_path, code)[-1][1], ev.Recorded):
            assert time.monotonic() < until
    assert len(stored(tmp_path, code)) > len(log) + 10


def test_two_servers_do_not_share_a_folder(tmp_path: Path) -> None:
    with serving(tmp_path):
        second = subprocess.run(_command(tmp_path), capture_output=True, text=True, timeout=HANGS, check=False)
    assert second.returncode
    assert "A server uses" in second.stderr
    assert "Traceback" not in second.stderr
    assert not second.stdout


def test_a_server_stopped_politely_says_that_the_tables_are_kept(tmp_path: Path) -> None:
    process = Process(tmp_path)
    process._process.send_signal(signal.SIGINT)
    out, errors = process._process.communicate(timeout=HANGS)
    process.http.close()
    assert (out, errors) == ("The tables are kept; start again to go on.\n", "")
    assert process._process.returncode == 0
