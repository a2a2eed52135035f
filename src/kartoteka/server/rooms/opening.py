"""The one place that says what keeps the log and what carries the news."""

from __future__ import annotations

from kartoteka.server.rooms import store
from kartoteka.server.rooms.hall import Hall
from kartoteka.server.rooms.news import OneProcess
from kartoteka.server.settings import Settings


def check(settings: Settings) -> None:
    """Raise `LogFault` if the log cannot be kept: said in a sentence before anything is served."""
    store.prepare(settings.folder)


async def open_hall(settings: Settings) -> Hall:
    """Return the tables of this server."""
    return Hall(settings, await store.open_store(settings.folder), OneProcess())
