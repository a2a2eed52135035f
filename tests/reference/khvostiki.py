"""Khvostiki: a slow, plain reference model of one deal, written from the rules text alone.

Every legal move is found by listing all moves that have the right shape, trying each on a copy
of the deal, and looking whether the duties it leaves can be met (KHV 3.3, 4.3, 4.4, 5.1).
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

RANKS = "23456789TJQKA"
SUITS = "cdhs"
JOKER = "Jk"


@dataclass(frozen=True)
class Place:
    """One card lying in a row."""

    card: str  # the card that lies there, perhaps a joker
    means: str  # the card the place asks for; "" for a joker in a set
    house: int  # the seat in whose house it lies
    turn: int  # the number of the turn in which it was laid


@dataclass
class Row:
    """A row on the table; a run lies low end first."""

    owner: int
    is_set: bool
    places: list[Place]

    def copy(self) -> Row:
        return Row(self.owner, self.is_set, list(self.places))


@dataclass(frozen=True)
class NewRow:
    """A way to open a row: three cards as written, and what each stands for."""

    cards: tuple[str, ...]
    means: tuple[str, ...]
    is_set: bool


def step(card: str, by: int) -> str:
    """The card `by` ranks further in the ring of its suit (KHV 2.2)."""
    return RANKS[(RANKS.index(card[0]) + by) % 13] + card[1]


def every_new_row() -> Iterator[NewRow]:
    """All rows of three that can be opened, in canonical notation (KHV 2.1, 2.2, 2.3, 3.1)."""
    for suit in SUITS:
        for rank in RANKS:
            run = tuple(step(rank + suit, by) for by in range(3))
            yield NewRow(run, run, False)
            for hole in range(3):  # at most one joker, in any of the three places
                cards = tuple(JOKER if i == hole else run[i] for i in range(3))
                yield NewRow(cards, run, False)
    for rank in RANKS:
        for suits in combinations(SUITS, 3):
            three = tuple(rank + suit for suit in suits)
            yield NewRow(three, three, True)
        for first, second in combinations(SUITS, 2):
            low, high = rank + first, rank + second
            yield NewRow((low, high, JOKER), (low, high, ""), True)


NEW_ROWS = {"row " + " ".join(new.cards): new for new in every_new_row()}


def value(card: str) -> int:
    """Points of a natural card (KHV 5.2)."""
    if card[0] == "A":
        return 15
    return 10 if card[0] in "TJQK" else int(card[0])


class Model:
    """One deal of Khvostiki."""

    def __init__(self, players: int, options: dict[str, object], deck: list[str], dealer: int) -> None:
        if not 2 <= players <= 6 or len(deck) != 108 or deck.count(JOKER) != 4:
            raise ValueError("KHV 1.1: 2 to 6 players, 108 cards, four jokers")
        if options["swap_scores"] not in ("player", "house"):
            raise ValueError("KHV 3.4: swap_scores is player or house")
        self.players = players
        self.swap_scores = options["swap_scores"]
        self.stock = list(deck)
        self.hands: dict[int, list[str]] = {seat: [] for seat in range(1, players + 1)}
        self.rows: list[Row] = []
        self.tail: list[str] = []
        self.seat = dealer
        self.turn = 0
        self.last_turn = False
        self.over = False
        # The card that must be laid before anything else: "Jk" after an exchange (KHV 3.3), the card
        # named by a take (KHV 4.3). Equal cards are interchangeable, so its name is enough.
        self.duty: str | None = None
        self._deal(dealer)
        self._begin_turn(self._after(dealer))

    # Dealing and turns

    def _after(self, seat: int) -> int:
        return seat % self.players + 1

    def _deal(self, dealer: int) -> None:
        """KHV 1.2, 1.3."""
        seat = dealer
        for _ in range(5 * self.players):
            seat = self._after(seat)
            self.hands[seat].append(self.stock.pop(0))
        while self.stock[0] == JOKER:
            self.stock.append(self.stock.pop(0))
        self.tail.append(self.stock.pop(0))

    def _begin_turn(self, seat: int) -> None:
        """KHV 4.1, 5.1: draw up to six, or what there is; who draws the last card has the last turn."""
        self.seat = seat
        self.turn += 1
        hand = self.hands[seat]
        while len(hand) < 6 and self.stock:
            hand.append(self.stock.pop(0))
        self.last_turn = not self.stock

    def _end_turn(self) -> None:
        if self.last_turn:
            self.over = True  # KHV 5.1
        else:
            self._begin_turn(self._after(self.seat))

    # Rows

    def _ends(self, row: Row) -> tuple[str, str]:
        """The cards that the low and the high end of a run ask for."""
        return step(row.places[0].means, -1), step(row.places[-1].means, 1)

    def _missing(self, row: Row) -> set[str]:
        """The cards of the suits missing among the natural cards of a set."""
        natural = {place.card for place in row.places if place.card != JOKER}
        rank = next(iter(natural))[0]
        return {rank + suit for suit in SUITS} - natural

    def _can_add(self, card: str, row: Row) -> bool:
        """Whether a natural card may be added to a row, of whomsoever (KHV 2.4)."""
        if row.is_set:
            return len(row.places) < 4 and card in self._missing(row)  # KHV 2.3
        return len(row.places) < 13 and card in self._ends(row)  # KHV 2.2

    def _joker_ends(self, row: Row) -> list[str]:
        """What is written after the row number when the player adds a joker (KHV 3.2)."""
        if row.owner != self.seat:
            return []
        if row.is_set:
            return [""] if len(row.places) < 4 else []
        if len(row.places) >= 13:
            return []
        low, high = self._ends(row)
        return ["+"] if low == high else ["-", "+"]  # KHV 2.5 and the notation

    def _exchange_index(self, card: str, row: Row) -> int | None:
        """Where in the row the joker lies that may be exchanged for the card, if any (KHV 3.3)."""
        for index, place in enumerate(row.places):
            if place.card != JOKER or place.turn == self.turn:
                continue  # not in the turn in which that joker was laid there
            if row.is_set and card in self._missing(row):
                return index  # jokers are alike: any that was not laid this turn will do
            if not row.is_set and card == place.means:
                return index
        return None

    # Moves by shape

    def _lays(self) -> Iterator[tuple[str, set[str]]]:
        """Every row and addition the hand and table allow, with the cards it lays."""
        hand = self.hands[self.seat]
        held = Counter(hand)
        for text, new in NEW_ROWS.items():
            if Counter(new.cards) <= held:
                yield text, set(new.cards)
        for number, row in enumerate(self.rows, start=1):
            for card in set(hand):
                if card == JOKER:
                    for end in self._joker_ends(row):
                        yield f"{JOKER}>{number}{end}", {JOKER}
                elif self._can_add(card, row):
                    yield f"{card}>{number}", {card}

    def _candidates(self) -> Iterator[str]:
        """Every move of the right shape now; what it leaves behind is not looked at here."""
        if self.duty is not None:
            for text, cards in self._lays():  # KHV 3.3 "at once", KHV 4.3 "before anything else"
                if self.duty in cards:
                    yield text
            return
        for text, _ in self._lays():
            yield text
        naturals = set(self.hands[self.seat]) - {JOKER}
        for number, row in enumerate(self.rows, start=1):
            for card in naturals:
                if self._exchange_index(card, row) is not None:
                    yield f"{card}<>{number}"
        for k in range(1, len(self.tail) + 1):
            yield f"take {k}"
        for card in naturals:  # KHV 3.5: never a joker
            yield f"tail {card}"
        if self.last_turn:
            yield "end"

    # Legality

    def _copy(self) -> Model:
        other = copy.copy(self)
        other.stock = list(self.stock)
        other.hands = {seat: list(hand) for seat, hand in self.hands.items()}
        other.rows = [row.copy() for row in self.rows]
        other.tail = list(self.tail)
        return other

    def _allowed(self, move: str) -> bool:
        """Try the move on a copy and look at what it leaves (KHV 3.3, 4.3, 4.4, 5.1)."""
        if move == "end" or move.startswith("tail "):
            return True
        after = self._copy()
        after._apply(move)
        if after.duty is not None:
            # The duty must be met by the very next move, and that move must itself be allowed.
            return any(after._allowed(answer) for answer in after._candidates())
        # Reading of KHV 4.4: only duties are counted, not what a later free take might bring in.
        return self.last_turn or any(card != JOKER for card in after.hands[self.seat])

    def legal(self) -> set[str]:
        """Every legal move in canonical notation."""
        if self.over:
            return set()
        return {move for move in self._candidates() if self._allowed(move)}

    # Playing

    def play(self, move: str) -> None:
        """Make a legal move."""
        if move not in self.legal():
            raise ValueError(f"not legal: {move}")
        self._apply(move)

    def _apply(self, move: str) -> None:
        hand = self.hands[self.seat]
        if move == "end":
            self._end_turn()
        elif move.startswith("row "):
            self._open_row(NEW_ROWS[move])
        elif move.startswith("take "):
            first = int(move[5:]) - 1
            self.duty = self.tail[first]
            hand.extend(self.tail[first:])
            del self.tail[first:]
        elif move.startswith("tail "):
            hand.remove(move[5:])
            self.tail.append(move[5:])
            self._end_turn()
        elif "<>" in move:
            card, number = move.split("<>")
            self._exchange(card, self.rows[int(number) - 1])
        else:
            card, place = move.split(">")
            self._add(card, self.rows[int(place.rstrip("+-")) - 1], place[-1])

    def _open_row(self, new: NewRow) -> None:
        places = []
        for card, means in zip(new.cards, new.means, strict=True):
            self.hands[self.seat].remove(card)
            places.append(Place(card, means, self.seat, self.turn))
        self.rows.append(Row(self.seat, new.is_set, places))  # KHV 2.5
        self.duty = None

    def _add(self, card: str, row: Row, end: str) -> None:
        """KHV 2.4, 3.2: the card lies in the house of who laid it."""
        self.hands[self.seat].remove(card)
        self.duty = None
        if row.is_set:
            means = "" if card == JOKER else card
            row.places.append(Place(card, means, self.seat, self.turn))
            return
        low, high = self._ends(row)
        at_high = end == "+" if card == JOKER else card == high  # KHV 2.5: the high end first
        place = Place(card, high if at_high else low, self.seat, self.turn)
        row.places.insert(len(row.places) if at_high else 0, place)

    def _exchange(self, card: str, row: Row) -> None:
        """KHV 3.3, 3.4: the card takes the joker's place, the joker must be laid next."""
        index = self._exchange_index(card, row)
        assert index is not None
        joker = row.places[index]
        house = joker.house if self.swap_scores == "house" else self.seat
        row.places[index] = Place(card, card, house, self.turn)
        self.hands[self.seat].remove(card)
        self.hands[self.seat].append(JOKER)
        self.duty = JOKER

    # Reshuffles (none in this game) and scores

    @property
    def to_shuffle(self) -> list[str]:
        return []

    def reshuffle(self, order: list[str]) -> None:
        raise ValueError("Khvostiki has no reshuffle")

    def scores(self) -> list[float | int]:
        """KHV 5.2, 5.3: houses count for, hands against, jokers always minus 15."""
        totals = dict.fromkeys(self.hands, 0)
        for row in self.rows:
            for place in row.places:
                totals[place.house] += -15 if place.card == JOKER else value(place.card)
        for seat, hand in self.hands.items():
            for card in hand:
                totals[seat] -= 15 if card == JOKER else value(card)
        return [totals[seat] for seat in sorted(totals)]
