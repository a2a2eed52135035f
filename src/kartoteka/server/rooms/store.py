"""Where the logs are kept: one SQLite file. Whatever `append` has returned from survives a kill."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from sqlalchemy.dialects.sqlite import insert
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from kartoteka.server.table.events import Sat, Shared, TableEvent, decode, encode

A_WEEK = 604_800.0

_metadata = sa.MetaData()
_tables = sa.Table(
    "tables", _metadata,
    sa.Column("code", sa.String, primary_key=True), sa.Column("changed", sa.Float), sa.Column("live", sa.Boolean),
)  # fmt: skip
_events = sa.Table(
    "events", _metadata,
    sa.Column("code", sa.String, primary_key=True), sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("at", sa.Float), sa.Column("body", sa.LargeBinary),
)  # fmt: skip
_visits = sa.Table(
    "visits", _metadata,
    sa.Column("visitor", sa.String, primary_key=True), sa.Column("code", sa.String, primary_key=True),
)  # fmt: skip
_records = sa.Table(
    "records", _metadata,
    sa.Column("id", sa.String, primary_key=True), sa.Column("made", sa.Float), sa.Column("code", sa.String),
    sa.Column("body", sa.LargeBinary),
)  # fmt: skip


@dataclass(frozen=True)
class Kept:
    """A finished match's record as the store keeps it; `code` is its table's, ``''`` for an uploaded one."""

    id: str
    code: str
    body: bytes
    made: float = 0.0


@dataclass
class _Entry:
    """What one transaction adds to a table's log."""

    code: str
    number: int
    at: float
    events: Sequence[TableEvent]
    live: bool
    record: Kept | None
    done: asyncio.Future[None] = field(default_factory=lambda: asyncio.get_running_loop().create_future())


class Store:
    """The database. Made by `open_store`.

    Appends that arrive while a transaction runs go into the next one together: one commit serves many tables.
    """

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._queue: asyncio.Queue[_Entry] = asyncio.Queue()
        self._writer = asyncio.create_task(self._write())

    async def append(
        self, code: str, number: int, at: float, events: Sequence[TableEvent], live: bool, record: Kept | None = None
    ) -> None:
        """Commit `events` as numbers `number`, `number` + 1, … of table `code`, and a `record`, all or nothing."""
        entry = _Entry(code, number, at, events, live, record)
        self._queue.put_nowait(entry)
        await asyncio.shield(entry.done)

    async def _write(self) -> None:
        while True:
            batch = [await self._queue.get()]
            while not self._queue.empty():
                batch.append(self._queue.get_nowait())
            await self._commit(batch)
            for _entry in batch:
                self._queue.task_done()

    async def _commit(self, batch: list[_Entry]) -> None:
        """Commit a batch; if that fails, each entry alone, so that one table's fault is not another's."""
        try:
            async with self._engine.begin() as connection:
                await _insert(connection, batch)
        except Exception as error:  # whoever waits is told; the writer goes on
            if len(batch) > 1:
                for entry in batch:
                    await self._commit([entry])
                return
            batch[0].done.set_exception(error)
            return
        for entry in batch:
            entry.done.set_result(None)

    async def events(self, code: str) -> list[tuple[float, TableEvent]]:
        """Return the log of table `code` with the time of each event; empty if there is no such table."""
        query = sa.select(_events.c.at, _events.c.body).where(_events.c.code == code).order_by(_events.c.number)
        async with self._engine.connect() as connection:
            return [(row.at, decode(row.body)) for row in await connection.execute(query)]

    async def live(self) -> list[str]:
        """Return the codes of the tables whose last match is not over, the latest first."""
        query = sa.select(_tables.c.code).where(_tables.c.live).order_by(_tables.c.changed.desc())
        return await self._column(query)

    async def visited(self, visitor: str, limit: int = 12) -> list[str]:
        """Return the codes of the tables where `visitor` holds or held a seat, the latest first."""
        query = (
            sa.select(_tables.c.code).join(_visits, _visits.c.code == _tables.c.code)
            .where(_visits.c.visitor == visitor).order_by(_tables.c.changed.desc()).limit(limit)
        )  # fmt: skip
        return await self._column(query)

    async def _column(self, query: sa.Select[tuple[Any]]) -> list[str]:
        async with self._engine.connect() as connection:
            return list((await connection.execute(query)).scalars())

    async def keep(self, record: Kept) -> None:
        """Keep a record that belongs to no table; the same one again counts as new."""
        async with self._engine.begin() as connection:
            kept = insert(_records).values(vars(record))
            await connection.execute(kept.on_conflict_do_update(index_elements=["id"], set_={"made": record.made}))

    async def record(self, id: str) -> Kept | None:
        """Return the record of that identifier."""
        async with self._engine.connect() as connection:
            row = (await connection.execute(sa.select(_records).where(_records.c.id == id))).one_or_none()
        return Kept(row.id, row.code, row.body, row.made) if row else None

    async def records_of(self, codes: Sequence[str]) -> list[Kept]:
        """Return the records of these tables, the latest first."""
        query = sa.select(_records).where(_records.c.code.in_(codes)).order_by(_records.c.made.desc()).limit(30)
        async with self._engine.connect() as connection:
            rows = await connection.execute(query)
            return [Kept(row.id, row.code, row.body, row.made) for row in rows]

    async def forget(self, codes: Sequence[str], records: bool = True) -> None:
        """Delete tables, their logs and (unless told otherwise) their records."""
        async with self._engine.begin() as connection:
            for table in (_tables, _events, _visits, *([_records] if records else [])):
                await connection.execute(sa.delete(table).where(table.c.code.in_(codes)))

    async def unused_since(self, time: float) -> list[str]:
        """Delete every record made before `time`; return the tables last changed before it.

        A table in play may have a clock of up to a week a move, which it is given on top.
        """
        old = sa.or_(_tables.c.changed < time - A_WEEK, sa.and_(_tables.c.changed < time, sa.not_(_tables.c.live)))
        async with self._engine.begin() as connection:
            await connection.execute(sa.delete(_records).where(_records.c.made < time))
        return await self._column(sa.select(_tables.c.code).where(old))

    async def close(self) -> None:
        """Commit what waits, and close the file."""
        await self._queue.join()
        self._writer.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._writer
        await self._engine.dispose()


