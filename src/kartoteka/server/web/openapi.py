"""The OpenAPI document of the API: its schemas are made from the types that are read and written, and from the games.

Whatever a request's schema allows is understood. What a table then refuses (a seat that is taken, a move that is not
legal) is a 409; nothing that the schema allows is a 400, save a JSON text that is none.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_args

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from kartoteka import __version__, players
from kartoteka.engine import registry
from kartoteka.engine.declare import Game, Option
from kartoteka.server.html import drawing
from kartoteka.server.table import messages as msg
from kartoteka.server.visitors import CODE
from kartoteka.text import N_, _

Schema = dict[str, Any]


@dataclass(frozen=True)
class Endpoint:
    """One path of the API: what answers it, what it is sent and what it answers.

    Attributes
    ----------
    id : str
        Its name in the document.
    handler : function
    answers, body : type
        What is written and read.
    query : str
        The parameter of a stream that says from which event on.
    example : str
        A body, with GAME for a game's name.
    good : int
        The status of a good answer.
    refuses : tuple of int
        The others, besides 429, which everything may answer.
    """

    id: str
    method: str
    path: str
    handler: Callable[[Request], Awaitable[Response]]
    summary: str
    answers: Any
    body: Any = None
    query: str = ""
    example: str = ""
    good: int = 200
    refuses: tuple[int, ...] = ()

    @property
    def called(self) -> str:
        """How people call the body."""
        return self.example.replace("GAME", next(iter(registry.games()), ""))


REFUSALS = {
    400: N_("This is not what is wanted here."),
    404: N_("There is no such table."),
    409: N_("The table refuses it: the reason says why."),
    413: N_("That is more than can be read here."),
    429: N_("That was a lot at once. Wait a little and try again."),
}

_AT_THE_TABLE = {
    "see": ("seeTable", None), "follow": ("followTable", None), "say": ("sayToTable", None),
    "sit": ("takeSeat", None),
}  # fmt: skip
_ANSWERS = {
    "begin": ("sayToTable", {"type": "deal"}),
    "seal": (
        "sayToTable",
        {"type": "nonce", "commitment": "$response.body#/sheet/seal/commitment", "nonce": "0123456789abcdef" * 2},
    ),
    "move": (
        "sayToTable",
        {
            "type": "move", "id": "move-{$response.body#/sheet/number}", "number": "$response.body#/sheet/number",
            "move": "$response.body#/sheet/choices/0/move",
        },
    ),
}  # fmt: skip
LINKS: dict[str, tuple[str, Mapping[str, tuple[str, Schema | None]]]] = {
    "openTable": ("/code", _AT_THE_TABLE),
    "takeSeat": ("/code", _AT_THE_TABLE),
    "seeTable": ("/sheet/code", _ANSWERS),
}
"""What may follow on each operation: where its answer says the table's code, and operations with their bodies."""

TOKEN = N_("A program's own word, 32 hexadecimal digits 0 to f; whoever sends none is given one with the first seat.")


def document(endpoints: Sequence[Endpoint]) -> Schema:
    """Return the document."""
    types = [t for e in endpoints for t in (e.body, e.answers) if t is not None] + [msg.Refused, msg.Tell, msg.Ask]
    schemas, components = msgspec.json.schema_components(types, ref_template="#/components/schemas/{name}")
    *made, refused, tell, ask = schemas
    schema = iter(made)
    paths: dict[str, Schema] = {}
    for e in endpoints:
        body = next(schema) if e.body is not None else None
        if e.body is msg.Said:
            components["Said"], body = body, {"$ref": "#/components/schemas/Said"}
        paths.setdefault(e.path, {})[e.method.lower()] = _operation(e, body, next(schema))
    components["NewTable"] = _any_table(components["NewTable"], components)
    components["Ask"] = {**ask, "description": "What may be sent to a socket at /api/tables/{code}/socket."}
    components["Tell"] = {**tell, "description": "What a socket at /api/tables/{code}/socket gets."}
    components["Problem"] = refused
    return {
        "openapi": "3.1.0",
        "info": {"title": "Kartoteka", "version": __version__},
        "servers": [{"url": drawing.prefix.get() or "/"}],
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer", "description": _(TOKEN)}},
        },
        "security": [{"token": []}, {}],
    }


def _code() -> Schema:
    return {"type": "string", "pattern": CODE, "description": "a table's code, such as K7Q2-MD4T"}


