"""What a client's message does to a table: the events that follow from it, or why none do."""

from __future__ import annotations

from typing import assert_never

from kartoteka import players
from kartoteka.engine.errors import KartotekaError, MoveError
from kartoteka.engine.position import Position
from kartoteka.server.table import events as ev
from kartoteka.server.table import messages as msg
from kartoteka.server.table.state import EMPTY, HUMAN, Table
from kartoteka.server.table.tell import Gone
from kartoteka.server.visitors import seen, shown, tidy_name, token
from kartoteka.text import _

Events = list[ev.TableEvent]


class Refusal(Exception):
    """Why a message does nothing, in a sentence; with the clause and what would do, where there are such."""

    def __init__(self, reason: str, clause: str = "", advice: str = "") -> None:
        self.reason, self.clause, self.advice = reason, clause, advice
        super().__init__(reason)


def decide(table: Table, visitor: str, message: msg.Ask, gone: Gone) -> Events:
    """Return the events that `message` of `visitor` leads to; raise `Refusal` if it may not be."""
    seat, host = table.seat_of(visitor), visitor == table.opened.host  # who need not sit there
    if isinstance(message, msg.Hello | msg.Look):
        raise Refusal(_("A table cannot do that."))
    if not seat and not isinstance(message, msg.Say) and not (host and isinstance(message, msg.Substitute)):
        raise Refusal(_("You watch this table. Take a seat to play."))
    match message:
        case msg.Play():
            return _play(table, seat, message)
        case msg.Try():
            return _try(table, seat, message)
        case msg.AddNonce():
            return _nonce(table, seat, message)
        case msg.NewDeal():
            return _deal(table, seat)
        case msg.AskBack():
            return _ask_back(table, seat)
        case msg.AnswerBack():
            return _answer_back(table, seat, message)
        case msg.Substitute():
            return _substitute(table, seat, message, gone)
        case msg.Return():
            return _return(table, seat)
        case msg.Leave():
            return _leave(table, seat)
        case msg.NewLink():
            return [ev.Relinked(seat, visitor, token())]
        case msg.End():
            return _end(table, seat, gone)
        case msg.Say():
            return _say(table, visitor, message)
        case msg.Mute():
            return _mute(table, seat, message)
        case _:
            assert_never(message)


def kind_of(message: msg.Ask) -> type:
    """Return the kind of event that a message with an id becomes."""
    return ev.Spoke if isinstance(message, msg.Say) else ev.Moved


def sit(table: Table, visitor: str, name: str, wanted: int) -> Events:
    """Return the events by which `visitor` takes the seat `wanted`, or for 0 any free one.

    Empty seats are free, and those the computer plays for nobody.
    """
    if table.seat_of(visitor):
        raise Refusal(_("You have a seat at this table already."))
    empty = [k for k, holder in enumerate(table.seats, 1) if holder.kind == EMPTY]
    computer = [
        k for k, holder in enumerate(table.seats, 1) if holder.kind not in (EMPTY, HUMAN) and not holder.visitors
    ]
    free = empty + computer
    if table.phase == "over" or not free:
        raise Refusal(_("No seat is free at this table; you can watch."))
    held = sum(bool(holder.visitors) for holder in table.seats)
    if table.phase in ("playing", "sealing") and held > 1 and table.full:
        # Somebody who plays here could come in by another browser to see a computer's hand.
        raise Refusal(_("Several people play here. Take the computer's seat when this deal is over."))
    if wanted and wanted not in free:
        raise Refusal(_("Seat {seat} is taken.").format(seat=wanted))
    return [ev.Sat(wanted or free[0], visitor, tidy_name(name, table.names), token())]


def share(table: Table, visitor: str, link: str) -> Events:
    """Return the events by which `visitor` comes to hold the seat of that personal link too."""
    for k, holder in enumerate(table.seats, 1):
        if link and holder.link == link:
            if table.seat_of(visitor) not in (0, k):
                raise Refusal(_("You hold another seat at this table."))
            return [] if visitor in holder.visitors else [ev.Shared(k, visitor)]
    raise Refusal(_("This personal link is not valid any more."))


# --- moves ---------------------------------------------------------------------------------------------------


def _fresh(table: Table, seat: int, number: int) -> Position:
    """Return the position in which `seat`, having seen event `number`, may move; refuse if it is another one."""
    if table.phase != "playing" or not table.position:
        raise Refusal(_("No move can be made now."))
    if table.turn != seat:
        raise Refusal(_("It is not your turn: {name} moves.").format(name=table.names[table.turn - 1]))
    if table.seats[seat - 1].kind != HUMAN:
        raise Refusal(_("The computer plays your seat; take it back first."))
    if number > table.number or table.moved_since(number):
        raise Refusal(_("The table has changed meanwhile; here it is as it stands now."))
    return table.position


