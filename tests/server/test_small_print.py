"""The web's small print: what answers say of themselves to browsers, caches and programs."""

from __future__ import annotations

import gzip
import html
import os
import re
import shutil
import struct
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import pytest
from starlette.routing import Mount, Route
from starlette.testclient import TestClient

from kartoteka.engine import registry
from kartoteka.server.html import assets, drawing
from kartoteka.server.settings import Settings
from kartoteka.server.table import messages as msg
from kartoteka.server.web.app import _routes, make_app
from tests.server.house import House, told
from tests.server.sitting import HIDDEN, OPEN
from tests.server.test_pages import fetched
from tests.test_text import marked

__all__ = ["marked"]

METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}


def test_every_path_says_which_methods_it_takes(house: House) -> None:
    asked = 0
    for route in _routes():
        if isinstance(route, Route | Mount):
            takes = (isinstance(route, Route) and route.methods) or {"GET", "HEAD"}
            path = re.sub(r"{[^}]+}", "x", route.path) + ("/tokens.css" if isinstance(route, Mount) else "")
            for method in METHODS - takes:
                if method == "POST" and path.endswith(".json"):
                    continue  # that is a replay's page, with an odd identifier
                answer = house.http.request(method, path)
                assert answer.status_code == 405, (method, path)
                assert set(answer.headers["allow"].split(", ")) == takes, (method, path)
                asked += 1
    assert asked > 100


def test_too_much_at_once_is_told_with_when_to_try_again(tmp_path: Path) -> None:
    with House(tmp_path, limits=True) as house:
        visitor, answers = house.visitor(), []
        for _k in range(30):
            answers.append(visitor.api("POST", "/tables", {"game": OPEN}))
        code = answers[0].json()["code"]
        answers += [visitor.api("POST", f"/tables/{code}/messages", msg.Say(str(k), "ha")) for k in range(20)]
        answers += [visitor.get(f"/t/2222-22{k}") for k in range(20, 50)]
        answers += [visitor.get("/join") for _k in range(300)]
        refused = [answer for answer in answers if answer.status_code == 429]
        assert {answer.headers["retry-after"] for answer in refused} == {"5", "2", "1"}


def plain_and_packed(house: House, path: str, headers: dict[str, str]) -> tuple[bytes, bytes]:
    """Return the same answer asked for plainly and, opened, compressed."""
    packed: list[bytes] = []
    with house.http.stream("GET", path, headers={**headers, "Accept-Encoding": "gzip"}) as answer:
        assert answer.headers["content-encoding"] == "gzip", path
        assert "Accept-Encoding" in answer.headers["vary"]
        packed += answer.iter_raw()
    with house.http.stream("GET", path, headers={**headers, "Accept-Encoding": "identity"}) as answer:
        assert "content-encoding" not in answer.headers
        plain = b"".join(answer.iter_raw())
    assert len(b"".join(packed)) < len(plain) / 2, path
    return plain, gzip.decompress(b"".join(packed))


def test_compressed_answers_are_the_plain_ones(house: House) -> None:
    code, seated = house.table(HIDDEN)
    headers = {"Authorization": f"Bearer {seated[0].word}"}
    for path in ("/", "/rules", f"/rules/{OPEN}", f"/t/{code}", "/api/openapi.json", "/static/table.css"):
        plain, opened = plain_and_packed(house, path, headers)
        assert plain == opened, path
    with house.http.stream("GET", "/alive", headers={"Accept-Encoding": "gzip"}) as answer:
        assert "content-encoding" not in answer.headers  # too short to be worth it


def test_a_compressed_stream_tells_each_change_at_once(house: House) -> None:
    code, seated = house.table(OPEN)
    headers = {"Authorization": f"Bearer {seated[0].word}", "Accept-Encoding": "gzip"}
    with house.http.stream("GET", f"/api/tables/{code}/events", headers=headers) as stream:
        assert stream.headers["content-encoding"] == "gzip"
        lines = (line for line in stream.iter_lines() if line)
        before = told(next(lines))
        assert isinstance(seated[0].ask(code, msg.Say("1", "hello")), msg.Done)
        after = told(next(lines))  # while the stream goes on
        while isinstance(after, msg.Told) and not after.sheet.chat:
            after = told(next(lines))
    assert isinstance(before, msg.Told)
    assert isinstance(after, msg.Told)
    assert after.sheet.chat[-1].text == "hello"


def test_no_word_of_others_can_be_like_a_secret_in_a_compressed_page(house: House) -> None:
    code, seated = house.table(OPEN)
    link = house.room(code).table.seats[0].link
    seated[1].ask(code, msg.Say("1", f"{link} {drawing.hushed(link)}"))
    page = seated[0].get(f"/t/{code}").text
    assert str(drawing.hushed(link)) in page
    written = page.replace(str(drawing.hushed(f"{house.site}/t/{code}/seat/{link}")), "")
    assert str(drawing.hushed(link)) not in written
    assert html.unescape(page).count(link) > 1
    for path in ("/", "/replays"):
        assert code not in seated[0].get(path).text


