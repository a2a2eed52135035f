"""What a seat sees of Khvostiki (rules, "Who sees what"); how a hand makes its moves stands in ``ways``."""

from __future__ import annotations

from typing import Literal

from kartoteka.cards import JOKER, TEXT, counted, glyph, texts
from kartoteka.core import State
from kartoteka.engine.view import View, Zone, hand_of, view_of
from kartoteka.games.khvostiki.state import column, members, stands_for
from kartoteka.games.khvostiki.ways import meant, way
from kartoteka.text import _, listed, ngettext

__all__ = ["census", "meant", "view", "way"]


def _row_cards(s: State, row: int) -> list[tuple[int, int]]:
    """Return the cards of a row with the seat in whose house each lies: a run from its low end, a set by suit."""
    kind, start, length, owner = (int(x[row]) for x in (s.kind, s.start, s.length, s.owner))
    if kind < 4:
        ranks = [(start + k) % 13 for k in range(length)]
        jokers = int(s.jokers[row])
        return [
            (JOKER, owner) if jokers >> rank & 1 else (13 * kind + rank, int(s.house[row, rank])) for rank in ranks
        ]
    naturals = [(13 * suit + kind - 4, int(s.house[row, suit])) for suit in range(4) if start >> suit & 1]
    return naturals + [(JOKER, owner)] * int(s.jokers[row])


def _stands(s: State, row: int) -> tuple[str, ...]:
    """Return what the joker at each place of a row stands for; in a set only the one suit that is left tells."""
    kind, start, length, jokers = (int(x[row]) for x in (s.kind, s.start, s.length, s.jokers))
    if not jokers:
        return ()
    if kind < 4:
        ranks = [(start + k) % 13 for k in range(length)]
        return tuple(TEXT[13 * kind + rank] if jokers >> rank & 1 else "" for rank in ranks)
    last = texts(members(column(kind - 4, 15 & ~start)))
    return ("", "", "", *last) if len(last) == 1 else ()


def _glyphs(cards: int, word: Literal["and", "or"] = "or") -> str:
    return listed([glyph(card) for card in members(cards)], word)


def _row(s: State, row: int) -> Zone:
    lying = _row_cards(s, row)
    kind, owner, jokers = int(s.kind[row]), int(s.owner[row]), int(s.jokers[row])
    notes = []
    if jokers and kind < 4:
        notes.append(_("joker for {cards}").format(cards=_glyphs(jokers << 16 * kind, "and")))
    elif jokers:
        notes.append(_("joker for {cards}").format(cards=_glyphs(column(kind - 4, 15 & ~int(s.start[row])))))
    if s.fresh[row]:  # KHV 3.3
        older = _glyphs(stands_for(s, row))
        notes.append(
            _("in this turn exchanged only for {cards}").format(cards=older)
            if older
            else _("not exchanged in this turn")
        )
    if s.want[row]:
        notes.append(_("open to {cards}").format(cards=_glyphs(int(s.want[row]))))
    return Zone(
        f"row:{row + 1}",
        _("Row {row} of seat {seat}").format(row=row + 1, seat=owner + 1),
        "row",
        owner + 1,
        texts(card for card, _house in lying),
        len(lying),
        tuple(notes),
        tuple(house + 1 for _card, house in lying),
        stands=_stands(s, row),
        marks=("run",) if kind < 4 else ("set",),
    )


def _hand(s: State, owner: int, seat: int) -> Zone:
    counts = s.hand if owner == seat else s.known
    known = texts(counted(s.known[owner].tolist()))
    return hand_of(owner, seat, texts(counted(counts[owner].tolist())), int(s.held[owner]), shown=known)


def _state(s: State) -> str:
    words = []
    if s.last:
        words.append(_("the last turn of the deal"))
    if s.duty == JOKER + 1:
        words.append(_("the joker taken must be laid"))
    elif s.duty:
        words.append(_("{card} from the tail must be laid").format(card=glyph(int(s.duty) - 1)))
    return "; ".join(words)


def _clauses(s: State) -> list[str]:
    """Return the clauses that matter to the seat to move: its duty, the last turn, or what a turn is made of."""
    if s.duty:
        return ["KHV 3.3", "KHV 3.2"] if s.duty == JOKER + 1 else ["KHV 4.3", "KHV 2.4"]
    return ["KHV 4.2", "KHV 4.3", "KHV 5.1" if s.last else "KHV 4.4"]


def view(s: State, seat: int) -> View:
    """Return what `seat` sees (-1: a spectator).

    That is its own hand, of the others' hands what was taken from the tail, rows and houses, the tail, and how
    many cards lie in the stock.
    """
    players = int(s.players)
    left, bottom = int(s.stock_length - s.drawn), int(s.bottom)
    notes = []
    if bottom:  # KHV 1.3
        notes.append(ngettext("a joker at the bottom", "{n} jokers at the bottom", bottom).format(n=bottom))
    tail = texts(s.tail[: s.tail_length].tolist())
    zones = [_row(s, row) for row in range(s.rows)]
    zones.append(Zone("tail", _("Tail"), "fan", 0, tail, len(tail)))
    zones.append(Zone("stock", _("Stock"), "stock", 0, (), left, tuple(notes)))
    zones += [_hand(s, owner, seat) for owner in range(players)]
    facts = ((_("points in the house"), s.points[:players]), (_("cards in hand"), s.held[:players]))
    return view_of(s, seat, zones, facts, _state(s), _clauses(s))


def census(s: State) -> list[int]:
    """Return every card wherever it lies."""
    cards = [card for row in range(s.rows) for card, _house in _row_cards(s, row)]
    cards += s.tail[: s.tail_length].tolist() + s.stock[s.drawn : s.stock_length].tolist()
    for owner in range(s.players):
        cards += counted(s.hand[owner].tolist())
    return cards
