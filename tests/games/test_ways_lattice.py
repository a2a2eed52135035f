"""Konstruktsiya and Parkett at the table: how a hand makes each move, what a gesture means, the boards as HTML."""

from __future__ import annotations

import re
from collections import defaultdict
from html import unescape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kartoteka.engine.errors import MoveError
from kartoteka.engine.moves import Move
from kartoteka.engine.position import Position
from kartoteka.engine.variant import Variant
from kartoteka.engine.view import View, Way
from kartoteka.server.html import drawing
from tests.cases import DEFAULTS, VARIANTS, name_of, played, plies, refused

NAMES = {seat: f"<{seat}>" for seat in range(1, 17)}
LATTICES = [v for v in VARIANTS if v.game.name in ("konstruktsiya", "parkett")]

every_variant = pytest.mark.parametrize("variant", LATTICES, ids=name_of)


def _way(position: Position, move: Move) -> Way:
    way: Way = position.game.table.way(position.state, move.number)
    return way


def _meant(position: Position, takes: tuple[str, ...], puts: str) -> list[str]:
    found: list[str] = position.game.table.meant(position.state, takes, puts)
    return found


def _html(position: Position, seat: int) -> str:
    view, game = position.view(seat), position.game.name
    return drawing.board(game, view, NAMES) + drawing.hand(game, view, NAMES)


def _places(html: str) -> set[str]:
    return set(re.findall(r'data-place="([^"]*)"', html))


def _generic(view: View, game: str) -> str:
    scene = drawing._scene(game, view, NAMES)
    return "".join(drawing.environment().get_template(f"{part}.html").render(scene) for part in ("board", "hand"))


@every_variant
def test_every_move_is_made_at_places_that_the_mover_sees_and_means_itself(variant: Variant) -> None:
    for picker in ("greedy", "lazy"):
        for position, _move in plies(variant, "ways", picker):
            if position.ply % 9:
                continue
            labels = defaultdict(list)
            places = _places(_html(position, position.turn))
            for move in position.moves:
                way = _way(position, move)
                labels[way].append(position.game.notation.label(position.state, move.number))
                assert {*way.takes, *filter(None, [way.puts])} <= places, move
                if way.takes:
                    assert move in _meant(position, way.takes, way.puts)
            assert all(len(set(told)) == len(told) for told in labels.values())


PARTS = "track floor turned discards stock hand:1 hand:2 hand:9 c0 d0 c1 de3 h10 z9 d3 e4 a1 B b R r 7h Tc Jk ?? d³"
PLACES = st.text(max_size=20) | st.lists(st.sampled_from(["", *PARTS.split()]), max_size=4).map("/".join)


@pytest.mark.parametrize("variant", [v for v in DEFAULTS if v in LATTICES], ids=name_of)
@given(takes=st.lists(PLACES, max_size=3).map(tuple), puts=PLACES, ply=st.integers(0, 200))
def test_whatever_a_hand_does_is_a_move_or_is_refused(
    variant: Variant, takes: tuple[str, ...], puts: str, ply: int
) -> None:
    position = _played(variant)
    position = position.at(min(ply, position.ply))
    for text in _meant(position, takes, puts):
        try:
            position.verify(text)
        except MoveError as error:
            assert error.reason
            assert error.clause


_deals: dict[str, Position] = {}


def _played(variant: Variant) -> Position:
    return _deals.setdefault(name_of(variant), played(variant, "hostile", "greedy"))


