"""Why a move of Konstruktsiya is refused: the clause and a sentence."""

from __future__ import annotations

import numpy as np

from kartoteka.cards import JOKER, KING, name, rank_name
from kartoteka.engine.compiled import State
from kartoteka.games.konstruktsiya.geometry import (
    COLUMN, END, LEVEL, NAMES, NEAR, NEARS, ROW, START, UPRIGHTS,
)  # fmt: skip
from kartoteka.games.konstruktsiya.rules import (
    BARRED, DISCARD, EMPTY, LARGE, PASS, SMALL, reach, shuts_in,
)  # fmt: skip
from kartoteka.text import _

Refusal = tuple[str, str]


def refuse(s: State, move: int) -> Refusal:
    """Return the clause and the reason why `move` is not legal in `s`."""
    if move == DISCARD:
        return "KON 2.2", _("a king that brings a small piece is not discarded; move that piece, or pass")
    if move == PASS:
        return "KON 2.1", _(
            "the turned card must be used or discarded; one passes only after a king that brings a piece"
        )
    if move < LARGE:
        return _off_table(s, move) or _build(s, move)
    if move < SMALL:
        return _off_table(s, move - LARGE) or _large(s, move - LARGE)
    start, end = int(START[move - SMALL]), int(END[move - SMALL])
    return _off_table(s, start) or _off_table(s, end) or _small(s, start, end)


def _off_table(s: State, cell: int) -> Refusal | None:
    sideways = int(cell >= UPRIGHTS)
    if COLUMN[cell] + sideways < s.columns and ROW[cell] + sideways <= s.height:
        return None
    return "KON 1.3", _("{cell} is off this table: it has columns a to {last}, rows 0 to {top}, and sideways rows to one less").format(
        cell=NAMES[cell], last=NAMES[int(s.columns) - 1][0], top=int(s.height)
    )  # fmt: skip


def _build(s: State, cell: int) -> Refusal:
    sideways = cell >= UPRIGHTS
    clause = "KON 3.1" if sideways else "KON 3.2"
    if s.turned % 13 == KING:
        return "KON 3.3", _("a king is never built")
    if s.card[cell] != EMPTY:
        return clause, _("{cell} already holds the {card}").format(cell=NAMES[cell], card=name(int(s.card[cell])))
    if sideways:
        return clause, _("a sideways card is laid beside an upright card, and none touches {cell}").format(
            cell=NAMES[cell]
        )
    if all(s.card[c] == EMPTY for c in _near(cell) if c >= UPRIGHTS):
        return clause, _("an upright card is laid beside a sideways card, and none touches {cell}").format(
            cell=NAMES[cell]
        )
    return clause, _("the upright cards of a column touch each other, so {cell} needs one above or below it").format(
        cell=NAMES[cell]
    )


def _large(s: State, cell: int) -> Refusal:
    start = int(s.large[s.seat])
    if s.king:
        return _king(s)
    if cell not in _near(start):
        return "KON 4.2", _("the large piece on {start} moves to a neighbouring card, and {cell} does not touch it").format(
            start=NAMES[start], cell=NAMES[cell]
        )  # fmt: skip
    return _cannot_end(s, cell, "KON 4.2")


def _king(s: State) -> Refusal:
    if s.king_moves:
        return "KON 5.1", _("after a king that brings a piece one small piece moves, or you pass")
    return "KON 5.1", _("after a king the piece just placed on {cell} moves, or you pass").format(
        cell=NAMES[s.joker[s.seat]]
    )


def _cannot_end(s: State, cell: int, clause: str) -> Refusal:
    """Why no piece may enter a cell with the turned card."""
    enemy = 1 - s.seat
    if s.card[cell] == EMPTY:
        return clause, _("no card lies at {cell}").format(cell=NAMES[cell])
    if cell == s.joker[enemy]:
        return "KON 4.5", _("no piece enters the other player's joker")
    if s.enter[s.seat, cell] == BARRED:
        return "KON 4.4", _("an enemy piece stands on {cell}").format(cell=NAMES[cell])
    with_it = _("a king, here used as a queen,") if s.turned % 13 == KING and not s.king else _("the turned {card}")
    return "KON 4.1", _("{with_it} does not reach the {card} at {cell}").format(
        with_it=with_it.format(card=name(int(s.turned))), card=name(int(s.card[cell])), cell=NAMES[cell]
    )


def _small(s: State, start: int, end: int) -> Refusal:
    enemy = 1 - s.seat
    if start not in s.small[s.seat, : s.placed[s.seat]]:
        return "KON 4.3", _("no small piece of yours stands on {cell}").format(cell=NAMES[start])
    if s.king and not s.king_moves and start != s.joker[s.seat]:
        return _king(s)
    if s.enter[s.seat, end] > reach(s):
        return _cannot_end(s, end, "KON 4.3")
    upward = bool(s.small_moves) and not s.king
    rank = int(s.enter[s.seat, end])
    if not _way(s, start, end, rank, upward, False):
        return _no_way(s, start, end, rank, upward)
    if shuts_in(s, start, end, int(s.large[enemy])):
        return "KON 4.6", _("a small piece may not shut in the enemy's large piece on {cell}").format(
            cell=NAMES[s.large[enemy]]
        )
    return "KON 4.7", _("your pieces may not stand on every card beside the enemy's joker {cell}").format(
        cell=NAMES[s.joker[enemy]]
    )


def _no_way(s: State, start: int, end: int, rank: int, upward: bool) -> Refusal:
    where = {"start": NAMES[start], "end": NAMES[end]}
    if upward and LEVEL[end] <= LEVEL[start]:
        return "KON 4.3", _("a small piece moves upward here, and {end} is not above {start}").format(**where)
    if _way(s, start, end, rank, upward, True):
        return "KON 4.4", _("enemy pieces stand in the way from {start} to {end}").format(**where)
    if s.card[end] == JOKER:
        return "KON 4.3", _("a small piece stops on its joker only straight from a neighbouring card")
    if upward:
        return "KON 4.3", _("no upward way of at most three cards leads from {start} to {end} without passing a card above the {card}").format(
            card=rank_name(rank), **where
        )  # fmt: skip
    return "KON 4.3", _("no way of at most three cards leads from {start} to {end} without passing a card above the {card}").format(
        card=rank_name(rank), **where
    )  # fmt: skip


def _way(s: State, start: int, end: int, rank: int, upward: bool, through: bool) -> bool:
    """Whether three steps over cards no higher than `rank` lead to `end`; `through`: also over enemy pieces."""
    enemy_joker = s.joker[1 - s.seat]
    met = {start}
    for _step in range(3):
        met |= {c for cell in met for c in _near(cell, int(upward)) if c == end or (
            c != enemy_joker and s.card[c] not in (EMPTY, JOKER) and s.card[c] % 13 <= rank
            and (through or s.enter[s.seat, c] != BARRED)
        ) or (c == s.joker[s.seat])}  # fmt: skip
        if end in met:
            return True
    return False


def _near(cell: int, kind: int = 0) -> list[int]:
    near: list[int] = np.asarray(NEAR[kind, cell, : NEARS[kind, cell]]).tolist()
    return near
