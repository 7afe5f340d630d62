"""A person's own examples laid over what the manifests teach: the toolbox that reads both.

What this stops: that a word which one confirmed request happened to hold is passed over everywhere. It explains itself
only where the rest of that request is said too; elsewhere it counts half until a second request has it. Values of own
examples teach nothing: what somebody once looked for is no word of the tool.
What it does not: touch what is kept of the manifests (decision 27). Nothing here is written anywhere.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from kernel.composition.profiles.cues import Cues
from kernel.composition.profiles.profile import Profile
from kernel.composition.profiles.profiling import build_profile
from kernel.composition.profiles.skeletons import Skeleton
from kernel.composition.words import FRAME, is_pronoun
from kernel.context.examples import Examples
from kernel.context.lessons import Lessons, Nearest, form_weight
from kernel.context.toolbox import LANGUAGES, Toolbox
from kernel.language.function_words import is_function_word
from kernel.learning.model import Clause
from kernel.model import Token
from skills.model import Example, Tool, ToolId, ValueKind

OWN_WORD = 0.6
"""How far a word of one own example explains a token where the rest of that example is not said."""

KNOWN_FROM = 0.9
"""Similarity to an example of the manifest from which an own one of the same words teaches nothing."""

MOST_A_TOOL = 20
"""So many of the latest own examples of a tool count, in each language."""

Read = Callable[[str, str], tuple[Token, ...]]
"""Tokens of a text in a language, as a request is read."""


@dataclass(frozen=True, slots=True)
class Overlay:
    """What own examples add: profiles of the tools that have some, and lessons of every language."""

    profiles: Mapping[tuple[ToolId, str], Profile]
    lessons: Mapping[str, Lessons]
    count: int

    def over(self, base: Toolbox) -> Toolbox:
        """Return ``base`` with the own examples; its shelf stays."""
        return base.with_lessons(_Laid(base.profiles, self.profiles), self.lessons)


class _Laid(dict[tuple[ToolId, str], Profile]):
    """Own profiles, and below them those of the manifests, which are made when they are asked for."""

    def __init__(self, base: Mapping[tuple[ToolId, str], Profile], own: Mapping[tuple[ToolId, str], Profile]) -> None:
        super().__init__(own)
        self._base = base

    def __missing__(self, key: tuple[ToolId, str]) -> Profile:
        return self._base[key]


def overlay(base: Toolbox, clauses: Iterable[Clause], read: Read) -> Overlay | None:
    """Return what ``clauses``, oldest first, teach beside the manifests; None where they teach nothing new."""
    own = _latest(base, clauses)
    profiles: dict[tuple[ToolId, str], Profile] = {}
    skeletons: dict[str, dict[ToolId, tuple[Skeleton, ...]]] = defaultdict(dict)
    for (tool, language), examples in own.items():
        shipped = base.profile(tool, language)
        told = _profile_of(base.tool(tool), language, examples, read)
        new = _new_skeletons(base, shipped, told)
        if new:
            profiles[tool, language] = _joined(base, shipped, told, new)
            skeletons[language][tool] = new
    if not profiles:
        return None
    lessons = dict(base.lessons)
    for language, added in skeletons.items():
        mine = [one for (_, spoken), one in profiles.items() if spoken == language]
        lessons[language] = _lessons(base.lessons[language], mine, added)
    return Overlay(profiles, lessons, sum(len(one) for added in skeletons.values() for one in added.values()))


def _latest(base: Toolbox, clauses: Iterable[Clause]) -> dict[tuple[ToolId, str], list[Example]]:
    """The latest examples of every tool that is here and still has the parameters, each sentence once."""
    found: dict[tuple[ToolId, str], dict[str, Example]] = defaultdict(dict)
    for one in clauses:
        language = one.example.language
        if base.knows(one.tool) and language in LANGUAGES and _fits(base.tool(one.tool), one.example):
            own = found[one.tool, language]
            own.pop(one.example.text, None)
            own[one.example.text] = one.example
    return {key: list(own.values())[-MOST_A_TOOL:] for key, own in found.items()}


def _fits(tool: Tool, example: Example) -> bool:
    names = {one.name for one in tool.parameters}
    return all(slot.parameter in names for slot in example.slots)


def _profile_of(tool: Tool, language: str, examples: Sequence[Example], read: Read) -> Profile:
    return build_profile(replace(tool, examples=tuple(examples)), language, 0.0, read)


def _new_skeletons(base: Toolbox, shipped: Profile, told: Profile) -> tuple[Skeleton, ...]:
    """What teaches something: a word, a word that points, or another order than an example of the manifest has.

    A word that points is explained by own examples alone. A bare slot would say nothing.
    """
    new = {one.elements: one for one in told.skeletons if one.content and not _is_known(base, shipped, one)}
    return tuple(replace(one, own=True) for one in new.values())


def _is_known(base: Toolbox, shipped: Profile, one: Skeleton) -> bool:
    if not base.speaks(shipped.tool.id, shipped.language):
        return False  # the manifest's examples are of another language
    words = [word for word in one.elements if not word.startswith("<")]
    if one.pointing or any(map(is_pronoun, words)):
        return False
    if all(one.elements[0] != other.elements[0] for other in shipped.skeletons if other.elements):
        return False  # nothing of the manifest begins so
    if any(shipped.vocabulary.get(word, 0.0) < 1.0 for word in words if word != FRAME):
        return False
    masses, mass = base.masses(shipped), sum(base.idf(feature, shipped.language) for feature in one.features)
    shared = base.shared(shipped, one.features)
    return any(2.0 * weight / (mass + masses[number]) >= KNOWN_FROM for number, weight in shared.items())


def _joined(base: Toolbox, shipped: Profile, told: Profile, new: tuple[Skeleton, ...]) -> Profile:
    """A profile with the own examples. What opens a choice of some tool ("latest") stays that and is no word of it."""
    said = Counter(word for one in new for word in one.elements)
    choices = base.taught(shipped.language).choices
    words = {word for word, weight in told.vocabulary.items() if weight == 1.0} - choices
    mine = {word: 1.0 if said[word] > 1 else OWN_WORD for word in words if shipped.vocabulary.get(word, 0.0) < 1.0}
    mine = {word: max(weight, shipped.vocabulary.get(word, 0.0)) for word, weight in mine.items()}
    return replace(
        shipped,
        skeletons=(*new, *shipped.skeletons),  # of two that are as near, the own one
        cues=_cues(shipped.cues, told.cues),
        verbs=shipped.verbs + told.verbs,
        vocabulary=MappingProxyType({**shipped.vocabulary, **mine}),
        carriers=shipped.carriers | (told.carriers - choices),
        telling=shipped.telling | (told.telling - choices),
        asks=shipped.asks or told.asks,
    )


def _cues(shipped: Cues, told: Cues) -> Cues:
    """The words that announce values: what the manifest says of a word holds, own examples add others."""
    return Cues(
        _beside(shipped.left, told.left), _beside(shipped.right, told.right), shipped.openings, shipped.examples
    )


def _beside(
    shipped: Mapping[str, Mapping[str, float]], told: Mapping[str, Mapping[str, float]]
) -> Mapping[str, Mapping[str, float]]:
    return MappingProxyType(
        {name: MappingProxyType({**told.get(name, {}), **table}) for name, table in shipped.items()}
    )


def _lessons(base: Lessons, profiles: Sequence[Profile], skeletons: Mapping[ToolId, tuple[Skeleton, ...]]) -> Lessons:
    """The words of all tools with those of own examples: what is known keeps its weight, what is new tells all."""
    new = {feature for own in skeletons.values() for one in own for feature in one.features} - base.idf.keys()
    idf = {**base.idf, **{feature: form_weight(feature) for feature in new}}
    verbs = dict(base.verbs)
    for profile in profiles:
        for verb, count in profile.verbs.items():
            verbs[verb] = max(count, verbs.get(verb, 0))
    sure = {
        word for one in profiles for word, weight in one.vocabulary.items()
        if weight == 1.0 and not is_function_word(word)
    }  # fmt: skip
    own = Examples.of(skeletons, idf)
    return replace(base, idf=idf, verbs=verbs, carriers=base.carriers | sure, examples=_Both(base.examples, own))


@dataclass(frozen=True, slots=True)
class _Both:
    """The examples of the manifests and own ones: the better of both counts."""

    shipped: Nearest
    own: Examples

    def nearest(
        self, ids: Sequence[str], keys: Collection[str], mass: float, kinds: Collection[ValueKind]
    ) -> list[float]:
        """Return for each tool of ``ids`` how well its best example fits."""
        found = self.shipped.nearest(ids, keys, mass, kinds)
        known = [at for at, one in enumerate(ids) if one in self.own.tools]
        for at, near in zip(known, self.own.nearest([ids[at] for at in known], keys, mass, kinds), strict=True):
            found[at] = max(found[at], near)
        return found
