"""Sheets as HTML: Jinja templates, this package's own and those in each game's folder."""

from __future__ import annotations

import functools
import re
import time
from collections.abc import Mapping, Sequence
from contextvars import ContextVar
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from babel import Locale
from babel.dates import format_datetime, format_timedelta
from jinja2 import ChoiceLoader, Environment, FileSystemLoader, PrefixLoader, StrictUndefined
from markupsafe import Markup, escape

from kartoteka.cards import NUMBER, glyph, name
from kartoteka.engine import registry
from kartoteka.engine.declare import Game, spread
from kartoteka.engine.view import View
from kartoteka.server.html import assets, rulebooks
from kartoteka.server.table.sheet import Line, Sheet
from kartoteka.text import _, decimal, language, languages, ngettext

TEMPLATES = Path(__file__).with_name("templates")

_GLYPH = re.compile(r"(?<!\w)(10|[2-9JQKA])([♣♦♥♠])")
_SUIT = dict(zip("♣♦♥♠", "cdhs", strict=True))


@functools.lru_cache(maxsize=4096)
def inked(text: str) -> Markup:
    """Return a text with the cards named in it (``10♥``) in their colours."""
    return Markup(_GLYPH.sub(lambda m: f'<span class="ix sx-{_SUIT[m[2]]}">{m[1]}{m[2]}</span>', str(escape(text))))


def hushed(secret: str) -> Markup:
    """Return a secret of a page, such as a personal link, as character references.

    Answers are compressed, so that their length tells whether what others wrote repeats a part of the secret. In this
    form they cannot write it: their ``&`` is shown as ``&amp;``.
    """
    return Markup("".join(f"&#{ord(letter)};" for letter in secret))


prefix: ContextVar[str] = ContextVar("prefix", default="")
"""The path under which the site is served, set for each request."""


origin: ContextVar[str] = ContextVar("origin", default="")
"""The scheme, host and port by which the site was reached, set for each request."""


def url(path: str) -> str:
    """Return a path of this site as a link."""
    return prefix.get() + path


def absolute(path: str) -> str:
    """Return a path of this site as a link for elsewhere, such as an invitation."""
    return origin.get() + url(path)


def when(moment: float) -> Markup:
    """Return a time (seconds since 1970) as HTML: in UTC, which the page's script turns into the reader's zone."""
    at = datetime.fromtimestamp(moment, UTC)
    told = f"{format_datetime(at, 'medium', locale=language())} UTC"
    return Markup('<time datetime="{}">{}</time>').format(at.strftime("%Y-%m-%dT%H:%M:%SZ"), told)


def ago(moment: float) -> str:
    """Return how long ago a time (seconds since 1970) was, in words."""
    return format_timedelta(timedelta(seconds=moment - time.time()), add_direction=True, locale=language())


def duration(seconds: float) -> str:
    """Return a length of time in words."""
    return format_timedelta(timedelta(seconds=seconds), threshold=1.5, locale=language())


def tongues() -> list[tuple[str, str]]:
    """Return the languages to choose from, each with its own name for itself."""
    return [(code, Locale.parse(code).get_display_name(code) or code) for code in languages()]


