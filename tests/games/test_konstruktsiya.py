"""Konstruktsiya, clause by clause."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

import kartoteka
from kartoteka.cards import NUMBER, TEXT, pack
from kartoteka.core import chance, randbelow
from kartoteka.engine.errors import IllegalMove, MalformedMove, UsageError
from kartoteka.engine.position import Position
from kartoteka.engine.view import Cell
from kartoteka.games.konstruktsiya import notation, rules, table
from kartoteka.games.konstruktsiya.geometry import CELLS, NAMES, NUMBERS
from tests.cases import changing, refused

BLACK, RED = 1, 2
CARDS = ["6c", "3c", "9h", "Qd", "Ks", "8s", "2d", "5h", "7s"]
EXAMPLE = ["=cd0", "=c1", "=d1", "d0>d1", "c0>>cd0", "c0>c1", "discard", "=cd1", "cd0>>cd1"]
SPARE = "de0:2d"
"""A second card beside red's joker, so that KON 4.6 and 4.7 do not bear on a piece that enters cd0."""


def stacked(first: str) -> list[str]:
    """A deck that begins with these cards."""
    rest = Counter(TEXT[c] for c in pack(3)) - Counter(first.split())
    return first.split() + list(rest.elements())


def dealt(first: str, *moves: str, **options: Any) -> Position:
    """The position after moves with a deck that begins with these cards."""
    return kartoteka.game("konstruktsiya", **options).replay(1, stacked(first), moves)


def scene(lying: str = "", turned: str = "Ac", black: str = "", red: str = "", **options: Any) -> Position:
    """Cards lying as in ``cd0:6c c1:3c``, the turned card, and each one's pieces, the large one first."""
    p = dealt(f"{turned} 2c 2d", **options)
    s = changing(p)
    for cell, card in (word.split(":") for word in lying.split()):
        rules.put(s, NUMBERS[cell], NUMBER[card])
    for seat, cells in enumerate((black.split(), red.split())):
        for k, at in enumerate(NUMBERS[name] for name in cells):
            if k == 0:
                rules.leave(s, seat, s.large[seat])
                s.large[seat] = at
            else:
                s.small[seat, s.placed[seat]] = at
                s.placed[seat] += 1
            rules.arrive(s, seat, at)
    return p


def row(card: str, *cells: str) -> str:
    return " ".join(f"{cell}:{card}" for cell in cells)


def builds(p: Position) -> set[str]:
    return {m[1:] for m in p.moves if m[0] == "="}


def large(p: Position) -> set[str]:
    return {m.split(">")[1] for m in p.moves if m.count(">") == 1}


def small(p: Position, start: str) -> set[str]:
    return {m.split(">>")[1] for m in p.moves if m.startswith(f"{start}>>")}


def track(p: Position) -> dict[str, Cell]:
    return {cell.name: cell for cell in p.view().zones[0].cells}


def last_card(p: Position) -> Position:
    """The turned card is the last one of the stock."""
    changing(p).stocked = p.state.used
    return p


# --- the table ---------------------------------------------------------------------------------------------


def test_kon_1_1_three_packs_two_jokers_and_seven_pieces_each() -> None:
    p = dealt("2c")
    assert len(p.deck or ()) == 156
    assert sorted(table.census(p.state)) == sorted(pack(3)) + [NUMBER["Jk"]] * 2
    assert p.view().facts[0].values == (6, 6)
    with pytest.raises(UsageError):
        kartoteka.game("konstruktsiya").deal(deck=["Jk", *stacked("2c")[1:]])
    with pytest.raises(UsageError):
        kartoteka.game("konstruktsiya", players=3)


def test_kon_1_2_large_pieces_stand_on_the_jokers() -> None:
    lying = {name: (c.card, c.pieces) for name, c in track(dealt("2c")).items() if c.card}
    assert lying == {"c0": ("Jk", ("B",)), "d0": ("Jk", ("R",))}
    assert {kartoteka.game("konstruktsiya").deal(seed=k).dealer for k in range(9)} == {1}


