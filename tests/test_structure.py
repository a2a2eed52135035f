"""The shape of the code: who may import whom, and that nothing outside a game's folder names it."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import kartoteka
from kartoteka.engine import registry

ROOT = Path(kartoteka.__file__).parent
MAY_IMPORT: dict[str, set[str]] = {
    "text": set(),
    "cards": {"text"},
    "core": set(),
    "engine": {"cards", "core", "text"},
    "games": {"cards", "core", "engine", "text"},
    "players": {"core", "engine", "text"},
    "study": {"core", "engine", "players", "server.web", "text"},  # it starts a server to load it
    "server": {"text"},
    "server.table": {"cards", "engine", "players", "server", "text"},
    "server.html": {"cards", "engine", "server", "server.table", "text"},
    "server.rooms": {"engine", "server", "server.html", "server.table", "text"},
    "server.web": {"engine", "players", "server", "server.html", "server.rooms", "server.table", "text"},
    "terminal": {"cards", "core", "engine", "players", "server.web", "study", "text"},  # it starts all the others
}
"""What each wing may import besides itself; `kartoteka` itself holds no more than its public names."""


def _wing(module: str) -> str:
    """The wing that a module of ours is in: ``server.table`` of ``kartoteka.server.table.due``."""
    names = module.split(".")[1:]
    deep = names[0] == "server" and (ROOT / "server" / names[1]).is_dir() if len(names) > 1 else False
    return ".".join(names[:2] if deep else names[:1])


def _imports(path: Path) -> set[str]:
    """The modules of ours that a file imports, ``from kartoteka.server import faults`` as the module it means."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            below = ROOT.parent.joinpath(*node.module.split("."))
            for alias in node.names:
                inner = (below / alias.name).is_dir() or (below / f"{alias.name}.py").exists()
                found.add(f"{node.module}.{alias.name}" if inner else node.module)
    return {module for module in found if module.startswith("kartoteka.")}


def _module(path: Path) -> str:
    return ".".join(path.relative_to(ROOT.parent).with_suffix("").parts)


def test_every_wing_is_named() -> None:
    wings = {_wing(_module(path)) for path in ROOT.rglob("*.py") if path != ROOT / "__init__.py"}
    assert wings == set(MAY_IMPORT)


def test_imports_point_down() -> None:
    wrong = []
    for path in ROOT.rglob("*.py"):
        if path == ROOT / "__init__.py":
            continue
        wing = _wing(_module(path))
        wrong += [(_module(path), m) for m in _imports(path) if _wing(m) not in {wing, *MAY_IMPORT[wing]}]
    assert not wrong


def test_no_two_wings_import_each_other() -> None:
    for wing, below in MAY_IMPORT.items():
        assert not [other for other in below if wing in MAY_IMPORT[other]], wing


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
        if ROOT / "games" in path.parents and path.parent.name != "games":
            continue
        code = ast.parse(path.read_text(encoding="utf-8"))
        docs = _docs(code)
        for node in ast.walk(code):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value not in docs:
                named += [(path.name, node.lineno)] if names.search(node.value) else []
            if isinstance(node, ast.Name | ast.Attribute):
                word = node.id if isinstance(node, ast.Name) else node.attr
                named += [(path.name, node.lineno)] if names.search(word) else []
    assert not named


def test_no_two_classes_share_a_name() -> None:
    named: dict[str, list[str]] = {}
    for path in ROOT.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                named.setdefault(node.name, []).append(_module(path))
    assert not {name: places for name, places in named.items() if len(places) > 1}


def _writes_text(call: ast.Call) -> bool:
    """Whether a call opens a file for text to be written, or writes it."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    if name == "write_text":
        return True
    words = [
        word.value for word in (*call.args[:2], *(k.value for k in call.keywords)) if isinstance(word, ast.Constant)
    ]
    modes = [word for word in words if isinstance(word, str) and re.fullmatch("[rwaxbt+]{1,3}", word)]
    return name in ("open", "fdopen") and any(set(mode) & set("wax+") and "b" not in mode for mode in modes)


def test_files_are_the_same_bytes_on_every_system() -> None:
    """Nothing is written as text without saying how lines end."""
    ours = [path for part in ("src", "docs", "examples", "tools") for path in (ROOT.parents[1] / part).rglob("*.py")]
    assert len(ours) > 100
    loose = [
        (path.name, node.lineno) for path in ours for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and _writes_text(node) and "newline" not in {k.arg for k in node.keywords}
    ]  # fmt: skip
    assert not loose


def test_modules_stay_small() -> None:
    long = {p.name: n for p in ROOT.rglob("*.py") if (n := len(p.read_text(encoding="utf-8").splitlines())) > 500}
    assert not long
