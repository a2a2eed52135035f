"""Reference model of one game of Parkett, written from the clauses PAR alone.

Slow and plain on purpose: it serves only to be compared with the real rules code.
"""

from __future__ import annotations

RANKS = "6789TJQKA"  # PAR 1.1; they go round (PAR 1.2)
OWN_SUITS = {1: "cs", 2: "dh"}  # PAR 1.1: seat 1 is black, seat 2 red

# PAR 2.2: columns a to g, rows 1 to 5.
CELLS = [column + row for column in "abcdefg" for row in "12345"]
# PAR 2.2: the arms of the cross, inner cell first.
ARMS = [("d4", "d5"), ("e3", "f3"), ("d2", "d1"), ("c3", "b3")]

Board = dict[str, str]  # cell -> the card that lies there


def owner(card: str) -> int:
    """The seat whose card it is; stands for its colour too."""
    return 1 if card[1] in OWN_SUITS[1] else 2


def up(rank: str) -> str:
    """The next rank up; the ace joins king and six (PAR 1.2)."""
    return RANKS[(RANKS.index(rank) + 1) % len(RANKS)]


def next_in_rank(one: str, other: str) -> bool:
    """Whether two cards are next in rank, up or down."""
    return up(one[0]) == other[0] or up(other[0]) == one[0]


def beside(one: str, other: str) -> bool:
    """Whether two cells are neighbours in one row."""
    return one[1] == other[1] and abs(ord(one[0]) - ord(other[0])) == 1


def above_or_below(one: str, other: str) -> bool:
    """Whether two cells are neighbours in one column."""
    return one[0] == other[0] and abs(int(one[1]) - int(other[1])) == 1


def corners(cell: str) -> list[tuple[str, str]]:
    """All (bend, end) with which a card on `cell` forms an L (PAR 3.1)."""
    found = []
    for bend in CELLS:
        for end in CELLS:
            if above_or_below(bend, end) and beside(cell, bend):
                found.append((bend, end))  # the two in a column, the new card beside one
            if beside(bend, end) and above_or_below(cell, bend):
                found.append((bend, end))  # the two in a row, above or below one of them
    return found


CORNERS = {cell: corners(cell) for cell in CELLS}


def in_line(new: str, bend: str, end: str) -> bool:
    """PAR 3.2: in order along the L, up or down, the card at the bend in the middle."""
    rising = up(end[0]) == bend[0] and up(bend[0]) == new[0]
    falling = up(new[0]) == bend[0] and up(bend[0]) == end[0]
    return rising or falling


def in_any_order(new: str, bend: str, end: str) -> bool:
    """PAR 3.2, option order=any: three consecutive ranks in whatever order."""
    ranks = {new[0], bend[0], end[0]}
    return any(ranks == {low, up(low), up(up(low))} for low in RANKS)


