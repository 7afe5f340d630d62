"""What a plan takes away, and whether that can be what its own words name.

What this stops: a folder and something inside it taken as two things, which nobody means; a folder taken by a name
whose place was passed over ("documents in Downloads"), or that was said to be the place.
What it does not: read the rest of the sentence (``harm``).
"""

from __future__ import annotations

import re

from kernel.composition.build import Judged
from kernel.composition.filling.standing import is_locative
from kernel.composition.fit import Step
from kernel.composition.profiles.profile import Box
from kernel.composition.window import Filler
from kernel.language.function_words import is_function_word
from kernel.language.place.place_words import FOLDER_NOUNS
from kernel.language.time.calendar_words import MONTHS
from kernel.model import Constant, Plan, Task
from kernel.paths import is_nested, paths_of
from skills.deciding import takes_away
from skills.model import ValueKind

_FILES = frozenset({ValueKind.FILE})
FILES_OR_FOLDERS = _FILES | {ValueKind.FOLDER}
_WORD = re.compile(r"[^\W_]+")


def plan_takes_away(plan: Plan, box: Box) -> bool:
    """Tell whether something may no longer be where it was after the plan."""
    return any(takes_away(box.profile(task.tool, plan.language).tool) for task in plan.tasks)


def is_harmful(plan: Plan, box: Box) -> bool:
    """Tell whether some task takes away a thing and another one that holds it."""
    return any(
        is_nested(path for one in _gone(task, box, plan.language) for path in paths_of(one.value))
        for task in plan.tasks
        if box.knows(task.tool)
    )


def _gone(task: Task, box: Box, language: str) -> list[Constant]:
    removes = box.profile(task.tool, language).removes
    return [one for name, one in task.arguments.items() if removes(name) and isinstance(one, Constant)]


def names_what_goes(plan: Plan, box: Box, movable: frozenset[ValueKind] = _FILES) -> bool:
    """Tell whether all that is taken away was told by its name: files, and what may be moved of ``movable``."""
    return all(
        isinstance(given, Constant) and profile.parameter(name).type.kind in (_FILES if profile.destroys else movable)
        for task in plan.tasks
        for profile in (box.profile(task.tool, plan.language),)
        for name, given in task.arguments.items()
        if profile.removes(name)
    )


def is_elsewhere(judged: Judged) -> bool:
    """Tell whether a thing is taken that lies nowhere near the place that its own words name."""
    return any(
        lies_elsewhere(one.argument)
        for _, one in _removed(judged)
        if isinstance(one.argument, Constant) and not one.missing
    )


def is_absent(judged: Judged) -> bool:
    """Tell whether a thing that is to go is not where its words say it is: nothing to offer as a choice."""
    return any(one.missing for _, one in _removed(judged))


def _removed(judged: Judged) -> list[tuple[Step, Filler]]:
    steps = judged.draft.steps
    return [(step, one) for step in steps for one in step.fillers if step.profile.removes(one.parameter)]


def lies_elsewhere(gone: Constant) -> bool:
    """ "documents in Downloads", read as a folder that lies nowhere near Downloads."""
    paths = list(paths_of(gone.value))
    place = _place_in(gone.text)
    return len(paths) == 1 and bool(place) and place.isdisjoint(_words(paths[0]))


def _place_in(text: str) -> set[str]:
    """Return the content words behind the last word that says where, if something stands before it."""
    words = text.casefold().split()
    where = [at for at, word in enumerate(words) if at and is_locative(word)]
    behind = words[where[-1] + 1 :] if where else []
    said = (word for word in behind if not is_function_word(word) and word not in MONTHS)  # "from November" is no place
    return {form for word in said for form in _words(word)}


def _words(text: str) -> set[str]:
    """The words of a text or a path, without a plural s."""
    return {word[:-1] if len(word) > 3 and word.endswith("s") else word for word in _WORD.findall(text.casefold())}


def is_the_place(task: Task, box: Box, name: str, value: Constant) -> bool:
    """Tell whether an answer takes away the very folder that the request named as the place ("... in Downloads")."""
    place = _place_in(task.text) if box.profile(task.tool, "en").removes(name) else set[str]()
    return any(_words(path.rpartition("/")[2]) <= place for path in paths_of(value.value)) if place else False


def is_kind_or_name(one: Judged, other: Judged) -> bool:
    """Tell whether one reading takes away a folder by a name that is a kind of file in the other reading."""
    return _reads_as_kind(one, other) or _reads_as_kind(other, one)


def _reads_as_kind(named: Judged, kind: Judged) -> bool:
    names = [filler for step, filler in _removed(named) if _is_folder(step, filler)]
    choices = [filler for step in kind.draft.steps for filler in step.fillers if filler.origin == "choice"]
    return any(one.mask & other.mask for one in names for other in choices)


def _is_folder(step: Step, one: Filler) -> bool:
    """A folder by its name alone: not by its path, and nobody said that it is a folder."""
    if one.origin not in ("typed", "list") or not isinstance(one.argument, Constant):
        return False
    words = set(one.argument.text.casefold().replace(",", " ").split())
    plain = "/" not in one.argument.text and words.isdisjoint(FOLDER_NOUNS)
    return plain and step.profile.parameter(one.parameter).type.kind is ValueKind.FOLDER
