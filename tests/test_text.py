"""Everything a person reads goes through gettext."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

import kartoteka.text
from kartoteka.engine.variant import Variant
from kartoteka.text import DOMAIN, LOCALE_DIR, _, decimal, languages, listed, ngettext, speaking
from tests.cases import DEFAULTS, name_of, plies

SOURCES = Path(kartoteka.__file__).parent
METHODS = [("**.py", "python"), ("**.html", "jinja2")]
KEYWORDS = {"_": None, "N_": None, "ngettext": (1, 2)}


def _extracted() -> Catalog:
    catalog = Catalog()
    for _file, _line, message, _comments, _context in extract_from_dir(SOURCES, METHODS, keywords=KEYWORDS):
        catalog.add(message)
    return catalog


def test_the_template_for_translators_is_up_to_date() -> None:
    with (LOCALE_DIR / f"{DOMAIN}.pot").open("rb") as file:
        template = read_po(file)
    kept = {m.id for m in template if m.id}
    assert kept == {m.id for m in _extracted() if m.id}, "run make messages"


def test_no_message_is_built_before_it_is_translated() -> None:
    built = re.compile(r"\b(?:_|N_)\((?:f[\"']|[a-z_]+\.format)")
    for path in SOURCES.rglob("*.py"):
        assert not built.search(path.read_text(encoding="utf-8")), path


@pytest.fixture
def marked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A language in which every message stands in marks, its placeholders kept."""
    catalog = Catalog(locale="eo")
    for message in _extracted():
        if message.id and isinstance(message.id, tuple):
            catalog.add(message.id, tuple(f"‹{form}›" for form in message.id))
        elif message.id:
            catalog.add(message.id, f"‹{message.id}›")
    target = tmp_path / "eo" / "LC_MESSAGES" / f"{DOMAIN}.mo"
    target.parent.mkdir(parents=True)
    with target.open("wb") as file:
        write_mo(file, catalog)
    monkeypatch.setattr(kartoteka.text, "LOCALE_DIR", tmp_path)
    return tmp_path


@pytest.mark.parametrize("variant", DEFAULTS, ids=name_of)
def test_every_word_of_a_game_is_translated(variant: Variant, marked: Path) -> None:
    notation, table = variant.game.notation, variant.game.table
    names = [f"<{k}>" for k in range(variant.players)]
    with speaking("eo"):
        for position, move in plies(variant, "words", "random"):
            after = position.copy()
            after.push(move)
            lines = notation.tell(position.state, move.number, after.state, names, 0)
            lines.append(notation.label(position.state, move.number))
            view = table.view(position.state, 0)
            lines += [zone.label for zone in view.zones] + [fact.label for fact in view.facts]
            lines += [note for zone in view.zones for note in zone.notes]
            lines += [view.state] if view.state else []
            for line in lines:
                assert _untranslated(line) == "", line


def _untranslated(line: str) -> str:
    """What of a line stands outside all marks, less names and signs."""
    while (peeled := re.sub(r"‹[^‹›]*›", "", line)) != line:
        line = peeled
    return "".join(re.findall(r"[^\W\d]{3,}", line))


COMMANDS = ["play", "serve", "simulate", "replay", "verify", "rules", "games", "bench"]


@pytest.mark.parametrize("words", [[], *([command] for command in COMMANDS), ["bench", "server"]])
def test_every_word_of_help_is_translated(words: list[str], marked: Path) -> None:
    script = (
        f"import pathlib, kartoteka.text; kartoteka.text.LOCALE_DIR = pathlib.Path({str(marked)!r})\n"
        f"from kartoteka.terminal.main import main; main({[*words, '--help']!r})"
    )
    env = {**os.environ, "KARTOTEKA_LANGUAGE": "eo", "COLUMNS": "1000"}
    done = subprocess.run([sys.executable, "-c", script], env=env, capture_output=True, text=True, check=True)
    described = [line.split("  ", 2)[-1] for line in done.stdout.splitlines() if line.startswith("  ")]
    assert any("‹" in line for line in described)
    plain = re.sub(r"‹[\s\S]*?›", "", done.stdout)
    left = set(re.findall(r"[^\W\d]{3,}", re.sub(r"--?[a-z-]+|[A-Z]{2,}|\[.*?\]|Usage:.*", "", plain)))
    click_says = {"Options", "Commands", "Show", "this", "message", "and", "exit", "the", "version", "default"}
    assert left <= click_says | {"kartoteka", "server", *words, *COMMANDS}, left


def test_a_language_is_chosen_per_context_and_english_is_the_default(marked: Path) -> None:
    assert languages() == ["en", "eo"]
    assert _("joker") == "joker"
    with speaking("eo"):
        assert _("joker") == "‹joker›"
        with speaking("xx"):
            assert _("joker") == "joker"
    assert _("joker") == "joker"


def test_numbers_plurals_and_lists_read_well() -> None:
    assert decimal(1234567) == "1,234,567"
    assert decimal(2.25, 1) in ("2.2", "2.3")
    assert ngettext("{n} card", "{n} cards", 2) == "{n} cards"
    assert listed(["a"]) == "a"
    assert listed(["a", "b", "c"]) == "a, b, or c"
    assert listed(["a", "b"], "and") == "a and b"


def test_the_template_holds_plain_text() -> None:
    with (LOCALE_DIR / f"{DOMAIN}.pot").open("rb") as file:
        assert io.TextIOWrapper(file, encoding="utf-8").read().count("msgid") > 100
