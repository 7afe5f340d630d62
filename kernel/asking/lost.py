"""Things of the world that somebody has put somewhere: "where did I put my keys" asks for no document.

What this stops: the question which document is meant, where a thing is sought that no file is called. What it does not:
keep back a search for what some file is called, or a kind of thing that tools deal with.
"""

from __future__ import annotations

from collections.abc import Sequence

from kernel.asking.unnamed import sought_in_vain, sought_name
from kernel.composition import weights as w
from kernel.composition.build import Judged
from kernel.composition.profiles.profile import Box
from kernel.composition.scene import Scene
from kernel.context.world import World
from kernel.language.sought import asks_where


def lost(scene: Scene, judged: Sequence[Judged], box: Box, world: World | None) -> tuple[Judged, str] | None:
    """Return the reading that looks for a thing by its name, and the name, where nothing is called so; None else."""
    if not asks_where([token.norm for token in scene.tokens]) or judged[0].may_act:
        return None
    whole = (one for one in judged if not one.missing and one.doubt <= w.TOLERATED and len(one.draft.steps) == 1)
    found = ((one, sought_in_vain(scene, one, box, world) or _unheard_of(scene, one, world)) for one in whole)
    return next(((one, words) for one, words in found if words), None)


def _unheard_of(scene: Scene, one: Judged, world: World | None) -> str:
    """ "My keys": tools have the word too, and still nothing is called so."""
    sought = sought_name(one.draft.steps[0])
    if sought is None or world is None:
        return ""
    words = [at for at in range(sought.first, sought.last) if scene.words[at] and not scene.free[at]]
    known = any(map(world.has_part, (form for at in words for form in scene.forms[at])))
    return "" if known else scene.text(sought.first, sought.last)
