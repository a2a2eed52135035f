"""Somebody at a browser of their own, who notices whatever goes wrong there."""

from __future__ import annotations

import copy
import re
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request, Response, WebError, expect

from tests.waits import HANGS

EYES = Path(__file__).with_name("page.js")
expect.set_options(timeout=1000 * HANGS)


class Person:
    """A browser context of its own, with one page open.

    Attributes
    ----------
    faults : list of str
        Errors in the console or of a script, requests that failed, answers that are no success.
    """

    def __init__(self, browser: Browser, site: str, name: str, **how: Any) -> None:
        self.name, self.site, self.faults, self._excused = name, site, list[str](), list[re.Pattern[str]]()
        how = {"base_url": site, "locale": "en-GB", "reduced_motion": "reduce", **how}
        if how.get("java_script_enabled") is False:
            self.excuse(r"\.js: csp$")  # modules that a page has asked for ahead, which are not to be run
        self.touch = bool(how.get("has_touch"))
        self.context: BrowserContext = browser.new_context(**how)
        self.context.set_default_timeout(1000 * HANGS)
        self.context.add_init_script(path=EYES)
        self.context.on("console", self._console)
        self.context.on("weberror", self._thrown)
        self.context.on("requestfailed", self._failed)
        self.context.on("response", self._answered)
        self.page: Page = self.context.new_page()

    def excuse(self, pattern: str) -> None:
        """Expect faults that match `pattern` from now on."""
        self._excused.append(re.compile(pattern))

    def _fault(self, text: str) -> None:
        if not any(pattern.search(text) for pattern in self._excused):
            self.faults.append(f"{self.name}: {text}")

    def _console(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self._fault(f"{message.text} ({message.location.get('url')})")

    def _thrown(self, error: WebError) -> None:
        self._fault(f"{error.error}")

    def _failed(self, request: Request) -> None:
        if request.failure != "net::ERR_ABORTED":  # the page was left meanwhile
            self._fault(f"{request.url}: {request.failure}")

    def _answered(self, response: Response) -> None:
        if response.status >= 400:
            self._fault(f"{response.url}: {response.status}")

    def open(self, path: str = "/") -> Page:
        """Go to a page and return it."""
        self.page.goto(path)
        return self.page

    def take_word(self, word: str) -> None:
        """Be known at this browser by a word, as a program is by the same."""
        self.context.add_cookies([{"name": "kartoteka", "value": word, "url": self.site}])

    def at_another_tab(self) -> Person:
        """Return the same person, at a fresh tab of the same browser."""
        other = copy.copy(self)
        other.page = self.context.new_page()
        return other
