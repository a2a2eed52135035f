"""Advantage: what a seat can know of hidden cards. A redeal gives it a game it cannot tell from the real one.

That is checked without the rules' own book-keeping: from the redealt cards a whole deck is reconstructed, from
which the same moves lead, position by position, to just what the seat saw.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import kartoteka
from kartoteka.cards import NUMBER, TEXT
from kartoteka.engine.compiled import States, chance, draw
from kartoteka.engine.position import Position
from kartoteka.engine.variant import Variant
from kartoteka.engine.view import encode
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
        p.push(p.move(idle if idle and int(draw(rng, 4)) else legal[int(draw(rng, len(legal)))]))
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

    def __init__(self, p: Position, redealt: Position, seat: int) -> None:
        self.p, self.seat, self.core = p, seat, p.variant.core
        self.wanted = redealt.state.hand.tolist()
        self.deck = [NUMBER[card] for card in (p.deck or ())[9:]]
        self.true = [p.variant.deal(deck=p.deck, dealer=p.dealer)._states]
        for event in p.history:
            self.true.append(self.play(self.true[-1], event.move.number, ()))
        self.views = [encode(self.view(states)) for states in self.true]
        self.dead: set[Any] = set()
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

    def view(self, states: States) -> Any:
        return self.p.game.module("table").view(states[0], self.seat - 1)

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
        if (ply, left) in self.dead or not self.in_time(ply, left):
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
            if encode(self.view(after)) == self.views[ply + 1]:
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


def test_the_reconstruction_finds_no_deck_for_what_cannot_be() -> None:
    p = kartoteka.game("advantage").deal(seed=1)
    rng = chance("cannot")
    while p.ply < 12:
        p.push(p.moves[int(draw(rng, len(p.moves)))])
    impossible = 0
    for seed in range(30):  # unseen cards dealt without regard to what the moves tell
        other, s = p.copy(), p.state
        n = len(cards_in(s.hand[1] & s.unseen))
        some = np.random.default_rng(seed).permutation(cards_in(s.unseen & ~s.hand[0]))[:n].tolist()
        other.state.hand[1] = (int(s.hand[1]) & ~int(s.unseen)) | sum(1 << card for card in some)
        impossible += not Reconstruction(p, other, 1).found
    assert 0 < impossible < 30


@pytest.mark.parametrize("style", ["random", "contrary"])
@pytest.mark.parametrize("variant", VARIANTS)
def test_the_true_cards_are_among_those_that_may_be(variant: Variant, style: str) -> None:
    for seed in range(5):
        for p in game(variant, ("true", seed), style):
            s = p.state
            for owner in (0, 1):
                hidden, ghosts = cards_in(s.hand[owner] & s.unseen), cards_in(s.ghosts[owner])
                slots = cards_in(s.slots[owner])
                assert len(slots) == len(hidden) + len(ghosts)
                assert matches(s, hidden + ghosts, slots, {c: int(s.until[c]) for c in ghosts}, int(s.checked[owner]))


def matches(s: Any, cards: list[int], slots: list[int], until: dict[int, int], checked: int) -> bool:
    """Whether the cards can lie in the slots, no two of a rank together below what they were checked for."""

    def fill(k: int, used: dict[int, int]) -> bool:
        if k == len(cards):
            return True
        card = cards[k]
        for slot in slots:
            if slot in used or not int(s.may[slot]) >> card & 1:
                continue
            limits = (
                min(until.get(card, checked), until.get(c, checked)) for c in used.values() if c % 13 == card % 13
            )
            others = (other for other, c in used.items() if c % 13 == card % 13)
            if any(slot < limit and other < limit for limit, other in zip(limits, others, strict=True)):
                continue
            if fill(k + 1, {**used, slot: card}):
                return True
        return False

    return fill(0, {})


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


@pytest.mark.parametrize(("seed", "ply"), [(18, 20), (65, 33), (104, 13), (105, 29), (170, 34), (185, 47)])
def test_where_it_matters_which_card_was_played_both_ways_stay_open(seed: int, ply: int) -> None:
    """A played card came from either of two hidden places, of which different things are known."""
    p = next(p for p in game(VARIANTS[0], ("ghosts", seed), "contrary") if p.ply == ply)
    owner = 1 if p.state.ghosts[1] else 0
    assert p.state.ghosts[owner]  # the card stays in the book-keeping
    for k in range(10):
        assert Reconstruction(p, p.redeal(2 - owner, k), 2 - owner).found
