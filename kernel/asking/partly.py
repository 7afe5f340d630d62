"""Several requests in one sentence of which one cannot be done: "order me a pizza and show me the largest files".

What this stops: that the whole is refused, or that the odd words are pressed into the other request. The person is told
what cannot be done, and asked whether the rest is wanted. What it does not: leave out words that limit the rest ("but
not the large ones", a date, a "them"), or do anything unasked.
"""

from __future__ import annotations

from collections.abc import Sequence

from kernel.asking import wording
from kernel.asking.ask import NO_PARAMETER, in_words
from kernel.asking.harm import does_harm
from kernel.asking.taken import is_absent, plan_takes_away
from kernel.composition.build import Judged
from kernel.composition.fit import Step
from kernel.composition.profiles.profile import Box
from kernel.composition.scene import Scene
from kernel.composition.validate import validate
from kernel.composition.weights import OFFER_NEAR
from kernel.composition.words import is_third_person
from kernel.model import Plan, Proposal, Question
from kernel.planning.plan_json import plan_to_json

_LIKE = 0.6
"""Similarity to an example from which a request is plainly one of its own."""

_ODD_STEP = 3.0
"""Cost from which a call hardly means the words that it was read from."""


def is_oddly_read(scene: Scene, best: Judged | None, first: int, last: int) -> bool:
    """Tell whether the words [first, last) have no likely reading of their own, or their verb has none."""
    verb = next((at for at in range(first, last) if scene.words[at] and not scene.free[at]), first)
    if best is None or verb in best.unexplained:
        return True
    over = [step for step in best.draft.steps if step.first < last and first < step.last]
    return not over or all(step.cost >= _ODD_STEP for step in over)


def partly(scene: Scene, judged: Sequence[Judged], best: Judged | None, asked: Proposal, box: Box) -> Question | None:
    """Ask whether the rest is wanted, for the cheapest of ``judged`` that leaves one request out and is sure of it.

    Where ``asked`` offers the ``best`` reading, whose call for it is near an example, that is a choice behind it.
    """
    for one in judged:
        if one.draft.left is not None and _is_whole(scene, one, box) and is_oddly_read(scene, best, *one.draft.left):
            near = best is not None and _is_near(best, *one.draft.left) and _is_offered(best.plan, asked)
            return _among(scene, one, best.plan, box) if best is not None and near else _ask(scene, one, box)
    return None


def _is_near(best: Judged, first: int, last: int) -> bool:
    over = [step for step in best.draft.steps if step.first < last and first < step.last and not step.described]
    return len(over) > 0 and all(step.similarity >= OFFER_NEAR for step in over)


def _is_offered(plan: Plan, asked: Proposal) -> bool:
    return isinstance(asked, Question) and asked.parameter == NO_PARAMETER and plan_to_json(plan) in asked.values


def _among(scene: Scene, one: Judged, whole: Plan, box: Box) -> Question:
    plans, language = [one.plan, whole], one.plan.language
    text = wording.say(language, "partly_or", words=_left(scene, one))
    choices = (*(in_words(plan, box) for plan in plans), wording.say(language, "none"))
    values = (*map(plan_to_json, plans), None)
    return Question(text, one.plan.tasks[0].id, NO_PARAMETER, one.plan, choices, values)


def _is_whole(scene: Scene, one: Judged, box: Box) -> bool:
    if not one.may_act or validate(one.plan, box) or is_absent(one) or does_harm(scene, one, box):
        return False
    if any(filler.others or filler.missing for step in one.draft.steps for filler in step.fillers):
        return False
    return not plan_takes_away(one.plan, box) and all(_stands_alone(scene, step) for step in one.draft.steps)


def _stands_alone(scene: Scene, step: Step) -> bool:
    """It is much like an example, and speaks of nobody and nothing that the other request may have named."""
    words = (scene.tokens[at].norm for at in range(step.first, step.last))
    return step.described or (step.similarity >= _LIKE and not any(map(is_third_person, words)))


def _ask(scene: Scene, one: Judged, box: Box) -> Question:
    plan, language = one.plan, one.plan.language
    text = wording.say(language, "partly", words=_left(scene, one), plan=in_words(plan, box))
    choices = (wording.say(language, "yes"), wording.say(language, "no"))
    return Question(text, plan.tasks[0].id, NO_PARAMETER, plan, choices, (plan_to_json(plan), None))


def _left(scene: Scene, one: Judged) -> str:
    words = scene.text(*one.draft.left) if one.draft.left is not None else ""
    return words.strip(" ,;.!?")
