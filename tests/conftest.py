"""What all tests share, and which of them `make quick` leaves out."""

from __future__ import annotations

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


def pytest_configure() -> None:
    """Let every game be played as machine code, as after `Variant.prepare`, also by modules that play when read."""
    if available():
        pytest.MonkeyPatch().setattr(variant, "plain_core", variant.machine_core)
