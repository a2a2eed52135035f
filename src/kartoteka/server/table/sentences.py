"""What happened at a table, in sentences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from kartoteka.engine.match import Match
from kartoteka.engine.moves import Move
from kartoteka.engine.position import Position
from kartoteka.engine.telling import tell
from kartoteka.server.table import events as ev
from kartoteka.text import _, decimal, listed

ToldEvent = (
    ev.Sat | ev.Left | ev.Replaced | ev.Returned | ev.Dealt | ev.Asked | ev.Answered | ev.TakenBack | ev.Ended
)  # fmt: skip
"""What is told to everyone in the same words; a move is told to each reader in others."""


def tell_event(event: ToldEvent, names: Sequence[str]) -> str:
    """Return a sentence that tells everyone an event; `names` are the seats' names."""
    match event:
        case ev.Sat(seat=seat, name=name):
            return _("{name} sits down at seat {seat}.").format(name=name, seat=seat)
        case ev.Left(seat=seat):
            return _("Seat {seat} is free again.").format(seat=seat)
        case ev.Replaced(seat=seat):
            return _("The computer plays seat {seat}.").format(seat=seat)
        case ev.Returned(seat=seat):
            return _("{name} plays seat {seat} again.").format(name=names[seat - 1], seat=seat)
        case ev.Dealt(dealer=dealer):
            return _("A new deal. The dealer is {name}.").format(name=names[dealer - 1])
        case ev.Asked(seat=seat, ply=ply):
            return _("{name} asks to go back to move {move}.").format(name=names[seat - 1], move=ply + 1)
        case ev.Answered(seat=seat):
            return _("{name} does not agree to go back.").format(name=names[seat - 1])
        case ev.TakenBack(ply=ply):
            return _("All agreed: the game is back at move {move}.").format(move=ply + 1)
        case ev.Ended(by=by, away=away):
            return _("{name} ended the match, as {away} was away.").format(name=names[by - 1], away=names[away - 1])
        case _:
            assert_never(event)


def tell_move(before: Position, move: Move, after: Position, names: Sequence[str], viewer: int, late: bool) -> str:
    """Return sentences that tell a move to seat `viewer` (0: a spectator), and how the deal ended if it did."""
    sentences = [tell(before, move, after, names, viewer)]
    if late:
        sentences.insert(0, _("The time of {name} is up; the computer moves.").format(name=names[before.turn - 1]))
    if after.outcome:
        sentences.append(after.outcome.reason)
    return " ".join(sentences)


def result(match: Match, names: Sequence[str]) -> str:
    """Return how the last deal ended, and the match if it is over, in sentences; empty before."""
    position = match.position
    outcome = position.outcome
    if not outcome:
        return ""
    sentences = [f"{outcome.reason} ({outcome.clause})"]
    if position.game.finished or (len(set(outcome.scores)) > 1 and max(outcome.scores) > 1):
        scores = [
            f"{name} {decimal(score, 1 if score % 1 else 0)}"
            for name, score in zip(names, outcome.scores, strict=True)
        ]
        sentences.append(_("This deal: {scores}.").format(scores=", ".join(scores)))
    if match.best_of > 1:
        won = [f"{name} {n}" for name, n in zip(names, match.wins, strict=True)]
        sentences.append(_("Games won: {games}.").format(games=", ".join(won)))
    if match.winners is not None:
        sentences.append(_won(match.winners, names))
    return " ".join(sentences)


def _won(winners: Sequence[int], names: Sequence[str]) -> str:
    if not winners:
        return _("It is a draw.")
    if len(winners) == 1:
        return _("{name} wins.").format(name=names[winners[0] - 1])
    return _("{names} share the win.").format(names=listed([names[seat - 1] for seat in winners], "and"))
