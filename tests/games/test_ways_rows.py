"""How hands make the moves of the games of rows and piles, and the tables they make them at."""

from __future__ import annotations

import contextlib
import re
from collections import defaultdict
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kartoteka.engine.errors import MoveError
from kartoteka.engine.position import Position
from kartoteka.engine.variant import Variant
from kartoteka.engine.view import Way
from kartoteka.server.html import drawing
from tests.cases import VARIANTS, name_of, played, plies
from tests.games import test_abroasta, test_advantage
from tests.games.test_khvostiki import hold, last, start, turn, zone

GAMES = ("abroasta", "advantage", "khvostiki")
OURS = [variant for variant in VARIANTS if variant.game.name in GAMES]
USUAL = {game: next(v for v in OURS if v.game.name == game) for game in GAMES}
every_variant = pytest.mark.parametrize("variant", OURS, ids=name_of)


def names(variant: Variant) -> dict[int, str]:
    return {seat: f"Ñ & <{seat}>" for seat in range(1, variant.players + 1)}


def drawn(position: Position, seat: int) -> str:
    """The board and the hand as `seat` sees them, as HTML."""
    game, view = position.game.name, position.view(seat)
    return drawing.board(game, view, names(position.variant)) + drawing.hand(game, view, names(position.variant))


def places(page: str) -> set[str]:
    return set(re.findall(r'data-place="([^"]*)"', page))


def ways(position: Position) -> Iterator[tuple[str, int, Way]]:
    way = position.game.table.way
    for move in position.moves:
        yield str(move), move.number, way(position.state, move.number)


def meant(position: Position, takes: list[str], puts: str = "") -> list[str]:
    """What a hand could have meant; each of it can be judged, and is played only as it is written."""
    moves: list[str] = position.game.table.meant(position.state, takes, puts)
    for move in moves:
        with contextlib.suppress(MoveError):
            assert position.verify(move) == move
    return moves


def refusal(position: Position, takes: list[str], puts: str = "") -> tuple[str, str]:
    """The clause and the reason by which the likeliest meaning is refused."""
    with pytest.raises(MoveError) as caught:
        position.verify(meant(position, takes, puts)[0])
    return caught.value.clause, caught.value.reason


def held(seat: int, cards: str) -> list[str]:
    return [f"hand:{seat}/{card}" for card in cards.split()]


# --- every legal move can be made by hand ----------------------------------------------------------------------


@every_variant
@pytest.mark.parametrize("picker", ["random", "greedy"])
def test_every_legal_move_has_a_way_among_the_places_on_the_page(variant: Variant, picker: str) -> None:
    label = variant.game.notation.label
    for position, _move in plies(variant, f"ways {picker}", picker):
        if position.ply % 7:
            continue
        found = places(drawn(position, position.turn))
        named: defaultdict[object, set[str]] = defaultdict(set)
        for move, number, way in ways(position):
            assert {*way.takes, way.puts} - {""} <= found, (move, way)
            assert move in meant(position, list(way.takes), way.puts), (move, way)
            words = label(position.state, number)
            assert words not in named[tuple(sorted(way.takes)), way.puts], (move, words)
            named[tuple(sorted(way.takes)), way.puts].add(words)


@every_variant
def test_cards_are_taken_from_the_hand_of_the_seat_to_move_only(variant: Variant) -> None:
    for position, _move in plies(variant, "own hand", "random"):
        others = [seat for seat in range(1, variant.players + 1) if seat != position.turn]
        for _text, _number, way in ways(position):
            assert all(place.startswith(f"hand:{position.turn}/") for place in way.takes)
        assert not places(drawn(position, position.turn)) & {f"hand:{seat}/7h" for seat in others}
        assert meant(position, held(others[0], "7h"), "row:1") == []
        if position.ply > 20:
            break


# --- tables are drawn for everyone -----------------------------------------------------------------------------


@every_variant
def test_every_seat_and_a_spectator_have_a_table(variant: Variant) -> None:
    positions = [position for position, _move in plies(variant, "drawn", "greedy") if position.ply in (0, 30)]
    for position in [*positions, played(variant, "drawn", "lazy")]:
        for seat in range(variant.players + 1):
            page = drawn(position, seat)
            assert "<3>" not in page
            assert all(f"Ñ &amp; &lt;{k}&gt;" in page for k in range(1, variant.players + 1) if k != seat)
            assert re.search(r"\b(You|Your|your)\b", page) if seat else not re.search(r"\b(You|Your|your)\b", page)
            assert not re.search(r"<(button|script|style)|tabindex|\son\w+=|\bcan-|\bis-held", page)
            assert len(re.findall(r'\sid="([^"]*)"', page)) == len(set(re.findall(r'\sid="([^"]*)"', page)))