@every_variant
def test_boards_draw_for_every_seat_and_spectators(variant: Variant) -> None:
    deal = played(variant, "boards", "greedy")
    for ply in {0, 1, 9, deal.ply // 2, deal.ply}:
        position = deal.at(min(ply, deal.ply))
        for seat in (0, 1, 2):
            html = _html(position, seat)
            text = unescape(re.sub("<[^>]*>", " ", html))
            assert all(NAMES[other] in text for other in (1, 2) if other != seat)
            assert "<2>" not in html
            for cell in next(zone for zone in position.view(seat).zones if zone.kind == "lattice").cells:
                assert re.search(rf'data-place="(track|floor)/{cell.name}"', html)
            ids = re.findall(r'\bid="([^"]*)"', html)
            assert len(ids) == len(set(ids))


def test_a_card_and_a_piece_are_named_with_their_cell() -> None:
    konstruktsiya, parkett = (next(v for v in DEFAULTS if v.game.name == g) for g in ("konstruktsiya", "parkett"))
    html = _html(konstruktsiya.deal(seed=1), 1)
    assert 'aria-label="c0, joker"' in html
    assert 'aria-label="large piece of &lt;1&gt; on c0"' in html
    position = parkett.deal(dealer=1, seed=1)
    position.play("8s@d4")
    html = _html(position, 1)
    assert 'aria-label="d4, eight of spades"' in html
    assert "eight of spades, laid" in html
    assert 'data-place="hand:1/8s"' not in html


@pytest.mark.parametrize("variant", VARIANTS, ids=name_of)
def test_a_game_without_a_page_of_its_own_is_drawn_with_a_place_for_every_move(variant: Variant) -> None:
    for position, _move in plies(variant, "generic", "greedy"):
        if position.ply % 60 == 3:
            html = _generic(position.view(position.turn), position.game.name)
            for move in position.moves:
                way = _way(position, move)
                assert {*way.takes, *filter(None, [way.puts])} <= _places(html), move
    assert _generic(position.view(0), position.game.name)


# --- what a gesture means that is no move ------------------------------------------------------------------------


def _gesture(position: Position, takes: tuple[str, ...], puts: str) -> str:
    """The clause that refuses what a hand did."""
    [text] = _meant(position, takes, puts)
    return refused(position, text)


def test_parkett_tells_why_a_gesture_is_no_move() -> None:
    variant = next(v for v in DEFAULTS if v.game.name == "parkett")
    position = variant.deal(dealer=1, seed=1)
    assert _gesture(position, ("hand:1/8s",), "floor/a1") == "PAR 2.1"
    assert _gesture(position, ("hand:2/8d",), "floor/d4") == "PAR 1.1"
    position.play("8s@d4")
    position.play("Qd@e3")
    assert _gesture(position, ("hand:1/6c",), "floor/f3") == "PAR 2.3"
    assert _gesture(position, ("floor/d4",), "floor/d2") == "PAR 3.5"
    assert _gesture(position, (), "floor/d4") == "PAR 3.5"
    assert _meant(position, ("floor/d1",), "floor/d2") == []
    assert _meant(position, ("hand:1/8s", "hand:1/9s"), "floor/d2") == []


def test_konstruktsiya_tells_why_a_gesture_is_no_move() -> None:
    variant = next(v for v in DEFAULTS if v.game.name == "konstruktsiya")
    position = next(p for p, _m in plies(variant, "gesture", "lazy") if p.view(1).turn == 1 and "=cd0" in p.moves)
    turned = next(zone for zone in position.view(1).zones if zone.name == "turned").cards[0]
    card = (f"turned/{turned}",)
    assert _gesture(position, card, "track/c0") == "KON 3.2"
    assert _gesture(position, card, "track/c0/B") == "KON 3.2"
    assert _gesture(position, ("track/c0/B",), "track/c1") == "KON 4.2"
    assert _gesture(position, ("track/d0/R",), "track/c1") == "KON 4.3"
    assert _meant(position, card, "discards") == ["discard"]
    assert _meant(position, card, "stock") == []
    assert _meant(position, ("track/c0",), "track/d0") == ["c0>d0", "c0>>d0"]


@every_variant
def test_the_clauses_that_matter_are_a_few_of_the_rulebook(variant: Variant) -> None:
    for position, _move in plies(variant, "clauses", "greedy"):
        if position.ply % 9 == 0:
            clauses = position.view(position.turn).clauses
            assert 1 <= len(clauses) <= 3
            assert set(clauses) <= set(variant.game.clauses)
    assert played(variant, "clauses", "greedy").view(0).clauses == ()
