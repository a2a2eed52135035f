"""The package as others get it: a wheel in a fresh environment plays in the terminal and serves its pages."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import sysconfig
import urllib.request
import venv
import zipfile
from pathlib import Path

import pytest

from kartoteka.engine import registry
from tests.waits import HANGS

ROOT = Path(__file__).parents[1]


def _run(*command: str | Path, cwd: Path) -> str:
    env = {**os.environ, "KARTOTEKA_CACHE": str(cwd / "cache"), "KARTOTEKA_DATA": str(cwd / "data")}
    env.pop("PYTHONPATH", None)
    env["NUMBA_DISABLE_JIT"] = "1"  # the same games, without waiting for the compiler
    done = subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, check=False, timeout=HANGS)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)], cwd=ROOT, check=True
    )
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def command(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The command of the wheel, installed where nothing of this checkout is; what it depends on is borrowed."""
    home = tmp_path_factory.mktemp("fresh")
    venv.create(home, with_pip=False, symlinks=True)
    pip = [sys.executable, "-m", "pip", "--python", str(home), "install", "--quiet", "--no-deps", "--no-index"]
    subprocess.run([*pip, str(wheel)], check=True)
    scripts = home / ("Scripts" if os.name == "nt" else "bin")
    site = next(home.rglob("site-packages"))
    (site / "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n")  # its own .pth files are not read
    found = _run(scripts / "python", "-c", "import kartoteka; print(kartoteka.__file__)", cwd=home)
    assert Path(found.strip()).is_relative_to(home)
    return scripts / "kartoteka"


def test_the_wheel_holds_the_package_and_nothing_else(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.split("/")[0].split("-")[0] for name in names} == {"kartoteka"}
    for game in registry.games().values():
        assert f"kartoteka/games/{game.folder.name}/rulebook/en.md" in names
    assert not [name for name in names if name.endswith((".pyc", ".map", "package.json"))]


def test_the_wheel_plays_a_game_in_a_fresh_environment(command: Path, tmp_path: Path) -> None:
    records = _run(command, "simulate", next(iter(registry.games())), "--games", "1", "--seed", "1", cwd=tmp_path)
    (tmp_path / "game.jsonl").write_text(records, encoding="utf-8")
    assert "1 record verified" in _run(command, "replay", "game.jsonl", cwd=tmp_path)


def test_the_wheel_serves_its_pages(command: Path, tmp_path: Path) -> None:
    env = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    env.pop("PYTHONPATH", None)
    serve = [str(command), "serve", "--port", "0", "--data", str(tmp_path)]
    with subprocess.Popen(serve, cwd=tmp_path, env=env, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout
            site = next(word for word in server.stdout.readline().split() if word.startswith("http"))
            with urllib.request.urlopen(site) as page:
                text = page.read().decode()
            assert all(game.title in text for game in registry.games().values())
            needs = re.findall(r'(?:href|src)="/([^"]+\.(?:css|js|png|svg|ico|webmanifest))"', text)
            assert needs
            for path in [*needs, *(f"rules/{name}" for name in registry.games())]:
                with urllib.request.urlopen(site + path) as answer:
                    assert answer.status == 200
        finally:
            server.terminate()