def _play(table: Table, seat: int, message: msg.Play) -> Events:
    position = _fresh(table, seat, message.number)
    return _made(position, seat, message.move, message.id)


def _made(position: Position, seat: int, text: str, id: str) -> Events:
    try:
        return [ev.Moved(seat, str(position.verify(text)), id)]
    except MoveError as error:
        raise Refusal(error.reason, error.clause, error.advice) from None


def _try(table: Table, seat: int, message: msg.Try) -> Events:
    position = _fresh(table, seat, message.number)
    meant = position.game.table.meant(position.state, message.takes, message.puts)
    legal = [text for text in meant if position.can(text)]
    if len(legal) > 1:
        raise Refusal(_("That can be done in several ways; choose one."))
    if not meant:
        raise Refusal(_("Nothing can be done that way here."))
    if legal:
        return [ev.Moved(seat, legal[0], message.id)]
    _made(position, seat, meant[0], message.id)  # refuses it, and says why
    raise Refusal(
        _("Nothing can be done that way here.")
    )  # it was the beginning of a move, which a hand does not mean


# --- the course of a match -----------------------------------------------------------------------------------


def _deal(table: Table, seat: int) -> Events:
    if table.phase in ("sealing", "playing"):
        raise Refusal(_("The deal is not over."))
    if table.phase == "over" and not table.record_id:
        raise Refusal(_("The match is being recorded. Try again."))
    if not table.full:
        raise Refusal(_("Not every seat is taken yet."))
    return [ev.Sealed(token(32), fresh=table.phase != "between")]


def _nonce(table: Table, seat: int, message: msg.AddNonce) -> Events:
    if not table.sealed or table.sealed.commitment != message.commitment:
        raise Refusal(_("This shuffle is over; nothing can be added to it."))
    if seat in table.sealed.nonces:
        return []
    return [ev.Nonce(seat, message.nonce)]


def _ask_back(table: Table, seat: int) -> Events:
    ply = table.takeback_of(seat)
    if ply < 0:
        raise Refusal(_("That cannot be taken back: something hidden has come to light since, or there is nothing."))
    return [ev.Asked(seat, ply)]


def _answer_back(table: Table, seat: int, message: msg.AnswerBack) -> Events:
    if not table.asked:
        raise Refusal(_("Nobody asks for a move back now."))
    if seat in table.consented and message.yes:
        return []
    return [ev.Answered(seat, message.yes)]


def _long_gone(table: Table, seat: int, gone: Gone) -> bool:
    holder = table.seats[seat - 1]
    return holder.kind == HUMAN and gone(seat) >= table.opened.patience


def _substitute(table: Table, seat: int, message: msg.Substitute, gone: Gone) -> Events:
    if not 1 <= message.seat <= len(table.seats):
        raise Refusal(_("There is no seat {seat}.").format(seat=message.seat))
    try:
        players.find(message.kind)
    except KartotekaError as error:
        raise Refusal(str(error)) from None
    holder = table.seats[message.seat - 1]
    if holder.kind not in (EMPTY, HUMAN):
        raise Refusal(_("The computer plays that seat already."))
    long_gone = bool(seat) and _long_gone(table, message.seat, gone)
    if holder.kind == HUMAN and message.seat != seat and not long_gone:
        raise Refusal(_("{name} plays that seat.").format(name=holder.name))
    return [ev.Replaced(message.seat, message.kind, seat)]


def _return(table: Table, seat: int) -> Events:
    if table.seats[seat - 1].kind == HUMAN:
        return []
    return [ev.Returned(seat)]


def _leave(table: Table, seat: int) -> Events:
    if table.phase != "waiting":
        raise Refusal(_("The game has begun; give your seat to the computer instead."))
    return [ev.Left(seat)]


def _end(table: Table, seat: int, gone: Gone) -> Events:
    absent = [k for k in table.people() if k != seat and _long_gone(table, k, gone)]
    if table.phase not in ("playing", "between") or not absent:
        raise Refusal(_("A match is ended only when somebody has been away for too long."))
    return [ev.Ended(seat, absent[0])]


# --- talk ----------------------------------------------------------------------------------------------------


def _say(table: Table, visitor: str, message: msg.Say) -> Events:
    seat = table.seat_of(visitor)
    text = shown(message.text)
    if not seen(text):
        raise Refusal(_("There is nothing in that."))
    if not seat and not table.opened.spectators_chat:
        raise Refusal(_("Only those who sit at this table talk here."))
    name = table.names[seat - 1] if seat else ""
    # Those who look on share seat 0, but not their words for messages.
    return [ev.Spoke(seat, name, text, message.id if seat else f"{visitor} {message.id}")]


def _mute(table: Table, seat: int, message: msg.Mute) -> Events:
    if message.seat > len(table.seats) or message.seat == seat:
        raise Refusal(_("There is no such person to mute."))
    return [ev.Muted(seat, message.seat, message.on)]
