"""The Python face: what a person types at a prompt, and what a wrong word gets."""

from __future__ import annotations

import copy
import doctest
import importlib
import pickle
import pkgutil
from typing import Any

import numpy as np
import pytest

import kartoteka
from kartoteka.cards import TEXT, Card, tidy
from kartoteka.engine.errors import AmbiguousMove, IllegalMove, MalformedMove, MoveError, UsageError
from kartoteka.engine.moves import Move
from kartoteka.engine.position import KEPT, Position
from kartoteka.engine.variant import Variant
from tests.cases import DEFAULTS, VARIANTS, name_of, played


def odd(value: object) -> Any:
    """A value of a type that the face does not take."""
    return value


every_default = pytest.mark.parametrize("variant", DEFAULTS, ids=name_of)


def test_docstrings_are_right() -> None:
    tried = 0
    for module in pkgutil.walk_packages(kartoteka.__path__, "kartoteka."):
        result = doctest.testmod(importlib.import_module(module.name))
        assert result.failed == 0, module.name
        tried += result.attempted
    tried += doctest.testmod(kartoteka).attempted
    assert tried > 3


@every_default
def test_a_game_in_a_few_lines(variant: Variant) -> None:
    g = kartoteka.game(variant.game.name)
    p = g.deal(seed=7)
    assert p.outcome is None
    event = p.play(p.moves[0])
    first = g.deal(seed=7).turn
    assert (event.ply, event.seat) == (0, first)
    assert p.history == [event]
    assert p.view(seat=2).seat == 2
    while not p.over:
        p.play(p.verify(p.moves[len(p.moves) // 2]))
    assert p.outcome is not None
    assert p.outcome.scores == p.scores
    best = tuple(k for k, score in enumerate(p.scores, 1) if score == max(p.scores))
    drawn = len(best) == len(p.scores) and not g.game.finished
    assert p.outcome.winners == (() if drawn else best)


@every_default
def test_an_earlier_position_is_not_played_again_from_the_first_move(
    variant: Variant, monkeypatch: pytest.MonkeyPatch
) -> None:
    p = played(variant, "far back", "random")
    pushed, push = [], Position.push

    def counted(position: Position, move: Move) -> object:
        pushed.append(move)
        return push(position, move)

    monkeypatch.setattr(Position, "push", counted)
    for ply in {0, p.ply // 3, KEPT - 1, KEPT, 2 * KEPT + 3, p.ply - 1, p.ply} & set(range(p.ply + 1)):
        pushed.clear()
        earlier = p.at(ply)
        assert len(pushed) < KEPT
        assert (earlier.ply, earlier.history) == (ply, p.history[:ply])
        earlier.at(ply // 2)
        assert len(pushed) < 2 * KEPT


@every_default
def test_errors_quote_the_move_the_place_and_what_is_legal(variant: Variant) -> None:
    p = variant.deal(seed=1)
    with pytest.raises(MalformedMove) as refused:
        p.play("lay something nice")
    error = refused.value
    assert error.move == "lay something nice"
    assert error.clause == f"{variant.game.code} notation"
    assert variant.game.title in error.where
    assert set(error.legal) == set(p.moves)
    assert str(p.moves[0]) in str(error)
    while not p.over:
        p.play(p.moves[0])
    with pytest.raises(IllegalMove, match="over"):
        p.play(p.history[-1].move)


def test_a_move_that_fits_several_is_ambiguous() -> None:
    seen = 0
    for variant in DEFAULTS:
        p = variant.deal(seed=2)
        starts = [m[: k + 1] for m in p.moves for k in range(len(m) - 1) if not m[k + 1].isalnum()]
        for start in {s for s in starts if starts.count(s) > 1}:
            if start in list(p.moves):
                continue
            with pytest.raises(AmbiguousMove) as refused:
                p.verify(start)
            assert len(refused.value.legal) > 1
            assert all(m.startswith(start) for m in refused.value.legal)
            seen += 1
    assert seen


@pytest.mark.parametrize(
    ("call", "nearest"),
    [
        (lambda: kartoteka.game("abrosta"), "abroasta"),
        (lambda: kartoteka.game("хвостик"), "khvostiki"),
        (lambda: kartoteka.game("parkett", players=3), "2"),
        (lambda: kartoteka.game("abroasta", players=13), "2 to 12"),
        (lambda: kartoteka.game("parkett", crosses="free"), "cross"),
        (lambda: kartoteka.game("parkett", cross="fre"), "free"),
        (lambda: kartoteka.game("abroasta", target=0), "1"),
        (lambda: kartoteka.game("abroasta", target="many"), "whole number"),
        (lambda: kartoteka.game("advantage", switch_hands=1), "true"),
        (lambda: kartoteka.game("abroasta").deal(seed=1).view(5), "1 to 4"),
        (lambda: kartoteka.game("abroasta").deal(seed=1, dealer=5), "1 to 4"),
        (lambda: kartoteka.game("abroasta").deal(deck="2c 2c"), "2 times"),
        (lambda: kartoteka.game("abroasta").deal(deck=["2c", "Xx"]), "'Xx'"),
        (lambda: kartoteka.game(odd(3)), "no game"),
        (lambda: kartoteka.game("abroasta", players=odd(3.0)), "2 to 12"),
        (lambda: kartoteka.game("abroasta").deal(seed=1).view(odd("x")), "1 to 4"),
        (lambda: kartoteka.game("abroasta").deal(deck=odd(3)), "list of cards"),
        (lambda: kartoteka.game("abroasta").deal(seed=1).play(odd(None)), "text"),
        (lambda: kartoteka.game("abroasta").deal(seed=1).at(3), "0 were made"),
        (lambda: kartoteka.game("abroasta").deal(seed=1).reshuffle(""), "Nothing waits"),
    ],
)
def test_a_wrong_word_names_the_nearest_right_one(call: object, nearest: str) -> None:
    with pytest.raises(UsageError) as refused:
        call()  # type: ignore[operator]
    assert nearest in str(refused.value)


@every_default
def test_positions_copy_and_pickle(variant: Variant) -> None:
    p = played(variant, "pickle", "random").at(9)
    with pytest.raises(MoveError) as refused:
        p.play("xyzzy")
    for twin in (copy.copy(p), copy.deepcopy(p), pickle.loads(pickle.dumps(p))):
        assert twin == p
        assert twin.history == p.history
        twin.play(twin.moves[0])
        assert (twin.ply, p.ply) == (10, 9)
    bare = p.redeal(1, seed=1)
    assert pickle.loads(pickle.dumps(bare)) == bare
    assert pickle.loads(pickle.dumps(p.moves[0])) == p.moves[0]
    assert pickle.loads(pickle.dumps(variant)) == variant
    assert len({variant, copy.deepcopy(variant)}) == 1
    assert str(pickle.loads(pickle.dumps(refused.value))) == str(refused.value)


@every_default
def test_a_state_of_another_variant_or_a_damaged_one_is_refused(variant: Variant) -> None:
    state = variant.deal(seed=1).to_bytes()
    damaged = bytearray(state)
    damaged[len(state) // 2] ^= 1
    other = next(v for v in VARIANTS if v.game is variant.game and v != variant)
    for restoring, data in ((other, state), (variant, bytes(damaged)), (variant, b""), (variant, "é"), (variant, 3)):
        with pytest.raises(UsageError, match="no state of"):
            restoring.restore(data)  # type: ignore[arg-type]


@every_default
def test_legal_moves_belong_to_their_position(variant: Variant) -> None:
    p = variant.deal(seed=1)
    moves = p.moves
    with pytest.raises(ValueError, match="read-only"):
        moves.numbers[0] = 0
    p.play(moves[0])
    with pytest.raises(UsageError, match="ask the position again"):
        list(moves)


@every_default
def test_a_reshuffle_by_chance_is_the_same_when_taken_up_again(variant: Variant) -> None:
    p = played(variant, "again", "lazy")
    assert p.deck is not None
    for ply in (0, len(p.history) // 2, len(p.history)):
        moves = [str(e.move) for e in p.history[:ply]]
        shuffles = p.at(ply).shuffles
        again = variant.replay(p.dealer, p.deck, moves, shuffles, seed="again")
        for event in p.history[ply:]:
            again.push(event.move)
        assert again == p
        assert again.shuffles == p.shuffles


@every_default
def test_a_game_is_found_by_any_of_its_names(variant: Variant) -> None:
    for name in (variant.game.name, variant.game.title.upper(), variant.game.native):
        assert kartoteka.game(name).game is variant.game


def test_cards_are_values() -> None:
    for text in TEXT:
        assert eval(repr(Card(text)), {"Card": Card}) == Card(text) == text
        assert TEXT[Card(text).number] == text
    with pytest.raises(ValueError, match="is not a card"):
        Card("10h")


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("10♥>2", "Th>2"),
        ("row 2H 3h 4h", "row 2h 3h 4h"),
        ("joker>3+", "Jk>3+"),
        ("tail qS", "tail Qs"),
        ("JK>1", "Jk>1"),
        ("7D7♥", "7d7h"),
        ("pass", "pass"),
        ("discard", "discard"),
        ("take 7", "take 7"),
        ("10c@2", "Tc@2"),
    ],
)
def test_cards_may_be_typed_loosely(typed: str, meant: str) -> None:
    assert tidy(typed) == meant


def test_chance_is_uniform_enough() -> None:
    from kartoteka.core import chance, randbelow

    rng = chance("uniform")
    counts = np.bincount([int(randbelow(rng, 7)) for _draw in range(70_000)], minlength=7)
    assert abs(counts - 10_000).max() < 500
    assert int(randbelow(chance(1, 2), 1000)) == int(randbelow(chance(1, 2), 1000))
