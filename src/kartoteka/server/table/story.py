"""The log of a deal as it is told: what has happened since the cards were dealt, in each reader's words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
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
    """What happened in a deal. Each reader's lines are kept, and a move only adds one to them."""

    def __init__(self) -> None:
        self._happened: list[_Happened] = []
        self._lines: dict[tuple[int, str], list[Line]] = {}

    def lines(self, viewer: int, position: Position | None, names: Sequence[str]) -> list[Line]:
        """Return the log as it is told to seat `viewer` (0: a spectator), in the language in force."""
        key = viewer, language()
        if key not in self._lines:
            if len(self._lines) > READERS:
                self._lines.clear()
            self._lines[key] = list(_told(self._happened, viewer, position, names))
        return self._lines[key]

    def begin(self) -> None:
        """Forget what happened: cards are dealt anew."""
        self._happened.clear()
        self._lines.clear()

    def add(self, number: int, event: ToldEvent) -> None:
        """Add what everyone is told; all lines are made anew, since names or lines before it may have changed."""
        self._happened.append(_Happened(number, 0, event))
        self._lines.clear()

    def add_move(
        self, number: int, event: ev.Moved, before: Position, move: Move, after: Position, names: Sequence[str]
    ) -> None:
        """Add a move."""
        entry = _Happened(number, after.ply, event)
        self._happened.append(entry)
        for (viewer, code), lines in self._lines.items():
            with speaking(code):
                lines.append(_line_of_move(entry, before, move, after, names, viewer))

    def go_back(self, ply: int) -> None:
        """Take back all moves after `ply`."""
        self._happened = [entry for entry in self._happened if entry.ply <= ply]
        self._lines.clear()


def _told(
    happened: Iterable[_Happened], viewer: int, position: Position | None, names: Sequence[str]
) -> Iterable[Line]:
    steps = position.steps() if position else iter(())
    for entry in happened:
        if isinstance(entry.event, ev.Moved):
            before, played, after = next(steps)
            yield _line_of_move(entry, before, played.move, after, names, viewer)
        else:
            yield Line(entry.number, 0, 0, tell_event(entry.event, names))


def _line_of_move(
    entry: _Happened, before: Position, move: Move, after: Position, names: Sequence[str], viewer: int
) -> Line:
    assert isinstance(entry.event, ev.Moved)
    text = tell_move(before, move, after, names, viewer, entry.event.late)
    return Line(entry.number, entry.ply, entry.event.seat, text)
