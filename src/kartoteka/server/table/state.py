"""A table as its log makes it: the events folded, one after the other, into who sits where and what is played.

Nothing here waits, sends or stores. The same events give the same table, so a restart reads the log and goes on.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import assert_never

from kartoteka.cards import texts
from kartoteka.engine import registry, shuffling
from kartoteka.engine.match import Match, dealer_due
from kartoteka.engine.position import Position
from kartoteka.engine.record import Record, Seal, Seat, record_of
from kartoteka.engine.variant import Variant
from kartoteka.engine.view import View, Way
from kartoteka.server.table import events as ev
from kartoteka.server.table.sheet import Line, Phase, Remark
from kartoteka.server.table.story import Story
from kartoteka.server.visitors import COMPUTER
from kartoteka.text import _, language

EMPTY, HUMAN = "empty", "human"

CHAT_KEPT = 200
"""How many remarks a table shows."""

IDS_KEPT = 500
"""How many messages a table remembers as carried out."""


@dataclass
class Holder:
    """Who sits on a seat: `kind` is ``empty``, ``human`` or the name of a computer player.

    `owner` is the name of the person for whom the computer plays; `visitors` are the digests of their cookies, and
    `person` is who that is, on whichever seat.
    """

    kind: str = EMPTY
    name: str = ""
    owner: str = ""
    link: str = ""
    person: str = ""
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

    @functools.cached_property
    def commitment(self) -> str:
        """What may be told of the secret before the end."""
        return shuffling.commitment(self.secret)


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
    changed : float
        When the last event was, seconds since 1970.
    turned, sealed_at, asked_at : float
        The moments at which the present turn began, the coming deal was sealed, and a takeback was asked for.
    story : Story
        What has happened in this deal, in words.
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
        self.chat: list[Remark] = []
        self.asked_at = 0.0
        self._people: dict[str, str] = {}  # who holds a cookie: the number of the event that seated them first
        self._done: dict[tuple[str, type, str], int] = {}
        self.changed = self.turned = 0.0
        self._moved_at = 0
        self._before: dict[int, Position] = {}
        self.story = Story(lambda: self.names)
        self._views: dict[tuple[int, str], View] = {}
        self._step: tuple[Position, Way] | None = None
        self._lay: dict[int, dict[str, int]] = {}

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
            seat.name or (_(COMPUTER).format(seat=k) if seat.kind != EMPTY else "")
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

    def done(self, visitor: str, kind: type, id: str) -> int:
        """Return the number of the event that a person's message `id` became, 0 if it was not carried out."""
        known = (self._done.get((who, kind, id), 0) for who in (self._person(visitor), visitor))
        return max(known)  # the latter: what they said before they sat down

    def _person(self, visitor: str) -> str:
        return self._people.get(visitor, visitor)

    def moved_since(self, number: int) -> bool:
        """Whether the cards have moved since event `number`."""
        return self._moved_at > number

    def view(self, seat: int) -> View | None:
        """Return what `seat` sees of the deal, in the language in force; None before the first."""
        key = seat, language()
        if key not in self._views and self.position:
            self._views[key] = self.position.view(seat)
        return self._views.get(key)

    def last(self, seat: int) -> tuple[str, ...]:
        """Return the places that the last move touched, as `seat` sees them: those of its way, and what has grown."""
        view = self.view(seat)
        if not view or not self._step:
            return ()
        before, way = self._step
        if seat not in self._lay:
            self._lay[seat] = _counts(before.view(seat))
        lay = self._lay[seat]
        new = [zone.name for zone in view.zones if zone.name not in lay]
        grown = [zone for zone in view.zones if zone.kind == "fan" and zone.count > lay.get(zone.name, 0)]
        ends = [f"{zone.name}/{zone.count}" for zone in grown]
        puts = "" if any(zone.name == way.puts for zone in grown) else way.puts
        return tuple(filter(None, (*way.takes, puts, *new, *ends)))

    def takeback_of(self, seat: int) -> int:
        """Return the ply to which `seat` may ask to go back, its own last move undone; -1 if to none."""
        before = self._before.get(seat)
        if self.phase != "playing" or before is None or self.position is None or self.asked:
            return -1
        if before.reveals(self.position):
            return -1
        # What others did since, forced or not, tells of hands that stay hidden.
        others = any(played.seat != seat for played in self.position.history[before.ply :])
        return -1 if others and self._hands_hidden() else before.ply

    def _hands_hidden(self) -> bool:
        """Whether anybody's hand is not open to all."""
        if not self.position or self.position.open:
            return False
        public = self.view(0)
        return any("??" in zone.cards for zone in (public.zones if public else ()) if zone.kind == "hand")

    def record(self) -> Record:
        """Return the record of the match, secrets and all: for when it is over."""
        assert self.match
        seats = [
            Seat(name, HUMAN if holder.visitors else holder.kind)
            for name, holder in zip(self.names, self.seats, strict=True)
        ]
        seals = [Seal(s.commitment, sorted(s.nonces.items()), s.lot, s.secret) for s in self.seals]
        return record_of(self.match, seats, seals, broken_off=bool(self.ended))

    def log(self, viewer: int) -> Sequence[Line]:
        """Return the log of this deal as it is told to seat `viewer` (0: a spectator), in the language in force."""
        return self.story.lines(viewer, self.position)

    # --- do --------------------------------------------------------------------------------------------

    def apply(self, event: ev.TableEvent, at: float, moment: float | None = None) -> None:
        """Let `event`, committed at time `at`, happen.

        `moment` is when on the clock by which waits are measured, the same as `at` unless told otherwise.
        """
        self.number += 1
        self.changed = at
        names = self.names
        self._fold(event, at if moment is None else moment)
        if names != self.names:
            self.story.retell(self.number)
        if isinstance(event, ev.Moved | ev.Spoke) and event.id:
            self._note_done(event)

    def _note_done(self, event: ev.Moved | ev.Spoke) -> None:
        """Remember a message by the person who sent it: another may have their seat one day."""
        visitor, _space, id = event.id.partition(" ")  # of those who look on
        who, id = (self.seats[event.seat - 1].person, event.id) if event.seat else (self._person(visitor), id)
        self._done[who, type(event), id] = self.number
        if len(self._done) > IDS_KEPT:
            del self._done[next(iter(self._done))]

    def _fold(self, event: ev.TableEvent, moment: float) -> None:
        match event:
            case ev.Opened():
                self._opened(event)
            case ev.Sat():
                self._sat(event)
            case ev.Shared():
                self._shared(event)
            case ev.Relinked():
                self._relinked(event)
            case ev.Left():
                self._left(event)
            case ev.Replaced():
                self._replaced(event)
            case ev.Returned():
                self._returned(event)
            case ev.Sealed():
                self._sealed(event, moment)
            case ev.Nonce():
                self._nonce(event)
            case ev.Dealt():
                self._dealt(event, moment)
            case ev.Moved():
                self._moved(event, moment)
            case ev.Asked():
                self._asked(event, moment)
            case ev.Answered():
                self._answered(event)
            case ev.TakenBack():
                self._taken_back(event, moment)
            case ev.Ended():
                self._ended(event)
            case ev.Recorded():
                self._recorded(event)
            case ev.Spoke():
                self._spoke(event)
            case ev.Muted():
                self._muted(event)
            case _:
                assert_never(event)

    def foresee(self, event: ev.TableEvent) -> None:
        """Raise what `apply` would: an event that cannot happen must not come into the log."""
        match event:
            case ev.Moved():
                if self.position:
                    self.position.verify(event.move)
            case ev.Nonce():
                if self.sealed:
                    shuffling.key(self.sealed.secret, [(event.seat, event.nonce)])
            case ev.Dealt():
                assert self.sealed
                shuffling.shuffled(self.sealed.key, shuffling.DECK, texts(self.variant.pack().tolist()))
            case (
                ev.Opened() | ev.Sat() | ev.Shared() | ev.Relinked() | ev.Left() | ev.Replaced() | ev.Returned()
                | ev.Sealed() | ev.Asked() | ev.Answered() | ev.TakenBack() | ev.Ended() | ev.Recorded()
                | ev.Spoke() | ev.Muted()
            ):  # fmt: skip
                pass  # whatever decides on one of these has looked already
            case _:
                assert_never(event)

    def _opened(self, event: ev.Opened) -> None:
        game = registry.find(event.game)
        self.opened = event
        self.variant = Variant(game, event.players, game.settle(event.options))
        self.seats = [Holder() for _seat in range(event.players)]

    def _sat(self, event: ev.Sat) -> None:
        holder = self.seats[event.seat - 1]
        holder.kind, holder.name, holder.owner, holder.link = HUMAN, event.name, "", event.link
        holder.visitors, holder.person = {event.visitor}, self._people.setdefault(event.visitor, str(self.number))
        self.story.add(self.number, event)

    def _shared(self, event: ev.Shared) -> None:
        holder = self.seats[event.seat - 1]
        holder.visitors.add(event.visitor)
        self._people[event.visitor] = holder.person

    def _relinked(self, event: ev.Relinked) -> None:
        holder = self.seats[event.seat - 1]
        for other in holder.visitors - {event.visitor}:
            del self._people[other]
        holder.visitors, holder.link = {event.visitor}, event.link

    def _left(self, event: ev.Left) -> None:
        self.story.add(self.number, event)
        self.seats[event.seat - 1] = Holder()

    def _replaced(self, event: ev.Replaced) -> None:
        holder = self.seats[event.seat - 1]
        holder.kind, holder.owner = event.kind, holder.name
        self.asked = None
        self.story.add(self.number, event)

    def _returned(self, event: ev.Returned) -> None:
        holder = self.seats[event.seat - 1]
        holder.kind, holder.owner = HUMAN, ""
        self.story.add(self.number, event)

    def _sealed(self, event: ev.Sealed, moment: float) -> None:
        self.sealed, self.sealed_at = SecretSeal(event.secret, event.fresh), moment

    def _nonce(self, event: ev.Nonce) -> None:
        assert self.sealed
        self.sealed.nonces[event.seat] = event.nonce

    def _dealt(self, event: ev.Dealt, moment: float) -> None:
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
        self.sealed, self.asked, self._step, self.turned = None, None, None, moment
        self._moved_at = self.number
        self._views.clear()
        self._before.clear()
        self.story.begin(self.number)
        self.story.add(self.number, event)

    def _moved(self, event: ev.Moved, moment: float) -> None:
        position = self.position
        assert position
        before = position.copy()
        move = position.verify(event.move)
        way = position.game.table.way(before.reading, move.number)
        position.push(move)
        if position.waiting:
            label = shuffling.reshuffle_label(len(position.shuffles) + 1)
            position.reshuffle(shuffling.shuffled(self.seals[-1].key, label, position.waiting))
        self._step = before, way
        self._lay = {seat: _counts(view) for (seat, _language), view in self._views.items()}
        self._views.clear()
        self._before[event.seat] = before
        self._moved_at = self.number
        self.turned, self.asked = moment, None
        self.story.add_move(self.number, event, before, move, position)

    def _asked(self, event: ev.Asked, moment: float) -> None:
        self.asked, self.asked_at, self.consented = event, moment, {event.seat}
        self.story.add(self.number, event)

    def _answered(self, event: ev.Answered) -> None:
        self.consented.add(event.seat)
        if not event.yes:
            self.asked = None
            self.story.add(self.number, event)

    def _taken_back(self, event: ev.TakenBack, moment: float) -> None:
        assert self.match
        self.match.undo(event.ply)
        self.asked, self._step, self.turned, self._moved_at = None, None, moment, self.number
        self._views.clear()
        self.story.go_back(self.number, event.ply)
        latest = {played.seat: played.ply for played in self.match.position.history}
        self._before = {seat: self.match.position.at(ply) for seat, ply in latest.items()}
        self.story.add(self.number, event)

    def _ended(self, event: ev.Ended) -> None:
        self.ended, self.asked = event, None
        self.story.add(self.number, event)

    def _recorded(self, event: ev.Recorded) -> None:
        self.record_id = event.id

    def _spoke(self, event: ev.Spoke) -> None:
        self.chat.append(Remark(self.number, event.seat, event.name, event.text))
        del self.chat[:-CHAT_KEPT]

    def _muted(self, event: ev.Muted) -> None:
        self.story.retold = self.number  # so that what was said is told again, too
        muted = self.seats[event.seat - 1].muted
        (muted.add if event.on else muted.discard)(event.whom)


def _counts(view: View) -> dict[str, int]:
    return {zone.name: zone.count for zone in view.zones}
