"""Connections, before anything is asked over them: how many there may be, and how long one may keep us waiting.

uvicorn has a time limit for what is idle between two requests, and none for half a request or half an answer. These
are its own protocols with a clock beside them.
"""

from __future__ import annotations

import asyncio
import ipaddress
from collections import Counter
from http import HTTPStatus
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from kartoteka.server.web.limits import household
from kartoteka.text import N_, _

HEAD = 10.0
"""Seconds in which a request's first line and headers must be there, from the connection or their first byte on."""

HEAD_BYTES = 65_536
"""The most bytes that they may have."""

BODY = 30.0
"""Seconds in which its body must be there, from the end of the headers on."""

UNREAD = 60.0
"""Seconds for which a client may leave unread what the system does not keep for it."""

EACH = 200
"""Connections that one address may have at a time, but never more than half of all."""

MOST = 10_000
"""Connections in all, where the system would allow more."""

RESERVE = 64
"""File descriptors that are left to the database, to files that are served and to answers that turn away."""

LINGERING = 24
"""Connections turned away that are kept until they have read why; the rest may miss it."""

LINGER = 2.0
"""Seconds for which they are kept."""

_REASONS = {
    408: N_("Your request did not come in time. Send it again."),
    429: N_("There are too many connections from your address. Close some, or try again in a little while."),
    431: N_("That is more than can be read here."),
    503: N_("There are too many connections to this server. Try again in a little while."),
}


def answer_of(status: int) -> bytes:
    """Return a whole answer in a sentence that ends a connection on which nothing was asked, or not all of it."""
    body = _(_REASONS[status]) + "\n"
    again = ["Retry-After: 10"] if status in (429, 503) else []
    head = [
        f"HTTP/1.1 {status} {HTTPStatus(status).phrase}", "Content-Type: text/plain; charset=utf-8",
        f"Content-Length: {len(body.encode())}", *again, "Connection: close",
    ]  # fmt: skip
    return "\r\n".join([*head, "", body]).encode()


def descriptors() -> int:
    """Return how many files and connections this process may have open."""
    try:
        import resource
    except ImportError:  # a system without such a limit
        return MOST + RESERVE
    soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return MOST + RESERVE if soft == resource.RLIM_INFINITY else soft


