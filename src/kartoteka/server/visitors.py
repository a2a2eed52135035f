"""Who comes: people and programs known by a random word of their own, never by a name."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable

from kartoteka.text import _

NAME_LENGTH = 24

_CODE_LETTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
"""What table codes are made of: nothing that is read or heard as something else."""


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
    kept = (c for c in typed if c.isprintable() or c.isspace() or c == "\u200d")
    return " ".join("".join(kept).split())


def tidy_name(typed: str, taken: Iterable[str] = ()) -> str:
    """Return a name to be shown: printable, not too long, unlike the `taken` ones; ``Guest`` for none."""
    name = shown(typed)[:NAME_LENGTH].strip(" \u200d") or _("Guest")
    others, n, tidied = set(taken), 1, name
    while tidied in others:
        n += 1
        tidied = f"{name} {n}"
    return tidied
