"""The mirror: what the planner makes of lessons, counted by construct, by language, by tool and by pair."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from kernel.model import Plan, Proposal
from kernel.schooling.marking import mark
from kernel.schooling.model import Lesson, Verdict

_WORST = 12


@dataclass(frozen=True, slots=True)
class Marked:
    """A lesson, what was proposed, and what that is worth."""

    lesson: Lesson
    proposal: Proposal
    verdict: Verdict


@dataclass(slots=True)
class Mirror:
    """Lessons as they were read, and the tables of them."""

    marked: list[Marked] = field(default_factory=list)

    def read(self, lessons: Iterable[Lesson], read: Callable[[str], Proposal]) -> None:
        """Have ``lessons`` read and mark them."""
        for lesson in lessons:
            proposal = read(lesson.text)
            self.marked.append(Marked(lesson, proposal, mark(lesson, proposal)))

    def by_construct(self) -> Mapping[tuple[str, str], Counter[Verdict]]:
        """Return how the verdicts fall by construct and language."""
        return self._counted(lambda one: (one.lesson.construct, one.lesson.language))

    def by_tools(self) -> Mapping[tuple[str, ...], Counter[Verdict]]:
        """Return how the verdicts fall by the tools that are meant."""
        return self._counted(lambda one: one.lesson.tools)

    def confusions(self) -> Counter[tuple[tuple[str, ...], tuple[str, ...]]]:
        """Return how often other tools were planned than were meant: (meant, planned)."""
        return Counter(
            (one.lesson.tools, tuple(task.tool for task in one.proposal.tasks))
            for one in self.marked
            if one.verdict is Verdict.WRONG and isinstance(one.proposal, Plan)
        )

    def table(self) -> str:
        """Return the table by construct in Markdown, in per cent."""
        rows = ["| construct | language | sentences | " + " | ".join(Verdict) + " |", "|---" * (3 + len(Verdict)) + "|"]
        found = self.by_construct()
        whole = sum(found.values(), Counter[Verdict]())
        for (construct, language), counts in [*found.items(), (("all", ""), whole)]:
            total = max(counts.total(), 1)
            shares = " | ".join(f"{100 * counts[one] / total:.0f} %" for one in Verdict)
            rows.append(f"| {construct} | {language} | {counts.total()} | {shares} |")
        return "\n".join(rows)

    def worst(self) -> list[str]:
        """Return the tools, or pairs of them, that are most often not right, in words."""
        ranked = sorted(self.by_tools().items(), key=lambda one: one[1][Verdict.RIGHT] - one[1].total())
        return [
            f"{' + '.join(tools)}: {counts[Verdict.RIGHT]} of {counts.total()} right"
            for tools, counts in ranked[:_WORST]
        ]

    def _counted(self, key: Callable[[Marked], tuple[str, ...]]) -> Mapping[Any, Counter[Verdict]]:
        found: dict[tuple[str, ...], Counter[Verdict]] = defaultdict(Counter)
        for one in self.marked:
            found[key(one)][one.verdict] += 1
        return found
