"""Nothing leaves that its reader may not know: whole games over the wire, and their twins asked the same."""

from __future__ import annotations

import dataclasses
import logging
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from kartoteka import players
from kartoteka.engine import registry
from kartoteka.engine.declare import Game
from kartoteka.engine.position import Position
from kartoteka.server.html import drawing
from kartoteka.server.rooms.room import Room
from kartoteka.server.table import events as ev
from kartoteka.server.table import messages as msg
from kartoteka.server.table import tell
from kartoteka.server.table.decide import Refusal
from kartoteka.server.table.sheet import Sheet, ToldSeal
from kartoteka.server.table.state import Table
from kartoteka.server.web import sockets
from tests.server.house import House, Line, Visitor, folded, whole, whole_page
from tests.server.house import told as told_in
from tests.server.twins import Chance, Log, twin_of

HOST = "cards.test"
GAMES = list(registry.games().values())


def name_of(case: object) -> str:
    return case.name if isinstance(case, Game) else str(case)


def short(game: Game) -> dict[str, object]:
    """Options that end a match for points soon."""
    return {o.name: o.numbers[0] + 1 for o in game.options if game.finished and o.numbers and o.default in (100,)}


# --- whole games over the wire -------------------------------------------------------------------------------


@dataclasses.dataclass
class Course:
    """A match as it went, and all that each reader got: seat, program or page, and the messages."""

    code: str
    seated: list[Visitor]
    watcher: Visitor
    log: Log
    heard: list[tuple[int, bool, list[str]]]

    @property
    def secrets(self) -> list[str]:
        """The secrets of the shuffles, in hex."""
        return [event.secret for _at, event in self.log if isinstance(event, ev.Sealed)]


PAGES_UNTIL = 30
"""The event after which the pages are closed, to be opened again at the end: drawing each is most of the work."""


def play(house: House, game: Game) -> Course:
    """Play a whole match: every seat and a spectator has a program's socket, seat 1 and the spectator a page's."""
    code, seated = house.table(game.name, options=short(game))
    watcher = house.visitor()
    room, readers = house.room(code), [(0, watcher), *enumerate(seated, 1)]
    heard: list[tuple[int, bool, list[str]]] = []

    def connect(stack: ExitStack, page: bool) -> list[Line]:
        lines = []
        for seat, visitor in readers[: 2 if page else None]:
            lines.append(stack.enter_context(house.line(visitor, code, page)))
            heard.append((seat, page, lines[-1].heard))
        return lines

    with ExitStack() as stack:
        programs = connect(stack, page=False)
        with ExitStack() as early:
            pages = connect(early, page=True)
            while room.table.number < PAGES_UNTIL:
                _go_on(house, room, seated, programs + pages)
        while not room.table.record_id:
            _go_on(house, room, seated, programs)
        for line in programs:
            line.until(room.table.number)
        connect(stack, page=True)
    return Course(code, seated, watcher, house.do(house.hall.store.events(code)), heard)


def _go_on(house: House, room: Room, seated: list[Visitor], lines: list[Line]) -> None:
    """Make the next move, or begin the next deal; then everyone waits to be told."""
    table = room.table
    if not table.turn:
        if table.phase == "between":
            seated[-1].ask(table.code, msg.NewDeal())
        house.begin(table.code, seated)
        return
    assert table.match
    move = str(players.move_of(table.match, "greedy"))
    done = seated[table.turn - 1].play(table.code, table.number, move)
    assert isinstance(done, msg.Done), done
    for line in lines:
        line.until(done.number)


@pytest.fixture
def logged(caplog: pytest.LogCaptureFixture) -> Iterator[list[str]]:
    """All that the server logs: its own loggers at every level, the others as they are served."""
    lines: list[str] = []
    handler = logging.Handler()
    handler.emit = lambda record: lines.append(logging.Formatter().format(record))  # type: ignore[method-assign]
    ours = logging.getLogger("kartoteka")
    loggers = [ours, logging.getLogger("uvicorn"), logging.getLogger("uvicorn.error"), logging.getLogger("asyncio")]
    level = ours.level
    ours.setLevel(logging.DEBUG)
    for logger in loggers:
        logger.addHandler(handler)
    yield lines
    ours.setLevel(level)
    for logger in loggers:
        logger.removeHandler(handler)


