"""What a seat sees of Parkett (rules, "Seen by whom"): everything."""

from __future__ import annotations

from collections.abc import Sequence

from kartoteka.cards import TEXT, texts
from kartoteka.core import State
from kartoteka.engine.view import Cell, View, Way, Zone, hand_of, hand_place, view_of
from kartoteka.games.parkett.rules import CARDS, CELLS, CROSS, IDLE_TURNS, PASS, SHIFT, can_go, can_lay
from kartoteka.text import _, ngettext

_CARDS = frozenset(texts(CARDS))


def census(s: State) -> list[int]:
    """Return the number of every card, wherever it lies."""
    return [CARDS[lies - 1] for lies in s.card.tolist() if lies] + _held(s, 0) + _held(s, 1)


def _held(s: State, seat: int) -> list[int]:
    """The cards of a hand, in order of their numbers."""
    place = s.place.tolist()
    return sorted(CARDS[card] for card in range(18 * seat, 18 * seat + 18) if not place[card])


def _floor(s: State) -> Zone:
    lying = [CARDS[lies - 1] if lies else -1 for lies in s.card.tolist()]
    cells = tuple(
        Cell(
            name,
            x=2 * (k % 7),
            y=2 * (k // 7),
            card=TEXT[lying[k]] if lying[k] >= 0 else "",
            marked=bool(CROSS >> k & 1),
        )
        for k, name in enumerate(CELLS)
    )
    filled = sum(card >= 0 for card in lying)
    return Zone("floor", _("Floor"), "lattice", count=filled, cells=cells, extent=(12, 8))


def _state(s: State) -> str:
    if not s.complete:
        return _("the cross is being laid")
    idle = int(s.idle)
    words = [_("the floor is being laid")]
    if not can_lay(s, int(s.seat)):
        words.append(_("no card in hand can be laid"))
    if idle:
        told = ngettext(
            "{n} turn without a card laid ({limit} end the game)",
            "{n} turns running without a card laid ({limit} end the game)",
            idle,
        )
        words.append(told.format(n=idle, limit=IDLE_TURNS))
    return "; ".join(words)


def view(s: State, seat: int) -> View:
    """Return what `seat` sees (-1: a spectator): all there is."""
    hands = [hand_of(owner, seat, texts(_held(s, owner)), int(s.held[owner])) for owner in range(2)]
    return view_of(s, seat, [_floor(s), *hands], [(_("cards in hand"), s.held)], _state(s), _clauses(s))


def _clauses(s: State) -> list[str]:
    """What the seat to move had better read now."""
    if not s.complete:
        return ["PAR 2.1", "PAR 2.2", "PAR 2.3"]
    if can_lay(s, int(s.seat)):
        return ["PAR 3.1", "PAR 3.2", "PAR 3.3"]
    return ["PAR 3.5", "PAR 4.4"] if can_go(s, int(s.seat)) else ["PAR 4.3"]


def way(s: State, move: int) -> Way:
    """Return how a hand makes a legal move: a card from the hand, or from its cell, to a cell."""
    if move == PASS:
        return Way()
    card, cell = move % SHIFT // 35, CELLS[move % 35]
    if move < SHIFT:
        return Way((hand_place(int(s.seat), TEXT[CARDS[card]]),), f"floor/{cell}")
    return Way((f"floor/{CELLS[s.place[card] - 1]}",), f"floor/{cell}")


def meant(s: State, takes: Sequence[str], puts: str) -> list[str]:
    """Return the move, legal or not, that a hand means which takes up one card and puts it on a cell.

    A bare touch of a card that lies means to take that up.
    """
    end = puts.removeprefix("floor/")
    if len(takes) > 1 or end == puts or end not in CELLS:
        return []
    zone, _slash, thing = (takes[0] if takes else puts).partition("/")
    if zone in ("hand:1", "hand:2") and thing in _CARDS:
        return [f"{thing}@{end}"]
    if zone == "floor" and thing in CELLS and (lies := int(s.card[CELLS.index(thing)])):
        return [f"{TEXT[CARDS[lies - 1]]}:{thing}>{end}"]
    return []
