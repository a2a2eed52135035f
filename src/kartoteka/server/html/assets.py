"""Still files: styles, scripts and pictures, ours and each game's, under an address that changes whenever they do.

All of them share one folder, named after a digest of them all, so that modules find each other by relative names, as
they are written. What lies under that name never changes and may be kept for good.
"""

from __future__ import annotations

import functools
import hashlib
import re
from pathlib import Path

from kartoteka.engine import registry
from kartoteka.engine.declare import Game

FOLDER = Path(__file__).with_name("static")
OWN = ("board.css", "picture.png")
"""What a game's folder `page` may hold of them."""

_VERSION = re.compile(r"[0-9a-f]{16}")
_IMPORT = re.compile(r'^(?:import|export)\s(?:[^"\';]*?\sfrom\s*)?["\']\./([\w.-]+)["\']', re.MULTILINE)


@functools.cache
def _folders() -> list[tuple[str, Path, tuple[str, ...]]]:
    """Return where they lie: what stands before their names, the folder, and which of its files (``()``: all)."""
    games = registry.games().values()
    return [("", FOLDER, ()), *((f"{game.name}/", game.folder / "page", OWN) for game in games)]


def files() -> dict[str, Path]:
    """Return the files by name: ``table.js``, or ``GAME/board.css`` for a game's own."""
    return {
        before + path.name: path
        for before, folder, names in _folders()
        for path in ([folder / name for name in names] or folder.iterdir())
        if path.is_file()
    }


def version() -> str:
    """Return a digest of all of them as they are now: an edit shows when the page is loaded anew."""
    found = []
    for name, path in sorted(files().items()):
        stat = path.stat()
        found.append((name, path, stat.st_mtime_ns, stat.st_size))
    return _digest(tuple(found))


@functools.lru_cache(maxsize=1)
def _digest(found: tuple[tuple[str, Path, int, int], ...]) -> str:
    digest = hashlib.sha256()
    for name, path, _changed, size in found:
        digest.update(f"{name} {size} ".encode() + path.read_bytes())
    return digest.hexdigest()[:16]


def split(path: str) -> tuple[str, str]:
    """Return the version and the name that a path below ``/static/`` means; the version is ``''`` if it has none."""
    first, _slash, rest = path.partition("/")
    return (first, rest) if _VERSION.fullmatch(first) else ("", path)


def own(game: Game, file: str) -> str:
    """Return the name of a game's own file such as ``board.css``, ``''`` if it has none."""
    return f"{game.name}/{file}" if (game.folder / "page" / file).is_file() else ""


@functools.lru_cache(maxsize=8)
def modules(entries: tuple[str, ...], _version: str) -> tuple[str, ...]:
    """Return the modules that these import, and those that they import, so that a page can ask for all at once."""
    found: dict[str, None] = {}
    waiting = list(entries)
    while waiting:
        for name in _IMPORT.findall((FOLDER / waiting.pop(0)).read_text(encoding="utf-8")):
            if name not in found:
                found[name] = None
                waiting.append(name)
    return tuple(name for name in found if name not in entries)
