"""Khvostiki, clause by clause."""

from __future__ import annotations

from collections import Counter

import pytest

import kartoteka
from kartoteka.cards import JOKER, NUMBER, TEXT
from kartoteka.engine.errors import AmbiguousMove, IllegalMove, MalformedMove, UsageError
from kartoteka.engine.position import Position
from kartoteka.engine.view import Zone, encode
from kartoteka.games.khvostiki import GAME, notation, table
from kartoteka.games.khvostiki.state import BIT
from tests.cases import changing

PACK = [TEXT[card] for card in GAME.pack(2)]


def stacked(*first: str) -> list[str]:
    """Return the pack with the cards of `first` on top (hands dealt in turn), jokers below all the others."""
    top = " ".join(first).split()
    return top + list((Counter(PACK) - Counter(top)).elements())


def start(players: int = 2, **options: object) -> Position:
    """Return a deal at seat 1's first turn, the tail being 9c and every joker deep in the stock."""
    first = [card for card in PACK if card not in ("9c", "Jk")][: 5 * players]
    deck = stacked(*first, "9c")
    return kartoteka.game("khvostiki", players=players, **options).deal(deck=deck, dealer=players)


def hold(p: Position, cards: str, seat: int = 0) -> Position:
    """Put just these cards in the hand of the seat to move, or of `seat`."""
    s, k = changing(p), (seat or p.turn) - 1
    s.hand[k] = s.known[k] = s.known_naturals[k] = s.natural[k] = 0
    numbers = [NUMBER[card] for card in cards.split()]
    for card in numbers:
        s.hand[k, card] += 1
    s.held[k] = len(numbers)
    s.mask[k] = sum(int(BIT[card]) for card in set(numbers) - {JOKER})
    return p


def turn(p: Position, cards: str, *moves: str) -> Position:
    """Let the seat to move hold `cards` and play `moves`."""
    hold(p, cards)
    for move in moves:
        p.play(move)
    return p


def set_tail(p: Position, cards: str) -> None:
    numbers = [NUMBER[card] for card in cards.split()]
    changing(p).tail[: len(numbers)] = numbers
    changing(p).tail_length = len(numbers)


def last(p: Position) -> Position:
    """Make this the last turn."""
    changing(p).drawn, changing(p).last = p.state.stock_length, 1
    return p


def refused(p: Position, move: str) -> str:
    with pytest.raises(IllegalMove) as caught:
        p.play(move)
    return caught.value.clause


def zone(p: Position, name: str, seat: int = 0) -> Zone:
    return next(z for z in p.view(seat).zones if z.name == name)


def fact(p: Position, k: int) -> tuple[int, ...]:
    return p.view().facts[k].values


def starting(p: Position, words: str) -> set[str]:
    return {str(move) for move in p.moves if move.startswith(words)}


def test_khv_1_1_two_packs_with_four_jokers_for_two_to_six() -> None:
    assert len(PACK) == 108
    assert Counter(PACK) == Counter({**{TEXT[card]: 2 for card in range(52)}, "Jk": 4})
    for players in range(2, 7):
        assert len(table.census(start(players).state)) == 108
    for players in (1, 7):
        with pytest.raises(UsageError):
            kartoteka.game("khvostiki", players=players)


def test_khv_1_2_five_each_in_turn_from_the_left_of_a_dealer_by_lot() -> None:
    deck = stacked("2c 3c 4c  2d 3d 4d  2h 3h 4h  2s 3s 4s  6c 7c 8c  Td  Kh")
    p = kartoteka.game("khvostiki", players=3).deal(deck=deck, dealer=2)
    assert p.turn == 3  # the dealer's left
    assert set(zone(p, "hand:3", 3).cards) == {"2c", "2d", "2h", "2s", "6c", "Kh"}
    assert set(zone(p, "hand:1", 1).cards) == {"3c", "3d", "3h", "3s", "7c"}
    assert set(zone(p, "hand:2", 2).cards) == {"4c", "4d", "4h", "4s", "8c"}
    assert zone(p, "tail").cards == ("Td",)
    for seat in (3, 1, 2, 3):
        assert p.turn == seat
        p.play(next(move for move in p.moves if move.startswith("tail")))
    variant = kartoteka.game("khvostiki", players=3)
    assert {variant.deal(seed=seed).dealer for seed in range(40)} == {1, 2, 3}


