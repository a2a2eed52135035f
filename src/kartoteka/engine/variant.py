"""A game as it will be played: so many players, these options."""

from __future__ import annotations

import base64
import functools
import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from kartoteka.core import Core, Ints, chance, randbelow, shuffle
from kartoteka.core.machine import MachineCore, available
from kartoteka.engine import registry
from kartoteka.engine.deck import check_deck
from kartoteka.engine.declare import Game, Value
from kartoteka.engine.errors import UsageError
from kartoteka.engine.position import Position
from kartoteka.text import _

_IN_FORCE: dict[Game, Core] = {}


def plain_core(game: Game) -> Core:
    """Return the game's functions in plain Python."""
    return Core(game.module("rules"), game.module("policy"))


@functools.cache
def machine_core(game: Game) -> MachineCore:
    """Return the game's functions as machine code, each made or loaded when it is first called."""
    return MachineCore(game.module("rules"), game.module("policy"))


def core_of(game: Game) -> Core:
    """Return the functions by which the game is played now: plain Python until `Variant.prepare` was called.

    Both do the same, so whoever asks before each move changes over between two moves.
    """
    return _IN_FORCE.get(game) or _IN_FORCE.setdefault(game, plain_core(game))


_DIGEST = 8
"""Bytes of the digest after a state's own."""


def _variant(name: str, players: int, options: Mapping[str, Value]) -> Variant:
    return Variant(registry.find(name), players, options)


@dataclass(frozen=True)
class Variant:
    """A game as it will be played. Made by `kartoteka.game`.

    Attributes
    ----------
    game : Game
    players : int
    options : mapping of str to bool, int or str
        Every option with its value, defaults too.
    """

    game: Game
    players: int
    options: Mapping[str, Value]

    def __repr__(self) -> str:
        changed = {o.name: self.options[o.name] for o in self.game.options if self.options[o.name] != o.default}
        words = [repr(self.game.name), f"players={self.players}", *(f"{k}={v!r}" for k, v in changed.items())]
        return f"kartoteka.game({', '.join(words)})"

    def __hash__(self) -> int:
        return hash((self.game.name, self.players, *sorted(self.options.items())))

    def __reduce__(self) -> tuple[object, ...]:
        return _variant, (self.game.name, self.players, dict(self.options))

    def digest(self, state: bytes) -> bytes:
        """Return a digest of a state of this variant: states are run by compiled code that trusts them."""
        return hashlib.sha256(repr(self).encode() + state).digest()[:_DIGEST]

    @property
    def core(self) -> Core:
        """The functions by which it is played now."""
        return core_of(self.game)

    @property
    def max_plies(self) -> int:
        """A bound on the number of moves in a deal."""
        return self.game.max_plies(self.players, self.options)

    def blank(self, dealer: int = 1) -> npt.NDArray[Any]:
        """Return an array of one state before the deal, with players, dealer and options set."""
        states = self.core.blank()
        states[0]["players"] = self.players
        states[0]["dealer"] = dealer - 1
        for option in self.game.options:
            if option.name in (self.core.dtype.names or ()):
                states[0][option.name] = option.encode(self.options[option.name])
        return states

    def pack(self) -> Ints:
        """Return the card numbers of the whole pack, in order."""
        return np.array(self.game.pack(self.players), np.int32)

    @property
    def prepared(self) -> bool:
        """Whether it is played by loaded machine code, or none is to be had."""
        return self.core.loaded or not available()

    @property
    def made(self) -> bool:
        """Whether `prepare` has nothing to compile."""
        return self.prepared or machine_core(self.game).complete

    def prepare(self) -> None:
        """Load the game's machine code and play by it from now on; compile it first unless that was done before.

        Compiling takes some seconds, once per installation. Without numba it stays plain Python.
        """
        if not self.prepared:
            core = machine_core(self.game)
            core.load(self.blank(), self.pack())
            _IN_FORCE[self.game] = core

    def shuffled(self, *words: object) -> Ints:
        """Return the whole pack shuffled by the chance that `words` name."""
        deck = self.pack()
        shuffle(chance(*words), deck, len(deck))
        return deck

    def lot(self, *words: object) -> int:
        """Return the dealer: the seat the game fixes, or one by the lot that `words` name."""
        return self.game.fixed_dealer or 1 + int(randbelow(chance(*words), self.players))

    def deal(
        self, seed: object = None, deck: str | Iterable[str] | None = None, dealer: int | None = None
    ) -> Position:
        """Deal.

        Parameters
        ----------
        seed : object, optional
            Names all chance of the deal: equal seeds, equal deals. Without seed and deck it is drawn afresh.
        deck : str or iterable of str, optional
            The whole pack as it lies, first card first, instead of a shuffle.
        dealer : int, optional
            The dealing seat; without it by lot, or where neither seed nor lot is to be had, seat 1.

        Raises
        ------
        UsageError
            If the deck is not this game's pack or there is no such seat.
        """
        if seed is None and deck is None:
            seed = int.from_bytes(np.random.SeedSequence().generate_state(4).tobytes(), "little")
        if dealer is None:
            dealer = self.lot(seed, "lot") if seed is not None else self.game.fixed_dealer or 1
        if type(dealer) is not int or not 1 <= dealer <= self.players:
            raise UsageError(
                _("Seat {seat} cannot deal: the seats are 1 to {n}.").format(seat=dealer, n=self.players)
            )
        order = self.shuffled(seed, "deck") if deck is None else check_deck(deck, self.game.pack(self.players))
        return Position(self, dealer, order, seed)

    def replay(
        self,
        dealer: int,
        deck: str | Iterable[str],
        moves: Iterable[str] = (),
        shuffles: Iterable[str | Iterable[str]] = (),
        seed: object = None,
    ) -> Position:
        """Return the position after `moves`, the later shuffles as given; this is what a position's repr calls.

        With a `seed` the position goes on from there with the chance of ``deal(seed)``.
        """
        position = self.deal(deck=deck, dealer=dealer)
        orders = list(shuffles)
        for move in moves:
            position.play(move)
            if position.waiting and orders:
                position.reshuffle(orders.pop(0))
        if orders:
            raise UsageError(_("{n} shuffles too many.").format(n=len(orders)))
        return position if seed is None else position.go_on(seed)

    def restore(self, data: bytes | str) -> Position:
        """Return the position whose state is `data`, as `Position.to_bytes` gave it (or as base 85).

        Raises
        ------
        UsageError
            If they are no such bytes, or of another game, number of players or options.
        """
        try:
            raw = base64.b85decode(data) if isinstance(data, str) else bytes(data)
        except (ValueError, TypeError):
            raw = b""
        size = self.core.dtype.itemsize
        if len(raw) != size + _DIGEST or self.digest(raw[:size]) != raw[size:]:
            raise UsageError(
                _("These bytes are no state of {game} with {n} players and these options.").format(
                    game=self.game.title, n=self.players
                )
            )
        states = np.frombuffer(bytearray(raw[:size]), self.core.dtype)
        return Position.of_state(self, states)


def usual(game: Game) -> Variant:
    """Return a game with its usual number of players and its default options."""
    return Variant(game, game.usual, game.settle({}))
