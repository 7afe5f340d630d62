"""Templates of confirmed plans: a little cheaper, never for what takes away, gone with their tools; said loosely."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

import pytest

from kernel.composition import Draft
from kernel.composition import weights as w
from kernel.learning.repeating import hear, repeated, same_again
from kernel.learning.templates import Done, Templates
from kernel.model import Plan, Question
from skills.model import ToolId
from tests.kernel.planner import NOW, Planner

COPY = "copy a.pdf to Archive and rename the copy to b2.pdf"
MOVE = "find the newest pdf in Downloads and move it to Archive"
DELETE = "find the newest pdf in Downloads and delete it"


def _done(planner: Planner, sentence: str, at: datetime = NOW) -> Done:
    plan = planner.say(sentence)
    assert isinstance(plan, Plan), plan
    return Done("r1", at, plan)


def _drafts(planner: Planner, sentence: str, templates: Templates) -> list[tuple[Draft, Draft]]:
    """The drafts of a sentence, each with what the templates make of it."""
    seen: list[tuple[Draft, Draft]] = []

    class Noting:
        def favoured(self, drafts: list[Draft]) -> list[Draft]:
            made = templates.favoured(drafts)
            seen.extend(zip(drafts, made, strict=True))
            return made

    replace(planner, toolbox=planner.toolbox.with_templates(Noting())).say(sentence)  # type: ignore[arg-type]
    return seen


def test_a_reading_with_the_shape_of_a_confirmed_plan_is_cheaper(planner: Planner) -> None:
    templates = Templates.of([_done(planner, COPY)], planner.toolbox)
    drafts = _drafts(planner, "copy report.pdf to Music and rename the copy to song.pdf", templates)
    saved = {round(before.cost - after.cost, 3) for before, after in drafts}
    assert saved == {0.0, w.TEMPLATE}
    best = min(drafts, key=lambda one: one[1].cost)
    assert best[1].tools == ("files.copy", "files.rename")


def test_one_that_takes_something_away_is_not(planner: Planner) -> None:
    templates = Templates.of([_done(planner, DELETE)], planner.toolbox)
    assert templates.shapes
    assert all(before.cost == after.cost for before, after in _drafts(planner, DELETE, templates))


def test_a_plan_of_one_step_and_another_shape_are_not(planner: Planner) -> None:
    templates = Templates.of([_done(planner, "copy a.pdf to Archive")], planner.toolbox)
    assert not templates.shapes
    templates = Templates.of([_done(planner, COPY)], planner.toolbox)
    drafts = _drafts(planner, "copy a.pdf to Archive", templates)
    assert all(before.cost == after.cost for before, after in drafts)


def test_it_saves_less_than_what_tells_a_clearly_better_reading_apart() -> None:
    assert w.TEMPLATE <= w.TASK


@pytest.mark.parametrize("change", ["gone", "renamed"])
def test_a_template_whose_tool_changed_is_dropped(planner: Planner, change: str) -> None:
    done = _done(planner, COPY)
    first, *rest = done.plan.tasks
    if change == "gone":
        first = replace(first, tool=ToolId("files.beam"))
    else:
        first = replace(first, arguments={f"{name}_x": value for name, value in first.arguments.items()})
    templates = Templates.of([replace(done, plan=replace(done.plan, tasks=(first, *rest)))], planner.toolbox)
    assert not templates.done


LAST_MONTH = datetime(2025, 2, 20, 9, 0, tzinfo=NOW.tzinfo)
SAID = [
    "do the same as last month with report.pdf",
    "do it again like last month but with report.pdf",
    "same as last month with report.pdf",
    "nochmal wie letzten Monat mit report.pdf",
    "mach dasselbe nochmal wie letzten Monat, aber diesmal mit report.pdf",
]


@pytest.mark.parametrize("sentence", SAID)
def test_the_same_as_at_another_time_with_another_value(planner: Planner, sentence: str) -> None:
    done = [_done(planner, "copy a.pdf to Archive", LAST_MONTH), _done(planner, "how many days until 1 May 2025")]
    found = _again(planner, sentence, done)
    assert isinstance(found, Plan)
    assert planner.shape(found) == "files.copy(files=['~/Documents/report.pdf'], to=~/Archive)"


def test_which_of_several_is_asked(planner: Planner) -> None:
    said = ("copy a.pdf to Archive", "summarise thesis.pdf")
    found = _again(planner, SAID[0], [_done(planner, one, LAST_MONTH) for one in said])
    assert isinstance(found, Question)
    assert len(found.choices) == 3


@pytest.mark.parametrize("last", ["delete a.pdf", "move a.pdf to Archive"])
def test_what_takes_away_is_asked_about(planner: Planner, last: str) -> None:
    found = _again(planner, SAID[0], [_done(planner, last, LAST_MONTH)])
    assert isinstance(found, Question)
    assert found.values[1] is None


@pytest.mark.parametrize(
    "sentence",
    ["do the same as last year with report.pdf", "copy report.pdf to Archive again", "show me the same again",
     "write a note: same as last month with report.pdf we met"],
)  # fmt: skip
def test_other_sentences_repeat_nothing(planner: Planner, sentence: str) -> None:
    assert _again(planner, sentence, [_done(planner, "copy a.pdf to Archive", LAST_MONTH)]) is None


@pytest.mark.parametrize("sentence", ["do the same with thesis.pdf", "mach das gleiche mit thesis.pdf"])
def test_the_same_of_several_steps_is_all_of_it_and_a_new_name_is_asked_for(planner: Planner, sentence: str) -> None:
    plan = planner.say("summarise report.pdf and save it as a note called Report")
    assert isinstance(plan, Plan)
    context = replace(planner.after(plan, t1="A summary"), home=planner.home, world=planner.world)
    found = same_again(planner.intent(sentence), context, planner.toolbox)
    assert isinstance(found, Question)
    assert (found.task, found.parameter) == ("t2", "title")
    assert planner.value(found.draft.tasks[0].arguments["file"]) == "~/Documents/thesis.pdf"


@pytest.mark.parametrize("last", ["summarise report.pdf", DELETE, MOVE])
def test_the_same_of_one_step_or_of_what_takes_away_is_read_as_before(planner: Planner, last: str) -> None:
    plan = planner.say(last)
    assert isinstance(plan, Plan)
    assert same_again(planner.intent("do the same with thesis.pdf"), planner.after(plan), planner.toolbox) is None


def test_only_a_whole_sentence_is_heard() -> None:
    assert hear("nochmal wie letzten Monat mit a.pdf") is not None
    assert hear("wie letzten Monat mit a.pdf") is None
    assert hear(f"nochmal wie letzten Monat mit {'a' * 600}.pdf") is None


def _again(planner: Planner, sentence: str, done: list[Done]) -> Plan | Question | None:
    templates = Templates.of(done, planner.toolbox)
    found = repeated(planner.intent(sentence), templates, planner.toolbox, planner.home)
    assert found is None or isinstance(found, Plan | Question)
    return found
