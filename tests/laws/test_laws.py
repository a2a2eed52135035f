"""Laws that hold for every game, every option and every number of players; they name no game."""

from __future__ import annotations

import re
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kartoteka
from kartoteka.cards import JOKER, TEXT, UNSEEN, glyph, name
from kartoteka.engine import record as records
from kartoteka.engine.errors import IllegalMove, MoveError
from kartoteka.engine.match import Match
from kartoteka.engine.moves import Move
from kartoteka.engine.position import Position
from kartoteka.engine.variant import Variant
from kartoteka.engine.view import View, encode
from kartoteka.players import play_out
from tests.cases import MATCHES, PICKERS, VARIANTS, name_of, played, plies, sampled, to_points

every_variant = pytest.mark.parametrize("variant", VARIANTS, ids=name_of)
every_picker = pytest.mark.parametrize("picker", PICKERS)
variants = st.sampled_from(VARIANTS)
pickers = st.sampled_from(sorted(PICKERS))
seeds = st.integers(0, 2**32)

_CARD_IN_WORDS = {name(c): c for c in range(JOKER + 1)} | {glyph(c): c for c in range(JOKER + 1)}
_CARD_PATTERN = re.compile("|".join(sorted(map(re.escape, _CARD_IN_WORDS), key=len, reverse=True)))


def census(position: Position) -> Counter[int]:
    return Counter(position.game.table.census(position.state))


def seen(view: View) -> Counter[str]:
    """The cards that a view shows."""
    shown = [card for zone in view.zones for card in zone.cards]
    shown += [cell.card for zone in view.zones for cell in zone.cells if cell.card]
    return Counter(card for card in shown if card != TEXT[UNSEEN])


@every_variant
@every_picker
def test_cards_are_conserved_and_every_deal_ends_within_its_bound(variant: Variant, picker: str) -> None:
    start = census(variant.deal(seed=picker))
    pack = Counter(variant.pack().tolist())
    assert not pack - start
    for position, _move in plies(variant, picker, picker):
        assert census(position) == start
        assert position.ply < variant.max_plies
    end = played(variant, picker, picker)
    assert census(end) == start
    assert end.outcome is not None
    assert end.outcome.clause in variant.game.clauses
    assert len(end.scores) == variant.players
    assert end.turn == 0
    assert not end.moves
    assert not end.mask.any()


@every_variant
def test_list_mask_and_verify_agree(variant: Variant) -> None:
    pool: set[Move] = set()
    rng = np.random.default_rng(1)
    for position, move in plies(variant, "agree", "random"):
        numbers = position.moves.numbers
        assert len(numbers) == len(set(numbers.tolist())) > 0
        assert np.array_equal(np.flatnonzero(position.mask), np.sort(numbers))
        assert all(position.verify(m) == m and m in position.moves for m in list(position.moves)[:20])
        pool.add(move)
        for other in rng.choice(sorted(pool), 3):
            legal = other in set(map(str, position.moves))
            assert position.can(str(other)) == legal
        for number in rng.integers(0, variant.core.moves, 20).tolist():
            if not position.mask[number]:
                clause, reason = variant.game.refusals.refuse(position.state, number)
                assert clause in variant.game.clauses, (clause, number)
                assert reason
                assert not reason.endswith(".")


