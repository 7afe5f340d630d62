"""What "the oldest one" and "it" mean: what was found before, or a question; never something else in the home."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from kernel.context.dialogue import Dialogue
from kernel.model import Constant, Plan, Question
from kernel.planning.plan_json import question_from_json, question_to_json

if TYPE_CHECKING:
    from tests.kernel.planner import Planner


def _found(planner: Planner, *names: str) -> list[dict[str, Any]]:
    """Files, each a day older and a byte larger than the one before it."""
    return [
        {"path": f"{planner.home}/{name}", "size_bytes": 10 + at, "modified": f"2025-02-{20 - at:02}T08:00:00+00:00"}
        for at, name in enumerate(names)
    ]


def _after(planner: Planner, first: str, *names: str) -> Dialogue:
    plan = planner.say(first)
    assert isinstance(plan, Plan)
    return planner.after(plan, t1=_found(planner, *names))


def _paths(planner: Planner, proposal: object) -> list[str]:
    assert isinstance(proposal, Plan), proposal
    assert len(proposal.tasks) == 1
    held = [one.value for one in proposal.tasks[0].arguments.values() if isinstance(one, Constant)]
    things = [item for value in held for item in (value if isinstance(value, list) else [value])]
    return [one["path"].replace(planner.home, "~") for one in things if isinstance(one, dict) and "path" in one]


@pytest.mark.parametrize(
    ("then", "names"),
    [
        ("delete the oldest one", ["c.pdf"]),
        ("delete the newest", ["a.pdf"]),
        ("delete the oldest pdf", ["c.pdf"]),
        ("delete the largest of them", ["c.pdf"]),
        ("move the two newest to Archive", ["a.pdf", "b.pdf"]),
        ("copy the oldest two to Archive", ["c.pdf", "b.pdf"]),
        ("could you please delete the smallest one?", ["a.pdf"]),
        ("lösche die älteste", ["c.pdf"]),
        ("lösche die kleinste davon", ["a.pdf"]),
    ],
)
def test_an_extreme_picks_among_what_the_last_run_found(planner: Planner, then: str, names: list[str]) -> None:
    context = _after(planner, "find all pdfs in Downloads", "a.pdf", "b.pdf", "c.pdf")
    assert _paths(planner, planner.say(then, context)) == [f"~/{name}" for name in names]


def test_an_extreme_after_a_list_of_notes_is_a_note(planner: Planner) -> None:
    context = _after(planner, "list my notes", "Notes/x.md", "Notes/y.md")
    assert _paths(planner, planner.say("delete the oldest one", context)) == ["~/Notes/y.md"]
    assert _paths(planner, planner.say("delete the oldest note", context)) == ["~/Notes/y.md"]


@pytest.mark.parametrize(
    "sentence",
    [
        "delete the oldest one",
        "delete the last one",
        "move the biggest to Archive",
        "rename the newest to first",
        "lösche die älteste",
    ],
)
def test_an_extreme_of_nothing_is_asked_about(planner: Planner, sentence: str) -> None:
    assert isinstance(planner.say(sentence), Question)


def test_an_extreme_of_what_has_no_order_is_asked_about(planner: Planner) -> None:
    plan = planner.say("describe sales.csv")
    assert isinstance(plan, Plan)
    assert isinstance(planner.say("delete the largest one", planner.after(plan, t1={"rows": 3})), Question)


def test_an_extreme_that_two_share_is_asked_about(planner: Planner) -> None:
    found = [{**one, "modified": "2025-02-01T00:00:00+00:00"} for one in _found(planner, "a.pdf", "b.pdf")]
    plan = planner.say("find all pdfs in Downloads")
    assert isinstance(plan, Plan)
    assert isinstance(planner.say("delete the oldest one", planner.after(plan, t1=found)), Question)


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        (
            "find all pdfs in Downloads and delete the oldest one",
            "files.find(folder=~/Downloads, kind=pdf); "
            "files.find(count=1, folder=~/Downloads, kind=pdf, order=oldest); files.delete(files=<t2>)",
        ),
        (
            "show me all photos in Pictures and move the two largest to Desktop",
            "files.find(folder=~/Pictures, kind=image); "
            "files.find(count=2, folder=~/Pictures, kind=image, order=largest); files.move(files=<t2>, to=~/Desktop)",
        ),
    ],
)
def test_an_extreme_picks_among_what_the_plan_finds(planner: Planner, sentence: str, expected: str) -> None:
    assert planner.shape(planner.say(sentence)) == expected


def test_an_extreme_of_a_question_keeps_where_was_looked(planner: Planner) -> None:
    context = _after(planner, "find all pdfs in Downloads", "Downloads/a.pdf", "Downloads/b.pdf")
    expected = "files.find(count=1, folder=~/Downloads, kind=pdf, order=smallest)"
    assert planner.shape(planner.say("show me the smallest of them", context)) == expected
    assert planner.shape(planner.say("thanks a lot, and which is the smallest one?", context)) == expected


def test_an_extreme_with_a_place_of_its_own_does_not_point(planner: Planner) -> None:
    context = _after(planner, "find all pdfs in Downloads", "Downloads/a.pdf", "Downloads/b.pdf")
    expected = "files.find(count=1, folder=~/Documents, kind=pdf, order=oldest); files.delete(files=<t1>)"
    assert planner.shape(planner.say("delete the oldest pdf in Documents", context)) == expected


def test_after_a_copy_what_is_to_be_deleted_may_be_either(planner: Planner) -> None:
    question = planner.say("copy a.pdf to Archive and delete it")
    assert isinstance(question, Question)
    assert len(question.choices) == 2
    assert "~/Downloads/a.pdf" in question.choices[1].replace(planner.home, "~")


GIVEN, MADE = "files.delete(files=~/Downloads/a.pdf)", "files.delete(files=<t1>)"


@pytest.mark.parametrize(
    ("sentence", "answer", "meant"),
    [
        ("copy a.pdf to Archive and delete it", "the original", GIVEN),
        ("copy a.pdf to Archive and delete it", "the original file please", GIVEN),
        ("copy a.pdf to Archive and delete it", "the copy", MADE),
        ("copy a.pdf to Archive and delete it", "the new one", MADE),
        ("kopiere a.pdf nach Archive und lösche sie", "das Original", GIVEN),
        ("kopiere a.pdf nach Archive und lösche sie", "die Kopie", MADE),
        ("kopiere a.pdf nach Archive und lösche sie", "die neue", MADE),
    ],
)
def test_the_original_and_the_copy_are_answers(planner: Planner, sentence: str, answer: str, meant: str) -> None:
    question = planner.say(sentence)
    assert isinstance(question, Question)
    stored = question_from_json(question_to_json(question))
    plan = planner.shape(planner.say(answer, Dialogue(pending=stored)))
    assert plan == f"files.copy(files=['~/Downloads/a.pdf'], to=~/Archive); {meant}"


def test_of_two_equal_files_nobody_knows_the_original(planner: Planner) -> None:
    question = planner.say("rename plan.docx to final plan")
    assert isinstance(question, Question)
    again = planner.say("the original", Dialogue(pending=question))
    assert isinstance(again, Question)
    assert (again.choices, again.values) == (question.choices, question.values)
    assert "1 to 2" in again.text


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        (
            "copy a.pdf to Archive, then rename it to plan",
            "files.copy(files=['~/Downloads/a.pdf'], to=~/Archive); files.rename(file=<t1[0]>, name=plan)",
        ),
        (
            "copy a.pdf to Desktop and rename it to x.pdf",
            "files.copy(files=['~/Downloads/a.pdf'], to=~/Desktop); files.rename(file=<t1[0]>, name=x.pdf)",
        ),
        (
            "copy the newest picture to Desktop and call it wallpaper",
            "files.find(count=1, kind=image, order=newest); files.copy(files=<t1>, to=~/Desktop); "
            "files.rename(file=<t2[0]>, name=wallpaper)",
        ),
    ],
)
def test_after_a_copy_the_copy_gets_the_name(planner: Planner, sentence: str, expected: str) -> None:
    assert planner.shape(planner.say(sentence)) == expected


def test_after_a_move_it_is_what_has_moved(planner: Planner) -> None:
    expected = "files.move(files=['~/Downloads/a.pdf'], to=~/Archive); files.rename(file=<t1[0]>, name=plan)"
    assert planner.shape(planner.say("move a.pdf to Archive and rename it to plan")) == expected


def test_the_last_table_is_what_is_saved_and_goes_beside_its_source(planner: Planner) -> None:
    plan = planner.say("total amount by region in sales.csv")
    assert isinstance(plan, Plan)
    table = {"columns": ["region", "amount"], "rows": [["north", 3]]}
    saved = planner.say("save as totals.csv", planner.after(plan, t1=table))
    assert isinstance(saved, Plan)
    assert [task.tool for task in saved.tasks] == ["data.save"]
    assert saved.tasks[0].arguments["table"].value is table  # type: ignore[union-attr]
    assert planner.value(saved.tasks[0].arguments["file"]) == "~/Work/totals.csv"


def test_what_is_no_table_is_not_saved_as_one(planner: Planner) -> None:
    context = _after(planner, "find all pdfs in Downloads", "Downloads/a.pdf")
    assert isinstance(planner.say("save as totals.csv", context), Question)
