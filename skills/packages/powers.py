"""What a skill may do by its manifest, and what another version wants beyond it."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator
from pathlib import Path

from skills.manifest import MANIFEST, ServerEntry, read_manifest
from skills.model import EffectClass, ParamRole, Skill, ToolId
from skills.packages.model import Powers, ServerPowers, Widening

_ORDER = (EffectClass.PURE, EffectClass.IDEMPOTENT, EffectClass.ONCE)
_TREE = "/**"
_NAMES_A_SERVER = re.compile(
    rb"""^[ \t]*\[{0,2}[ \t]*(?:server\b|'server'|"server"|"(?=[^"\n]*\\)(?:[^"\\\n]|\\.)+"[ \t]*[\].=])""",
    re.MULTILINE,
)
"""A table, or a key of the manifest's first level, is named where a line begins; most manifests speak of servers."""


def powers_of(skill: Skill) -> Powers:
    """Return what the manifest of ``skill`` asks for."""
    tools = skill.tools
    sinks, others = ([(tool.id, one.name) for tool in tools for one in tool.parameters
                      if (one.role is ParamRole.SINK) is wanted] for wanted in (True, False))  # fmt: skip
    return Powers(
        rights=frozenset((tool.id, one.action, one.scope) for tool in tools for one in tool.rights),
        effects={tool.id: tool.effect for tool in tools},
        sinks=frozenset(sinks),
        free=frozenset(others),
        works_in=frozenset((tool.id, name) for tool in tools for name in tool.works_in),
        programs=frozenset(tool.id for tool in tools if tool.runs_programs),
        reminds=bool(skill.reminds),
        server=_server_powers(server) if (server := server_of(skill)) else None,
        packages=skill.packages,
    )


def server_of(skill: Skill) -> ServerEntry | None:
    """Return the ``[server]`` table of a skill, None where its tools are its own. May raise BadSkill.

    It is read of the folder: a server that lists no tools yet is one all the same.
    """
    manifest = Path(skill.folder) / MANIFEST
    if not manifest.exists() or not _may_name_a_server(manifest.read_bytes()):
        return None
    return read_manifest(manifest.parent).server


def _may_name_a_server(manifest: bytes) -> bool:
    """Tell whether the table may stand in these bytes: a line begins with its name, or with one that has escapes."""
    return _NAMES_A_SERVER.search(manifest) is not None


def _server_powers(server: ServerEntry) -> ServerPowers:
    told = {name: f"the secret {secret}" for name, secret in server.secrets.items()}
    seen = (("fs.read", server.reads), ("fs.write", server.writes), ("net.connect", server.hosts))
    return ServerPowers(
        tuple(server.command), server.url, tuple(sorted({**server.env, **told}.items())), frozenset(server.programs),
        frozenset((kind, place) for kind, places in seen for place in places), frozenset(server.safe),
    )  # fmt: skip


def widened(old: Powers, new: Powers) -> tuple[Widening, ...]:
    """Return everything that ``new`` may do and ``old`` could not: tools, rights and hosts, effects, sinks, programs.

    A right that another tool of the same skill had already is nothing new; a tool that is new always is.
    """
    found = [Widening(tool, "tool", "", str(new.effects[tool])) for tool in sorted(new.effects.keys() - old.effects)]
    found += [*_rights(old, new), *_flows(old, new), *_effects(old, new), *_sinks(old, new)]
    found += [Widening(tool, "works in", "", name) for tool, name in sorted(new.works_in - old.works_in)]
    found += [Widening(tool, "programs", "", "runs programs") for tool in sorted(new.programs - old.programs)]
    found += _server(old.server, new.server)
    found += _packages(old, new)
    if new.reminds and not old.reminds:
        found.append(Widening(min(new.effects, default=ToolId("")), "reminds", "", "tells you something at a time"))
    return tuple(found)


