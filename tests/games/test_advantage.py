"""Advantage, clause by clause. Seats count from 1, as in the rulebook."""

from __future__ import annotations

import itertools
import re
from collections import Counter

import pytest

import kartoteka
from kartoteka.cards import NUMBER, RANKS, SUITS, TEXT, tidy
from kartoteka.core import chance, randbelow
from kartoteka.engine import rulebook
from kartoteka.engine.errors import IllegalMove, MalformedMove
from kartoteka.engine.match import Match
from kartoteka.engine.moves import Move
from kartoteka.engine.position import Position
from kartoteka.engine.variant import Variant
from kartoteka.engine.view import Zone
from tests.cases import changing

CARDS = [TEXT[card] for card in range(52)]
READINGS = list(itertools.product(("chain", "once"), (False, True)))
VARIANTS = [kartoteka.game("advantage", 2, pairing=pairing, switch_hands=switch) for pairing, switch in READINGS]
NAMES = ("Ann", "Bo")


def mask(cards: str) -> int:
    return sum(1 << NUMBER[card] for card in cards.split())


def table(
    hands: dict[int, str],
    piles: tuple[str, str, str],
    stock: str = "",
    phase: int = 1,
    turn: int = 1,
    **options: object,
) -> Position:
    """Return a position: seat 2 has dealt, hands lie face up, the top of a pile stands last; no other cards exist."""
    p = kartoteka.game("advantage", 2, **options).deal(seed="table", dealer=2)
    s, cards = changing(p), stock.split()
    s.hand = [mask(hands.get(1, "")), mask(hands.get(2, ""))]
    s.pile = [mask(pile) for pile in piles]
    s.top = [NUMBER[pile.split()[-1]] for pile in piles]
    s.drawn, s.unseen = 43 - len(cards), mask(stock)
    s.stock = [-1] * s.drawn + [NUMBER[card] for card in cards]
    s.phase, s.seat = phase, turn - 1
    return p


def moves(p: Position) -> set[str]:
    return set(map(str, p.moves))


def zone(p: Position, name: str, seat: int = 0) -> Zone:
    return next(z for z in p.view(seat).zones if z.name == name)


def held(p: Position, seat: int) -> str:
    return " ".join(sorted(zone(p, f"hand:{seat}", seat).cards))


def phase(p: Position) -> int:
    return ("first", "second", "third").index(p.view().state.split()[0]) + 1


def refusal(p: Position, move: str) -> str:
    """The clause that refuses a move, which the error's text names too, with something legal."""
    with pytest.raises(IllegalMove) as caught:
        p.play(move)
    assert caught.value.clause in str(caught.value)
    assert caught.value.legal or p.over
    return caught.value.clause


# --- 1 Pack and deal ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("dealer", [1, 2])
def test_adv_1_1_three_cards_each_the_non_dealer_first_then_three_piles(dealer: int) -> None:
    deck = CARDS[::-1]
    p = kartoteka.game("advantage").deal(deck=deck, dealer=dealer)
    for seat in range(3):
        assert Counter(zone(p, f"hand:{3 - dealer}", seat).cards) == Counter(deck[:6:2])
        assert Counter(zone(p, f"hand:{dealer}", seat).cards) == Counter(deck[1:6:2])  # face up
        assert [zone(p, f"pile:{k}", seat).cards for k in (1, 2, 3)] == [(card,) for card in deck[6:9]]
        assert (zone(p, "stock", seat).cards, zone(p, "stock", seat).count) == ((), 43)
        assert Counter(p.hidden(seat)) == Counter(deck[9:])


def test_adv_1_2_the_first_dealer_is_chosen_by_lot() -> None:
    dealers = Counter(Match(kartoteka.game("advantage"), seed).position.dealer for seed in range(100))
    assert min(dealers[1], dealers[2]) > 25


