"""The core: marks that change nothing, loops bound to a game, machine code made from just what it comes from."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kartoteka
from kartoteka.core import Core, loop, rule
from kartoteka.core.loops import best_at, contest, playouts
from kartoteka.core.machine import MachineCore
from kartoteka.engine import registry, variant
from kartoteka.engine.declare import Game
from kartoteka.engine.variant import Variant, usual
from tests.waits import HANGS

GAMES = list(registry.games().values())
PACKAGE = Path(kartoteka.__file__).parent


def _python(script: str, *words: str, **environment: str) -> str:
    """What a script prints in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", script, *words], env={**os.environ, **environment},
        capture_output=True, text=True, check=False, timeout=HANGS,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def plain_core(game: Game) -> Core:
    """A game's functions in plain Python, also where tests begin with machine code."""
    return Core(game.module("rules"), game.module("policy"))


# --- marks -------------------------------------------------------------------------------------------------


def test_a_marked_function_stays_what_it_is() -> None:
    def function() -> int:
        return 1

    assert rule(function) is function
    assert loop(function) is function


@loop
def _calls_what_is_not_marked() -> int:
    return _not_marked()


def _not_marked() -> int:
    return 1


def test_a_rule_that_calls_what_is_not_marked_is_told_how_to_mend_it() -> None:
    with pytest.raises(TypeError, match=r"calls _not_marked, which is not marked: put @rule before its def"):
        plain_core(GAMES[0]).bind(_calls_what_is_not_marked)


# --- bound to a game ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_a_loop_is_bound_once_and_runs_the_game_s_own_functions(game: Game) -> None:
    core = plain_core(game)
    assert core.bind(best_at) is core.best_at
    assert core.reached([best_at]) >= {game.module("rules").legal, game.module("policy").rate}
    assert not [f for f in core.reached([contest]) if f.__module__ == "kartoteka.core.game" and f.__name__ == "legal"]


