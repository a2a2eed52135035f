"""The rulebooks: Markdown for people, in which every clause is a paragraph that can be looked up."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from kartoteka.engine.declare import Game
from kartoteka.engine.errors import unknown
from kartoteka.text import _, language

_CLAUSE = re.compile(r"^\*\*(?P<id>[A-Z]+ \d+\.\d+)\*\* · \*(?P<marks>[^*]+)\* · (?P<body>(?:.+\n?)+)", re.MULTILINE)
_HEADING = re.compile(r"^(#+) +(.+)$", re.MULTILINE)


@dataclass(frozen=True)
class Clause:
    """One numbered clause.

    Attributes
    ----------
    id : str
        E.g. ``ABR 3.2``.
    marks : str
        ``source``, ``ruling`` or ``source and ruling``.
    body : str
        Its text in Markdown, reasons and options on lines of their own.
    """

    id: str
    marks: str
    body: str

    @property
    def markdown(self) -> str:
        """The clause as Markdown that keeps its lines apart."""
        return f"**{self.id}** · *{self.marks}*\n\n" + self.body.strip().replace("\n", "\n\n")


def _file(game: Game, name: str) -> Path:
    """Return the rulebook file in the language in force, or the English one."""
    folder = game.folder / "rulebook"
    chosen = folder / name.format(language=language())
    return chosen if chosen.exists() else folder / name.format(language="en")


def text(game: Game) -> str:
    """Return the whole rulebook as Markdown."""
    return _file(game, "{language}.md").read_text(encoding="utf-8")


def source(game: Game) -> str:
    """Return what each sentence of the source became, as Markdown."""
    return _file(game, "{language}.source.md").read_text(encoding="utf-8")


def clauses(game: Game) -> dict[str, Clause]:
    """Return the clauses of the rulebook by identifier."""
    found = (Clause(m["id"], m["marks"], m["body"]) for m in _CLAUSE.finditer(text(game)))
    return {clause.id: clause for clause in found}


def sections(game: Game) -> dict[str, str]:
    """Return the rulebook's sections by heading (``Notation``, ``4 The turn``), each as Markdown with its heading.

    A section runs to the next heading of its level or above.
    """
    whole = text(game)
    heads = [m for m in _HEADING.finditer(whole) if len(m[1]) > 1]
    found = {}
    for k, m in enumerate(heads):
        later = (other.start() for other in heads[k + 1 :] if len(other[1]) <= len(m[1]))
        found[m[2]] = whole[m.start() : next(later, len(whole))]
    return found


def look_up(game: Game, words: str) -> str:
    """Return a clause (``ABR 3.2``, ``3.2``) or a section (``notation``, ``4``, ``the turn``) as Markdown.

    Raises
    ------
    UsageError
        If there is none; it names the nearest.
    """
    wanted = " ".join(words.split()).casefold()
    wanted = wanted.removeprefix(game.code.casefold()).strip()
    found, headings = clauses(game), sections(game)
    clause = found.get(f"{game.code} {wanted}")
    if clause:
        return clause.markdown
    for heading, section in headings.items():
        number, _space, name = heading.casefold().partition(" ")
        if wanted in (heading.casefold(), number) or (number.isdecimal() and wanted == name):
            return section
    for heading, section in headings.items():
        if len(wanted) > 2 and wanted in heading.casefold():
            return section
    known = found if re.match(r"\d", wanted) else headings
    raise unknown(_("clause or section of {game}").format(game=game.title), words, known)
