"""The contract: what a game's modules offer. Types are for mypy; here, that each game lets them be checked."""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys
from pathlib import Path
from typing import Any, get_type_hints

import numpy as np
import pytest

from kartoteka.core import State
from kartoteka.core import game as loops_ask
from kartoteka.engine import contract, registry
from kartoteka.engine.declare import Game
from tests.waits import HANGS

GAMES = list(registry.games().values())
KINDS = get_type_hints(contract.Offers)


def _wanted(protocol: Any) -> dict[str, Any]:
    """What a protocol says itself or inherits: its constants, and its functions without their ``self``."""
    found = dict.fromkeys(name for base in protocol.__mro__ for name in inspect.get_annotations(base))
    functions = inspect.getmembers(protocol, inspect.isfunction)
    return {**found, **{name: function for name, function in functions if not name.startswith("_")}}


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_a_game_has_mypy_check_what_it_offers(game: Game) -> None:
    code = ast.parse((game.folder / "__init__.py").read_text(encoding="utf-8"))
    checked = next(node for node in code.body if isinstance(node, ast.If))
    assert ast.unparse(checked.test) == "TYPE_CHECKING"
    assert f"Offers({', '.join(KINDS)})" in ast.unparse(checked)
    assert ("Reshuffling = rules" in ast.unparse(checked)) == hasattr(game.rules, "reshuffle")


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_a_game_offers_all_that_the_contract_names(game: Game) -> None:
    for name, protocol in KINDS.items():
        module, wanted = getattr(game, name), _wanted(protocol)
        assert wanted
        for word, function in wanted.items():
            offered = getattr(module, word)
            if function:
                given = inspect.signature(getattr(offered, "py_func", offered)).parameters
                assert len(given) == len(inspect.signature(function).parameters) - 1, (name, word)


def _said(function: Any) -> tuple[list[object], object]:
    """The types of a function's parameters but ``self``, and of what it returns, as written."""
    signature = inspect.signature(function)
    return [p.annotation for p in signature.parameters.values() if p.name != "self"], signature.return_annotation


def test_the_loops_ask_of_a_game_what_the_contract_has_it_offer() -> None:
    asked = [f for f in vars(loops_ask).values() if inspect.isfunction(f) and f.__module__ == loops_ask.__name__]
    offered = {**_wanted(contract.Reshuffling), **_wanted(contract.Policy)}
    assert asked
    for function in asked:
        assert _said(function) == _said(offered[function.__name__]), function.__name__


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_the_fields_of_every_state_are_whole_numbers_of_each(game: Game) -> None:
    for field in inspect.get_annotations(State):
        assert np.issubdtype(game.rules.STATE[field], np.integer), field


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_a_game_reads_no_field_that_its_state_has_not(game: Game) -> None:
    read = set()
    for path in game.folder.glob("*.py"):
        functions = [n for n in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(n, ast.FunctionDef)]
        for function in functions:
            states = {a.arg for a in function.args.args if a.annotation and ast.unparse(a.annotation) == "State"}
            inside = [node for node in ast.walk(function) if isinstance(node, ast.Attribute)]
            read |= {node.attr for node in inside if isinstance(node.value, ast.Name) and node.value.id in states}
    assert {"seat"} <= read <= set(game.rules.STATE.names or ())


def test_a_game_is_declared_without_importing_what_it_offers() -> None:
    program = """
import sys
from kartoteka.engine import registry
ours = [name.split(".") for name in sys.modules if name.startswith("kartoteka.games.")]
print(len(registry.games()), [words for words in ours if len(words) > 3])
"""
    command = [sys.executable, "-c", program]
    done = subprocess.run(
        command, capture_output=True, text=True, check=True, timeout=HANGS, cwd=Path(__file__).parent
    )
    assert done.stdout.split(maxsplit=1) == [str(len(GAMES)), "[]\n"]
