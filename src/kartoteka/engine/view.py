"""What a seat may see of a position, as plain data that a terminal, a page or a program draws.

A view names what is shown; whatever it does not name stays hidden. Cards are their texts, ``??`` when unseen.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

import msgspec

from kartoteka.cards import TEXT, UNSEEN
from kartoteka.text import _

State = Any

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


def hand_of(owner: int, seat: int, cards: tuple[str, ...], held: int, notes: tuple[str, ...] = ()) -> Zone:
    """Return the hand of seat `owner` (from 0) as `seat` sees it: the `cards` it sees, and ``??`` up to `held`."""
    label = _("Your hand") if owner == seat else _("Hand of seat {seat}").format(seat=owner + 1)
    unseen = (TEXT[UNSEEN],) * (held - len(cards))
    return Zone(f"hand:{owner + 1}", label, "hand", owner + 1, cards + unseen, held, notes)


def view_of(
    s: State,
    seat: int,
    zones: Iterable[Zone],
    facts: Iterable[tuple[str, Iterable[int]]] = (),
    state: str = "",
    clauses: Iterable[str] = (),
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
    )


def encode(view: View) -> bytes:
    """Return the view as JSON, the same bytes for equal views."""
    return msgspec.json.encode(view)
