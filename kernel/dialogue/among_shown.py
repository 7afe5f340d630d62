"""What a sentence speaks of is among the things that were just told of: "move the passport one", after the tasks.

What this stops: that an item of the list before one's eyes is looked for in the calendar, among files or contacts.
What it does not: take a thing away by that; and what is not there by these words is looked for as ever.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence

from kernel.asking.taken import plan_takes_away
from kernel.composition.build import Judged
from kernel.composition.filling.fillers import FREE_TEXT
from kernel.composition.profiles.profile import Box
from kernel.context.dialogue import Dialogue, LastRun
from kernel.language.function_words import is_function_word
from kernel.model import Candidate
from skills.model import ParamRole, SkillId, Tool

_WORD = re.compile(r"[^\W_]+")
_LEAST = 4  # letters that a word may go on behind
_RUNS = 3


def of_what_was_shown(
    candidates: Sequence[Candidate], context: Dialogue, tools: Iterable[Tool], box: Box
) -> tuple[Candidate, ...]:
    """Return the tools of the skill which the last request was about, wherever some tool may be meant; else none."""
    skill = _skill(context.last, box) if not context.unsettled and context.pending is None else None
    own = [one.id for one in tools if one.skill == skill and one.examples]
    places = dict.fromkeys((one.first, one.last) for one in candidates)
    return tuple(Candidate(tool, first, last, 1.0) for first, last in places for tool in own)


def is_among_shown(one: Judged, context: Dialogue, box: Box) -> bool:
    """Tell whether a reading is of one call about things that the last requests told of, and takes nothing away."""
    if len(one.draft.steps) != 1 or not one.may_act or plan_takes_away(one.plan, box):
        return False
    step = one.draft.steps[0]
    which = [
        filler
        for filler in step.fillers
        if filler.mask
        and step.profile.parameter(filler.parameter).type.kind in FREE_TEXT
        and step.profile.parameter(filler.parameter).role is not ParamRole.PAYLOAD
    ]
    skill = box.tool(step.tool).skill
    shown = frozenset(word for run in _runs(context, skill, box) for word in _words(run))
    named = [word for filler in which for word in _content(getattr(filler.argument, "text", ""))]
    return bool(named) and all(_has(shown, word) for word in named)


def _skill(last: LastRun | None, box: Box) -> SkillId | None:
    if last is None or not all(box.knows(task.tool) for task in last.plan.tasks):
        return None
    skills = {box.tool(task.tool).skill for task in last.plan.tasks}
    return skills.pop() if len(skills) == 1 else None


def _runs(context: Dialogue, skill: SkillId, box: Box) -> Iterator[LastRun]:
    """The last requests about that skill, up to the first about something else."""
    for run in (context.recent or tuple(filter(None, (context.last,))))[:_RUNS]:
        if _skill(run, box) != skill:
            return
        yield run


def _words(run: LastRun) -> Iterator[str]:
    for outcome in run.outcomes.values():
        if outcome.ok:
            yield from _WORD.findall(json.dumps(outcome.value, ensure_ascii=False, default=str).casefold())


def _content(text: str) -> list[str]:
    return [word for word in _WORD.findall(text.casefold()) if not is_function_word(word)]


def _has(shown: Iterable[str], word: str) -> bool:
    return any(one == word or (len(word) >= _LEAST and one.startswith(word)) for one in shown)
