"""Makes sheets: the one way out of a table. What is not put here is not told to anyone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from kartoteka.engine.position import Position
from kartoteka.engine.telling import label
from kartoteka.server.table.sentences import result
from kartoteka.server.table.sheet import Asking, Chair, Choice, Remark, Sheet, ToldSeal
from kartoteka.server.table.state import EMPTY, HUMAN, Table
from kartoteka.server.visitors import SPECTATOR
from kartoteka.text import _

NOTICED = 20
"""Seconds after which a lost connection is shown as away."""


@dataclass(frozen=True)
class Reader:
    """Who reads a sheet: a seat (0: a spectator), and whether they opened the table."""

    seat: int = 0
    host: bool = False


Gone = Callable[[int], float]
"""The seconds for which the person of a seat has had no connection, 0 while they have one."""


def choices_of(position: Position) -> tuple[Choice, ...]:
    """Return the legal moves with their words and ways, for the seat to move alone."""
    way = position.game.table.way
    found = []
    for move in position.moves:
        hand = way(position.reading, move.number)
        found.append(Choice(str(move), label(position, move), hand.takes, hand.puts))
    return tuple(found)


def sheet_of(table: Table, reader: Reader, gone: Gone, now: float) -> Sheet:
    """Return what `reader` is told of `table`, in the language in force, at the moment `now`."""
    opened, match, position, phase = table.opened, table.match, table.position, table.phase
    game = table.variant.game
    mine = bool(reader.seat) and table.seats[reader.seat - 1].kind == HUMAN
    muted = table.seats[reader.seat - 1].muted if reader.seat else set()
    over = phase == "over"
    return Sheet(
        number=table.number, code=table.code, game=game.name, title=game.title, native=game.native,
        players=opened.players, options=dict(table.variant.options), phase=phase, seat=reader.seat,
        chairs=_chairs(table, reader, gone), host=reader.host, spectators_muted=0 in muted,
        listed=opened.listed,
        deal=len(match.positions) if match else 0, best_of=opened.best_of, per_move=opened.per_move,
        patience=opened.patience,
        view=table.view(reader.seat),
        choices=choices_of(position) if position and mine and table.turn == reader.seat else (),
        last=table.last(reader.seat), log=tuple(table.log(reader.seat)),
        chat=tuple(_named(remark) for remark in table.chat if remark.seat not in muted),
        may_chat=bool(reader.seat) or opened.spectators_chat,
        seal=_seal(table, reader.seat),
        result=result(match, table.names) if match and phase != "playing" and match.positions else "",
        winners=(match.winners or ()) if match and over and not table.ended else (),
        deadline=time_left(table, now),
        takeback=table.takeback_of(reader.seat) if mine else -1,
        asking=_asking(table),
        gone=_gone(table, reader, gone),
        record=table.record_id if over else "",
    )  # fmt: skip


def _named(remark: Remark) -> Remark:
    """Return a remark with its speaker's name, which spectators do not have."""
    return remark if remark.name else Remark(remark.number, remark.seat, _(SPECTATOR), remark.text)


def _chairs(table: Table, reader: Reader, gone: Gone) -> tuple[Chair, ...]:
    totals = table.match.totals if table.match else ()
    wins = table.match.wins if table.match else ()
    muted = table.seats[reader.seat - 1].muted if reader.seat else set()
    chairs = []
    for k, (name, holder) in enumerate(zip(table.names, table.seats, strict=True), 1):
        away = gone(k) if holder.kind == HUMAN else 0
        chairs.append(
            Chair(
                seat=k,
                kind=holder.kind,
                name=name,
                you=k == reader.seat,
                present=holder.kind not in (EMPTY, HUMAN) or (holder.kind == HUMAN and not away),
                away=int(away) if away >= NOTICED else 0,
                owner=holder.owner,
                total=totals[k - 1] if totals else 0,
                wins=wins[k - 1] if wins else 0,
                muted=k in muted,
            )
        )
    return tuple(chairs)


def _seal(table: Table, seat: int) -> ToldSeal | None:
    """Return the deal's seal as `seat` may know it.

    Its secret is told only once the deal is over, since until then it tells the pack; the nonces of others not while
    one could still choose one's own by them.
    """
    seal = table.sealed or (table.seals[-1] if table.seals else None)
    if not seal:
        return None
    sealing = seal is table.sealed
    nonces = ((k, nonce if not sealing or k == seat else "") for k, nonce in sorted(seal.nonces.items()))
    told = not sealing and table.phase in ("between", "over")
    return ToldSeal(seal.commitment, tuple(nonces), seal.secret if told else "")


def time_left(table: Table, now: float) -> int:
    """Return the milliseconds left to the seat to move, 0 without a clock."""
    if not table.opened.per_move or not table.turn:
        return 0
    return max(1, int(1000 * (table.turned + table.opened.per_move - now)))


def _asking(table: Table) -> Asking | None:
    if not table.asked:
        return None
    waiting = [seat for seat in table.people() if seat not in table.consented]
    return Asking(table.asked.seat, table.asked.ply, tuple(waiting))


def _gone(table: Table, reader: Reader, gone: Gone) -> int:
    """The seat without which the reader may go on: one that play waits for, or that must consent to a new deal."""
    if not reader.seat or table.phase not in ("playing", "between"):
        return 0
    for seat in table.people():
        if seat != reader.seat and gone(seat) >= table.opened.patience:
            return seat
    return 0
