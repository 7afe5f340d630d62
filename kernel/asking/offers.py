"""Offers: what a request may have meant when no reading of it is sure enough to act on.

What this stops: a refusal where one of the next readings is the right one and a person would pick it at a glance.
What it does not: offer what takes something away by words that were not understood, or a reading that passes over a
number or a "not"; ask where hardly anything of the sentence was understood. Nothing is done before somebody has picked.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kernel.asking import wording
from kernel.asking.ask import NO_PARAMETER, confirm, in_words
from kernel.asking.harm import SURELY_A_VERB, does_harm
from kernel.asking.taken import is_absent
from kernel.composition import weights as w
from kernel.composition.build import Judged
from kernel.composition.filling.announced import whole_name
from kernel.composition.fit import Step
from kernel.composition.profiles.profile import Box
from kernel.composition.scene import Scene
from kernel.composition.validate import validate
from kernel.composition.vouching import is_grounded
from kernel.composition.words import is_light
from kernel.language.function_words import is_question_word
from kernel.model import Argument, Constant, Question
from kernel.planning.plan_json import plan_to_json
from skills.model import ValueKind

_LENGTH = ValueKind.DURATION
_TIMES = frozenset({ValueKind.DATE, ValueKind.PERIOD, ValueKind.DURATION})


def offer(scene: Scene, judged: Sequence[Judged], box: Box) -> Question | None:
    """Ask which of the nearest readings is meant, if any is near enough: the likeliest first."""
    found = _nearest(scene, judged, box, {})
    return _which(scene, found, box) if found else None


def beside(scene: Scene, best: Judged, judged: Sequence[Judged], box: Box) -> Question:
    """Ask whether ``best`` is meant, or a reading that is as near, if there is one."""
    others = [one for one in judged if one.draft.cost - best.draft.cost < w.OFFER_BESIDE]
    return _which(scene, _nearest(scene, others, box, {in_words(best.plan, box): best}), box)


def _nearest(scene: Scene, judged: Sequence[Judged], box: Box, near: dict[str, Judged]) -> dict[str, Judged]:
    """The readings worth a question, by their words, the cheapest first, after those that are in ``near``."""
    known = {comes_to(one) for one in near.values()}
    for one in sorted(judged, key=_rank):
        if near and _rank(one) - _rank(next(iter(near.values()))) > w.OFFER_RANGE:
            break
        same = comes_to(one)
        if same not in known and is_offered(scene, one, box):
            near.setdefault(in_words(one.plan, box), one)
            known.add(same)
    return _different(near)


def _which(scene: Scene, found: dict[str, Judged], box: Box) -> Question:
    best, *others = found.values()
    if not others:
        return confirm(scene, best, box)
    plan = best.plan
    text = wording.say(plan.language, "perhaps", words=", ".join(dict.fromkeys(_unclear(scene, best))))
    text = text if best.unexplained else wording.say(plan.language, "perhaps_all")
    choices = (*found, wording.say(plan.language, "none"))
    values = (*(plan_to_json(one.plan) for one in found.values()), None)
    return Question(text, plan.tasks[0].id, NO_PARAMETER, plan, choices, values)


def comes_to(one: Judged) -> str:
    """What the calls are and get, whatever words say it: "im Februar 2026" and "Februar 2026" are one choice."""
    tasks = one.plan.tasks
    return repr(
        [(task.tool, sorted((name, _value(given)) for name, given in task.arguments.items())) for task in tasks]
    )


def _value(given: Argument) -> str:
    return repr(given.value) if isinstance(given, Constant) else repr(given)


def _different(near: dict[str, Judged]) -> dict[str, Judged]:
    """Return the first few, those of different tools before those that differ in a value."""
    seen: set[tuple[object, ...]] = set()
    first: list[tuple[str, Judged]] = []
    again: list[tuple[str, Judged]] = []
    for words, one in near.items():
        (again if one.draft.tools in seen else first).append((words, one))
        seen.add(one.draft.tools)
    return dict([*first, *again][: w.MOST_OFFERS])


def is_offered(scene: Scene, one: Judged, box: Box) -> bool:
    """Tell whether a reading is worth a question: whole, valid, about something that is there, mostly understood."""
    if one.missing or one.grave or one.loose or validate(one.plan, box) or does_harm(scene, one, box):
        return False
    if any(filler.missing for step in one.draft.steps for filler in step.fillers):
        return False
    if is_absent(one) or (one.changes and _wonders(scene, one)) or drops_the_verb(scene, one, box):
        return False
    if not (is_near(scene, one) or (is_grounded(scene, one.draft.steps) and _is_like_a_request(scene, one))):
        return False
    weakest = min(step.weakest for step in one.draft.steps)
    if weakest < (w.OFFER_ARGUMENT if one.changes else w.WEAKEST):
        return False
    return _understood(scene, one) >= (w.OFFER_CHANGE if one.changes else w.OFFER_READ)


def is_near(scene: Scene, one: Judged) -> bool:
    """It is said much like its examples, and most of it is explained, whoever vouches for the words.

    What a mail, a task or an appointment is called nobody can look up before a tool runs, and a question about this
    computer names nothing at all.
    """
    spoken = [step for step in one.draft.steps if not step.described]
    if any(not step.fillers and not step.profile.is_pure for step in spoken):
        return False  # "take a picture of the cat" is no picture of the screen
    like = min((step.similarity for step in spoken), default=0.0)
    return like >= w.OFFER_NEAR and _understood(scene, one) >= w.OFFER_TOLD


def _is_like_a_request(scene: Scene, one: Judged) -> bool:
    """Each call has something that it could be done to, is near an example, and more than a time speaks for it."""
    if one.unexplained and not any(filler.mask for step in one.draft.steps for filler in step.fillers):
        return False  # "open thunderbird"
    spoken = [step for step in one.draft.steps if not step.described]
    if one.unexplained and len(spoken) > 1 and any(not step.fillers for step in spoken):
        return False  # a call of nothing beside another one is no part of what was said
    return all(step.similarity >= w.OFFER_LIKE and _is_told(scene, step) for step in spoken)


def drops_the_verb(scene: Scene, one: Judged, box: Box) -> bool:
    """ "Delete the empty folders" is no wish to see the largest: what another tool's verb asks for is not the rest.

    And "when did I delete it?" looks for no value called "delete".
    """
    opens = next((at for at in range(scene.begin, scene.end) if scene.words[at] and not scene.free[at]), -1)
    if opens < 0 or box.verb_count(scene.forms[opens], scene.intent.language) < SURELY_A_VERB:
        return False
    weak = (step for step in one.draft.steps if step.weakest < w.OFFER_ARGUMENT)
    taken = any(filler.first <= opens < filler.last for step in weak for filler in step.fillers)
    return taken or opens in one.unexplained


def _is_told(scene: Scene, step: Step) -> bool:
    """More than a time and free text speaks for the tool: a word of its own, a choice, or something that is there.

    Or how long something takes, and nothing else: "eggs are in the pot, seven minutes".
    """
    if step.fillers and all(step.profile.parameter(one.parameter).type.kind is _LENGTH for one in step.fillers):
        return True
    for one in step.fillers:
        kind = step.profile.parameter(one.parameter).type.kind
        if one.mask and kind not in _TIMES and (one.origin != "doubted" or whole_name(scene, one.first, one.last)):
            return True
    taken = sum(one.mask for one in step.fillers)
    said = [at for at in range(step.first, step.last) if not taken >> at & 1 and not scene.free[at]]
    forms = {form for at in said if not is_light(scene.tokens[at].norm) for form in scene.forms[at]}
    return any(step.profile.vocabulary.get(form, 0.0) == 1.0 for form in forms)


def _rank(one: Judged) -> float:
    return one.draft.cost


def _understood(scene: Scene, one: Judged) -> float:
    """Return the share of what the sentence says that the reading explains, 0..1."""
    whole = sum(scene.costs[scene.begin : scene.end])
    left = sum(scene.costs[at] for at in set(one.unexplained))
    return 1.0 - left / whole if whole else 0.0


def _wonders(scene: Scene, one: Judged) -> bool:
    """ "When did I delete a.pdf": a change is never offered to somebody who asks when or why it was."""
    return any(is_question_word(scene.tokens[at].norm) for at in one.unexplained)


def _unclear(scene: Scene, one: Judged) -> Iterator[str]:
    return (scene.tokens[at].text for at in one.unexplained)
