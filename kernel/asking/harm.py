"""When a plan that takes something away is not done, and not offered either, for what its sentence says.

What this stops: a second half that became a request of its own ("delete images and documents in Downloads"); "all but
the newest"; "the old ones", all of them; an offer to "do the rest" when the word that was not understood says which
things go ("the empty folders").
What it does not: judge a plan that is understood. That is what the card and the person are for.
"""

from __future__ import annotations

from collections.abc import Collection
from itertools import pairwise

from kernel.asking.taken import is_elsewhere, is_harmful, names_what_goes
from kernel.composition.build import Judged, task_id
from kernel.composition.filling.standing import is_locative
from kernel.composition.fit import Step
from kernel.composition.profiles.profile import Box
from kernel.composition.scene import Scene
from kernel.composition.window import Flow
from kernel.composition.words import is_negation, is_placing
from kernel.language.function_words import is_function_word, is_question_word
from kernel.language.place.place_words import ANY_THING, FOLDER_NOUNS, is_to_file
from kernel.model import TaskId
from skills.deciding import takes_away
from skills.model import ValueKind

_NOTHING = frozenset("nothing none nichts nix nada".split())
_NO_MORE = frozenset("more anymore longer mehr länger".split())
_EVERY = frozenset("all every each everything any whatever alle alles jede jeden jeder jedes sämtliche".split())
_BUT = frozenset({"but", "save", "bar", "ausgenommen", "bloß"})
_UP_TO = ("bis", "auf")
SURELY_A_VERB = 3  # examples of one tool that begin with the word; a noun begins one now and then


def does_harm(scene: Scene, judged: Judged, box: Box) -> bool:
    """Tell whether the plan would take away what nobody meant, or may not have meant."""
    if not _away(judged):
        return False
    if is_harmful(judged.plan, box) or is_elsewhere(judged) or _is_cut_short(scene, judged, box):
        return True
    if _is_mere_dislike(scene, judged) or _takes_nothing(scene, judged):
        return True
    if leaves_out(scene) or _is_misplaced(scene, judged) or is_unsaid(scene, judged) or _is_torn(judged):
        return True
    named = names_what_goes(judged.plan, box) and _is_told_first(judged)
    return not judged.may_act and not named and _misses_which(scene, judged)


def _takes_nothing(scene: Scene, judged: Judged) -> bool:
    """ "Show me the old ones, but delete nothing": what is told is that nothing goes."""
    steps = [judged.draft.steps[at] for at in _away(judged)]
    return any(scene.tokens[at].norm in _NOTHING for step in steps for at in range(step.first, step.last))


def _is_told_first(judged: Judged) -> bool:
    """All words that are unclear stand behind what goes: "pack paper on the list" is about the paper, not the list."""
    gone = [one for step in judged.draft.steps for one in step.fillers if step.profile.removes(one.parameter)]
    last = max((one.last for one in gone), default=0)
    return all(at >= last for at in judged.unexplained)


def _away(judged: Judged) -> list[int]:
    """The steps after which something may no longer be where it was."""
    return [at for at, step in enumerate(judged.draft.steps) if takes_away(step.profile.tool)]


def _is_cut_short(scene: Scene, judged: Judged, box: Box) -> bool:
    """Tell whether something is taken away, and words behind it that begin with no verb became another kind of call.

    "Delete images and documents in Downloads" has one place for both, and "every pdf but the newest" is no list.
    """
    steps, language = judged.draft.steps, scene.intent.language
    away = _away(judged)
    tools = {steps[at].tool for at in away}
    taken = {one.argument.step for step in steps for one in step.fillers if isinstance(one.argument, Flow)}
    later = [step for at, step in enumerate(steps) if at > away[0] and at not in taken and step.tool not in tools]
    return any(not (_asks(scene, step) or _has_verb(scene, step, box, language)) for step in later)


def _asks(scene: Scene, step: Step) -> bool:
    """A question of its own that changes nothing: "delete a.zip, and how much space is left?"."""
    begins = next((at for at in range(step.first, step.last) if scene.words[at] and not scene.free[at]), step.last)
    return step.profile.is_pure and any(
        is_question_word(scene.tokens[at].norm) for at in range(step.first, min(begins + 3, step.last))
    )


def _has_verb(scene: Scene, step: Step, box: Box, language: str) -> bool:
    """Its first word is one; so may be a word that is free in another language: "such" is no "solch"."""
    begin = range(step.first, _verb_of(scene, step) + 1)
    verbs = (at for at in begin if scene.words[at] and not is_function_word(scene.tokens[at].norm, language))
    return any(box.verb_count(scene.forms[at], language) >= SURELY_A_VERB for at in verbs)


