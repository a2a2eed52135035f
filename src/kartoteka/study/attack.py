"""The server under attack: how long moves take while others do all they can from addresses of their own.

Every attack is bounded in number and in time, and goes only against a server that `besieged` itself has started here:
its limits are on, and each table's players, and each attacker, come from another address of the loopback network.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path
from secrets import token_hex
from urllib.parse import urlsplit

from kartoteka.engine import registry
from kartoteka.engine.errors import UsageError
from kartoteka.study import echo
from kartoteka.study.load import GATHERED, Run, gathered, playing, prepared, served, timed
from kartoteka.study.wire import wire
from kartoteka.text import N_, _

LOOKERS, LOOKS_PER_S, PLIES = 30, 14, 150
"""Spectators who look back all the time, how often each, and the moves that the table has been played for."""

STREAMS = 600
"""Streams of one address that come and go."""

SILENT = 1500
"""Connections of one address that send half a header and no more."""

HELD = 1.0
"""Seconds for which a stream is held, and after which whoever was turned away comes again."""


@dataclass
class Tally:
    """What an attack has come to: how often something was tried, and how often the server let it."""

    tried: int = 0
    done: int = 0


@dataclass(frozen=True)
class Siege:
    """What was measured under one attack: see `kartoteka.study.load.Load`, and `Tally`."""

    attack: str
    moves: int
    moves_per_s: float
    p50: float
    p99: float
    longest: float
    refused: int
    tried: int
    done: int


@dataclass(frozen=True)
class Target:
    """Where an attack goes: the site, a table in play and one with a long past."""

    site: str
    code: str
    long: str


@contextlib.asynccontextmanager
async def nothing(_target: Target) -> AsyncIterator[Tally]:
    """Leave the server in peace."""
    yield Tally()


@contextlib.asynccontextmanager
async def looks(target: Target) -> AsyncIterator[Tally]:
    """Look back all the time at a table with a long past."""
    tally = Tally()
    url = f"{target.site.replace('http', 'ws', 1)}api/tables/{target.long}/socket"

    async def one(k: int) -> None:
        async with wire(url, {"Authorization": f"Bearer {token_hex(16)}"}, f"127.20.0.{k + 1}") as socket:
            socket.send('{"type":"hello"}')

            async def ask() -> None:
                while True:
                    socket.send(json.dumps({"type": "look", "ply": random.randrange(1, PLIES)}))
                    tally.tried += 1
                    await asyncio.sleep(1 / LOOKS_PER_S)

            asking = asyncio.create_task(ask())
            try:
                while True:
                    heard = await socket.hear()
                    tally.done += heard.startswith(b'{"type":"past"')
            finally:
                asking.cancel()

    async with _crowd(LOOKERS, one):
        yield tally


@contextlib.asynccontextmanager
async def streams(target: Target) -> AsyncIterator[Tally]:
    """Come to a table's stream and go again, hundreds at a time, from one address."""
    tally = Tally()
    asked = f"GET /api/tables/{target.code}/events HTTP/1.1\r\nHost: x\r\n\r\n".encode()

    async def one(_k: int) -> None:
        while True:
            tally.tried += 1
            with contextlib.suppress(OSError):
                async with _open(target.site, "127.30.0.1", asked) as reader:
                    line = await reader.readline()
                    tally.done += line.startswith(b"HTTP/1.1 200")
                    await asyncio.sleep(HELD)
            await asyncio.sleep(HELD)

    async with _crowd(STREAMS, one):
        yield tally


@contextlib.asynccontextmanager
async def silence(target: Target) -> AsyncIterator[Tally]:
    """Hold as many connections as can be had with half a header, from one address."""
    tally = Tally()

    async def one(_k: int) -> None:
        while True:
            tally.tried += 1
            with contextlib.suppress(OSError):
                async with _open(target.site, "127.40.0.1", b"GET / HTTP/1.1\r\nHost: x\r\nX-Half: ") as reader:
                    try:
                        async with asyncio.timeout(HELD):  # `wait_for` may swallow the end of the attack
                            await reader.read(1)  # turned away
                    except TimeoutError:
                        tally.done += 1
                        await reader.read()  # until it is let go
            await asyncio.sleep(HELD)

    async with _crowd(SILENT, one):
        yield tally


