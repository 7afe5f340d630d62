"""Whether "that" may mean what was found some time ago: only after a question, where something is changed by it.

What this stops: that "add it to expenses.csv" writes an old figure because the request before came to nothing, or
because what was found last cannot be written there. That a long list which was found some time ago is taken away,
because what was found last is gone already: that is not even offered.
What it does not: ask about plans that only read; what they read is said in the answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from kernel.asking import wording
from kernel.asking.ask import NO_PARAMETER, shown
from kernel.composition.build import Judged
from kernel.context.dialogue import Dialogue, LastRun
from kernel.model import Constant, Decline, Question
from kernel.planning.plan_json import plan_to_json

_SHOWN = 80


def about_older(judged: Judged, context: Dialogue) -> Question | Decline | None:
    """Ask whether an older result is meant, naming both; None when the plan takes nothing or the latest."""
    if not judged.changes:
        return None
    for value, goes in _taken(judged):
        run = next((one for one in _runs(context) if _has(one, value)), None)
        if run is not None and (context.unsettled or run is not context.last):
            many = isinstance(value, list) and len(value) > 1
            gone = goes and many and not context.unsettled
            return _refuse(judged, context) if gone else _ask(judged, context, run, value)
    return None


def _taken(judged: Judged) -> Iterator[tuple[Any, bool]]:
    """The values that words of the sentence draw from earlier runs, and whether they are to go."""
    for step in judged.draft.steps:
        for one in step.fillers:
            if one.origin == "reference" and isinstance(one.argument, Constant):
                yield one.argument.value, step.profile.removes(one.parameter)


def _runs(context: Dialogue) -> Iterator[LastRun]:
    yield from (run for run in (context.last, *context.recent) if run is not None)


def _has(run: LastRun, value: Any) -> bool:
    found = [outcome.value for outcome in run.outcomes.values()]
    given = [one.value for task in run.plan.tasks for one in task.arguments.values() if isinstance(one, Constant)]
    return any(_holds(one, value, 3) for one in (*found, *given))


def _holds(whole: Any, value: Any, depth: int) -> bool:
    if whole == value:
        return True
    if isinstance(value, list) and value:
        return all(_holds(whole, one, depth) for one in value)
    inner = list(whole.values()) if isinstance(whole, Mapping) else whole if isinstance(whole, list) else []
    return depth > 0 and any(_holds(one, value, depth - 1) for one in inner)


def _refuse(judged: Judged, context: Dialogue) -> Decline:
    words = _short(_words(context.last))
    return Decline(wording.say(judged.plan.language, "too_old", last=words), unclear=words)


def _ask(judged: Judged, context: Dialogue, run: LastRun, value: Any) -> Question:
    plan = judged.plan
    last = context.unsettled or _words(context.last)
    key = "unsettled" if context.unsettled else "unfit"
    text = wording.say(
        plan.language, key, last=_short(last), older=_short(_words(run)), what=_short(shown(value, plan.language))
    )
    choices = (wording.say(plan.language, "yes"), wording.say(plan.language, "no"))
    return Question(text, plan.tasks[0].id, NO_PARAMETER, plan, choices, (plan_to_json(plan), None))


def _words(run: LastRun | None) -> str:
    return ", ".join(task.text for task in run.plan.tasks if task.text) if run is not None else ""


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN else line[: _SHOWN - 1] + "…"
