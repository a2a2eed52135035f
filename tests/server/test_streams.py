"""Streams count as sockets, and nobody is woken, told or drawn anything for whom nothing has changed."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from websockets.exceptions import InvalidStatus

from kartoteka.engine.position import Position
from kartoteka.server.html import drawing
from kartoteka.server.table import messages as msg
from kartoteka.server.web import limits
from tests.server.house import House, Visitor
from tests.server.sitting import OPEN


@contextlib.contextmanager
def stream(visitor: Visitor, code: str) -> Iterator[Iterator[str]]:
    """Open a stream; what it yields are its lines, of which the first was read."""
    headers = {"Authorization": f"Bearer {visitor.word}"}
    with visitor.house.http.stream("GET", f"/api/tables/{code}/events", headers=headers) as answer:
        assert answer.status_code == 200
        lines = answer.iter_lines()
        next(lines)
        yield lines


def until(house: House, seated: int) -> None:
    """Wait until so many sockets and streams are counted."""
    assert isinstance(house.door, Starlette)
    counts: Counter[str] = house.door.state.sockets

    async def all_() -> int:
        return counts.total()

    while house.do(all_()) != seated:
        pass


def test_streams_and_sockets_of_an_address_have_one_limit_and_are_refused_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "SOCKETS", 3)
    with House(tmp_path, limits=True) as house:
        code, seated = house.table(OPEN)
        with house.line(seated[0], code), stream(seated[0], code), stream(seated[1], code):
            refused = house.visitor().api("GET", f"/tables/{code}/events")
            assert refused.status_code == 429
            assert refused.headers["retry-after"]
            assert refused.json()["reason"].startswith("So many tables are open")
            with pytest.raises(InvalidStatus) as closed:
                seated[1].connect(code)
            assert closed.value.response.status_code == 429
            assert closed.value.response.headers["retry-after"]
        until(house, 0)
        with stream(seated[0], code):
            pass
        until(house, 0)


def test_who_looks_on_comes_and_goes_without_waking_anyone(house: House) -> None:
    code, seated = house.table(OPEN)
    room = house.room(code)

    async def version() -> int:
        return room.version

    with house.line(seated[0], code), house.line(seated[1], code):
        house.begin(code, seated)
        before, number = house.do(version()), room.table.number
        for _k in range(3):
            with stream(house.visitor(), code), house.line(house.visitor(), code), stream(seated[0], code):
                pass
        assert house.do(version()) == before
        assert room.table.number == number
    while house.do(version()) < before + 2:  # but the players' going is told
        pass


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Every sheet that was drawn."""
    draws, regions = [], drawing.regions

    def counted(sheet: Any, *more: Any) -> dict[str, str]:
        draws.append(sheet)
        return regions(sheet, *more)

    monkeypatch.setattr(drawing, "regions", counted)
    return draws


@pytest.mark.parametrize("per_move", [0, 600])
def test_a_wake_without_news_sends_and_draws_nothing_clock_or_no_clock(
    house: House, drawn: list[Any], per_move: int
) -> None:
    code, seated = house.table(OPEN, per_move=per_move)
    with house.line(seated[0], code), house.line(seated[1], code):
        house.begin(code, seated)
        room = house.room(code)

        async def wake() -> None:
            room._tell()

        with house.line(house.visitor(), code, page=True) as line:
            draws = len(drawn)
            for _k in range(3):
                house.do(wake())
                line.say(msg.Look(0))
                assert isinstance(line.hear(), msg.Past)
            with house.line(house.visitor(), code, page=True):
                pass
            assert len(drawn) == draws


def test_the_time_that_is_left_is_told_as_of_now(house: House) -> None:
    code, seated = house.table(OPEN, per_move=600)
    with house.line(seated[0], code), house.line(seated[1], code):
        house.begin(code, seated)
        before = seated[0].see(code).sheet.deadline
        house.room(code).table.turned -= 60
        assert 0 < seated[0].see(code).sheet.deadline <= before - 60_000
        with house.line(house.visitor(), code, page=True) as line:
            assert isinstance(line.latest, msg.Page)
            assert 0 < line.latest.deadline <= before - 60_000


def test_those_who_look_back_at_the_same_share_one_view(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    asked, at = [], Position.at

    def counted(position: Position, ply: int) -> Position:
        asked.append(ply)
        return at(position, ply)

    code, seated = house.table(OPEN)
    with house.line(seated[0], code), house.line(seated[1], code):
        house.begin(code, seated)
        monkeypatch.setattr(Position, "at", counted)
        for page in (False, True, False):
            with house.line(house.visitor(), code, page=page) as line:
                line.say(msg.Look(0))
                assert isinstance(line.answer(), msg.Past)
        assert asked == [0]
