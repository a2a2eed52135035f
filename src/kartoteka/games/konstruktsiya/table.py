"""What a seat sees of Konstruktsiya (rules, "Seen by whom"): everything except the order of the stock."""

from __future__ import annotations

from collections.abc import Sequence

from kartoteka.cards import ACE, JOKER, KING, TEXT, name, rank_name, texts
from kartoteka.core import State
from kartoteka.engine.view import Cell, View, Way, Zone, view_of
from kartoteka.games.konstruktsiya.geometry import (
    COLUMN,
    END,
    LEVEL,
    NAMES,
    NUMBERS,
    ROW,
    START,
    UPRIGHTS,
)
from kartoteka.games.konstruktsiya.rules import DISCARD, EMPTY, LARGE, PASS, PIECES, SMALL
from kartoteka.text import _


def _pieces(s: State) -> dict[int, str]:
    """The pieces on each cell: ``B`` and ``R`` are the large ones of black and red, ``b`` and ``r`` small ones."""
    found: dict[int, str] = {}
    for seat, letter in enumerate("BR"):
        large, small = int(s.large[seat]), s.small[seat, : s.placed[seat]].tolist()
        found[large] = found.get(large, "") + letter
        for cell in small:
            found[cell] = found.get(cell, "") + letter.lower()
    return found


def _cell(s: State, cell: int, card: int, pieces: str) -> Cell:
    sideways = cell >= UPRIGHTS
    return Cell(
        name=NAMES[cell],
        x=2 * int(COLUMN[cell]) + sideways,
        y=int(LEVEL[cell]),
        card="" if card == EMPTY else TEXT[card],
        sideways=sideways,
        pieces=tuple(pieces),
        marked=card == JOKER or (not sideways and int(ROW[cell]) == int(s.height)),
    )


def view(s: State, seat: int) -> View:
    """Return what `seat` sees (-1: a spectator): the cards on the table and the cells where one can be built."""
    open_cells = set(s.open[: s.opens].tolist())
    standing = _pieces(s)
    cells = tuple(
        _cell(s, cell, card, standing.get(cell, ""))
        for cell, card in enumerate(s.card.tolist()) if card != EMPTY or cell in open_cells
    )  # fmt: skip
    turned = () if s.turned == EMPTY else (TEXT[int(s.turned)],)
    discards = texts(s.discards[: s.discarded].tolist())
    filled = sum(1 for cell in cells if cell.card)
    pieces = _("B, b: large and small pieces of black, seat 1; R, r: of red, seat 2")
    zones = (
        Zone("track", _("Track"), "lattice", count=filled, notes=(pieces,), cells=cells, extent=_extent(s)),
        Zone("turned", _("Turned card"), "row", int(s.seat) + 1 if turned else 0, turned, len(turned), _use(s)),
        Zone("stock", _("Stock"), "stock", count=int(s.stocked - s.used)),
        Zone("discards", _("Discards"), "pile", 0, discards, len(discards)),
    )
    facts = ((_("pieces in reserve"), PIECES - s.placed), (_("been to the top row"), s.been_up))
    return view_of(s, seat, zones, facts, _state(s), _clauses(s))


def _extent(s: State) -> tuple[int, int]:
    return 2 * int(s.columns) - 2, 2 * int(s.height)


def _use(s: State) -> tuple[str, ...]:
    """What the turned card is good for, in words."""
    rank = int(s.turned) % 13
    if s.turned == EMPTY:
        return ()
    if s.king:
        return (_("brings a small piece, which may move up to three cards"),)
    if rank == KING:
        return (_("no piece is left in reserve, so it moves pieces as a queen would"),)
    if rank == ACE:
        return (_("lets a piece enter any card"),)
    return (_("lets a piece enter a joker or a card up to the {rank}").format(rank=rank_name(rank)),)


def _clauses(s: State) -> list[str]:
    """What the seat to move had better read now."""
    if s.king:
        return ["KON 5.1", "KON 4.3"]
    if s.turned % 13 == KING:
        return ["KON 5.2", "KON 4.1"]
    return ["KON 3.1", "KON 3.2", "KON 4.1"]


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


def way(s: State, move: int) -> Way:
    """Return how a hand makes a legal move: it builds or discards the turned card, or moves a piece."""
    turned = (f"turned/{TEXT[int(s.turned)]}",)
    if move < LARGE:
        return Way(turned, f"track/{NAMES[move]}")
    if move < SMALL:
        return Way((f"track/{NAMES[s.large[s.seat]]}/{'BR'[s.seat]}",), f"track/{NAMES[move - LARGE]}")
    if move < DISCARD:
        start, end = NAMES[START[move - SMALL]], NAMES[END[move - SMALL]]
        return Way((f"track/{start}/{'br'[s.seat]}",), f"track/{end}")
    return Way() if move == PASS else Way(turned, "discards")


def meant(s: State, takes: Sequence[str], puts: str) -> list[str]:
    """Return the moves, legal or not, that a hand can mean which takes up a card or a piece and puts it somewhere.

    A bare touch means the turned card; a card of the track, whatever piece stands on it.
    """
    if len(takes) > 1 or s.turned == EMPTY:
        return []
    end, turned = _on_track(puts), f"turned/{TEXT[int(s.turned)]}"
    taken = takes[0] if takes else turned
    if taken == turned:
        return ["discard"] if puts == "discards" else [f"={end}"] if end else []
    start, piece = _on_track(taken), taken.split("/")[2:]
    if not (start and end):
        return []
    moves = []
    if start == NAMES[s.large[s.seat]] and piece in ([], ["BR"[s.seat]]):
        moves.append(f"{start}>{end}")
    return moves if piece == ["BR"[s.seat]] else [*moves, f"{start}>>{end}"]


def _on_track(place: str) -> str:
    """Return the cell of a place from outside, which may be that of a piece on it; '' if it is none."""
    zone, _slash, thing = place.partition("/")
    cell = thing.partition("/")[0]
    return cell if zone == "track" and cell in NUMBERS else ""


def census(s: State) -> list[int]:
    """Return every card, wherever it lies."""
    cards = [c for c in s.card.tolist() if c != EMPTY]
    cards += s.stock[s.used : s.stocked].tolist() + s.discards[: s.discarded].tolist()
    return cards + ([] if s.turned == EMPTY else [int(s.turned)])
