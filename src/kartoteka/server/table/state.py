"""A table as its log makes it: the events folded, one after the other, into who sits where and what is played.

Nothing here waits, sends or stores. The same events give the same table, so a restart reads the log and goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from kartoteka.cards import texts
from kartoteka.engine import registry, shuffling
from kartoteka.engine.match import Match, dealer_due
from kartoteka.engine.moves import Move
from kartoteka.engine.position import Position
from kartoteka.engine.record import Record, Seal, Seat, record_of
from kartoteka.engine.variant import Variant
from kartoteka.engine.view import Way
from kartoteka.server.table import events as ev
from kartoteka.server.table.sentences import tell_event, tell_move
from kartoteka.server.table.sheet import Line, Phase, Remark
from kartoteka.text import _, language, speaking

EMPTY, HUMAN = "empty", "human"

CHAT_KEPT = 200
"""How many remarks a table shows."""

IDS_KEPT = 500
"""How many messages a table remembers as carried out."""


@dataclass
class Holder:
    """Who sits on a seat: `kind` is ``empty``, ``human`` or the name of a computer player.

    `owner` is the name of the person for whom the computer plays; `visitors` are the digests of their cookies.
    """

    kind: str = EMPTY
    name: str = ""
    owner: str = ""
    link: str = ""
    visitors: set[str] = field(default_factory=set)
    muted: set[int] = field(default_factory=set)


@dataclass
class SecretSeal:
    """A deal's secret (hex), the nonces (hex) by seat, and whether lot decides who deals."""

    secret: str
    fresh: bool
    nonces: dict[int, str] = field(default_factory=dict)
    lot: bool = False

    @property
    def key(self) -> bytes:
        """The key of this deal's chance."""
        return shuffling.key(self.secret, self.nonces.items())

    @property
    def commitment(self) -> str:
        """What may be told of the secret before the end."""
        return shuffling.commitment(self.secret)


@dataclass(frozen=True)
class _Happened:
    """A line of the log to be: the event, and for a move the ply after it (else 0)."""

    number: int
    ply: int
    event: ev.TableEvent