def test_what_nobody_uses_is_not_compiled() -> None:
    chosen = usual(GAMES[0])
    chosen.prepare()
    core: Any = MachineCore(chosen.game.module("rules"), chosen.game.module("policy"))
    core.load(chosen.blank(), chosen.pack())
    assert core.play_at.signatures
    assert not core.bind(playouts).signatures
    assert not core.bind(contest).signatures


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_a_deal_changes_over_from_plain_python_between_two_moves(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = usual(game)
    chosen.prepare()
    compiled = chosen.deal(seed="change over")
    while not compiled.over:
        compiled.push(compiled.moves[compiled.ply % len(compiled.moves)])
    half = compiled.ply // 2
    in_force: dict[Game, Core] = {game: plain_core(game)}
    monkeypatch.setattr(variant, "_IN_FORCE", in_force)
    assert not chosen.core.loaded
    changing = chosen.deal(seed="change over")
    while not changing.over:
        if changing.ply == half:
            chosen.prepare()
            assert in_force[game].loaded
        changing.push(changing.moves[changing.ply % len(changing.moves)])
    assert changing.to_bytes() == compiled.to_bytes()
    assert changing.history == compiled.history


# --- without numba -----------------------------------------------------------------------------------------

WITHOUT = """
import sys
class NoNumba:
    def find_spec(self, name, path=None, target=None):
        if name.partition('.')[0] in ('numba', 'llvmlite'):
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, NoNumba())
import kartoteka
from kartoteka.core import chance
for name in kartoteka.games():
    v = kartoteka.game(name)
    v.prepare()
    p, rng = v.deal(seed='without'), chance('without')
    while not p.over and p.ply < 60:
        p.push(p.best(rng))
        p.view(1), p.hidden(1), p.redeal(1, seed=1), p.mask
    print(name, p.to_bytes().hex())
assert not [name for name in sys.modules if name.startswith(('numba', 'llvmlite'))]
"""


def test_all_games_are_imported_and_played_where_numba_is_not_installed() -> None:
    plain = dict(line.split() for line in _python(WITHOUT).splitlines())
    assert set(plain) == set(registry.games())
    for game in GAMES:
        p, rng = usual(game).deal(seed="without"), kartoteka.core.chance("without")
        while not p.over and p.ply < 60:
            p.push(p.best(rng))
        assert plain[game.name] == p.to_bytes().hex()


# --- the digest --------------------------------------------------------------------------------------------

DIGESTS = """
import json, sys, kartoteka
from pathlib import Path
from kartoteka.core import cache
from kartoteka.core.binding import LOOPS
from kartoteka.engine.variant import machine_core
package = Path(kartoteka.__file__).parent
cores = {name: machine_core(kartoteka.game(name).game) for name in kartoteka.games()}
reached = {name: core.reached(LOOPS) for name, core in cores.items()}
def digests():
    return {name: cache.digest(core.dtype, reached[name]) for name, core in cores.items()}
def edited(file):
    before = file.read_bytes()
    file.write_bytes(before + b'# edited')
    found = digests()
    file.write_bytes(before)
    return found
files = {name: {str(f.relative_to(package)) for fn in reached[name] for f in cache.sources(fn)} for name in cores}
others = json.loads(sys.argv[1])
print(json.dumps({
    'folders': {name: core.folder.name for name, core in cores.items()}, 'digests': digests(),
    'files': {name: sorted(found) for name, found in files.items()},
    'edited': {file: edited(package / file) for file in sorted(set(others).union(*files.values()))},
}))
"""


def _digests(package: Path, *others: str) -> Any:
    """What machine code a copy of the package would have, and would after an edit of each of the files concerned."""
    environment = {"PYTHONPATH": str(package.parent), "KARTOTEKA_CACHE": str(package.parent / "cache")}
    return json.loads(_python(DIGESTS, json.dumps(others), **environment))


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the package that can be edited."""
    leave = shutil.ignore_patterns("__pycache__", "server", "locale")
    return Path(shutil.copytree(PACKAGE, tmp_path / "kartoteka", ignore=leave))


def test_an_edit_leads_to_new_machine_code_just_where_it_comes_from(copy: Path) -> None:
    elsewhere = ["text.py", "engine/position.py", "players/__init__.py", f"games/{GAMES[0].name}/notation.py"]
    found = _digests(copy, *elsewhere)
    before, files = found["digests"], {name: set(files) for name, files in found["files"].items()}
    assert found["folders"] == {name: f"{name}-{digest}" for name, digest in before.items()}
    assert _digests(copy)["digests"] == before
    for name in before:
        own = {file for file in files[name] if file.startswith(f"games/{name}/")}
        assert own >= {f"games/{name}/rules.py", f"games/{name}/policy.py"}
        assert {"core/loops.py", "core/chance.py"} <= files[name] - own <= {
            "core/loops.py", "core/chance.py", "core/game.py", "cards.py",
        }  # fmt: skip
    assert set().union(*files.values()) >= {"core/game.py", "cards.py"}
    for file, after in found["edited"].items():
        changed = {name for name in before if after[name] != before[name]}
        assert changed == {name for name in before if file in files[name]}, file
        assert changed or file in elsewhere


def test_a_value_counts_wherever_it_was_made(copy: Path) -> None:
    """A constant is compiled in, though the file that a rule imports it from may have it from another."""
    (copy / "faraway.py").write_text("NUMBER = 1\n")
    with (copy / "cards.py").open("a") as cards:
        cards.write("\nfrom kartoteka.faraway import NUMBER\nJOKER *= NUMBER\n")
    one = _digests(copy)
    (copy / "faraway.py").write_text("NUMBER = 2\n")
    two = _digests(copy)
    assert "faraway.py" not in set().union(*two["files"].values())
    assert {name for name in one["digests"] if one["digests"][name] != two["digests"][name]}


def test_the_machine_s_own_functions_are_not_those_of_another_game() -> None:
    """Machine code is told apart by names: every bound function has its game's."""
    names = []
    for game in GAMES:
        core: Any = variant.machine_core(game)
        names += [function.__qualname__ for function in (core.legal_at, core.bind(playouts))]
    assert len(set(names)) == len(names)


def test_a_loop_from_elsewhere_lies_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    core = variant.machine_core(GAMES[0])
    monkeypatch.setitem(globals(), "_FACTOR", 3)
    assert core._folder_for(_from_elsewhere) != core.folder
    assert core._folder_for(playouts) == core.folder
    assert core.bind(_from_elsewhere)(4) == 12


_FACTOR = 3


@loop
def _from_elsewhere(n: int) -> int:
    return _FACTOR * n


def test_prepared_games_play_by_loaded_machine_code() -> None:
    chosen: Variant = usual(GAMES[0])
    chosen.prepare()
    assert chosen.prepared
    assert chosen.made
    assert isinstance(chosen.core, MachineCore)
    assert len(chosen.deal(seed=1).moves) == np.count_nonzero(chosen.deal(seed=1).mask)