def test_khv_1_3_a_joker_turned_up_goes_to_the_bottom() -> None:
    deck = stacked("2c 3c 2d 3d 2h 3h 2s 3s 6c 7c", "Jk Jk Td Kh")
    p = kartoteka.game("khvostiki", players=2).deal(deck=deck, dealer=2)
    assert zone(p, "tail").cards == ("Td",)
    stock = zone(p, "stock")
    assert stock.count == 108 - 10 - 1 - 1
    assert stock.notes == ("2 jokers at the bottom",)
    assert Counter(p.hidden(1))["Jk"] == 2  # those two all know of
    s = changing(p)
    assert [int(card) for card in s.stock[s.stock_length - 2 : s.stock_length]] == [JOKER, JOKER]
    again = p.redeal(1, seed=5).state
    assert [int(card) for card in again.stock[s.stock_length - 2 : s.stock_length]] == [JOKER, JOKER]
    s.drawn, s.bottom = s.stock_length - 1, 1  # one of them is left
    turn(p, "2c 2d", "tail 2c")
    assert zone(p, "hand:2", 1).cards.count("Jk") == 1  # who drew it is known to hold it
    assert not zone(p, "stock").notes


def test_khv_2_1_a_new_row_is_three_in_sequence_or_three_suits_of_a_rank() -> None:
    p = hold(start(), "2h 3h 4h 5s Qc Qh Qs Qs 9d")
    assert starting(p, "row") == {"row 2h 3h 4h", "row Qc Qh Qs"}
    assert refused(p, "row 3h 4h 5h") == "KHV 2.1"
    for wrong in ("row 4h 3h 2h", "row Qh Qc Qs", "row Qs Qs Qc", "row 2h 3h 5s", "row 2h 3h 4h 5h"):
        with pytest.raises(MalformedMove):
            p.play(wrong)
    turn(p, "2h 3h 4h 5h 9d", "row 2h 3h 4h", "5h>1")  # a longer row
    assert zone(p, "row:1").cards == ("2h", "3h", "4h", "5h")


def test_khv_2_2_ranks_run_in_a_ring_of_at_most_thirteen() -> None:
    assert starting(hold(start(), "Qh Kh Ah 2h 3h 9d"), "row") == {"row Qh Kh Ah", "row Kh Ah 2h", "row Ah 2h 3h"}
    cards = "Qh Kh Ah 2h 3h 4h 5h 6h 7h 8h 9h Th Jh Jh Qh"
    p = turn(start(), cards, "row Qh Kh Ah", *(f"{r}h>1" for r in "23456789TJ"))
    assert zone(p, "row:1").count == 13
    assert not starting(hold(p, "Jh Qh 2h Jk 9d"), "Qh>") | starting(p, "Jh>") | starting(p, "Jk>")
    assert refused(p, "Qh>1") == "KHV 2.2"
    assert refused(p, "Jk>1+") == "KHV 2.2"


def test_khv_2_3_a_set_has_at_most_four_cards_all_of_different_suits() -> None:
    p = turn(start(), "Qc Qh Qs 5s", "row Qc Qh Qs")
    assert refused(hold(p, "Qc Qd 5s"), "Qc>1") == "KHV 2.3"
    p.play("Qd>1")
    assert zone(p, "row:1").cards == ("Qc", "Qd", "Qh", "Qs")
    assert refused(hold(p, "Qd Jk 5s"), "Qd>1") == "KHV 2.3"
    assert refused(p, "Jk>1") == "KHV 2.3"


def test_khv_2_4_all_add_to_any_row_and_the_card_lies_in_their_house() -> None:
    p = turn(start(), "2h 3h 4h 9d", "row 2h 3h 4h", "tail 9d")
    hold(p, "Ah Ah Kh 5h 7h Qd")
    assert starting(p, "Ah>") == {"Ah>1"}
    assert refused(p, "Kh>1") == refused(p, "7h>1") == "KHV 2.4"
    p.play("Ah>1")
    assert refused(p, "Ah>1") == "KHV 2.4"  # the row goes on from it: now a king
    p.play("Kh>1")
    p.play("5h>1")
    row = zone(p, "row:1")
    assert (row.cards, row.houses) == (("Kh", "Ah", "2h", "3h", "4h", "5h"), (2, 2, 1, 1, 1, 2))
    assert row.owner == 1
    assert fact(p, 0) == (9, 30)


