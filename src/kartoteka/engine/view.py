"""What a seat may see of a position, as plain data that a terminal, a page or a program draws.

A view names what is shown; whatever it does not name stays hidden. Cards are their texts, ``??`` when unseen.
"""

from __future__ import annotations

from typing import Literal

import msgspec

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
    """

    seat: int
    players: int
    dealer: int
    ply: int
    turn: int
    state: str
    zones: tuple[Zone, ...]
    facts: tuple[Fact, ...] = ()


def encode(view: View) -> bytes:
    """Return the view as JSON, the same bytes for equal views."""
    return msgspec.json.encode(view)
