"""A run that went well becomes a skill: its plan as steps, what the person said as parameters, its rights as rights.

What this stops: a skill of what was refused, failed, was taken back or was private; one that asks for more than the
run had; one whose steps work in a folder in their own way, need what another skill keeps for itself, or would decide
what a person was asked about: such runs are refused, by the name of the step.
What it does not: invent anything. The one example is what the person said; other words are theirs to add.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from kernel.authoring.arranging import Arranging, Place
from kernel.authoring.desk import check_name
from kernel.authoring.lifting import Lifting
from kernel.authoring.replaying import Replaying
from kernel.authoring.savable import Looked, check, refused
from kernel.authorize import reach_of_value
from kernel.errors import BadRequest
from kernel.model import Argument, Constant, FromTask, Plan, Resolution, Task
from permissions.egress import place_of
from permissions.model import Action
from skills.authoring.drafted_code import source_of
from skills.authoring.drafting import Drafted, Given, at_home, drafted_files
from skills.errors import UnknownTool
from skills.model import EffectClass, Tool, ToolId

if TYPE_CHECKING:
    from kernel.house import House

View = dict[str, Any]

_RANK = (EffectClass.PURE, EffectClass.IDEMPOTENT, EffectClass.ONCE)
_HOST = ":host"
_REPEATED = 10  # so many times the time of a call is given to one that is made for each item of a list
_HOLE = re.compile(r"\{(?P<name>\w+)(?P<part>:folder|:host)?(?P<default>\|~)?\}")
_ID = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_PLAIN = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})
_MOST_VALUES = 1 << 20
_WHY_CALL = "to do a step of the run that it was made of"


def drafted(house: House, run: str, view: View, name: str, folder: str) -> View:
    """Write a skill made of ``run``, whose outline is ``view``, below ``folder``; say what it is. Raises BadRequest."""
    plan = house.talk.plan(run)
    if view["private"] or view["forgotten"]:
        raise refused(run, "its words were not kept")
    if plan is None or view["resolution"] not in (Resolution.EXECUTED, Resolution.CONFIRMED) or view["undone"]:
        raise refused(run, "it was taken back" if view["undone"] else "it did not come to its end")
    made = _making(house, run, view["request"] or view["text"], plan).drafted(name)
    place = Path(folder) / made.id
    if place.exists() or place.is_symlink():
        raise BadRequest("skill.taken", f"There is already something at {place}.", subject=str(place),
                         hint="Say another name: --name NAME")  # fmt: skip
    for path, text in drafted_files(made, source_of(made)).items():
        (place / path).parent.mkdir(parents=True, exist_ok=True)
        (place / path).write_text(text, encoding="utf-8")
    return {"skill": made.id, "folder": str(place), "text": made.said, "example": made.example,
            "steps": [step.tool for step in made.steps()],
            "parameters": [{"name": one.name, "said": one.said} for one in made.parameters],
            "rights": [{"right": f"{one[0]}:{one[1]}", "reason": one[2]} for one in made.rights]}  # fmt: skip


def _making(house: House, run: str, said: str, plan: Plan) -> _Making:
    tools = {task.id: _tool(house, run, task.tool) for task in plan.tasks}
    looked = Looked(run, plan, tools, house.talk.outcomes(run))
    shipped = frozenset(one for one, tool in tools.items() if house.registry.skill(tool.skill).shipped)
    return _Making(house, looked, Lifting(looked, said, shipped))


def _tool(house: House, run: str, tool: ToolId) -> Tool:
    try:
        return house.registry.tool(tool)
    except UnknownTool as error:
        raise refused(run, f"{tool} is not installed any more") from error


@dataclass(slots=True)
class _Making:
    """One skill in the making."""

    house: House
    looked: Looked
    lifting: Lifting
    rights: dict[tuple[str, str], str] = field(default_factory=dict)
    scopes: dict[str, list[str]] = field(default_factory=dict)  # by task, what its results may be

    @property
    def home(self) -> str:
        return str(self.house.folders.home)

    def drafted(self, name: str) -> Drafted:
        looked = self.looked
        check(looked)
        self.lifting.lift()
        body = Arranging(looked, self._arguments).statements()
        for task in looked.plan.tasks:
            self._note_rights(task, looked.tools[task.id])
        replayed = Replaying(looked).replayed(body)
        if len(str(replayed.calls)) > _MOST_VALUES:
            raise refused(looked.run, "what it found is too much to keep for a test")
        skill = self._named(name)
        used = list(looked.tools.values())
        return Drafted(
            skill, skill.replace("-", " ").capitalize(), _function(skill), looked.plan.language, self.lifting.said,
            self.lifting.example(), max((tool.effect for tool in used), key=_RANK.index),
            tuple(self.lifting.lifted.values()), body, replayed,
            tuple((*key, why) for key, why in self.rights.items()), self._wall_s(),
            max(256, 2 * max(tool.limits.memory_bytes for tool in used) >> 20), self.home,
        )  # fmt: skip

    def _wall_s(self) -> float:
        """Return how long it may take: as long as its steps, which a loop makes many times."""
        each = ((looked_at.each is not None, self.looked.tools[looked_at.id]) for looked_at in self.looked.plan.tasks)
        return min(3600.0, sum(tool.limits.wall_s * (_REPEATED if loops else 1) for loops, tool in each) + 10)

    def _arguments(self, task: Task, place: Place) -> dict[str, Given]:
        return {name: self._given(task, name, place) for name in task.arguments}

    def _given(self, task: Task, name: str, place: Place) -> Given:
        value, kind = task.arguments[name], self.looked.tools[task.id].parameter(name).type
        lifted = self.lifting.parameter_of(task, name)
        if lifted:
            return Given(kind, parameter=lifted)
        if isinstance(value, FromTask):
            return Given(kind, step=place(value), field=value.field, index=value.index)
        return Given(kind, value=value.value)

    # --- rights ---------------------------------------------------------------------------------------------------

    def _note_rights(self, task: Task, tool: Tool) -> None:
        """Note what this step had, with the skill's own parameters in place of the values."""
        self.rights.setdefault((str(Action.SKILL_CALL), tool.id), _WHY_CALL)
        reaches: list[str] = []
        for one in tool.rights:
            for scope in self._scopes_of(one.scope, task, tool):
                self.rights.setdefault((one.action, scope), one.reason)
                if one.action in (Action.FS_READ, Action.FS_CREATE):
                    reaches.append(scope)
        self.scopes[task.id] = reaches

    def _scopes_of(self, scope: str, task: Task, tool: Tool) -> Iterator[str]:
        hole = _HOLE.search(scope)
        if hole is None:
            yield scope
            return
        head, tail = scope[: hole.start()], scope[hole.end() :]
        argument = task.arguments.get(hole["name"])
        lifted = self.lifting.parameter_of(task, hole["name"]) if argument is not None else ""
        if argument is None or (isinstance(argument, Constant) and argument.value is None):
            if hole["default"]:
                yield f"{head}~{tail}"
        elif lifted:
            yield f"{head}{{{lifted}{hole['part'] or ''}{hole['default'] or ''}}}{tail}"
        else:
            tree = "/**" if scope.endswith("/**") else ""
            for path, whole in self._paths(argument, hole, tool):
                yield f"{head}{path}{tail.removesuffix('/**')}{tree or whole}"

    def _paths(self, argument: Argument, hole: re.Match[str], tool: Tool) -> Iterator[tuple[str, str]]:
        """Yield the places that a value of the run, or what a step found, may be; "/**" where all below is meant."""
        if isinstance(argument, FromTask):
            for scope in dict.fromkeys(self.scopes[argument.task]) if hole["part"] != _HOST else ():
                yield scope.removesuffix("/**"), "/**" if scope.endswith("/**") else ""
            return
        for reach in reach_of_value(tool, hole["name"], argument.value):
            if hole["part"] == _HOST:
                yield place_of(reach.path), ""
                continue
            path = str(PurePosixPath(reach.path).parent) if hole["part"] else reach.path
            yield str(at_home(path, self.home)), ""

    # --- names ----------------------------------------------------------------------------------------------------

    def _named(self, name: str) -> str:
        if name:
            if not _ID.fullmatch(name) or len(name) > 60:
                raise BadRequest("skill.id", f"{name!r} cannot be the name of a skill.", subject=name,
                                 hint="Use small letters and digits, with single hyphens between them.")  # fmt: skip
            check_name(name)  # an installed one may be had anew
            return name
        from kernel.language.function_words import is_function_word

        words = re.findall(r"[a-z]{3,}", self.lifting.plain().casefold().translate(_PLAIN))
        found = "-".join([word for word in words if not is_function_word(word)][:3])
        if not found or keyword.iskeyword(found):
            raise refused(self.looked.run, "no name can be made of its words", "Say one: --name NAME")
        return found


def _function(skill: str) -> str:
    name = skill.replace("-", "_")
    return f"do_{name}" if keyword.iskeyword(name) else name
