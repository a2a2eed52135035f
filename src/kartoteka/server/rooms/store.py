"""Where the logs are kept: one SQLite file. Whatever `append` has returned from survives a kill."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sqlite3
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from sqlalchemy.dialects.sqlite import insert
from sqlalchemy.exc import DatabaseError, IntegrityError, OperationalError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from kartoteka.server import faults
from kartoteka.server.rooms.log import Kept, LogFault, Overtaken
from kartoteka.server.table.events import Sat, Shared, TableEvent, decode, encode
from kartoteka.text import _

A_WEEK = 604_800.0

NAME = "kartoteka.sqlite"
"""The file's name in its folder."""

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
    """The log in a SQLite file. Made by `open_store`.

    Appends that arrive while a transaction runs go into the next one together: one commit serves many tables.
    """

    def __init__(self, file: Path, engine: AsyncEngine, held: AsyncConnection) -> None:
        self._file, self._engine = file, engine
        self._held = held  # while one connection is open, SQLite's journal stays the same file
        self._opened, self._lost = _identity(file), False
        self._queue: asyncio.Queue[_Entry] = asyncio.Queue()
        self._writer = asyncio.create_task(self._write())

    async def append(
        self, code: str, number: int, at: float, events: Sequence[TableEvent], live: bool, record: Kept | None = None
    ) -> None:
        """Commit `events` as numbers `number`, `number` + 1, … of table `code`, and a `record`, all or nothing."""
        entry = _Entry(code, number, at, events, live, record)
        self._queue.put_nowait(entry)
        await asyncio.shield(entry.done)

    @contextlib.asynccontextmanager
    async def _reading(self) -> AsyncIterator[AsyncConnection]:
        """A connection to what is safely on disk."""
        self._refuse_if_lost()
        try:
            async with self._engine.connect() as connection:
                yield connection
        except DatabaseError as error:
            raise self._fault("reading the tables", error) from None

    @contextlib.asynccontextmanager
    async def _writing(self) -> AsyncIterator[AsyncConnection]:
        """A transaction, committed at the end; what went into a file that is gone by then counts as failed."""
        self._refuse_if_lost()
        try:
            async with self._engine.begin() as connection:
                yield connection
        except IntegrityError:
            raise Overtaken from None
        except DatabaseError as error:
            raise self._fault("writing the tables", error) from None
        self._refuse_if_lost()

    def _fault(self, what: str, error: DatabaseError) -> LogFault:
        faults.note(what, error)
        return _unusable(self._file, error)

    def _refuse_if_lost(self) -> None:
        """Refuse if the file is not there any more: SQLite writes on into one that was deleted."""
        lost, self._lost = self._lost, _identity(self._file) != self._opened
        if self._lost:
            note = _(
                "The file of the tables, {file}, is gone, or another lies in its place, so nothing is kept any more. "
                "Put it back as it was, or stop the server and start it again."
            )
            fault = LogFault(note.format(file=self._file))
            if not lost:
                faults.log.error("%s", fault)
            raise fault

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
            async with self._writing() as connection:
                await _insert(connection, batch)
        except Exception as error:  # whoever waits is told; the writer goes on
            if len(batch) > 1 and not self._lost:
                for entry in batch:
                    await self._commit([entry])
                return
            for entry in batch:
                entry.done.set_exception(error)
            return
        for entry in batch:
            entry.done.set_result(None)

    async def events(self, code: str, since: int = 0) -> list[tuple[float, TableEvent]]:
        """Return the events of table `code` after number `since`, each with its time; none if there is no such."""
        query = (
            sa.select(_events.c.at, _events.c.body)
            .where(_events.c.code == code, _events.c.number > since).order_by(_events.c.number)
        )  # fmt: skip
        async with self._reading() as connection:
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
        async with self._reading() as connection:
            return list((await connection.execute(query)).scalars())

    async def keep(self, record: Kept) -> None:
        """Keep a record that belongs to no table; the same one again counts as new."""
        async with self._writing() as connection:
            kept = insert(_records).values(vars(record))
            await connection.execute(kept.on_conflict_do_update(index_elements=["id"], set_={"made": record.made}))

    async def record(self, id: str) -> Kept | None:
        """Return the record of that identifier."""
        async with self._reading() as connection:
            row = (await connection.execute(sa.select(_records).where(_records.c.id == id))).one_or_none()
        return Kept(row.id, row.code, row.body, row.made) if row else None

    async def records_of(self, codes: Sequence[str]) -> list[Kept]:
        """Return the records of these tables, the latest first."""
        query = sa.select(_records).where(_records.c.code.in_(codes)).order_by(_records.c.made.desc()).limit(30)
        async with self._reading() as connection:
            rows = await connection.execute(query)
            return [Kept(row.id, row.code, row.body, row.made) for row in rows]

    async def forget(self, codes: Sequence[str], records: bool = True) -> None:
        """Delete tables, their logs and (unless told otherwise) their records."""
        async with self._writing() as connection:
            for table in (_tables, _events, _visits, *([_records] if records else [])):
                await connection.execute(sa.delete(table).where(table.c.code.in_(codes)))

    async def unused_since(self, time: float) -> list[str]:
        """Delete every record made before `time`; return the tables last changed before it.

        A table in play may have a clock of up to a week a move, which it is given on top.
        """
        old = sa.or_(_tables.c.changed < time - A_WEEK, sa.and_(_tables.c.changed < time, sa.not_(_tables.c.live)))
        async with self._writing() as connection:
            await connection.execute(sa.delete(_records).where(_records.c.made < time))
        return await self._column(sa.select(_tables.c.code).where(old))

    async def close(self) -> None:
        """Commit what waits, and close the file."""
        await self._queue.join()
        self._writer.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._writer
        await self._held.close()
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


