"""What a game declares of itself: a little data, read without compiling or importing its rules.

A game is a package with an object `GAME` of class `Game`, found through the entry point group
``kartoteka.games``. Its modules ``rules``, ``notation``, ``refusals``, ``table`` and ``policy`` offer what
`kartoteka.engine.contract` says; they are imported when they are first asked for, as `Game.rules` and so on.
Two folders lie beside them:

``rulebook``  ``en.md``, ``en.source.md``.
``page``      if the game draws its own table: ``board.html`` (all but the reader's own hand), ``hand.html``,
              ``board.css``, ``picture.png``. What it leaves out is drawn by kinds of zones.
"""

from __future__ import annotations

import functools
import importlib
import re
import types
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, cast

from kartoteka.engine.errors import UsageError, unknown
from kartoteka.text import _, listed

if TYPE_CHECKING:
    from kartoteka.engine.contract import Notation, Policy, Refusals, Rules, Tabletop

Value = bool | int | str
"""The value of an option as records hold it."""


@dataclass(frozen=True, eq=False)
class Option:
    """A ruling that a player may change.

    Attributes
    ----------
    name, clause : str
        As the rulebook writes them.
    default : bool, int or str
    readings : mapping of value to str
        Each named value and what the rule says under it (marked for translation).
    numbers : pair of int, optional
        The least and the greatest whole number, where any number may be chosen.
    number_reading : str
        What a number means (marked for translation).
    """

    name: str
    clause: str
    default: Value
    readings: Mapping[Value, str] = field(default_factory=dict)
    numbers: tuple[int, int] | None = None
    number_reading: str = ""

    def allows(self, value: object) -> bool:
        """Whether `value` is one of this option's, of the right JSON type."""
        if any(value == v and type(value) is type(v) for v in self.readings):
            return True
        low, high = self.numbers or (1, 0)
        return type(value) is int and low <= value <= high

    def parse(self, text: str) -> Value:
        """Return the value a person typed, or raise `UsageError` naming what can be chosen."""
        for value in self.readings:
            if text.strip().casefold() == spelled(value):
                return value
        if re.fullmatch(r"\s*\d{1,9}\s*", text) and self.allows(int(text)):
            return int(text)
        raise self.refusal(text)

    def refusal(self, value: object) -> UsageError:
        """Return the error for a value that is not allowed."""
        if not self.numbers:
            return unknown(_("value of {option}").format(option=self.name), value, map(spelled, self.readings))
        allowed = [spelled(v) for v in self.readings]
        allowed.append(_("a whole number from {low} to {high}").format(low=self.numbers[0], high=self.numbers[1]))
        return UsageError(
            _("{option} cannot be {value!r}: it is {allowed} ({clause}).").format(
                option=self.name, value=value, allowed=listed(allowed), clause=self.clause
            )
        )

    def encode(self, value: Value) -> int:
        """Return the number by which the rules know a value: itself, or its place among the readings."""
        if type(value) is int:
            return value
        return list(self.readings).index(value)

    def reading(self, value: Value) -> str:
        """Return what the rule says under `value`, translated."""
        return _(self.readings[value]) if value in self.readings else _(self.number_reading)


