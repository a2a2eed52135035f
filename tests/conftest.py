"""What all tests share, and which of them `make quick` leaves out."""

from __future__ import annotations

from pathlib import Path

import pytest

from kartoteka.core.machine import available
from kartoteka.engine import variant
from tests.cases import DEFAULTS

SLOW = {
    "browser",
    "test_advantage_unseen.py",
    "test_connections.py",
    "test_document.py",
    "test_first_start.py",
    "test_hostile.py",
    "test_kill.py",
    "test_load.py",
    "test_new_lines.py",
    "test_reference.py",
    "test_same_everywhere.py",
    "test_sixth_game.py",
    "test_small_print.py",
    "test_stopping.py",
    "test_store.py",
    "test_strength.py",
    "test_terminal.py",
    "test_wheel.py",
    "test_a_leak_is_found",
    "test_a_value_counts_wherever_it_was_made",
    "test_an_edit_leads_to_new_machine_code_just_where_it_comes_from",
    "test_every_word_of_a_game_is_translated",
    "test_every_word_of_help_is_translated",
    "test_verify_goes_on_after_a_fault_and_ends_with_status_1",
    "test_verify_says_of_each_deal_what_was_verified",
}
"""Folders, files and tests that take long by their nature."""


@pytest.hookimpl(tryfirst=True)  # before those that are marked are left out
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        params = item.callspec.params if hasattr(item, "callspec") else {}
        unusual = params.get("variant", DEFAULTS[0]) not in DEFAULTS
        if unusual or SLOW & {*Path(item.path).parts, getattr(item, "originalname", "")}:
            item.add_marker(pytest.mark.slow)


def pytest_configure() -> None:
    """Let every game be played as machine code, as after `Variant.prepare`, also by modules that play when read."""
    if available():
        pytest.MonkeyPatch().setattr(variant, "plain_core", variant.machine_core)
