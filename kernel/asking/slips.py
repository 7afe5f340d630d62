"""Places that are not there while something is that is nearly called so: "move it to Picturs".

What this stops: a second folder one letter off the one that was meant, made without a word; and a refusal where the
one that was meant is easy to name.
What it does not: ask where a new folder was spoken of as new, or where the words answer this very question.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from kernel.asking import wording
from kernel.asking.ask import NO_PARAMETER
from kernel.composition.filling.new_names import NEW
from kernel.composition.profiles.profile import Box
from kernel.composition.scene import Scene
from kernel.context.dialogue import Dialogue
from kernel.context.world import World
from kernel.language.place.place_words import FOLDER_NOUNS
from kernel.model import Argument, Constant, Decline, Plan, Proposal, Question, Task, TaskId
from kernel.paths import holds, short
from kernel.planning.plan_json import plan_to_json
from skills.model import ValueKind

K = ValueKind
_PLACES = frozenset({K.FILE, K.TABLE, K.FOLDER, K.NEW_FILE})


def about_slip(proposal: Proposal, scene: Scene, box: Box, context: Dialogue) -> Question | None:
    """Ask whether a place that is there is meant instead of the one that is not, None when there is no doubt."""
    if context.world is None or isinstance(proposal, Decline) or _is_answered(context, proposal):
        return None
    if isinstance(proposal, Question):
        return None if proposal.values else _about(proposal.draft, scene, box, context.world, proposal)
    return _about(proposal, scene, box, context.world, None)


def _about(plan: Plan, scene: Scene, box: Box, world: World, asked: Question | None) -> Question | None:
    """Ask about the first such place; where ``asked`` asks already, only about what it asks for."""
    for slip in _slips(plan, box, world):
        if asked is not None and (slip.task, slip.parameter) == (asked.task, asked.parameter):
            return _instead(plan, slip, world)
        if asked is None and not (slip.makes and _says_new(scene)):
            return _or_new(plan, slip, world) if slip.makes else _instead(plan, slip, world)
    return None


def _is_answered(context: Dialogue, proposal: Plan | Question) -> bool:
    """Who was shown the choice, and answers, has chosen."""
    return proposal.reply and context.pending is not None and bool(context.pending.values)


def _says_new(scene: Scene) -> bool:
    """ "A new folder Picturs" is a new one."""
    return any(one.norm in NEW and other.norm in FOLDER_NOUNS for one, other in pairwise(scene.tokens))


@dataclass(frozen=True, slots=True)
class _Slip:
    """A place that a task is given and that is not there: the folder or file ``path``, and what ``rest`` lies in it."""

    task: TaskId
    parameter: str
    many: bool
    makes: bool
    path: str
    found: tuple[str, ...]


def _slips(plan: Plan, box: Box, world: World) -> Iterator[_Slip]:
    for task in plan.tasks:
        for name, given in task.arguments.items() if box.knows(task.tool) else ():
            profile = box.profile(task.tool, plan.language)
            kind, path = profile.parameter(name).type.kind, _path(given)
            new = kind is K.NEW_FILE
            if not path or kind not in _PLACES or world.exists(path):
                continue
            sought = os.path.dirname(path) if new else path
            made = world.exists(sought) or _is_made(plan, task, sought)
            found = () if made else world.alike(sought, folder=kind in (K.FOLDER, K.NEW_FILE))
            if found:
                many = profile.parameter(name).type.many
                yield _Slip(task.id, name, many, new or name in profile.makes, sought, found)


def _path(given: Argument) -> str:
    """The one place that is given, "" where it is none or several."""
    value = given.value if isinstance(given, Constant) else None
    only = value[0] if isinstance(value, list) and len(value) == 1 else value
    return only if isinstance(only, str) and only.startswith("/") else ""


def _is_made(plan: Plan, task: Task, path: str) -> bool:
    """Another task of the plan has the name for a value: it makes what is so called."""
    others = (one for other in plan.tasks if other.id != task.id for one in other.arguments.values())
    return any(isinstance(one, Constant) and one.value == os.path.basename(path) for one in others)


def _or_new(plan: Plan, slip: _Slip, world: World) -> Question:
    """ "There is ~/Pictures. Do you mean that, or a new folder ~/Picturs?" """
    shown, new = [short(one, world.home) for one in slip.found], short(slip.path, world.home)
    text = wording.say(plan.language, "slip_new", there=", ".join(shown), new=new)
    plans = [*(_with(plan, slip.path, one) for one in slip.found), plan]
    choices = (*shown, wording.say(plan.language, "new_folder", new=new))
    return Question(text, slip.task, NO_PARAMETER, plan, choices, tuple(map(plan_to_json, plans)))


def _instead(plan: Plan, slip: _Slip, world: World) -> Question:
    """ "There is no ~/Finnance. Do you mean ~/Finance?" """
    shown = tuple(short(one, world.home) for one in slip.found)
    text = wording.say(
        plan.language, "slip", path=short(slip.path, world.home), there=wording.either(plan.language, shown)
    )
    values = tuple([one] if slip.many else one for one in slip.found)
    return Question(text, slip.task, slip.parameter, plan, shown, values)


def _with(plan: Plan, path: str, meant: str) -> Plan:
    """The plan with ``meant`` wherever it has ``path``, or something in it."""
    tasks = tuple(
        replace(task, arguments={name: _moved(one, path, meant) for name, one in task.arguments.items()})
        for task in plan.tasks
    )
    return replace(plan, tasks=tasks)


def _moved(given: Argument, path: str, meant: str) -> Argument:
    if not isinstance(given, Constant) or not (_path(given) == path or holds(path, _path(given))):
        return given
    return replace(given, value=meant + str(given.value)[len(path) :], text=meant)
