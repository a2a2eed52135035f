"""axe-core finds nothing on any page, light or dark."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest
from playwright.sync_api import expect

from kartoteka.engine import registry
from kartoteka.engine.declare import Game
from tests.browser.conftest import People
from tests.browser.hands import Pointer, count, settled
from tests.browser.house import Server
from tests.browser.person import Person
from tests.browser.program import Program, go_on, play

AXE = Path(__file__).parents[2] / "node_modules" / "axe-core" / "axe.min.js"
GAMES = list(registry.games().values())
each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
SCHEMES = "light", "dark"
FOUND = """async () => (await axe.run()).violations.map(({id, help, nodes}) => [
  id, help, ...nodes.slice(0, 3).map(({html, failureSummary}) => `${html.slice(0, 300)} ${failureSummary}`),
])"""


@pytest.fixture
def reader(people: People) -> Person:
    """Somebody in whose pages axe stands ready."""
    if not AXE.exists():
        say = pytest.fail if os.environ.get("CI") else pytest.skip
        say("These tests need axe-core: npm ci")
    person = people("Ann")
    person.context.add_init_script(path=AXE)
    return person


def look(reader: Person) -> None:
    """Let axe look at the page as it stands, with all folds open, in both colour schemes."""
    page = reader.page
    page.evaluate("() => document.querySelectorAll('details').forEach((fold) => (fold.open = true))")
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        found = page.evaluate(FOUND)
        assert not found, f"{page.url} ({scheme}): {found}"


def test_the_drawer_and_the_pages_beside_it(reader: Person, server: Server) -> None:
    host = Program(server.site, "Ann")
    reader.take_word(host.word)
    host.call("/tables", {"game": GAMES[0].name, "listed": True, "name": "Ann"})
    for path in ("/", "/new", "/replays", "/rules", "/shuffles", "/api", "/join"):
        reader.open(path)
        look(reader)


def test_pages_that_say_what_went_wrong(reader: Person, server: Server) -> None:
    reader.excuse("40[04]")
    for path in ("/join?code=ABCD-EFGH", "/t/ABCD-EFGH", "/nowhere", "/r/0000000000000000"):
        reader.open(path)
        look(reader)
    reader.open("/replays").get_by_label("Or its text").fill("{}")
    reader.page.get_by_role("button", name="Show it").click()
    expect(reader.page.get_by_role("alert")).to_be_visible()
    look(reader)


@each_game
def test_the_pages_of_a_game(reader: Person, game: Game) -> None:
    for path in (
        f"/new?game={game.name}",
        f"/rules/{game.name}",
        f"/rules/{game.name}/source",
        f"/sample/{game.name}",
    ):
        reader.open(path)
        look(reader)
    reader.open(f"/sample/{game.name}?ply=9")
    look(reader)


def test_a_table_that_waits(people: People, reader: Person, server: Server) -> None:
    host = Program(server.site, "Ann")
    code = host.call("/tables", {"game": GAMES[0].name, "name": "Ann"})["code"]
    reader.open(f"/t/{code}")  # a stranger, who may sit down
    look(reader)
    reader.take_word(host.word)
    reader.open(f"/t/{code}")
    look(reader)
    reader.open(reader.page.get_by_label("Your own link").input_value())
    look(reader)


@each_game
def test_a_game_in_play(reader: Person, server: Server, game: Game) -> None:
    played = play(server.site, game, 14)
    page = reader.open(f"/t/{played.code}")  # a spectator
    settled(reader)
    look(reader)
    while not count(reader, "take"):  # who must pass has nothing to take up
        go_on(played, 1, random.Random(game.name))
        reader.take_word(played.turn.word)
        page.reload()
        settled(reader)
    look(reader)
    for seat in played.seats:
        seat.say(played.code, "say", id="1", text="Good evening, and <b>good luck</b>.")
    expect(page.locator(".talk li")).to_have_count(len(played.seats))
    Pointer().press(reader, "take", 0)
    expect(page.locator(".is-held")).to_have_count(1)
    look(reader)
    page.keyboard.press("Escape")
    page.locator("#region-log [data-look]").first.click()
    expect(page.get_by_role("button", name="Back to the game")).to_be_visible()
    look(reader)
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    look(reader)


def test_a_game_that_is_over_and_its_replay(reader: Person, server: Server) -> None:
    played = play(server.site, GAMES[-1], None)
    reader.take_word(played.seats[0].word)
    page = reader.open(f"/t/{played.code}")
    look(reader)
    page.get_by_role("link", name="Watch the replay").click()
    look(reader)
    page.get_by_role("button", name="Verify the shuffle").click()
    expect(page.locator(".verdict--good")).to_be_visible()
    look(reader)
    reader.open("/replays")
    look(reader)
