"""One thing was spoken of and several are there: "delete the invoice" asks which, with the files that it may mean.

What this stops: that all of them go, or are changed, where one was said; that somebody is asked without being told what
there is to choose from. Names are known before anything runs (``context.naming``), so nothing is read for it.
What it does not: look into files, or ask where more was said of the thing than its name and its folder.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from kernel.asking import wording
from kernel.asking.ask import MOST_CHOICES, shown
from kernel.composition.build import Judged, task_id
from kernel.composition.fit import Step
from kernel.composition.scene import Scene
from kernel.composition.window import Filler, Flow
from kernel.composition.words import is_plural
from kernel.context.naming import Wanted, plain
from kernel.context.walk import nearness
from kernel.context.world import World
from kernel.language.place.partial import DEFINITE
from kernel.model import Constant, Plan, Question, Task, TaskId
from kernel.paths import holds
from skills.model import ValueKind

K = ValueKind
_ONE = frozenset({K.FILE, K.TABLE})


@dataclass(frozen=True, slots=True)
class _Meant:
    """The call that finds the thing, the only one that takes it, and in which parameter."""

    finder: int
    taker: int
    parameter: str
    name: Filler


def about_several(scene: Scene, judged: Judged, world: World | None) -> Question | None:
    """Ask which of several files is meant by the one that was spoken of; None where there is no such doubt."""
    if world is None:
        return None
    for meant in _described(scene, judged):
        paths = _there(scene, judged.draft.steps[meant.finder], meant, world)
        if len(paths) > 1:
            return _question(judged.plan, judged.draft.steps[meant.taker], meant, paths)
    return None


def _described(scene: Scene, judged: Judged) -> Iterator[_Meant]:
    steps = judged.draft.steps
    for at, step in enumerate(steps):
        name = _only_name(scene, step)
        taken = [(to, one) for to, other in enumerate(steps) for one in other.fillers if _takes(one, at)]
        if name is None or len(taken) != 1:
            continue
        to, one = taken[0]
        wanted = steps[to].profile.parameter(one.parameter).type
        if wanted.kind in _ONE and not (steps[to].profile.is_pure and wanted.many):
            yield _Meant(at, to, one.parameter, name)


def _takes(one: Filler, step: int) -> bool:
    return isinstance(one.argument, Flow) and one.argument.step == step and not one.argument.field


def _only_name(scene: Scene, step: Step) -> Filler | None:
    """The name of one thing behind "the" or "my", where beside it at most its folder was said."""
    if not step.described or not step.profile.is_pure or step.profile.tool.result.kind is not K.FILE:
        return None
    kinds = [step.profile.parameter(one.parameter).type.kind for one in step.fillers]
    if sorted(kinds, key=str) not in ([K.QUERY], sorted([K.QUERY, K.FOLDER], key=str)):
        return None
    name = step.fillers[kinds.index(K.QUERY)]
    before = scene.tokens[name.first - 1].norm if name.first else ""
    plural = is_plural(scene.tokens[name.last - 1])
    definite = before in DEFINITE or scene.tokens[name.first].norm in DEFINITE
    return name if definite and not plural and isinstance(name.argument, Constant) else None


def _there(scene: Scene, step: Step, meant: _Meant, world: World) -> list[str]:
    """The files with the words of the name, below the folder that was said."""
    words = [scene.tokens[at] for at in range(meant.name.first, meant.name.last) if scene.words[at]]
    said = [token for token in words if token.norm not in DEFINITE]
    found = {
        path
        for forms in ([plain(token.norm) for token in said], [plain(token.lemma) for token in said])
        for path in world.such(Wanted(frozenset(forms)))
    }
    folders = [
        one.argument.value for one in step.fillers if one is not meant.name and isinstance(one.argument, Constant)
    ]
    return sorted((path for path in found if all(holds(folder, path) for folder in folders)), key=nearness)


def _question(plan: Plan, taker: Step, meant: _Meant, paths: list[str]) -> Question:
    """Which one, of a plan without the call that would have looked for it."""
    finder, task = task_id(meant.finder), task_id(meant.taker)
    many = taker.profile.parameter(meant.parameter).type.many
    draft = replace(plan, tasks=tuple(_without(one, finder, meant, task) for one in plan.tasks if one.id != finder))
    values = tuple([path] if many else path for path in paths[:MOST_CHOICES])
    name = meant.name.argument
    words = name.text if isinstance(name, Constant) else ""
    text = wording.say(plan.language, "several", count=len(paths), words=words)
    return Question(text, task, meant.parameter, draft, tuple(shown(one, plan.language) for one in values), values)


def _without(one: Task, finder: TaskId, meant: _Meant, task: TaskId) -> Task:
    arguments = {
        name: value for name, value in one.arguments.items() if not (one.id == task and name == meant.parameter)
    }
    return replace(one, arguments=arguments, after=tuple(other for other in one.after if other != finder))
