"""What a seat sees of Konstruktsiya (rules, "Seen by whom"): everything except the order of the stock."""

from __future__ import annotations

from kartoteka.cards import JOKER, TEXT, name, texts
from kartoteka.engine.compiled import State
from kartoteka.engine.view import Cell, View, Zone, view_of
from kartoteka.games.konstruktsiya.geometry import CELLS, COLUMN, LEVEL, NAMES, ROW, UPRIGHTS
from kartoteka.games.konstruktsiya.rules import EMPTY, PIECES
from kartoteka.text import _


def _pieces(s: State, cell: int) -> tuple[str, ...]:
    """``B`` and ``R`` are the large pieces of black and red, ``b`` and ``r`` the small ones."""
    found: list[str] = []
    for seat, letter in enumerate("BR"):
        if s.large[seat] == cell:
            found.append(letter)
        found += letter.lower() * s.small[seat, : s.placed[seat]].tolist().count(cell)
    return tuple(found)


def _cell(s: State, cell: int) -> Cell:
    sideways = cell >= UPRIGHTS
    card = int(s.card[cell])
    return Cell(
        name=NAMES[cell],
        x=2 * int(COLUMN[cell]) + sideways,
        y=int(LEVEL[cell]),
        card="" if card == EMPTY else TEXT[card],
        sideways=sideways,
        pieces=_pieces(s, cell),
        marked=card == JOKER or (not sideways and int(ROW[cell]) == int(s.height)),
    )


def view(s: State, seat: int) -> View:
    """Return what `seat` sees (-1: a spectator): the cards on the table and the cells where one can be built."""
    open_cells = set(s.open[: s.opens].tolist())
    cells = tuple(_cell(s, c) for c in range(CELLS) if s.card[c] != EMPTY or c in open_cells)
    turned = () if s.turned == EMPTY else (TEXT[int(s.turned)],)
    discards = texts(s.discards[: s.discarded].tolist())
    filled = sum(1 for cell in cells if cell.card)
    pieces = _("B, b: large and small pieces of black, seat 1; R, r: of red, seat 2")
    zones = (
        Zone("track", _("Track"), "lattice", count=filled, notes=(pieces,), cells=cells),
        Zone("turned", _("Turned card"), "row", int(s.seat) + 1 if turned else 0, turned, len(turned)),
        Zone("stock", _("Stock"), "stock", count=int(s.stocked - s.used)),
        Zone("discards", _("Discards"), "pile", 0, discards, len(discards)),
    )
    facts = ((_("pieces in reserve"), PIECES - s.placed), (_("been to the top row"), s.been_up))
    return view_of(s, seat, zones, facts, _state(s))


def _state(s: State) -> str:
    said = []
    if s.to_shuffle or s.turned == EMPTY:
        said.append(_("the stock is used up"))
    else:
        card = name(int(s.turned))
        said.append((_("for black: {card}") if s.seat == 0 else _("for red: {card}")).format(card=card))
    if s.king:
        said.append(_("a small piece may move") if s.king_moves else _("the piece it brought may move"))
    said.append(_("reshuffles: {n} of {all}").format(n=int(s.reshuffled), all=int(s.reshuffles)))
    return "; ".join(said)


def census(s: State) -> list[int]:
    """Return every card, wherever it lies."""
    cards = [c for c in s.card.tolist() if c != EMPTY]
    cards += s.stock[s.used : s.stocked].tolist() + s.discards[: s.discarded].tolist()
    return cards + ([] if s.turned == EMPTY else [int(s.turned)])
