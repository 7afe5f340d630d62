"""What a tool asks for is answered in few words, and the same call is made with them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kernel.asking.ask import question_for
from kernel.context.dialogue import Dialogue
from kernel.model import Constant, Plan

if TYPE_CHECKING:
    from tests.kernel.planner import Planner


@pytest.mark.parametrize(
    ("first", "asked", "answer", "given"),
    [
        ("remind me to ring the vet", "hours", "tomorrow at 8", {"when": "2025-03-13"}),
        ("remind me to ring the vet", "hours", "in half an hour", {"length": 1800}),
        ("remind me about the pottery", "hours", "friday 5pm", {"when": "2025-03-14"}),
        ("erinner mich an das Altglas", "hours", "morgen um 18 Uhr", {"when": "2025-03-13"}),
        ("erinner mich ans Altglas", "hours", "heute um 20 Uhr", {"when": "2025-03-12"}),
        ("set a timer", "length", "12 minutes", {"length": 720}),
        ("stell einen Timer für die Maultaschen", "length", "9 Minuten", {"length": 540, "text": "Maultaschen"}),
        ("wake me up", "hours", "at half past six", {}),
        ("stell einen Wecker", "hours", "morgen um 6", {"when": "2025-03-13"}),
        ("put lunch with Maria into my calendar", "when", "tomorrow at 1 pm", {}),
    ],
)
def test_all_that_an_answer_says_of_time_is_taken(
    planner: Planner, first: str, asked: str, answer: str, given: dict[str, object]
) -> None:
    draft = planner.say(first)
    assert isinstance(draft, Plan), draft
    (task,) = draft.tasks
    question = question_for(draft, task.id, planner.toolbox.tool(task.tool), asked)
    plan = planner.say(answer, Dialogue(pending=question))
    assert isinstance(plan, Plan), plan
    assert (plan.reply, plan.tasks[0].tool) == (True, task.tool)
    values = {name: one.value for name, one in plan.tasks[0].arguments.items() if isinstance(one, Constant)}
    assert values.items() >= given.items(), values
    assert plan.tasks[0].arguments.keys() > task.arguments.keys()


@pytest.mark.parametrize("words", ["what time is it?", "find the pdfs in Downloads", "delete it tomorrow"])
def test_what_says_more_than_a_time_is_no_answer(planner: Planner, words: str) -> None:
    draft = planner.say("remind me to ring the vet")
    assert isinstance(draft, Plan), draft
    question = question_for(draft, draft.tasks[0].id, planner.toolbox.tool(draft.tasks[0].tool), "hours")
    found = planner.say(words, Dialogue(pending=question))
    assert not (isinstance(found, Plan) and found.tasks[0].tool == "timers.remind"), found


@pytest.mark.parametrize("words", ["stell einen Wecker", "stell einen Timer", "set a timer", "set an alarm"])
def test_who_wants_one_without_a_time_has_none_cancelled(planner: Planner, words: str) -> None:
    plan = planner.say(words)
    assert isinstance(plan, Plan), plan
    assert plan.tasks[0].tool in ("timers.wake", "timers.timer")