Attack = Callable[[Target], AbstractAsyncContextManager[Tally]]

ATTACKS: dict[str, Attack] = {
    N_("none"): nothing,
    N_("30 spectators looking back"): looks,
    N_("600 streams coming and going"): streams,
    N_("1,500 half headers"): silence,
}
"""The attacks, in turn."""


@contextlib.asynccontextmanager
async def _crowd(size: int, one: Callable[[int], Coroutine[None, None, None]]) -> AsyncIterator[None]:
    """Let so many do the same inside the block, one after the other begun."""
    tasks: list[asyncio.Task[None]] = []
    try:
        for k in range(size):
            tasks.append(asyncio.create_task(one(k)))
            await asyncio.sleep(0.001)
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


@contextlib.asynccontextmanager
async def _open(site: str, come_from: str, said: bytes) -> AsyncIterator[asyncio.StreamReader]:
    """Be connected inside the block, from that address, and have said so much."""
    at = urlsplit(site)
    reader, writer = await asyncio.open_connection(at.hostname, at.port, local_addr=(come_from, 0))
    try:
        writer.write(said)
        yield reader
    finally:
        writer.transport.abort()


@contextlib.asynccontextmanager
async def _a_long_past(site: str) -> AsyncIterator[str]:
    """Play a table of the longest game for many moves; yield its code, while its players are there and pause."""
    game = max(registry.games().values(), key=lambda game: (2 in game.players) * game.minutes)
    run = Run(site, 1 / (LOOKS_PER_S - 1))
    players = await gathered(run, 1, [game.name], "127.10.0")
    async with playing(run, players):
        run.measuring, until = True, time.perf_counter() + GATHERED
        while len(run.times) < PLIES:
            if time.perf_counter() > until:
                raise UsageError(_("No move was made."))
            await asyncio.sleep(0.05)
        run.interval = 1e9
        yield players[0].code


async def _sieges(site: str, tables: int, rate: float, seconds: float) -> list[Siege]:
    found = []
    run = Run(site, 2 * tables / rate if rate else 0.0)
    await prepared(site)
    async with _a_long_past(site) as long:
        players = await gathered(run, tables, [], "127.1.0")
        async with playing(run, players):
            for name, attack in ATTACKS.items():
                run.refused = 0
                async with attack(Target(site, players[0].code, long)) as tally:
                    times, took = await timed(run, seconds)
                half, most = times[len(times) // 2], times[len(times) * 99 // 100]
                found.append(
                    Siege(
                        name, len(times), len(times) / took, 1000 * half, 1000 * most, 1000 * times[-1],
                        run.refused, tally.tried, tally.done,
                    )
                )  # fmt: skip
    return found


def besieged(tables: int = 50, rate: float = 50.0, seconds: float = 20.0) -> list[Siege]:
    """Start a server with its limits on, let programs play there, and attack it in each way for so many seconds."""
    with (
        tempfile.TemporaryDirectory() as folder, served(Path(folder), limits=True) as (site, _pid), _many_files(),
        asyncio.Runner(loop_factory=echo.config().get_loop_factory()) as runner,
    ):  # fmt: skip
        return runner.run(_sieges(site, tables, rate, seconds))


@contextlib.contextmanager
def _many_files() -> Iterator[None]:
    """Let this process, not the server that it has started, open as many connections as the attacks need."""
    try:
        import resource
    except ImportError:  # a system without such a limit
        yield
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = max(soft, min(hard if hard != resource.RLIM_INFINITY else 8192, 8192))
    resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
