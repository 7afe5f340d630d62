"""One of a list that was told before, called by its place: "tick off the first one", "cancel the second one"."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conftest import Desk

TASKS = {"text": "", "tasks": [{"text": "mend the fence"}, {"text": "sow the beans"}, {"text": ""}]}
CLOCK = {"text": "", "reminders": [{"text": "soup"}, {"text": "bath"}]}


@pytest.mark.parametrize(
    ("asked", "value", "then", "plan"),
    [
        ("what is overdue", TASKS, "tick off the first one", "tasks.done(task=mend the fence)"),
        ("what is overdue", TASKS, "tick off the second one", "tasks.done(task=sow the beans)"),
        ("which reminders do I have", CLOCK, "cancel the last one", "timers.cancel(which=bath)"),
        ("welche Erinnerungen habe ich", CLOCK, "lösch die erste", "timers.cancel(which=soup)"),
    ],
)
def test_one_of_a_list_is_called_by_its_name(
    desk: Desk, asked: str, value: dict[str, object], then: str, plan: str
) -> None:
    assert desk.shape(desk.say(then, desk.after(asked, t1=value))) == plan


@pytest.mark.parametrize("then", ["tick off the third one", "tick off the fourth one"])
def test_what_has_no_name_or_is_not_there_is_nobody(desk: Desk, then: str) -> None:
    assert not desk.shape(desk.say(then, desk.after("what is overdue", t1=TASKS))).startswith("tasks.")
