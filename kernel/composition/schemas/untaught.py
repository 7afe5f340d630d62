"""The tools that nobody has given an example, by the words of their schemas."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cached_property

from kernel.composition.filling.fillers import text_fillers
from kernel.composition.fit import Step
from kernel.composition.scene import Scene, bits
from kernel.composition.schemas.addressed import Address, Names, address_in, names_of
from kernel.composition.schemas.known import PLAIN_VERBS, Form, Known, known_of
from kernel.composition.schemas.line import Line, stems_of
from kernel.composition.schemas.reading import read_by_schema
from kernel.composition.schemas.values import values
from kernel.composition.steps.results import Source
from kernel.composition.stretch import Stretch
from kernel.composition.window import Filler
from skills.model import Tool, ToolId

MOST = 6
"""So many of them are tried for a stretch of words."""

MOST_ADDRESSED = 16
"""So many where the server was named."""

_NAME, _SUMMARY, _PLAIN = 1.0, 0.4, 0.2


class Untaught:
    """Tools without examples. What their schemas say is read when it is first asked for. Immutable."""

    def __init__(self, tools: Iterable[Tool] = ()) -> None:
        """Keep ``tools`` that have no examples."""
        self._tools = {tool.id: tool for tool in tools if not tool.examples}

    def __bool__(self) -> bool:
        return bool(self._tools)

    def __contains__(self, tool: object) -> bool:
        return tool in self._tools

    @property
    def ids(self) -> frozenset[ToolId]:
        """The tools."""
        return frozenset(self._tools)

    def addressed(self, scene: Scene) -> Address | None:
        """Return which of them the sentence calls by name, None where it calls none."""
        key = ("addressed", id(self))
        if key not in scene.memo:
            scene.memo[key] = address_in(scene, self._names) if self._tools else None
        found: Address | None = scene.memo[key]
        return found

    def calls(self, scene: Scene, first: int, last: int) -> bool:
        """Tell whether one of them is called by its name in the words [first, last)."""
        return bool(self._naming(scene, first, last))

    def names(self, scene: Scene, first: int, last: int) -> bool:
        """Tell whether the words [first, last) do nothing but call one by its name: "using git, ..."."""
        address = self.addressed(scene)
        return address is not None and not bits(first, last) & ~address.mask

    def _naming(self, scene: Scene, first: int, last: int) -> int:
        """The words of [first, last), or right before them, that call one by its name."""
        address = self.addressed(scene)
        near = address is not None and address.mask & bits(max(first - 1, 0), last)
        return address.mask if address is not None and near else 0

    def likely(self, scene: Scene, first: int, last: int) -> tuple[ToolId, ...]:
        """Return the tools that the words [first, last) may speak of, the likeliest first."""
        address = self.addressed(scene)
        scores = self._scores(scene, first, last)
        if address is not None and self._naming(scene, first, last):
            ranked = sorted(address.tools, key=lambda one: (-scores.get(one, 0.0), one))
            return tuple(ranked[:MOST_ADDRESSED])
        ranked = sorted(scores, key=lambda one: (-scores[one], one))
        return tuple(ranked[:MOST])

    def has_name(self, scene: Scene, at: int) -> bool:
        """Tell whether the word is one of the name of some of them."""
        return any(_NAME in self._places.get(one, {}).values() for one in stems_of(scene, at))

    def known(self, tool: ToolId) -> Known:
        """Return what the schema of one of them says. Raises KeyError."""
        return self._known[tool]

    def read(self, stretch: Stretch, sources: tuple[Source, ...]) -> list[Step]:
        """Return the best readings of the stretch as a call of its tool, which is one of these."""
        address = self.addressed(stretch.scene)
        framed = address.mask if address is not None and stretch.profile.tool.id in address.tools else 0
        framed &= self._naming(stretch.scene, stretch.first, stretch.last)
        return read_by_schema(stretch, self._known[stretch.profile.tool.id], framed, sources=sources)

    def values(self, stretch: Stretch) -> dict[str, list[Filler]]:
        """Return what the words may be for the parameters of its tool, for a reading by the person's own examples."""
        known = self._known[stretch.profile.tool.id]
        by_schema = values(Line(stretch.scene, known, stretch.first, stretch.last))
        by_words = text_fillers(stretch.scene, stretch.profile, stretch.box, stretch.first, stretch.last)
        free = [slot.name for slot in known.slots if slot.form is Form.TEXT]
        return by_schema | {name: [*by_words.get(name, []), *by_schema.get(name, [])] for name in free}

    def _scores(self, scene: Scene, first: int, last: int) -> dict[ToolId, float]:
        """How much of each tool's words is said; what many tools say counts little."""
        found: dict[ToolId, float] = defaultdict(float)
        for one in {one for at in range(first, last) for one in stems_of(scene, at) if not scene.free[at]}:
            places = self._places.get(one, {})
            for tool, weight in places.items():
                found[tool] += weight / len(places) ** 0.5
        return found

    @cached_property
    def _known(self) -> Mapping[ToolId, Known]:
        found = {tool: known_of(one) for tool, one in self._tools.items()}
        counts = Counter(stem for one in found.values() for stem in one.names)
        rare = {stem: count**-0.5 for stem, count in counts.items()}
        return {tool: replace(one, rare=rare) for tool, one in found.items()}

    @cached_property
    def _names(self) -> Names:
        return names_of(self._tools.values())

    @cached_property
    def _places(self) -> Mapping[str, Mapping[ToolId, float]]:
        """From a stem to the tools whose name or first sentence has it."""
        found: dict[str, dict[ToolId, float]] = defaultdict(dict)
        for tool, known in self._known.items():
            for words, weight in ((known.summary, _SUMMARY), (known.names, _NAME)):
                for one, alike in words.items():
                    own = _PLAIN if one in PLAIN_VERBS else weight
                    for form in alike:
                        found[form][tool] = max(own, found[form].get(tool, 0.0))
        return found
