"""All tables of this server: loaded from their logs when somebody comes, going on by themselves after a restart."""

from __future__ import annotations

import asyncio
import contextlib
import sys
import time

from kartoteka.engine import registry
from kartoteka.engine.declare import Game
from kartoteka.engine.match import Match
from kartoteka.engine.variant import Variant
from kartoteka.server import events as ev
from kartoteka.server import faults
from kartoteka.server.room import Room
from kartoteka.server.settings import Settings
from kartoteka.server.store import Store
from kartoteka.server.table import EMPTY, Table
from kartoteka.server.visitors import new_code

IDLE = 600.0
"""Seconds after which a table that nobody looks at leaves the memory; its log stays."""

SWEEP = 60.0
"""Seconds between looks for such tables."""


class Hall:
    """The rooms of all tables in use."""

    def __init__(self, settings: Settings, store: Store) -> None:
        self.settings, self.store = settings, store
        self._rooms: dict[str, Room] = {}
        self._loading: dict[str, asyncio.Task[Room | None]] = {}
        self._compiling: dict[str, asyncio.Task[None]] = {}
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Let the tables go on that were in play, and begin to sweep."""
        self._tasks = [asyncio.create_task(self._go_on()), asyncio.create_task(self._sweep())]

    async def _go_on(self) -> None:
        for name in registry.games():
            await self.prepared(registry.find(name))
        for code in await self.store.live():
            with contextlib.suppress(Exception):  # told in the log by `_load`; the others go on
                await self.room(code)

    async def stop(self) -> None:
        """Finish what is being committed and close the database."""
        for task in (*self._tasks, *self._compiling.values()):
            task.cancel()
        await asyncio.gather(*(room.close() for room in self._rooms.values()))
        await self.store.close()

    # --- tables ----------------------------------------------------------------------------------------

    async def room(self, code: str) -> Room | None:
        """Return the room of table `code`, None if there is no such table."""
        if code in self._rooms:
            return self._rooms[code]
        if code not in self._loading:
            self._loading[code] = asyncio.create_task(self._load(code))
            self._loading[code].add_done_callback(lambda _task: self._loading.pop(code, None))
        return await asyncio.shield(self._loading[code])

    async def room_now(self, code: str) -> Room | None:
        """Return the room of table `code` unless it would have to wait for a game to be compiled."""
        ready = all(self.is_prepared(game) for game in registry.games().values())
        return await self.room(code) if ready else self._rooms.get(code)

    async def _load(self, code: str) -> Room | None:
        events = await self.store.events(code) if code else []
        if not events:
            return None
        opened = events[0][1]
        assert isinstance(opened, ev.Opened)
        await self.prepared(registry.find(opened.game))
        table = Table(code)
        try:
            for at, event in events:
                table.apply(event, at)
        except Exception as error:
            faults.note(f"reading the log of a table, event {table.number}", error)
            raise
        return self._enter(table)

    def _enter(self, table: Table) -> Room:
        room = self._rooms[table.code] = Room(table, self.store, self.settings.pace)
        if self.is_prepared(table.variant.game):
            room.begin()
        else:
            self._tasks.append(asyncio.create_task(self._begin(room)))
        return room

    async def _begin(self, room: Room) -> None:
        await self.prepared(room.table.variant.game)
        room.begin()

    async def open(self, opened: ev.Opened, events: list[ev.Event]) -> Room:
        """Open a table; `events` follow at once, e.g. who sits down. Raise `UsageError` for what cannot be played."""
        game = registry.find(opened.game)
        variant = Variant(game, game.seats(opened.players), game.settle(opened.options))
        Match.of(variant, best_of=opened.best_of)  # refuses what cannot be
        code, now = new_code(), time.time()
        table = Table(code)
        await self.store.append(code, 1, now, [opened, *events], live=True)
        for event in (opened, *events):
            table.apply(event, now)
        return self._enter(table)

    async def forget(self, code: str) -> None:
        """Delete a table and its records."""
        await self._put_away(code)
        await self.store.forget([code])

    async def _put_away(self, code: str) -> None:
        room = self._rooms.pop(code, None)
        if room:
            await room.close()

    def lobby(self) -> list[Table]:
        """Return the tables that their hosts have listed and that have an empty seat, the latest first."""
        tables = [room.table for room in self._rooms.values()]
        listed = [t for t in tables if t.opened.listed and any(seat.kind == EMPTY for seat in t.seats)]
        return listed[::-1][:30]

    # --- compiled games --------------------------------------------------------------------------------

    def is_prepared(self, game: Game) -> bool:
        """Whether the game's compiled rules are loaded."""
        task = self._compiling.get(game.name)
        return bool(task and task.done() and not task.cancelled() and not task.exception())

    async def prepared(self, game: Game) -> None:
        """Wait until the game's compiled rules are loaded; the first call compiles them if they never were."""
        task = self._compiling.get(game.name)
        if task is None or (task.done() and not self.is_prepared(game)):
            task = self._compiling[game.name] = asyncio.create_task(_prepare(game))
        await asyncio.shield(task)

    # --- housekeeping ----------------------------------------------------------------------------------

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(SWEEP)
            for code, room in list(self._rooms.items()):
                if room.idle > IDLE and not room.table.opened.listed:
                    await self._put_away(code)
            if self.settings.keep_days:
                for code in await self.store.forget_before(time.time() - 86_400 * self.settings.keep_days):
                    await self._put_away(code)


async def _prepare(game: Game) -> None:
    """Compile in another process where that was never done (it takes some seconds), then load what it compiled."""
    variant = Variant(game, game.usual, game.settle({}))
    if not await asyncio.to_thread(lambda: variant.core.ready):
        code = f"import kartoteka; kartoteka.game({game.name!r}).prepare()"
        process = await asyncio.create_subprocess_exec(sys.executable, "-c", code)
        await process.wait()
    await asyncio.to_thread(variant.core.warm_up, variant.blank(), variant.pack())
