"""What a seat may see of a position, as plain data that a terminal, a page or a program draws.

A view names what is shown; whatever it does not name stays hidden. Cards are their texts, ``??`` when unseen.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Literal

import msgspec

from kartoteka.cards import TEXT, UNSEEN
from kartoteka.core import State
from kartoteka.text import _

Kind = Literal["hand", "row", "pile", "stock", "fan", "lattice"]


class Cell(msgspec.Struct, frozen=True, omit_defaults=True):
    """One place of a lattice that is filled or could be.

    `x` grows to the right, `y` upward, in halves of a card where cards straddle.
    """

    name: str
    x: int
    y: int
    card: str = ""
    sideways: bool = False
    pieces: tuple[str, ...] = ()
    marked: bool = False
    """Of lasting note: a goal, a start, part of the cross."""


class Zone(msgspec.Struct, frozen=True, omit_defaults=True):
    """One place on the table where cards lie together.

    Attributes
    ----------
    name : str
        Its identifier, the same in every language: ``hand:2``, ``row:3``, ``stock``.
    label : str
        What people call it, in the language in force.
    kind : str
        How to draw it. A hand is held; a row lies open in order; of a pile the top card lies last; a stock is
        face down; a fan is a row whose cards are counted from 1; a lattice has cells.
    owner : int
        The seat it belongs to, 0 if to nobody.
    cards : tuple of str
        In order, the newest or uppermost last; ``??`` for a card this seat cannot see.
    count : int
        How many cards lie there, also where `cards` does not list them.
    notes : tuple of str
        What else is to be known of it, in words.
    houses : tuple of int
        For each card the seat in whose house it lies, where that matters.
    cells : tuple of Cell
        Of a lattice: its cells that are filled or may be of use now.
    extent : pair of int
        Of a lattice: the greatest `x` and `y` it has, whether a cell is named there or not.
    stands : tuple of str
        For each card what it stands for, empty for one that stands for itself; left out where none does.
    seen : tuple of bool
        For each card of the reader's own hand whether the others see it too; left out where they see none.
    marks : tuple of str
        Words for what is to be drawn of it, the same in every language: ``dead`` (nothing is laid there any more),
        ``run``, ``set``.
    """

    name: str
    label: str
    kind: Kind
    owner: int = 0
    cards: tuple[str, ...] = ()
    count: int = 0
    notes: tuple[str, ...] = ()
    houses: tuple[int, ...] = ()
    cells: tuple[Cell, ...] = ()
    extent: tuple[int, int] = (0, 0)
    stands: tuple[str, ...] = ()
    seen: tuple[bool, ...] = ()
    marks: tuple[str, ...] = ()


class Fact(msgspec.Struct, frozen=True):
    """Something counted for each seat: its label and one value a seat."""

    label: str
    values: tuple[int, ...]


class Way(msgspec.Struct, frozen=True, omit_defaults=True):
    """How a hand makes a move at the table: what it takes up, and where it puts that.

    A place is a zone's name (``row:3``, ``tail``), or a thing in a zone: ``hand:2/7h`` a card, ``tail/4`` a card of
    a fan by its count, ``floor/d3`` a cell, ``track/c0/B`` a piece on a cell.

    Attributes
    ----------
    takes : tuple of str
        The places taken up, in any order; the same place twice for two equal cards. Empty where the move needs none.
    puts : str
        The place that completes the move; empty where what is taken up says all.
    """

    takes: tuple[str, ...] = ()
    puts: str = ""


class View(msgspec.Struct, frozen=True):
    """What seat `seat` (0: a spectator) sees.

    Attributes
    ----------
    turn : int
        The seat to move, 0 when the deal is over.
    state : str
        What is going on, in words: the round, the turned card, what is owed.
    zones : tuple of Zone
    facts : tuple of Fact
    clauses : tuple of str
        The clauses that matter to the seat to move now, e.g. ``ABR 3.2``.
    round : int
        Which of a game's kinds of round it is, from 1; 0 where there are none.
    """

    seat: int
    players: int
    dealer: int
    ply: int
    turn: int
    state: str
    zones: tuple[Zone, ...]
    facts: tuple[Fact, ...] = ()
    clauses: tuple[str, ...] = ()
    round: int = 0


def hand_of(
    owner: int,
    seat: int,
    cards: tuple[str, ...],
    held: int,
    notes: tuple[str, ...] = (),
    shown: Iterable[str] = (),
) -> Zone:
    """Return the hand of seat `owner` (from 0) as `seat` sees it: the `cards` it sees, and ``??`` up to `held`.

    `shown` are those among them that everybody sees.
    """
    label = _("Your hand") if owner == seat else _("Hand of seat {seat}").format(seat=owner + 1)
    unseen = (TEXT[UNSEEN],) * (held - len(cards))
    seen = tuple(_each_seen(cards, Counter(shown))) if owner == seat else ()
    return Zone(
        f"hand:{owner + 1}", label, "hand", owner + 1, cards + unseen, held, notes, seen=seen if any(seen) else ()
    )


def _each_seen(cards: Iterable[str], shown: Counter[str]) -> Iterator[bool]:
    for card in cards:
        shown[card] -= 1
        yield shown[card] >= 0


def hand_place(owner: int, card: str) -> str:
    """Return the place of a card in the hand of seat `owner` (from 0)."""
    return f"hand:{owner + 1}/{card}"


def from_hand(takes: Iterable[str], owner: int) -> list[str] | None:
    """Return the cards that were taken up from the hand of seat `owner` (from 0), None if anything else was.

    `takes` come from outside; a card is whatever `hand_place` gives a place to, held or not.
    """
    cards = {hand_place(owner, card): card for card in TEXT[:UNSEEN]}
    taken = [cards.get(place, "") for place in takes]
    return taken if all(taken) else None


def number_at(place: str, zone: str) -> int:
    """Return K of a place from outside that is written `zone` and K, from 1 to 999, as ``row:7``; 0 for any other."""
    number = place.removeprefix(zone) if place.startswith(zone) else ""
    return int(number) if re.fullmatch("[1-9][0-9]{0,2}", number) else 0


def view_of(
    s: State,
    seat: int,
    zones: Iterable[Zone],
    facts: Iterable[tuple[str, Iterable[int]]] = (),
    state: str = "",
    clauses: Iterable[str] = (),
    round: int = 0,
) -> View:
    """Return the view of `seat` (from 0, -1 a spectator): what a game shows it, with what every game shows."""
    return View(
        seat=seat + 1,
        players=int(s.players),
        dealer=int(s.dealer) + 1,
        ply=int(s.ply),
        turn=0 if s.over or s.to_shuffle else int(s.seat) + 1,
        state="" if s.over else state,
        zones=tuple(zones),
        facts=tuple(Fact(label, tuple(int(n) for n in values)) for label, values in facts),
        clauses=() if s.over else tuple(clauses),
        round=0 if s.over else round,
    )


def encode(view: View) -> bytes:
    """Return the view as JSON, the same bytes for equal views."""
    return msgspec.json.encode(view)
