"""Public MCP servers as tools without examples: their listed tools (``tools/*.json``) in the form that skills have.

``places`` reads parameters that are called paths as files and folders; without it every string is a text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from skills.model import EffectClass, Parameter, SkillId, Tool, ToolId, ValueKind, ValueType

FOLDER = Path(__file__).with_name("tools")
SERVERS = ("time", "git", "filesystem", "memory", "everything")
_KINDS = {
    "string": ValueKind.TEXT,
    "integer": ValueKind.INTEGER,
    "number": ValueKind.NUMBER,
    "boolean": ValueKind.BOOLEAN,
    "object": ValueKind.RECORD,
}
_PATH = re.compile(r"path|file|director|folder", re.I)
_FOLDER = re.compile(r"director|folder|repo|search|tree", re.I)


def every_tool(*, places: bool = False) -> tuple[Tool, ...]:
    """Return the tools of all servers as they list them."""
    return tuple(one for server in SERVERS for one in tools_of(server, places=places))


def tools_of(server: str, *, places: bool = False) -> tuple[Tool, ...]:
    """Return the tools of one server."""
    listed = json.loads((FOLDER / f"{server}.json").read_text(encoding="utf-8"))
    return tuple(_tool(server, one, places) for one in listed["tools"])


def other_tools() -> tuple[Tool, ...]:
    """Return tools of servers that are named nowhere else."""
    listed = json.loads((FOLDER / "others.json").read_text(encoding="utf-8"))
    return tuple(_tool(one["server"], one, False) for one in listed["tools"])


def _tool(server: str, listed: Mapping[str, Any], places: bool) -> Tool:
    """One listed tool; that it may change anything is what is assumed of a stranger."""
    name, schema = listed["name"], listed["inputSchema"]
    required = frozenset(schema.get("required", ()))
    parameters = [
        Parameter(one, _type(given, one if places else "", name), one in required, given.get("description", ""))
        for one, given in schema.get("properties", {}).items()
    ]
    return Tool(
        ToolId(f"{server}.{name}"), SkillId(server), name, listed["description"], EffectClass.ONCE,
        tuple(sorted(parameters, key=lambda one: not one.required)), ValueType(ValueKind.TEXT), (), (),
    )  # fmt: skip


def _type(schema: Mapping[str, Any], name: str = "", tool: str = "") -> ValueType:
    plain = _plain(schema)
    many = plain.get("type") == "array"
    inner = _plain(plain.get("items", {})) if many else plain
    choices = tuple(map(str, inner.get("enum", ())))
    kind = ValueKind.CHOICE if choices else _KINDS.get(inner.get("type", "string"), ValueKind.TEXT)
    if kind is ValueKind.TEXT and _PATH.search(name):
        kind = ValueKind.FOLDER if _FOLDER.search(f"{name} {tool}") else ValueKind.FILE
    return ValueType(kind, many, choices, {name: _type(one) for name, one in inner.get("properties", {}).items()})


def _plain(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """Of alternatives the first that is not null."""
    return next((one for one in schema.get("anyOf", ()) if one.get("type") != "null"), schema)
