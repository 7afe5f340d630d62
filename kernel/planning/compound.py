"""A sentence that branches or repeats: taken apart, each part planned like a sentence of its own, put together again.

What this stops: a condition that is passed over ("if there are more than ten, delete them" never becomes a deletion
without the ten), a list that is done only once, and parts within parts without end.
What it does not: understand the parts. A part may mean what an earlier part will have found; that is not there yet, so
it is planned with a stand-in of the same type, and wherever the stand-in's value comes out stands a reference.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from kernel.asking.ask import NO_PARAMETER
from kernel.composition.profiles.profile import Box
from kernel.composition.validate import validate
from kernel.context.dialogue import Dialogue, LastRun
from kernel.dispatching.standing_in import matched, referred, stand_in
from kernel.language.branching import DEEPEST, INVERSE, Test, branch_of, its_value, loop_of
from kernel.model import (
    Argument,
    Condition,
    Constant,
    Decline,
    FromTask,
    Measure,
    Outcome,
    Plan,
    Proposal,
    Question,
    Task,
    TaskId,
)
from kernel.planning.plan_json import plan_from_json, plan_to_json
from permissions.labels import KERNEL_SAID
from skills.model import EffectClass, ValueKind, ValueType

Read = Callable[[str, Dialogue], Proposal]
"""Plans one part, like a sentence of its own."""

_LABEL = KERNEL_SAID
_AMOUNTS = ("amount", "value", "number", "total", "count", "rows", "total_bytes")
_BY_NAME = "stem"


@dataclass(slots=True)
class _Made:
    """What is planned so far. ``asked`` is the question of the one part that has one."""

    tasks: list[Task] = field(default_factory=list)
    language: str = "en"
    score: float = 1.0
    asked: Question | None = None


class _Undone(Exception):
    """A part cannot be planned; ``answer`` is what is said, None where the sentence is read in the ordinary way."""

    def __init__(self, answer: Proposal | None) -> None:
        super().__init__()
        self.answer = answer


def propose_compound(text: str, language: str, read: Read, box: Box, context: Dialogue) -> Proposal | None:
    """Return the proposal for a sentence that branches or repeats; None for any other."""
    if context.pending is not None:
        return None
    parts = _Parts(read, box, context, language)
    try:
        known = parts.add(text, _Frame(), 0)
    except _Undone as undone:
        return undone.answer
    return parts.proposal() if known else None


@dataclass(frozen=True, slots=True)
class _Frame:
    """Where a part stands: under which conditions, for each of what, and what it may speak of (newest first)."""

    when: tuple[Condition, ...] = ()
    each: TaskId | None = None
    found: tuple[TaskId, ...] = ()


class _Parts:
    def __init__(self, read: Read, box: Box, context: Dialogue, language: str) -> None:
        self._read, self._box, self._context, self._language = read, box, context, language
        self._made = _Made(language=language)

    def add(self, text: str, frame: _Frame, depth: int) -> bool:
        """Plan ``text`` in ``frame``; tell whether it branches or repeats. Raises _Undone."""
        if depth > DEEPEST:
            raise _Undone(Decline(_say(self._language, "deep")))
        branch = branch_of(text, self._language)
        if branch is not None:
            about = self._found_out(branch.test, frame, depth)
            inner = replace(frame, found=(about.task, *frame.found))
            self.add(branch.then, replace(inner, when=(*frame.when, about)), depth + 1)
            if branch.other:
                other = replace(about, comparison=INVERSE[about.comparison])
                self.add(branch.other, replace(inner, when=(*frame.when, other)), depth + 1)
            return True
        loop = loop_of(text, self._language, self._is_verb) if frame.each is None else None
        if loop is not None:
            over = self._plain(loop.ask, frame, strict=depth > 0)
            if not self._result(over).many:
                raise _Undone(None)
            self.add(loop.body, replace(frame, each=over, found=(over, *frame.found)), depth + 1)
            return True
        if frame.each is not None and (part := its_value(text, self._language)) is not None:
            value = self._asked(part.ask, frame)
            self._plain(part.body, replace(frame, found=(value, *frame.found)))
            self._as_said(value)
            return True
        if depth:
            self._plain(text, frame)
        return False

    def proposal(self) -> Proposal:
        """Return the whole: a plan, or the question of the one part that has one."""
        made = self._made
        plan = Plan(tuple(made.tasks), made.language, score=round(made.score, 4))
        if made.asked is not None:
            return replace(made.asked, draft=plan)
        wrong = validate(plan, self._box)
        return Decline(_say(made.language, "unfit")) if wrong else plan

    def _as_said(self, value: TaskId) -> None:
        """Let "its total" go into a text as it is written in the document, without what else is known of it."""
        if not {"value"} <= set(self._result(value).fields):
            return
        whole, part = FromTask(value), FromTask(value, "value")

        def said(task: Task) -> Task:
            tool = self._box.tool(task.tool)
            texts = {one.name for one in tool.parameters if one.type.kind in (ValueKind.TEXT, ValueKind.TITLE)}
            changed = {name: part for name, one in task.arguments.items() if one == whole and name in texts}
            return replace(task, arguments={**task.arguments, **changed})

        self._made.tasks = [said(task) for task in self._made.tasks]

    def _found_out(self, test: Test, frame: _Frame, depth: int) -> Condition:
        about = self._asked(test.ask, frame, strict=depth > 0)
        if test.measure is Measure.COUNT and self._is_cut(about):
            raise _Undone(None)
        name = "" if test.measure is Measure.COUNT else self._amount(about)
        return Condition(about, test.measure, test.comparison, test.value, name, test.text)

    def _is_cut(self, task: TaskId) -> bool:
        """Tell whether a tool shows only so many of what there is: nobody can count by it."""
        tool = self._box.tool(next(one.tool for one in self._made.tasks if one.id == task))
        return any(one.type.kind is ValueKind.INTEGER and one.default is not None for one in tool.parameters)

    def _amount(self, task: TaskId) -> str:
        """The field of a record that is compared."""
        result = self._result(task)
        return next((name for name in _AMOUNTS if name in result.fields), "") if result.kind is ValueKind.RECORD else ""

    def _result(self, task: TaskId) -> ValueType:
        return self._box.tool(next(one.tool for one in self._made.tasks if one.id == task)).result

    def _is_verb(self, word: str) -> bool:
        return self._box.is_verb((word,), self._language)

    def _plain(self, text: str, frame: _Frame, *, strict: bool = True) -> TaskId:
        """Plan an ordinary part and put its tasks behind the others; return the last of them.

        Raises _Undone; one that is not ``strict`` leaves the whole sentence to be read in the ordinary way.
        """
        stood = self._stood(frame)
        proposal = self._read(text, self._told(stood))
        if isinstance(proposal, Decline):
            raise _Undone(proposal if strict else None)
        plan = proposal.draft if isinstance(proposal, Question) else proposal
        first = len(self._made.tasks)
        before = tuple(self._made.tasks)

        def settle(part: Plan) -> Plan:
            return replace(part, tasks=(*before, *self._placed(part, first, frame, stood)))

        if isinstance(proposal, Question):
            proposal = self._named(proposal, frame)
        if isinstance(proposal, Question):
            if self._made.asked is not None or not strict:
                raise _Undone(None)
            self._made.asked = _shifted(proposal, first, settle)
        elif isinstance(proposal, Plan):
            plan = proposal
        self._made.tasks = list(settle(plan).tasks)
        self._made.language, self._made.score = plan.language, min(self._made.score, plan.score)
        return self._made.tasks[-1].id

    def _asked(self, text: str, frame: _Frame, *, strict: bool = True) -> TaskId:
        """Plan a part that only finds something out; what an earlier part finds out as well is not asked twice."""
        first = len(self._made.tasks)
        found = self._plain(text, frame, strict=strict)
        part = self._made.tasks[first:]
        if len(part) != 1 or self._box.tool(part[0].tool).effect is not EffectClass.PURE:
            return found
        mine = (part[0].tool, dict(part[0].arguments), part[0].each)
        for one in self._made.tasks[:first]:
            if (one.tool, dict(one.arguments), one.each) == mine and set(one.when) <= set(frame.when):
                self._made.tasks.pop()
                return one.id
        return found

    def _named(self, question: Question, frame: _Frame) -> Question | Plan:
        """A thing that is made for each file, and whose title nobody said, is called like the file."""
        task = next((one for one in question.draft.tasks if one.id == question.task), None)
        if (
            frame.each is None
            or task is None
            or question.choices
            or self._result(frame.each).kind is not ValueKind.FILE
        ):
            return question
        known = {one.name: one for one in self._box.tool(task.tool).parameters}
        if question.parameter not in known or known[question.parameter].type.kind is not ValueKind.TITLE:
            return question
        value = stand_in(frame.each, self._result(frame.each), single=True, home=self._context.home)
        name = matched(value, self._result(frame.each), frame.each).by_field[_BY_NAME]
        titled = replace(task, arguments={**task.arguments, question.parameter: Constant(name, _LABEL)})
        return replace(question.draft, tasks=tuple(titled if one is task else one for one in question.draft.tasks))

    def _placed(self, part: Plan, first: int, frame: _Frame, stood: Mapping[TaskId, Any]) -> tuple[Task, ...]:
        """The tasks of a part as they stand in the whole: renumbered, with references, conditions and their list.

        What does not depend on the item is made once, also inside of a list. Raises _Undone if nothing depends on it.
        """
        known = {
            key: one for task in stood for key, one in matched(stood[task], self._result(task), task).by_value.items()
        }
        looped = {one.id for one in self._made.tasks if frame.each is not None and one.each == frame.each}
        found = []
        for one in part.tasks:
            placed = _renumbered(one, first, known)
            depends = frame.each is not None and bool(placed.needs() & {frame.each, *looped})
            placed = replace(placed, when=frame.when, each=frame.each if depends else None)
            if not depends and any(about.task in looped for about in frame.when):
                placed = replace(placed, each=frame.each)
            looped |= {placed.id} if placed.each is not None else set()
            found.append(placed)
        if frame.each is not None and found[-1].each is None:
            raise _Undone(None)
        return tuple(found)

    def _stood(self, frame: _Frame) -> dict[TaskId, Any]:
        """What stands in for the results that a part may speak of."""
        return {
            task: stand_in(task, self._result(task), single=task == frame.each, home=self._context.home)
            for task in dict.fromkeys(frame.found)
        }

    def _told(self, stood: Mapping[TaskId, Any]) -> Dialogue:
        """The conversation, as if what the earlier parts will find were found."""
        from_parts = tuple(
            LastRun(
                Plan((replace(task, when=(), each=None),), self._made.language),
                {task.id: Outcome(task.id, True, stood[task.id], label=_LABEL)},
            )
            for task in (next(one for one in self._made.tasks if one.id == name) for name in stood)
        )
        if not from_parts:
            return self._context
        recent = (*from_parts, *self._context.recent)
        return replace(self._context, last=from_parts[0], recent=recent, unsettled="")


def _renumbered(task: Task, first: int, known: Mapping[str, FromTask]) -> Task:
    """Return a task of a part under its number in the whole, with references for stand-ins."""
    arguments: dict[str, Argument] = {}
    for name, value in task.arguments.items():
        if isinstance(value, FromTask):
            arguments[name] = replace(value, task=_moved(value.task, first))
            continue
        reference = referred(value, known)
        if reference is None:
            raise _Undone(None)
        arguments[name] = reference
    after = tuple(_moved(one, first) for one in task.after)
    return replace(task, id=_moved(task.id, first), arguments=arguments, after=after)


def _moved(task: TaskId, first: int) -> TaskId:
    return TaskId(f"t{int(task.removeprefix('t')) + first}")


def _shifted(question: Question, first: int, settle: Callable[[Plan], Plan]) -> Question:
    """Return the question of a part as one about the whole; a choice between plans is one between whole plans."""
    values = question.values
    if question.parameter == NO_PARAMETER:
        values = tuple(plan_to_json(settle(plan_from_json(one))) if isinstance(one, Mapping) else one for one in values)
    return replace(question, task=_moved(question.task, first), values=values)


_SENTENCES = {
    "en": {
        "deep": "There are too many conditions and lists inside each other, so nothing was done. Ask in two requests.",
        "unfit": "The parts of this request do not fit together, so nothing was done. Ask for one after the other.",
    },
    "de": {
        "deep": "Das sind zu viele Bedingungen und Listen ineinander; es wurde nichts getan. Frag in zwei Anfragen.",
        "unfit": "Die Teile dieser Anfrage passen nicht zusammen; es wurde nichts getan. Frag eins nach dem anderen.",
    },
}


def _say(language: str, key: str) -> str:
    return _SENTENCES["de" if language == "de" else "en"][key]
