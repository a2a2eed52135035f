"""How much one address, visitor or socket may do at a time."""

from __future__ import annotations

import contextlib
import ipaddress
import math
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection

from kartoteka.text import _

KEYS = 10_000
"""How many keys a limit remembers."""


SOCKETS = 60
"""Sockets and streams that one address may have at a time."""


@dataclass
class Limit:
    """So many times, refilled at `rate` a second up to `burst`, for each of many keys (token buckets)."""

    rate: float
    burst: float
    _left: dict[str, tuple[float, float]] = field(default_factory=dict)

    def allows(self, key: str) -> bool:
        """Whether `key` may do it once more now, and count it."""
        now = time.monotonic()
        left, at = self._left.get(key, (self.burst, now))
        left = min(self.burst, left + (now - at) * self.rate)
        if len(self._left) > KEYS:
            self._forget(now)
        self._left[key] = (left - 1 if left >= 1 else left, now)
        return left >= 1

    def open_to(self, key: str) -> bool:
        """Whether `key` may do it once more now, without counting it."""
        left, at = self._left.get(key, (self.burst, 0.0))
        return left + (time.monotonic() - at) * self.rate >= 1

    @property
    def pause(self) -> int:
        """Whole seconds after which whoever had all of it may do it once more."""
        return math.ceil(1 / self.rate)

    def _forget(self, now: float) -> None:
        """Drop the keys whose bucket is full again; if that leaves too many, all of them."""
        full = self.burst / self.rate
        self._left = {key: (left, at) for key, (left, at) in self._left.items() if now - at < full}
        if len(self._left) > KEYS // 2:
            self._left.clear()


@dataclass(frozen=True)
class Limits:
    """What one address may do; a visitor: `remarks`; a socket: `messages`."""

    requests: Limit = field(default_factory=lambda: Limit(20, 200))
    tables: Limit = field(default_factory=lambda: Limit(0.2, 12))
    codes: Limit = field(default_factory=lambda: Limit(0.2, 12))
    uploads: Limit = field(default_factory=lambda: Limit(0.05, 6))
    verdicts: Limit = field(default_factory=lambda: Limit(0.2, 12))
    remarks: Limit = field(default_factory=lambda: Limit(0.7, 6))
    messages: Limit = field(default_factory=lambda: Limit(15, 60))
    looks: Limit = field(default_factory=lambda: Limit(10, 60))


def too_much() -> str:
    """Return what is said to whoever does too much at a time."""
    return _("That was a lot at once. Wait a little and try again.")


def address(connection: HTTPConnection) -> str:
    """Return where a request comes from (behind a proxy, what the proxy says if it is trusted)."""
    return household(connection.client.host if connection.client else "?")


def household(host: str) -> str:
    """Return what is counted for an address: of an IPv6 one the first half, which is what one household has."""
    if ":" not in host:
        return host
    try:
        ip = ipaddress.IPv6Address(host.partition("%")[0])
    except ValueError:
        return host
    return str(ip.ipv4_mapped or ipaddress.ip_network((ip, 64), strict=False))


def allowed(connection: HTTPConnection, kind: str, key: str | None = None) -> bool:
    """Whether the limit `kind` allows this once more for `key` (the address unless told otherwise)."""
    if not connection.app.state.hall.settings.limits:
        return True
    limit: Limit = getattr(connection.app.state.limits, kind)
    return limit.allows(key or address(connection))


@contextlib.contextmanager
def seated(connection: HTTPConnection) -> Iterator[None]:
    """Count a socket or a stream of an address as long as it is open; raise a 429 where there are too many."""
    counts: Counter[str] = connection.app.state.sockets
    place = address(connection)
    if counts[place] >= SOCKETS and connection.app.state.hall.settings.limits:
        reason = _("So many tables are open at your address that there is no room for one more. Close some first.")
        raise HTTPException(429, reason, {"Retry-After": "10"})
    counts[place] += 1
    try:
        yield
    finally:
        counts[place] -= 1
        if not counts[place]:
            del counts[place]


def spend(connection: HTTPConnection, kind: str) -> None:
    """Raise a 429 where the limit `kind` is reached."""
    if not allowed(connection, kind):
        raise refused(connection, kind)


def refused(connection: HTTPConnection, kind: str) -> HTTPException:
    """Return the 429 that the limit `kind` ends in."""
    return HTTPException(429, too_much(), later(connection, kind))


def later(connection: HTTPConnection, kind: str) -> dict[str, str]:
    """Return the header that says when to try again what the limit `kind` refused."""
    limit: Limit = getattr(connection.app.state.limits, kind)
    return {"Retry-After": str(limit.pause)}