@pytest.mark.parametrize("game", GAMES, ids=name_of)
def test_a_whole_game_tells_nobody_a_secret(
    house: House, game: Game, logged: list[str], capfd: pytest.CaptureFixture[str]
) -> None:
    course = play(house, game)
    assert course.secrets
    everyone = [*course.seated, course.watcher]
    private = [v.word for v in everyone] + [v.digest for v in everyone]
    private += [event.link for _at, event in course.log if isinstance(event, ev.Sat)]
    stored = b"".join(ev.encode(event) for _at, event in course.log).decode()
    assert all(secret in stored for secret in course.secrets)
    for _seat, _page, heard in course.heard:
        assert heard
        for text in heard:
            assert not any(word in text for word in private)
            assert "Traceback" not in text
            assert ".py" not in text
        _no_secret_before_its_time(heard, course.secrets)
    assert not logged
    assert capfd.readouterr() == ("", "")
    _as_its_log_tells(course)


def _no_secret_before_its_time(heard: list[str], secrets: list[str]) -> None:
    for text in heard:
        message = msgspec.json.decode(text)
        sheet = message.get("sheet", {})
        if message.get("phase", sheet.get("phase")) not in ("between", "over"):
            assert not any(secret in text for secret in secrets)


def _as_its_log_tells(course: Course) -> None:
    """What came over the wire is, at each number, what the log up to there tells that reader, and nothing else."""
    told: dict[tuple[int, int], object] = {}
    pages: dict[tuple[int, int], dict[str, str]] = {}
    for seat, _page, heard in course.heard:
        regions: dict[str, str] = {}
        sheet: Sheet | None = None
        for message in map(told_in, heard):
            if isinstance(message, msg.Told):
                sheet = whole(message.sheet, sheet)
                told[seat, sheet.number] = _plain(msgspec.to_builtins(sheet))
            elif isinstance(message, msg.Page):
                regions = whole_page(message, regions)
                pages[seat, message.number] = regions
    table, checked = Table(course.code), 0
    for at, event in course.log:
        table.apply(event, at)
        if table.number % 7 and table.number < len(course.log) - 2:
            continue
        for seat in range(table.opened.players + 1):
            sheet = tell.sheet_of(table, tell.Reader(seat, seat == 1), lambda _seat: 0.0, at)
            if (seat, table.number) in told:
                checked += 1
                assert told[seat, table.number] == _plain(msgspec.to_builtins(sheet))
            if (seat, table.number) in pages:
                assert pages[seat, table.number] == drawing.regions(sheet) | {"log": drawing.log(sheet)}
    assert checked > 10


def _plain(sheet: dict[str, Any]) -> object:
    """A sheet without who is connected, which no log holds."""
    plain = msgspec.json.decode(msgspec.json.encode(sheet))
    for chair in plain["chairs"]:
        chair.pop("present", None)
    return plain


# --- twins ---------------------------------------------------------------------------------------------------


@pytest.fixture
def pair(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[House, House]]:
    """Two servers, at both of which everyone counts as connected."""
    monkeypatch.setattr(Room, "gone", lambda _self, _seat: 0.0)
    with House(tmp_path / "true") as true, House(tmp_path / "twin") as twin:
        yield true, twin


