"""What clients say to a table and what a table answers: the same in a page's socket and in the API.

Each message is a JSON object whose ``type`` names it. What a client may say is `Ask`; what a program gets is
`Tell`, and a page gets the same with HTML instead of the sheet.
"""

from __future__ import annotations

from typing import Annotated

import msgspec

from kartoteka.server.table.sheet import Choice, Sheet

Id = Annotated[str, msgspec.Meta(min_length=1, max_length=40, description="the client's own word for this message")]
Place = Annotated[str, msgspec.Meta(max_length=40)]
EventNumber = Annotated[int, msgspec.Meta(ge=0, le=2**53 - 1)]
SeatNumber = Annotated[int, msgspec.Meta(ge=0, le=99)]


class _Message(msgspec.Struct, frozen=True, tag_field="type", omit_defaults=True, forbid_unknown_fields=True):
    pass


# --- what clients say ----------------------------------------------------------------------------------------


class Hello(_Message, frozen=True, tag="hello"):
    """The client is back and has everything up to event `number`, the log as well (0: nothing)."""

    number: EventNumber = 0


class Play(_Message, frozen=True, tag="move"):
    """Make a move, as the answer to event `number`. A resend with the same id is harmless."""

    id: Id
    number: EventNumber
    move: Annotated[str, msgspec.Meta(max_length=60)]


class Try(_Message, frozen=True, tag="try"):
    """Make the move that a hand means that takes these places up and puts them there (see `Way`), if it may."""

    id: Id
    number: EventNumber
    takes: Annotated[tuple[Place, ...], msgspec.Meta(max_length=12)] = ()
    puts: Place = ""


class AddNonce(_Message, frozen=True, tag="nonce"):
    """Add 16 random bytes, in hex, to the shuffle whose commitment was published."""

    commitment: Annotated[str, msgspec.Meta(max_length=64)]
    nonce: Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{32}$", max_length=32)]


class NewDeal(_Message, frozen=True, tag="deal"):
    """Begin: the first deal once every seat is taken, the next deal of a match, or a rematch."""


class AskBack(_Message, frozen=True, tag="ask back"):
    """Ask to take one's last move back."""


class AnswerBack(_Message, frozen=True, tag="answer back"):
    """Consent to a takeback, or not."""

    yes: bool


class Substitute(_Message, frozen=True, tag="substitute"):
    """Give a seat to the computer: an empty one, one's own, or one that has been away for too long."""

    seat: SeatNumber
    kind: Annotated[str, msgspec.Meta(max_length=40)] = "greedy"


class Return(_Message, frozen=True, tag="return"):
    """Take one's own seat back from the computer."""


class Leave(_Message, frozen=True, tag="leave"):
    """Give up one's seat before the first deal."""


class NewLink(_Message, frozen=True, tag="new link"):
    """Give one's seat a new personal link; the old one is worth nothing then, and no other device holds the seat."""


class End(_Message, frozen=True, tag="end"):
    """End the match since a seat has been away for too long."""


class Say(_Message, frozen=True, tag="say"):
    """Say something at the table."""

    id: Id
    text: Annotated[str, msgspec.Meta(min_length=1, max_length=300)]


class Mute(_Message, frozen=True, tag="mute"):
    """Read no more of what a seat says (0: of all spectators), or read it again."""

    seat: SeatNumber
    on: bool


class Look(_Message, frozen=True, tag="look"):
    """Show the position after `ply` moves of this deal."""

    ply: Annotated[int, msgspec.Meta(ge=0, le=100_000)]


Said = (
    Play | Try | AddNonce | NewDeal | AskBack | AnswerBack | Substitute | Return | Leave | NewLink | End | Say | Mute
)  # fmt: skip
"""What a client may say to a table, by a socket or by a request of its own."""

Ask = Hello | Look | Said
"""What a client may send over a socket."""


# --- what a table answers ------------------------------------------------------------------------------------


class Told(_Message, frozen=True, tag="sheet"):
    """The table as it stands; `news` are the sentences since the number the client had.

    A sheet is always whole but for its log and its chat, which on a line or a stream hold only what is new since
    event `after`: add it to what you have up to there. They are whole, and `after` 0, for a client that has nothing,
    and when lines that were told have changed: a new deal, moves taken back, somebody called otherwise or muted.
    """

    sheet: Sheet
    news: tuple[str, ...] = ()


class Page(_Message, frozen=True, tag="page"):
    """The same for a page: named regions of HTML, and what the script must know."""

    number: int
    phase: str
    seat: int
    """The seat that the reader holds now, 0 for a spectator."""
    yours: bool
    regions: dict[str, str]
    lines: str = ""
    """New lines for the end of the log; where its region comes, that is the whole log."""
    choices: tuple[Choice, ...] = ()
    last: tuple[str, ...] = ()
    news: tuple[str, ...] = ()
    commitment: str = ""
    """A published commitment that still waits for this reader's nonce."""
    deadline: int = 0
    title: str = ""


class Past(_Message, frozen=True, tag="past"):
    """An earlier position, as asked for by `Look`: for a program its view, for a page a region."""

    ply: int
    regions: dict[str, str] = {}
    sheet: Sheet | None = None


class Current(_Message, frozen=True, tag="current"):
    """The client has everything."""

    number: int


class Done(_Message, frozen=True, tag="done"):
    """What the client asked for is committed as event `number` (or was before)."""

    id: str
    number: int


class Refused(_Message, frozen=True, tag="refused"):
    """What the client asked for was not done, and why; `number` is the last event."""

    reason: str
    id: str = ""
    clause: str = ""
    advice: str = ""
    number: int = 0


Tell = Told | Page | Past | Current | Done | Refused
