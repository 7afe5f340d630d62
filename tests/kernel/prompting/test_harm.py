"""Plans of a model's that take something away, held against what the sentence says."""

from __future__ import annotations

from typing import Any

import pytest

from kernel.composition.scene import scene_of
from kernel.model import Argument, Constant, FromTask, Plan, Question, Task, TaskId
from kernel.prompting.harm import harm_in, harm_in_rule, which_count, why_not
from permissions.labels import MODEL_SAID, USER_SAID
from skills.model import ToolId
from tests.kernel.planner import Planner

T1, T2 = TaskId("t1"), TaskId("t2")


def said(value: Any, text: str) -> Constant:
    return Constant(value, USER_SAID, text)


def written(value: Any) -> Constant:
    return Constant(value, MODEL_SAID)


def gone(tool: str = "files.delete", **found: Argument) -> Plan:
    """Find something, and take it away."""
    more: dict[str, Argument] = {"to": written("/h/Archive")} if tool == "files.move" else {}
    return Plan((Task(T1, ToolId("files.find"), found), Task(T2, ToolId(tool), {"files": FromTask(T1), **more})), "en")


def harm(planner: Planner, sentence: str, plan: Plan) -> str:
    return harm_in(plan, scene_of(planner.intent(sentence), planner.home), planner.toolbox)


def downloads(planner: Planner) -> Constant:
    return said(f"{planner.home}/Downloads", "Downloads")


def test_a_plan_that_does_what_was_said_is_used(planner: Planner) -> None:
    sentence = "kindly delete whatever hampers me in Downloads"
    assert harm(planner, sentence, gone(folder=downloads(planner))) == ""


def test_a_folder_and_what_lies_in_it_are_not_two_things(planner: Planner) -> None:
    both = written([f"{planner.home}/Finance", f"{planner.home}/Finance/budget.xlsx"])
    plan = Plan((Task(T1, ToolId("files.delete"), {"files": both}),), "en")
    assert harm(planner, "off with all of that money stuff", plan) == "nested"


def test_a_thing_that_lies_elsewhere_than_its_words_say_is_left(planner: Planner) -> None:
    for folder, found in [("Documents", "elsewhere"), ("Downloads/Documents", "")]:
        thing = said(f"{planner.home}/{folder}", "documents in Downloads")
        plan = Plan((Task(T1, ToolId("files.delete"), {"files": thing}),), "en")
        assert harm(planner, "please be rid of the documents in Downloads", plan) == found


@pytest.mark.parametrize("sentence", ["delete every pdf in Downloads but the newest", "delete all but a.pdf here"])
def test_all_but_some_is_no_all(planner: Planner, sentence: str) -> None:
    assert harm(planner, sentence, gone(folder=downloads(planner))) == "all_but"
    kept = gone(folder=downloads(planner), not_name=written("a.pdf"))
    assert harm(planner, sentence, kept) == "", "a plan that leaves something out is shown"


@pytest.mark.parametrize(("sentence", "found"), [
    ("copy what is in Downloads, I don't care for pdfs", "disliked"),
    ("I don't need what is in Downloads any more", ""), ("don't hesitate, delete what is in Downloads", ""),
])  # fmt: skip
def test_what_somebody_does_not_care_for_is_not_told_to_go(planner: Planner, sentence: str, found: str) -> None:
    assert harm(planner, sentence, gone(folder=downloads(planner))) == found


@pytest.mark.parametrize(("sentence", "found"), [
    ("delete a.pdf and Downloads like that", "place"), ("delete a.pdf in Downloads", ""),
    ("delete a.pdf of the folder Downloads", ""),
])  # fmt: skip
def test_a_folder_is_the_place_where_a_word_says_so(planner: Planner, sentence: str, found: str) -> None:
    assert harm(planner, sentence, gone(folder=downloads(planner))) == found


def test_what_only_looks_is_never_forbidden(planner: Planner) -> None:
    plan = Plan((Task(T1, ToolId("files.find"), {"folder": downloads(planner)}),), "en")
    assert harm(planner, "all but the pdfs, I don't care, and Downloads", plan) == ""


def test_an_order_without_a_number_is_asked_about_before_anything_goes(planner: Planner) -> None:
    old = gone(folder=downloads(planner), order=written("oldest"))
    asked = which_count(old, planner.toolbox)
    assert isinstance(asked, Question)
    assert (asked.task, asked.parameter, asked.draft) == (T1, "count", old)
    one = gone(folder=downloads(planner), order=written("oldest"), count=written(1))
    assert which_count(one, planner.toolbox) is None
    assert which_count(Plan(old.tasks[:1], "en"), planner.toolbox) is None, "what only looks may look at all"


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("rule", ["nested", "elsewhere", "all_but", "disliked", "place"])
def test_each_rule_has_a_reason_in_words(rule: str, language: str) -> None:
    said_why = why_not(rule, "far", language)
    assert "far" in said_why
    assert said_why.endswith(".")
    assert "{" not in said_why


@pytest.mark.parametrize(
    ("sentence", "found"),
    [
        ("whatever hampers me in Downloads can go, delete it", ""),
        ("whatever hampers me in Downloads belongs onto my list", "unasked"),
    ],
)
def test_again_and_again_nothing_is_deleted_that_no_word_wants_gone(
    planner: Planner, sentence: str, found: str
) -> None:
    scene, plan = scene_of(planner.intent(sentence), planner.home), gone(folder=downloads(planner))
    assert harm_in_rule(plan, scene, planner.toolbox) == found
    assert harm_in(plan, scene, planner.toolbox) == "", "for once it is shown first"


def test_again_and_again_some_things_without_a_number_are_not_taken(planner: Planner) -> None:
    sentence = "kindly delete the oldest things in Downloads"
    scene = scene_of(planner.intent(sentence), planner.home)
    some = gone(folder=downloads(planner), order=written("oldest"))
    assert harm_in_rule(some, scene, planner.toolbox) == "count"
    few = gone(folder=downloads(planner), order=written("oldest"), count=written(3))
    assert harm_in_rule(few, scene, planner.toolbox) == ""
    assert "how many" in why_not("count", "scripted", "en")
    assert "immer wieder" in why_not("unasked", "scripted", "de")
