"""The toolbox: everything that the installed tools' manifests teach, computed once and only read afterwards.

Built when skills change, handed to recommend and propose. No word of any skill stands in the kernel's code; what a
sentence can mean is read here from examples, choice words, parameter names and docstrings.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from typing import TYPE_CHECKING

from kernel.composition.profile import Profile, Skeleton, build_profile
from kernel.composition.weights import DOC_WORD
from kernel.language.function_words import is_function_word
from kernel.ranking import document_of, shelf_of
from skills.errors import UnknownTool
from skills.model import EffectClass, Tool, ToolId, ValueKind, ValueType

if TYPE_CHECKING:
    import numpy as np

LANGUAGES = ("en", "de")
FEW_EXAMPLES = 0.055  # share of a tool's examples that makes a feature wholly its own
SLOT_WEIGHT, PAIR_WEIGHT, SLOT_PAIR_WEIGHT, FUNCTION_WEIGHT, LEAST_WEIGHT = 0.3, 0.35, 0.12, 0.5, 0.05

Encode = Callable[[list[str]], "np.ndarray"]
"""Texts to unit vectors, one row each (``memory.Encoder.encode``)."""


class Toolbox:
    """The tools and what their manifests teach. Immutable; ``with_vectors`` returns a new one."""

    def __init__(self, tools: Sequence[Tool]) -> None:
        self._tools: Mapping[ToolId, Tool] = {tool.id: tool for tool in tools}
        self.shelf = shelf_of([document_of(tool) for tool in tools])
        self._profiles = {
            (tool.id, language): build_profile(tool, language, DOC_WORD) for tool in tools for language in LANGUAGES
        }
        self._idf = {language: self._weigh(language) for language in LANGUAGES}
        self._mass = {
            key: tuple(sum(self.idf(feature, key[1]) for feature in one.features) for one in profile.skeletons)
            for key, profile in self._profiles.items()
        }
        self._features = {key: self._post_features(profile) for key, profile in self._profiles.items()}
        self._word_mass = {
            (language, skeleton.elements): sum(self.idf(word, language) for word in _words(skeleton))
            for (_, language), profile in self._profiles.items()
            for skeleton in profile.skeletons
        }
        self._verbs = {language: self._most_verbs(language) for language in LANGUAGES}
        self._choices = {
            language: frozenset(word for tool in tools for word in self._profiles[tool.id, language].phrases)
            for language in LANGUAGES
        }
        self._carriers = {
            language: frozenset(
                word
                for tool in tools
                for word, weight in self._profiles[tool.id, language].vocabulary.items()
                if weight == 1.0 and not is_function_word(word)
            )
            for language in LANGUAGES
        }
        pure = [tool for tool in tools if tool.effect is EffectClass.PURE]
        self._producers = {kind: frozenset(tool.id for tool in pure if _gives(tool.result, kind)) for kind in ValueKind}

    @classmethod
    def build(cls, tools: Iterable[Tool]) -> Toolbox:
        """Read the manifests of ``tools``; of two tools with one id the last counts."""
        return cls(tuple({tool.id: tool for tool in tools}.values()))

    def with_vectors(self, encode: Encode) -> Toolbox:
        """Return this toolbox with vectors of every example and summary (the encoder is warm)."""
        other = copy(self)
        other.shelf = shelf_of([document_of(tool) for tool in self.tools], encode)
        return other

    @property
    def tools(self) -> tuple[Tool, ...]:
        """Every tool."""
        return tuple(self._tools.values())

    @property
    def ids(self) -> tuple[ToolId, ...]:
        """Every tool's id."""
        return tuple(self._tools)

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
        return self._profiles[tool, language if language in LANGUAGES else "en"]

    def idf(self, feature: str, language: str) -> float:
        """Return how much a feature of a skeleton tells about the tool, 0.05..1."""
        table = self._idf[language if language in LANGUAGES else "en"]
        found = table.get(feature)
        return found if found is not None else _form_weight(feature)

    def weights(self, language: str) -> Mapping[str, float]:
        """Return the weight of every feature of the skeletons."""
        return self._idf[language if language in LANGUAGES else "en"]

    def masses(self, profile: Profile) -> tuple[float, ...]:
        """Return the summed weight of the features of each of ``profile``'s skeletons."""
        return self._mass[profile.tool.id, profile.language]

    def shared(self, profile: Profile, features: Iterable[str]) -> Mapping[int, float]:
        """Return, by number of the skeleton, the summed weight of what it shares with ``features``."""
        postings = self._features[profile.tool.id, profile.language]
        found: dict[int, float] = {}
        for feature in features:
            for number, weight in postings.get(feature, ()):
                found[number] = found.get(number, 0.0) + weight
        return found

    def word_mass(self, skeleton: Skeleton, language: str) -> float:
        """Return the summed weight of a skeleton's words, without slots and pairs."""
        return self._word_mass[language if language in LANGUAGES else "en", skeleton.elements]

    def is_verb(self, words: Iterable[str], language: str) -> bool:
        """Tell whether some tool's example begins with one of ``words``."""
        verbs = self._verbs[language if language in LANGUAGES else "en"]
        return any(word in verbs for word in words)

    def verb_count(self, words: Iterable[str], language: str) -> int:
        """Return how many examples of the tool that uses one of ``words`` most as its verb begin with it."""
        verbs = self._verbs[language if language in LANGUAGES else "en"]
        return max((verbs.get(word, 0) for word in words), default=0)

    def is_choice(self, words: Iterable[str], language: str) -> bool:
        """Tell whether one of ``words`` opens the words of a choice of some tool."""
        known = self._choices[language if language in LANGUAGES else "en"]
        return any(word in known for word in words)

    def is_carrier(self, words: Iterable[str], language: str) -> bool:
        """Tell whether some tool's examples have one of ``words`` outside their slots."""
        known = self._carriers[language if language in LANGUAGES else "en"]
        return any(word in known for word in words)

    def producers(self, kind: ValueKind) -> frozenset[ToolId]:
        """Return the tools that only read and whose result can serve as ``kind``."""
        return self._producers[kind]

    def _most_verbs(self, language: str) -> dict[str, int]:
        most: dict[str, int] = {}
        for tool in self._tools:
            for verb, count in self._profiles[tool, language].verbs.items():
                most[verb] = max(count, most.get(verb, 0))
        return most

    def _weigh(self, language: str) -> dict[str, float]:
        seen: dict[str, float] = defaultdict(float)
        for tool in self._tools:
            skeletons = self._profiles[tool, language].skeletons
            said = Counter(feature for one in skeletons for feature in one.features)
            for feature, count in said.items():  # what one of forty examples says is hardly a word of the tool
                seen[feature] += min(1.0, count / (FEW_EXAMPLES * len(skeletons)))
        most = math.log(len(self._tools) + 1.5)
        return {
            feature: max(LEAST_WEIGHT, math.log((len(self._tools) + 1.5) / (count + 0.5)) / most)
            * _form_weight(feature)
            for feature, count in seen.items()
        }

    def _post_features(self, profile: Profile) -> dict[str, tuple[tuple[int, float], ...]]:
        found: dict[str, list[tuple[int, float]]] = defaultdict(list)
        for number, skeleton in enumerate(profile.skeletons):
            for feature in skeleton.features:
                found[feature].append((number, self.idf(feature, profile.language)))
        return {feature: tuple(places) for feature, places in found.items()}


def _gives(result: ValueType, kind: ValueKind) -> bool:
    """A result is of the kind, is a file that may hold it, or is a record with exactly one value of the kind."""
    if result.kind is kind or (kind is ValueKind.TABLE and result.kind is ValueKind.FILE):
        return True
    own = [field for field in result.fields.values() if field.kind is kind]
    return kind is ValueKind.DATE and result.kind is ValueKind.RECORD and not result.many and len(own) == 1


def _words(skeleton: Skeleton) -> set[str]:
    return {element for element in skeleton.elements if not element.startswith("<")}


def _form_weight(feature: str) -> float:
    """A slot, a pair of neighbours and a function word weigh less than a content word."""
    if " " in feature:
        return SLOT_PAIR_WEIGHT if "<" in feature else PAIR_WEIGHT
    if feature.startswith("<"):
        return SLOT_WEIGHT
    return FUNCTION_WEIGHT if is_function_word(feature) else 1.0
