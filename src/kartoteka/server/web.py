"""What every request passes: who comes, in which language, from where; headers, limits, errors in words."""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from babel import negotiate_locale
from starlette.applications import Starlette
from starlette.datastructures import FormData, Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.types import Message, Receive, Scope, Send

from kartoteka.engine.errors import KartotekaError
from kartoteka.server import draw, faults
from kartoteka.server.asks import Refusal
from kartoteka.server.hall import Hall
from kartoteka.server.room import Room
from kartoteka.server.settings import Settings
from kartoteka.server.visitors import Limit, digest, tidy_code, token
from kartoteka.text import _, languages, speaking

COOKIE, NAME, LANGUAGE = "kartoteka", "kartoteka_name", "kartoteka_language"
A_YEAR = 365 * 86_400
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


@dataclass(frozen=True)
class Limits:
    """What one address may do; a visitor: `remarks`; a socket: `messages`."""

    requests: Limit = field(default_factory=lambda: Limit(20, 200))
    tables: Limit = field(default_factory=lambda: Limit(0.2, 12))
    codes: Limit = field(default_factory=lambda: Limit(0.2, 12))
    uploads: Limit = field(default_factory=lambda: Limit(0.05, 6))
    remarks: Limit = field(default_factory=lambda: Limit(0.7, 6))
    messages: Limit = field(default_factory=lambda: Limit(15, 60))


def too_much() -> str:
    """Return what is said to whoever does too much at a time."""
    return _("That was a lot at once. Wait a little and try again.")


def hall_of(connection: HTTPConnection) -> Hall:
    """Return the tables of this server."""
    hall: Hall = connection.app.state.hall
    return hall


def address(connection: HTTPConnection) -> str:
    """Return where a request comes from (behind a proxy, what the proxy says if it is trusted).

    Of an IPv6 address the first half, which is what one household has.
    """
    host = connection.client.host if connection.client else "?"
    try:
        return str(ipaddress.ip_network((host, 64), strict=False)) if ":" in host else host
    except ValueError:
        return host


def allowed(connection: HTTPConnection, kind: str, key: str | None = None) -> bool:
    """Whether the limit `kind` allows this once more for `key` (the address unless told otherwise)."""
    if not hall_of(connection).settings.limits:
        return True
    limit: Limit = getattr(connection.app.state.limits, kind)
    return limit.allows(key or address(connection))


def check(connection: HTTPConnection, kind: str) -> None:
    """Raise a 429 where the limit `kind` is reached."""
    if not allowed(connection, kind):
        raise HTTPException(429, too_much())


def visitor(connection: HTTPConnection) -> str:
    """Return the digest by which this visitor is known, from their cookie or a program's bearer token."""
    return digest(str(connection.state.word))


async def room_of(connection: HTTPConnection) -> Room:
    """Return the room of the table in the path; raise a 404 (and count it, against guessing) if there is none."""
    hall, code = hall_of(connection), tidy_code(connection.path_params["code"])
    here = hall.loaded(code)
    if here and here.table.seat_of(visitor(connection)):
        return here
    if hall.settings.limits and not connection.app.state.limits.codes.open_to(address(connection)):
        raise HTTPException(429, too_much())
    room = await hall.room(code) if code else None
    if room is None:
        check(connection, "codes")
        raise HTTPException(404, _("There is no such table. Look at the code again, or ask for a new link."))
    return room


def same_origin(headers: Headers) -> bool:
    """Whether a request comes from a page of this site; programs, which name no origin, count as such."""
    origin = headers.get("origin")
    return not origin or netloc(origin) == headers.get("host", "").lower()


def netloc(address: str) -> str:
    """Return the host and port of an address that a client sent, in small letters, ``''`` if it has none."""
    try:
        return urlsplit(address).netloc.lower()
    except ValueError:  # such as an IPv6 address without its end
        return ""


async def form_of(request: Request, **limits: int) -> FormData:
    """Return the form that a request brought; raise a 400 for what cannot be read, or not be shown again."""
    try:
        form = await request.form(**limits)
        for value in form.values():
            if isinstance(value, str):
                value.encode()
    except UnicodeError:
        raise HTTPException(400, _("This form cannot be read.")) from None
    return form


def redirect(path: str) -> Response:
    """Return the answer that leads to another page of this site."""
    return Response(status_code=303, headers={"Location": draw.url(path)})


def html(template: str, code: int = 200, /, **context: Any) -> HTMLResponse:
    """Return a page with that HTTP status."""
    return HTMLResponse(draw.render(template, **context), code)


def _language_of(connection: HTTPConnection) -> str:
    """Return the language a visitor chose, or the best of those their browser asks for."""
    known = languages()
    chosen = connection.cookies.get(LANGUAGE, "")
    if chosen in known:
        return chosen
    asked = [part.split(";")[0].strip() for part in connection.headers.get("accept-language", "")[:200].split(",")]
    return negotiate_locale([code for code in asked if code], known, sep="-") or "en"


