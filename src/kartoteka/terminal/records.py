"""``kartoteka simulate`` and ``kartoteka replay``: records out, records in."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import click
from rich.progress import Progress

from kartoteka.engine.declare import Game
from kartoteka.engine.errors import RecordError, UsageError
from kartoteka.terminal.common import GAME, as_json, asides, output, prepare, variant, variant_options
from kartoteka.text import _, decimal, listed, ngettext, printable

if TYPE_CHECKING:
    from kartoteka.engine.record import Record, Step


LONGEST = 1 << 26
"""Bytes of the longest record that is read."""


@click.command(
    short_help=_("Play by computer and print records."),
    help=_("Play matches of GAME by computer and print their records, one JSON document a line."),
)
@click.argument("game", type=GAME)
@click.option(
    "--games", "count", type=click.IntRange(min=1), default=1, show_default=True, help=_("How many matches.")
)
@variant_options
@click.option(
    "--by",
    default="random",
    show_default=True,
    help=_("Who plays every seat: random or greedy; or one for each seat, with commas."),
)
@click.option("--best-of", type=int, default=1, show_default=True, help=_("Games in a match not played for points."))
@click.option("--seed", help=_("The same seed gives the same bytes; without one it is drawn afresh."))
@click.option("--trace", is_flag=True, help=_("Add who moved and all legal moves, for checking."))
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help=_("Write to this file."))
def simulate(
    game: Game, count: int, players: int | None, options: tuple[str, ...], by: str, best_of: int,
    seed: str | None, trace: bool, out: Path | None,
) -> None:  # fmt: skip
    """Play matches and print their records."""
    import secrets

    from kartoteka.engine import record as records
    from kartoteka.engine.match import Match
    from kartoteka.players import find, play_out, record

    chosen = variant(game, players, options)
    kinds = by.split(",") if "," in by else [by] * chosen.players
    if len(kinds) != chosen.players:
        raise UsageError(_("--by names {n} players for {m} seats.").format(n=len(kinds), m=chosen.players))
    for kind in kinds:
        find(kind)
    seed = seed or secrets.token_hex(8)
    seats = [records.Seat(f"{kind.capitalize()} {k}", kind) for k, kind in enumerate(kinds, 1)]
    with output(out) as write:
        prepare(chosen)
        with _progress(count, out is None) as done:
            for k in range(count):
                played = record(play_out(Match(chosen, f"{seed}/{k}", best_of), kinds), seats)
                write((records.trace(played) if trace else played).to_json())
                done(k + 1)


def _size(file: BinaryIO) -> int | None:
    return os.fstat(file.fileno()).st_size or None if file.seekable() else None


@contextmanager
def _progress(total: int | None, printing: bool) -> Iterator[Callable[[int], None]]:
    """Show progress while something long goes on, on a terminal to which nothing else is `printing`."""
    shown = asides.is_terminal and not (printing and sys.stdout.isatty())
    with Progress(console=asides, transient=True, disable=not shown) as bar:
        task = bar.add_task("", total=total)
        yield lambda done: bar.update(task, completed=done)


@click.command(
    short_help=_("Verify records, and tell them in words."),
    help=_(
        """Replay and verify the records in FILE (- for standard input), one JSON document a line or a single one.

Exit status 1 at the first fault, with the record's line, the move and the clause.
"""
    ),
)
@click.argument("file", type=click.File("rb"))
@click.option("--words", is_flag=True, help=_("Tell the games in words."))
@click.option("--json", "json_", is_flag=True, help=_("Print what was found as JSON."))
def replay(file: BinaryIO, words: bool, json_: bool) -> None:
    """Verify records."""
    found: list[dict[str, object]] = []
    fault: dict[str, object] | None = None
    line = read = 0
    try:
        with _progress(_size(file), words) as done:
            for line, data in _documents(file):
                record, moves = _replayed(line, data, words and not json_)
                read += len(data)
                done(read)
                found.append(
                    {"line": line, "game": record.game, "deals": len(record.deals), "moves": moves,
                     "totals": record.result.totals, "winners": record.result.winners}
                )  # fmt: skip
    except RecordError as error:
        fault = {"line": line, "place": error.place, "reason": error.reason, "clause": error.clause}
        message = _("line {line}: {error}").format(line=line, error=error)
    if json_:
        as_json({"records": found, "fault": fault})
    else:
        moves = sum(int(str(r["moves"])) for r in found)
        text = ngettext("{n} record verified, {moves} moves.", "{n} records verified, {moves} moves.", len(found))
        click.echo(text.format(n=decimal(len(found)), moves=decimal(moves)))
    if fault:
        if not json_:
            click.echo(message, err=True)
        sys.exit(1)


def _documents(file: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """Yield each document with the line it begins on: one a line, or the whole file if the first line is not one."""
    empty = True
    for number, line in enumerate(iter(lambda: file.readline(LONGEST), b""), 1):
        if not line.strip():
            continue
        empty = False
        whole = line if line.rstrip().endswith(b"}") else line + file.read(LONGEST)
        if len(whole) >= LONGEST:
            reason = _("a record has less than {n} bytes").format(n=decimal(LONGEST))
            raise RecordError("", reason)
        yield number, whole
        if whole is not line:
            return
    if empty:
        raise RecordError("", _("there is no record in this file"))


def _replayed(line: int, data: bytes, words: bool) -> tuple[Record, int]:
    from kartoteka.engine import record as records

    record = records.read(data)
    prepare(records.variant_of(record))
    moves = 0
    if words:
        names = listed([printable(seat.name) for seat in record.seats], _("and"))
        click.echo(_("Line {line}: {game}, {names}").format(line=line, game=record.game, names=names))
    for step in records.walk(record):
        moves += 1
        if words:
            click.echo(_told(record, step))
    if words:
        won = listed([printable(record.seats[seat - 1].name) for seat in record.result.winners], _("and"))
        click.echo(_("Won by {names}.").format(names=won) if won else _("Nobody has won, or not yet."))
    return record, moves


def _told(record: Record, step: Step) -> str:
    """Return a step in words, as a spectator sees it."""
    from kartoteka.terminal.telling import told

    after = step.position.copy()
    after.push(step.move)
    names = [printable(seat.name) for seat in record.seats]
    head = f"{step.deal + 1}.{step.ply + 1}"
    return f"{head:>8}  {step.move:<12}  {told(step.position, step.move, after, names, 0)}"
