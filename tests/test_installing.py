"""Whether this can be installed is said before anything is downloaded."""

from __future__ import annotations

import runpy
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

TOOL = Path(__file__).parents[1] / "tools" / "can_install.py"
GLIBC, MUSL, MAC = ".cpython-311-x86_64-linux-gnu.so", ".cpython-311-x86_64-linux-musl.so", ".cpython-311-darwin.so"

fault: Callable[[tuple[int, int], str, str, str], str] = runpy.run_path(str(TOOL))["fault"]


def test_it_can_be_installed_where_its_tests_run() -> None:
    done = subprocess.run([sys.executable, str(TOOL)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize(
    ("system", "machine", "library"),
    [("Linux", "x86_64", GLIBC), ("Linux", "aarch64", ""), ("Darwin", "arm64", MAC), ("Windows", "AMD64", ".pyd")],
)
def test_it_can_be_installed_where_everything_is_built(system: str, machine: str, library: str) -> None:
    assert not fault((3, 11), system, machine, library)


@pytest.mark.parametrize(
    ("system", "machine", "library", "named"),
    [
        ("Darwin", "x86_64", MAC, "macOS on x86_64"),
        ("Linux", "x86_64", MUSL, "Linux on x86_64 with musl"),
        ("Linux", "aarch64", MUSL, "Linux on aarch64 with musl"),
        ("Linux", "armv7l", GLIBC, "Linux on armv7l"),
        ("Windows", "ARM64", ".pyd", "Windows on ARM64"),
    ],
)
def test_where_something_is_not_built_one_sentence_says_what_and_what_would_do(
    system: str, machine: str, library: str, named: str
) -> None:
    told = fault((3, 12), system, machine, library)
    assert f"no build of its compiler, numba, for {named};" in told
    assert "container" in told
    assert told.count(". ") == 0
    assert told.endswith(".")


def test_an_old_python_is_named() -> None:
    assert "Python 3.11" in fault((3, 10), "Linux", "x86_64", GLIBC)


def test_make_asks_before_it_sets_up() -> None:
    recipe = (TOOL.parents[1] / "Makefile").read_text(encoding="utf-8")
    assert 0 < recipe.index("$(PYTHON) tools/can_install.py") < recipe.index("$(PYTHON) -m venv")