class Table:
    """One table. Changes only by `apply`.

    Attributes
    ----------
    number : int
        The number of the last event.
    seats : list of Holder
        Seat 1 first.
    match : Match or None
        The match in play or just over; None before the first deal.
    seals : list of SecretSeal
        Of the match's deals.
    sealed : SecretSeal or None
        Of the deal being prepared.
    asked : Asked or None
        A takeback that waits for consent by the seats not in `consented`.
    changed, turned : float
        When the last event was, and when the present turn began, seconds since 1970.
    """

    def __init__(self, code: str) -> None:
        self.code = code
        self.number = 0
        self.opened: ev.Opened
        self.variant: Variant
        self.seats: list[Holder] = []
        self.match: Match | None = None
        self.seals: list[SecretSeal] = []
        self.sealed: SecretSeal | None = None
        self.sealed_at = 0.0
        self.asked: ev.Asked | None = None
        self.consented: set[int] = set()
        self.ended: ev.Ended | None = None
        self.record_id = ""
        self.last: tuple[str, ...] = ()
        self.chat: list[Remark] = []
        self.asked_at = 0.0
        self._done: dict[tuple[int, type, str], int] = {}
        self.changed = self.turned = 0.0
        self._moved_at = 0
        self._before: dict[int, Position] = {}
        self._story: list[_Happened] = []
        self._lines: dict[tuple[int, str], list[Line]] = {}

    # --- ask -------------------------------------------------------------------------------------------

    @property
    def phase(self) -> Phase:
        """What the table is at."""
        if self.sealed:
            return "sealing"
        if not self.match:
            return "waiting"
        if self.ended or self.match.over:
            return "over"
        return "between" if self.match.position.over else "playing"

    @property
    def position(self) -> Position | None:
        """The deal in play, or the last one."""
        return self.match.position if self.match and self.match.positions else None

    @property
    def turn(self) -> int:
        """The seat to move, 0 if nobody is."""
        return self.position.turn if self.position and self.phase == "playing" else 0

    @property
    def full(self) -> bool:
        """Whether every seat is taken."""
        return all(seat.kind != EMPTY for seat in self.seats)

    @property
    def names(self) -> list[str]:
        """What the seats are called, seat 1 first."""
        return [
            seat.name or (_("Computer {seat}").format(seat=k) if seat.kind != EMPTY else "")
            for k, seat in enumerate(self.seats, 1)
        ]

    def seat_of(self, visitor: str) -> int:
        """Return the seat that `visitor` holds (also while the computer plays it), 0 if none."""
        for k, seat in enumerate(self.seats, 1):
            if visitor in seat.visitors:
                return k
        return 0

    def people(self) -> list[int]:
        """Return the seats that people play."""
        return [k for k, seat in enumerate(self.seats, 1) if seat.kind == HUMAN]

    @property
    def dealer_due(self) -> int | None:
        """The seat that deals next by rule, None if lot decides."""
        if self.position and self.position.over and self.match:
            return self.match.next_dealer
        return dealer_due(self.variant)

    def done(self, seat: int, kind: type, id: str) -> int:
        """Return the number of the event that the message `id` of `seat` became, 0 if it was not carried out."""
        return self._done.get((seat, kind, id), 0)

    def moved_since(self, number: int) -> bool:
        """Whether the cards have moved since event `number`."""
        return self._moved_at > number

    def takeback_of(self, seat: int) -> int:
        """Return the ply to which `seat` may ask to go back, its own last move undone; -1 if to none."""
        before = self._before.get(seat)
        if self.phase != "playing" or before is None or self.position is None or self.asked:
            return -1
        if before.reveals(self.position):
            return -1
        # What others did since, forced or not, tells of hands that stay hidden.
        others = any(played.seat != seat for played in self.position.history[before.ply :])
        secret = any("??" in zone.cards for zone in self.position.view(0).zones if zone.kind == "hand")
        return -1 if others and secret else before.ply

    def record(self) -> Record:
        """Return the record of the match, secrets and all: for when it is over."""
        assert self.match
        seats = [
            Seat(name, HUMAN if holder.visitors else holder.kind)
            for name, holder in zip(self.names, self.seats, strict=True)
        ]
        seals = [Seal(s.commitment, sorted(s.nonces.items()), s.lot, s.secret) for s in self.seals]
        return record_of(self.match, seats, seals, broken_off=bool(self.ended))

    def log(self, viewer: int) -> list[Line]:
        """Return the log of this deal as it is told to seat `viewer` (0: a spectator), in the language in force."""
        key = viewer, language()
        if key not in self._lines:
            if len(self._lines) > 40:
                self._lines.clear()
            self._lines[key] = list(self._tell_all(viewer))
        return self._lines[key]

    def _tell_all(self, viewer: int) -> Iterable[Line]:
        steps = self.position.steps() if self.position else iter(())
        for entry in self._story:
            if isinstance(entry.event, ev.Moved):
                before, played, after = next(steps)
                yield self._line_of_move(entry, before, played.move, after, viewer)
            else:
                yield Line(entry.number, 0, 0, tell_event(entry.event, self.names))

    def _line_of_move(self, entry: _Happened, before: Position, move: Move, after: Position, viewer: int) -> Line:
        assert isinstance(entry.event, ev.Moved)
        text = tell_move(before, move, after, self.names, viewer, entry.event.late)
        return Line(entry.number, entry.ply, entry.event.seat, text)

    # --- do --------------------------------------------------------------------------------------------

    def apply(self, event: ev.TableEvent, at: float) -> None:
        """Let `event`, committed at time `at`, happen."""
        self.number += 1
        self.changed = at
        _HOW[type(event)](self, event, at)
        if isinstance(event, ev.Moved | ev.Spoke) and event.id:
            self._done[event.seat, type(event), event.id] = self.number
            if len(self._done) > IDS_KEPT:
                del self._done[next(iter(self._done))]

    def foresee(self, event: ev.TableEvent) -> None:
        """Raise what `apply` would: an event that cannot happen must not come into the log."""
        match event:
            case ev.Moved(move=move) if self.position:
                self.position.verify(move)
            case ev.Nonce(seat=seat, nonce=nonce) if self.sealed:
                shuffling.key(self.sealed.secret, [(seat, nonce)])
            case ev.Dealt():
                assert self.sealed
                shuffling.shuffled(self.sealed.key, shuffling.DECK, texts(self.variant.pack().tolist()))

    def _write(self, event: ev.TableEvent) -> None:
        """Add a line to the log; every reader's copy is made anew when names or lines before it changed."""
        self._story.append(_Happened(self.number, 0, event))
        self._lines.clear()

    def _opened(self, event: ev.Opened, at: float) -> None:
        game = registry.find(event.game)
        self.opened = event
        self.variant = Variant(game, event.players, game.settle(event.options))
        self.seats = [Holder() for _seat in range(event.players)]

    def _sat(self, event: ev.Sat, at: float) -> None:
        holder = self.seats[event.seat - 1]
        holder.kind, holder.name, holder.owner, holder.link = HUMAN, event.name, "", event.link
        holder.visitors = {event.visitor}
        self._write(event)

    def _shared(self, event: ev.Shared, at: float) -> None:
        self.seats[event.seat - 1].visitors.add(event.visitor)

    def _left(self, event: ev.Left, at: float) -> None:
        self._write(event)
        self.seats[event.seat - 1] = Holder()

    def _replaced(self, event: ev.Replaced, at: float) -> None:
        holder = self.seats[event.seat - 1]
        holder.kind, holder.owner = event.kind, holder.name
        self.asked = None
        if event.seat == self.turn:
            self.turned = at
        self._write(event)

    def _returned(self, event: ev.Returned, at: float) -> None:
        holder = self.seats[event.seat - 1]
        holder.kind, holder.owner = HUMAN, ""
        if event.seat == self.turn:
            self.turned = at
        self._write(event)

    def _sealed(self, event: ev.Sealed, at: float) -> None:
        self.sealed, self.sealed_at = SecretSeal(event.secret, event.fresh), at

    def _nonce(self, event: ev.Nonce, at: float) -> None:
        assert self.sealed
        self.sealed.nonces[event.seat] = event.nonce

    def _dealt(self, event: ev.Dealt, at: float) -> None:
        assert self.sealed
        seal = self.sealed
        seal.lot = self.dealer_due is None
        deck = shuffling.shuffled(seal.key, shuffling.DECK, texts(self.variant.pack().tolist()))
        position = self.variant.deal(deck=deck, dealer=event.dealer)
        if seal.fresh or not self.match:
            self.match = Match.of(self.variant, seal.secret, self.opened.best_of)
            self.seals, self.ended, self.record_id = [], None, ""
        self.match.add(position)
        self.match.seed = seal.secret  # computers' lots too: no deal's are known before it is over
        self.seals.append(seal)
        self.sealed, self.asked, self.last, self.turned = None, None, (), at
        self._moved_at = self.number
        self._before.clear()
        self._story.clear()
        self._write(event)

    def _moved(self, event: ev.Moved, at: float) -> None:
        position = self.position
        assert position
        before = position.copy()
        move = position.verify(event.move)
        way = position.game.module("table").way(before.state, move.number)
        position.push(move)
        if position.waiting:
            label = shuffling.reshuffle_label(len(position.shuffles) + 1)
            position.reshuffle(shuffling.shuffled(self.seals[-1].key, label, position.waiting))
        self.last = _touched(before, position, way)
        self._before[event.seat] = before
        self._moved_at = self.number
        self.turned, self.asked = at, None
        entry = _Happened(self.number, position.ply, event)
        self._story.append(entry)
        for (viewer, code), lines in self._lines.items():
            with speaking(code):
                lines.append(self._line_of_move(entry, before, move, position, viewer))

    def _asked(self, event: ev.Asked, at: float) -> None:
        self.asked, self.asked_at, self.consented = event, at, {event.seat}
        self._write(event)

    def _answered(self, event: ev.Answered, at: float) -> None:
        self.consented.add(event.seat)
        if not event.yes:
            self.asked = None
            self._write(event)

    def _taken_back(self, event: ev.TakenBack, at: float) -> None:
        assert self.match
        self.match.undo(event.ply)
        self.asked, self.last, self.turned, self._moved_at = None, (), at, self.number
        self._story = [entry for entry in self._story if entry.ply <= event.ply]
        latest = {played.seat: played.ply for played in self.match.position.history}
        self._before = {seat: self.match.position.at(ply) for seat, ply in latest.items()}
        self._write(event)

    def _ended(self, event: ev.Ended, at: float) -> None:
        self.ended, self.asked = event, None
        self._write(event)

    def _recorded(self, event: ev.Recorded, at: float) -> None:
        self.record_id = event.id

    def _spoke(self, event: ev.Spoke, at: float) -> None:
        self.chat.append(Remark(self.number, event.seat, event.name, event.text))
        del self.chat[:-CHAT_KEPT]

    def _muted(self, event: ev.Muted, at: float) -> None:
        muted = self.seats[event.seat - 1].muted
        (muted.add if event.on else muted.discard)(event.whom)


