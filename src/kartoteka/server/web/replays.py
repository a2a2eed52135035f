"""Replays: records as pages that can be stepped through, shared, downloaded, uploaded and verified."""

from __future__ import annotations

import asyncio
import functools
import hashlib
import time
from collections.abc import Iterator, Mapping
from typing import Any

from markupsafe import Markup
from msgspec import UNSET
from msgspec.structs import replace
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from kartoteka.engine import record as records
from kartoteka.engine import registry
from kartoteka.engine.declare import Game
from kartoteka.engine.errors import RecordError
from kartoteka.engine.match import Match
from kartoteka.engine.position import Position
from kartoteka.engine.record import Head, Record
from kartoteka.engine.telling import tell
from kartoteka.engine.variant import Variant
from kartoteka.engine.verifying import verify_shuffles
from kartoteka.players import move_of
from kartoteka.server.html import assets, drawing
from kartoteka.server.rooms.log import Kept
from kartoteka.server.web.limits import spend
from kartoteka.server.web.pages import COMPUTER, game_in
from kartoteka.server.web.requests import form_of, hall_of, html, redirect, visitor
from kartoteka.text import _, decimal, language, listed, printable

MOVES = 20_000
"""The most moves of a record that is uploaded."""

DEALS = 200
"""The most deals of one."""

LETTERS = 100
"""The most letters of any text in one that the rules do not know: names, kinds, nonces."""

REASON = 1000
"""The most letters that are said of what is wrong with one; a reason quotes what was sent."""


def laid_open(position: Position, game: str, names: Mapping[int, str]) -> str:
    """Return a position as HTML with every hand shown: for a game that is over."""
    seats = range(1, position.variant.players + 1)
    own = [(seat, z) for seat in seats for z in position.view(seat).zones if z.kind == "hand" and z.owner == seat]
    hands = [(seat, replace(z, label=_("Hand of {name}").format(name=names[seat]))) for seat, z in own]
    public = position.view(0)
    secret = any("??" in z.cards for z in public.zones if z.kind == "hand")
    lanes = drawing.render("hands.html", hands=hands if secret else (), names=names)
    return drawing.board(game, public, names) + lanes


def last_position(record: Record, deal: int) -> Position:
    """Return a checked record's deal as it ended, to be looked at move by move."""
    dealt = record.deals[deal - 1]
    variant = records.variant_of(record)
    return variant.replay(dealt.dealer, dealt.deck, dealt.moves, dealt.shuffles)


def _names(record: Record | Head) -> dict[int, str]:
    return {k: printable(seat.name[:40])[:40] for k, seat in enumerate(record.seats, 1)}


def _log(position: Position, names: list[str]) -> list[tuple[int, str]]:
    """Return a deal in words: the ply after each move, and its sentences, all told openly."""
    return [
        (event.ply + 1, tell(before, event.move, after, names, event.seat))
        for before, event, after in position.steps()
    ]


_read = functools.lru_cache(maxsize=32)(records.read)


@functools.lru_cache(maxsize=32)
def _told(body: bytes, deal: int, _language: str) -> tuple[Record, Position, list[tuple[int, str]]]:
    record = _read(body)
    position = last_position(record, deal)
    return record, position, _log(position, list(_names(record).values()))


@functools.lru_cache(maxsize=128)
def _opened(body: bytes, deal: int, ply: int, language: str) -> tuple[str, str]:
    """Return what is going on at a ply, in words, and all cards there as HTML."""
    record, position, _log = _told(body, deal, language)
    at = position.at(ply)
    return at.view(0).state, laid_open(at, record.game, _names(record))


async def _page(request: Request, body: bytes, **more: Any) -> Response:
    """Show a record at the deal and ply that the query names (the end of nothing: before the first move)."""
    deals = len((await asyncio.to_thread(_read, body)).deals)
    deal = _number(request, "deal", 1, 1, deals)
    record, position, log = await asyncio.to_thread(_told, body, deal, language())
    ply = _number(request, "ply", 0, 0, len(position.history))
    names = _names(record)
    state, board = _opened(body, deal, ply, language())
    if request.query_params.get("part") == "board":
        return JSONResponse({"board": board, "ply": ply})
    game = registry.find(record.game)
    return html(
        "replay.html", game=game, names=names, deal=deal, deals=deals, ply=ply,
        plies=len(position.history), board=Markup(board), log=log, here="replays",
        board_css=assets.own(game, "board.css"), state=state, result=_result(record),
        seal=record.deals[deal - 1].seal or None, options=_changed(game, record), **more,
    )  # fmt: skip


def _number(request: Request, key: str, default: int, low: int, high: int) -> int:
    text = request.query_params.get(key, "")
    wanted = int(text) if text.isascii() and text.isdecimal() and len(text) < 7 else default
    return min(max(wanted, low), high)


def _result(record: Record | Head) -> str:
    names = _names(record)
    won = listed([names[seat] for seat in record.result.winners], "and")
    return _("Won by {names}.").format(names=won) if won else _("Nobody has won, or not yet.")