@pytest.mark.parametrize(("columns", "jokers", "last"), [(6, "c0 d0", "f"), (4, "b0 c0", "d"), (8, "d0 e0", "h")])
@pytest.mark.parametrize("height", [10, 5, 7])
def test_kon_1_3_the_lattice_and_its_edges(columns: int, jokers: str, last: str, height: int) -> None:
    p = scene(columns=columns, height=height)
    assert [name for name, cell in track(p).items() if cell.card == "Jk"] == jokers.split()
    letters = "abcdefgh"[:columns]
    inside = {c + str(r) for c in letters for r in range(height + 1)}
    inside |= {letters[k : k + 2] + str(r) for k in range(columns - 1) for r in range(height)}
    for name in inside - {*jokers.split(), "a0", f"{last}{height}"}:
        rules.put(p.state, NUMBERS[name], NUMBER["2c"])
    assert builds(p) == {"a0", f"{last}{height}"}
    for name in NAMES:
        if name not in inside:
            assert refused(p, f"={name}") == "KON 1.3"
    for name in ("i0", "a11", "ac1", "ba1", "ab10", "hi0", "c-1"):
        with pytest.raises(MalformedMove):
            p.verify(f"={name}")


def test_kon_1_4_what_touches() -> None:
    near = row("2c", "b3", "c2", "c3", "c4", "d3", "d4", "bc1", "bc2", "bc3", "bc4", "cd1", "cd2", "cd3", "cd4")
    assert large(scene(near, black="c3")) == {"c2", "c4", "bc2", "bc3", "cd2", "cd3"}
    assert large(scene(near, black="cd3")) == {"c3", "c4", "d3", "d4"}


# --- the turn ----------------------------------------------------------------------------------------------


def test_kon_2_1_the_colour_of_the_turned_card_says_whose_turn_it_is() -> None:
    p = dealt("2c 3s 4h 5d 6s")
    turns = []
    for _card in range(5):
        turns.append(p.turn)
        p.play("discard")
    assert turns == [BLACK, BLACK, RED, RED, BLACK]
    p = scene(f"{SPARE} cd0:2d", black="c0 c0")
    assert {"discard", "=c1", "c0>cd0", "c0>>cd0"} <= set(p.moves)
    assert refused(p, "pass") == "KON 2.1"
    for move in ("=c1", "c0>cd0", "c0>>cd0", "discard"):
        after = p.copy()
        after.play(move)
        assert after.view().zones[1].cards == ("2c",)


def test_kon_2_2_discards_are_seen_and_cards_used_to_move_join_them() -> None:
    first = "6c 2s 3c 2h Kh 4d"
    p = dealt(first, "=cd0", "discard", "discard", "discard")
    assert p.view().zones[3].cards == ("2s", "3c", "2h")
    assert refused(p, "discard") == "KON 2.2"
    p.play("pass")
    p = dealt("6c 7c Kh 8c", "=cd0", "c0>cd0", "pass", "cd0>c0")
    assert p.view().zones[3].cards == ("7c", "Kh", "8c")
    assert "discard" in p.moves


def test_kon_2_3_the_discards_become_the_stock() -> None:
    p = dealt("6c 7c 8s 9h", "=cd0", "discard", "discard")
    last_card(p).play("discard")
    assert not p.over
    assert p.turn == 0
    assert not p.moves
    assert sorted(p.waiting) == ["7c", "8s", "9h"]
    with pytest.raises(UsageError):
        p.reshuffle(["7c", "8s"])
    p.reshuffle(["9h", "7c", "8s"])
    assert p.turn == RED
    assert p.hidden(RED) == ("7c", "8s")
    assert p.view().zones[3].cards == ()
    p = last_card(dealt("6c 7c"))
    p.play("=cd0")  # built, so nothing is left to shuffle
    assert p.outcome is not None
    assert (p.outcome.clause, p.outcome.winners, p.scores) == ("KON 2.3", (), (0.5, 0.5))


