"""Chromium, a server, and people who come to it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.browser.house import Server
from tests.browser.person import Person

People = Callable[..., Person]

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")


def _chromium(own: str) -> str:
    """Return where Chromium is: the one that KARTOTEKA_CHROMIUM names, the system's, or Playwright's `own`."""
    found = os.environ.get("KARTOTEKA_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), "")
    return found or (own if Path(own).exists() else "")


@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    """One Chromium for all of these tests; it ends with them, since its event loop would be in others' way."""
    with sync_playwright() as playwright:
        path = _chromium(playwright.chromium.executable_path)
        if not path:
            say = pytest.fail if os.environ.get("CI") else pytest.skip
            say("These tests need Chromium; KARTOTEKA_CHROMIUM can name its path.")
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def server(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all of these tests but those that kill it."""
    server = Server(tmp_path_factory.mktemp("tables"))
    yield server
    server.kill()


@pytest.fixture
def people(chromium: Browser, server: Server) -> Iterator[People]:
    """Let people come, each to a browser of their own; in the end nothing may have gone wrong in any of them."""
    here: list[Person] = []

    def come(name: str = "Ann", site: str = server.site, **how: Any) -> Person:
        here.append(Person(chromium, site, name, **how))
        return here[-1]

    yield come
    for person in here:
        person.context.close()
    faults = [fault for person in here for fault in person.faults]
    assert not faults, "\n".join(faults)
