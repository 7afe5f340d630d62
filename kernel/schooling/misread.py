"""Examples that the planner would misread: what a skill's author wants to know before the skill is installed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from kernel.model import Plan
from kernel.schooling.marking import mark
from kernel.schooling.model import Verdict
from kernel.schooling.school import School
from skills.model import Tool, ToolId


@dataclass(frozen=True, slots=True)
class Misread:
    """An example as it was said with values of a furnished home, what became of it, and the tools taken instead."""

    tool: ToolId
    language: str
    example: str
    said: str
    verdict: Verdict
    instead: tuple[ToolId, ...] = ()


def misread(school: School, tools: Iterable[Tool]) -> Iterator[Misread]:
    """Yield the examples of ``tools`` that are not read as they are meant, beside all tools that ``school`` knows.

    An example that needs an earlier result ("copy them to Backup") is not tried.
    """
    for phrase, lesson in school.examples(tools):
        proposal = school.reader.read(lesson.text)
        verdict = mark(lesson, proposal)
        if verdict is not Verdict.RIGHT:
            taken = tuple(task.tool for task in proposal.tasks) if isinstance(proposal, Plan) else ()
            instead = taken if verdict is Verdict.WRONG else ()
            yield Misread(phrase.tool.id, lesson.language, phrase.example, lesson.text, verdict, instead)