@pytest.mark.parametrize("reshuffles", [0, 2, 12])
def test_kon_2_3_after_so_many_reshuffles_the_game_is_drawn(reshuffles: int) -> None:
    p = dealt("6c", reshuffles=reshuffles)
    p.play("=cd0")
    for turn in range(reshuffles + 1):
        assert not p.over
        last_card(p).play("discard" if turn == 0 else "c0>cd0" if turn % 2 else "cd0>c0")
        if p.waiting:
            p.reshuffle(p.waiting)
            changing(p).turned = NUMBER["As"]
            changing(p).seat = 0
    assert p.outcome is not None
    assert p.outcome.clause == "KON 2.3"


def test_kon_2_4_a_whole_stock_without_building_or_a_large_move_draws() -> None:
    lying, black = "cd0:2d c1:3d", "c0 c0"
    for move, drawn in (("discard", True), ("c0>>c1", True), ("c0>c1", False), ("=d1", False)):
        p = last_card(scene(lying, black=black))
        changing(p).discards[0] = NUMBER["2h"]
        changing(p).discarded = 1
        p.play(move)
        assert p.over == drawn, move
        assert bool(p.waiting) != drawn
        if p.outcome:
            assert (p.outcome.clause, p.scores) == ("KON 2.4", (0.5, 0.5))
        else:
            p.reshuffle(p.waiting)
            last_card(p).play("discard")  # what was done before the reshuffle counts no more
            assert p.outcome is not None
            assert p.outcome.clause == "KON 2.4"


# --- building ----------------------------------------------------------------------------------------------


def test_kon_3_1_a_sideways_card_is_laid_beside_an_upright_one() -> None:
    assert builds(scene()) == {"bc0", "cd0", "de0"}
    assert refused(scene(), "=ab0") == "KON 3.1"
    assert refused(scene(), "=cd1") == "KON 3.1"
    p = scene("cd0:2d c1:3d")
    assert {"bc1", "cd1"} <= builds(p)
    assert refused(p, "=cd0") == "KON 3.1"
    p.play("=bc1")
    assert track(p)["bc1"].sideways


def test_kon_3_2_an_upright_card_is_laid_beside_a_sideways_one_and_joins_its_column() -> None:
    p = scene("bc0:2d")
    assert {"b0", "b1", "c1"} <= builds(p)  # the first of a column may lie in either row
    assert not {"d1", "a0", "b2", "c2"} & builds(p)
    assert refused(p, "=d1") == "KON 3.2"
    assert refused(p, "=c0") == "KON 3.2"
    p = scene("bc0:2d c1:2d bc1:2d c2:2d bc2:2d b0:2d")  # column b has begun below
    assert {"b0", "b1", "b2", "b3"} & builds(p) == {"b1"}
    assert refused(p, "=b3") == "KON 3.2"
    p = scene("bc0:2d c1:2d bc1:2d b2:2d")  # and here above
    assert {"b0", "b1", "b2", "b3"} & builds(p) == {"b1"}
    p.play("=b1")
    assert "b0" in builds(p)
    assert "c3" not in builds(scene("cd0:2d c1:2d d1:2d cd1:2d d2:2d cd2:2d"))  # a joker begins its column
    p = scene("bc0:2d c1:2d bc1:2d c2:2d bc2:2d b0:2d", gaps=True)
    assert {"b1", "b2", "b3"} <= builds(p)
    assert "b4" not in builds(p)


def test_kon_3_3_a_king_is_never_built() -> None:
    p = scene("cd0:2d", turned="Kc")
    assert not builds(p)
    assert refused(p, "=c1") == "KON 3.3"
    p = scene("cd0:2d", black="c0 c0 c0 c0 c0 c0 c0")
    changing(p).turned = NUMBER["Ks"]
    assert not builds(p)
    assert refused(p, "=c1") == "KON 3.3"


