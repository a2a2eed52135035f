"""The sheet: what one seat, or a spectator, is told of a table. Everything that leaves the server is made of it."""

from __future__ import annotations

from typing import Literal

import msgspec

from kartoteka.engine.view import View

Phase = Literal["waiting", "sealing", "playing", "between", "over"]


class Choice(msgspec.Struct, frozen=True, omit_defaults=True):
    """A legal move of the seat that reads the sheet: as written, in words, and how a hand makes it (`Way`)."""

    move: str
    label: str
    takes: tuple[str, ...] = ()
    puts: str = ""


class Chair(msgspec.Struct, frozen=True, omit_defaults=True):
    """One seat as everyone sees it.

    `kind` is ``empty``, ``human`` or the name of a computer player; `name` may be empty only for an empty seat.
    `owner` is the name of the person whose seat the computer plays. `away` is the seconds since a person whose
    connection is lost has been gone, 0 if present or not yet noticed (20 s). `total` is the points or games won.
    """

    seat: int
    kind: str
    name: str = ""
    you: bool = False
    present: bool = False
    away: int = 0
    owner: str = ""
    total: float = 0
    wins: int = 0
    muted: bool = False


class Line(msgspec.Struct, frozen=True, omit_defaults=True):
    """One line of the log: `text` tells move `ply` of the deal (0: what is no move) to this reader.

    `number` is the event's.
    """

    number: int
    ply: int
    seat: int
    text: str


class Remark(msgspec.Struct, frozen=True):
    """Something said, as event `number`; `seat` 0 is a spectator."""

    number: int
    seat: int
    name: str
    text: str


class ToldSeal(msgspec.Struct, frozen=True, omit_defaults=True):
    """The honest shuffle of the deal: SHA-256 of the secret, who added which nonce, and once it is over the secret.

    While it is being sealed the nonces of others are ``''``.
    """

    commitment: str
    nonces: tuple[tuple[int, str], ...] = ()
    secret: str = ""


class Asking(msgspec.Struct, frozen=True):
    """A takeback that waits for consent: who asks, back to which ply, and which seats have yet to answer."""

    seat: int
    ply: int
    waiting: tuple[int, ...]


class Sheet(msgspec.Struct, frozen=True, omit_defaults=True):
    """What seat `seat` (0: a spectator) knows of a table after event `number`.

    Attributes
    ----------
    number : int
        The last event's number; a move answers it.
    phase : str
        ``waiting`` for seats to be taken, ``sealing`` a shuffle, ``playing``, ``between`` two deals of a match,
        ``over``.
    host : bool
        Whether the reader opened the table.
    spectators_muted : bool
        Whether the reader reads nothing of spectators.
    deal, best_of : int
        The number of the deal in the match, and of how many games it is the best.
    view : View
        The cards and pieces, None before the first deal.
    choices : tuple of Choice
        The legal moves if it is the reader's turn.
    last : tuple of str
        The places that the last move touched (see `Way`).
    after : int
        0 where `log` and `chat` are whole; otherwise they hold only what came after event `after`, and are to be
        added to what the reader has of them up to there.
    log, chat : tuple
        Of this deal, and of this table (the latest remarks); oldest first.
    result : str
        How the deal or the match ended, in sentences; empty before.
    winners : tuple of int
        The seats that won the match, once it is over.
    deadline : int
        Milliseconds left to the seat to move, 0 without a clock.
    takeback : int
        The ply to which the reader may ask to go back, -1 if that is not to be had.
    gone : int
        A seat that has been away for longer than the table's patience and that the reader may go on without.
    record : str
        The replay's identifier, once the match is over.
    """

    number: int
    code: str
    game: str
    title: str
    native: str
    players: int
    options: dict[str, bool | int | str]
    phase: Phase
    seat: int
    chairs: tuple[Chair, ...]
    host: bool = False
    spectators_muted: bool = False
    listed: bool = False
    deal: int = 0
    best_of: int = 1
    per_move: int = 0
    patience: int = 120
    view: View | None = None
    choices: tuple[Choice, ...] = ()
    last: tuple[str, ...] = ()
    after: int = 0
    log: tuple[Line, ...] = ()
    chat: tuple[Remark, ...] = ()
    may_chat: bool = False
    seal: ToldSeal | None = None
    result: str = ""
    winners: tuple[int, ...] = ()
    deadline: int = 0
    takeback: int = -1
    asking: Asking | None = None
    gone: int = 0
    record: str = ""
