"""The programs' side of a socket, as light as it can be: what is measured is the server."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Mapping
from typing import cast

from websockets.client import ClientProtocol
from websockets.exceptions import ConnectionClosedError
from websockets.frames import Frame, Opcode
from websockets.http11 import Response
from websockets.uri import parse_uri


class Wire(asyncio.Protocol):
    """One open socket: `send` sends a text, iterating over it yields what comes, as bytes.

    `websockets` reads and writes the frames; its own connections, with their tasks and locks, cost as much as an echo
    does at the server.
    """

    def __init__(self, url: str, headers: Mapping[str, str]) -> None:
        self._conn, self._headers = ClientProtocol(parse_uri(url), max_size=None), headers
        self._transport: asyncio.Transport
        self._came: asyncio.Queue[bytes | None] = asyncio.Queue()
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask to be let in."""
        self._transport = cast(asyncio.Transport, transport)
        request = self._conn.connect()
        request.headers.update(self._headers)
        self._conn.send_request(request)
        self._flush()

    def data_received(self, data: bytes) -> None:
        """Put the texts that came where they are waited for; pings are answered."""
        self._conn.receive_data(data)
        for event in self._conn.events_received():
            if isinstance(event, Frame) and event.opcode is Opcode.TEXT:
                self._came.put_nowait(bytes(event.data))
            elif isinstance(event, Response):
                self._let_in()
        self._flush()

    def _let_in(self) -> None:
        if self._conn.handshake_exc:
            self.opened.set_exception(self._conn.handshake_exc)
        else:
            self.opened.set_result(None)

    def connection_lost(self, _error: Exception | None) -> None:
        """Tell whoever waits."""
        self._came.put_nowait(None)
        if not self.opened.done():
            self.opened.set_exception(ConnectionError())

    def _flush(self) -> None:
        self._transport.write(b"".join(self._conn.data_to_send()))

    def send(self, text: str) -> None:
        """Send a text."""
        self._conn.send_text(text.encode())
        self._flush()

    def close(self) -> None:
        """Hang up."""
        self._transport.close()

    async def hear(self) -> bytes:
        """Wait for the next text; raise `ConnectionClosedError` if there will be none."""
        text = await self._came.get()
        if text is None:
            raise ConnectionClosedError(self._conn.close_rcvd, self._conn.close_sent)
        return text


@contextlib.asynccontextmanager
async def wire(url: str, headers: Mapping[str, str], come_from: str = "") -> AsyncIterator[Wire]:
    """Be connected inside the block, from an address of this machine's if one is given."""
    where = parse_uri(url)
    loop = asyncio.get_running_loop()
    local = (come_from, 0) if come_from else None
    _transport, made = await loop.create_connection(
        lambda: Wire(url, headers), where.host, where.port, local_addr=local
    )
    try:
        await made.opened
        yield made
    finally:
        made.close()
