"""The page's script: node runs the tests of its pure parts, and knows its messages as the server says them."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.script import messages

HERE = Path(__file__).parent


def test_the_script_decides_as_its_tests_say() -> None:
    node = shutil.which("node")
    if not node:
        say = pytest.fail if os.environ.get("CI") else pytest.skip
        say("These tests need node, version 20 or newer.")
    run = subprocess.run([node, "--test", *sorted(HERE.glob("*.test.js"))], capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr


def test_the_script_knows_the_messages_as_they_are() -> None:
    written = messages.FILE.read_text(encoding="utf-8")
    assert written == messages.declarations(), "run .venv/bin/python -m tests.script.messages"
