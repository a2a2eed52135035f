"""Where machine code lies on disk: a folder for each game and each state of the sources it was made from."""

from __future__ import annotations

import atexit
import contextlib
import functools
import hashlib
import os
import shutil
import sys
import tempfile
import types
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import platformdirs

from kartoteka.core.marks import named

KEPT = 24
"""How many folders of other sources stay, for each game: several checkouts may be in use on one machine."""

COMPLETE = "ready"
"""The file that says a folder holds all that playing needs."""


# --- from what machine code is made ------------------------------------------------------------------------


def digest(dtype: np.dtype[Any], functions: Iterable[types.FunctionType]) -> str:
    """Return a digest of all that machine code of these functions comes from.

    That is the compiler and the processor, every file that a function or a value it names stands in, and those
    values, which may have been computed from anything.
    """
    summed = hashlib.sha256(repr((*_compiler(), dtype.descr)).encode())
    functions = sorted(functions, key=lambda f: (f.__module__, f.__qualname__))
    for source in sorted({source for function in functions for source in sources(function)}):
        summed.update(f"{source}\n".encode() + source.read_bytes())
    for function in functions:
        for name, value in named(function):
            summed.update(f"{function.__module__} {name} ".encode() + _bytes(value))
    return summed.hexdigest()[:16]


def _compiler() -> tuple[object, ...]:
    import llvmlite.binding as llvm
    import numba

    config: Any = numba.config
    features = llvm.get_host_cpu_features().flatten()
    return numba.__version__, np.__version__, sys.version, config.BOUNDSCHECK, llvm.get_host_cpu_name(), features


def _bytes(value: object) -> bytes:
    if isinstance(value, np.ndarray):
        return repr((value.dtype, value.shape)).encode() + value.tobytes()
    if isinstance(value, types.FunctionType | types.ModuleType):
        return value.__name__.encode()
    return repr(value).encode()


def sources(function: types.FunctionType) -> set[Path]:
    """Return the file a function stands in, and those of our own that the values it names were imported from."""
    found = {Path(function.__code__.co_filename)}
    used = {name for name, value in named(function) if not isinstance(value, types.FunctionType)}
    for module, name in _imported(function.__module__):
        file = getattr(sys.modules.get(module), "__file__", None)
        if name in used and file and file.endswith(".py"):
            found.add(Path(file))
    return found


@functools.cache
def _imported(module: str) -> tuple[tuple[str, str], ...]:
    """Return the names that a module imports from others, each after the module it comes from."""
    import ast
    import importlib.util

    package = sys.modules[module].__package__
    source = Path(str(sys.modules[module].__file__)).read_text(encoding="utf-8")
    return tuple(
        (importlib.util.resolve_name("." * node.level + (node.module or ""), package), alias.asname or alias.name)
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    )


# --- the folder --------------------------------------------------------------------------------------------


def home() -> Path:
    """Return where the folders of all games lie."""
    return Path(os.environ.get("KARTOTEKA_CACHE") or platformdirs.user_cache_dir("kartoteka"))


@functools.cache
def _temporary_home() -> Path:
    """Return a home for this process alone."""
    made = tempfile.mkdtemp(prefix="kartoteka-")
    atexit.register(shutil.rmtree, made, ignore_errors=True)
    return Path(made)


def complete(folder: Path) -> bool:
    """Whether a folder holds all that playing needs."""
    return (folder / COMPLETE).exists()


def note_complete(folder: Path) -> None:
    """Note that a folder now holds all that playing needs."""
    if not complete(folder):
        (folder / COMPLETE).touch()


def folder(name: str, digest: str) -> Path:
    """Return the folder for a game's machine code: made if need be, whole, and such as can be written.

    Where that in the home cannot be used, it is one for this process alone: with what the other holds if only
    writing is not allowed, empty if it cannot be read either.
    """
    target = home() / f"{name}-{digest}"
    try:
        if any(_damaged(file) for file in _files(target)):  # as a power cut leaves them: compile again
            shutil.rmtree(target, ignore_errors=True)
        if not target.exists():
            target.mkdir(parents=True)
            _prune(target.parent.glob(f"{name}-*"))
        if os.access(target, os.W_OK):
            return target
        other = _temporary_home() / target.name
        if complete(target):
            _copy(target, other)
    except OSError:
        other = _temporary_home() / target.name
    other.mkdir(exist_ok=True)
    return other


def _copy(folder: Path, to: Path) -> None:
    """Copy the files of a folder, not what one may do with them."""
    for file in folder.rglob("*"):
        if file.is_file():
            copy = to / file.relative_to(folder)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, copy)


def _files(folder: Path) -> Iterator[Path]:
    """Yield the files of machine code in a folder; raise `OSError` if it cannot be read."""

    def refuse(error: OSError) -> None:
        if not isinstance(error, FileNotFoundError):
            raise error

    for inner, _folders, names in os.walk(folder, onerror=refuse):
        yield from (Path(inner, name) for name in names if name.endswith((".nbi", ".nbc")))


def _damaged(file: Path) -> bool:
    """Whether a file of machine code is not a whole pickle, by its first and last byte."""
    data = file.read_bytes()
    return data[:1] != b"\x80" or data[-1:] != b"."


def _prune(folders: Iterable[Path]) -> None:
    """Remove machine code of earlier sources, all but the newest few."""
    with contextlib.suppress(OSError):
        for old in sorted(folders, key=lambda f: f.stat().st_mtime, reverse=True)[KEPT:]:
            shutil.rmtree(old, ignore_errors=True)
