"""The log of a deal as it is told: what has happened since the cards were dealt, in each reader's words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from kartoteka.engine.moves import Move
from kartoteka.engine.position import Position
from kartoteka.server.table import events as ev
from kartoteka.server.table.sentences import ToldEvent, tell_event, tell_move
from kartoteka.server.table.sheet import Line
from kartoteka.text import language, speaking

READERS = 40
"""Of how many readers the lines are kept."""


@dataclass(frozen=True)
class _Happened:
    """A line to be: the event, its number, and for a move the ply after it (else 0)."""

    number: int
    ply: int
    event: ev.Moved | ToldEvent


class Story:
    """What happened in a deal. Each reader's lines are kept, and what happens only adds one to them.

    Attributes
    ----------
    retold : int
        The event at which the lines last became other ones. Whoever has heard of that or of a later event has the
        lines up to there as they are, and lacks only those after it.
    """

    def __init__(self, names: Callable[[], Sequence[str]]) -> None:
        self.retold = 0
        self._names = names  # what the seats are called, in the language in force
        self._happened: list[_Happened] = []
        self._lines: dict[tuple[int, str], list[Line]] = {}

    def lines(self, viewer: int, position: Position | None) -> Sequence[Line]:
        """Return the log as it is told to seat `viewer` (0: a spectator), in the language in force."""
        key = viewer, language()
        if key not in self._lines:
            if len(self._lines) > READERS:
                self._lines.clear()
            self._lines[key] = list(self._told(viewer, position))
        return self._lines[key]

    def _told(self, viewer: int, position: Position | None) -> Iterator[Line]:
        steps = position.steps() if position else iter(())
        for entry in self._happened:
            if isinstance(entry.event, ev.Moved):
                before, played, after = next(steps)
                yield self._line_of_move(entry, before, played.move, after, viewer)
            else:
                yield Line(entry.number, 0, 0, tell_event(entry.event, self._names()))

    def _line_of_move(self, entry: _Happened, before: Position, move: Move, after: Position, viewer: int) -> Line:
        assert isinstance(entry.event, ev.Moved)
        text = tell_move(before, move, after, self._names(), viewer, entry.event.late)
        return Line(entry.number, entry.ply, entry.event.seat, text)

    def retell(self, number: int) -> None:
        """With event `number` names or lines are others than they were: let everyone be told all anew."""
        self.retold = number
        self._lines.clear()

    def begin(self, number: int) -> None:
        """Forget what happened: cards are dealt anew by event `number`."""
        self._happened.clear()
        self.retell(number)

    def add(self, number: int, event: ToldEvent) -> None:
        """Add what everyone is told."""
        self._happened.append(_Happened(number, 0, event))
        for (_viewer, code), lines in self._lines.items():
            with speaking(code):
                lines.append(Line(number, 0, 0, tell_event(event, self._names())))

    def add_move(self, number: int, event: ev.Moved, before: Position, move: Move, after: Position) -> None:
        """Add a move."""
        entry = _Happened(number, after.ply, event)
        self._happened.append(entry)
        for (viewer, code), lines in self._lines.items():
            with speaking(code):
                lines.append(self._line_of_move(entry, before, move, after, viewer))

    def go_back(self, number: int, ply: int) -> None:
        """Take back all moves after `ply`, by event `number`."""
        self._happened = [entry for entry in self._happened if entry.ply <= ply]
        self.retell(number)
