"""Sockets: messages come in, and each reader is told the table as it stands whenever it has changed."""

from __future__ import annotations

import asyncio
import contextlib
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import msgspec
from starlette.exceptions import HTTPException
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from kartoteka.engine.errors import UsageError
from kartoteka.server import faults
from kartoteka.server.html import drawing
from kartoteka.server.rooms.room import Listener, Room
from kartoteka.server.table import messages as msg
from kartoteka.server.table.sheet import Line, Remark, Sheet
from kartoteka.server.web.limits import Limit, address, allowed, seated, spend, too_much
from kartoteka.server.web.requests import hall_of, room_of, same_origin, visitor
from kartoteka.text import _

_decoder = msgspec.json.Decoder(msg.Ask)
_encode = msgspec.json.Encoder().encode

PATIENCE = 200
"""Messages beyond the limit after which a socket is closed."""

GREETING = 20.0
"""Seconds in which a socket must say hello."""

BACKLOG = 100
"""Answers that may wait to be sent; a client that reads none of them is cut off."""


def slower(id: str = "") -> msg.Refused:
    """Return the answer to too many messages."""
    return msg.Refused(too_much(), id)


def read(data: str | bytes) -> msg.Ask | msg.Refused:
    """Return the message that a client sent, or the answer to what is none."""
    try:
        return _decoder.decode(data)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        return msg.Refused(_("This is no message of ours: {error}.").format(error=str(error)[:200]))


T = TypeVar("T", Line, Remark)


def since_then(told: Sequence[T], number: int) -> tuple[T, ...]:
    """Return those lines or remarks that came after event `number`; they are in order."""
    return tuple(told[bisect_right(told, number, key=lambda one: one.number) :])


def news_of(sheet: Sheet, since: int) -> tuple[str, ...]:
    """Return the sentences of what happened after event `since`, oldest first; none for a reader who just came."""
    if not since:
        return ()
    lines = [(line.number, line.text) for line in since_then(sheet.log, since)]
    said = _("{name} says: {text}")
    lines += [(r.number, said.format(name=r.name, text=r.text)) for r in since_then(sheet.chat, since)]
    return tuple(text for _number, text in sorted(lines))


def told_since(room: Room, sheet: Sheet, have: int, sent: Sheet | None) -> msg.Told:
    """Return a sheet for a program that has event `have` and was told `sent` last: of the log what is new."""
    news, told = news_of(sheet, have), room.timed(sheet)
    if not kept(room, sheet, have, sent):
        return msg.Told(told, news)
    log, chat = since_then(sheet.log, have), since_then(sheet.chat, have)
    return msg.Told(msgspec.structs.replace(told, after=have, log=log, chat=chat), news)


def kept(room: Room, sheet: Sheet, have: int, sent: Sheet | None) -> bool:
    """Whether the lines of the log up to event `have` are still what a client has who was told `sent` last."""
    moved = sent is not None and sent.seat != sheet.seat
    return not moved and 0 < room.table.story.retold <= have <= sheet.number


def past_of(room: Room, who: str, ply: int) -> Sheet:
    """Return the table as `who` saw it after `ply` moves of this deal; raise `UsageError` if there is no such.

    Without its log and chat, which are those of now.
    """
    sheet = room.sheet(who)
    view = room.past_view(sheet.seat, ply)
    return msgspec.structs.replace(sheet, view=view, choices=(), last=(), after=sheet.number, log=(), chat=())


@dataclass
class Conversation:
    """One client at a table: `tell` makes the message it gets from the sheet; what it has so far."""

    room: Room
    who: str
    listener: Listener
    tell: Teller
    past: Looker
    may_say: Callable[[], bool]
    may_look: Callable[[], bool]
    have: int = -1
    """The last event the client has; -1 before it has said so."""
    sent: Sheet | None = None
    regions: dict[str, str] = field(default_factory=dict)
    answers: list[msg.Tell] = field(default_factory=list)

    async def hear(self, data: str | bytes, slow: bool = False) -> None:
        """Carry out one message (not if too many came: `slow`); its answer waits to be sent."""
        message = read(data)
        if slow:
            self.answer(slower(getattr(message, "id", "")))
            return
        match message:
            case msg.Refused():
                self.answer(message)
            case msg.Hello():
                self._greet(message.number)
            case msg.Look():
                self._look(message.ply)
            case msg.Say() if not self.may_say():
                self.answer(slower(message.id))
            case _:  # what is left is for the table
                await self.room.ask(self.who, message, self.answer)

    def answer(self, answer: msg.Tell) -> None:
        """Let an answer be sent."""
        if len(self.answers) > BACKLOG:
            raise WebSocketDisconnect(1008)
        if isinstance(answer, msg.Refused) and self.tell is as_page:
            answer = msgspec.structs.replace(answer, advice="")  # in notation, which is for programs
        self.answers.append(answer)
        self.listener.wake.set()

    def _greet(self, number: int) -> None:
        sheet = self.room.sheet(self.who)
        self.have = number if number <= sheet.number else 0
        if self.sent == sheet and number == sheet.number:
            self.answer(msg.Current(sheet.number))
            return
        self.sent, self.regions = None, {}  # who is there changes without an event: a new socket is told all
        self.listener.wake.set()

    def _look(self, ply: int) -> None:
        if not self.may_look():
            self.answer(slower())
            return
        try:
            self.answer(self.past(self, ply, past_of(self.room, self.who, ply)))
        except UsageError as error:
            self.answer(msg.Refused(str(error), number=self.room.table.number))

    def due(self) -> list[msg.Tell]:
        """Return what is to be sent now: the answers, and the table if it has changed for this reader."""
        answers, self.answers = self.answers, []
        if self.have < 0:
            return answers
        sheet = self.room.sheet(self.who)
        if sheet is not self.sent:
            answers.append(self.tell(self, sheet))
            self.sent, self.have = sheet, sheet.number
        return answers


