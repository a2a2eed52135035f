"""Compiled, plain and bounds-checked: the same seed gives the same bytes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from kartoteka.engine import registry


def simulated(game: str, by: str, games: int = 1, **environment: str) -> bytes:
    """Records printed by a process of its own."""
    command = [sys.executable, "-m", "kartoteka.terminal.main", "simulate", game]
    command += ["--games", str(games), "--by", by, "--seed", "same"]
    done = subprocess.run(command, env={**os.environ, **environment}, capture_output=True, check=False, timeout=280)
    assert done.returncode == 0, done.stderr.decode()
    assert done.stdout.count(b"\n") == games
    return done.stdout


@pytest.mark.parametrize("name", registry.games())
@pytest.mark.parametrize("by", ["random", "greedy"])
def test_plain_python_plays_the_same_games(name: str, by: str) -> None:
    assert simulated(name, by, NUMBA_DISABLE_JIT="1") == simulated(name, by)


@pytest.mark.parametrize("name", registry.games())
def test_no_index_is_out_of_bounds(name: str, tmp_path: Path) -> None:
    checked = simulated(name, "random", games=5, NUMBA_BOUNDSCHECK="1", KARTOTEKA_CACHE=str(tmp_path))
    assert checked == simulated(name, "random", games=5)