@pytest.mark.parametrize("header", ["br", "", "*;q=0"])
def test_who_takes_nothing_compressed_gets_nothing_compressed(house: House, header: str) -> None:
    answer: Any = house.http.get("/rules", headers={"Accept-Encoding": header})
    assert "content-encoding" not in answer.headers


# --- still files ---------------------------------------------------------------------------------------------

FOR_GOOD = "public, max-age=31536000, immutable"


def still_links(page: str) -> list[str]:
    """Return the paths of the still files that a page loads."""
    return [link for link in re.findall(r'\s(?:href|src)="([^"]+)"', page) if "/static/" in link]


@pytest.mark.parametrize("prefix", ["", "/cards"])
def test_every_still_file_of_every_page_is_kept_for_good(tmp_path: Path, prefix: str) -> None:
    with House(tmp_path, prefix=prefix) as house:
        pages = {path: page.text for path, page in fetched(house).items()}
        named = {path: still_links(page) for path, page in pages.items()}
        for path, links in named.items():
            assert len(links) > 5, path
            assert all(link.startswith(f"{prefix}/static/{assets.version()}/") for link in links), path
        for link in sorted(set().union(*named.values())):
            answer = house.http.get(link.removeprefix(prefix))
            assert answer.status_code == 200, link
            assert answer.headers["cache-control"] == FOR_GOOD
            assert answer.headers["content-type"].split(";")[0] != "application/octet-stream", link
        boards = {f"/{game}/board.css" for game in registry.games()}
        assert all(any(link.endswith(board) for links in named.values() for link in links) for board in boards)


def test_the_modules_of_a_page_are_loaded_all_at_once_and_find_each_other(house: House) -> None:
    code, seated = house.table(OPEN)
    for path, entry in ((f"/t/{code}", "table.js"), (f"/sample/{OPEN}", "replay.js")):
        page = seated[0].get(path).text
        preloaded = set(re.findall(r'<link rel="modulepreload" href="([^"]+)">', page))
        started = set(re.findall(r'<script type="module" src="([^"]+)">', page))
        assert any(script.endswith(entry) for script in started)
        assert not preloaded & started
        imported = set()
        for module in preloaded | started:
            text = re.sub(r"//[^\n]*|/\*.*?\*/", "", house.http.get(module).text, flags=re.DOTALL)
            imported |= {urljoin(module, to) for to in re.findall(r'(?:from|import)\s*\(?"([^"]+)"', text)}
        assert imported - started == preloaded, entry
    assert len(assets.modules(("table.js",), "")) > 10


def test_an_old_page_gets_what_there_is_now_and_keeps_none_of_it(house: House) -> None:
    for path in ("/static/table.js", f"/static/{'0' * 16}/table.js", f"/static/{'0' * 16}/{OPEN}/board.css"):
        answer = house.http.get(path)
        assert answer.status_code == 200
        assert answer.headers["cache-control"] == "no-cache"
        again = house.http.get(path, headers={"If-None-Match": answer.headers["etag"]})
        assert (again.status_code, again.headers["cache-control"]) == (304, "no-cache")
    now = assets.version()
    for path in (f"/static/{now}", f"/static/{now}/../app.py", f"/static/{OPEN}/board.html", f"/static/{now}/x/y/z"):
        assert house.http.get(path).status_code == 404, path


