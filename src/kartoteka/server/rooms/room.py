"""A table in play: messages come in one at a time, each event is committed and then told to whoever is there."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeVar

import msgspec

from kartoteka.engine.errors import UsageError
from kartoteka.engine.view import View
from kartoteka.server import faults
from kartoteka.server.html import drawing
from kartoteka.server.rooms.clock import Clock
from kartoteka.server.rooms.log import Kept, Log, LogFault, Overtaken
from kartoteka.server.rooms.news import GONE, News
from kartoteka.server.table import events as ev
from kartoteka.server.table import messages as msg
from kartoteka.server.table.decide import Refusal, decide, kind_of, share, sit
from kartoteka.server.table.due import due
from kartoteka.server.table.sheet import Sheet
from kartoteka.server.table.state import Table
from kartoteka.server.table.tell import NOTICED, Reader, sheet_of, time_left
from kartoteka.server.visitors import token
from kartoteka.text import _, language

T = TypeVar("T")

SEATING = ev.Sat | ev.Shared | ev.Relinked | ev.Left
"""What changes who holds a seat."""

RETRY = 60.0
"""The most seconds after which a table that could not go on tries again."""

PAST_KEPT = 300
"""How many views of earlier positions, and drawings of them, a table keeps for those who look back."""


@dataclass(eq=False)
class Listener:
    """One connection at a table; `wake` is set when there may be something new to tell it."""

    visitor: str
    wake: asyncio.Event = field(default_factory=asyncio.Event)


class Room:
    """A table, who is connected to it, and what is due at it.

    Other processes may have a room for the same table, on the same log: whoever appends an event first has it, and
    the others hear of it by the news. Each knows only who is connected to itself: before several are served side by
    side, presence must be shared too, or people seem away to those who play through another process.

    Attributes
    ----------
    version : int
        Grows whenever anything changes that anyone may see.
    closed : bool
        Whether it was put away or deleted: nothing is committed any more, and sockets are closed.
    """

    def __init__(self, table: Table, log: Log, news: News, clock: Clock, pace: float) -> None:
        self.table, self._log, self._news, self._clock, self._pace = table, log, news, clock, pace
        self._unsubscribe = news.subscribe(table.code, self._heard)
        self._news_of = table.number
        self._pauses = clock.pauses
        self.listeners: set[Listener] = set()
        self.version = 0
        self.closed = False
        self.used = self._clock.now()
        self._gone_since: dict[int, float] = {}
        self._opened_at = self._clock.now()
        self._lock = asyncio.Lock()
        self._timer: asyncio.TimerHandle | None = None
        self._retry = 1.0
        self._tasks: set[asyncio.Task[Any]] = set()
        self._sheets: dict[tuple[int, bool, str], Sheet] = {}
        self._told: dict[tuple[int, bool, str], Sheet] = {}
        self._past: dict[tuple[int, str, int, int], View] = {}
        self._past_drawn: dict[tuple[int, str, int, int], dict[str, str]] = {}
        self._drawn: dict[tuple[int, bool, str], tuple[Sheet, dict[str, str]]] = {}

    # --- who is there ----------------------------------------------------------------------------------

    def reader(self, visitor: str) -> Reader:
        """Return how `visitor` reads this table."""
        return Reader(self.table.seat_of(visitor), visitor == self.table.opened.host)

    def gone(self, seat: int) -> float:
        """Return the seconds for which nobody has been connected for `seat`, 0 while somebody is."""
        since = self._gone_since.get(seat, self._opened_at)
        return 0.0 if since < 0 else self._clock.now() - since

    def others_here(self, visitor: str) -> bool:
        """Whether a person other than `visitor` sits here and has not been away for long."""
        mine, patience = self.table.seat_of(visitor), self.table.opened.patience
        return any(seat != mine and self.gone(seat) < patience for seat in self.table.people())

    def _recount(self) -> bool:
        """Look who is connected; return whether that changes what anyone sees."""
        before = dict(self._gone_since)
        here = {self.table.seat_of(listener.visitor) for listener in self.listeners}
        for seat in range(1, len(self.table.seats) + 1):
            since = self._gone_since.get(seat, self._opened_at)
            if seat in here:
                self._gone_since[seat] = -1
            elif since < 0:
                self._gone_since[seat] = self._clock.now()
        return self._gone_since != before

    @contextlib.contextmanager
    def listening(self, visitor: str) -> Iterator[Listener]:
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
        changed = self._recount()
        if changed:
            self._tell()
        if changed or len(self.listeners) < 2:  # the first to come wants to see who is gone
            self.settle_soon()

    # --- what is asked ---------------------------------------------------------------------------------

    async def ask(
        self, visitor: str, message: msg.Ask, hears: Callable[[msg.Done | msg.Refused], None] | None = None
    ) -> msg.Done | msg.Refused:
        """Carry out what `visitor` asks; the answer comes when it is committed.

        `hears` is given it before those who are woken look at the table, so that both can go out together.
        """
        return await self._to_the_end(self._ask(visitor, message, hears))

    async def _ask(
        self, visitor: str, message: msg.Ask, hears: Callable[[msg.Done | msg.Refused], None] | None
    ) -> msg.Done | msg.Refused:
        answer = await self._carry_out(visitor, message)
        if hears:
            hears(answer)
        return answer

    async def _carry_out(self, visitor: str, message: msg.Ask) -> msg.Done | msg.Refused:
        id = getattr(message, "id", "")
        async with self._lock:
            committed = False
            while not committed:
                known = self.table.done(visitor, kind_of(message), id)
                if known:
                    return msg.Done(id, known)
                try:
                    self._refuse_if_closed()
                    events = decide(self.table, visitor, message, self.gone)
                    number = self.table.number + len(events)  # a record may follow at once
                    committed = await self._commit(events)
                except Refusal as no:
                    return msg.Refused(no.reason, id, no.clause, no.advice, self.table.number)
        self.settle_soon()
        return msg.Done(id, number)

    async def sit(self, visitor: str, name: str, seat: int = 0) -> int:
        """Take a seat (0: any free one) and return it; raise `Refusal` if none is to be had."""
        return await self._to_the_end(self._take(visitor, lambda: sit(self.table, visitor, name, seat)))

    async def share(self, visitor: str, link: str) -> int:
        """Hold the seat of a personal link too, and return it; raise `Refusal` if the link is none."""
        return await self._to_the_end(self._take(visitor, lambda: share(self.table, visitor, link)))

    async def _take(self, visitor: str, events: Callable[[], list[ev.TableEvent]]) -> int:
        async with self._lock:
            self._refuse_if_closed()
            while not await self._commit(events()):
                self._refuse_if_closed()
            seat = self.table.seat_of(visitor)
        self.settle_soon()
        return seat

    async def _to_the_end(self, doing: Coroutine[None, None, T]) -> T:
        """Do it in a task of its own: whoever asked may go away between the commit and what follows from it."""
        task = asyncio.get_running_loop().create_task(doing)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return await asyncio.shield(task)

    def _refuse_if_closed(self) -> None:
        if self.closed:
            raise Refusal(_("This table was put away meanwhile. Load the page again."))

    # --- commit, then tell -----------------------------------------------------------------------------

    async def _commit(self, events: list[ev.TableEvent]) -> bool:
        """Commit events, let them happen, and publish it; the lock is held.

        Return False if another process was faster: then the room has caught up, and it is to be decided anew.
        """
        if not events:
            return True
        table, at = self.table, time.time()
        for event in events:
            table.foresee(event)
        kept = next((self._kept(event) for event in events if isinstance(event, ev.Recorded)), None)
        live = (not kept and (not table.record_id or bool(table.sealed))) or _begins(events)
        try:
            await self._log.append(table.code, table.number + 1, at, events, live, kept)
        except LogFault as fault:
            raise Refusal(fault.told) from None
        except Overtaken:
            await self._catch_up()
            return False
        self._happen([(at, event) for event in events])
        if table.phase == "over" and not table.record_id:  # before anyone can begin another match
            with contextlib.suppress(Refusal):  # it is due until it is done
                if await self._commit([ev.Recorded(token(8))]):
                    return True
        await self._news.publish(table.code, table.number)
        return True

    def _happen(self, events: list[tuple[float, ev.TableEvent]]) -> None:
        """Let happen what is in the log, each with its time."""
        self.used = moment = self._clock.now()
        try:
            for at, event in events:
                self.table.apply(event, at, moment)
        except Exception:  # what is in the log cannot be undone: read it afresh, if that is to be had
            self._shut()
            raise
        if any(isinstance(event, SEATING) for _at, event in events):
            self._recount()

    async def _catch_up(self) -> None:
        """Let happen what another process has appended; the lock is held. If there is nothing, the room is closed."""
        try:
            events = await self._log.events(self.table.code, self.table.number)
        except LogFault as fault:
            raise Refusal(fault.told) from None
        if events:
            self._happen(events)
            self._tell()
        else:
            self._shut()

    def _heard(self, number: int) -> None:
        """Hear that the log has come to event `number`, by this room or by one in another process."""
        if number == GONE:
            self._shut()
        elif number > self.table.number:
            self._news_of = max(self._news_of, number)
            self.settle_soon()
        else:
            self._tell()

    def _kept(self, event: ev.Recorded) -> Kept:
        return Kept(event.id, self.table.code, msgspec.json.encode(self.table.record()))

    def _tell(self) -> None:
        self.version += 1
        self._sheets.clear()
        for listener in self.listeners:
            listener.wake.set()

    def sheet(self, visitor: str) -> Sheet:
        """Return what `visitor` is told of the table now, in the language in force.

        It is the very sheet of the last time as long as it says the same, whatever a clock shows: see `timed`.
        """
        self.used = self._clock.now()
        reader = self.reader(visitor)
        key = reader.seat, reader.host, language()
        if key not in self._sheets:
            sheet, before = sheet_of(self.table, reader, self.gone, self._clock.now()), self._told.get(key)
            same = before and msgspec.structs.replace(sheet, deadline=before.deadline) == before
            self._sheets[key] = self._told[key] = before if before and same else sheet
        return self._sheets[key]

    def timed(self, sheet: Sheet) -> Sheet:
        """Return the sheet with the time that is left by now."""
        left = time_left(self.table, self._clock.now())
        return msgspec.structs.replace(sheet, deadline=left) if left else sheet

    def drawn(self, sheet: Sheet) -> dict[str, str]:
        """Return a sheet's regions as HTML; those who are told the same share one drawing."""
        key = sheet.seat, sheet.host, language()
        kept = self._drawn.get(key)
        if not kept or kept[0] != sheet:
            kept = self._drawn[key] = sheet, drawing.regions(sheet, *(kept or ()))
        return kept[1]

    def past_view(self, seat: int, ply: int) -> View:
        """Return what `seat` saw after `ply` moves of this deal; raise `UsageError` if there is no such.

        Those who look at the same share one view.
        """
        if not self.table.position:
            raise UsageError(_("Nothing has been played yet."))
        key = seat, language(), ply, self.table.story.retold
        if key not in self._past:
            _make_room(self._past)
            self._past[key] = self.table.position.at(ply).view(seat)
        return self._past[key]

    def drawn_past(self, sheet: Sheet) -> dict[str, str]:
        """Return the cards of an earlier position as HTML; those who look at the same share one drawing."""
        assert sheet.view
        key = sheet.seat, language(), sheet.view.ply, self.table.story.retold
        if key not in self._past_drawn:
            _make_room(self._past_drawn)
            self._past_drawn[key] = drawing.cards(sheet)
        return self._past_drawn[key]

    # --- what is due -----------------------------------------------------------------------------------

    def settle_soon(self) -> None:
        """Do what is due, in a task of its own."""
        if self.closed:
            return
        task = asyncio.get_running_loop().create_task(self._settle())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _settle(self) -> None:
        try:
            await self._do_due()
            self._retry = 1.0
        except Exception as error:  # the table stands as it was committed
            faults.note("going on with a table", error)
            self._retry = min(RETRY, 2 * self._retry)
            self._look_again(self._retry)

    async def _do_due(self) -> None:
        async with self._lock:
            wait = None
            if self._news_of > self.table.number and not self.closed:
                await self._catch_up()
            while not self.closed:
                now = due(self.table, self.gone, self._clock.now(), self._pace)
                wait = now.wait
                if not now.events:
                    break
                await self._commit(now.events)
            self._look_again(wait)

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
        if times and not self.closed:
            self._timer = asyncio.get_running_loop().call_later(min(times) + 0.01, self._time)

    def _time(self) -> None:
        self._clock.now()
        if self._pauses != self._clock.pauses:  # more time is left than those who are here were told
            self._pauses = self._clock.pauses
            self._told.clear()
        self._tell()
        self.settle_soon()

    @property
    def idle(self) -> float:
        """The seconds for which the room could have been put away; 0 while it is needed."""
        busy = self.listeners or self._tasks or self._timer or self._lock.locked()
        return 0.0 if busy else self._clock.now() - self.used

    def _shut(self) -> None:
        self.closed = True
        self._unsubscribe()
        if self._timer:
            self._timer.cancel()
        for listener in self.listeners:
            listener.wake.set()

    async def close(self) -> None:
        """Commit nothing more; what is being committed is finished."""
        async with self._lock:
            self._shut()
        await asyncio.gather(*self._tasks, return_exceptions=True)


def _make_room(kept: dict[Any, Any]) -> None:
    """Forget the oldest of what is kept where there is too much of it."""
    if len(kept) >= PAST_KEPT:
        del kept[next(iter(kept))]


def _begins(events: list[ev.TableEvent]) -> bool:
    return any(isinstance(event, ev.Sealed) for event in events)
