"""Records: what they say must be so, down to the place where it is not."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kartoteka.engine import record as records
from kartoteka.engine.errors import RecordError
from kartoteka.engine.match import Match
from kartoteka.engine.variant import Variant
from kartoteka.players import move_of, play_out
from tests.cases import DEFAULTS, name_of, to_points


def _document(variant: Variant, seed: object = "document") -> dict[str, Any]:
    variant = to_points(variant, 20)
    match = play_out(Match(variant, seed, 1 if variant.game.finished else 2), ["random"] * variant.players)
    seats = [records.Seat(f"Ann {k}", "random") for k in range(variant.players)]
    loaded: dict[str, Any] = json.loads(records.trace(records.record_of(match, seats)).to_json())
    return loaded


DOCUMENTS = {name_of(v): _document(v) for v in DEFAULTS}


def _set(*path: object, to: Callable[[Any], Any]) -> Callable[[dict[str, Any]], None]:
    def change(document: dict[str, Any]) -> None:
        at: Any = document
        for step in path[:-1]:
            at = at[step]
        at[path[-1]] = to(at[path[-1]])

    return change


FAULTS: dict[str, tuple[Callable[[dict[str, Any]], None], str | tuple[str, ...]]] = {
    "another version": (_set("format", to=lambda _v: "kartoteka/9"), "format"),
    "unknown game": (_set("game", to=lambda _v: "bridge"), "game"),
    "a game's other name": (_set("game", to=str.upper), "game"),
    "unknown option": (_set("options", to=lambda o: {**o, "wind": "east"}), "options"),
    "wrong value": (_set("options", to=lambda o: dict.fromkeys(o, "?")), "options"),
    "a value of another type": (_set("options", to=lambda o: dict.fromkeys(o, 1.5)), "options"),
    "missing option": (_set("options", to=lambda o: dict(list(o.items())[1:])), "options"),
    "too many seats": (_set("seats", to=lambda s: s * 20), "seats"),
    "a seat without a name": (_set("seats", 0, to=lambda _s: {"kind": "human"}), "seats[0]"),
    "no deals": (_set("deals", to=lambda _d: []), "deals"),
    "an impossible dealer": (_set("deals", 0, "dealer", to=lambda _d: 99), "deals[0].dealer"),
    "more nonces than seats": (
        _set("deals", 0, to=lambda d: {**d, "seal": {"commitment": "", "nonces": [[1, ""]] * 20, "lot": False}}),
        "deals[0].seal.nonces",
    ),
    "a malformed move": (_set("deals", 0, "moves", 3, to=lambda _m: "xyzzy"), "deals[0].moves[3]"),
    "a move left out": (_set("deals", 0, "moves", to=lambda m: m[:1] + m[2:]), "deals[0].turns"),
    "a wrong turn": (_set("deals", 0, "turns", 2, to=lambda t: t + 1), "deals[0].turns[2]"),
    "a wrong legal list": (_set("deals", 0, "legal", 1, to=lambda m: [*m, "pass!"]), "deals[0].legal[1]"),
    "a wrong score": (_set("deals", 0, "scores", 0, to=lambda s: s + 1), "deals[0].scores"),
    "a score too few": (_set("deals", 0, "scores", to=lambda s: s[1:]), "deals[0].scores"),
    "wrong totals": (_set("result", "totals", 0, to=lambda s: s + 1), "result.totals"),
    "wrong winners": (_set("result", "winners", to=lambda w: [*w, 99]), "result.winners"),
    "a shuffle too many": (_set("deals", 0, "shuffles", to=lambda s: [*s, ["2c"]]), "deals[0].shuffles"),
    "an extra deal": (_set("deals", to=lambda d: [*d, d[-1]]), ("deals[", "result.")),
    "an extra key": (_set("deals", 0, to=lambda d: {**d, "note": ""}), "deals[0]"),
    "half a seal": (_set("deals", 0, to=lambda d: {**d, "seal": {"commitment": ""}}), "deals[0].seal"),
    "a seal with an extra key": (
        _set("deals", 0, to=lambda d: {**d, "seal": {"commitment": "", "nonces": [], "lot": True, "note": ""}}),
        "deals[0].seal",
    ),
    "a number for a text": (_set("deals", 0, "moves", 0, to=lambda _m: 7), "deals[0].moves[0]"),
}


@pytest.mark.parametrize("name", DOCUMENTS)
@pytest.mark.parametrize("fault", FAULTS)
def test_a_faulty_record_is_refused_with_the_place(name: str, fault: str) -> None:
    document = copy.deepcopy(DOCUMENTS[name])
    change, place = FAULTS[fault]
    change(document)
    with pytest.raises(RecordError) as refused:
        records.check(records.read(json.dumps(document)))
    assert refused.value.place.startswith(place), str(refused.value)
    assert str(refused.value)


@pytest.mark.parametrize("name", [n for n, d in DOCUMENTS.items() if d["deals"][0]["deck"]])
@pytest.mark.parametrize("fault", ["duplicated", "short", "long", "unknown", "unseen"])
def test_an_impossible_deck_is_refused(name: str, fault: str) -> None:
    document = copy.deepcopy(DOCUMENTS[name])
    deck: list[str] = document["deals"][0]["deck"]
    match fault:
        case "duplicated":
            deck[3] = next(card for card in deck if card != deck[3])
        case "short":
            deck.pop()
        case "long":
            deck.append(deck[0])
        case "unknown":
            deck[5] = "Zz"
        case "unseen":
            deck[5] = "??"
    with pytest.raises(RecordError) as refused:
        records.check(records.read(json.dumps(document)))
    assert refused.value.place == "deals[0].deck"


@pytest.mark.parametrize("name", DOCUMENTS)
def test_an_illegal_move_is_refused_with_its_clause(name: str) -> None:
    document = copy.deepcopy(DOCUMENTS[name])
    deal = document["deals"][0]
    everything = {m for legal in deal["legal"] for m in legal}
    deal["moves"][0] = next(m for m in sorted(everything) if m not in deal["legal"][0])
    del deal["turns"], deal["legal"]
    with pytest.raises(RecordError) as refused:
        records.check(records.read(json.dumps(document)))
    assert refused.value.place == "deals[0].moves[0]"
    assert refused.value.clause
    assert refused.value.clause in str(refused.value)


@pytest.mark.parametrize("name", [n for n, d in DOCUMENTS.items() if len(d["deals"]) > 1])
def test_the_deal_passes_as_the_game_says(name: str) -> None:
    document = copy.deepcopy(DOCUMENTS[name])
    variant = records.variant_of(records.read(json.dumps(document)))
    deal = document["deals"][1]
    deal["dealer"] = deal["dealer"] % variant.players + 1
    if variant.game.next_dealer or variant.game.fixed_dealer:
        with pytest.raises(RecordError) as refused:
            records.check(records.read(json.dumps(document)))
        assert refused.value.place == "deals[1].dealer"


@pytest.mark.parametrize("variant", DEFAULTS, ids=name_of)
def test_a_match_may_be_left_at_any_deal_and_taken_up(variant: Variant) -> None:
    variant = to_points(variant, 60)
    match = Match(variant, "left", 1 if variant.game.finished else 5)
    seats = [records.Seat("Ann", "greedy") for _seat in range(variant.players)]
    kinds = ["greedy"] * variant.players
    while not match.over:
        if match.position.over:
            match.next_deal()
        for _move in range(25):
            if not match.position.over:
                match.position.push(move_of(match, kinds[match.position.turn - 1]))
        read = records.read(records.record_of(match, seats).to_json())
        assert records.positions_of(read, match.seed) == match.positions
    wins = [match.positions[k].outcome for k in range(len(match.positions))]
    assert match.winners is not None
    if not variant.game.finished and match.winners:
        needed = [o for o in wins if o and o.winners == match.winners]
        assert len(needed) == 3 or len(match.positions) == 5


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_record_prints_and_parses_back(name: str) -> None:
    whole = records.read(json.dumps(DOCUMENTS[name]))
    bare = records.read(record_without_trace(DOCUMENTS[name]))
    for one in (whole, bare):
        assert eval(repr(one), vars(records)) == one
        assert records.read(one.to_json()) == one
    assert records.trace(bare) == whole


def record_without_trace(document: dict[str, Any]) -> str:
    deals = [{k: v for k, v in deal.items() if k not in ("turns", "legal")} for deal in document["deals"]]
    return json.dumps({**document, "deals": deals})


@pytest.mark.parametrize("name", DOCUMENTS)
def test_an_unfinished_record_is_a_record(name: str) -> None:
    document = copy.deepcopy(DOCUMENTS[name])
    document["deals"] = document["deals"][:1]
    deal = document["deals"][0]
    for column in ("moves", "turns", "legal"):
        deal[column] = deal[column][:5]
    deal["shuffles"] = []
    deal["scores"] = [0] * len(document["seats"])
    document["result"] = {"totals": deal["scores"], "winners": []}
    assert records.check(records.read(json.dumps(document))) == 5


@pytest.mark.parametrize("name", DOCUMENTS)
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_a_damaged_document_is_refused_or_read_never_a_crash(name: str, data: st.DataObject) -> None:
    raw = json.dumps(DOCUMENTS[name]).encode()
    cut = data.draw(st.integers(0, len(raw)))
    junk = data.draw(st.binary(max_size=8))
    skip = data.draw(st.integers(0, 8))
    try:
        records.check(records.read(raw[:cut] + junk + raw[cut + skip :]))
    except RecordError as error:
        assert str(error)


def test_a_mark_before_utf_8_is_skipped() -> None:
    text = json.dumps(next(iter(DOCUMENTS.values())))
    assert records.read(text.encode("utf-8-sig")) == records.read("\ufeff" + text) == records.read(text)
    assert records.read(("\n " + text).encode("utf-8-sig")) == records.read(text)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be"])
def test_another_encoding_is_named_in_the_refusal(encoding: str) -> None:
    data = json.dumps(next(iter(DOCUMENTS.values()))).encode(encoding)
    with pytest.raises(RecordError, match=f"this file is {encoding[:6].upper()}; save it as UTF-8"):
        records.read(data)


@pytest.mark.parametrize(
    "text", ["", "[", "null", "[]", "3", '"kartoteka/1"', "{}", '{"format": [1]}', "[" * 100_000]
)
def test_what_is_no_record_is_refused(text: str) -> None:
    with pytest.raises(RecordError):
        records.read(text)