# --- opening -------------------------------------------------------------------------------------------------


def prepare(folder: Path) -> Path:
    """Bring the database in `folder` to the newest schema and return its file; it is made if it is not there.

    Raise `LogFault` if it cannot be used: a sentence that says what would help.
    """
    file = folder / NAME
    engine = sa.create_engine(_url("sqlite", file), hide_parameters=True)
    try:
        with engine.connect() as connection:
            connection.exec_driver_sql("BEGIN IMMEDIATE")  # a kill on the way leaves the schema as it was
            _check(connection)
            _migrate(connection)
            version = connection.exec_driver_sql("PRAGMA user_version").scalar_one()
            connection.exec_driver_sql(f"PRAGMA user_version = {version}")  # writes, so that what prevents it shows
            connection.commit()
    except DatabaseError as error:
        raise _unusable(file, error) from None
    except CommandError:  # a step of the schema that is none of ours
        note = _("{file} was written by a newer Kartoteka. Serve it with that one, or choose another with --data.")
        raise LogFault(note.format(file=file)) from None
    finally:
        engine.dispose()
    return file


def _url(driver: str, file: Path) -> sa.URL:
    return sa.URL.create(driver, database=str(file))  # not by hand: % and ? are good names for folders


def _check(connection: sa.Connection) -> None:
    """Raise `DatabaseError` if the file is damaged, or another program's."""
    found = str(connection.exec_driver_sql("PRAGMA quick_check(1)").scalar_one())
    tables = sa.inspect(connection).get_table_names()
    if found != "ok":
        raise DatabaseError(None, None, sqlite3.DatabaseError(" ".join(found.split())[:100]))
    if tables and "alembic_version" not in tables:
        raise DatabaseError(None, None, sqlite3.DatabaseError("another program's tables"))


def _migrate(connection: sa.Connection) -> None:
    config = Config(attributes={"connection": connection})
    folder = str(Path(__file__).with_name("migrations"))
    config.set_main_option("script_location", folder.replace("%", "%%"))  # an ini file's own sign
    command.upgrade(config, "head")


def _unusable(file: Path, error: DatabaseError) -> LogFault:
    """Return the sentence for what SQLite says of a file, which is never anything of its content."""
    if isinstance(error, OperationalError):
        note = _(
            "The tables in {file} cannot be read or written ({reason}). Give this user the right to write there, "
            "make room on the disk, or choose another folder with --data."
        )
    else:
        note = _(
            "{file} is damaged, or no file of tables ({reason}). Put a backup in its place, move it away to begin "
            "with no tables, or choose another folder with --data."
        )
    return LogFault(note.format(file=file, reason=error.orig))


def _identity(file: Path) -> list[tuple[int, int] | None]:
    """Return which files on disk the database and its journal are: another file under the same name is another."""
    found: list[tuple[int, int] | None] = []
    for path in (file, f"{file}-wal"):
        try:
            stat = os.stat(path)
            found.append((stat.st_dev, stat.st_ino))
        except OSError:
            found.append(None)
    return found


async def open_store(folder: Path) -> Store:
    """Open (or make) the database in `folder`; raise `LogFault` if that cannot be."""
    file = await asyncio.to_thread(prepare, folder)
    engine = create_async_engine(_url("sqlite+aiosqlite", file), pool_size=5, hide_parameters=True)

    @sa.event.listens_for(engine.sync_engine, "connect")
    def _configure(connection: Any, _record: object) -> None:
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "busy_timeout=5000"):
            connection.execute(f"PRAGMA {pragma}")

    try:
        held = await engine.connect()
        await held.execute(sa.select(_tables.c.code).limit(1))  # so that the journal is there
        await held.rollback()
    except DatabaseError as error:
        await engine.dispose()
        raise _unusable(file, error) from None
    return Store(file, engine, held)
