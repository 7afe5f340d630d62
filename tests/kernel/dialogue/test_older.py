"""What "that" means after a request that came to nothing, or after one whose result does not serve."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from kernel.context.dialogue import Dialogue
from kernel.model import Decline, Plan, Question

if TYPE_CHECKING:
    from tests.kernel.planner import Planner


def _counted(planner: Planner) -> Dialogue:
    plan = planner.say("what is 19% of 250")
    assert isinstance(plan, Plan)
    return planner.after(plan, t1=47.5)


def _told(planner: Planner, sentence: str) -> Dialogue:
    plan = planner.say(sentence)
    assert isinstance(plan, Plan)
    return planner.after(plan, t1=planner.files("Documents/meeting.md"))


@pytest.mark.parametrize("then", ["move it to Archive", "delete them", "rename it to plan"])
def test_after_a_request_that_came_to_nothing_both_are_named(planner: Planner, then: str) -> None:
    context = replace(_told(planner, "find files called meeting in Documents"), unsettled="read the weather report")
    question = planner.say(then, context)
    assert isinstance(question, Question)
    assert "read the weather report" in question.text
    assert "find files called meeting in Documents" in question.text
    taken = planner.say("yes", replace(context, pending=question))
    assert isinstance(taken, Plan)
    assert taken.tasks == question.draft.tasks


@pytest.mark.parametrize("then", ["move it to Archive", "delete them"])
def test_after_a_request_that_was_done_it_is_its_result(planner: Planner, then: str) -> None:
    assert isinstance(planner.say(then, _told(planner, "find files called meeting in Documents")), Plan)


def test_a_name_that_is_said_is_not_asked_about(planner: Planner) -> None:
    context = replace(_told(planner, "find files called meeting in Documents"), unsettled="read the weather report")
    assert planner.shape(planner.say("delete old.zip", context)) == "files.delete(files=['~/Downloads/old.zip'])"


def test_the_question_says_what_would_be_taken(planner: Planner) -> None:
    context = replace(_told(planner, "find files called meeting in Documents"), unsettled="read the weather report")
    question = planner.say("delete them", context)
    assert isinstance(question, Question)
    assert "meeting.md" in question.text


@pytest.mark.parametrize("then", ["delete it", "delete them", "lösch sie", "put it into the trash"])
def test_a_list_of_some_time_ago_is_not_offered_to_be_taken_away(planner: Planner, then: str) -> None:
    plan = planner.say("find pdfs in Downloads")
    assert isinstance(plan, Plan)
    found = planner.after(plan, t1=planner.files("Downloads/a.pdf", "Downloads/b.pdf"))
    assert isinstance(planner.say(then, found), Plan | Question), "the control: it was found last"
    counted = _counted(planner)
    answer = planner.say(then, Dialogue(last=counted.last, recent=(*counted.recent, *found.recent)))
    assert isinstance(answer, Decline), answer


def test_when_the_latest_result_does_not_serve_the_older_is_asked_about(planner: Planner) -> None:
    found, counted = _told(planner, "find files called meeting in Documents"), _counted(planner)
    context = Dialogue(last=counted.last, recent=(*counted.recent, *found.recent))
    question = planner.say("delete it", context)
    assert isinstance(question, Question)
    assert "find files called meeting in Documents" in question.text
    assert "19%" in question.text
