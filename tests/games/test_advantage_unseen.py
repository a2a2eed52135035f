"""Advantage: what a seat can know of hidden cards. A redeal gives it a game it cannot tell from the real one.

That is checked without the rules' own book-keeping: from the redealt cards a whole deck is reconstructed, from
which the same moves lead, position by position, to just what the seat saw.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from kartoteka.cards import NUMBER, TEXT
from kartoteka.core import States, chance, randbelow
from kartoteka.engine.position import Position
from kartoteka.engine.variant import Variant
from kartoteka.engine.view import encode
from tests.cases import changing
from tests.games.test_advantage import VARIANTS, held, table

DRAW, PASS = 390, 391


def cards_in(cards: Any) -> list[int]:
    return [card for card in range(52) if int(cards) >> card & 1]


def game(variant: Variant, seed: object, style: str) -> Iterator[Position]:
    """A deal played at random, or contrarily: drawing wherever allowed, else mostly passing."""
    p, rng = variant.deal(seed=seed), chance(seed, style)
    while not p.over:
        yield p
        legal = p.moves.numbers.tolist()
        idle = next((m for m in (DRAW, PASS) if m in legal), None) if style == "contrary" else None
        p.push(p.move(idle if idle and int(randbelow(rng, 4)) else legal[int(randbelow(rng, len(legal)))]))
    yield p


def worlds(p: Position, seat: int = 1, n: int = 300) -> set[str]:
    """The other hands that redeals give, face-up cards and all."""
    found = set()
    for seed in range(n):
        other = p.redeal(seat, seed)
        assert encode(other.view(seat)) == encode(p.view(seat))
        found.add(held(other, 3 - seat))
    return found


# --- a deck for a redealt position -------------------------------------------------------------------------


class Reconstruction:
    """A search for the deck behind `redealt`: each draw of another seat is given a card that it can have been."""

    def __init__(self, p: Position, redealt: Position, seat: int, patience: int = 20_000) -> None:
        self.p, self.seat, self.core = p, seat, p.variant.core
        self.wanted = redealt.state.hand.tolist()
        self.deck = [NUMBER[card] for card in (p.deck or ())[9:]]
        self.true = [p.variant.deal(deck=p.deck, dealer=p.dealer)._states]
        for event in p.history:
            self.true.append(self.play(self.true[-1], event.move.number, ()))
        self.views = [encode(self.view(states)) for states in self.true]
        self.dead: set[Any] = set()
        self.patience = patience
        to_draw: list[set[int]] = [
            set(),
            set(),
        ]  # what each seat must have drawn: all it played, and what it holds now
        for before, after in itertools.pairwise(self.true):
            gone = self.deck[before[0]["drawn"] : after[0]["drawn"]]
            to_draw[before[0]["seat"]] |= set(gone)
        self.shown_at = {  # before which move a card was drawn at the latest; one shown by a swap of hands, by it
            card: ply + (int(after[0]["hand"][0] | after[0]["hand"][1]) >> card & 1)
            for ply, (before, after) in enumerate(itertools.pairwise(self.true))
            for card in cards_in(before[0]["unseen"] & ~after[0]["unseen"])
        }
        unseen = int(p.state.unseen)
        for owner, drawn in enumerate(to_draw):
            drawn -= set(cards_in(unseen))
            drawn |= set(cards_in(self.wanted[owner] & unseen))
        self.found = self.search(0, self.true[0], (frozenset(to_draw[0]), frozenset(to_draw[1])))

    @property
    def gave_up(self) -> bool:
        return len(self.dead) > self.patience

    def view(self, states: States) -> Any:
        return self.p.game.table.view(states[0], self.seat - 1)

    def play(self, states: States, move: int, cards: tuple[int, ...]) -> States:
        after = states.copy().view(np.recarray)
        for k, card in enumerate(cards):
            after[0]["stock"][after[0]["drawn"] + k] = card
        self.core.play_at(after, 0, move)
        return after

    def search(self, ply: int, states: States, left: tuple[frozenset[int], frozenset[int]]) -> bool:
        """Whether the game can go on from `states` with the cards `left` for each seat to draw."""
        if ply == len(self.p.history):
            return bool(states[0]["hand"].tolist() == self.wanted)
        if (ply, left) in self.dead or self.gave_up or not self.in_time(ply, left):
            return False
        move, mover = self.p.history[ply].move.number, int(states[0]["seat"])
        mask = np.zeros(self.core.moves, np.int8)
        self.core.mask_at(states, 0, mask, np.zeros(self.core.buffer, np.int32))
        true = self.deck[self.true[ply][0]["drawn"] : self.true[ply + 1][0]["drawn"]]
        able = sorted(left[mover], key=lambda card: (card not in true, self.shown_at.get(card, 999)))
        options = [tuple(true)] if mover == self.seat - 1 else itertools.combinations(able, len(true))
        for cards in options if mask[move] else ():
            after = self.play(states, move, cards)
            rest = left[mover] - set(cards)
            if all(after[0][f] == self.true[ply + 1][0][f] for f in ("phase", "seat", "drew", "over")) and (
                encode(self.view(after)) == self.views[ply + 1]
            ):
                both = (rest, left[1]) if mover == 0 else (left[0], rest)
                if self.search(ply + 1, after, both):
                    return True
        self.dead.add((ply, left))
        return False

    def in_time(self, ply: int, left: tuple[frozenset[int], frozenset[int]]) -> bool:
        """Whether each seat draws often enough before it has to show what it is still to draw."""
        for owner in (0, 1):
            drawn = [0]
            for before, after in itertools.pairwise(self.true[ply:]):
                mine = before[0]["seat"] == owner
                drawn.append(drawn[-1] + (int(after[0]["drawn"] - before[0]["drawn"]) if mine else 0))
            due = sorted(self.shown_at.get(card, len(self.true) - 1) for card in left[owner])
            if any(last < ply or drawn[last - ply] < n for n, last in enumerate(due, 1)):
                return False
        return True


@pytest.mark.parametrize("style", ["random", "contrary"])
@pytest.mark.parametrize("variant", VARIANTS)
def test_a_redealt_position_comes_from_some_deck_by_the_same_moves(variant: Variant, style: str) -> None:
    checked = 0
    for seed in range(4):
        for p in game(variant, seed, style):
            if p.ply % 11 == 5 + seed % 2 and p.ply < 50:
                for seat in (0, 1, 2):
                    assert Reconstruction(p, p.redeal(seat, seed), seat).found, (p, seat)
                    checked += 1
    assert checked > 20


def may_hold(s: Any, owner: int, hand: list[int]) -> bool:
    """Whether the rules' book-keeping allows `hand` as what is not seen of a hand."""
    slots, checked = cards_in(s.slots[owner]), int(s.checked[owner])
    whole = cards_in(s.hand[owner] & ~s.unseen) + hand
    if not s.over and s.phase == 3 and s.seat == owner and len({card % 13 for card in whole}) == len(whole):
        return False

    def fill(k: int, used: dict[int, int]) -> bool:
        if k == len(hand):
            return True
        ranks = {card % 13 for slot, card in used.items() if slot < checked}
        return any(
            fill(k + 1, {**used, slot: hand[k]})
            for slot in slots
            if slot not in used and int(s.may[slot]) >> hand[k] & 1 and not (slot < checked and hand[k] % 13 in ranks)
        )

    return len(slots) == len(hand) and fill(0, {})


