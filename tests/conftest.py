"""What all tests share, and which of them `make quick` leaves out."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from kartoteka.core.machine import available
from kartoteka.engine import variant
from tests.cases import DEFAULTS

SLOW = {
    "browser",
    "test_hostile.py",
    "test_kill.py",
    "test_reference.py",
    "test_same_everywhere.py",
    "test_sixth_game.py",
    "test_strength.py",
    "test_terminal.py",
    "test_wheel.py",
}
"""Folders and files that take long by their nature."""


@pytest.hookimpl(tryfirst=True)  # before those that are marked are left out
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        params = item.callspec.params if hasattr(item, "callspec") else {}
        unusual = params.get("variant", DEFAULTS[0]) not in DEFAULTS
        if unusual or SLOW & set(Path(item.path).parts):
            item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="session", autouse=True)
def machine_code() -> Iterator[None]:
    """Let every game be played as machine code from its first use, as it is after `Variant.prepare`."""
    with pytest.MonkeyPatch.context() as patch:
        if available():
            patch.setattr(variant, "plain_core", variant.machine_core)
        yield
