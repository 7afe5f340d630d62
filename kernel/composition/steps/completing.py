"""A value alone behind a comma completes the call before it: "…, Thursday at 16:30, half an hour".

What this stops: that the value is read as a request of its own ("half an hour" as a timer) although a call has room
for it.
What it does not: touch a value that a word stands beside ("and a timer of half an hour"), or one that no call takes.
"""

from __future__ import annotations

from kernel.composition.draft import Draft
from kernel.composition.filling.fillers import accepted_by
from kernel.composition.fit import Step
from kernel.composition.scene import Scene
from kernel.composition.segments import Segment
from kernel.model import Span


def completes(scene: Scene, draft: Draft, segment: Segment) -> bool:
    """Tell whether ``segment`` is nothing but one value, which the call before it could have and has not."""
    if not draft.steps:
        return False
    said = [at for at in range(segment.first, segment.last) if scene.words[at]]
    spans = (one for one in scene.spans_in(segment.first, segment.last) if scene.hard >> one.first & 1)
    return any(_is_all(one, said) and _has_room(draft.steps[-1], one) for one in spans)


def _is_all(span: Span, said: list[int]) -> bool:
    return bool(said) and span.first <= said[0] and said[-1] < span.last


def _has_room(step: Step, span: Span) -> bool:
    given = {one.parameter for one in step.fillers}
    free = (one for one in step.profile.tool.parameters if one.name not in given)
    return any(span.kind in accepted_by(one) for one in free)