def name_of(type_: Any) -> str:
    """Return what the document calls a type."""
    if type_ is msg.Said:
        return "Said"
    inner = get_args(type_)
    return str((inner[0] if inner else type_).__name__) if type_ is not None else ""


def _operation(e: Endpoint, body: Schema | None, answer: Schema) -> Schema:
    kind = "application/x-ndjson" if e.query else "application/json"
    number = {"type": "integer", "minimum": 0, "maximum": 99_999_999}
    good: Schema = {"description": "OK", "content": {kind: {"schema": answer}}}
    if e.id in LINKS:
        good["links"] = _links(e.id)
    found: Schema = {
        "operationId": e.id,
        "summary": _(e.summary),
        "parameters": [
            {"name": "code", "in": "path", "required": True, "schema": _code()}
        ] * ("{code}" in e.path) + [
            {"name": e.query, "in": "query", "required": False, "schema": number}
        ] * bool(e.query),
        "responses": {
            str(e.good): good,
            **{str(status): _refusal(_(REFUSALS[status])) for status in e.refuses},
            "429": {
                **_refusal(_(REFUSALS[429])),
                "headers": {"Retry-After": {"description": "seconds", "schema": {"type": "integer", "minimum": 1}}},
            },
            "default": _refusal(_("Refused, or a fault of ours.")),
        },
    }  # fmt: skip
    if body is not None:
        example = msgspec.json.decode(e.called)
        optional = not body.get("required") and e.good == 201 and "{code}" in e.path
        found["requestBody"] = {
            "required": not optional, "content": {"application/json": {"schema": body, "example": example}},
        }  # fmt: skip
    return found


def _refusal(description: str) -> Schema:
    problem = {"$ref": "#/components/schemas/Problem"}
    return {"description": description, "content": {"application/json": {"schema": problem}}}


def _links(id: str) -> Schema:
    at, others = LINKS[id]
    found: Schema = {}
    for name, (other, body) in others.items():
        found[name] = {"operationId": other, "parameters": {"code": f"$response.body#{at}"}}
        if body:
            found[name]["requestBody"] = body
    return found


# --- tables of each game -------------------------------------------------------------------------------------


def _any_table(new: Schema, components: Schema) -> Schema:
    """Return the schema of a table of any game; put that of each game among the components."""
    mapping = {}
    for game in registry.games().values():
        name = f"NewTable-{game.name}"
        components[name] = _table_of(game, new)
        mapping[game.name] = f"#/components/schemas/{name}"
    return {
        "title": "NewTable", "description": new.get("description", ""),
        "oneOf": [{"$ref": place} for place in mapping.values()],
        "discriminator": {"propertyName": "game", "mapping": mapping},
    }  # fmt: skip


def _table_of(game: Game, new: Schema) -> Schema:
    """Return the schema of a table of one game: its numbers of players, its options, the seats it has."""
    properties = {
        **new["properties"],
        "game": {"const": game.name},
        "players": {"enum": [*game.players, None]},
        "options": {
            "type": "object",
            "properties": {option.name: _values(option) for option in game.options},
            "additionalProperties": False,
        },
        "computers": {"type": "object", "description": "the computer players, by the numbers of their seats"},
    }
    if game.finished:  # a match for points is one game
        properties["best_of"] = {"const": 1}
    return {
        "title": game.title, "type": "object", "properties": properties, "required": ["game"],
        "additionalProperties": False, "anyOf": [_seats(game, number) for number in game.players],
    }  # fmt: skip


def _seats(game: Game, number: int) -> Schema:
    """Return what else is true of a table of so many players."""
    kind = {"enum": list(players.PLAYERS)}
    seats = {
        "type": "object",
        "properties": {str(seat): kind for seat in range(2, number + 1)},
        "additionalProperties": False,
    }
    if number == game.usual:
        return {"properties": {"players": {"enum": [number, None]}, "computers": seats}}
    return {"properties": {"players": {"const": number}, "computers": seats}, "required": ["players"]}


def _values(option: Option) -> Schema:
    """Return the schema of an option's values."""
    meanings = [f"{msgspec.json.encode(value).decode()}: {option.reading(value)}" for value in option.readings]
    forms: list[Schema] = [{"enum": list(option.readings)}] if option.readings else []
    if option.numbers:
        low, high = option.numbers
        forms.append({"type": "integer", "minimum": low, "maximum": high})
        meanings.append(f"{low}–{high}: {_(option.number_reading)}")
    described = {"description": " ".join([f"({option.clause})", *meanings]), "default": option.default}
    return {**forms[0], **described} if len(forms) == 1 else {"anyOf": forms, **described}
