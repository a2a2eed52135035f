"""The pages: the drawer, new tables, a table, rulebooks."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, unquote, urlsplit

import segno
from markupsafe import Markup
from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from kartoteka import players
from kartoteka.engine import registry
from kartoteka.engine.declare import Game, Option, spelled
from kartoteka.engine.errors import UsageError
from kartoteka.server.html import assets, drawing, rulebooks
from kartoteka.server.html.script_texts import words
from kartoteka.server.table import events as ev
from kartoteka.server.table import messages as msg
from kartoteka.server.table.state import EMPTY, Table
from kartoteka.server.visitors import tidy_name, token
from kartoteka.server.web.limits import spend
from kartoteka.server.web.requests import (
    A_YEAR,
    LANGUAGE,
    NAME,
    cookie,
    form_of,
    hall_of,
    html,
    origin_of,
    redirect,
    room_called,
    room_of,
    visitor,
)
from kartoteka.text import _, language, languages

COMPUTER = "greedy"
"""The computer player that sits down where nobody says which."""

NUMBER = "number"
"""What the form's radio button beside a number says."""

TIMES = (0, 30, 60, 180, 600, 86_400)
"""Seconds for a move that the form offers; 0 is no clock."""

PATIENCE = (60, 120, 600, 3600, 86_400)
"""Seconds of absence after which the others may go on, as the form offers them."""


def game_in(values: Mapping[str, Any], key: str = "game") -> Game:
    """Return the game that a form, query or path names; raise a 404 for none."""
    try:
        return registry.find(str(values.get(key, "")))
    except UsageError as error:
        raise HTTPException(404, str(error)) from None


def my_name(request: Request) -> str:
    """Return the name this visitor used last, ``''`` if none."""
    return tidy_name(unquote(request.cookies.get(NAME, ""))) if request.cookies.get(NAME) else ""


def remember(request: Request, response: Response, name: str, value: str, age: int = A_YEAR) -> Response:
    """Keep a small preference in a cookie."""
    secure = request.url.scheme == "https"
    response.headers.append("Set-Cookie", cookie(name, quote(value), drawing.prefix.get(), secure, age))
    return response


# --- the drawer ----------------------------------------------------------------------------------------------


async def home(request: Request) -> Response:
    """The card index, this visitor's tables, and the lobby."""
    who, hall = visitor(request), hall_of(request)
    mine = []
    for code in await hall.store.visited(who):
        room = await hall.room_if_sound(code)
        if room:
            mine.append(_described(room.table, room.table.seat_of(who)))
    lobby = [_described(table, 0) for table in hall.lobby()]
    return html("home.html", drawer=list(registry.games().values()), mine=mine, open=lobby, here="drawer")


def _described(table: Table, seat: int) -> dict[str, Any]:
    """Return a table in a few words, for a list."""
    game = table.variant.game
    return {
        "code": table.code, "title": game.title, "native": game.native, "game": game,
        "others": [name for k, name in enumerate(table.names, 1) if name and k != seat],
        "host": next((name for name in table.names if name), ""),
        "free": sum(holder.kind == EMPTY for holder in table.seats),
        "phase": table.phase, "your_turn": bool(seat) and table.turn == seat, "ago": drawing.ago(table.changed),
        "record": table.record_id,
    }  # fmt: skip


async def play(request: Request) -> Response:
    """Open a table against the computer and go there."""
    spend(request, "tables")
    form = await form_of(request)
    game = game_in(form)
    # A seat that is a colour is drawn by lot; in other games lot draws the dealer.
    seat = 1 + secrets.randbelow(game.usual) if game.fixed_dealer else 1
    who, name = visitor(request), tidy_name(str(form.get("name") or my_name(request)))
    events: list[ev.TableEvent] = [ev.Sat(seat, who, name, token())]
    events += [ev.Replaced(k, COMPUTER) for k in range(1, game.usual + 1) if k != seat]
    room = await hall_of(request).open(ev.Opened(game.name, game.usual, {}, 1, who), events)
    return redirect(f"/t/{room.table.code}")


# --- a new table ---------------------------------------------------------------------------------------------


