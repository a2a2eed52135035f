"""Marks on functions: which of them become machine code, and which a game fills in.

A marked function stays what it is, plain Python. `binding` and `machine` read the marks.
"""

from __future__ import annotations

import dis
import types
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])

_MARKED: dict[object, str] = {}


def rule(function: F) -> F:
    """Mark a function of a game's rules, or one that rules call: it becomes machine code with them."""
    _MARKED[function] = "rule"
    return function


def loop(function: F) -> F:
    """Mark a loop over any game: each game gets its own, with its functions for those of `core.game`.

    It calls them by their names, as it calls other loops and rules, and is compiled when it is first used.
    """
    _MARKED[function] = "loop"
    return function


def from_game(function: F) -> F:
    """Mark a stand-in for the function of that name that a game offers; its own body is for games without."""
    _MARKED[function] = "game"
    return function


def is_loop(function: object) -> bool:
    """Whether it is marked as a loop."""
    return isinstance(function, types.FunctionType) and _MARKED.get(function) == "loop"


def stands_in(function: object) -> bool:
    """Whether a game's own function comes in its place."""
    return _MARKED.get(function) == "game"


def named(function: types.FunctionType) -> Iterator[tuple[str, Any]]:
    """Yield the names by which a function reaches beyond itself, with their values now."""
    codes = [function.__code__]
    while codes:
        code = codes.pop()
        codes += [const for const in code.co_consts if isinstance(const, types.CodeType)]
        for name in sorted({i.argval for i in dis.get_instructions(code) if i.opname == "LOAD_GLOBAL"}):
            if name in function.__globals__:
                yield name, function.__globals__[name]


def called(function: types.FunctionType) -> Iterator[tuple[str, types.FunctionType]]:
    """Yield the marked functions that a function calls, each with its name there.

    Raises
    ------
    TypeError
        If it calls a Python function that is not marked, which could not be compiled.
    """
    for name, value in named(function):
        if isinstance(value, types.FunctionType):
            if value not in _MARKED:
                here = f"{function.__module__}.{function.__qualname__}"
                raise TypeError(f"{here} calls {name}, which is not marked: put @rule before its def.")
            yield name, value
