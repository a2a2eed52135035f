"""The example in examples/ plays a whole game against a person at a browser."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import expect

from kartoteka.engine import registry
from tests.browser.conftest import People
from tests.browser.evening import MOVES, push, sit_down
from tests.browser.hands import Pointer, make_move, settled
from tests.browser.house import Server
from tests.waits import HANGS

EXAMPLE = Path(__file__).parents[2] / "examples" / "play_by_api.py"


def test_the_example_has_at_most_forty_lines() -> None:
    assert len(EXAMPLE.read_text(encoding="utf-8").splitlines()) <= 40


def test_the_example_plays_a_person_to_the_end(people: People, server: Server) -> None:
    game = list(registry.games())[-1]
    example = subprocess.Popen([sys.executable, EXAMPLE, server.site, game], stdout=subprocess.PIPE, text=True)
    try:
        assert example.stdout
        ann, chance = people("Ann"), random.Random(game)
        sit_down(ann, example.stdout.readline().split()[-1])
        for n in range(MOVES):
            ann.page.wait_for_function(
                "() => seen.table().yours || !['playing', 'sealing'].includes(seen.table().phase)"
            )
            now = settled(ann)
            if now["phase"] == "over":
                break
            if now["yours"]:
                make_move(ann, Pointer(), chance)
            if n == 3:  # the table changes, though no move was made
                ann.page.get_by_placeholder("Say something").fill("Who are you?")
                push(ann, ann.page.get_by_role("button", name="Say", exact=True))
                ann.page.reload()
        said, _errors = example.communicate(timeout=HANGS)
        assert example.returncode == 0
        expect(ann.page.locator(".turnbar__what")).to_have_text(said.strip().splitlines()[-1])
    finally:
        example.kill()
