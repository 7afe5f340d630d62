"""Corrections of the last request: "no, the other one", "nein, die ältere", "no, the other folder".

What this stops: that "the other one" is looked for in the whole home; that a file is taken from where it no longer is.
What it does not: take back what was done. That is "undo" (``kernel.itself.undoing``).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from kernel.asking.ask import ask_for
from kernel.composition.build import with_argument
from kernel.composition.profiles.profile import Box
from kernel.composition.scene import Scene
from kernel.composition.words import is_other
from kernel.context.dialogue import Dialogue, LastRun
from kernel.dialogue.answers import picked, words_of
from kernel.dialogue.choosing import Chosen, chosen
from kernel.language.answer_words import extreme_of
from kernel.language.follow_words import CORRECTING
from kernel.language.place.place_words import FILE_NOUNS, FOLDER_NOUNS
from kernel.model import Constant, Plan, Question, Task, TaskId
from permissions.labels import Label
from skills.model import ValueKind

K = ValueKind
_FOLDERS = frozenset({K.FOLDER})
_FILES = frozenset({K.FILE, K.TABLE, K.TITLE})
_SHORT = 8  # words


def correct(scene: Scene, context: Dialogue, box: Box) -> Plan | Question | None:
    """ "No, the other one": the alternative of the last answered choice; where there was none, it is asked for.

    "No, the older one", "nein, die aus Work" is another one of the choices, told by a fact about it.
    """
    words = words_of(scene)
    if context.last is None or context.unsettled or context.pending is not None or len(words) > _SHORT:
        return None
    held = context.last.plan.why.get("choice")
    other = any(map(is_other, words))
    if not isinstance(held, Mapping):
        return _which_other(scene, context.last, box) if other else None
    values = held.get("values", ())
    place = 1 - int(held["picked"]) if other and len(values) == 2 else _chosen_instead(scene, context, held, box)
    return _with_other(context.last, held, place) if place is not None else None


def _with_other(last: LastRun, held: Mapping[str, Any], other: int) -> Plan | None:
    """The last plan with another one of the choices that were there."""
    value, text = held["values"][other], str(held["choices"][other])
    task = TaskId(str(held["task"]))
    old = next((one.arguments.get(str(held["parameter"])) for one in last.plan.tasks if one.id == task), None)
    if not isinstance(old, Constant):
        return None
    plan = with_argument(last.plan, task, str(held["parameter"]), Constant(value, old.label, text))
    return replace(plan, why={**plan.why, "choice": {**held, "picked": other}})


def _chosen_instead(scene: Scene, context: Dialogue, held: Mapping[str, Any], box: Box) -> int | None:
    """ "No, the older one": another one of the choices that were there."""
    if context.last is None or not corrects(scene):
        return None
    plan = context.last.plan
    choices, values = tuple(map(str, held.get("choices", ()))), tuple(held.get("values", ()))
    asked = Question("", TaskId(str(held["task"])), str(held["parameter"]), plan, choices, values)
    place = picked(scene, asked, words_of(scene), box)
    meant = chosen(scene, asked, context.world) if place is None else Chosen((place,))
    places = meant.places if meant is not None else ()
    if len(places) == 1 and places[0] != int(held["picked"]):
        return places[0]
    content = [token.norm for token, free in zip(scene.tokens, scene.free, strict=True) if not free]
    compared = bool(content) and all(map(extreme_of, content))
    return 1 - int(held["picked"]) if compared and len(values) == 2 else None


def _which_other(scene: Scene, last: LastRun, box: Box) -> Question | None:
    """ "No, the other folder", where nobody was given a choice: which one, of the kind that is named."""
    if not corrects(scene):
        return None
    norms = frozenset(words_of(scene))
    kinds = _FOLDERS if norms & FOLDER_NOUNS else _FILES if norms & FILE_NOUNS else _FOLDERS | _FILES
    for task in reversed(last.plan.tasks):
        for one in box.tool(task.tool).parameters if box.knows(task.tool) else ():
            held = task.arguments.get(one.name)
            if one.type.kind in kinds and isinstance(held, Constant) and held.text:
                return ask_for(as_it_is_now(last, task, box), task.id, one.name, box)
    return None


def corrects(scene: Scene) -> bool:
    """Tell whether the words say that something was meant otherwise: "no", "ich meinte"."""
    norms = tuple(words_of(scene))
    return any(norms[: len(words)] == words for words in CORRECTING)


def mends_nothing(scene: Scene, box: Box, context: Dialogue) -> bool:
    """Tell whether "no, to Music" follows what came to nothing: without a verb it is no request of its own."""
    language = scene.intent.language
    verbs = (box.is_verb(scene.forms[at], language) for at in range(scene.size) if scene.words[at])
    return bool(context.unsettled) and corrects(scene) and not any(verbs)


def as_it_is_now(last: LastRun, task: Task, box: Box) -> Plan:
    """Return the plan with what ``task`` took away where it came to lie: what is corrected is taken from there."""
    outcome, tool = last.outcomes.get(task.id), box.tool(task.tool)
    profile = box.profile(task.tool, "en")
    if outcome is None or not outcome.ok or not outcome.value or profile.destroys:
        return last.plan
    moved = dict(task.arguments)
    for one in tool.parameters:
        if one.name in moved and one.type.kind is tool.result.kind and profile.removes(one.name):
            moved[one.name] = Constant(_shaped(outcome.value, one.type.many), outcome.label or Label(), task.text)
    tasks = tuple(replace(task, arguments=moved) if one.id == task.id else one for one in last.plan.tasks)
    return replace(last.plan, tasks=tasks)


def _shaped(value: Any, many: bool) -> Any:
    """One thing or a list of things, as a parameter takes it."""
    if isinstance(value, list):
        return value if many or len(value) != 1 else value[0]
    return [value] if many else value
