"""From a skill's folder to a ``Skill``: manifest and signatures read, its tools joined of them (``joining``)."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

from skills import kept
from skills.contents import INSTRUCTIONS, content_hash, ships
from skills.errors import BadSkill
from skills.joining import Joined
from skills.manifest import MANIFEST, SOURCE, Manifest, line_of, read_instructions, read_manifest
from skills.model import Pin, Skill, SkillId, Tool
from skills.schema import Signature, read_signatures

_ID = re.compile(r"[a-z][a-z0-9-]{1,62}")
_ROOMS = frozenset({"kernel", "skills", "memory", "permissions", "portal", "gpu-skills", "tests"})
_NODES = frozenset({"models"})  # of the policy tree, that are no skill's
_shipped: dict[Path, Skill] = {}


def load_skill(folder: Path) -> Skill:
    """Read the skill in ``folder``. Raises BadSkill with what is wrong, where, and what to do."""
    return _shipped_skill(folder) if ships(folder) else _read_skill(folder)


def _shipped_skill(folder: Path) -> Skill:
    """Read a skill that comes with Steward, or return what was read before where it is unchanged to the byte.

    That may have been an earlier process. Whenever a skill of somebody else comes or goes, all are asked for again.
    """
    before = content_hash(folder)
    known = (_shipped.get(folder), _kept().get(folder))
    found = next((one for one in known if one is not None and one.hash == before), None)
    if found is None:
        found = _read_skill(folder, shipped=True)
    if found.hash == before:  # else it changed meanwhile, and what was read may be of either
        _shipped[folder] = found
    return found


def keep_shipped() -> None:
    """Keep what was read of skills that come with Steward for the next start, where it is not kept yet."""
    found = {folder: skill for folder, skill in _shipped.items() if folder.is_relative_to(kept.CODE)}
    if {skill.hash for skill in found.values()} - {skill.hash for skill in _kept().values()}:
        kept.keep(kept.default_file(), _key(), found)
        _kept.cache_clear()


@cache
def _key() -> bytes:
    return kept.code_key()


@cache
def _kept() -> Mapping[Path, Skill]:
    return kept.read_kept(kept.default_file(), _key())


def _read_skill(folder: Path, *, shipped: bool = False) -> Skill:
    has_manifest = (folder / MANIFEST).exists()
    skill_id = checked_id(folder.name, module=not (shipped or has_manifest))
    instructions = read_instructions(folder)
    if not has_manifest:
        title = instructions.name
        return Skill(skill_id, "", title, instructions.description, str(folder), content_hash(folder), shipped, ())
    manifest = read_manifest(folder)
    text = (folder / MANIFEST).read_text()
    if manifest.server is not None:
        from skills.mcp.loading import server_tools  # hardly a skill is a server

        tools = server_tools(folder, skill_id, manifest.server)
    else:
        checked_id(folder.name, module=not shipped)
        signatures = read_signatures(folder / SOURCE)
        tools = tuple(
            Joined(folder, text, manifest, name, entry).tool(skill_id, signatures)
            for name, entry in manifest.tools.items()
        )
    _check_says(folder, text, manifest, tools)
    tools = tools if shipped else tuple(replace(one, gathers=False) for one in tools)  # nothing is handed to it unasked
    return Skill(
        skill_id,
        manifest.version,
        manifest.title,
        instructions.description,
        str(folder),
        content_hash(folder),
        shipped,
        tools,
        manifest.says,
        manifest.reminds or "",
        packages_of(folder, manifest),
    )


def packages_of(folder: Path, manifest: Manifest) -> tuple[Pin, ...]:
    """Return the Python packages that the skill's lock pins. Raises BadSkill where it needs a lock and has none."""
    if manifest.python is None:
        return ()
    from skills.environments import read_lock  # hardly a skill needs packages

    return read_lock(folder, manifest.python.requires)


def each_tool(
    folder: Path, manifest: Manifest, signatures: Mapping[str, Signature], *, shipped: bool = False
) -> Iterator[Tool | BadSkill]:
    """Yield every tool of a manifest, or why it cannot be loaded: for whoever wants to know all that is wrong."""
    skill, text = checked_id(folder.name, module=not shipped), (folder / MANIFEST).read_text()
    for name, entry in manifest.tools.items():
        try:
            yield Joined(folder, text, manifest, name, entry).tool(skill, signatures)
        except BadSkill as error:
            yield error


def _check_says(folder: Path, text: str, manifest: Manifest, tools: Sequence[Tool]) -> None:
    """Refuse a translation of something that the skill does not say: a slip, or a sentence that has changed."""
    said = {manifest.title, *(tool.summary for tool in tools), *(r.reason for tool in tools for r in tool.rights)}
    said |= {text for tool in tools for parameter in tool.parameters for text in (parameter.doc, parameter.name)}
    said |= {entry.runs_programs for entry in manifest.tools.values() if entry.runs_programs}
    said |= {manifest.reminds} if manifest.reminds else set()
    for language, texts in manifest.says.items():
        for unknown in [one for one in texts if one not in said]:
            line = line_of(text, ["says", language, unknown])
            raise BadSkill(
                "skill.manifest",
                f"{folder / MANIFEST}:{line}: says.{language}: the skill says {unknown!r} nowhere.",
                subject=folder.name,
                hint="Write a title, summary, reason, or what a parameter is for exactly as it stands in English.",
            )


def looks_like_skill(folder: Path) -> bool:
    """Tell whether ``folder`` holds one of the two files that make a skill."""
    return (folder / INSTRUCTIONS).exists() or (folder / MANIFEST).exists()


def checked_id(name: str, *, module: bool = True) -> SkillId:
    """Return ``name`` as an id; ``module`` where foreign code is called so. Raises BadSkill where it cannot be one."""
    if not _ID.fullmatch(name):
        raise BadSkill(
            "skill.id",
            f"{name!r} cannot be the id of a skill.",
            subject=name,
            hint="Name the folder with 2 to 63 lower-case letters, digits and hyphens, a letter first.",
        )
    standard = module and name.replace("-", "_") in sys.stdlib_module_names  # "calendar" is one of ours
    if name in _ROOMS or name in _NODES or standard:
        raise BadSkill(
            "skill.id",
            f"{name!r} is the name of a part of Steward or of a standard Python module.",
            subject=name,
            hint="Rename the folder.",
        )
    return SkillId(name)
