"""Conditions on what was found just before, in the sentence or by the last request; and German "unless"."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from kernel.context.dialogue import Dialogue
from kernel.language.branching import branch_of
from kernel.language.clause_joints import LONGEST
from kernel.model import Decline, Plan, Proposal
from tests.clock import less_than

if TYPE_CHECKING:
    from tests.kernel.planner import Planner

PDFS = "files.find(folder=~/Downloads, kind=pdf)"
COPY, DELETE = "files.copy(files=<t1>, to=~/Archive)", "files.delete(files=<t1>)"
ZIP = "files.delete(files=['~/Downloads/old.zip'])"
REPORT = "files.find(name=report.pdf)"
TABLE = [
    ("find the pdfs in Downloads and if there are more than 3, copy them to Archive", [PDFS, f"{COPY} if t1 > 3"]),
    ("find the pdfs in Downloads. If there are more than 3 of them, copy them to Archive, otherwise delete them",
     [PDFS, f"{COPY} if t1 > 3", f"{DELETE} if t1 <= 3"]),
    ("copy the pdfs in Downloads to Archive if there are at least 3", [PDFS, f"{COPY} if t1 >= 3"]),
    ("delete the pdfs in Downloads unless there are more than 3 of them", [PDFS, f"{DELETE} if t1 <= 3"]),
    ("finde die PDFs in Downloads und wenn es mehr als 3 sind, kopiere sie nach Archive", [PDFS, f"{COPY} if t1 > 3"]),
    ("finde die PDFs in Downloads. Wenn es mehr als 3 sind, kopiere alle nach Archive", [PDFS, f"{COPY} if t1 > 3"]),
    ("kopiere die PDFs in Downloads nach Archive, außer wenn es mehr als 10 sind", [PDFS, f"{COPY} if t1 <= 10"]),
    ("wenn es mehr als 3 PDFs in Downloads gibt, kopiere alle nach Archive", [PDFS, f"{COPY} if t1 > 3"]),
    ("lösche old.zip, es sei denn, es gibt keine PDFs in Downloads", [PDFS, f"{ZIP} if t1 != 0"]),
    ("lösche old.zip, es sei denn, report.pdf existiert nicht", [REPORT, f"{ZIP} if t1 != 0"]),
    ("lösche old.zip, außer wenn report.pdf fehlt", [REPORT, f"{ZIP} if t1 != 0"]),
    ("außer wenn report.pdf existiert, lösche old.zip", [REPORT, f"{ZIP} if t1 <= 0"]),
    ("wenn report.pdf da ist, lösche old.zip", [REPORT, f"{ZIP} if t1 > 0"]),
    ("delete old.zip if report.pdf is missing", [REPORT, f"{ZIP} if t1 = 0"]),
    ("wenn es mehr als 3 Notizen gibt, dann zeig sie als Benachrichtigung",
     ["notes.contents()", "desktop.notify(text=<t1>) if t1 > 3"]),
    ("copy report.pdf to Archive and if Downloads is empty, delete old.zip",
     ["files.copy(files=['~/Documents/report.pdf'], to=~/Archive)", "files.contents(folder=~/Downloads)",
      f"{ZIP} if t2 = 0"]),
]  # fmt: skip


def told(planner: Planner, plan: Proposal) -> list[str]:
    assert isinstance(plan, Plan), plan
    return [
        planner.shape(Plan((task,), "en"))
        + "".join(f" if {one.task} {one.comparison} {one.value}" for one in task.when)
        for task in plan.tasks
    ]


@pytest.mark.parametrize(("text", "plan"), TABLE)
def test_the_condition_is_part_of_the_plan(planner: Planner, text: str, plan: list[str]) -> None:
    assert told(planner, planner.whole(text)) == plan


@pytest.mark.parametrize(
    ("text", "does"),
    [
        ("if there are more than 1 of them, delete them", ["files.delete"]),
        ("if there are more than 3, delete them, otherwise copy them to Archive", ["files.copy"]),
        ("wenn es mehr als eine sind, lösche alle", ["files.delete"]),
        ("lösche sie, es sei denn, es sind mehr als 3", ["files.delete"]),
        ("if there are more than 3, delete them", []),
        ("unless there are fewer than 3, delete them", []),
        ("lösche sie, wenn es mehr als 3 sind", []),
        ("lösche sie, außer wenn es weniger als 3 sind", []),
    ],
)
def test_how_many_the_last_request_found_is_known(planner: Planner, text: str, does: list[str]) -> None:
    search = planner.whole("finde die PDFs in Downloads" if "lösche" in text else "find the pdfs in Downloads")
    assert isinstance(search, Plan)
    files = planner.files("Downloads/a.pdf", "Downloads/b.pdf")
    answer = planner.whole(text, planner.after(search, t1=files))
    if not does:
        assert isinstance(answer, Decline)
        assert "2" in answer.text
        return
    assert isinstance(answer, Plan), answer
    assert [task.tool for task in answer.tasks] == does
    assert not any(task.when for task in answer.tasks)
    assert "Downloads/b.pdf" in planner.value(answer.tasks[0].arguments["files"])


def test_nothing_was_found_before(planner: Planner) -> None:
    for text in ("if there are more than 3, delete them", "wenn es mehr als 3 sind, lösche sie"):
        assert not isinstance(planner.whole(text, Dialogue()), Plan)


@pytest.mark.parametrize("text", ["if a is, ", "wenn a, sonst und wenn ", "unless there are more than 3 and if ", "a "])
def test_it_is_bounded(text: str) -> None:
    for language in ("en", "de"):
        with less_than(2.0):
            branch_of(text * (LONGEST // len(text)), language)
            branch_of(text * 5000, language)


async def test_unless_leaves_what_is_there(bench: Any) -> None:
    view = await bench.ask("lösche small.txt, außer wenn big.iso existiert")
    assert view["plan"]["tasks"], view["answer"]
    assert "Downloads/small.txt" in bench.tree()
