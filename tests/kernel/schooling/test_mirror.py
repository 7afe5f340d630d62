"""Marking, the mirror, and examples that are misread."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from kernel.context.mind import Mind
from kernel.context.toolbox import Toolbox
from kernel.language.lexicon import Lexicon
from kernel.model import Constant, Decline, FromTask, Plan, Proposal, Question, Task, TaskId
from kernel.schooling import Lesson, Mirror, School, Verdict, misread
from kernel.schooling.marking import mark
from kernel.schooling.model import Meant, Said, Taken
from permissions.labels import KERNEL_SAID
from skills.model import Example, ExampleSlot, Tool, ToolId

FIND, COPY = ToolId("files.find"), ToolId("files.copy")
LESSON = Lesson(
    "find the PDFs in Music and copy them to Archive",
    "en",
    "A and B it",
    (
        Meant(FIND, {"kind": Said("PDFs"), "folder": Said("Music", ("/home/Music",))}),
        Meant(COPY, {"files": Taken((0,)), "to": Said("Archive", ("/home/Archive",))}),
    ),
)


def constant(value: object, text: str = "") -> Constant:
    return Constant(value, KERNEL_SAID, text)


def plan(*, folder: str = "/home/Music", kind: str = "the PDFs", field: str = "", tool: ToolId = COPY) -> Plan:
    first = Task(TaskId("t1"), FIND, {"kind": constant("pdf", kind), "folder": constant(folder)})
    taken = FromTask(TaskId("t1"), field)
    second = Task(TaskId("t2"), tool, {"files": taken, "to": constant("/home/Archive")})
    return Plan((first, second), "en")


@pytest.mark.parametrize(
    ("proposal", "verdict"),
    [
        (plan(), Verdict.RIGHT),
        (plan(folder="/home/Videos"), Verdict.VALUES),
        (plan(kind="movies"), Verdict.VALUES),
        (plan(tool=ToolId("files.move")), Verdict.WRONG),
        (Plan(plan().tasks[:1], "en"), Verdict.WRONG),
        (replace(plan(), tasks=(plan().tasks[0], replace(plan().tasks[1], each=TaskId("t1")))), Verdict.VALUES),
        (Decline("no"), Verdict.DECLINED),
        (Question("which?", TaskId("t1"), "kind", plan()), Verdict.ASKED),
    ],
)
def test_a_proposal_is_held_against_what_was_meant(proposal: Proposal, verdict: Verdict) -> None:
    assert mark(LESSON, proposal) is verdict


def test_a_field_must_be_the_one_that_was_said() -> None:
    first, second = LESSON.calls
    lesson = replace(
        LESSON, calls=(first, replace(second, arguments={**second.arguments, "files": Taken((0,), "name")}))
    )
    assert mark(lesson, plan(field="name")) is Verdict.RIGHT
    assert mark(lesson, plan()) is Verdict.VALUES


def test_the_mirror_counts_by_construct_and_by_tools() -> None:
    mirror, answers = Mirror(), iter([plan(), plan(tool=ToolId("files.move")), Decline("no")])
    mirror.read([LESSON] * 3, lambda _: next(answers))
    counts = mirror.by_construct()["A and B it", "en"]
    assert (counts[Verdict.RIGHT], counts[Verdict.WRONG], counts[Verdict.DECLINED]) == (1, 1, 1)
    assert mirror.confusions() == {((FIND, COPY), (FIND, ToolId("files.move"))): 1}
    assert "| A and B it | en | 3 | 33 % | 0 % | 33 % | 0 % | 33 % |" in mirror.table()


@pytest.mark.slow
def test_most_sentences_of_one_step_are_understood(mind: Mind, tmp_path: Path) -> None:
    school, mirror = School(mind, tmp_path, seed=2), Mirror()
    mirror.read(school.lessons(40, ("single", "courtesy")), school.reader.read)
    assert sum(one.verdict is Verdict.RIGHT for one in mirror.marked) >= 34


def _with_example(tools: tuple[Tool, ...], text: str, parameter: str, value: str) -> tuple[Tool, ...]:
    at = text.index(value)
    more = Example(text, "en", (ExampleSlot(parameter, at, at + len(value)),))
    return tuple(replace(one, examples=(*one.examples, more)) if one.id == "notes.read" else one for one in tools)


@pytest.mark.slow
def test_an_example_that_another_skill_would_take_is_named(tools: tuple[Tool, ...], tmp_path: Path) -> None:
    spoilt = _with_example(tools, "delete the file wifi", "title", "wifi")
    school = School(Mind(Lexicon.from_tools(spoilt), Toolbox.build(spoilt)), tmp_path)
    found = list(misread(school, [tool for tool in spoilt if tool.id == "notes.read"]))
    assert "delete the file wifi" in {one.example for one in found}
    assert len(found) < 12
