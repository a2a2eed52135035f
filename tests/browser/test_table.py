"""What a table's page does besides playing: refusals, dragging, the hand, talk, the past, seats, signals, keys."""

from __future__ import annotations

import itertools
import random
import re
from typing import Any

import pytest
from playwright.sync_api import CDPSession, Locator, expect

from kartoteka.engine import registry
from kartoteka.engine.declare import Game
from tests.browser.conftest import People
from tests.browser.evening import catch_up, open_table
from tests.browser.hands import POLL, Pointer, count, looks, make_move, settled, table
from tests.browser.house import Server
from tests.browser.person import Person
from tests.browser.program import Played, go_on, play

GAMES = list(registry.games().values())
PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
PLIES = 14
"""As many moves are made before a table in play is looked at."""

each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)


def sit_as(who: Person, played: Played, seat: int = 0) -> None:
    """Open a table that programs play at, as one of them: by default as the one who is to move."""
    who.take_word((played.seats[seat - 1] if seat else played.turn).word)
    who.open(f"/t/{played.code}")
    settled(who)


# --- a move that is refused ---------------------------------------------------------------------------------


@each_game
def test_a_wrong_place_tells_why_and_leads_to_the_clause(people: People, server: Server, game: Game) -> None:
    ann, played, chance = people("Ann"), play(server.site, game, PLIES), random.Random(game.name)
    sit_as(ann, played)
    while not _try_wrong_places(ann):
        go_on(played, 1, chance)
        sit_as(ann, played)
    refusal = ann.page.get_by_role("alert")
    expect(refusal).to_be_visible()
    link = refusal.get_by_role("link")
    clause = link.inner_text().replace("\u00a0", " ")
    assert clause in game.clauses
    assert len(refusal.inner_text()) > len(clause) + 20
    link.click()
    expect(ann.page.locator("#region-rules .is-asked")).to_contain_text(clause.split()[1])
    expect(ann.page.locator("#region-rules .is-asked")).to_be_focused()
    href = link.get_attribute("href") or ""
    ann.page.goto(href)
    expect(ann.page.locator(f"[id='{href.split('#')[1]}']")).to_be_in_viewport()


def _try_wrong_places(who: Person) -> bool:
    """Take things up and tap where they do not belong, until a clause is named; whether one was."""
    link = who.page.locator("#refusal a")
    for k, j in itertools.product(range(4), range(12)):
        if count(who, "take") <= k:
            break
        Pointer().press(who, "take", k)
        if count(who, "wrong") > j:
            Pointer().press(who, "wrong", j)
            who.page.wait_for_function("() => !seen.table().sending", polling=POLL)
            if link.count():
                return True
        who.page.keyboard.press("Escape")
    return False


# --- dragging -----------------------------------------------------------------------------------------------


class Mouse:
    """A mouse that takes things up and carries them."""

    def __init__(self, who: Person) -> None:
        self._mouse = who.page.mouse

    def take(self, x: float, y: float) -> None:
        """Press, and move a little."""
        self._mouse.move(x, y)
        self._mouse.down()
        self._mouse.move(x + 9, y, steps=3)

    def carry(self, x: float, y: float) -> None:
        """Move there."""
        self._mouse.move(x, y, steps=5)

    def drop(self) -> None:
        """Let go."""
        self._mouse.up()


class Finger:
    """A finger that rests on a thing and carries it."""

    def __init__(self, who: Person) -> None:
        self._line: CDPSession = who.context.new_cdp_session(who.page)
        self._page = who.page

    def _touch(self, type: str, *points: tuple[float, float]) -> None:
        at = [{"x": x, "y": y} for x, y in points]
        self._line.send("Input.dispatchTouchEvent", {"type": type, "touchPoints": at})

    def take(self, x: float, y: float) -> None:
        """Rest on it until it is in the air."""
        self._touch("touchStart", (x, y))
        self._page.locator(".ghost").wait_for()

    def carry(self, x: float, y: float) -> None:
        """Move there."""
        self._touch("touchMove", (x, y - 5))
        self._touch("touchMove", (x, y))

    def drop(self) -> None:
        """Lift the finger."""
        self._touch("touchEnd")


