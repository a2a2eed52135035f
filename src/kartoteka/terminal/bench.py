"""``kartoteka bench``: how fast the compiled games are, beside known ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from kartoteka.terminal.common import as_json, asides, console, prepare
from kartoteka.text import _, decimal

if TYPE_CHECKING:
    from kartoteka.study.speed import Speed


@click.group(
    invoke_without_command=True,
    short_help=_("Measure how fast the games are, and the server."),
    help=_(
        """Measure random play in the compiled core of each game, on one core.

Where the package open_spiel is installed, three of its games are measured in the same run as anchors.
"""
    ),
)
@click.option(
    "--seconds",
    type=click.FloatRange(0.01, 600),
    default=2.0,
    show_default=True,
    help=_("How long each game is played."),
)
@click.option(
    "--strength", type=click.IntRange(min=1), metavar="DEALS", help=_("Show instead how clearly greedy beats random.")
)
@click.option("--json", "json_", is_flag=True, help=_("Print JSON for a program to read."))
@click.pass_context
def bench(context: click.Context, seconds: float, strength: int | None, json_: bool) -> None:
    """Print how fast the games are, or how clearly greedy beats random."""
    if context.invoked_subcommand:
        return
    if strength:
        _strength(strength, json_)
        return
    from kartoteka.engine import registry
    from kartoteka.engine.variant import usual
    from kartoteka.study import speed

    measured: dict[str, speed.Speed] = {}
    for name, game in registry.games().items():
        variant = usual(game)
        prepare(variant)
        with asides.status(_("Measuring {game} …").format(game=game.title)):
            measured[name] = speed.measure(variant, seconds)
    with asides.status(_("Measuring the anchors …")):
        anchors = speed.anchors(seconds)
    if json_:
        as_json({"games": measured, "anchors": {name: {"moves_per_s": rate} for name, rate in anchors.items()}})
    else:
        _show(measured, anchors)


def _show(measured: dict[str, Speed], anchors: dict[str, float]) -> None:
    from rich.table import Table

    table = Table(box=None, padding=(0, 2, 0, 0))
    heads = [_("game"), _("moves/s"), _("games/s"), _("ns a copy"), _("bytes"), _("legal"), _("us a move")]
    for k, head in enumerate(heads):
        table.add_column(head, justify="left" if k == 0 else "right", header_style="dim", no_wrap=True)
    for name, speed in measured.items():
        table.add_row(
            name, decimal(speed.moves_per_s), decimal(speed.games_per_s), decimal(speed.copy_ns, 1),
            decimal(speed.state_bytes), decimal(speed.legal_moves, 1), decimal(speed.position_us, 1),
        )  # fmt: skip
    console.print(table)
    console.print(
        _("Random play in the compiled core; us a move: one Position.play and the moves after it, from Python."),
        style="dim",
    )
    for anchor, rate in anchors.items():
        ratios = [f"{name} {decimal(speed.moves_per_s / rate, 1)}" for name, speed in measured.items()]
        text = _("OpenSpiel {anchor}, driven from Python: {rate} moves/s; times as fast: {ratios}")
        console.print(text.format(anchor=anchor, rate=decimal(rate), ratios=", ".join(ratios)))
    if not anchors:
        console.print(_("Install the package open_spiel to measure three of its games beside these."), style="dim")


def _strength(deals: int, json_: bool) -> None:
    """Print how clearly one greedy player beats random ones in every game, by every number of players."""
    from rich.table import Table

    from kartoteka.study.strength import greedy_against_random, usual_variants

    table = Table(box=None, padding=(0, 2, 0, 0))
    for head in (
        _("game"),
        _("players"),
        _("deals"),
        _("greedy wins"),
        _("a fair share"),
        _("standard errors above"),
    ):
        table.add_column(head, justify="left" if head == _("game") else "right", header_style="dim")
    found = []
    for variant in usual_variants():
        prepare(variant)
        with asides.status(_("Measuring {game} …").format(game=f"{variant.game.title}, {variant.players}")):
            s = greedy_against_random(variant, deals)
        found.append(
            {"game": variant.game.name, "players": s.players, "deals": s.deals, "won": s.won, "fair": s.fair}
        )
        shares = (f"{decimal(100 * share, 1)} %" for share in (s.won, s.fair))
        table.add_row(variant.game.name, str(s.players), decimal(s.deals), *shares, decimal(s.clearly, 1))
    if json_:
        as_json(found)
    else:
        console.print(table)


@bench.command(
    short_help=_("Measure how many tables the server bears."),
    help=_(
        """Start a server with a database of its own and let two programs play at each of its tables.