# --- moving ------------------------------------------------------------------------------------------------


def test_kon_4_1_the_turned_card_must_reach_the_card_entered() -> None:
    ranks = "23456789TJQA"
    for turned in ranks:
        for lying in ranks:
            p = scene(f"{SPARE} cd0:{lying}d", turned=f"{turned}c", black="c0 c0")
            reaches = ranks.index(turned) >= ranks.index(lying)
            assert large(p) == small(p, "c0") == ({"cd0"} if reaches else set())
            if not reaches:
                assert refused(p, "c0>cd0") == refused(p, "c0>>cd0") == "KON 4.1"
    assert large(scene("cd0:5d", turned="2c", black="cd0 cd0")) == {"c0"}  # any card enters a joker
    assert small(scene("cd0:5d", turned="2c", black="cd0 cd0"), "cd0") == {"c0"}


def test_kon_4_2_the_large_piece_moves_to_a_neighbouring_card() -> None:
    p = scene(row("2d", "cd0", "c1", "c2", "d1"))
    assert large(p) == {"cd0", "c1"}
    assert refused(p, "c0>c2") == refused(p, "c0>d1") == refused(p, "c0>bc0") == "KON 4.2"
    assert "bc0" in builds(p)
    with pytest.raises(IllegalMove):
        p.verify("d1>c1")  # it does not stand there
    p.play("c0>c1")
    assert track(p)["c1"].pieces == ("B",)
    assert large(scene(row("2d", "cd0", "c1", "c2", "d1"), black="c1")) == {"c0", "c2", "cd0"}  # up, down, sideways


def test_kon_4_3_a_small_piece_goes_one_two_or_three_cards() -> None:
    column = row("2d", "cd0", "de0", "c1", "c2", "c3", "c4", "c5")
    assert small(scene(column, black="c0 c1"), "c1") == {"c0", "cd0", "c2", "c3", "c4"}  # not d0, not c1 again
    assert small(scene(column, black="c0 c5"), "c5") == {"c4", "c3", "c2"}
    assert refused(scene(column, black="c0 c1"), "c2>>c3") == "KON 4.3"
    assert refused(scene(column, black="c0 c1"), "c1>>d1") == "KON 4.3"
    with pytest.raises(MalformedMove):
        scene(column, black="c0 c1").verify("c1>>c5")


def test_kon_4_3_no_card_passed_is_higher_than_the_one_it_stops_on() -> None:
    p = scene(f"{SPARE} cd0:5d c1:5d c2:3d c3:5d c4:4d", black="c0 c1")
    assert small(p, "c1") == {"c0", "cd0", "c2", "c3"}
    assert refused(p, "c1>>c4") == "KON 4.3"
    p = scene(f"{SPARE} cd0:5d c1:5d c2:3d c3:5d c4:6d", black="c0 c1")
    assert small(p, "c1") == {"c0", "cd0", "c2", "c3", "c4"}
    p = scene("cd0:2d c1:2d", black="c1 cd0", turned="2c")
    assert small(p, "cd0") == {"c0", "c1"}  # the joker straight, c1 also over it
    assert refused(scene("cd0:2d c1:2d c2:2d", black="c0 c2"), "c2>>c0") == "KON 4.3"  # not over c1
    # Of two ways the lower counts: d2 is reached over cd1 (a 4), not over cd2 (a 9).
    assert "d2" in small(scene("c2:3d cd1:4d cd2:9d d2:5d", black="c0 c2"), "c2")
    assert "d2" not in small(scene("c2:3d cd1:6d cd2:9d d2:5d", black="c0 c2"), "c2")


