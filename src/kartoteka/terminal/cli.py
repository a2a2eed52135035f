"""The commands. What compiles or imports a game's rules is imported where it is used: starting is quick.

Imported once the language is chosen, since the help texts are translated here.
"""

from __future__ import annotations

import click

from kartoteka import __version__
from kartoteka.engine import registry, rulebook
from kartoteka.engine.declare import Game, spelled
from kartoteka.engine.errors import nearest
from kartoteka.server.web.cli import serve
from kartoteka.terminal.bench import bench
from kartoteka.terminal.common import GAME, as_json, console, described
from kartoteka.terminal.play import play
from kartoteka.terminal.records import replay, simulate, verify
from kartoteka.text import _


class _Commands(click.Group):
    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and self.get_command(ctx, args[0]) is None and not args[0].startswith("-"):
            known = self.list_commands(ctx)
            text = _("There is no command {word!r}; did you mean {nearest}?")
            ctx.fail(text.format(word=args[0], nearest=nearest(args[0], known)))
        return super().resolve_command(ctx, args)


@click.group(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"]},
    help=_(
        """Five rare card games, playable exactly as their rules are written.

\b
Start with:
  kartoteka serve          play in the browser, with friends or the computer
  kartoteka play           play in the terminal
  kartoteka games          the games there are
  kartoteka rules GAME     how a game is played
"""
    ),
)
@click.version_option(__version__, prog_name="kartoteka")
def cli() -> None:
    """Hold the commands."""


@cli.command(short_help=_("List the games."), help=_("List the games: players, minutes, and each in a sentence."))
@click.option("--json", "json_", is_flag=True, help=_("Print JSON for a program to read."))
def games(json_: bool) -> None:
    """Print the games."""
    found = registry.games().values()
    if json_:
        as_json([_declared(game) for game in found])
        return
    for game in found:
        console.print(f"[bold]{game.name}[/]  {described(game)}")


def _declared(game: Game) -> dict[str, object]:
    """Return what `games --json` says of a game."""
    return {
        "name": game.name,
        "title": game.title,
        "native": game.native,
        "players": list(game.players),
        "minutes": game.minutes,
        "sentence": _(game.sentence),
        "clauses": list(game.clauses),
        "options": [_option(game, name) for name in (o.name for o in game.options)],
    }


def _option(game: Game, name: str) -> dict[str, object]:
    option = game.option(name)
    readings = [{"value": value, "reading": _(text)} for value, text in option.readings.items()]
    described: dict[str, object] = {
        "name": name,
        "clause": option.clause,
        "default": option.default,
        "readings": readings,
    }
    if option.numbers:
        described |= {"numbers": list(option.numbers), "number_reading": _(option.number_reading)}
    return described


@cli.command(
    short_help=_("Show a rulebook, or a clause of it."),
    help=_("Show the rulebook of GAME, or one CLAUSE of it (3.2, or the name of a section)."),
)
@click.argument("game", type=GAME)
@click.argument("clause", nargs=-1)
@click.option("--source", is_flag=True, help=_("Show sentence by sentence what the source became."))
@click.option("--options", is_flag=True, help=_("Show what can be read otherwise, each with its clause."))
@click.option("--json", "json_", is_flag=True, help=_("Print clauses and options as JSON."))
def rules(game: Game, clause: tuple[str, ...], source: bool, options: bool, json_: bool) -> None:
    """Print a rulebook or a part of it."""
    from rich.markdown import Markdown

    if json_:
        texts = rulebook.clauses(game)
        as_json(_declared(game) | {"clauses": [vars(c) for c in texts.values()]})
    elif clause:
        console.print(Markdown(rulebook.look_up(game, " ".join(clause))))
    elif source:
        console.print(Markdown(rulebook.source(game)))
    elif options:
        _show_options(game)
    else:
        console.print(Markdown(rulebook.text(game)))


def _show_options(game: Game) -> None:
    from rich.markup import escape
    from rich.table import Table

    table = Table(box=None, padding=(0, 2, 0, 0), title=f"{game.title}: " + _("options"), title_justify="left")
    for column in (_("option"), _("clause"), _("value"), _("reading")):
        table.add_column(column, header_style="dim", overflow="fold")
    for option in game.options:
        rows = []
        for value, text in option.readings.items():
            label = _("{value} (default)") if value == option.default else "{value}"
            rows.append((label.format(value=spelled(value)), text))
        if option.numbers:
            low, high = option.numbers
            label = "{low}–{high}" if option.default in option.readings else _("{low}–{high} (default {default})")
            rows.append((label.format(low=low, high=high, default=option.default), option.number_reading))
        for k, (label, text) in enumerate(rows):
            table.add_row(*(("", "") if k else (option.name, option.clause)), escape(label), _(text))
    console.print(table)
    console.print(_("Choose another with --option name=value."), style="dim")


for command in (play, serve, simulate, replay, verify, bench):
    cli.add_command(command)
