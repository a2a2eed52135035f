"""What a seat sees of Advantage (rules, "Seen by whom")."""

from __future__ import annotations

from kartoteka.cards import TEXT, glyph, texts
from kartoteka.engine.compiled import State
from kartoteka.engine.view import View, Zone, hand_of, view_of
from kartoteka.games.advantage.notation import ROUNDS, cards_of
from kartoteka.games.advantage.unseen import STOCK
from kartoteka.text import _


def _hand(s: State, owner: int, seat: int) -> Zone:
    held = int(s.hand[owner])
    shown = cards_of(held & ~int(s.unseen))
    if owner != seat:
        return hand_of(owner, seat, texts(shown), held.bit_count())
    note = _("face up: {cards}").format(cards=" ".join(map(glyph, shown))) if shown else _("none face up")
    return hand_of(owner, seat, texts(cards_of(held)), held.bit_count(), (note,))


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


def view(s: State, seat: int) -> View:
    """Return what `seat` sees (-1: a spectator): its hand, what lies face up, the tops of piles, pairs."""
    zones = [_pile(s, pile) for pile in range(3)]
    zones.append(Zone("stock", _("Stock"), "stock", count=STOCK - int(s.drawn)))
    zones += [_pairs(s, owner) for owner in range(2)]
    zones += [_hand(s, owner, seat) for owner in range(2)]
    return view_of(s, seat, zones, [(_("pairs"), s.pairs)], _state(s))


def census(s: State) -> list[int]:
    """Return every card of the pack, wherever it lies."""
    masks = [*s.hand.tolist(), *s.aside.tolist(), *s.pile.tolist()]
    return [card for mask in masks for card in cards_of(mask)] + s.stock[s.drawn :].tolist()
