"""Who comes: people and programs known by a random word of their own, never by a name."""

from __future__ import annotations

import hashlib
import re
import secrets
import unicodedata
from collections.abc import Iterable

from kartoteka.text import N_, _, languages, speaking

NAME_LENGTH = 24

COMPUTER, SPECTATOR = N_("Computer {seat}"), N_("A spectator")
"""What the server calls those who have no name of their own; no person is called so."""

_CODE_LETTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
"""What table codes are made of: nothing that is read or heard as something else."""

CODE = f"^[{_CODE_LETTERS}]{{4}}-[{_CODE_LETTERS}]{{4}}$"
"""What a table's code looks like."""


_JOINER = "\u200d"
"""What joins several signs to one picture."""

_DRAWN_BLANK = re.compile(r"HANGUL.* FILLER|PATTERN BLANK|NULL NOTEHEAD|HIEROGLYPH (FULL|HALF) BLANK")
_DRAWN_NOT = re.compile(r"VARIATION SELECTOR|GRAPHEME JOINER|VOWEL INHERENT")
"""Letters and signs that look like a space, and marks that nobody sees: Unicode's categories do not tell them from
others, but their names do."""


def token(size: int = 16) -> str:
    """Return `size` fresh random bytes, in hex."""
    return secrets.token_hex(size)


def digest(word: str) -> str:
    """Return what the log keeps of a visitor's word, which would let anyone who has it play their seats."""
    return hashlib.sha256(word.encode()).hexdigest()[:32]


def new_code() -> str:
    """Return a fresh table code: 40 random bits, as ``K7Q2-MD4T``."""
    letters = "".join(secrets.choice(_CODE_LETTERS) for _k in range(8))
    return f"{letters[:4]}-{letters[4:]}"


def tidy_code(typed: str) -> str:
    """Return a code as `new_code` writes it from what a person typed, ``''`` if it is none."""
    letters = "".join(c for c in typed.upper() if c.isalnum())
    if len(letters) != 8 or any(c not in _CODE_LETTERS for c in letters):
        return ""
    return f"{letters[:4]}-{letters[4:]}"


def shown(typed: str) -> str:
    """Return what a person typed as one line: without what cannot be seen, save what joins signs to one picture."""
    kept = (" " if _blank(c) else c for c in typed if c.isprintable() or c.isspace() or c == _JOINER)
    return " ".join("".join(kept).split())


def _blank(sign: str) -> bool:
    return sign.isspace() or bool(_DRAWN_BLANK.search(unicodedata.name(sign, "")))


def seen(text: str) -> bool:
    """Whether anything of a `shown` text can be seen: a letter, number or sign, not marks and joiners alone."""
    return any(unicodedata.category(sign)[0] in "LNPS" for sign in text)


def alike(name: str) -> str:
    """Return what names that look equal have in common, whatever their case, spaces, width and unseen signs."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    letters = (sign for sign in shown(folded) if sign not in (" ", _JOINER))
    return "".join(sign for sign in letters if not _DRAWN_NOT.search(unicodedata.name(sign, "")))


def _ours(name: str) -> bool:
    """Whether a name looks like one that the server itself gives, in any of its languages."""
    looks = alike(name)
    for code in languages():
        with speaking(code):
            computer, spectator = _(COMPUTER), _(SPECTATOR)
        numbered = r"\d*".join(re.escape(alike(part)) for part in computer.split("{seat}"))
        if looks == alike(spectator) or re.fullmatch(numbered, looks):
            return True
    return False


def tidy_name(typed: str, taken: Iterable[str] = ()) -> str:
    """Return a name to be shown: one that can be seen, not too long, unlike the `taken` ones and the server's own.

    ``Guest`` for what is none, with a number if need be.
    """
    name = shown(typed[: 40 * NAME_LENGTH])[:NAME_LENGTH].strip(f" {_JOINER}")
    if not seen(name) or _ours(name):
        name = _("Guest")
    others, n, tidied = {alike(other) for other in taken}, 1, name
    while alike(tidied) in others:
        n += 1
        tidied = f"{name} {n}"
    return tidied
