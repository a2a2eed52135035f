"""What the commands share: the console, the arguments of a game, and how its machine code is had."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
import msgspec
from rich.console import Console
from rich.markup import escape

from kartoteka.engine import registry
from kartoteka.engine.declare import Game, Value, spread
from kartoteka.engine.errors import UsageError
from kartoteka.text import _

if TYPE_CHECKING:
    from kartoteka.engine.variant import Variant

console = Console(highlight=False)
asides = Console(stderr=True, highlight=False)
"""For what is not the result: progress, notes."""

HUMAN = "human"
"""The kind of a seat that a person holds."""

F = TypeVar("F", bound=Callable[..., Any])


class _GameType(click.ParamType[Game]):
    name = "game"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Game:
        return value if isinstance(value, Game) else registry.find(value)


GAME = _GameType()


def variant_options(f: F) -> F:
    """Add the parameters that choose a variant: --players and --option."""
    f = click.option(
        "--option", "options", multiple=True, metavar="NAME=VALUE",
        help=_("Another reading of a rule; may be repeated. 'kartoteka rules GAME --options' shows them."),
    )(f)  # fmt: skip
    return click.option("--players", type=int, help=_("How many play; without it, the usual number."))(f)


def variant(game: Game, players: int | None, options: tuple[str, ...]) -> Variant:
    """Return the variant chosen on the command line; raise `UsageError` for a wrong word."""
    from kartoteka.engine.variant import Variant

    chosen: dict[str, Value] = {}
    for word in options:
        name, sign, value = word.partition("=")
        if not sign:
            raise UsageError(_("An option is written name=value, as in {example}.").format(example=_example(game)))
        chosen[name.strip()] = game.option(name.strip()).parse(value)
    return Variant(game, game.seats(players), game.settle(chosen))


def _example(game: Game) -> str:
    return f"{game.options[0].name}={game.options[0].default}" if game.options else "name=value"


def described(game: Game) -> str:
    """Return a game in two lines, marked up: its names, players and minutes; its sentence."""
    native = "" if game.native == game.title else f" · {game.native}"
    usual = "" if len(game.players) == 1 else ", " + _("usually {n}").format(n=game.usual)
    players = _("{n} players").format(n=spread(game.players)) + usual
    minutes = _("{n} minutes a deal").format(n=game.minutes)
    return f"{game.title}{native} · [dim]{players} · {minutes}[/]\n     {escape(_(game.sentence))}"


@contextmanager
def making(*games: Game) -> Iterator[Callable[[Game], None]]:
    """Let `games` be played in plain Python inside the block until their machine code is made and loaded beside it.

    Yields what adds another game.
    """
    from kartoteka.engine.workshop import Workshop

    workshop = Workshop()
    workshop.want(*games)
    try:
        yield workshop.want
    finally:
        workshop.stop()


def prepare(chosen: Variant) -> None:
    """Load a game's machine code; where it must be made first, say so: for what is measured."""
    if chosen.made:
        chosen.prepare()
        return
    note = _("Compiling {game} for this machine, once per installation; about twenty seconds …")
    with asides.status(note.format(game=chosen.game.title)):
        if not asides.is_terminal:
            asides.print(note.format(game=chosen.game.title))
        chosen.prepare()


def as_json(value: object) -> None:
    """Print a value as JSON for a program."""
    click.echo(msgspec.json.format(msgspec.json.encode(value)).decode())


@contextmanager
def output(path: Path | None) -> Iterator[Callable[[str], None]]:
    """Yield what writes a line to a file, or to standard output; a file that cannot be written fails at once."""
    if path is None:
        yield lambda line: click.echo(line)
        return
    with path.open("w", encoding="utf-8", newline="\n") as file:
        yield lambda line: print(line, file=file)