def as_page(talk: Conversation, sheet: Sheet) -> msg.Page:
    """Return a sheet as a page's regions: those that differ from what this client has."""
    regions = talk.room.drawn(sheet)
    changed = {name: html for name, html in regions.items() if talk.regions.get(name) != html}
    lines = ""
    if talk.sent and talk.sent.log and kept(talk.room, sheet, talk.have, talk.sent):
        lines = drawing.lines(since_then(sheet.log, talk.have))
    else:
        changed["log"] = drawing.log(sheet)
    talk.regions = regions
    seal = sheet.seal
    waits = bool(seal and sheet.seat and sheet.phase == "sealing" and sheet.seat not in dict(seal.nonces))
    return msg.Page(
        number=sheet.number, phase=sheet.phase, seat=sheet.seat, yours=bool(sheet.choices), regions=changed,
        lines=lines, choices=sheet.choices, last=sheet.last, news=news_of(sheet, talk.have),
        commitment=seal.commitment if seal and waits else "", deadline=talk.room.timed(sheet).deadline,
        title=sheet.title,
    )  # fmt: skip


def past_page(talk: Conversation, ply: int, sheet: Sheet) -> msg.Past:
    """Return an earlier position as a page's regions."""
    return msg.Past(ply, regions=talk.room.drawn_past(sheet))


def as_sheet(talk: Conversation, sheet: Sheet) -> msg.Told:
    """Return a sheet for a program."""
    return told_since(talk.room, sheet, talk.have, talk.sent)


def past_sheet(_talk: Conversation, ply: int, sheet: Sheet) -> msg.Past:
    """Return an earlier position for a program."""
    return msg.Past(ply, sheet=sheet)


Teller = Callable[[Conversation, Sheet], msg.Tell]
Looker = Callable[[Conversation, int, Sheet], msg.Tell]


async def page_socket(socket: WebSocket) -> None:
    """A page's socket: only from a page of this site."""
    if not socket.headers.get("origin") or not same_origin(socket):
        await socket.close(1008)
        return
    await _serve(socket, as_page, past_page)


async def api_socket(socket: WebSocket) -> None:
    """A program's socket."""
    if not same_origin(socket):
        await socket.close(1008)
        return
    await _serve(socket, as_sheet, past_sheet)


async def _serve(
    socket: WebSocket,
    tell: Callable[[Conversation, Sheet], msg.Tell],
    past: Callable[[Conversation, int, Sheet], msg.Tell],
) -> None:
    spend(socket, "requests")
    with seated(socket):
        await _talk(socket, tell, past)


async def _talk(
    socket: WebSocket,
    tell: Callable[[Conversation, Sheet], msg.Tell],
    past: Callable[[Conversation, int, Sheet], msg.Tell],
) -> None:
    try:
        room = await room_of(socket)
    except HTTPException:
        if await _let_in(socket):  # a browser is told the code of a socket that was open, and of no other
            await socket.close(4404)
        return
    if not await _let_in(socket):
        return
    who, code = visitor(socket), 1011
    with room.listening(who) as listener:
        # Those who look on mint cookies at will: they talk by address.
        key = who if room.reader(who).seat else address(socket)
        talk = Conversation(
            room, who, listener, tell, past,
            may_say=lambda: allowed(socket, "remarks", key), may_look=lambda: allowed(socket, "looks"),
        )  # fmt: skip
        tasks = [
            asyncio.create_task(_send(socket, talk)),
            asyncio.create_task(_hear(socket, talk, hall_of(socket).settings.limits)),
        ]
        done, left = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)
        for task in done:
            error = task.exception()
            if isinstance(error, WebSocketDisconnect):
                code = 0
            elif error:
                faults.note("a socket", error)
            else:
                code = task.result()
    if code and socket.application_state == WebSocketState.CONNECTED:
        with contextlib.suppress(RuntimeError, WebSocketDisconnect):
            await socket.close(code)


async def _let_in(socket: WebSocket) -> bool:
    """Open the socket; return whether the client is still there."""
    try:
        await socket.accept()
    except OSError:  # so uvicorn tells that it has gone
        return False
    return True


async def _hear(socket: WebSocket, talk: Conversation, limited: bool) -> int:
    """Carry out messages as they come; return the code to close with: for far too many, and for no hello."""
    limit, over = socket.app.state.limits.messages, 0
    mine = Limit(limit.rate, limit.burst)
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(GREETING) as patience:
            while over <= PATIENCE:
                message = await socket.receive()
                if message["type"] == "websocket.disconnect":
                    raise WebSocketDisconnect(message.get("code", 1000))
                slow = limited and not mine.allows("")
                over += slow
                await talk.hear(message.get("text") or message.get("bytes") or "", slow)
                if talk.have >= 0:
                    patience.reschedule(None)
    return 1008


async def _send(socket: WebSocket, talk: Conversation) -> int:
    """Tell what is new whenever there is; return the code to close with when the table is gone."""
    while not talk.room.closed:
        for message in talk.due():
            await socket.send_text(_encode(message).decode())
        await talk.listener.wake.wait()
        talk.listener.wake.clear()
    return 1012
