"""Machine code on disk: read where it may not be written, left alone where it cannot be read."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kartoteka.core import cache
from kartoteka.core.machine import MachineCore
from kartoteka.engine import registry
from kartoteka.engine.variant import machine_core, usual
from tests.waits import HANGS

# Once all is imported, a process of root's becomes somebody whom permissions concern.
ASKS = """
import json, os, pathlib, shutil, sys, tempfile
from kartoteka.core import cache
home, temporary = sys.argv[1:]
os.environ["KARTOTEKA_CACHE"] = home
tempfile.tempdir = temporary
if not os.getuid():
    os.setuid(65534)
found = cache.folder("game", "digest")
(found / "new.nbi").write_bytes(b"\\x80.")
print(json.dumps([str(found), sorted(file.name for file in found.iterdir()), cache.complete(found)]))
"""


@pytest.fixture
def home() -> Iterator[Path]:
    """A home with a complete folder, in which everybody may look."""
    found = Path(tempfile.mkdtemp(prefix="kartoteka-test-"))
    try:
        folder = found / "cache" / "game-digest"
        folder.mkdir(parents=True)
        (found / "temporary").mkdir()
        (found / "temporary").chmod(0o777)
        (folder / "one.nbi").write_bytes(b"\x80.")
        cache.note_complete(folder)
        for path in (found, found / "cache"):
            path.chmod(0o755)
        yield found
    finally:
        subprocess.run(["chmod", "-R", "u+rwX", str(found)], check=True)
        shutil.rmtree(found)


def _asked(home: Path) -> tuple[Path, list[str], bool]:
    """Which folder somebody without rights is given, the files in it, and whether it is complete."""
    command = [sys.executable, "-c", ASKS, str(home / "cache"), str(home / "temporary")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=HANGS, env=dict(os.environ))
    assert done.returncode == 0, done.stderr
    folder, files, complete = json.loads(done.stdout)
    return Path(folder), files, complete


needs_rights = pytest.mark.skipif(not hasattr(os, "setuid"), reason="permissions as POSIX has them")


@needs_rights
def test_a_complete_folder_that_cannot_be_written_is_used(home: Path) -> None:
    target = home / "cache" / "game-digest"
    target.chmod(0o555)
    before = sorted((path.name, path.stat().st_mtime_ns) for path in target.iterdir())
    folder, files, complete = _asked(home)
    assert home / "temporary" in folder.parents
    assert files == ["new.nbi", "one.nbi", "ready"]
    assert complete
    assert sorted((path.name, path.stat().st_mtime_ns) for path in target.iterdir()) == before


@needs_rights
@pytest.mark.parametrize("what", ["a file", "a folder in it", "the folder itself", "the home"])
def test_what_cannot_be_read_stops_nothing(home: Path, what: str) -> None:
    target = home / "cache" / "game-digest"
    inner = target / "inner"
    inner.mkdir()
    unreadable = {"a file": target / "one.nbi", "a folder in it": inner, "the folder itself": target}
    unreadable.get(what, home / "cache").chmod(0)
    folder, files, complete = _asked(home)
    assert home / "temporary" in folder.parents
    assert files == ["new.nbi"]
    assert not complete


@needs_rights
def test_an_incomplete_folder_that_cannot_be_written_is_not_used(home: Path) -> None:
    target = home / "cache" / "game-digest"
    (target / "ready").unlink()
    target.chmod(0o555)
    folder, files, complete = _asked(home)
    assert home / "temporary" in folder.parents
    assert files == ["new.nbi"]
    assert not complete


def test_a_damaged_folder_is_made_anew(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KARTOTEKA_CACHE", str(home / "cache"))
    target = home / "cache" / "game-digest"
    (target / "one.nbi").write_bytes(b"\x80 cut o")
    assert cache.folder("game", "digest") == target
    assert list(target.iterdir()) == []


def test_a_game_is_loaded_from_a_cache_baked_into_an_image(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is compiled, and nothing written there."""
    chosen = usual(next(iter(registry.games().values())))
    chosen.prepare()
    made = machine_core(chosen.game).folder
    shutil.copytree(made, tmp_path / made.name)
    before = sorted((path, path.stat().st_mtime_ns) for path in tmp_path.rglob("*"))
    monkeypatch.setenv("KARTOTEKA_CACHE", str(tmp_path))
    monkeypatch.setattr("os.access", lambda path, mode: not str(path).startswith(str(tmp_path)))
    core: Any = MachineCore(chosen.game.module("rules"), chosen.game.module("policy"))
    assert core.complete
    core.load(chosen.blank(), chosen.pack())
    assert tmp_path not in core.folder.parents
    assert core.play_at.stats.cache_hits
    assert not core.play_at.stats.cache_misses
    assert sorted((path, path.stat().st_mtime_ns) for path in tmp_path.rglob("*")) == before
