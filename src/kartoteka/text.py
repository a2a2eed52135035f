"""Everything a person reads passes through here: gettext, one catalogue a language, chosen per context."""

from __future__ import annotations

import contextlib
import functools
import gettext as _gettext
from collections.abc import Iterator, Sequence
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from babel import Locale

DOMAIN = "kartoteka"
LOCALE_DIR = Path(__file__).with_name("locale")

_ENGLISH = _gettext.NullTranslations()
_catalogue: ContextVar[_gettext.NullTranslations] = ContextVar("catalogue", default=_ENGLISH)
_language: ContextVar[str] = ContextVar("language", default="en")


def _(message: str) -> str:
    """Translate `message` (English is the key) into the language of this context."""
    return _catalogue.get().gettext(message)


def ngettext(singular: str, plural: str, n: int) -> str:
    """Translate a message whose form depends on the number `n`."""
    return _catalogue.get().ngettext(singular, plural, n)


def N_(message: str) -> str:  # noqa: N802 - gettext's own name for a deferred message
    """Mark `message` for translation where it is defined; `_` translates it where it is shown."""
    return message


def language() -> str:
    """Return the language code in force, e.g. ``'en'``."""
    return _language.get()


def languages() -> list[str]:
    """Return the codes that can be chosen: English, and every language with a compiled catalogue."""
    return ["en", *sorted(p.parts[-3] for p in LOCALE_DIR.glob(f"*/LC_MESSAGES/{DOMAIN}.mo"))]


@functools.lru_cache(maxsize=64)
def _loaded(folder: Path, code: str) -> _gettext.NullTranslations:
    return _gettext.translation(DOMAIN, folder, [code], fallback=True)


@contextlib.contextmanager
def speaking(code: str) -> Iterator[None]:
    """Use language `code` inside the block; a language without a catalogue falls back to English."""
    catalogue = _loaded(LOCALE_DIR, code)
    found = code if isinstance(catalogue, _gettext.GNUTranslations) else "en"
    tokens = _catalogue.set(catalogue), _language.set(found)
    try:
        yield
    finally:
        _catalogue.reset(tokens[0])
        _language.reset(tokens[1])


@functools.lru_cache(maxsize=64)
def _locale(code: str) -> Locale:
    """Babel's locale of a language, which takes long to look up."""
    from babel import Locale

    return Locale.parse(code)


def listed(items: Sequence[str], word: Literal["and", "or"] = "or") -> str:
    """Join items as readers of the language in force do: ``a``, ``a or b``, ``a, b, or c``."""
    return _listed(tuple(items), "standard" if word == "and" else "or", language())


@functools.lru_cache(maxsize=2048)
def _listed(items: tuple[str, ...], style: Literal["standard", "or"], code: str) -> str:
    from babel.lists import format_list

    return format_list(items, style, locale=_locale(code))


def printable(text: str) -> str:
    """Return a text from outside without what could steer a terminal."""
    return "".join(c if c.isprintable() else "?" for c in text)


def decimal(n: float, digits: int = 0) -> str:
    """Return a number as readers of the language in force write it: ``1,234,567``."""
    from babel.numbers import format_decimal

    form = "#,##0." + "0" * digits if digits else "#,##0"
    return format_decimal(round(n, digits), format=form, locale=_locale(language()))
