"""Parkett, clause by clause."""

from __future__ import annotations

from typing import Any

import pytest

import kartoteka
from kartoteka.cards import NUMBER, TEXT
from kartoteka.core import chance, randbelow
from kartoteka.engine.errors import MalformedMove
from kartoteka.engine.position import Position
from kartoteka.games.parkett import notation, rules, table
from tests.cases import changing, refused

BLACK, RED = 1, 2
EXAMPLE = ["8s@d4", "Qd@e3", "Kc@f3", "9h@d5", "6s@d2", "Jh@c3", "Ts@b3", "Ah@d1", "7s@e4", "Jd@e2", "9c@d3"]
CROSS = EXAMPLE[:8]


def after(*moves: str, **options: Any) -> Position:
    """The position after moves that black begins."""
    return kartoteka.game("parkett", **options).replay(BLACK, [], moves)


def floor(lying: str, turn: int = BLACK, **options: Any) -> Position:
    """A position after the cross, `lying` as in ``9c@d5 8h@d4``, all other cards in hand."""
    p = kartoteka.game("parkett", **options).deal(deck=[], dealer=turn)
    changing(p).complete = 1
    for laid in lying.split():
        card = notation.number(laid) // 35
        rules.put(p.state, card, notation.number(laid) % 35)
        changing(p).held[card // 18] -= 1
    return p


def moves(p: Position) -> set[str]:
    return {str(m) for m in p.moves}


def laid_on(p: Position, *cells: str) -> set[str]:
    """The cards that may be laid on some of these cells."""
    return {m[:2] for m in moves(p) if m[2] == "@" and m[3:] in cells}


def cells_for(p: Position, *cards: str) -> set[str]:
    return {m[3:] for m in moves(p) if m[2] == "@" and m[:2] in cards}


# --- pack --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("first", [BLACK, RED])
def test_par_1_1_black_and_red_have_eighteen_cards_each_and_lot_names_the_first(first: int) -> None:
    p = kartoteka.game("parkett").deal(deck=[], dealer=first)
    _, black, red = p.view().zones
    assert p.turn == first
    assert set(black.cards) == {r + s for r in "6789TJQKA" for s in "cs"}
    assert set(red.cards) == {r + s for r in "6789TJQKA" for s in "dh"}
    assert {m[1] for m in p.moves} == set("cs" if first == BLACK else "dh")
    assert refused(p, "8h@d4" if first == BLACK else "8s@d4") == "PAR 1.1"
    assert {kartoteka.game("parkett").deal(seed=k).turn for k in range(20)} == {BLACK, RED}


def test_par_1_2_ranks_go_round_on_the_cross_and_on_the_floor() -> None:
    assert laid_on(after("As@d4"), "d5") == {"Kd", "Kh", "6d", "6h"}
    assert laid_on(after("6s@d4"), "d5") == {"Ad", "Ah", "7d", "7h"}
    for bend, end, third in ("KQA", "AK6", "A6K", "6A7", "67A"):  # the lying two, then what follows
        assert laid_on(floor(f"{bend}c@a1 {end}s@a2"), "b1") == {third + "c", third + "s"}


# --- the cross ---------------------------------------------------------------------------------------------


def test_par_2_1_each_player_lays_one_card_on_each_arm_in_turn() -> None:
    p = after("8s@d4", "Qd@e3")
    assert p.turn == BLACK
    assert refused(p, "9c@d5") == "PAR 2.1"
    assert laid_on(p, "d5") == set()
    assert laid_on(p, "f3") == {"Jc", "Js", "Kc", "Ks"}
    assert refused(p, "8c@d3") == refused(p, "8c@a1") == "PAR 2.1"  # the centre, and beside the cross
    assert refused(p, "8s@c3") == "PAR 2.1"  # it lies already
    assert not p.state.complete
    assert after(*CROSS).state.complete


def test_par_2_1_free_any_arm_is_laid_on_by_anyone() -> None:
    p = after("8s@d4", "Qd@e3", cross="free")
    assert laid_on(p, "d5") == {"7c", "7s", "9c", "9s"}
    p = after("8s@d4", "Qd@e3", "9s@d5", "Kd@f3", cross="free")
    assert cells_for(p, "6c") == {"d2", "c3"}
    for move in ("6s@d2", "7d@d1", "6c@c3"):
        p.play(move)
    assert not p.state.complete
    p.play("Ah@b3")
    assert p.state.complete


def test_par_2_2_an_arm_begins_with_any_card_on_its_inner_cell() -> None:
    p = after()
    assert len(p.moves) == 18 * 4
    assert {m[3:] for m in p.moves} == {"d4", "e3", "d2", "c3"}
    for outer in ("d5", "f3", "d1", "b3"):
        assert refused(p, f"8c@{outer}") == "PAR 2.2"
    p.play("8s@d4")
    assert refused(p, "8h@d4") == "PAR 2.2"  # a card lies there
    assert cells_for(p, "9h") == {"d5", "e3", "d2", "c3"}


def test_par_2_3_the_outer_card_is_next_in_rank_whatever_its_suit() -> None:
    p = after("8s@d4")
    assert laid_on(p, "d5") == {"7d", "7h", "9d", "9h"}
    for card in ("8h", "6d", "Th"):
        assert refused(p, f"{card}@d5") == "PAR 2.3"


def test_par_2_4_the_cross_stays_complete_when_a_card_of_it_moves_away() -> None:
    p = floor("9c@d5 8h@d4 7h@d1 7d@g1 Th@g5 Td@b1", RED)
    p.play("7h:d1>e4")
    assert p.state.complete
    assert refused(p, "7c@d2") == "PAR 3.1"  # not as the first card of an arm
    whole = after(*CROSS)
    assert whole.state.complete
    whole.play("7s@e4")
    assert whole.state.complete


# --- the floor ---------------------------------------------------------------------------------------------


def test_par_3_1_a_card_goes_where_it_makes_an_l_within_the_rectangle() -> None:
    column = floor("8c@c2 9s@c3")
    assert cells_for(column, "7c", "7s") == {"b2", "d2"}  # beside the eight
    assert cells_for(column, "Tc", "Ts") == {"b3", "d3"}  # beside the nine, and the centre may be filled
    row = floor("8c@c2 9s@d2")
    assert cells_for(row, "7c") == {"c1", "c3"}
    assert cells_for(row, "Ts") == {"d1", "d3"}
    assert cells_for(floor("8c@g4 9s@g5"), "7c", "Tc") == {"f4", "f5"}
    assert cells_for(floor("8c@a1 9s@b1"), "7c", "Tc") == {"a2", "b2"}
    assert refused(column, "7c@c1") == "PAR 3.1"  # a line, no corner
    assert refused(column, "7c@g5") == "PAR 3.1"
    assert refused(column, "7c@c3") == "PAR 3.1"  # filled
    assert refused(column, "8c@b3") == "PAR 3.1"  # not from the hand
    assert moves(floor("8c@c2 9s@d3 Th@e4 9c@b4", stuck="passes")) == {"pass"}  # no two neighbours


def test_par_3_2_the_ranks_stand_in_order_with_the_bend_in_the_middle() -> None:
    p = floor("9c@c2 8s@c3")
    assert laid_on(p, "b2", "d2") == {"Tc", "Ts"}
    assert laid_on(p, "b3", "d3") == {"7c", "7s"}
    assert refused(p, "7c@b2") == refused(p, "Ts@d3") == refused(p, "Kc@d3") == "PAR 3.2"
    assert laid_on(floor("8c@c2 Ts@c3 Jh@g1 Jd@g2"), "b2", "d2", "b3", "d3") == set()
    assert laid_on(floor("8c@c2 8s@c3 6c@g4 7c@g5"), "b2", "d2", "b3", "d3") == set()


def test_par_3_2_any_three_consecutive_ranks_in_whatever_order() -> None:
    beside = "b2", "d2", "b3", "d3"
    assert laid_on(floor("9c@c2 8s@c3", order="any"), *beside) == {"Tc", "Ts", "7c", "7s"}
    p = floor("8c@c2 Ts@c3", order="any")
    assert laid_on(p, *beside) == {"9c", "9s"}
    assert cells_for(p, "9c") == set(beside)
    assert refused(p, "7c@b2") == "PAR 3.2"
    assert laid_on(floor("Kc@c2 6s@c3", order="any"), *beside) == {"Ac", "As"}


@pytest.mark.parametrize(("lying", "lays"), [
    ("8c@c2 9s@c3", {BLACK}), ("8d@c2 9h@c3", {RED}), ("8c@c2 9h@c3", {BLACK, RED}), ("8h@c2 9s@c3", {BLACK, RED}),
])  # fmt: skip
def test_par_3_3_one_of_the_two_has_the_colour_of_the_card(lying: str, lays: set[int]) -> None:
    for turn, cards in ((BLACK, {"7c", "7s"}), (RED, {"7d", "7h"})):
        p = floor(lying, turn)
        assert laid_on(p, "b2", "d2") == (cards if turn in lays else set())
        if turn not in lays:
            assert refused(p, f"{min(cards)}@b2") == "PAR 3.3"


def test_par_3_4_one_good_l_is_enough() -> None:
    good = "9c@c4 8s@d4"
    spoiling = "Qs@d2 Jd@c2 6d@e3 Th@e2 Kh@c3"  # rows and columns beside d3 that no seven goes with
    assert "7c@d3" in moves(floor(good))
    assert "7c@d3" in moves(floor(f"{good} {spoiling}"))
    assert refused(floor(spoiling), "7c@d3") == "PAR 3.2"


MUST_MOVE = "9c@d5 8h@d4 7h@d1 7d@g1 Th@g5 Td@b1"
"""Wanted: sevens beside the eight, tens beside the nine; red's all lie."""


def test_par_3_5_who_can_lay_nothing_moves_a_lying_card_as_the_whole_turn() -> None:
    p = floor(MUST_MOVE, RED)
    lying = {"7h:d1": ("c4", "e4"), "7d:g1": ("c4", "e4"), "Th:g5": ("c5", "e5"), "Td:b1": ("c5", "e5")}
    assert moves(p) == {f"{card}>{cell}" for card, cells in lying.items() for cell in cells}
    assert refused(p, "7h:d1>d1") == "PAR 3.5"  # another cell
    assert refused(p, "6h:d1>c4") == "PAR 3.5"  # in hand
    assert refused(p, "9c:d5>c4") == "PAR 3.5"  # the other player's
    assert refused(p, "7h:d1>d4") == "PAR 3.1"
    assert refused(p, "7h:d1>g3") == "PAR 3.1"
    assert refused(p, "7h:d1>c5") == "PAR 3.2"
    assert refused(p, "7h:g1>c4") == "PAR notation"  # it lies elsewhere
    held = p.state.held.tolist()
    p.play("7h:d1>c4")
    assert p.turn == BLACK
    assert p.state.held.tolist() == held
    cards = {cell.name: cell.card for cell in p.view().zones[0].cells}
    assert cards["d1"] == ""
    assert cards["c4"] == "7h"


def test_par_3_5_only_who_can_lay_nothing_moves() -> None:
    p = floor(MUST_MOVE, BLACK)
    assert laid_on(p, "c4", "e4", "c5", "e5") == {"7c", "7s", "Tc", "Ts"}
    assert all("@" in m for m in moves(p))
    assert refused(p, "9c:d5>a1") == "PAR 3.5"
    assert refused(after("8s@d4", "Qd@e3"), "8s:d4>c3") == "PAR 3.5"  # the cross is still being laid


def test_par_3_5_the_card_is_lifted_first_and_its_old_corners_go() -> None:
    lying = "9c@d5 8h@d4 7h@a1 6c@a2 7d@g1 8d@g3 Th@g5 Td@e2 Ah@c1 Ad@a4"
    assert "8c@b1" in moves(floor(lying))
    p = floor(lying, RED)
    assert moves(p) >= {"8h:d4>b1", "8d:g3>b1", "Ah:c1>b2", "7h:a1>c4"}
    assert refused(p, "7h:a1>b2") == "PAR 3.1"  # its only corner there is with itself
    p.play("7h:a1>c4")
    assert refused(p, "8c@b1") == "PAR 3.1"
    assert refused(p, "6s@c3") == "PAR 3.3"  # a new corner, of two red cards


# --- the end -----------------------------------------------------------------------------------------------


def nearly_full(first: str, second: str) -> Position:
    """34 cells filled, g5 empty beside the cards `first` on f5 and `second` on f4; black holds 8c, red Ah."""
    corner = {"f5": first, "f4": second}
    rest = iter({TEXT[c] for c in rules.CARDS} - {first, second, "8c", "Ah"})
    lying = {cell: corner.get(cell) or next(rest) for cell in rules.CELLS if cell != "g5"}
    return floor(" ".join(f"{card}@{cell}" for cell, card in lying.items()))


def test_par_4_1_who_is_left_with_the_36th_card_loses() -> None:
    p = nearly_full("9c", "Th")
    assert moves(p) == {"8c@g5"}
    p.play("8c@g5")
    assert p.view().zones[0].count == 35
    assert [zone.cards for zone in p.view().zones[1:]] == [(), ("Ah",)]
    assert p.outcome is not None
    assert p.outcome.winners == (BLACK,)


def test_par_4_2_who_lays_the_last_of_eighteen_cards_wins_at_once() -> None:
    p = floor(MUST_MOVE)
    changing(p).held[0] = 1
    p.play("Tc@e5")
    assert p.outcome == kartoteka.Outcome("PAR 4.2", "All cards of one player are laid.", (1, 0), (BLACK,))
    p = floor(MUST_MOVE, RED)
    changing(p).held[1] = 1  # moving the last but one lays nothing
    p.play("7h:d1>c4")
    assert not p.over


def test_par_4_3_who_can_neither_lay_nor_move_loses() -> None:
    p = floor("8s@d4 9s@d5 6h@a1")
    p.play("Tc@c5")  # red finds only black pairs, and its six fits nowhere
    assert p.outcome is not None
    assert (p.outcome.clause, p.outcome.winners, p.scores) == ("PAR 4.3", (BLACK,), (1, 0))
    p = floor(MUST_MOVE)
    assert refused(p, "pass") == "PAR 4.3"
    p.play("7c@c4")  # red can move, if not lay
    assert not p.over


def test_par_4_3_passes_and_when_both_do_fewer_cards_win() -> None:
    p = floor("8s@d4 9s@d5 6h@a1", stuck="passes")
    assert refused(p, "pass") == "PAR 4.3"
    p.play("Tc@c5")
    assert not p.over
    assert moves(p) == {"pass"}
    p.play("pass")
    assert p.turn == BLACK
    assert "pass" not in moves(p)

    for lying, winners, scores in (
        ("8s@d4 9h@a1 6c@g5", (BLACK,), (1, 0)),
        ("8s@d4 9h@a1 6d@g5", (RED,), (0, 1)),
        ("8s@d4 9h@a1", (), (0.5, 0.5)),
    ):
        p = floor(lying, stuck="passes")
        p.play("pass")
        assert not p.over
        p.play("pass")
        assert p.outcome is not None
        assert (p.outcome.clause, p.outcome.winners, p.scores) == ("PAR 4.3", winners, scores)


def test_par_4_3_passes_must_follow_each_other() -> None:
    p = floor("8s@d4 9s@d5 6h@a1", RED, stuck="passes")
    for move in ("pass", "7c@c4", "pass"):
        p.play(move)
    assert not p.over
    assert p.state.passes == 1


def test_par_4_4_twenty_turns_without_a_card_laid_are_a_draw() -> None:
    p = floor(MUST_MOVE, RED)
    changing(p).idle = 18
    p.play("7h:d1>c4")
    assert p.state.idle == 19
    assert not p.over
    p.play("7c@e4")
    assert p.state.idle == 0  # a card was laid
    p = floor(MUST_MOVE, RED)
    changing(p).idle = 19
    p.play("7h:d1>c4")
    assert p.outcome is not None
    assert (p.outcome.clause, p.scores, p.outcome.winners) == ("PAR 4.4", (0.5, 0.5), ())


def test_par_4_4_comes_before_4_3_and_counts_passes() -> None:
    p = floor("8s@d4 9h@a1 6c@g5", stuck="passes")
    changing(p).idle = 18
    p.play("pass")
    p.play("pass")  # the twentieth, and the second pass
    assert p.outcome is not None
    assert (p.outcome.clause, p.scores) == ("PAR 4.4", (0.5, 0.5))
    black_pair = "9c@d5 8c@d4 7c@d1 7s@g1 Tc@g5 Ts@b1"
    for idle, clause in ((5, "PAR 4.3"), (19, "PAR 4.4")):
        p = floor(black_pair)
        changing(p).idle = idle
        p.play("7c:d1>e4")  # red can do nothing
        assert p.outcome is not None
        assert p.outcome.clause == clause


# --- around the rules --------------------------------------------------------------------------------------


def test_the_worked_example_of_the_rulebook() -> None:
    p = after(*CROSS[:6])
    assert p.turn == BLACK
    assert refused(p, "7s@d1") == "PAR 2.1"  # her card is on that arm already
    for move in EXAMPLE[6:9]:
        p.play(move)
    assert refused(p, "6h@e5") == "PAR 3.3"
    for move in EXAMPLE[9:]:
        p.play(move)
    shown = {cell.name: cell.card for cell in p.view().zones[0].cells}
    drawn = {
        5: ". . . 9h . . .", 4: ". . . 8s 7s . .", 3: ". Ts Jh 9c Qd Kc .", 2: ". . . 6s Jd . .", 1: ". . . Ah . . .",
    }  # fmt: skip
    for row, cards in drawn.items():
        assert [shown[f"{column}{row}"] or "." for column in "abcdefg"] == cards.split()


def test_moves_are_written_and_read() -> None:
    for number in range(rules.MOVES):
        assert notation.number(notation.text(after().state, number)) == number
    assert notation.number("7h:d3>e4") == notation.number("7h:a1>e4")
    for text, says in (
        ("3h@d3", "six to ace"), ("Jk@d3", "six to ace"), ("5c:d3>e4", "six to ace"), ("7h@h3", "columns a to g"),
        ("7h@d6", "columns a to g"), ("7h:d0>d3", "columns a to g"), ("7h", "7h@d3"), ("7h@d3>e4", "7h@d3"),
        ("", "7h@d3"), ("Pass", "7h@d3"),
    ):  # fmt: skip
        with pytest.raises(ValueError, match=says):
            notation.number(text)
    with pytest.raises(MalformedMove, match="six to ace"):
        after().play("5h@d4")


def test_moves_are_told_and_offered_in_words() -> None:
    names = ["Vera", "Oswin"]

    def told(p: Position, move: str) -> list[str]:
        number = p.verify(move).number
        later = p.copy()
        later.play(move)
        return notation.tell(p.state, number, later.state, names, -1)

    p = after(*CROSS[:7])
    assert told(p, "Ah@d1") == ["Oswin lays the ace of hearts on d1.", "The cross is complete."]
    assert notation.label(p.state, p.verify("Ah@d1").number) == "lay A♥ on d1"
    p = floor(MUST_MOVE, RED)
    assert told(p, "Th:g5>c5") == ["Oswin can lay nothing, and moves the ten of hearts from g5 to c5."]
    assert notation.label(p.state, p.verify("Th:g5>c5").number) == "move 10♥ from g5 to c5"
    p = floor("8s@d4", stuck="passes")
    assert told(p, "pass") == ["Vera can neither lay nor move a card, and passes."]
    assert notation.label(p.state, rules.PASS) == "pass"


def test_every_seat_sees_everything() -> None:
    p = after(*EXAMPLE)
    views = [p.view(seat) for seat in (0, BLACK, RED)]
    for view in views:
        assert [zone.name for zone in view.zones] == ["floor", "hand:1", "hand:2"]
        assert [zone.cards for zone in view.zones] == [zone.cards for zone in views[0].zones]
        assert view.zones[0].cells == views[0].zones[0].cells
        assert [f.values for f in view.facts] == [(12, 13)]
        assert list(view.zones[1].cards) == sorted(view.zones[1].cards, key=NUMBER.__getitem__)
    cells = views[0].zones[0].cells
    assert {c.name for c in cells if c.marked} == {"d4", "d5", "e3", "f3", "d2", "d1", "c3", "b3"}
    assert {(c.name, c.x, c.y) for c in cells} >= {("a1", 0, 0), ("g5", 12, 8), ("d3", 6, 4)}
    assert p.hidden(BLACK) == p.hidden(0) == ()
    assert p.redeal(BLACK) == p
    assert sorted(table.census(p.state)) == sorted(rules.CARDS)
    assert after().view().state == "the cross is being laid"
    p = floor(MUST_MOVE, RED)
    changing(p).idle = 3
    assert p.view().state == (
        "the floor is being laid; no card in hand can be laid; 3 turns running without a card laid (20 end the game)"
    )


@pytest.mark.parametrize("greedy", [BLACK, RED])
def test_the_policy_beats_chance(greedy: int) -> None:
    rng, won = chance("policy", greedy), 0.0
    for seed in range(60):
        p = kartoteka.game("parkett").deal(seed=seed)
        while not p.over:
            p.push(p.best(rng) if p.turn == greedy else p.moves[int(randbelow(rng, len(p.moves)))])
        won += p.scores[greedy - 1]
    assert won > 45
