"""An evening at a table: it is opened, played at to the end, and what is left of it looked at."""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, expect

from kartoteka.core import chance as draws
from kartoteka.engine import record as records
from kartoteka.engine.declare import Game, Value
from kartoteka.engine.match import dealer_due
from kartoteka.engine.record import Record
from kartoteka.server.rooms.store import open_store
from kartoteka.server.table import events as ev
from tests.browser.hands import POLL, Hand, make_move, settled, table
from tests.browser.house import Server
from tests.browser.person import Person
from tests.browser.program import Program, short
from tests.cases import PICKERS
from tests.server.house import folded

MOVES = 1200
"""No match of these tests is as long as this."""

OPENING, CLOSE = 14, 24
"""So many turns are taken on the pages at the beginning, and from where the end is so near; others by programs."""

SKIPS = {OPENING: CLOSE, OPENING + 2 * CLOSE: 0}
"""After so many turns programs play on, as well as they can, until about so many are left."""

Interlude = Callable[[int], bool]
"""What happens besides, told how many times somebody was to move; returns whether the game went on by it."""


def _nothing(_n: int) -> bool:
    return False


def press_tab_to(who: Person, wanted: Locator) -> None:
    """Walk to something by Tab."""
    for _tab in range(200):
        if wanted.evaluate("el => el === document.activeElement"):
            return
        who.page.keyboard.press("Tab")
    raise AssertionError(f"{who.name} cannot get to {wanted} by Tab")


def push(who: Person, wanted: Locator, keys: bool = False) -> None:
    """Press a button or follow a link, as this person does."""
    if keys:
        press_tab_to(who, wanted)
        who.page.keyboard.press("Enter")
    elif who.touch:
        wanted.tap()
    else:
        wanted.click()


def open_table(who: Person, game: Game, keys: bool = False) -> str:
    """Open a table by the form, as short a match as its options allow, and return the link of invitation."""
    page = who.open(f"/new?game={game.name}")
    if keys:
        press_tab_to(who, page.get_by_label("Your name"))
        page.keyboard.type(who.name)
    else:
        page.get_by_label("Your name").fill(who.name)
    if len(game.players) > 1:
        _choose(who, "players", min(game.players), keys)
    for name, value in short(game).items():
        number = page.locator(f'input[type=number][name="{name}"]')
        if number.count():
            number.fill(str(value))
        else:
            _choose(who, name, value, keys)
    push(who, page.get_by_role("button", name="Set the table"), keys)
    page.wait_for_url("**/t/*")
    return page.get_by_label("Link of invitation").input_value()


def _choose(who: Person, name: str, value: Value, keys: bool) -> None:
    radio = who.page.locator(f'input[type=radio][name="{name}"][value="{value}"]')
    if keys:
        radio.focus()
        who.page.keyboard.press("Space")
    else:
        who.page.locator("label").filter(has=radio).click()


def sit_down(who: Person, link: str, keys: bool = False) -> None:
    """Come by a link of invitation and take a seat."""
    page = who.open(link.replace(_origin(link), who.site))
    page.get_by_label("Your name").fill(who.name)
    push(who, page.get_by_role("button", name="Sit down"), keys)
    page.wait_for_load_state()


def _origin(link: str) -> str:
    return re.match(r"https?://[^/]+", link)[0]  # type: ignore[index]


def play_out(people: list[tuple[Person, Hand]], server: Server, seed: str, between: Interlude = _nothing) -> None:
    """Play until the match is over."""
    chance = random.Random(seed)
    seen = {who.name: "" for who, _hand in people}
    for n in range(MOVES):
        tables = together(people, seen)
        phase, turns = tables[0]["phase"], [now["yours"] for now in tables]
        assert {now["phase"] for now in tables} == {phase}
        assert len({now["lines"].count("\n") for now in tables}) == 1, [now["lines"] for now in tables]
        if phase == "over":
            return
        if phase == "between":
            push(people[0][0], people[0][0].page.get_by_role("button", name="Next deal"))
            continue
        assert turns.count(True) == 1
        if n in SKIPS and skip([who for who, _hand in people], server, chance, SKIPS[n]):
            continue
        if not between(n):
            make_move(*people[turns.index(True)], chance)
    raise AssertionError("the match does not end")


