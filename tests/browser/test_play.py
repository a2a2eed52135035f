"""Two people play each game through the page, from its beginning and to its end; something else happens besides."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from kartoteka.engine import registry
from kartoteka.engine.declare import Game
from tests.browser.conftest import People
from tests.browser.evening import (
    catch_up,
    look_at_the_end,
    open_table,
    play_again,
    play_out,
    sit_down,
    watch_and_verify,
)
from tests.browser.hands import POLL, Keys, Pointer, make_move, send_move, table
from tests.browser.house import Server, Wire
from tests.browser.person import Person

GAMES = list(registry.games().values())
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
LOST = "WebSocket connection to .* failed"
"""What Chromium says of a line that is lost."""


def of_games(first: int) -> pytest.MarkDecorator:
    """Give a test the game that is `first` in the drawer, and every fifth after it."""
    return pytest.mark.parametrize("game", GAMES[first::5], ids=lambda game: game.name)


def end(people: list[Person], game: Game, keys: bool = False) -> None:
    """Look at the end of a match, have a rematch, and look at the replay."""
    first, second = people
    record = look_at_the_end(people)
    watch_and_verify(first, record, keys)
    play_again(second, record, game)


@of_games(0)
def test_on_a_phone_by_finger(people: People, server: Server, game: Game) -> None:
    ann, ben = people("Ann"), people("Ben", **PHONE)
    sit_down(ben, open_table(ann, game))
    play_out([(ann, Pointer()), (ben, Pointer())], server, game.name)
    end([ann, ben], game)


@of_games(1)
def test_by_keys_alone(people: People, server: Server, game: Game) -> None:
    ann, ben = people("Ann"), people("Ben")
    ann.context.add_init_script("addEventListener('pointerdown', () => { throw Error('a pointer was used') }, true)")
    sit_down(ben, open_table(ann, game, keys=True))
    play_out([(ann, Keys()), (ben, Pointer())], server, game.name)
    end([ann, ben], game, keys=True)


# --- those who look on, and a second tab --------------------------------------------------------------------


class Delay:
    """The line of a page, which brings nothing while it is held."""

    def __init__(self, page: Page) -> None:
        self.held, self._waiting = False, list[Callable[[], None]]()
        page.route_web_socket("**/socket", self._carry)

    def _carry(self, near: WebSocketRoute) -> None:
        far = near.connect_to_server()
        far.on_message(lambda text: self._waiting.append(lambda: near.send(text)) if self.held else near.send(text))

    def release(self) -> None:
        """Bring what was held back, and all else at once again."""
        self.held = False
        while self._waiting:
            self._waiting.pop(0)()


def cards(who: Person) -> Counter[str]:
    """Return the cards that a page shows."""
    return Counter(who.page.evaluate("() => seen.cards()"))


@of_games(2)
def test_with_a_spectator_and_a_second_tab(people: People, server: Server, game: Game) -> None:
    ann, ben, eve = people("Ann"), people("Ben"), people("Eve")
    heard: list[str] = []
    eve.page.on("websocket", lambda line: line.on("framereceived", lambda text: heard.append(str(text))))
    link = open_table(ann, game)
    sit_down(ben, link)
    eve.open(link)
    other = ann.at_another_tab()
    delay = Delay(other.page)
    other.open(link)
    chance, hidden = random.Random(game.name), Counter[str]()

    def besides(n: int) -> bool:
        if n % 4:
            return False
        now = table(ann)
        for who in (eve, other):
            catch_up(who, now["lines"])
        hidden.update(cards(ann) - cards(eve))
        assert not cards(eve) - cards(ann), "a spectator sees what Ann does not"
        assert not cards(eve) - cards(ben), "a spectator sees what Ben does not"
        assert other.page.inner_text("#region-hand") == ann.page.inner_text("#region-hand")
        assert cards(other) == cards(ann)
        if not now["yours"] or n < 12:
            return False
        if n % 8:
            make_move(other, Pointer(), chance)
            catch_up(ann, table(other)["lines"])
        else:
            _answer_twice(ann, other, delay, chance)
        return True

    play_out([(ann, Pointer()), (ben, Pointer())], server, game.name, besides)
    assert hidden
    assert heard
    assert not any('"choices"' in text or "data-sortable" in text for text in heard)
    end([ann, ben], game)


def _answer_twice(ann: Person, other: Person, delay: Delay, chance: random.Random) -> None:
    """Move in one tab while the other has not heard of it and moves too: the second is told how the table stands."""
    delay.held = True
    make_move(ann, Pointer(), chance)
    send_move(other, Pointer(), chance)
    assert table(other)["sending"]
    delay.release()
    expect(other.page.locator("#refusal")).to_have_text(re.compile("not your turn|has changed meanwhile"))
    catch_up(other, table(ann)["lines"])
    other.page.wait_for_function("() => !seen.table().sending && !seen.table().held", polling=POLL)
    assert cards(other) == cards(ann)
    other.page.keyboard.press("Escape")
    expect(other.page.locator("#refusal")).to_be_hidden()


# --- what breaks --------------------------------------------------------------------------------------------


@of_games(3)
def test_with_a_server_that_is_killed(people: People, game: Game, killed: Server) -> None:
    ann, ben = people("Ann", killed.site), people("Ben", killed.site)
    sit_down(ben, open_table(ann, game))
    for who in (ann, ben):
        who.excuse(LOST)
    chance = random.Random(game.name)

    def kill(n: int) -> bool:
        if n not in (6, 20, 30):
            return False
        killed.kill()
        if n != 20:  # these come back without anybody having done anything
            killed.start()
            return False
        mover = ann if table(ann)["yours"] else ben
        send_move(mover, Pointer(), chance)
        expect(mover.page.locator("#link-state")).to_be_visible()
        assert table(mover)["sending"]
        killed.start()  # what was said into the void is said again
        return True

    play_out([(ann, Pointer()), (ben, Pointer())], killed, game.name, kill)
    end([ann, ben], game)


@pytest.fixture
def killed(chromium: object, tmp_path: Path) -> Iterator[Server]:
    """A server for a test that kills it."""
    server = Server(tmp_path)
    yield server
    server.kill()


@of_games(4)
def test_with_a_line_that_breaks(people: People, game: Game, server: Server) -> None:
    wire = Wire(server.port)
    ann, ben = people("Ann"), people("Ben", wire.site)
    ben.excuse(LOST)
    sit_down(ben, open_table(ann, game))
    chance = random.Random(game.name)

    def cut(n: int) -> bool:
        if n % 7 != 5:
            return False
        wire.cut()
        if table(ben)["yours"]:
            send_move(ben, Pointer(), chance)
        else:
            make_move(ann, Pointer(), chance)
        expect(ben.page.locator("#link-state")).to_have_text("The connection is lost; trying again.")
        wire.mend()
        expect(ben.page.locator("#link-state")).to_be_hidden()
        return True

    play_out([(ann, Pointer()), (ben, Pointer())], server, game.name, cut)
    end([ann, ben], game)
    wire.close()
