"""A question between plans that a part of a sentence has, as one between plans of the whole sentence.

What this stops: a choice that is about the part alone, and so passes over what the rest of the sentence says: under
which condition it is done, for each of what, after what, and what is done otherwise. A choice with which the whole
cannot be done is not offered. Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from kernel.asking.ask import in_words
from kernel.composition.profiles.profile import Box
from kernel.model import Decline, Plan, Proposal, Question
from kernel.planning.compound_words import say
from kernel.planning.plan_json import plan_from_json, plan_to_json


def between_wholes(asked: Question, whole: Callable[[int], Proposal | None], box: Box) -> Question | Decline:
    """Return ``asked``, whose choices are plans of a part, with what ``whole`` makes of each of them (by its number).

    A Decline where none of them is a plan of the whole; "no" stays "no".
    """
    parts = {at: plan_from_json(value) for at, value in enumerate(asked.values) if isinstance(value, Mapping)}
    found = {at: whole(at) for at in parts}
    plans = {at: one for at, one in found.items() if isinstance(one, Plan)}
    if not plans:
        declined = (one for one in found.values() if isinstance(one, Decline))
        return next(declined, Decline(say(asked.draft.language, "unfit")))
    said = {at: (in_words(parts[at], box), in_words(plan, box)) for at, plan in plans.items()}
    kept = [at for at in range(len(asked.values)) if at in plans or at not in parts]
    return replace(
        asked,
        text=_in_other_words(asked.text, next((one for one in said.values() if one[0] in asked.text), ("", ""))),
        choices=tuple(_in_other_words(asked.choices[at], said.get(at, ("", ""))) for at in kept),
        values=tuple(plan_to_json(plans[at]) if at in plans else asked.values[at] for at in kept),
    )


def _in_other_words(text: str, said: tuple[str, str]) -> str:
    """The text with the words for the whole where it has those for the part."""
    part, whole = said
    return text.replace(part, whole) if part else text
