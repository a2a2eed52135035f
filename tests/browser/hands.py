"""Hands that play: by mouse, by finger, or by keys alone; they see what the page shows, and know no game."""

from __future__ import annotations

import random
from typing import Any, Protocol

from tests.browser.person import Person

TAKE, PUT, BUTTON = ".can-take:not(.is-held)", ".can-put", "#moves > button[data-move]"
LET_GO = "#moves > button[data-act='let go']"
STEPS = 40
"""So many taps a move may need."""


class Hand(Protocol):
    """How a person does something to the `k`-th element that a selector finds."""

    def press(self, who: Person, selector: str, k: int) -> None:
        """Press it."""


class Pointer:
    """A mouse, or on a screen for fingers a finger: it taps where a person sees the thing."""

    def press(self, who: Person, selector: str, k: int) -> None:
        """Tap it."""
        point = who.page.evaluate("([selector, k]) => seen.point(selector, k)", [selector, k])
        assert point, f"{who.name} finds no point at which to tap {_outer(who, selector, k)}"
        (who.page.touchscreen.tap if who.touch else who.page.mouse.click)(*point)


class Keys:
    """A keyboard: letters to get to a part of the page, arrows and Tab to get to the thing, Enter."""

    def press(self, who: Person, selector: str, k: int) -> None:
        """Walk to it and press Enter."""
        page, at = who.page, [selector, k]
        part = page.evaluate("([selector, k]) => seen.part(selector, k)", at)
        page.keyboard.press({"region-board": "b", "region-hand": "h", "moves": "m"}[part])
        if not self._walk(who, selector, k):
            for _tab in range(150):
                if self._there(who, selector, k):
                    break
                page.keyboard.press("Tab")
            assert self._there(who, selector, k), f"{who.name} cannot get to {_outer(who, selector, k)}"
        page.keyboard.press("Enter")

    def _walk(self, who: Person, selector: str, k: int) -> bool:
        """Go by arrows as far as they lead towards it; whether it was reached."""
        been: list[int] = []
        while not self._there(who, selector, k):
            at = who.page.evaluate("selector => seen.focused(selector)", selector)
            if at < 0 or at in been:
                return False
            been.append(at)
            who.page.keyboard.press(who.page.evaluate("([selector, k]) => seen.arrow(selector, k)", [selector, k]))
        return True

    def _there(self, who: Person, selector: str, k: int) -> bool:
        focused: int = who.page.evaluate("selector => seen.focused(selector)", selector)
        return focused == k


def _outer(who: Person, selector: str, k: int) -> str:
    return str(who.page.evaluate("([s, k]) => document.querySelectorAll(s)[k]?.outerHTML.slice(0, 400)", [selector, k]))


def table(who: Person) -> dict[str, Any]:
    """Return what a person sees of the table now (see page.js)."""
    seen: dict[str, Any] = who.page.evaluate("() => seen.table()")
    return seen


def settled(who: Person, lines: str = "") -> dict[str, Any]:
    """Wait until the table has gone on since the log read `lines`, and return what is seen then."""
    who.page.wait_for_function("lines => seen.on(lines)", arg=lines)
    return table(who)


def make_move(who: Person, hand: Hand, chance: random.Random) -> None:
    """Make some move: take up as much as goes together, then choose where to put it or what to do with it."""
    now = table(who)
    lines = now["lines"]
    for _step in range(STEPS):
        hand.press(who, *_next(now, chance))
        who.page.wait_for_function("() => !seen.table().sending")
        now = table(who)
        assert not now["refused"], now["refused"]
        if now["lines"] != lines or now["phase"] != "playing":
            return
        if not now["held"] and not (now["takes"] or now["puts"] or now["buttons"]):  # answered before it is shown
            settled(who, lines)
            return
    raise AssertionError(f"{who.name} finds no move")


def _next(now: dict[str, Any], chance: random.Random) -> tuple[str, int]:
    """Return what to press next."""
    ends = [(PUT, k) for k in range(now["puts"])] + [(BUTTON, k) for k in range(now["buttons"])]
    takes = [(TAKE, k) for k in range(now["takes"])]
    if now["held"] and ends and (not takes or chance.random() < 0.7):
        return chance.choice(ends)
    return chance.choice(takes or ends or [(LET_GO, 0)])