def drag_something(who: Person, pointer: Mouse | Finger) -> bool:
    """Drag the first thing that has a place to go to there; whether there was any."""
    lines = table(who)["lines"]
    for k in range(count(who, "take")):
        x, y = who.page.evaluate("k => seen.point('take', k)", k)
        pointer.take(x, y)
        expect(who.page.locator(".ghost > *")).not_to_have_count(0)
        if count(who, "put"):
            pointer.carry(*who.page.evaluate("() => seen.point('put', 0)"))
            expect(who.page.locator(".is-over")).to_have_count(1)
            pointer.drop()
            expect(who.page.locator(".ghost")).to_have_count(0)
            if who.page.locator("#moves > .moves__say").count():  # there are several ways: which?
                Pointer().press(who, "button", 0)
            settled(who, lines)
            return True
        pointer.carry(x, y)
        pointer.drop()
        who.page.keyboard.press("Escape")
    return False


@each_game
@pytest.mark.parametrize("how", [{}, PHONE], ids=["mouse", "finger"])
def test_a_thing_is_dragged_to_its_place(people: People, server: Server, game: Game, how: dict[str, Any]) -> None:
    played, ann = play(server.site, game, 1), people("Ann", **how)
    pointer, chance = Finger(ann) if how else Mouse(ann), random.Random(game.name)
    for _ply in range(12):
        sit_as(ann, played)
        if drag_something(ann, pointer):
            return
        go_on(played, 1, chance)
    raise AssertionError("nothing can be dragged")


# --- the hand -----------------------------------------------------------------------------------------------


def hand_of(who: Person) -> list[str]:
    """Return the cards of the hand in the order in which they lie."""
    cards: list[str] = who.page.locator("[data-sortable] [data-card]").evaluate_all(
        "all => all.map((el) => el.dataset.card)"
    )
    return cards


def a_hand(people: People, server: Server, **how: Any) -> Person:
    """Somebody with a hand that can be laid in any order."""
    for game in GAMES:
        ann = people("Ann", **how)
        sit_as(ann, play(server.site, game, 1))
        if len(hand_of(ann)) > 4:
            return ann
    raise AssertionError("no game has a hand to sort")


def test_a_hand_is_sorted_and_stays_so(people: People, server: Server) -> None:
    ann = a_hand(people, server)
    for by, key in (("By rank", lambda card: "23456789TJQKA".find(card[0])), ("By suit", lambda card: card[-1])):
        button = ann.page.get_by_role("button", name=by)
        button.click()
        expect(button).to_have_attribute("aria-pressed", "true")
        hand = hand_of(ann)
        runs = [key(card) for card in hand if card != "Jk"]
        assert [run for run, _cards in itertools.groupby(runs)] == list(dict.fromkeys(runs))
        ann.page.reload()
        expect(button).to_have_attribute("aria-pressed", "true")
        assert hand_of(ann) == hand


def test_a_hand_is_laid_by_dragging_and_by_keys_and_stays_so(people: People, server: Server) -> None:
    ann = a_hand(people, server)
    first, *others = hand_of(ann)
    cards = ann.page.locator("[data-sortable] [data-card]")
    _drag(ann, cards.first, cards.nth(2))
    laid = [*others[:2], first, *others[2:]]
    assert hand_of(ann) in (laid, [others[0], first, *others[1:]])
    laid = hand_of(ann)
    ann.page.reload()
    settled(ann)
    assert hand_of(ann) == laid
    cards.first.focus()
    ann.page.keyboard.press("Shift+ArrowRight")
    assert hand_of(ann) == [laid[1], laid[0], *laid[2:]]
    expect(cards.nth(1)).to_be_focused()
    make_move(ann, Pointer(), random.Random(1))
    left = hand_of(ann)
    assert [card for card in [laid[1], laid[0], *laid[2:]] if card in left][: len(left)] == left


def _drag(who: Person, card: Locator, to: Locator) -> None:
    mouse = who.page.mouse
    start, end = card.bounding_box(), to.bounding_box()
    assert start
    assert end
    mouse.move(start["x"] + 8, start["y"] + 20)
    mouse.down()
    mouse.move(end["x"] + 8, end["y"] + 20, steps=5)
    mouse.up()


# --- talk ---------------------------------------------------------------------------------------------------