def test_an_edited_still_file_shows_when_the_page_is_loaded_anew(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(assets.FOLDER, tmp_path / "static")
    monkeypatch.setattr(assets, "_folders", lambda: [("", tmp_path / "static", ())])
    sheet, before = tmp_path / "static" / "tokens.css", still_links(house.http.get("/rules").text)
    edited = sheet.read_bytes() + b"\n.edited {}\n"
    sheet.write_bytes(edited)
    after = still_links(house.http.get("/rules").text)
    assert not set(before) & set(after)
    assert [link.rpartition("/")[2] for link in before] == [link.rpartition("/")[2] for link in after]
    link = next(link for link in after if link.endswith("/tokens.css"))
    assert house.http.get(link).content == edited
    for path in (tmp_path / "static").iterdir():
        os.utime(path)
    assert still_links(house.http.get("/rules").text) == after  # the same content has the same name


def test_the_manifest_leads_to_the_house(house: House) -> None:
    link = next(link for link in still_links(house.http.get("/").text) if link.endswith(".webmanifest"))
    manifest = house.http.get(link).json()
    assert urljoin(link, manifest["start_url"]) == urljoin(link, manifest["scope"]) == "/"
    assert house.http.get(urljoin(link, manifest["icons"][0]["src"])).status_code == 200


# --- what a link shows ---------------------------------------------------------------------------------------


def told_of(page: str) -> dict[str, str]:
    """Return what a page says of itself in its head: its title, description and the like by name."""
    head = page[: page.index("<body")]
    found = dict(re.findall(r'<meta (?:name|property)="([^"]+)" content="([^"]*)">', head))
    found["canonical"] = "".join(re.findall(r'<link rel="canonical" href="([^"]*)">', head))
    found["title"] = "".join(re.findall(r"<title>([^<]*)</title>", head))
    return {name: html.unescape(value) for name, value in found.items()}


@pytest.mark.parametrize("prefix", ["", "/cards"])
def test_every_page_says_what_it_is_and_shows_a_picture(tmp_path: Path, prefix: str) -> None:
    with House(tmp_path, prefix=prefix) as house:
        pictures = set()
        for path, page in fetched(house).items():
            said, here = told_of(page.text), path.split(" ")[0]
            assert said["title"].endswith("\u00b7 Kartoteka"), path
            assert len(said["title"]) > len("\u00b7 Kartoteka") + 3, path
            assert 10 < len(said["description"]) < 300, (path, said["description"])
            assert not re.search(r"\s{2}|^\s|\s$", said["description"]), (path, said["description"])
            assert said["og:description"] == said["description"]
            assert said["og:title"] == said["title"].removesuffix(" \u00b7 Kartoteka")
            assert (said["og:type"], said["twitter:card"]) == ("website", "summary_large_image")
            assert said["og:image"].startswith(f"{house.site}{prefix}/static/"), path
            pictures.add(said["og:image"])
            unlisted = here.startswith(("/t/", "/r/", "/join", "/nowhere"))
            assert (said.get("robots") == "noindex") == unlisted, path
            if page.status_code == 200 and not here.startswith("/join") and "/seat/" not in here:
                named = here if here != "/new" else f"/new?game={next(iter(registry.games()))}"
                assert said["canonical"] == said["og:url"] == f"{house.site}{prefix}{named}", path
        assert len(pictures) == 1 + len(registry.games())
        for picture in pictures:
            drawn = house.http.get(picture.removeprefix(house.site + prefix))
            assert drawn.headers["content-type"] == "image/png"
            assert drawn.content.startswith(b"\x89PNG")
            assert struct.unpack(">II", drawn.content[16:24]) == (1200, 630)
            assert len(drawn.content) < 150_000


def test_an_invitation_tells_who_invites_and_nothing_that_only_a_seat_sees(house: House) -> None:
    host, passer = house.visitor(), house.visitor()
    code = host.api("POST", "/tables", {"game": HIDDEN, "name": "Vera <b>"}).json()["code"]
    said = told_of(passer.get(f"/t/{code}").text)
    assert said["description"].startswith("Vera <b> invites you. ")
    assert "free seat" in said["description"]
    assert said["canonical"] == f"{house.site}/t/{code}"
    code, seated = house.table(HIDDEN)
    with house.line(seated[0], code), house.line(seated[1], code):
        house.begin(code, seated)
        heads = [told_of(visitor.get(f"/t/{code}").text) for visitor in (*seated, passer)]
    assert all(head == heads[0] for head in heads)
    assert "invites" not in heads[0]["description"]
    link = house.room(code).table.seats[0].link
    assert told_of(passer.get(f"/t/{code}/seat/{link}").text)["canonical"] == ""


def test_a_page_describes_itself_in_its_readers_language(house: House, marked: Path) -> None:
    code, _seated = house.table(OPEN)
    for path in ("/", "/new", "/join", "/rules", f"/rules/{OPEN}", "/replays", "/shuffles", f"/t/{code}", "/nowhere"):
        said = told_of(house.http.get(path, headers={"Accept-Language": "eo"}).text)
        assert "\u2039" in said["description"], path
        assert said["og:description"] == said["description"]


def test_a_game_without_a_picture_shows_the_drawer(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    own = told_of(house.http.get(f"/rules/{OPEN}").text)["og:image"]
    assert own.endswith(f"/{OPEN}/picture.png")
    monkeypatch.setattr(assets, "own", lambda game, file: "")
    assert told_of(house.http.get(f"/rules/{OPEN}").text)["og:image"].endswith("/picture.png")
    assert not told_of(house.http.get(f"/rules/{OPEN}").text)["og:image"].endswith(f"/{OPEN}/picture.png")


def test_search_engines_are_told_what_not_to_read_and_friends_see_what_a_link_is(tmp_path: Path) -> None:
    with House(tmp_path, prefix="/cards") as house:
        robots = house.http.get("/robots.txt")
        assert robots.headers["content-type"].startswith("text/plain")
        assert robots.text == "User-agent: *\nDisallow: /cards/api/\n"


def test_a_trusted_proxys_scheme_is_in_the_links_for_others(tmp_path: Path) -> None:
    with TestClient(make_app(Settings(tmp_path, prefix="/cards")), base_url="https://cards.test") as client:
        said = told_of(client.get("/cards/").text)
    assert said["canonical"] == "https://cards.test/cards/"
    assert said["og:image"].startswith("https://cards.test/cards/static/")
