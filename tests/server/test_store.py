"""The file of the tables: what is not safely in it is not acknowledged, and what is wrong with it is said plainly."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import alembic.command
import msgspec
import pytest
import sqlalchemy as sa

import kartoteka
from kartoteka.server.rooms import store
from kartoteka.server.rooms.log import Kept, LogFault
from kartoteka.server.rooms.store import NAME, open_store, prepare
from kartoteka.server.table import events as ev
from kartoteka.server.table import messages as msg
from tests.server.house import House
from tests.server.sitting import OPEN, run, sitting
from tests.waits import HANGS

EVENTS: list[ev.TableEvent] = [ev.Opened("game", 1, {}, 1, "host")]


def fault_of(folder: Path) -> str:
    """What is said of a folder whose file cannot be used."""
    with pytest.raises(LogFault) as fault:
        prepare(folder)
    assert str(folder / NAME) in str(fault.value)
    assert "\n" not in str(fault.value)
    return str(fault.value)


# --- a file that is lost while the server runs ---------------------------------------------------------------


def deleted(file: Path) -> None:
    file.unlink()


def replaced(file: Path) -> None:
    shutil.copy(file, file.with_suffix(".copy"))
    file.with_suffix(".copy").rename(file)


def without_journal(file: Path) -> None:
    file.with_name(f"{NAME}-wal").unlink()


def put_away(file: Path) -> None:
    file.parent.rename(file.parent.with_name("elsewhere"))


@pytest.mark.parametrize("lose", [deleted, replaced, without_journal, put_away])
def test_once_the_file_is_lost_nothing_is_acknowledged(
    lose: Callable[[Path], None], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder = tmp_path / "here"
    folder.mkdir()

    async def scene() -> None:
        async with sitting(folder, OPEN) as there:
            await there.moves(2)
            lose(folder / NAME)
            move = there.next_move()
            for _again in range(3):
                refused = await there.refuses(there.mover, move)
                assert "kept" in refused.reason
                assert str(folder) not in refused.reason
            appends = [there.hall.store.append(code, 1, 1.0, EVENTS, live=True) for code in "ABC"]
            for done in await asyncio.gather(*appends, return_exceptions=True):
                assert isinstance(done, LogFault)
            with pytest.raises(LogFault):
                await there.hall.store.keep(Kept("r", "", b"{}"))
        said = [r.getMessage() for r in caplog.records if str(folder / NAME) in r.getMessage()]
        assert len(said) == 1, "it is said once in the log"

    run(scene)


def test_a_file_that_is_put_back_goes_on_with_all_that_was_acknowledged(tmp_path: Path) -> None:
    async def scene() -> None:
        async with sitting(tmp_path, OPEN) as there:
            await there.moves(1)
            (tmp_path / NAME).rename(tmp_path / "away")
            await there.refuses(there.mover, there.next_move())
            (tmp_path / "away").rename(tmp_path / NAME)
            await there.moves(2)
            assert len(await there.hall.store.events(there.table.code)) == there.table.number

    run(scene)


def test_on_a_full_disk_a_move_is_refused_and_made_when_there_is_room(tmp_path: Path) -> None:
    async def scene() -> None:
        async with sitting(tmp_path, OPEN) as there:
            held = there.hall.store._held  # type: ignore[attr-defined]
            engine = held.engine.sync_engine
            full = ["PRAGMA max_page_count = 1"]
            sa.event.listen(engine, "begin", lambda c: c.exec_driver_sql(full[0]))
            await there.moves(1)
            big = msg.Say("a", "word " * 80)
            while isinstance(
                answer := await there.ask("p1", msgspec.structs.replace(big, id=str(there.ids))), msg.Done
            ):
                there.ids += 1
            assert "kept" in answer.reason
            full[0] = "PRAGMA max_page_count = 1000000"
            await there.does("p1", big)
            assert len(await there.hall.store.events(there.table.code)) == there.table.number

    run(scene)


def test_a_lost_file_is_told_to_page_and_program_in_a_sentence(tmp_path: Path) -> None:
    with House(tmp_path) as house:
        visitor = house.visitor()
        (tmp_path / NAME).unlink()
        for answer in (
            visitor.api("POST", "/tables", {"game": OPEN}), visitor.get("/replays"),
            visitor.post("/new", data={"game": OPEN}),
        ):  # fmt: skip
            assert answer.status_code == 503, answer.text
            assert "Nothing can be kept just now" in answer.text
            assert str(tmp_path) not in answer.text


# --- a file that cannot be used ------------------------------------------------------------------------------


def filled(folder: Path) -> Path:
    """A good database with more than a page in it."""
    prepare(folder)
    with contextlib.closing(sqlite3.connect(folder / NAME)) as database:
        rows = [(f"T{k}", 1, 1.0, b"x" * 900) for k in range(100)]
        database.executemany("INSERT INTO events VALUES (?, ?, ?, ?)", rows)
        database.commit()
    return folder / NAME


def garbage(file: Path) -> None:
    file.write_bytes(b"no database at all " * 500)


def overwritten(file: Path) -> None:
    with file.open("r+b") as raw:
        raw.seek(file.stat().st_size // 2)
        raw.write(b"\xff" * 8192)


def cut_off(file: Path) -> None:
    os.truncate(file, file.stat().st_size // 2)


def another_programs(file: Path) -> None:
    file.unlink()
    with contextlib.closing(sqlite3.connect(file)) as database:
        database.execute("CREATE TABLE letters (body)")


@pytest.mark.parametrize("spoil", [garbage, overwritten, cut_off, another_programs])
def test_a_damaged_file_is_named_with_what_would_help(spoil: Callable[[Path], None], tmp_path: Path) -> None:
    spoil(filled(tmp_path))
    before = (tmp_path / NAME).read_bytes()
    said = fault_of(tmp_path)
    assert "damaged" in said
    assert "backup" in said
    assert (tmp_path / NAME).read_bytes() == before, "nothing is changed in it"


def test_a_newer_file_is_left_alone(tmp_path: Path) -> None:
    prepare(tmp_path)
    with contextlib.closing(sqlite3.connect(tmp_path / NAME)) as database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
        database.commit()
    assert "newer Kartoteka" in fault_of(tmp_path)


def test_a_file_that_another_program_holds_or_that_is_a_folder_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "folder" / NAME).mkdir(parents=True)
    assert "cannot be read or written" in fault_of(tmp_path / "folder")
    prepare(tmp_path)
    create = sa.create_engine
    monkeypatch.setattr(sa, "create_engine", lambda *a, **k: create(*a, **k, connect_args={"timeout": 0}))
    with contextlib.closing(sqlite3.connect(tmp_path / NAME, isolation_level=None)) as database:
        database.execute("BEGIN IMMEDIATE")
        assert "locked" in fault_of(tmp_path)


def test_a_schema_is_made_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    upgrade = alembic.command.upgrade

    def killed(*given: Any) -> None:
        upgrade(*given)
        raise KeyboardInterrupt

    with monkeypatch.context() as dying:
        dying.setattr(alembic.command, "upgrade", killed)
        with pytest.raises(KeyboardInterrupt):
            prepare(tmp_path)
    with contextlib.closing(sqlite3.connect(tmp_path / NAME)) as database:
        assert database.execute("SELECT count(*) FROM sqlite_master").fetchone() == (0,)
    prepare(tmp_path)


def serve(folder: Path, *before: str) -> subprocess.CompletedProcess[str]:
    """Serve a folder that cannot be served, and return how that ended."""
    words = ["serve", "--port", "0", "--data", str(folder)]
    command = [*before, sys.executable, "-c", f"from kartoteka.terminal.main import main; main({words!r})"]
    environment = {**os.environ, "KARTOTEKA_LANGUAGE": "en"}
    return subprocess.run(command, capture_output=True, text=True, timeout=HANGS, check=False, env=environment)


def in_one_sentence(ended: subprocess.CompletedProcess[str], words: str) -> None:
    """It ended with status 1 and one line, which has these words."""
    assert (ended.returncode, ended.stdout) == (1, ""), ended.stderr
    assert words in ended.stderr
    assert ended.stderr.count("\n") == 1
    assert "--data" in ended.stderr


def test_a_server_that_cannot_use_its_file_ends_with_a_sentence_and_status_1(tmp_path: Path) -> None:
    garbage(tmp_path / NAME)
    in_one_sentence(serve(tmp_path), "damaged")


UNPRIVILEGED = [] if os.geteuid() else ["setpriv", "--bounding-set=-dac_override,-dac_read_search"]


@pytest.mark.skipif(not (os.geteuid() or shutil.which("setpriv")), reason="rights do not bind this user")
@pytest.mark.parametrize("what", ["folder", "file"])
def test_what_may_not_be_written_is_said_in_a_sentence_with_status_1(what: str, tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    filled(folder).chmod(0o444)
    folder.chmod(0o555 if what == "folder" else 0o755)
    try:
        in_one_sentence(serve(folder, *UNPRIVILEGED), "cannot be ")
    finally:
        folder.chmod(0o755)


# --- names of folders ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["z?1", "a%20b", "a b", "%(here)s", "file:x?mode=memory", "día #1"])
def test_a_folder_of_any_name_has_its_own_file(name: str, tmp_path: Path) -> None:
    async def scene() -> None:
        for code, folder in (("A", tmp_path / name), ("B", tmp_path / name[0])):
            folder.mkdir()
            log = await open_store(folder)
            await log.append(code, 1, 1.0, EVENTS, live=True)
            assert await log.live() == [code]
            await log.close()
            assert [path.name for path in folder.iterdir()] == [NAME]

    run(scene)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted({name, name[0]})


def test_a_relative_folder_of_an_odd_name_has_its_own_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("z?1", ":memory:", "file:x"):
        Path(name).mkdir()
        assert prepare(Path(name)).exists()


def test_an_installation_under_an_odd_path_finds_the_steps_of_its_schema(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = Path(kartoteka.__file__).parent / "server" / "rooms"
    copy = tmp_path / "50%(d)s%20a" / "rooms"
    shutil.copytree(package / "migrations", copy / "migrations")
    monkeypatch.setattr(store, "__file__", str(copy / "store.py"))
    prepare(tmp_path)