@pytest.mark.parametrize("style", ["random", "contrary"])
@pytest.mark.parametrize("variant", VARIANTS)
def test_a_hand_is_allowed_just_if_some_deck_leads_to_it(variant: Variant, style: str) -> None:
    found: Counter[bool] = Counter()
    for seed in range(7):
        rng = np.random.default_rng(seed)
        p = next(p for p in game(variant, ("allowed", seed), style) if p.ply >= 4 + 3 * seed or p.over)
        for seat in (1, 2):
            s, owner = p.state, 2 - seat
            pool = cards_in(s.unseen & ~s.hand[seat - 1])
            true = cards_in(s.hand[owner] & s.unseen)
            assert may_hold(s, owner, true)
            for _hand in range(6):  # unseen cards dealt without regard to what the moves tell; some of one rank
                hand = rng.permutation(pool)[: len(true)].tolist()
                mates = [card for card in pool if card not in hand and hand and card % 13 == hand[0] % 13]
                if len(hand) > 1 and mates:
                    hand[1] = mates[0]
                other = p.copy()
                changing(other).hand[owner] = int(s.hand[owner]) & ~int(s.unseen) | sum(1 << card for card in hand)
                allowed = may_hold(s, owner, hand)
                deck = Reconstruction(p, other, seat, 200)
                assert deck.found == allowed or deck.gave_up
                found[allowed] += not deck.gave_up
    assert found[True] > 10
    assert found[False] > 1 or variant.options["switch_hands"]


@pytest.mark.parametrize("style", ["random", "contrary"])
@pytest.mark.parametrize("variant", VARIANTS)
def test_the_true_cards_are_always_allowed(variant: Variant, style: str) -> None:
    for seed in range(10):
        for p in game(variant, ("true", seed), style):
            for owner in (0, 1):
                assert may_hold(p.state, owner, cards_in(p.state.hand[owner] & p.state.unseen))


