"""What a seat sees of Advantage (rules, "Who sees what"), and how a hand makes its moves."""

from __future__ import annotations

from collections.abc import Sequence

from kartoteka.cards import NUMBER, TEXT, glyph, texts
from kartoteka.core import State
from kartoteka.engine.view import View, Way, Zone, from_hand, hand_of, hand_place, number_at, view_of
from kartoteka.games.advantage.notation import ROUNDS, cards_of, pair
from kartoteka.games.advantage.rules import DRAW, EXCHANGE, PAIR, PASS, fitting
from kartoteka.games.advantage.unseen import STOCK
from kartoteka.text import _


def _hand(s: State, owner: int, seat: int) -> Zone:
    held = int(s.hand[owner])
    shown = cards_of(held & ~int(s.unseen))
    if owner != seat:
        return hand_of(owner, seat, texts(shown), held.bit_count())
    note = _("face up: {cards}").format(cards=" ".join(map(glyph, shown))) if shown else _("none face up")
    return hand_of(owner, seat, texts(cards_of(held)), held.bit_count(), (note,), texts(shown))


def _pairs(s: State, owner: int) -> Zone:
    cards = texts(cards_of(s.aside[owner]))
    label = _("Pairs of seat {seat}").format(seat=owner + 1)
    return Zone(f"pairs:{owner + 1}", label, "pile", owner + 1, cards, len(cards))


def _pile(s: State, pile: int) -> Zone:
    count = int(s.pile[pile]).bit_count()
    top = (TEXT[s.top[pile]],)
    return Zone(f"pile:{pile + 1}", _("Pile {pile}").format(pile=pile + 1), "pile", 0, top, count)


def _state(s: State) -> str:
    words = _(ROUNDS[s.phase - 1])
    return _("{round}; the card just drawn fits").format(round=words) if s.drew else words


def _clauses(s: State, seat: int) -> list[str]:
    """Return the clauses that matter to the seat to move; that it holds nothing that fits only it is told."""
    if s.phase == 3:
        return ["ADV 5.1", "ADV 5.2", "ADV 5.3"]
    able = seat != s.seat or int(s.hand[seat]) & fitting(s)
    if s.phase == 1:
        return ["ADV 3.1", "ADV 3.2" if able and not s.drew else "ADV 3.4"]
    return ["ADV 4.1", "ADV 4.2"]


def view(s: State, seat: int) -> View:
    """Return what `seat` sees (-1: a spectator): its hand, what lies face up, the tops of piles, pairs."""
    zones = [_pile(s, pile) for pile in range(3)]
    zones.append(Zone("stock", _("Stock"), "stock", count=STOCK - int(s.drawn)))
    zones += [_pairs(s, owner) for owner in range(2)]
    zones += [_hand(s, owner, seat) for owner in range(2)]
    return view_of(s, seat, zones, [(_("pairs"), s.pairs)], _state(s), _clauses(s, seat), int(s.phase))


def way(s: State, move: int) -> Way:
    """Return how a hand makes a legal move: a card to a pile, two cards for a pair, the stock to draw."""
    if move == PASS:
        return Way()
    if move == DRAW:
        return Way(puts="stock")
    if move >= PAIR:
        return Way(tuple(hand_place(s.seat, TEXT[card]) for card in pair(move)))
    return Way((hand_place(s.seat, TEXT[move % 52]),), f"pile:{move % EXCHANGE // 52 + 1}")


def meant(s: State, takes: Sequence[str], puts: str) -> list[str]:
    """Return the moves, legal or not, that a hand could have meant which took up `takes` and went to `puts`."""
    cards, pile = from_hand(takes, s.seat), number_at(puts, "pile:")
    if cards == []:
        return {"": ["pass"], "stock": ["draw"]}.get(puts, [])
    if cards and len(cards) == 1 and pile:
        placed, given = f"{cards[0]}>{pile}", f"{cards[0]}<{pile}"
        return [given, placed] if s.phase == 2 else [placed, given]
    if cards and len(cards) == 2 and puts in ("", f"pairs:{s.seat + 1}"):
        return ["".join(sorted(cards, key=NUMBER.__getitem__))]
    return []


def census(s: State) -> list[int]:
    """Return every card of the pack, wherever it lies."""
    masks = [*s.hand.tolist(), *s.aside.tolist(), *s.pile.tolist()]
    return [card for mask in masks for card in cards_of(mask)] + s.stock[s.drawn :].tolist()
