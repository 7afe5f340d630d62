"""Reading: what a model answered becomes a plan, a question or a refusal, or the list of what is wrong with it.

What this stops: everything that is not exactly of the form; tools that were not offered, parameters that there are not,
values of another kind, handles and tasks that do not exist, plans that the validator refuses. What a model wrote itself
is never the person's word, except where it copied their words letter by letter.
What it does not: judge whether the plan is what the person wanted. It is shown, and every right is asked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial, reduce
from itertools import islice, product
from math import prod
from typing import Any

from kernel.approval.plan_words import whole_words
from kernel.asking import wording
from kernel.asking.ask import MOST_CHOICES, NO_PARAMETER, of_another_measure, which_of
from kernel.asking.ask import shown as said
from kernel.asking.by_model import plain_question
from kernel.composition.build import with_argument
from kernel.composition.problem import Flaw, Problem
from kernel.composition.validate import MOST_TASKS, validate
from kernel.context.toolbox import Toolbox
from kernel.errors import TaskFailed
from kernel.flow import LONGEST
from kernel.model import (
    Argument,
    Comparison,
    Condition,
    Constant,
    Decline,
    FromTask,
    Measure,
    Plan,
    Proposal,
    Question,
    Task,
    TaskId,
)
from kernel.paths import whole
from kernel.planning.plan_json import plan_to_json
from kernel.prompting.amounts import Amount, is_unconverted, said_amount, written_amount
from kernel.prompting.sight import Earlier, Said, Sight, taken
from permissions.labels import MODEL_SAID
from permissions.naming import readable, sentence, shown
from skills.arguments import checked_values
from skills.deciding import may_decide
from skills.errors import BadResult
from skills.model import Parameter, Tool, ValueKind

_ID = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,15}")
_PLACES = frozenset({ValueKind.FILE, ValueKind.FOLDER, ValueKind.NEW_FILE, ValueKind.TABLE})
_WORDY = frozenset({ValueKind.TEXT, ValueKind.TITLE, ValueKind.QUERY, ValueKind.COLUMN, ValueKind.EXPRESSION})
_NO_VALUE = (BadResult, TaskFailed, RecursionError)
_MOST_PROBLEMS = 8
_LONGEST_WORDS = 400
"""Characters of a question or a refusal that a model words."""


@dataclass(frozen=True, slots=True)
class Wrong:
    """What is wrong with a reply, for whoever wrote it."""

    problems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Later:
    """A rule as a model words it: nothing is done now. Whether it is one the compiler of rules says."""

    words: str


@dataclass(frozen=True, slots=True)
class _Unclear:
    """A use of a value of the request that may mean several things; ``number`` is that of the value."""

    task: TaskId
    parameter: str
    number: int
    values: tuple[Any, ...]
    words: str


def read(value: Any, sight: Sight, toolbox: Toolbox, home: str, endpoint: str) -> Proposal | Later | Wrong:
    """Return what a reply of ``endpoint`` comes to. ``value`` is JSON of any form. A plan says whose it is."""
    reader = _Reader(sight, home)
    if not isinstance(value, Mapping):
        return Wrong((Problem("The answer is no JSON object.", Flaw.FORM),))
    tasks = reader.tasks(value.get("tasks"))
    later = _words(value.get("later"))
    if later and (tasks or any(_words(value.get(name)) for name in ("ask", "decline"))):
        reader.bad_form('With "later", "tasks" is [], and "ask" and "decline" are null.')
    if reader.problems:
        return Wrong(tuple(reader.problems[:_MOST_PROBLEMS]))
    return Later(later) if later else _proposal(value, reader, tasks, sight, toolbox, endpoint)


def _proposal(
    value: Mapping[str, Any], reader: _Reader, tasks: tuple[Task, ...], sight: Sight, toolbox: Toolbox, endpoint: str
) -> Proposal | Wrong:
    """Return the plan of ``tasks``, or what is asked or refused in its place."""
    ask, decline = _words(value.get("ask")), _words(value.get("decline"))
    plan = Plan(tasks, sight.intent.language, score=0.5, why={"model": endpoint})
    doubt = reader.doubt(plan)
    if ask:
        return doubt or reader.question(plan, ask, value.get("about"))
    if decline and not tasks:
        return Decline(decline)
    problems = validate(plan, toolbox)
    if problems:
        return Wrong(problems[:_MOST_PROBLEMS])
    return doubt or plan


class _Reader:
    """Reads one reply; what is wrong is collected and never guessed at."""

    def __init__(self, sight: Sight, home: str) -> None:
        self._sight, self._home = sight, home
        self._tools: Mapping[str, Tool] = {one.id: one for one in sight.tools}
        self._said: Mapping[int, Said] = {one.number: one for one in sight.said}
        self._earlier: Mapping[str, Earlier] = {one.name: one for one in sight.earlier}
        self._unclear: list[_Unclear] = []
        self._foreign: list[tuple[TaskId, Tool, str, str]] = []  # amounts of another measure, by their words
        self.problems: list[str] = []

    def bad_form(self, words: str) -> None:
        """Note that something is not of the form that was asked for."""
        self.problems.append(Problem(words, Flaw.FORM))

    def tasks(self, given: Any) -> tuple[Task, ...]:
        """Return the tasks; what cannot be one is a problem."""
        if not isinstance(given, list):
            self.bad_form('"tasks" is no list.')
            return ()
        if len(given) > MOST_TASKS:
            words = f"There are {len(given)} tasks; {MOST_TASKS} are the most."
            self.problems.append(Problem(words, Flaw.MANY, str(len(given))))
            return ()
        return tuple(task for one in given if (task := self._task(one)) is not None)

    def _task(self, given: Any) -> Task | None:
        if not isinstance(given, Mapping) or not _ID.fullmatch(str(given.get("id", ""))):
            self.bad_form('A task is an object with an "id" like t1.')
            return None
        name, tool = TaskId(str(given["id"])), self._tools.get(str(given.get("tool")))
        if tool is None:
            wanted = shown(str(given.get("tool")))[:60]
            self.problems.append(Problem(f"{name}: there is no tool {wanted} in the list.", Flaw.TOOL, wanted))
            return None
        arguments = self._arguments(name, tool, given.get("arguments"))
        each = given.get("each")
        when = tuple(self._conditions(name, given.get("when")))
        return Task(name, tool.id, arguments, text=self._sight.intent.text, when=when,
                    each=None if each is None else TaskId(str(each)))  # fmt: skip

    def _arguments(self, task: TaskId, tool: Tool, given: Any) -> dict[str, Argument]:
        if not isinstance(given, Mapping):
            self.bad_form(f'{task}: "arguments" is no object.')
            return {}
        found: dict[str, Argument] = {}
        for name, one in given.items():
            if one is None:
                continue
            argument = self._argument(task, tool, str(name), one)
            if argument is not None:
                found[str(name)] = argument
        return found

    def _argument(self, task: TaskId, tool: Tool, name: str, given: Any) -> Argument | None:
        called = shown(name)[:40]
        where = f"{task}.{called}"
        if name not in {one.name for one in tool.parameters}:
            words = f"{where}: {tool.id} has no such parameter."
            self.problems.append(Problem(words, Flaw.PARAMETER, called, tool.id))
            return None
        keys = set(given) if isinstance(given, Mapping) else set()
        if keys == {"said"}:
            return self._of_request(task, tool, name, given["said"])
        if "from" in keys and keys <= {"from", "field", "index"}:
            return self._of_result(where, given)
        if keys == {"value"}:
            return self._written(where, tool, name, given["value"])
        self.bad_form(f'{where}: give exactly one of {{"said"}}, {{"from"}} and {{"value"}}, or null.')
        return None

    def _of_request(self, task: TaskId, tool: Tool, name: str, number: Any) -> Argument | None:
        said = self._said.get(number) if isinstance(number, int) and not isinstance(number, bool) else None
        if said is None:
            words = f"{task}.{name}: the request has no value number {shown(str(number))[:20]}."
            self.problems.append(Problem(words, Flaw.SAID))
            return None
        parameter = tool.parameter(name)
        amount = said_amount(parameter, said.span, self._sight.scene)
        if amount is not None:
            return self._of_amount(task, tool, name, amount, said)
        many, found = parameter.type.many, said.constant(parameter.type.kind, self._sight.scene)
        if len(said.values) > 1:
            values = tuple(_listed(one, many) for one in said.values)
            self._unclear.append(_Unclear(task, name, said.number, values, said.words))
        where, constant = f"{task}.{name}", Constant(_listed(found.value, many), found.label, found.text)
        try:
            return _checked(tool, name, constant)
        except _NO_VALUE:  # what it says is about the value, which no model sees
            self.problems.append(f"{where}: value number {said.number} is no {parameter.type.kind}.")
            return None

    def _of_amount(self, task: TaskId, tool: Tool, name: str, amount: Amount, said: Said) -> Argument:
        """What is said in any unit; of another measure it is asked for, and stands in the plan as none meanwhile."""
        if amount.value is None:
            self._foreign.append((task, tool, name, amount.words))
        return _checked(tool, name, Constant(amount.value or 0, said.span.label, amount.words))

    def _of_result(self, where: str, given: Mapping[str, Any]) -> Argument | None:
        name, field, index = given.get("from"), given.get("field"), given.get("index")
        if not isinstance(name, str) or not isinstance(field, str | None) or isinstance(index, bool):
            self.bad_form(f'{where}: "from" and "field" are names.')
            return None
        if not isinstance(index, int | None):
            self.bad_form(f'{where}: "index" is a whole number.')
            return None
        argument = FromTask(TaskId(name), field or "", index)
        if name not in self._earlier:
            return argument  # a task of this plan: the validator says whether there is one
        try:
            return taken(self._earlier[name], argument)
        except TaskFailed:  # what it says is about values, which no model sees
            self.problems.append(Problem(f"{where}: {name} has no such field or item.", Flaw.RESULT))
            return None

    def _written(self, where: str, tool: Tool, name: str, value: Any) -> Argument | None:
        parameter = tool.parameter(name)
        kind, text = parameter.type.kind, value if isinstance(value, str) else ""
        if kind in _PLACES:
            value = whole(value, self._home)
        copied = bool(text.strip()) and kind in _WORDY and text.strip() in self._sight.intent.text
        label = self._sight.intent.label if copied else MODEL_SAID
        try:
            value = written_amount(parameter, value, self._sight.intent.language)
            written = _checked(tool, name, Constant(value, label, text if copied else ""))
            if is_unconverted(parameter, written.value, self._sight.scene):  # however it is written: 20, "20", "20 m"
                self.problems.append(f"{where}: the request says this number in another unit than {parameter.unit}.")
                return None
            return self._seen_whole(where, parameter, written)
        except _NO_VALUE as error:
            self.problems.append(f"{where}: {shown(str(error))[:200]}")
            return None

    def _seen_whole(self, where: str, parameter: Parameter, written: Constant) -> Constant | None:
        """Return a value that the model wrote, unless it decides something and is too long for anybody to look at."""
        words = readable(whole_words(written.value, self._home, self._sight.intent.language, parameter))
        if not may_decide(parameter) or len(words) <= LONGEST:
            return written
        self.problems.append(
            f"{where}: {len(words)} characters are more than a person looks at; {LONGEST} are the most."
        )
        return None

    def _conditions(self, task: TaskId, given: Any) -> Iterator[Condition]:
        if given is not None and not isinstance(given, list):
            self.bad_form(f'{task}: "when" is no list.')
            return
        for one in given or ():
            try:
                yield Condition(
                    TaskId(str(one["task"])), Measure(one["measure"]), Comparison(one["comparison"]),
                    _plain(one["value"]), str(one.get("field") or ""),
                )  # fmt: skip
            except (KeyError, TypeError, ValueError, AttributeError):
                self.bad_form(f"{task}: a condition has task, measure, field, comparison and value.")

    def question(self, draft: Plan, text: str, about: Any) -> Proposal | Wrong:
        """Return a question of the model's about a parameter of a task of the draft, else about the whole request."""
        named = about if isinstance(about, Mapping) else {}
        task = next((one for one in draft.tasks if one.id == named.get("task")), None)
        known = {one.name for one in self._tools[task.tool].parameters} if task is not None else set()
        parameter = str(named.get("parameter") or "")
        if task is None or parameter not in known:
            return plain_question(text, draft)
        return Question(text, task.id, parameter, draft)

    def doubt(self, plan: Plan) -> Question | None:
        """Return the question which of several things some words mean; None where all are clear.

        An amount of something else ("20 kg" for metres) is asked for first. What stands in the plan more than once is
        chosen once, for all of it.
        """
        for task, tool, name, words in self._foreign:
            return of_another_measure(_lacking(plan, task, name), task, tool, tool.parameter(name), words)
        if len(self._unclear) < 2:
            return next((which_of(plan, one.task, one.parameter, one.values, one.words) for one in self._unclear), None)
        named = {one.number: one for one in self._unclear}
        ways = product(*(range(len(one.values)) for one in named.values()))
        listed = [dict(zip(named, way, strict=True)) for way in islice(ways, MOST_CHOICES)]
        names = (", ".join(said(one.values[way[at]], plan.language) for at, one in named.items()) for way in listed)
        plans = (plan_to_json(reduce(partial(_meant, way), self._unclear, plan)) for way in listed)
        words = ", ".join(one.words for one in named.values())
        count = prod(len(one.values) for one in named.values())
        text = wording.say(plan.language, "several", count=count, words=words)
        return Question(text, self._unclear[0].task, NO_PARAMETER, plan, tuple(names), tuple(plans))