async def _insert(connection: AsyncConnection, batch: Sequence[_Entry]) -> None:
    rows = [
        {"code": e.code, "number": e.number + k, "at": e.at, "body": encode(event)}
        for e in batch for k, event in enumerate(e.events)
    ]  # fmt: skip
    await connection.execute(_events.insert(), rows)
    changed = insert(_tables)
    changed = changed.on_conflict_do_update(
        index_elements=["code"], set_={"changed": changed.excluded.changed, "live": changed.excluded.live}
    )
    await connection.execute(changed, [{"code": e.code, "changed": e.at, "live": e.live} for e in batch])
    seen = [
        {"visitor": event.visitor, "code": e.code}
        for e in batch for event in e.events if isinstance(event, Sat | Shared)
    ]  # fmt: skip
    if seen:
        await connection.execute(insert(_visits).on_conflict_do_nothing(), seen)
    kept = [{**vars(e.record), "made": e.at} for e in batch if e.record]
    if kept:
        await connection.execute(_records.insert(), kept)


def _migrate(file: Path) -> None:
    """Bring the file to the newest schema; it is made if it is not there."""
    engine = sa.create_engine(f"sqlite:///{file}")
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).with_name("migrations")))
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
    engine.dispose()


async def open_store(folder: Path) -> Store:
    """Open (or make) the database in `folder`."""
    file = folder / "kartoteka.sqlite"
    await asyncio.to_thread(_migrate, file)
    engine = create_async_engine(f"sqlite+aiosqlite:///{file}", pool_size=4, hide_parameters=True)

    @sa.event.listens_for(engine.sync_engine, "connect")
    def _configure(connection: Any, _record: object) -> None:
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "busy_timeout=5000"):
            connection.execute(f"PRAGMA {pragma}")

    return Store(engine)
