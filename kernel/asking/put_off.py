"""A deed that is to wait for a word of the person is not done, and the person is told so."""

from __future__ import annotations

from kernel.asking import wording
from kernel.composition.build import Judged
from kernel.composition.scene import Scene
from kernel.language.frame.waiting import waits
from kernel.model import Decline
from skills.model import ParamRole


def put_off(scene: Scene, best: Judged) -> Decline | None:
    """Return what is said where a change is put off in words that belong to no text of it; None else."""
    start = waits([token.norm for token in scene.tokens])
    if start == scene.size or not best.changes or _is_written(best, start):
        return None
    return Decline(wording.say(scene.intent.language, "later"), tuple(dict.fromkeys(best.draft.tools)))


def _is_written(best: Judged, start: int) -> bool:
    return any(
        one.first <= start < one.last and step.profile.tool.parameter(one.parameter).role is ParamRole.PAYLOAD
        for step in best.draft.steps
        for one in step.fillers
    )