def pair(people: People, server: Server, game: Game, plies: int, **how: Any) -> tuple[Person, Person, Played]:
    """Ann and Ben (the table may know them by each other's names) at a game in play; Ann is to move."""
    played = play(server.site, game, plies)
    ann, ben = people("Ann", **how), people("Ben", **how)
    for who in (ann, ben):
        who.take_word(next(seat.word for seat in played.seats if (seat is played.turn) == (who is ann)))
        who.open(f"/t/{played.code}")
        settled(who)
    return ann, ben, played


def deal_anew(who: Person) -> None:
    """Have the next deal dealt, or another match begun."""
    lines = table(who)["lines"]
    who.page.get_by_role("button", name=re.compile("Next deal|Play again")).click()
    settled(who, lines)


def speak(who: Person, text: str) -> None:
    """Say something at the table."""
    who.page.get_by_placeholder("Say something").fill(text)
    who.page.keyboard.press("Enter")


def test_what_is_said_is_shown_as_it_was_typed_and_can_be_muted(people: People, server: Server) -> None:
    ann, ben, _played = pair(people, server, GAMES[0], 2)
    said = "<script>window.broken = 1</script><img src=x onerror='window.broken = 1'> & good luck"
    ben.page.get_by_placeholder("Say something").fill("what I was typi")
    speak(ann, said)
    for who in (ann, ben):
        expect(who.page.locator(".talk li span")).to_have_text(said)
        assert who.page.evaluate("() => window.broken") is None
    expect(ben.page.get_by_placeholder("Say something")).to_have_value("what I was typi")
    expect(ben.page.locator("#live")).to_contain_text("good luck")
    ben.page.get_by_text("Mute").click()
    mute = ben.page.locator(".mutes button")
    mute.click()
    expect(mute).to_have_attribute("aria-pressed", "true")
    expect(ben.page.locator(".talk")).to_have_count(0)
    speak(ben, "I hear nothing")
    expect(ann.page.locator(".talk li")).to_have_count(2)
    mute.click()
    expect(ben.page.locator(".talk li")).to_have_count(2)


# --- what happened ------------------------------------------------------------------------------------------


@each_game
def test_a_line_of_the_log_shows_the_position_after_it(people: People, server: Server, game: Game) -> None:
    ann, ben, _played = pair(people, server, game, 6)
    before = looks(ann)
    ann.page.locator("#region-log [data-look='2']").click()
    past = ann.page.locator(".past")
    expect(past).to_contain_text("Position after move 2.")
    expect(ann.page.locator("#region-log [aria-current=true]")).to_have_attribute("data-look", "2")
    assert not any(count(ann, kind) for kind in ("take", "put", "button"))
    second = looks(ann)
    past.get_by_role("button", name="One move on").click()
    expect(past).to_contain_text("Position after move 3.")
    assert second != before
    ann.page.get_by_role("button", name="Back to the game").click()
    expect(past).to_have_count(0)
    assert looks(ann) == before
    assert any(count(ann, kind) for kind in ("take", "put", "button"))
    ben.page.locator("#region-log [data-look='1']").click()  # while Ben looks back, Ann moves
    expect(ben.page.locator(".past")).to_contain_text("Position after move 1.")
    make_move(ann, Pointer(), random.Random(game.name))
    expect(ben.page.locator(".past")).to_contain_text("The game has gone on.")
    ben.page.keyboard.press("Escape")
    expect(ben.page.locator(".past")).to_have_count(0)
    catch_up(ben, table(ann)["lines"])


def test_a_move_is_taken_back_if_the_other_agrees(people: People, server: Server) -> None:
    ann, ben = _who_may_ask_back(people, server)
    lines = table(ann)["lines"]
    for answer in ("Play on", "Agree"):
        ann.page.get_by_role("button", name="Take my move back").click()
        expect(ann.page.locator(".strip:visible")).to_contain_text("The others have yet to agree.")
        ben.page.get_by_role("button", name=answer).click()
        expect(ann.page.locator(".strip:visible")).to_have_count(0)
    expect(ben.page.locator("#region-log li").last).to_contain_text("All agreed")
    assert settled(ann, lines)["yours"]


