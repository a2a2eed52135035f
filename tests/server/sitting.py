"""Tables without the wire: rooms of a hall, and a clock that stands still until it is told otherwise."""

from __future__ import annotations

import asyncio
import contextlib
import math
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from kartoteka import players
from kartoteka.engine import registry
from kartoteka.engine.variant import usual
from kartoteka.server.rooms.clock import BEAT
from kartoteka.server.rooms.hall import Hall
from kartoteka.server.rooms.opening import open_hall
from kartoteka.server.rooms.room import Room
from kartoteka.server.settings import Settings
from kartoteka.server.table import events as ev
from kartoteka.server.table import messages as msg
from kartoteka.server.table.sheet import Sheet
from kartoteka.server.table.state import HUMAN, Table
from tests.waits import HANGS

GAMES = list(registry.games().values())
OPEN = next(game for game in GAMES if not game.pack(game.usual)).name
"""A game in which nothing is hidden."""
HIDDEN = next(game for game in GAMES if game.pack(2) and game.players == (2,) and game.next_dealer).name
"""A game for two with hidden hands, whose deal passes by a rule."""
POINTS = next(game for game in GAMES if game.finished and game.option("target").default != "none").name
"""A game for points."""


class Clock:
    """The time that rooms go by: it stands until it is moved. What people's clocks show is another matter."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._now, self._shown = 1e6, time.time()
        monkeypatch.setattr("kartoteka.server.rooms.clock.time", self)
        monkeypatch.setattr("kartoteka.server.rooms.room.time", self)

    def time(self) -> float:
        """Seconds since 1970."""
        return self._shown

    def monotonic(self) -> float:
        """Seconds since some time."""
        return self._now

    async def move(self, seconds: float, room: Room) -> None:
        """Let so many seconds pass, and the room look at its clock."""
        for _beat in range(math.floor(seconds)):
            self._now += BEAT
            room._clock.now()
        self._now += seconds - math.floor(seconds)
        self._shown += seconds
        room._time()
        await settled(room)

    async def pause(self, seconds: float, room: Room) -> None:
        """Let the process stand still for so many seconds, after which the room looks at its clock."""
        self._now += seconds
        self._shown += seconds
        room._time()
        await settled(room)

    async def set(self, seconds: float, room: Room) -> None:
        """Set the clock that people see so many seconds forward, and let the room look."""
        self._shown += seconds
        room._time()
        await settled(room)


async def settled(room: Room) -> None:
    """Wait until the room has done what is due."""
    while room._tasks:
        await asyncio.gather(*room._tasks)


@dataclass
class Sitting:
    """A table with people, seat 1 first, who are known as ``p1``, ``p2``, …; ``w`` watches."""

    hall: Hall
    room: Room
    ids: int = 0
    here: contextlib.ExitStack = field(default_factory=contextlib.ExitStack)

    @property
    def table(self) -> Table:
        """The table itself."""
        return self.room.table

    @property
    def mover(self) -> str:
        """Who is to move."""
        return f"p{self.table.turn}"

    def sheet(self, who: str) -> Sheet:
        """What somebody is told."""
        return self.room.sheet(who)

    async def ask(self, who: str, message: msg.Ask) -> msg.Done | msg.Refused:
        """Say something, and wait for what follows from it."""
        answer = await self.room.ask(who, message)
        await settled(self.room)
        return answer

    async def does(self, who: str, message: msg.Ask) -> msg.Done:
        """Say something that is done."""
        answer = await self.ask(who, message)
        assert isinstance(answer, msg.Done), answer
        return answer

    async def refuses(self, who: str, message: msg.Ask) -> msg.Refused:
        """Say something that is refused, and changes nothing."""
        before = self.table.number
        answer = await self.ask(who, message)
        assert isinstance(answer, msg.Refused), answer
        assert answer.number == self.table.number == before
        assert answer.reason
        return answer

    def next_move(self) -> msg.Play:
        """Return the mover's next message: a good move under a new id."""
        assert self.table.match
        self.ids += 1
        return msg.Play(f"m{self.ids}", self.table.number, str(players.move_of(self.table.match, "greedy")))

    async def moves(self, n: int = 1) -> None:
        """Let people make so many moves, or as many as there are."""
        for _k in range(n):
            if self.table.turn:
                await self.does(self.mover, self.next_move())

    async def begins(self) -> None:
        """Let a deal begin."""
        if self.table.phase in ("between", "over"):
            await self.does("p1", msg.NewDeal())
        for seat in self.table.people():
            if self.table.sealed:
                await self.does(f"p{seat}", msg.AddNonce(self.table.sealed.commitment, f"{seat:032x}"))
        await settled(self.room)
        assert self.table.phase == "playing"

    async def plays_out(self) -> None:
        """Let people play the deal to its end."""
        while self.table.turn:
            await self.moves()


@contextlib.asynccontextmanager
async def sitting(folder: Path, game: str, *kinds: str, begun: bool = True, **more: Any) -> AsyncIterator[Sitting]:
    """Open a table with these on its seats: ``human``, the name of a computer player, or ``empty``."""
    kinds = kinds or (HUMAN, HUMAN)
    usual(registry.find(game)).prepare()
    hall = await open_hall(Settings(folder, pace=0))
    hall.start()
    try:
        opened = ev.Opened(game, len(kinds), more.pop("options", {}), more.pop("best_of", 1), "p1", **more)
        events: list[ev.TableEvent] = []
        for k, kind in enumerate(kinds, 1):
            if kind == HUMAN:
                events.append(ev.Sat(k, f"p{k}", f"Name {k}", f"link {k}"))
            elif kind != "empty":
                events.append(ev.Replaced(k, kind))
        room = await hall.open(opened, events)
        there = Sitting(hall, room)
        with there.here:
            for k, kind in enumerate(kinds, 1):
                if kind == HUMAN:
                    there.here.enter_context(room.listening(f"p{k}"))
            await settled(room)
            if begun:
                await there.begins()
            yield there
    finally:
        await hall.stop()


def run(scene: Callable[[], Any]) -> None:
    """Run a scene in a loop of its own."""
    asyncio.run(asyncio.wait_for(scene(), HANGS))
