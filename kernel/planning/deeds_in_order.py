"""Deeds whose order the words say: which comes when, what "it" of the one means in the other, and circles. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from kernel.composition.build import is_pure
from kernel.composition.profiles.profile import Box
from kernel.language.ordering import Order, same_deed
from kernel.model import Constant, FromTask, Plan, Task, TaskId
from skills.model import ValueKind

K = ValueKind
_POINTING = {
    "en": re.compile(r"\b(?:it|them)\b", re.IGNORECASE),
    "de": re.compile(r"\b(?:sie|ihn|es)\b"),  # "Sie" is who is addressed
}
_THINGS = ((K.FILE, K.TABLE), (K.FOLDER,), (K.TITLE,))


@dataclass(frozen=True, slots=True)
class Deeds:
    """Deeds as requests in the order in which they are done, with the places of those that each one waits for.

    ``circle`` are deeds that wait for each other; then nothing can be done.
    """

    deeds: tuple[str, ...]
    after: tuple[frozenset[int], ...]
    circle: tuple[str, ...] = ()


def in_sequence(orders: Sequence[Order]) -> Deeds:
    """Return the deeds of several relations in an order that all of them allow."""
    deeds: list[str] = []

    def place(deed: str) -> int:
        known = next((at for at, one in enumerate(deeds) if same_deed(one, deed)), len(deeds))
        deeds[known:] = deeds[known:] or [deed]
        return known

    edges = {(place(one.first), place(one.then)) for one in orders}
    left, done = list(range(len(deeds))), list[int]()
    while left:
        ready = next((at for at in left if not any(then == at and first in left for first, then in edges)), None)
        if ready is None:
            return Deeds((), (), tuple(deeds[at] for at in left))
        left.remove(ready)
        done.append(ready)
    places = {at: place for place, at in enumerate(done)}
    after = tuple(frozenset(places[first] for first, then in edges if then == at) for at in done)
    return Deeds(tuple(deeds[at] for at in done), after)


def with_name(deed: str, language: str, other: Callable[[], Plan | None], box: Box) -> str | None:
    """Return ``deed`` with the words for the thing that "it" is, which the ``other`` deed names behind it in time.

    None where that names no single thing.
    """
    pattern = _POINTING["de" if language == "de" else "en"]
    if not pattern.search(deed):
        return deed
    plan = other()
    words = "" if plan is None or not plan.tasks else _thing_of(plan.tasks[-1], plan, box)
    return pattern.sub(lambda _: words, deed, count=1) if words else None


def _thing_of(task: Task, plan: Plan, box: Box) -> str:
    """The words for what a call is about: a file before a folder."""
    tool = box.tool(task.tool)
    for kinds in _THINGS:
        found = [value for name, value in task.arguments.items() if tool.parameter(name).type.kind in kinds]
        if found:
            return _words(found[0], plan) if len(found) == 1 else ""
    return ""


def _words(value: Constant | FromTask, plan: Plan) -> str:
    if isinstance(value, Constant):
        return value.text
    return next((one.text for one in plan.tasks if one.id == value.task), "") if not value.field else ""


def ends(tasks: Sequence[Task]) -> tuple[TaskId, ...]:
    """Return the tasks that no other of ``tasks`` waits for."""
    waited = frozenset[TaskId]().union(*(one.needs() for one in tasks))
    return tuple(one.id for one in tasks if one.id not in waited)


def found_once(tasks: Sequence[Task], box: Box) -> tuple[Task, ...]:
    """Return ``tasks`` without those that find what an earlier one of them finds as well; that one is taken instead."""
    kept: list[Task] = []
    names: dict[TaskId, TaskId] = {}
    for task in tasks:
        own = task.renamed(names)
        twin = next((one for one in kept if _finds_alike(one, own, box)), None)
        if twin is None:
            kept.append(own)
        else:
            names[task.id] = twin.id
    return tuple(kept)


def _finds_alike(one: Task, other: Task, box: Box) -> bool:
    if not is_pure(one.tool, box) or one.tool != other.tool:
        return False
    given = [{n: v.value if isinstance(v, Constant) else v for n, v in task.arguments.items()} for task in (one, other)]
    return given[0] == given[1] and (one.when, one.each) == (other.when, other.each)


def numbered(tasks: Sequence[Task]) -> tuple[Task, ...]:
    """Return ``tasks`` called t1, t2, ... in their order."""
    names = {one.id: TaskId(f"t{at}") for at, one in enumerate(tasks, 1)}
    return tuple(one.renamed(names) for one in tasks)
