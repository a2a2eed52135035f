"""What a seat sees of Abroasta (rules, "Who sees what")."""

from __future__ import annotations

from kartoteka.cards import TEXT, UNSEEN, rank_name, texts
from kartoteka.engine.compiled import State
from kartoteka.engine.view import Fact, View, Zone
from kartoteka.games.abroasta.rules import DEAD, EMPTY
from kartoteka.text import _


def _copies(counts: list[int]) -> tuple[str, ...]:
    return texts(card for card, n in enumerate(counts) for _copy in range(n))


def _hand(s: State, owner: int, seat: int) -> Zone:
    held = int(s.held[owner])
    cards = _copies(s.hand[owner].tolist()) if owner == seat else (TEXT[UNSEEN],) * held
    label = _("Your hand") if owner == seat else _("Hand of seat {seat}").format(seat=owner + 1)
    return Zone(f"hand:{owner + 1}", label, "hand", owner + 1, cards, held)


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


def census(s: State) -> list[int]:
    """Return every card, wherever it lies."""
    counts = s.hand.sum(axis=0) + s.gone + s.aside
    cards = [card for card in range(52) for _copy in range(int(counts[card]))]
    for owner in range(s.players):
        cards += s.row[owner, : s.length[owner]].tolist()
    return cards


def view(s: State, seat: int) -> View:
    """Return what `seat` sees (-1: a spectator): its own hand; rows, rows taken and cards aside are everyone's."""
    players = int(s.players)
    zones = [_row(s, owner) for owner in range(players)]
    for name, label, counts in (
        ("taken", _("Rows taken"), s.gone.tolist()),
        ("aside", _("Set aside"), s.aside.tolist()),
    ):
        cards = _copies(counts)
        if cards:
            zones.append(Zone(name, label, "pile", 0, cards, len(cards)))
    zones += [_hand(s, owner, seat) for owner in range(players)]
    took = tuple(int(n) for n in s.took[:players])
    return View(
        seat=seat + 1,
        players=players,
        dealer=int(s.dealer) + 1,
        ply=int(s.ply),
        turn=0 if s.over else int(s.seat) + 1,
        state="",
        zones=tuple(zones),
        facts=(Fact(_("rows taken"), took), Fact(_("points"), tuple(13 * n for n in took))),
    )
