"""What a player reads: refusals of texts and moves, labels, sentences."""

from __future__ import annotations

import re

import pytest

import kartoteka
from kartoteka.engine.errors import IllegalMove, MalformedMove
from kartoteka.engine.position import Position
from tests.cases import DEFAULTS, name_of, plies
from tests.games import test_abroasta, test_khvostiki, test_konstruktsiya, test_parkett
from tests.games.test_abroasta import FULL
from tests.games.test_khvostiki import hold, set_tail, start, turn

NAMES = [f"Player {k}" for k in range(1, 7)]


def label(p: Position, move: str) -> str:
    said: str = p.game.notation.label(p.state, p.verify(move).number)
    return said


def told(p: Position, move: str, viewer: int = -1) -> list[str]:
    after, number = p.copy(), p.verify(move).number
    after.play(move)
    lines: list[str] = p.game.notation.tell(p.state, number, after.state, NAMES, viewer)
    return lines


def reason(p: Position, move: str) -> str:
    with pytest.raises(IllegalMove) as caught:
        p.play(move)
    return caught.value.reason


# --- texts that are no move --------------------------------------------------------------------------------

NO_MOVES = [
    ("khvostiki", "tail Jk", "KHV 3.5", "never goes to the tail"),
    ("khvostiki", "row 2h Jk Jk", "KHV 3.1", "one joker at most"),
    ("khvostiki", "row 2h 3h 5s", "KHV 2.1", "^2♥ 3♥ 5♠ is no row: a row is a run, three cards of one suit"),
    ("khvostiki", "row 2h 4h 6h", "KHV 2.1", "or a set, three cards of one rank in different suits"),
    ("khvostiki", "row Qs Qs Qc", "KHV 2.1", "is no row"),
    ("khvostiki", "row 2h 6h Jk", "KHV 2.1", "2♥ 6♥ Jk is no row"),
    ("khvostiki", "row 2h 3h 4h 5h", "KHV 2.1", "three cards; others are added to it afterwards"),
    ("khvostiki", "row 2h 3h Jk Jk", "KHV 2.1", "three cards"),
    ("khvostiki", "row Ks Kc", "KHV 2.1", "three cards"),
    ("khvostiki", "row 4h 3h 2h", "", "written row 2h 3h 4h$"),
    ("khvostiki", "row Qh Qc Jk", "", "written row Qc Qh Jk$"),
    ("khvostiki", "row 4h 3h Jk", "", "written row Jk 3h 4h or row 3h 4h Jk$"),
    ("khvostiki", "row 2h 3h ??", "", "as row 2h 3h 4h"),
    ("khvostiki", "row", "", "as row 2h 3h 4h"),
    ("khvostiki", "5h>40", "", "rows are numbered"),
    ("khvostiki", "take 0", "", "counted from 1"),
    ("khvostiki", "tail ??", "", "a move is written as"),
    ("advantage", "7h8h", "ADV 5.1", "^7♥ and 8♥ are no pair: a pair is two cards of one rank$"),
    ("konstruktsiya", "c1>>c5", "KON 4.3", "c5 is more than three away from c1"),
    ("konstruktsiya", "c1>>c1", "KON 4.3", "does not come back"),
    ("konstruktsiya", "=i0", "", "a move is = and a cell"),
    ("parkett", "5h@d3", "PAR 1.1", "the cards are six to ace"),
    ("parkett", "Jk:d3>e4", "PAR 1.1", "the cards are six to ace"),
    ("parkett", "7h@h3", "", "there is no cell h3"),
    ("parkett", "??@d3", "", "a move is a card, @ and a cell"),
    ("abroasta", "7h", "", "a move is a card, @ and the seat"),
    ("advantage", "7h7d", "", "7d7h"),
    ("advantage", "7h>4", "", "a move is 7h>2"),
]  # fmt: skip


@pytest.mark.parametrize(("game", "text", "clause", "says"), NO_MOVES)
def test_a_text_that_is_no_move_is_refused_by_the_rule_it_breaks(
    game: str, text: str, clause: str, says: str
) -> None:
    p = kartoteka.game(game).deal(seed=1)
    with pytest.raises(MalformedMove) as caught:
        p.play(text)
    assert caught.value.clause == (clause or f"{p.game.code} notation")
    assert re.search(says, caught.value.reason)


# --- refusals ----------------------------------------------------------------------------------------------


