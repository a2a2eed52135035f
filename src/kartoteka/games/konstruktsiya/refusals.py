"""Why a move of Konstruktsiya is refused: the clause and a sentence."""

from __future__ import annotations

from kartoteka.cards import KING, name, rank_name
from kartoteka.core import State
from kartoteka.games.konstruktsiya.geometry import COLUMN, END, LEVEL, NAMES, NEAR, NEARS, ROW, START, UPRIGHTS
from kartoteka.games.konstruktsiya.rules import BARRED, DISCARD, EMPTY, LARGE, PASS, SMALL, reach, shuts_in
from kartoteka.text import _

Refusal = tuple[str, str]


def refuse(s: State, move: int) -> Refusal:
    """Return the clause and the reason why `move` is not legal in `s`."""
    if move == DISCARD:
        return "KON 2.2", _("a king that brings a small piece is not discarded: move a small piece, or pass")
    if move == PASS:
        return "KON 2.1", _("the turned card is used or discarded; one passes only after a king that brings a piece")
    if move < LARGE:
        return _off_table(s, move) or _build(s, move)
    if move < SMALL:
        return _off_table(s, move - LARGE) or _large(s, move - LARGE)
    start, end = int(START[move - SMALL]), int(END[move - SMALL])
    return _off_table(s, start) or _off_table(s, end) or _small(s, start, end)


def _near(cell: int, kind: int = 0) -> list[int]:
    return [int(near) for near in NEAR[kind, cell, : NEARS[kind, cell]]]


def _off_table(s: State, cell: int) -> Refusal | None:
    sideways = int(cell >= UPRIGHTS)
    if COLUMN[cell] + sideways < s.columns and ROW[cell] + sideways <= s.height:
        return None
    if sideways:
        reason = _(
            "there is no {cell} on this table: sideways cards lie between columns a to {last}, rows 0 to {top}"
        )
    else:
        reason = _("there is no {cell} on this table: upright cards stand in columns a to {last}, rows 0 to {top}")
    last, top = NAMES[int(s.columns) - 1][0], int(s.height) - sideways
    return "KON 1.3", reason.format(cell=NAMES[cell], last=last, top=top)


def _build(s: State, cell: int) -> Refusal:
    sideways = cell >= UPRIGHTS
    clause = "KON 3.1" if sideways else "KON 3.2"
    if s.turned % 13 == KING:
        return "KON 3.3", _("a king is never built")
    if s.card[cell] != EMPTY:
        reason = _("a card is built on an empty cell, and on {cell} lies the {card}")
        return clause, reason.format(cell=NAMES[cell], card=name(int(s.card[cell])))
    if sideways:
        reason = _("a sideways card is laid beside an upright card, and none touches {cell}")
    elif all(s.card[near] == EMPTY for near in _near(cell) if near >= UPRIGHTS):
        reason = _("an upright card is laid beside a sideways card, and none touches {cell}")
    else:
        reason = _("the upright cards of a column touch each other, and none lies above or below {cell}")
    return clause, reason.format(cell=NAMES[cell])


def _large(s: State, cell: int) -> Refusal:
    start = int(s.large[s.seat])
    if s.king:
        return _king(s)
    if cell not in _near(start):
        reason = _("the large piece on {start} moves to a neighbouring card, and {cell} is not its neighbour")
        return "KON 4.2", reason.format(start=NAMES[start], cell=NAMES[cell])
    return _barred(s, cell, "KON 4.2")


def _king(s: State) -> Refusal:
    if s.king_moves:
        return "KON 5.1", _("after a king that brings a piece, move a small piece, or pass")
    reason = _("after a king, move the piece it has just put on {cell}, or pass")
    return "KON 5.1", reason.format(cell=NAMES[s.joker[s.seat]])


def _barred(s: State, cell: int, clause: str) -> Refusal:
    """Why no piece may enter a cell with the turned card."""
    if s.card[cell] == EMPTY:
        return clause, _("no card lies at {cell}").format(cell=NAMES[cell])
    if cell == s.joker[1 - s.seat]:
        return "KON 4.5", _("no piece enters the other player's joker")
    if s.enter[s.seat, cell] == BARRED:
        return "KON 4.4", _("an enemy piece stands on {cell}").format(cell=NAMES[cell])
    card, there = name(int(s.turned)), name(int(s.card[cell]))
    if s.turned % 13 == KING and not s.king:
        reason = _("with no piece in reserve the {card} counts as a queen, lower than the {there} at {cell}")
        return "KON 5.2", reason.format(card=card, there=there, cell=NAMES[cell])
    reason = _("the {card} is lower than the {there} at {cell}")
    return "KON 4.1", reason.format(card=card, there=there, cell=NAMES[cell])


def _small(s: State, start: int, end: int) -> Refusal:
    enemy = 1 - s.seat
    if start not in s.small[s.seat, : s.placed[s.seat]]:
        return "KON 4.3", _("no small piece of yours stands on {cell}").format(cell=NAMES[start])
    if s.king and not s.king_moves and start != s.joker[s.seat]:
        return _king(s)
    if s.enter[s.seat, end] > reach(s):
        return _barred(s, end, "KON 4.3")
    upward = bool(s.small_moves) and not s.king
    if not _way(s, start, end, upward, through=False):
        return _no_way(s, start, end, upward)
    if shuts_in(s, start, end, s.large[enemy]):
        reason = _("that would shut in the enemy's large piece on {cell}")
        return "KON 4.6", reason.format(cell=NAMES[s.large[enemy]])
    if shuts_in(s, start, end, s.joker[enemy]):
        reason = _("your pieces would stand on every card beside the enemy's joker {cell}")
        return "KON 4.7", reason.format(cell=NAMES[s.joker[enemy]])
    raise AssertionError(f"nothing bars {NAMES[start]}>>{NAMES[end]}")


def _way(s: State, start: int, end: int, upward: bool, through: bool) -> bool:
    """Whether three steps over cards no higher than the last lead to `end`; `through`: also over enemy pieces."""
    rank = s.enter[s.seat, end]

    def passable(cell: int) -> bool:
        if cell in (end, s.joker[s.seat]):
            return True
        if s.card[cell] == EMPTY or cell == s.joker[1 - s.seat] or s.card[cell] % 13 > rank:
            return False
        return through or bool(s.enter[s.seat, cell] != BARRED)

    met = {start}
    for _step in range(3):
        met |= {near for cell in met - {end} for near in _near(cell, int(upward)) if passable(near)}
    return end in met


def _no_way(s: State, start: int, end: int, upward: bool) -> Refusal:
    """Why no way leads to a card that may be entered (KON 4.3)."""
    if upward and LEVEL[end] <= LEVEL[start]:
        reason = _("a small piece moves upward, and {end} is not higher than {start}")
        return "KON 4.3", reason.format(start=NAMES[start], end=NAMES[end])
    if _way(s, start, end, upward, through=True):
        reason = _("a small piece does not pass over an enemy piece, and one stands in the way to {end}")
        return "KON 4.4", reason.format(end=NAMES[end])
    if end == s.joker[s.seat]:
        return "KON 4.3", _("a small piece stops on its own joker only straight from a neighbouring card")
    if upward:
        reason = _(
            "no upward way of one, two or three cards leads to {end} without passing one higher than the {rank}"
        )
    else:
        reason = _("no way of one, two or three cards leads to {end} without passing one higher than the {rank}")
    return "KON 4.3", reason.format(end=NAMES[end], rank=rank_name(int(s.card[end]) % 13))