def _packages(old: Powers, new: Powers) -> Iterator[Widening]:
    """A package that is new, or is another one now: another version, or a file that the lock did not name before."""
    had = {one.name: one for one in old.packages}
    for pin in sorted(new.packages, key=lambda one: one.name):
        before = had.get(pin.name)
        if before is None or before.version != pin.version:
            was = f"{before.name} {before.version}" if before else ""
            yield Widening(ToolId("python"), "package", was, f"{pin.name} {pin.version}")
        elif not set(pin.hashes) <= set(before.hashes):
            yield Widening(ToolId("python"), "package", f"{pin.name} {pin.version}", "other files of the same version")


def _server(old: ServerPowers | None, new: ServerPowers | None) -> Iterator[Widening]:
    """Another program, another environment, more of its program, more that it sees, more tools that it calls safe.

    Of what was started before only the program is told, and of its environment the names: the rest may be secret.
    """
    if new is None:
        return
    before = old or ServerPowers()
    if (before.command, before.url) != (new.command, new.url):
        was = before.url or " ".join([*before.command[:1], *("…" for _ in before.command[1:2])])
        yield Widening(ToolId("server"), "starts", was, new.url or shlex.join(new.command))
    told = dict(before.env)
    for name, value in new.env:
        if told.get(name) != value:
            yield Widening(ToolId("server"), "is told", name if name in told else "", f"another {name}")
    yield from (
        Widening(ToolId("server"), "is not told any more", name, "") for name in sorted(told.keys() - dict(new.env))
    )
    yield from (Widening(ToolId("server"), "program", "", one) for one in sorted(new.programs - before.programs))
    yield from (Widening(ToolId("server"), kind, "", place) for kind, place in sorted(new.sees - before.sees))
    yield from (Widening(ToolId("server"), "calls safe", "", one) for one in sorted(new.safe - before.safe))


def _rights(old: Powers, new: Powers) -> Iterator[Widening]:
    had = {(action, scope) for _, action, scope in old.rights}
    for tool, action, scope in sorted(new.rights):
        if not any(action == other and _holds(wide, scope) for other, wide in had):
            yield Widening(tool, action, _nearest(had, action), scope)


def _holds(wide: str, narrow: str) -> bool:
    """Whether a scope of a manifest means all that another means, whatever its parameters come to."""
    if wide == narrow or wide == narrow + _TREE:
        return True
    top = wide.removesuffix(_TREE)
    return wide.endswith(_TREE) and "{" not in top and narrow.startswith(f"{top}/") and ".." not in narrow


def _flows(old: Powers, new: Powers) -> Iterator[Widening]:
    """A tool that reads files and reaches a host, where none did both: what two tools did met only in a plan."""
    if _carries_out(old):
        return
    yield from (Widening(tool, "flow", "", "reads files and reaches a host") for tool in sorted(_carries_out(new)))


def _carries_out(powers: Powers) -> set[ToolId]:
    reads, reaches = (
        {tool for tool, action, _ in powers.rights if action.startswith(kind)} for kind in ("fs.read", "net.")
    )
    return reads & reaches


def _nearest(had: Iterable[tuple[str, str]], action: str) -> str:
    return ", ".join(sorted(scope for other, scope in had if other == action)[:3])


def _effects(old: Powers, new: Powers) -> Iterator[Widening]:
    for tool, effect in sorted(new.effects.items()):
        before = old.effects.get(tool, effect)
        if _ORDER.index(effect) > _ORDER.index(before):
            yield Widening(tool, "effect", str(before), str(effect))


def _sinks(old: Powers, new: Powers) -> Iterator[Widening]:
    """A new place to which something may go, and a guarded place that is not guarded any more."""
    yield from (Widening(tool, "sink", "", name) for tool, name in sorted(new.sinks - old.sinks))
    freed = {tool for tool, _ in new.free - old.free}  # also under another name
    for tool, name in sorted(old.sinks - new.sinks):
        if tool in freed:
            yield Widening(tool, "sink", name, "not guarded any more")
