"""What begins with something that happens, and was not heard, is asked about; its rest is never done instead."""

from __future__ import annotations

import pytest

from kernel.language import Line, tokenize
from kernel.routines.hearing.not_heard import not_heard
from tests.kernel.routines.conftest import NOW, Desk

DONE_ELSE = ["when you can, show me my tasks", "wenn du Zeit hast, zeig mir meine Aufgaben"]
NONE = [
    "when is my next appointment", "When do I have time tomorrow?", "Wann ist mein nächster Termin",
    "if a task is due, show it", "once more show me my tasks", "when you like, show me my tasks",
    "show me my tasks", "when I have time tomorrow?",
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("When a task is urgent tell me", "a task is urgent"),
        ("whenever a task becomes pointless, show me my tasks", "a task becomes pointless"),
        ("wenn eine Aufgabe wichtig wird, zeig mir meine Aufgaben", "eine Aufgabe wichtig wird"),
        ("sobald eine Aufgabe ansteht, sag es mir", "eine Aufgabe ansteht"),
    ],
)
async def test_a_clause_that_was_not_heard_is_asked_about(desk: Desk, text: str, about: str) -> None:
    view = await desk.say(text)
    assert view["resolution"] == "declined"
    assert view["error"]["code"] == "routine.unclear"
    assert about in view["answer"]


@pytest.mark.parametrize("text", DONE_ELSE)
async def test_what_only_says_that_it_is_no_matter_when_is_done_at_once(desk: Desk, text: str) -> None:
    assert (await desk.say(text))["resolution"] == "executed"


@pytest.mark.parametrize("text", NONE)
def test_a_question_or_another_beginning_is_no_such_clause(text: str) -> None:
    language = "de" if text.startswith("Wann") else "en"
    assert not_heard(Line(text, tokenize(text, language), language, NOW)) is None


async def test_a_condition_that_a_plan_looks_at_itself_is_none(desk: Desk) -> None:
    view = await desk.say("when there are more than 3 files in Downloads, show me the largest files")
    assert "routine.unclear" not in str(view["error"])