def _lacking(plan: Plan, task: TaskId, parameter: str) -> Plan:
    tasks = (
        replace(one, arguments={name: value for name, value in one.arguments.items() if name != parameter})
        if one.id == task
        else one
        for one in plan.tasks
    )
    return replace(plan, tasks=tuple(tasks))


def is_worded_by_it(proposal: Question | Decline, value: Any) -> bool:
    """Tell whether the words of ``proposal`` are those of the model that answered ``value``, and not the kernel's."""
    said = {_words(value.get(name)) for name in ("ask", "decline")} if isinstance(value, Mapping) else set()
    return proposal.text in said


def _meant(way: Mapping[int, int], plan: Plan, one: _Unclear) -> Plan:
    """Return ``plan`` with one use of an unclear value meant as ``way`` says (which one, by the value's number)."""
    held = next(task for task in plan.tasks if task.id == one.task).arguments.get(one.parameter)
    if not isinstance(held, Constant):
        return plan
    return with_argument(plan, one.task, one.parameter, replace(held, value=one.values[way[one.number]]))


def _listed(value: Any, many: bool) -> Any:
    return [value] if many and not isinstance(value, list) else value


def _checked(tool: Tool, name: str, found: Constant) -> Constant:
    """Return ``found`` in the form of the parameter ``name``. Raises BadResult or RecursionError."""
    value = checked_values(tool, {name: found.value}).get(name)
    place = tool.parameter(name).type.kind in _PLACES
    return found if place else Constant(value, found.label, found.text)  # a place is a path in every plan


def _words(given: Any) -> str:
    """A question or a refusal in one line that can be shown; nothing where it is no text."""
    return sentence(" ".join(given.split()))[:_LONGEST_WORDS] if isinstance(given, str) else ""


def _plain(value: Any) -> Any:
    if isinstance(value, str | int | float | bool):
        return value
    raise TypeError(value)