@every_variant
def test_an_illegal_move_is_refused_with_clause_and_advice_and_changes_nothing(variant: Variant) -> None:
    other = played(variant, "elsewhere", "random")
    texts = [e.move for e in other.history]
    refused = 0
    for position, _move in plies(variant, "refused", "random"):
        before = position.to_bytes()
        for text in texts[:: max(1, len(texts) // 5)]:
            try:
                position.verify(str(text))
            except IllegalMove as error:
                refused += 1
                assert error.clause.startswith(variant.game.code)
                assert error.clause in str(error)
                assert error.reason in str(error)
                assert error.legal[0] in str(error)
        assert position.to_bytes() == before
    assert refused


@settings(max_examples=60, deadline=None)
@given(variant=variants, seed=seeds, picker=pickers)
def test_moves_states_and_positions_round_trip(variant: Variant, seed: int, picker: str) -> None:
    game = variant.game.name
    for position, move in plies(variant, seed, picker):
        if position.ply % 7 == 0:
            for m in list(position.moves)[:40]:
                assert Move(game, str(m)).number == m.number
                assert eval(repr(m), {"Move": Move}) == m
            assert variant.restore(position.to_bytes()) == position
        assert Move(game, str(move)).number == move.number
    assert eval(repr(position), {"kartoteka": kartoteka}) == position
    bare = variant.restore(position.to_bytes())
    assert eval(repr(bare), {"kartoteka": kartoteka}) == position
    assert eval(repr(variant), {"kartoteka": kartoteka}).options == variant.options


@every_variant
@pytest.mark.parametrize("picker", ["random", "greedy"])
def test_a_redeal_cannot_be_told_from_the_real_position(variant: Variant, picker: str) -> None:
    for position, _move in plies(variant, f"redeal {picker}", picker):
        if not sampled(position.ply):
            continue
        for seat in range(variant.players + 1):
            other = position.redeal(seat, seed=position.ply)
            assert encode(other.view(seat)) == encode(position.view(seat))
            assert other.hidden(seat) == position.hidden(seat)
            assert other.turn == position.turn
            assert census(other) == census(position)
            assert len(other.moves)
            if seat == position.turn:
                assert sorted(other.moves) == sorted(position.moves)
                assert ratings(other) == ratings(position)
                assert told_to_mover(other) == told_to_mover(position)


def told_to_mover(position: Position) -> list[object]:
    """What the seat to move is told of its legal moves, and why some others are refused."""
    label, refuse = position.game.notation.label, position.game.refusals.refuse
    told: list[object] = [(m, label(position.state, m.number)) for m in sorted(position.moves)]
    step = max(1, position.variant.core.moves // 40)
    return told + [refuse(position.state, n) for n in range(0, len(position.mask), step) if not position.mask[n]]


def ratings(position: Position) -> dict[int, int]:
    """The policy's ratings of the legal moves."""
    moves = position.moves.numbers
    out = np.zeros(max(len(moves), 1), np.int32)
    before = position.to_bytes()
    position.game.policy.rate(position.state, moves, len(moves), out)
    assert position.to_bytes() == before
    return dict(zip(moves.tolist(), out.tolist(), strict=True))


@settings(max_examples=40, deadline=None)
@given(variant=variants, seed=seeds, picker=pickers, stop=st.integers(0, 200))
def test_a_redealt_position_can_be_played_to_its_end(variant: Variant, seed: int, picker: str, stop: int) -> None:
    for position, _move in plies(variant, seed, picker):
        if position.ply == stop:
            break
    other = position.redeal(1, seed=seed)
    while not other.over:
        other.push(other.moves[0])
    assert census(other) == census(position)


@every_variant
def test_a_redeal_varies_what_is_hidden(variant: Variant) -> None:
    position = variant.deal(seed="varies")
    states = {position.redeal(0, seed=k).to_bytes() for k in range(12)}
    assert (len(states) > 6) == (len(set(position.hidden(0))) > 1)
    for seat in range(variant.players + 1):
        varied = places = 0
        for position, _move in plies(variant, "varies", "greedy"):
            if position.ply % 4:
                continue
            zones = position.view(seat).zones
            hands = [z.owner for z in zones if TEXT[UNSEEN] in z.cards]
            stocks = [z for z in zones if z.kind == "stock" and z.count]
            if not hands or len(hands + stocks) < 2 or len(position.hidden(seat)) < 9:
                continue
            places += 1
            other = position.redeal(seat, seed=position.ply)
            varied += any(encode(other.view(k)) != encode(position.view(k)) for k in hands)
        assert 4 * varied >= 3 * places, seat  # what was shown by passing may leave but one arrangement


@every_variant
def test_a_view_shows_nothing_that_is_hidden(variant: Variant) -> None:
    for position, _move in plies(variant, "views", "greedy"):
        everything = Counter(TEXT[c] for c in census(position).elements())
        public = seen(position.view(0))
        for seat in range(variant.players + 1):
            shown = seen(position.view(seat))
            assert not (shown + Counter(position.hidden(seat))) - everything
            assert not public - shown
            zones = position.view(seat).zones
            assert not any(zone.cards for zone in zones if zone.kind == "stock")
            unseen = sum(zone.cards.count(TEXT[UNSEEN]) for zone in zones)
            unseen += sum(zone.count for zone in zones if zone.kind == "stock")
            jokers = variant.pack().tolist().count(JOKER)  # some may be known to lie at the bottom of a stock
            assert 0 <= unseen - len(position.hidden(seat)) <= jokers
        if position.ply > 60:
            break


@every_variant
def test_sentences_name_only_what_their_reader_sees(variant: Variant) -> None:
    tell = variant.game.notation.tell
    names = [f"Seat {k + 1}" for k in range(variant.players)]
    for position, move in plies(variant, "told", "random"):
        if not sampled(position.ply):
            continue
        after = position.copy()
        after.push(move)
        label = variant.game.notation.label(position.state, move.number)
        assert label
        for viewer in range(variant.players + 1):
            lines = tell(position.state, move.number, after.state, names, viewer - 1)
            assert lines
            assert all(lines)
            named = {_CARD_IN_WORDS[w] for line in lines for w in _CARD_PATTERN.findall(line)}
            public = seen(position.view(viewer)) + seen(after.view(viewer))
            assert {TEXT[c] for c in named} <= set(public) | cards_in(move), (lines, move)


def cards_in(move: str) -> set[str]:
    return {move[k : k + 2] for k in range(len(move)) if move[k : k + 2] in TEXT}


@pytest.mark.parametrize("variant", VARIANTS + MATCHES, ids=name_of)
@pytest.mark.parametrize("picker", ["random", "greedy"])
def test_records_replay_to_the_same_end(variant: Variant, picker: str) -> None:
    best_of = 1 if variant.game.finished else 3
    variant = to_points(variant, 30)
    match = play_out(Match(variant, f"record {picker}", best_of), [picker] * variant.players)
    seats = [records.Seat(f"{picker} {k}", picker) for k in range(1, variant.players + 1)]
    written = records.record_of(match, seats)
    read = records.read(written.to_json())
    assert read == written
    assert records.check(read) == sum(len(p.history) for p in match.positions)
    assert records.check(records.read(records.trace(read).to_json())) > 0
    for position, again in zip(match.positions, records.positions_of(read, match.seed), strict=True):
        assert position == again
        assert position.scores == again.scores


@settings(max_examples=30, deadline=None)
@given(variant=variants, seed=seeds, stop=st.integers(0, 60), words=st.text(max_size=12))
def test_no_text_brings_a_position_down(variant: Variant, seed: int, stop: int, words: str) -> None:
    for position, move in plies(variant, seed, "random"):  # noqa: B007 - the last one is used
        if position.ply == stop:
            break
    for text in (words, str(move) + words, words + str(move), str(move)[:-1], str(move).upper()):
        try:
            assert position.verify(text) in list(position.moves)
        except MoveError as error:
            assert error.reason
            assert error.clause


@every_variant
def test_the_same_seed_gives_the_same_deal_and_another_seed_another(variant: Variant) -> None:
    one, two = played(variant, 5, "random"), played(variant, 5, "random")
    assert one == two
    assert one.history == two.history
    assert played(variant, 6, "random").history != one.history


@every_variant
def test_taking_back_gives_the_position_as_it_was(variant: Variant) -> None:
    kept = []
    for position, _move in plies(variant, "back", "random"):
        kept.append(position.to_bytes())
        if len(kept) > 40:
            break
    for ply in range(0, len(kept), 5):
        assert position.at(ply).to_bytes() == kept[ply]
