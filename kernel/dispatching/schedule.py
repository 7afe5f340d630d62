"""The order in which a plan may run: which calls are ready, and what becomes ready when one is done.

What this stops: waiting by looking again and again. Who waits for whom is worked out once, each call counts what it
still waits for, and the one that ends tells those that waited for it. Of what is ready the call with the most work
below it begins first, which keeps the longest chain of a plan going.
What it does not: decide. It knows no values and no conditions.

A task that is made for each item of a list is opened when the list is there: a call for every item, each of which waits
for its own item's calls alone, and a node that gathers them. What touches the same place goes in the order of the plan
(``kernel.dispatching.turns``), item after item.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush

from kernel.dispatching.turns import meets
from kernel.model import Plan, Task, TaskId, TaskRights

GATHERED = -1
"""The item of the node that stands for a whole task."""


@dataclass(frozen=True, slots=True)
class Node:
    """A call that may be made: of a task, for one ``item`` of a list where it is made for each."""

    task: Task
    item: int = GATHERED

    @property
    def name(self) -> str:
        """Its name, fit to be a file's: ``t2``, or ``t2-7`` for the seventh item."""
        return self.task.id if self.item == GATHERED else f"{self.task.id}-{self.item + 1}"


Key = tuple[TaskId, int]


@dataclass(frozen=True, slots=True)
class _Before:
    """Who comes before a task: ``needs`` by data, condition and order, ``turns`` because they touch the same place.

    ``again`` says that two calls of this very task touch the same place.
    """

    needs: frozenset[TaskId]
    turns: frozenset[TaskId]
    again: bool

    def all(self) -> frozenset[TaskId]:
        return self.needs | self.turns


class Schedule:
    """What is ready of one plan. Its tasks come after what they need (``composition.validate`` holds them to it)."""

    def __init__(self, plan: Plan, rights: Mapping[TaskId, TaskRights]) -> None:
        self._tasks = {task.id: task for task in plan.tasks}
        self._before = {task.id: _before(task, plan.tasks[:at], rights) for at, task in enumerate(plan.tasks)}
        self._order = {task.id: at for at, task in enumerate(plan.tasks)}
        self._height = _heights(plan.tasks, self._before)
        self._left: dict[Key, int] = {}
        self._below: dict[Key, list[Key]] = defaultdict(list)
        self._ready: list[tuple[int, int, int, TaskId]] = []
        self._ended: set[Key] = set()
        for task in plan.tasks:
            before = ((one, GATHERED) for one in self._before[task.id].all())
            self._add((task.id, GATHERED), before, held=task.each is not None)

    def take(self, room: int) -> list[Node]:
        """Return the at most ``room`` nodes that come first of those that are ready; they are not ready any more."""
        found: list[Node] = []
        while self._ready and len(found) < room:
            _, item, _, task = heappop(self._ready)
            found.append(Node(self._tasks[task], item))
        return found

    def done(self, node: Node) -> None:
        """Say that ``node`` has ended: what waited for it alone is ready now."""
        key = (node.task.id, node.item)
        self._ended.add(key)
        for other in self._below.pop(key, ()):
            self._release(other)

    def is_looped(self, task: TaskId) -> bool:
        """Tell whether some task is made for each item of ``task``."""
        return any(one.each == task for one in self._tasks.values())

    def open(self, over: TaskId, count: int) -> None:
        """Make the calls of every task that is made for each of the ``count`` items of ``over``."""
        loop = [task.id for task in self._tasks.values() if task.each == over]
        for item in range(count):
            for task in loop:
                self._add((task, item), self._before_item(task, loop, item))
                self._below[task, item].append((task, GATHERED))
                self._left[task, GATHERED] += 1
        for task in loop:
            self._release((task, GATHERED))

    def _before_item(self, task: TaskId, loop: Sequence[TaskId], item: int) -> Iterable[Key]:
        """What the call for one item waits for: all outside, its own item's, and of the last item whose turn it is."""
        mates, before = frozenset(loop), self._before[task]
        yield from ((one, GATHERED) for one in before.all() - mates)
        yield from ((one, item) for one in before.all() & mates)
        if item:
            yield from ((one, item - 1) for one in loop if self._meet(task, one))

    def _meet(self, one: TaskId, other: TaskId) -> bool:
        if one == other:
            return self._before[one].again
        return one in self._before[other].turns or other in self._before[one].turns

    def _add(self, key: Key, before: Iterable[Key], *, held: bool = False) -> None:
        waits = {one for one in before if one not in self._ended}
        self._left[key] = len(waits) + 1
        for one in waits:
            self._below[one].append(key)
        if not held:
            self._release(key)

    def _release(self, key: Key) -> None:
        self._left[key] -= 1
        if self._left[key] == 0:
            task, item = key
            heappush(self._ready, (-self._height[task], item, self._order[task], task))


def _before(task: Task, earlier: Sequence[Task], rights: Mapping[TaskId, TaskRights]) -> _Before:
    own = rights[task.id].needs
    if not own:  # it touches nothing
        return _Before(task.needs(), frozenset(), False)
    turns = frozenset(one.id for one in earlier if rights[one.id].needs and meets(rights[one.id].needs, own))
    return _Before(task.needs(), turns, meets(own, own))


def _heights(tasks: Sequence[Task], before: Mapping[TaskId, _Before]) -> dict[TaskId, int]:
    """How many calls come after one another from a task to the end of the plan."""
    height = {task.id: 1 for task in tasks}
    for task in reversed(tasks):
        for one in before[task.id].all():
            height[one] = max(height[one], height[task.id] + 1)
    return height
