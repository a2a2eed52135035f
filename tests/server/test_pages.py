"""Every page: its headers, its cookies, its links, its language, and what it says when it cannot be had."""

from __future__ import annotations

import html
import re
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import httpx2
import pytest
from babel import Locale
from starlette.testclient import TestClient

from kartoteka.engine import registry
from kartoteka.server.html import drawing
from kartoteka.server.settings import Settings
from kartoteka.server.table import messages as msg
from kartoteka.server.web.app import make_app
from kartoteka.server.web.cli import config_of
from kartoteka.server.web.requests import COOKIE
from tests.server.house import House, Visitor
from tests.server.sitting import HIDDEN, OPEN, POINTS
from tests.test_text import marked

__all__ = ["marked"]

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; manifest-src 'self'; base-uri 'none'; frame-ancestors 'none'"
)
SECURE = {
    "content-security-policy": POLICY, "x-content-type-options": "nosniff", "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
}  # fmt: skip


def every_page(house: House) -> list[tuple[str, Visitor]]:
    """Return the path of every kind of page, and who looks at it: tables in every phase, a replay, errors."""
    pages = ["/", "/new", "/join", "/rules", "/replays", "/shuffles", "/api", "/nowhere", "/t/ZZZZ-ZZZZ"]
    for game in registry.games():
        pages += [f"/new?game={game}", f"/rules/{game}", f"/rules/{game}/source", f"/sample/{game}"]
    visitor = house.visitor()
    found = [(path, visitor) for path in pages]
    waiting = visitor.api("POST", "/tables", {"game": HIDDEN}).json()["code"]
    code, seated = house.table(OPEN)
    with house.line(seated[0], code) as line, house.line(seated[1], code):
        house.begin(code, seated)
        found += [(f"/t/{code}", seated[0]), (f"/t/{code}", visitor)]
        over, people = house.table(OPEN, 2, computers={"2": "greedy"})
        with house.line(people[0], over) as playing:
            house.begin(over, people)
            people[0].ask(over, msg.Substitute(1, "random"))
            while not people[0].see(over).sheet.record:
                playing.hear()
        line.say(msg.Look(0))
    link = house.room(code).table.seats[0].link
    found += [(f"/t/{waiting}", visitor), (f"/t/{waiting}", seated[0]), (f"/t/{over}", people[0])]
    found += [(f"/r/{people[0].see(over).sheet.record}", visitor), (f"/t/{code}/seat/{link}", visitor)]
    return found


def fetched(house: House) -> dict[str, httpx2.Response]:
    """Return every kind of page."""
    pages = every_page(house)
    return {f"{path} {k}": visitor.get(path) for k, (path, visitor) in enumerate(pages)}


def test_every_page_is_there_with_its_headers(house: House) -> None:
    for path, page in fetched(house).items():
        assert page.status_code == (404 if "nowhere" in path or "ZZZZ" in path else 200), path
        assert {name: page.headers.get(name) for name in SECURE} == SECURE, path
        assert page.headers["content-type"] == "text/html; charset=utf-8"
        assert "<script>" not in page.text
        assert not re.findall(r"<[^>]*\son[a-z]+=", page.text), path
        assert "<style" not in page.text
        assert not re.findall(r'(?:src|href)="(?:https?:)?//', page.text.replace(house.site, "")), path
        assert "<h1" in page.text, path
        assert '<html lang="en"' in page.text
    for path in ("/static/table.js", "/static/tokens.css", "/api/games", "/alive", "/static/nothing"):
        answer = house.http.get(path)
        assert {name: answer.headers.get(name) for name in SECURE} == SECURE, path


def links_of(page: str) -> set[str]:
    """Return where a page leads, what it loads and where its forms go."""
    found = re.findall(r'\s(?:href|src|action|data-socket|data-rules)="([^"]*)"', page)
    return {html.unescape(link) for link in found}


