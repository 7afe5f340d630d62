"""The folder of a server's skill, made of what a person allowed and of what the server listed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import tomli_w

from skills.mcp.listing import Listing
from skills.mcp.pins import TOOLS, Pins, pinned, to_json
from skills.mcp.texts import first_sentence, plain

_MOST_NAMED = 12


@dataclass(frozen=True, slots=True)
class Wish:
    """How a server is started or reached, and what it may see: as a person says it. Places may begin with ``~/``.

    A place that ends in a slash is a folder with all in it. ``programs`` are where its own program lies.
    """

    name: str
    command: tuple[str, ...] = ()
    url: str = ""
    env: Mapping[str, str] = field(default_factory=dict)
    secrets: Mapping[str, str] = field(default_factory=dict)
    reads: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()
    programs: tuple[str, ...] = ()
    safe: tuple[str, ...] = ()
    wall_s: float = 120.0
    memory_mib: int = 1024


def written(folder: Path, wish: Wish, listing: Listing, version: str, before: Pins | None = None) -> Pins:
    """Write the skill of a server into ``folder``, which is called as it will be; return what is pinned."""
    import json

    pins = pinned(listing, before)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / TOOLS).write_text(json.dumps(to_json(pins), indent=1, sort_keys=True, ensure_ascii=False) + "\n")
    (folder / "SKILL.md").write_text(_instructions(wish.name, pins))
    (folder / "steward.toml").write_text(tomli_w.dumps(_manifest(wish, pins, version)))
    return pins


def _manifest(wish: Wish, pins: Pins, version: str) -> dict[str, Any]:
    known = {pin.name for pin in pins.tools}
    server: dict[str, Any] = {
        "command": list(wish.command), "url": wish.url, "env": dict(wish.env), "secrets": dict(wish.secrets),
        "reads": list(wish.reads),
        "writes": list(wish.writes), "hosts": list(wish.hosts), "programs": list(wish.programs),
        "safe": sorted(name for name in wish.safe if name in known),
        "limits": {"wall_s": wish.wall_s, "memory_mib": wish.memory_mib},
    }  # fmt: skip
    kept = {key: value for key, value in server.items() if value}
    return {"version": version, "title": plain(pins.server, 60) or wish.name, "server": kept}


def _instructions(name: str, pins: Pins) -> str:
    """Say what a server is, in the words that rank it: its tools' own, made fit to be read."""
    named = ", ".join(pin.function.replace("_", " ") for pin in pins.tools[:_MOST_NAMED])
    more = f" and {len(pins.tools) - _MOST_NAMED} more" if len(pins.tools) > _MOST_NAMED else ""
    lines = [f"- `{pin.function}`: {first_sentence(pin.definition.get('description'), 200)}" for pin in pins.tools]
    said = plain(f"Tools of the MCP server {name}: {named}{more}.", 1000).replace('"', "'")
    return "\n".join(["---", f"name: {name}", f'description: "{said}"', "---", f"# {name}", "", *lines, ""])


def changes(before: Pins, now: Pins) -> Sequence[Mapping[str, str]]:
    """Return what differs between two reviews, tool by tool: new, gone, or which part of it and how it read."""
    old, new = ({pin.name: pin.definition for pin in one.tools} for one in (before, now))
    found: list[Mapping[str, str]] = []
    for name in sorted({*old, *new}):
        if name not in old or name not in new:
            found.append({"tool": name, "what": "new" if name not in old else "gone", "was": "", "now": ""})
            continue
        for key in sorted({*old[name], *new[name]}):
            was, then = old[name].get(key), new[name].get(key)
            if was != then:
                found.append({"tool": name, "what": key, "was": plain(str(was or ""), 600),
                              "now": plain(str(then or ""), 600)})  # fmt: skip
    return found