@pytest.mark.parametrize("next_deal", ["loser", "alternate"])
def test_adv_1_2_the_loser_deals_or_the_deal_alternates(next_deal: str) -> None:
    variant = kartoteka.game("advantage", next_deal=next_deal)
    turn = variant.game.next_dealer
    assert turn is not None
    for dealer, (scores, loser) in itertools.product((1, 2), (((5, 3), 2), ((3, 5), 1), ((4, 4), 0))):
        alone = 3 - dealer if next_deal == "alternate" else loser or dealer  # after a draw the same again
        assert turn(dealer, scores, variant.options) == alone
    match = Match(variant, "deals", best_of=5)
    changing(match.position).over, changing(match.position).pairs = 1, (2, 1)
    other = 3 - match.position.dealer
    assert match.next_deal().dealer == (2 if next_deal == "loser" else other)


# --- 2 Order of rounds -------------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", VARIANTS)
def test_adv_2_1_first_second_third_round_again_and_again(variant: Variant) -> None:
    rounds, kinds = [], (r"..>\d|draw|pass", r"..<\d|draw|pass", r"(\w)[cdhs]\1[cdhs]")
    p, rng = variant.deal(seed="rounds"), chance("rounds")
    while not p.over:
        assert all(re.fullmatch(kinds[phase(p) - 1], move) for move in moves(p))
        for wrong, move in enumerate(("7h>2", "7h<2", "7d7h"), 1):
            if wrong != phase(p):
                assert refusal(p, move) == "ADV 2.1"
        rounds.append(phase(p))
        p.push(p.moves[int(randbelow(rng, len(p.moves)))])
    order = [k for k, _same in itertools.groupby(rounds)]
    assert len(order) > 10
    for before, after in itertools.pairwise(order):  # a third round in which nobody holds a pair has no move
        assert after == before % 3 + 1 or (before, after) == (2, 1)


@pytest.mark.parametrize("dealer", [1, 2])
def test_adv_2_2_the_non_dealer_first_each_one_turn_a_round(dealer: int) -> None:
    for seed in range(20):
        p = kartoteka.game("advantage").deal(seed=seed, dealer=dealer)
        turns: list[tuple[int, int]] = []
        while not p.over:
            if not turns or turns[-1] != (phase(p), p.turn):
                turns.append((phase(p), p.turn))
            p.push(p.best(chance(p.ply)))
        for cycle in " ".join(f"{a}{b}" for a, b in turns).split("11" if dealer == 2 else "12")[1:]:
            first, second = 3 - dealer, dealer
            assert re.fullmatch(rf" 1{second} 2{first} 2{second}( 3{first})?( 3{second})? ?", cycle)
    p = table({1: "2c 2d", 2: "3c 3d"}, ("5h", "5d", "5s"), phase=3)
    assert (p.turn, moves(p)) == (1, {"2c2d"})
    p.play("2c2d")
    assert (p.turn, moves(p)) == (2, {"3c3d"})


# --- 3 First round: placing --------------------------------------------------------------------------------


def fits(card: str, top: str, ten: str) -> bool:
    return (card[1] in "dh") == (top[1] in "dh") or card[0] == top[0] or ten[0] == "T"


@pytest.mark.parametrize("top", CARDS)
def test_adv_3_1_same_colour_or_rank_or_a_ten(top: str) -> None:
    hand = [card for card in CARDS if card != top]
    p = table({1: " ".join(hand)}, ("2c" if top != "2c" else "3c", top, "2h" if top != "2h" else "3h"))
    legal = {m[:2] for m in moves(p) if m.endswith(">2")}
    assert legal == {card for card in hand if fits(card, top, ten=card)}
    wrong = next(card for card in hand if card not in legal)
    assert refusal(p, f"{wrong}>2") == "ADV 3.1"
    assert refusal(table({1: "Tc"}, ("5h", "2h 5d", "5c")), "Th>2") == "ADV 3.1"  # not in hand


def test_adv_3_2_who_can_place_must() -> None:
    p = table({1: "9c 8h 6h"}, ("5h", "7d", "Kd"), "2c 3c")
    assert moves(p) == {"8h>1", "8h>2", "8h>3", "6h>1", "6h>2", "6h>3"}
    assert {refusal(p, "pass"), refusal(p, "draw")} == {"ADV 3.2"}


