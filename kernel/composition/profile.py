"""What a tool's manifest teaches, computed once: example skeletons, words around slots, vocabulary, choice words."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from types import MappingProxyType
from typing import Protocol

from kernel.composition import weights as w
from kernel.composition.bare_units import mostly, percentages_in, without_units
from kernel.composition.words import (
    forms,
    is_cue,
    is_determiner,
    is_free,
    is_idle,
    is_indefinite,
    is_light,
    is_particle,
    is_superlative,
    is_word,
    said,
)
from kernel.language.framing import lead
from kernel.language.function_words import is_function_word, is_question_word
from kernel.language.kindred import kindred
from kernel.language.place_words import ANY_THING
from kernel.language.tokens import tokenize
from kernel.model import Token
from skills.model import EffectClass, Example, Parameter, Tool, ToolId, ValueKind

_NAMED = re.compile(r"\{(\w+)")
START, AFTER_ARTICLE, END = "^", "^the", "$"


@dataclass(frozen=True, slots=True)
class Skeleton:
    """An example whose slots have become ``<parameter>``; ``features`` are its words, slots and neighbour pairs."""

    elements: tuple[str, ...]
    features: frozenset[str]
    content: frozenset[str]  # its content words
    kinds: frozenset[ValueKind]


@dataclass(frozen=True, slots=True)
class Cues:
    """Which words stand left and right of each parameter's slot, as shares among the parameters that compete.

    Only parameters that take values of one family (free text, or one kind) compete: a choice never takes a title.
    """

    left: Mapping[str, Mapping[str, float]]  # parameter -> word -> how surely the word announces it
    right: Mapping[str, Mapping[str, float]]
    openings: Mapping[str, Mapping[str, int]]  # parameter -> how many examples begin with its slot
    examples: int

    def share_left(self, parameter: str, words: Iterable[str]) -> float | None:
        """Return how surely one of ``words`` on the left announces ``parameter``; None when the tool never saw it."""
        table = self.left.get(parameter)
        best: float | None = None
        for word in words:
            if word in (START, AFTER_ARTICLE):
                return self._opening(parameter, words)
            share = table.get(word) if table else None
            if share is not None and (best is None or share > best):
                best = share
        return best

    def share_right(self, parameter: str, words: Iterable[str]) -> float | None:
        """Return how surely one of ``words`` on the right ends ``parameter``; None when the tool never saw it."""
        table = self.right.get(parameter)
        found = [share for word in words if (share := table.get(word)) is not None] if table else []
        return max(found, default=None)

    def _opening(self, parameter: str, words: Iterable[str]) -> float:
        """At the edge of a clause what counts is how often examples begin with the slot at all."""
        own = self.openings.get(parameter, {})
        count = sum(own.get(word, 0) for word in words)
        return min(1.0, 3.0 * count / max(self.examples, 1))


@dataclass(frozen=True, slots=True)
class ChoicePhrase:
    """Words that mean one choice of one parameter: a tuple of sets of forms."""

    words: tuple[frozenset[str], ...]
    parameter: str
    choice: str


@dataclass(frozen=True, slots=True)
class Profile:
    """One tool in one language."""

    tool: Tool
    language: str
    skeletons: tuple[Skeleton, ...]
    cues: Cues
    verbs: Counter[str]  # how often each form begins an example
    vocabulary: Mapping[str, float]  # form -> how far it explains a token, 0..1
    phrases: Mapping[str, tuple[ChoicePhrase, ...]]  # by every form of the first word
    values: Mapping[str, frozenset[str]]  # forms of the words that stood in each parameter's slots
    seen: frozenset[str]  # the same of all parameters
    told: Mapping[str, frozenset[tuple[str, ...]]]  # the values of closed-class words alone: "by when"
    carriers: frozenset[str]  # content words of the examples, outside their slots
    telling: frozenset[str]  # those that say what the tool does; a framing verb only where an example has no other
    nouns: frozenset[str]  # those that stand behind an article somewhere: what the tool is about
    announcers: frozenset[str]  # content words right before a slot of free text that begin no example
    asks: bool  # some example is a question
    count: str  # the parameter that limits a result of many, "" when there is none
    ordering: frozenset[str]  # choice parameters whose words pick an extreme
    percentages: frozenset[str]  # numbers behind which the examples say "percent"
    makes: frozenset[str]  # folders that need not be there: things are put into them, and nothing of theirs goes

    @property
    def is_pure(self) -> bool:
        """Tell whether the tool only reads."""
        return self.tool.effect is EffectClass.PURE

    def removes(self, name: str) -> bool:
        """Tell whether what the parameter names is no longer there after a call."""
        return any(right.action == "fs.delete" and right.scope == f"{{{name}}}" for right in self.tool.rights)

    @property
    def destroys(self) -> bool:
        """Tell whether what a call takes away is gone afterwards, and not only called otherwise or elsewhere."""
        actions = {right.action for right in self.tool.rights}
        return "fs.delete" in actions and "fs.create" not in actions

    @property
    def takes_patterns(self) -> bool:
        """Tell whether some example has a pattern of file names for a value."""
        return any("*" in word for word in self.seen)

    def parameter(self, name: str) -> Parameter:
        """Return the parameter called ``name``. Raises KeyError."""
        return self.tool.parameter(name)


class Box(Protocol):
    """What composition needs of a toolbox."""

    def profile(self, tool: ToolId, language: str) -> Profile: ...
    def idf(self, feature: str, language: str) -> float: ...
    def weights(self, language: str) -> Mapping[str, float]: ...
    def masses(self, profile: Profile) -> tuple[float, ...]: ...
    def shared(self, profile: Profile, features: Iterable[str]) -> Mapping[int, float]: ...
    def is_verb(self, words: Iterable[str], language: str) -> bool: ...
    def verb_count(self, words: Iterable[str], language: str) -> int: ...
    def is_choice(self, words: Iterable[str], language: str) -> bool: ...
    def is_carrier(self, words: Iterable[str], language: str) -> bool: ...
    def producers(self, kind: ValueKind) -> frozenset[ToolId]: ...
    def knows(self, tool: ToolId) -> bool: ...
    def tool(self, tool: ToolId) -> Tool: ...


def build_profile(tool: Tool, language: str, doc_weight: float) -> Profile:
    """Read ``tool``'s manifest for ``language``; a tool without examples in it is read in every language it has."""
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
        tokens = tokenize(example.text, example.language)
        elements = _without_courtesy(_elements(example, tokens))
        percents.update(percentages_in(elements))
        skeletons.append(_skeleton(without_units(elements), tool))
        verbs.update(_verb(elements))
        words |= {form for element in elements if isinstance(element, Token) for form in forms(element)}
        telling |= _telling(elements, example.language)
        nouns |= _nouns(elements)
        _contexts(elements, left, right)
        _gather(example, tokens, values, told)
    return Profile(
        tool, language, tuple(skeletons), _cues(tool, left, right, len(examples)), verbs,
        MappingProxyType(_vocabulary(tool, words, doc_weight, language)), MappingProxyType(_phrases(tool, language)),
        MappingProxyType({name: frozenset(found) for name, found in values.items()}),
        frozenset[str]().union(*values.values()),
        MappingProxyType({name: frozenset(found) for name, found in told.items()}),
        frozenset(word for word in words if not is_function_word(word)), frozenset(telling),
        frozenset(nouns),
        _announcers(tool, left, verbs),
        any(one.elements and is_question_word(one.elements[0]) for one in skeletons),
        _count_of(tool), _ordering(tool, language), mostly(percents, [one.elements for one in skeletons]), _makes(tool),
    )  # fmt: skip


