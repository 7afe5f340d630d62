"""The parts of one sentence: each is read once, and what a part has of its own stays in the whole."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest

from kernel.asking.contradicting import about_gone
from kernel.composition.build import once_for_each
from kernel.context.dialogue import Dialogue
from kernel.dispatching.standing_in import stand_in
from kernel.model import (
    Comparison,
    Condition,
    Constant,
    FromTask,
    Measure,
    Plan,
    Proposal,
    Question,
    Task,
    TaskId,
)
from kernel.planning.compound import propose_compound
from kernel.planning.naming_each import titled
from permissions.labels import USER_SAID
from skills.model import ToolId
from tests.kernel.planner import Planner

T1, T2, T3 = (TaskId(f"t{number}") for number in (1, 2, 3))
TWICE = [
    "if there are more than 10 files in Downloads, move them to Archive",
    "for each PDF in Invoices make a note with its total",
    "falls Downloads leer ist, erstelle eine Notiz namens leer mit dem Text nichts da, sonst liste die PDFs in "
    "Downloads auf",
    "before you delete a.pdf, copy it to Archive",
    "if report.pdf mentions urgent, for each PDF in Invoices copy it to Archive, otherwise delete a.pdf",
    "for each PDF in Downloads copy it to Picturs",
]


@pytest.mark.parametrize("text", TWICE)
def test_no_part_is_read_twice(planner: Planner, text: str) -> None:
    read: list[tuple[str, Dialogue]] = []

    def say(part: str, around: Dialogue) -> Proposal:
        read.append((part, around))
        return planner.say(part, around)

    around = Dialogue(home=planner.home, world=planner.world)
    found = propose_compound(text, planner.intent(text).language, say, planner.toolbox, around)
    assert isinstance(found, Plan | Question), found
    assert read
    assert not [part for at, (part, told) in enumerate(read) if (part, told) in read[:at]]


def test_the_same_again_keeps_its_own_condition(planner: Planner) -> None:
    last = planner.whole("if there are more than 10 files in Downloads, copy them to Archive")
    assert isinstance(last, Plan)
    again = planner.whole("and to Desktop", planner.after(last, t1=planner.files("Downloads/a.pdf")))
    assert isinstance(again, Plan)
    assert again.tasks[-1].when == last.tasks[-1].when


def test_a_part_that_has_conditions_of_its_own_keeps_them_beside_those_of_the_whole(planner: Planner) -> None:
    last = planner.whole("if there are more than 10 files in Downloads, copy them to Archive")
    listed = planner.whole("for each PDF in Invoices copy it to Archive")
    assert isinstance(last, Plan)
    assert isinstance(listed, Plan)

    def read(again: Plan, text: str, around: Dialogue) -> Proposal:
        return again if text == "repeat that" else planner.say(text, around)

    def whole(text: str, again: Plan) -> Proposal | None:
        around = Dialogue(home=planner.home, world=planner.world)
        return propose_compound(text, "en", partial(read, again), planner.toolbox, around)

    plan = whole("if Music is empty, repeat that", last)
    assert isinstance(plan, Plan)
    assert [[(str(about.task), about.value) for about in one.when] for one in plan.tasks] == [
        [], [("t1", 0)], [("t1", 0), ("t2", 10)],
    ]  # fmt: skip
    plan = whole("if Music is empty, repeat that", listed)
    assert isinstance(plan, Plan)
    assert [one.each for one in plan.tasks] == [None, None, "t2"]


def test_what_only_a_condition_needs_stays_with_a_change(planner: Planner) -> None:
    last = planner.whole("if report.pdf mentions urgent, copy a.pdf to Archive")
    assert isinstance(last, Plan)
    again = planner.whole("and to Desktop", planner.after(last, t1="urgent"))
    assert isinstance(again, Plan), again
    assert [str(one.tool) for one in again.tasks] == ["documents.text", "files.copy"]
    assert again.tasks[1].when == last.tasks[1].when
    assert planner.value(again.tasks[1].arguments["to"]) == "~/Desktop"


# --- the item's own name ------------------------------------------------------------------------------------------


def note(planner: Planner, **given: object) -> Plan:
    arguments = {name: Constant(value, USER_SAID) for name, value in given.items()}
    return Plan((Task(T1, ToolId("notes.create"), arguments),), "en")


def test_only_what_is_missing_is_named_after_the_item(planner: Planner) -> None:
    result = planner.toolbox.tool(ToolId("files.find")).result
    doubtful = Question("Which of these?", T1, "text", note(planner, text="one"), ("one", "two"), ("one", "two"))
    assert titled(doubtful, T1, result, planner.toolbox, planner.home) is doubtful
    missing = Question("Which title?", T1, "title", note(planner, text="one"))
    named = titled(missing, T1, result, planner.toolbox, planner.home)
    assert isinstance(named, Plan)
    value = named.tasks[0].arguments["title"]
    assert isinstance(value, Constant)
    assert value.value == "standing-in-for-t1-1"
    other = titled(replace(missing, parameter="text", draft=note(planner)), T1, result, planner.toolbox, planner.home)
    assert isinstance(other, Question)
    assert other.parameter == "text"
    assert "title" in other.draft.tasks[0].arguments


# --- which two branches are never both done -------------------------------------------------------------------------


def when(comparison: Comparison, value: int, measure: Measure = Measure.COUNT) -> tuple[Condition, ...]:
    return (Condition(T1, measure, comparison, value),)


def branches(planner: Planner, first: tuple[Condition, ...], then: tuple[Condition, ...]) -> Plan:
    gone = {"files": Constant([f"{planner.home}/Downloads/a.pdf"], USER_SAID)}
    place = {"folder": Constant(f"{planner.home}/Downloads", USER_SAID)}
    to = {"to": Constant(f"{planner.home}/Archive", USER_SAID)}
    return Plan(
        (
            Task(T1, ToolId("files.contents"), place),
            Task(T2, ToolId("files.delete"), gone, when=first),
            Task(T3, ToolId("files.move"), {**gone, **to}, when=then),
        ),
        "en",
    )


C = Comparison
V = Measure.VALUE


@pytest.mark.parametrize(
    ("first", "then", "fits"),
    [
        (when(C.MORE, 10), when(C.AT_MOST, 10), True),
        (when(C.MORE, 10), when(C.LESS, 5), True),
        (when(C.EQUAL, 0), when(C.MORE, 0), True),
        (when(C.EQUAL, 3), when(C.EQUAL, 4), True),
        (when(C.MORE, 3), when(C.LESS, 4), True),
        (when(C.LESS, 1), when(C.UNEQUAL, 0), True),
        (when(C.EQUAL, 3, V), when(C.UNEQUAL, 3, V), True),
        (when(C.MORE, 10), when(C.MORE, 5), False),
        (when(C.MORE, 3), when(C.LESS, 5), False),
        (when(C.MORE, 10), (), False),
        (when(C.MORE, 10), when(C.UNEQUAL, 20), False),
        (when(C.MORE, 10), when(C.AT_MOST, 10, V), False),
        (when(C.CONTAINS, 1, V), when(C.CONTAINS, 2, V), False),
        ((*when(C.MORE, 1), *when(C.LESS, 9)), when(C.AT_LEAST, 9), True),
    ],
)
def test_a_thing_goes_twice_unless_both_cannot_be(
    planner: Planner, first: tuple[Condition, ...], then: tuple[Condition, ...], *, fits: bool
) -> None:
    assert (about_gone(branches(planner, first, then), planner.toolbox) is None) is fits


def test_what_went_item_by_item_is_not_there_as_a_list(planner: Planner) -> None:
    found = {"folder": Constant(f"{planner.home}/Downloads", USER_SAID)}
    to = {"to": Constant(f"{planner.home}/Archive", USER_SAID)}
    plan = Plan(
        (
            Task(T1, ToolId("files.find"), found),
            Task(T2, ToolId("files.delete"), {"files": FromTask(T1)}, each=T1),
            Task(T3, ToolId("files.move"), {"files": FromTask(T1), **to}),
        ),
        "en",
    )
    assert about_gone(plan, planner.toolbox) is not None
    kept = replace(plan, tasks=(plan.tasks[0], plan.tasks[2]))
    assert about_gone(kept, planner.toolbox) is None


# --- names of tasks -------------------------------------------------------------------------------------------------


def test_a_task_is_renamed_with_all_that_it_needs() -> None:
    task = Task(T2, ToolId("files.copy"), {"files": FromTask(T1, "x", 2)}, (T1, T3), "words", when(C.MORE, 1), T1)
    moved = task.renamed({T1: TaskId("t8"), T2: TaskId("t9")})
    assert moved.id == "t9"
    assert moved.arguments == {"files": FromTask(TaskId("t8"), "x", 2)}
    assert moved.after == ("t8", "t3")
    assert [one.task for one in moved.when] == ["t8"]
    assert moved.each == "t8"
    assert moved.needs() == {"t8", "t3"}
    assert moved.takes() == {"t8"}


def test_what_depends_on_one_of_several_is_done_for_each_of_them(planner: Planner) -> None:
    place = {"folder": Constant(f"{planner.home}/Downloads", USER_SAID)}
    first = Task(T1, ToolId("documents.text"), {})
    then = Task(T2, ToolId("files.contents"), place, when=(Condition(T1, V, C.CONTAINS, "urgent"),))
    values = [Constant(f"{planner.home}/Documents/{name}.pdf", USER_SAID) for name in ("report", "thesis")]
    whole = once_for_each(Plan((first, then), "en"), T1, "file", values)
    assert [(one.id, [about.task for about in one.when]) for one in whole.tasks] == [
        ("t1", []), ("t2", ["t1"]), ("t3", []), ("t4", ["t3"]),
    ]  # fmt: skip


def test_what_is_not_there_yet_is_no_choice(planner: Planner) -> None:
    """A question whose choices are stand-ins is none: the sentence is read in the ordinary way."""
    result = planner.toolbox.tool(ToolId("files.find")).result
    listed = stand_in(T1, result, single=False, home=planner.home)

    def read(text: str, around: Dialogue) -> Proposal:
        found = planner.say(text, around)
        if isinstance(found, Plan) and found.tasks[-1].tool == "files.copy":
            return Question(
                "Which one?", found.tasks[-1].id, "files", found, ("one", "two"), tuple([one] for one in listed)
            )
        return found

    around = Dialogue(home=planner.home, world=planner.world)
    text = "if there are more than ten pdfs in Downloads, copy them to Archive"
    assert propose_compound(text, "en", read, planner.toolbox, around) is None
