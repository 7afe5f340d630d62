"""The taggers of all tools that have examples: what composition asks for proposals.

A tagger is trained when its tool is first asked about, and the shared part of a skill when its first tool is: a skill's
own examples are never in it. Not thread-safe; ask from one thread.
"""

from __future__ import annotations

from collections.abc import Iterable

from kernel.slots.looks import Projection
from kernel.slots.model import Labelled, Proposal, Vectors
from kernel.slots.shared import Shared
from kernel.slots.tagger import Tagger
from skills.model import Example, SkillId, Tool, ToolId

FEWEST = 4
"""Examples with values that a tool needs for a tagger; with fewer it learns their words by heart."""
FEWEST_OTHERS = 40
"""Examples of other skills that a shared part needs."""
_WIDTH = 256


class Taggers:
    """Proposes words for the parameters of ``tools``."""

    def __init__(self, tools: Iterable[Tool], vectors: Vectors) -> None:
        self._tools = {tool.id: tool for tool in tools}
        self._examples = {id_: [labelled(one) for one in tool.examples] for id_, tool in self._tools.items()}
        self._vectors = vectors
        self._projection: Projection | None = None
        self._shared: dict[SkillId, Shared | None] = {}
        self._taggers: dict[ToolId, Tagger] = {}

    def propose(self, tool: ToolId, text: str) -> list[Proposal]:
        """The values that ``text`` may hold for ``tool``, from left to right; none when it has too few examples."""
        examples = self._examples.get(tool, [])
        if sum(bool(example.slots) for example in examples) < FEWEST:
            return []
        if tool not in self._taggers:
            skill = self._tools[tool].skill
            if skill not in self._shared:
                self._shared[skill] = self._teach(skill)
            shared = self._shared[skill]
            self._taggers[tool] = Tagger.train(examples, self._project(), self._vectors, shared)
        return self._taggers[tool].tag(text, self._vectors)

    def _teach(self, skill: SkillId) -> Shared | None:
        others = [one for tool, own in self._examples.items() if self._tools[tool].skill != skill for one in own]
        return Shared.train(others, self._project(), self._vectors) if len(others) >= FEWEST_OTHERS else None

    def _project(self) -> Projection:
        if self._projection is None:
            texts = [one.text for own in self._examples.values() for one in own]
            self._projection = Projection.fit(texts, self._vectors, _WIDTH)
        return self._projection


def labelled(example: Example) -> Labelled:
    """An example of a manifest as the taggers read it."""
    return Labelled(example.text, tuple((slot.start, slot.end, slot.parameter) for slot in example.slots))