def test_kon_4_3_a_longer_way_may_be_the_lower_one() -> None:
    lying = "c3:2d cd2:9d c2:4d cd1:4d d2:5d d3:7d"
    p = scene(lying, black="c0 c3")
    assert {"d2", "cd1", "cd2"} <= small(p, "c3")  # c2, cd1, d2
    assert "d3" not in small(p, "c3")  # four cards that way, and over the 9 it may not


def test_kon_4_3_upward_only_as_an_option_and_not_for_a_kings_move() -> None:
    lying = "cd0:2d c1:2d d1:2d cd1:2d c2:2d bc1:2d bc0:2d"
    assert small(scene(lying, black="c0 c1", small_moves="up"), "c1") == {"cd1", "bc1", "c2"}
    assert small(scene(lying, black="c0 cd0", small_moves="up"), "cd0") == {"c1", "d1", "cd1", "bc1", "c2"}
    assert "bc0" in small(scene(lying, black="c0 cd0"), "cd0")
    assert refused(scene(lying, black="c0 c1", small_moves="up"), "c1>>bc0") == "KON 4.3"
    p = scene(lying, turned="Kc", black="c2 bc1", small_moves="up", king_moves="any")
    assert {"c1", "bc0"} <= small(p, "bc1")


def test_kon_4_4_colours_do_not_mix_and_do_not_pass() -> None:
    column = row("2d", "cd0", "de0", "c1", "c2", "c3")
    p = scene(column, black="c0 c1", red="d0 c2")
    assert small(p, "c1") == {"c0", "cd0"}
    assert refused(p, "c1>>c2") == refused(p, "c1>>c3") == "KON 4.4"
    assert refused(scene(column, black="c1", red="d0 c2"), "c1>c2") == "KON 4.4"
    assert refused(scene(column, black="c1", red="c2"), "c1>c2") == "KON 4.4"
    p = scene(column, black="c2 c1 c3")  # one's own neither bar nor stop
    assert {"c2", "c3"} <= small(p, "c1")
    p.play("c1>>c2")
    assert track(p)["c2"].pieces == ("B", "b")


def test_kon_4_5_the_other_players_joker_is_closed() -> None:
    p = scene("cd0:2d d1:2d", black="cd0 cd0", red="d1")
    assert large(p) == small(p, "cd0") == {"c0"}
    assert refused(p, "cd0>d0") == refused(p, "cd0>>d0") == "KON 4.5"
    p = scene("cd0:2d de0:2d e0:2d e1:2d", black="c0 cd0", red="e1")
    assert not {"de0", "e0"} & small(p, "cd0")  # nor is it passed over


def test_kon_4_6_small_pieces_do_not_shut_in_the_large_one() -> None:
    lying = row("2d", "cd0", "c1", "d1", "d2", "cd1")
    p = scene(lying, black="c0 c1 cd1", red="d2")  # d2 touches d1 and cd1
    assert "d1" not in small(p, "c1")
    assert refused(p, "c1>>d1") == "KON 4.6"
    assert "d1" in small(p, "cd1")  # it leaves cd1 free
    p = scene(lying, black="c0 c1 cd1 cd1", red="d2")
    assert refused(p, "cd1>>d1") == "KON 4.6"  # another stays there
    # Ranks aside: an ace still is a card to move to. A large piece is not bound. What is so already bars nothing.
    assert "d1" in small(scene(f"{lying} de2:Ad", black="c0 c1 cd1", red="d2"), "c1")
    assert "d1" in large(scene(lying, black="cd0 cd1", red="d2"))
    p = scene(lying, black="cd0 c1 cd1 d1", red="d2")
    assert {"d1", "cd1"} <= small(p, "c1")
    assert refused(scene("bc0:2d c1:2d", black="f5 c0", red="bc0"), "c0>>c1") == "KON 4.6"  # c0 is no way out
    assert small(scene("cd0:2d", black="c0 c0", red="d0"), "c0") == set()  # cd0 is red's only card
    assert refused(scene("cd0:2d", black="c0 c0", red="d0"), "c0>>cd0") == "KON 4.6"