Timed is each move, from sending it to receiving the table after it. Then they play as fast as they are answered,
for a quarter of the time, and a bare socket sends 4 kB back to as many programs: what a move costs in such echoes
says the same on slow machines and fast ones.
"""
    ),
)
@click.option("--tables", type=click.IntRange(1, 5000), show_default="200; --hostile 50", help=_("How many tables."))
@click.option(
    "--rate", type=click.FloatRange(0), show_default="200; --hostile 50",
    help=_("Moves a second, at all tables together; 0 is as fast as they are answered."),
)  # fmt: skip
@click.option(
    "--seconds", type=click.FloatRange(0.1), default=20.0, show_default=True, help=_("How long, each attack too.")
)
@click.option(
    "--hostile", is_flag=True, help=_("Attack that server meanwhile, in one way after another, with its limits on.")
)
@click.option("--json", "json_", is_flag=True, help=_("Print JSON for a program to read."))
def server(tables: int | None, rate: float | None, seconds: float, hostile: bool, json_: bool) -> None:
    """Print how long moves take at so many tables."""
    from kartoteka.study.load import measure

    many = 50 if hostile else 200
    tables, rate = tables or many, many if rate is None else rate
    if hostile:
        _hostile(tables, rate, seconds, json_)
        return
    with asides.status(_("Playing …")):
        load = measure(tables, rate, seconds)
    if json_:
        as_json({**vars(load), "echoes_a_move": load.echoes_a_move})
        return
    lines = (
        (_("tables"), decimal(load.tables)),
        (_("moves/s"), decimal(load.moves_per_s, 1)),
        (_("ms from move to view, half of them within"), decimal(load.p50, 1)),
        (_("ms from move to view, 99 % within"), decimal(load.p99, 1)),
        (_("ms, the longest"), decimal(load.longest, 1)),
        (_("MB held by the server at most"), decimal(load.megabytes)),
        (_("refused messages"), decimal(load.refused)),
        (_("moves/s as fast as they are answered"), decimal(load.full_per_s, 1)),
        (_("echoes/s of 4 kB by a bare socket"), decimal(load.echoes_per_s)),
        (_("echoes that a move costs"), decimal(load.echoes_a_move, 1)),
    )
    for label, value in lines:
        console.print(f"{value:>10}  {label}")


def _hostile(tables: int, rate: float, seconds: float, json_: bool) -> None:
    """Print how long moves take under each attack, beside those without."""
    from rich.table import Table

    from kartoteka.study.attack import besieged

    with asides.status(_("Playing …")):
        sieges = besieged(tables, rate, seconds)
    if json_:
        as_json({"tables": tables, "sieges": sieges})
        return
    shown = Table(box=None, padding=(0, 2, 0, 0))
    heads = [
        _("attack"), _("moves/s"), _("ms, half within"), _("99 % within"), _("the longest"), _("refused"), _("tried"),
        _("let in"),
    ]  # fmt: skip
    for k, head in enumerate(heads):
        shown.add_column(head, justify="left" if k == 0 else "right", header_style="dim")
    for s in sieges:
        ms = (decimal(value, 1) for value in (s.moves_per_s, s.p50, s.p99, s.longest))
        shown.add_row(_(s.attack), *ms, decimal(s.refused), decimal(s.tried), decimal(s.done))
    console.print(shown)
    console.print(
        _("{tables} tables. Refused are the players' messages; tried and let in, what the attackers did.").format(
            tables=decimal(tables)
        ),
        style="dim",
    )
