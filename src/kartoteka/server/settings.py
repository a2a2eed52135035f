"""What whoever hosts the tables can choose."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

import platformdirs


def default_folder() -> Path:
    """Return where tables are kept unless told otherwise."""
    return Path(os.environ.get("KARTOTEKA_DATA") or platformdirs.user_data_dir("kartoteka")) / "tables"


@dataclass(frozen=True)
class Settings:
    """What whoever hosts the tables can choose.

    Attributes
    ----------
    folder : Path
        Where the database lies.
    prefix : str
        The path under which the site is served behind a proxy, e.g. ``/cards``; ``''`` for none.
    keep_days : int
        Tables and replays untouched for so many days are deleted; 0 keeps all.
    pace : float
        Seconds that the computer takes for a move.
    limits : bool
        Whether each address may do only so much at a time (see `limits`); off for benchmarks.
    """

    folder: Path = field(default_factory=default_folder)
    prefix: str = ""
    keep_days: int = 365
    pace: float = 0.7
    limits: bool = True
