"""The command line: what each command prints, and how it ends."""

from __future__ import annotations

import contextlib
import importlib
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from kartoteka.engine import registry
from kartoteka.engine.declare import Game
from kartoteka.engine.match import Match
from kartoteka.engine.record import Seat
from kartoteka.engine.variant import Variant
from kartoteka.terminal.common import output
from kartoteka.terminal.play import _write
from kartoteka.terminal.saves import Slot
from kartoteka.terminal.session import Quit
from tests.waits import HANGS

GAMES = list(registry.games().values())
every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)


@pytest.fixture
def home(tmp_path: Path) -> dict[str, str]:
    """An environment in which unfinished games are kept apart."""
    return {**os.environ, "KARTOTEKA_DATA": str(tmp_path / "data"), "COLUMNS": "100", "TERM": "dumb"}


def run(*words: str, typed: str = "", env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "kartoteka.terminal.main", *words]
    return subprocess.run(command, input=typed, capture_output=True, text=True, env=env, check=False, timeout=HANGS)


def test_games_lists_them_all() -> None:
    done = run("games")
    assert done.returncode == 0
    for game in GAMES:
        assert game.name in done.stdout
    listed = json.loads(run("games", "--json").stdout)
    assert [g["name"] for g in listed] == [g.name for g in GAMES]
    assert [o["name"] for o in listed[0]["options"]] == [o.name for o in GAMES[0].options]


