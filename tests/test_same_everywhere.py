"""Compiled, as plain Python and with bounds checked: every variant does the same, without a warning."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from kartoteka.engine import registry
from tests.waits import HANGS


def _digests(game: str, **environment: str) -> list[str]:
    """What a process of its own prints of a game's variants."""
    command = [sys.executable, "-W", "error", "-m", "tests.digest", game]
    env = {**os.environ, **environment}
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False, timeout=HANGS)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.mark.parametrize("game", registry.games())
def test_plain_python_does_the_same(game: str) -> None:
    compiled = _digests(game)
    assert len(compiled) > 3
    assert _digests(game, NUMBA_DISABLE_JIT="1") == compiled


@pytest.mark.parametrize("game", registry.games())
def test_no_index_is_out_of_bounds(game: str, tmp_path: Path) -> None:
    assert _digests(game, NUMBA_BOUNDSCHECK="1", KARTOTEKA_CACHE=str(tmp_path)) == _digests(game)
