"""The yardstick for the server's speed on any machine: a bare socket that sends back what it is sent."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import subprocess
import sys
import time
from collections.abc import Iterator

from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect
from uvicorn import Config, Server

from kartoteka.engine.errors import UsageError
from kartoteka.server.web.cli import config_for
from kartoteka.study.wire import Wire, wire
from kartoteka.text import _

BYTES = 4_000
"""How long what is sent back is."""


async def echo(back: WebSocket) -> None:
    """Send back every text."""
    await back.accept()
    with contextlib.suppress(WebSocketDisconnect):
        while True:
            await back.send_text(await back.receive_text())


def config() -> Config:
    """Return how the echo is served: as the tables are."""
    return config_for(Starlette(routes=[WebSocketRoute("/", echo)]))


def serve() -> None:
    """Serve the echo, and say where."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        print(listening.getsockname()[1], flush=True)
        Server(config()).run(sockets=[listening])


@contextlib.contextmanager
def served() -> Iterator[str]:
    """Serve the echo from a process of its own; yield its address."""
    process = subprocess.Popen([sys.executable, "-m", __name__], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout
        port = process.stdout.readline().strip()
        if not port:
            raise UsageError(_("The server did not start."))
        yield f"ws://127.0.0.1:{port}/"
    finally:
        process.terminate()
        process.wait(20)


async def measured(address: str, clients: int, seconds: float) -> float:
    """Return the echoes a second that so many clients get, each asking again as soon as it is answered."""
    count, text = 0, "x" * BYTES

    async def talk(to: Wire) -> None:
        nonlocal count
        while True:
            to.send(text)
            await to.hear()
            count += 1

    async with contextlib.AsyncExitStack() as stack:
        lines = [await stack.enter_async_context(wire(address, {})) for _client in range(clients)]
        tasks = [asyncio.create_task(talk(to)) for to in lines]
        await asyncio.sleep(seconds / 4)  # they are all under way
        before, start = count, time.perf_counter()
        await asyncio.sleep(seconds)
        rate = (count - before) / (time.perf_counter() - start)
        for task in tasks:
            task.cancel()
        ended = await asyncio.gather(*tasks, return_exceptions=True)
    failed = next((error for error in ended if isinstance(error, Exception)), None)
    if failed:
        raise failed
    return rate


if __name__ == "__main__":
    serve()