def test_khv_2_5_rows_are_numbered_and_owned_and_a_thirteenth_card_goes_high() -> None:
    p = turn(start(), "2h 3h 4h 9d", "row 2h 3h 4h", "tail 9d")
    turn(p, "Qc Qh Qs 9d", "row Qc Qh Qs")
    assert [(z.name, z.owner) for z in p.view().zones if z.kind == "row"] == [("row:1", 1), ("row:2", 2)]
    assert refused(hold(p, "5c 9d"), "5c>3") == "KHV 2.5"
    p = turn(start(), "2h 3h 4h 9d", "row 2h 3h 4h")
    turn(p, "5h 6h 7h 8h 9h Th Jh Qh Kh 9d", *(f"{r}h>1" for r in "56789TJQK"))
    natural, joker = p.copy(), p.copy()
    turn(natural, "Ah 9d", "Ah>1")
    assert zone(natural, "row:1").cards[-1] == "Ah"
    assert starting(hold(joker, "Jk 9d"), "Jk") == {"Jk>1+"}
    assert refused(joker, "Jk>1-") == "KHV 2.5"
    joker.play("Jk>1+")
    assert zone(joker, "row:1").cards[0] == "2h"
    assert zone(joker, "row:1").cards[-1] == "Jk"


def test_khv_3_1_a_new_row_holds_at_most_one_joker_in_any_place() -> None:
    p = hold(start(), "3h 4h 6s 8s Qc Qd 9d Jk Jk")
    expected = {"row Jk 3h 4h", "row 3h 4h Jk", "row 6s Jk 8s", "row Qc Qd Jk"}
    assert starting(p, "row") == expected
    for wrong in ("row Jk Jk 3h", "row 3h Jk Jk", "row Qc Jk Qd"):
        with pytest.raises(MalformedMove):
            p.play(wrong)
    assert refused(hold(p, "3h 4h 9d 9d"), "row 3h 4h Jk") == "KHV 3.1"
    turn(p, "3h 4h 9d 5h 2h Jk", "row Jk 3h 4h")
    assert refused(p, "2h>1") == "KHV 2.4"  # the joker stands for it
    turn(p, "Jk 5h 9d", "Jk>1+")  # more may be added
    assert zone(p, "row:1").cards == ("Jk", "3h", "4h", "Jk")


def test_khv_3_2_a_joker_is_added_to_a_row_of_ones_own_only() -> None:
    p = turn(start(), "2h 3h 4h Qc Qh Qs Qd 9d", "row 2h 3h 4h", "row Qc Qh Qs", "tail 9d")
    assert not starting(hold(p, "Jk 5h Kd 9d"), "Jk")
    assert refused(p, "Jk>1+") == refused(p, "Jk>2") == "KHV 3.2"
    p.play("5h>1")
    p.play("tail 9d")
    hold(p, "Jk Jk 9d 8d")
    assert starting(p, "Jk") == {"Jk>1-", "Jk>1+", "Jk>2"}  # beside seat 2's card too
    assert refused(p, "Jk>2+") == "KHV 3.2"
    with pytest.raises(AmbiguousMove):  # a player says to which end
        p.play("Jk>1")
    assert refused(hold(p.copy(), "8d 9d"), "Jk>1+") == "KHV 3.2"
    p.play("Jk>1-")
    p.play("Jk>2")
    assert zone(p, "row:1").cards == ("Jk", "2h", "3h", "4h", "5h")
    assert zone(p, "row:1").houses == (1, 1, 1, 1, 2)
    assert zone(p, "row:2").cards == ("Qc", "Qh", "Qs", "Jk")


