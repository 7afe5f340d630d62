"""What an answer says of time: "tomorrow at 8" is a day and a time of day, where a call asked for one of them.

What this stops: that a person who is asked when has to say the day and the hour one by one, or starts another request.
What it does not: take words that say more; then they are no answer to that.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from kernel.composition.filling.ahead import to_come
from kernel.composition.filling.fillers import accepted_by, value_of
from kernel.composition.scene import Scene, bits
from kernel.dialogue.answer_value import covers
from kernel.model import Argument, Constant, Plan, Question, Span
from skills.model import Parameter, Tool, ValueKind

K = ValueKind
TIMES = frozenset({K.DATE, K.PERIOD, K.HOURS, K.DURATION, K.RECURRENCE})
_SURE = 0.5


def with_times(scene: Scene, question: Question, tool: Tool) -> Plan | None:
    """Return the draft with all that the answer says of time; None where a word of it says something else."""
    if question.values or tool.parameter(question.parameter).type.kind not in TIMES:
        return None
    found: dict[str, Argument] = {}
    mask = 0
    for parameter, span in _by_length(scene, tool, question.parameter):
        own = bits(span.first, span.last)
        if parameter.name not in found and not own & mask:
            found[parameter.name] = _constant(scene, parameter, span)
            mask |= own
    if not found or not covers(scene, mask):
        return None
    tasks = tuple(
        replace(one, arguments={**one.arguments, **found}) if one.id == question.task else one
        for one in question.draft.tasks
    )
    return replace(question.draft, tasks=tasks, score=max(question.draft.score, 0.9))


def _by_length(scene: Scene, tool: Tool, asked: str) -> Iterator[tuple[Parameter, Span]]:
    """The times that were said, each with a parameter that takes it: the longest first, then for what was asked."""
    takes = [one for one in tool.parameters if one.type.kind in TIMES and not one.type.many]
    pairs = [
        (accepted_by(parameter)[span.kind], parameter, span)
        for parameter in takes
        for span in scene.spans
        if span.kind in accepted_by(parameter) and span.kind in TIMES and span.confidence >= _SURE
    ]
    pairs.sort(key=lambda one: (one[2].first - one[2].last, one[1].name != asked, -one[0]))
    yield from ((parameter, span) for _, parameter, span in pairs)


def _constant(scene: Scene, parameter: Parameter, span: Span) -> Constant:
    return value_of(parameter, to_come(scene, parameter, span), scene)