def test_khv_3_3_a_joker_of_this_turn_is_told_from_one_that_stands_for_another_card() -> None:
    p = turn(start(), "2h 4h 9d Jk", "row 2h Jk 4h", "tail 9d")
    turn(p, "9s 2c", "tail 9s")
    turn(p, "5h 9s Jk Ks", "Jk>1+")
    fresh = "the joker that stands for the five of hearts in row 1 was laid there in this turn"
    assert reason(p, "5h<>1") == fresh
    assert reason(p, "Ks<>1") == "a joker in row 1 stands for 3♥ or 5♥, not for the king of spades"
    p = turn(start(), "Qc Qh 9d Jk 5s Qs", "row Qc Qh Jk")
    assert reason(p, "5s<>1") == "a joker in row 1 stands for Q♦ or Q♠, not for the five of spades"
    assert reason(p, "Qs<>1").startswith("the joker that stands for the queen of spades in row 1 was laid")


def test_what_fits_no_row_is_refused_with_what_does() -> None:
    p = turn(start(), "2h 3h 4h Qc Qh Qs 5h 8h Qh 9d", "row 2h 3h 4h", "row Qc Qh Qs")
    assert reason(p, "8h>1") == "the eight of hearts fits neither end of run 1, which takes only 5♥ or A♥"
    assert reason(p, "Qh>2") == "the suit of the queen of hearts lies already in set 2, which takes only Q♦"
    assert reason(p, "8h>2") == "the eight of hearts is not of the rank of set 2, which takes only Q♦"


def test_an_exchange_without_a_card_for_the_tail_says_just_that() -> None:
    p = turn(start(), "2h 4h 9d Jk", "row 2h Jk 4h", "tail 9d")
    turn(p, "9s 2c", "tail 9s")
    assert reason(hold(p, "3h Jk"), "3h<>1") == "that would leave you no natural card for the tail"
    assert reason(hold(p.copy(), "3h 9s"), "tail 3c") == "the three of clubs is not in your hand"


@pytest.mark.parametrize("game", ["khvostiki", "konstruktsiya"])
def test_every_move_that_is_not_legal_is_refused_for_a_reason_that_holds(game: str) -> None:
    """Refusals that check their last clause raise if it does not hold."""
    variant = kartoteka.game(game)
    refuse = variant.game.refusals.refuse
    for p, _move in plies(variant, "refused", "random"):
        if p.ply % 60 == 30:
            for number, legal in enumerate(p.mask.tolist()):
                assert legal or refuse(p.state, number)[0] in variant.game.clauses


def test_whoever_cannot_pass_or_move_in_parkett_reads_why() -> None:
    p = test_parkett.floor(test_parkett.MUST_MOVE, test_parkett.RED)
    assert reason(p, "pass") == "nobody passes here: whoever can neither lay nor move a card loses"
    where = reason(p, "Th:g5>g5")
    assert where == "the ten of hearts lies on g5 already; a card is moved to another cell"


# --- labels ------------------------------------------------------------------------------------------------


def test_abroastas_labels_name_the_card_laid_on_and_the_row_taken() -> None:
    p = test_abroasta.table({1: FULL, 2: "3h", 3: "Qd"}, {1: "Kc 4s"})
    assert label(p, "Kc@1") == "take your own row with K♣"
    assert label(p, "Kc@3") == "K♣ on Q♦, row of seat 3"
    assert label(p, "4s@2") == "4♠ on 3♥, row of seat 2"
    p = test_abroasta.table({1: "Qh", 2: "3h", 3: "Qd"}, {1: "Kc 4s"}, king_takes="any")
    assert label(p, "Kc@3") == "take the row of seat 3 with K♣"
    assert told(p, "Kc@3")[1] == "The king takes the row: 13 points for Player 1."
    assert label(test_abroasta.table({2: "3h"}, {1: "Kc"}, king_takes="any"), "Kc@1") == "open your row with K♣"


def test_khvostikis_labels_say_what_a_row_is_and_whose() -> None:
    p = turn(start(3), "8c 9c Tc Qc Qh Jk 9d", "row 8c 9c Tc", "row Qc Qh Jk", "tail 9d")
    turn(p, "9s 2c", "tail 9s")
    hold(p, "Jc Qd Qs 5h 6h 7h 8h Jk 3c 3d 3h")
    assert label(p, "Jc>1") == "J♣ to row 1, run 8♣–10♣ of seat 1"
    assert label(p, "Qd>2") == "Q♦ to row 2, set Q♣ Q♥ Jk of seat 1"
    assert label(p, "row 5h 6h 7h") == "new run 5♥ 6♥ 7♥"
    p.play("row 5h 6h 7h")
    assert label(p, "Qd<>2") == "Q♦ for joker in row 2, set Q♣ Q♥ Jk of seat 1"
    assert label(p, "8h>3") == "8♥ to row 3, your run 5♥–7♥"
    assert label(p, "Jk>3-") == "joker as 4♥ to row 3, your run 5♥–7♥"
    assert label(p, "Jk>3+") == "joker as 8♥ to row 3, your run 5♥–7♥"
    p.play("row 3c 3d 3h")
    assert label(p, "Jk>4") == "joker to row 4, your set 3♣ 3♦ 3♥"