async def new(request: Request) -> Response:
    """The form for a new table; with POST, open it."""
    if request.method == "POST":
        return await _opened(request, await form_of(request))
    game = game_in(request.query_params) if "game" in request.query_params else next(iter(registry.games().values()))
    return _form(request, game, {}, "")


def _form(request: Request, game: Game, values: Mapping[str, Any], error: str) -> Response:
    return html(
        "new.html", 400 if error else 200, here="new", game=game, games=list(registry.games().values()),
        form=values, error=error, options=[_asked(game, option) for option in game.options], times=TIMES,
        patience=PATIENCE, my_name=my_name(request), kinds=list(players.PLAYERS),
    )  # fmt: skip


def _asked(game: Game, option: Option) -> dict[str, Any]:
    clauses = rulebooks.of(game, [option.clause])
    return {
        "name": option.name, "clause": option.clause, "clause_text": clauses[0][1] if clauses else "",
        "choices": [(spelled(v), option.reading(v), v == option.default) for v in option.readings],
        "number": option.numbers and (*option.numbers, option.default, _(option.number_reading)),
    }  # fmt: skip


async def _opened(request: Request, form: FormData) -> Response:
    spend(request, "tables")
    game, who = game_in(form), visitor(request)
    values = {key: str(value) for key, value in form.multi_items() if str(value).strip()}
    try:
        opened, events = _wanted(game, values, who)
        room = await hall_of(request).open(opened, events)
    except UsageError as error:
        return _form(request, game, values, str(error))
    response = redirect(f"/t/{room.table.code}")
    return remember(request, response, NAME, tidy_name(values["name"])) if "name" in values else response


def _chosen(option: Option, values: Mapping[str, str]) -> str:
    """Return what a form chooses for an option: a named value, or the number typed beside them."""
    value = values[option.name]
    return values.get(f"{option.name}_number", "") if value == NUMBER else value


def _whole(values: Mapping[str, str], key: str, default: int, low: int, high: int) -> int:
    """Return a form's number, `default` where it is left out; raise `UsageError` for one out of bounds."""
    text = values.get(key, "").strip()
    if not text:
        return default
    if not (text.isascii() and text.isdecimal() and len(text) < 8 and low <= int(text) <= high):
        raise UsageError(
            _("{value!r} is no number from {low} to {high}.").format(value=text[:20], low=low, high=high)
        )
    return int(text)


def _wanted(game: Game, values: Mapping[str, str], who: str) -> tuple[ev.Opened, list[ev.TableEvent]]:
    """Return the table that a form asks for, and who sits down at once; raise `UsageError` for what cannot be."""
    number = game.seats(_whole(values, "players", game.usual, 1, 99))
    options = {o.name: o.parse(_chosen(o, values)) for o in game.options if o.name in values}
    opened = ev.Opened(
        game.name, number, options, _whole(values, "best_of", 1, 1, 99), who, listed="listed" in values,
        per_move=_whole(values, "per_move", 0, 0, 604_800), patience=_whole(values, "patience", 120, 20, 604_800),
        spectators_chat="spectators_chat" in values,
    )  # fmt: skip
    events: list[ev.TableEvent] = [ev.Sat(1, who, tidy_name(values.get("name", "")), token())]
    for seat in range(2, number + 1):
        kind = values.get(f"seat_{seat}", "")
        if kind:
            players.find(kind)
            events.append(ev.Replaced(seat, kind))
    return opened, events


# --- a table -------------------------------------------------------------------------------------------------


async def join(request: Request) -> Response:
    """Go to the table whose code was typed."""
    typed = request.query_params.get("code", "")
    room = await room_called(request, typed) if typed else None
    if room:
        return redirect(f"/t/{room.table.code}")
    return html("join.html", 404 if typed else 200, code=typed[:40], here="")


