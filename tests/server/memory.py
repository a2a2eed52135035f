"""The log in this process's memory: the least that `Log` asks for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from kartoteka.server.rooms.log import Kept, Overtaken
from kartoteka.server.rooms.store import A_WEEK
from kartoteka.server.table import events as ev


class MemoryLog:
    """The events of all tables in a dictionary."""

    def __init__(self) -> None:
        self._events: dict[str, list[tuple[float, ev.TableEvent]]] = {}
        self._live: dict[str, bool] = {}
        self._records: dict[str, Kept] = {}

    async def append(
        self, code: str, number: int, at: float, events: Sequence[ev.TableEvent], live: bool,
        record: Kept | None = None,
    ) -> None:  # fmt: skip
        there = self._events.get(code, [])
        if number <= len(there) or (record and record.id in self._records):
            raise Overtaken
        self._events[code] = [*there, *((at, event) for event in events)]
        self._live[code] = live
        if record:
            self._records[record.id] = replace(record, made=at)

    async def events(self, code: str, since: int = 0) -> list[tuple[float, ev.TableEvent]]:
        return self._events.get(code, [])[since:]

    def _latest(self) -> list[str]:
        return sorted(self._events, key=self._changed, reverse=True)

    def _changed(self, code: str) -> float:
        return self._events[code][-1][0]

    async def live(self) -> list[str]:
        return [code for code in self._latest() if self._live[code]]

    async def visited(self, visitor: str, limit: int = 12) -> list[str]:
        def seen(event: ev.TableEvent) -> bool:
            return isinstance(event, ev.Sat | ev.Shared) and event.visitor == visitor

        return [code for code in self._latest() if any(seen(event) for _at, event in self._events[code])][:limit]

    async def unused_since(self, time: float) -> list[str]:
        self._records = {id: kept for id, kept in self._records.items() if kept.made >= time}
        return [c for c in self._events if self._changed(c) < time - (A_WEEK if self._live[c] else 0)]

    async def forget(self, codes: Sequence[str], records: bool = True) -> None:
        for code in codes:
            self._events.pop(code, None)
        self._records = {id: kept for id, kept in self._records.items() if not records or kept.code not in codes}

    async def keep(self, record: Kept) -> None:
        self._records[record.id] = record

    async def record(self, id: str) -> Kept | None:
        return self._records.get(id)

    async def records_of(self, codes: Sequence[str]) -> list[Kept]:
        found = [kept for kept in self._records.values() if kept.code in codes]
        return sorted(found, key=lambda kept: kept.made, reverse=True)[:30]

    async def close(self) -> None:
        """Nothing is to be finished."""
