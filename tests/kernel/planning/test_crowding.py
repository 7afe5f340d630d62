"""A skill that gets one more tool takes no place from what the tools of other skills find."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from kernel.model import Plan
from skills.model import Example, ExampleSlot, Tool, ToolId

if TYPE_CHECKING:
    from pathlib import Path

    from tests.kernel.planner import Planner


def _sibling(tool: Tool, number: int) -> Tool:
    """A tool that knows the same things and is asked for by a verb of its own."""
    verb = f"blorf{number} "
    return replace(
        tool, id=ToolId(f"{tool.id}{number}"), function=f"{tool.function}{number}",
        examples=tuple(replace(one, text=verb + one.text, slots=_moved(one, len(verb))) for one in tool.examples),
    )  # fmt: skip


def _moved(example: Example, by: int) -> tuple[ExampleSlot, ...]:
    return tuple(replace(slot, start=slot.start + by, end=slot.end + by) for slot in example.slots)


@pytest.mark.parametrize("crowd", ["data.total", "data.tally", "documents.totals", "files.find", "notes.read"])
@pytest.mark.slow
@pytest.mark.parametrize(
    "sentence",
    [
        "enter the total of the latest invoice into expenses.csv",
        "add the amount of the newest invoice to Finance/expenses.csv",
        "summarize the newest pdf in Downloads",
    ],
)
def test_more_tools_of_a_skill_leave_other_sentences_as_they_are(
    planner: Planner, home: Path, crowd: str, sentence: str
) -> None:
    crowded = next(one for one in planner.tools if one.id == crowd)
    more = type(planner).over([*planner.tools, *(_sibling(crowded, number) for number in range(2))], home)
    expected = planner.say(sentence)
    assert isinstance(expected, Plan)
    assert more.shape(more.say(sentence)) == planner.shape(expected)