def _who_may_ask_back(people: People, server: Server) -> tuple[Person, Person]:
    """Ann has just moved, in a game in which that brought nothing hidden to light."""
    for game in reversed(GAMES):
        ann, ben, _played = pair(people, server, game, 4)
        make_move(ann, Pointer(), random.Random(game.name))
        if ann.page.get_by_role("button", name="Take my move back").count() and not table(ann)["yours"]:
            return ann, ben
    raise AssertionError("no game lets a move be taken back")


# --- seats --------------------------------------------------------------------------------------------------


def test_the_computer_takes_an_empty_seat_and_a_person_takes_it_back(people: People) -> None:
    ann, ben = people("Ann"), people("Ben")
    link = open_table(ann, GAMES[0])
    ann.page.get_by_role("button", name="Give it to the computer").click()
    now = settled(ann)
    expect(ann.page.locator("#region-seats")).to_contain_text("a computer player")
    ben.open(link)
    ben.page.get_by_role("button", name="Take this seat").click()
    expect(ben.page.locator("#region-seats")).not_to_contain_text("a computer player")
    expect(ann.page.locator("#region-seats")).not_to_contain_text("a computer player")
    assert [settled(who)["yours"] for who in (ann, ben)].count(True) == 1
    assert now["phase"] == "playing"


def test_the_computer_plays_for_somebody_who_comes_back(people: People, server: Server) -> None:
    ann, ben, _played = pair(people, server, GAMES[-1], 2)
    lines = table(ann)["lines"]
    ann.page.get_by_text("Leave for a while").click()
    ann.page.get_by_role("button", name="Let the computer play for me").click()
    catch_up(ben, lines + "\n\n")  # that it plays for her, and its move
    expect(ben.page.locator("#region-seats")).to_contain_text("a computer player, for")
    ann.page.get_by_role("button", name="Take your seat back").click()
    expect(ben.page.locator("#region-seats")).not_to_contain_text("a computer player")
    make_move(ben, Pointer(), random.Random(1))
    assert settled(ann, lines)["yours"]


def test_a_personal_link_takes_the_seat_to_another_device(people: People, server: Server) -> None:
    ann, ben, _played = pair(people, server, GAMES[0], 2)
    phone = people("Ann's phone", **PHONE)
    ann.page.get_by_text("Links to this table").click()
    phone.open(ann.page.get_by_label("Your own link").input_value())
    expect(phone.page.get_by_role("heading", name="Play here as")).to_be_visible()
    phone.page.get_by_role("button", name="Take the seat").tap()
    now = settled(phone)
    assert now["yours"]
    assert now["lines"] == table(ann)["lines"]
    make_move(phone, Pointer(), random.Random(1))
    for who in (ann, ben):
        catch_up(who, table(phone)["lines"])


def test_a_new_link_makes_other_devices_spectators_at_once(people: People, server: Server) -> None:
    ann, _ben, _played = pair(people, server, GAMES[0], 2)
    phone = people("Ann's phone", **PHONE)
    ann.page.get_by_text("Links to this table").click()
    old = ann.page.get_by_label("Your own link").input_value()
    phone.open(old)
    phone.page.get_by_role("button", name="Take the seat").tap()
    settled(phone)
    ann.page.get_by_role("button", name="New link, other devices forgotten").focus()
    ann.page.keyboard.press("Enter")
    expect(phone.page.get_by_role("heading", name="Your hand")).to_have_count(0)
    assert settled(ann)["yours"]
    ann.page.get_by_text("Links to this table").click()
    new = ann.page.get_by_label("Your own link").input_value()
    assert new != old
    phone.open(new)
    phone.page.get_by_role("button", name="Take the seat").tap()
    assert settled(phone)["yours"]


def test_whoever_opened_a_table_can_delete_it_when_nobody_plays(people: People) -> None:
    ann, ben = people("Ann"), people("Ben")
    link = open_table(ann, GAMES[0])
    ben.open(link)
    ann.page.get_by_text("Delete this table").click()
    ann.page.get_by_role("button", name="Delete it now").click()
    expect(ann.page.get_by_role("heading", name="Card games that are hard to find")).to_be_visible()
    expect(ben.page.locator("#link-state")).to_have_text("This table is no longer there.")


# --- signals ------------------------------------------------------------------------------------------------

