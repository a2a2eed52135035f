"""A table in play: messages come in one at a time, each event is committed and then told to whoever is there."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import msgspec

from kartoteka.server import events as ev
from kartoteka.server import faults
from kartoteka.server import messages as msg
from kartoteka.server.asks import Refusal, decide, share, sit
from kartoteka.server.due import due
from kartoteka.server.sheet import Sheet
from kartoteka.server.sheets import NOTICED, Reader, sheet_of
from kartoteka.server.store import Kept, Store
from kartoteka.server.table import Table
from kartoteka.text import language


@dataclass(eq=False)
class Listener:
    """One connection at a table; `wake` is set when there may be something new to tell it."""

    visitor: str
    wake: asyncio.Event = field(default_factory=asyncio.Event)


class Room:
    """A table, who is connected to it, and its clock.

    Attributes
    ----------
    version : int
        Grows whenever anything changes that anyone may see.
    ready : bool
        Whether the game is compiled; before, nothing is dealt.
    """

    def __init__(self, table: Table, store: Store, pace: float) -> None:
        self.table, self._store, self._pace = table, store, pace
        self.listeners: set[Listener] = set()
        self.version = 0
        self.ready = False
        self.used = time.monotonic()
        self._gone_since: dict[int, float] = {}
        self._opened_at = time.monotonic()
        self._lock = asyncio.Lock()
        self._timer: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._sheets: dict[tuple[int, bool, str], Sheet] = {}
        self._closed = False

    # --- who is there ----------------------------------------------------------------------------------

    def reader(self, visitor: str) -> Reader:
        """Return how `visitor` reads this table."""
        return Reader(self.table.seat_of(visitor), visitor == self.table.opened.host)

    def gone(self, seat: int) -> float:
        """Return the seconds for which nobody has been connected for `seat`, 0 while somebody is."""
        since = self._gone_since.get(seat, self._opened_at)
        return 0.0 if since < 0 else time.monotonic() - since

    def _recount(self) -> None:
        """Look who is connected."""
        here = {self.table.seat_of(listener.visitor) for listener in self.listeners}
        for seat in range(1, len(self.table.seats) + 1):
            since = self._gone_since.get(seat, self._opened_at)
            if seat in here:
                self._gone_since[seat] = -1
            elif since < 0:
                self._gone_since[seat] = time.monotonic()

    @contextlib.contextmanager
    def listening(self, visitor: str):  # type: ignore[no-untyped-def]
        """Be connected inside the block; yields the `Listener`."""
        listener = Listener(visitor)
        self.listeners.add(listener)
        self._people_changed()
        try:
            yield listener
        finally:
            self.listeners.discard(listener)
            self._people_changed()

    def _people_changed(self) -> None:
        self._recount()
        self._tell()
        self.settle_soon()

    # --- what is asked ---------------------------------------------------------------------------------

    async def ask(self, visitor: str, message: msg.Ask) -> msg.Done | msg.Refused:
        """Carry out what `visitor` asks; the answer comes when it is committed."""
        id = getattr(message, "id", "")
        async with self._lock:
            seat = self.table.seat_of(visitor)
            if id and not seat:  # those who look on share seat 0, but not their words for messages
                message = msgspec.structs.replace(message, id=f"{visitor} {id}")
            known = self.table.ids.get((seat, getattr(message, "id", "")))
            if known:
                return msg.Done(id, known)
            try:
                await self._commit(decide(self.table, seat, message, self.gone))
            except Refusal as no:
                return msg.Refused(no.reason, id, no.clause, no.advice, self.table.number)
            number = self.table.number
        self.settle_soon()
        return msg.Done(id, number)

    async def sit(self, visitor: str, name: str, seat: int = 0) -> int:
        """Take a seat (0: any free one) and return it; raise `Refusal` if none is to be had."""
        return await self._take(visitor, lambda: sit(self.table, visitor, name, seat))

    async def share(self, visitor: str, link: str) -> int:
        """Hold the seat of a personal link too, and return it; raise `Refusal` if the link is none."""
        return await self._take(visitor, lambda: share(self.table, visitor, link))

    async def _take(self, visitor: str, events: Callable[[], list[ev.Event]]) -> int:
        async with self._lock:
            await self._commit(events())
            self._recount()
        self.settle_soon()
        return self.table.seat_of(visitor)

    # --- commit, then tell -----------------------------------------------------------------------------

    async def _commit(self, events: list[ev.Event]) -> None:
        """Commit events, let them happen, and tell everyone; the lock is held."""
        if not events:
            return
        table, at = self.table, time.time()
        kept = None
        for event in events:
            if isinstance(event, ev.Recorded):
                kept = Kept(event.id, table.code, msgspec.json.encode(table.record()))
        live = not (kept or table.record_id) or any(isinstance(event, ev.Sealed) for event in events)
        await self._store.append(table.code, table.number + 1, at, events, live, kept)
        for event in events:
            table.apply(event, at)
        self.used = time.monotonic()
        self._tell()

    def _tell(self) -> None:
        self.version += 1
        self._sheets.clear()
        for listener in self.listeners:
            listener.wake.set()

    def sheet(self, visitor: str) -> Sheet:
        """Return what `visitor` is told of the table now, in the language in force."""
        self.used = time.monotonic()
        reader = self.reader(visitor)
        key = reader.seat, reader.host, language()
        if key not in self._sheets or self.table.opened.per_move:
            self._sheets[key] = sheet_of(self.table, reader, self.gone, time.time(), self.ready)
        return self._sheets[key]

    # --- what is due -----------------------------------------------------------------------------------

    def begin(self) -> None:
        """Let the table go on, its game being compiled."""
        self.ready = True
        self._tell()
        self.settle_soon()

    def settle_soon(self) -> None:
        """Do what is due, in a task of its own."""
        if self._closed:
            return
        task = asyncio.get_running_loop().create_task(self._settle())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _settle(self) -> None:
        try:
            await self._do_due()
        except Exception as error:  # the table stands as it was committed
            faults.note("going on with a table", error)

    async def _do_due(self) -> None:
        async with self._lock:
            while not self._closed:
                now = due(self.table, self.gone, time.time(), self._pace, self.ready)
                if not now.events:
                    break
                await self._commit(now.events)
            self._look_again(now.wait)

    def _look_again(self, wait: float | None) -> None:
        """Set the one timer: for what is due next, or for when an absence is to be shown."""
        if self._timer:
            self._timer.cancel()
        absent = [
            limit - self.gone(seat)
            for seat in self.table.people() for limit in (NOTICED, self.table.opened.patience)
            if 0 < self.gone(seat) < limit
        ] if self.listeners else []  # fmt: skip
        times = [*absent, *([] if wait is None else [wait])]
        self._timer = None
        if times and not self._closed:
            self._timer = asyncio.get_running_loop().call_later(min(times) + 0.01, self._time)

    def _time(self) -> None:
        self._tell()
        self.settle_soon()

    @property
    def idle(self) -> float:
        """The seconds for which the room could have been put away; 0 while it is needed."""
        busy = self.listeners or self._tasks or self._timer or self._lock.locked()
        return 0.0 if busy else time.monotonic() - self.used

    async def close(self) -> None:
        """Stop the clock; what is being committed is finished."""
        self._closed = True
        if self._timer:
            self._timer.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