def test_kon_4_6_does_not_apply_where_the_large_piece_has_no_neighbour() -> None:
    p = scene("cd0:2d c1:2d", black="c0 c1", red="f5")
    assert "cd0" not in small(p, "c1")
    assert refused(p, "c1>>cd0") == "KON 4.7"
    p = scene("cd0:2d de0:2d c1:2d", black="c0 c1", red="f5")  # nothing lies beside f5
    assert "cd0" in small(p, "c1")
    p = scene("c1:2d bc0:2d", black="c0 c1")  # nothing lies beside red's joker, where red's large piece stands
    assert small(p, "c1") == {"c0", "bc0"}


def test_kon_4_7_the_enemys_joker_keeps_a_free_card_beside_it() -> None:
    lying = row("2d", "cd0", "d1", "cd1", "d2", "d3", "c1")
    p = scene(lying, black="c0 cd0 cd1", red="d3")  # beside d0 lie cd0 and d1
    assert "d1" not in small(p, "cd1")
    assert refused(p, "cd1>>d1") == "KON 4.7"
    assert "d1" in small(p, "cd0")  # it leaves cd0 free
    assert refused(scene(lying, black="d1 cd1", red="d3"), "cd1>>cd0") == "KON 4.7"  # the large piece counts
    assert "d1" in large(scene(lying, black="cd1 cd0", red="d3"))  # but is not bound
    assert "d1" in small(scene(lying, black="d1 cd1 cd0", red="d3"), "cd1")  # so already
    assert "d1" in small(scene(f"{lying} de0:Ad", black="c0 cd0 cd1", red="d3"), "cd1")


# --- kings -------------------------------------------------------------------------------------------------


def test_kon_5_1_a_king_brings_a_small_piece_which_may_move() -> None:
    lying = f"{SPARE} cd0:Qd c1:Qd c2:Ad c3:2d c4:2d"
    p = scene(lying, turned="Kc", black="c0 c3")
    assert p.view().facts[0].values == (4, 6)
    assert track(p)["c0"].pieces == ("B", "b")
    assert set(p.moves) == {"pass", "c0>>cd0", "c0>>c1"}  # a king reaches a queen, not the ace
    assert refused(p, "c0>>c2") == "KON 4.1"
    assert refused(p, "c0>c1") == refused(p, "c3>>c4") == "KON 5.1"
    p.play("c0>>c1")
    assert p.view().zones[3].cards == ("Kc",)
    p = scene(row("2d", "cd0", "de0", "c1", "c2", "c3"), turned="Kc")
    assert small(p, "c0") == {"cd0", "c1", "c2", "c3"}
    p.play("pass")
    assert track(p)["c0"].pieces == ("B", "b")
    p = scene("cd0:2d c1:2d c2:2d c3:2d", turned="Kc", black="c0 c3", king_moves="any")
    assert {m.split(">>")[0] for m in p.moves if ">>" in m} == {"c0", "c3"}
    assert refused(p, "c0>c1") == "KON 5.1"
    assert "pass" in p.moves
    assert dealt("Kh").view().facts[0].values == (6, 5)
    assert dealt("Kh").turn == RED


def test_kon_5_2_with_no_piece_left_a_king_is_a_queen() -> None:
    p = scene(f"{SPARE} cd0:Qd c1:Ad bc0:Ah", black="c0 c0 c0 c0 c0 c0 c0")
    changing(p).turned = NUMBER["Kc"]
    assert large(p) == small(p, "c0") == {"cd0"}
    assert refused(p, "c0>bc0") == refused(p, "c0>>c1") == "KON 5.2"
    assert "discard" in p.moves
    assert refused(p, "pass") == "KON 2.1"
    p = dealt(" ".join(["Kc", "Ks"] * 3 + ["Kd", "Qc"]), *["pass"] * 7)
    assert p.view().facts[0].values == (0, 5)
    p = dealt(" ".join(["Kc", "Ks"] * 3 + ["Qc"]), *["pass"] * 6)  # six kings are all that black has in three packs
    assert (p.turn, p.view().facts[0].values) == (BLACK, (0, 6))
    changing(p).stock[p.state.used] = NUMBER["Kc"]  # as after a reshuffle
    p.play("discard")
    assert set(p.moves) == {"discard"}
    assert p.view().facts[0].values == (0, 6)