def _changed(game: Game, record: Record) -> list[tuple[str, str]]:
    """Return the clauses that were read otherwise than usual, and how."""
    return [
        (option.clause, option.reading(record.options[option.name]))
        for option in game.options if record.options[option.name] != option.default
    ]  # fmt: skip


# --- kept records --------------------------------------------------------------------------------------------


async def _kept(request: Request) -> Kept:
    kept = await hall_of(request).store.record(request.path_params["id"])
    if kept is None:
        spend(request, "codes")
        raise HTTPException(404, _("There is no such replay; perhaps it was deleted."))
    return kept


async def replay(request: Request) -> Response:
    """A replay; with POST, its shuffles verified."""
    kept, verdicts = await _kept(request), None
    if request.method == "POST":
        spend(request, "verdicts")
        verdicts = await asyncio.to_thread(lambda: verify_shuffles(_read(kept.body)))
    return await _page(
        request, kept.body, id=kept.id, made=kept.made, verdicts=verdicts, sample=False, uploaded=not kept.code
    )


async def download(request: Request) -> Response:
    """The record itself, in the standard format."""
    kept = await _kept(request)
    name = f"{records.read_head(kept.body).game}-{kept.id}.json"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(kept.body + b"\n", media_type="application/json", headers=headers)


async def listed_replays(request: Request) -> Response:
    """Show this visitor's finished games, and a way to look at any record; with POST, keep one."""
    error = ""
    if request.method == "POST":
        spend(request, "uploads")
        try:
            kept = await _uploaded(request)
            await hall_of(request).store.keep(kept)
            return redirect(f"/r/{kept.id}")
        except RecordError as fault:
            error = str(fault)[:REASON]
    store = hall_of(request).store
    mine = [_brief(kept) for kept in await store.records_of(await store.visited(visitor(request), limit=100))]
    return html("replays.html", 400 if error else 200, mine=mine, error=error, here="replays")


def _brief(kept: Kept) -> dict[str, Any]:
    record = records.read_head(kept.body)
    game = registry.find(record.game)
    return {
        "id": kept.id, "game": game, "title": game.title, "native": game.native, "when": drawing.when(kept.made),
        "names": list(_names(record).values()), "result": _result(record),
    }  # fmt: skip


async def _uploaded(request: Request) -> Kept:
    """Return the record that a form brought, checked; raise `RecordError` with the place of its fault."""
    form = await form_of(request, max_part_size=1_000_000)
    file, pasted = form.get("file"), str(form.get("text") or "").strip()
    body = pasted.encode() if pasted else await file.read() if isinstance(file, UploadFile) else b""
    record = records.read(body)
    _refuse_what_is_long(record)
    await asyncio.to_thread(records.check, record)
    body = record.to_json().encode()
    return Kept(hashlib.sha256(body).hexdigest()[:16], "", body, time.time())


def _refuse_what_is_long(record: Record) -> None:
    """Raise `RecordError` where a record holds more than can be shown and verified here at each view.

    Whatever is not looked at here is compared with what the rules have it be.
    """
    if len(record.deals) > DEALS:
        raise RecordError("deals", _("more than {n} deals are not looked at here").format(n=decimal(DEALS)))
    if sum(len(deal.moves) for deal in record.deals) > MOVES:
        raise RecordError("deals", _("more than {n} moves are not looked at here").format(n=decimal(MOVES)))
    for place, text in _free_texts(record):
        if len(text) > LETTERS:
            raise RecordError(place, _("more than {n} letters are not looked at here").format(n=decimal(LETTERS)))


def _free_texts(record: Record) -> Iterator[tuple[str, str]]:
    """Yield the texts that no rule says anything of, each with its place."""
    yield "game", record.game
    for k, seat in enumerate(record.seats):
        yield f"seats[{k}].name", seat.name
        yield f"seats[{k}].kind", seat.kind
    for k, deal in enumerate(record.deals):
        if deal.seal is not UNSET:
            yield f"deals[{k}].seal.commitment", deal.seal.commitment
            yield f"deals[{k}].seal.secret", deal.seal.secret or ""
            for n, (_seat, nonce) in enumerate(deal.seal.nonces):
                yield f"deals[{k}].seal.nonces[{n}][1]", nonce


# --- samples -------------------------------------------------------------------------------------------------


@functools.cache
def _sample(game: Game) -> bytes:
    """Return the record of a short game between computer players: of its first deal."""
    match = Match(Variant(game, min(game.players), game.settle({})), f"sample/{game.sample}")
    while not match.position.over:
        match.position.push(move_of(match, COMPUTER))
    seats = [records.Seat(name, COMPUTER) for name in _SITTING[: match.variant.players]]
    return records.record_of(match, seats).to_json().encode()


_SITTING = (
    "Anna",
    "Boris",
    "Clara",
    "David",
    "Elena",
    "Fritz",
    "Galina",
    "Hugo",
    "Irina",
    "Johann",
    "Katja",
    "Ludwig",
)


async def sample(request: Request) -> Response:
    """A short game to watch, with sentences."""
    game = game_in(request.path_params)
    return await _page(
        request, await asyncio.to_thread(_sample, game), id="", made=0.0, verdicts=None, sample=True, uploaded=False
    )
