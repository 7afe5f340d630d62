"""What a person reads before a yes: what a package is, who signed it, what it may ask for, and what of that is new."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from kernel.errors import BadRequest
from kernel.serving.wishes import card, checked_environment, checked_secrets, must_not_fetch
from permissions.naming import shown
from skills.mcp.writing import Wish
from skills.model import Skill, Tool
from skills.packages import Entry, Source, SourceKind, Staged, Widening, powers_of, server_of, widened

View = dict[str, Any]
_VERSION = re.compile(r"(\d{1,9})\.(\d{1,9})\.(\d{1,9})")


def review(staged: Staged, source: str, installed: Skill | None, entry: Entry | None) -> View:
    """Return a package as it is shown. ``installed`` is what it would replace, ``entry`` that version on the shelf."""
    skill, more = staged.skill, widening(staged, installed)
    signer = staged.signer.key if staged.signer else ""
    return {
        "skill": skill.id, "version": skill.version, "title": shown(skill.title), "kind": kind_of(skill),
        "description": shown(skill.description), "digest": staged.digest, "source": source, "signer": signer,
        "signature": shown(staged.signer.comment) if staged.signer else "",
        "tools": [_tool(one) for one in skill.tools], "hosts": hosts(skill),
        "reminds": shown(skill.reminds), "server": server_card(skill),
        "replaces": None if installed is None else {
            "version": installed.version, "digest": installed.hash, "signer": entry.key if entry else "",
            "same": installed.hash == staged.digest,
        },
        "wants_more": [one.to_json() for one in more],
        "older": entry is not None and bool(skill.version) and not is_newer(skill.version, entry.version),
        "keeps_grants": keeps_grants(staged, installed, entry, more),
    }  # fmt: skip


def server_card(skill: Skill) -> View | None:
    """Return how the server of a package is started and what it may see, as ``mcp add`` shows it; None without one.

    The command is whole: a cut one could hide what it does. Raises BadRequest for one that ``mcp add`` would refuse.
    """
    server = server_of(skill)
    if server is None:
        return None
    must_not_fetch(str(skill.id), server.command)
    checked_environment(server.env)
    secrets = checked_secrets(server.secrets, server.env, headers=bool(server.url))
    wish = Wish(
        str(skill.id), tuple(server.command), server.url, server.env, secrets, tuple(server.reads),
        tuple(server.writes), tuple(server.hosts), tuple(server.programs), tuple(server.safe),
    )  # fmt: skip
    return card(wish, []) | {"safe": [shown(one) for one in server.safe]}


def widening(staged: Staged, installed: Skill | None) -> tuple[Widening, ...]:
    """Return what a package wants beyond the skill that it would replace; nothing where it replaces none."""
    return () if installed is None else widened(powers_of(installed), powers_of(staged.skill))


def keeps_grants(staged: Staged, installed: Skill | None, before: Entry | None, more: Sequence[Widening]) -> bool:
    """Tell whether an update keeps what was granted: newer, signed by the same key, and it wants nothing more.

    What was granted must have been granted to the very version that was installed.
    """
    signer = staged.signer.key if staged.signer else ""
    if not signer or before is None or installed is None or more:
        return False
    whole = before.digest == installed.hash
    return whole and before.signer == signer and is_newer(staged.skill.version, before.version)


def must_be_named(staged: Staged, asked: Source) -> None:
    """Raise BadRequest where an index, or what other agents keep, has another skill under the name that was asked."""
    skill = str(staged.skill.id)
    if asked.kind in (SourceKind.INDEX, SourceKind.AGENTS) and skill != asked.part:
        message = f"{asked} is called {asked.part} there, and holds the skill {shown(skill)}."
        raise BadRequest(
            "package.other", message, subject=skill, hint="Tell whoever keeps the list, or give the place."
        )


def must_follow(staged: Staged, skill: str, before: Entry | None, asked: str) -> None:
    """Raise BadRequest where a package is no later version of ``skill`` by the same hand.

    An update is looked for without a person naming a place, so it never does what only a person may mean.
    """
    hint = f"If you mean it: ./steward skills install {asked}"
    if staged.skill.id != skill or before is None:
        message = f"{asked} holds the skill {shown(str(staged.skill.id))} now, and not {shown(skill)}."
        raise BadRequest("package.other", message, subject=skill, hint=hint)
    if before.key and before.key != (staged.signer.key if staged.signer else ""):
        said = "is signed by another key now" if staged.signer else "is not signed any more"
        message = f"{skill} {said}; what is in use comes from {before.key}."
        raise BadRequest("package.signer", message, subject=skill, hint=hint)
    if is_newer(before.version, staged.skill.version):
        message = f"{asked} has {skill} {staged.skill.version}, older than {before.version}, which is in use."
        raise BadRequest("package.older", message, subject=skill, hint=hint)


def kind_of(skill: Skill) -> str:
    """Return ``tools`` or ``instructions``: what a model would follow, and what gets no right."""
    return "tools" if skill.tools else "instructions"


def is_newer(version: str, than: str) -> bool:
    """Tell whether a version comes after another one, by its three numbers."""
    return _numbers(version) > _numbers(than)


def _numbers(version: str) -> tuple[int, ...]:
    found = _VERSION.match(version)
    return tuple(map(int, found.groups())) if found else (0, 0, 0)


def hosts(skill: Skill) -> list[str]:
    """Return the hosts that a skill wants to reach."""
    return sorted({one.scope for tool in skill.tools for one in tool.rights if one.action.startswith("net.")})


def _tool(tool: Tool) -> View:
    sinks = [one.name for one in tool.parameters if one.role == "sink"]
    rights = [{"right": shown(f"{one.action}:{one.scope}"), "reason": shown(one.reason)} for one in tool.rights]
    return {"id": tool.id, "summary": shown(tool.summary), "effect": str(tool.effect), "rights": rights,
            "sinks": sinks, "works_in": list(tool.works_in), "runs_programs": tool.runs_programs,
            "wall_s": tool.limits.wall_s, "memory_bytes": tool.limits.memory_bytes}  # fmt: skip