class Doorman:
    """ASGI middleware: language, visitor, headers, body size, origin; it lets nothing unforeseen out."""

    def __init__(self, app: Starlette, settings: Settings) -> None:
        self.app, self.settings = app, settings
        self.state = app.state

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request or socket."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        scope["app"] = self.app
        prefix = self.settings.prefix
        if prefix and scope["path"].startswith(f"{prefix}/"):  # a proxy may take the prefix off, or leave it
            scope["root_path"] = prefix
        connection = HTTPConnection(scope)
        word, source = _word_of(connection)
        connection.state.word, connection.state.source = word, source
        secure = scope["scheme"] in ("https", "wss")

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                kind = headers.get("content-type", "")
                if source == "fresh" and kind.startswith("text/html"):
                    headers.append("Set-Cookie", cookie(COOKIE, word, self.settings.prefix, secure))
                private = kind.startswith(("text/html", "application/json", "application/x-ndjson"))
                headers.setdefault("Cache-Control", "private, no-store" if private else "no-cache")
            await send(message)

        draw.prefix.set(self.settings.prefix)
        with speaking(_language_of(connection)):
            refused = self._refused(connection, scope)
            if refused:
                await refused(scope, receive, send_with_headers)
                return
            try:
                await self.app(scope, _measured(receive), send_with_headers)
            except Exception as error:  # answered by `on_fault`; its text may hold what nobody may read
                faults.note(f"{scope['type']} {scope.get('method', '')}", error)

    def _refused(self, connection: HTTPConnection, scope: Scope) -> Response | None:
        if scope["type"] != "http":
            return None
        if len(connection.headers.get("host", "")) > 255:  # longer than any; it becomes part of links
            return answer(connection, 400, _("This is no address of this site."))
        if scope["method"] not in ("GET", "HEAD") and not same_origin(connection.headers):
            return answer(connection, 403, _("This was sent from a page of another site."))
        still = scope["path"].removeprefix(self.settings.prefix).startswith(("/static/", "/games/"))
        if self.settings.limits and not still and not allowed(connection, "requests"):
            return answer(connection, 429, too_much())
        return None


class TooLarge(HTTPException):
    """The request brings more than this server reads."""

    def __init__(self) -> None:
        super().__init__(413, _("That is more than can be read here."))


def _measured(receive: Receive) -> Receive:
    """Wrap `receive` so that a body longer than `BODY` ends in `TooLarge`."""
    seen = 0

    async def measured() -> Message:
        nonlocal seen
        message = await receive()
        if message["type"] == "http.request":
            seen += len(message.get("body", b""))
            if seen > BODY:
                raise TooLarge
        return message

    return measured


def _word_of(connection: HTTPConnection) -> tuple[str, str]:
    """Return the visitor's word and whence it is: a program's ``bearer`` token, the ``cookie``, or ``fresh``."""
    scheme, _space, bearer = connection.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer" and _WORD.fullmatch(bearer.strip()):
        return bearer.strip(), "bearer"
    kept = connection.cookies.get(COOKIE, "")
    return (kept, "cookie") if _WORD.fullmatch(kept) else (token(), "fresh")


def cookie(name: str, value: str, prefix: str, secure: bool, age: int = A_YEAR) -> str:
    """Return a cookie's header: never readable by scripts, sent with this site's own requests only."""
    return (
        f"{name}={value}; Path={prefix or '/'}; Max-Age={age}; HttpOnly; SameSite=Lax{'; Secure' if secure else ''}"
    )


# --- errors --------------------------------------------------------------------------------------------------


def answer(connection: HTTPConnection, status: int, reason: str) -> Response:
    """Return an error as the reader takes it: a page, or JSON for a program."""
    path = connection.url.path.removeprefix(draw.prefix.get())
    if path.startswith("/api/"):
        return JSONResponse({"type": "refused", "reason": reason}, status)
    return html("error.html", status, status=status, reason=reason)


async def on_http_error(request: Request, error: Exception) -> Response:
    """Answer an error that names its status."""
    assert isinstance(error, HTTPException)
    known = {404: _("There is no such page."), 405: _("That cannot be done here.")}
    plain = error.detail in ("Not Found", "Method Not Allowed", "")
    return answer(request, error.status_code, known.get(error.status_code, error.detail) if plain else error.detail)


async def on_refusal(request: Request, error: Exception) -> Response:
    """Answer what a table or the rules refuse."""
    reason = error.reason if isinstance(error, Refusal) else str(error)
    return answer(request, 409 if isinstance(error, Refusal) else 400, reason)


async def on_fault(request: Request, error: Exception) -> Response:
    """Answer a fault of ours, and say nothing of it; it is in the server's log."""
    return answer(request, 500, _("Something is wrong here, and it is our fault. Your game is kept; try again."))


HANDLERS: dict[Any, Any] = {
    HTTPException: on_http_error, Refusal: on_refusal, KartotekaError: on_refusal, 500: on_fault,
}  # fmt: skip
