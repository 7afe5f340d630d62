"""A sentence with deeds by their names among its clauses: each is put in as it was kept, or the sentence is refused.

What this stops: a name that stands as a clause ("tidy and list the files in Backup") being read as some other deed, or
passed over. What it does not: tell whether a name is meant as a value ("make a note groceries and tidy"): it asks.
"""

from __future__ import annotations

from collections.abc import Callable

from kernel.asking.ask import NO_PARAMETER, in_words
from kernel.composition.profiles.profile import Box
from kernel.context.dialogue import Dialogue
from kernel.context.named import NamedDeeds
from kernel.model import Constant, Decline, Plan, Proposal, Question
from kernel.planning.compound import propose_compound
from kernel.planning.compound_words import say
from kernel.planning.plan_json import plan_to_json
from kernel.planning.reading_once import Read


def with_named(
    text: str, language: str, named: NamedDeeds, read: Read, box: Box, around: Dialogue, plain: Callable[[], Proposal]
) -> Proposal | None:  # fmt: skip
    """Return what a sentence with named deeds comes to; None where none stands in it.

    ``read`` plans a part, ``plain`` the whole without knowing a name.
    """
    names = named.mentioned(text)
    if not names:
        return None

    def part(words: str, told: Dialogue) -> Proposal:
        if named.called(words):
            return named.planned(words, language, told) or named.refusal(names, language)
        inner = with_named(words, language, named, read, box, told, lambda: read(words, told))
        return inner or read(words, told)

    found = propose_compound(text, language, part, box, around, named)
    draft = found.draft if isinstance(found, Question) else found if isinstance(found, Plan) else None
    if draft is None or not {str(one["name"]) for one in draft.steps}.issuperset(names):
        said_why = isinstance(found, Decline) and any(name in found.text for name in names)
        return found if said_why else named.refusal(names, language)
    other = plain()
    if not _is_value(names, other):
        return found
    if isinstance(found, Plan) and isinstance(other, Plan):
        return _either(found, other, names, box)
    return named.refusal(names, language)


def _is_value(names: tuple[str, ...], other: Proposal) -> bool:
    """Tell whether names are words of a value in what the sentence comes to without them."""
    plan = other.draft if isinstance(other, Question) else other if isinstance(other, Plan) else None
    tasks = plan.tasks if plan is not None else ()
    given = [one.text.casefold() for task in tasks for one in task.arguments.values() if isinstance(one, Constant)]
    return any(name.casefold() in text for name in names for text in given)


def _either(done: Plan, other: Plan, names: tuple[str, ...], box: Box) -> Question:
    name = "”, “".join(names)
    choices = (say(done.language, "as_deed").format(name=name), in_words(other, box))
    values = (plan_to_json(done), plan_to_json(other))
    text = say(done.language, "deed_or_value").format(name=name)
    return Question(text, done.tasks[0].id, NO_PARAMETER, done, choices, values)
