"""Answers: what words mean while a question is open, as one of its choices, as the value it asks for, or as neither."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from kernel.asking import wording
from kernel.asking.ask import NO_PARAMETER, ask_for, difference
from kernel.asking.taken import is_the_place
from kernel.composition.build import once_for_each, only_reads, with_argument
from kernel.composition.filling.fillers import FREE_TEXT
from kernel.composition.profiles.profile import Box
from kernel.composition.scene import NUMBERS, Scene, bits
from kernel.composition.words import (
    DROPPED,
    is_contrast,
    is_fresh,
    is_light,
    is_negation,
    is_no,
    is_original,
    is_superlative,
    is_word,
    is_yes,
)
from kernel.context.world import World
from kernel.dialogue.answer_times import with_times
from kernel.dialogue.answer_value import asks, covers, value_said
from kernel.dialogue.choosing import Chosen, chosen, is_yes_or_no, several, words_in
from kernel.language.amounts.numbers import number_word
from kernel.language.answer_words import agrees, asks_about, leaves_open, offers, refuses_all, says_nothing_to_it
from kernel.language.function_words import is_function_word, is_question_word
from kernel.language.spelling import is_mended
from kernel.model import Constant, Decline, Plan, Question, ReferenceKind
from kernel.planning.plan_json import plan_from_json
from permissions.labels import Label, join
from skills.model import Parameter, Tool, ValueKind

K = ValueKind
_SHORT_ANSWER = 4
_NUMBERING = frozenset({"number", "option", "choice", "take"})
_WORD = re.compile(r"[^\W_]+")


def answer(
    scene: Scene, question: Question, box: Box, *, clear: bool, world: World | None = None
) -> Plan | Question | Decline | None:
    """Complete the open question's draft with the words, or None when they are a new request.

    ``clear`` says that the words make a sure plan of their own; then only an exact choice counts as an answer.
    ``world`` knows how old and how large the choices are.
    """
    words = words_of(scene)
    if not words:
        return None
    if question.values and not is_yes_or_no(question) and leaves_open(words, words_in(question.choices)):
        return None if clear else _again(question, box)
    by_choice = None if _is_asked(words) else _by_choice(scene, question, box, words, world)
    if by_choice is not None:
        return by_choice
    clear = clear and not _is_number(scene, question)  # who is asked for something wants no number worked out
    clear = clear and not _is_misspelt(scene) and not _is_bare_name(scene, question, box)
    if question.values and not clear and _says_no_more(scene, question, words):
        return _again(question, box)
    if drops(words) and not clear:
        return Decline(wording.say(question.draft.language, "dropped"))
    return None if question.parameter == NO_PARAMETER else _with_words(scene, question, box, words, clear=clear)


def _is_asked(words: list[str]) -> bool:
    """ "Which one is the newest?", "is the first one older?": about the choices, and none of them."""
    opens = asks_about(words) or (len(words) > 1 and is_question_word(words[0]))
    return opens and not offers(words)


def _by_choice(
    scene: Scene, question: Question, box: Box, words: list[str], world: World | None
) -> Plan | Question | Decline | None:
    place = picked(scene, question, words, box)
    if place is not None:
        return _with_choice(question, place, box, scene.intent.label)
    meant = chosen(scene, question, world)
    return None if meant is None else with_chosen(question, meant, box, scene.intent.label)


def _is_misspelt(scene: Scene) -> bool:
    """A word alone that is only read as a known one may as well be the name that was asked for: "Picturs"."""
    content = [token for token, free in zip(scene.tokens, scene.free, strict=True) if not free]
    return len(content) == 1 and is_mended(content[0])


def _is_bare_name(scene: Scene, question: Question, box: Box) -> bool:
    """A few words without a verb, where a title or a text is asked for: "old logo" is the new name, not a search."""
    if question.values or not question.parameter or asks(scene) or scene.hard:
        return False
    words = [at for at, free in enumerate(scene.free) if not free]
    verb = any(box.is_verb(scene.forms[at], scene.intent.language) for at in words[:1])
    language = scene.intent.language
    asked = all(
        is_superlative(scene.tokens[at].norm)
        or box.is_carrier(scene.forms[at], language)
        or box.is_choice(scene.forms[at], language)
        for at in words
    )  # "largest files" asks for something
    wanted = _parameter(question, box).type.kind
    return wanted in FREE_TEXT and 0 < len(words) <= _SHORT_ANSWER and not verb and not asked and not scene.pointing


def _says_no_more(scene: Scene, question: Question, words: list[str]) -> bool:
    """The words mean one of the choices, and do not say which: "y", a number that none has, "the original"."""
    original = any(map(is_original, words)) and len(words) <= _SHORT_ANSWER
    return original or all(map(is_yes, words)) or _is_number(scene, question)


def _with_words(
    scene: Scene, question: Question, box: Box, words: list[str], *, clear: bool
) -> Plan | Question | Decline | None:
    agrees = all(map(is_yes, words))
    timed = with_times(scene, question, _tool(question, box))
    if timed is not None:
        return lacking(timed, box) or timed
    if not question.values and says_nothing_to_it(words):
        return _again(question, box)
    value = None if agrees else value_said(scene, question, box, clear=clear)  # "y" is no title
    if value is not None:
        return _with_value(question, value, box)
    return _again(question, box) if agrees or _is_number(scene, question) else None


def _with_value(question: Question, value: Constant, box: Box) -> Plan | Question | Decline:
    task = next(one for one in question.draft.tasks if one.id == question.task)
    if is_the_place(task, box, question.parameter, value):
        return _again(question, box)
    return _complete(question, value, box, {})


def words_of(scene: Scene) -> list[str]:
    """Return the words of the sentence, without marks."""
    return [token.norm for token in scene.tokens if is_word(token)]


def _again(question: Question, box: Box) -> Question | Decline:
    """Ask once more, saying what is expected: the words do not say which choice, or name nothing of the kind.

    Who was asked so already is not asked a third time: then it is dropped.
    """
    language = question.draft.language
    if question.values:
        unclear, expected = "unclear", wording.say(language, "choose", count=len(question.values))
    else:
        parameter = _parameter(question, box)
        unclear, expected = "unnamed", wording.say(language, "name", noun=wording.noun(language, parameter))
    text = f"{wording.say(language, unclear)} {expected}"
    return Decline(wording.say(language, "dropped")) if text == question.text else replace(question, text=text)


def _parameter(question: Question, box: Box) -> Parameter:
    return _tool(question, box).parameter(question.parameter)


def _tool(question: Question, box: Box) -> Tool:
    return box.tool(next(one.tool for one in question.draft.tasks if one.id == question.task))


def picked(scene: Scene, question: Question, words: list[str], box: Box) -> int | None:
    """Return the number of the choice that the words pick: an ordinal, a number, yes, no, the choice's own words."""
    count = len(question.values)
    if not count:
        return None
    number = None if several(words, question) else _number(scene, words, question.draft.language)
    if number is not None and number != 0 and -count <= number <= count:
        return number - 1 if number > 0 else count + number
    if count == 1 and len(words) <= _SHORT_ANSWER and is_yes(words[0]):
        return 0
    if is_yes_or_no(question):
        return _yes_or_no(question, words)
    if question.values[-1] is None and all(refuses_all(word) or is_function_word(word) for word in words):
        return count - 1 if any(map(refuses_all, words)) else None
    either = _of_two(question, words, box)
    written = [token.text.casefold() for token in scene.tokens if is_word(token)]
    either = _named(question, written) if either is None else either
    return _named(question, words) if either is None else either


