"""Records: one JSON document a match, which replays to the same end with no random number anywhere."""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import msgspec
from msgspec import UNSET, UnsetType

from kartoteka.engine import registry
from kartoteka.engine.declare import Value
from kartoteka.engine.errors import MoveError, RecordError, UsageError
from kartoteka.engine.match import Match, dealer_due, standing
from kartoteka.engine.moves import Move
from kartoteka.engine.position import Position
from kartoteka.engine.variant import Variant
from kartoteka.text import _, listed

FORMAT = "kartoteka/1"

Number = int | float


class Seat(msgspec.Struct, forbid_unknown_fields=True):
    """Who sat there: a name, and ``human`` or the name of the computer player."""

    name: str
    kind: str


class Seal(msgspec.Struct, forbid_unknown_fields=True):
    """How a deal was shuffled (see `kartoteka.engine.shuffling`): what was published, and who added what.

    `lot` says whether the dealer was drawn by it too. `secret` is left out until it is told.
    """

    commitment: str
    nonces: list[tuple[int, str]]
    lot: bool
    secret: str | UnsetType = UNSET


class Deal(msgspec.Struct, forbid_unknown_fields=True):
    """One deal; `seal` only where it was shuffled honestly, `turns` and `legal` only in a trace."""

    dealer: int
    deck: list[str]
    moves: list[str]
    shuffles: list[list[str]]
    scores: list[Number]
    seal: Seal | UnsetType = UNSET
    turns: list[int] | UnsetType = UNSET
    legal: list[list[str]] | UnsetType = UNSET


class Result(msgspec.Struct, forbid_unknown_fields=True):
    """A total a seat over all deals, and the seats that won."""

    totals: list[Number]
    winners: list[int]


class Record(msgspec.Struct, forbid_unknown_fields=True):
    """A match, finished or not."""

    format: str
    game: str
    options: dict[str, Any]
    seats: list[Seat]
    deals: list[Deal]
    result: Result

    def to_json(self) -> str:
        """Return the record as one line of JSON."""
        return msgspec.json.encode(self).decode()


class Head(msgspec.Struct):
    """What a list of records shows of one: all of it but its deals, which may be long."""

    game: str
    seats: list[Seat]
    result: Result


class Step(NamedTuple):
    """A move of a record about to be played: `position` stands before it."""

    deal: int
    ply: int
    position: Position
    move: Move


def unmarked(data: bytes) -> bytes:
    """Return the bytes of a JSON file without a mark of UTF-8 before them; refuse another encoding."""
    encoding = json.detect_encoding(data)
    if not encoding.startswith("utf-8"):
        reason = _("this file is {encoding}; save it as UTF-8")
        raise RecordError("", reason.format(encoding=encoding[: len("utf-16")].upper()))
    return data.removeprefix(codecs.BOM_UTF8)


def read(data: bytes | str) -> Record:
    """Parse one record; raise `RecordError` with the place of the fault. It is not replayed yet: see `check`."""
    data = data.removeprefix("\ufeff") if isinstance(data, str) else unmarked(data)
    try:
        head = msgspec.json.decode(data, type=dict[str, msgspec.Raw])
        if "format" in head:
            stated = msgspec.json.decode(head["format"])
            if stated != FORMAT:
                reason = _("this record is {stated!r}; this program reads {ours!r}")
                raise RecordError("format", reason.format(stated=stated, ours=FORMAT))
        return msgspec.json.decode(data, type=Record)
    except msgspec.ValidationError as error:
        what, at, place = str(error).partition(" - at `$")
        raise RecordError(place.rstrip("`").lstrip(".") if at else "", what) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise RecordError("", _("not a whole JSON document: {error}").format(error=error)) from None


def read_head(data: bytes | str) -> Head:
    """Return the head of a record that was read before and kept."""
    return msgspec.json.decode(data, type=Head)


