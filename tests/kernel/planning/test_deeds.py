"""What somebody is to be reminded of is taken whole, whatever its words do elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from kernel.model import Constant, Plan

if TYPE_CHECKING:
    from tests.kernel.planner import Planner


def _given(plan: Any) -> dict[str, Any]:
    assert isinstance(plan, Plan), plan
    (task,) = plan.tasks
    return {"tool": task.tool, **{n: one.value for n, one in task.arguments.items() if isinstance(one, Constant)}}


@pytest.mark.parametrize(
    ("sentence", "text", "day"),
    [
        ("remind me tomorrow at half past eight to take the parcel to the post office",
         "take the parcel to the post office", "2025-03-13"),
        ("remind me tomorrow at 8 to write to Walpurga", "write to Walpurga", "2025-03-13"),
        ("remind me tomorrow to take the bins out", "take the bins out", "2025-03-13"),
        ("remind me to call Anna tomorrow at 8", "call Anna", "2025-03-13"),
        ("remind me tomorrow to send a report to Ben and call Ida", "send a report to Ben and call Ida", "2025-03-13"),
        ("erinnere mich morgen um 9 daran, das Paket zu packen", "das Paket zu packen", "2025-03-13"),
        ("erinnere mich daran, Anna anzurufen, morgen um 8", "Anna anzurufen", "2025-03-13"),
    ],
)  # fmt: skip
def test_a_deed_is_taken_whole_and_its_time_apart(planner: Planner, sentence: str, text: str, day: str) -> None:
    given = _given(planner.say(sentence))
    assert (given["tool"], given["text"], given["when"]) == ("timers.remind", text, day)


@pytest.mark.parametrize(
    ("sentence", "text"),
    [
        ("remind me tomorrow evening to call Bob", "call Bob"),
        ("remind me on thursday evening to call Bob", "call Bob"),
        ("erinnere mich morgen Abend an den Zahnarzt", "Zahnarzt"),
    ],
)
def test_a_part_of_the_day_is_no_part_of_the_day_s_name_nor_of_the_text(
    planner: Planner, sentence: str, text: str
) -> None:
    given = _given(planner.say(sentence))
    assert (given["tool"], given["text"], given["when"]) == ("timers.remind", text, "2025-03-13")
    assert given["hours"] == {"start": "17:00", "end": "23:00", "rough": True}


@pytest.mark.parametrize(
    "sentence",
    [
        "I'd have to hand in my notice ten weeks before 30 September, so which date would that be",
        "move a.pdf to Archive tomorrow",
        "I'd like a.pdf to be called draft.pdf",
    ],
)
def test_nobody_is_reminded_who_did_not_ask(planner: Planner, sentence: str) -> None:
    plan = planner.say(sentence)
    assert not isinstance(plan, Plan) or all(task.tool != "timers.remind" for task in plan.tasks)


def test_a_text_that_is_dictated_may_say_it(planner: Planner) -> None:
    given = _given(planner.say("make a note called Meter saying the landlord wants it by friday"))
    assert (given["title"], given["text"]) == ("Meter", "the landlord wants it by friday")


def test_a_text_does_not_hold_a_title_and_a_quotation(planner: Planner) -> None:
    plan = planner.say(
        'write a note called "Rooms" with the text "Who pays?", and add filters to my shopping list note'
    )
    texts = [one.value for task in plan.tasks for one in task.arguments.values()] if isinstance(plan, Plan) else []
    assert not any("called" in str(text) for text in texts)
