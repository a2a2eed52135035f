"""Records that are sent in: what would cost much at each view is refused at the door, with its place."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from typing import Any

import httpx2
import pytest

from kartoteka.engine import record as records
from kartoteka.engine import registry
from kartoteka.engine.match import Match
from kartoteka.engine.variant import Variant
from kartoteka.engine.verifying import verify_shuffles
from kartoteka.players import play_out
from kartoteka.server.web import replays
from kartoteka.server.web.limits import Limit
from tests.server.house import House
from tests.server.sitting import HIDDEN
from tests.waits import HANGS

HUGE = "x" * 300_000
A_SEAL = {"commitment": "0" * 64, "nonces": [], "lot": False}


@pytest.fixture
def record() -> dict[str, Any]:
    """A good record."""
    game = registry.find(HIDDEN)
    match = play_out(Match(Variant(game, 2, game.settle({})), "uploads"), ["greedy", "greedy"])
    found: dict[str, Any] = json.loads(records.record_of(match, [records.Seat("A", "human")] * 2).to_json())
    return found


def sealed(**with_: Any) -> Callable[[dict[str, Any]], None]:
    return lambda r: r["deals"][0].update(seal={**A_SEAL, **with_})


LONG: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "a name": (lambda r: r["seats"][0].update(name=HUGE), "seats[0].name"),
    "a kind": (lambda r: r["seats"][1].update(kind="x" * 101), "seats[1].kind"),
    "a game": (lambda r: r.update(game=HUGE), "game"),
    "a commitment": (sealed(commitment=HUGE), "deals[0].seal.commitment"),
    "a secret": (sealed(secret=HUGE), "deals[0].seal.secret"),
    "a nonce": (sealed(nonces=[[1, "0" * 32], [2, HUGE]]), "deals[0].seal.nonces[1][1]"),
    "many nonces": (sealed(nonces=[[k, "0" * 32] for k in range(1, 4000)]), "deals[0].seal.nonces"),
    "many deals": (lambda r: r.update(deals=[{**r["deals"][0], "deck": [], "moves": []}] * 201), "deals"),
    "many moves": (lambda r: r["deals"][0].update(moves=["x"] * 20_001), "deals"),
    "a move": (lambda r: r["deals"][0]["moves"].__setitem__(0, HUGE), "deals[0].moves[0]"),
    "a card": (lambda r: r["deals"][0]["deck"].__setitem__(0, HUGE), "deals[0].deck"),
    "an option": (lambda r: r["options"].update({HUGE: "x"}), "options"),
}


@pytest.mark.parametrize("what", LONG)
def test_what_is_too_long_is_refused_with_its_place_and_not_quoted_at_length(
    house: House, record: dict[str, Any], what: str
) -> None:
    lengthen, place = LONG[what]
    lengthen(record)
    answer = house.visitor().post("/replays", data={"text": json.dumps(record)})
    assert answer.status_code == 400
    assert place in answer.text
    assert len(answer.text) < 20_000


def test_what_is_just_not_too_long_is_kept(house: House, record: dict[str, Any]) -> None:
    record["seats"][0]["name"] = "x" * replays.LETTERS
    record["deals"][0]["seal"] = {**A_SEAL, "nonces": [[1, "0" * 32], [2, "1" * 32]]}
    answer = house.visitor().post("/replays", data={"text": json.dumps(record)})
    assert answer.status_code == 303
    assert house.http.get(answer.headers["location"]).status_code == 200


def test_verifying_holds_nobody_up(house: House, record: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    begun, go_on = threading.Event(), threading.Event()

    def slow(record: records.Record) -> Any:
        begun.set()
        assert go_on.wait(HANGS)
        return verify_shuffles(record)

    monkeypatch.setattr(replays, "verify_shuffles", slow)
    at = house.visitor().post("/replays", data={"text": json.dumps(record)}).headers["location"]
    answers: list[httpx2.Response] = []
    asking = threading.Thread(target=lambda: answers.append(house.visitor().post(at)))
    asking.start()
    try:
        assert begun.wait(HANGS)
        assert house.visitor().get("/alive").text == "alive\n"
    finally:
        go_on.set()
        asking.join(HANGS)
    assert answers[0].status_code == 200


def test_verifying_is_counted(house: House, record: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    at = house.visitor().post("/replays", data={"text": json.dumps(record)}).headers["location"]
    monkeypatch.setitem(vars(house.limits), "verdicts", Limit(1e-9, 2))
    monkeypatch.setitem(vars(house.settings), "limits", True)
    answers = [house.visitor().post(at).status_code for _k in range(3)]
    assert answers == [200, 200, 429]
    assert house.visitor().get(at).status_code == 200


def test_a_list_of_replays_reads_their_heads_alone(record: dict[str, Any]) -> None:
    record["deals"] = {"these": "are not looked at"}
    head = records.read_head(json.dumps(record))
    assert (head.game, [seat.name for seat in head.seats]) == (HIDDEN, ["A", "A"])
