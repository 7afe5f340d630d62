"""A run that went well becomes a skill: its plan as steps, what the person said as parameters, its rights as rights.

What this stops: a skill of what was refused, failed, was taken back or was private; one that asks for more than the
run had; one whose steps would not see what earlier ones changed, or would decide where something goes instead of a
person, or need what another skill keeps for itself: such runs are refused, by name.
What it does not: invent anything. The one example is what the person said; other words are theirs to add.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from kernel.authorize import reach_of_value
from kernel.errors import BadRequest
from kernel.model import Constant, Plan, Resolution, Task
from permissions.labels import Integrity
from permissions.model import Action
from skills.authoring.drafting import Drafted, Given, Lifted, Step, at_home, drafted_files
from skills.model import EffectClass, Parameter, ParamRole, Tool, ToolId

if TYPE_CHECKING:
    from kernel.house import House

View = dict[str, Any]

_RANK = (EffectClass.PURE, EffectClass.IDEMPOTENT, EffectClass.ONCE)
_HOLE = re.compile(r"\{(?P<name>\w+)(?P<part>:folder)?(?P<default>\|~)?\}")
_ID = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_PLAIN = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})
_MOST_VALUES = 1 << 20
_WHY_CALL = "to do a step of the run that it was made of"


def drafted(house: House, run: str, view: View, name: str, folder: str) -> View:
    """Write a skill made of ``run``, whose outline is ``view``, below ``folder``; say what it is. Raises BadRequest."""
    plan = house.talk.plan(run)
    if view["private"] or view["forgotten"]:
        raise _no(run, "its words were not kept")
    if plan is None or view["resolution"] not in (Resolution.EXECUTED, Resolution.CONFIRMED) or view["undone"]:
        raise _no(run, "it was taken back" if view["undone"] else "it did not come to its end")
    made = _Making(house, run, view["request"] or view["text"], plan).drafted(name)
    place = Path(folder) / made.id
    if place.exists() or place.is_symlink():
        raise BadRequest("skill.taken", f"There is already something at {place}.", subject=str(place),
                         hint="Say another name: --name NAME")  # fmt: skip
    for path, text in drafted_files(made).items():
        (place / path).parent.mkdir(parents=True, exist_ok=True)
        (place / path).write_text(text, encoding="utf-8")
    return {"skill": made.id, "folder": str(place), "text": made.said, "example": made.example,
            "steps": [step.tool for step in made.steps],
            "parameters": [{"name": one.name, "said": one.said} for one in made.parameters],
            "rights": [{"right": f"{one[0]}:{one[1]}", "reason": one[2]} for one in made.rights]}  # fmt: skip


def _no(run: str, why: str, hint: str = "") -> BadRequest:
    hint = hint or "Choose another run (./steward runs), or write a skill: ./steward skills new NAME"
    return BadRequest("skill.from_run", f"No skill can be made of {run}: {why}.", subject=run, hint=hint)


@dataclass(slots=True)
class _Making:
    """One skill in the making."""

    house: House
    run: str
    said: str
    plan: Plan
    lifted: dict[str, Lifted] = field(default_factory=dict)
    places: list[tuple[int, int, str]] = field(default_factory=list)  # in what was said, and the parameter there
    rights: dict[tuple[str, str], str] = field(default_factory=dict)
    scopes: dict[str, list[str]] = field(default_factory=dict)  # by task, what its results may be

    @property
    def home(self) -> str:
        return str(self.house.folders.home)

    def drafted(self, name: str) -> Drafted:
        tools: dict[str, Tool] = {task.id: self._tool(task.tool) for task in self.plan.tasks}
        for task in self.plan.tasks:
            self._check(task, tools)
        self._lift(tools)
        outcomes = self.house.talk.outcomes(self.run)
        steps: list[Step] = []
        for task in self.plan.tasks:
            tool, outcome = tools[task.id], outcomes[task.id]
            arguments = {each: self._given(task, each) for each in task.arguments}
            self._note_rights(task, tool, arguments)
            steps.append(Step(f"step_{len(steps) + 1}", tool.id, arguments, tool.result, outcome.value, outcome.answer))
        if len(str([step.value for step in steps])) > _MOST_VALUES:
            raise _no(self.run, "what it found is too much to keep for a test")
        skill = self._named(name)
        used = list(tools.values())
        return Drafted(
            skill, skill.replace("-", " ").capitalize(), _function(skill), self.plan.language, self.said,
            self._example(), max((tool.effect for tool in used), key=_RANK.index), tuple(self.lifted.values()),
            tuple(steps), tuple((*key, why) for key, why in self.rights.items()),
            min(3600.0, sum(tool.limits.wall_s for tool in used) + 10),
            max(256, 2 * max(tool.limits.memory_bytes for tool in used) >> 20), self.home,
        )  # fmt: skip

    def _tool(self, tool: ToolId) -> Tool:
        try:
            return self.house.registry.tool(tool)
        except Exception as error:
            raise _no(self.run, f"{tool} is not installed any more") from error

    def _check(self, task: Task, tools: Mapping[str, Tool]) -> None:
        tool = tools[task.id]
        if task.when or task.each is not None:
            raise _no(self.run, "it has a condition or a repetition, which steps of a skill do not have")
        if tool.works_in:
            raise _no(
                self.run, f"{tool.id} works in a folder of yours in its own way, and only a request may have that"
            )
        if any(right.is_own for right in tool.rights):
            raise _no(self.run, f"{tool.id} works with what {tool.skill} keeps for itself, which no other tool reaches")
        sink = next((one.name for one in tool.parameters if one.role is ParamRole.SINK and one.name in task.arguments),
                    "")  # fmt: skip
        if sink:
            raise _no(self.run, f"only a person decides on {sink} of {tool.id}, and never another tool")
        changed = next((tools[one].id for one in task.needs() if tools[one].effect is not EffectClass.PURE), "")
        if changed:
            raise _no(self.run, f"{tool.id} goes on with what {changed} changed, which a step does not see")

    # --- parameters -----------------------------------------------------------------------------------------------

    def _lift(self, tools: Mapping[str, Tool]) -> None:
        """Make parameters of the values whose words stand in what was said, the longest first."""
        wanted = [
            (value, name, tools[task.id])
            for task in self.plan.tasks
            for name, value in task.arguments.items()
            if isinstance(value, Constant) and value.text and value.label.integrity is Integrity.USER
        ]
        for value, name, tool in sorted(wanted, key=lambda one: -len(one[0].text)):
            self._lift_one(value, tool.parameter(name))
        order = {name: at for at, (_, _, name) in enumerate(sorted(self.places))}
        self.lifted = dict(sorted(self.lifted.items(), key=lambda one: order[one[0]]))

    def _lift_one(self, value: Constant, parameter: Parameter) -> None:
        if self._parameter_of(value, parameter):
            return
        place = next(self._free(value.text), None)
        if place is None:
            return
        name = next(one for one in _names(parameter.name) if one not in self.lifted)
        self.places.append((*place, name))
        self.lifted[name] = Lifted(name, parameter.type, parameter.doc, value.value, value.text, parameter.words)

    def _free(self, words: str) -> Iterator[tuple[int, int]]:
        for match in re.finditer(rf"(?<!\w){re.escape(words)}(?!\w)", self.said):
            if all(match.end() <= first or last <= match.start() for first, last, _ in self.places):
                yield match.span()

    def _parameter_of(self, value: Constant, parameter: Parameter) -> str:
        """Return the parameter that the same words of the same kind became already."""
        same = (one.name for one in self.lifted.values()
                if (one.said, one.value, one.type.kind) == (value.text, value.value, parameter.type.kind))  # fmt: skip
        return next(same, "")

    def _given(self, task: Task, name: str) -> Given:
        value, parameter = task.arguments[name], self._tool(task.tool).parameter(name)
        if not isinstance(value, Constant):
            at = next(number for number, one in enumerate(self.plan.tasks, 1) if one.id == value.task)
            return Given(parameter.type, step=f"step_{at}", field=value.field, index=value.index)
        lifted = ""
        if value.text and value.label.integrity is Integrity.USER:
            lifted = self._parameter_of(value, parameter)
        return Given(parameter.type, parameter=lifted) if lifted else Given(parameter.type, value=value.value)

    def _example(self) -> str:
        if "{" in self.said or "}" in self.said:
            raise _no(self.run, "what was said holds braces, which mark values in examples")
        text, at = "", 0
        for first, last, name in sorted(self.places):
            text += f"{self.said[at:first]}{{{name}:{self.said[first:last]}}}"
            at = last
        return " ".join((text + self.said[at:]).split())

    # --- rights ---------------------------------------------------------------------------------------------------

    def _note_rights(self, task: Task, tool: Tool, arguments: Mapping[str, Given]) -> None:
        """Note what this step had, with the skill's own parameters in place of the values."""
        self.rights.setdefault((str(Action.SKILL_CALL), tool.id), _WHY_CALL)
        reaches: list[str] = []
        for one in tool.rights:
            for scope in self._scopes_of(one.scope, task, tool, arguments):
                self.rights.setdefault((one.action, scope), one.reason)
                if one.action in (Action.FS_READ, Action.FS_CREATE):
                    reaches.append(scope)
        self.scopes[task.id] = reaches

    def _scopes_of(self, scope: str, task: Task, tool: Tool, arguments: Mapping[str, Given]) -> Iterator[str]:
        hole = _HOLE.search(scope)
        if hole is None:
            yield scope
            return
        given = arguments.get(hole["name"])
        if given is None or (given.value is None and not given.parameter and not given.step):
            if hole["default"]:
                yield scope[: hole.start()] + "~" + scope[hole.end() :]
        elif given.parameter:
            mark = f"{{{given.parameter}{hole['part'] or ''}{hole['default'] or ''}}}"
            yield scope[: hole.start()] + mark + scope[hole.end() :]
        else:
            tree = "/**" if scope.endswith("/**") else ""
            head, tail = scope[: hole.start()], scope[hole.end() :].removesuffix("/**")
            for path, whole in self._paths(given, hole, tool):
                yield f"{head}{path}{tail}{tree or whole}"

    def _paths(self, given: Given, hole: re.Match[str], tool: Tool) -> Iterator[tuple[str, str]]:
        """Yield the places that a value of the run, or what a step found, may be; "/**" where all below is meant."""
        if given.step:
            source = self.plan.tasks[int(given.step.removeprefix("step_")) - 1]
            for scope in dict.fromkeys(self.scopes[source.id]):
                yield scope.removesuffix("/**"), "/**" if scope.endswith("/**") else ""
            return
        for reach in reach_of_value(tool, hole["name"], given.value):
            path = str(PurePosixPath(reach.path).parent) if hole["part"] else reach.path
            yield str(at_home(path, self.home)), ""

    # --- names ----------------------------------------------------------------------------------------------------

    def _named(self, name: str) -> str:
        if name:
            if not _ID.fullmatch(name) or len(name) > 60:
                raise BadRequest("skill.id", f"{name!r} cannot be the name of a skill.", subject=name,
                                 hint="Use small letters and digits, with single hyphens between them.")  # fmt: skip
            return name
        from kernel.language.function_words import is_function_word

        plain, at = "", 0
        for first, last, _ in sorted(self.places):
            plain, at = f"{plain}{self.said[at:first]} ", last
        words = re.findall(r"[a-z]{3,}", (plain + self.said[at:]).casefold().translate(_PLAIN))
        found = "-".join([word for word in words if not is_function_word(word)][:3])
        if not found or keyword.iskeyword(found):
            raise _no(self.run, "no name can be made of its words", "Say one: --name NAME")
        return found


def _names(name: str) -> Iterator[str]:
    yield name
    yield from (f"{name}_{number}" for number in range(2, 100))


def _function(skill: str) -> str:
    name = skill.replace("-", "_")
    return f"do_{name}" if keyword.iskeyword(name) else name
