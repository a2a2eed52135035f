"""How many tables a server bears: programs play at all of them, and each move is timed until its mover sees it.

And what a move costs: in echoes of a bare socket, measured in the same run (see `echo`).
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass, field, replace
from http.client import HTTPConnection
from pathlib import Path
from secrets import token_hex
from typing import Any
from urllib.parse import urlsplit

import msgspec

from kartoteka.engine import registry
from kartoteka.engine.errors import UsageError
from kartoteka.study import echo
from kartoteka.study.wire import Wire, wire
from kartoteka.text import _

GATHERED = 120.0
"""Seconds that all tables may take to begin."""

PREPARED = 300.0
"""Seconds that may go by until the server has machine code; it is measured without after that."""


class _Choice(msgspec.Struct):
    move: str


class _Seal(msgspec.Struct):
    commitment: str
    nonces: list[tuple[int, str]] = []


class _Sheet(msgspec.Struct):
    """What of a sheet a program needs to play."""

    number: int
    phase: str
    seat: int
    choices: list[_Choice] = []
    seal: _Seal | None = None


class _Heard(msgspec.Struct):
    type: str
    sheet: _Sheet | None = None
    reason: str = ""


@dataclass(frozen=True)
class Load:
    """What was measured.

    Attributes
    ----------
    tables : int
    moves : int
        Moves made while measuring, and how many `moves_per_s`.
    p50, p99, longest : float
        Milliseconds from sending a move to receiving the table after it.
    megabytes : float
        The most memory that the server held.
    refused : int
        Messages that the server refused: none, if all is well.
    full_per_s : float
        Moves a second as fast as they are answered.
    echoes_per_s : float
        How often a bare socket of the same server sends 4 kB back, to as many programs.
    """

    tables: int
    moves: int
    moves_per_s: float
    p50: float
    p99: float
    longest: float
    megabytes: float
    refused: int
    full_per_s: float
    echoes_per_s: float

    @property
    def echoes_a_move(self) -> float:
        """What a move costs that is committed and told, in echoes: says the same on slow machines and fast ones."""
        return self.echoes_per_s / self.full_per_s


@dataclass
class Run:
    """What all programs share: the pace, and what they measured."""

    site: str
    interval: float
    stop: asyncio.Event = field(default_factory=asyncio.Event)
    begun: set[int] = field(default_factory=set)
    measuring: bool = False
    times: list[float] = field(default_factory=list)
    refused: int = 0


def _post(url: str, body: dict[str, Any], bearer: str, come_from: str) -> dict[str, Any]:
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {bearer}"}
    at, local = urlsplit(url), (come_from, 0) if come_from else None
    connection = HTTPConnection(at.hostname or "", at.port, timeout=60, source_address=local)
    with contextlib.closing(connection):
        connection.request("POST", at.path, json.dumps(body).encode(), headers)
        answer = connection.getresponse()
        found: dict[str, Any] = json.load(answer)
        if answer.status >= 400:
            raise UsageError(str(found.get("reason")))
        return found


@dataclass
class Player:
    """One program at one table: it plays the legal moves in turn, the first one first."""

    run: Run
    table: int
    code: str
    bearer: str
    come_from: str
    due: float = 0.0
    sent: float = 0.0
    waits_for: int = 0
    nonce_for: str = ""

    async def play(self) -> None:
        """Play until the run stops."""
        address = f"{self.run.site.replace('http', 'ws', 1)}api/tables/{self.code}/socket"
        headers = {"Authorization": f"Bearer {self.bearer}"}
        decode = msgspec.json.Decoder(_Heard).decode
        async with wire(address, headers, self.come_from) as socket:
            socket.send('{"type":"hello","number":0}')
            with contextlib.suppress(asyncio.CancelledError):
                while True:
                    message = decode(await socket.hear())
                    self.run.refused += message.type == "refused"
                    if message.sheet:
                        await self._answer(socket, message.sheet)

    async def _answer(self, socket: Wire, sheet: _Sheet) -> None:
        now = time.perf_counter()
        if self.sent and sheet.number > self.waits_for:
            if self.run.measuring:
                self.run.times.append(now - self.sent)
            self.sent = 0.0
        if sheet.phase == "sealing" and sheet.seal and self.nonce_for != sheet.seal.commitment:
            self.nonce_for = sheet.seal.commitment
            socket.send(json.dumps({"type": "nonce", "commitment": self.nonce_for, "nonce": token_hex(16)}))
        elif sheet.phase in ("over", "between") and sheet.seat == 1:
            socket.send('{"type":"deal"}')
        elif sheet.choices and not self.sent:
            self.run.begun.add(self.table)
            await self._move(socket, sheet)

    async def _move(self, socket: Wire, sheet: _Sheet) -> None:
        now = time.perf_counter()
        self.due = max(self.due + self.run.interval, now - self.run.interval)
        await asyncio.sleep(max(0.0, self.due - now))
        chosen = sheet.choices[sheet.number % len(sheet.choices)].move
        self.sent, self.waits_for = time.perf_counter(), sheet.number
        socket.send(json.dumps({"type": "move", "id": token_hex(8), "number": sheet.number, "move": chosen}))


async def prepared(site: str) -> None:
    """Wait until the server plays every game by its machine code, which it makes beside what else it does."""

    def ready() -> bool:
        with urllib.request.urlopen(f"{site}api/games", timeout=60) as answer:
            return all(game["prepared"] for game in json.load(answer))

    until = time.perf_counter() + PREPARED
    while not await asyncio.to_thread(ready) and time.perf_counter() < until:
        await asyncio.sleep(0.5)


async def gathered(run: Run, tables: int, games: Sequence[str] = (), net: str = "") -> list[Player]:
    """Open the tables, each with two programs, the games in turn: all that two can play, unless told otherwise.

    Each table's programs come from an address of their own in `net`, such as ``127.1.0``, if one is given.
    """
    games = games or [game.name for game in registry.games().values() if 2 in game.players]
    players = []
    for k in range(tables):
        first, second, place = token_hex(16), token_hex(16), f"{net}.{k % 250 + 1}" if net else ""
        wanted = {"game": games[k % len(games)], "players": 2, "name": "First"}
        opened = await asyncio.to_thread(_post, f"{run.site}api/tables", wanted, first, place)
        seats = f"{run.site}api/tables/{opened['code']}/seats"
        await asyncio.to_thread(_post, seats, {"name": "Second"}, second, place)
        start = time.perf_counter() + run.interval * k / tables
        players += [Player(run, k, opened["code"], bearer, place, start) for bearer in (first, second)]
    return players


@contextlib.asynccontextmanager
async def playing(run: Run, players: Sequence[Player]) -> AsyncIterator[None]:
    """Let the programs play inside the block, which begins when all tables have begun."""
    tasks = [asyncio.create_task(player.play()) for player in players]
    began, tables = time.perf_counter(), {player.table for player in players}
    while run.begun < tables and time.perf_counter() < began + GATHERED:
        await asyncio.sleep(0.1)
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        ended = await asyncio.gather(*tasks, return_exceptions=True)
    failed = next((error for error in ended if isinstance(error, Exception)), None)
    if failed:
        raise failed


async def timed(run: Run, seconds: float) -> tuple[list[float], float]:
    """Return what the moves of so many seconds took, in order of length, and how many seconds it really were."""
    run.times, run.measuring, start = [], True, time.perf_counter()
    await asyncio.sleep(seconds)
    run.measuring, took = False, time.perf_counter() - start
    if not run.times:
        raise UsageError(_("No move was made."))
    return sorted(run.times), took


async def _measured(site: str, yard: str, tables: int, rate: float, seconds: float) -> Load:
    """Measure at the pace asked for, then at full speed, then how fast the yardstick's server echoes."""
    # The two programs of a table move by turns, so that each waits two of the table's intervals.
    run = Run(site, 2 * tables / rate if rate else 0.0)
    await prepared(site)
    async with playing(run, await gathered(run, tables)):
        times, took = await timed(run, seconds)
        full = len(times) / took
        if rate:
            pause, run.interval = run.interval, 0.0
            await asyncio.sleep(pause)  # by then everyone plays as fast as they are answered
            fast, fast_took = await timed(run, seconds / 4)
            full = len(fast) / fast_took
    return Load(
        tables, len(times), len(times) / took, 1000 * times[len(times) // 2], 1000 * times[len(times) * 99 // 100],
        1000 * times[-1], 0.0, run.refused, full, await echo.measured(yard, 2 * tables, max(1.0, seconds / 4)),
    )  # fmt: skip


@contextlib.contextmanager
def served(folder: Path, limits: bool = False) -> Iterator[tuple[str, int]]:
    """Serve from `folder` in a process of its own; yield the site and the process's number."""
    command = [sys.executable, "-m", "kartoteka.terminal.main", "serve", "--port", "0", "--pace", "0"]
    command += ["--data", str(folder), *([] if limits else ["--no-limits"])]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout
        line = process.stdout.readline()
        site = next((word for word in line.split() if word.startswith("http")), "")
        if not site:
            raise UsageError(_("The server did not start."))
        yield site, process.pid
    finally:
        process.terminate()
        process.wait(20)


def _megabytes(pid: int) -> float:
    """Return the most memory a process has held, 0 where the system does not say."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in status.splitlines() if line.startswith("VmHWM")), 0.0)


def measure(tables: int = 200, rate: float = 200.0, seconds: float = 20.0) -> Load:
    """Start a server with a database of its own and let programs play at `tables` tables, `rate` moves/s in all.

    With a rate of 0 they play as fast as they are answered; with any other they do so afterwards, for a quarter of
    the time. In the same run a bare socket is measured: see `echo`.
    """
    with (
        tempfile.TemporaryDirectory() as folder, served(Path(folder)) as (site, pid), echo.served() as yard,
        asyncio.Runner(loop_factory=echo.config().get_loop_factory()) as runner,
    ):  # fmt: skip
        load = runner.run(_measured(site, yard, tables, rate, seconds))
        return replace(load, megabytes=_megabytes(pid))