@every_variant
def test_a_page_shows_no_card_that_is_hidden(variant: Variant) -> None:
    for position, _move in plies(variant, "hidden", "random"):
        if position.ply % 12:
            continue
        for seat in {0, position.turn, position.turn % variant.players + 1}:
            assert drawn(position.redeal(seat, seed=position.ply), seat) == drawn(position, seat)


@every_variant
def test_the_clauses_that_matter_are_clauses(variant: Variant) -> None:
    for position, _move in plies(variant, "clauses", "random"):
        for seat in range(variant.players + 1):
            clauses = position.view(seat).clauses
            assert 1 <= len(clauses) <= 3
            assert set(clauses) <= set(variant.game.clauses)
    assert played(variant, "clauses", "random").view().clauses == ()


# --- what comes from outside -----------------------------------------------------------------------------------

_CARDS = st.sampled_from(["7h", "Th", "Kc", "As", "Jk", "2d", "??", "1h", "7H", ""])
_NUMBERS = st.one_of(st.integers(-2, 40).map(str), st.sampled_from(["", "007", "²", "９", "1 ", "9" * 5000]))
_PLACES = st.one_of(
    st.builds("hand:{}/{}".format, st.integers(0, 4), _CARDS),
    st.builds("{}{}{}".format, st.sampled_from(["row:", "tail/", "pile:", "pairs:"]), _NUMBERS,
              st.sampled_from(["", "/Jk", "/", "/7h", "/Jk/Jk"])),
    st.sampled_from(["", "tail", "stock", "row", "hand:1"]),
    st.text(max_size=12),
)  # fmt: skip


@settings(max_examples=400, deadline=None)
@given(game=st.sampled_from(GAMES), takes=st.lists(_PLACES, max_size=5), puts=_PLACES, ply=st.integers(0, 60))
def test_whatever_a_client_sends_is_judged(game: str, takes: list[str], puts: str, ply: int) -> None:
    position = positions(game)[ply % len(positions(game))]
    before = position.to_bytes()
    assert all(isinstance(move, str) for move in meant(position, takes, puts))
    assert meant(position, takes * 200, puts) is not None
    assert position.to_bytes() == before


@pytest.mark.parametrize("puts", ["row:", "tail/", "pile:"])
@pytest.mark.parametrize("number", ["0", "-1", "01", "1 ", "²", "９", "9" * 5000, "1/Jk/Jk", "1/", "1\n"])
def test_a_number_is_no_number_unless_written_as_one(puts: str, number: str) -> None:
    for game in GAMES:
        position = positions(game)[0]
        seat = position.turn
        assert meant(position, held(seat, "7h"), puts + number) == []
        assert meant(position, [], puts + number) == []


_POSITIONS: dict[str, list[Position]] = {}


def positions(game: str) -> list[Position]:
    """Positions of one deal, every fifth ply."""
    if game not in _POSITIONS:
        deal = plies(USUAL[game], "hostile", "random")
        _POSITIONS[game] = [position.copy() for position, _move in deal if position.ply % 5 == 0]
    return _POSITIONS[game]


# --- Khvostiki ---------------------------------------------------------------------------------------------------


def test_khvostiki_three_cards_mean_every_row_they_make() -> None:
    p = turn(start(), "2h 3h Jk 9d Ks")
    assert meant(p, held(1, "3h Jk 2h")) == ["row 2h 3h Jk", "row Jk 2h 3h"]
    assert meant(p, held(1, "Jk 9d Ks"))[0] == "row Jk 9d Ks"
    clause, reason = refusal(p, held(1, "2h 3h 9d"))
    assert (clause, reason[:18]) == ("KHV 2.1", "2♥ 3♥ 9♦ is no row")
    assert refusal(p, held(1, "2h 3h 9d Ks"))[0] == "KHV 2.1"
    assert meant(p, held(1, "2h 3h")) == meant(p, held(1, "2h")) == []  # not the row that begins so
    assert meant(p, []) == ["end"]


def test_khvostiki_a_card_that_fits_nowhere_is_refused_with_its_clause() -> None:
    p = turn(start(), "2h 3h 4h 9d Jk Ks", "row 2h 3h 4h")
    assert refusal(p, held(1, "9d"), "row:1")[0] == "KHV 2.4"
    assert refusal(p, held(1, "9d"), "row:2")[0] == "KHV 2.5"
    assert refusal(p, held(1, "9d"), "row:1/Jk") == ("KHV 3.3", "there is no joker in row 1")
    assert refusal(p, held(1, "Jk"), "tail")[0] == "KHV 3.5"
    assert refusal(p, [], "tail/2")[0] == "KHV 4.3"
    assert meant(p, held(1, "9d Ks"), "row:1") == []
    assert meant(p, [], "row:1") == meant(p, [], "tail") == meant(p, held(1, "9d"), "stock") == []


