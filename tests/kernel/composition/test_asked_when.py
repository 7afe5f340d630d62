"""A question is answered by a tool that is asked such: when something is, who somebody is, why something is so."""

from __future__ import annotations

import pytest

from kernel.model import Plan, Question
from tests.kernel.composition.conftest import Desk


@pytest.mark.parametrize("sentence", ["when is the budget review", "When is the budget review?"])
def test_when_something_is_is_asked_of_a_tool_that_tells_when(desk: Desk, sentence: str) -> None:
    found = desk.say(sentence)
    draft = found.draft if isinstance(found, Question) else found
    assert isinstance(draft, Plan), found
    assert [task.tool for task in draft.tasks] == ["calendar.upcoming"]


def test_where_something_is_may_be_asked_of_files(desk: Desk) -> None:
    found = desk.say("where is the quote")
    assert isinstance(found, Plan), found
    assert [task.tool for task in found.tasks] == ["files.find"]