def variant_of(record: Record) -> Variant:
    """Return the game that the record is of; raise `RecordError` for one that cannot be."""
    try:
        game = registry.find(record.game)
    except UsageError as error:
        raise RecordError("game", str(error)) from None
    if record.game != game.name:
        raise RecordError("game", _("records write it {name}").format(name=game.name))
    try:
        variant = Variant(game, game.seats(len(record.seats)), game.settle(record.options))
    except UsageError as error:
        place = "seats" if len(record.seats) not in game.players else "options"
        raise RecordError(place, str(error)) from None
    missing = [o.name for o in game.options if o.name not in record.options]
    if missing:
        reason = _("every option in force is written, defaults too; missing: {names}")
        raise RecordError("options", reason.format(names=listed(missing, "and")))
    return variant


def walk(record: Record) -> Iterator[Step]:
    """Replay a record move by move, checking everything it says; raise `RecordError` at the first fault."""
    variant = variant_of(record)
    if not record.deals:
        raise RecordError("deals", _("a record has at least one deal"))
    scores: list[tuple[float, ...]] = []
    for k, deal in enumerate(record.deals):
        place = f"deals[{k}]"
        if deal.seal is not UNSET and len(deal.seal.nonces) > variant.players:
            reason = _("{n} nonces by {players} seats, each of which adds one or none")
            raise RecordError(f"{place}.seal.nonces", reason.format(n=len(deal.seal.nonces), players=variant.players))
        if k and standing(variant, scores) is not None and variant.game.finished:
            raise RecordError(place, _("the match was decided before this deal"))
        dealer = dealer_due(variant, record.deals[k - 1].dealer, scores[-1]) if k else dealer_due(variant)
        position = _open(variant, deal, place, dealer)
        yield from _walk_deal(deal, k, position, place)
        if not position.over and k + 1 < len(record.deals):
            raise RecordError(place, _("this deal is not finished, yet another follows"))
        due = position.scores if position.over else (0,) * variant.players
        clause = position.outcome.clause if position.outcome else ""
        if tuple(deal.scores) != due:
            raise RecordError(f"{place}.scores", _due(list(due), deal.scores), clause)
        if position.over:
            scores.append(position.scores)
    _check_result(record, variant, scores)


def _due(due: object, given: object) -> str:
    return _("should be {due}, not {given}").format(due=due, given=given)


def _open(variant: Variant, deal: Deal, place: str, dealer: int | None) -> Position:
    if not 1 <= deal.dealer <= variant.players or (dealer and deal.dealer != dealer):
        due = str(dealer) if dealer else _("a seat from 1 to {n}").format(n=variant.players)
        raise RecordError(f"{place}.dealer", _due(due, deal.dealer))
    try:
        return variant.deal(deck=deal.deck, dealer=deal.dealer)
    except UsageError as error:
        raise RecordError(f"{place}.deck", str(error)) from None


def _walk_deal(deal: Deal, k: int, position: Position, place: str) -> Iterator[Step]:
    orders = list(deal.shuffles)
    for name, column in (("turns", deal.turns), ("legal", deal.legal)):
        if column is not UNSET and len(column) != len(deal.moves):
            reason = _("{n} entries for {m} moves").format(n=len(column), m=len(deal.moves))
            raise RecordError(f"{place}.{name}", reason)
    for ply, text in enumerate(deal.moves):
        at = f"{place}.moves[{ply}]"
        if position.waiting:
            _reshuffle(position, orders, place, len(deal.shuffles))
        try:
            move = position.verify(text)
        except MoveError as error:
            raise RecordError.of_move(at, error) from None
        if move != text:
            raise RecordError(at, _due(repr(str(move)), repr(text)), f"{position.game.code} notation")
        if deal.turns is not UNSET and deal.turns[ply] != position.turn:
            raise RecordError(f"{place}.turns[{ply}]", _due(position.turn, deal.turns[ply]))
        if deal.legal is not UNSET and sorted(deal.legal[ply]) != sorted(position.moves):
            raise RecordError(
                f"{place}.legal[{ply}]", _due(sorted(map(str, position.moves)), sorted(deal.legal[ply]))
            )
        yield Step(k, ply, position, move)
        position.push(move)
    if position.waiting and orders:
        _reshuffle(position, orders, place, len(deal.shuffles))
    if orders:
        raise RecordError(f"{place}.shuffles", _("{n} more than there were reshuffles").format(n=len(orders)))


