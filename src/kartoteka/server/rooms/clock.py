"""The time by which waits are measured: nobody can set it, and it stands still while this process does."""

from __future__ import annotations

import asyncio
import time

BEAT = 1.0
"""Seconds after which a running process looks at its clock again at the latest."""

PAUSE = 5.0
"""Seconds between two looks that mean that the process stood still: it was suspended, or its machine was."""


class Clock:
    """Seconds that pass while this process runs.

    Where the system's own monotonic clock counts through a suspended process (SIGSTOP) or a paused machine, the jump
    is taken out: who could not be heard has not let time pass. `beat` must run for that.

    Attributes
    ----------
    pauses : int
        How often the process has stood still.
    """

    def __init__(self) -> None:
        self.pauses = 0
        self._last, self._lost = time.monotonic(), 0.0

    def now(self) -> float:
        """Return the seconds since some time, without those in which the process stood still."""
        ticks = time.monotonic()
        passed, self._last = ticks - self._last, ticks
        if passed > PAUSE:
            self._lost += passed
            self.pauses += 1
        return ticks - self._lost

    async def beat(self) -> None:
        """Look at the clock for ever."""
        while True:
            self.now()
            await asyncio.sleep(BEAT)
