"""The messages of server/table/messages.py as TypeScript's types, for the check of the page's script.

``python -m tests.script.messages`` writes them anew.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec

from kartoteka.server.table.messages import Ask, Tell

FILE = Path(__file__).with_name("messages.d.ts")
HEAD = """\
// Made from server/table/messages.py by tests/script/messages.py; without what a program gets and a page does not.

declare namespace Messages {"""
NAMES = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}


def _type(schema: dict[str, Any]) -> str:
    """Return the type that a JSON Schema describes."""
    if "$ref" in schema:
        return str(schema["$ref"].rpartition("/")[2])
    if "enum" in schema:
        return " | ".join(json.dumps(value) for value in schema["enum"])
    if "anyOf" in schema:
        return " | ".join(_type(one) for one in schema["anyOf"])
    if schema.get("type") == "array":
        if "prefixItems" in schema:
            return f"[{', '.join(_type(one) for one in schema['prefixItems'])}]"
        item = _type(schema["items"])
        return f"({item})[]" if " | " in item else f"{item}[]"
    if schema.get("type") == "object":
        return f"Record<string, {_type(schema.get('additionalProperties', {}))}>"
    return NAMES[schema["type"]] if "type" in schema else "unknown"


def _fields(schema: dict[str, Any]) -> list[str]:
    required = schema.get("required", ())
    return [
        f"    {name}{'' if name in required else '?'}: {_type(field)};"
        for name, field in schema["properties"].items()
        if "Sheet" not in _type(field)
    ]


def _names(union: dict[str, Any]) -> list[str]:
    """Return what a page says or hears of a union of messages."""
    return [name for one in union["anyOf"] if (name := one["$ref"].rpartition("/")[2]) != "Told"]


def declarations() -> str:
    """Return the text of messages.d.ts."""
    unions, schemas = msgspec.json.schema_components((Ask, Tell), ref_template="#/{name}")
    lines = [HEAD]
    for name in sorted({"Choice", *(name for union in unions for name in _names(union))}):
        lines += [f"  interface {name} {{", *_fields(schemas[name]), "  }"]
    for alias, union in zip(("Ask", "Tell"), unions, strict=True):
        lines += [f"  type {alias} =", *(f"    | {name}" for name in _names(union))]
        lines[-1] += ";"
    return "\n".join([*lines, "}", ""])


if __name__ == "__main__":
    FILE.write_text(declarations(), encoding="utf-8", newline="\n")