@pytest.mark.parametrize(("stock", "hand", "left"), [("2c 3c", "2c 9c", 1), ("", "9c", 0)])
def test_adv_3_3_after_placing_a_card_is_taken_from_the_stock(stock: str, hand: str, left: int) -> None:
    p = table({1: "9c 8h"}, ("5h", "7d", "Kd"), stock)
    p.play("8h>2")
    assert (held(p, 1), zone(p, "stock").count, p.turn) == (hand, left, 2)
    assert (zone(p, "pile:2").cards, zone(p, "pile:2").count) == (("8h",), 2)


@pytest.mark.parametrize("drawn", ["4h", "7c", "Ts"])
def test_adv_3_4_a_card_drawn_that_fits_must_be_placed(drawn: str) -> None:
    p = table({1: "9c 8s"}, ("5h", "7d", "Kd"), f"{drawn} 3c 4c")
    assert moves(p) == {"draw", "pass"}
    p.play("draw")
    assert p.turn == 1
    assert moves(p) == {f"{drawn}>{k}" for k in (1, 2, 3) if drawn != "7c" or k == 2}
    assert {refusal(p, "pass"), refusal(p, "draw")} == {"ADV 3.4"}
    p.play(p.moves[0])
    assert (held(p, 1), p.turn) == ("3c 8s 9c", 2)  # ADV 3.3


def test_adv_3_4_the_turn_is_over_when_the_card_drawn_does_not_fit() -> None:
    p = table({1: "9c 8s", 2: "9s"}, ("5h", "7d", "Kd"), "6c 3c")
    p.play("draw")
    assert (held(p, 1), p.turn, phase(p)) == ("6c 8s 9c", 2, 1)


def test_adv_3_4_passing_without_drawing_and_with_an_empty_stock() -> None:
    p = table({1: "9c 8s", 2: "9s"}, ("5h", "7d", "Kd"), "6c")
    p.play("pass")
    assert (p.turn, zone(p, "stock").count) == (2, 1)
    p.play("draw")
    assert (p.turn, phase(p)) == (1, 2)
    p = table({1: "9c 8s", 2: "9s"}, ("5h", "7d", "Kd"))
    assert moves(p) == {"pass"}
    assert refusal(p, "draw") == "ADV 3.4"


# --- 4 Second round: exchanging ----------------------------------------------------------------------------


@pytest.mark.parametrize("top", CARDS)
def test_adv_4_1_same_colour_or_rank_or_for_a_ten(top: str) -> None:
    hand = [card for card in CARDS if card != top]
    p = table({1: " ".join(hand)}, ("2c" if top != "2c" else "3c", top, "2h" if top != "2h" else "3h"), phase=2)
    legal = {m[:2] for m in moves(p) if m.endswith("<2")}
    assert legal == {card for card in hand if fits(card, top, ten=top)}
    for wrong in sorted(set(hand) - legal)[:1]:
        assert refusal(p, f"{wrong}<2") == "ADV 4.1"
    assert refusal(table({1: "Tc"}, ("5h", "2h 5d", "5c"), phase=2), "Th<2") == "ADV 4.1"  # not in hand


def test_adv_4_1_a_card_for_the_whole_pile() -> None:
    p = table({1: "9h 8s"}, ("5h", "7c Qs 6d", "Kd"), "2c", phase=2)
    p.play("9h<2")
    assert (held(p, 1), p.turn, zone(p, "stock").count) == ("6d 7c 8s Qs", 2, 1)
    assert (zone(p, "pile:2").cards, zone(p, "pile:2").count) == (("9h",), 1)
    assert set(zone(p, "hand:1", 2).cards) == {"6d", "7c", "8s", "Qs"}  # face up