class Connections:
    """All connections there are, counted by the address that they come from.

    Attributes
    ----------
    most, each : int
        How many there may be in all, and from one address.
    """

    def __init__(self, limited: bool = True, proxy: str = "") -> None:
        """Count by address only if `limited`, and never the connections of a `proxy`, which are everyone's."""
        files = descriptors()
        self.most = min(MOST, max(files - RESERVE, files // 2))
        self.each = min(EACH, self.most // 2) if limited else self.most
        self.all = self.lingering = 0
        self._proxies = [part.strip() for part in proxy.split(",") if part.strip()]
        self._of: Counter[str] = Counter()

    def refuses(self, host: str) -> int:
        """Return the status that one more connection from `host` is answered with, 0 if it may come in."""
        if self.all >= self.most:
            return 503
        return 429 if self._of[household(host)] >= self.each and not self._is_proxy(host) else 0

    def count(self, host: str, change: int) -> None:
        """Count a connection that came (1) or went (-1)."""
        place = household(host)
        self.all += change
        self._of[place] += change
        if self._of[place] <= 0:
            del self._of[place]

    def _is_proxy(self, host: str) -> bool:
        """Whether `host` is one of the proxies, each given by its address, a network or ``*`` for any."""
        return any(_within(host, given) for given in self._proxies)


def _within(host: str, given: str) -> bool:
    try:
        return given in (host, "*") or ipaddress.ip_address(host) in ipaddress.ip_network(given, strict=False)
    except ValueError:
        return False


class _Read(asyncio.Protocol):
    """A connection whose client must read what it is sent."""

    loop: asyncio.AbstractEventLoop
    transport: asyncio.Transport
    _unread: asyncio.TimerHandle | None = None

    def watch(self) -> None:
        """Have `pause_writing` called for whatever the system does not keep for the client."""
        self.transport.set_write_buffer_limits(high=0)

    def pause_writing(self) -> None:
        """Give the client time to read."""
        super().pause_writing()
        self._unread = self.loop.call_later(UNREAD, self.cut)

    def resume_writing(self) -> None:
        """Go on, since it has read."""
        super().resume_writing()
        self.watch_no_more()

    def cut(self) -> None:
        """End the connection, whatever is still to be sent."""
        self.transport.abort()

    def watch_no_more(self) -> None:
        """Wait for it no longer."""
        if self._unread:
            self._unread.cancel()


class Socket(_Read, WebSocketsSansIOProtocol):
    """A socket, counted while it is open; uvicorn asks it for a sign of life."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Count it."""
        super().connection_made(transport)
        _connections_of(self.config).count(_host(self.client), 1)
        self.watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """Count it no longer."""
        super().connection_lost(exc)
        _connections_of(self.config).count(_host(self.client), -1)
        self.watch_no_more()


class Http(_Read, HttpToolsProtocol):
    """Requests, each of which must come in time and be read in time; a connection too many is turned away."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self._everyone = _connections_of(self.config)
        self._counted = self._lingers = self._away = False
        self._head = 0  # bytes of a head that is not whole yet
        self._due: asyncio.TimerHandle | None = None
        self._answered: RequestResponseCycle | None = None

    # --- coming and going ------------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Let it in, or turn it away."""
        super().connection_made(transport)  # type: ignore[arg-type]  # uvicorn says Transport
        refused = self._everyone.refuses(_host(self.client))
        if refused:
            self._turn_away(refused)
            return
        self._count(1)
        self.watch()
        self._wait(HEAD)

    def _turn_away(self, status: int) -> None:
        """Say why, and let go; what was sent meanwhile must be read, or the system takes the answer back."""
        self._away = True
        self.connections.discard(self)
        self.transport.write(answer_of(status))
        if self._everyone.lingering >= LINGERING:
            self.transport.close()
            return
        self._lingers = True
        self._everyone.lingering += 1
        self.transport.write_eof()
        self._due = self.loop.call_later(LINGER, self.transport.abort)

    def _count(self, change: int) -> None:
        self._counted = change > 0
        self._everyone.count(_host(self.client), change)

    def connection_lost(self, exc: Exception | None) -> None:
        """Count it no longer."""
        super().connection_lost(exc)
        self._everyone.lingering -= self._lingers
        if self._counted:
            self._count(-1)
        self._stop()
        self.watch_no_more()

    def handle_websocket_upgrade(self) -> None:
        """Hand the connection over to a `Socket`."""
        self._stop()
        self.watch_no_more()
        self._count(-1)
        super().handle_websocket_upgrade()

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        self._answered = cycle  # `cycle` is the last one that was asked for
        super()._start_asgi_task(cycle, app)

    def cut(self) -> None:
        """End the connection; what is being answered is told first, so that it writes no more."""
        if self._answered:
            self._answered.disconnected = True
        super().cut()

    # --- in time ---------------------------------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        """Read on: whatever begins must come to its end."""
        if self._away or self.transport.is_closing():
            return
        if not self._due:
            self._wait(HEAD)
        self._head += len(data)
        super().data_received(data)
        if self._head > HEAD_BYTES:
            self._end(431)

    def on_message_begin(self) -> None:
        """Give the head of a request its time."""
        super().on_message_begin()
        self._head = self._head or 1  # more of it may have come in one piece with the request before
        if not self._due:
            self._wait(HEAD)

    def on_headers_complete(self) -> None:
        """Give the body its time."""
        self._head = 0
        self._wait(BODY)
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Take a part of the body, which is no head."""
        self._head = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        """Wait for nothing more."""
        self._head = 0
        self._stop()
        super().on_message_complete()

    def _wait(self, seconds: float) -> None:
        self._stop()
        self._due = self.loop.call_later(seconds, self._end, 408)

    def _stop(self) -> None:
        if self._due:
            self._due.cancel()
            self._due = None

    def _end(self, status: int) -> None:
        """End the connection, with an answer if one was asked for and none has begun."""
        if self.transport.is_closing():
            return
        cycle = self.cycle if self.cycle and not self.cycle.response_complete else None
        if not cycle.response_started if cycle else self._head:
            self.transport.write(answer_of(status))
        self.transport.close()


def _connections_of(config: Any) -> Connections:
    """Return the count that the application of this server keeps."""
    found: Connections = config.app.state.connections
    return found


def _host(client: tuple[str, int] | None) -> str:
    return client[0] if client else "?"