def played(game: Game, seats: int, seed: str) -> tuple[Log, list[str]]:
    """Return the log of a deal among people, played out without a server, and the words they are known by."""
    rng = Random(seed)
    words = [rng.randbytes(16).hex() for _seat in range(seats + 1)]
    visitors = [Visitor(None, word).digest for word in words]  # type: ignore[arg-type]
    log: Log = [(1e9, ev.Opened(game.name, seats, {}, 1, visitors[0]))]
    log += [(1e9, ev.Sat(k + 1, visitors[k], f"Name {k + 1}", rng.randbytes(16).hex())) for k in range(seats)]
    log.append((1e9, ev.Sealed(rng.randbytes(32).hex(), fresh=True)))
    log += [(1e9, ev.Nonce(seat, rng.randbytes(16).hex())) for seat in range(1, seats + 1)]
    table = folded("", log)
    dealt = ev.Dealt(table.dealer_due or 1 + rng.randrange(seats))
    log.append((1e9, dealt))
    table.apply(dealt, 1e9)
    while table.turn:
        assert table.match
        move = players.move_of(table.match, "greedy" if rng.randrange(4) else "random")
        log.append((1e9, ev.Moved(table.turn, str(move), id=f"m{table.number}")))
        table.apply(*log[-1][::-1])
    return log, words


def enter(house: House, code: str, log: Log) -> None:
    """Let a log be a table of this server."""
    house.do(house.hall.store.append(code, 1, 1e9, [event for _at, event in log], live=False))


Answers = list[tuple[str, str]]


def asked(house: House, code: str, word: str, wrong: list[msg.Ask], plies: list[int], number: int) -> Answers:
    """Ask a server for everything that can be had with this word, and return what it answers."""
    reader = Visitor(house, word)
    there = {"Host": HOST, "Origin": f"http://{HOST}"}
    answers: Answers = []
    for path in ("/", f"/t/{code}", f"/t/{code}/seat/{'0' * 32}", f"/join?code={code}", "/replays"):
        answer = reader.get(path, headers=there)
        answers.append((path, f"{answer.status_code} {answer.text}"))
    for path in (f"/t/{code}/delete", f"/t/{code}/seat/{'0' * 32}"):
        answer = reader.post(path, headers=there)
        answers.append((f"POST {path}", f"{answer.status_code} {answer.text}"))
    answers.append(("API", reader.api("GET", f"/tables/{code}").text))
    headers = {"Authorization": f"Bearer {word}"}
    with house.http.stream("GET", f"/api/tables/{code}/events?after={number - 4}", headers=headers) as stream:
        answers.append(("stream", next(stream.iter_lines())))
    for message in wrong:
        answers.append((str(message), reader.api("POST", f"/tables/{code}/messages", message).text))
    for page in (False, True):
        with house.line(reader, code, page) as line:
            line.say(msg.Hello(max(1, number - 6)))
            line.hear()
            for message in (*(msg.Look(ply) for ply in plies), msg.Look(9999), *wrong[:3]):
                line.say(message)
                line.answer()
            answers += [(f"socket, page {page}, message {k}", text) for k, text in enumerate(line.heard)]
    return answers


def wrong_messages(table: Table, log: Log, seat: int, rng: Random) -> list[msg.Ask]:
    """Return moves and hands that are not to be played now, of every kind."""
    position = table.position
    assert position
    moves = [event.move for _at, event in log if isinstance(event, ev.Moved)]
    tried = [*rng.sample(moves, 6), "", "nonsense", "pass", *(str(m)[:2] for m in list(position.moves)[:2])]
    found: list[msg.Ask] = [msg.Play("x", table.number, m) for m in tried if not can_mean(position, m)]
    found += [msg.Play("x", number, moves[0]) for number in (1, table.number + 5)]
    view = position.view(seat)
    places = [f"{zone.name}/{card}" for zone in view.zones for card in zone.cards] + [z.name for z in view.zones]
    places += [f"{zone.name}/{cell.name}" for zone in view.zones for cell in zone.cells]
    for _k in range(12):
        takes, puts = tuple(rng.choices(places, k=rng.randrange(3))), rng.choice([*places, ""])
        if not any(position.can(m) for m in position.game.table.meant(position.state, takes, puts)):
            found.append(msg.Try("x", table.number, takes, puts))
    return found


def can_mean(position: Position, text: str) -> bool:
    return bool(text) and any(move.startswith(text) for move in position.moves)