@pytest.mark.parametrize("prefix", ["", "/cards"])
def test_every_link_leads_somewhere_within_the_prefix(tmp_path: Path, prefix: str) -> None:
    with House(tmp_path, prefix=prefix) as house:
        paths: set[str] = set()
        for at, page in fetched(house).items():
            here = prefix + at.split(" ")[0]
            for link in links_of(page.text):
                led = urlsplit(urljoin(here, link))
                if (
                    led.scheme in ("", "http")
                    and link[:1] != "#"
                    and not link.endswith(("/socket", "/sit", "/link", "/delete"))
                ):
                    assert led.path.startswith(prefix + "/"), (at, link)
                    paths.add(led.path.removeprefix(prefix))
            assert page.cookies.get(COOKIE) is None
        assert len(paths) > 20
        for path in sorted(paths - {"/play", "/language"}):
            assert house.http.get(path).status_code == 200, path
        fresh = house.http.get("/").headers["set-cookie"]
        assert f"Path={prefix or '/'};" in fresh
        sent = house.http.post("/play", data={"game": OPEN}, headers={"Origin": house.site})
        assert sent.headers["location"].startswith(f"{prefix}/t/")


def test_a_cookie_is_for_this_site_alone_and_kept_from_scripts(tmp_path: Path) -> None:
    for scheme in ("http", "https"):
        with TestClient(make_app(Settings(tmp_path / scheme)), base_url=f"{scheme}://cards.test") as client:
            first = client.get("/").headers["set-cookie"]
            assert re.fullmatch(
                COOKIE + r"=[0-9a-f]{32}; Path=/; Max-Age=\d+; HttpOnly; SameSite=Lax(; Secure)?", first
            )
            assert ("Secure" in first) == (scheme == "https")
            assert "set-cookie" not in client.get("/").headers
            client.cookies.clear()
            assert "set-cookie" not in client.get("/static/tokens.css").headers
            assert client.get("/").headers["set-cookie"] != first


def test_who_takes_a_seat_without_a_cookie_keeps_it(house: House) -> None:
    code = house.visitor().api("POST", "/tables", {"game": POINTS, "players": 3}).json()["code"]
    link = house.room(code).table.seats[0].link
    for path, data in (
        ("/play", {"game": OPEN}),
        ("/new", {"game": OPEN, "name": "Vera"}),
        (f"/t/{code}/sit", {"name": "Vera"}),
        (f"/t/{code}/seat/{link}", {}),
    ):
        answer = house.http.post(path, data=data, headers={"Origin": house.site})
        assert answer.status_code == 303, answer.text
        given = re.search(COOKIE + "=([0-9a-f]{32});", answer.headers["set-cookie"])
        assert given, path
        who = Visitor(house, given[1])
        page = who.get(answer.headers["location"])
        assert re.search(r'data-seat="[1-9]"', page.text), path
        assert "set-cookie" not in page.headers


def test_times_do_not_depend_on_where_the_server_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    told = '<time datetime="2026-12-01T23:05:09Z">Dec 1, 2026, 11:05:09\u202fPM UTC</time>'
    try:
        for zone in ("Asia/Tokyo", "America/Lima"):
            monkeypatch.setenv("TZ", zone)
            time.tzset()
            assert drawing.when(1796166309.7) == told
    finally:
        monkeypatch.undo()
        time.tzset()


def test_a_trusted_proxy_says_where_requests_come_from(tmp_path: Path) -> None:
    config = config_of(Settings(tmp_path), proxy="10.0.0.1")
    assert config.proxy_headers
    assert config.forwarded_allow_ips == "10.0.0.1"
    assert not config_of(Settings(tmp_path)).proxy_headers
    assert not config.access_log


@pytest.fixture(scope="module")
def playing(house: House) -> Iterator[tuple[str, list[Visitor]]]:
    code, seated = house.table(HIDDEN)
    with house.line(seated[0], code), house.line(seated[1], code):
        house.begin(code, seated)
        yield code, seated