def test_khvostiki_a_joker_goes_to_either_end_or_the_set() -> None:
    p = turn(start(), "2h 3h 4h Qc Qh Qs Jk Ks", "row 2h 3h 4h", "row Qc Qh Qs")
    assert meant(p, held(1, "Jk"), "row:1") == ["Jk>1+", "Jk>1-"]
    assert meant(p, held(1, "Jk"), "row:2") == ["Jk>2"]
    assert all(p.can(move) for move in ("Jk>1+", "Jk>1-", "Jk>2"))


def test_khvostiki_a_card_let_fall_anywhere_on_the_tail_is_laid_on_it() -> None:
    p = turn(start(), "2h 3h 9d Ks")
    assert meant(p, held(1, "9d"), "tail") == meant(p, held(1, "9d"), "tail/1") == ["tail 9d"]


def test_khvostiki_a_joker_in_a_row_is_a_place_of_its_own() -> None:
    p = turn(start(), "Qc Qh 4h Jk Ks", "row Qc Qh Jk")
    assert {"row:1", "row:1/Jk"} <= places(drawn(p, 1))
    p.play("tail Ks")
    turn(p, "Qs Kc Kd 2s")
    found = {move: way for move, _number, way in ways(p)}
    assert found["Qs>1"] == Way(("hand:2/Qs",), "row:1")
    assert found["Qs<>1"] == Way(("hand:2/Qs",), "row:1/Jk")


def test_khvostiki_what_a_joker_stands_for_is_told_as_far_as_it_is_known() -> None:
    p = turn(start(), "2h 3h Jk Qc Qh Qs Jk Ks", "row 2h 3h Jk", "row Qc Qh Jk")
    assert (zone(p, "row:1").stands, zone(p, "row:1").marks) == (("", "", "4h"), ("run",))
    assert (zone(p, "row:2").stands, zone(p, "row:2").marks) == ((), ("set",))
    p.play("Qs>2")
    assert zone(p, "row:2").cards[3] == "Jk"
    assert zone(p, "row:2").stands == ("", "", "", "Qd")


def test_khvostiki_the_clauses_follow_the_duty() -> None:
    p = turn(start(), "2h 3h Jk 9d Ks", "row 2h 3h Jk", "tail Ks")
    assert p.view(2).clauses == ("KHV 4.2", "KHV 4.3", "KHV 4.4")
    hold(p, "Kc Kd 4h 5d 2s")
    q = p.copy()
    q.play("take 2")
    assert q.view(1).clauses[0] == "KHV 4.3"
    p.play("4h<>1")
    assert p.view(1).clauses[0] == "KHV 3.3"
    assert last(start()).view(1).clauses[-1] == "KHV 5.1"


def test_khvostiki_ones_own_cards_that_the_others_know_are_told() -> None:
    p = turn(start(), "2h 3h 9d Ks", "tail Ks")
    turn(p, "9c Tc Jc Kd 2d", "take 1")
    hand = zone(p, "hand:2", 2)
    shown = [card for card, seen in zip(hand.cards, hand.seen, strict=True) if seen]
    assert shown == ["9c", "Ks"]
    assert hand.cards.count("9c") == 2
    assert zone(p, "hand:2", 1).seen == ()
    assert drawn(p, 2).count('class="seen"') == 2


# --- Abroasta ----------------------------------------------------------------------------------------------------


def test_abroasta_a_card_on_a_row_and_a_pass() -> None:
    p = test_abroasta.table({1: "2d 3d", 2: test_abroasta.FULL}, {1: "4d 9d", 2: "Ks", 3: "2h"})
    assert meant(p, held(1, "4d"), "row:1") == ["4d@1"]
    assert refusal(p, held(1, "9d"), "row:1")[0] == "ABR 2.2"
    assert refusal(p, held(1, "9d"), "row:3")[0] == "ABR 2.1"
    assert refusal(p, held(1, "9d"), "row:4")[0] == "ABR 2.1"
    assert refusal(p, held(1, "9d"), "row:999")[0] == "ABR notation"
    assert refusal(p, [])[0] == "ABR 3.2"
    assert meant(p, held(1, "4d 9d"), "row:1") == meant(p, held(1, "4d")) == meant(p, [], "row:1") == []


