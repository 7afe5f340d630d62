"""One part of a sentence that is taken apart: planned like a sentence of its own, and put into the whole.

A part may mean what an earlier part will have found; that is not there yet, so it is planned with a stand-in of the
same type, and wherever the value of the stand-in comes out stands a reference. What is to be done for each and has
nothing to do with the items is an error, and so is a second question. A question between whole plans is about parts:
with a ``choice`` the sentence is planned with that part in it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from kernel.asking.ask import NO_PARAMETER
from kernel.composition.build import is_pure
from kernel.composition.profiles.profile import Box
from kernel.context.dialogue import Dialogue, LastRun
from kernel.dispatching.standing_in import matched, referred, stand_in
from kernel.model import (
    Argument,
    Condition,
    Constant,
    Decline,
    FromTask,
    Outcome,
    Plan,
    Proposal,
    Question,
    Task,
    TaskId,
)
from kernel.planning.naming_each import titled
from kernel.planning.plan_json import plan_from_json
from kernel.planning.reading_once import Read
from permissions.labels import KERNEL_SAID
from skills.model import ValueType

_LABEL = KERNEL_SAID
_CLEARER = 0.02  # by so much the score of another wording is higher


@dataclass(slots=True)
class Made:
    """What is planned so far. ``asked`` is the question of the one part that has one, ``settled`` the score without.

    ``steps`` are the deeds with a name that were put in, as the plans of the parts say of themselves.
    """

    tasks: list[Task] = field(default_factory=list)
    language: str = "en"
    score: float = 1.0
    settled: float = 1.0
    asked: Question | None = None
    steps: tuple[Mapping[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class Frame:
    """Where a part stands: under which conditions, for each of what, after which tasks, and what it may speak of.

    What it may speak of is ``found``, the newest first.
    """

    when: tuple[Condition, ...] = ()
    each: TaskId | None = None
    after: tuple[TaskId, ...] = ()
    found: tuple[TaskId, ...] = ()


class Undone(Exception):
    """A part cannot be planned; ``answer`` is what is said, None where the sentence is read in the ordinary way."""

    def __init__(self, answer: Proposal | None) -> None:
        super().__init__()
        self.answer = answer


class Unneeded(Undone):
    """A part that is to be done for each has nothing to do with the items."""


class Parts:
    """The parts that are planned so far. ``read`` plans one; ``box`` knows the tools.

    ``choice`` is the number of the choice that is planned for, where a part has a question between whole plans.
    """

    def __init__(self, read: Read, box: Box, context: Dialogue, language: str, choice: int | None = None) -> None:
        self._read, self._box, self._context, self._language = read, box, context, language
        self._choice = choice
        self._made = Made(language=language)

    def _clearer(self, text: str, instead: str, frame: Frame) -> str:
        """Of two ways to ask for things the better one: "find all notes" may look for files of that name."""
        if not instead:
            return text
        told = self._told(self._stood(frame), frame.each)
        one, other = self._read(text, told), self._read(instead, told)
        if not isinstance(other, Plan):
            return text
        return instead if not isinstance(one, Plan) or other.score > one.score + _CLEARER else text

    def _plain(self, text: str, frame: Frame, *, strict: bool = True) -> TaskId:
        """Plan an ordinary part and put its tasks behind the others; return the last of them.

        Raises Undone; one that is not ``strict`` leaves the whole sentence to be read in the ordinary way.
        """
        stood = self._stood(frame)
        proposal = self._read(text, self._told(stood, frame.each))
        if isinstance(proposal, Decline):
            raise Undone(proposal if strict else None)
        if isinstance(proposal, Question):
            proposal = self._titled(proposal, frame)
        plan = self._chosen(proposal) if isinstance(proposal, Question) else proposal
        first = len(self._made.tasks)
        if isinstance(proposal, Question):
            if self._made.asked is not None or not strict or _offers_stand_ins(proposal):
                raise Undone(None)
            self._made.asked = replace(proposal, task=_moved(proposal.task, first))
        self._made.tasks = [*self._made.tasks, *self._placed(plan, first, frame, stood)]
        self._made.steps = (*self._made.steps, *plan.steps)
        self._made.language, self._made.score = plan.language, min(self._made.score, plan.score)
        alone = proposal.settled if isinstance(proposal, Question) else plan.score
        self._made.settled = min(self._made.settled, alone)
        return self._made.tasks[-1].id

    def _chosen(self, question: Question) -> Plan:
        """The draft of a question; of one between whole plans that which is planned for."""
        if self._choice is None or question.parameter != NO_PARAMETER:
            return question.draft
        value = question.values[self._choice]
        return plan_from_json(value) if isinstance(value, Mapping) else question.draft

    def _asked(self, text: str, frame: Frame, *, strict: bool = True) -> TaskId:
        """Plan a part that only finds something out; what an earlier part finds out as well is not asked twice."""
        first, asked = len(self._made.tasks), self._made.asked
        found = self._plain(text, frame, strict=strict)
        part = self._made.tasks[first:]
        bound = self._made.asked is not asked or not set(part[0].when) <= set(frame.when)
        if len(part) != 1 or bound or not is_pure(part[0].tool, self._box):
            return found
        mine = (part[0].tool, dict(part[0].arguments), part[0].each)
        for one in self._made.tasks[:first]:
            if (one.tool, dict(one.arguments), one.each) == mine and set(one.when) <= set(frame.when):
                self._made.tasks.pop()
                return one.id
        return found

    def _titled(self, question: Question, frame: Frame) -> Question | Plan:
        if frame.each is None or question.choices:
            return question
        return titled(question, frame.each, self._result(frame.each), self._box, self._context.home)

    def _placed(self, part: Plan, first: int, frame: Frame, stood: Mapping[TaskId, Any]) -> tuple[Task, ...]:
        """The tasks of a part as they stand in the whole: renumbered, with references, conditions and their list.

        What does not depend on the item is made once, also inside of a list. A part that is "the same again" has
        conditions and a list of its own, which stay. Raises Undone if nothing depends on the item, or for a list in a
        list.
        """
        known = {
            key: one for task in stood for key, one in matched(stood[task], self._result(task), task).by_value.items()
        }
        looped = {one.id for one in self._made.tasks if frame.each is not None and one.each == frame.each}
        found = []
        for one in part.tasks:
            placed = _renumbered(one, first, known)
            depends = frame.each is not None and bool(placed.needs() & {frame.each, *looped})
            depends = depends or any(about.task in looped for about in frame.when)
            if depends and placed.each is not None:
                raise Undone(None)
            after = tuple(dict.fromkeys((*placed.after, *frame.after)))
            when = tuple(dict.fromkeys((*frame.when, *placed.when)))
            placed = replace(placed, when=when, each=frame.each if depends else placed.each, after=after)
            looped |= {placed.id} if depends else set()
            found.append(placed)
        if frame.each is not None and found[-1].each != frame.each:
            raise Unneeded(None)
        return tuple(found)

    def _stood(self, frame: Frame) -> dict[TaskId, Any]:
        """What stands in for the results that a part may speak of."""
        return {
            task: stand_in(task, self._result(task), single=task == frame.each, home=self._context.home)
            for task in dict.fromkeys(frame.found)
        }

    def _told(self, stood: Mapping[TaskId, Any], each: TaskId | None) -> Dialogue:
        """The conversation, as if what the earlier parts will find were found; of a list one item alone."""
        from_parts = tuple(
            LastRun(
                Plan((_as_found(task, alone=task.id == each),), self._made.language),
                {task.id: Outcome(task.id, True, stood[task.id], label=_LABEL)},
            )
            for task in (next(one for one in self._made.tasks if one.id == name) for name in stood)
        )
        if not from_parts:
            return self._context
        recent = (*from_parts, *self._context.recent)
        return replace(self._context, last=from_parts[0], recent=recent, unsettled="")

    def _result(self, task: TaskId) -> ValueType:
        return self._box.tool(next(one.tool for one in self._made.tasks if one.id == task)).result

    def _is_verb(self, word: str) -> bool:
        return self._box.is_verb((word,), self._language)

    def _is_list(self, task: Task) -> bool:
        return self._box.tool(task.tool).result.many and is_pure(task.tool, self._box)


def _as_found(task: Task, *, alone: bool) -> Task:
    return replace(task, when=(), each=None, arguments={} if alone else task.arguments)


def _renumbered(task: Task, first: int, known: Mapping[str, FromTask]) -> Task:
    """Return a task of a part under its number in the whole, with references for stand-ins."""
    moved = task.renamed({one: _moved(one, first) for one in (task.id, *task.needs())})
    arguments: dict[str, Argument] = {}
    for name, value in moved.arguments.items():
        reference = referred(value, known)
        if reference is None:
            raise Undone(None)
        arguments[name] = reference
    return replace(moved, arguments=arguments)


def _moved(task: TaskId, first: int) -> TaskId:
    return TaskId(f"t{int(task.removeprefix('t')) + first}")


def _offers_stand_ins(question: Question) -> bool:
    """Tell whether a question for a value has a choice that is not there yet."""
    values = () if question.parameter == NO_PARAMETER else question.values
    return any(referred(Constant(one, _LABEL), {}) is None for one in values)
