"""Games left unfinished: kept after every move, offered again at the next start."""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import platformdirs

from kartoteka.engine.errors import KartotekaError
from kartoteka.engine.match import Match
from kartoteka.engine.record import Record, Seat, positions_of, read, record_of, variant_of
from kartoteka.players import find
from kartoteka.terminal.common import HUMAN

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
        lock = path.with_suffix(".lock")
        self._lock = lock.open("wb")
        if fcntl:
            try:
                fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if os.fstat(self._lock.fileno()).st_ino != lock.stat().st_ino:  # its holder has just let go
                    raise BlockingIOError(lock)
            except OSError:
                self._lock.close()
                raise

    @classmethod
    def fresh(cls, game: str) -> Slot:
        """Return a slot for a new game."""
        return cls(folder() / f"{game}-{secrets.token_hex(4)}.json")

    def keep(self, match: Match, seats: list[Seat]) -> None:
        """Write the match as it stands; the file is replaced whole, so a kill leaves the last move's."""
        record = msgspec.Raw(msgspec.json.encode(record_of(match, seats)))
        saved = _Saved(FORMAT, str(match.seed), match.best_of, record)
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


def unfinished(game: str | None, faulty: Callable[[Path], None]) -> Iterator[tuple[Slot, Match, list[Seat]]]:
    """Yield the unfinished games (of one game if named) that no other process holds, the newest first.

    `faulty` is told of files that cannot be read.

    Each slot is held; close those that are not used.
    """
    found = [p for p in folder().glob(f"{game or '*'}-*.json") if p.is_file()] if folder().is_dir() else []
    for path in sorted(found, key=_age):
        try:
            slot = Slot(path)
        except OSError:
            continue
        try:
            saved = msgspec.json.decode(path.read_bytes(), type=_Saved)
            if saved.format != FORMAT:
                raise ValueError(saved.format)
            match, seats = _resume(read(bytes(saved.record)), saved.seed, saved.best_of)
        except (msgspec.MsgspecError, KartotekaError, OSError, ValueError, RecursionError):
            slot.close()
            faulty(path)
            continue
        yield slot, match, seats


def _age(path: Path) -> float:
    """Return how long ago a file was written; one that is gone meanwhile counts as oldest."""
    try:
        return -path.stat().st_mtime
    except OSError:
        return 0.0


def _resume(kept: Record, seed: str, best_of: int) -> tuple[Match, list[Seat]]:
    for seat in kept.seats:
        if seat.kind != HUMAN:
            find(seat.kind)
    variant = variant_of(kept)
    return Match.of(variant, seed, best_of, positions_of(kept, seed)), kept.seats


@contextlib.contextmanager
def held(slot: Slot) -> Iterator[Slot]:
    """Close the slot at the end of the block."""
    try:
        yield slot
    finally:
        slot.close()
