"""A row whose values are named by their place alone, and names of several words that end in a suffix."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kernel.context.dialogue import Dialogue
from kernel.model import Decline, Plan, Question

if TYPE_CHECKING:
    from tests.kernel.planner import Planner


@pytest.mark.parametrize(
    ("sentence", "fields"),
    [
        ("add a row to expenses.csv: 2025-02-03, tea, 2.80", ["2025-02-03", "tea", "2.80"]),
        ("add a row to sales.csv with 12, North", ["12", "North"]),
        ("add a new line to orders.csv: 17, green apples, 2025-02-03", ["17", "green apples", "2025-02-03"]),
        ("füge expenses.csv eine Zeile hinzu: 2025-02-03, Tee, 2,80", ["2025-02-03", "Tee", "2,80"]),
    ],
)
def test_values_without_names_are_meant_by_their_place(planner: Planner, sentence: str, fields: list[str]) -> None:
    proposal = planner.say(sentence)
    expected = {"fields": {f"#{place}": value for place, value in enumerate(fields, 1)}}
    assert planner.shape(proposal).endswith(f"row={expected})")
    assert isinstance(proposal, Plan)
    assert [task.tool for task in proposal.tasks] == ["data.append"]


@pytest.mark.parametrize(
    ("sentence", "name"),
    [
        ("rename photo1.jpg to evening by the river.jpg", "evening by the river.jpg"),
        ("rename a.pdf to old lease.pdf", "old lease.pdf"),
        ("benenne photo1.jpg in Abend am Fluss.jpg um", "Abend am Fluss.jpg"),
    ],
)
def test_a_new_name_has_spaces_and_a_suffix(planner: Planner, sentence: str, name: str) -> None:
    assert planner.shape(planner.say(sentence)).endswith(f"name={name})")


@pytest.mark.parametrize(
    ("first", "then", "expected"),
    [
        ("describe sales.csv", "group by region", "data.group(by=region, table=~/Work/sales.csv)"),
        ("describe sales.csv", "group the table by month", "data.group(by=month, table=~/Work/sales.csv)"),
        ("beschreibe sales.csv", "gruppiere die Tabelle nach Region", "data.group(by=Region, table=~/Work/sales.csv)"),
    ],
)
def test_the_table_is_the_one_that_was_named_last(planner: Planner, first: str, then: str, expected: str) -> None:
    plan = planner.say(first)
    assert isinstance(plan, Plan)
    found = {"rows": 3, "columns": 2, "names": ["region", "month"]}
    assert planner.shape(planner.say(then, planner.after(plan, t1=found))) == expected


def test_without_a_table_before_it_is_asked_for(planner: Planner) -> None:
    question = planner.say("group by region")
    assert isinstance(question, Question)
    assert question.parameter == "table"


def test_who_only_says_yes_to_an_open_question_is_asked_twice_and_not_for_ever(planner: Planner) -> None:
    question = planner.say("make a note: water the ferns")
    for _ in range(2):
        assert isinstance(question, Question)
        assert question.parameter == "title"
        question = planner.say("y", pending(question))
    assert isinstance(question, Decline)
    assert question.nearest == ()


def pending(question: Question) -> Dialogue:
    return Dialogue(pending=question)
