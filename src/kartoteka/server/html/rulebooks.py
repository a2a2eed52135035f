"""Rulebooks as HTML: a leaf of the clauses that matter, and the whole book."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable

from markdown_it import MarkdownIt
from markupsafe import Markup

from kartoteka.engine import registry, rulebook
from kartoteka.engine.declare import Game
from kartoteka.text import language

_MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table")
_CLAUSE = re.compile(r"<p><strong>([A-Z]+) (\d+\.\d+)</strong> · <em>([^<]+)</em> · ", re.MULTILINE)
_HEADING = re.compile(r"<h([1-6])>(.*?)</h\1>")
_TAG = re.compile(r"<[^>]+>")


def of(game: Game, clauses: Iterable[str]) -> list[tuple[str, Markup]]:
    """Return clauses for a leaf beside the table: identifier and HTML."""
    book = _book(game.name, language())
    return [(clause, book[clause]) for clause in clauses if clause in book]


@functools.lru_cache(maxsize=64)
def _book(name: str, _language: str) -> dict[str, Markup]:
    """Return each clause's own sentences (not the reasons, which follow on lines of their own) as HTML."""
    clauses = rulebook.clauses(registry.find(name))
    return {id: Markup(_MARKDOWN.render(clause.body.split("\n")[0])) for id, clause in clauses.items()}


def anchor(clause: str) -> str:
    """Return the fragment of a clause in its rulebook's page: ``KHV-3.2``."""
    return clause.replace(" ", "-")


@functools.lru_cache(maxsize=64)
def whole(name: str, source: bool, _language: str) -> tuple[Markup, list[tuple[str, str]]]:
    """Return a game's rulebook (or its page of sources) as HTML, and its headings with their anchors."""
    game = registry.find(name)
    html = _MARKDOWN.render(rulebook.source(game) if source else rulebook.text(game))
    html = re.sub(r"<h1>.*?</h1>\n?", "", html, count=1)  # the page has its own
    html = _CLAUSE.sub(
        r'<p class="cl" id="\1-\2"><a class="cl__n" href="#\1-\2"><small>\1</small> \2</a>'
        r'<span class="cl__marks">\3</span> ',
        html,
    )
    contents: list[tuple[str, str]] = []

    def mark(heading: re.Match[str]) -> str:
        words = _TAG.sub("", heading[2])
        place = re.sub(r"\W+", "-", words.lower()).strip("-")
        if heading[1] == "2":
            contents.append((place, words))
        return f'<h{heading[1]} id="{place}">{heading[2]}</h{heading[1]}>'

    html = (
        _HEADING.sub(mark, html)
        .replace("<table>", '<div class="scroll" tabindex="0"><table>')
        .replace("</table>", "</table></div>")
        .replace("<pre>", '<pre tabindex="0">')
    )
    return Markup(html), contents