def test_adv_4_2_who_can_exchange_may_pass_but_not_draw() -> None:
    p = table({1: "9h 8s"}, ("5h", "7c", "Kd"), "2c", phase=2)
    assert moves(p) == {"9h<1", "9h<3", "8s<2", "pass"}
    assert refusal(p, "draw") == "ADV 4.2"
    p.play("pass")
    assert (p.turn, phase(p)) == (2, 2)


def test_adv_4_2_who_cannot_may_draw_then_exchange_or_pass() -> None:
    p = table({1: "9c 8s", 2: "9s"}, ("5h", "7d", "Kd"), "4h Tc 3c", phase=2)
    assert moves(p) == {"draw", "pass"}
    p.play("draw")
    assert (p.turn, moves(p)) == (1, {"4h<1", "4h<2", "4h<3", "pass"})
    assert refusal(p, "draw") == "ADV 4.2"
    p.play("pass")
    assert (p.turn, moves(p)) == (2, {"draw", "pass"})
    p.play("draw")  # a ten in hand is like any other card here: over by itself
    assert (p.turn, phase(p)) == (1, 1)
    assert held(p, 2) == "9s Tc"


def test_adv_4_2_with_an_empty_stock_only_passing_is_left() -> None:
    p = table({1: "9c 8s", 2: "9s"}, ("5h", "7d", "Kd"), phase=2)
    assert moves(p) == {"pass"}
    assert refusal(p, "draw") == "ADV 4.2"


# --- 5 Third round: pairs ----------------------------------------------------------------------------------


def test_adv_5_1_a_pair_must_be_put_aside_and_the_player_chooses_which() -> None:
    p = table({1: "9c 9h 9s 4d 4h Kc"}, ("5h", "7d", "Kd"), phase=3)
    assert moves(p) == {"9c9h", "9c9s", "9h9s", "4d4h"}
    assert refusal(p, "pass") == "ADV 5.1"
    assert refusal(p, "9c9d") == "ADV 5.1"
    assert refusal(p, "KcKd") == "ADV 5.1"
    p.play("9c9s")
    assert (held(p, 1), zone(p, "pairs:1").cards) == ("4d 4h 9h Kc", ("9c", "9s"))
    every = table({1: " ".join(CARDS)}, ("5h", "7d", "Kd"), phase=3)
    assert moves(every) == {r + a + r + b for r in RANKS for a, b in itertools.combinations(SUITS, 2)}


@pytest.mark.parametrize("stock", ["2c 3d 4h", "2c", ""])
def test_adv_5_2_two_cards_for_a_pair_or_what_is_left(stock: str) -> None:
    p = table({1: "9c 9h Kc"}, ("5h", "7d", "Kd"), stock, phase=3)
    assert refusal(p, "draw") == "ADV 5.2"
    p.play("9c9h")
    assert sorted(held(p, 1).split()) == sorted([*stock.split()[:2], "Kc"])


@pytest.mark.parametrize("pairing", ["chain", "once"])
def test_adv_5_3_going_on_while_holding_a_pair_or_one_pair_a_round(pairing: str) -> None:
    hands = {1: "9c 9h 6c 6h Kc", 2: "8c 8h"}
    p = table(hands, ("5h", "7d", "Jd"), "2c Kh 3c 4c 5c 6s", phase=3, pairing=pairing)
    p.play("9c9h")  # the cards drawn make a second pair
    if pairing == "chain":
        assert (p.turn, moves(p)) == (1, {"6c6h", "KcKh"})
        p.play("6c6h")
        assert moves(p) == {"KcKh"}
        p.play("KcKh")
    assert (p.turn, moves(p)) == (2, {"8c8h"})
    p.play("8c8h")
    assert (p.turn, phase(p), p.scores) == (1, 1, (3 if pairing == "chain" else 1, 1))


@pytest.mark.parametrize("holder", [1, 2, None])
def test_adv_5_4_a_player_without_a_pair_is_passed_over(holder: int | None) -> None:
    hands = {seat: "9c 9h 4d" if seat == holder else alone for seat, alone in ((1, "8c Qh"), (2, "7c Jh"))}
    p = table(hands, ("5h", "Td", "Ks"), "2c 3s", phase=2, turn=2)
    changing(p).done = 1
    p.play("pass")
    if holder:
        assert (p.turn, moves(p)) == (holder, {"9c9h"})
        p.play("9c9h")
    assert (p.turn, phase(p)) == (1, 1)
    assert p.ply == (2 if holder else 1)