def test_khv_3_3_a_joker_is_exchanged_and_must_at_once_be_laid() -> None:
    p = turn(start(), "2h 4h 3h 9d 8d Jk", "row 2h Jk 4h")
    assert not starting(p, "3h<>")
    assert refused(p, "3h<>1") == "KHV 3.3"  # laid in this turn
    p.play("tail 9d")
    hold(p, "3h 3h Td 6d Ks")
    assert not starting(p, "3h<>")  # seat 2 has nowhere to lay it
    assert refused(p, "3h<>1") == refused(p, "Ks<>1") == "KHV 3.3"
    hold(p, "3h 9d 7d Ks")
    p.play("3h<>1")
    assert set(p.moves) == {"row 7d Jk 9d"}
    assert refused(p, "tail Ks") == "KHV 3.3"
    p.play("row 7d Jk 9d")
    p.play("tail Ks")
    hold(p, "8d 9s")
    p.play("8d<>2")  # the joker may go on any row of one's own
    assert set(p.moves) == {"Jk>1-", "Jk>1+"}


def test_khv_3_3_the_same_row_may_take_the_joker_again() -> None:
    p = turn(start(), "2h 4h 9d Jk", "row 2h Jk 4h", "tail 9d")
    turn(p, "9s 2c", "tail 9s")
    assert refused(hold(p, "3h Jk"), "3h<>1") == "KHV 4.4"
    turn(p, "3h 9s", "3h<>1", "Jk>1+")
    assert zone(p, "row:1").cards == ("2h", "3h", "4h", "Jk")
    assert not starting(hold(p, "5h 9s"), "5h<>")  # laid there just now


def test_khv_3_3_in_a_set_an_older_joker_goes_for_any_missing_suit_a_fresh_one_does_not() -> None:
    p = turn(start(), "Qc Qh 9d Jk", "row Qc Qh Jk", "tail 9d")
    turn(p, "9s 2c", "tail 9s")
    p = turn(p, "Jk Qd Qs 9d", "Jk>1")
    assert refused(p, "Qc<>1") == "KHV 3.3"
    assert not starting(p, "Q")  # the row is full now, and the joker has no room elsewhere
    hold(p, "2h 3h 4h Qd Qs 9d").play("row 2h 3h 4h")
    assert starting(p, "Q") == {"Qd<>1", "Qs<>1"}
    p.play("Qd<>1")
    p.play("Jk>2+")
    assert zone(p, "row:1").cards == ("Qc", "Qd", "Qh", "Jk")
    assert refused(p, "Qs<>1") == "KHV 3.3"  # the other was laid in this turn


@pytest.mark.parametrize("rule", ["player", "house"])
def test_khv_3_4_where_the_card_given_for_a_joker_lies(rule: str) -> None:
    p = turn(start(swap_scores=rule), "2h 4h 9d Jk", "row 2h Jk 4h", "tail 9d")
    assert fact(p, 0) == (6 - 15, 0)
    turn(p, "3h 7d 9d Ks", "3h<>1", "row 7d Jk 9d")
    gives = 2 if rule == "player" else 1
    assert zone(p, "row:1").houses == (1, gives, 1)
    assert fact(p, 0) == ((6, 16 - 15 + 3) if rule == "player" else (9, 16 - 15))


def test_khv_3_5_a_joker_never_goes_to_the_tail() -> None:
    p = hold(start(), "Jk 9d 8d")
    assert starting(p, "tail") == {"tail 9d", "tail 8d"}
    with pytest.raises(MalformedMove, match="joker"):
        p.play("tail Jk")


def test_khv_4_1_a_turn_begins_by_drawing_up_to_six() -> None:
    p = start()
    for held in range(9):
        q = p.copy()
        hold(q, "2c 3c 4c 5c 6c 7c 8c 9c Tc"[: 3 * held - 1 if held else 0], seat=2)
        turn(q, "Ks 9d", "tail Ks")
        assert fact(q, 1)[1] == max(held, 6)
        assert zone(p, "stock").count - zone(q, "stock").count == max(6 - held, 0)


