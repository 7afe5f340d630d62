"""Things to be found that no file is called: "find my phone", "where is my package".

What this stops: a search for what is no file at all, and an answer that sounds as if it might have been one.
What it does not: keep back a search by kind, place, date or size, one in documents, or one that speaks of a file.
"""

from __future__ import annotations

from kernel.composition.build import Judged
from kernel.composition.filling.patterns import is_pattern
from kernel.composition.fit import Step
from kernel.composition.profiles.profile import Box
from kernel.composition.scene import Scene
from kernel.composition.window import Filler
from kernel.context.world import World
from kernel.language.place.place_words import ANY_THING, looks_like_path
from kernel.model import Constant
from skills.model import ValueKind


def sought_in_vain(scene: Scene, judged: Judged, box: Box, world: World | None) -> str:
    """Return the words that the first call looks for as the name of a file, where no name has them; "" else."""
    step = judged.draft.steps[0]
    sought = sought_name(step)
    if world is None or sought is None or _speaks_of_files(scene) or scene.is_quoted(sought.first, sought.last):
        return ""
    words = [at for at in range(sought.first, sought.last) if scene.words[at] and not scene.free[at]]
    if any(span.kind is ValueKind.FILE for span in scene.spans_in(sought.first, sought.last)):
        return ""
    kinds = step.profile.values.get(sought.parameter, frozenset())
    if all(_may_be_one(scene, box, at, kinds) or any(map(world.has_part, scene.forms[at])) for at in words):
        return ""
    return scene.text(sought.first, sought.last)


def _may_be_one(scene: Scene, box: Box, at: int, kinds: frozenset[str]) -> bool:
    """ "The latest invoice": a word for something that tools deal with; some file may be one, whatever it is called."""
    forms = scene.forms[at]
    return not kinds.isdisjoint(forms) or box.is_carrier(forms, scene.intent.language)


def sought_name(step: Step) -> Filler | None:
    """Return the name by which a tool finds files, where nothing but an order or a number is given beside it."""
    result = step.profile.tool.result
    if not step.profile.is_pure or result.kind is not ValueKind.FILE or not result.many:
        return None
    around = {step.profile.count, *step.profile.ordering}
    given = [one for one in step.fillers if one.parameter not in around]
    if len(given) != 1 or step.profile.parameter(given[0].parameter).type.kind is not ValueKind.QUERY:
        return None
    text = given[0].argument.text if isinstance(given[0].argument, Constant) else "."
    return None if is_pattern(given[0]) or looks_like_path(text) else given[0]


def _speaks_of_files(scene: Scene) -> bool:
    return any(token.norm in ANY_THING for token in scene.tokens)
