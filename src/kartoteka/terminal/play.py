"""``kartoteka play``: choose a game, take a seat, play to the end."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.markup import escape

from kartoteka.engine import registry
from kartoteka.engine.declare import Game
from kartoteka.engine.errors import UsageError, unknown
from kartoteka.terminal.common import GAME, HUMAN, console, described, making, variant, variant_options
from kartoteka.text import _

if TYPE_CHECKING:
    from kartoteka.engine.match import Match
    from kartoteka.engine.record import Seat
    from kartoteka.engine.variant import Variant
    from kartoteka.terminal.saves import Slot


@click.command(
    short_help=_("Play a game in the terminal."),
    help=_(
        """Play GAME in the terminal against the computer, or several people at one screen.

\b
kartoteka play                              choose a game
kartoteka play GAME --players 3             against two computers
kartoteka play GAME --seats human,human     two people, one screen
kartoteka play GAME --option NAME=VALUE     by another reading of a rule
"""
    ),
)
@click.argument("game", type=GAME, required=False)
@variant_options
@click.option("--against", help=_("Who plays the other seats: greedy (the default) or random."))
@click.option(
    "--seats",
    metavar="KIND,KIND,...",
    help=_("Who sits where, e.g. human,greedy,human. Where a seat is a colour, this fixes it; otherwise lot does."),
)
@click.option("--best-of", type=int, default=1, show_default=True, help=_("Games in a match not played for points."))
@click.option("--seed", help=_("Names the shuffles: the same seed deals the same cards."))
@click.option(
    "--save", type=click.Path(dir_okay=False, path_type=Path), help=_("Write the record of the match here.")
)
@click.option("--new", is_flag=True, help=_("Start a new game without asking about an unfinished one."))
def play(
    game: Game | None, players: int | None, options: tuple[str, ...], against: str | None, seats: str | None,
    best_of: int, seed: str | None, save: Path | None, new: bool,
) -> None:  # fmt: skip
    """Offer an unfinished game or begin one, and play it."""
    if game is None:
        begun = None if new else _unfinished(None, lambda match, kinds: True)
        if begun:
            _run(*begun, save)
            return
        game, new = _choose_game(), True
    kinds = _kinds(against, seats, players, game)
    chosen = variant(game, len(kinds), options)
    asked = bool(players or options or against or seats or best_of > 1)

    def fits(match: Match, sitting: list[str]) -> bool:
        same = match.variant == chosen and sorted(sitting) == sorted(kinds) and match.best_of == best_of
        return match.variant.game is game and (same or not asked) and seed in (None, match.seed)

    begun = None if new else _unfinished(game, fits)
    if begun is None:
        seed = seed or secrets.token_hex(8)
        begun = _begin(chosen, kinds if seats else _seated(game, kinds, seed), seed, best_of)
    _run(*begun, save)


def _seated(game: Game, kinds: list[str], seed: str) -> list[str]:
    """Return who sits where: by lot in a game without a dealer to draw lots for, where a seat is a colour."""
    from kartoteka.core import chance, randbelow

    first = int(randbelow(chance(seed, "seats"), len(kinds))) if game.fixed_dealer else 0
    return kinds[first:] + kinds[:first]


def _unfinished(game: Game | None, fits: Callable[[Match, list[str]], bool]) -> tuple[Slot, Match, list[Seat]] | None:
    """Offer to go on with the newest unfinished game that fits what was asked for."""
    from kartoteka.terminal.saves import unfinished

    def faulty(path: Path) -> None:
        console.print(escape(_("{file} cannot be read and is passed over.").format(file=path)))

    for slot, match, seats in unfinished(game.name if game else None, faulty):
        if not fits(match, [seat.kind for seat in seats]):
            slot.close()
            continue
        note = _("You have an unfinished game of {game}, deal {deal}, move {move}. Go on with it?")
        where = note.format(game=match.variant.game.title, deal=len(match.positions), move=match.position.ply + 1)
        if click.confirm(where, default=True):
            return slot, match, seats
        if click.confirm(_("Forget it?"), default=False):
            slot.discard()
        else:
            slot.close()
    return None


def _choose_game() -> Game:
    found = list(registry.games().values())
    for k, game in enumerate(found, 1):
        console.print(f"  {k}  [bold]{described(game)}".replace(game.title, f"{game.title}[/]", 1))
    console.print(
        _("Type a number or a name; quit leaves. kartoteka rules and a name shows how it is played."), style="dim"
    )
    while True:
        typed = click.prompt(_("Which game"), default="1", prompt_suffix="? ").strip()
        if typed.casefold() in ("quit", "exit"):
            raise click.exceptions.Exit(0)
        if typed.isdecimal() and len(typed) < 4 and 1 <= int(typed) <= len(found):
            return found[int(typed) - 1]
        try:
            return registry.find(typed)
        except UsageError as error:
            console.print(escape(str(error)))


def _kinds(against: str | None, seats: str | None, players: int | None, game: Game) -> list[str]:
    """Return who sits where, ``human`` or a computer player's name."""
    from kartoteka.players import PLAYERS

    known = [HUMAN, *PLAYERS]
    if seats:
        kinds = [kind.strip() for kind in seats.split(",")]
        if players not in (None, len(kinds)):
            note = _("--players says {n}, --seats names {m}; leave one of them out.")
            raise UsageError(note.format(n=players, m=len(kinds)))
        game.seats(len(kinds))
    else:
        kinds = [HUMAN] + [against or "greedy"] * (game.seats(players) - 1)
    for kind in kinds:
        if kind not in known:
            raise unknown(_("kind of player"), kind, known)
    return kinds


def _begin(chosen: Variant, kinds: list[str], seed: str, best_of: int) -> tuple[Slot, Match, list[Seat]]:
    from kartoteka.engine.match import Match
    from kartoteka.engine.record import Seat
    from kartoteka.terminal.saves import Slot, folder

    match = Match(chosen, seed, best_of)  # refuses what cannot be
    words = {HUMAN: _("Player {seat}"), "greedy": _("Greedy {seat}"), "random": _("Random {seat}")}
    seats = [Seat(words[kind].format(seat=k), kind) for k, kind in enumerate(kinds, 1)]
    try:
        slot = Slot.fresh(chosen.game.name)
    except OSError as error:
        note = _("A game cannot be kept in {folder} ({error}); set KARTOTEKA_DATA to a folder that can be written.")
        raise UsageError(note.format(folder=folder(), error=error.strerror)) from None
    return slot, match, seats


def _run(slot: Slot, match: Match, seats: list[Seat], save: Path | None) -> None:
    from kartoteka.terminal.saves import held
    from kartoteka.terminal.session import Quit, Session

    game = match.variant.game
    with held(slot), making(game):
        if save:
            save.open("ab").close()  # a file that cannot be written is said now
        console.print(f"[bold]{game.title}[/] · {escape(_(game.sentence))}")
        console.print(_("Type ? for help, quit to leave; the game is kept after every move."), style="dim")
        try:
            Session(console, match, seats, lambda: slot.keep(match, seats)).run()
        except (Quit, KeyboardInterrupt):
            _write(save, match, seats)
            console.print()
            console.print(_("Your game is kept; start again to go on with it."))
        else:
            _write(save, match, seats)
            slot.discard()


def _write(save: Path | None, match: Match, seats: list[Seat]) -> None:
    """Write the record of the match, finished or not."""
    from kartoteka.engine.record import record_of

    if save:
        save.write_text(record_of(match, seats).to_json() + "\n", encoding="utf-8", newline="\n")
        console.print(escape(_("The record is in {file}.").format(file=save)))