def test_khvostikis_labels_say_what_taking_obliges_to_and_what_ends_the_turn() -> None:
    p = turn(start(), "5s 6s 7s 9d", "row 5s 6s 7s", "tail 9d")
    set_tail(p, "Ad 8s 6c 2c")
    hold(p, "6d 6h 2d Ks")
    assert label(p, "take 2") == "take 8♠ and 2 more cards; lay 8♠ at once"
    assert label(p, "take 3") == "take 6♣ and 1 more card; lay 6♣ at once"
    assert label(p, "tail Ks") == "end the turn: K♠ to the tail"
    assert told(p, "take 2") == ["Player 2 takes 8♠ 6♣ 2♣ from the tail and must now lay 8♠."]
    set_tail(p, "8s")
    assert label(p, "take 1") == "take 8♠; lay it at once"
    assert told(p, "take 1") == ["Player 2 takes 8♠ from the tail and must now lay it."]
    test_khvostiki.last(p)
    assert label(p, "tail Ks") == "end the deal: K♠ to the tail"


def test_khvostikis_cards_are_told_in_signs() -> None:
    p = hold(start(), "2h Jk 4h 9d")
    assert told(p, "row 2h Jk 4h") == ["Player 1 opens row 1: 2♥ Jk 4♥."]
    p.state.stock[p.state.drawn] = 3
    assert told(p, "tail 9d", 1)[1:] == ["Player 2 draws 5♣."]
    assert told(p, "tail 9d", 0)[1] == "Player 2 draws 1 card."


def test_konstruktsiyas_labels_say_how_a_card_is_built_and_what_is_entered() -> None:
    lying = f"{test_konstruktsiya.SPARE} cd0:6d c1:5d d1:2d"
    p = test_konstruktsiya.scene(lying, turned="9c", black="c1 cd0")
    assert label(p, "=e1") == "build 9♣ upright at e1"
    assert label(p, "=cd1") == "build 9♣ sideways at cd1"
    assert label(p, "c1>cd0") == "large piece to 6♦ on cd0"
    assert label(p, "c1>c0") == "large piece to your joker on c0"
    assert label(p, "cd0>>d1") == "small piece from cd0 to 2♦ on d1"
    assert label(p, "cd0>>c0") == "small piece from cd0 to your joker on c0"


@pytest.mark.parametrize("variant", DEFAULTS, ids=name_of)
def test_labels_are_short_and_tell_moves_apart(variant: kartoteka.Variant) -> None:
    for p, _move in plies(variant, "labels", "random"):
        said = [variant.game.notation.label(p.state, number) for number in p.moves.numbers.tolist()]
        assert len(set(said)) == len(said)
        assert max(map(len, said)) <= 50


# --- sentences ---------------------------------------------------------------------------------------------


def test_kon_2_3_a_reshuffle_is_told_whoever_shuffles() -> None:
    variant = kartoteka.game("konstruktsiya", columns=4, height=5)
    tell, reshuffles = variant.game.notation.tell, 0
    for seed in range(6):
        for p, move in plies(variant, seed, "random"):
            after = p.copy()
            after.push(move)
            lines = tell(p.state, move.number, after.state, NAMES, -1)
            shuffled = [line for line in lines if line.startswith("The stock is used up: ")]
            assert len(shuffled) == after.state.reshuffled - p.state.reshuffled
            if shuffled:
                reshuffles += 1
                n = len(after.shuffles[-1])
                assert f" {n} discard" in shuffled[0]
                turned = lines.index(shuffled[0]) + 1
                assert lines[turned].startswith("The ")
                assert " is turned, for Player " in lines[turned]
    assert reshuffles > 10
    p = test_konstruktsiya.last_card(test_konstruktsiya.dealt("6c 7c 8s 9h", "=cd0", "discard"))
    waits = "The stock is used up: 2 discards are shuffled and become the new stock."
    assert told(p, "discard")[1:] == [waits]  # nobody has shuffled yet
