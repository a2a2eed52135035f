"""Machine code made beside play: one game at a time, in a process of low priority, and loaded in a thread.

Games are played in plain Python meanwhile, and change over between two moves. ``python -m kartoteka.engine.workshop
GAME`` is that process.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable

from kartoteka.engine import registry
from kartoteka.engine.declare import Game
from kartoteka.engine.variant import Variant, machine_core, usual

LOWEST = 19
"""How nice the process is to all others."""


class Workshop:
    """Makes machine code for the games it is told of, loads it and lets them be played by it.

    `failed` is told, in the workshop's thread, of a game for which that went wrong: it stays in plain Python.
    """

    def __init__(self, failed: Callable[[Game, Exception], object] = lambda game, error: None) -> None:
        self._failed = failed
        self._known: set[Game] = set()
        self._wanted: list[Game] = []
        self._news = threading.Condition()
        self._process: subprocess.Popen[bytes] | None = None
        self._stopped = False
        self._thread = threading.Thread(target=self._work, name="workshop", daemon=True)

    def want(self, *games: Game) -> None:
        """Let these games come next, unless they have been worked on; the first of them first."""
        with self._news:
            new = [game for game in games if game in self._wanted or game not in self._known]
            self._known.update(new)
            self._wanted = [*new, *(game for game in self._wanted if game not in new)]
            if not self._thread.ident and not self._stopped:
                self._thread.start()
            self._news.notify_all()

    def stop(self) -> None:
        """Make nothing more. What was made so far is on disk."""
        with self._news:
            self._stopped = True
            if self._process:
                self._process.terminate()
            self._news.notify_all()
        if self._thread.ident:
            self._thread.join(5)  # loading takes a second

    def _work(self) -> None:
        while game := self._next():
            try:
                self._prepare(usual(game))
            except Exception as error:
                if not self._stopped:
                    self._failed(game, error)

    def _next(self) -> Game | None:
        """Wait for a game to work on, one that needs only to be loaded before any other; None when all is over."""
        with self._news:
            self._news.wait_for(lambda: self._wanted or self._stopped)
            wanted = list(self._wanted)
        loads = [game for game in wanted if not self._stopped and usual(game).made]
        with self._news:
            if self._stopped:
                return None
            game = (loads or self._wanted)[0]
            self._wanted.remove(game)
            return game

    def _prepare(self, variant: Variant) -> None:
        if not variant.made:
            self._make(variant.game)
        if not self._stopped:
            variant.prepare()

    def _make(self, game: Game) -> None:
        """Compile a game in a process of its own."""
        with self._news:
            if self._stopped:
                return
            self._process = subprocess.Popen(
                [sys.executable, "-m", __name__, game.name],
                env={**os.environ, "KARTOTEKA_CACHE": str(machine_core(game).folder.parent)},
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                creationflags=getattr(subprocess, "IDLE_PRIORITY_CLASS", 0),
            )  # fmt: skip
        _out, said = self._process.communicate()
        if self._process.returncode:
            raise RuntimeError(said.decode(errors="replace"))


def main(game: str) -> None:
    """Compile a game, letting everything else go first."""
    if hasattr(os, "nice"):
        os.nice(LOWEST)
    usual(registry.find(game)).prepare()


if __name__ == "__main__":
    main(sys.argv[1])
