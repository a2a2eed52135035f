"""People who play by the API, to bring a table quickly to where a page is to be looked at."""

from __future__ import annotations

import contextlib
import json
import random
import secrets
import urllib.error
import urllib.request
from dataclasses import dataclass, field
from typing import Any

from kartoteka.engine.declare import Game, Value


@dataclass
class Program:
    """Somebody known by a word, by the API or (see `Person.take_word`) at a browser."""

    site: str
    name: str
    word: str = field(default_factory=lambda: secrets.token_hex(16))

    def call(self, path: str, body: object = None) -> Any:
        """Ask the API; a refusal is an error."""
        data = None if body is None else json.dumps(body).encode()
        headers = {"Authorization": f"Bearer {self.word}", "Content-Type": "application/json"}
        with urllib.request.urlopen(urllib.request.Request(f"{self.site}/api{path}", data, headers)) as answer:
            return json.load(answer)

    def sheet(self, code: str) -> Any:
        """Return the table as this seat sees it."""
        return self.call(f"/tables/{code}")["sheet"]

    def say(self, code: str, type: str, **more: object) -> Any:
        """Send a message to a table."""
        return self.call(f"/tables/{code}/messages", {"type": type, **more})

    def move(self, code: str, number: int, move: str) -> None:
        """Make a move."""
        self.say(code, "move", id=secrets.token_hex(8), number=number, move=move)


def short(game: Game) -> dict[str, Value]:
    """Return the options under which a match is soon over: whole numbers as small as they may be."""
    chosen: dict[str, Value] = {}
    for option in game.options:
        whole = [value for value in option.readings if type(value) is int]
        if option.numbers and not option.readings:
            chosen[option.name] = option.numbers[0]
        elif whole:
            chosen[option.name] = min(whole)
    return chosen


@dataclass
class Played:
    """A table that programs have opened and played at."""

    code: str
    seats: list[Program]

    @property
    def turn(self) -> Program:
        """Who is to move."""
        turn: int = self.seats[0].sheet(self.code)["view"]["turn"]
        return self.seats[turn - 1]


def play(site: str, game: Game, plies: int | None, seed: str = "", **more: object) -> Played:
    """Open a table for as few as can play, and play so many moves of a deal; None for the whole match."""
    seats = [Program(site, name) for name in ("Ann", "Ben", "Cleo", "Dan")[: min(game.players)]]
    wanted = {"game": game.name, "players": len(seats), "options": short(game), "name": seats[0].name, **more}
    code = seats[0].call("/tables", wanted)["code"]
    for seat in seats[1:]:
        seat.call(f"/tables/{code}/seats", {"name": seat.name})
    go_on(Played(code, seats), plies, random.Random(seed or game.name))
    return Played(code, seats)


def go_on(played: Played, plies: int | None, chance: random.Random) -> None:
    """Play until somebody is to move and so many moves more were made in one deal; None: until the match is over.

    Nobody can choose the cards of a table: a deal that is over too soon is followed by another.
    """
    code, seats, left = played.code, played.seats, plies
    while True:
        sheet = seats[0].sheet(code)
        if sheet["phase"] == "over" and plies is None:
            return
        if sheet["phase"] in ("waiting", "between", "over"):
            seats[0].say(code, "deal")
            left = plies
        elif sheet["phase"] == "sealing":
            seal(played, sheet["seal"]["commitment"])
        elif left == 0:
            return
        else:
            mover = seats[sheet["view"]["turn"] - 1]
            sheet = mover.sheet(code)
            mover.move(code, sheet["number"], chance.choice(sheet["choices"])["move"])
            left = left and left - 1


def seal(played: Played, commitment: str) -> None:
    """Add everyone's nonce to the shuffle, which may be over before it is the last one's turn."""
    for seat in played.seats:
        with contextlib.suppress(urllib.error.HTTPError):
            seat.say(played.code, "nonce", commitment=commitment, nonce=secrets.token_hex(16))
