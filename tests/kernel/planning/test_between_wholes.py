"""A question between plans that a part of a sentence has: every choice is the whole, with its conditions and lists."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from kernel.asking.ask import in_words, whether
from kernel.context.dialogue import Dialogue
from kernel.model import Comparison, Decline, Plan, Proposal, Question, TaskId
from kernel.planning.between_wholes import between_wholes
from kernel.planning.compound import propose_compound
from kernel.planning.plan_json import plan_from_json, plan_to_json
from tests.kernel.planner import Planner

Bench = Any  # tests/kernel/conftest.py


def asked(planner: Planner, text: str, context: Dialogue | None = None) -> tuple[Question, list[Plan]]:
    question = planner.whole(text, context)
    assert isinstance(question, Question), question
    assert question.parameter == ""
    return question, [plan_from_json(one) for one in question.values if isinstance(one, Mapping)]


def bounds(plan: Plan) -> list[tuple[str, list[tuple[str, Comparison, Any]], str | None]]:
    return [
        (str(one.tool), [(str(about.task), about.comparison, about.value) for about in one.when], one.each)
        for one in plan.tasks
    ]


@pytest.mark.parametrize(
    "text",
    [
        "move the pdfs in Downloads to Picturs if there are more than ten",
        "verschiebe die PDFs in Downloads nach Picturs, wenn es mehr als zehn sind",
    ],
)
def test_a_condition_that_is_said_behind_the_deed_holds_for_every_choice(planner: Planner, text: str) -> None:
    question, plans = asked(planner, text)
    assert len(plans) == 2
    for plan in (*plans, question.draft):
        assert bounds(plan) == [("files.find", [], None), ("files.move", [("t1", Comparison.MORE, 10)], None)]


def test_what_is_done_otherwise_stays_in_every_choice(planner: Planner) -> None:
    text = "if there are more than 10 pdfs in Downloads, move them to Picturs, else make a note called few saying few"
    _, plans = asked(planner, text)
    assert len(plans) == 2
    for plan in plans:
        assert bounds(plan) == [
            ("files.find", [], None),
            ("files.move", [("t1", Comparison.MORE, 10)], None),
            ("notes.create", [("t1", Comparison.AT_MOST, 10)], None),
        ]


def test_for_each_stays_for_each(planner: Planner) -> None:
    _, plans = asked(planner, "for each PDF in Invoices copy it to Picturs")
    assert len(plans) == 2
    for plan in plans:
        assert bounds(plan) == [("files.find", [], None), ("files.copy", [], "t1")]


def test_an_order_stays(planner: Planner) -> None:
    _, plans = asked(planner, "after you have copied b.pdf to Archive, move a.pdf to Picturs")
    assert len(plans) == 2
    for plan in plans:
        assert [(str(one.tool), one.after) for one in plan.tasks] == [("files.copy", ()), ("files.move", ("t1",))]


def test_the_answer_is_the_whole_plan(planner: Planner) -> None:
    question, plans = asked(planner, "move the pdfs in Downloads to Picturs if there are more than ten")
    answered = planner.whole("Pictures", Dialogue(pending=question))
    assert isinstance(answered, Plan)
    assert answered.tasks == plans[0].tasks


def test_the_question_says_the_condition_and_nothing_that_stands_in(planner: Planner) -> None:
    """A part with a question in words: of what is found only later there is no name yet."""

    def read(text: str, around: Dialogue) -> Proposal:
        found = planner.say(text, around)
        if not isinstance(found, Plan) or found.tasks[-1].tool != "files.delete":
            return found
        return whether(found, f"Shall I do this: {in_words(found, planner.toolbox)}?")

    around = Dialogue(home=planner.home, world=planner.world)
    text = "if there are more than ten pdfs in Downloads, delete them"
    question = propose_compound(text, "en", read, planner.toolbox, around)
    assert isinstance(question, Question)
    assert "standing-in" not in question.text
    assert "only if step 1 finds more than 10" in question.text
    yes, no = question.values
    assert no is None
    assert bounds(plan_from_json(yes))[-1] == ("files.delete", [("t1", Comparison.MORE, 10)], None)


def test_a_choice_that_makes_no_whole_is_not_offered(planner: Planner) -> None:
    one, other = (planner.say(f"move a.pdf to {place}") for place in ("Archive", "Desktop"))
    assert isinstance(one, Plan)
    assert isinstance(other, Plan)
    values = (plan_to_json(one), plan_to_json(other), None)
    part = Question("Which?", one.tasks[0].id, "", one, ("Archive", "Desktop", "none"), values)
    whole = replace(one, tasks=(*one.tasks, replace(other.tasks[0], id=TaskId("t2"))))
    found = between_wholes(part, lambda at: whole if at == 0 else None, planner.toolbox)
    assert isinstance(found, Question)
    assert found.choices == ("Archive", "none")
    assert found.values == (plan_to_json(whole), None)
    assert isinstance(between_wholes(part, lambda _: None, planner.toolbox), Decline)
    why = Decline("After this it is gone.")
    assert between_wholes(part, lambda _: why, planner.toolbox) is why


async def test_a_question_that_is_answered_does_nothing_without_its_condition(bench: Bench) -> None:
    (bench.home / "Pictures").mkdir()
    before = bench.tree()
    view = await bench.ask("move the files in Downloads to Picturs if there are more than ten")
    assert view["resolution"] == "clarify", view["answer"]
    assert view["question"]["choices"][0] == "~/Pictures"
    done = await bench.ask("1")
    assert done["resolution"] == "confirmed", done["answer"]
    assert "only if step 1 finds more than 10; it is 3" in done["answer"]
    assert bench.tree() == before
    view = await bench.ask("move the files in Downloads to Picturs if there are more than two")
    assert view["resolution"] == "clarify", view["answer"]
    done = await bench.ask("1")
    assert done["resolution"] == "confirmed", done["answer"]
    assert "Pictures/big.iso" in bench.tree()