EARS = """
window.tones = 0;
window.AudioContext = class {
  state = "running"; currentTime = 0; destination = {};
  createOscillator() { tones++; return { frequency: {}, connect: (to) => to, start() {}, stop() {} }; }
  createGain() {
    const way = () => {};
    const gain = { setValueAtTime: way, linearRampToValueAtTime: way, exponentialRampToValueAtTime: way };
    return { gain, connect: (to) => to };
  }
};
const slides = document.startViewTransition.bind(document);
window.slid = 0;
document.startViewTransition = (draw) => (slid++, slides(draw));
"""


def its_turn_comes(who: Person, other: Person) -> None:
    """Let moves be made until it is somebody's turn anew."""
    chance = random.Random(2)
    while True:
        mover = who if table(who)["yours"] else other
        if table(who)["phase"] == "playing":
            make_move(mover, Pointer(), chance)
        else:  # nobody can choose a table's cards: now and then a deal is over soon
            deal_anew(mover)
        lines = table(mover)["lines"].count("\n")
        for page in (who.page, other.page):
            page.wait_for_function("n => seen.table().lines.split('\\n').length === n + 1", arg=lines, polling=POLL)
        if settled(who)["yours"] and mover is other:
            return


def test_turn_is_told_by_title_sound_and_words(people: People, server: Server) -> None:
    ann, ben, _played = pair(people, server, GAMES[0], 2)
    ann.context.add_init_script(EARS)
    ann.page.reload()
    settled(ann)
    ann.page.locator("h1").click()  # a browser lets a page sound only then
    its_turn_comes(ann, ben)
    expect(ann.page).to_have_title(re.compile("^▸ Your turn · "))
    expect(ben.page).not_to_have_title(re.compile("▸"))
    expect(ann.page.locator("#live")).to_have_text(
        ann.page.locator("#region-log li").last.inner_text().split(maxsplit=1)[1]
    )
    rung = ann.page.evaluate("() => tones")
    assert rung
    ann.page.get_by_role("button", name="A sound when it is your turn").click()
    its_turn_comes(ann, ben)
    assert ann.page.evaluate("() => tones") == rung


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_cards_slide_unless_the_person_prefers_less_motion(people: People, server: Server, motion: str) -> None:
    ann, ben, _played = pair(people, server, GAMES[0], 2, reduced_motion=motion)
    ben.context.add_init_script(EARS)
    ben.page.reload()
    settled(ben)
    for _turn in range(4):  # a move may show nothing that slides
        its_turn_comes(ben, ann)
    assert bool(ben.page.evaluate("() => slid")) == (motion == "no-preference")
    token = "() => getComputedStyle(document.documentElement).getPropertyValue('--m-card')"
    assert 0 <= int(ben.page.evaluate(token).removesuffix("ms")) <= (400 if motion == "no-preference" else 0)


def test_a_clock_shows_the_time_left(people: People, server: Server) -> None:
    ann = people("Ann")
    played = play(server.site, GAMES[-1], 2, per_move=600)
    sit_as(ann, played)
    expect(ann.page.locator("[data-deadline]")).to_have_text(re.compile("^(10:00|9:[0-5][0-9])$"))


# --- keys ---------------------------------------------------------------------------------------------------


def test_keys_are_told_by_a_question_mark_and_letters_can_be_switched_off(people: People, server: Server) -> None:
    ann = people("Ann")
    sit_as(ann, play(server.site, GAMES[0], 3))
    dialog = ann.page.get_by_role("dialog", name="Keys")
    ann.page.keyboard.press("?")
    expect(dialog).to_be_visible()
    ann.page.get_by_label("Letters are keys here").uncheck()
    ann.page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    ann.page.locator("body").press("?")
    expect(dialog).to_be_hidden()
    ann.page.reload()
    settled(ann)
    ann.page.keyboard.press("?")
    expect(dialog).to_be_hidden()


@each_game
def test_letters_lead_to_the_parts_of_the_page(people: People, server: Server, game: Game) -> None:
    ann = people("Ann")
    sit_as(ann, play(server.site, game, PLIES))
    for letter, part in (("h", "#region-hand"), ("b", "#region-board"), ("m", "#moves"), ("l", "#region-log")):
        if ann.page.locator(f"{part} *").count():
            ann.page.keyboard.press(letter)
            assert ann.page.evaluate("part => document.activeElement.closest(part) !== null", part), letter
