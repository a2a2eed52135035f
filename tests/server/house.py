"""A server in this process, on a port of its own, with the programs and pages that talk to it."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import socket
import threading
from collections.abc import Coroutine, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from http.cookiejar import CookieJar, DefaultCookiePolicy
from pathlib import Path
from typing import Any

import httpx2
import msgspec
from starlette.applications import Starlette
from websockets.sync.client import ClientConnection, connect

from kartoteka.engine import registry
from kartoteka.engine.variant import usual
from kartoteka.server.rooms.hall import Hall
from kartoteka.server.rooms.room import Room
from kartoteka.server.settings import Settings
from kartoteka.server.table import events as ev
from kartoteka.server.table import messages as msg
from kartoteka.server.table.sheet import Sheet
from kartoteka.server.table.state import CHAT_KEPT, Table
from kartoteka.server.visitors import digest
from kartoteka.server.web.cli import _bound, config_of
from kartoteka.server.web.limits import Limits
from kartoteka.server.web.requests import COOKIE
from kartoteka.server.web.serving import Server
from tests.waits import HANGS

_tell = msgspec.json.Decoder(msg.Tell)


def told(text: str | bytes) -> msg.Tell:
    """Return what a server's message says."""
    message: msg.Tell = _tell.decode(text)
    return message


def whole(sheet: Sheet, before: Sheet | None) -> Sheet:
    """Return a sheet with all of its log and chat, `before` being the whole one that its reader had."""
    if not sheet.after:
        return sheet
    assert before
    log = tuple(line for line in before.log if line.number <= sheet.after) + sheet.log
    chat = tuple(remark for remark in before.chat if remark.number <= sheet.after) + sheet.chat
    return msgspec.structs.replace(sheet, after=0, log=log, chat=chat[-CHAT_KEPT:])


def whole_page(page: msg.Page, before: dict[str, str]) -> dict[str, str]:
    """Return all regions of a page, `before` being those that its reader had."""
    regions = before | page.regions
    if page.lines:
        assert "log" not in page.regions
        start, end, _rest = regions["log"].partition("</ol>")
        regions["log"] = f"{start}{page.lines}{end}{_rest}"
    return regions


def number_of(message: msg.Told | msg.Page) -> int:
    """Return the last event that a state of a table knows of."""
    return message.number if isinstance(message, msg.Page) else message.sheet.number


@dataclass
class Visitor:
    """Somebody who comes to a house: known by a word, as a program or as a browser."""

    house: House
    word: str = field(default_factory=lambda: secrets.token_hex(16))
    number: int = 0

    @property
    def digest(self) -> str:
        """How the log knows this visitor."""
        return digest(self.word)

    def get(self, path: str, **more: Any) -> httpx2.Response:
        """Get a page, as a browser."""
        return self.house.http.get(path, headers=self._as_browser(more.pop("headers", {})), **more)

    def post(self, path: str, **more: Any) -> httpx2.Response:
        """Send a form, as a browser."""
        return self.house.http.post(path, headers=self._as_browser(more.pop("headers", {})), **more)

    def _as_browser(self, more: Mapping[str, str]) -> dict[str, str]:
        return {"Cookie": f"{COOKIE}={self.word}", "Origin": self.house.site, **more}

    def api(self, method: str, path: str, body: Any = None) -> httpx2.Response:
        """Ask the API, as a program."""
        headers = {"Authorization": f"Bearer {self.word}"} if self.word else {}
        content = None if body is None else body if isinstance(body, bytes) else msgspec.json.encode(body)
        return self.house.http.request(method, f"/api{path}", headers=headers, content=content)

    def ask(self, code: str, message: msg.Ask) -> msg.Done | msg.Refused:
        """Say something to a table."""
        answer = told(self.api("POST", f"/tables/{code}/messages", message).content)
        assert isinstance(answer, msg.Done | msg.Refused), answer
        return answer

    def play(self, code: str, number: int, move: str) -> msg.Done | msg.Refused:
        """Make a move under an id of its own."""
        self.number += 1
        return self.ask(code, msg.Play(f"m{self.number}", number, move))

    def see(self, code: str) -> msg.Told:
        """Return the table as this visitor sees it."""
        answer = told(self.api("GET", f"/tables/{code}").content)
        assert isinstance(answer, msg.Told)
        return answer

    def connect(self, code: str, page: bool = False) -> ClientConnection:
        """Open a socket, as a page or as a program."""
        if page:
            headers, at = self._as_browser({}), f"/t/{code}/socket"
        else:
            headers, at = {"Authorization": f"Bearer {self.word}"} if self.word else {}, f"/api/tables/{code}/socket"
        url = self.house.site.replace("http", "ws") + self.house.settings.prefix + at
        return connect(url, additional_headers=headers, max_size=None, open_timeout=HANGS, ping_timeout=HANGS)


