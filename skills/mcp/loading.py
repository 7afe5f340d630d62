"""From the folder of a server's skill to its tools: what was pinned, with the rights that the person gave it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from permissions.model import Action
from skills.errors import BadSkill
from skills.mcp.mapping import parameters_of, result_of
from skills.mcp.pins import Pin, Pins, read_pins
from skills.mcp.texts import first_sentence, plain
from skills.model import EffectClass, RightTemplate, Served, SkillId, Tool, ToolId, ToolLimits

if TYPE_CHECKING:
    from skills.manifest import ServerEntry

_MOST_SUMMARY = 200
_OUTDATED = "deprecated"
_WORK = (Action.FS_READ, Action.FS_CREATE, Action.FS_WRITE, Action.FS_DELETE)
USES = "a program of others does this, in a cell of its own"
READS = "the server may read it"
RUNS = "the server's own program lies there"
CHANGES = "it may change anything there; you see the changes before they count"
REACHES = "the server may reach it"
TOLD = "the server is told it, and could pass it on to the hosts that it is for"
WORDS = {
    "de": {
        USES: "das macht ein fremdes Programm, in einer eigenen Zelle",
        READS: "der Server darf das lesen",
        RUNS: "dort liegt das Programm des Servers",
        CHANGES: "es darf dort alles ändern; du siehst die Änderungen, bevor sie gelten",
        REACHES: "der Server darf sich damit verbinden",
        TOLD: "der Server erfährt es und könnte es an die Rechner weitergeben, für die es ist",
    }
}
"""Why a tool of a server needs its rights, by language."""


def server_tools(folder: Path, skill: SkillId, server: ServerEntry) -> tuple[Tool, ...]:
    """Return the tools of a server's skill. Raises BadSkill."""
    pins = read_pins(folder)
    unknown = sorted(set(server.safe) - {pin.name for pin in pins.tools})
    if unknown:
        raise BadSkill("skill.manifest", f"{folder.name} has no tool {unknown[0]} that could be safe.", subject=skill,
                       hint=f"./steward mcp review {folder.name}")  # fmt: skip
    bold = next((pin.name for pin in pins.tools if pin.name in server.safe and says_it_changes(pin.definition)), "")
    if bold:
        message = f"{folder.name} calls {bold} safe, and the server itself says that it changes things."
        raise BadSkill("skill.manifest", message,
                       subject=skill, hint=f"Take {bold} out of safe in steward.toml.")  # fmt: skip
    return tuple(_tool(skill, pin, server) for pin in pins.tools)


def says_it_changes(definition: Mapping[str, Any]) -> bool:
    """Tell whether a server says of a tool that it changes things: that is believed, and that it does not is not."""
    claims = _mapping(definition.get("annotations"))
    return claims.get("destructiveHint") is True or claims.get("readOnlyHint") is False


def _tool(skill: SkillId, pin: Pin, server: ServerEntry) -> Tool:
    said = pin.definition
    effect = effect_of(pin.name, server)
    writes = tuple(server.writes) if effect is EffectClass.ONCE else ()
    return Tool(
        id=ToolId(f"{skill}.{pin.function}"),
        skill=skill,
        function=pin.function,
        summary=_summary(pin),
        effect=effect,
        parameters=parameters_of(pin.name, _mapping(said.get("inputSchema")), safe=pin.name in server.safe),
        result=result_of(_mapping(said["outputSchema"]) if "outputSchema" in said else None)[0],
        examples=(),
        rights=tuple(_rights(f"{skill}.{pin.function}", server, writes)),
        limits=ToolLimits(server.limits.wall_s, server.limits.memory_mib << 20),
        says=WORDS,
        works_at=writes,
        runs_programs=True,
        served=Served(pin.name, _mapping(said.get("inputSchema")), said.get("outputSchema"),
                      _mapping(said.get("annotations")), pin.digest),
    )  # fmt: skip


def _summary(pin: Pin) -> str:
    """Return the first sentence of what is said of a tool, and that it is outdated where a later sentence says it."""
    said = pin.definition
    first = first_sentence(said.get("description"), _MOST_SUMMARY) or plain(said.get("title"), _MOST_SUMMARY)
    whole = plain(said.get("description"), 4 * _MOST_SUMMARY).casefold()
    outdated = _OUTDATED in whole and _OUTDATED not in first.casefold()
    return (first or pin.function.replace("_", " ")) + f" ({_OUTDATED})" * outdated


def effect_of(name: str, server: ServerEntry) -> EffectClass:
    """Return what calling a tool may change: as much as there is, unless the person called it safe.

    Where the server reaches hosts, a safe one may be repeated, but it is not pure: what is pure has no network.
    """
    if name not in server.safe:
        return EffectClass.ONCE
    return EffectClass.IDEMPOTENT if server.hosts else EffectClass.PURE


def _rights(tool: str, server: ServerEntry, writes: tuple[str, ...]) -> Iterator[RightTemplate]:
    """Yield the right to use the tool at all, which is asked for once, and what the server was given."""
    yield RightTemplate(str(Action.SKILL_CALL), tool, USES)
    yield from (RightTemplate(str(Action.FS_READ), _tree(place), RUNS) for place in server.programs)
    read = [*server.reads, *(place for place in server.writes if place not in writes)]
    yield from (RightTemplate(str(Action.FS_READ), _tree(place), READS) for place in read)
    for place in writes:
        yield from (RightTemplate(str(action), _tree(place), CHANGES) for action in _WORK)
    yield from (RightTemplate(str(Action.NET_CONNECT), host, REACHES) for host in server.hosts)
    secrets = dict.fromkeys(server.secrets.values())
    yield from (RightTemplate(str(Action.SECRET_REVEAL), secret, TOLD) for secret in secrets)


def _tree(place: str) -> str:
    """Return the scope of a place; one that ends in a slash is a folder, and all in it is meant."""
    return f"{place.rstrip('/')}/**" if place.endswith("/") else place


def _mapping(value: object) -> Mapping[str, object]:
    return value if isinstance(value, Mapping) else {}


def read_server(folder: Path) -> tuple[ServerEntry, Pins]:
    """Return how a server's skill is started and what was reviewed of it. Raises BadSkill."""
    from skills.manifest import read_manifest  # which reads ``[server]`` through this room

    server = read_manifest(folder).server
    if server is None:
        raise BadSkill("server.none", f"{folder.name} is no server.", subject=folder.name,
                       hint="./steward mcp list shows the servers.")  # fmt: skip
    return server, read_pins(folder)
