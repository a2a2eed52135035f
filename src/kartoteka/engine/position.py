"""One deal in play: ask (`moves`, `view`), check (`verify`, `can`), do (`play`)."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, overload

import numpy as np
import numpy.typing as npt

from kartoteka.cards import TEXT
from kartoteka.core import Ints, State, chance, reading, shuffle
from kartoteka.engine.deck import card_numbers, check_deck
from kartoteka.engine.errors import AmbiguousMove, IllegalMove, MalformedMove, NotAMove, UsageError
from kartoteka.engine.moves import Event, Move, Outcome, leaders
from kartoteka.engine.view import View
from kartoteka.text import _

if TYPE_CHECKING:
    from kartoteka.engine.declare import Game
    from kartoteka.engine.variant import Variant

KEPT = 16
"""Plies between the states that a position keeps, so that an earlier one is not played again from the first move."""


class LegalMoves(Sequence[Move]):
    """The legal moves of a position at the time it was asked; texts are made when looked at."""

    __slots__ = ("_numbers", "_ply", "_position")

    def __init__(self, position: Position, numbers: Ints) -> None:
        self._position, self._numbers, self._ply = position, numbers, position.ply

    def _there(self) -> Position:
        if self._position.ply != self._ply:
            note = _("These were the legal moves at move {n}; ask the position again.")
            raise UsageError(note.format(n=self._ply + 1))
        return self._position

    @property
    def numbers(self) -> Ints:
        """Their numbers, shape (n,), int32."""
        return self._numbers

    def __len__(self) -> int:
        return len(self._numbers)

    @overload
    def __getitem__(self, i: int) -> Move: ...
    @overload
    def __getitem__(self, i: slice) -> list[Move]: ...
    def __getitem__(self, i: int | slice) -> Move | list[Move]:
        if isinstance(i, slice):
            return [self._there().move(int(m)) for m in self._numbers[i]]
        return self._there().move(int(self._numbers[i]))

    def __iter__(self) -> Iterator[Move]:
        return (self._there().move(m) for m in self._numbers.tolist())

    def __contains__(self, move: object) -> bool:
        return isinstance(move, str) and self._there().can(move)

    def __repr__(self) -> str:
        return f"<{len(self)} legal moves: {', '.join(self)}>"


class Position:
    """One deal in play. Made by `Variant.deal`; it changes as moves are played.

    Attributes
    ----------
    variant : Variant
    state : numpy.record
        The record itself, for the game's own modules; changing it changes the position.
    deck : tuple of str or None
        The whole pack as it was dealt, first card first; None for a position of a bare state.
    history : list of Event
        What was played, first move first.
    shuffles : list of tuple of str
        The orders of later reshuffles.
    """

    __slots__ = (
        "_buffer", "_hidden", "_kept", "_legal", "_over", "_ply", "_reading", "_scores", "_seat_to_move", "_seed",
        "_states", "_to_shuffle", "_verified", "deck", "history", "shuffles", "state", "variant",
    )  # fmt: skip

    def __init__(self, variant: Variant, dealer: int, deck: Ints, seed: object = None) -> None:
        self._set(variant, variant.blank(dealer), seed)
        self.deck: tuple[str, ...] | None = tuple(TEXT[c] for c in deck.tolist())
        variant.core.deal_at(self._states, 0, deck)

    def _set(self, variant: Variant, states: npt.NDArray[Any], seed: object = None) -> None:
        self.variant, self._seed = variant, seed
        self._states = fields = states.view(np.ndarray)  # machine code takes it twice as quickly as a recarray
        self.state: State = states.view(np.recarray)[0]
        # One-element views of the record: reading them is several times quicker than reading the record's fields.
        self._over, self._to_shuffle = fields["over"], fields["to_shuffle"]
        self._seat_to_move, self._ply = fields["seat"], fields["ply"]
        self._buffer = np.zeros(variant.core.buffer, np.int32)
        self._forget()
        self._kept: list[tuple[npt.NDArray[Any], int]] = []  # the state every so many plies, with its reshuffles
        self.deck = None
        self.history: list[Event] = []
        self.shuffles: list[tuple[str, ...]] = []

    def _forget(self) -> None:
        """Let nothing be taken for known of the state any more, which is another one now."""
        self._legal: Ints | None = None
        self._hidden: list[bytes] | None = None
        self._reading: State | None = None
        self._verified: Move | None = None
        self._scores: tuple[float, ...] | None = None

    @classmethod
    def of_state(cls, variant: Variant, states: npt.NDArray[Any]) -> Position:
        """Return a position of a bare state: it plays on, but does not know how it came about."""
        position = cls.__new__(cls)
        position._set(variant, states)
        return position

    def __repr__(self) -> str:
        if self.deck is None:
            return f"{self.variant!r}.restore({base64.b85encode(self.to_bytes()).decode()!r})"
        moves = [str(e.move) for e in self.history]
        shuffles = [" ".join(order) for order in self.shuffles]
        return f"{self.variant!r}.replay({self.dealer}, {' '.join(self.deck)!r}, {moves!r}, {shuffles!r})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return self.variant == other.variant and self._states.tobytes() == other._states.tobytes()

    __hash__ = None  # type: ignore[assignment]

    def __copy__(self) -> Position:
        return self.copy()

    def __deepcopy__(self, memo: object) -> Position:
        return self.copy()

    def __reduce__(self) -> tuple[object, ...]:
        if self.deck is None:
            return self.variant.restore, (self.to_bytes(),)
        moves = [str(event.move) for event in self.history]
        return self.variant.replay, (self.dealer, self.deck, moves, self.shuffles, self._seed)

    # --- ask -------------------------------------------------------------------------------------------

    @property
    def game(self) -> Game:
        """The game's declaration."""
        return self.variant.game

    @property
    def reading(self) -> State:
        """The state as it is now, for reading only, which is much quicker than reading `state`."""
        if self._reading is None:
            self._reading = reading(self._states)
        return self._reading

    @property
    def dealer(self) -> int:
        """The dealing seat, from 1."""
        return int(self.state.dealer) + 1

    @property
    def ply(self) -> int:
        """How many moves were made."""
        return int(self._ply[0])

    @property
    def over(self) -> bool:
        """Whether the deal has ended."""
        return bool(self._over[0])

    @property
    def turn(self) -> int:
        """The seat to move, from 1; 0 when the deal is over or waits for a shuffle."""
        return 0 if self._over[0] or self._to_shuffle[0] else int(self._seat_to_move[0]) + 1

    @property
    def waiting(self) -> tuple[str, ...]:
        """The cards that wait to be reshuffled before play goes on; empty otherwise."""
        if self._over[0] or not self._to_shuffle[0]:
            return ()
        n = self.variant.core.waiting_at(self._states, 0, self._buffer)
        return tuple(TEXT[c] for c in self._buffer[:n].tolist())

    @property
    def moves(self) -> LegalMoves:
        """The legal moves."""
        return LegalMoves(self, self._numbers())

    def _numbers(self) -> Ints:
        if self._legal is None:
            n = self.variant.core.legal_at(self._states, 0, self._buffer) if self.turn else 0
            self._legal = self._buffer[:n].copy()
            self._legal.flags.writeable = False
        return self._legal

    @property
    def mask(self) -> npt.NDArray[np.int8]:
        """The legal mask, shape (N,), int8: 1 where the move of that number is legal."""
        mask = np.zeros(self.variant.core.moves, np.int8)
        if self.turn:
            self.variant.core.mask_at(self._states, 0, mask, self._buffer)
        return mask

    @property
    def scores(self) -> tuple[float, ...]:
        """The scores as they stand, one a seat."""
        if self._scores is not None:
            return self._scores
        out = np.zeros(self.variant.players)
        self.variant.core.scores_at(self._states, 0, out)
        self._scores = tuple(int(x) if x == int(x) else x for x in out.tolist())
        return self._scores

    @property
    def outcome(self) -> Outcome | None:
        """How the deal ended; None while it goes on."""
        if not self.over:
            return None
        clause, reason = self.game.notation.ENDINGS[int(self._over[0])]
        scores = self.scores
        shared = self.game.finished is not None and len(set(scores)) == 1
        winners = tuple(range(1, len(scores) + 1)) if shared else leaders(scores)
        return Outcome(clause, _(reason), scores, winners)

    def view(self, seat: int = 0) -> View:
        """Return what `seat` may see; seat 0, a spectator, sees what is public."""
        return self.game.table.view(self.reading, self._seat(seat) - 1)

    def hidden(self, seat: int = 0) -> tuple[str, ...]:
        """Return the cards that `seat` cannot see, in order of their numbers."""
        return tuple(TEXT[c] for c in np.sort(self._hidden_from(self._seat(seat))).tolist())

    def _hidden_from(self, seat: int) -> Ints:
        n = self.variant.core.hidden_at(self._states, 0, seat - 1, self._buffer)
        return self._buffer[:n]

    def _seat(self, seat: int) -> int:
        if type(seat) is not int or not 0 <= seat <= self.variant.players:
            raise UsageError(
                _("There is no seat {seat}: the seats are 1 to {n}, and 0 is a spectator.").format(
                    seat=seat, n=self.variant.players
                )
            )
        return seat

    # --- check -----------------------------------------------------------------------------------------

    def move(self, number: int) -> Move:
        """Return the move of that number as it is written in this position."""
        return Move(self.game.name, self.game.notation.text(self.reading, number), number)

    def verify(self, text: str) -> Move:
        """Return the legal move that `text` means, in its notation or shortened where only one move begins so.

        Raises
        ------
        MalformedMove, AmbiguousMove, IllegalMove
            With the clause and what would be legal.
        """
        if not isinstance(text, str):
            raise UsageError(_("A move is given as a text, not as {value!r}.").format(value=text))
        if self._verified == text and self._verified is not None:
            return self._verified
        number, malformed = None, None
        try:
            number = self.game.notation.number(str(text))
        except NotAMove as error:
            malformed = error
        if number is not None and number in self._numbers():
            move = self.move(number)
            if move == text:
                self._verified = move
                return move
            reason = _("that move is written {move} here").format(move=move)
            raise IllegalMove(text, self.where, f"{self.game.code} notation", reason, [move])
        meant = [m for m in self.moves if m.startswith(text) and not m[len(text)].isalnum()] if text else []
        if len(meant) == 1:
            return meant[0]
        if meant:
            reason = _("several moves begin so")
            raise AmbiguousMove(text, self.where, f"{self.game.code} notation", reason, meant)
        if malformed:
            clause = malformed.clause or f"{self.game.code} notation"
            raise MalformedMove(text, self.where, clause, malformed.reason, self.moves)
        if not self.turn:
            reason = _("it is nobody's turn")
            outcome = self.outcome
            raise IllegalMove(text, self.where, outcome.clause if outcome else "", reason, ())
        assert number is not None
        clause, reason = self.game.refusals.refuse(self.state, number)
        raise IllegalMove(text, self.where, clause, reason, self.moves)

    def can(self, text: str) -> bool:
        """Whether exactly this move is legal."""
        try:
            return self.verify(text) == text
        except (MalformedMove, AmbiguousMove, IllegalMove):
            return False

    @property
    def where(self) -> str:
        """The position in a few words that give nothing away."""
        if self.over:
            return _("{game}, the deal over after {ply} moves").format(game=self.game.title, ply=self.ply)
        return _("{game}, move {ply}, seat {seat} to move").format(
            game=self.game.title, ply=self.ply + 1, seat=self.turn
        )

    # --- do --------------------------------------------------------------------------------------------

    def play(self, text: str) -> Event:
        """Play a legal move (see `verify`) and return what was done."""
        return self.push(self.verify(text))

    def push(self, move: Move) -> Event:
        """Play a move that is known to be legal here."""
        event = Event(self.ply, self.turn, move)
        if len(self.history) == KEPT * len(self._kept) and self.deck is not None:
            self._kept.append((self._states.copy(), len(self.shuffles)))
        self.variant.core.play_at(self._states, 0, move.number)
        self._forget()
        self.history.append(event)
        self._reshuffle_by_chance()
        return event

    def _reshuffle_by_chance(self) -> None:
        """Shuffle what waits to be shuffled, where the position has a seed."""
        if self._seed is not None and self._to_shuffle[0] and not self._over[0]:
            n = self.variant.core.waiting_at(self._states, 0, self._buffer)
            order = self._buffer[:n].copy()
            shuffle(chance(self._seed, "shuffle", len(self.shuffles)), order, n)
            self._reshuffle(order)

    def go_on(self, seed: object) -> Position:
        """Take all chance from here on from `seed`; return the position."""
        self._seed = seed
        self._reshuffle_by_chance()
        return self

    def reshuffle(self, order: str | Iterable[str]) -> None:
        """Hand in the order of the new stock, first card first; it must hold just the `waiting` cards."""
        if not self.waiting:
            raise UsageError(_("Nothing waits to be shuffled."))
        self._reshuffle(check_deck(order, card_numbers(self.waiting)))

    def _reshuffle(self, order: Ints) -> None:
        self.shuffles.append(tuple(TEXT[c] for c in order.tolist()))
        self.variant.core.reshuffle_at(self._states, 0, order)
        self._forget()

    def reveals(self, later: Position) -> bool:
        """Whether between this position and a `later` one anything hidden from any seat came to light or changed."""
        return self._unseen() != later._unseen()

    @property
    def open(self) -> bool:
        """Whether everybody sees every card."""
        return not any(self._unseen())

    def _unseen(self) -> list[bytes]:
        """What each seat, a spectator first, cannot see, to be compared."""
        if self._hidden is None:
            seats = range(self.variant.players + 1)
            self._hidden = [np.sort(self._hidden_from(seat)).tobytes() for seat in seats]
        return self._hidden

    def best(self, rng: npt.NDArray[np.int64]) -> Move:
        """Return the move that the game's policy rates highest, by lot among equals."""
        if not self.turn:
            raise UsageError(_("It is nobody's turn: {where}.").format(where=self.where))
        ratings = np.zeros_like(self._buffer)
        return self.move(self.variant.core.best_at(self._states, 0, rng, self._buffer, ratings))

    # --- other positions -------------------------------------------------------------------------------

    def copy(self) -> Position:
        """Return a position of its own with the same state and history."""
        other = Position.of_state(self.variant, self._states.copy())
        other.deck, other._seed = self.deck, self._seed
        other.history, other.shuffles, other._kept = self.history.copy(), self.shuffles.copy(), self._kept.copy()
        other._legal, other._hidden, other._reading = self._legal, self._hidden, self._reading
        return other

    def steps(self) -> Iterator[tuple[Position, Event, Position]]:
        """Go through the deal again: for each move yield the position before it, the event, and the one after."""
        position, orders = self.at(0), iter(self.shuffles)
        position._seed = None
        for event in self.history:
            before = position.copy()
            position.push(event.move)
            if position.waiting:
                position.reshuffle(next(orders))
            yield before, event, position

    def at(self, ply: int) -> Position:
        """Return the position as it was when `ply` moves had been made; raise `UsageError` if it cannot be known."""
        if self.deck is None:
            raise UsageError(_("This position does not know how it came about."))
        if not 0 <= ply <= len(self.history):
            raise UsageError(_("There is no move {ply}; {n} were made.").format(ply=ply, n=len(self.history)))
        if ply == len(self.history):
            return self.copy()
        k = ply // KEPT
        state, shuffled = self._kept[k]
        earlier = Position.of_state(self.variant, state.copy().view(np.recarray))
        earlier.deck, earlier._kept = self.deck, self._kept[:k]
        earlier.history, earlier.shuffles = self.history[: KEPT * k], self.shuffles[:shuffled]
        orders = iter(self.shuffles[shuffled:])
        for event in self.history[KEPT * k : ply]:
            earlier.push(event.move)
            if earlier.waiting:
                earlier.reshuffle(next(orders))
        earlier._seed = self._seed
        return earlier

    def redeal(self, seat: int, seed: object = None) -> Position:
        """Return a position that `seat` cannot tell from this one: what it cannot see is dealt anew.

        It knows neither deck nor history. What the seat could infer from forced moves is heeded; a game whose
        inferences go too deep may in rare corners be too loose, and says so in its `redeal`.
        """
        other = Position.of_state(self.variant, self._states.copy())
        seed = np.random.SeedSequence().entropy if seed is None else seed
        self.variant.core.redeal_at(other._states, 0, self._seat(seat) - 1, chance(seed, "redeal"))
        other._seed = f"{seed}/redealt"
        return other

    def to_bytes(self) -> bytes:
        """Return the state as bytes, hidden cards and all, and their digest; `Variant.restore` reads it back."""
        state = self._states.tobytes()
        return state + self.variant.digest(state)
