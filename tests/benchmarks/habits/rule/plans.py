"""Whether a plan is the golden one: its tools in order, and each argument that matters."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from kernel.model import Argument, Constant, FromTask, Task
from kernel.routines import FileSeen, Once, Recurring
from kernel.routines.parts import parts_in
from tests.benchmarks.habits.rule.gathered import parts_wanted, without_gathering
from tests.benchmarks.habits.rule.model import Compiled, Finding, Match, Place, Rule, same
from tests.benchmarks.habits.rule.values import TIMELY, constant_match, is_about, plain, timely_match

_BROUGHT = re.compile(
    r"<(?:file|mail|the mail|person|the person|the number|the message\b.*|the (?:address|birthday)\b.*|"
    r"event's (?:title|day)|the file's name|"
    r"names and folders .*|what was .*|recipient|the person and .*|the attachment|"
    r"the mail's subject|the event's place|whom it is about, and .*)>"
)
"""What the trigger brings."""

_FIELDS = {
    "<file>": "file", "<the person>": "person", "<the number>": "value",
    "<the file's name>": "name", "<event's title>": "title", "<the mail>": "file", "<mail>": "file",
    "<the mail's subject>": "subject", "<the event's place>": "place", "<the birthday, a whole day>": "day",
}  # fmt: skip
"""What of it is meant, where that is one part; a mail is the file that it is kept in."""

_NOTICE = re.compile(r"<words that say that (.*)>")
"""What a notice is about, whose words are left to whoever writes it; several are joined by ", or"."""

_STEP = re.compile(r"<(\d)>")
_WORKED_OUT = re.compile(r"<[^<>]*>")
_PARTS = {
    "recipient": "recipient",
    "the date of the run": "date",
    "the moment of the run": "moment",
    "person": "person",
}
_MARKS = re.compile("[\ue000\ue001]")
"""What stands around a part of what the trigger brings: free words name it by its noun."""
_WORDS = re.compile("\ue000?[\\w?]+\ue001?")
_OF_THE_TRIGGER = frozenset({"repeat", "when", "hours"})
"""What says the moments of a rule that was handed to its one tool."""


def of_plan(rule: Rule, kept: Compiled, place: Place) -> Iterator[Finding]:
    """Compare the steps of ``rule`` with those of the plan that was kept; what only gathers a text is no step of it."""
    plan, gathered = without_gathering(kept.plan, place.tool)
    kept = replace(kept, plan=plan, gathered=gathered)
    found = [str(task.tool) for task in kept.plan.tasks]
    plans = (rule["does"], rule.get("or_does", ()))
    fitting = [one for one in plans if [step["tool"] for step in one] == found]
    does = next((one for one in fitting if _is_same(one, kept, place)), (*fitting, rule["does"])[0])
    wanted = [step["tool"] for step in does]
    if kept.handed and found != wanted and len(wanted) == 1 and _is_also(rule, found[0]):
        (task,) = kept.plan.tasks  # the skill keeps the rule with the same moments: what it says is compared
        yield from _of_step({"text": rule["does"][0].get("text", ""), "tool": found[0]}, task, kept, place)
        return
    if wanted != found:
        others = " ".join(rule.get("also", ()))
        match = Match.UNCLEAR if any(tool in others for tool in found) else Match.OTHER
        yield Finding(match, "steps", ", ".join(wanted), ", ".join(found))
        return
    yield Finding(Match.SAME, "steps", ", ".join(wanted), ", ".join(found))
    yield from _of_steps(does, kept, place)


def _of_steps(does: Sequence[Mapping[str, Any]], kept: Compiled, place: Place) -> Iterator[Finding]:
    for step, task in zip(does, kept.plan.tasks, strict=True):
        yield from _of_step(step, task, kept, place)


def _is_same(does: Sequence[Mapping[str, Any]], kept: Compiled, place: Place) -> bool:
    return all(one.match is Match.SAME for one in _of_steps(does, kept, place))


def _is_also(rule: Rule, tool: str) -> bool:
    return any(one.startswith(f"{tool} with the same") for one in rule.get("also", ()))


def _of_step(step: Mapping[str, Any], task: Task, kept: Compiled, place: Place) -> Iterator[Finding]:
    tool = place.tool(task.tool)
    for name, pattern in step.items():
        if name == "tool":
            continue
        argument = task.arguments.get(name)
        if argument is None:
            usual = tool.parameter(name).default
            yield Finding(same(usual is not None and usual == pattern), f"{task.tool} {name}", str(pattern), "nothing")
            continue
        match = _match(pattern, name, argument, task, kept, place)
        yield Finding(match, f"{task.tool} {name}", str(pattern), _shown(argument, place))
    for name, argument in task.arguments.items():
        if name in step or (kept.handed and name in _OF_THE_TRIGGER):
            continue
        if isinstance(argument, Constant) and argument.value in (None, tool.parameter(name).default):
            continue
        yield Finding(Match.UNCLEAR, f"{task.tool} {name}", "nothing is said", _shown(argument, place))


def _match(pattern: Any, name: str, argument: Argument, task: Task, kept: Compiled, place: Place) -> Match:
    if isinstance(argument, FromTask) and argument.task in kept.gathered:
        return _of_gathered(pattern, name, kept.gathered[argument.task], task, kept, place)
    if not isinstance(pattern, str) or not _WORKED_OUT.search(pattern):
        if pattern in TIMELY:  # "next week, counted from the run"
            return _timely(pattern, name, task, kept, place)
        return _of_constant(pattern, name, argument, task, kept, place)
    steps = [int(number) for number in _STEP.findall(pattern)]
    if _STEP.fullmatch(pattern):
        return same(isinstance(argument, FromTask) and _place_of(argument, kept) == steps[0])
    if _BROUGHT.fullmatch(pattern):
        return _of_brought(argument, kept, pattern)
    if pattern.strip("<>") in TIMELY:
        return _timely(pattern.strip("<>"), name, task, kept, place)
    if not isinstance(argument, Constant):
        return Match.UNCLEAR
    notice = _NOTICE.fullmatch(pattern)
    if notice is not None:
        return Match.SAME if is_about(_MARKS.sub("", argument.value), notice[1]) else Match.UNCLEAR
    if parts_in(argument.value):
        return _of_parts(pattern, argument.value)
    said = _WORKED_OUT.sub(" ", pattern)
    around = constant_match(said, argument.value, place.tool(task.tool).parameter(name), place.home)
    return Match.OTHER if around is Match.OTHER and said.strip() else Match.UNCLEAR


def _of_gathered(pattern: Any, name: str, parts: Sequence[Argument], task: Task, kept: Compiled, place: Place) -> Match:
    """A text of several things: those that are wanted, in their order, and no other."""
    wanted = parts_wanted(str(pattern))
    if len(wanted) != len(parts):
        return Match.OTHER
    found = {_match(one, name, part, task, kept, place) for one, part in zip(wanted, parts, strict=True)}
    return next((one for one in (Match.OTHER, Match.UNCLEAR) if one in found), Match.SAME)


def _of_parts(pattern: str, value: str) -> Match:
    """A text with parts of what the trigger brings: the same words beside the same parts, in the same order."""
    wanted = _WORKED_OUT.sub(lambda found: f"\ue000{_PARTS.get(found[0].strip('<>'), '?')}\ue001", pattern)
    return same(_WORDS.findall(wanted.casefold()) == _WORDS.findall(value.casefold()))


def _of_constant(pattern: Any, name: str, argument: Argument, task: Task, kept: Compiled, place: Place) -> Match:
    if isinstance(argument, Constant):
        return constant_match(pattern, argument.value, place.tool(task.tool).parameter(name), place.home)
    if _place_of(argument, kept) != 0:
        return Match.OTHER
    trigger = kept.trigger  # "the file" for the only one that it is
    only = isinstance(trigger, FileSeen) and plain(f"{trigger.folder}/{trigger.pattern}", place.home) == pattern
    return Match.SAME if only and not argument.field else Match.UNCLEAR


def _of_brought(argument: Argument, kept: Compiled, pattern: str) -> Match:
    """What no step of the plan gives is the trigger's; which part, a person can tell where ``_FIELDS`` does not."""
    if isinstance(argument, Constant):
        return Match.OTHER
    if _place_of(argument, kept) != 0:
        return Match.OTHER
    return Match.UNCLEAR if argument.field and _FIELDS.get(pattern) != argument.field else Match.SAME


def _place_of(argument: FromTask, kept: Compiled) -> int:
    """Which step of the plan gives it, from 1; 0: none of them."""
    ids = [task.id for task in kept.plan.tasks]
    return ids.index(argument.task) + 1 if argument.task in ids else 0


def _timely(pattern: str, name: str, task: Task, kept: Compiled, place: Place) -> Match:
    if not isinstance(task.arguments[name], Constant):
        return Match.OTHER
    begins = place.now
    if isinstance(kept.trigger, Once):
        begins = kept.trigger.at.replace(tzinfo=place.now.tzinfo)
    repeats = isinstance(kept.trigger, Recurring)
    return timely_match(pattern, kept.plan, task, name, place, begins, [0] if not repeats else [1, 8, 40])


def _shown(argument: Argument, place: Place) -> str:
    if isinstance(argument, FromTask):
        return f"<of {argument.task}{f': {argument.field}' if argument.field else ''}>"
    said = f" (“{argument.text}”)" if argument.text else ""
    return f"{plain(argument.value, place.home)}{said}"
