"""Lessons: what the manifests of all tools together teach in one language, computed once and only read afterwards."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from kernel.composition.profiles.profile import Profile
from kernel.context.examples import Examples
from kernel.language.function_words import is_function_word
from skills.model import ValueKind

FEW_EXAMPLES = 0.055  # share of a tool's examples that makes a feature wholly its own
SLOT_WEIGHT, PAIR_WEIGHT, SLOT_PAIR_WEIGHT, FUNCTION_WEIGHT, LEAST_WEIGHT = 0.3, 0.35, 0.12, 0.5, 0.05


class Nearest(Protocol):
    """Examples that tell how near each tool's best one is."""

    def nearest(
        self, ids: Sequence[str], keys: Collection[str], mass: float, kinds: Collection[ValueKind]
    ) -> list[float]:
        """Return for each tool of ``ids`` how well its best example fits."""


@dataclass(frozen=True, slots=True, eq=False)
class Lessons:
    """Words and features by what they tell about the tools."""

    idf: Mapping[str, float]  # of every feature of a skeleton: how much it tells about the tool, 0.05..1
    verbs: Mapping[str, int]  # how many examples of one tool begin with the word, of the tool with the most
    choices: frozenset[str]  # what opens the words of a choice
    carriers: frozenset[str]  # content words of examples, outside their slots
    examples: Nearest

    @classmethod
    def of(cls, profiles: Sequence[Profile]) -> Lessons:
        """Learn from the profiles of all tools in one language; those without examples teach nothing."""
        taught = [one for one in profiles if one.skeletons]
        idf = _weigh(taught)
        return cls(
            idf,
            _most_verbs(taught),
            frozenset(word for one in taught for word in one.phrases),
            frozenset(
                word
                for one in taught
                for word, weight in one.vocabulary.items()
                if weight == 1.0 and not is_function_word(word)
            ),
            Examples.of({one.tool.id: one.skeletons for one in profiles}, idf),
        )

    def weight(self, feature: str) -> float:
        """Return how much a feature tells, 0.05..1; of one that no example has, what its form says."""
        found = self.idf.get(feature)
        return found if found is not None else form_weight(feature)


def _weigh(profiles: Sequence[Profile]) -> dict[str, float]:
    seen: dict[str, float] = defaultdict(float)
    for one in profiles:
        said = Counter(feature for skeleton in one.skeletons for feature in skeleton.features)
        for feature, count in said.items():  # what one of forty examples says is hardly a word of the tool
            seen[feature] += min(1.0, count / (FEW_EXAMPLES * len(one.skeletons)))
    most = math.log(len(profiles) + 1.5)
    return {
        feature: max(LEAST_WEIGHT, math.log((len(profiles) + 1.5) / (count + 0.5)) / most) * form_weight(feature)
        for feature, count in seen.items()
    }


def _most_verbs(profiles: Sequence[Profile]) -> dict[str, int]:
    most: dict[str, int] = {}
    for one in profiles:
        for verb, count in one.verbs.items():
            most[verb] = max(count, most.get(verb, 0))
    return most


def form_weight(feature: str) -> float:
    """Return a weight by form: a slot, a pair of neighbours and a function word weigh less than a content word."""
    if " " in feature:
        return SLOT_PAIR_WEIGHT if "<" in feature else PAIR_WEIGHT
    if feature.startswith("<"):
        return SLOT_WEIGHT
    return FUNCTION_WEIGHT if is_function_word(feature) else 1.0
