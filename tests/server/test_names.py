"""Names and words of people: shown as they are, never unseen, never like the server's own or like another's."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest

from kartoteka.server.table import messages as msg
from kartoteka.server.visitors import alike, seen, shown, tidy_name
from kartoteka.text import speaking
from tests.server.sitting import OPEN, run, sitting
from tests.test_text import marked

__all__ = ["marked"]

UNSEEN = [
    "\u3164", "\u2800", "\u115f", "\u1160", "\uffa0", "\u034f", "\u17b4", "\u180b", "\ufe0f", "\U000e0101", "\u200b",
    "\u200d", "\u200e", "\u2060", "\u00ad", "\u061c", "\ufeff", "\U000e0041", "\U0001d159", "\u0301", "\u20dd",
    "\u3000", "\u00a0", "\x00", "\x1b", "\ue000", "\u3164\u0301", "\u2800 \u200d", "\u0301\u0302\ufe0f",
]  # fmt: skip
"""Blank letters and signs, marks, joiners, and what steers."""

AS_THEY_ARE = [
    "Анна", "Ёлка", "محمد", "مُحَمَّد", "李小龙", "さくら", "김철수", "नीलम", "José", "O'Neill-Smith", "R2-D2", "42",
    "👨\u200d👩\u200d👧", "❤\ufe0f", "Ada 👩🏽\u200d🔬", "Nguyễn Ngọc Ngạn",
]  # fmt: skip


@pytest.mark.parametrize("name", UNSEEN, ids=ascii)
def test_a_name_that_nobody_can_see_is_none(name: str) -> None:
    assert tidy_name(name) == "Guest"
    assert tidy_name(f"{name} {name}", ["Guest"]) == "Guest 2"
    assert not seen(shown(name))


@pytest.mark.parametrize("name", AS_THEY_ARE)
def test_names_of_all_scripts_stay_as_they_are(name: str) -> None:
    assert tidy_name(name) == name
    assert tidy_name(name, ["Somebody"]) == name
    assert seen(name)


@pytest.mark.parametrize("name", [
    "Computer 2", "computer 2", "COMPUTER  17", "Computer\u00a02", "Computer\u20092", "Computer\u28002", "Computer2",
    "Computer\u200b 2", "Ｃｏｍｐｕｔｅｒ\u3000２", "𝐂𝐨𝐦𝐩𝐮𝐭𝐞𝐫 𝟐", "Com\u034fputer 2", "Computer 2\ufe0f",
    "Com\u200dputer 2", "Computer", "C\u2800omputer 2", "A spectator", "a SPECTATOR",
])  # fmt: skip
def test_nobody_is_called_like_a_computers_seat_or_a_spectator(name: str) -> None:
    assert tidy_name(name) == "Guest"
    assert tidy_name(name, ["Guest", "Computer 2"]) == "Guest 2"


def test_the_servers_own_names_are_kept_in_every_language_it_speaks(marked: Path) -> None:
    for reader in ("en", "eo"):
        with speaking(reader):
            assert tidy_name("‹computer 2›") == tidy_name("Computer 2") == tidy_name("\u2800")
    assert tidy_name("Computer 2") == "Guest"
    assert tidy_name("Computers 2") == "Computers 2"


def test_two_seats_never_look_equal() -> None:
    taken: list[str] = []
    for name in ("Anna", "ANNA", "An\u200bna", "Ａｎｎａ", "Anna\ufe0f", "Anna 2", "Ann\u2009a", "Straße", "STRASSE"):
        taken.append(tidy_name(name, taken))
    assert len({alike(name) for name in taken}) == len(taken)
    assert taken[0] == "Anna"
    composed, apart = (unicodedata.normalize(form, "Zoë") for form in ("NFC", "NFD"))
    assert tidy_name(apart, [composed]) == f"{apart} 2"
    assert tidy_name("Zoe", [composed]) == "Zoe"


def test_a_remark_of_nothing_visible_is_refused(tmp_path: Path) -> None:
    async def scene() -> None:
        async with sitting(tmp_path, OPEN, begun=False) as there:
            for text in UNSEEN:
                await there.refuses("p1", msg.Say("1", f"{text} {text}"))
            await there.does("p1", msg.Say("1", "❤\ufe0f"))
            assert [remark.text for remark in there.sheet("p2").chat] == ["❤\ufe0f"]

    run(scene)
