"""Why a move of Parkett is refused: the clause and a sentence."""

from __future__ import annotations

from collections.abc import Iterator

from kartoteka.cards import SIX, name, rank_name
from kartoteka.core import State
from kartoteka.games.parkett.rules import ARMS, CARDS, CELLS, NEXT, PASS, SHIFT, THIRDS, can_lay, on_arm
from kartoteka.text import _, listed


def refuse(s: State, move: int) -> tuple[str, str]:
    """Return the clause and the reason why `move` is not legal in `s`."""
    if move == PASS:
        if s.stuck == 0:
            return "PAR 4.3", _("nobody passes here: whoever can neither lay nor move a card loses")
        return "PAR 4.3", _("only a player who can neither lay nor move a card passes")
    card, cell = move % SHIFT // 35, move % 35
    place = int(s.place[card]) - 1
    lays = bool(s.complete) and can_lay(s, int(s.seat))
    if card // 18 != s.seat:
        return "PAR 1.1" if move < SHIFT else "PAR 3.5", _("the {card} is a card of the other player").format(
            card=_name(card)
        )
    if move < SHIFT and place >= 0:
        return "PAR 3.1" if s.complete else "PAR 2.1", _(
            "the {card} lies on {cell} already, and a card is laid from the hand"
        ).format(card=_name(card), cell=CELLS[place])
    if move >= SHIFT and place < 0:
        return "PAR 3.5", _("the {card} is still in hand, and only a card that lies is moved").format(
            card=_name(card)
        )
    if move >= SHIFT and (lays or not s.complete):
        return "PAR 3.5", _("a card in your hand can be laid, so one must be, and none is moved")
    if cell == place:
        return "PAR 3.5", _("the {card} lies on {cell} already; a card is moved to another cell").format(
            card=_name(card), cell=CELLS[cell]
        )
    if s.card[cell]:
        return "PAR 3.1" if s.complete else "PAR 2.2", _("the {card} lies on {cell}; an empty cell is wanted").format(
            card=_name(s.card[cell] - 1), cell=CELLS[cell]
        )
    return _off_corner(s, card, cell, place) if s.complete else _off_cross(s, cell)


def _name(card: int) -> str:
    return name(CARDS[card])


def _off_cross(s: State, cell: int) -> tuple[str, str]:
    """Why a card in hand does not go on an empty cell before the cross is complete."""
    for arm, (inner, outer) in enumerate(ARMS.tolist()):
        if cell not in (inner, outer):
            continue
        if s.cross == 0 and on_arm(s, arm, int(s.seat)):
            return "PAR 2.1", _("you have a card on that arm already, and each player lays one on each arm")
        if not s.card[inner]:
            return "PAR 2.2", _("that arm is empty, and its first card goes on {inner}").format(inner=CELLS[inner])
        rank = int(s.card[inner] - 1) % 9
        return "PAR 2.3", _("next in rank to the {card} is only {ranks}").format(
            card=_name(s.card[inner] - 1), ranks=_ranks({(rank + 1) % 9, (rank - 1) % 9})
        )
    return "PAR 2.1", _("first the cross is laid, and {cell} is none of its cells: {cells}").format(
        cell=CELLS[cell], cells=" ".join(CELLS[c] for c in ARMS.flat)
    )


def _ranks(ranks: set[int]) -> str:
    return listed([rank_name(SIX + rank) for rank in sorted(ranks)])


def _corners(s: State, cell: int, lifted: int) -> Iterator[tuple[int, int]]:
    """The lying cards (the bend, the end) with which a cell makes an L, a card on `lifted` taken away."""
    for k in range(4):
        bend = int(NEXT[cell, k])
        for turn in (1, 3):
            end = int(NEXT[bend, (k + turn) % 4]) if bend >= 0 else -1
            if end >= 0 and lifted not in (bend, end) and s.card[bend] and s.card[end]:
                yield int(s.card[bend]) - 1, int(s.card[end]) - 1


def _off_corner(s: State, card: int, cell: int, lifted: int) -> tuple[str, str]:
    """Why a card makes no L on an empty cell."""
    corners = list(_corners(s, cell, lifted))
    if not corners:
        return "PAR 3.1", _("no two neighbouring cards make an L with {cell}").format(cell=CELLS[cell])
    wanted: set[int] = set()
    for bend, end in corners:
        thirds = set(THIRDS[s.order, bend % 9, end % 9].tolist()) - {-1}
        if card // 18 in (bend // 18, end // 18):
            wanted |= thirds
        elif card % 9 in thirds:
            return "PAR 3.3", _("the {bend} and the {end} are both of the other colour").format(
                bend=_name(bend), end=_name(end)
            )
    if wanted:
        return "PAR 3.2", _("the {card} makes no sequence on {cell}; of your cards only {ranks} would").format(
            card=_name(card), cell=CELLS[cell], ranks=_ranks(wanted)
        )
    return "PAR 3.2", _("no card of yours makes a sequence on {cell}").format(cell=CELLS[cell])