def test_khv_4_2_rows_additions_exchanges_and_takings_in_any_order_and_as_often_as_one_likes() -> None:
    p = turn(start(), "2h 4h 9d Jk 8d", "row 2h Jk 4h", "tail 9d")
    turn(p, "Ks 9s", "tail Ks")
    set_tail(p, "6h 9h Ts")
    turn(p, "5h 3h Qc Qh Qs 7h 8h Th Jh Kd 2c", "5h>1", "row Qc Qh Qs", "3h<>1", "Jk>1-")
    for move in ("take 2", "row 9h Th Jh", "take 1", "6h>1", "7h>1", "8h>3"):
        p.play(move)
    assert p.turn == 1
    assert zone(p, "row:1").cards == ("Jk", "2h", "3h", "4h", "5h", "6h", "7h")
    assert zone(p, "row:3").cards == ("8h", "9h", "Th", "Jh")


def test_khv_4_3_the_card_taken_must_be_laid_before_anything_else() -> None:
    p = turn(start(), "5s 6s 7s 9d", "row 5s 6s 7s", "tail 9d")
    set_tail(p, "Kd 3h 8s 9c Js")
    hold(p, "2h 4h 5h 7d Jk")
    assert starting(p, "take") == {"take 2", "take 3"}
    assert refused(p, "take 1") == refused(p, "take 4") == refused(p, "take 9") == "KHV 4.3"
    p.play("take 2")
    assert zone(p, "tail").cards == ("Kd",)
    assert fact(p, 1)[1] == 9  # the rest stay in hand
    jokers = {"row Jk 2h 3h", "row 2h 3h Jk", "row Jk 3h 4h", "row 3h 4h Jk", "row 3h Jk 5h"}
    assert set(p.moves) == {"row 2h 3h 4h", "row 3h 4h 5h"} | jokers
    assert refused(p, "8s>1") == refused(p, "tail 7d") == refused(p, "take 1") == "KHV 4.3"
    p.play("row 3h 4h 5h")
    assert p.can("8s>1")


def test_khv_4_3_any_copy_will_do_but_giving_it_for_a_joker_does_not_count() -> None:
    p = turn(start(), "2h 4h 9d Jk", "row 2h Jk 4h", "tail 9d")
    set_tail(p, "3h")
    hold(p, "Ks 9d 8d Jd")
    assert refused(p, "take 1") == "KHV 4.3"  # it could only be given for the joker
    hold(p, "3h 4h 5h 8d Jd").play("take 1")
    assert set(p.moves) == {"row 3h 4h 5h"}
    p.play("row 3h 4h 5h")
    assert p.can("tail 3h")  # the other copy is free
    assert p.can("take 1") is False


def test_khv_4_4_a_natural_card_must_be_left_for_the_tail() -> None:
    p = hold(start(), "2h 3h 4h Jk")
    assert starting(p, "row") == {"row 2h 3h Jk", "row 3h 4h Jk", "row 2h Jk 4h", "row Jk 2h 3h", "row Jk 3h 4h"}
    assert refused(p, "row 2h 3h 4h") == "KHV 4.4"
    assert refused(hold(p, "2h 3h Jk"), "row 2h 3h Jk") == "KHV 4.4"
    p = turn(start(), "2h 3h 4h 5h", "row 2h 3h 4h")
    assert refused(p, "5h>1") == "KHV 4.4"
    assert set(p.moves) == {"tail 5h"}
    hold(p, "5h Jk").play("Jk>1+")  # a joker is no natural card
    assert refused(p, "end") == "KHV 5.1"


def test_khv_4_4_counts_what_an_exchange_and_a_taking_oblige_to() -> None:
    p = turn(start(), "2h 4h 9d Jk", "row 2h Jk 4h", "tail 9d")
    changing(p).tail_length = 0
    assert refused(hold(p, "3h 7d 9d"), "3h<>1") == "KHV 4.4"  # 7d Jk 9d would take them all
    assert refused(hold(p, "3h 7d 2s"), "3h<>1") == "KHV 3.3"
    assert hold(p, "3h 7d 9d 2s").can("3h<>1")
    set_tail(p, "8d")
    assert refused(hold(p, "7d 9d"), "take 1") == "KHV 4.4"
    assert refused(hold(p, "7d Jk"), "take 1") == "KHV 4.4"
    assert hold(p, "7d 9d Jk").can("take 1")
    p.play("take 1")
    assert not starting(p, "row 7d 8d 9d")  # only with the joker is one of them left
    assert starting(p, "row") == {"row 7d 8d Jk", "row Jk 7d 8d", "row 8d 9d Jk", "row Jk 8d 9d"}
    set_tail(p, "8d Ks")
    changing(p).duty = 0
    assert hold(p, "7d 9d").can("take 1")  # the king comes along