def skip(people: list[Person], server: Server, chance: random.Random, left: int) -> bool:
    """Let programs that go by the people's words play on until `left` moves are left; whether there were more.

    How many those are the log tells, which knows the cards that nobody sees.
    """
    words = [cookie["value"] for who in people for cookie in who.context.cookies() if cookie["name"] == "kartoteka"]
    code = people[0].page.url.rpartition("/")[2]
    with ThreadPoolExecutor() as elsewhere:  # this thread's event loop is Playwright's
        table = folded(code, elsewhere.submit(asyncio.run, _log(server.folder, code)).result())
    number, moves, rng = table.number, list[ev.Moved](), draws(chance.random())
    while table.turn and table.position:
        move = ev.Moved(table.turn, str(PICKERS["greedy"](table.position, rng)))
        table.apply(move, 0.0)
        moves.append(move)
    for k, made in enumerate(moves[: max(0, len(moves) - left)]):
        Program(server.site, "", words[made.seat - 1]).move(code, number + k, made.move)
    lines = len(Program(server.site, "").sheet(code)["log"])
    for who in people:
        _wait_for_lines(who, lines)
    return len(moves) > left


async def _log(folder: Path, code: str) -> list[tuple[float, ev.TableEvent]]:
    store = await open_store(folder)
    try:
        return await store.events(code)
    finally:
        await store.close()


def together(people: list[tuple[Person, Hand]], seen: dict[str, str]) -> list[dict[str, Any]]:
    """Wait until everyone's page has gone on since what they had `seen` (which is noted), and all show the same."""
    tables = [settled(who, seen[who.name]) for who, _hand in people]
    furthest = max((now["lines"] for now in tables), key=lambda lines: lines.count("\n"))
    for who, _hand in people:
        catch_up(who, furthest)
    tables = [settled(who, seen[who.name]) for who, _hand in people]
    seen.update({who.name: now["lines"] for (who, _hand), now in zip(people, tables, strict=True)})
    return tables


def catch_up(who: Person, lines: str) -> None:
    """Wait until a page's log is as long as `lines`."""
    _wait_for_lines(who, lines.count("\n") + 1)


def _wait_for_lines(who: Person, n: int) -> None:
    who.page.wait_for_function("n => seen.table().lines.split('\\n').length >= n", arg=n, polling=POLL)


def look_at_the_end(people: list[Person]) -> Record:
    """Look at how a match ended on every page, follow the replay and verify it; return the record."""
    link = ""
    for who in people:
        bar = who.page.locator(".turnbar")
        expect(bar.locator(".turnbar__what")).to_have_text(re.compile(r"\([A-Z]+ \d+\.\d+\)"))
        link = bar.get_by_role("link", name="Watch the replay").get_attribute("href") or ""
    answer = people[0].context.request.get(f"{link}.json")
    assert answer.ok
    record = records.read(answer.body())
    records.check(record)
    for seat, who in enumerate(people, 1):
        _look_who_won(who, seat, record)
    return record


def _look_who_won(who: Person, seat: int, record: Record) -> None:
    winners = record.result.winners
    names = [record.seats[winner - 1].name for winner in winners]
    told = "You have won" if winners == [seat] else f"{names[0]} has won" if len(winners) == 1 else "The game is over"
    expect(who.page.locator(".turnbar__who")).to_have_text(told)
    expect(who.page.locator(".seat:has(.seat__won) b")).to_have_text(names)


def watch_and_verify(who: Person, record: Record, keys: bool = False) -> None:
    """Follow the link to the replay, look at its end, and have its shuffles verified."""
    push(who, who.page.get_by_role("link", name="Watch the replay"), keys)
    plies = len(record.deals[0].moves)
    expect(who.page.get_by_role("heading", name="Before the first move")).to_be_visible()
    push(who, who.page.get_by_role("link", name="To the end"), keys)
    expect(who.page.get_by_role("heading", name=f"Move {plies} of {plies}")).to_be_visible()
    push(who, who.page.get_by_role("button", name="Verify the shuffle"), keys)
    expect(who.page.locator(".verdict--good")).to_have_count(len(record.deals))
    expect(who.page.locator(".seal.is-good")).to_be_visible()


def play_again(who: Person, record: Record, game: Game, keys: bool = False) -> None:
    """Ask for a rematch by one press: cards are dealt anew, by whom the rules say."""
    push(who, who.page.get_by_role("button", name="Play again"), keys)
    settled(who, table(who)["lines"])
    last = record.deals[-1]
    due = dealer_due(records.variant_of(record), last.dealer, last.scores)
    names = [seat.name for seat in record.seats]
    dealers = [names[due - 1]] if due else names
    expect(who.page.locator("#region-log li").first).to_have_text(
        re.compile(rf"A new deal\. The dealer is ({'|'.join(dealers)})\.")
    )
