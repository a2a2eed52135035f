"""Reference model of one deal of Abroasta, written from the clauses ABR alone.

Slow and plain on purpose: it serves only to be compared with the real rules code.
"""

from __future__ import annotations

# ABR 2.3: the ace is low, so it stands first.
RANKS = "A23456789TJQK"


def next_rank(rank: str) -> str:
    """The rank one higher; above the king comes the (last) ace (ABR 2.2, 2.3)."""
    return RANKS[(RANKS.index(rank) + 1) % len(RANKS)]


def can_follow(row: list[str], card: str) -> bool:
    """Whether `card` may be laid on the open row `row` (ABR 2.2, 2.3)."""
    top = row[-1]
    if top[0] == "A" and len(row) > 1:
        # ABR 2.3: an ace that is not the first card of its row: nothing is laid on it.
        return False
    # ABR 2.2: one rank higher, whatever the suit. (A king on top here always belongs to
    # a row that did not begin with an ace, or is a row of its own: others were taken.)
    return card[0] == next_rank(top[0])


class Model:
    """One deal of Abroasta."""

    def __init__(self, players: int, options: dict[str, object], deck: list[str], dealer: int) -> None:
        self.players = players
        self.king_takes = options["king_takes"]  # "full" or "any"
        self.opening = options["opening"]  # "forced" or "free"
        self.to_shuffle: list[str] = []
        self.over = False
        # ABR 3.1: the player to the dealer's left begins.
        self.seat = self._after(dealer)
        self.hands: dict[int, list[str]] = {s: [] for s in range(1, players + 1)}
        # ABR 2.1: each seat has one place for a row; [] is a free place.
        self.rows: dict[int, list[str]] = {s: [] for s in range(1, players + 1)}
        self.taken: dict[int, list[list[str]]] = {s: [] for s in range(1, players + 1)}
        self.passes_running = 0
        self.aside = self._deal(deck)

    def legal(self) -> set[str]:
        """Every legal move of the seat to move."""
        if self.over:
            return set()
        openings = self._openings()
        layings = self._layings()
        if not openings and not layings:
            # ABR 3.2: who can lay no card passes; so does one with no cards left.
            return {"pass"}
        if self.opening == "free" and not layings:
            # ABR 3.2, option opening=free: a player who could only open a row may pass.
            return openings | {"pass"}
        # ABR 3.2: a player who can lay a card must.
        return openings | layings

    def play(self, move: str) -> None:
        """Make a move and pass the turn on."""
        if move not in self.legal():
            raise ValueError(f"illegal move {move!r}")
        if move == "pass":
            self.passes_running += 1
        else:
            self.passes_running = 0
            card, owner = move.split("@")
            self._lay(card, int(owner))
        self._end_turn()

    def reshuffle(self, order: list[str]) -> None:
        """Abroasta has no later shuffles."""
        raise NotImplementedError

    def scores(self) -> list[float | int]:
        """ABR 4.1: thirteen points for each row taken."""
        return [13 * len(self.taken[seat]) for seat in range(1, self.players + 1)]

    def _after(self, seat: int) -> int:
        """The next seat clockwise."""
        return 1 if seat == self.players else seat + 1

    def _deal(self, deck: list[str]) -> list[str]:
        """Deal equal hands; return the cards set aside (ABR 1.2, 1.3)."""
        each = len(deck) // self.players
        seat = self.seat  # ABR 1.2: from the dealer's left, who also moves first
        for card in deck[: each * self.players]:
            self.hands[seat].append(card)
            seat = self._after(seat)
        return deck[each * self.players :]

    def _openings(self) -> set[str]:
        """ABR 2.1: the mover's own place, if free, takes any card. No one else opens it."""
        if self.rows[self.seat]:
            return set()
        return {f"{card}@{self.seat}" for card in self.hands[self.seat]}

    def _layings(self) -> set[str]:
        """ABR 2.2: cards that can be laid on an open row, anyone's."""
        moves = set()
        for card in self.hands[self.seat]:
            for owner, row in self.rows.items():
                if row and can_follow(row, card):
                    moves.add(f"{card}@{owner}")
        return moves

    def _lay(self, card: str, owner: int) -> None:
        self.hands[self.seat].remove(card)
        row = self.rows[owner]
        row.append(card)
        if self._is_taken(row):
            # ABR 2.4: whoever lays the king takes the row; the owner's place is free.
            self.taken[self.seat].append(row)
            self.rows[owner] = []

    def _is_taken(self, row: list[str]) -> bool:
        """Whether the card just laid on `row` takes it."""
        if row[-1][0] != "K":
            return False
        if self.king_takes == "any":
            # ABR 2.5, option king_takes=any: at least one other card lies under the king.
            return len(row) >= 2
        # ABR 2.4, 2.5: from ace to king, thirteen cards.
        return row[0][0] == "A" and len(row) == 13

    def _end_turn(self) -> None:
        self.seat = self._after(self.seat)
        # ABR 3.3: all cards are played, or all players in turn have passed (as many
        # passes running as there are players, whoever passed first).
        all_played = all(not hand for hand in self.hands.values())
        self.over = all_played or self.passes_running == self.players
