"""All tables of this server: loaded from their logs when somebody comes, going on by themselves after a restart."""

from __future__ import annotations

import asyncio
import contextlib
import time

import msgspec

from kartoteka.engine import registry
from kartoteka.engine.match import Match
from kartoteka.engine.variant import Variant
from kartoteka.engine.workshop import Workshop
from kartoteka.server import faults
from kartoteka.server.rooms.clock import Clock
from kartoteka.server.rooms.log import Log
from kartoteka.server.rooms.news import GONE, News
from kartoteka.server.rooms.room import Room
from kartoteka.server.settings import Settings
from kartoteka.server.table import events as ev
from kartoteka.server.table.state import Table
from kartoteka.server.visitors import new_code

IDLE = 600.0
"""Seconds after which a table that nobody looks at leaves the memory; its log stays."""

LOBBY = 30
"""How many tables the lobby shows."""

SWEEP = 60.0
"""Seconds between looks for such tables."""


class Hall:
    """The rooms of all tables in use by this process: its log and its news it may share with others."""

    def __init__(self, settings: Settings, store: Log, news: News) -> None:
        self.settings, self.store, self._news = settings, store, news
        self.clock = Clock()
        self._rooms: dict[str, Room] = {}
        self._forgotten: set[str] = set()
        self._left = False
        self._loading: dict[str, asyncio.Task[Room | None]] = {}
        self._workshop = Workshop(lambda game, error: faults.note(f"making machine code for {game.name}", error))
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Let the tables go on that were in play, make machine code beside them, and begin to sweep."""
        self._workshop.want(*registry.games().values())
        self._tasks = [asyncio.create_task(work) for work in (self.clock.beat(), self._go_on(), self._sweep())]

    async def _go_on(self) -> None:
        for code in await self.store.live():
            with contextlib.suppress(Exception):  # noted by `_load`; the others go on
                await self.room(code)

    async def leave(self) -> None:
        """Close all rooms, for good: what is being committed is finished, and nobody is told anything more."""
        self._left = True
        await asyncio.gather(*(room.close() for room in self._rooms.values()))

    async def stop(self) -> None:
        """Leave, and close the database."""
        for task in self._tasks:
            task.cancel()
        await asyncio.to_thread(self._workshop.stop)
        await self.leave()
        await self.store.close()

    # --- tables ----------------------------------------------------------------------------------------

    async def room(self, code: str) -> Room | None:
        """Return the room of table `code`, None if there is no such table."""
        if code in self._forgotten:
            return None
        known = self.loaded(code)
        if known:
            known.used = self.clock.now()
            return known
        if code not in self._loading:
            self._loading[code] = asyncio.create_task(self._load(code))
            self._loading[code].add_done_callback(lambda _task: self._loading.pop(code, None))
        return await asyncio.shield(self._loading[code])

    def loaded(self, code: str) -> Room | None:
        """Return the room of table `code` if it is in memory."""
        room = self._rooms.get(code)
        return None if room is None or room.closed else room

    async def room_if_sound(self, code: str) -> Room | None:
        """Return the room of table `code`, None also where its log cannot be read: a list does without it."""
        with contextlib.suppress(Exception):  # noted by `_load`
            return await self.room(code)
        return None

    async def _load(self, code: str) -> Room | None:
        events = await self.store.events(code) if code else []
        if not events:
            return None
        opened = events[0][1]
        if not isinstance(opened, ev.Opened):
            faults.note("reading the log of a table", ValueError("it does not begin with its opening"))
            return None
        table = Table(code)
        try:
            for at, event in events:
                table.apply(event, at, self.clock.now())  # who waited while we were away is not to lose by it
        except Exception as error:
            faults.note(f"reading the log of a table, event {table.number}", error)
            raise
        return self._enter(table)

    def _enter(self, table: Table) -> Room:
        room = self._rooms[table.code] = Room(
            table, self.store, self._news, self.clock, self.settings.pace
        )  # fmt: skip
        room.closed = self._left
        self._workshop.want(table.variant.game)
        room.settle_soon()
        return room

    async def open(self, opened: ev.Opened, events: list[ev.TableEvent]) -> Room:
        """Open a table; `events` follow at once, e.g. who sits down. Raise `UsageError` for what cannot be played."""
        game = registry.find(opened.game)
        variant = Variant(game, game.seats(opened.players), game.settle(opened.options))
        Match.of(variant, best_of=opened.best_of)  # refuses what cannot be
        opened = msgspec.structs.replace(opened, options=dict(variant.options))  # defaults may change one day
        code, now = new_code(), time.time()
        table = Table(code)
        await self.store.append(code, 1, now, [opened, *events], live=True)
        for event in (opened, *events):
            table.apply(event, now, self.clock.now())
        return self._enter(table)

    async def forget(self, code: str) -> None:
        """Delete a table and its records."""
        self._forgotten.add(code)  # it is not to be loaded again while it is being deleted
        await self._put_away(code)
        await self._delete(code)

    async def _delete(self, code: str) -> None:
        await self.store.forget([code])
        await self._news.publish(code, GONE)

    async def _put_away(self, code: str) -> None:
        room = self._rooms.get(code)
        if room:
            await room.close()
            if self._rooms.get(code) is room:
                del self._rooms[code]

    def lobby(self) -> list[Table]:
        """Return the tables that can be joined: listed, a seat empty, and somebody there, the latest first."""
        return [
            room.table for room in reversed(self._rooms.values())
            if room.table.opened.listed and not room.table.full and _in_use(room)
        ][:LOBBY]  # fmt: skip

    # --- housekeeping ----------------------------------------------------------------------------------

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(SWEEP)
            try:
                await self._tidy_up()
            except Exception as error:  # the next round may do better
                faults.note("putting tables away", error)

    async def _tidy_up(self) -> None:
        for code, room in list(self._rooms.items()):
            if room.closed or room.idle > IDLE:
                await self._put_away(code)
        if self.settings.keep_days:
            old = await self.store.unused_since(time.time() - 86_400 * self.settings.keep_days)
            for code in old:
                if code not in self._rooms:  # nobody is there, and no clock runs
                    await self._delete(code)


def _in_use(room: Room) -> bool:
    return any(room.gone(seat) < IDLE for seat in room.table.people())
