"""What a seat sees of Abroasta (rules, "Who sees what")."""

from __future__ import annotations

from kartoteka.cards import counted, rank_name, texts
from kartoteka.engine.compiled import State
from kartoteka.engine.view import View, Zone, hand_of, view_of
from kartoteka.games.abroasta.rules import DEAD, EMPTY
from kartoteka.text import _


def _row(s: State, owner: int) -> Zone:
    cards = texts(s.row[owner, : s.length[owner]].tolist())
    need = int(s.need[owner])
    if need == EMPTY:
        note = _("no row open")
    elif need == DEAD:
        note = _("dead: nothing is laid on that ace")
    else:
        note = _("next: {rank}").format(rank=rank_name(need))
    label = _("Row of seat {seat}").format(seat=owner + 1)
    return Zone(f"row:{owner + 1}", label, "row", owner + 1, cards, len(cards), (note,))


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
    return view_of(s, seat, zones, ((_("rows taken"), took), (_("points"), [13 * n for n in took])))