def test_what_is_written_has_the_same_bytes_on_every_system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files are opened as where lines end otherwise."""
    monkeypatch.setattr(io, "open", importlib.import_module("_pyio").open)
    monkeypatch.setattr(os, "linesep", "\r\n")
    (tmp_path / "loose").write_text("a\n")
    assert (tmp_path / "loose").read_bytes() == b"a\r\n"
    game = GAMES[0]
    match = Match.of(Variant(game, min(game.players), game.settle({})), "bytes")
    with output(tmp_path / "out") as write:
        write("a")
        write("b")
    assert (tmp_path / "out").read_bytes() == b"a\nb\n"
    _write(tmp_path / "save", match, [Seat("Ann", "human")] * min(game.players))
    slot = Slot(tmp_path / "slot.json")
    slot.keep(match, [Seat("Ann", "human")] * min(game.players))
    for name in ("save", "slot.json"):
        assert b"\r" not in (tmp_path / name).read_bytes()
        assert len((tmp_path / name).read_bytes()) > 100


@pytest.mark.parametrize("command", ["replay", "verify"])
def test_a_mark_before_the_records_is_skipped_and_another_encoding_named(command: str, tmp_path: Path) -> None:
    lines = run("simulate", GAMES[0].name, "--seed", "1", "--games", "2").stdout
    (tmp_path / "marked").write_text("\n" + lines, encoding="utf-8-sig")
    told = run(command, str(tmp_path / "marked"))
    (tmp_path / "plain").write_text(lines, encoding="utf-8")
    assert (
        told.stdout.replace("marked", "plain").replace("line 2", "line 1").replace("line 3", "line 2")
        == run(command, str(tmp_path / "plain")).stdout
    )
    (tmp_path / "wide").write_text(lines, encoding="utf-16")
    wide = run(command, str(tmp_path / "wide"))
    assert wide.returncode == 1
    assert "this file is UTF-16; save it as UTF-8" in wide.stdout + wide.stderr
    assert "Traceback" not in wide.stderr


@every_game
def test_rules_prints_the_book_a_clause_the_source_and_the_options(game: Game) -> None:
    whole = run("rules", game.name)
    assert whole.returncode == 0
    assert "An example of play" in whole.stdout
    clause = game.clauses[-1]
    for words in ([clause], [clause.split()[1]], [clause.lower()], clause.split()):
        assert clause in run("rules", game.name, *words).stdout
    assert "sentence" in run("rules", game.name, "--source").stdout
    options = run("rules", game.name, "--options").stdout
    assert all(o.name in options and o.clause in options for o in game.options)
    assert "Notation" in run("rules", game.name, "notation").stdout
    described = json.loads(run("rules", game.name, "--json").stdout)
    assert [c["id"] for c in described["clauses"]] == list(game.clauses)


@pytest.mark.parametrize(
    ("words", "nearest"),
    [
        (["rules", "abrosta"], "abroasta"),
        (["rules", "abroasta", "9.9"], "ABR"),
        (["play", "parket", "--new"], "parkett"),
        (["play", "parkett", "--players", "3", "--new"], "2"),
        (["play", "parkett", "--option", "crosss=free"], "cross"),
        (["play", "parkett", "--option", "cross=fre"], "free"),
        (["play", "parkett", "--option", "cross"], "name=value"),
        (["play", "parkett", "--seats", "human,robot"], "random"),
        (["play", "parkett", "--against", "greedi"], "greedy"),
        (["play", "parkett", "--save", "/nowhere/at/all.json"], "/nowhere/at/all.json"),
        (["play", "abroasta", "--best-of", "3", "--new"], "target"),
        (["simulate", "parkett", "--by", "clever"], "greedy"),
        (["simulate", "parkett", "--by", "random,greedy,random"], "2 seats"),
        (["simulate", "parkett", "--games", "0"], "games"),
        (["simulate", "parkett", "--out", "/nowhere/at/all.json"], "/nowhere/at/all.json"),
        (["replay", "/nowhere/at/all.json"], "/nowhere/at/all.json"),
        (["repaly"], "replay"),
        (["play", "parkett", "--playrs", "2"], "--players"),
    ],
)
def test_what_is_not_there_is_said_in_a_sentence_with_status_2(words: list[str], nearest: str) -> None:
    done = run(*words)
    assert done.returncode == 2
    assert nearest in done.stderr
    assert "Traceback" not in done.stderr


@every_game
def test_simulate_gives_the_same_bytes_for_the_same_seed_and_replay_verifies_them(game: Game, tmp_path: Path) -> None:
    file = tmp_path / "records.jsonl"
    words = ["simulate", game.name, "--games", "2", "--seed", "7", "--by", "greedy"]
    first = run(*words)
    assert first.returncode == 0, first.stderr
    assert run(*words, "--out", str(file)).returncode == 0
    assert file.read_text() == first.stdout
    assert run(*words[:-3], "8").stdout != first.stdout
    done = run("replay", str(file), "--words")
    assert done.returncode == 0
    assert "2 records verified" in done.stdout
    trace = run(*words, "--trace").stdout
    for deal in json.loads(trace.splitlines()[0])["deals"]:
        assert len(deal["moves"]) == len(deal["turns"]) == len(deal["legal"])
        assert all(move in legal for move, legal in zip(deal["moves"], deal["legal"], strict=True))


@every_game
def test_replay_stops_at_the_first_fault_with_line_ply_move_and_clause(game: Game, tmp_path: Path) -> None:
    lines = run("simulate", game.name, "--games", "2", "--seed", "3").stdout.splitlines()
    document = json.loads(lines[1])
    moves = document["deals"][0]["moves"]
    moves[4] = moves[3]
    file = tmp_path / "faulty.jsonl"
    file.write_text(f"{lines[0]}\n\n{json.dumps(document)}\n")
    done = run("replay", str(file))
    assert done.returncode == 1
    assert f"line 3: deals[0].moves[4]: {moves[3]!r}" in done.stderr
    assert f"({game.code} " in done.stderr
    fault = json.loads(run("replay", str(file), "--json").stdout)["fault"]
    assert fault["line"] == 3
    assert fault["place"] == "deals[0].moves[4]"
    file.write_text(json.dumps(json.loads(lines[0]), indent=2))
    assert run("replay", str(file)).returncode == 0


@pytest.mark.parametrize(
    "content", [b"", b"\n\n", b"\xff\xfe\x00", b"{}", b"[1,2]", b"{" * 5000, b'{"format":"kartoteka/1"}']
)
def test_replay_of_anything_else_is_a_fault_not_a_crash(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "anything"
    file.write_bytes(content)
    done = run("replay", str(file))
    assert done.returncode == 1
    assert done.stderr
    assert "Traceback" not in done.stderr


@every_game
def test_a_whole_game_is_played_saved_and_replayed(game: Game, tmp_path: Path, home: dict[str, str]) -> None:
    file = tmp_path / "game.json"
    points = ["--option", "target=1"] if any(o.name == "target" for o in game.options) else []
    words = ["play", game.name, "--seed", "5", "--players", str(min(game.players)), "--save", str(file), *points]
    done = run(*words, typed="1\n" * 4000, env=home)
    assert done.returncode == 0, done.stderr
    assert "Won by" in done.stdout or "A draw" in done.stdout
    assert run("replay", str(file)).returncode == 0
    assert not list((Path(home["KARTOTEKA_DATA"]) / "unfinished").glob("*.json"))


@every_game
def test_a_refused_move_names_its_clause_and_the_clause_can_be_read(game: Game, home: dict[str, str]) -> None:
    typed = f"xyzzy\n? notation\n? {game.clauses[0]}\n?\nlog\nundo\n\nquit\n"
    done = run("play", game.name, "--seed", "1", "--new", typed=typed, env=home)
    assert done.returncode == 0, done.stderr
    assert f"({game.code} notation)" in " ".join(done.stdout.split())
    assert game.clauses[0] in done.stdout
    assert "Your game is kept" in done.stdout


@every_game
def test_an_interrupted_game_goes_on_where_it_was(game: Game, home: dict[str, str]) -> None:
    words = ["play", game.name, "--seed", "9"]
    begun = run(*words, typed="1\n1\n", env=home)
    assert begun.returncode == 0
    kept = list((Path(home["KARTOTEKA_DATA"]) / "unfinished").glob("*.json"))
    assert len(kept) == 1
    moves = json.loads(kept[0].read_text())["record"]["deals"][-1]["moves"]
    assert len(moves) >= 2
    again = run("play", game.name, typed="y\nlog\nquit\n", env=home)
    assert again.returncode == 0, again.stderr
    assert "unfinished game" in again.stdout
    assert f"\n{len(moves)}. " in again.stdout
    assert json.loads(kept[0].read_text())["record"]["deals"][-1]["moves"] == moves


def test_a_killed_game_loses_nothing(home: dict[str, str]) -> None:
    import pexpect

    command = f"{sys.executable} -m kartoteka.terminal.main play --new --seed 4 {GAMES[0].name}"
    child = pexpect.spawn(command, env=home, encoding="utf-8", timeout=HANGS)
    child.expect(" › ")
    child.sendline("1")
    child.expect(" › ")
    child.kill(9)
    child.wait()
    kept = next((Path(home["KARTOTEKA_DATA"]) / "unfinished").glob("*.json"))
    assert len(json.loads(kept.read_text())["record"]["deals"][0]["moves"]) > 1
    again = run("play", typed="y\nquit\n", env=home)
    assert "unfinished game" in again.stdout


def test_a_move_is_taken_back_where_nothing_hidden_came_to_light(home: dict[str, str]) -> None:
    """In a game without hidden cards always; a card laid from a hidden hand never."""
    taken, refused = [], []
    for game in GAMES:
        done = run("play", game.name, "--seed", "6", "--new", typed="1\nundo\nlog\nquit\n", env=home)
        kept = max((Path(home["KARTOTEKA_DATA"]) / "unfinished").glob(f"{game.name}-*.json"), key=os.path.getmtime)
        deal = json.loads(kept.read_text())["record"]["deals"][0]
        said = " ".join(done.stdout.split())
        if "Taken back to move" in said:
            taken.append(bool(deal["deck"]))
            assert len(deal["moves"]) < 2
        elif "cannot be taken back" in said:
            refused.append(bool(deal["deck"]))
            assert len(deal["moves"]) >= 1
    assert False in taken
    assert True in refused
    assert False not in refused


@pytest.mark.parametrize("game", [g for g in GAMES if g.pack(g.usual)], ids=lambda g: g.name)
def test_nobody_at_a_shared_screen_reads_what_their_seat_may_not_see(game: Game) -> None:
    import io
    import re

    from rich.console import Console

    from kartoteka.cards import TEXT, glyph, name
    from kartoteka.engine.match import Match
    from kartoteka.engine.record import Seat
    from kartoteka.engine.telling import label
    from kartoteka.engine.variant import Variant
    from kartoteka.terminal.session import Session

    words = {glyph(c): TEXT[c] for c in range(52)} | {name(c): TEXT[c] for c in range(52)}
    pattern = re.compile("|".join(sorted(map(re.escape, words), key=len, reverse=True)))
    players = min(game.players)
    match = Match(Variant(game, players, game.settle({})), "shared")
    screen = io.StringIO()
    console = Console(file=screen, width=200)
    session = Session(console, match, [Seat(f"Ann {k}", "human") for k in range(players)], lambda: None)
    public: set[str] = set()
    asked = 0

    def answer(prompt: str = "") -> str:
        nonlocal asked
        asked += 1
        shown = {words[w] for w in pattern.findall(screen.getvalue())}
        screen.seek(0)
        screen.truncate()
        position = match.position
        for z in position.view(0).zones:
            public.update(z.cards, [c.card for c in z.cells])
        zones = position.view(session.looking).zones
        seen = {card for z in zones for card in z.cards}
        wanted = [note for z in zones for note in z.notes] + [label(position, m) for m in position.moves]
        seen |= {words[w] for w in pattern.findall(" ".join(wanted))}  # named, not shown
        assert shown <= public | seen, (shown - public - seen, prompt)
        if asked > 120 or "press Enter" in prompt or match.position.over:
            if asked > 120:
                raise EOFError
            return ""
        move = str(position.moves[asked % len(position.moves)])
        public.update(move[k : k + 2] for k in range(len(move)))
        return move

    console.input = answer  # type: ignore[method-assign,assignment]
    with contextlib.suppress(Quit):
        session.run()
    assert asked > 20


def test_two_people_do_not_see_each_others_hands(home: dict[str, str]) -> None:
    game = next(g for g in GAMES if len(g.players) > 1)
    done = run("play", game.name, "--seats", "human,human", "--seed", "2", typed="\n1\n\nquit\n", env=home)
    assert "press Enter when only you look" in done.stdout


@every_game
def test_lot_decides_the_seat_where_a_seat_is_a_colour(game: Game) -> None:
    from kartoteka.terminal.play import _seated

    seated = {tuple(_seated(game, ["human", "greedy"], str(seed))) for seed in range(20)}
    assert len(seated) == (2 if game.fixed_dealer else 1)


def test_an_unreadable_unfinished_game_is_named_and_passed_over(home: dict[str, str]) -> None:
    folder = Path(home["KARTOTEKA_DATA"]) / "unfinished"
    folder.mkdir(parents=True)
    for k, text in enumerate(("", "{", "[" * 100_000, '{"format": "kartoteka-unfinished/9"}', '{"best_of": 0}')):
        (folder / f"{GAMES[0].name}-{k}.json").write_text(text)
    (folder / f"{GAMES[0].name}-dangling.json").symlink_to(folder / "nowhere")
    done = run("play", GAMES[0].name, "--seed", "1", typed="quit\n", env=home)
    assert done.returncode == 0, done.stderr
    assert " ".join(done.stdout.split()).count("cannot be read") == 5
    assert "Your game is kept" in done.stdout


def test_a_game_is_kept_when_its_record_cannot_be_written(home: dict[str, str]) -> None:
    done = run("play", "parkett", "--new", "--seed", "1", "--save", "/dev/full", typed="1\n" * 200, env=home)
    assert done.returncode == 2
    assert list((Path(home["KARTOTEKA_DATA"]) / "unfinished").glob("*.json"))


def test_damaged_machine_code_is_made_anew(tmp_path: Path) -> None:
    env = {**os.environ, "KARTOTEKA_CACHE": str(tmp_path)}
    words = ["simulate", GAMES[0].name, "--seed", "1"]
    make = [sys.executable, "-m", "kartoteka.engine.workshop", GAMES[0].name]
    subprocess.run(make, env=env, check=True, timeout=HANGS)
    first = run(*words, env=env)
    files = {file: file.stat().st_size for file in tmp_path.rglob("*.nb?")}
    assert len(files) > 5
    for file in files:
        file.write_bytes(file.read_bytes()[:100])
    again = run(*words, env=env)
    assert (again.returncode, again.stdout, again.stderr) == (0, first.stdout, first.stderr)
    subprocess.run(make, env=env, check=True, timeout=HANGS)
    assert {file: file.stat().st_size for file in tmp_path.rglob("*.nb?")} == files


@pytest.mark.parametrize("line", ["1" * 5000, "\x00", "[bold]", "{}", "♥" * 3000, "2c>" + "1" * 5000, "\x1b[31m"])
def test_whatever_is_typed_gets_an_answer(line: str, home: dict[str, str]) -> None:
    for game in GAMES:
        done = run("play", game.name, "--seed", "1", "--new", typed=f"{line}\nquit\n", env=home)
        assert done.returncode == 0, done.stderr
        assert "Your game is kept" in done.stdout


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8:strict"])
def test_any_terminal_will_do(encoding: str, home: dict[str, str]) -> None:
    env = {**home, "PYTHONIOENCODING": encoding}
    command = [sys.executable, "-m", "kartoteka.terminal.main", "play", GAMES[-1].name, "--seed", "1", "--new"]
    done = subprocess.run(
        command, input=b"\xff\nlog\nquit\n", env=env, capture_output=True, check=False, timeout=HANGS
    )
    assert done.returncode == 0, done.stderr
    listed = subprocess.run([*command[:3], "games"], env=env, capture_output=True, check=False, timeout=HANGS)
    assert listed.returncode == 0


def test_a_data_folder_that_cannot_be_written_is_said(home: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = run("play", GAMES[0].name, env={**home, "KARTOTEKA_DATA": str(tmp_path / "file")})
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


def test_starting_imports_no_compiler() -> None:
    script = (
        "import sys; from kartoteka.terminal.main import main\n"
        "try: main(['games'])\nexcept SystemExit: pass\n"
        "assert 'numba' not in sys.modules and 'numpy' not in sys.modules"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False, timeout=HANGS)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_a_game_is_played_before_anything_is_compiled(game: Game, home: dict[str, str], tmp_path: Path) -> None:
    env = {**home, "KARTOTEKA_CACHE": str(tmp_path / "cache")}
    done = run("play", game.name, "--seed", "1", typed="1\nquit\n", env=env)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert "Your game is kept" in done.stdout
    assert not list((tmp_path / "cache").rglob("ready"))
    assert run("simulate", game.name, "--seed", "1", env=env).stdout.startswith("{")
    assert not list((tmp_path / "cache").rglob("ready"))


def test_bench_prints_what_a_program_reads() -> None:
    found = json.loads(run("bench", "--seconds", "0.05", "--json").stdout)
    assert set(found) == {"games", "anchors"}
    assert set(found["games"]) == {g.name for g in GAMES}
    for figures in found["games"].values():
        assert {"moves_per_s", "games_per_s", "copy_ns", "state_bytes"} <= set(figures)
        assert all(value > 0 for value in figures.values())


def test_help_teaches() -> None:
    for words in ([], ["play"], ["simulate"], ["replay"], ["verify"], ["rules"], ["games"], ["bench"]):
        done = run(*words, "--help")
        assert done.returncode == 0
        assert "Usage" in done.stdout