def _is_torn(judged: Judged) -> bool:
    """Tell whether something goes that no word names, and words behind it are the same call: "throw, then X away"."""
    steps = judged.draft.steps
    away = _away(judged)
    tools = [steps[at].tool for at in away]
    unsaid = [at for at in away if not any(one.mask for one in steps[at].fillers)]
    return any(tools.count(steps[at].tool) > 1 for at in unsaid)


def _is_misplaced(scene: Scene, judged: Judged) -> bool:
    """Tell whether what goes is looked for in a folder that no word says is the place: "the PDFs and Bilder there".

    A question beside it may name a folder as it likes: "... and how much space does Pictures still take?".
    """
    places = [
        one
        for step in judged.draft.steps
        for one in step.fillers
        if step.profile.is_pure
        and not _asks(scene, step)
        and step.profile.parameter(one.parameter).type.kind is ValueKind.FOLDER
    ]
    return any(one.origin == "typed" and not is_said_as_place(scene, one.first, one.last) for one in places)


def is_unsaid(scene: Scene, judged: Judged) -> bool:
    """Tell whether something would no longer be where it was and no word says so: "zip the folder", "give it to Anna".

    A verb that only frames a request says nothing, nor does a word for any file, nor one that is a value of some step;
    nor does a verb of putting, where things would be gone: "put it there" is not "put it in the trash".
    """
    steps = judged.draft.steps
    values = {at for step in steps for one in step.fillers for at in range(one.first, one.last)}
    said = [at for at, plain in enumerate(scene.words) if plain and at not in values]
    norms = [token.norm for token in scene.tokens]
    telling = (at for at in said if norms[at] not in ANY_THING or is_to_file(norms, at))
    forms = {form for at in telling for form in scene.forms[at]}
    placed = {form for form in forms if is_placing(form)}
    return any(
        (forms - placed if steps[at].profile.destroys else forms).isdisjoint(steps[at].profile.telling)
        for at in _away(judged)
    )


def _is_mere_dislike(scene: Scene, judged: Judged) -> bool:
    """ "Copy the files, I don't need pdfs" says what somebody has no use for, and not which of them are to go.

    "I don't need the pdfs", "... pdfs any more" says it.
    """
    steps = judged.draft.steps
    for at in _away(judged):
        words = [token.norm for token in scene.tokens[steps[at].first : steps[at].last]]
        found = [one.argument.step for one in steps[at].fillers if isinstance(one.argument, Flow)]
        things = [steps[step] for step in found if steps[step].described]
        disliked = any(map(is_negation, words)) and not wants_no_more(words)
        if disliked and any(not any(scene.determiners[max(0, one.first - 1) : one.last]) for one in things):
            return True
    return False


def wants_no_more(norms: Collection[str]) -> bool:
    """Tell whether words say that something is needed no more, which is that it may go."""
    return not _NO_MORE.isdisjoint(norms)


def is_said_as_place(scene: Scene, first: int, last: int) -> bool:
    """Tell whether the words [first, last) are said to be where something is: "in Pictures", "the folder Pictures"."""
    words = {token.norm for token in scene.tokens[first:last]}
    if not words.isdisjoint(FOLDER_NOUNS) or any("/" in word for word in words):
        return True
    before = [token.norm for token in scene.tokens[:first]]
    while before and is_function_word(before[-1]) and not is_locative(before[-1]):
        before.pop()
    return bool(before) and is_locative(before[-1])


def leaves_out(scene: Scene) -> bool:
    """Tell whether something is taken away from all of a kind "but" some: nobody narrows by that yet."""
    norms = [token.norm for token in scene.tokens]
    every = next((at for at, norm in enumerate(norms) if norm in _EVERY), len(norms))
    rest = norms[every + 1 :]
    return any(norm in _BUT for norm in rest) or any(pair == _UP_TO for pair in pairwise(rest))


def unbounded(judged: Judged) -> tuple[TaskId, str] | None:
    """Return the call and its count where things are taken away by an order without a number: "the old invoices"."""
    for at, step in enumerate(judged.draft.steps if _away(judged) else ()):
        given = {one.parameter for one in step.fillers}
        bounded = any(step.profile.parameter(name).type.kind is ValueKind.PERIOD for name in given)
        ordered = given & step.profile.ordering and step.profile.is_pure and not bounded
        if ordered and step.profile.count and step.profile.count not in given:
            return task_id(at), step.profile.count
    return None


def _misses_which(scene: Scene, judged: Judged) -> bool:
    """Tell whether the plan takes something away and a word beside the verb, that may say which things, is unclear."""
    verbs = {_verb_of(scene, step) for step in judged.draft.steps}
    return any(at not in verbs for at in judged.unexplained)


def _verb_of(scene: Scene, step: Step) -> int:
    return next((at for at in range(step.first, step.last) if scene.words[at] and not scene.free[at]), -1)