def _yes_or_no(question: Question, words: list[str]) -> int | None:
    """Yes or no, and nothing beside it that was not in the question: "yes, but only the first" is neither."""
    if is_yes(words[0]) and not any(map(is_negation, words)):
        known = set(_WORD.findall(question.text.casefold()))
        beside = (word for word in words[1:] if not (agrees(word) or is_light(word) or word in known))
        return 0 if all(map(is_function_word, beside)) and not any(map(is_contrast, words)) else None
    if is_no(words[0]) or refuses_all(words[0]):
        return 1 if len(words) <= _SHORT_ANSWER and all(is_no(one) or is_function_word(one) for one in words) else None
    return None


def _of_two(question: Question, words: list[str], box: Box) -> int | None:
    """ "The original", "the new one", or "the copy" in the words of the tool that made it."""
    if question.parameter != NO_PARAMETER or len(question.values) != 2 or None in question.values:
        return None
    plans = [plan_from_json(value) for value in question.values]
    doubt = difference(*plans)
    if doubt is None:
        return None
    said = [word for word in words if len(word) > 1 and not is_function_word(word)]
    maker = next(task for task in plans[0].tasks if task.id == doubt.maker)
    known = box.profile(maker.tool, question.draft.language).carriers
    if any(map(is_original, said)):
        return doubt.original if all(is_original(word) or word in known for word in said) else None
    return 1 - doubt.original if said and all(is_fresh(word) or word in known for word in said) else None


