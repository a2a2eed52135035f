"""Twins: logs of tables that one reader cannot tell from the true one, as what they may not see lies otherwise.

A twin has another secret, and chance dealt it another pack: one with which all that was played could be played just
so, and which showed the reader the same at every move. So it differs from the true table in what is hidden alone,
now and in the past.
"""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Iterable, Sequence
from random import Random

import msgspec
import pytest

from kartoteka.engine import shuffling
from kartoteka.engine.position import Position
from kartoteka.engine.view import encode
from kartoteka.server.table import events as ev
from tests.server.house import folded

Log = list[tuple[float, ev.TableEvent]]


class Chance:
    """The chance of twins: what is published of a twin's secret, and how it shuffles, are as told here."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._commitments: dict[str, str] = {}
        self._orders: dict[tuple[bytes, str], list[str]] = {}
        shuffled, commitment = shuffling.shuffled, shuffling.commitment

        def other_shuffled(key: bytes, label: str, cards: Iterable[str]) -> list[str]:
            return self._orders.get((key, label)) or shuffled(key, label, cards)

        def other_commitment(secret: str) -> str:
            return self._commitments.get(secret) or commitment(secret)

        monkeypatch.setattr(shuffling, "shuffled", other_shuffled)
        monkeypatch.setattr(shuffling, "commitment", other_commitment)

    def twin(self, log: Log, position: Position, orders: Sequence[Sequence[str]]) -> Log:
        """Return the log of a twin of the deal in play, whose pack and reshuffles lie in these `orders`."""
        k = max(k for k, (_at, event) in enumerate(log) if isinstance(event, ev.Sealed))
        at, sealed = log[k]
        assert isinstance(sealed, ev.Sealed)
        other = msgspec.structs.replace(sealed, secret=secrets.token_hex(32))
        nonces = [(e.seat, e.nonce) for _at, e in log[k:] if isinstance(e, ev.Nonce)]
        key = shuffling.key(other.secret, nonces)
        labels = [shuffling.DECK, *(shuffling.reshuffle_label(n) for n in range(1, len(orders)))]
        self._orders |= {(key, label): list(order) for label, order in zip(labels, orders, strict=True)}
        self._commitments[other.secret] = shuffling.commitment(sealed.secret)
        return [*log[:k], (at, other), *log[k + 1 :]]


def twin_of(log: Log, seat: int, chance: Chance, rng: Random) -> tuple[Log, Position] | None:
    """Return a twin for `seat` of the table that a log makes, and its position; None where nothing can be changed."""
    position = folded("", log).position
    assert position
    assert position.deck
    orders = [list(position.deck), *map(list, position.shuffles)]
    views = _views(position, seat)
    hidden = Counter(position.hidden(seat))
    found = None
    for swaps in (8, 4, 2, 1, 1, 1, 1):
        tried = [list(order) for order in found or orders]
        for _k in range(swaps):
            _swap(rng.choice(tried), hidden, rng)
        if tried != orders and _same(position, tried, seat, views):
            found = tried
    if not found:
        return None
    twin = position.variant.replay(position.dealer, found[0], [e.move for e in position.history], found[1:])
    return chance.twin(log, position, found), twin


def _swap(order: list[str], hidden: Counter[str], rng: Random) -> None:
    places = [k for k, card in enumerate(order) if hidden[card]]
    if len(places) > 1:
        i, j = rng.sample(places, 2)
        order[i], order[j] = order[j], order[i]


def _view(position: Position, seat: int) -> bytes:
    """What the game itself shows a seat, whatever becomes of it on its way out."""
    return encode(position.game.table.view(position.state, seat - 1))


def _views(position: Position, seat: int) -> list[bytes]:
    return [_view(position.at(0), seat), *(_view(after, seat) for _before, _event, after in position.steps())]


def _same(position: Position, orders: list[list[str]], seat: int, views: list[bytes]) -> bool:
    """Whether with these orders all could have been played as it was, and have looked the same to `seat`."""
    twin, later = position.variant.deal(deck=orders[0], dealer=position.dealer), iter(orders[1:])
    shown: list[Position] = []
    for event in (None, *position.history):
        if event:
            if event.seat != twin.turn or not twin.can(event.move):
                return False
            twin.play(event.move)
        if twin.waiting:
            order = next(later, [])
            if sorted(order) != sorted(twin.waiting):
                return False
            twin.reshuffle(order)
        shown.append(twin.copy())
    return all(_view(at, seat) == due for at, due in zip(reversed(shown), reversed(views), strict=True))
