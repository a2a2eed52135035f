"""Sheets as HTML: Jinja templates, this package's own and those in each game's folder."""

from __future__ import annotations

import functools
import re
from pathlib import Path
from typing import Any

from jinja2 import ChoiceLoader, Environment, FileSystemLoader, PrefixLoader, StrictUndefined
from markupsafe import Markup, escape

from kartoteka.cards import NUMBER, glyph, name
from kartoteka.engine import registry
from kartoteka.engine.view import View
from kartoteka.server.sheet import Sheet
from kartoteka.text import _, language, ngettext

TEMPLATES = Path(__file__).with_name("templates")

_GLYPH = re.compile(r"(?<!\w)(10|[2-9JQKA])([♣♦♥♠])")
_SUIT = dict(zip("♣♦♥♠", "cdhs", strict=True))


def inked(text: str) -> Markup:
    """Return a text with the cards named in it (``10♥``) in their colours."""
    return Markup(
        _GLYPH.sub(lambda m: f'<span class="ix sx-{_SUIT[m[2]]}">{m[1]}{m[2]}</span>', str(escape(text)))
    )


@functools.cache
def environment() -> Environment:
    """Return the templates: a game's own ``page/board.html`` is found as ``<game>/board.html``."""
    games = {game.name: FileSystemLoader(game.folder / "page") for game in registry.games().values()}
    env = Environment(
        loader=ChoiceLoader([FileSystemLoader(TEMPLATES), PrefixLoader(games)]),
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    env.globals.update(_=_, ngettext=ngettext, language=language)
    env.filters.update(
        inked=inked, glyph=lambda card: glyph(NUMBER[card]), named=lambda card: name(NUMBER[card])
    )
    return env


def _scene(game: str, view: View, names: dict[int, str]) -> dict[str, Any]:
    """Return what a board's template knows: the view, its zones by name, the seats clockwise from the reader."""
    first = view.seat or 1
    order = [(first - 1 + k) % view.players + 1 for k in range(view.players)]
    return {
        "game": registry.find(game), "view": view, "zone": {z.name: z for z in view.zones},
        "names": names, "order": order,
    }  # fmt: skip


def _own(part: str, game: str, view: View, names: dict[int, str]) -> str:
    template = environment().select_template([f"{game}/{part}.html", f"{part}.html"])
    return template.render(_scene(game, view, names))


def board(game: str, view: View, names: dict[int, str]) -> str:
    """Return a view's board as HTML: all but the reader's own hand."""
    return _own("board", game, view, names)


def hand(game: str, view: View, names: dict[int, str]) -> str:
    """Return the reader's own hand as HTML, empty without one."""
    return _own("hand", game, view, names).strip()