def differences(pair: tuple[House, House], game: Game, seats: int, chance: Chance, cuts: int) -> tuple[int, Answers]:
    """Ask true tables and twins the same as every reader; return how many twins there were, and what differs."""
    log, words = played(game, seats, f"leaks {game.name}")
    rng, twins, differ = Random(game.name), 0, []
    begun = next(k for k, (_at, event) in enumerate(log) if isinstance(event, ev.Dealt)) + 1
    for cut in range(cuts):
        number = begun + (len(log) - begun) * (2 * cut + 1) // (2 * cuts)
        true = log[:number]
        moving = folded("", true).turn
        for seat in sorted({0, moving, rng.randrange(1, seats + 1)}):
            twin = twin_of(true, seat, chance, rng)
            if not twin:
                continue
            twins += 1
            code = f"TW{cut}N-{seat:02}23".replace("0", "Z").replace("1", "Y")
            enter(pair[0], code, true)
            enter(pair[1], code, twin[0])
            table = folded(code, true)
            wrong = wrong_messages(table, log, seat, rng)
            plies = [0, rng.randrange(table.position.ply + 1), table.position.ply] if table.position else []
            answers = [asked(house, code, words[seat - 1], wrong, plies, number) for house in pair]
            assert [what for what, _text in answers[0]] == [what for what, _text in answers[1]]
            differ += [
                (f"{what} to seat {seat}", f"{text}\n{other}")
                for (what, text), (_what, other) in zip(*answers, strict=True) if text != other
            ]  # fmt: skip
    return twins, differ


HIDING = [game for game in registry.games().values() if game.pack(game.usual)]


@pytest.mark.parametrize("game", HIDING, ids=name_of)
def test_what_a_reader_may_not_see_makes_no_difference_to_anything_that_leaves(
    pair: tuple[House, House], game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    twins, differ = differences(pair, game, game.usual, Chance(monkeypatch), cuts=2)
    assert twins >= 4
    assert not differ, differ[0]


_view, _choices, _sheet_of, _past_of = Position.view, tell.choices_of, tell.sheet_of, sockets.past_of


def _secret_early(table: Table, _seat: int) -> object:
    shuffle = table.seals[-1]
    return ToldSeal(shuffle.commitment, (), shuffle.secret)


def _view_of_another(self: Position, seat: int = 0) -> object:
    return msgspec.structs.replace(_view(self, seat % self.variant.players + 1), seat=seat)


def _choices_for_all(table: Table, *more: Any) -> object:
    assert table.position
    return msgspec.structs.replace(_sheet_of(table, *more), choices=_choices(table.position))


def _past_with_the_pack(room: Room, who: str, ply: int) -> object:
    position = room.table.position
    return msgspec.structs.replace(_past_of(room, who, ply), title=" ".join((position and position.deck) or ()))


def _refusal_with_hidden_cards(position: Position, seat: int, text: str, id: str) -> object:
    raise Refusal(f"Not here; the others hold {position.hidden(0)[:-1]}, and {seat} {position.state.tobytes()!r}")


LEAKS: dict[str, tuple[str, Any]] = {
    "the secret early": ("kartoteka.server.table.tell._seal", _secret_early),
    "what another sees": ("kartoteka.engine.position.Position.view", _view_of_another),
    "what another may play": ("kartoteka.server.rooms.room.sheet_of", _choices_for_all),
    "the pack when looking back": ("kartoteka.server.web.sockets.past_of", _past_with_the_pack),
    "hidden cards in a refusal": ("kartoteka.server.table.decide._made", _refusal_with_hidden_cards),
}


@pytest.mark.parametrize("leak", LEAKS)
def test_a_leak_is_found(pair: tuple[House, House], leak: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(*LEAKS[leak])
    game = next(game for game in HIDING if game.usual == 2)
    twins, differ = differences(pair, game, 2, Chance(monkeypatch), cuts=1)
    assert twins
    assert differ
