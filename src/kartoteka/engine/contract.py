"""What a game's modules offer, typed: whoever writes a game is told by mypy what is missing or of another type.

A game states that it keeps to it in its ``__init__``, where nothing is imported but by mypy::

    if TYPE_CHECKING:
        from kartoteka.engine.contract import Offers
        from mypackage.mygame import notation, policy, refusals, rules, table

        OFFERS = Offers(rules, notation, refusals, table, policy)

Seats count from 0 here, and -1 is a spectator, who sees what is public. A move is its number. What is written for
people tells nothing but what the seat to move sees, or the seat that it is written for.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

if TYPE_CHECKING:
    import numpy as np

    from kartoteka.core import Ints, State
    from kartoteka.engine.view import View, Way


class Rules(Protocol):
    """``rules``: plain functions on one state, each marked `@rule`; no chance in them but what is handed in."""

    STATE: np.dtype[Any]
    """The record of one state: what `State` names, and for each option that is read a field with `Option.encode`."""
    MOVES: int
    """How many moves there are, legal or not: they are numbered 0 to ``MOVES - 1``."""
    MAX_LEGAL: int
    """A bound on the legal moves of a state."""

    def deal(self, s: State, deck: Ints, /) -> None:
        """Deal the whole pack, as it lies, into a blank state that knows its players, dealer and options."""

    def legal(self, s: State, out: Ints, /) -> int:
        """Write the legal moves to `out`; return how many there are, at least one while the deal goes on."""

    def play(self, s: State, move: int, /) -> None:
        """Make a legal move."""

    def scores(self, s: State, out: Any, /) -> None:
        """Write the score of each seat, as it stands, to `out`."""

    def hidden(self, s: State, seat: int, out: Ints, /) -> int:
        """Write the cards that `seat` cannot see to `out`; return how many there are."""

    def redeal(self, s: State, seat: int, rng: Any, /) -> None:
        """Deal anew what `seat` cannot see, within what the public course of play allows."""


class Reshuffling(Rules, Protocol):
    """The rules of a game whose stock is shuffled anew: it sets ``to_shuffle`` and is handed the new order."""

    def waiting(self, s: State, out: Ints, /) -> int:
        """Write the cards that wait to be shuffled to `out`; return how many there are."""

    def reshuffle(self, s: State, order: Ints, /) -> None:
        """Go on with a new stock: just the waiting cards, in this order."""


class Notation(Protocol):
    """``notation``: a move as records write it and as people say it."""

    ENDINGS: dict[int, tuple[str, str]]
    """For each value of a state's ``over`` but 0 the clause that ends the deal, and a sentence (marked)."""

    def text(self, s: State, move: int, /) -> str:
        """Return a move as records write it."""

    def number(self, text: str, /) -> int:
        """Return the number of a move that is written so anywhere; raise `NotAMove` for what is none."""

    def label(self, s: State, move: int, /) -> str:
        """Return a legal move in a few words, other ones for each move that a hand makes in the same way."""

    def tell(self, before: State, move: int, after: State, names: Sequence[str], viewer: int, /) -> list[str]:
        """Return sentences that tell a move, and what followed by itself, to seat `viewer`."""


class Refusals(Protocol):
    """``refusals``: why a move is not legal."""

    def refuse(self, s: State, move: int, /) -> tuple[str, str]:
        """Return the clause that forbids a move, and why: from a small letter on, without a full stop."""


class Tabletop(Protocol):
    """``table``: the game as it lies there, and as hands play it."""

    def view(self, s: State, seat: int, /) -> View:
        """Return what `seat` may see; what is not named stays hidden."""

    def census(self, s: State, /) -> list[int]:
        """Return every card, wherever it lies."""

    def way(self, s: State, move: int, /) -> Way:
        """Return how a hand makes a legal move."""

    def meant(self, s: State, takes: Sequence[str], puts: str, /) -> list[str]:
        """Return the moves, legal or not, that a hand can mean which takes up those places and puts them there.

        Likeliest first, in notation. Its places come from outside: nothing is too odd to be answered, if only with
        an empty list.
        """


class Policy(Protocol):
    """``policy``: what a sensible player looks at, marked `@rule` as the rules are."""

    def rate(self, s: State, moves: Ints, n: int, out: Ints, /) -> None:
        """Write to `out` how good each of the first `n` of `moves`, all legal, looks to the seat to move."""


class Offers(NamedTuple):
    """A game's modules, each of its kind."""

    rules: Rules
    notation: Notation
    refusals: Refusals
    table: Tabletop
    policy: Policy
