"""The toolbox: everything that the installed tools' manifests teach, only read by whoever plans.

Built when skills change, handed to recommend and propose. No word of any skill stands in the kernel's code; what a
sentence can mean is read here from examples, choice words, parameter names and docstrings. A toolbox that was kept
(``kernel.context.kept``) makes the profile of a tool when it is first asked for.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import replace
from math import fsum
from typing import TYPE_CHECKING, Protocol

from kernel.composition.profiles.profile import Profile
from kernel.composition.profiles.profiling import build_profile
from kernel.composition.schemas import Untaught
from kernel.composition.weights import DOC_WORD
from kernel.context.lessons import Lessons
from kernel.ranking import Shelf, document_of, shelf_of
from skills.errors import UnknownTool
from skills.model import EffectClass, SkillId, Tool, ToolId, ValueKind, ValueType

if TYPE_CHECKING:
    import numpy as np

    from kernel.composition.draft import Draft

LANGUAGES = ("en", "de")

Encode = Callable[[list[str]], "np.ndarray"]
"""Texts to unit vectors, one row each (``memory.Encoder.encode``)."""


class Favours(Protocol):
    """What makes some readings cheaper."""

    def favoured(self, drafts: Sequence[Draft]) -> list[Draft]: ...


Profiles = Mapping[tuple[ToolId, str], Profile]
Postings = Mapping[str, tuple[tuple[int, float], ...]]
"""From a feature to the skeletons of a tool that have it, with its weight."""


class Toolbox:
    """The tools and what their manifests teach. Immutable; ``with_vectors`` returns a new one."""

    def __init__(self, tools: Sequence[Tool], profiles: Profiles, lessons: Mapping[str, Lessons], shelf: Shelf) -> None:
        self._tools: Mapping[ToolId, Tool] = {tool.id: tool for tool in tools}
        self.profiles = profiles
        self.lessons = lessons
        self.shelf = shelf
        self.untaught = Untaught(tools)
        self._own: tuple[tuple[ToolId, str], ...] = ()
        self.templates: Favours | None = None
        self._whole: list[Shelf] = []  # one at most, made once for all copies over this shelf
        self._posted: dict[tuple[ToolId, str], tuple[tuple[float, ...], Postings]] = {}
        pure = [tool for tool in taught(tools) if tool.effect is EffectClass.PURE]
        self.gatherer = next((tool for tool in tools if tool.gathers), None)
        self._tellers = frozenset(tool.id for tool in pure if _tells_of_whom(tool))
        self._adding = [(tool.skill, tool.adds) for tool in tools if tool.adds is not None]
        self._producers = {kind: frozenset(tool.id for tool in pure if _gives(tool.result, kind)) for kind in ValueKind}

    @classmethod
    def build(cls, tools: Iterable[Tool], before: Toolbox | None = None) -> Toolbox:
        """Read the manifests of ``tools``; of two tools with one id the last counts.

        What ``before`` has of the very same tools is taken over: a profile is made of its tool and of nothing else.
        """
        latest = tuple({tool.id: tool for tool in tools}.values())
        profiles = {(one.id, language): _profile(one, language, before) for one in latest for language in LANGUAGES}
        lessons = {language: Lessons.of([profiles[one.id, language] for one in latest]) for language in LANGUAGES}
        return cls(latest, profiles, lessons, shelf_of([document_of(tool) for tool in taught(latest)]))

    def with_vectors(self, encode: Encode, said: Encode | None = None) -> Toolbox:
        """Return this toolbox with vectors of every example and summary (the encoder is warm).

        ``said`` returns those, where they are kept; requests go by ``encode``.
        """
        other = copy(self)
        other.shelf = self.shelf.with_vectors(encode, said)
        other._whole = []
        return other

    def without_vectors(self) -> Toolbox:
        """Return this toolbox as it was before the encoder was warm: nothing is compared by vectors."""
        other = copy(self)
        other.shelf = replace(self.shelf, encode=None)
        other._whole = []
        return other

    def with_lessons(self, profiles: Profiles, lessons: Mapping[str, Lessons]) -> Toolbox:
        """Return this toolbox with a person's own ``profiles``, which find those of the manifests below them."""
        other = copy(self)
        other.profiles, other.lessons, other._posted = profiles, lessons, {}
        other._own = tuple(profiles)
        return other

    def with_templates(self, templates: Favours) -> Toolbox:
        """Return this toolbox with the shapes of plans that the person confirmed."""
        other = copy(self)
        other.templates = templates
        return other

    @property
    def tools(self) -> tuple[Tool, ...]:
        """Every tool."""
        return tuple(self._tools.values())

    @property
    def ids(self) -> tuple[ToolId, ...]:
        """Every tool's id."""
        return tuple(self._tools)

    def amending(self, tool: ToolId) -> tuple[Tool, ...]:
        """Return the tools that put right what ``tool`` made."""
        made = self._tools.get(tool)
        found = (one for one in self._tools.values() if made is not None and one.skill == made.skill)
        return tuple(one for one in found if made is not None and made.function in one.amends)

    def knows(self, tool: ToolId) -> bool:
        """Tell whether the tool is here."""
        return tool in self._tools

    def tool(self, tool: ToolId) -> Tool:
        """Return one tool. Raises UnknownTool."""
        if tool not in self._tools:
            raise UnknownTool("tool.unknown", f"No installed skill has a tool {tool}.", subject=tool)
        return self._tools[tool]

    def profile(self, tool: ToolId, language: str) -> Profile:
        """Return what the manifest of ``tool`` teaches in ``language``; English when we have no grammar of it."""
        return self.profiles[tool, language if language in LANGUAGES else "en"]

    @property
    def whole_shelf(self) -> Shelf:
        """The shelf with the tools that have no examples, too; made when it is first asked for."""
        if not self._whole:
            own = [document_of(tool) for tool in self.tools if tool.id in self.untaught]
            self._whole[:] = [self.shelf.with_documents(own) if own else self.shelf]
        return self._whole[0]

    def speaks(self, tool: ToolId, language: str) -> bool:
        """Tell whether ``tool`` has examples in ``language``, its manifest's or the person's own, or none at all."""
        said = {example.language for example in self.tool(tool).examples}
        return not said or language in said or (tool, language) in self._own

    def learnt(self, language: str) -> frozenset[ToolId]:
        """Return the tools whose only examples are the person's own requests."""
        spoken = language if language in LANGUAGES else "en"
        own = (tool for tool, said in self._own if said == spoken and tool in self.untaught)
        return frozenset(one for one in own if self.profiles[one, spoken].skeletons)

    def taught(self, language: str) -> Lessons:
        """Return what all manifests teach in ``language``; English when we have no grammar of it."""
        return self.lessons[language if language in LANGUAGES else "en"]

    def idf(self, feature: str, language: str) -> float:
        """Return how much a feature of a skeleton tells about the tool, 0.05..1."""
        return self.taught(language).weight(feature)

    def weights(self, language: str) -> Mapping[str, float]:
        """Return the weight of every feature of the skeletons."""
        return self.taught(language).idf

    def masses(self, profile: Profile) -> tuple[float, ...]:
        """Return the summed weight of the features of each of ``profile``'s skeletons."""
        return self._postings(profile)[0]

    def shared(self, profile: Profile, features: Iterable[str]) -> Mapping[int, float]:
        """Return, by number of the skeleton, the summed weight of what it shares with ``features``.

        It is summed up in one order: sums in the order of a set differ in their last digit from start to start.
        """
        postings = self._postings(profile)[1]
        found: dict[int, float] = {}
        for feature in sorted(features):
            for number, weight in postings.get(feature, ()):
                found[number] = found.get(number, 0.0) + weight
        return found

    def is_verb(self, words: Iterable[str], language: str) -> bool:
        """Tell whether some tool's example begins with one of ``words``."""
        return not self.taught(language).verbs.keys().isdisjoint(words)

    def verb_count(self, words: Iterable[str], language: str) -> int:
        """Return how many examples of the tool that uses one of ``words`` most as its verb begin with it."""
        verbs = self.taught(language).verbs
        return max((verbs.get(word, 0) for word in words), default=0)

    def is_choice(self, words: Iterable[str], language: str) -> bool:
        """Tell whether one of ``words`` opens the words of a choice of some tool."""
        return not self.taught(language).choices.isdisjoint(words)

    def is_carrier(self, words: Iterable[str], language: str) -> bool:
        """Tell whether some tool's examples have one of ``words`` outside their slots."""
        return not self.taught(language).carriers.isdisjoint(words)

    def things(self, language: str, but: SkillId) -> frozenset[str]:
        """Return the nouns for one of what tools add, but those of the skill ``but``: "task", "reminder"."""
        named = (one for skill, adds in self._adding if skill != but for one in adds.words.get(language, ()))
        return frozenset(one.split()[-1].casefold() for one in named)

    def producers(self, kind: ValueKind) -> frozenset[ToolId]:
        """Return the tools that only read and whose result can serve as ``kind``."""
        return self._producers[kind]

    def tellers(self) -> frozenset[ToolId]:
        """Return the tools that tell something of a person: of whom, they have to be told, and what, they can be."""
        return self._tellers

    def _postings(self, profile: Profile) -> tuple[tuple[float, ...], Postings]:
        """The masses and the postings of one tool's skeletons, made when they are first asked for."""
        key = (profile.tool.id, profile.language)
        if key not in self._posted:
            idf = self.weights(profile.language)
            found: dict[str, list[tuple[int, float]]] = defaultdict(list)
            for number, skeleton in enumerate(profile.skeletons):
                for feature in skeleton.features:
                    found[feature].append((number, idf[feature]))
            masses = tuple(fsum(idf[feature] for feature in one.features) for one in profile.skeletons)
            self._posted[key] = masses, {feature: tuple(places) for feature, places in found.items()}
        return self._posted[key]


def _profile(tool: Tool, language: str, before: Toolbox | None) -> Profile:
    if before is not None and before.knows(tool.id) and before.tool(tool.id) is tool:
        return before.profiles[tool.id, language]
    return build_profile(tool, language, DOC_WORD)


def taught(tools: Iterable[Tool]) -> list[Tool]:
    """Return the tools that have examples: the shelf holds these, others are found by their schemas."""
    return [tool for tool in tools if tool.examples]


def _tells_of_whom(tool: Tool) -> bool:
    of_whom = any(one.person and one.required for one in tool.parameters)
    return of_whom and any(one.type.kind is ValueKind.CHOICE for one in tool.parameters)


def _gives(result: ValueType, kind: ValueKind) -> bool:
    """A result is of the kind, is a file that may hold it, or is a record with exactly one value of the kind.

    Whatever is found can be written down.
    """
    if kind is ValueKind.TEXT:
        return True
    if result.kind is kind or (kind is ValueKind.TABLE and result.kind is ValueKind.FILE):
        return True
    own = [field for field in result.fields.values() if field.kind is kind]
    return kind is ValueKind.DATE and result.kind is ValueKind.RECORD and not result.many and len(own) == 1