def test_errors_are_told_in_words(house: House, playing: tuple[str, list[Visitor]]) -> None:
    code, seated = playing
    for answer, status, words in (
        (seated[0].get("/nowhere"), 404, "There is no such page."),
        (seated[0].get("/r/00"), 404, "There is no such replay"),
        (seated[0].get("/t/2222-2222"), 404, "There is no such table"),
        (seated[0].get("/play"), 405, "That cannot be done here."),
        (seated[1].post(f"/t/{code}/delete"), 403, "Only whoever opened this table"),
        (seated[0].post(f"/t/{code}/delete"), 409, "Others are playing"),
        (house.visitor().post(f"/t/{code}/sit"), 409, "No seat is free"),
        (seated[0].post(f"/t/{code}/sit"), 409, "You have a seat"),
        (seated[0].post("/language", data={"language": "xx"}), 400, "There is no such language"),
        (seated[0].post("/new", data={"game": OPEN, "players": "9"}), 400, "not by 9"),
    ):
        assert answer.status_code == status
        assert words in answer.text
        assert "<h1" in answer.text
        assert {name: answer.headers.get(name) for name in SECURE} == SECURE


def test_a_fault_of_ours_is_told_without_saying_more(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    def fault(*_anything: object, **_more: object) -> None:
        raise RuntimeError("the hidden card")

    monkeypatch.setattr("kartoteka.server.web.pages.html", fault)
    monkeypatch.setattr("kartoteka.server.web.api.registry.games", fault)
    for answer in (house.http.get("/join"), house.http.get("/api/games")):
        assert answer.status_code == 500
        assert "our fault" in answer.text
        assert "hidden card" not in answer.text
        assert "RuntimeError" not in answer.text


def test_a_table_is_made_joined_shared_and_deleted(house: House) -> None:
    host, guest = house.visitor(), house.visitor()
    form = {"game": HIDDEN, "name": "Vera", "listed": "on", "per_move": "60", "spectators_chat": "on"}
    made = host.post("/new", data=form)
    assert made.status_code == 303
    at = made.headers["location"]
    assert "kartoteka_name=Vera" in made.headers["set-cookie"]
    code = at.rpartition("/")[2]
    assert code in guest.get("/").text
    for typed in (code, code.lower().replace("-", " "), code.replace("-", "")):
        assert guest.get("/join", params={"code": typed}).headers["location"] == at
    invitation = host.get(at).text
    assert f"{house.site}{at}" in invitation
    assert "<svg" in invitation
    assert guest.post(f"{at}/sit", data={"name": "Olga", "seat": "2"}).status_code == 303
    own = re.findall(rf"{at}/seat/[0-9a-f]+", html.unescape(guest.get(at).text))[0]
    assert own not in html.unescape(host.get(at).text)
    phone = house.visitor()
    assert "Olga" in phone.get(own).text
    assert not phone.see(code).sheet.seat
    assert phone.post(own).status_code == 303
    assert phone.see(code).sheet.seat == 2
    assert phone.post(own[:-4] + "zzzz").status_code in (404, 409)
    assert code not in html.unescape(house.visitor().get("/").text)
    house.do(house.hall.room(code))
    left = guest.ask(code, msg.Leave())
    if isinstance(left, msg.Done):
        assert host.post(f"{at}/delete").status_code == 303
        assert host.get(at).status_code == 404


def test_playing_the_computer_is_one_click(house: House) -> None:
    visitor = house.visitor()
    at = visitor.post("/play", data={"game": HIDDEN}).headers["location"]
    code = at.rpartition("/")[2]
    with house.line(visitor, code, page=True):
        house.begin(code, [visitor])
        assert visitor.see(code).sheet.phase == "playing"
        assert code in html.unescape(visitor.get("/").text)


# --- languages -----------------------------------------------------------------------------------------------


def test_each_visitor_reads_their_own_language(house: House, marked: Path) -> None:
    visitor, other = house.visitor(), house.visitor()
    asked = visitor.get("/", headers={"Accept-Language": "xx;q=1, eo-EO, en;q=0.5"}).text
    assert '<html lang="eo"' in asked
    assert "‹" in asked
    assert "‹" not in other.get("/", headers={"Accept-Language": "xx"}).text.replace("‹›", "")
    chosen = visitor.post("/language", data={"language": "eo"}, headers={"Referer": f"{house.site}/rules"})
    assert chosen.headers["location"] == "/rules"
    assert "kartoteka_language=eo" in chosen.headers["set-cookie"]
    for referer in ("https://evil.test/x", "//evil.test", "http://[::1", f"{house.site}//evil.test", ""):
        answer = visitor.post("/language", data={"language": "eo"}, headers={"Referer": referer})
        assert urlsplit(answer.headers["location"]).netloc == "", referer
    cookie = {"Cookie": f"{COOKIE}={visitor.word}; kartoteka_language=eo"}
    assert '<html lang="eo"' in house.http.get("/", headers={**cookie, "Accept-Language": "en"}).text


def test_a_table_speaks_to_each_in_their_own_language(
    house: House, marked: Path, playing: tuple[str, list[Visitor]]
) -> None:
    code, seated = playing
    eo = {"Authorization": f"Bearer {seated[0].word}", "Accept-Language": "eo"}
    told = house.http.get(f"/api/tables/{code}", headers=eo).json()["sheet"]
    assert told["log"][0]["text"].startswith("‹")
    assert not seated[1].see(code).sheet.log[0].text.startswith("‹")
    wrong = msg.Play("x", 0, "x")
    for who, marks in ((eo, True), ({"Authorization": f"Bearer {seated[1].word}"}, False)):
        body = {"type": "move", "id": "x", "number": wrong.number, "move": wrong.move}
        refused = house.http.post(f"/api/tables/{code}/messages", headers=who, json=body).json()
        assert refused["reason"].startswith("‹") == marks


NO_WORDS = re.compile(
    r"<(script|svg|title|code|pre)\b.*?</\1>|<!--.*?-->|"
    r'<div class="(?:cl|optn__text)".*?</div>|'  # the rules, which come translated as a whole
    r"<[^>]*>",
    re.DOTALL,
)


def test_every_word_of_a_page_is_translated(house: House, marked: Path) -> None:
    locale, games = Locale.parse("eo"), registry.games().values()
    others = {"English", "Esperanto", "Guest", "Anna", "Boris", "Computer", "Kartoteka", "Seat", "UTC"}  # names
    others |= {code for game in games for code in (game.code, game.code.capitalize())}
    others |= {word for game in games for name in (game.title, game.native) for word in _words(name)}
    others |= {"sekundoj", "sekundo", "minutoj", "minuto", "horoj", *locale.months["format"]["abbreviated"].values()}
    for path, visitor in every_page(house):
        if not path.startswith(OTHERWISE):
            page = visitor.get(path, headers={"Accept-Language": "eo"}).text
            text = NO_WORDS.sub(" ", re.sub(r"\b[A-Z2-9]{4}-[A-Z2-9]{4}\b", "", page[page.index("<body") :]))
            while (peeled := re.sub(r"‹[^‹›]*›", " ", text)) != text:
                text = peeled
            assert not {word for word in _words(text) if word.isascii()} - others, path


OTHERWISE = ("/rules/", "/api", "/shuffles")
"""Pages that come translated as a whole, or are of words that programs use."""


def _words(text: str) -> list[str]:
    return re.findall(r"(?<!\w)[^\W\d_]{3,}(?!\w)", text)


# --- forgetting ----------------------------------------------------------------------------------------------


def test_what_is_old_is_forgotten_where_the_host_of_the_site_wants_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kartoteka.server.rooms.hall.SWEEP", 0.01)
    with House(tmp_path, keep_days=30) as house:
        code, _seated = house.table(OPEN)
        old = [event for _at, event in house.do(house.hall.store.events(code))]
        house.do(house.hall.store.append("2222-3333", 1, 1.0, old, live=False))
        while house.do(house.hall.store.events("2222-3333")):
            pass
        assert house.do(house.hall.store.events(code))
