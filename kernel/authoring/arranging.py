"""A plan as statements: its conditions as checks, what it does for each item of a list as loops, the rest as steps.

A step that takes something of another is made only if that one is; so each has the checks of all that it takes. Tasks
that go on with what came of the same item are one loop: an item that is left out is left out for all of them. Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from kernel.authoring.savable import Looked
from kernel.model import Condition, FromTask, Task, TaskId
from kernel.planning.condition_words import condition_words
from skills.authoring.drafting import Check, Given, Loop, Statement, Step
from skills.model import EffectClass, ValueKind, ValueType

Place = Callable[[FromTask], str]
"""What the source calls that which a reference means."""

Arguments = Callable[[Task, Place], dict[str, Given]]

_LANGUAGES = ("en", "de")


@dataclass(slots=True)
class Arranging:
    """One plan on its way to statements."""

    looked: Looked
    arguments: Arguments
    _made: list[Statement] = field(default_factory=list)
    _checks: dict[tuple[Condition, TaskId | None], str] = field(default_factory=dict)
    _only_if: dict[TaskId, tuple[str, ...]] = field(default_factory=dict)
    _inner: set[str] = field(default_factory=set)  # checks on what is found within a loop

    def statements(self) -> tuple[Statement, ...]:
        """Return the whole plan. Raises BadRequest."""
        for group in self._groups():
            if group[0].each is None:
                self._add_step(group[0])
            else:
                self._add_loop(group)
        return tuple(self._made)

    def _groups(self) -> Iterator[list[Task]]:
        """Yield single tasks, and those that are made together for each item of a list."""
        group: list[Task] = []
        for task in self.looked.plan.tasks:
            together = {one.id for one in group}
            if group and (task.each is None or task.each != group[0].each or not together & task.takes()):
                yield group
                group = []
            group.append(task)
            if task.each is None:
                yield group
                group = []
        if group:
            yield group

    # --- steps ----------------------------------------------------------------------------------------------------

    def _add_step(self, task: Task) -> None:
        place = self._places(())
        self._made += self._new_checks(task, place, None)
        self._only_if[task.id] = self._guards(task, None)
        self._made.append(self._step(task, place, self._only_if[task.id]))

    def _step(self, task: Task, place: Place, only_if: tuple[str, ...]) -> Step:
        tool = self.looked.tools[task.id]
        return Step(self._number(task.id), tool.id, self.arguments(task, place), tool.result, only_if,
                    tool.effect is EffectClass.PURE)  # fmt: skip

    def _number(self, task: TaskId) -> int:
        return next(at for at, one in enumerate(self.looked.plan.tasks, 1) if one.id == task)

    def _add_loop(self, group: list[Task]) -> None:
        each = group[0].each
        assert each is not None
        inside = {each, *(task.id for task in group)}
        place = self._places(group)
        for task in group:
            self._made += self._new_checks(task, place, None, without=inside)
        outer = [set(self._only_if.get(each, ())) | self._outer_of(task, inside) for task in group]
        common = set.intersection(*outer)
        body: list[Step | Check] = []
        for task in group:
            new = self._new_checks(task, place, each, within=inside)
            self._inner |= {one.name for one in new}
            self._only_if[task.id] = self._guards(task, each)
            own = tuple(name for name in self._only_if[task.id] if name not in common)
            body += [*new, self._step(task, place, own)]
        self._made.append(Loop(f"step_{self._number(each)}", tuple(body), self._in_order(common)))
        for task in group:  # from outside only what guards the whole of it counts
            self._only_if[task.id] = tuple(name for name in self._only_if[task.id] if name not in self._inner)

    def _places(self, group: Sequence[Task]) -> Place:
        each = group[0].each if group else None
        inside = {task.id for task in group}

        def place(reference: FromTask) -> str:
            if each is not None and reference.task == each:
                return "item"
            number = self._number(reference.task)
            of_another = next(one for one in self.looked.plan.tasks if one.id == reference.task).each
            if reference.task not in inside and each is not None and of_another == each:
                raise self.looked.refused(group[0].id, f"goes on with single items of step {number}, after other steps")
            return f"one_{number}" if reference.task in inside else f"step_{number}"

        return place

    # --- checks ---------------------------------------------------------------------------------------------------

    def _new_checks(
        self, task: Task, place: Place, each: TaskId | None, *, within: set[TaskId] | None = None,
        without: set[TaskId] | None = None,
    ) -> list[Check]:  # fmt: skip
        """Return the conditions of a task that no check is made of yet; on tasks ``within`` a loop, or ``without``."""
        made = []
        for one in task.when:
            if (one, each) in self._checks or (within is not None and one.task not in within):
                continue
            if without is not None and one.task in without:
                continue
            name = f"if_{len(self._checks) + 1}"
            self._checks[one, each] = name
            words = {language: condition_words(one, language) for language in _LANGUAGES}
            of = Given(ValueType(ValueKind.ANY), step=place(FromTask(one.task)), field=one.field)
            made.append(Check(name, of, str(one.measure), str(one.comparison), one.value, words,
                              self._only_if.get(one.task, ())))  # fmt: skip
        return made

    def _name(self, condition: Condition, each: TaskId | None) -> str:
        return self._checks.get((condition, each)) or self._checks[condition, None]

    def _guards(self, task: Task, each: TaskId | None) -> tuple[str, ...]:
        """Return the checks that a task needs: its own, and those of all that it takes."""
        found = [self._name(one, each) for one in task.when]
        for one in sorted(task.takes()):
            found += self._only_if.get(one, ())
        return self._in_order(set(found))

    def _outer_of(self, task: Task, inside: set[TaskId]) -> set[str]:
        found = {self._name(one, None) for one in task.when if one.task not in inside}
        for one in task.takes() - inside:
            found |= set(self._only_if.get(one, ()))
        return found

    def _in_order(self, names: set[str]) -> tuple[str, ...]:
        return tuple(name for name in self._checks.values() if name in names)