def _elements(example: Example, tokens: tuple[Token, ...]) -> list[Token | str]:
    """The example as tokens, with the tokens of each slot collapsed into ``<parameter>``."""
    found: list[Token | str] = []
    for token in tokens:
        slot = next((slot for slot in example.slots if token.start < slot.end and slot.start < token.end), None)
        if slot is None:
            found.append(token)
        elif not found or found[-1] != f"<{slot.parameter}>":
            found.append(f"<{slot.parameter}>")
    return found


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


def _without_courtesy(elements: list[Token | str]) -> list[Token | str]:
    start = lead([element.norm if isinstance(element, Token) else "" for element in elements])
    return elements[start:] if start < len(elements) else elements


def key_of(token: Token) -> str:
    """Return the form of a word that features are made of: its lemma."""
    return token.lemma.casefold()


def features_of(elements: Iterable[str]) -> frozenset[str]:
    """Return words, slots and pairs of neighbours of a skeleton."""
    line = [START, *elements, END]
    return frozenset([*line[1:-1], *(f"{one} {two}" for one, two in pairwise(line))])


def articles_of(tokens: Iterable[Token | str]) -> frozenset[str]:
    """Return "a note" or "the note" for every noun with a determiner: something new or something known."""
    found = set()
    before: Token | str = ""
    for token in tokens:
        if isinstance(before, Token) and isinstance(token, Token) and is_determiner(before.norm) and not is_idle(token):
            found.add(f"{'a' if is_indefinite(before.norm) else 'the'} {key_of(token)}")
        before = token
    return frozenset(found)


