"""The API for programs: the same tables, views and moves as JSON, described by an OpenAPI document of these types."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, get_args

import msgspec
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route, WebSocketRoute

from kartoteka import __version__, players
from kartoteka.engine import registry
from kartoteka.engine.errors import UsageError
from kartoteka.server.html import drawing
from kartoteka.server.table import events as ev
from kartoteka.server.table import messages as msg
from kartoteka.server.table.sheet import Sheet
from kartoteka.server.visitors import tidy_name, token
from kartoteka.server.web.limits import address, allowed, later, spend
from kartoteka.server.web.requests import hall_of, html, room_of, visitor
from kartoteka.server.web.sockets import api_socket, news_of, slower
from kartoteka.text import N_, _

QUIET = 15.0
"""Seconds after which a stream on which nothing happens gets an empty line."""

_encode = msgspec.json.Encoder().encode


class GameFacts(msgspec.Struct):
    """A game that can be played: its options with their values, the default first."""

    name: str
    title: str
    native: str
    players: tuple[int, ...]
    usual: int
    minutes: int
    sentence: str
    options: dict[str, list[bool | int | str]]


class NewTable(msgspec.Struct, forbid_unknown_fields=True):
    """A table to be opened: whoever opens it takes seat 1, computer players the seats that `computers` names."""

    game: Annotated[str, msgspec.Meta(max_length=60)]
    players: int | None = None
    options: dict[str, bool | int | str] = {}
    best_of: Annotated[int, msgspec.Meta(ge=1, le=99)] = 1
    name: Annotated[str, msgspec.Meta(max_length=60)] = ""
    computers: dict[int, str] = {}
    listed: bool = False
    per_move: Annotated[int, msgspec.Meta(ge=0, le=604_800)] = 0
    patience: Annotated[int, msgspec.Meta(ge=20, le=604_800)] = 120


class WantedSeat(msgspec.Struct, forbid_unknown_fields=True):
    """A seat to be taken: its number, or 0 for any free one."""

    name: Annotated[str, msgspec.Meta(max_length=60)] = ""
    seat: Annotated[int, msgspec.Meta(ge=0, le=99)] = 0


class Taken(msgspec.Struct):
    """A seat that was taken: send `token` as ``Authorization: Bearer TOKEN`` with all that follows.

    A page's cookie does as well; then `token` is empty.
    """

    code: str
    seat: int
    token: str
    link: str


def _json(value: object, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    return Response(_encode(value), status, headers, media_type="application/json")


async def _body(request: Request, type_: type[Any]) -> Any:
    try:
        return msgspec.json.decode(await request.body() or b"{}", type=type_)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise UsageError(_("This is not what is wanted here: {error}.").format(error=str(error)[:200])) from None


async def games(request: Request) -> Response:
    """Which games there are, and their options."""
    found = [
        GameFacts(
            game.name, game.title, game.native, game.players, game.usual, game.minutes, _(game.sentence),
            {o.name: [o.default, *(v for v in o.readings if v != o.default)] for o in game.options},
        )
        for game in registry.games().values()
    ]  # fmt: skip
    return _json(found)


def _taken(request: Request, code: str, seat: int) -> Response:
    link = f"{request.url.scheme}://{request.url.netloc}{drawing.url('/t/' + code)}"
    word = "" if request.state.source == "cookie" else request.state.word  # a page's scripts are not to have that
    return _json(Taken(code, seat, word, link), 201)


async def open_table(request: Request) -> Response:
    """Open a table and take its first seat."""
    spend(request, "tables")
    wanted: NewTable = await _body(request, NewTable)
    game = registry.find(wanted.game)
    who = visitor(request)
    opened = ev.Opened(
        game.name, game.seats(wanted.players), wanted.options, wanted.best_of, who, wanted.listed, wanted.per_move,
        wanted.patience,
    )  # fmt: skip
    events: list[ev.TableEvent] = [ev.Sat(1, who, tidy_name(wanted.name), token())]
    for seat, kind in wanted.computers.items():
        if not 2 <= seat <= opened.players:
            raise UsageError(_("There is no seat {seat} for the computer.").format(seat=seat))
        players.find(kind)
        events.append(ev.Replaced(seat, kind))
    room = await hall_of(request).open(opened, events)
    return _taken(request, room.table.code, 1)


async def take_seat(request: Request) -> Response:
    """Take a seat at a table."""
    room = await room_of(request)
    wanted: WantedSeat = await _body(request, WantedSeat)
    return _taken(request, room.table.code, await room.sit(visitor(request), wanted.name, wanted.seat))


async def see(request: Request) -> Response:
    """The table as this program sees it: from its seat, or as a spectator."""
    room = await room_of(request)
    return _json(msg.Told(room.sheet(visitor(request))))


async def say(request: Request) -> Response:
    """Send a message to the table: a move, a nonce, a remark, whatever a page can send."""
    room = await room_of(request)
    message: msg.Ask = await _body(request, msg.Ask)  # type: ignore[arg-type]
    if isinstance(message, msg.Hello | msg.Look):
        raise UsageError(
            _("Messages of the type {type} are for a socket.").format(type=message.__struct_config__.tag)
        )
    who = visitor(request)
    talks = who if room.reader(who).seat else address(request)
    for kind, key in ("remarks", talks), ("messages", who):
        if (kind == "messages" or isinstance(message, msg.Say)) and not allowed(request, kind, key):
            return _json(slower(getattr(message, "id", "")), 429, later(request, kind))
    answer = await room.ask(who, message)
    return _json(answer, 409 if isinstance(answer, msg.Refused) else 200)


async def stream(request: Request) -> Response:
    """The table again whenever it changes, one JSON object a line, from event ``after`` on."""
    room, who = await room_of(request), visitor(request)
    after = request.query_params.get("after", "0")
    have = int(after) if after.isascii() and after.isdecimal() and len(after) < 9 else 0

    async def lines(have: int) -> AsyncIterator[bytes]:
        sent: Sheet | None = None
        with room.listening(who) as listener:
            while True:
                listener.wake.clear()
                sheet = room.sheet(who)
                if sheet != sent:
                    yield _encode(msg.Told(sheet, news_of(sheet, have))) + b"\n"
                    sent, have = sheet, sheet.number
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(listener.wake.wait(), QUIET)
                    continue
                yield b"\n"  # finds out whether anyone still listens

    return StreamingResponse(lines(have), media_type="application/x-ndjson")


# --- the description -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Endpoint:
    """One path of the API: what answers it, what it is sent and what it answers."""

    method: str
    path: str
    handler: Callable[[Request], Awaitable[Response]]
    summary: str
    answers: Any
    body: Any = None
    query: str = ""
    example: str = ""

    @property
    def answered(self) -> str:
        """The status of a good answer."""
        return "201" if self.answers is Taken else "200"


ENDPOINTS = (
    Endpoint("GET", "/api/games", games, N_("The games, with their options."), list[GameFacts]),
    Endpoint(
        "POST", "/api/tables", open_table, N_("Open a table and take its first seat."), Taken, NewTable,
        example='{"game": "GAME", "players": 3, "name": "Ada", "computers": {"3": "greedy"}}',
    ),
    Endpoint(
        "POST", "/api/tables/{code}/seats", take_seat, N_("Take a seat."), Taken, WantedSeat,
        example='{"name": "Ada", "seat": 2}',
    ),
    Endpoint("GET", "/api/tables/{code}", see, N_("The table as you see it now."), msg.Told),
    Endpoint(
        "GET", "/api/tables/{code}/events", stream,
        N_("The table again whenever it changes, one JSON object a line; empty lines mean that nothing happened."),
        msg.Told, query="after",
    ),
    Endpoint(
        "POST", "/api/tables/{code}/messages", say,
        N_("Say something to the table: a move, a nonce, a remark, or that the next deal may begin."),
        msg.Done, msg.Ask, example='{"type": "move", "id": "my-17", "number": 41, "move": "7h@2"}',
    ),
)  # fmt: skip


def openapi() -> dict[str, Any]:
    """Return the OpenAPI document, its schemas made from the types that are really read and written."""
    types = [t for e in ENDPOINTS for t in (e.body, e.answers) if t is not None] + [msg.Refused, msg.Tell]
    schemas, components = msgspec.json.schema_components(types, ref_template="#/components/schemas/{name}")
    schema = iter(schemas)
    paths: dict[str, dict[str, Any]] = {}
    for e in ENDPOINTS:
        body = next(schema) if e.body is not None else None
        paths.setdefault(e.path, {})[e.method.lower()] = _operation(e, body, next(schema))
    refused, tell = schemas[-2:]
    components["Ask"] = msgspec.json.schema_components([msg.Ask], ref_template="#/components/schemas/{name}")[0][0]
    components["Tell"] = {**tell, "description": "What a socket at /api/tables/{code}/socket gets."}
    components["Problem"] = refused
    return {
        "openapi": "3.1.0",
        "info": {"title": "Kartoteka", "version": __version__},
        "servers": [{"url": drawing.prefix.get() or "/"}],
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
        "security": [{"token": []}, {}],
    }


def _operation(e: Endpoint, body: Any, answer: Any) -> dict[str, Any]:
    kind = "application/x-ndjson" if e.query else "application/json"
    found: dict[str, Any] = {
        "summary": _(e.summary),
        "parameters": [
            {"name": "code", "in": "path", "required": True, "schema": {"type": "string"}}
        ] * ("{code}" in e.path) + [
            {"name": e.query, "in": "query", "required": False, "schema": {"type": "integer", "minimum": 0}}
        ] * bool(e.query),
        "responses": {
            e.answered: {"description": "OK", "content": {kind: {"schema": answer}}},
            "default": {
                "description": "Refused",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Problem"}}},
            },
        },
    }  # fmt: skip
    if body is not None:
        found["requestBody"] = {"content": {"application/json": {"schema": body}}}
    return found


async def openapi_json(request: Request) -> Response:
    """The OpenAPI document."""
    return JSONResponse(openapi())


async def page(request: Request) -> Response:
    """The description for people."""
    document = openapi()
    groups = [
        {
            "method": e.method, "path": e.path, "summary": _(e.summary), "body": _name(e.body),
            "answer": _name(e.answers), "example": e.example,
        }
        for e in ENDPOINTS
    ]  # fmt: skip
    return html("api.html", groups=groups, schemas=document["components"]["schemas"], here="")


def _name(type_: Any) -> str:
    """Return what the document calls a type."""
    if type_ is msg.Ask:
        return "Ask"
    inner = get_args(type_)
    return str((inner[0] if inner else type_).__name__) if type_ is not None else ""


ROUTES = [
    Route("/api", page),
    Route("/api/openapi.json", openapi_json),
    *(Route(e.path, e.handler, methods=[e.method]) for e in ENDPOINTS),
    WebSocketRoute("/api/tables/{code}/socket", api_socket),
]
