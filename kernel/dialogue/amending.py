"""What was just made is put right: "no wait, make it Tuesday" moves the task, and makes no other one.

So is what was left open when it was made: "by Saturday, please". A number alone stands for the one that was said
before.

What this stops: that a correction is read as a request of its own, or is done a second time beside the first.
What it does not: take back a file's changes ("undo"), or go by more than one task: then it is a request like any other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from kernel.composition.filling.ahead import to_come
from kernel.composition.filling.companions import stands_alone
from kernel.composition.profiles.profile import Box
from kernel.composition.scene import Scene
from kernel.composition.words import is_word
from kernel.context.dialogue import Dialogue
from kernel.dialogue.said_anew import said_anew
from kernel.language.follow_words import (
    BEGINNINGS,
    CORRECTING,
    MAKING_IT,
    NOT_BEFORE,
    OF_MAKING,
    SETTING_RIGHT,
    makes_of_it,
)
from kernel.language.function_words import PREPOSITIONS
from kernel.model import Argument, Constant, Outcome, Plan, Span, Task, TaskId
from skills.model import Parameter, Tool, ToolId, ValueKind

K = ValueKind
_VALUES = frozenset({K.DATE, K.PERIOD, K.HOURS, K.DURATION, K.RECURRENCE, K.NUMBER, K.INTEGER, K.CHOICE})
_DAYS = frozenset({K.DATE, K.PERIOD})
_LONGEST = 10  # words
_FEW = 5  # words
_SURE = 0.5


def amended(scene: Scene, context: Dialogue, box: Box) -> Plan | None:
    """Return the call that puts right what the last request made, by the values that the words give anew."""
    if context.last is None or context.pending is not None or context.unsettled:
        return None
    mends = _mends(scene)
    if not (mends or _adds(scene)):
        return None
    tasks = context.last.plan.tasks
    if len(tasks) != 1:
        return None
    made = _Made(tasks[0], context.last.outcomes.get(tasks[0].id), box)
    for tool, taken in _ways(made.task.tool, box):
        given = _given(scene, tool, taken, made)
        if given is not None and (mends or made.left_open(tool, given)):
            return Plan((Task(TaskId("t1"), tool.id, given, text=scene.intent.text),), scene.intent.language)
    return None


@dataclass(frozen=True, slots=True)
class _Made:
    """The call that made something, and what came of it."""

    task: Task
    outcome: Outcome | None
    box: Box

    def given(self, kind: ValueKind) -> list[Constant]:
        """Return what the call was given of a kind; a day and a stretch of days are one."""
        kinds = _DAYS if kind in _DAYS else {kind}
        parameters = self.box.tool(self.task.tool).parameters if self.box.knows(self.task.tool) else ()
        names = [one.name for one in parameters if one.type.kind in kinds]
        held = (self.task.arguments.get(name) for name in names)
        return [one for one in held if isinstance(one, Constant)]

    def left_open(self, tool: Tool, given: Mapping[str, Argument]) -> bool:
        """Tell whether of all that is given now nothing was given before."""
        own = [name for name in given if tool.parameter(name).type.kind in _VALUES - {K.CHOICE}]
        return bool(own) and not any(self.given(tool.parameter(name).type.kind) for name in own)


def _mends(scene: Scene) -> bool:
    """ "No wait, make it ...", "ach nee, mach ... draus", "make that ..."."""
    words = tuple(token.text.casefold() for token in scene.tokens if is_word(token))
    while words[:1] and words[0] in BEGINNINGS:
        words = words[1:]
    said = any(words[: len(one)] == one for one in (*CORRECTING, *SETTING_RIGHT, *MAKING_IT)) or makes_of_it(words)
    return said and len(words) <= _LONGEST


def _adds(scene: Scene) -> bool:
    """ "By Saturday, please": a time and nothing else, which no question is about."""
    first = next((token.norm for token in scene.tokens if is_word(token)), "")
    few = sum(map(is_word, scene.tokens)) <= _FEW and scene.tokens[-1].norm != "?"
    return few and first in PREPOSITIONS.get(scene.intent.language, frozenset())


def _ways(made: ToolId, box: Box) -> Iterator[tuple[Tool, Mapping[str, str]]]:
    """Tools that put right what ``made`` did, with what they take over from it; what puts right does so again."""
    function = made.rpartition(".")[2]
    yield from ((tool, tool.amends[function]) for tool in box.amending(made))
    if box.knows(made) and box.tool(made).amends:
        again = box.tool(made)
        yield again, {own: own for taken in again.amends.values() for own in taken}


def _given(scene: Scene, tool: Tool, taken: Mapping[str, str], made: _Made) -> dict[str, Argument] | None:
    """What is given anew, and which thing is meant; None where a word says something else."""
    found: dict[str, Argument] = {}
    explained: set[int] = set()
    for parameter in tool.parameters:
        apart = parameter.name in taken or _is_told_apart(scene, tool, parameter)
        if apart:
            continue
        span = _span(scene, parameter, explained) or _as_before(scene, parameter, explained, made)
        if span is not None:
            text = scene.text(span.first, span.last)
            found[parameter.name] = Constant(to_come(scene, parameter, span).value, span.label, text)
            explained.update(range(span.first, span.last))
    if not found or not _says_no_more(scene, explained):
        return None
    if made.task.tool == tool.id and not _of_the_change(tool, made.task) <= {*taken, *found}:
        return None  # the old call told by more which thing it meant
    old = {own: _taken_over(scene, tool.parameter(own), theirs, made) for own, theirs in taken.items()}
    return {**{own: one for own, one in old.items() if one is not None}, **found}


def _is_told_apart(scene: Scene, tool: Tool, parameter: Parameter) -> bool:
    """ "Make it an hour" is how long it is; by how much later it is has words beside it that other values lack."""
    by_words = any(not one.beside for one in tool.parameters)
    return by_words and stands_alone(scene, parameter, 0, scene.size)


def _of_the_change(tool: Tool, made: Task) -> set[str]:
    """What the old call was given beside a time of day and a length: those are what it made anew."""
    return {name for name in made.arguments if tool.parameter(name).type.kind not in (K.HOURS, K.DURATION)}


def _taken_over(scene: Scene, parameter: Parameter, theirs: str, made: _Made) -> Constant | None:
    """What was given to the other tool, or what came of it; of a choice, the one that stands for what it makes."""
    if parameter.type.kind is K.CHOICE and theirs in parameter.type.choices:
        return Constant(theirs, scene.intent.label, theirs)
    given = made.task.arguments.get(theirs)
    if isinstance(given, Constant):
        return given
    value = made.outcome.value if made.outcome is not None and made.outcome.ok else None
    came = value.get(theirs) if isinstance(value, Mapping) else None
    label = made.outcome.label if made.outcome is not None and made.outcome.label is not None else scene.intent.label
    return Constant(came, label, str(came)) if isinstance(came, str) and came else None


def _span(scene: Scene, parameter: Parameter, explained: set[int]) -> Span | None:
    """The longest value of the parameter's kind that stands in words which are not taken yet."""
    if parameter.type.kind not in _VALUES or parameter.type.kind is K.CHOICE:
        return None
    own = (one for one in scene.spans if one.kind is parameter.type.kind and one.confidence >= _SURE)
    fitting = (one for one in own if explained.isdisjoint(range(one.first, one.last)))
    return max(fitting, key=lambda one: (one.last - one.first, one.confidence), default=None)


def _as_before(scene: Scene, parameter: Parameter, explained: set[int], made: _Made) -> Span | None:
    """A number alone, in place of the one number of the same kind that was said before: "make it 30", of minutes."""
    numbers = [one for one in scene.spans if one.kind is K.INTEGER and one.confidence >= _SURE]
    held = made.given(parameter.type.kind)
    if len(numbers) != 1 or len(held) != 1 or not explained.isdisjoint(range(numbers[0].first, numbers[0].last)):
        return None
    value = said_anew(held[0], parameter.type.kind, int(numbers[0].value), scene.intent.language)
    return None if value is None else replace(numbers[0], kind=parameter.type.kind, value=value)


def _says_no_more(scene: Scene, explained: set[int]) -> bool:
    norms = [token.norm for token in scene.tokens]
    later = {at for at in range(scene.size) for pair in NOT_BEFORE if tuple(norms[at : at + 2]) == pair}
    rest = (at for at in range(scene.size) if scene.words[at] and at not in explained | later)
    return all(scene.free[at] or _of_making(scene, at) for at in rest)


def _of_making(scene: Scene, at: int) -> bool:
    return not OF_MAKING.isdisjoint((scene.tokens[at].norm, scene.tokens[at].text.casefold()))