def _skeleton(elements: list[Token | str], tool: Tool) -> Skeleton:
    line = tuple(element if isinstance(element, str) else said(element) for element in elements if _counts(element))
    names = {element[1:-1] for element in line if element.startswith("<")}
    kinds = frozenset(parameter.type.kind for parameter in tool.parameters if parameter.name in names)
    content = frozenset(one for at, one in enumerate(line) if _is_told(line, at))
    return Skeleton(line, features_of(line) | articles_of(elements), content, kinds)


def _is_told(line: tuple[str, ...], at: int) -> bool:
    """A content word that the example needs: not one that only announces the next slot ("called", "about")."""
    if line[at].startswith("<") or is_function_word(line[at]):
        return False
    return at == 0 or at + 1 >= len(line) or not line[at + 1].startswith("<")


def _nouns(elements: list[Token | str]) -> set[str]:
    pairs = [(one, two) for one, two in pairwise(elements) if isinstance(one, Token) and isinstance(two, Token)]
    return {form for one, two in pairs if is_determiner(one.norm) for form in forms(two)}


def _counts(element: Token | str) -> bool:
    """Marks, determiners and the speakers say nothing about which tool is meant."""
    return isinstance(element, str) or not is_idle(element)


def _verb(elements: list[Token | str]) -> set[str]:
    words = [element.norm if isinstance(element, Token) else "" for element in elements]
    start = lead(words)
    if start >= len(elements):
        return set()
    first = elements[start]
    if isinstance(first, str) or is_function_word(first.norm) or is_question_word(first.norm):
        return set()
    return set(forms(first))


def _telling(elements: list[Token | str], language: str) -> set[str]:
    tokens = [one for one in elements if isinstance(one, Token)]
    words = [one for one in tokens if not is_function_word(one.norm, language) or is_particle(one.norm)]
    plain = [one for one in words if not is_light(one.norm) and one.norm not in ANY_THING]
    return {form for one in plain or words for form in forms(one)}


def _contexts(elements: list[Token | str], left: dict[str, Counter[str]], right: dict[str, Counter[str]]) -> None:
    line = [element for element in elements if isinstance(element, str) or is_cue(element)]
    for index, element in enumerate(line):
        if not isinstance(element, str):
            continue
        name = element[1:-1]
        before = index - 1
        while before >= 0 and isinstance(line[before], Token) and is_determiner(line[before].norm):  # type: ignore[union-attr]
            before -= 1
        opening = START if before == index - 1 else AFTER_ARTICLE
        left[name][_context(line[before] if before >= 0 else opening)] += 1
        right[name][_context(line[index + 1] if index + 1 < len(line) else END)] += 1


def _context(element: Token | str) -> str:
    return element if isinstance(element, str) else key_of(element)


_FREE_TEXT = frozenset({ValueKind.TEXT, ValueKind.TITLE, ValueKind.QUERY, ValueKind.COLUMN, ValueKind.UNIT})


def _announcers(tool: Tool, left: Mapping[str, Counter[str]], verbs: Counter[str]) -> frozenset[str]:
    names = {parameter.name for parameter in tool.parameters if parameter.type.kind in _FREE_TEXT}
    words = {word for name in names for word in left.get(name, ()) if word.isalpha() and not is_function_word(word)}
    return frozenset(word for word in words if not verbs.get(word))


