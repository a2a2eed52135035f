"""The API for programs: described as it is, and enough to play by."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

import kartoteka
from kartoteka import players
from kartoteka.server.html import drawing
from kartoteka.server.table import messages as msg
from kartoteka.server.web import api
from kartoteka.server.web.openapi import document
from tests.server.house import House, told
from tests.server.sitting import HIDDEN, OPEN
from tests.waits import HANGS

EXAMPLE = Path(kartoteka.__file__).parents[2] / "examples" / "play_by_api.py"


def test_the_description_holds_together(house: House) -> None:
    described = house.http.get("/api/openapi.json").json()
    assert described["openapi"] == "3.1.0"
    text = msgspec.json.encode(described).decode()
    names = set(re.findall(r'"#/components/schemas/([^"]+)"', text))
    assert names <= set(described["components"]["schemas"])
    assert "#/components" in text
    assert not re.findall(r'"\$ref":"(?!#/components/schemas/)', text)
    for path, methods in described["paths"].items():
        for operation in methods.values():
            told_of = {p["name"] for p in operation["parameters"] if p["in"] == "path"}
            assert told_of == set(re.findall(r"{(\w+)}", path))
            assert operation["summary"]
            assert "default" in operation["responses"]
    page = house.http.get("/api").text
    assert all(path in page for path in described["paths"])


def test_every_answer_is_as_it_is_described(house: House) -> None:
    code, seated = house.table(HIDDEN)
    described = {(e.method, e.path): e for e in api.ENDPOINTS}
    asked: dict[tuple[str, str], Any] = {
        ("GET", "/api/games"): None,
        ("POST", "/api/tables"): {"game": OPEN, "computers": {"2": "greedy"}},
        ("POST", "/api/tables/{code}/seats"): {"name": "X"},
        ("GET", "/api/tables/{code}"): None,
        ("POST", "/api/tables/{code}/messages"): msg.Say("1", "hello"),
    }
    assert set(asked) | {("GET", "/api/tables/{code}/events")} == set(described)
    for (method, path), body in asked.items():
        who = house.visitor() if path.endswith("seats") else seated[0]
        empty, _people = house.table(OPEN) if path.endswith("seats") else (code, seated)
        if path.endswith("seats"):
            assert isinstance(seated[0].ask(empty, msg.Leave()), msg.Refused)
            assert isinstance(_people[1].ask(empty, msg.Leave()), msg.Done)
        answer = who.api(method, path.removeprefix("/api").replace("{code}", empty), body)
        assert answer.status_code == described[method, path].good, answer.text
        assert answer.headers["content-type"] == "application/json"
        read = msgspec.json.decode(answer.content, type=described[method, path].answers)
        assert msgspec.json.decode(msgspec.json.encode(read)) == answer.json()


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/tables", {}), ("/tables", {"game": "whist"}), ("/tables", {"game": OPEN, "players": 77}),
        ("/tables", {"game": OPEN, "options": {"x": 1}}), ("/tables", {"game": OPEN, "best_of": 0}),
        ("/tables", {"game": OPEN, "computers": {"1": "greedy"}}), ("/tables", {"game": OPEN, "surplus": 1}),
        ("/tables", {"game": OPEN, "computers": {"2": "hal"}}), ("/tables", b"{"), ("/tables", b"[]"),
        ("/tables/{}/seats", {"seat": "x"}), ("/tables/{}/messages", {"type": "hello"}),
        ("/tables/{}/messages", {"type": "look", "ply": 0}), ("/tables/{}/messages", {}),
    ],
)  # fmt: skip
def test_a_wrong_body_is_refused_in_a_sentence(house: House, path: str, body: Any) -> None:
    code, seated = house.table(OPEN)
    answer = seated[0].api("POST", path.format(code), body)
    assert answer.status_code == 400
    refused = told(answer.content)
    assert isinstance(refused, msg.Refused)
    assert refused.reason.endswith((".", "?"))


def test_a_stream_goes_on_from_where_it_was(house: House) -> None:
    code, seated = house.table(OPEN)
    with house.line(seated[0], code), house.line(seated[1], code):
        house.begin(code, seated)
        table = house.room(code).table
        before = table.number
        assert table.match
        mover, other = seated[table.turn - 1], seated[2 - table.turn]
        path, headers = f"/api/tables/{code}/events?after={before}", {"Authorization": f"Bearer {other.word}"}
        with house.http.stream("GET", path, headers=headers) as stream:
            assert stream.headers["content-type"].startswith("application/x-ndjson")
            lines = stream.iter_lines()
            first = told(next(lines))
            mover.play(code, before, str(players.move_of(table.match, "greedy")))
            second = told(next(line for line in lines if line))
        assert isinstance(first, msg.Told)
        assert isinstance(second, msg.Told)
        assert (first.sheet.number, first.news) == (before, ())
        assert second.sheet.number == before + 1
        assert second.news == (second.sheet.log[-1].text,)
        assert second.sheet.choices
        with house.http.stream("GET", path, headers=headers) as stream:
            again = told(next(stream.iter_lines()))
    assert isinstance(again, msg.Told)
    assert (again.sheet, again.news) == (second.sheet, second.news)


@pytest.mark.parametrize("how", ["deleted", "put away"])
def test_the_stream_of_a_table_that_is_gone_ends(house: House, how: str) -> None:
    host = house.visitor()
    code = host.api("POST", "/tables", {"game": OPEN}).json()["code"]
    room = house.room(code)
    with house.http.stream("GET", f"/api/tables/{code}/events") as answer:
        lines = answer.iter_lines()
        assert isinstance(told(next(lines)), msg.Told)
        if how == "deleted":
            assert host.post(f"/t/{code}/delete").status_code == 303
        else:
            house.do(room.close())
        assert not [line for line in lines if line]
    assert room.closed
    assert not room.listeners


def test_a_socket_says_who_has_everything_already(house: House) -> None:
    code, seated = house.table(OPEN)
    with house.line(seated[0], code), house.line(seated[1], code):
        house.begin(code, seated)
        number = house.room(code).table.number
        with house.line(seated[0], code) as line:
            line.say(msg.Hello(number))
            assert line.answer() == msg.Current(number)
            line.say(msg.Hello(number + 50))
            assert isinstance(line.hear(), msg.Told)


def test_the_description_knows_the_prefix(house: House) -> None:
    token = drawing.prefix.set("/cards")
    try:
        assert document(api.ENDPOINTS)["servers"] == [{"url": "/cards"}]
    finally:
        drawing.prefix.reset(token)
    assert house.http.get("/api/openapi.json").json()["servers"] == [{"url": "/"}]


def test_the_example_plays_a_whole_game_against_a_person(house: House) -> None:
    process = subprocess.Popen(
        [sys.executable, str(EXAMPLE), house.site, OPEN], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    assert process.stdout
    person, said = house.visitor(), process.stdout.readline()
    found = re.search(r"[2-9A-Z]{4}-[2-9A-Z]{4}", said)
    assert found, said + (process.communicate()[0])
    code = found[0]
    assert person.api("POST", f"/tables/{code}/seats", {"name": "Vera"}).status_code == 201
    with house.line(person, code) as line:
        sheet = person.see(code).sheet
        while not sheet.record:
            if sheet.phase == "sealing" and sheet.seal and sheet.seat not in dict(sheet.seal.nonces):
                line.say(msg.AddNonce(sheet.seal.commitment, "ab" * 16))
            elif sheet.choices:
                line.say(msg.Play(f"n{sheet.number}", sheet.number, sheet.choices[0].move))
            heard = line.until(sheet.number + 1)
            assert isinstance(heard, msg.Told)
            sheet = heard.sheet
    out, _errors = process.communicate(timeout=HANGS)
    assert process.returncode == 0, out
    assert "Traceback" not in out
