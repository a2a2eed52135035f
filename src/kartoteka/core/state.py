"""What a rule is handed: one state of a game."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, Protocol, cast

import numpy as np

from kartoteka.core.arrays import States


class State(Protocol):
    """One game state: an element of an array of the game's ``STATE`` dtype.

    These fields every game has, beside its own, which its rules alone know. All are whole numbers; in plain Python
    they are numpy's, small ones, which wrap.
    """

    players: int
    dealer: int
    """The seat that dealt; seats count from 0."""
    seat: int
    """The seat to move."""
    ply: int
    """How many moves were made."""
    over: int
    """How the deal ended, one of the game's ``ENDINGS``; 0 while it goes on."""
    to_shuffle: int
    """More than 0 while cards wait to be shuffled; nobody moves then."""

    def __getattr__(self, field: str) -> Any:
        """A field of the game's own."""

    def __setattr__(self, field: str, value: Any) -> None: ...


def reading(states: States) -> State:
    """Return state 0 of an array as it is now, to be read only: whole numbers are Python's, arrays are copies.

    A field is read thirty times as fast as the record's own, which is looked up by its name and made a scalar.
    """
    copied = np.frombuffer(states.tobytes(), states.dtype)  # a copy that nobody can write to
    names = copied.dtype.names or ()
    return cast(State, SimpleNamespace(**dict(zip(names, copied.tolist()[0], strict=True))))
