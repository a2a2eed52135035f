"""What a seat sees of Parkett (rules, "Seen by whom"): everything."""

from __future__ import annotations

from kartoteka.cards import texts
from kartoteka.engine.compiled import State
from kartoteka.engine.view import Cell, View, Zone, hand_of, view_of
from kartoteka.games.parkett.rules import CARDS, CELLS, CROSS, IDLE_TURNS, can_lay
from kartoteka.text import _, ngettext


def census(s: State) -> list[int]:
    """Return the number of every card, wherever it lies."""
    return [CARDS[lies - 1] for lies in s.card.tolist() if lies] + _held(s, 0) + _held(s, 1)


def _held(s: State, seat: int) -> list[int]:
    """The cards of a hand, in order of their numbers."""
    return sorted(CARDS[card] for card in range(18 * seat, 18 * seat + 18) if not s.place[card])


def _floor(s: State) -> Zone:
    lying = [CARDS[lies - 1] if lies else -1 for lies in s.card.tolist()]
    cells = tuple(
        Cell(
            name,
            x=2 * (k % 7),
            y=2 * (k // 7),
            card="".join(texts(lying[k : k + 1])) if lying[k] >= 0 else "",
            marked=bool(CROSS >> k & 1),
        )
        for k, name in enumerate(CELLS)
    )
    return Zone("floor", _("Floor"), "lattice", count=sum(card >= 0 for card in lying), cells=cells)


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
    return view_of(s, seat, [_floor(s), *hands], [(_("cards in hand"), s.held)], _state(s))