async def table(request: Request) -> Response:
    """A table as this visitor sees it."""
    room, who = await room_of(request), visitor(request)
    sheet = room.timed(room.sheet(who))
    link = drawing.absolute(f"/t/{room.table.code}")
    own = room.table.seats[sheet.seat - 1].link if sheet.seat else ""
    return html(
        "table.html", sheet=sheet, game=registry.find(sheet.game), words=words(), my_name=my_name(request), here="",
        page={name: Markup(part) for name, part in (room.drawn(sheet) | {"log": drawing.log(sheet)}).items()},
        invite={"link": link, "code": room.table.code, "qr": _qr(link) if sheet.phase == "waiting" else ""},
        mine_link=drawing.absolute(f"/t/{room.table.code}/seat/{own}") if own else "",
        board_css=assets.own(registry.find(sheet.game), "board.css"),
    )  # fmt: skip


def _qr(link: str) -> Markup:
    svg: str = segno.make(link, micro=False).svg_inline(scale=4, border=2, omitsize=True, light="#fff", dark="#000")
    return Markup(svg)


async def sit(request: Request) -> Response:
    """Take a seat at a table."""
    form, room = await form_of(request), await room_of(request)
    name, wanted = str(form.get("name") or my_name(request)), str(form.get("seat", ""))
    await room.sit(
        visitor(request), name, int(wanted) if wanted.isascii() and wanted.isdecimal() and len(wanted) < 4 else 0
    )
    response = redirect(f"/t/{room.table.code}")
    return remember(request, response, NAME, tidy_name(name)) if name.strip() else response


async def seat(request: Request) -> Response:
    """Take one's own seat along to this device: asked with GET, done with POST."""
    room = await room_of(request)
    if request.method == "POST":
        await room.share(visitor(request), request.path_params["link"])
        return redirect(f"/t/{room.table.code}")
    held = next((h for h in room.table.seats if h.link and h.link == request.path_params["link"]), None)
    if not held:
        spend(request, "codes")
        raise HTTPException(404, _("This personal link is not valid any more."))
    return html("seat.html", table=_described(room.table, 0), name=held.name or held.owner, here="")


async def new_link(request: Request) -> Response:
    """Give one's seat a new personal link, and let no other device hold it."""
    room = await room_of(request)
    answer = await room.ask(visitor(request), msg.NewLink())
    if isinstance(answer, msg.Refused):
        raise HTTPException(409, answer.reason)
    return redirect(f"/t/{room.table.code}#seats")


async def delete(request: Request) -> Response:
    """Delete a table for good: its host may, once nobody plays there."""
    room = await room_of(request)
    if visitor(request) != room.table.opened.host:
        raise HTTPException(403, _("Only whoever opened this table can delete it."))
    if room.table.phase in ("playing", "sealing") and room.others_here(visitor(request)):
        raise HTTPException(409, _("Others are playing at this table."))
    await hall_of(request).forget(room.table.code)
    return redirect("/")


# --- rulebooks and the rest ----------------------------------------------------------------------------------


async def rules(request: Request) -> Response:
    """The rulebooks, or one, or what each sentence of its source became."""
    if "game" not in request.path_params:
        return html("rules.html", games=list(registry.games().values()), here="rules")
    game = game_in(request.path_params)
    source = request.url.path.endswith("/source")
    body, contents = rulebooks.whole(game.name, source, language())
    other = f"/rules/{game.name}" if source else f"/rules/{game.name}/source"
    return html("rulebook.html", game=game, toc=contents, body=body, other=other, source=source, here="rules")


async def robots(request: Request) -> Response:
    """What search engines may read; tables and replays say for themselves that they are not to be listed.

    They are not forbidden here, since then nothing could show a friend what a link to one leads to.
    """
    return PlainTextResponse(f"User-agent: *\nDisallow: {drawing.url('/api/')}\n")


async def shuffles(request: Request) -> Response:
    """How a shuffle is proved."""
    return html("shuffles.html", here="")


async def set_language(request: Request) -> Response:
    """Choose the language of this browser."""
    code = str((await form_of(request)).get("language", ""))
    if code not in languages():
        raise HTTPException(400, _("There is no such language here."))
    back = request.headers.get("referer", "")
    home = origin_of(back)[1] == request.url.netloc.lower()
    path = "/" + urlsplit(back).path.removeprefix(drawing.prefix.get()).lstrip("/\\") if home else "/"
    return remember(request, redirect(path), LANGUAGE, code)
