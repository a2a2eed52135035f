"""The loops bound to a game: its core, in plain Python here and as machine code in `machine`."""

from __future__ import annotations

import functools
import threading
import types
from collections.abc import Iterable
from typing import Any, cast

import numpy as np

from kartoteka.core import loops
from kartoteka.core.arrays import Ints, States
from kartoteka.core.chance import chance
from kartoteka.core.marks import F, called, is_loop, stands_in


class Core:
    """A game's functions as loops on ``(states, i, ...)``, in plain Python.

    Attributes
    ----------
    name : str
        The game's package, which tells its functions from those of others.
    dtype : numpy.dtype
        The record of one state.
    moves : int
        Moves are numbered 0 to ``moves - 1``.
    buffer : int
        Length of the buffers that `legal_at`, `waiting_at` and `hidden_at` write to.
    loaded : bool
        Whether this is machine code, and all that playing needs of it is loaded.
    """

    loaded = False

    def __init__(self, rules: types.ModuleType, policy: types.ModuleType) -> None:
        self.name = rules.__name__.rpartition(".")[0]
        self.dtype: np.dtype[Any] = rules.STATE
        self.moves: int = rules.MOVES
        self.buffer = max(int(rules.MAX_LEGAL), 256)
        self._offered = {**vars(rules), "rate": policy.rate}
        self._bound: dict[Any, Any] = {}
        self._binding = threading.RLock()
        self.deal_at, self.legal_at = self.bind(loops.deal_at), self.bind(loops.legal_at)
        self.play_at, self.scores_at = self.bind(loops.play_at), self.bind(loops.scores_at)
        self.hidden_at, self.redeal_at = self.bind(loops.hidden_at), self.bind(loops.redeal_at)
        self.waiting_at, self.reshuffle_at = self.bind(loops.waiting_at), self.bind(loops.reshuffle_at)
        self.mask_at, self.best_at = self.bind(loops.mask_at), self.bind(loops.best_at)

    def bind(self, function: F) -> F:
        """Return a loop, or a rule, as it runs for this game."""
        with self._binding:
            return cast(F, self._bound.get(function) or self._bind(function))

    def _bind(self, function: Any) -> Any:
        """Rebuild a function with the names of others bound to this game's."""
        scope = dict(function.__globals__)
        own = types.FunctionType(function.__code__, scope, function.__name__, function.__defaults__)
        own.__module__, own.__doc__ = function.__module__, function.__doc__
        # Numba tells machine code apart by names: without the game's, one game would be served another's.
        own.__qualname__ = f"{function.__qualname__}__{self.name.replace('.', '_')}"
        bound = self._bound[function] = self._finish(own, function)
        for name, other in called(function):
            scope[name] = self.bind(self._own(other))
        return bound

    def _finish(self, own: Any, function: Any) -> Any:
        """Return what runs; `own` is `function` rebuilt, whose names are bound later."""
        return _on_records(own) if is_loop(function) else own

    def _own(self, function: Any) -> Any:
        """Return the game's function in place of a stand-in, any other as it is."""
        return self._offered.get(function.__name__, function) if stands_in(function) else function

    def reached(self, functions: Iterable[Any]) -> set[types.FunctionType]:
        """Return these functions and all that they call for this game."""
        found: set[types.FunctionType] = set()
        waiting = list(functions)
        while waiting:
            function = self._own(waiting.pop())
            if function not in found:
                found.add(function)
                waiting += [other for _name, other in called(function)]
        return found

    def blank(self, n: int = 1) -> States:
        """Return `n` blank states."""
        return np.zeros(n, self.dtype).view(np.recarray)

    def run_once(self, blank: States, deck: Ints) -> None:
        """Run everything that playing needs once, on a deal of `deck`; `blank` has its players and options set."""
        states = self.blank()
        states[0] = blank[0]
        rng, out = chance("warm-up"), np.zeros(self.buffer, np.int32)
        self.deal_at(states, 0, deck)
        self.legal_at(states, 0, out)
        self.mask_at(states, 0, np.zeros(self.moves, np.int8), out)
        self.hidden_at(states, 0, 0, out)
        self.redeal_at(states, 0, 0, rng)
        self.play_at(states, 0, self.best_at(states, 0, rng, out, np.zeros_like(out)))
        self.scores_at(states, 0, np.zeros(16))
        self.reshuffle_at(states, 0, out[: self.waiting_at(states, 0, out)].copy())


def _on_records(loop: Any) -> Any:
    """Return a loop that takes plain arrays too, whose elements have no attributes in plain Python."""

    @functools.wraps(loop)
    def on_records(states: States, *rest: Any) -> Any:
        return loop(states.view(np.recarray), *rest)

    return on_records


LOOPS = tuple(function for function in vars(loops).values() if is_loop(function))
"""Every loop of the core itself."""
