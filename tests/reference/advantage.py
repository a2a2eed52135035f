"""Reference model of one game of Advantage, written from the clauses ADV alone.

Slow and plain on purpose: it serves only to be compared with the real rules code.
"""

from __future__ import annotations

SUITS = "cdhs"


def is_red(card: str) -> bool:
    return card[1] in "dh"


def alike(card: str, top: str) -> bool:
    """Same colour (red or black) or same rank (ADV 3.1, 4.1)."""
    return is_red(card) == is_red(top) or card[0] == top[0]


class Model:
    """One game (deal) of Advantage."""

    def __init__(self, players: int, options: dict[str, object], deck: list[str], dealer: int) -> None:
        if players != 2:
            raise ValueError("Advantage is for two players")
        self.pairing = options["pairing"]  # "chain" or "once"
        self.switch_hands = options["switch_hands"] is True
        self.to_shuffle: list[str] = []
        self.over = False
        # ADV 2.2: the non-dealer moves first in every round.
        self.order = [3 - dealer, dealer]
        self.hands: dict[int, list[str]] = {1: [], 2: []}
        # ADV 1.1: three cards each, one at a time, the non-dealer first ...
        for number, card in enumerate(deck[:6]):
            self.hands[self.order[number % 2]].append(card)
        # ... then piles 1, 2 and 3 (bottom card first, the top card last) and the stock.
        self.piles: dict[int, list[str]] = {p: [deck[5 + p]] for p in (1, 2, 3)}
        self.stock = deck[9:]
        self.pairs: dict[int, list[list[str]]] = {1: [], 2: []}
        self.round = 1  # ADV 2.1: 1, 2, 3, 1, 2, 3, ...
        self.turn = 0  # 0: the first mover's turn of this round, 1: the other's
        self.drawn = False  # whether the mover has drawn with `draw` in this turn
        self.pair_in_round = False  # whether a pair was put aside in this round
        self.done_in_cycle = False  # whether anything was done in these three rounds

    @property
    def seat(self) -> int:
        """The seat to move."""
        return self.order[self.turn]

    def legal(self) -> set[str]:
        """Every legal move of the seat to move."""
        return set() if self.over else self._moves()

    def play(self, move: str) -> None:
        """Make a move, then let happen what happens by itself."""
        if move not in self.legal():
            raise ValueError(f"illegal move {move!r}")
        if move == "pass":
            self._end_turn()
        elif move == "draw":
            self._take(1)
            self.drawn = True
            self.done_in_cycle = True
        elif ">" in move:
            self._place(move[:2], int(move[3]))
        elif "<" in move:
            self._exchange(move[:2], int(move[3]))
        else:
            self._put_aside(move[:2], move[2:])
        # A turn in which nothing can be done is over by itself: after a draw that did
        # not help (ADV 3.4, 4.2), and in the third round without a pair (ADV 5.3, 5.4).
        while not self.over and not self._moves():
            self._end_turn()

    def reshuffle(self, order: list[str]) -> None:
        """Advantage has no later shuffles."""
        raise NotImplementedError

    def scores(self) -> list[float | int]:
        """The number of pairs of each seat (ADV 6.2)."""
        return [len(self.pairs[1]), len(self.pairs[2])]

    # --- what may be done ---

    def _moves(self) -> set[str]:
        """The moves of this turn as it stands; empty when it is over by itself."""
        if self.round == 1:
            placings = self._placings()
            # ADV 3.2: a player who can place a card must, also after a draw (ADV 3.4).
            return placings if placings else self._draw_or_pass()
        if self.round == 2:
            exchanges = self._exchanges()
            # ADV 4.2: a player who can exchange may also pass, also after a draw.
            return exchanges | {"pass"} if exchanges else self._draw_or_pass()
        return self._pairs_in_hand()

    def _draw_or_pass(self) -> set[str]:
        """A player who can neither place nor exchange (ADV 3.4, 4.2)."""
        if self.drawn:
            return set()  # the one card of this turn is drawn: over by itself
        if not self.stock:
            return {"pass"}
        return {"draw", "pass"}

    def _placings(self) -> set[str]:
        """ADV 3.1: on a top card of the same colour or rank; a ten on any pile."""
        moves = set()
        for card in self.hands[self.seat]:
            for number, pile in self.piles.items():
                if alike(card, pile[-1]) or card[0] == "T":
                    moves.add(f"{card}>{number}")
        return moves

    def _exchanges(self) -> set[str]:
        """ADV 4.1: same colour or rank as the top card, or that top card is a ten.

        A ten in hand has no privilege here.
        """
        moves = set()
        for card in self.hands[self.seat]:
            for number, pile in self.piles.items():
                if alike(card, pile[-1]) or pile[-1][0] == "T":
                    moves.add(f"{card}<{number}")
        return moves

    def _pairs_in_hand(self) -> set[str]:
        """ADV 5.1: every two cards of one rank, written in the order of suits."""
        hand = self.hands[self.seat]
        return {
            first + second
            for first in hand
            for second in hand
            if first[0] == second[0] and SUITS.index(first[1]) < SUITS.index(second[1])
        }

    # --- doing it ---

    def _take(self, number: int) -> None:
        """The mover takes cards from the stock, or what is left of it."""
        self.hands[self.seat].extend(self.stock[:number])
        self.stock = self.stock[number:]

    def _place(self, card: str, number: int) -> None:
        self.hands[self.seat].remove(card)
        self.piles[number].append(card)
        self._take(1)  # ADV 3.3
        self.done_in_cycle = True
        self._end_turn()

    def _exchange(self, card: str, number: int) -> None:
        # ADV 4.1: the card against the whole pile; the card becomes the new pile.
        self.hands[self.seat].remove(card)
        self.hands[self.seat].extend(self.piles[number])
        self.piles[number] = [card]
        self.done_in_cycle = True
        self._end_turn()

    def _put_aside(self, first: str, second: str) -> None:
        self.hands[self.seat].remove(first)
        self.hands[self.seat].remove(second)
        self.pairs[self.seat].append([first, second])
        self._take(2)  # ADV 5.2
        self.pair_in_round = True
        self.done_in_cycle = True
        if self.pairing == "once":
            self._end_turn()  # ADV 5.3, option pairing=once: one pair a player a round
        # Else ADV 5.3: the player goes on while holding a pair (see `play`).

    def _end_turn(self) -> None:
        self.drawn = False
        if self.turn == 0:
            self.turn = 1
        else:
            self.turn = 0
            self._end_round()

    def _end_round(self) -> None:
        if self.round == 1 and self.switch_hands:
            # ADV 6.3: hands are swapped every time a first round has ended.
            self.hands[1], self.hands[2] = self.hands[2], self.hands[1]
        if self.round == 3:
            self._end_cycle()
        self.round = self.round % 3 + 1
        self.pair_in_round = False

    def _end_cycle(self) -> None:
        """ADV 6.1, looked at when a third round has ended and at no other time.

        "All three rounds just played" are the first, second and third round of the
        cycle that this third round closes.
        """
        if not self.stock and not self.pair_in_round:
            self.over = True
        if not self.done_in_cycle:
            self.over = True
        self.done_in_cycle = False
