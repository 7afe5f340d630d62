"""What a plan may never take away, however its words were read, and when a partly understood one may be offered.

What this stops: a plan that takes away a folder and something inside it as two things, which nobody means; a folder
taken by a name whose place was passed over ("documents in Downloads"), or that was said to be the place; a second half
that became a request of its own ("delete images and documents in Downloads"); "all but the newest"; "the old ones", all
of them; an offer to "do the rest" when the word that was not understood says which things go ("the empty folders").
What it does not: judge a plan that is understood. That is what the card and the person are for.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from kernel.composition.build import Judged, task_id
from kernel.composition.fit import Step
from kernel.composition.paths import is_nested, paths_of
from kernel.composition.profile import Box
from kernel.composition.scene import Scene
from kernel.composition.standing import is_locative
from kernel.composition.window import Filler, Flow
from kernel.language.function_words import is_function_word
from kernel.language.place_words import FOLDER_NOUNS
from kernel.model import Constant, Plan, Task, TaskId
from skills.model import Tool, ValueKind

_DELETE = "fs.delete"
_EVERY = frozenset("all every each everything any whatever alle alles jede jeden jeder jedes sämtliche".split())
_BUT = frozenset({"but", "save", "bar", "ausgenommen", "bloß"})
_UP_TO = ("bis", "auf")
_SURELY_A_VERB = 3  # examples of one tool that begin with the word; a noun begins one now and then


def takes_away(tool: Tool) -> bool:
    """Tell whether something may no longer be where it was after a call."""
    return any(right.action == _DELETE for right in tool.rights)


def is_harmful(plan: Plan, box: Box) -> bool:
    """Tell whether some task takes away a thing and another one that holds it."""
    return any(
        is_nested(path for one in _gone(task, box) for path in paths_of(one.value))
        for task in plan.tasks
        if box.knows(task.tool)
    )


def is_elsewhere(judged: Judged) -> bool:
    """Tell whether a thing is taken that lies nowhere near the place that its own words name."""
    return any(
        _lies_elsewhere(one.argument)
        for step in judged.draft.steps
        for one in step.fillers
        if step.profile.removes(one.parameter) and isinstance(one.argument, Constant) and not one.missing
    )


def _gone(task: Task, box: Box) -> Iterator[Constant]:
    for right in box.tool(task.tool).rights:
        value = task.arguments.get(right.scope.strip("{}")) if right.action == _DELETE else None
        if isinstance(value, Constant):
            yield value


def is_absent(judged: Judged) -> bool:
    """Tell whether a thing that is to go is not where its words say it is: nothing to offer as a choice."""
    return any(
        one.missing for step in judged.draft.steps for one in step.fillers if step.profile.removes(one.parameter)
    )


def _lies_elsewhere(gone: Constant) -> bool:
    """ "documents in Downloads", read as a folder that lies nowhere near Downloads."""
    paths = list(paths_of(gone.value))
    place = _place_in(gone.text.casefold().split())
    return len(paths) == 1 and bool(place) and not any(word in paths[0].casefold() for word in place)


def _place_in(words: list[str]) -> list[str]:
    """Return the content words behind the last word that says where, if something stands before it."""
    where = [at for at, word in enumerate(words) if at and is_locative(word)]
    return [word for word in words[where[-1] + 1 :] if not is_function_word(word)] if where else []


def is_the_place(task: Task, box: Box, name: str, value: Constant) -> bool:
    """Tell whether an answer takes away the very folder that the request named as the place ("... in Downloads")."""
    if not any(right.action == _DELETE and right.scope == f"{{{name}}}" for right in box.tool(task.tool).rights):
        return False
    place = _place_in(task.text.casefold().split())
    return any(path.rpartition("/")[2].casefold() in place for path in paths_of(value.value))


def is_cut_short(scene: Scene, judged: Judged, box: Box) -> bool:
    """Tell whether something is taken away, and words behind it that begin with no verb became another kind of call.

    "Delete images and documents in Downloads" has one place for both, and "every pdf but the newest" is no list.
    """
    steps, language = judged.draft.steps, scene.intent.language
    away = [at for at, step in enumerate(steps) if takes_away(step.profile.tool)]
    if not away:
        return False
    tools = {steps[at].tool for at in away}
    taken = {one.argument.step for step in steps for one in step.fillers if isinstance(one.argument, Flow)}
    later = [step for at, step in enumerate(steps) if at > away[0] and at not in taken and step.tool not in tools]
    return any(not _has_verb(scene, step, box, language) for step in later)


def _has_verb(scene: Scene, step: Step, box: Box, language: str) -> bool:
    at = _verb_of(scene, step)
    return at >= 0 and box.verb_count(scene.forms[at], language) >= _SURELY_A_VERB


def is_misplaced(scene: Scene, judged: Judged) -> bool:
    """Tell whether what goes is looked for in a folder that no word says is the place: "the PDFs and Bilder there"."""
    steps = judged.draft.steps
    if not any(takes_away(step.profile.tool) for step in steps):
        return False
    places = [
        one
        for step in steps
        for one in step.fillers
        if step.profile.is_pure and step.profile.parameter(one.parameter).type.kind is ValueKind.FOLDER
    ]
    return any(one.origin == "typed" and not _says_where(scene, one) for one in places)


def _says_where(scene: Scene, one: Filler) -> bool:
    words = {token.norm for token in scene.tokens[one.first : one.last]}
    if not words.isdisjoint(FOLDER_NOUNS) or any("/" in word for word in words):
        return True
    before = [token.norm for token in scene.tokens[: one.first]]
    while before and is_function_word(before[-1]) and not is_locative(before[-1]):
        before.pop()
    return bool(before) and is_locative(before[-1])


def leaves_out(scene: Scene, judged: Judged) -> bool:
    """Tell whether something is taken away from all of a kind "but" some: nobody narrows by that yet."""
    if not any(takes_away(step.profile.tool) for step in judged.draft.steps):
        return False
    norms = [token.norm for token in scene.tokens]
    every = next((at for at, norm in enumerate(norms) if norm in _EVERY), len(norms))
    rest = norms[every + 1 :]
    return any(norm in _BUT for norm in rest) or any(pair == _UP_TO for pair in pairwise(rest))


def unbounded(judged: Judged) -> tuple[TaskId, str] | None:
    """Return the call and its count where things are taken away by an order without a number: "the old invoices"."""
    steps = judged.draft.steps
    if not any(takes_away(step.profile.tool) for step in steps):
        return None
    for at, step in enumerate(steps):
        given = {one.parameter for one in step.fillers}
        bounded = any(step.profile.parameter(name).type.kind is ValueKind.PERIOD for name in given)
        ordered = given & step.profile.ordering and step.profile.is_pure and not bounded
        if ordered and step.profile.count and step.profile.count not in given:
            return task_id(at), step.profile.count
    return None


def misses_which(scene: Scene, judged: Judged) -> bool:
    """Tell whether the plan takes something away and a word beside the verb, that may say which things, is unclear."""
    if not any(takes_away(step.profile.tool) for step in judged.draft.steps):
        return False
    verbs = {_verb_of(scene, step) for step in judged.draft.steps}
    return any(at not in verbs for at in judged.unexplained)


def _verb_of(scene: Scene, step: Step) -> int:
    return next((at for at in range(step.first, step.last) if scene.words[at] and not scene.free[at]), -1)


def is_kind_or_name(one: Judged, other: Judged) -> bool:
    """Tell whether one reading takes away a folder by a name that is a kind of file in the other reading."""
    return _reads_as_kind(one, other) or _reads_as_kind(other, one)


def _reads_as_kind(named: Judged, kind: Judged) -> bool:
    names = [
        filler
        for step in named.draft.steps
        for filler in step.fillers
        if step.profile.removes(filler.parameter) and _is_folder(step, filler)
    ]
    choices = [filler for step in kind.draft.steps for filler in step.fillers if filler.origin == "choice"]
    return any(one.mask & other.mask for one in names for other in choices)


def _is_folder(step: Step, one: Filler) -> bool:
    """A folder by its name alone: not by its path, and nobody said that it is a folder."""
    if one.origin not in ("typed", "list") or not isinstance(one.argument, Constant):
        return False
    words = set(one.argument.text.casefold().replace(",", " ").split())
    plain = "/" not in one.argument.text and words.isdisjoint(FOLDER_NOUNS)
    return plain and step.profile.parameter(one.parameter).type.kind is ValueKind.FOLDER