# --- 6 End and score ---------------------------------------------------------------------------------------


def ending(stock: str, paired: int, done: int) -> str:
    """What ends the game when the dealer's pass closes a second round, and nobody then holds a pair."""
    p = table({1: "9c", 2: "8c"}, ("5h", "7d", "Kd"), stock, phase=2, turn=2)
    changing(p).paired, changing(p).done = paired, done
    p.play("pass")
    return p.outcome.reason if p.outcome else ""


def test_adv_6_1_the_end_with_the_stock_empty_and_no_pair_in_the_third_round() -> None:
    assert ending("", 0, 1) == "The stock is used up, and a third round has brought no pair."
    assert ending("2c", 0, 1) == ""
    p = table({1: "9c 9h", 2: "8c"}, ("5h", "7d", "Kd"), phase=3)
    p.play("9c9h")
    assert (p.over, p.turn, phase(p)) == (False, 1, 1)  # a pair was put aside in that round
    for move in ("pass", "pass", "pass", "pass"):
        assert not p.over
        p.play(move)
    assert p.outcome is not None
    assert (p.outcome.clause, p.turn, p.view().turn, list(p.moves)) == ("ADV 6.1", 0, 0, [])


def test_adv_6_1_the_end_when_nothing_was_done_in_three_rounds() -> None:
    assert ending("2c", 0, 0) == "In three rounds nothing was placed, exchanged, drawn or put aside."
    hands, piles, stock = {1: "9c", 2: "8c"}, ("5h", "7d", "Kd"), "2c 3c 4c 5c"
    p = table(hands, piles, stock)
    for left in (3, 2, 1, 0):
        assert (p.over, p.ply) == (False, 3 - left)
        p.play("pass")
    assert p.over
    for k in range(4):  # a card drawn in any turn is enough
        p = table(hands, piles, stock)
        for turn in range(4):
            p.play("draw" if turn == k else "pass")
        assert (p.over, phase(p)) == (False, 1)
        for _turn in range(4):
            assert not p.over
            p.play("pass")
        assert p.over
    p = table({1: "9h", 2: "8c"}, ("5h", "7d", "Kd"), "2c 3c 4c", phase=2)
    for move in ("9h<1", "pass"):  # so is an exchange
        p.play(move)
    assert not p.over
    p = table({1: "9c 9h", 2: "8c"}, ("5h", "7d", "Kd"), "2c 3c 4c", phase=3)
    p.play("9c9h")  # and a pair
    assert not p.over


@pytest.mark.parametrize(("pairs", "winners"), [((3, 2), (1,)), ((2, 5), (2,)), ((4, 4), ())])
def test_adv_6_2_most_pairs_win_and_equal_numbers_are_a_draw(pairs: tuple[int, int], winners: tuple[int]) -> None:
    p = table({1: "9c", 2: "8c"}, ("5h", "7d", "Kd"), phase=2, turn=2)
    changing(p).pairs = pairs
    assert p.view().facts[0].values == pairs
    p.play("pass")
    assert p.outcome is not None
    assert (p.outcome.scores, p.outcome.winners) == (pairs, winners)


