"""What the rooms want of the log: where it is kept is another file's business (`store` today)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from kartoteka.engine.errors import KartotekaError
from kartoteka.server.table.events import TableEvent
from kartoteka.text import _


@dataclass(frozen=True)
class Kept:
    """A finished match's record as the log keeps it; `code` is its table's, ``''`` for an uploaded one."""

    id: str
    code: str
    body: bytes
    made: float = 0.0


class Overtaken(Exception):
    """What was to be appended has a number that the log has already, and was not appended: read on, decide anew."""


class LogFault(KartotekaError):
    """The log cannot be kept or read; the text is for whoever runs the server, `told` for everyone else."""

    status = 1

    @property
    def told(self) -> str:
        """The sentence for those who play: it names no file."""
        return _("Nothing can be kept just now, so nothing was done. Whoever runs this server finds why in its log.")


class Log(Protocol):
    """The events of all tables, and the records of their matches. What a method has returned from survives a kill.

    Any number of processes may work on one log. All methods raise `LogFault` where the log is at fault.
    """

    async def append(
        self, code: str, number: int, at: float, events: Sequence[TableEvent], live: bool, record: Kept | None = None
    ) -> None:
        """Append `events` as numbers `number`, `number` + 1, … of table `code`, and a `record`, all or nothing.

        `at` is seconds since 1970; `live`, whether the table's last match is not over. Raise `Overtaken` if the table
        has one of these numbers.
        """

    async def events(self, code: str, since: int = 0) -> list[tuple[float, TableEvent]]:
        """Return the events of table `code` after number `since`, each with its time; none if there is no such."""

    async def live(self) -> list[str]:
        """Return the codes of the tables whose last match is not over, the latest first."""

    async def visited(self, visitor: str, limit: int = 12) -> list[str]:
        """Return the codes of the tables where `visitor` holds or held a seat, the latest first."""

    async def unused_since(self, time: float) -> list[str]:
        """Delete every record made before `time`; return the tables last changed before it.

        A table in play may have a clock of up to a week a move, which it is given on top.
        """

    async def forget(self, codes: Sequence[str], records: bool = True) -> None:
        """Delete tables, their events and (unless told otherwise) their records."""

    async def keep(self, record: Kept) -> None:
        """Keep a record that belongs to no table; the same one again counts as new."""

    async def record(self, id: str) -> Kept | None:
        """Return the record of that identifier."""

    async def records_of(self, codes: Sequence[str]) -> list[Kept]:
        """Return the records of these tables, the latest first, at most 30."""

    async def close(self) -> None:
        """Finish what is being appended."""
