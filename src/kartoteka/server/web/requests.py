"""What handlers ask of a request: who comes, which table, the form; and the answers they give most."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse, Response

from kartoteka.server.html import drawing
from kartoteka.server.rooms.hall import Hall
from kartoteka.server.rooms.room import Room
from kartoteka.server.visitors import digest, tidy_code
from kartoteka.server.web.limits import address, refused, spend
from kartoteka.text import _

COOKIE, NAME, LANGUAGE = "kartoteka", "kartoteka_name", "kartoteka_language"
A_YEAR = 365 * 86_400


def hall_of(connection: HTTPConnection) -> Hall:
    """Return the tables of this server."""
    hall: Hall = connection.app.state.hall
    return hall


def visitor(connection: HTTPConnection) -> str:
    """Return the digest by which this visitor is known, from their cookie or a program's bearer token."""
    return digest(str(connection.state.word))


async def room_of(connection: HTTPConnection) -> Room:
    """Return the room of the table in the path; raise a 404 if there is none."""
    room = await room_called(connection, connection.path_params["code"])
    if room is None:
        raise HTTPException(404, _("There is no such table. Look at the code again, or ask for a new link."))
    return room


async def room_called(connection: HTTPConnection, typed: str) -> Room | None:
    """Return the room of the table with that code, None if there is none, which is counted, against guessing.

    Who has guessed too often is not even told which codes are good, save for tables at which they sit.
    """
    hall, code = hall_of(connection), tidy_code(typed)
    here = hall.loaded(code)
    if here and here.table.seat_of(visitor(connection)):
        return here
    if hall.settings.limits and not connection.app.state.limits.codes.open_to(address(connection)):
        raise refused(connection, "codes")
    room = await hall.room(code) if code else None
    if room is None:
        spend(connection, "codes")
    return room


def same_origin(connection: HTTPConnection) -> bool:
    """Whether a request or socket comes from a page of this site; programs, which name no origin, count as such.

    A page by plain http is another site than one by https, whatever its host: anyone between could have written it.
    """
    origin = connection.headers.get("origin")
    scheme = "https" if connection.scope["scheme"] in ("https", "wss") else "http"
    return not origin or origin_of(origin) == (scheme, connection.headers.get("host", "").lower())


def origin_of(address: str) -> tuple[str, str]:
    """Return the scheme, and the host and port, of an address that a client sent; ``''`` for what it has not."""
    try:
        parts = urlsplit(address)
    except ValueError:  # such as an IPv6 address without its end
        return "", ""
    return parts.scheme, parts.netloc.lower()


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
    return Response(status_code=303, headers={"Location": drawing.url(path)})


def html(template: str, code: int = 200, /, **context: Any) -> HTMLResponse:
    """Return a page with that HTTP status."""
    return HTMLResponse(drawing.page(template, **context), code)


def cookie(name: str, value: str, prefix: str, secure: bool, age: int = A_YEAR) -> str:
    """Return a cookie's header: never readable by scripts, sent with this site's own requests only."""
    return (
        f"{name}={value}; Path={prefix or '/'}; Max-Age={age}; HttpOnly; SameSite=Lax{'; Secure' if secure else ''}"
    )
