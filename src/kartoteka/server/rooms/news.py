"""The news: that a table has come to a new event. What it is stands in the log; news may come late or twice."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

GONE = 0
"""The number that tells that a table was deleted."""

Hear = Callable[[int], None]


class News(Protocol):
    """What the rooms of one table tell each other, in however many processes they are."""

    async def publish(self, code: str, number: int) -> None:
        """Tell all who hear of table `code` that its log has come to event `number`, or that it is `GONE`."""

    def subscribe(self, code: str, hear: Hear) -> Callable[[], None]:
        """Let `hear` be called in this event loop with every number published of table `code`.

        Return what ends that.
        """


class OneProcess:
    """The news where all rooms are in this process: whoever hears has heard when `publish` returns."""

    def __init__(self) -> None:
        self._hearing: dict[str, list[Hear]] = {}

    async def publish(self, code: str, number: int) -> None:
        """Tell all who hear of table `code`."""
        for hear in tuple(self._hearing.get(code, ())):
            hear(number)

    def subscribe(self, code: str, hear: Hear) -> Callable[[], None]:
        """Let `hear` be called with every number published of table `code`; return what ends that."""
        self._hearing.setdefault(code, []).append(hear)

        def end() -> None:
            hearing = self._hearing.get(code, [])
            if hear in hearing:
                hearing.remove(hear)
            if not hearing:
                self._hearing.pop(code, None)

        return end
