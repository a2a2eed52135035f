"""The pages round the tables: the drawer, rulebooks, samples, replays, looks; on a phone, without script."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from kartoteka.engine import registry
from kartoteka.engine.declare import Game
from tests.browser.conftest import People
from tests.browser.evening import open_table, sit_down
from tests.browser.hands import settled
from tests.browser.house import Server
from tests.browser.program import play

GAMES = list(registry.games().values())
PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
TARGET = 40
"""Pixels that anything to be tapped is high at least."""

each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)


# --- the drawer ---------------------------------------------------------------------------------------------


def test_the_drawer_holds_a_card_for_every_game(people: People) -> None:
    page = people().open("/")
    cards = page.get_by_role("article")
    expect(cards).to_have_count(len(GAMES))
    for card, game in zip(cards.all(), GAMES, strict=True):
        expect(card.get_by_role("heading")).to_have_text(game.native)
        expect(card).to_contain_text(game.sentence)
        expect(card.get_by_role("button")).to_have_text("Play the computer now")
        expect(card.get_by_role("link", name="Invite someone")).to_be_visible()


@each_game
def test_it_takes_one_click_to_a_game_with_the_computer(people: People, game: Game) -> None:
    ann = people()
    ann.open("/").get_by_role("article", name=game.native).get_by_role("button").click()
    assert settled(ann)["phase"] == "playing"
    ann.page.wait_for_function("() => seen.table().yours")
    ann.open("/").get_by_role("link", name="Your turn").click()
    assert settled(ann)["yours"]


def test_a_listed_table_is_found_in_the_lobby_and_any_by_its_code(people: People, server: Server) -> None:
    ann, ben, eve = people("Ann"), people("Ben"), people("Eve")
    page = ann.open("/new")
    page.get_by_text("Length, clock, absence, lobby").click()
    page.get_by_label("List the table among the open ones").check()
    page.get_by_label("Your name").fill("Ann of the lobby")
    page.get_by_role("button", name="Set the table").click()
    code = page.locator(".invite .code").inner_text().split()[-1]
    ben.open("/").get_by_role("link", name="opened by Ann of the lobby").click()
    expect(ben.page.locator("#main")).to_have_attribute("data-code", code)
    eve.open("/").get_by_label("A code from a friend").fill(code.replace("-", " ").lower())
    eve.page.get_by_role("button", name="To the table").click()
    expect(eve.page.locator("#main")).to_have_attribute("data-code", code)
    eve.excuse("404")
    eve.open("/").get_by_label("A code from a friend").fill("nothing")
    eve.page.get_by_role("button", name="To the table").click()
    expect(eve.page.get_by_role("alert")).to_contain_text("There is no table with the code")


# --- rulebooks, samples, replays ----------------------------------------------------------------------------


@each_game
def test_every_clause_has_an_anchor_in_the_rulebook(people: People, game: Game) -> None:
    page = people().open("/rules")
    page.locator(f"main a[href$='/rules/{game.name}']").first.click()
    page.wait_for_url(f"**/rules/{game.name}")
    ids = page.locator("[id]").evaluate_all("all => all.map((el) => el.id)")
    assert len(ids) == len(set(ids))
    assert {clause.replace(" ", "-") for clause in game.clauses} <= set(ids)
    clause = page.locator(f"[id='{game.clauses[-1].replace(' ', '-')}']")
    clause.get_by_role("link").first.click()
    expect(clause).to_be_in_viewport()
    for link in page.locator(".toc a[href^='#']").all():
        assert (link.get_attribute("href") or "")[1:] in ids
    page.locator(f"a[href$='/rules/{game.name}/source']").first.click()
    expect(page.get_by_role("heading", level=1)).to_be_visible()


def _board(page: Page) -> tuple[str, list[str]]:
    """Return what a board says, and its cards."""
    cards = page.locator("#region-board [data-card]").evaluate_all("all => all.map((el) => el.dataset.card)")
    return page.locator("#region-board").text_content() or "", cards


@each_game
@pytest.mark.parametrize("script", [True, False], ids=["script", "no script"])
def test_a_sample_is_stepped_through_by_its_links(people: People, game: Game, script: bool) -> None:
    page = people(java_script_enabled=script).open("/")
    page.get_by_role("article", name=game.native).get_by_role("link", name="Watch a sample game").click()
    at = page.locator("#at")
    expect(at).to_have_text("Before the first move")
    board = _board(page)
    page.get_by_role("link", name="One move on").click()
    expect(at).to_contain_text("Move 1 of")
    expect(page.locator("#said")).not_to_be_empty()
    assert _board(page) != board
    page.locator(".log a").nth(6).click()
    expect(at).to_contain_text("Move 7 of")
    page.get_by_role("link", name="One move back").click()
    expect(at).to_contain_text("Move 6 of")
    page.get_by_role("link", name="To the end").click()
    last = page.locator("#main").get_attribute("data-plies") or ""
    expect(page.locator(".log [aria-current]")).to_have_attribute("data-ply", last)
    page.get_by_role("link", name="To the start").click()
    expect(at).to_have_text("Before the first move")
    assert _board(page) == board


def test_a_sample_is_stepped_through_by_keys_and_goes_on_by_itself(people: People) -> None:
    page = people().open(f"/sample/{GAMES[0].name}")
    at = page.locator("#at")
    for key, told in (("ArrowRight", "Move 1 of"), ("ArrowRight", "Move 2 of"), ("ArrowLeft", "Move 1 of")):
        page.keyboard.press(key)
        expect(at).to_contain_text(told)
    page.keyboard.press("End")
    expect(page.get_by_role("slider")).to_have_value(page.locator("#main").get_attribute("data-plies") or "")
    page.keyboard.press("Home")
    expect(at).to_have_text("Before the first move")
    page.get_by_role("button", name="Go on by itself").click()
    expect(at).to_contain_text("Move 2 of")
    page.reload()  # the address shows the same position
    expect(at).to_contain_text("Move")


def test_a_record_is_saved_and_looked_at_elsewhere(people: People, server: Server, tmp_path: Path) -> None:
    ann, ben = people("Ann"), people("Ben")
    played = play(server.site, GAMES[-1], None)
    ann.take_word(played.seats[0].word)
    ann.open("/replays").locator(".tables a").first.click()
    with ann.page.expect_download() as saving:
        ann.page.get_by_role("link", name="Save the record").click()
    saving.value.save_as(tmp_path / "game.json")
    ben.open("/replays").get_by_label("A file").set_input_files(tmp_path / "game.json")
    ben.page.get_by_role("button", name="Show it").click()
    ben.page.get_by_role("button", name="Verify the shuffle").click()
    expect(ben.page.locator(".verdict--good")).to_be_visible()
    text = (tmp_path / "game.json").read_text(encoding="utf-8")
    ben.excuse("400")
    ben.open("/replays").get_by_label("Or its text").fill(text.replace('"moves":["', '"moves":["nonsense","', 1))
    ben.page.get_by_role("button", name="Show it").click()
    expect(ben.page.get_by_role("alert")).to_contain_text("nonsense")


def test_times_are_told_in_the_readers_zone(people: People, server: Server) -> None:
    played = play(server.site, GAMES[-1], None)
    for zone, ahead in (("Asia/Tokyo", 9), ("Asia/Kolkata", 5.5)):
        reader = people(zone, timezone_id=zone)
        reader.take_word(played.seats[0].word)
        listed = reader.open("/replays").locator("time").first
        at = datetime.fromisoformat(listed.get_attribute("datetime") or "") + timedelta(hours=ahead)
        told = re.compile(rf"^{at:%b} {at.day}, {at.year}, {at.hour % 12 or 12}:{at:%M}\s{at:%p}$")
        expect(listed).to_have_text(told)
        expect(listed).to_have_attribute("title", re.compile(r" UTC$"))
        reader.page.locator(".tables a").first.click()
        expect(reader.page.locator("#main time")).to_have_text(told)
    reader = people("no script", java_script_enabled=False)
    reader.take_word(played.seats[0].word)
    expect(reader.open("/replays").locator("time").first).to_contain_text("UTC")


# --- how it looks and sounds --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "attribute", "values"),
    [
        ("A pack of four colours", "data-pack", ("2", "4")),
        ("A sound when it is your turn", "data-sound", (None, "off")),
        ("Dark", "data-theme", (None, "dark")),
    ],
)
def test_a_preference_is_kept(people: People, name: str, attribute: str, values: tuple[str | None, str]) -> None:
    page = people(color_scheme="light").open("/")
    button = page.get_by_role("button", name=name)
    root = page.locator("html")
    was = button.get_attribute("aria-pressed")
    assert root.get_attribute(attribute) == values[0]
    button.click()
    expect(button).not_to_have_attribute("aria-pressed", was or "")
    page.goto(f"/sample/{GAMES[0].name}?ply=8")
    assert root.get_attribute(attribute) == values[1]
    button.click()
    expect(button).to_have_attribute("aria-pressed", was or "")
    page.reload()
    assert root.get_attribute(attribute) == values[0]


def test_four_colours_and_darkness_change_what_is_seen(people: People) -> None:
    page = people(color_scheme="light").open(f"/sample/{GAMES[0].name}?ply=8")
    ink = "(suit) => getComputedStyle(document.querySelector(`.sx-${suit}`)).color"
    two = {suit: page.evaluate(ink, suit) for suit in "cdhs"}
    assert two["c"] == two["s"]
    assert two["d"] == two["h"]
    paper = page.evaluate("() => getComputedStyle(document.body).backgroundColor")
    page.get_by_role("button", name="A pack of four colours").click()
    assert len({page.evaluate(ink, suit) for suit in "cdhs"}) == 4
    page.get_by_role("button", name="Dark").click()
    assert page.evaluate("() => getComputedStyle(document.body).backgroundColor") != paper


# --- on a phone ---------------------------------------------------------------------------------------------

WIDE = "() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]"
SMALL = """least => {
  const high = (el) => (el.closest("label") ?? el).getBoundingClientRect().height;
  const seen = (el) => el.checkVisibility({ visibilityProperty: true }) && high(el) > 1 && !el.closest("p > a");
  const all = document.querySelectorAll("button, a.btn, summary, nav a, select, input, [role=button]");
  return [...all].filter((el) => seen(el) && Math.round(high(el)) < least)
    .map((el) => `${high(el)} ${el.outerHTML.slice(0, 150)}`);
}"""


def fits(page: Page) -> None:
    """The page does not scroll sideways."""
    page.evaluate("() => document.querySelectorAll('details').forEach((fold) => (fold.open = true))")
    scrolls, shows = page.evaluate(WIDE)
    assert scrolls <= shows, page.url


def test_no_page_scrolls_sideways_on_a_phone(people: People, server: Server) -> None:
    ann, ben = people("Ann", **PHONE), people("Ben", **PHONE)
    ann.excuse("404")
    names = [game.name for game in GAMES]
    paths = ["/", "/replays", "/rules", "/shuffles", "/api", "/join", "/nowhere", "/join?code=ABCD-EFGH"]
    paths += [f"{path}{name}" for name in names for path in ("/new?game=", "/rules/", "/sample/")]
    paths += [f"/rules/{name}/source" for name in names]
    for path in paths:
        fits(ann.open(path))
    link = open_table(ann, GAMES[0])
    fits(ann.page)
    fits(ben.open(link))


@each_game
@pytest.mark.parametrize("plies", [0, 25])
def test_a_table_fits_a_phone_and_its_targets_a_finger(
    people: People, server: Server, game: Game, plies: int
) -> None:
    played = play(server.site, game, plies + 1)
    ann = people("Ann", **PHONE)
    ann.take_word(played.turn.word)
    page = ann.open(f"/t/{played.code}")
    settled(ann)
    fits(page)
    small = page.evaluate(SMALL, TARGET)
    assert not small, "\n".join(small)


def test_a_replay_that_is_over_fits_a_phone(people: People, server: Server) -> None:
    played = play(server.site, GAMES[-1], None)
    ann = people("Ann", **PHONE)
    ann.take_word(played.seats[0].word)
    page = ann.open(f"/t/{played.code}")
    fits(page)
    page.get_by_role("link", name="Watch the replay").click()
    page.get_by_role("button", name="Verify the shuffle").click()
    expect(page.locator(".verdict--good")).to_be_visible()
    fits(page)
    small = page.evaluate(SMALL, TARGET)
    assert not small, "\n".join(small)


# --- without script -----------------------------------------------------------------------------------------


def test_forms_and_tables_can_be_read_without_script(people: People, server: Server) -> None:
    ann, ben = people("Ann", java_script_enabled=False), people("Ben")
    link = open_table(ann, GAMES[0])
    sit_down(ben, link)
    settled(ben)
    ann.page.reload()
    expect(ann.page.locator(".turnbar[data-phase=playing]")).to_be_visible()
    assert ann.page.locator("#region-board").inner_text()
    assert ann.page.locator("#region-hand [data-card]").count()
