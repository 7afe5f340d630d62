"""The same once more with another thing: "the ISO can go, and backup.zip too", "kopiere a.pdf nach X, b.pdf auch".

What this stops: that the second thing is left unexplained, or found and shown instead.
What it does not: guess. The clause names nothing but things, and says that they are meant as well.
"""

from __future__ import annotations

from dataclasses import replace

from kernel.composition import weights as w
from kernel.composition.draft import Draft
from kernel.composition.filling.fillers import text_fillers
from kernel.composition.fit import Step
from kernel.composition.profiles.profile import Box
from kernel.composition.scene import Scene
from kernel.composition.segments import Segment
from kernel.composition.window import Filler, Flow
from kernel.composition.words import is_also
from skills.model import ValueKind

K = ValueKind
_THINGS = frozenset({K.FILE, K.FOLDER, K.TABLE, K.TITLE})


def once_more(scene: Scene, box: Box, draft: Draft, segment: Segment) -> Step | None:
    """Return the last call of ``draft`` with the things that the segment names instead, None where it says more."""
    said = [at for at in range(segment.first, segment.last) if scene.costs[at]]
    adds = any(is_also(scene.tokens[at].norm) for at in range(segment.first, segment.last))
    if not adds or not said or not draft.steps or draft.steps[-1].missing:
        return None
    step = draft.steps[-1]
    found = text_fillers(scene, step.profile, box, segment.first, segment.last)
    for old in step.fillers:
        if step.profile.parameter(old.parameter).type.kind not in _THINGS or isinstance(old.argument, Flow):
            continue
        for one in found.get(old.parameter, ()):
            if not one.missing and all(one.mask >> at & 1 for at in said):
                return _with(step, segment, old, one)
    return None


def _with(step: Step, segment: Segment, old: Filler, one: Filler) -> Step:
    kept = tuple(
        replace(other, mask=0, first=segment.first, last=segment.first) for other in step.fillers if other is not old
    )
    cost = w.TASK + w.ARGUMENT * (1.0 - one.score)
    return replace(
        step, first=segment.first, last=segment.last, fillers=(*kept, one), unexplained=0.0, words=(), cost=cost,
        grave=False, excused=0.0, described=False,
    )  # fmt: skip
