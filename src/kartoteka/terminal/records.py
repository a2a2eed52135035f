"""``kartoteka simulate``, ``replay`` and ``verify``: records out, records in."""

from __future__ import annotations

import codecs
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import click
from rich.progress import Progress

from kartoteka.engine.declare import Game
from kartoteka.engine.errors import RecordError, UsageError
from kartoteka.terminal.common import GAME, as_json, asides, making, output, variant, variant_options
from kartoteka.text import _, decimal, listed, ngettext, printable

if TYPE_CHECKING:
    from kartoteka.engine.record import Record, Step
    from kartoteka.engine.verifying import Verdict


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
    from kartoteka.players import find, play_out

    chosen = variant(game, players, options)
    kinds = by.split(",") if "," in by else [by] * chosen.players
    if len(kinds) != chosen.players:
        raise UsageError(_("--by names {n} players for {m} seats.").format(n=len(kinds), m=chosen.players))
    for kind in kinds:
        find(kind)
    seed = seed or secrets.token_hex(8)
    seats = [records.Seat(f"{kind.capitalize()} {k}", kind) for k, kind in enumerate(kinds, 1)]
    with output(out) as write, making(game), _progress(count, out is None) as done:
        for k in range(count):
            played = records.record_of(play_out(Match(chosen, f"{seed}/{k}", best_of), kinds), seats)
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
    from kartoteka.engine import record as records

    found: list[dict[str, object]] = []
    fault: dict[str, object] | None = None
    line = read = 0
    try:
        with making() as want, _progress(_size(file), words) as done:
            for line, data in _documents(file):
                record = records.read(data)
                want(records.variant_of(record).game)
                moves = _replayed(line, record, words and not json_)
                read += len(data)
                done(read)
                found.append(
                    {"line": line, "game": record.game, "deals": len(record.deals), "moves": moves,
                     "totals": record.result.totals, "winners": record.result.winners}
                )  # fmt: skip
    except RecordError as error:
        fault = {"line": line, **_as_fault(error)}
        message = _("line {line}: {error}").format(line=line, error=printable(str(error)))
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
        if number == 1:
            line = line.removeprefix(codecs.BOM_UTF8)
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


def _replayed(line: int, record: Record, words: bool) -> int:
    """Replay a record, telling it in words if asked to; return the number of its moves."""
    from kartoteka.engine import record as records

    moves = 0
    if words:
        names = listed([printable(seat.name) for seat in record.seats], "and")
        click.echo(_("Line {line}: {game}, {names}").format(line=line, game=record.game, names=names))
    for step in records.walk(record):
        moves += 1
        if words:
            click.echo(_told(record, step))
    if words:
        won = listed([printable(record.seats[seat - 1].name) for seat in record.result.winners], "and")
        click.echo(_("Won by {names}.").format(names=won) if won else _("Nobody has won, or not yet."))
    return moves


def _told(record: Record, step: Step) -> str:
    """Return a step in words, as a spectator sees it."""
    from kartoteka.engine.telling import tell

    after = step.position.copy()
    after.push(step.move)
    names = [printable(seat.name) for seat in record.seats]
    head = f"{step.deal + 1}.{step.ply + 1}"
    return f"{head:>8}  {step.move:<12}  {tell(step.position, step.move, after, names, 0)}"


@click.command(
    short_help=_("Verify that records were shuffled honestly."),
    help=_(
        """Replay the records in each FILE (- for standard input) and verify the seal of each of their deals.

A seal holds what the server promised before the deal and what each person's browser added; together they decide how
the pack lies, and nothing else may have. Exit status 1 unless every deal of every record has a good seal.
"""
    ),
)
@click.argument("files", metavar="FILE...", type=click.File("rb"), nargs=-1, required=True)
@click.option("--json", "json_", is_flag=True, help=_("Print what was found as JSON."))
def verify(files: tuple[BinaryIO, ...], json_: bool) -> None:
    """Verify the seals of records."""
    verdicts: list[Verdict] = []
    found: list[dict[str, object]] = []
    faults = 0
    for one in (judged for file in files for judged in _judged(file)):
        verdicts += one.verdicts
        faults += one.fault is not None
        if json_:
            found.append(_as_found(one))
        else:
            _tell(one)
    good = sum(verdict.finding == "good" for verdict in verdicts)
    if json_:
        as_json(found)
    else:
        text = ngettext("{good} of {n} deal is verified.", "{good} of {n} deals are verified.", len(verdicts))
        click.echo(text.format(good=decimal(good), n=decimal(len(verdicts))))
    if faults or good < len(verdicts):
        sys.exit(1)


@dataclass
class _Judged:
    """A document of a file with what was found of it; `record` is None if it could not be read."""

    file: str
    line: int
    record: Record | None = None
    verdicts: list[Verdict] = field(default_factory=list)
    fault: RecordError | None = None


def _judged(file: BinaryIO) -> Iterator[_Judged]:
    """Yield what is found of each document; after one that breaks off, the file is read no further."""
    line = 0
    try:
        for line, data in _documents(file):
            yield _judge(_Judged(file.name, line), data)
    except RecordError as error:
        yield _Judged(file.name, line + 1, fault=error)


def _judge(one: _Judged, data: bytes) -> _Judged:
    from kartoteka.engine import record as records
    from kartoteka.engine.verifying import verify_shuffles

    try:
        one.record = records.read(data)
        one.verdicts = verify_shuffles(one.record)
        _replayed(one.line, one.record, False)
    except RecordError as error:
        one.fault = error
    return one


def _tell(one: _Judged) -> None:
    heads = {
        "good": _("Deal {n} was shuffled honestly."),
        "wrong": _("Deal {n} is not what its seal says."),
        "closed": _("Deal {n} is still sealed."),
        "none": _("Deal {n} cannot be verified."),
    }
    if one.record:
        names = listed([printable(seat.name) for seat in one.record.seats], "and")
        text = _("{file}, line {line}: {game}, {names}")
        click.echo(text.format(file=one.file, line=one.line, game=one.record.game, names=names))
    for verdict in one.verdicts:
        click.echo("  " + heads[verdict.finding].format(n=verdict.deal))
        for told in verdict.told:
            click.echo("    " + printable(told))
    if one.fault:
        text = _("{file}, line {line}: {error}")
        click.echo(text.format(file=one.file, line=one.line, error=printable(str(one.fault))), err=True)


def _as_found(one: _Judged) -> dict[str, object]:
    """Return what `verify --json` says of a document."""
    deals = [
        {"deal": v.deal, "finding": v.finding, "told": v.told, "faults": [_as_fault(f) for f in v.faults]}
        for v in one.verdicts
    ]
    fault = _as_fault(one.fault) if one.fault else None
    game = one.record.game if one.record else None
    return {"file": one.file, "line": one.line, "game": game, "deals": deals, "fault": fault}


def _as_fault(error: RecordError) -> dict[str, object]:
    return {"place": error.place, "reason": error.reason, "clause": error.clause}