def spelled(value: object) -> str:
    """Return an option's value as the clauses and the command line write it: ``true``, ``100``, ``full``."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def clause_list(code: str, *sections: tuple[int, int]) -> tuple[str, ...]:
    """Return clause identifiers: ``clause_list('ABR', (1, 4))`` is ABR 1.1 to ABR 1.4."""
    return tuple(f"{code} {section}.{k}" for section, last in sections for k in range(1, last + 1))


NextDealer = Callable[[int, Sequence[float], Mapping[str, Value]], int | None]
Finished = Callable[[Sequence[float], Mapping[str, Value]], tuple[int, ...] | None]


@dataclass(frozen=True, eq=False)
class Game:
    """One game's declaration.

    Attributes
    ----------
    name : str
        The identifier, also the name of its entry point.
    title, native, lang : str
        Its name in Latin letters and in its own script, and the language of the latter (``ru``, or ``''``).
    code : str
        The letters before its clause numbers.
    players : tuple of int
        The numbers of players it can be played by.
    usual : int
        The number of players where none is said.
    minutes : int
        About how long a deal takes among people.
    sample : int
        Which of the games that computers play at the fewest seats is shown as a sample: a short one.
    sentence : str
        The game in one sentence (marked for translation).
    clauses : tuple of str
        Every clause identifier.
    options : tuple of Option
    pack : function
        Number of players to the cards of the whole pack, in order.
    max_plies : function
        (players, options) to a bound on the moves of one deal.
    package : str
        Where its modules are: its ``__name__``.
    next_dealer : function, optional
        (dealer, scores of the deal, options) to the next dealer, seats from 1; None, or no function: by lot.
    fixed_dealer : int, optional
        The seat that records name as dealer in a game that has none.
    finished : function, optional
        (totals, options) to the winners once a match for points is decided, None before. Without it a match
        is a single game or the best of several.
    """

    name: str
    title: str
    native: str
    code: str
    players: tuple[int, ...]
    usual: int
    minutes: int
    sentence: str
    clauses: tuple[str, ...]
    options: tuple[Option, ...]
    pack: Callable[[int], list[int]]
    max_plies: Callable[[int, Mapping[str, Value]], int]
    package: str
    next_dealer: NextDealer | None = None
    fixed_dealer: int | None = None
    finished: Finished | None = None
    lang: str = ""
    sample: int = 0

    def module(self, name: str) -> types.ModuleType:
        """Import one of its modules: for the core, which compiles what it finds there; all else goes by type"""
        return _module(self.package, name)

    @property
    def rules(self) -> Rules:
        """Its rules, imported now."""
        return cast("Rules", self.module("rules"))

    @property
    def notation(self) -> Notation:
        """How its moves are written, imported now."""
        return cast("Notation", self.module("notation"))

    @property
    def refusals(self) -> Refusals:
        """Why its moves are refused, imported now."""
        return cast("Refusals", self.module("refusals"))

    @property
    def table(self) -> Tabletop:
        """What its table shows, imported now."""
        return cast("Tabletop", self.module("table"))

    @property
    def policy(self) -> Policy:
        """What its sensible player looks at, imported now."""
        return cast("Policy", self.module("policy"))

    @property
    def folder(self) -> Path:
        """The game's folder."""
        return Path(str(importlib.import_module(self.package).__file__)).parent

    def option(self, name: str) -> Option:
        """Return the option of that name, or raise `UsageError` naming the nearest."""
        for option in self.options:
            if option.name == name:
                return option
        raise unknown(_("option of {game}").format(game=self.title), name, [o.name for o in self.options])

    def settle(self, chosen: Mapping[str, object]) -> dict[str, Value]:
        """Return every option in force, `chosen` ones over the defaults; raise `UsageError` for a wrong one."""
        options: dict[str, Value] = {o.name: o.default for o in self.options}
        for name, value in chosen.items():
            option = self.option(name)
            if not option.allows(value):
                raise option.refusal(value)
            options[name] = value  # type: ignore[assignment]
        return options

    def seats(self, players: int | None) -> int:
        """Return the number of players, the usual one if None; raise `UsageError` if it cannot be played so."""
        if players is None:
            return self.usual
        if type(players) is not int or players not in self.players:
            raise UsageError(
                _("{game} is played by {allowed}, not by {players}.").format(
                    game=self.title, allowed=spread(self.players), players=players
                )
            )
        return players


@functools.cache
def _module(package: str, name: str) -> types.ModuleType:
    return importlib.import_module(f"{package}.{name}")


def spread(players: Sequence[int]) -> str:
    """Return numbers of players in words: ``2``, ``2 to 12``."""
    low, high = min(players), max(players)
    return str(low) if low == high else _("{low} to {high}").format(low=low, high=high)
