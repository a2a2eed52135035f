"""The shape of the code: who may import whom, and that nothing outside a game's folder names it."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import kartoteka
from kartoteka.engine import registry

ROOT = Path(kartoteka.__file__).parent
MAY_IMPORT = {
    "engine": {"engine"},
    "games": {"engine", "games"},
    "players": {"engine", "players"},
    "study": {"engine", "players", "study"},
    "server": {"engine", "players", "server"},
    "terminal": {"engine", "players", "server", "study", "terminal"},  # the command line starts all the others
}


def _part(path: Path) -> str:
    return path.relative_to(ROOT).parts[0]


def _imports(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    modules = {n.module or "" for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)}
    modules |= {a.name for n in ast.walk(tree) if isinstance(n, ast.Import) for a in n.names}
    return {m for m in modules if m.startswith("kartoteka.")}


def test_imports_point_down() -> None:
    wrong = []
    for path in ROOT.rglob("*.py"):
        part = _part(path)
        for module in _imports(path):
            target = module.split(".")[1]
            if target in MAY_IMPORT and target not in MAY_IMPORT.get(part, MAY_IMPORT):
                wrong.append((str(path), module))
    assert not wrong


def test_a_game_imports_no_other_game() -> None:
    for path in (ROOT / "games").glob("*/*.py"):
        others = {m for m in _imports(path) if m.startswith("kartoteka.games.")}
        assert all(m.split(".")[2] == path.parent.name for m in others), path


def _docs(code: ast.Module) -> set[str]:
    """Docstrings, whose examples may name a game."""
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef)
    found = {ast.get_docstring(n, clean=False) for n in ast.walk(code) if isinstance(n, documented)}
    return {doc for doc in found if doc}


def test_nothing_outside_its_folder_names_a_game() -> None:
    names = re.compile("|".join(registry.games()), re.IGNORECASE)
    named = []
    for path in ROOT.rglob("*.py"):
        if _part(path) == "games" and path.parent.name != "games":
            continue
        code = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(code):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value not in _docs(code):
                named += [(path.name, node.lineno)] if names.search(node.value) else []
            if isinstance(node, ast.Name | ast.Attribute):
                word = node.id if isinstance(node, ast.Name) else node.attr
                named += [(path.name, node.lineno)] if names.search(word) else []
    assert not named


def test_modules_stay_small() -> None:
    long = {p.name: n for p in ROOT.rglob("*.py") if (n := len(p.read_text(encoding="utf-8").splitlines())) > 500}
    assert not long
