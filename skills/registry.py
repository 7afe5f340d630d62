"""The registry: every installed skill and tool by id. A skill that is wrong is a problem to show, not a stop."""

from __future__ import annotations

import threading
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from skills.contents import content_hash, shipped_folders
from skills.errors import BadSkill, UnknownTool
from skills.later import one_import
from skills.model import Skill, SkillId, Tool, ToolId

VERSIONS = "skill-versions"
"""The folder of versions that were installed, each below its digest."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Why the skill in ``folder`` could not be loaded, and what to do now."""

    folder: str
    code: str
    message: str
    hint: str

    def __str__(self) -> str:
        return f"{self.message} {self.hint}".strip()


@dataclass(frozen=True, slots=True)
class _Installed:
    """What was found in the folders at one time."""

    skills: dict[SkillId, Skill]
    tools: dict[ToolId, Tool]
    followed: dict[ToolId, Tool]
    problems: tuple[Problem, ...]


class Registry:
    """The skills that lie directly in one of ``folders``, read when one is first asked for: no start waits for them.

    Of two with one id the first counts. A folder that does not exist holds none. What is wrong with a skill stands in
    ``problems``.
    """

    def __init__(self, folders: Iterable[Path | str]) -> None:
        self._folders = tuple(folders)
        self._guests: dict[SkillId, Path] = {}
        self._found: _Installed | None = None
        self._one_reader = threading.Lock()

    @property
    def _installed(self) -> _Installed:
        if self._found is None:
            with self._one_reader:
                if self._found is None:
                    self._found = _read(self._folders, self._guests)
        return self._found

    def renew(self) -> None:
        """Read the folders again, because a skill came, went or changed. What was handed out stays what it was."""
        with self._one_reader:
            self._found = _read(self._folders, self._guests)

    def receive(self, skill: SkillId, folder: Path) -> None:
        """Let the version in ``folder`` count as ``skill``, for as long as somebody writes it; ``renew`` reads it."""
        self._guests[skill] = folder

    def part_with(self, skill: SkillId) -> None:
        """Let what is installed count again, if anything is; ``renew`` reads it."""
        self._guests.pop(skill, None)

    def guest(self, skill: str) -> Skill | None:
        """Return the version that somebody is writing, where ``skill`` is one; None for what is installed."""
        held = self._guests.get(SkillId(skill))
        found = self._installed.skills.get(SkillId(skill)) if held is not None else None
        return found if found is not None and Path(found.folder) == held else None

    def skills(self) -> tuple[Skill, ...]:
        """Return the loaded skills in the order of their folders."""
        return tuple(self._installed.skills.values())

    @staticmethod
    def shipped_contents(skills: Collection[str]) -> dict[str, str]:
        """Return the content hash of those of ``skills`` that come with Steward, of what lies there; none is read.

        One that cannot be hashed is left out; it cannot be loaded either, and says so itself.
        """
        folders, found = shipped_folders(), dict[str, str]()
        for skill in folders.keys() & set(skills):
            with suppress(BadSkill):
                found[skill] = content_hash(folders[skill])
        return found

    def tools(self) -> tuple[Tool, ...]:
        """Return the tools of all loaded skills."""
        return tuple(self._installed.tools.values())

    def tool(self, tool: ToolId) -> Tool:
        """Return a tool by id, also one of a skill of instructions (``skills.following``). Raises UnknownTool."""
        found = self._installed.tools.get(tool) or self._installed.followed.get(tool)
        if found is None:
            raise _unknown(tool, self._installed.tools)
        return found

    def skill(self, skill: SkillId) -> Skill:
        """Return a skill by id. Raises UnknownTool."""
        found = self._installed.skills.get(skill)
        if found is None:
            raise _unknown(skill, self._installed.skills)
        return found

    def check_unchanged(self, skill: SkillId) -> None:
        """Compare a skill's folder with what was loaded; grants are bound to that content. Raises BadSkill."""
        loaded = self.skill(skill)
        if content_hash(Path(loaded.folder)) != loaded.hash:
            if Path(loaded.folder).parent.parent.name == VERSIONS:
                raise _edited(loaded)  # a version on the shelf is never taken as it is now, after no restart
            message = f"The skill {skill} in {loaded.folder} has changed since it was loaded."
            raise BadSkill("skill.changed", message, subject=skill, hint="Restart: ./steward down, then ask again.")

    def problems(self) -> tuple[Problem, ...]:
        """Return what kept skills from being loaded."""
        return self._installed.problems


def _read(folders: Iterable[Path | str], guests: Mapping[SkillId, Path]) -> _Installed:
    with one_import:  # with the readers of three formats: no start waits for them
        from skills.loading import keep_shipped, load_skill

    skills: dict[SkillId, Skill] = {}
    problems: list[Problem] = []
    for folder in (*guests.values(), *_skill_folders(folders)):
        if folder.name in guests and guests[SkillId(folder.name)] != folder:
            continue  # what is installed waits until the version that is being written is gone
        try:
            skill = load_skill(folder)
            if folder.parent.parent.name == VERSIONS and skill.hash != folder.parent.name:
                raise _edited(skill)
            if skill.id in skills:
                raise _twice(skill, skills[skill.id])
            skills[skill.id] = skill
        except BadSkill as error:
            problems.append(Problem(str(folder), error.code, str(error), error.hint))
        except (RecursionError, MemoryError, ValueError) as error:  # one skill must not take the others away
            message = f"{folder} cannot be read: {type(error).__name__}."
            problems.append(Problem(str(folder), "skill.file", message, "Remove it, or take another version."))
    keep_shipped()
    tools = {tool.id: tool for skill in skills.values() for tool in skill.tools}
    return _Installed(skills, tools, _followed(skills.values()), tuple(problems))


def _followed(skills: Iterable[Skill]) -> dict[ToolId, Tool]:
    texts = [skill for skill in skills if not skill.tools]
    if not texts:
        return {}
    with one_import:
        from skills.following import tools_of  # where no skill is instructions, no start waits for it

    return {tool.id: tool for skill in texts for tool in tools_of(skill)}


def _skill_folders(folders: Iterable[Path | str]) -> Iterable[Path]:
    with one_import:
        from skills.loading import looks_like_skill

    for folder in map(Path, folders):
        if folder.is_dir():
            named = (path for path in sorted(folder.iterdir()) if not path.name.startswith("."))
            found = (path for path in named if path.is_dir() and looks_like_skill(path))
            yield from (path.resolve() if path.is_symlink() else path for path in found)  # a version on the shelf


def _edited(skill: Skill) -> BadSkill:
    message = f"{skill.folder} is not what was installed, so it is not used."
    hint = f"Install it again, or take another version: ./steward skills versions {skill.id}"
    return BadSkill("skill.changed", message, subject=skill.id, hint=hint)


def _twice(skill: Skill, first: Skill) -> BadSkill:
    message = f"{skill.folder} has the id {skill.id}, which {first.folder} has already."
    return BadSkill("skill.twice", message, subject=skill.id, hint="Rename one of the two folders.")


def _unknown(name: str, known: Iterable[str]) -> UnknownTool:
    hint = f"Installed: {', '.join(sorted(known)) or 'nothing'}."
    return UnknownTool("tool.unknown", f"Nothing called {name} is installed.", subject=name, hint=hint)
