"""What a server says that it can do, read from its cell: bounded, checked, and believed by nobody.

What this stops: a listing that is too long, too deep or no listing at all; two tools of one name; names that are not
what they look like.
What it does not: judge a description. A person does, and what was reviewed is pinned (``pins``).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from skills.errors import BadSkill
from skills.mcp.texts import plain

MOST_TOOLS = 200
MOST_BYTES = 1 << 20
"""Of all tools together, as they are kept."""
LIST, READ, PROMPT = "resources/list", "resources/read", "prompts/get"
"""What stands for a server's resources and for its prompts among its tools."""

_DEEPEST = 24
_NAME = re.compile(r"[A-Za-z0-9_./-]{1,128}")
_KEPT = ("name", "title", "description", "inputSchema", "outputSchema", "annotations")
_MOST_PROMPTS = 50
_OF_PROMPT = ("name", "title", "description", "arguments")


@dataclass(frozen=True, slots=True)
class Listing:
    """A server's own words: the protocol that it speaks, what it is called, and its tools in the protocol's form."""

    protocol: str
    server: str
    version: str
    tools: tuple[Mapping[str, Any], ...]


def listing_of(said: object) -> Listing:
    """Return what a cell says that its server lists. Raises BadSkill."""
    if not isinstance(said, Mapping):
        raise _bad("says nothing that can be understood")
    listed = _some(said.get("tools"))
    if len(listed) > MOST_TOOLS:
        raise _too_much()
    tools = [_tool(one) for one in listed]
    tools += _resources(said) + _prompts(said)
    _check_names(one["name"] for one in tools)
    if not tools:
        raise _bad("lists no tool, no resource and no prompt")
    if len(tools) > MOST_TOOLS or len(json.dumps(tools)) > MOST_BYTES:
        raise _too_much()
    named = said.get("server")
    named = named if isinstance(named, Mapping) else {}
    return Listing(plain(said.get("protocol"), 20), plain(named.get("name"), 60), plain(named.get("version"), 40),
                   tuple(tools))  # fmt: skip


def _check_names(names: Iterable[str]) -> None:
    met: set[str] = set()
    for name in names:
        if name in met:
            raise _bad(f"lists {name} twice")
        met.add(name)


def _too_much() -> BadSkill:
    return _bad(f"lists more than {MOST_TOOLS} tools, or more of them than {MOST_BYTES >> 20} MiB")


def _some(found: object) -> Sequence[Any]:
    if not isinstance(found, list):
        raise _bad("lists what is no list")
    return found


def _tool(said: object) -> dict[str, Any]:
    if not isinstance(said, Mapping) or not isinstance(said.get("name"), str):
        raise _bad("lists a tool without a name")
    name = said["name"]
    if not _NAME.fullmatch(name) or name in (LIST, READ, PROMPT):
        raise _bad(f"has a tool called {ascii(name)[:80]}, which is no name that can be shown as it is")
    schema = said.get("inputSchema", {})
    if not isinstance(schema, Mapping) or is_deep(said):
        raise _bad(f"describes the arguments of {name} in no form that can be read")
    if not _is_text(said):
        raise _bad(f"describes {name} in what is no text (half a character)")
    return {key: said[key] for key in _KEPT if said.get(key) is not None}


def _resources(said: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return two tools for all resources: there may be very many, and they come and go; none of them is pinned."""
    if not said.get("resources"):
        return []
    uri = {"type": "string", "description": "The address (URI) of the resource.", "format": "uri"}
    schema = {"type": "object", "properties": {"uri": uri}, "required": ["uri"]}
    listed = {"type": "object", "properties": {}}
    return [
        {"name": LIST, "description": "List the resources of the server with their addresses.", "inputSchema": listed},
        {"name": READ, "description": "Read a resource of the server by its address.", "inputSchema": schema},
    ]


def _prompts(said: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return one tool for all prompts: their names as choices, and what they say of themselves, which is pinned."""
    found = said.get("prompts")
    some = [one for one in found if isinstance(one, Mapping)] if isinstance(found, list) else []
    named = {name: one for one in some if isinstance(name := one.get("name"), str) and _NAME.fullmatch(name)}
    known = sorted(named)[:_MOST_PROMPTS]
    if not known:
        return []
    told = [{key: named[name][key] for key in _OF_PROMPT if named[name].get(key) is not None} for name in known]
    if is_deep(told) or not _is_text(told):
        raise _bad("describes its prompts in no form that can be read")
    schema = {
        "type": "object",
        "properties": {
            "name": {"type": "string", "enum": known, "description": "Which prompt."},
            "arguments": {"type": "object", "description": "What the prompt is filled with, by name."},
        },
        "required": ["name"],
    }
    description = "Get a prompt that the server keeps."
    return [{"name": PROMPT, "description": description, "inputSchema": schema, "prompts": told}]


def is_deep(value: object, most: int = _DEEPEST) -> bool:
    """Tell whether ``value`` is nested deeper than anybody goes down in it."""
    level = [value]
    for _ in range(most):
        inner = (item for one in level for item in (one.values() if isinstance(one, Mapping) else one))  # type: ignore[attr-defined]
        level = [item for item in inner if isinstance(item, Mapping | list)]
        if not level:
            return False
    return True


def _is_text(value: object) -> bool:
    """Tell whether all words of a value can be written down: a lone surrogate cannot."""
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True


def _bad(what: str) -> BadSkill:
    return BadSkill("server.listing", f"The server {what}.", hint="Look for another version of the server.")