# --- winning -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("height", [10, 5, 7])
def test_kon_6_1_up_to_an_upright_card_of_the_top_row_and_home(height: int) -> None:
    lying = row("2d", "cd0", f"c{height}", f"c{height - 1}", f"cd{height - 1}")
    p = scene(lying, black=f"c{height}", height=height)
    p.play(f"c{height}>c{height - 1}")
    assert p.view().facts[1].values == (0, 0)  # it was put there
    p = scene(lying, black=f"c{height - 1}", height=height)
    p.play(f"c{height - 1}>cd{height - 1}")  # a sideways card does not count
    assert p.view().facts[1].values == (0, 0)
    p.play(f"cd{height - 1}>c{height}")
    assert p.view().facts[1].values == (1, 0)
    assert track(p)[f"c{height}"].marked
    p = scene(lying, black="cd0", height=height)
    p.play("cd0>c0")  # home, but never up
    assert not p.over
    p = scene(lying, turned="2h", red="cd0", height=height)
    changing(p).been_up[1] = 1
    p.play("cd0>d0")
    assert p.outcome is not None
    assert (p.outcome.clause, p.outcome.winners, p.scores) == ("KON 6.1", (RED,), (0, 1))
    assert p.view().zones[1].cards == ()  # no card is turned any more


# --- the whole -----------------------------------------------------------------------------------------------


def test_the_rulebooks_example_of_play() -> None:
    p = dealt(" ".join(CARDS))
    turns, told = [], []
    for card, move in zip(CARDS, EXAMPLE, strict=True):
        assert p.view().zones[1].cards == (card,)
        turns.append(p.turn)
        before = p.copy()
        p.play(move)
        told += notation.tell(before.state, p.history[-1].move.number, p.state, ["Ada", "Bo"], -1)
    assert turns == [1, 1, 2, 2, 1, 1, 2, 2, 1]
    assert track(p)["cd1"].pieces == ("b",)
    assert track(p)["c1"].pieces == ("B",)
    assert track(p)["d1"].pieces == ("R",)
    assert p.view().zones[3].cards == ("Qd", "Ks", "8s", "2d", "7s")
    assert "The king brings a small piece of Ada onto c0." in told
    assert "With the eight of spades Ada moves the large piece from c0 to c1." in told
    assert "Bo builds the five of hearts sideways at cd1." in told


def test_the_order_of_the_stock_is_all_that_is_hidden() -> None:
    p = dealt("6c 7c", "=cd0")
    stock = p.view(BLACK).zones[2]
    assert (stock.count, stock.cards) == (154, ())
    assert Counter(p.hidden(0)) == Counter(stacked("6c 7c")[2:])


def test_a_column_stays_whole_and_the_list_of_open_cells_true() -> None:
    for seed in range(4):
        p = kartoteka.game("konstruktsiya", columns=4, height=5).deal(seed=seed)
        rng = chance(seed)
        for _ply in range(60):
            found = {NAMES[c] for c in range(CELLS) if p.state.card[c] < 0 and rules.buildable(p.state, c)}
            assert {name for name, cell in track(p).items() if not cell.card} == found
            for column in range(4):
                rows = [r for r in range(6) if p.state.card[NUMBERS["abcd"[column] + str(r)]] != rules.EMPTY]
                assert not rows or rows == list(range(rows[0], rows[-1] + 1))
            p.push(p.moves[int(randbelow(rng, len(p.moves)))])
