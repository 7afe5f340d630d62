"""What a sentence speaks of is among the things that were just told of: "move the passport one", after the tasks.

What this stops: that an item of the list before one's eyes is looked for in the calendar, among files or contacts.
What it does not: take a thing away by that, or take another skill than the one that was just asked, whoever wrote the
words of the list; what is not there by these words is looked for as ever.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from kernel.asking.taken import plan_takes_away
from kernel.composition.build import Judged
from kernel.composition.filling.fillers import FREE_TEXT
from kernel.composition.profiles.profile import Box
from kernel.composition.scene import Scene
from kernel.context.dialogue import Dialogue, LastRun
from kernel.language.function_words import is_function_word
from kernel.model import Candidate, Outcome
from skills.model import ParamRole, SkillId, Tool

_WORD = re.compile(r"[^\W_]+")
_LEAST = 4  # letters that a word may go on behind
_RUNS = 3
_MOST_WORDS = 2_000


@dataclass(frozen=True, slots=True)
class Shown:
    """What the last requests told of, all by one skill, in words."""

    skill: SkillId
    words: frozenset[str]

    def is_spoken_of(self, scene: Scene) -> bool:
        """Tell whether a word of the sentence is among it."""
        said = (token.norm for at, token in enumerate(scene.tokens) if scene.words[at] and not scene.free[at])
        return any(_has(self.words, word) for word in said)

    def candidates(self, known: Sequence[Candidate], tools: Iterable[Tool]) -> tuple[Candidate, ...]:
        """Return the tools of the skill, wherever some tool may be meant."""
        own = [one.id for one in tools if one.skill == self.skill and one.examples]
        places = dict.fromkeys((one.first, one.last) for one in known)
        return tuple(Candidate(tool, first, last, 1.0) for first, last in places for tool in own)

    def has(self, one: Judged, box: Box) -> bool:
        """Tell whether a reading is of one call of the skill about these things, and takes nothing away."""
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
        named = [word for filler in which for word in _content(getattr(filler.argument, "text", ""))]
        return step.profile.tool.skill == self.skill and bool(named) and all(_has(self.words, word) for word in named)


def shown_in(context: Dialogue, box: Box) -> Shown | None:
    """Return what the last requests told of; None where something is open, or they were about nothing of one skill."""
    skill = _skill(context.last, box) if not context.unsettled and context.pending is None else None
    if skill is None:
        return None
    told = (one for run in _runs(context, skill, box) for one in run.outcomes.values() if one.ok)
    return Shown(skill, _words(told))


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


def _words(outcomes: Iterable[Outcome]) -> frozenset[str]:
    """The words of the values, of so many as somebody may have before their eyes."""
    every = (word for one in outcomes for text in _texts(one.value) for word in _WORD.findall(text.casefold()))
    return frozenset(islice(every, _MOST_WORDS))


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        value = value.values()
    elif isinstance(value, str) or not isinstance(value, Iterable):
        yield str(value)
        return
    for one in value:
        yield from _texts(one)


def _content(text: str) -> list[str]:
    return [word for word in _WORD.findall(text.casefold()) if not is_function_word(word)]


def _has(shown: Iterable[str], word: str) -> bool:
    return any(one == word or (len(word) >= _LEAST and one.startswith(word)) for one in shown)
