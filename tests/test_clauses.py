"""Clauses everywhere: in the rulebook, beside the code, in a test's name. One that is missing fails the build."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from kartoteka.engine import registry, rulebook
from kartoteka.engine.declare import Game, spelled

GAMES = list(registry.games().values())
TESTS = Path(__file__).parent

every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)


def _test_names() -> set[str]:
    names = set()
    for path in TESTS.rglob("test_*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        names |= {n.name for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)}
    return names


def _marked(game: Game, text: str) -> set[str]:
    """Clause identifiers in a text; `PAR 4.1, 4.2` counts for both."""
    found = set()
    for match in re.finditer(rf"{game.code} (\d+\.\d+(?:(?:,| and| or) \d+\.\d+)*)", text):
        found |= {f"{game.code} {number}" for number in re.findall(r"\d+\.\d+", match[1])}
    return found


@every_game
def test_every_clause_is_in_the_rulebook_in_order(game: Game) -> None:
    assert tuple(rulebook.clauses(game)) == game.clauses


@every_game
def test_every_clause_says_whether_it_is_source_or_ruling_and_rulings_say_why(game: Game) -> None:
    for clause in rulebook.clauses(game).values():
        assert clause.marks in ("source", "ruling", "source and ruling")
        assert ("*Why:*" in clause.body) == ("ruling" in clause.marks), clause.id


@every_game
def test_every_clause_stands_beside_the_code(game: Game) -> None:
    code = "\n".join(path.read_text(encoding="utf-8") for path in game.folder.glob("*.py"))
    comments = "\n".join(re.findall(r'#.*|"""[\s\S]*?"""|"[A-Z]+ \d[^"]*"', code))
    assert set(game.clauses) <= _marked(game, comments)


@every_game
def test_every_clause_has_a_test_with_its_name(game: Game) -> None:
    names = _test_names()
    wanted = {c: f"test_{c.lower().replace(' ', '_').replace('.', '_')}_" for c in game.clauses}
    assert not [c for c, start in wanted.items() if not any(n.startswith(start) for n in names)]


@every_game
def test_no_text_cites_a_clause_that_does_not_exist(game: Game) -> None:
    texts = [p.read_text(encoding="utf-8") for p in game.folder.rglob("*") if p.suffix in (".py", ".md")]
    assert _marked(game, "\n".join(texts)) <= set(game.clauses)


@every_game
def test_every_option_stands_with_its_values_in_the_clause_it_changes(game: Game) -> None:
    clauses = rulebook.clauses(game)
    for option in game.options:
        body = clauses[option.clause].body
        assert f"*Option* `{option.name}`" in body
        for value in option.readings:
            assert f"`{spelled(value)}`" in body, (option.name, value)
        assert option.allows(option.default)


@every_game
def test_every_clause_from_the_source_is_among_what_its_sentences_became(game: Game) -> None:
    became = _marked(game, rulebook.source(game))
    assert {c.id for c in rulebook.clauses(game).values() if "source" in c.marks} <= became


@every_game
def test_rulebooks_have_their_sections(game: Game) -> None:
    wanted = {"Aim", "What you need", "A turn", "The end", "An example of play", "The clauses", "Notation"}
    assert wanted <= set(rulebook.sections(game))
    assert "♥" in rulebook.sections(game)["An example of play"]
