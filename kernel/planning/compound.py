"""A sentence that branches, repeats, says an order or has a deed by its name: taken apart, each part planned by itself.

What this stops: a condition that is passed over ("if there are more than ten, delete them" never becomes a deletion
without the ten), a list that is done only once, an order that is turned around, and parts within parts without end.
What it does not: understand the parts (``parts``).
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

from kernel.asking.ask import NO_PARAMETER
from kernel.asking.contradicting import about_gone
from kernel.composition.build import is_pure, only_reads
from kernel.composition.profiles.profile import Box
from kernel.composition.validate import validate
from kernel.context.dialogue import Dialogue
from kernel.context.named import NamedDeeds
from kernel.language.branching import DEEPEST, INVERSE, Branch, Test, branch_of, is_conditional, its, its_value, loop_of
from kernel.language.held_back import contrasted
from kernel.language.ordering import Order, orders_of
from kernel.language.paired_questions import paired
from kernel.language.quantifying import Each, each_of_them
from kernel.model import (
    Condition,
    Decline,
    FromTask,
    Measure,
    Plan,
    Proposal,
    Question,
    Task,
    TaskId,
)
from kernel.planning.between_wholes import between_wholes
from kernel.planning.compound_words import say
from kernel.planning.deeds_in_order import Deeds, ends, found_once, in_sequence, numbered, with_name
from kernel.planning.parts import Frame, Parts, Undone, Unneeded
from kernel.planning.plan_json import plan_to_json
from kernel.planning.reading_once import Read, ReadOnce
from kernel.planning.unrolling import Found, asked_of_found, last_found, unrolled
from skills.model import ValueKind

_AMOUNTS = ("amount", "value", "number", "total", "count", "rows", "total_bytes")


def propose_compound(
    text: str, language: str, read: Read, box: Box, context: Dialogue, named: NamedDeeds | None = None
) -> Proposal | None:
    """Return the proposal for a sentence that branches, repeats or has one of ``named`` as a clause; else None."""
    if context.pending is not None:
        return None
    once = ReadOnce(read)
    parts = Compound(once, box, context, language, named=named)
    left = contrasted(text, language, lambda word: box.is_verb((word,), language))
    if left:
        return _whole(left, parts, 1)
    try:
        found = parts.proposal() if parts.paired(text) or parts.add(text, Frame(), 0) else None
    except Undone as undone:
        return undone.answer
    if not isinstance(found, Question) or found.parameter != NO_PARAMETER:
        return found
    return between_wholes(found, lambda at: _whole(text, Compound(once, box, context, language, at, named)), box)


def _whole(text: str, parts: Compound, depth: int = 0) -> Proposal | None:
    """The proposal for a sentence of which it is known that it is to be taken apart; None where it cannot be done."""
    try:
        parts.add(text, Frame(), depth)
        return parts.proposal()
    except Undone as undone:
        return undone.answer


def _ask_alike(tasks: Sequence[Task]) -> bool:
    """Tell whether two tasks are one question over two values: they differ in one argument alone."""
    if len(tasks) != 2 or tasks[0].tool != tasks[1].tool or tasks[0].arguments.keys() != tasks[1].arguments.keys():
        return False
    one, other = ({name: getattr(given, "value", given) for name, given in task.arguments.items()} for task in tasks)
    return [one[name] == other[name] for name in one].count(False) == 1


class Compound(Parts):
    """A sentence as it is taken apart; ``add`` plans it, ``proposal`` is the whole."""

    def __init__(
        self, read: Read, box: Box, context: Dialogue, language: str, choice: int | None = None,
        named: NamedDeeds | None = None,
    ) -> None:  # fmt: skip
        super().__init__(read, box, context, language, choice)
        self._named = named
        self._past: Found | None = None

    def paired(self, text: str) -> bool:
        """Plan one question over two values; tell whether ``text`` is one: both ask the same tool for the same."""
        questions = paired(text, self._language)
        if questions is None:
            return False
        kept = replace(self._made)
        with suppress(Undone):
            for question in questions:
                self._plain(question, Frame(), strict=False)
            if _ask_alike(self._made.tasks):
                return True
        self._made = kept
        return False

    def add(self, text: str, frame: Frame, depth: int) -> bool:
        """Plan ``text`` in ``frame``; tell whether it branches or repeats. Raises Undone."""
        if depth > DEEPEST:
            raise Undone(Decline(say(self._language, "deep")))
        branch = branch_of(text, self._language, self._is_verb)
        clauses = self._named.apart(text) if self._named is not None else ()
        if branch is not None or clauses:
            self._branch(branch, frame, depth) if branch is not None else self._one_by_one(clauses, frame, depth)
            return True
        each = each_of_them(text, self._language, self._is_verb) if frame.each is None else None
        orders = orders_of(text, self._language, self._is_verb)
        if each is not None and (each.before or not orders):
            self._for_each(each, frame, depth)
            return True
        if orders:
            self._in_order(orders, frame, depth)
            return True
        loop = loop_of(text, self._language, self._is_verb) if frame.each is None else None
        if loop is not None:
            over = self._plain(self._clearer(loop.ask, loop.instead, frame), frame, strict=depth > 0)
            if not self._result(over).many:
                raise Undone(None)
            try:
                self._body(loop.body, replace(frame, each=over, found=(over, *frame.found)), depth)
            except Unneeded as unneeded:  # "into a folder for each year"
                raise Undone(None) from unneeded
            return True
        if frame.each is not None and (part := its_value(text, self._language)) is not None:
            value = self._asked(part.ask, frame)
            self._plain(part.body, replace(frame, found=(value, *frame.found)))
            self._as_written(value)
            return True
        if depth:
            self._plain(text, frame)
        return False

    def _one_by_one(self, clauses: Sequence[str], frame: Frame, depth: int) -> None:
        """Plan clauses of which some are deeds by their names alone: each comes after the one before it."""
        if any(is_conditional(clause) for clause in clauses):
            raise Undone(None)  # a condition that could not be read is not passed over
        for clause in clauses:
            first = len(self._made.tasks)
            named = self._named is not None and bool(self._named.called(clause))
            if named:
                self._plain(clause, frame)
            else:
                self.add(clause, frame, depth + 1)
            made = self._made.tasks[first:]
            own = tuple(one.id for one in reversed(made))
            found = (*frame.found, *own[:1]) if named else (*own, *frame.found)  # nobody said what a deed finds
            frame = replace(frame, after=(*frame.after, *ends(made)), found=found)

    def _branch(self, branch: Branch, frame: Frame, depth: int) -> None:
        first, made = len(self._made.tasks), tuple[TaskId, ...]()
        if branch.before:
            self.add(branch.before, frame, depth + 1)
            made = tuple(one.id for one in self._made.tasks[first:])
            after = ends(self._made.tasks[first:]) if self._made.steps else ()
            frame = replace(frame, found=(*reversed(made), *frame.found), after=(*frame.after, *after))
        elif not branch.test.ask and not frame.found and not branch.other and self._of_own_list(branch, frame, depth):
            return
        about = self._found_out(branch.test, frame, depth)
        inner = replace(frame, found=(about.task, *frame.found))
        self.add(branch.then, replace(inner, when=(*frame.when, about)), depth + 1)
        if branch.other:
            other = replace(about, comparison=INVERSE[about.comparison])
            self.add(branch.other, replace(inner, when=(*frame.when, other)), depth + 1)
        if branch.before:
            self._hold_apart(made)

    def _hold_apart(self, before: Sequence[TaskId]) -> None:
        """What was found and what was made of it are both "them": nothing is changed by a guess. Raises Undone."""
        changing = [one for one in self._made.tasks if not is_pure(one.tool, self._box)]
        made = {one.id for one in changing if one.id in before}
        later = [one for one in changing if one.id not in before]
        for task in later:
            if any(isinstance(one, FromTask) and one.task in made for one in task.arguments.values()):
                raise Undone(Decline(say(self._language, "either")))

    def _of_own_list(self, branch: Branch, frame: Frame, depth: int) -> bool:
        """ "Copy the PDFs in Downloads to Archive if there are more than ten": of the deed's own things it is told."""
        kept = replace(self._made)
        first = len(self._made.tasks)
        self.add(branch.then, frame, depth + 1)
        tasks = self._made.tasks[first:]
        lists = [at for at, one in enumerate(tasks) if one.each is None and self._is_list(one)]
        if not lists or lists[-1] + 1 == len(tasks):
            self._made = kept
            return False
        about = self._about(tasks[lists[-1]].id, branch.test)
        self._made.tasks[first:] = [
            one if at <= lists[-1] else replace(one, when=(*one.when, about)) for at, one in enumerate(tasks)
        ]
        return True

    def _in_order(self, orders: Sequence[Order], frame: Frame, depth: int) -> None:
        """Plan deeds in the order that the words say. Raises Undone, with a question where they say two."""
        first = len(self._made.tasks)
        if orders[0].before:
            self.add(orders[0].before, frame, depth + 1)
            made = [one.id for one in self._made.tasks[first:]]
            frame = replace(frame, found=(*reversed(made), *frame.found))
        kept = replace(self._made)
        sequence = in_sequence([self._with_names(one, frame) for one in orders])
        if sequence.circle:
            raise Undone(self._circular(sequence.circle, frame, depth))
        try:
            if len(orders) == 1 and not orders[0].turned:
                self._as_said(orders[0], frame, depth)
            else:
                self._sequence(sequence, frame, depth)
        except Undone as undone:
            if all(one.sure for one in orders) and depth == 0:
                raise
            self._made = kept
            raise Undone(undone.answer if depth else None) from undone

    def _with_names(self, order: Order, frame: Frame) -> Order:
        """What is done first and said last speaks of what the other one names: "before you delete a.pdf, copy it"."""
        if not order.turned or frame.found:
            return order

        def other() -> Plan | None:
            found = self._read(order.then, self._told(self._stood(frame), frame.each))
            return found.draft if isinstance(found, Question) else found if isinstance(found, Plan) else None

        first = with_name(order.first, self._language, other, self._box)
        if first is None:
            raise Undone(None)
        return replace(order, first=first)

    def _as_said(self, order: Order, frame: Frame, depth: int) -> None:
        """Plan two deeds that are said in their order: "it" in the second means what it does behind "then"."""
        at, asked = len(self._made.tasks), self._made.asked
        self.add(order.first, frame, depth + 1)
        done = self._made.tasks[at:]
        whole = say(self._language, "in_turn").format(first=order.first, then=order.then)
        read = self._read(whole, self._told(self._stood(frame), frame.each))
        if isinstance(read, Decline) or (self._made.asked is not None and not isinstance(read, Plan)):
            self.add(order.then, replace(frame, after=(*frame.after, *ends(done))), depth + 1)
            return
        self._made.tasks[at:], self._made.asked = [], asked
        self._plain(whole, frame)
        tools = [one.tool for one in self._made.tasks[at : at + len(done)]]
        if self._open() is None and tools != [one.tool for one in done]:
            raise Undone(None)
        waits = ends(self._made.tasks[at : at + len(done)])
        self._made.tasks[at + len(done) :] = [
            replace(one, after=tuple(dict.fromkeys((*one.after, *waits)))) for one in self._made.tasks[at + len(done) :]
        ]

    def _sequence(self, sequence: Deeds, frame: Frame, depth: int) -> None:
        """Plan deeds one by one: none of them speaks of what another one will have made."""
        parts = list[tuple[TaskId, ...]]()
        for deed, earlier in zip(sequence.deeds, sequence.after, strict=True):
            at = len(self._made.tasks)
            waits = tuple(one for place in sorted(earlier) for one in parts[place])
            self.add(deed, replace(frame, after=(*frame.after, *waits)), depth + 1)
            parts.append(ends(self._made.tasks[at:]))
        if self._open() is None:
            self._made.tasks = list(numbered(found_once(self._made.tasks, self._box)))

    def _circular(self, deeds: Sequence[str], frame: Frame, depth: int) -> Proposal:
        """Ask which of two deeds comes first that are each to come after the other."""
        plans = []
        for turn in (deeds, deeds[::-1]) if len(deeds) == 2 and depth == 0 and not frame.found else ():
            parts = Compound(self._read, self._box, self._context, self._language)
            with suppress(Undone):
                parts._sequence(Deeds(tuple(turn), (frozenset(), frozenset({0}))), frame, depth)
                plans.append(parts.proposal())
        wholes = [one for one in plans if isinstance(one, Plan)]
        if len(wholes) < 2:
            return Decline(say(self._language, "circle").format(first=deeds[0]))
        text = say(self._language, "which_first").format(first=deeds[0], then=deeds[-1])
        turns = tuple(say(self._language, "turn").format(first=one, then=other) for one, other in (deeds, deeds[::-1]))
        return Question(text, wholes[0].tasks[0].id, NO_PARAMETER, wholes[0], turns, tuple(map(plan_to_json, wholes)))

    def proposal(self) -> Proposal:
        """Return the whole: a plan, or the question of the one part that has one and for which no choice is made."""
        made, asked = self._made, self._open()
        why = {"steps": list(made.steps)} if made.steps else {}
        plan = Plan(tuple(made.tasks), made.language, score=round(made.score, 4), why=why)
        if self._past is not None and (asked is None or not self._past.again):
            whole = unrolled(plan, self._past, self._box) if asked is None else None
            if whole is None and not (self._past.again and only_reads(plan, self._box)):
                return Decline(say(made.language, "many").format(count=len(self._past.items)))
            if whole is not None and not whole.tasks:
                return Decline(say(made.language, "unmet").format(count=len(self._past.items)))
            plan = whole or plan
        if asked is not None and self._past is not None:
            return asked_of_found(replace(asked, draft=plan), self._past, self._box) or Decline(
                say(made.language, "again").format(count=len(self._past.items))
            )
        if asked is not None:
            return replace(asked, draft=plan, settled=made.settled)
        wrong = validate(plan, self._box)
        return Decline(say(made.language, "unfit")) if wrong else about_gone(plan, self._box) or plan

    def _open(self) -> Question | None:
        """The question of a part, unless a choice is made for it."""
        return self._made.asked if self._choice is None else None

    def _for_each(self, each: Each, frame: Frame, depth: int) -> None:
        """Plan what is done for each of what the clauses before found, or of what the last request found."""
        over = self._listed(each.before, frame, depth) if each.before else self._found_before(frame)
        first = len(self._made.tasks)
        before = tuple(one.id for one in self._made.tasks) if each.before else ()
        self._body(each.body, replace(frame, each=over, found=(over, *frame.found)), depth)
        self._hold_apart(before)
        if each.together and all(self._takes_all(one, over) for one in self._made.tasks[first:]):
            self._made.tasks[first:] = [replace(one, each=None) for one in self._made.tasks[first:]]

    def _body(self, text: str, frame: Frame, depth: int) -> None:
        """Plan what is done with each: "count the pages" means those "of it". Raises Undone where that is nothing, or
        where the words that nobody said bring in a deed.
        """
        kept, first = replace(self._made), len(self._made.tasks)
        with suppress(Unneeded):
            self.add(text, frame, depth + 1)
            return
        self._made = kept
        try:
            self.add(its(text, self._language), frame, depth + 1)
        except Unneeded as unneeded:
            raise Unneeded(Decline(say(self._language, "apart").format(body=text))) from unneeded
        plain = self._read(text, self._told(self._stood(frame), frame.each))
        said = {one.tool for one in plain.tasks} if isinstance(plain, Plan) else None
        acting = {one.tool for one in self._made.tasks[first:] if not is_pure(one.tool, self._box)}
        if said is not None and not acting <= said:
            raise Unneeded(None)

    def _listed(self, text: str, frame: Frame, depth: int) -> TaskId:
        """Plan the clauses that find things; return the last task that finds several."""
        first = len(self._made.tasks)
        self.add(text, frame, depth + 1)
        return self._last_list(self._made.tasks[first:])

    def _found_before(self, frame: Frame) -> TaskId:
        if frame.found:
            return self._last_list([one for one in self._made.tasks if one.id in frame.found])
        found = last_found(self._context, self._box)
        if found is None or self._made.tasks:
            raise Undone(None)
        self._past, self._made.tasks = found, list(found.tasks)
        return found.task

    def _last_list(self, tasks: Sequence[Task]) -> TaskId:
        lists = [one.id for one in tasks if one.each is None and self._result(one.id).many]
        if not lists:
            raise Undone(None)
        return lists[-1]

    def _takes_all(self, task: Task, over: TaskId) -> bool:
        """Tell whether the call can take the whole list at once, and needs nothing else of single items."""
        tool, mine = self._box.tool(task.tool), {one.id for one in self._made.tasks if one.each == over}
        given = [(name, one) for name, one in task.arguments.items() if isinstance(one, FromTask)]
        whole = [(name, one) for name, one in given if one == FromTask(over) and tool.parameter(name).type.many]
        return bool(whole) and whole == given and not task.when and not (task.needs() & mine)

    def _as_written(self, value: TaskId) -> None:
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

    def _found_out(self, test: Test, frame: Frame, depth: int) -> Condition:
        if not test.ask:
            return self._about(self._found_before(frame), test)
        return self._about(self._asked(self._clearer(test.ask, test.instead, frame), frame, strict=depth > 0), test)

    def _about(self, about: TaskId, test: Test) -> Condition:
        """The condition on what a task finds. Raises Undone."""
        if test.measure is Measure.COUNT and self._is_cut(about):
            raise Undone(None)
        name = self._counted(about) if test.measure is Measure.COUNT else self._amount(about)
        return Condition(about, test.measure, test.comparison, test.value, name, test.text)

    def _is_cut(self, task: TaskId) -> bool:
        """Tell whether a tool shows only so many of what there is: nobody can count by it."""
        tool = self._box.tool(next(one.tool for one in self._made.tasks if one.id == task))
        return any(one.type.kind is ValueKind.INTEGER and one.default is not None for one in tool.parameters)

    def _counted(self, task: TaskId) -> str:
        """The field with the things that are counted; nothing where the result is those things. Raises Undone."""
        result = self._result(task)
        if result.kind is not ValueKind.RECORD or result.many:
            return ""
        lists = [name for name, one in result.fields.items() if one.many and one.kind is ValueKind.RECORD]
        return lists[0] if lists else ""

    def _amount(self, task: TaskId) -> str:
        """The field of a record that is compared."""
        result = self._result(task)
        return next((name for name in _AMOUNTS if name in result.fields), "") if result.kind is ValueKind.RECORD else ""