class Model:
    """One game of Parkett; `dealer` names the seat that moves first."""

    def __init__(self, players: int, options: dict[str, object], deck: list[str], dealer: int) -> None:
        if players != 2 or deck:
            raise ValueError("Parkett is for two players and has no deck")
        self.cross = options["cross"]  # "one_each" or "free"
        self.order = options["order"]  # "line" or "any"
        self.stuck = options["stuck"]  # "loses" or "passes"
        self.to_shuffle: list[str] = []
        self.seat = dealer
        self.over = False
        self.winner: int | None = None
        self.board: Board = {}
        self.hands = {seat: {rank + suit for rank in RANKS for suit in suits} for seat, suits in OWN_SUITS.items()}
        self.cross_complete = False
        self.turns_without_laying = 0
        self.passes_running = 0
        self.moves_now = self._moves()

    def legal(self) -> set[str]:
        """Every legal move of the seat to move."""
        return set() if self.over else set(self.moves_now)

    def play(self, move: str) -> None:
        """Make a move, look whether the game has ended, pass the turn on."""
        if move not in self.legal():
            raise ValueError(f"illegal move {move!r}")
        if "@" in move:
            card, cell = move.split("@")
            self.hands[self.seat].remove(card)
            self.board[cell] = card
            if all(cell in self.board for arm in ARMS for cell in arm):
                self.cross_complete = True  # PAR 2.4: for good, never taken back
            self.turns_without_laying = 0
            self.passes_running = 0
        elif move == "pass":
            self.turns_without_laying += 1
            self.passes_running += 1
        else:
            card, cells = move.split(":")
            start, cell = cells.split(">")
            del self.board[start]
            self.board[cell] = card
            self.turns_without_laying += 1
            self.passes_running = 0
        self._look_for_end()

    def reshuffle(self, order: list[str]) -> None:
        """Parkett has no shuffles."""
        raise NotImplementedError

    def scores(self) -> list[float | int]:
        """1 for the winner, 0 for the loser, 0.5 each in a draw; 0 each before the end."""
        if not self.over:
            return [0, 0]
        if self.winner is None:
            return [0.5, 0.5]
        return [1 if self.winner == seat else 0 for seat in (1, 2)]

    # --- the end ---

    def _look_for_end(self) -> None:
        """After the mover's turn: PAR 4.2 (and 4.1), then 4.4, then 4.3; else go on."""
        mover, other = self.seat, 3 - self.seat
        if not self.hands[mover]:
            # PAR 4.2: who lays the last of their own cards wins at once. (PAR 4.1 comes
            # to the same: of 35 cards laid one player has laid 18. A turn that lays
            # nothing cannot end so, for the game was over before it.)
            self._end(mover)
            return
        if self.turns_without_laying == 20:
            self._end(None)  # PAR 4.4
            return
        if self.passes_running == 2:
            # PAR 4.3, option stuck=passes: both have passed in turn.
            self._end(self._fewer_in_hand())
            return
        self.seat = other
        self.moves_now = self._moves()
        if not self.moves_now:
            self._end(mover)  # PAR 4.3: who can neither lay nor move loses

    def _end(self, winner: int | None) -> None:
        self.over = True
        self.winner = winner

    def _fewer_in_hand(self) -> int | None:
        """The seat with fewer cards in hand, None if they have equally many."""
        one, two = len(self.hands[1]), len(self.hands[2])
        if one == two:
            return None
        return 1 if one < two else 2

    # --- the moves ---

    def _moves(self) -> set[str]:
        """All moves of the seat to move; empty if it is stuck and passing is no option."""
        moves = self._layings()
        if not moves and self.cross_complete:
            # PAR 3.5: only who can lay none of the cards in hand moves a lying card.
            # (While the cross is built a card can always be laid: one of the four own
            # cards next in rank to an inner card is still in hand.)
            moves = self._movings()
        if not moves and self.stuck == "passes":
            moves = {"pass"}  # PAR 4.3, option stuck=passes
        return moves

    def _layings(self) -> set[str]:
        fits = self._fits_floor if self.cross_complete else self._fits_cross
        return {f"{card}@{cell}" for card in self.hands[self.seat] for cell in CELLS if fits(self.board, card, cell)}

    def _movings(self) -> set[str]:
        """PAR 3.5: an own lying card, of the cross too, judged with that card lifted."""
        moves = set()
        for start, card in self.board.items():
            if owner(card) != self.seat:
                continue
            lifted = {cell: lying for cell, lying in self.board.items() if cell != start}
            for cell in CELLS:
                # "Another cell": not back where it lay.
                if cell != start and self._fits_floor(lifted, card, cell):
                    moves.add(f"{card}:{start}>{cell}")
        return moves

    def _fits_cross(self, board: Board, card: str, cell: str) -> bool:
        """PAR 2.1-2.3. With cross=free only "one card on each arm" falls away."""
        if cell in board:
            return False
        for inner, outer in ARMS:
            if cell not in (inner, outer):
                continue
            if self.cross == "one_each" and self._has_card_on(board, inner, outer):
                return False  # PAR 2.1: each player one card on each arm
            if cell == inner:
                return True  # PAR 2.2: any card on the inner cell
            # PAR 2.2, 2.3: the outer cell of a begun arm, next in rank to the inner card.
            return inner in board and next_in_rank(card, board[inner])
        return False  # not a cell of the cross

    def _has_card_on(self, board: Board, inner: str, outer: str) -> bool:
        return any(cell in board and owner(board[cell]) == self.seat for cell in (inner, outer))

    def _fits_floor(self, board: Board, card: str, cell: str) -> bool:
        """PAR 3.1-3.4: the cell is free and one good L is enough."""
        if cell in board:
            return False
        return any(
            self._good_corner(card, board[bend], board[end])
            for bend, end in CORNERS[cell]
            if bend in board and end in board
        )

    def _good_corner(self, new: str, bend: str, end: str) -> bool:
        # PAR 3.3: at least one of the two has the colour of the new card.
        colours = owner(new) in (owner(bend), owner(end))
        if self.order == "any":
            return colours and in_any_order(new, bend, end)
        return colours and in_line(new, bend, end)
