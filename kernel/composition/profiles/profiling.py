"""From a manifest to a profile: the examples read one by one, and what is counted over them."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from itertools import pairwise
from types import MappingProxyType

from kernel.composition import weights as w
from kernel.composition.profiles.bare_units import mostly, percentages_in, without_units
from kernel.composition.profiles.choice_phrases import ordering_of, phrases_of
from kernel.composition.profiles.cues import FREE_TEXT, cues_of, note_contexts
from kernel.composition.profiles.profile import Profile
from kernel.composition.profiles.skeletons import Skeleton, elements_of, skeleton_of, without_courtesy
from kernel.composition.words import forms, is_determiner, is_free, is_light, is_particle
from kernel.language.excepting import is_excepting
from kernel.language.frame.framing import lead
from kernel.language.function_words import is_function_word, is_question_word
from kernel.language.kindred import kindred, kindred_verbs
from kernel.language.place.place_words import ANY_THING
from kernel.language.plain_words import in_german
from kernel.language.tokens import tokenize
from kernel.model import Token
from skills.model import Example, Parameter, Tool, ValueKind

_NAMED = re.compile(r"\{(\w+)")


def build_profile(
    tool: Tool, language: str, doc_weight: float, read: Callable[[str, str], tuple[Token, ...]] = tokenize
) -> Profile:
    """Read ``tool``'s manifest for ``language``; a tool without examples in it is read in every language it has.

    ``read`` makes the tokens of an example: of a person's own ones as their requests are read.
    """
    examples = [example for example in tool.examples if example.language == language] or list(tool.examples)
    skeletons: list[Skeleton] = []
    verbs: Counter[str] = Counter()
    words: set[str] = set()
    telling: set[str] = set()
    nouns: set[str] = set()
    left: dict[str, Counter[str]] = defaultdict(Counter)
    right: dict[str, Counter[str]] = defaultdict(Counter)
    values: dict[str, set[str]] = defaultdict(set)
    told: dict[str, set[tuple[str, ...]]] = defaultdict(set)
    percents: Counter[str] = Counter()
    for example in examples:
        tokens = read(example.text, example.language)
        elements = without_courtesy(elements_of(example, tokens))
        percents.update(percentages_in(elements))
        skeletons.append(skeleton_of(without_units(elements), tool))
        verbs.update(_verb(elements))
        words |= {form for element in elements if isinstance(element, Token) for form in forms(element)}
        telling |= _telling(elements, example.language)
        nouns |= _nouns(elements)
        note_contexts(elements, left, right)
        _gather(example, tokens, values, told)
    return Profile(
        tool, language, tuple(skeletons), cues_of(tool, left, right, len(examples)), verbs,
        MappingProxyType(_alike(verbs, language)),
        MappingProxyType(_vocabulary(tool, words, doc_weight, language)), MappingProxyType(phrases_of(tool, language)),
        MappingProxyType({name: frozenset(found) for name, found in values.items()}),
        frozenset[str]().union(*values.values()),
        MappingProxyType({name: frozenset(found) for name, found in told.items()}),
        frozenset(word for word in words if not is_function_word(word)),
        frozenset(telling if examples else _deeds(tool)),
        frozenset(nouns),
        _announcers(tool, left, verbs),
        any(one.elements and is_question_word(one.elements[0]) for one in skeletons),
        _count_of(tool), ordering_of(tool, language), mostly(percents, [one.elements for one in skeletons]),
        _makes(tool), MappingProxyType(_left_out(tool, left)),
    )  # fmt: skip


def _gather(
    example: Example,
    tokens: tuple[Token, ...],
    values: dict[str, set[str]],
    told: dict[str, set[tuple[str, ...]]],
) -> None:
    for slot in example.slots:
        inside = [token for token in tokens if token.start < slot.end and slot.start < token.end]
        content = [token for token in inside if not is_free(token)]
        if inside and not content:
            told[slot.parameter].add(tuple(token.norm for token in inside))
        for token in content:
            values[slot.parameter].update(forms(token))


def _nouns(elements: list[Token | str]) -> set[str]:
    pairs = [(one, two) for one, two in pairwise(elements) if isinstance(one, Token) and isinstance(two, Token)]
    return {form for one, two in pairs if is_determiner(one.norm) for form in forms(two)}


def _verb(elements: list[Token | str]) -> set[str]:
    words = [element.norm if isinstance(element, Token) else "" for element in elements]
    start = lead(words)
    if start >= len(elements):
        return set()
    first = elements[start]
    if isinstance(first, str) or is_function_word(first.norm) or is_question_word(first.norm):
        return set()
    return set(forms(first))


def _alike(verbs: Counter[str], language: str) -> dict[str, str]:
    """The words that mean the same as one of ``verbs``, with the one that most examples begin with."""
    found: dict[str, str] = {}
    for verb, _ in verbs.most_common():
        for word in sorted(kindred_verbs((verb,), language) - verbs.keys()):
            found.setdefault(word, verb)
    return found


def _telling(elements: list[Token | str], language: str) -> set[str]:
    tokens = [one for one in elements if isinstance(one, Token)]
    words = [one for one in tokens if not is_function_word(one.norm, language) or is_particle(one.norm)]
    plain = [one for one in words if not is_light(one.norm) and one.norm not in ANY_THING]
    return {form for one in plain or words for form in forms(one)}


def _deeds(tool: Tool) -> set[str]:
    """What a tool without examples says that it does: the verb of its name, and the one of its description."""
    said = (tool.function.replace("_", " "), tool.summary.lower())
    verbs = {form for text in said for token in tokenize(text, "en")[:1] for form in forms(token)}
    alike = verbs | kindred_verbs(verbs, "en")
    return alike.union(*map(in_german, alike))


def _announcers(tool: Tool, left: Mapping[str, Counter[str]], verbs: Counter[str]) -> frozenset[str]:
    names = {parameter.name for parameter in tool.parameters if parameter.type.kind in FREE_TEXT}
    words = {word for name in names for word in left.get(name, ()) if word.isalpha() and not is_function_word(word)}
    return frozenset(word for word in words if not verbs.get(word))


def _vocabulary(tool: Tool, words: set[str], doc_weight: float, language: str) -> dict[str, float]:
    texts = [tool.summary, *(parameter.doc for parameter in tool.parameters)]
    names = [tool.function, tool.skill, *(parameter.name for parameter in tool.parameters)]
    line = " ".join([*texts, *(name.replace("_", " ").replace("-", " ") for name in names)])
    found = {form: doc_weight for token in tokenize(line, "en") if not is_free(token) for form in forms(token)}
    found.update({word: w.KINDRED for word in kindred(words, language) if found.get(word, 0.0) < w.KINDRED})
    found.update(dict.fromkeys(words, 1.0))
    return found


def _count_of(tool: Tool) -> str:
    """The only whole-number parameter of a tool with many results says how many are wanted."""
    if not (tool.result.many or tool.result.kind is ValueKind.TABLE):
        return ""
    whole = [parameter.name for parameter in tool.parameters if parameter.type.kind is ValueKind.INTEGER]
    return whole[0] if len(whole) == 1 else ""


def _left_out(tool: Tool, left: Mapping[str, Counter[str]]) -> dict[str, str]:
    """The parameters whose slots stand behind "except" and nowhere else, each with the one that means such values."""
    found = {}
    for one in tool.parameters:
        like = (other.name for other in tool.parameters if other.name != one.name and _means_alike(one, other))
        if left.get(one.name) and all(map(is_excepting, left[one.name])) and (name := next(like, "")):
            found[one.name] = name
    return found


def _means_alike(one: Parameter, other: Parameter) -> bool:
    return one.type.kind is other.type.kind and one.type.choices == other.type.choices


def _makes(tool: Tool) -> frozenset[str]:
    named = {
        action: {one for right in tool.rights if right.action == action for one in _NAMED.findall(right.scope)}
        for action in ("fs.create", "fs.delete")
    }
    return frozenset(named["fs.create"] - named["fs.delete"])
