"""Why something comes out otherwise than then, in sentences, from what is recorded of then and known of today.

What it does not: guess. A cause is named where both sides of it are known; else it is said that none is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from kernel.house import House
from kernel.itself.version import own_version, skills_digest
from kernel.model import Plan
from kernel.models.model import Prompt
from kernel.models.recorded import Question
from kernel.paths import short
from kernel.replaying.recording import Recording
from kernel.replaying.wording import say
from permissions.naming import shown
from skills.errors import SkillError
from skills.model import SkillId, ToolId


class Reasons:
    """The causes that are known for one run."""

    def __init__(self, house: House, recording: Recording, language: str) -> None:
        self._house = house
        self._language = language
        self._home = str(house.folders.home)
        self._skills: dict[str, Mapping[str, str]] = {}
        self._first: Plan | None = None
        for version in recording.versions():
            self._skills |= version.skills
            self._first = self._first or version.plan
        effects = recording.ended.get("effects")
        changed = effects.get("first", ()) if isinstance(effects, Mapping) else effects or ()
        self._changed = {str(one.get("path")) for one in changed}
        self._all = str((recording.first("run.interpreted") or {}).get("skills") or "")
        self._steward = str(recording.said.get("steward") or "")
        self._learnt = (recording.first("run.recommended") or {}).get("learnt") or {}

    def say(self, key: str, **values: object) -> str:
        """Return one sentence in the language of the run."""
        return say(self._language, key, **values)

    def of_reading(self) -> tuple[str, ...]:
        """Return why a sentence may be read, or its tools be ranked, otherwise."""
        found = (*self._of_files(self._first), *self._of_steward(), *self._of_all_skills(), *self._of_vectors())
        return found or (self.say("unknown"),)

    def of_plan(self, then: Plan | None) -> tuple[str, ...]:
        """Return why a plan may be another one than ``then``."""
        named = [*self._of_skills(then), *self._of_files(then)]
        return tuple([*named, *self._of_steward(), *self._of_all_skills(), *self._of_vectors()]) or (
            self.say("unknown"),
        )

    def of_call(self, plan: Plan, tool: str, *, other_plan: bool, other_before: bool) -> tuple[str, ...]:
        """Return why a call may be given, or come to, something else."""
        if other_plan:
            return (self.say("plan"),)
        named = [*self._of_skill(self._skill_of(tool)), *self._of_files(plan)]
        before = [self.say("before")] if other_before else []
        return tuple([*named, *before, *self._of_steward()]) or (self.say("unknown"),)

    def of_output(self, tool: str) -> tuple[str, ...]:
        """Return why a tool that only reads may give something else."""
        return tuple([*self._of_skill(self._skill_of(tool)), self.say("input")])

    def of_question(self, then: Question | None, now: Prompt | None, plan: Plan | None) -> tuple[str, ...]:
        """Return in what a question to a model differs, and why that may be."""
        if now is None:
            return (self.say("not asked"), *self._of_steward())
        differs = list(self._differing(then, now)) if then is not None else []
        return tuple([*differs, *self._of_skills(plan), *self._of_all_skills(), *self._of_steward()]) or (
            self.say("unknown"),
        )

    def _differing(self, then: Question, now: Prompt) -> Iterator[str]:
        pairs = list(zip(then.messages, now.messages, strict=False))
        other = [number for number, (old, new) in enumerate(pairs, 1) if old != new]
        if other:
            yield self.say("message", number=", ".join(map(str, other)))
        if len(then.messages) != len(now.messages):
            yield self.say("messages", then=len(then.messages), now=len(now.messages))
        if not other and len(then.messages) == len(now.messages):
            yield self.say("schema")

    # --- causes -----------------------------------------------------------------------------------------------------

    def _of_steward(self) -> Iterator[str]:
        now = own_version()
        if self._steward and self._steward != now:
            yield self.say("version", then=shown(self._steward), now=now)

    def _of_all_skills(self) -> Iterator[str]:
        if self._all and self._all != skills_digest(self._house.registry.skills()):
            yield self.say("skills other")

    def _of_vectors(self) -> Iterator[str]:
        then, now = self._learnt.get("dense"), self._house.learning.encoder() is not None
        if then and not now:
            yield self.say("not dense")

    def _of_skills(self, plan: Plan | None) -> Iterator[str]:
        tools = [str(task.tool) for task in plan.tasks] if plan is not None else []
        for skill in dict.fromkeys(map(self._skill_of, tools)):
            yield from self._of_skill(skill)

    def _of_skill(self, skill: str) -> Iterator[str]:
        then = self._skills.get(skill)
        try:
            now = self._house.registry.skill(SkillId(skill))
        except SkillError:
            yield self.say("skill gone", skill=shown(skill))
            return
        if then is None or then.get("hash") == now.hash:
            return
        version = str(then.get("version") or "")
        key = "skill same version" if version == now.version else "skill other"
        yield self.say(key, skill=skill, then=shown(version), now=now.version)

    def _skill_of(self, tool: str) -> str:
        try:
            return str(self._house.registry.tool(ToolId(tool)).skill)
        except SkillError:
            return next((one for one in self._skills if tool.startswith(f"{one}.")), tool.rpartition(".")[0])

    def _of_files(self, plan: Plan | None) -> Iterator[str]:
        for path in dict.fromkeys(_paths(plan)):
            if path not in self._changed and not Path(path).exists():
                yield self.say("file gone", path=short(path, self._home))


def _paths(plan: Plan | None) -> Iterator[str]:
    """Yield the paths of files and folders that the tasks of a plan were given."""
    for task in plan.tasks if plan is not None else ():
        for argument in task.arguments.values():
            yield from _paths_in(getattr(argument, "value", None))


def _paths_in(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping) and isinstance(value.get("path"), str):
        yield value["path"]
    elif isinstance(value, str) and value.startswith("/"):
        yield value
    elif isinstance(value, list):
        for one in value:
            yield from _paths_in(one)
