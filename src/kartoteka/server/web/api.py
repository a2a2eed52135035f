"""The API for programs: the same tables, views and moves as JSON, described by an OpenAPI document of these types."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Mapping
from typing import Annotated, Any

import msgspec
from starlette.requests import HTTPConnection, Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route, WebSocketRoute
from starlette.types import Receive, Scope, Send

from kartoteka import players
from kartoteka.engine import registry
from kartoteka.engine.declare import Game
from kartoteka.engine.errors import UsageError
from kartoteka.engine.variant import Variant
from kartoteka.server.html import drawing
from kartoteka.server.table import events as ev
from kartoteka.server.table import messages as msg
from kartoteka.server.table.sheet import Sheet
from kartoteka.server.visitors import CODE, tidy_name, token
from kartoteka.server.web.limits import address, allowed, later, seated, spend
from kartoteka.server.web.openapi import Endpoint, document, name_of
from kartoteka.server.web.requests import hall_of, html, room_of, visitor
from kartoteka.server.web.sockets import api_socket, slower, told_since
from kartoteka.text import N_, _

QUIET = 15.0
"""Seconds after which a stream on which nothing happens gets an empty line."""

_encode = msgspec.json.Encoder().encode


class GameFacts(msgspec.Struct):
    """A game that can be played: its options with their named values, the default first.

    `numbers` are the least and the greatest whole number of the options that may be any between them. `prepared` says
    whether the game is played by its machine code yet, where that can be had: it is slower before.
    """

    name: str
    title: str
    native: str
    players: tuple[int, ...]
    usual: int
    minutes: int
    sentence: str
    options: dict[str, list[bool | int | str]]
    numbers: dict[str, tuple[int, int]]
    prepared: bool


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

    code: Annotated[str, msgspec.Meta(pattern=CODE)]
    seat: Annotated[int, msgspec.Meta(ge=1)]
    token: Annotated[str, msgspec.Meta(pattern="^([0-9a-f]{32})?$")]
    link: str


def _json(value: object, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    return Response(_encode(value), status, headers, media_type="application/json")


def _whole(value: Any) -> Any:
    """Return what was decoded with ``2.0`` as 2, which in JSON is the same number."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, list):
        return [_whole(item) for item in value]
    return {key: _whole(item) for key, item in value.items()} if isinstance(value, dict) else value


async def _body(request: Request, type_: type[Any]) -> Any:
    try:
        return msgspec.convert(_whole(msgspec.json.decode(await request.body() or b"{}")), type_, str_keys=True)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise UsageError(_("This is not what is wanted here: {error}.").format(error=str(error)[:200])) from None


def _prepared(game: Game) -> bool:
    return Variant(game, game.usual, game.settle({})).prepared


async def games(request: Request) -> Response:
    """Which games there are, and their options."""
    found = [
        GameFacts(
            game.name, game.title, game.native, game.players, game.usual, game.minutes, _(game.sentence),
            {o.name: [o.default, *(v for v in o.readings if v != o.default)] for o in game.options},
            {o.name: o.numbers for o in game.options if o.numbers},
            await asyncio.to_thread(_prepared, game),
        )
        for game in registry.games().values()
    ]  # fmt: skip
    return _json(found)


def _taken(request: Request, code: str, seat: int) -> Response:
    word = "" if request.state.source == "cookie" else request.state.word  # a page's scripts are not to have that
    return _json(Taken(code, seat, word, drawing.absolute(f"/t/{code}")), 201)


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
    return _json(msg.Told(room.timed(room.sheet(visitor(request)))))


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


class _Stream(StreamingResponse):
    """A stream, which counts as a socket."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send it as long as somebody listens."""
        with seated(HTTPConnection(scope)):
            await super().__call__(scope, receive, send)


async def stream(request: Request) -> Response:
    """The table again whenever it changes, one JSON object a line, from event ``after`` on."""
    room, who = await room_of(request), visitor(request)
    after = request.query_params.get("after", "0")
    if not (after.isascii() and after.isdecimal() and len(after) < 9):
        raise UsageError(_("After which event? {after!r} is no event's number.").format(after=after[:20]))
    have = int(after)

    async def lines(have: int) -> AsyncIterator[bytes]:
        sent: Sheet | None = None
        with room.listening(who) as listener:
            while not room.closed:
                listener.wake.clear()
                sheet = room.sheet(who)
                if sheet is not sent:
                    yield _encode(told_since(room, sheet, have, sent)) + b"\n"
                    sent, have = sheet, sheet.number
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(listener.wake.wait(), QUIET)
                    continue
                yield b"\n"  # finds out whether anyone still listens

    return _Stream(lines(have), media_type="application/x-ndjson")


# --- the description -----------------------------------------------------------------------------------------

ENDPOINTS = (
    Endpoint("listGames", "GET", "/api/games", games, N_("The games, with their options."), list[GameFacts]),
    Endpoint(
        "openTable", "POST", "/api/tables", open_table, N_("Open a table and take its first seat."), Taken, NewTable,
        example='{"game": "GAME", "name": "Ada", "computers": {"2": "greedy"}}', good=201, refuses=(400, 413),
    ),
    Endpoint(
        "takeSeat", "POST", "/api/tables/{code}/seats", take_seat, N_("Take a seat."), Taken, WantedSeat,
        example='{"name": "Ada", "seat": 2}', good=201, refuses=(400, 404, 409, 413),
    ),
    Endpoint(
        "seeTable", "GET", "/api/tables/{code}", see, N_("The table as you see it now."), msg.Told, refuses=(404,)
    ),
    Endpoint(
        "followTable", "GET", "/api/tables/{code}/events", stream,
        N_("The table again whenever it changes, one JSON object a line; empty lines mean that nothing happened."),
        msg.Told, query="after", refuses=(400, 404),
    ),
    Endpoint(
        "sayToTable", "POST", "/api/tables/{code}/messages", say,
        N_("Say something to the table: a move, a nonce, a remark, or that the next deal may begin."),
        msg.Done, msg.Said, example='{"type": "move", "id": "my-17", "number": 41, "move": "7h@2"}',
        refuses=(400, 404, 409, 413),
    ),
)  # fmt: skip


async def openapi_json(request: Request) -> Response:
    """The OpenAPI document."""
    return JSONResponse(document(ENDPOINTS))


async def page(request: Request) -> Response:
    """The description for people."""
    schemas = document(ENDPOINTS)["components"]["schemas"]
    groups = [
        {
            "method": e.method, "path": e.path, "summary": _(e.summary), "body": name_of(e.body),
            "answer": name_of(e.answers), "example": e.called,
        }
        for e in ENDPOINTS
    ]  # fmt: skip
    return html("api.html", groups=groups, schemas=schemas, here="")


ROUTES = [
    Route("/api", page),
    Route("/api/openapi.json", openapi_json),
    *(Route(e.path, e.handler, methods=[e.method]) for e in ENDPOINTS),
    WebSocketRoute("/api/tables/{code}/socket", api_socket),
]
