"""Two people play each game to its end through the page; each time something else happens besides."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import WebSocketRoute, expect

from kartoteka.engine import registry
from kartoteka.engine.declare import Game
from tests.browser.conftest import People
from tests.browser.evening import (
    look_at_the_end,
    open_table,
    play_again,
    play_out,
    sit_down,
    watch_and_verify,
)
from tests.browser.hands import BUTTON, PUT, TAKE, Keys, Pointer, make_move, settled, table
from tests.browser.house import Server, Wire
from tests.browser.person import Person

pytestmark = pytest.mark.timeout(240)

GAMES = list(registry.games().values())
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
LOST = "WebSocket connection|ERR_CONNECTION|ERR_EMPTY_RESPONSE|ERR_SOCKET_NOT_CONNECTED"
"""What Chromium says of a line that is lost."""


def of_games(first: int) -> pytest.MarkDecorator:
    """Give a test the game that is `first` in the drawer, and every fifth after it."""
    return pytest.mark.parametrize("game", GAMES[first::5], ids=lambda game: game.name)


def end(people: list[Person], game: Game, keys: bool = False) -> None:
    """Look at the end of a match, have a rematch, and look at the replay."""
    record = look_at_the_end(people)
    first, second = people
    watch_and_verify(first, record, keys)
    play_again(second, record, game)


@of_games(0)
def test_on_a_phone_by_finger(people: People, game: Game) -> None:
    ann, ben = people("Ann"), people("Ben", **PHONE)
    sit_down(ben, open_table(ann, game))
    play_out([(ann, Pointer()), (ben, Pointer())], game.name)
    end([ben, ann] if False else [ann, ben], game)


@of_games(1)
def test_by_keys_alone(people: People, game: Game) -> None:
    ann, ben = people("Ann"), people("Ben")
    ann.context.add_init_script("addEventListener('pointerdown', () => { throw Error('a pointer was used') }, true)")
    sit_down(ben, open_table(ann, game, keys=True))
    play_out([(ann, Keys()), (ben, Pointer())], game.name)
    end([ann, ben], game, keys=True)