def _touched(before: Position, after: Position, way: Way) -> tuple[str, ...]:
    """Return the places that a move touched: those of its way, and what has come to lie openly on the table."""
    lay = {zone.name: zone.count for zone in before.view(0).zones}
    new = [zone.name for zone in after.view(0).zones if zone.name not in lay]
    grown = [zone for zone in after.view(0).zones if zone.kind == "fan" and zone.count > lay.get(zone.name, 0)]
    ends = [f"{zone.name}/{zone.count}" for zone in grown]
    puts = "" if any(zone.name == way.puts for zone in grown) else way.puts
    return tuple(filter(None, (*way.takes, puts, *new, *ends)))


_HOW: dict[type, Callable[[Table, Any, float], None]] = {
    ev.Opened: Table._opened, ev.Sat: Table._sat, ev.Shared: Table._shared, ev.Left: Table._left,
    ev.Replaced: Table._replaced, ev.Returned: Table._returned, ev.Sealed: Table._sealed, ev.Nonce: Table._nonce,
    ev.Dealt: Table._dealt, ev.Moved: Table._moved, ev.Asked: Table._asked, ev.Answered: Table._answered,
    ev.TakenBack: Table._taken_back, ev.Ended: Table._ended, ev.Recorded: Table._recorded, ev.Spoke: Table._spoke,
    ev.Muted: Table._muted,
}  # fmt: skip
