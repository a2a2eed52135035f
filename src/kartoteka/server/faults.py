"""Faults of ours in the server's log: where they happened, never the values, which may hold hidden cards."""

from __future__ import annotations

import logging
import traceback

from sqlalchemy.exc import OperationalError

log = logging.getLogger("kartoteka.server")


def note(what: str, error: BaseException) -> None:
    """Log that `what` failed: the kind of error and the places in the code it passed."""
    frames = traceback.extract_tb(error.__traceback__)[-8:]
    places = " < ".join(f"{frame.filename.rpartition('kartoteka/')[2]}:{frame.lineno}" for frame in reversed(frames))
    # What the database says of itself (a full disk) holds none of what it was given.
    said = f" ({error.orig})" if isinstance(error, OperationalError) else ""
    log.error("%s: %s%s at %s", what, type(error).__name__, said, places)
