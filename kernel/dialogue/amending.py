"""What was just made is put right: "no wait, make it Tuesday" moves the task, and makes no other one.

What this stops: that a correction is read as a request of its own, or is done a second time beside the first.
What it does not: take back a file's changes ("undo"), or go by more than one task: then it is a request like any other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from kernel.composition.filling.ahead import to_come
from kernel.composition.filling.companions import stands_alone
from kernel.composition.profiles.profile import Box
from kernel.composition.scene import Scene
from kernel.context.dialogue import Dialogue
from kernel.dialogue.answers import words_of
from kernel.language.follow_words import BEGINNINGS, CORRECTING, MAKING_IT, OF_MAKING
from kernel.model import Argument, Constant, Plan, Span, Task, TaskId
from skills.model import Parameter, Tool, ToolId, ValueKind

K = ValueKind
_VALUES = frozenset({K.DATE, K.PERIOD, K.HOURS, K.DURATION, K.RECURRENCE, K.NUMBER, K.INTEGER, K.CHOICE})
_LONGEST = 10  # words
_SURE = 0.5


def amended(scene: Scene, context: Dialogue, box: Box) -> Plan | None:
    """Return the call that puts right what the last request made, by the values that the words give anew."""
    if context.last is None or context.pending is not None or context.unsettled or not _mends(scene):
        return None
    tasks = context.last.plan.tasks
    if len(tasks) != 1:
        return None
    for tool, taken in _ways(tasks[0].tool, box):
        given = _given(scene, tool, taken, tasks[0])
        if given is not None:
            task = Task(TaskId("t1"), tool.id, given, text=scene.intent.text)
            return Plan((task,), scene.intent.language)
    return None


def _mends(scene: Scene) -> bool:
    """ "No wait, make it ...", "ach nee, mach ... draus", "make that ..."."""
    words = tuple(words_of(scene))
    while words[:1] and words[0] in BEGINNINGS:
        words = words[1:]
    said = any(words[: len(one)] == one for one in (*CORRECTING, *MAKING_IT))
    return said and len(words) <= _LONGEST


def _ways(made: ToolId, box: Box) -> Iterator[tuple[Tool, Mapping[str, str]]]:
    """Tools that put right what ``made`` did, with what they take over from it; what puts right does so again."""
    function = made.rpartition(".")[2]
    yield from ((tool, tool.amends[function]) for tool in box.amending(made))
    if box.knows(made) and box.tool(made).amends:
        again = box.tool(made)
        yield again, {own: own for taken in again.amends.values() for own in taken}


def _given(scene: Scene, tool: Tool, taken: Mapping[str, str], made: Task) -> dict[str, Argument] | None:
    """What is given anew, and which thing is meant; None where a word says something else."""
    found: dict[str, Argument] = {}
    explained: set[int] = set()
    for parameter in tool.parameters:
        apart = parameter.name in taken or _is_told_apart(scene, tool, parameter)
        span = None if apart else _span(scene, parameter, explained)
        if span is not None:
            text = scene.text(span.first, span.last)
            found[parameter.name] = Constant(to_come(scene, parameter, span).value, span.label, text)
            explained.update(range(span.first, span.last))
    if not found or not _says_no_more(scene, explained):
        return None
    if made.tool == tool.id and not _of_the_change(tool, made) <= {*taken, *found}:
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


def _taken_over(scene: Scene, parameter: Parameter, theirs: str, made: Task) -> Constant | None:
    """What was given to the other tool; of a choice, the one that stands for what it makes."""
    if parameter.type.kind is K.CHOICE and theirs in parameter.type.choices:
        return Constant(theirs, scene.intent.label, theirs)
    given = made.arguments.get(theirs)
    return given if isinstance(given, Constant) else None


def _span(scene: Scene, parameter: Parameter, explained: set[int]) -> Span | None:
    """The longest value of the parameter's kind that stands in words which are not taken yet."""
    if parameter.type.kind not in _VALUES or parameter.type.kind is K.CHOICE:
        return None
    own = (one for one in scene.spans if one.kind is parameter.type.kind and one.confidence >= _SURE)
    fitting = (one for one in own if explained.isdisjoint(range(one.first, one.last)))
    return max(fitting, key=lambda one: (one.last - one.first, one.confidence), default=None)


def _says_no_more(scene: Scene, explained: set[int]) -> bool:
    rest = (at for at in range(scene.size) if scene.words[at] and at not in explained)
    return all(scene.free[at] or scene.tokens[at].norm in OF_MAKING for at in rest)
