"""What a seat sees of Abroasta (rules, "Who sees what"), and how a hand makes its moves."""

from __future__ import annotations

from collections.abc import Sequence

from kartoteka.cards import ACE, KING, TEXT, counted, rank_name, texts
from kartoteka.core import State
from kartoteka.engine.view import View, Way, Zone, from_hand, hand_of, hand_place, number_at, view_of
from kartoteka.games.abroasta.rules import DEAD, EMPTY, PASS
from kartoteka.text import _


def _taken_by_king(s: State, owner: int) -> bool:
    """Whether the next card on a row is a king that takes it (ABR 2.4, 2.5)."""
    return bool(s.need[owner] == KING and (s.king_takes == 1 or s.row[owner, 0] % 13 == ACE))


def _row(s: State, owner: int) -> Zone:
    cards = texts(s.row[owner, : s.length[owner]].tolist())
    need = int(s.need[owner])
    if need == EMPTY:
        note = _("no row open")
    elif need == DEAD:
        note = _("dead: nothing is laid on that ace")
    elif _taken_by_king(s, owner):
        note = _("next: king, which takes the row")
    else:
        note = _("next: {rank}").format(rank=rank_name(need))
    label = _("Row of seat {seat}").format(seat=owner + 1)
    marks = ("dead",) if need == DEAD else ()
    return Zone(f"row:{owner + 1}", label, "row", owner + 1, cards, len(cards), (note,), marks=marks)


def _taken(s: State, k: int) -> Zone:
    owner = int(s.won_by[k]) + 1
    cards = texts(s.won[k, : s.won_length[k]].tolist())
    return Zone(f"taken:{k + 1}", _("Taken by seat {seat}").format(seat=owner), "pile", owner, cards, len(cards))


def census(s: State) -> list[int]:
    """Return every card, wherever it lies."""
    cards = counted((s.hand.sum(axis=0) + s.gone + s.aside).tolist())
    for owner in range(s.players):
        cards += s.row[owner, : s.length[owner]].tolist()
    return cards


def _clauses(s: State) -> list[str]:
    """Return the clauses that matter to the seat to move."""
    clauses = ["ABR 2.1" if s.need[s.seat] == EMPTY else "ABR 2.2"]
    if any(_taken_by_king(s, owner) for owner in range(s.players)):
        clauses.append("ABR 2.5" if s.king_takes == 1 else "ABR 2.4")
    return [*clauses, "ABR 3.2"]


def view(s: State, seat: int) -> View:
    """Return what `seat` sees (-1: a spectator): its own hand; rows, rows taken and cards aside are everyone's."""
    players = int(s.players)
    zones = [_row(s, owner) for owner in range(players)]
    zones += [_taken(s, k) for k in range(int(s.took.sum()))]
    aside = texts(counted(s.aside.tolist()))
    if aside:
        zones.append(Zone("aside", _("Set aside"), "pile", 0, aside, len(aside)))
    for owner in range(players):
        held = texts(counted(s.hand[owner].tolist())) if owner == seat else ()
        zones.append(hand_of(owner, seat, held, int(s.held[owner])))
    took = s.took[:players].tolist()
    facts = ((_("rows taken"), took), (_("points"), [13 * n for n in took]))
    return view_of(s, seat, zones, facts, clauses=_clauses(s))


def way(s: State, move: int) -> Way:
    """Return how a hand makes a legal move: it lays a card on a row; a pass needs none."""
    if move == PASS:
        return Way()
    owner, card = divmod(move, 52)
    return Way((hand_place(s.seat, TEXT[card]),), f"row:{owner + 1}")


def meant(s: State, takes: Sequence[str], puts: str) -> list[str]:
    """Return the moves, legal or not, that a hand could have meant which took up `takes` and went to `puts`."""
    cards, owner = from_hand(takes, s.seat), number_at(puts, "row:")
    if cards == [] and not puts:
        return ["pass"]
    return [f"{cards[0]}@{owner}"] if cards and len(cards) == 1 and owner else []
