"""Pins: what a server said of each tool when a person reviewed it, kept in ``tools.json`` and held against it later.

What this stops: a tool whose description, arguments or claims changed after the review (a "rug pull") being called, or
being chosen by words that nobody reviewed.
What it does not: see a server that behaves otherwise and says the same.

The digest of a tool is the SHA-256 over its definition as canonical JSON (sorted keys, no blanks, UTF-8).
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from skills.errors import BadSkill
from skills.mcp.listing import LIST, PROMPT, READ, Listing, is_deep
from skills.mcp.mapping import parameters_of

TOOLS = "tools.json"
_FORM = 1
_LARGEST_BYTES = 2 << 20
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_OWN = {LIST: "list_resources", READ: "read_resource", PROMPT: "use_prompt"}


@dataclass(frozen=True, slots=True)
class Pin:
    """One reviewed tool: its name at the server, what it is called here, what it said of itself, and the digest."""

    name: str
    function: str
    definition: Mapping[str, Any]
    digest: str


@dataclass(frozen=True, slots=True)
class Pins:
    """All that was reviewed of a server."""

    protocol: str
    server: str
    version: str
    tools: tuple[Pin, ...]


@dataclass(frozen=True, slots=True)
class Drift:
    """What a server lists that is not what was reviewed, by the names of its tools."""

    changed: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    new: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.changed or self.gone or self.new)


def digest_of(definition: Mapping[str, Any]) -> str:
    """Return the SHA-256 (hex) over a tool's definition."""
    text = json.dumps(definition, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def pinned(listing: Listing, before: Pins | None = None) -> Pins:
    """Return ``listing`` as it is kept; a tool that was there ``before`` keeps what it is called here.

    One whose arguments nobody could name is left out.
    """
    known = {pin.name: pin.function for pin in before.tools} if before else {}
    taken = set(known.values())
    tools = []
    for definition in filter(_is_usable, listing.tools):
        name = definition["name"]
        function = known.get(name) or _unused(_OWN.get(name) or _function(name), taken)
        taken.add(function)
        tools.append(Pin(name, function, definition, digest_of(definition)))
    return Pins(listing.protocol, listing.server, listing.version, tuple(tools))


def drift(pins: Pins, listing: Listing) -> Drift:
    """Return what of ``listing`` is not what was reviewed."""
    now = {definition["name"]: digest_of(definition) for definition in listing.tools}
    before = {pin.name: pin.digest for pin in pins.tools}
    return Drift(
        tuple(name for name in before if name in now and now[name] != before[name]),
        tuple(name for name in before if name not in now),
        tuple(name for name in now if name not in before),
    )


def _is_usable(definition: Mapping[str, Any]) -> bool:
    try:
        parameters_of(definition["name"], definition.get("inputSchema") or {})
    except BadSkill:
        return False
    return True


def _function(name: str) -> str:
    """Return a tool's name as one of our own: ``getForecast`` and ``get-forecast`` are ``get_forecast``."""
    words = re.sub(r"[^a-z0-9]+", "_", _CAMEL.sub("_", name).lower()).strip("_")
    return (words if words[:1].isalpha() else f"tool_{words}").rstrip("_")[:58]


def _unused(function: str, taken: set[str]) -> str:
    free, number = function, 1
    while free in taken:
        number += 1
        free = f"{function}_{number}"
    return free


def to_json(pins: Pins) -> dict[str, Any]:
    """Return what stands in ``tools.json``."""
    tools = [
        {"name": pin.name, "function": pin.function, "sha256": pin.digest, "definition": pin.definition}
        for pin in pins.tools
    ]
    return {"form": _FORM, "protocol": pins.protocol, "server": pins.server, "version": pins.version, "tools": tools}


def read_pins(folder: Path) -> Pins:
    """Read ``tools.json`` of a skill's folder. Raises BadSkill: it is missing, malformed, or a digest does not fit."""
    path = folder / TOOLS
    try:
        data = path.read_bytes()
        return _read_body(json.loads(data[: _LARGEST_BYTES + 1]))
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise BadSkill("server.pins", f"{path} cannot be read: {error}.", subject=folder.name,
                       hint=f"Look at the server again: ./steward mcp review {folder.name}") from error  # fmt: skip


def _read_body(body: Any) -> Pins:
    if is_deep(body, 30) or body["form"] != _FORM:
        raise ValueError("it has another form")
    protocol, server, version = (str(body[name]) for name in ("protocol", "server", "version"))
    return Pins(protocol, server, version, _read_tools(body["tools"]))


def _read_tools(found: Sequence[Mapping[str, Any]]) -> tuple[Pin, ...]:
    pins = tuple(Pin(one["name"], one["function"], one["definition"], one["sha256"]) for one in found)
    wrong = next((pin for pin in pins if digest_of(pin.definition) != pin.digest or pin.name != pin.definition["name"]),
                 None)  # fmt: skip
    if wrong is not None:
        raise ValueError(f"{wrong.name} is not what its digest says")
    functions = [pin.function for pin in pins]
    bad = next((one for one in functions if not re.fullmatch(r"[a-z][a-z0-9_]{0,62}", one)), None)
    if bad is not None or len(set(functions)) != len(functions):
        raise ValueError("the names of its tools are not plain, or one is there twice")
    return pins