@pytest.mark.parametrize("switch_hands", [False, True])
def test_adv_6_3_hands_are_swapped_after_each_first_round(switch_hands: bool) -> None:
    p = table({1: "9h 8c", 2: "7h 2c"}, ("5h", "7d", "Kd"), "Qs Js Ts 4s", switch_hands=switch_hands)
    p.play("9h>1")
    assert (held(p, 1), held(p, 2)) == ("8c Qs", "2c 7h")
    p.play("7h>2")
    one, two = ("2c Js", "8c Qs") if switch_hands else ("8c Qs", "2c Js")
    assert (held(p, 1), held(p, 2), phase(p), p.turn) == (one, two, 2, 1)
    shown = set(one.split() if switch_hands else ["8c", "??"])
    assert set(zone(p, "hand:1", 2).cards) == set(zone(p, "hand:1").cards) == shown
    p.play("pass")
    p.play("pass")  # nobody holds a pair; the second and the third round leave the hands where they are
    assert (held(p, 1), held(p, 2), phase(p)) == (one, two, 1)
    if switch_hands:
        for move in ("draw", "Ts>1", "8c>1"):
            p.play(move)
        assert (held(p, 1), held(p, 2)) == ("Qs", "2c 4s Js")


# --- what is written, said and seen ------------------------------------------------------------------------

MALFORMED = ["", "Pass", "7h>0", "7h>4", "7h>", "7h-2", "7H>2", "10h>2", "Jk>1", "??>1", "7h7h",
             "7h>2 ", "JkJk", ">2", "7h2", "7h<22"]  # fmt: skip


@pytest.mark.parametrize("text", MALFORMED)
def test_what_is_no_move_is_malformed(text: str) -> None:
    p = table({1: "9h"}, ("5h", "7d", "Kc"))
    with pytest.raises(MalformedMove, match="a move is 7h>2") as caught:
        p.play(text)
    assert caught.value.legal == ("9h>1", "9h>2")


def test_a_pair_is_written_in_the_order_of_suits() -> None:
    with pytest.raises(MalformedMove, match="in the order of suits c d h s: 7d7h"):
        table({1: "7h 7d"}, ("5h", "7s", "Kc"), phase=3).play("7h7d")


def test_every_move_number_has_a_text_of_its_own() -> None:
    p = kartoteka.game("advantage").deal(seed=1)
    texts = [str(p.move(number)) for number in range(p.variant.core.moves)]
    assert len(set(texts)) == len(texts) == 2 * 3 * 52 + 13 * 6 + 2
    assert [Move("advantage", text).number for text in texts] == list(range(len(texts)))


def in_words(p: Position, move: str) -> tuple[str, list[list[str]]]:
    """How a move is offered, and how it is told to a spectator and to either seat."""
    notation, before, number = p.game.notation, p.copy(), p.verify(move).number
    label = notation.label(p.state, number)
    p.play(move)
    return label, [notation.tell(before.state, number, p.state, NAMES, viewer) for viewer in (-1, 0, 1)]


def test_moves_in_words_name_a_card_drawn_only_to_who_drew_it() -> None:
    p = table({1: "9h 8s", 2: "7h"}, ("5h", "7c 6c", "Kd"), "3c As")
    placed, drew = "Ann places the nine of hearts on pile 1.", "Ann draws a card."
    told = [[placed, drew], [placed, "Ann draws 3♣."], [placed, drew]]
    assert in_words(p, "9h>1") == ("place 9♥ on pile 1 (5♥)", told)
    told = [["Bo places the seven of hearts on pile 1.", line, "The second round begins: exchanging."] for line in
            ("Bo draws a card.", "Bo draws a card.", "Bo draws A♠.")]  # fmt: skip
    assert in_words(p, "7h>1") == ("place 7♥ on pile 1 (7♥)".replace("(7", "(9"), told)
    label, told = in_words(p, "8s<2")
    assert label == "give 8♠ for pile 2 (6♣, 2 cards)"
    assert told == [["Ann gives 8♠ for pile 2 and takes 6♣ 7♣."]] * 3


