"""Games left unfinished: kept after every move, offered again at the next start."""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Iterator
from pathlib import Path

import msgspec
import platformdirs

from kartoteka.engine.errors import RecordError
from kartoteka.engine.match import Match
from kartoteka.engine.record import Record, Seat, positions_of, read, variant_of
from kartoteka.players import record

try:
    import fcntl
except ImportError:  # no such locks on this system: two terminals may be offered the same game
    fcntl = None  # type: ignore[assignment]

FORMAT = "kartoteka-unfinished/1"


class _Saved(msgspec.Struct):
    format: str
    seed: str
    best_of: int
    record: msgspec.Raw


def folder() -> Path:
    """Return where unfinished games are kept."""
    return Path(os.environ.get("KARTOTEKA_DATA") or platformdirs.user_data_dir("kartoteka")) / "unfinished"


class Slot:
    """One unfinished game's file, held by this process while it is open."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        self._lock = path.with_suffix(".lock").open("w")
        if fcntl:
            try:
                fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                self._lock.close()
                raise

    @classmethod
    def fresh(cls, game: str) -> Slot:
        """Return a slot for a new game."""
        return cls(folder() / f"{game}-{secrets.token_hex(4)}.json")

    def keep(self, match: Match, seats: list[Seat]) -> None:
        """Write the match as it stands; the file is replaced whole, so a kill leaves the last move's."""
        saved = _Saved(FORMAT, str(match.seed), match.best_of, msgspec.Raw(msgspec.json.encode(record(match, seats))))
        fresh = self.path.with_suffix(".new")
        with fresh.open("wb") as file:
            file.write(msgspec.json.encode(saved))
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(self.path)

    def discard(self) -> None:
        """Forget the game."""
        self.path.unlink(missing_ok=True)
        self.close()

    def close(self) -> None:
        """Let another process have it."""
        self._lock.close()
        self.path.with_suffix(".lock").unlink(missing_ok=True)


def unfinished() -> Iterator[tuple[Slot, Match, list[Seat]]]:
    """Yield the unfinished games that no other process holds, the newest first; unreadable ones are passed over.

    Each slot is held; close those that are not used.
    """
    found = list(folder().glob("*.json")) if folder().is_dir() else []
    for path in sorted(found, key=lambda p: p.stat().st_mtime, reverse=True):
        try:
            slot = Slot(path)
        except OSError:
            continue
        try:
            saved = msgspec.json.decode(path.read_bytes(), type=_Saved)
            match, seats = _resume(read(bytes(saved.record)), saved.seed, saved.best_of)
        except (msgspec.MsgspecError, RecordError, OSError):
            slot.close()
            continue
        yield slot, match, seats


def _resume(kept: Record, seed: str, best_of: int) -> tuple[Match, list[Seat]]:
    match = Match(variant_of(kept), seed, best_of)
    match.positions = positions_of(kept, seed)
    return match, kept.seats


@contextlib.contextmanager
def held(slot: Slot) -> Iterator[Slot]:
    """Close the slot at the end of the block."""
    try:
        yield slot
    finally:
        slot.close()
