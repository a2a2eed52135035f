"""A sixth game in another package is found, compiled, played, saved and replayed like the five."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from kartoteka.engine import registry
from tests.waits import HANGS


@pytest.fixture
def elsewhere(tmp_path: Path) -> dict[str, str]:
    """An environment in which a package of another name holds a game: one of the five under another name."""
    like = next(iter(registry.games().values()))
    package = tmp_path / "elsewhere" / "sixth"
    shutil.copytree(like.folder, package, ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "elsewhere" / "__init__.py").write_text("")
    for path in package.glob("*.py"):
        text = path.read_text(encoding="utf-8").replace(like.package, "elsewhere.sixth")
        text = text.replace(f'name="{like.name}"', 'name="sixth"').replace(f'title="{like.title}"', 'title="Sixth"')
        path.write_text(text.replace(f'native="{like.native}"', 'native="Шестая"'), encoding="utf-8")
    info = tmp_path / "elsewhere-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: elsewhere\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[kartoteka.games]\nsixth = elsewhere.sixth:GAME\n")
    found = os.pathsep.join(filter(None, (str(tmp_path), os.environ.get("PYTHONPATH"))))
    return {**os.environ, "PYTHONPATH": found, "KARTOTEKA_CACHE": str(tmp_path / "cache")}


def test_a_game_of_another_package_is_played_like_the_five(elsewhere: dict[str, str], tmp_path: Path) -> None:
    def run(*words: str) -> str:
        command = [sys.executable, "-m", "kartoteka.terminal.main", *words]
        return subprocess.run(
            command, env=elsewhere, capture_output=True, text=True, check=True, timeout=HANGS
        ).stdout

    assert "sixth" in [game["name"] for game in json.loads(run("games", "--json"))]
    records = tmp_path / "records.jsonl"
    records.write_text(run("simulate", "шестая", "--seed", "1"))
    assert json.loads(records.read_text())["game"] == "sixth"
    assert "1 record verified" in run("replay", str(records))


def test_an_edited_rule_is_compiled_anew(elsewhere: dict[str, str], tmp_path: Path) -> None:
    """Machine code of a source that has changed is never served."""
    script = "import kartoteka; g = kartoteka.game('sixth'); g.prepare(); print(len(g.deal(seed=1).moves))"
    command = [sys.executable, "-c", script]

    def legal_moves() -> int:
        return int(
            subprocess.run(command, env=elsewhere, capture_output=True, text=True, check=True, timeout=HANGS).stdout
        )

    assert legal_moves() > 1
    rules = tmp_path / "elsewhere" / "sixth" / "rules.py"
    text = rules.read_text(encoding="utf-8")
    head, _sign, rest = text.partition("def legal(")
    signature, _sign, body = rest.partition("\n")
    body = body.replace("    n = 0\n", "    n = 0\n    if n == 0:\n        out[0] = 0\n        return 1\n", 1)
    rules.write_text(f"{head}def legal({signature}\n{body}", encoding="utf-8")
    assert legal_moves() == 1
