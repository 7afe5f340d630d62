"""What is asked for each of what was found, in the same sentence or before, is done with each and never once."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from kernel.composition.validate import MOST_TASKS
from kernel.context.dialogue import Dialogue
from kernel.language.quantifying import Each, each_of_them
from kernel.model import Constant, Decline, Plan, Proposal, Question

if TYPE_CHECKING:
    from tests.kernel.planner import Planner

PDFS = "files.find(folder=~/Downloads, kind=pdf)"
BILLS = "files.find(folder=~/Invoices, kind=pdf)"
TOTALS = [
    BILLS, "documents.value(file=<t1>, name={total}) each t1",
    "notes.create(text=<t2.value>, title=<t1.stem>) each t1",
]  # fmt: skip
EN, DE = [one.format(total="total") for one in TOTALS], [one.format(total="Gesamtbetrag") for one in TOTALS]
TABLE = [
    ("find the pdfs in Downloads and for each of them show me a summary",
     [PDFS, "documents.summary(file=<t1>) each t1"]),
    ("find the pdfs in Downloads and summarise each of them", [PDFS, "documents.summary(file=<t1>) each t1"]),
    ("find the pdfs in Downloads. For each one, count the pages", [PDFS, "documents.pages(file=<t1>) each t1"]),
    ("find the pdfs in Downloads and rename every one of them to x.pdf",
     [PDFS, "files.rename(file=<t1>, name=x.pdf) each t1"]),
    ("find the pdfs in Downloads and copy each of them to Archive", [PDFS, "files.copy(files=<t1>, to=~/Archive)"]),
    ("find the pdfs in Invoices and make a note with its total for each of them", EN),
    ("find the pdfs in Invoices, and for each of them, if its total is over 100, make a note with its total",
     [*EN[:2], f"{EN[2]} if t2.amount > 100"]),
    ("for every PDF in Downloads count the pages", [PDFS, "documents.pages(file=<t1>) each t1"]),
    ("for each of the notes, put it in a new note called meter",
     ["notes.contents()", "notes.create(text=<t1>, title=meter) each t1"]),
    ("for every one of the contents of Finance put it in the trash",
     ["files.contents(folder=~/Finance)", "files.delete(files=<t1>) each t1"]),
    ("finde die PDFs in Downloads und fasse jede davon zusammen", [PDFS, "documents.summary(file=<t1>) each t1"]),
    ("finde die PDFs in Downloads und kopiere jede einzelne davon nach Archive",
     [PDFS, "files.copy(files=<t1>, to=~/Archive)"]),
    ("finde die PDFs in Invoices, und für jede davon erstelle eine Notiz mit ihrem Gesamtbetrag", DE),
    ("finde die PDFs in Invoices und erstelle für jede davon eine Notiz mit ihrem Gesamtbetrag", DE),
]  # fmt: skip


def told(planner: Planner, plan: Proposal) -> list[str]:
    assert isinstance(plan, Plan), plan
    return [
        planner.shape(Plan((task,), "en"))
        + (f" each {task.each}" if task.each else "")
        + "".join(f" if {one.task}{one.field and '.' + one.field} {one.comparison} {one.value}" for one in task.when)
        for task in plan.tasks
    ]


@pytest.mark.parametrize(("text", "plan"), TABLE)
def test_it_is_done_with_each(planner: Planner, text: str, plan: list[str]) -> None:
    assert told(planner, planner.whole(text)) == plan


def found(planner: Planner, *names: str, text: str = "find the pdfs in Downloads") -> Dialogue:
    plan = planner.whole(text)
    assert isinstance(plan, Plan)
    return planner.after(plan, t1=planner.files(*names))


@pytest.mark.parametrize(
    ("text", "search", "tool"),
    [
        ("summarise each of them", "find the pdfs in Downloads", "documents.summary"),
        ("for each of these show me a summary", "find the pdfs in Downloads", "documents.summary"),
        ("fasse jede davon zusammen", "finde die PDFs in Downloads", "documents.summary"),
        ("zähl für jede davon die Seiten", "finde die PDFs in Downloads", "documents.pages"),
    ],
)
def test_what_was_found_before_is_taken_as_it_was_found(planner: Planner, text: str, search: str, tool: str) -> None:
    plan = planner.whole(text, found(planner, "Downloads/a.pdf", "Downloads/b.pdf", text=search))
    assert isinstance(plan, Plan), plan
    files = [planner.value(task.arguments["file"]) for task in plan.tasks]
    assert [task.tool for task in plan.tasks] == [tool] * 2
    assert ["a.pdf" in files[0], "b.pdf" in files[1]] == [True, True]


def test_each_keeps_what_came_of_it(planner: Planner) -> None:
    plan = planner.whole("for each of them make a note with its total", found(planner, "x/a.pdf", "x/b.pdf"))
    assert isinstance(plan, Plan), plan
    notes = [task.arguments for task in plan.tasks if task.tool == "notes.create"]
    assert [(planner.value(one["title"]), planner.value(one["text"])) for one in notes] == [
        ("a", "<t1.value>"), ("b", "<t3.value>"),
    ]  # fmt: skip


def test_a_list_of_its_own_is_gone_through_beside_what_was_found(planner: Planner) -> None:
    text = (
        "if there are more than two of them, for each PDF in Invoices make a note with its total, "
        "otherwise list the files in Music"
    )
    many = found(planner, *(f"Downloads/{name}.pdf" for name in "abc"))
    plan = planner.whole(text, many)
    assert isinstance(plan, Plan), plan
    assert [(task.tool, task.each) for task in plan.tasks] == [
        ("files.find", None), ("documents.value", "t1"), ("notes.create", "t1"),
    ]  # fmt: skip
    few = planner.whole(text, found(planner, "Downloads/a.pdf"))
    assert isinstance(few, Plan), few
    assert [(task.tool, task.each) for task in few.tasks] == [("files.contents", None)]


def test_a_change_to_more_than_a_plan_names_is_not_done(planner: Planner) -> None:
    many = [f"Downloads/{number}.pdf" for number in range(MOST_TASKS + 1)]
    answer = planner.whole("rename each of them to x.pdf", found(planner, *many))
    assert isinstance(answer, Decline)
    assert str(len(many)) in answer.text
    again = planner.whole("summarise each of them", found(planner, *many))
    assert told(planner, again) == [PDFS, "documents.summary(file=<t1>) each t1"]


@pytest.mark.parametrize(
    "text",
    [
        "find the pdfs in Downloads. For each one, add milk to the shopping list",
        "finde die PDFs in Downloads. Für jede davon setz Milch auf die Einkaufsliste",
    ],
)
def test_what_has_nothing_to_do_with_them_is_not_done_once(planner: Planner, text: str) -> None:
    assert isinstance(planner.whole(text), Decline)


def test_what_is_asked_about_is_what_was_found_before(planner: Planner) -> None:
    found = planner.say("find the pdfs in Downloads")
    assert isinstance(found, Plan)
    files = planner.files("Downloads/a.pdf", "Downloads/b.pdf")
    question = planner.whole("move each of them", planner.after(found, t1=files))
    assert isinstance(question, Question)
    (moving,) = question.draft.tasks
    assert (question.task, question.parameter, moving.tool) == (moving.id, "to", "files.move")
    plan = planner.whole("Archive", Dialogue(pending=question))
    assert isinstance(plan, Plan)
    (moved,) = plan.tasks
    assert isinstance(moved.arguments["files"], Constant)
    assert moved.arguments["files"].value == files
    assert planner.value(moved.arguments["to"]) == "~/Archive"


def test_a_text_that_nobody_said_is_asked_for(planner: Planner) -> None:
    question = planner.whole("find the pdfs in Downloads and for each of them make a note")
    assert isinstance(question, Question)
    assert (question.parameter, question.draft.tasks[-1].each) == ("text", "t1")


@pytest.mark.parametrize(
    "text",
    [
        "make a note called log saying delete each of them",
        'make a note called log with the text "for each of them, delete it"',
        "delete each one in Downloads",
        "for each of the pdfs in Downloads make a note",
        "lösche jede von denen in Downloads",
    ],
)
def test_other_words_are_left_alone(text: str) -> None:
    assert each_of_them(text, "de" if text.startswith("l") else "en", {"make", "delete", "lösche"}.__contains__) is None


def test_the_clause_is_taken_out_where_it_stands() -> None:
    verbs = {"find", "make", "kopiere", "finde"}.__contains__
    for text, language, expected in [
        ("find a and make a note for each of them", "en", Each("find a", "make a note", together=False)),
        ("how many pages does each of them have?", "en", Each("", "how many pages does it have?", together=True)),
        (
            "finde x und kopiere jeden davon nach z",
            "de",
            Each("finde x", "kopiere ihn nach z", together=True),
        ),
    ]:
        assert each_of_them(text, language, verbs) == expected


async def test_each_of_what_was_found_gets_its_own(bench: Any) -> None:
    folder = bench.home / "Invoices"
    folder.mkdir()
    for name, total in (("ada", "120.00"), ("bob", "80.50")):
        Path(folder / f"{name}.txt").write_text(f"Invoice\nVendor: {name}\nDate: 2026-03-01\nTotal: {total} EUR\n")
    assert (await bench.ask("find the files in Invoices"))["resolution"] == "confirmed"
    (folder / "later.txt").write_text("Invoice\nTotal: 1.00 EUR\n")
    view = await bench.ask("for each of them make a note with its total")
    assert view["resolution"] == "confirmed", view["answer"]
    notes = {name: text for name, text in bench.tree().items() if name.startswith("Notes/")}
    assert set(notes) == {"Notes/ada.md", "Notes/bob.md"}
    assert b"80.50" in notes["Notes/bob.md"]