def test_abroasta_what_a_row_waits_for_and_the_clauses_that_matter() -> None:
    p = test_abroasta.table({1: "2d 3d", 2: test_abroasta.FULL}, {1: "4d", 2: "Ks", 3: "2h"})
    notes = [zone(p, f"row:{seat}").notes[0] for seat in (1, 2, 3)]
    assert notes == ["next: four", "next: king, which takes the row", "no row open"]
    assert p.view().clauses == ("ABR 2.2", "ABR 2.4", "ABR 3.2")
    p.play("4d@1")
    p.play("Ks@2")
    assert p.view().clauses == ("ABR 2.1", "ABR 3.2")
    low = test_abroasta.table({1: "Jc Qc"}, {1: "4d", 2: "Ks", 3: "2h"}, king_takes="any")
    assert zone(low, "row:1").notes == ("next: king, which takes the row",)
    assert low.view().clauses == ("ABR 2.2", "ABR 2.5", "ABR 3.2")


def test_abroasta_a_dead_row_is_marked() -> None:
    p = test_abroasta.table({1: "Kc Ac", 2: "Ad"}, {1: "4d", 2: "Ks", 3: "2h"})
    assert [zone(p, f"row:{seat}").marks for seat in (1, 2, 3)] == [("dead",), (), ()]
    assert drawn(p, 1).count("is-dead") == 1


@pytest.mark.parametrize("players", range(2, 13))
def test_abroasta_seats_go_round_from_the_reader(players: int) -> None:
    page = drawn(Variant(USUAL["abroasta"].game, players, USUAL["abroasta"].options).deal(seed=1), 2)
    order = [int(k) for k in re.findall(r'data-place="row:(\d+)"', page)]
    assert order == [(k + 1) % players + 1 for k in range(players)]
    at = re.findall(r"--r:(\d+);--c:([^\"]+)", page)
    assert len(set(at)) == players - 1
    left = [int(r) for r, c in at if c == "1"]
    right = [int(r) for r, c in at if c == "2"]
    assert left == sorted(left, reverse=True)
    assert right == sorted(right)
    first = 2 if players % 2 == 0 else 1  # an even number leaves one seat at the head
    assert sorted(left) == sorted(right) == list(range(first, first + (players - 1) // 2))


# --- Advantage ---------------------------------------------------------------------------------------------------


def test_advantage_a_card_on_a_pile_means_what_the_round_is() -> None:
    for phase, likely, clause in ((1, "9h>1", "ADV 3.1"), (2, "9h<1", "ADV 4.1"), (3, "9h>1", "ADV 2.1")):
        p = test_advantage.table({1: "9h 8c 8d", 2: "7h"}, ("5s", "7d", "Kd"), "Qs", phase)
        assert meant(p, held(1, "9h"), "pile:1")[0] == likely
        assert refusal(p, held(1, "9h"), "pile:1")[0] == clause
        assert p.view().round == phase


def test_advantage_two_cards_are_a_pair_or_refused_as_none() -> None:
    p = test_advantage.table({1: "8c 8d 9h", 2: "7h"}, ("5s", "7d", "Kd"), "Qs", 3)
    assert meant(p, held(1, "8d 8c")) == meant(p, held(1, "8c 8d"), "pairs:1") == ["8c8d"]
    assert p.can("8c8d")
    assert refusal(p, held(1, "9h 8d")) == ("ADV 5.1", "8♦ and 9♥ are no pair: a pair is two cards of one rank")
    assert meant(p, held(1, "8c 8d 9h")) == meant(p, held(1, "8c")) == meant(p, held(1, "8c 8d"), "pile:1") == []
    assert refusal(p, [])[0] == "ADV 5.1"
    assert refusal(p, [], "stock")[0] == "ADV 5.2"


def test_advantage_the_clauses_follow_the_round_and_what_the_mover_sees() -> None:
    p = test_advantage.table({1: "9h 8c", 2: "7h"}, ("5h", "7d", "Kd"), "Qs")
    assert p.view(1).clauses == p.view().clauses == ("ADV 3.1", "ADV 3.2")
    stuck = test_advantage.table({1: "8c", 2: "9s"}, ("5h", "7d", "Kd"), "Qs")
    assert stuck.view(1).clauses == ("ADV 3.1", "ADV 3.4")
    assert stuck.view(2).clauses == stuck.view().clauses == ("ADV 3.1", "ADV 3.2")


def test_advantage_cards_of_ones_own_that_lie_open_bear_an_eye() -> None:
    p = test_advantage.table({1: "9h 8c", 2: "7h"}, ("5h", "7d", "Kd"), "Qs Js")
    p.play("9h>1")
    hand = zone(p, "hand:1", 1)
    assert dict(zip(hand.cards, hand.seen, strict=True)) == {"8c": True, "Qs": False}
    assert drawn(p, 1).count('class="seen"') == 1
    assert 'class="seen"' not in drawn(p, 0)
