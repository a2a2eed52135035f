"""A game's core as machine code: compiled by numba, kept on disk, and loaded from there ever after.

Numba is imported here and nowhere else, and only when machine code is asked for.
"""

from __future__ import annotations

import functools
import threading
import types
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from kartoteka.core import cache
from kartoteka.core.arrays import Ints, States
from kartoteka.core.binding import LOOPS, Core

_COMPILING = threading.RLock()


def available() -> bool:
    """Whether machine code is to be had: numba is installed and not told to leave it (``NUMBA_DISABLE_JIT=1``)."""
    try:
        import numba
    except ImportError:
        return False
    config: Any = numba.config
    return not config.DISABLE_JIT


class MachineCore(Core):
    """A game's functions as machine code; each is compiled, or taken from the disk, when it is first called."""

    def __init__(self, rules: types.ModuleType, policy: types.ModuleType) -> None:
        self._reached: frozenset[types.FunctionType] = frozenset()
        super().__init__(rules, policy)

    @functools.cached_property
    def folder(self) -> Path:
        """Where the machine code lies of all that the loops of the core reach."""
        self._reached = frozenset(self.reached(LOOPS))
        return self._folder_of(self._reached)

    def _folder_of(self, reached: Iterable[types.FunctionType]) -> Path:
        return cache.folder(self.name.rpartition(".")[2], cache.digest(self.dtype, reached))

    def _folder_for(self, function: Any) -> Path:
        """Return where the machine code of a function lies: apart, if it is none that the loops of the core reach."""
        folder = self.folder
        return folder if function in self._reached else self._folder_of(self._reached | self.reached([function]))

    def _finish(self, own: Any, function: Any) -> Any:
        import numba

        config: Any = numba.config
        with _COMPILING:  # the folder is numba's global setting, and a server loads games in threads
            before, config.CACHE_DIR = config.CACHE_DIR, str(self._folder_for(function))
            try:
                # Numba serves neither closures nor functions passed as arguments from its disk cache; a plain
                # function with its own globals and a qualified name of its own it does.
                return numba.njit(nogil=True, cache=True)(own)
            finally:
                config.CACHE_DIR = before

    @property
    def complete(self) -> bool:
        """Whether all that playing needs is on disk."""
        return cache.complete(self.folder)

    def load(self, blank: States, deck: Ints) -> None:
        """Load all that playing needs, making first what is not on disk: some seconds, once per installation."""
        self.run_once(blank, deck)
        cache.note_complete(self.folder)
        self.loaded = True