def _number(scene: Scene, words: list[str], language: str) -> int | None:
    if len(words) > 5:
        return None
    for one in scene.references:
        if one.kind is ReferenceKind.ORDINAL and one.ordinal:
            return one.ordinal
    if words[-1] == "one" and len(words) > 1 and words[-2] not in _NUMBERING:
        return None  # "the new one"
    numbers = [span.value for span in scene.spans if span.kind in NUMBERS and isinstance(span.value, int)]
    numbers += [one for one in [number_word(words[-1], language)] if one is not None]
    return numbers[0] if numbers and len(words) <= 3 else None


def _is_number(scene: Scene, question: Question) -> bool:
    """Tell whether the words are a number and nothing else."""
    words = words_of(scene)
    if len(words) == 1 and number_word(words[0], question.draft.language) is not None:
        return True
    return any(span.kind in NUMBERS and covers(scene, bits(span.first, span.last)) for span in scene.spans)


def _named(question: Question, words: list[str]) -> int | None:
    """The only choice that holds all content words of the answer."""
    said = [word for word in words if len(word) > 1 and not is_function_word(word)]
    texts = [choice.casefold() for choice in question.choices]
    for parts in ([set(_WORD.findall(text)) for text in texts], texts):
        hits = [number for number, part in enumerate(parts) if said and all(word in part for word in said)]
        if len(hits) == 1:
            return hits[0]
    return None


def _with_choice(question: Question, place: int, box: Box, said: Label) -> Plan | Question | Decline:
    value = question.values[place]
    if question.parameter == NO_PARAMETER:
        if value is None:
            return Decline(wording.say(question.draft.language, "dropped"))
        return replace(plan_from_json(value), score=1.0)
    kept = {"task": question.task, "parameter": question.parameter, "values": list(question.values),
            "choices": list(question.choices), "picked": place}  # fmt: skip
    constant = Constant(value, _label(question, said), question.choices[place])
    return _complete(question, constant, box, {"choice": kept})


def with_chosen(question: Question, meant: Chosen, box: Box, said: Label) -> Plan | Question | Decline:
    """Complete the draft with the choices that are meant; ask once more where that is not one, or cannot be several.

    ``said`` is the label of the words that choose.
    """
    if len(meant.places) == 1:
        return _with_choice(question, meant.places[0], box, said)
    if meant.any_will_do and only_reads(question.draft, box):
        return _with_choice(question, 0, box, said)
    if not meant.places or question.parameter == NO_PARAMETER:
        return _again(_narrowed(question, meant.among), box)
    return _with_several(question, meant.places, box, said)


def _narrowed(question: Question, among: tuple[int, ...]) -> Question:
    """The question about those that the words still leave: "the acme one", where two are of Acme."""
    if not 1 < len(among) < len(question.values):
        return question
    choices, values = tuple(question.choices[at] for at in among), tuple(question.values[at] for at in among)
    return replace(question, choices=choices, values=values)


def _with_several(question: Question, places: tuple[int, ...], box: Box, said: Label) -> Plan | Question | Decline:
    """All that were chosen: as one list where the parameter takes several, else a call for each of them."""
    label = _label(question, said)
    values = [question.values[at] for at in places]
    if _parameter(question, box).type.many:
        listed = [item for value in values for item in (value if isinstance(value, list) else [value])]
        text = ", ".join(question.choices[at] for at in places)
        return _complete(question, Constant(listed, label, text), box, {})
    if not only_reads(question.draft, box):
        return _again(question, box)
    constants = [Constant(question.values[at], label, question.choices[at]) for at in places]
    return once_for_each(question.draft, question.task, question.parameter, constants)


def _complete(question: Question, value: Constant, box: Box, why: Mapping[str, Any]) -> Plan | Question | Decline:
    """Put the value in; ask for the next one when another is missing."""
    draft = question.draft
    plan = with_argument(draft, question.task, question.parameter, value)
    plan = replace(plan, score=max(plan.score, 0.9), why={**plan.why, **why})
    return lacking(plan, box) or plan


def lacking(plan: Plan, box: Box) -> Question | None:
    """Ask for the first required value that ``plan`` does not have; None when it has all."""
    for task in plan.tasks:
        for parameter in box.tool(task.tool).parameters:
            if parameter.required and parameter.name not in task.arguments:
                return ask_for(plan, task.id, parameter.name, box)
    return None


def _label(question: Question, said: Label) -> Label:
    """A choice has the label of the words that pick it, and of those which it explains."""
    task = next(one for one in question.draft.tasks if one.id == question.task)
    held = task.arguments.get(question.parameter)
    return join([held.label, said]) if isinstance(held, Constant) else said


def drops(words: list[str]) -> bool:
    """Tell whether the words only take the request back."""
    return (len(words) <= 4 and is_no(words[0])) or tuple(words[:2]) in DROPPED