def test_khv_5_1_who_takes_the_last_card_has_the_last_turn() -> None:
    for left in (1, 2):
        p = start(3)
        changing(p).drawn = p.state.stock_length - left
        turn(p, "2c 9d", "tail 9d")  # the next player draws one
        assert p.can("end") == (left == 1)
    p = start(3)
    changing(p).drawn = p.state.stock_length - 2  # too small to draw up to six
    hold(p, "Ks 8s", seat=2)
    turn(p, "2c 9d", "tail 9d")
    assert (p.turn, fact(p, 1)[1], zone(p, "stock").count) == (2, 4, 0)
    assert "last turn" in p.view().state
    assert starting(p, "tail") >= {"tail Ks", "tail 8s"}
    assert p.can("end")
    laid, ended = p.copy(), p.copy()
    laid.play("tail Ks")
    ended.play("end")
    for q in (laid, ended):
        assert q.outcome is not None
        assert q.outcome.clause == "KHV 5.1"
    assert laid.scores[1] == ended.scores[1] + 10


def test_khv_5_1_in_the_last_turn_all_may_be_laid_but_duties_remain() -> None:
    p = turn(start(), "2h 4h 9d Jk", "row 2h Jk 4h", "tail 9d")
    set_tail(p, "8d")
    last(hold(p, "3h 7d 9d"))
    assert {"3h<>1", "take 1", "end", "tail 3h"} <= set(p.moves)
    took = p.copy()
    took.play("take 1")
    assert set(took.moves) == {"row 7d 8d 9d"}
    took.play("row 7d 8d 9d")
    took.play("tail 3h")
    p.play("3h<>1")
    assert set(p.moves) == {"row 7d Jk 9d"}
    assert refused(p, "end") == "KHV 3.3"
    p.play("row 7d Jk 9d")
    assert set(p.moves) == {"end"}  # with an empty hand
    p = turn(start(), "2h 4h 9d Jk", "row 2h Jk 4h", "tail 9d")
    assert refused(last(hold(p, "3h 7d")), "3h<>1") == "KHV 3.3"


def test_khv_5_2_cards_count_for_in_the_house_and_against_in_hand() -> None:
    p = turn(start(), "Qh Kh Ah 9d 2h 3d", "row Qh Kh Ah", "2h>1")
    hold(p, "Td Jd 7s 6c", seat=2)
    assert fact(p, 0) == (10 + 10 + 15 + 2, 0)
    assert p.scores == (37 - 9 - 3, -(10 + 10 + 7 + 6))


def test_khv_5_3_a_joker_counts_minus_15_in_hand_or_laid() -> None:
    p = turn(start(), "2h 4h Jk Jk 9d", "row 2h Jk 4h")
    hold(p, "Ad Jk Jk", seat=2)
    assert p.scores == (6 - 15 - 15 - 9, -15 - 30)


def test_khv_5_4_the_highest_total_wins_after_one_deal_or_at_the_target() -> None:
    assert GAME.finished
    assert GAME.next_dealer
    assert GAME.finished([10, 30, 30], {"target": "none"}) == (2, 3)
    assert GAME.finished([10, 99], {"target": 100}) is None
    assert GAME.finished([120, 101], {"target": 100}) == (1,)
    assert [GAME.next_dealer(seat, [0, 0, 0], {}) for seat in (1, 2, 3)] == [2, 3, 1]
    assert kartoteka.game("khvostiki", target=300).options["target"] == 300
    p = last(hold(start(), "2h"))
    hold(p, "2d", seat=2)
    p.play("end")
    assert p.outcome is not None
    assert p.outcome.scores == (-2, -2)
    assert p.outcome.winners == (1, 2)  # all share it