@dataclass
class Line:
    """An open socket to a table, and all that came over it."""

    socket: ClientConnection
    heard: list[str] = field(default_factory=list)
    latest: msg.Told | msg.Page | None = None
    """The table as it was told last."""

    def say(self, message: msg.Ask | str | bytes) -> None:
        """Send a message, or what is none."""
        self.socket.send(message if isinstance(message, str | bytes) else msgspec.json.encode(message).decode())

    def hear(self) -> msg.Tell:
        """Wait for the next message."""
        text = self.socket.recv(timeout=HANGS)
        assert isinstance(text, str)
        self.heard.append(text)
        message = told(text)
        if isinstance(message, msg.Told | msg.Page):
            self.latest = message
        return message

    def until(self, number: int) -> msg.Told | msg.Page:
        """Wait for the table as it stands after event `number`, unless it came already."""
        while self.latest is None or number_of(self.latest) < number:
            self.hear()
        return self.latest

    def answer(self) -> msg.Tell:
        """Wait for the next message that is no state of the table."""
        while True:
            message = self.hear()
            if not isinstance(message, msg.Told | msg.Page):
                return message


class House:
    """A server on a port of its own, served as ``kartoteka serve`` does it."""

    def __init__(
        self, folder: Path, prefix: str = "", limits: bool = False, pace: float = 0.0, keep_days: int = 0
    ) -> None:
        self.settings = Settings(folder, prefix, keep_days, pace, limits)
        config = config_of(self.settings)
        self.door = config.app
        assert isinstance(self.door, Starlette)
        self._listening = contextlib.ExitStack()
        listening = self._listening.enter_context(_bound("127.0.0.1", 0))
        self.site = f"http://127.0.0.1:{listening.getsockname()[1]}"
        nothing_kept = CookieJar(DefaultCookiePolicy(allowed_domains=[]))
        self.http = httpx2.Client(base_url=self.site + prefix, timeout=HANGS, cookies=nothing_kept)
        self._server = Server(config)
        self._started = threading.Event()
        self._loop: asyncio.AbstractEventLoop
        self._thread = threading.Thread(target=self._serve, args=(listening,), daemon=True)

    def _serve(self, listening: socket.socket) -> None:
        with asyncio.Runner(loop_factory=self._server.config.get_loop_factory()) as runner:
            runner.run(self._run(listening))

    async def _run(self, listening: socket.socket) -> None:
        self._loop = asyncio.get_running_loop()
        serving = asyncio.create_task(self._server.serve([listening]))
        while not self._server.started and not serving.done():
            await asyncio.sleep(0.005)
        self._started.set()
        await serving

    def __enter__(self) -> House:
        for game in registry.games().values():
            usual(game).prepare()
        self._thread.start()
        assert self._started.wait(HANGS)
        return self

    def __exit__(self, *_error: object) -> None:
        self.http.close()
        self._server.should_exit = True
        self._thread.join(HANGS)
        assert not self._thread.is_alive()
        self._listening.close()

    @property
    def hall(self) -> Hall:
        """The tables."""
        assert isinstance(self.door, Starlette)
        hall: Hall = self.door.state.hall
        return hall

    @property
    def limits(self) -> Limits:
        """What each address may do."""
        assert isinstance(self.door, Starlette)
        limits: Limits = self.door.state.limits
        return limits

    def do(self, work: Coroutine[Any, Any, Any]) -> Any:
        """Let the server's own loop do something, and return what came of it."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(HANGS)

    def room(self, code: str) -> Room:
        """Return a table's room."""
        room = self.do(self.hall.room(code))
        assert isinstance(room, Room)
        return room

    def visitor(self) -> Visitor:
        """Return somebody new."""
        return Visitor(self)

    def stranger(self) -> Visitor:
        """Return somebody who shows no word at all."""
        return Visitor(self, word="")

    @contextlib.contextmanager
    def line(self, visitor: Visitor, code: str, page: bool = False) -> Iterator[Line]:
        """Open a socket and say hello; the first message is the table as it stands."""
        with visitor.connect(code, page) as socket:
            line = Line(socket)
            line.say(msg.Hello())
            line.until(0)
            yield line

    def table(self, game: str, players: int | None = None, **more: Any) -> tuple[str, list[Visitor]]:
        """Open a table at which only people sit; return its code and them, seat 1 first."""
        seated = [self.visitor()]
        opened = seated[0].api("POST", "/tables", {"game": game, "players": players, "name": "Seat 1", **more})
        assert opened.status_code == 201, opened.text
        code = opened.json()["code"]
        for seat in range(2, self.room(code).table.opened.players + 1):
            if str(seat) not in more.get("computers", {}):
                seated.append(self.visitor())
                sat = seated[-1].api("POST", f"/tables/{code}/seats", {"name": f"Seat {seat}", "seat": seat})
                assert sat.status_code == 201, sat.text
        return code, seated

    def begin(self, code: str, seated: list[Visitor]) -> None:
        """Let a table begin whose people are connected: each adds a nonce, and the deal follows."""
        room = self.room(code)
        while room.table.phase in ("waiting", "sealing"):
            for visitor in seated:
                seal = visitor.see(code).sheet.seal
                if room.table.phase == "sealing" and seal:
                    visitor.ask(code, msg.AddNonce(seal.commitment, secrets.token_hex(16)))


def folded(code: str, events: Iterable[tuple[float, ev.TableEvent]]) -> Table:
    """Return the table that these events make, each with its time."""
    table = Table(code)
    for at, event in events:
        table.apply(event, at)
    return table
