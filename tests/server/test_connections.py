"""Connections: half a request, half an answer and one too many end in a sentence, and the server is never deaf."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx2
import pytest
from starlette.applications import Starlette
from websockets.exceptions import ConnectionClosed

from kartoteka.server.settings import Settings
from kartoteka.server.table import messages as msg
from kartoteka.server.web import connections, sockets
from kartoteka.server.web.cli import config_of
from kartoteka.server.web.connections import Connections
from kartoteka.server.web.limits import household
from tests.server.house import House
from tests.server.sitting import OPEN
from tests.server.test_kill import Process, serving
from tests.waits import HANGS

pytest.importorskip("resource")

WHOLE = b"GET /alive HTTP/1.1\r\nHost: x\r\n\r\n"
BEGUN = b"GET /alive HTTP/1.1\r\nHost: x\r\nX-Slow: "
BODY = b"POST /api/tables HTTP/1.1\r\nHost: x\r\nContent-Length: 50\r\n\r\n"
UPGRADE = b"GET /t/x/socket HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"


@contextlib.contextmanager
def wire(site: str, said: bytes = b"", holds: int = 0) -> Iterator[socket.socket]:
    """Open a connection, which `holds` so many bytes that nobody reads yet; say so much and no more."""
    at = urlsplit(site)
    with socket.socket() as open_:
        open_.settimeout(HANGS)
        if holds:
            open_.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, holds)
        open_.connect((at.hostname, at.port))
        open_.sendall(said)
        yield open_


def all_of(open_: socket.socket) -> bytes:
    """Read what comes until the server ends the connection."""
    heard = b""
    with contextlib.suppress(ConnectionError):
        while part := open_.recv(65_536):
            heard += part
    return heard


def answer_on(open_: socket.socket) -> bytes:
    """Read one whole answer."""
    heard = b""
    while not heard.endswith(b"alive\n"):
        part = open_.recv(65_536)
        assert part, heard
        heard += part
    return heard


def in_a_sentence(answer: bytes) -> bool:
    head, _gap, body = answer.partition(b"\r\n\r\n")
    return b"Connection: close" in head and body[:1].isupper() and body.endswith(b".\n")


def count_of(house: House) -> Connections:
    assert isinstance(house.door, Starlette)
    found: Connections = house.door.state.connections
    return found


def until(house: House, count: Connections, number: int) -> None:
    """Wait until there are so many connections."""

    async def all_() -> int:
        return count.all

    while house.do(all_()) != number:
        pass


# --- in time -------------------------------------------------------------------------------------------------


@pytest.fixture
def hasty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    """A server that waits for half a second only."""
    monkeypatch.setattr(connections, "HEAD", 0.5)
    monkeypatch.setattr(connections, "BODY", 0.5)
    with House(tmp_path) as house:
        yield house


@pytest.mark.parametrize("half", [BEGUN, BODY, BODY + b"{", UPGRADE, WHOLE + BEGUN, b"\r\n"])
def test_half_a_request_is_answered_that_it_did_not_come_in_time(hasty: House, half: bytes) -> None:
    with wire(hasty.site, half) as open_:
        answer = all_of(open_).removeprefix(b"HTTP/1.1 200 OK")
    assert b"HTTP/1.1 408 Request Timeout" in answer
    assert in_a_sentence(answer[answer.index(b"HTTP/1.1 408") :])
    assert hasty.http.get("/alive").text == "alive\n"


def test_who_says_nothing_at_all_is_let_go_without_a_word(hasty: House) -> None:
    with wire(hasty.site) as open_:
        assert all_of(open_) == b""


def test_a_trickle_of_bytes_buys_no_time(hasty: House) -> None:
    with wire(hasty.site, BEGUN) as open_, contextlib.suppress(ConnectionError):
        open_.settimeout(0.02)
        heard = b""
        while not heard:
            open_.sendall(b"x")
            with contextlib.suppress(TimeoutError):
                heard = open_.recv(65_536)
        assert b"408" in heard


def test_who_is_slow_but_in_time_is_served_again_and_again(house: House) -> None:
    with wire(house.site) as open_:
        for _k in range(3):
            for byte in WHOLE:
                open_.sendall(bytes([byte]))
            assert answer_on(open_).startswith(b"HTTP/1.1 200")


def test_a_stream_outlasts_the_time_for_a_request(hasty: House) -> None:
    code, seated = hasty.table(OPEN)
    headers = {"Authorization": f"Bearer {seated[0].word}"}
    with hasty.http.stream("GET", f"/api/tables/{code}/events", headers=headers) as stream:
        lines = stream.iter_lines()
        next(lines)
        with wire(hasty.site, BEGUN) as open_:
            all_of(open_)  # the time is over
        seated[0].ask(code, msg.Say("1", "still there?"))
        assert any("still there?" in line for line in lines)


def test_headers_without_end_are_refused(house: House) -> None:
    with wire(house.site, BEGUN) as open_, contextlib.suppress(ConnectionError):
        open_.sendall(b"x" * (connections.HEAD_BYTES + 1))
        answer = all_of(open_)
        assert answer.startswith(b"HTTP/1.1 431")
        assert in_a_sentence(answer)


def test_a_socket_that_never_says_hello_is_closed(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sockets, "GREETING", 0.3)
    code, seated = house.table(OPEN)
    with seated[0].connect(code) as silent, pytest.raises(ConnectionClosed) as closed:
        silent.recv(timeout=HANGS)
    assert closed.value.rcvd
    assert closed.value.rcvd.code == 1008
    with seated[0].connect(code) as talking:
        talking.send('{"type":"hello","number":0}')
        talking.recv(timeout=HANGS)
        with pytest.raises(TimeoutError):
            talking.recv(timeout=1)


def test_who_does_not_read_is_cut_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "UNREAD", 0.3)
    with House(tmp_path) as house:
        count = count_of(house)
        house.http.get("/alive", headers={"Connection": "close"})
        with wire(house.site, b"GET /rules HTTP/1.1\r\nHost: x\r\n\r\n" * 600, holds=4096) as open_:
            until(house, count, 1)
            until(house, count, 0)
            assert len(all_of(open_)) < 600 * 13_000


# --- how many ------------------------------------------------------------------------------------------------


def crowded(house: House, **most: int) -> Connections:
    """Let so few connections in."""
    house.http.close()  # it keeps one
    house.http = httpx2.Client(base_url=house.site, timeout=HANGS, headers={"Connection": "close"})
    count = count_of(house)
    for name, number in most.items():
        setattr(count, name, number)
    return count


@pytest.mark.parametrize(("limit", "status"), [("each", b"429"), ("most", b"503")])
def test_a_connection_too_many_is_told_so_and_when_to_try_again(tmp_path: Path, limit: str, status: bytes) -> None:
    with House(tmp_path, limits=True) as house:
        count = crowded(house, **{limit: 3})
        with contextlib.ExitStack() as open_:
            held = [open_.enter_context(wire(house.site, BEGUN)) for _k in range(3)]
            for said in (b"", WHOLE, BEGUN):
                with wire(house.site, said) as one_more:
                    answer = all_of(one_more)
                assert answer.startswith(b"HTTP/1.1 " + status)
                assert b"Retry-After: 10" in answer
                assert in_a_sentence(answer)
            held[0].sendall(b"\r\n\r\n")  # those within are served
            assert b"200 OK" in answer_on(held[0])
        until(house, count, 0)
        assert house.http.get("/alive").text == "alive\n"


def test_sockets_are_connections_too(tmp_path: Path) -> None:
    with House(tmp_path) as house:
        count = crowded(house)
        code, seated = house.table(OPEN)
        until(house, count, 0)
        with house.line(seated[0], code), house.line(seated[1], code):
            until(house, count, 2)
        until(house, count, 0)


def test_one_address_never_holds_more_than_half_and_a_proxys_connections_are_everyones(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(connections, "descriptors", lambda: 256)
    count = Connections(proxy="10.0.0.1, 10.1.0.0/16")
    assert count.most == 256 - connections.RESERVE
    for host in ("10.0.0.2", "10.0.0.1", "10.1.2.3"):
        for _k in range(96):
            count.count(host, 1)
        assert count.refuses(host) == (503 if count.all >= count.most else 429 if host == "10.0.0.2" else 0)
        for _k in range(96 if host != "10.0.0.2" else 0):
            count.count(host, -1)
    assert count.refuses("10.0.0.3") == 0


def test_without_limits_only_the_limit_in_all_holds(tmp_path: Path) -> None:
    def count(settings: Settings) -> Any:
        app = config_of(settings).app
        assert isinstance(app, Starlette)
        return app.state.connections

    assert count(Settings(tmp_path, limits=False)).each == count(Settings(tmp_path)).most
    assert count(Settings(tmp_path)).each < count(Settings(tmp_path)).most


@pytest.mark.parametrize(
    ("host", "counted"),
    [("10.1.2.3", "10.1.2.3"), ("::ffff:10.1.2.3", "10.1.2.3"), ("2001:db8:1:2:3::4", "2001:db8:1:2::/64"),
     ("fe80::1%eth0", "fe80::/64"), ("unix", "unix"), ("a:b", "a:b")],
)  # fmt: skip
def test_a_household_is_counted_as_one(host: str, counted: str) -> None:
    assert household(host) == counted


FEW = 128
LOWERED = f"import resource; resource.setrlimit(resource.RLIMIT_NOFILE, ({FEW}, {FEW})); "


def test_with_few_file_descriptors_a_crowd_is_turned_away_and_a_game_goes_on(tmp_path: Path) -> None:
    with serving(tmp_path, LOWERED) as server:
        site = str(server.http.base_url)
        with contextlib.ExitStack() as open_:
            opened = server.http.post("/api/tables", json={"game": OPEN, "players": 2, "computers": {"2": "greedy"}})
            crowd = [open_.enter_context(wire(site, BEGUN)) for _k in range(3 * FEW)]
            last = all_of(crowd[-1])
            assert last == b"" or last.startswith(b"HTTP/1.1 503")
            for _k in range(3):  # the connection that was there before, with the database behind it
                answer = server.http.post("/api/tables", json={"game": OPEN, "players": 2})
                assert answer.status_code == 201
        assert opened.status_code == 201
        served(site)


def test_a_server_that_ran_out_of_file_descriptors_serves_again(tmp_path: Path) -> None:
    import resource

    server = Process(tmp_path)
    try:
        site = str(server.http.base_url)
        served(site)
        # Lower than what was reckoned with, so that the system refuses to accept.
        resource.prlimit(server.pid, resource.RLIMIT_NOFILE, (FEW // 2, FEW // 2))
        for _again in range(2):
            with contextlib.ExitStack() as open_:
                crowd = [open_.enter_context(wire(site)) for _k in range(3 * FEW)]
                assert all_of(crowd[-1]) == b""
            served(site)
    finally:
        server.kill()
        server.left()


def served(site: str) -> None:
    """Try until the server answers."""
    with httpx2.Client(base_url=site, timeout=HANGS) as client:
        while True:
            with contextlib.suppress(httpx2.HTTPError):
                answer = client.get("/alive")
                if answer.status_code == 200:
                    return
                assert answer.status_code == 503