# --- case by case: just what the moves leave open ----------------------------------------------------------


RED_HAND = {1: "Jd", 2: "Qh"}
BLACK = ("2c", "3s", "4s")


def test_a_card_drawn_that_ends_the_turn_fits_nowhere() -> None:
    for phase in (1, 2):
        p = table(RED_HAND, BLACK, "9d 7h Kc Ts 3d 5s", phase, turn=2)
        p.play("draw")  # a black card or the 3d would fit
        assert (p.turn, p.ply) == (1, 1)
        assert worlds(p) == {"9d Qh", "7h Qh"}
        assert worlds(p, 2) == {"Jd"}


def test_a_card_drawn_that_leaves_the_turn_fits() -> None:
    for phase in (1, 2):
        p = table(RED_HAND, BLACK, "3d 9d 7h Kc Th 5s", phase, turn=2)
        p.play("draw")
        assert p.turn == 2
        able = {"3d Qh", "Kc Qh", "5s Qh"} | ({"Qh Th"} if phase == 1 else set())  # ADV 3.1
        assert worlds(p) == able
    p.play("pass")
    assert worlds(p) == able


def test_a_pass_in_the_first_round_shows_that_nothing_can_be_placed_and_in_the_second_nothing() -> None:
    p = table({1: "2s", 2: "2h Qh"}, BLACK, "9d 7h Kc Ts 3d 5s 8h", turn=2)
    p.play("2h>1")
    unseen = {"3d Qh", "5s Qh", "7h Qh", "8h Qh", "9d Qh", "Kc Qh", "Qh Ts"}
    assert worlds(p) == unseen
    p.play("2s<1")
    p.play("pass")
    assert worlds(p) == unseen
    p.play("2c2h")
    p.play("Kc>1")  # seat 1 has seen 7h Kc Ts
    assert worlds(p) == {"3d Qh", "5s Qh", "8h Qh", "9d Qh"}
    p.play("pass")
    assert worlds(p) == {"8h Qh", "9d Qh"}


def test_a_draw_shows_that_no_card_held_before_fits() -> None:
    p = table({1: "2s", 2: "2h Qh"}, BLACK, "9d 7h Kc Ts 3d 5s 8h", turn=2)
    p.play("2h>1")
    p.play("2s<1")
    p.play("draw")  # 7h does not fit either
    assert worlds(p) == {" ".join(sorted(("Qh", *two))) for two in itertools.combinations(("9d", "7h", "8h"), 2)}


def test_a_player_passed_over_holds_no_pair() -> None:
    p = table({1: "Jd", 2: "Qh Qs 8s"}, ("2h", "3d", "4h"), "5c 6c 8h 9c 9d Th", 3, turn=2)
    p.play("QhQs")
    able = itertools.combinations(("5c", "6c", "9c", "9d", "Th"), 2)
    assert worlds(p) == {" ".join(sorted(("8s", *two))) for two in able if two != ("9c", "9d")}


def test_a_player_who_goes_on_holds_a_pair() -> None:
    p = table({1: "Jd", 2: "Qh Qs 8s"}, ("2h", "3d", "4h"), "8h 6c 5c 9c 9d Th", 3, turn=2)
    p.play("QhQs")
    pairs = [("8h", card) for card in ("6c", "5c", "9c", "9d", "Th")] + [("9c", "9d")]
    assert worlds(p) == {" ".join(sorted(("8s", *two))) for two in pairs}
    p = table({1: "Jd", 2: "Qh Qs 8s"}, ("2h", "3d", "4h"), "6c 8h 5c 9c 9d Th", 3, turn=2, pairing="once")
    p.play("QhQs")  # with `once` the turn is over in any case
    assert len(worlds(p)) == 15


def test_a_player_who_goes_on_holds_a_pair_however_few_there_are() -> None:
    stock = "Kc " + " ".join(TEXT[c] for c in range(52) if TEXT[c][0] in "234567" and TEXT[c][1] in "cd") + " 8h"
    p = table({1: "Jd", 2: "Qh Qs Kd 9c 8c"}, ("Jh", "Js", "Jc"), stock, 3, turn=2)
    p.play("QhQs")  # Kc and 2c: every redeal must hold the Kc or the 8h, or two equal of twelve cards
    for hand in worlds(p, n=400):
        ranks = [card[0] for card in hand.split()]
        assert len(set(ranks)) < len(ranks)
    assert {"2c 2d 8c 9c Kd", "2c 8c 9c Kc Kd"} <= worlds(p, n=2000)
