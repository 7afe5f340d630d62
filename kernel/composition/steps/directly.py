"""What is meant where only a place is said: "delete all files in Downloads" is about what lies directly in it.

What this stops: that a change goes through a whole tree in one language and through one folder in the other, only
because some tool's examples happen to be nearer. Who means the tree says so ("with its subfolders").
What it does not: touch calls that only read, or where one more word says which things are meant.
"""

from __future__ import annotations

from dataclasses import replace

from kernel.composition.draft import Draft
from kernel.composition.fit import Step, flows
from kernel.composition.profiles.profile import Box, Profile
from kernel.composition.scene import Scene
from kernel.composition.words import is_whole
from kernel.language.place.place_words import FILE_NOUNS, PLURAL_FILES
from kernel.model import Constant
from skills.model import ValueKind

_FILES = FILE_NOUNS | PLURAL_FILES | {"dinge", "things"}


def directly(scene: Scene, draft: Draft, box: Box) -> Draft:
    """Return ``draft`` with such an object found by the plainest tool: the one that takes the place and no more."""
    changed = {flow.step for step in draft.steps if not step.profile.is_pure for flow in flows(step)}
    steps = tuple(_plain(scene, step, box) if at in changed else step for at, step in enumerate(draft.steps))
    return draft if steps == draft.steps else replace(draft, steps=steps)


def _plain(scene: Scene, step: Step, box: Box) -> Step:
    if not step.described or not step.profile.is_pure or not _says_only_where(scene, step):
        return step
    place = step.fillers[0]
    profile = _lister(step.profile, box)
    if profile is None:
        return step
    return replace(step, profile=profile, fillers=(replace(place, parameter=profile.tool.parameters[0].name),))


def _says_only_where(scene: Scene, step: Step) -> bool:
    """The object is every file of one folder: beside the folder no word says which ones."""
    if len(step.fillers) != 1 or step.missing or step.words:
        return False
    place = step.fillers[0]
    if step.profile.parameter(place.parameter).type.kind is not ValueKind.FOLDER:
        return False
    if scene.is_deep(place.first, place.last):
        return False
    rest = [
        at for at in range(step.first, step.last) if not place.mask >> at & 1 and not place.first <= at < place.last
    ]
    plain = all(scene.free[at] or scene.tokens[at].norm in _FILES or is_whole(scene.tokens[at].norm) for at in rest)
    return isinstance(place.argument, Constant) and plain


def _lister(profile: Profile, box: Box) -> Profile | None:
    """The tool of the same skill that finds the same kind of thing and takes a folder and nothing else."""
    wanted = profile.tool.result
    for tool in sorted(box.producers(wanted.kind)):
        one = box.profile(tool, profile.language)
        kinds = [parameter.type.kind for parameter in one.tool.parameters]
        same = one.tool.skill == profile.tool.skill and one.tool.result == wanted and one.is_pure
        if same and kinds == [ValueKind.FOLDER]:
            return one
    return None