@functools.cache
def environment() -> Environment:
    """Return the templates: a game's own ``page/board.html`` is found as ``<game>/board.html``."""
    games = {game.name: FileSystemLoader(game.folder / "page") for game in registry.games().values()}
    env = Environment(
        loader=ChoiceLoader([FileSystemLoader(TEMPLATES), PrefixLoader(games)]),
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    env.globals.update(
        _=_, ngettext=ngettext, language=language, url=url, absolute=absolute, when=when, ago=ago, tongues=tongues
    )
    env.filters.update(
        inked=inked, hushed=hushed, number=decimal, duration=duration, spread=spread,
        glyph=lambda card: glyph(NUMBER[card]), named=lambda card: name(NUMBER[card]),
    )  # fmt: skip
    return env


def render(template: str, **context: Any) -> str:
    """Return a template as HTML."""
    return environment().get_template(template).render(**context)


def page(template: str, **context: Any) -> str:
    """Return a whole page as HTML, which names its still files as they are now."""
    version = assets.version()

    def static(name: str) -> str:
        return url(f"/static/{version}/{name}")

    def preloads(*entries: str) -> list[str]:
        return [static(name) for name in assets.modules(entries, version)]

    def picture(game: Game | None = None) -> str:
        own = game and assets.own(game, "picture.png")
        return origin.get() + static(own or "picture.png")

    return render(template, static=static, preloads=preloads, picture=picture, **context)


# --- the table -----------------------------------------------------------------------------------------------


def _scene(game: str, view: View, names: Mapping[int, str]) -> dict[str, Any]:
    """Return what a board's template knows: the view, its zones by name, the seats clockwise from the reader."""
    first = view.seat or 1
    order = [(first - 1 + k) % view.players + 1 for k in range(view.players)]
    return {
        "game": registry.find(game), "view": view, "zone": {z.name: z for z in view.zones},
        "names": names, "order": order,
    }  # fmt: skip


def _own(part: str, game: str, view: View, names: Mapping[int, str]) -> str:
    template = environment().select_template([f"{game}/{part}.html", f"{part}.html"])
    return template.render(_scene(game, view, names))


def board(game: str, view: View, names: Mapping[int, str]) -> str:
    """Return a view's board as HTML: all but the reader's own hand."""
    return _own("board", game, view, names)


def hand(game: str, view: View, names: Mapping[int, str]) -> str:
    """Return the reader's own hand as HTML, empty without one."""
    return _own("hand", game, view, names).strip()


def lines(told: Sequence[Line]) -> str:
    """Return lines of the log as HTML, to be added to those before."""
    return _region("lines", {"lines": told})


def log(sheet: Sheet) -> str:
    """Return the whole log as HTML."""
    return _region("log", {"lines": sheet.log})


def cards(sheet: Sheet) -> dict[str, str]:
    """Return the regions that show the cards, by name: the board and the reader's own hand."""
    names = _names(sheet)
    if not sheet.view:
        return {"board": _region("waiting", {"sheet": sheet}), "hand": ""}
    own = hand(sheet.game, sheet.view, names) if sheet.seat else ""
    return {"board": board(sheet.game, sheet.view, names), "hand": own}


def regions(sheet: Sheet, before: Sheet | None = None, drawn: Mapping[str, str] = {}) -> dict[str, str]:
    """Return the parts of a table's page that change, by name, all but the log.

    Those that show the same as in the sheet `before` are taken from what was `drawn` of it.
    """
    shown, same = _shown(sheet), _shown(before) if before else {}
    fresh = {part for part, of in shown.items() if part not in same or of != same[part]}
    game = registry.find(sheet.game)
    context: dict[str, Any] = {"sheet": sheet, "names": _names(sheet), "game": game}
    found = {part: _region(part, context) for part in ("turn", "seats")}
    if "chat" in fresh:
        found["chat"] = _region("chat", context)
    if "rules" in fresh:
        leaf = rulebooks.of(game, sheet.view.clauses if sheet.view else ())
        found["rules"] = _region("rules", {**context, "leaf": leaf})
    if "board" in fresh:
        found |= cards(sheet)
    return {**drawn, **found}


def _names(sheet: Sheet) -> dict[int, str]:
    return {chair.seat: chair.name for chair in sheet.chairs}


def _shown(sheet: Sheet) -> dict[str, object]:
    """Return what some of the regions are drawn of."""
    return {
        "chat": (sheet.chat, sheet.may_chat, sheet.seat, sheet.chairs, sheet.spectators_muted),
        "rules": sheet.view and sheet.view.clauses,
        "board": (sheet.view, _names(sheet)) if sheet.view else (sheet.chairs, sheet.seat, sheet.host),
    }


def _region(part: str, context: dict[str, Any]) -> str:
    return environment().get_template(f"regions/{part}.html").render(context)
