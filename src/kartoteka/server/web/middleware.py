"""What every request and socket passes on its way in, and every answer on its way out: each class one thing."""

from __future__ import annotations

import re

from babel import negotiate_locale
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import HTTPConnection
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from kartoteka.server import faults
from kartoteka.server.html import drawing
from kartoteka.server.settings import Settings
from kartoteka.server.visitors import token
from kartoteka.server.web.errors import answer, on_fault
from kartoteka.server.web.limits import allowed, later, too_much
from kartoteka.server.web.requests import COOKIE, LANGUAGE, cookie, same_origin
from kartoteka.text import _, languages, speaking

BODY = 400_000
"""The most bytes that a request may bring (a record of a very long match)."""

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; manifest-src 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
_WORD = re.compile(r"[0-9a-f]{32}")


def stack(settings: Settings) -> list[Middleware]:
    """Return all of them, outermost first.

    Each line of a stream is compressed and sent at once. Compressing tells by an answer's length whether words that
    others put into it, such as remarks, are like its secrets (the attack known as BREACH): pages write those with the
    filter `hushed`, of which nothing that others write can be part.
    """
    return [
        Middleware(GZipMiddleware, compresslevel=5),
        Middleware(Prefixed, settings.prefix),
        Middleware(SecurityHeaders),
        Middleware(Visitors, settings.prefix),
        Middleware(Languages),
        Middleware(Faults),
        Middleware(Senders),
        *([Middleware(RateLimit)] if settings.limits else []),
        Middleware(BodyLimit),
    ]


class _Layer:
    """ASGI middleware around `app`; what is neither a request nor a socket passes it by."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request or socket."""
        if scope["type"] in ("http", "websocket"):
            await self.serve(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    async def serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request or socket through, or answer it."""
        raise NotImplementedError


class Prefixed(_Layer):
    """The path under which a proxy serves the site: the proxy may take it off, or leave it."""

    def __init__(self, app: ASGIApp, prefix: str) -> None:
        super().__init__(app)
        self.prefix = prefix

    async def serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Take the prefix for what it is; links are made with it."""
        if self.prefix and scope["path"].startswith(f"{self.prefix}/"):
            scope["root_path"] = self.prefix
        drawing.prefix.set(self.prefix)
        address = HTTPConnection(scope).url
        drawing.origin.set(f"{address.scheme}://{address.netloc}")
        await self.app(scope, receive, send)


class SecurityHeaders(_Layer):
    """Headers that say what a page may do, and that what is told to one reader is kept for no other."""

    async def serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Add the headers that an answer lacks."""

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                kind = headers.get("content-type", "")
                private = kind.startswith(("text/html", "application/json", "application/x-ndjson"))
                headers.setdefault("Cache-Control", "private, no-store" if private else "no-cache")
            await send(message)

        await self.app(scope, receive, send_with_headers)


class Visitors(_Layer):
    """Who comes: a random word in a cookie, given with the first page or seat, or a program's bearer token."""

    def __init__(self, app: ASGIApp, prefix: str) -> None:
        super().__init__(app)
        self.prefix = prefix

    async def serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Note the visitor's word and whence it is; send a fresh one along with a page, or on the way to one."""
        connection = HTTPConnection(scope)
        word, source = _word_of(connection)
        connection.state.word, connection.state.source = word, source
        secure = scope["scheme"] in ("https", "wss")

        async def send_with_cookie(message: Message) -> None:
            if message["type"] == "http.response.start" and source == "fresh":
                headers = MutableHeaders(scope=message)
                page = headers.get("content-type", "").startswith("text/html")
                if page or message["status"] == 303:  # a form was sent, which may have taken a seat
                    headers.append("Set-Cookie", cookie(COOKIE, word, self.prefix, secure))
            await send(message)

        await self.app(scope, receive, send_with_cookie)


def _word_of(connection: HTTPConnection) -> tuple[str, str]:
    """Return the visitor's word and whence it is: a program's ``bearer`` token, the ``cookie``, or ``fresh``."""
    scheme, _space, bearer = connection.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer" and _WORD.fullmatch(bearer.strip()):
        return bearer.strip(), "bearer"
    kept = connection.cookies.get(COOKIE, "")
    return (kept, "cookie") if _WORD.fullmatch(kept) else (token(), "fresh")


class Languages(_Layer):
    """The language a visitor chose, or the best of those their browser asks for."""

    async def serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve in that language."""
        with speaking(_language_of(HTTPConnection(scope))):
            await self.app(scope, receive, send)


def _language_of(connection: HTTPConnection) -> str:
    known = languages()
    chosen = connection.cookies.get(LANGUAGE, "")
    if chosen in known:
        return chosen
    asked = [part.split(";")[0].strip() for part in connection.headers.get("accept-language", "")[:200].split(",")]
    return negotiate_locale([code for code in asked if code], known, sep="-") or "en"


class Faults(_Layer):
    """Nothing unforeseen gets out: it is noted in the log, and answered with a sentence that tells nothing of it."""

    async def serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve, or say that something is wrong here."""
        begun = False

        async def watched(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self.app(scope, receive, watched)
        except Exception as error:  # its text may hold what nobody may read
            faults.note(f"{scope['type']} {scope.get('method', '')}", error)
            if scope["type"] == "http" and not begun:
                await on_fault(HTTPConnection(scope))(scope, receive, send)


class _Gate(_Layer):
    """Middleware that refuses some requests and lets the others through."""

    async def serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer what is refused."""
        refused = self.refused(HTTPConnection(scope), scope) if scope["type"] == "http" else None
        await (refused or self.app)(scope, receive, send)

    def refused(self, connection: HTTPConnection, scope: Scope) -> Response | None:
        """Return the answer to a request that is refused."""
        raise NotImplementedError


class Senders(_Gate):
    """What changes anything comes from a page of this site or from a program, never from another site's page."""

    def refused(self, connection: HTTPConnection, scope: Scope) -> Response | None:
        """Refuse an impossible host, and another site's forms."""
        if len(connection.headers.get("host", "")) > 255:  # longer than any; it becomes part of links
            return answer(connection, 400, _("This is no address of this site."))
        if scope["method"] not in ("GET", "HEAD") and not same_origin(connection):
            return answer(connection, 403, _("This was sent from a page of another site."))
        return None


class RateLimit(_Gate):
    """So many requests an address, those for still files not counted."""

    def refused(self, connection: HTTPConnection, scope: Scope) -> Response | None:
        """Refuse what is too much."""
        still = scope["path"].removeprefix(drawing.prefix.get()).startswith("/static/")
        if still or allowed(connection, "requests"):
            return None
        return answer(connection, 429, too_much(), later(connection, "requests"))


class TooLarge(HTTPException):
    """The request brings more than this server reads."""

    def __init__(self) -> None:
        super().__init__(413, _("That is more than can be read here."))


class BodyLimit(_Layer):
    """A body longer than `BODY` ends in `TooLarge`."""

    async def serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Count the bytes as they come."""
        seen = 0

        async def measured() -> Message:
            nonlocal seen
            message = await receive()
            if message["type"] == "http.request":
                seen += len(message.get("body", b""))
                if seen > BODY:
                    raise TooLarge
            return message

        await self.app(scope, measured, send)
