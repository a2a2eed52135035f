"""Hands that play: by mouse, by finger, or by keys alone; they see what the page shows, and know no game."""

from __future__ import annotations

import random
from typing import Any, Protocol

from tests.browser.person import Person

KINDS = "take", "put", "button", "let go"
POLL = 20
"""Milliseconds between two looks; a tab in the background has no frames to look at."""

STEPS = 40
"""So many presses a move may need."""


class Hand(Protocol):
    """How a person does something to the `k`-th thing of a kind (see page.js)."""

    def press(self, who: Person, kind: str, k: int) -> None:
        """Press it."""


class Pointer:
    """A mouse, or on a screen for fingers a finger: it taps where a person sees the thing."""

    def press(self, who: Person, kind: str, k: int) -> None:
        """Tap it."""
        point = who.page.evaluate("([kind, k]) => seen.point(kind, k)", [kind, k])
        assert point, f"{who.name} finds no point at which to tap {_outer(who, kind, k)}"
        (who.page.touchscreen.tap if who.touch else who.page.mouse.click)(*point)


class Keys:
    """A keyboard: letters to get to a part of the page, arrows and Tab to get to the thing, Enter."""

    def press(self, who: Person, kind: str, k: int) -> None:
        """Walk to it and press Enter."""
        page, at = who.page, [kind, k]
        part = page.evaluate("([kind, k]) => seen.part(kind, k)", at)
        page.keyboard.press({"region-board": "b", "region-hand": "h", "moves": "m"}[part])
        if not self._walk(who, kind, k):
            for _tab in range(150):
                if self._there(who, kind, k):
                    break
                page.keyboard.press("Tab")
            assert self._there(who, kind, k), f"{who.name} cannot get to {_outer(who, kind, k)}"
        page.keyboard.press("Enter")

    def _walk(self, who: Person, kind: str, k: int) -> bool:
        """Go by arrows as far as they lead towards it; whether it was reached."""
        been: list[int] = []
        while not self._there(who, kind, k):
            at = who.page.evaluate("kind => seen.focused(kind)", kind)
            if at < 0 or at in been:
                return False
            been.append(at)
            who.page.keyboard.press(who.page.evaluate("([kind, k]) => seen.arrow(kind, k)", [kind, k]))
        return True

    def _there(self, who: Person, kind: str, k: int) -> bool:
        focused: int = who.page.evaluate("kind => seen.focused(kind)", kind)
        return focused == k


def _outer(who: Person, kind: str, k: int) -> str:
    return str(who.page.evaluate("([kind, k]) => seen.html(kind, k)", [kind, k]))


def count(who: Person, kind: str) -> int:
    """Return how many things of a kind the page shows."""
    found: int = who.page.evaluate("kind => seen.count(kind)", kind)
    return found


def table(who: Person) -> dict[str, Any]:
    """Return what a person sees of the table now (see page.js)."""
    seen: dict[str, Any] = who.page.evaluate("() => seen.table()")
    return seen


def looks(who: Person) -> tuple[str, list[str]]:
    """Return what the board says, and the cards that the page shows."""
    return who.page.locator("#region-board").inner_text(), who.page.evaluate("() => seen.cards()")


def settled(who: Person, lines: str = "") -> dict[str, Any]:
    """Wait until the table has gone on since the log read `lines`, and return what is seen then."""
    who.page.wait_for_function("lines => seen.on(lines)", arg=lines, polling=POLL)
    return table(who)


def make_move(who: Person, hand: Hand, chance: random.Random) -> None:
    """Make some move: often the last that there is, which ends games soon, and now and then any."""
    lines = table(who)["lines"]
    send_move(who, hand, chance)
    settled(who, lines)


def send_move(who: Person, hand: Hand, chance: random.Random) -> None:
    """Take things up and put them down until that has made a move, whose answer is not awaited."""
    now = table(who)
    lines = now["lines"]
    last = chance.random() < 0.8
    for _step in range(STEPS):
        pressed = _next(now, chance)
        hand.press(who, *(pressed[-1] if last else chance.choice(pressed)))
        now = table(who)
        assert not now["refused"], now["refused"]
        if now["sending"] or now["lines"] != lines or not any(now[kind] for kind in KINDS):
            return
    raise AssertionError(f"{who.name} finds no move")


def _next(now: dict[str, Any], chance: random.Random) -> list[tuple[str, int]]:
    """Return what may well be pressed next."""
    ends = [(kind, k) for kind in ("put", "button") for k in range(now[kind])]
    takes = [("take", k) for k in range(now["take"])]
    if now["held"] and ends and (not takes or chance.random() < 0.7):
        return ends
    return takes or ends or [("let go", 0)]
