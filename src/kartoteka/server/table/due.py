"""What is due at a table without anyone asking: dealing, the computer's moves, time that is up, what was agreed."""

from __future__ import annotations

from typing import NamedTuple

from kartoteka import players
from kartoteka.engine import shuffling
from kartoteka.server.table import events as ev
from kartoteka.server.table.state import HUMAN, Table
from kartoteka.server.table.tell import NOTICED, Gone
from kartoteka.server.visitors import token

NONCE_WAIT = 4.0
"""Seconds for which a deal waits for the nonces of those whose browser is here, or is just coming."""

OPENING_PACE = 0.15
"""The most seconds that the computer takes for a move before any person has moved: they came to play."""

CONSENT_WAIT = 30.0
"""Seconds for which the computer does not move while a takeback is asked for. A person's clock runs on."""


class Due(NamedTuple):
    """Either events that are due now, or in how many seconds to look again (None: not before something happens)."""

    events: list[ev.TableEvent]
    wait: float | None = None


def due(table: Table, gone: Gone, now: float, pace: float) -> Due:
    """Return what is due at the moment `now`; `pace` is the seconds the computer takes for a move."""
    match table.phase:
        case "waiting":
            present = any(not gone(seat) for seat in table.people())
            return Due([ev.Sealed(token(32), fresh=True)] if table.full and present else [])
        case "sealing":
            return _dealing(table, gone, now)
        case "playing":
            return _playing(table, now, pace)
        case "over" if not table.record_id:
            return Due([ev.Recorded(token(8))])
    return Due([])


def _dealing(table: Table, gone: Gone, now: float) -> Due:
    """Deal when everyone who is here has added a nonce, or has had the time for it."""
    seal = table.sealed
    assert seal
    coming = [seat for seat in table.people() if seat not in seal.nonces and gone(seat) < NOTICED]
    left = table.sealed_at + NONCE_WAIT - now
    if coming and left > 0:
        return Due([], left)
    dealer = table.dealer_due or 1 + shuffling.lot(seal.key, shuffling.DEALER, len(table.seats))
    return Due([ev.Dealt(dealer)])


def _playing(table: Table, now: float, pace: float) -> Due:
    asked = table.asked
    if asked and all(seat in table.consented for seat in table.people()):
        return Due([ev.TakenBack(asked.ply)])
    kind = table.seats[table.turn - 1].kind
    late = kind == HUMAN
    if late and not table.opened.per_move:
        return Due([])
    if late:
        until = table.turned + table.opened.per_move
    else:
        until = table.turned + (pace if _moved(table) else min(pace, OPENING_PACE))
        until = max(until, table.asked_at + CONSENT_WAIT) if asked else until
    return Due([], until - now) if until > now else Due([_computed(table, "greedy" if late else kind, late)])


def _moved(table: Table) -> bool:
    """Whether a person has moved in this match."""
    deals = table.match.positions if table.match else []
    return len(deals) > 1 or any(table.seats[move.seat - 1].kind == HUMAN for deal in deals for move in deal.history)


def _computed(table: Table, kind: str, late: bool) -> ev.TableEvent:
    assert table.match
    return ev.Moved(table.turn, str(players.move_of(table.match, kind)), late=late)