def test_what_follows_by_itself_in_words() -> None:
    p = table({1: "9c", 2: "8c"}, ("5h", "7d", "Kd"), "2c 3c", phase=2)
    told = in_words(p.copy(), "draw")[1]
    assert told[0] == ["Ann draws a card.", "It does not fit, so the turn is over."]
    p.play("draw")
    third = ["The third round begins: pairs.", "Ann holds no pair.", "Bo holds no pair."]
    assert in_words(p, "pass")[1] == [["Bo passes.", *third, "The first round begins: placing."]] * 3
    p = table({1: "9c", 2: "8c"}, ("5h", "7d", "Kd"), phase=2, turn=2)
    assert in_words(p, "pass") == ("pass", [["Bo passes.", *third]] * 3)
    p = table({1: "9c 9h 9d", 2: "8h"}, ("5h", "7d", "Kd"), "2c 3c Kc", phase=3)
    label, told = in_words(p, "9c9d")
    begins = ["Bo holds no pair.", "The first round begins: placing."]
    assert label == "put aside 9♣ 9♦"
    assert told[2] == ["Ann puts aside the pair 9♣ 9♦.", "Ann draws 2 cards.", *begins]
    assert told[1] == ["Ann puts aside the pair 9♣ 9♦.", "Ann draws 2♣ 3♣.", *begins]
    p = table({1: "9h", 2: "8h"}, ("5h", "7d", "Kd"), switch_hands=True)
    p.play("9h>1")
    swapped = ["The players swap hands, which now lie face up.", "The second round begins: exchanging."]
    assert in_words(p, "8h>1")[1][0] == ["Bo places the eight of hearts on pile 1.", *swapped]


def test_cards_from_the_stock_are_seen_by_who_drew_them_until_played() -> None:
    p = table({1: "9h 8s", 2: "7h"}, ("5h", "7c 6c", "Kd"), "3c As")
    p.play("9h>1")
    assert [held(p, 1), held(p, 2)] == ["3c 8s", "7h"]
    for seat in (0, 2):
        assert zone(p, "hand:1", seat).cards == ("8s", "??")
    assert zone(p, "hand:1", 1).notes == ("face up: 8♠",)
    assert [p.hidden(seat) for seat in range(3)] == [("3c", "As"), ("As",), ("3c", "As")]
    p.play("7h>1")
    p.play("3c<2")
    assert zone(p, "pile:2").cards == ("3c",)
    assert zone(p, "hand:1").cards == ("6c", "7c", "8s")
    assert [p.hidden(seat) for seat in range(3)] == [("As",), ("As",), ()]


def test_the_greedy_player_takes_pairs_with_piles() -> None:
    p = table({1: "9h 8s 6d"}, ("5h 4h 3h", "8d 7h", "Kd"), phase=2)
    assert p.best(chance(1)) in ("9h<2", "6d<2")
    assert table({1: "9c"}, ("5h", "7d", "Kd"), "2c").best(chance(1)) == "draw"


def test_the_rulebooks_example_of_play() -> None:
    text = rulebook.sections(kartoteka.game("advantage").game)["An example of play"]
    block, steps = text.split("```")[1:]

    def cards(said: str) -> list[str]:
        return tidy(" ".join(re.findall(r"(?:10|[2-9JQKA])[♣♦♥♠]", said))).split()

    names = {"Vera": 1, "Timur": 2}
    lines = {line.split()[0]: cards(line) for line in block.strip().splitlines() if line.strip()}
    hands, tops = {seat: lines[name] for name, seat in names.items()}, lines["pile"]
    drawn = [c for said in re.findall(r"[Dd]raws ([^.`]*)", steps) for c in cards(said)]
    first = [*itertools.chain(*zip(hands[1], hands[2], strict=True)), *tops, *drawn]
    p = kartoteka.game("advantage").deal(deck=first + [c for c in CARDS if c not in first], dealer=2)
    for step in re.findall(r"^\d\. (.*)", steps, re.MULTILINE):
        name, written = step[: step.index("`")], re.findall(r"`([^`]+)`", step)[0]
        assert p.turn == names[re.split(r"\W", name)[0]]
        if "with" in name:
            assert held(p, p.turn).split() == sorted(cards(name))
        p.play(written)
    assert (p.ply, p.scores, phase(p), p.turn) == (8, (2, 1), 1, 1)
    assert [zone(p, f"pile:{k}").cards for k in (1, 2, 3)] == [("Ks",), ("7h",), ("Ah",)]
    assert zone(p, "stock").count == 34
