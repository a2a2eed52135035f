"""What happens at a table, as its log keeps it. A table is these events in order, and nothing else.

Events hold secrets (the shuffle's, who sits where); nothing here is ever sent. What leaves is a `Sheet`.
"""

from __future__ import annotations

from typing import Any

import msgspec


class _Event(msgspec.Struct, frozen=True, tag_field="type", omit_defaults=True):
    pass


class Opened(_Event, frozen=True, tag="opened"):
    """The first event: what is played, and how.

    `per_move` is seconds a move, 0 for no clock; `patience` the seconds after which the others may go on without
    a seat that is away; `host` the digest of the cookie of whoever opened it.
    """

    game: str
    players: int
    options: dict[str, Any]
    best_of: int
    host: str
    listed: bool = False
    per_move: int = 0
    patience: int = 120
    spectators_chat: bool = False


class Sat(_Event, frozen=True, tag="sat"):
    """A person took a seat; `visitor` is the digest of their cookie, `link` the word of their personal link."""

    seat: int
    visitor: str
    name: str
    link: str


class Shared(_Event, frozen=True, tag="shared"):
    """Another device came to hold a seat, by its personal link."""

    seat: int
    visitor: str


class Relinked(_Event, frozen=True, tag="relinked"):
    """A seat has a new personal link, and of all devices only `visitor`'s holds it still."""

    seat: int
    visitor: str
    link: str


class Left(_Event, frozen=True, tag="left"):
    """A person gave up a seat before the first deal."""

    seat: int


class Replaced(_Event, frozen=True, tag="replaced"):
    """The computer plays seat `seat` from here; if a person sat there they may take it back. `by` is a seat or 0."""

    seat: int
    kind: str
    by: int = 0


class Returned(_Event, frozen=True, tag="returned"):
    """The person whose seat the computer played plays on."""

    seat: int


class Sealed(_Event, frozen=True, tag="sealed"):
    """The secret of the coming deal is fixed; its SHA-256 may be told, itself (in hex) not before the deal is over.

    `fresh` begins a new match.
    """

    secret: str
    fresh: bool = False


class Nonce(_Event, frozen=True, tag="nonce"):
    """A person's browser adds its own part to the coming shuffle (in hex)."""

    seat: int
    nonce: str


class Dealt(_Event, frozen=True, tag="dealt"):
    """The pack is shuffled by secret and nonces, and dealt."""

    dealer: int


class Moved(_Event, frozen=True, tag="moved"):
    """Seat `seat` made a move. `id` is the client's own word for it; `late` if its time was up."""

    seat: int
    move: str
    id: str = ""
    late: bool = False


class Asked(_Event, frozen=True, tag="asked"):
    """Seat `seat` asks to take the deal back to `ply` moves."""

    seat: int
    ply: int


class Answered(_Event, frozen=True, tag="answered"):
    """Seat `seat` consents to the takeback asked for, or does not (which ends it)."""

    seat: int
    yes: bool


class TakenBack(_Event, frozen=True, tag="taken back"):
    """The deal stands again as after `ply` moves."""

    ply: int


class Ended(_Event, frozen=True, tag="ended"):
    """The match is over before its end: seat `by` did not wait for seat `away`."""

    by: int
    away: int


class Recorded(_Event, frozen=True, tag="recorded"):
    """The match is over and its record kept as replay `id`."""

    id: str


class Spoke(_Event, frozen=True, tag="spoke"):
    """Somebody said something; `seat` 0 is a spectator."""

    seat: int
    name: str
    text: str
    id: str = ""


class Muted(_Event, frozen=True, tag="muted"):
    """Seat `seat` does not want to read `whom` (a seat; 0: all spectators) any more, or does again."""

    seat: int
    whom: int
    on: bool


TableEvent = (
    Opened | Sat | Shared | Relinked | Left | Replaced | Returned | Sealed | Nonce | Dealt | Moved | Asked | Answered
    | TakenBack | Ended | Recorded | Spoke | Muted
)  # fmt: skip


def encode(event: TableEvent) -> bytes:
    """Return an event as JSON."""
    return msgspec.json.encode(event)


_decoder = msgspec.json.Decoder(TableEvent)


def decode(data: bytes | str) -> TableEvent:
    """Return the event that `data` holds."""
    return _decoder.decode(data)
