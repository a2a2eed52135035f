"""Whatever is sent gets an answer, never a fault of ours, and the table plays on."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, get_args

import httpx2
import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.requests import HTTPConnection
from starlette.types import Receive, Scope, Send
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus
from websockets.sync.client import connect

from kartoteka import players
from kartoteka.engine.record import record_of
from kartoteka.engine.variant import Variant
from kartoteka.players import play_out
from kartoteka.server.table import messages as msg
from kartoteka.server.web import limits
from kartoteka.server.web.middleware import BODY
from kartoteka.server.web.requests import COOKIE, same_origin
from tests.server.house import House, Line, Visitor, told
from tests.server.sitting import HIDDEN, OPEN

fuzz = settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))

Table = tuple[str, list[Visitor]]


@pytest.fixture(scope="module")
def table(house: House) -> Iterator[Table]:
    """A table in play, which has to be in play still when all is over."""
    code, seated = house.table(HIDDEN)
    with house.line(seated[0], code), house.line(seated[1], code):
        house.begin(code, seated)
        yield code, seated
        plays_on(house, code, seated)


def plays_on(house: House, code: str, seated: list[Visitor]) -> None:
    table = house.room(code).table
    assert table.turn
    assert table.match
    move = str(players.move_of(table.match, "greedy"))
    assert isinstance(seated[table.turn - 1].play(code, table.number, move), msg.Done)


# --- messages ------------------------------------------------------------------------------------------------

KINDS = sorted(str(kind.__struct_config__.tag) for kind in get_args(msg.Ask))
FIELDS = ["id", "number", "move", "takes", "puts", "seat", "kind", "text", "yes", "on", "ply", "nonce", "commitment"]
scalars = (
    st.none() | st.booleans() | st.integers() | st.sampled_from([2**53, 2**63, -(2**64), 10**400, 1e308])
    | st.text(max_size=30) | st.sampled_from(["\x00", "../..", "hand:1/2c", "1e5", "x" * 400, "٣", "🂡"])
)  # fmt: skip
values = st.recursive(
    scalars, lambda v: st.lists(v, max_size=4) | st.dictionaries(st.text(max_size=5), v, max_size=4)
)
messages = st.fixed_dictionaries(
    {"type": st.sampled_from(KINDS) | values}, optional=dict.fromkeys(FIELDS, values)
).map(lambda m: json.dumps(m))
harmless = messages.filter(
    lambda m: len(m) < 9000 and not any(f'"type": "{kind}"' in m for kind in ("substitute", "ask back"))
)
CRAFTED = [
    "", "{", "[]", "null", "0", '"move"', "NaN", '{"type":"move"}', '{"type":"move","type":"deal"}',
    '{"type":"say","id":"1","text":"\\ud800"}', '{"type":"say","id":"1","text":"\\u0000', "[" * 8000,
    '{"type":' + "[" * 7000, '{"type":"look","ply":1e2}', '{"type":"look","ply":-1}', '{"type":"hello","number":-5}',
    '{"type":"nonce","commitment":"' + "0" * 64 + '","nonce":"' + "0" * 32 + '"}', '{"type":"\\u006dove"}',
    '{"type":"say","id":"","text":"x"}', '{"type":"say","id":"' + "1" * 41 + '","text":"x"}',
    '{"type":"say","id":"2","text":"' + "x" * 301 + '"}', '{"type":"mute","seat":99,"on":true}',
    '{"type":"try","id":"3","number":0,"takes":["' + '","'.join("x" * 13) + '"],"puts":""}',
    '{"type":"move","id":"4","number":9007199254740993,"move":"' + "9" * 60 + '"}',
]  # fmt: skip


def answered(line: Line, data: str | bytes) -> None:
    """Say it, and after it something whose answer is known: both are answered."""
    line.say(data)
    line.say(msg.Look(0))
    while not isinstance(line.hear(), msg.Past):
        pass


@pytest.fixture(scope="module", params=["page", "program", "spectator"])
def line(request: pytest.FixtureRequest, house: House, table: Table) -> Iterator[Line]:
    """A socket of each kind."""
    code, seated = table
    visitor = house.visitor() if request.param == "spectator" else seated[1]
    with house.line(visitor, code, page=request.param != "program") as line:
        yield line


@fuzz
@given(data=harmless | st.text(max_size=200) | st.binary(max_size=200) | st.sampled_from(CRAFTED))
def test_whatever_is_said_over_a_socket_is_answered(line: Line, data: str | bytes) -> None:
    answered(line, data)


@pytest.mark.parametrize("data", CRAFTED, ids=range(len(CRAFTED)))
def test_what_is_no_message_is_refused_in_a_sentence(table: Table, data: str) -> None:
    code, seated = table
    answer = seated[0].api("POST", f"/tables/{code}/messages", data.encode())
    assert answer.status_code in (400, 409)
    refused = told(answer.content)
    assert isinstance(refused, msg.Refused)
    assert refused.reason[0].isupper()
    assert refused.reason.endswith(".")


@fuzz
@given(data=harmless.map(str.encode) | st.binary(max_size=300))
def test_whatever_is_sent_to_the_api_is_answered(house: House, table: Table, data: bytes) -> None:
    code, seated = table
    for path in (f"/tables/{code}/messages", "/tables", f"/tables/{code}/seats"):
        answer = seated[0].api("POST", path, data)
        assert answer.status_code in (200, 201, 400, 409), answer.text
        assert answer.headers["content-type"] == "application/json"


@pytest.mark.parametrize("size", [20_000, 1_000_000])
@pytest.mark.parametrize("page", [True, False])
def test_a_message_that_is_too_long_ends_its_socket_and_no_more(
    house: House, table: Table, size: int, page: bool
) -> None:
    code, seated = table
    with house.line(seated[0], code, page) as line:
        assert _code_of_closing(line, ["x" * size]) == 1009
    plays_on(house, code, seated)


def _code_of_closing(line: Line, said: Iterable[str | bytes]) -> int:
    """Say all that, waiting for an answer each time, until the server closes the socket; return why it did."""
    try:
        for data in said:
            line.say(data)
            line.answer()
    except ConnectionClosed as closed:
        assert closed.rcvd
        return closed.rcvd.code
    return 0


# --- requests ------------------------------------------------------------------------------------------------

ODD = [
    "ZZZZ-ZZZZ", "..", "../../etc/passwd", "%2e%2e%2f%2e%2e%2fetc%2fpasswd", "%00", "%ff%fe", "x" * 3000, "'",
    "İİİİİİİİ", "AAAA-2345%0d%0aX: y",
]  # fmt: skip
PATHS = [
    "/t/{}", "/t/{}/sit", "/t/{}/delete", "/t/{}/seat/x", "/r/{}", "/r/{}.json", "/rules/{}", "/rules/{}/source",
    "/static/{}/board.css", "/sample/{}", "/static/{}", "/join?code={}", "/new?game={}", "/api/tables/{}",
    "/api/tables/{}/events", "/{}", "/r/{}?deal=x&ply=-1",
]  # fmt: skip


@pytest.mark.parametrize("path", PATHS)
def test_wrong_paths_are_answered_in_words(house: House, path: str) -> None:
    visitor = house.visitor()
    for odd in ODD:
        for method in ("GET", "POST"):
            headers = {"Cookie": f"{COOKIE}={visitor.word}"}
            answer = house.http.request(method, path.format(odd), headers=headers)
            assert answer.status_code in (200, 307, 404, 405, 400), (answer.status_code, path, odd)
            assert "root:" not in answer.text
            if answer.status_code >= 400 and method == "GET":
                _in_words(answer)


def _in_words(answer: httpx2.Response) -> None:
    assert "Traceback" not in answer.text
    assert "/server/" not in answer.text
    if answer.headers["content-type"].startswith("text/html"):
        assert "<h1" in answer.text
    else:
        assert answer.json()["reason"]


FORMS: list[tuple[str, bytes, str]] = [
    ("no type", b"game=x", "text/plain"),
    ("no boundary", b"--x\r\n", "multipart/form-data"),
    ("bad multipart", b"--x\r\nContent-Disposition: nonsense\r\n\r\n--x--", "multipart/form-data; boundary=x"),
    ("no end", b'--x\r\nContent-Disposition: form-data; name="name"\r\n\r\nabc', "multipart/form-data; boundary=x"),
    ("many fields", b"&".join(b"a%d=1" % k for k in range(3000)), "application/x-www-form-urlencoded"),
    ("long number", b"seat=" + b"9" * 6000, "application/x-www-form-urlencoded"),
    ("odd digits", "seat=٣&players=²&best_of=٣".encode(), "application/x-www-form-urlencoded"),
    ("not UTF-8", b"name=%ff%fe&seat=%00&game=%ff", "application/x-www-form-urlencoded"),
    ("surrogates", b"name=%ed%a0%80&game=%ed%a0%80&code=%ed%a0%80", "application/x-www-form-urlencoded"),
    ("odd charset", b'--x\r\nContent-Disposition: form-data; name="name"\r\n\r\n+2AA-\r\n--x--\r\n',
     "multipart/form-data; boundary=x; charset=utf-7"),
    ("undefined charset", b'--x\r\nContent-Disposition: form-data; name="name"\r\n\r\nx\r\n--x--\r\n',
     "multipart/form-data; boundary=x; charset=undefined"),
    ("a file for a word", b'--x\r\nContent-Disposition: form-data; name="name"; filename="a"\r\n\r\nx\r\n--x--\r\n',
     "multipart/form-data; boundary=x"),
    ("a file for a game", b'--x\r\nContent-Disposition: form-data; name="game"; filename="a"\r\n\r\nx\r\n--x--\r\n',
     "multipart/form-data; boundary=x"),
    ("a word for a file", b"file=x&text=", "application/x-www-form-urlencoded"),
]  # fmt: skip


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form[0])
def test_wrong_forms_are_answered_in_words(house: House, table: Table, form: tuple[str, bytes, str]) -> None:
    _name, body, kind = form
    visitor, code = house.visitor(), table[0]
    for path in (
        "/play",
        "/new",
        f"/t/{code}/sit",
        f"/t/{code}/delete",
        "/replays",
        "/language",
        f"/t/{code}/seat/x",
    ):
        for prefix in (b"", f"game={OPEN}&".encode()):
            if prefix and "urlencoded" not in kind:
                continue
            answer = visitor.post(path, content=prefix + body, headers={"Content-Type": kind})
            assert answer.status_code in (303, 400, 403, 404, 409), (path, answer.status_code)
            if answer.status_code != 303:
                _in_words(answer)


def test_too_much_is_not_read(house: House, table: Table) -> None:
    visitor, much = house.visitor(), b"x" * (BODY + 1)
    for path in ("/play", "/new", f"/t/{table[0]}/sit", "/replays"):
        answer = visitor.post(path, content=much, headers={"Content-Type": "application/x-www-form-urlencoded"})
        assert answer.status_code == 413, path
        _in_words(answer)
    for path in ("/tables", f"/tables/{table[0]}/messages"):
        answer = visitor.api("POST", path, much)
        assert answer.status_code == 413
        _in_words(answer)


@pytest.mark.parametrize("cookie", ["", "x", "é" * 9, "0" * 31, "0" * 33, "G" * 32, '"' + "0" * 32, "0" * 3000])
def test_a_wrong_cookie_is_replaced(house: House, cookie: str) -> None:
    answer = house.http.get("/", headers={b"Cookie": f"{COOKIE}={cookie}; kartoteka_name=%ff%00; =;".encode()})
    assert answer.status_code == 200
    assert any(value.startswith(f"{COOKIE}=") for value in answer.headers.get_list("set-cookie"))


@pytest.mark.parametrize("language", ["", "x" * 5000, "zz-ZZ;q=9, ,;;-_-", "\xff", "de_DE.UTF-8@euro", "*", "en-"])
def test_any_language_can_be_asked_for(house: House, language: str) -> None:
    assert house.http.get("/", headers={b"Accept-Language": language.encode("latin-1")}).status_code == 200
    answer = house.http.get("/", headers={b"Cookie": b"kartoteka_language=" + language.encode("latin-1")})
    assert answer.status_code == 200


@pytest.mark.parametrize("host", ["", "[::1", "x:y", "a b", "<q>", "x" * 3000, "a@b", "a/b?c#d", "é", "[::1]:80"])
def test_a_wrong_host_is_answered(house: House, table: Table, host: str) -> None:
    for path in ("/", f"/t/{table[0]}", "/nowhere", "/api/openapi.json", "/api/nowhere"):
        headers = {b"Host": host.encode(), b"Cookie": f"{COOKIE}={table[1][0].word}".encode()}
        answer = house.http.get(path, headers=headers)
        assert answer.status_code in (200, 400, 404), (path, answer.status_code)
        assert "<q>" not in answer.text


ORIGINS = [
    "http://evil.test",
    "null",
    "https://127.0.0.1",
    "http://127.0.0.1.evil.test",
    "file://",
    "x",
    "http://[::1",
]


@pytest.mark.parametrize("origin", ORIGINS)
def test_another_sites_pages_can_do_nothing(house: House, table: Table, origin: str) -> None:
    code, seated = table
    visitor = seated[0]
    for path in ("/play", f"/t/{code}/sit", f"/t/{code}/delete", "/replays", f"/api/tables/{code}/messages"):
        answer = visitor.post(path, headers={"Origin": origin}, content=b"{}")
        assert answer.status_code == 403, path
        _in_words(answer)
    for at in (f"/t/{code}/socket", f"/api/tables/{code}/socket"):
        with pytest.raises(InvalidHandshake):
            _socket(visitor, at, Origin=origin)


def test_a_page_by_another_scheme_is_another_sites(house: House, table: Table) -> None:
    code, seated = table
    other = house.site.replace("http:", "https:")
    assert seated[0].post(f"/t/{code}/sit", headers={"Origin": other}).status_code == 403
    for at in (f"/t/{code}/socket", f"/api/tables/{code}/socket"):
        with pytest.raises(InvalidHandshake):
            _socket(seated[0], at, Origin=other)


@pytest.mark.parametrize("said", ["http", "https", ""])
@pytest.mark.parametrize("kind", ["http", "websocket"])
def test_behind_a_proxy_the_scheme_is_what_the_proxy_says(kind: str, said: str) -> None:
    seen: list[bool] = []

    async def app(scope: Scope, _receive: Receive, _send: Send) -> None:
        seen.append(same_origin(HTTPConnection(scope)))

    proxied = ProxyHeadersMiddleware(app, trusted_hosts="127.0.0.1")  # type: ignore[arg-type]
    for origin in ("http", "https"):
        headers = {"host": "Cards.test", "origin": f"{origin}://cards.test", "x-forwarded-proto": said}
        scope = {
            "type": kind, "scheme": {"http": "http", "websocket": "ws"}[kind], "client": ("127.0.0.1", 1),
            "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        }  # fmt: skip
        asyncio.run(proxied(scope, None, None))  # type: ignore[arg-type]
    assert seen == [said != "https", said == "https"]


def test_a_pages_socket_is_for_pages(house: House, table: Table) -> None:
    with pytest.raises(InvalidStatus):
        _socket(table[1][0], f"/t/{table[0]}/socket")
    assert _socket(house.visitor(), "/t/ZZZZ-ZZZZ/socket", Origin=house.site) == 4404


def _socket(visitor: Visitor, at: str, **headers: str) -> int:
    """Open a socket, and return with which code the server closes it; what it says is left unread."""
    site = visitor.house.site.replace("http", "ws")
    with connect(site + at, additional_headers={"Cookie": f"{COOKIE}={visitor.word}", **headers}) as socket:
        return _code_of_closing(Line(socket), ["x"])


# --- records -------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def record() -> dict[str, Any]:
    """A good record."""
    from kartoteka.engine import registry
    from kartoteka.engine.match import Match
    from kartoteka.engine.record import Seat

    game = registry.find(HIDDEN)
    match = play_out(Match(Variant(game, 2, game.settle({})), "hostile"), ["greedy", "greedy"])
    made = record_of(match, [Seat("<b>A</b>", "human"), Seat("B\x1b", "greedy")])
    found: dict[str, Any] = json.loads(made.to_json())
    return found


def _spoilt(how: Callable[[dict[str, Any]], object]) -> Callable[[dict[str, Any]], str]:
    def spoil(record: dict[str, Any]) -> str:
        other = json.loads(json.dumps(record))
        how(other)
        return json.dumps(other)

    return spoil


WRONG: dict[str, tuple[Callable[[dict[str, Any]], str], str]] = {
    "nothing": (lambda _record: " ", ""),
    "no JSON": (lambda _record: "{", ""),
    "deep": (lambda _record: "[" * 100_000, ""),
    "no record": (lambda _record: "{}", ""),
    "another format": (_spoilt(lambda r: r.update(format="x/9")), "format"),
    "another game": (_spoilt(lambda r: r.update(game="whist")), "game"),
    "a wrong card": (_spoilt(lambda r: r["deals"][0]["deck"].__setitem__(0, "1x")), "deals[0].deck"),
    "a wrong move": (_spoilt(lambda r: r["deals"][0]["moves"].__setitem__(3, "x")), "deals[0].moves[3]"),
    "a wrong score": (_spoilt(lambda r: r["deals"][0]["scores"].__setitem__(0, 99)), "deals[0].scores"),
    "a wrong end": (_spoilt(lambda r: r["result"].update(winners=[1, 2])), "result"),
    "a huge number": (_spoilt(lambda r: r["deals"][0].update(dealer=10**30)), "deals[0].dealer"),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_a_wrong_record_is_refused_with_the_place_of_its_fault(
    house: House, record: dict[str, Any], wrong: str
) -> None:
    spoil, place = WRONG[wrong]
    answer = house.visitor().post("/replays", data={"text": spoil(record)})
    assert answer.status_code == 400
    assert place in answer.text


def test_a_good_record_can_be_looked_at_and_what_it_says_is_escaped(house: House, record: dict[str, Any]) -> None:
    file = {"file": ("record.json", json.dumps(record).encode(), "application/json")}
    for answer in (house.visitor().post("/replays", data={"text": json.dumps(record)}),
                   house.visitor().post("/replays", files=file)):  # fmt: skip
        assert answer.status_code == 303
        page = house.http.get(answer.headers["location"])
        assert page.status_code == 200
        assert "<b>A</b>" not in page.text
        assert "\x1b" not in page.text
        assert house.visitor().post(answer.headers["location"]).status_code == 200


def test_a_huge_record_is_refused(house: House, record: dict[str, Any]) -> None:
    record = {**record, "deals": record["deals"] * 2000}
    assert house.visitor().post("/replays", data={"text": json.dumps(record)}).status_code == 413


# --- limits --------------------------------------------------------------------------------------------------


class Clock:
    """The time that limits go by."""

    now = 1000.0

    def monotonic(self) -> float:
        """Seconds."""
        return self.now


@pytest.fixture
def limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[House, Clock]]:
    """A server with its limits on, and their clock, which stands still."""
    clock = Clock()
    monkeypatch.setattr(limits, "time", clock)
    with House(tmp_path, limits=True) as house:
        yield house, clock


def test_too_many_requests_are_answered_politely_and_allowed_again_later(limited: tuple[House, Clock]) -> None:
    house, clock = limited
    visitor = house.visitor()
    code = visitor.api("POST", "/tables", {"game": OPEN}).json()["code"]
    clock.now += 10
    answers = [visitor.get("/alive") for _k in range(int(house.limits.requests.burst) + 3)]
    assert {answer.status_code for answer in answers[:-3]} == {200}
    assert {answer.status_code for answer in answers[-3:]} == {429}
    _in_words(visitor.get("/"))
    _in_words(visitor.api("GET", "/games"))
    with pytest.raises(InvalidHandshake):
        _socket(visitor, f"/api/tables/{code}/socket")
    clock.now += 10
    assert visitor.get("/alive").status_code == 200


@pytest.mark.parametrize("kind", ["tables", "codes", "joins", "uploads"])
def test_each_costly_thing_has_its_limit(limited: tuple[House, Clock], kind: str) -> None:
    house, clock = limited
    visitor = house.visitor()
    does: Callable[[], int] = {
        "tables": lambda: visitor.post("/play", data={"game": OPEN}).status_code,
        "codes": lambda: visitor.get("/t/ZZZZ-ZZZZ").status_code,
        "joins": lambda: visitor.get("/join?code=ZZZZ-ZZZZ").status_code,
        "uploads": lambda: visitor.post("/replays", data={"text": "{}"}).status_code,
    }[kind]
    usual = {"tables": 303, "codes": 404, "joins": 404, "uploads": 400}[kind]
    limit = house.limits.codes if kind == "joins" else getattr(house.limits, kind)
    answers = [does() for _k in range(int(limit.burst) + 2)]
    assert answers == [usual] * (len(answers) - 2) + [429, 429]
    assert visitor.get("/alive").status_code == 200
    clock.now += 60
    assert does() == usual


def test_looks_are_counted_by_address_whatever_socket_they_come_by(limited: tuple[House, Clock]) -> None:
    house, clock = limited
    code, seated = house.table(OPEN)
    with house.line(seated[0], code), house.line(seated[1], code), contextlib.ExitStack() as stack:
        house.begin(code, seated)
        lines = [stack.enter_context(house.line(house.visitor(), code, page=k % 2 == 0)) for k in range(4)]
        answers = []
        for k in range(int(house.limits.looks.burst) + 2):
            lines[k % 4].say(msg.Look(0))
            answers.append(lines[k % 4].answer())
        assert {type(answer) for answer in answers[:-2]} == {msg.Past}
        assert {type(answer) for answer in answers[-2:]} == {msg.Refused}
        clock.now += 10
        lines[0].say(msg.Look(0))
        assert isinstance(lines[0].answer(), msg.Past)


def test_who_guessed_too_often_is_not_told_which_codes_are_good(limited: tuple[House, Clock]) -> None:
    house, _clock = limited
    host, guesser = house.visitor(), house.visitor()
    code = host.api("POST", "/tables", {"game": OPEN}).json()["code"]
    for path in ("/join?code=", "/t/"):
        assert guesser.get(path + code).status_code in (200, 303)
    assert guesser.get("/join").status_code == 200
    while guesser.get("/join?code=ZZZZ-ZZZZ").status_code == 404:
        pass
    for path in ("/join?code=", "/t/"):
        assert guesser.get(path + code).status_code == guesser.get(f"{path}YYYY-YYYY").status_code == 429
        assert host.get(path + code).status_code in (200, 303)
    assert guesser.get("/join").status_code == 200


def test_who_talks_or_asks_without_end_is_told_to_wait(limited: tuple[House, Clock]) -> None:
    house, clock = limited
    code, seated = house.table(OPEN)
    with house.line(seated[0], code) as line:
        answers = []
        for k in range(int(house.limits.remarks.burst) + 2):
            line.say(msg.Say(f"s{k}", f"remark {k}"))
            answers.append(line.answer())
        assert [isinstance(answer, msg.Done) for answer in answers] == [True] * (len(answers) - 2) + [False, False]
        assert seated[0].api("POST", f"/tables/{code}/messages", msg.Say("x", "x")).status_code == 429
        clock.now += 10
        line.say(msg.Say("later", "later"))
        assert isinstance(line.answer(), msg.Done)
        assert _code_of_closing(line, [msgspec.json.encode(msg.Look(0))] * 400) == 1008
    assert house.room(code).table.number
    assert msgspec.json.decode(seated[0].api("GET", f"/tables/{code}").content)["type"] == "sheet"