def test_the_example_of_play_in_the_rulebook() -> None:
    deck = stacked("2h Ah 3h Qc 4h Qh 8d 5s Ks Jd  9c 7d Jk  4c 6c Tc Qs  Kd Kh 2c 3s Td")
    p = kartoteka.game("khvostiki", players=2).deal(deck=deck, dealer=2)
    moves = "row 2h 3h 4h,tail Ks,Ah>1,row Qc Qh Jk,tail 5s,Qs<>2,row 7d 8d Jk,tail Tc,take 2,row Kd Kh Ks,Td>3,Jd>3"
    for move in moves.split(","):
        p.play(move)
    assert sorted(zone(p, "hand:2", 1).cards) == ["5s", "??", "??", "Tc"]
    before = p.copy()
    p.play("tail 2c")
    rows = [(z.cards, z.houses) for z in p.view().zones if z.kind == "row"]
    assert rows == [
        (("Ah", "2h", "3h", "4h"), (2, 1, 1, 1)),
        (("Qc", "Qh", "Qs"), (2, 2, 1)),
        (("7d", "8d", "Jk", "Td", "Jd"), (1, 1, 1, 2, 2)),
        (("Kd", "Kh", "Ks"), (2, 2, 2)),
    ]
    assert zone(p, "tail").cards == ("9c", "2c")
    assert fact(p, 0) == (19, 85)
    told = notation.tell(before.state, p.history[-1].move.number, p.state, ["Anna", "Boris"], 1)
    assert told == ["Boris lays the two of clubs on the tail.", "Anna draws 4 cards."]
    assert before.scores[1] == 85 - 3 - 5 - 10 - 2
    assert p.scores[1] == 67


def test_seen_what_was_taken_from_the_tail_stays_known_until_it_is_laid() -> None:
    p = turn(start(), "5s 6s 7s 9d", "row 5s 6s 7s", "tail 9d")
    set_tail(p, "8s 3h 3d")
    turn(p, "Kd 3h 2c Qc", "take 1", "8s>1")
    assert sorted(zone(p, "hand:2", 1).cards) == sorted(["3h", "3d", "??", "??", "??", "??"])
    assert "Kd" in zone(p, "hand:2", 2).cards
    p.play("tail 3h")  # of two equal cards the known one
    assert "3h" not in zone(p, "hand:2", 1).cards
    assert "3d" in zone(p, "hand:2", 0).cards


def check_redeal(p: Position, seat: int, seed: int) -> Position:
    q = p.redeal(seat, seed=seed)
    assert encode(q.view(seat)) == encode(p.view(seat))
    assert sorted(table.census(q.state)) == sorted(table.census(p.state))
    assert q.hidden(seat) == p.hidden(seat)
    assert len(q.moves) > 0 or p.over
    return q


def test_redeal_a_duty_of_another_seat_can_still_be_met() -> None:
    p = start(3)
    set_tail(p, "8s Ks")
    turn(p, "7s 6s", "take 1")  # two unknown cards out of many: hardly ever met by chance
    used = {" ".join(q.moves) for q in (check_redeal(p, 2, seed) for seed in range(60))}
    assert len(used) > 5
    assert any("Jk" in moves for moves in used)
    p.play("row 6s 7s 8s")
    p = turn(start(), "2h 4h 9d Jk", "row 2h Jk 4h", "tail 9d")
    turn(p, "3h 7d 9d Ks", "3h<>1")
    for seed in range(60):
        q = check_redeal(p, 1, seed)
        assert all(move.startswith("row") for move in q.moves)


def test_redeal_heeds_that_a_card_left_must_have_been_natural() -> None:
    p = turn(start(), "2h 3h 4h 5h 6h", "row 2h 3h 4h", "5h>1")  # KHV 4.4: the last card is natural
    s = changing(p)
    s.drawn = s.stock_length - 6  # what is left unseen is rich in jokers
    s.stock[s.drawn : s.stock_length] = [JOKER, JOKER, JOKER, JOKER, 1, 2]
    hands = {check_redeal(p, 2, seed).view(1).zones[-2].cards for seed in range(60)}
    assert ("Jk",) not in hands
    assert len(hands) > 1
