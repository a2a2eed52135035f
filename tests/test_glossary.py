"""The glossary: every name of code that it points to exists."""

from __future__ import annotations

import importlib
import re
from pathlib import Path
from typing import Any

import pytest

GLOSSARY = Path(__file__).parents[1] / "docs" / "glossary.md"
ROWS = [line.strip("| \n").split(" | ") for line in GLOSSARY.read_text(encoding="utf-8").splitlines() if "|" in line]
WORDS = {row[0]: re.findall("`([^`]+)`", row[-1]) for row in ROWS if row[0] not in ("word", "---|---|---|---")}


def _found(path: str) -> Any:
    """The module, class, function or field of that path under `kartoteka`."""
    names = path.split(".")
    for k in range(len(names), 0, -1):
        try:
            found: Any = importlib.import_module(".".join(["kartoteka", *names[:k]]))
        except ModuleNotFoundError:
            continue
        for name in names[k:]:
            declared = getattr(found, "__annotations__", {}).get(name)
            found = getattr(found, name) if declared is None else declared
        return found
    raise ModuleNotFoundError(path)


@pytest.mark.parametrize("word", WORDS)
def test_every_name_that_the_glossary_points_to_exists(word: str) -> None:
    assert WORDS[word]
    for path in WORDS[word]:
        assert _found(path) is not None


def test_a_word_stands_in_the_glossary_once() -> None:
    words = [word for row in ROWS for word in row[0].split(", ") if not word.startswith("---") and word != "word"]
    assert len(words) == len(set(words))
    assert len(WORDS) > 40
