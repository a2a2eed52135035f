"""Konstruktsiya: a slow, plain reference model of one game, written from the rules text alone.

Legal moves are found by trying every cell of the lattice (building) and every path of one to
three cards (pieces) against the clauses.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

RANKS = "23456789TJQKA"
JOKER_RANK = -1  # KON 4.1: below the 2
BLACK, RED = 1, 2


@dataclass(frozen=True)
class Cell:
    """A cell of the lattice: one column letter if upright, two if sideways (KON 1.3)."""

    columns: str
    row: int

    @property
    def upright(self) -> bool:
        return len(self.columns) == 1

    @property
    def level(self) -> float:
        """KON 4.3 with small_moves=up: a sideways card is half a row above the lower of its rows."""
        return self.row if self.upright else self.row + 0.5

    def __str__(self) -> str:
        return f"{self.columns}{self.row}"


def parse_cell(text: str) -> Cell:
    columns = text.rstrip("0123456789")
    return Cell(columns, int(text[len(columns) :]))


def beside(sideways: Cell, upright: Cell) -> bool:
    """Whether a sideways cell touches an upright one: cd3 touches c3, c4, d3 and d4 (KON 1.3)."""
    return upright.columns in sideways.columns and upright.row in (sideways.row, sideways.row + 1)


def touch(one: Cell, other: Cell) -> bool:
    """KON 1.4."""
    if one.upright and other.upright:
        return one.columns == other.columns and abs(one.row - other.row) == 1
    if one.upright != other.upright:
        return beside(other, one) if one.upright else beside(one, other)
    return False  # two sideways cards never touch


class Model:
    """One game of Konstruktsiya; seat 1 is black, seat 2 red."""

    def __init__(self, players: int, options: dict[str, object], deck: list[str], dealer: int) -> None:
        if players != 2 or len(deck) != 156:
            raise ValueError("KON 1.1: two players, 156 cards")
        columns, height, limit = options["columns"], options["height"], options["reshuffles"]
        assert isinstance(columns, int)
        assert isinstance(height, int)
        assert isinstance(limit, int)
        self.columns = "abcdefgh"[:columns]
        self.height = height
        self.reshuffle_limit = limit
        self.gaps = options["gaps"] is True
        self.only_up = options["small_moves"] == "up"
        self.king_moves_any = options["king_moves"] == "any"

        middle = columns // 2  # the jokers lie in the middle two columns
        self.joker = {
            BLACK: Cell(self.columns[middle - 1], 0),
            RED: Cell(self.columns[middle], 0),
        }
        self.track: dict[Cell, int] = dict.fromkeys(self.joker.values(), JOKER_RANK)
        self.large = dict(self.joker)
        self.small: dict[int, list[Cell]] = {BLACK: [], RED: []}
        self.reserve = {BLACK: 6, RED: 6}
        self.been_up = {BLACK: False, RED: False}
        self.adjacent = self._adjacency()

        self.stock = list(deck)
        self.discards: list[str] = []
        self.turned = ""
        self.placed = False  # the turned card is a king that has placed a piece (KON 5.1)
        self.reshuffles = 0
        self.progress = False  # KON 2.4: a card built or a large piece moved since the reshuffle
        self.waiting = False  # the discards wait to be reshuffled
        self.seat = BLACK
        self.over = False
        self.winner: int | None = None
        self._turn_card()

    # The table

    def _all_cells(self) -> list[Cell]:
        """KON 1.3: uprights in rows 0 to the top, sideways between neighbours in rows 0 to one less."""
        cells = [Cell(column, row) for column in self.columns for row in range(self.height + 1)]
        for left, right in pairwise(self.columns):
            cells += [Cell(left + right, row) for row in range(self.height)]
        return cells

    def _adjacency(self) -> dict[Cell, list[Cell]]:
        cells = self._all_cells()
        return {one: [other for other in cells if touch(one, other)] for one in cells}

    def _next_to(self, cell: Cell) -> list[Cell]:
        """The neighbouring cells on which a card lies."""
        return [other for other in self.adjacent[cell] if other in self.track]

    def _pieces(self, seat: int) -> set[Cell]:
        return {self.large[seat], *self.small[seat]}

    # Turning cards

    def _turn_card(self) -> None:
        """KON 2.1 and, for a king, the placing of KON 5.1."""
        self.turned = self.stock.pop(0)
        self.seat = BLACK if self.turned[1] in "cs" else RED
        self.placed = self.turned[0] == "K" and self.reserve[self.seat] > 0
        if self.placed:
            self.reserve[self.seat] -= 1
            self.small[self.seat].append(self.joker[self.seat])

    def _next_card(self) -> None:
        """KON 2.3, 2.4: turn the next card, or see what the end of the stock brings."""
        if self.stock:
            self._turn_card()
        elif self.reshuffles >= self.reshuffle_limit or not self.discards or not self.progress:
            self.over = True  # drawn
        else:
            self.waiting = True

    def _power(self) -> int:
        """The rank with which the turned card moves pieces."""
        if self.turned[0] == "K" and not self.placed:
            return RANKS.index("Q")  # KON 5.2; such a move is no king's move by KON 5.1
        return RANKS.index(self.turned[0])

    # Building

    def _may_build(self, cell: Cell) -> bool:
        if self.turned[0] == "K" or cell in self.track:
            return False  # KON 3.3; the cell must be empty
        lying = self._next_to(cell)
        if not cell.upright:
            return bool(lying)  # KON 3.1: the neighbours of a sideways cell are all upright
        if not any(not other.upright for other in lying):
            return False  # KON 3.2: beside at least one sideways card
        first = not any(other.upright and other.columns == cell.columns for other in self.track)
        return self.gaps or first or any(other.upright for other in lying)

    # Moving

    def _may_enter(self, seat: int, cell: Cell) -> bool:
        """Whether a piece of the seat may enter a neighbouring track card, ranks aside (KON 4.4, 4.5)."""
        enemy = 3 - seat
        return cell not in self._pieces(enemy) and cell != self.joker[enemy]

    def _large_targets(self) -> list[Cell]:
        """KON 4.1, 4.2, 4.4, 4.5."""
        return [
            cell
            for cell in self._next_to(self.large[self.seat])
            if self._may_enter(self.seat, cell) and self.track[cell] <= self._power()
        ]

    def _paths(self, path: list[Cell]) -> Iterator[list[Cell]]:
        """Every way on from the path (its first cell is where the piece stands), up to three steps,
        entering no card twice, nor a card the piece may not enter (KON 4.3, 4.4, 4.5).
        """
        if len(path) == 4:
            return
        for cell in self._next_to(path[-1]):
            if cell not in path and self._may_enter(self.seat, cell):
                yield [*path, cell]
                yield from self._paths([*path, cell])

    def _path_allowed(self, path: list[Cell]) -> bool:
        """KON 4.3: heights of the cards passed, reach of the turned card, option small_moves."""
        stop = self.track[path[-1]]
        if any(self.track[cell] > stop for cell in path[1:-1]) or stop > self._power():
            return False
        if self.only_up and not self.placed:  # a king's move by KON 5.1 goes any way
            return all(a.level < b.level for a, b in pairwise(path))
        return True

    def _shut_in(self, seat: int) -> bool:
        """KON 4.6: the seat's large piece has neighbouring cards, but may enter none of them."""
        lying = self._next_to(self.large[seat])
        return bool(lying) and not any(self._may_enter(seat, cell) for cell in lying)

    def _shut_out(self, seat: int) -> bool:
        """KON 4.7: cards lie next to the seat's joker, all occupied by the other's pieces."""
        lying = self._next_to(self.joker[seat])
        return bool(lying) and all(cell in self._pieces(3 - seat) for cell in lying)

    def _blocks(self, start: Cell, stop: Cell) -> bool:
        """Whether a small move would newly break KON 4.6 or 4.7: try it and look."""
        enemy = 3 - self.seat
        before_in, before_out = self._shut_in(enemy), self._shut_out(enemy)
        mine = self.small[self.seat]
        self.small[self.seat] = [*mine, stop]
        self.small[self.seat].remove(start)
        after_in, after_out = self._shut_in(enemy), self._shut_out(enemy)
        self.small[self.seat] = mine
        return (after_in and not before_in) or (after_out and not before_out)

    def _small_moves(self) -> Iterator[tuple[Cell, Cell]]:
        starts = set(self.small[self.seat])
        if self.placed and not self.king_moves_any:
            starts = {self.joker[self.seat]}  # KON 5.1: the piece just placed
        for start in starts:
            stops = {path[-1] for path in self._paths([start]) if self._path_allowed(path)}
            for stop in stops:
                if not self._blocks(start, stop):
                    yield start, stop

    # Playing

    def legal(self) -> set[str]:
        """Every legal move in canonical notation (none while a reshuffle is awaited)."""
        if self.over or self.waiting:
            return set()
        moves = {f"{start}>>{stop}" for start, stop in self._small_moves()}
        if self.placed:
            return moves | {"pass"}  # KON 2.2, 5.1
        moves.add("discard")
        moves |= {f"{self.large[self.seat]}>{cell}" for cell in self._large_targets()}
        moves |= {f"={cell}" for cell in self._all_cells() if self._may_build(cell)}
        return moves

    def play(self, move: str) -> None:
        """Make a legal move."""
        if move not in self.legal():
            raise ValueError(f"not legal: {move}")
        if move.startswith("="):
            self.track[parse_cell(move[1:])] = RANKS.index(self.turned[0])
            self.progress = True
        else:
            self.discards.append(self.turned)  # KON 2.2
        if ">>" in move:
            start, stop = move.split(">>")
            self.small[self.seat].remove(parse_cell(start))
            self.small[self.seat].append(parse_cell(stop))
        elif ">" in move:
            self._move_large(parse_cell(move.split(">")[1]))
        if not self.over:
            self._next_card()

    def _move_large(self, stop: Cell) -> None:
        """KON 6.1."""
        self.large[self.seat] = stop
        self.progress = True
        if stop.upright and stop.row == self.height:
            self.been_up[self.seat] = True
        if self.been_up[self.seat] and stop == self.joker[self.seat]:
            self.winner = self.seat
            self.over = True

    # Reshuffles and scores

    @property
    def to_shuffle(self) -> list[str]:
        """The discards, oldest first, when they wait to become the stock."""
        return list(self.discards) if self.waiting else []

    def reshuffle(self, order: list[str]) -> None:
        """KON 2.3."""
        if not self.waiting or sorted(order) != sorted(self.discards):
            raise ValueError("KON 2.3: not a reshuffle of the discards")
        self.stock, self.discards = list(order), []
        self.waiting, self.progress = False, False
        self.reshuffles += 1
        self._turn_card()

    def scores(self) -> list[float | int]:
        """1 for the winner, 0 for the loser, 0.5 each in a draw."""
        if self.winner is None:
            return [0.5, 0.5]
        return [1, 0] if self.winner == BLACK else [0, 1]