def _cues(tool: Tool, left: Mapping[str, Counter[str]], right: Mapping[str, Counter[str]], examples: int) -> Cues:
    families = {
        parameter.name: "text" if parameter.type.kind in _FREE_TEXT else str(parameter.type.kind)
        for parameter in tool.parameters
    }
    rivals = {
        name: tuple(other for other, kind in families.items() if other != name and kind == family)
        for name, family in families.items()
    }
    edges = {
        name: MappingProxyType({edge: counts[edge] for edge in (START, AFTER_ARTICLE)}) for name, counts in left.items()
    }
    return Cues(_shares(left, rivals), _shares(right, rivals), MappingProxyType(edges), examples)


def _shares(
    sides: Mapping[str, Counter[str]], rivals: Mapping[str, tuple[str, ...]]
) -> Mapping[str, Mapping[str, float]]:
    """For each parameter and each word beside it or beside a rival: the parameter's share of the occurrences."""
    found: dict[str, Mapping[str, float]] = {}
    for name, others in rivals.items():
        total: Counter[str] = Counter(sides.get(name, Counter()))
        for other in others:
            total.update(sides.get(other, Counter()))
        own = sides.get(name, Counter())
        found[name] = MappingProxyType({word: own[word] / count for word, count in total.items() if count})
    return MappingProxyType(found)


def _vocabulary(tool: Tool, words: set[str], doc_weight: float, language: str) -> dict[str, float]:
    texts = [tool.summary, *(parameter.doc for parameter in tool.parameters)]
    names = [tool.function, tool.skill, *(parameter.name for parameter in tool.parameters)]
    line = " ".join([*texts, *(name.replace("_", " ").replace("-", " ") for name in names)])
    found = {form: doc_weight for token in tokenize(line, "en") if not is_free(token) for form in forms(token)}
    found.update({word: w.KINDRED for word in kindred(words, language) if found.get(word, 0.0) < w.KINDRED})
    found.update(dict.fromkeys(words, 1.0))
    return found


def _phrases(tool: Tool, language: str) -> dict[str, tuple[ChoicePhrase, ...]]:
    found: dict[str, list[ChoicePhrase]] = defaultdict(list)
    for parameter in tool.parameters:
        for choice, by_language in parameter.words.items():
            texts = by_language.get(language) or tuple(word for words in by_language.values() for word in words)
            for text in texts or [choice]:
                _add_phrase(found, text, language, parameter.name, choice)
    return {word: tuple(dict.fromkeys(phrases)) for word, phrases in found.items()}


def _add_phrase(found: dict[str, list[ChoicePhrase]], text: str, language: str, parameter: str, choice: str) -> None:
    tokens = [token for token in tokenize(text.replace("_", " "), language) if is_word(token)]
    if not tokens:
        return
    phrase = ChoicePhrase(tuple(frozenset(forms(token)) for token in tokens), parameter, choice)
    for form in phrase.words[0]:
        found[form].append(phrase)


def _count_of(tool: Tool) -> str:
    """The only whole-number parameter of a tool with many results says how many are wanted."""
    if not (tool.result.many or tool.result.kind is ValueKind.TABLE):
        return ""
    whole = [parameter.name for parameter in tool.parameters if parameter.type.kind is ValueKind.INTEGER]
    return whole[0] if len(whole) == 1 else ""


def _makes(tool: Tool) -> frozenset[str]:
    named = {
        action: {one for right in tool.rights if right.action == action for one in _NAMED.findall(right.scope)}
        for action in ("fs.create", "fs.delete")
    }
    return frozenset(named["fs.create"] - named["fs.delete"])


def _ordering(tool: Tool, language: str) -> frozenset[str]:
    found = set()
    for parameter in tool.parameters:
        extremes = sum(any(map(is_superlative, _words_of(parameter, choice, language))) for choice in parameter.words)
        if extremes * 2 >= len(parameter.words) > 0:
            found.add(parameter.name)
    return frozenset(found)


def _words_of(parameter: Parameter, choice: str, language: str) -> list[str]:
    by_language = parameter.words[choice]
    phrases = by_language.get(language) or tuple(word for words in by_language.values() for word in words)
    return [word for phrase in phrases for word in phrase.casefold().split()]