def _reshuffle(position: Position, orders: list[list[str]], place: str, given: int) -> None:
    at = f"{place}.shuffles[{given - len(orders)}]"
    if not orders:
        raise RecordError(at, _("the stock is to be shuffled anew here, and its order is missing"))
    try:
        position.reshuffle(orders[0])
    except UsageError as error:
        raise RecordError(at, str(error)) from None
    orders.pop(0)


def _check_result(record: Record, variant: Variant, scores: list[tuple[float, ...]]) -> None:
    totals = [sum(column) for column in zip(*scores, strict=True)] or [0] * variant.players
    if record.result.totals != totals:
        raise RecordError("result.totals", _due(totals, record.result.totals))
    complete = len(scores) == len(record.deals)
    winners = list(standing(variant, scores) or ()) if complete else []
    # A record does not say of how many games a match is the best: after any of them it may go on.
    going_on = variant.game.finished is None and not record.result.winners
    if record.result.winners != winners and not going_on:
        raise RecordError("result.winners", _due(winners, record.result.winners))


def check(record: Record) -> int:
    """Replay a whole record and return the number of its moves; raise `RecordError` at the first fault."""
    return sum(1 for _step in walk(record))


def trace(record: Record) -> Record:
    """Return the record as a trace: with the seat and all legal moves at each move."""
    columns: list[tuple[list[int], list[list[str]]]] = [([], []) for _deal in record.deals]
    for step in walk(record):
        columns[step.deal][0].append(step.position.turn)
        columns[step.deal][1].append([str(m) for m in step.position.moves])
    deals = [
        msgspec.structs.replace(deal, turns=turns, legal=legal)
        for deal, (turns, legal) in zip(record.deals, columns, strict=True)
    ]
    return msgspec.structs.replace(record, deals=deals)


def deal_of(position: Position, seal: Seal | None = None) -> Deal:
    """Return a position's deal as it stands in a record; an unfinished one has no scores yet, written as 0."""
    return Deal(
        dealer=position.dealer,
        deck=list(position.deck or ()),
        moves=[str(event.move) for event in position.history],
        shuffles=[list(order) for order in position.shuffles],
        scores=list(position.scores) if position.over else [0] * position.variant.players,
        seal=seal or UNSET,
    )


def record_of(
    match: Match, seats: list[Seat], seals: Sequence[Seal | None] | None = None, broken_off: bool = False
) -> Record:
    """Return the record of a match as it stands: its deals in order, and who won, if anyone has.

    `seals` has one entry a deal, None for a deal without a seal. A match that was `broken_off` nobody won.
    """
    variant, positions = match.variant, match.positions
    options: dict[str, Value] = dict(variant.options)
    sealed = zip(positions, [None] * len(positions) if seals is None else seals, strict=True)
    deals = [deal_of(position, seal) for position, seal in sealed]
    winners = () if broken_off else match.winners or ()
    return Record(FORMAT, variant.game.name, options, seats, deals, Result(list(match.totals), list(winners)))


def positions_of(record: Record, seed: object) -> list[Position]:
    """Return a checked record's deals as positions to go on from, with the chance of a match of that `seed`."""
    check(record)
    variant = variant_of(record)
    return [
        variant.replay(deal.dealer, deal.deck, deal.moves, deal.shuffles, seed=f"{seed}/{k}")
        for k, deal in enumerate(record.deals, 1)
    ]
