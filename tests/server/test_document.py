"""The OpenAPI document says what is really taken and answered: Schemathesis plays through it, and finds no fault."""

from __future__ import annotations

import contextlib
import re
from collections import Counter
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis.errors import FlakyStrategyDefinition
from schemathesis.core.failures import FailureGroup

from kartoteka import players
from kartoteka.engine import registry
from kartoteka.engine.declare import Game
from kartoteka.server.table import messages as msg
from kartoteka.server.visitors import new_code
from tests.server.house import House
from tests.server.sitting import HIDDEN

WORDS = [f"{k:032x}" for k in (1, 2)]
"""Two programs, of whom the second only takes seats."""


def described(house: House) -> dict[str, Any]:
    document: dict[str, Any] = house.http.get("/api/openapi.json").json()
    return document


def operations(document: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the operations by their names."""
    return {o["operationId"]: o for path in document["paths"].values() for o in path.values()}


def alone(document: dict[str, Any]) -> dict[str, Any]:
    """Leave out links whose bodies depend on how far the computers are: Hypothesis could not repeat them."""
    for operation in operations(document).values():
        for response in operation["responses"].values():
            links = response.get("links", {})
            response["links"] = {name: link for name, link in links.items() if "requestBody" not in link}
    return document


def test_schemathesis_plays_through_the_document_without_a_fault(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kartoteka.server.table.due.NONCE_WAIT", 0.0)  # programs of one request are never quite there
    # A stream never ends, so that whoever reads its answer whole would wait for ever; test_api.py reads streams.
    schema = schemathesis.openapi.from_dict(alone(described(house))).exclude(operation_id="followTable")
    machine: Any = schema.as_state_machine()
    seen: Counter[tuple[str, str, int]] = Counter()
    faults: list[str] = []

    class Program(machine):  # type: ignore[misc]
        calls = 0

        def before_call(self, case: Any) -> None:
            """Let every other table be full, so that it is played at."""
            self.calls += 1
            wanted = case.body if isinstance(case.body, dict) else {}
            game = registry.games().get(str(wanted.get("game")))
            if game and case.meta.generation.mode.is_positive and self.calls % 2:
                number = wanted.get("players") or game.usual
                case.body = {**wanted, "computers": {str(k): "greedy" for k in range(2, int(number) + 1)}}

        def get_call_kwargs(self, case: Any) -> dict[str, Any]:
            other = case.operation.path.endswith("/seats") and self.calls % 2
            return {"base_url": house.site, "headers": {"Authorization": f"Bearer {WORDS[bool(other)]}"}}

        def after_call(self, response: Any, case: Any) -> None:
            wanted = case.body if isinstance(case.body, dict) else {}
            name = case.operation.definition.raw["operationId"]
            seen[name, str(wanted.get("type", ""))[:20], response.status_code] += 1

        def validate_response(self, response: Any, case: Any, **more: Any) -> None:
            try:
                super().validate_response(response, case, **more)
            except FailureGroup as group:
                faults.extend(f"{fault}\n{case.as_curl_command()}" for fault in group.exceptions)

    plan = settings(
        max_examples=8, stateful_step_count=14, deadline=None, database=None, phases=(Phase.generate,),
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    for k in range(4):
        with contextlib.suppress(FlakyStrategyDefinition):  # a table's shuffles and clocks are not Hypothesis's
            seed(k)(Program).run(settings=plan)
    assert not faults, "\n\n".join(faults)
    for done in (
        ("openTable", "", 201), ("openTable", "", 400), ("takeSeat", "", 201), ("takeSeat", "", 409),
        ("seeTable", "", 200),
    ):  # fmt: skip
        assert seen[done], (done, seen)
    assert sum(number for (name, _type, _status), number in seen.items() if name == "sayToTable") > 20


def linked(value: Any, answer: Any) -> Any:
    """Return what a link hands on from an answer: expressions such as ``$response.body#/sheet/code`` filled in."""
    if isinstance(value, dict):
        return {key: linked(item, answer) for key, item in value.items()}
    if not isinstance(value, str):
        return value
    if value.startswith("$response.body#/"):
        for key in value.removeprefix("$response.body#/").split("/"):
            answer = answer[int(key) if isinstance(answer, list) else key]
        return answer
    return re.sub(r"{(.*?)}", lambda inner: str(linked(inner[1], answer)), value)


def test_a_game_is_played_by_following_the_links_alone(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kartoteka.server.table.due.NONCE_WAIT", 0.0)
    document = described(house)
    at = {o["operationId"]: (m, p) for p, methods in document["paths"].items() for m, o in methods.items()}
    known, program = operations(document), house.visitor()

    def follow(name: str, status: int, link: str, answer: Any) -> Any:
        """Return the answer to what a link of an operation's answer leads to."""
        wanted = known[name]["responses"][str(status)]["links"][link]
        method, path = at[wanted["operationId"]]
        path = path.format(**linked(wanted["parameters"], answer)).removeprefix("/api")
        done = program.api(method.upper(), path, linked(wanted.get("requestBody"), answer))
        assert done.status_code == 200, done.text
        return done.json()

    computers = {"2": "greedy"}
    opened = program.api("POST", "/tables", {"game": HIDDEN, "players": 2, "computers": computers}).json()
    room, moves = house.room(opened["code"]), 0
    follow("seeTable", 200, "begin", follow("openTable", 201, "see", opened))
    while moves < 10:
        seen = follow("openTable", 201, "see", opened)
        if seen["sheet"]["phase"] == "sealing":
            assert seen["sheet"]["seal"]["commitment"]
        if seen["sheet"].get("choices"):
            moves += follow("seeTable", 200, "move", seen)["number"] > 0
    assert room.table.position
    assert room.table.position.ply > 10


@pytest.mark.parametrize("game", registry.games().values(), ids=list(registry.games()))
def test_every_table_that_the_document_allows_can_be_opened_and_no_other(house: House, game: Game) -> None:
    document = described(house)
    schema = document["components"]["schemas"][f"NewTable-{game.name}"]
    visitor = house.visitor()

    def status(**wanted: Any) -> int:
        return visitor.api("POST", "/tables", {"game": game.name, **wanted}).status_code

    properties = schema["properties"]
    assert properties["game"] == {"const": game.name}
    for option in game.options:
        values = properties["options"]["properties"][option.name]
        forms = values.get("anyOf", [values])
        named = [value for form in forms for value in form.get("enum", [])]
        ranges = [(form["minimum"], form["maximum"]) for form in forms if "minimum" in form]
        taken = named + [end for low, high in ranges for end in (low, high, low + 1, float(high))]
        for value in taken:
            assert status(options={option.name: value}) == 201, (option.name, value)
        for value in [end for low, high in ranges for end in (low - 1, high + 1)] + ["nonsense", None, 1.5, [1], {}]:
            assert status(options={option.name: value}) == 400, (option.name, value)
        assert option.clause in values["description"]
    assert status(options={"nonsense": 1}) == 400
    for number in (*range(max(game.players) + 2), None):
        allowed = number in properties["players"]["enum"]
        assert status(players=number) == (201 if allowed else 400), number
        branches = [b for b in schema["anyOf"] if number in b["properties"]["players"].get("enum", [number])]
        if allowed and number:
            [branch] = [b for b in branches if b["properties"]["players"].get("const", number) == number]
            seats = branch["properties"]["computers"]["properties"]
            for seat in range(max(game.players) + 2):
                wanted = {"players": number, "computers": {str(seat): "random"}}
                assert status(**wanted) == (201 if str(seat) in seats else 400), wanted
    assert status(computers={"2": "nobody"}) == 400
    assert status(best_of=3) == (400 if properties["best_of"] == {"const": 1} else 201)
    assert status(surplus=1) == 400


def test_the_examples_and_links_of_the_document_can_be_followed(house: House) -> None:
    document = described(house)
    known = operations(document)
    seated = house.visitor()
    opened = seated.api(
        "POST", "/tables", known["openTable"]["requestBody"]["content"]["application/json"]["example"]
    )
    assert opened.status_code == 201
    for name, operation in known.items():
        body = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
        assert bool(body.get("example")) == bool(body), name
        for response in operation["responses"].values():
            for link in response.get("links", {}).values():
                wanted = {p["name"] for p in known[link["operationId"]]["parameters"] if p["required"]}
                assert set(link["parameters"]) == wanted, name
    code = opened.json()["code"]
    moved = known["sayToTable"]["requestBody"]["content"]["application/json"]["example"]
    assert seated.api("POST", f"/tables/{code}/messages", moved).status_code == 409
    sat = house.visitor().api("POST", f"/tables/{code}/seats", {"seat": 2})
    assert sat.status_code == 201


def test_the_document_names_every_computer_player_and_what_a_code_looks_like(house: House) -> None:
    text = house.http.get("/api/openapi.json").text
    assert all(f'"{kind}"' in text for kind in players.PLAYERS)
    [code] = [p["schema"] for p in operations(described(house))["seeTable"]["parameters"]]
    assert all(re.fullmatch(code["pattern"], new_code()) for _k in range(100))


def test_an_event_that_is_no_number_is_refused(house: House) -> None:
    code, seated = house.table(next(iter(registry.games())))
    for after in ("x", "-1", "1e3", "", "9" * 9, "²"):
        answer = seated[0].api("GET", f"/tables/{code}/events?after={after}")
        assert answer.status_code == 400, after
        assert "no event's number" in answer.json()["reason"]


def test_messages_of_a_socket_are_refused_elsewhere(house: House) -> None:
    code, seated = house.table(next(iter(registry.games())))
    for message in (msg.Hello(), msg.Look(0)):
        assert seated[0].api("POST", f"/tables/{code}/messages", message).status_code == 400
