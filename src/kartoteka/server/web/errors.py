"""Errors as answers: a page for a person, JSON for a program, always in a sentence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import JSONResponse, Response

from kartoteka.engine.errors import KartotekaError
from kartoteka.server.html import drawing
from kartoteka.server.rooms.log import LogFault
from kartoteka.server.table.decide import Refusal
from kartoteka.server.web.requests import html
from kartoteka.text import _


def answer(
    connection: HTTPConnection, status: int, reason: str, headers: Mapping[str, str] | None = None
) -> Response:
    """Return an error as the reader takes it: a page, or JSON for a program."""
    path = connection.url.path.removeprefix(drawing.prefix.get())
    if path.startswith("/api/"):
        return JSONResponse({"type": "refused", "reason": reason}, status, headers)
    page = html("error.html", status, status=status, reason=reason)
    page.headers.update(headers or {})
    return page


async def on_http_error(request: Request, error: Exception) -> Response:
    """Answer an error that names its status."""
    assert isinstance(error, HTTPException)
    known = {404: _("There is no such page."), 405: _("That cannot be done here.")}
    plain = error.detail in ("Not Found", "Method Not Allowed", "")
    reason = known.get(error.status_code, error.detail) if plain else error.detail
    return answer(request, error.status_code, reason, error.headers)  # such as Allow, Retry-After


async def on_refusal(request: Request, error: Exception) -> Response:
    """Answer what a table or the rules refuse."""
    reason = error.reason if isinstance(error, Refusal) else str(error)
    return answer(request, 409 if isinstance(error, Refusal) else 400, reason)


async def on_log_fault(request: Request, error: Exception) -> Response:
    """Answer what cannot be kept; why is for whoever runs the server."""
    assert isinstance(error, LogFault)
    return answer(request, 503, error.told)


def on_fault(connection: HTTPConnection) -> Response:
    """Answer a fault of ours, and say nothing of it; it is in the server's log."""
    return answer(connection, 500, _("Something is wrong here, and it is our fault. Your game is kept; try again."))


HANDLERS: dict[Any, Any] = {
    HTTPException: on_http_error, Refusal: on_refusal, LogFault: on_log_fault,
    KartotekaError: on_refusal,
}  # fmt: skip
