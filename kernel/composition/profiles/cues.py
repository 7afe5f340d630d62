"""Words around slots: which word announces the value of a parameter, and which one ends it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from kernel.composition.profiles.skeletons import END, START, key_of
from kernel.composition.words import is_cue, is_determiner
from kernel.model import Token
from skills.model import Tool, ValueKind

AFTER_ARTICLE = "^the"
_NAMING = frozenset("called named titled entitled labelled labeled".split())
"""These announce a name; "a call", "a title" are nouns with the same lemma, and belong to what is named."""
FREE_TEXT = frozenset({ValueKind.TEXT, ValueKind.TITLE, ValueKind.QUERY, ValueKind.COLUMN, ValueKind.UNIT})


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


def note_contexts(elements: list[Token | str], left: dict[str, Counter[str]], right: dict[str, Counter[str]]) -> None:
    """Count, for each slot of an example, the words before and behind it."""
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
    if isinstance(element, str):
        return element
    return element.norm if element.norm in _NAMING else key_of(element)


def cues_of(tool: Tool, left: Mapping[str, Counter[str]], right: Mapping[str, Counter[str]], examples: int) -> Cues:
    """Return the shares of what ``note_contexts`` counted in ``examples`` examples of ``tool``."""
    families = {
        parameter.name: "text" if parameter.type.kind in FREE_TEXT else str(parameter.type.kind)
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
