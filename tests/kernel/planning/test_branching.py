"""Sentences that branch or repeat become one plan, with its conditions and lists; others are left alone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from kernel import Ask
from kernel.context.dialogue import Dialogue
from kernel.language.branching import branch_of, loop_of
from kernel.model import Decline, Plan, Proposal, Question
from kernel.planning.compound import propose_compound
from kernel.planning.plan_graph import mermaid
from kernel.planning.plan_json import plan_from_json, plan_to_json
from tests.kernel.planner import Planner

Bench = Any  # tests/kernel/conftest.py


def compound(planner: Planner, text: str) -> Proposal | None:
    context = Dialogue(home=planner.home, world=planner.world)
    return propose_compound(text, planner.intent(text).language, planner.say, planner.toolbox, context)


def told(planner: Planner, plan: Proposal | None) -> list[str]:
    assert isinstance(plan, Plan), plan
    return [
        planner.shape(Plan((task,), "en"))
        + (f" each {task.each}" if task.each else "")
        + "".join(f" if {one.task}{one.field and '.' + one.field} {one.comparison} {one.value}" for one in task.when)
        for task in plan.tasks
    ]


COUNTED = "files.contents(folder=~/Downloads)"
PDFS = "files.find(folder=~/Downloads, kind=pdf)"
BILLS = "files.find(folder=~/Invoices, kind=pdf)"
TABLE = [
    (
        "if there are more than 10 files in Downloads, move them to Archive",
        [COUNTED, "files.move(files=<t1>, to=~/Archive) if t1 > 10"],
    ),
    (
        "wenn es mehr als zehn Dateien in Downloads gibt, dann verschiebe sie nach Archive",
        [COUNTED, "files.move(files=<t1>, to=~/Archive) if t1 > 10"],
    ),
    (
        "unless there are any pdfs in Downloads, make a note called none saying no pdfs",
        [PDFS, "notes.create(text=no pdfs, title=none) if t1 <= 0"],
    ),
    (
        "falls Downloads leer ist, erstelle eine Notiz namens leer mit dem Text nichts da, sonst liste die PDFs in "
        "Downloads auf",
        [COUNTED, "notes.create(text=nichts da, title=leer) if t1 = 0", f"{PDFS} if t1 != 0"],
    ),
    (
        "if report.pdf mentions urgent, make a note called hot saying read the report",
        [
            "documents.text(file=~/Documents/report.pdf)",
            "notes.create(text=read the report, title=hot) if t1 contains urgent",
        ],
    ),
    (
        "if there is a file called report.pdf in Documents, copy it to Archive",
        ["files.find(folder=~/Documents, name=report.pdf)", "files.copy(files=<t1>, to=~/Archive) if t1 > 0"],
    ),
    (
        "for each PDF in Invoices make a note with its total",
        [
            BILLS,
            "documents.value(file=<t1>, name=total) each t1",
            "notes.create(text=<t2.value>, title=<t1.stem>) each t1",
        ],
    ),
    (
        "für jede PDF in Invoices erstelle eine Notiz mit ihrem Gesamtbetrag",
        [
            BILLS,
            "documents.value(file=<t1>, name=Gesamtbetrag) each t1",
            "notes.create(text=<t2.value>, title=<t1.stem>) each t1",
        ],
    ),
    (
        "for each pdf in Invoices, if its total is over 100, make a note with its total",
        [
            BILLS,
            "documents.value(file=<t1>, name=total) each t1",
            "notes.create(text=<t2.value>, title=<t1.stem>) each t1 if t2.amount > 100",
        ],
    ),
    (
        "if Downloads has at least 2 pdfs, list the pdfs in Downloads, otherwise make a note called few saying too few",
        [PDFS, f"{PDFS} if t1 >= 2", "notes.create(text=too few, title=few) if t1 < 2"],
    ),
    ("for each pdf in Downloads, copy it to Archive", [PDFS, "files.copy(files=<t1>, to=~/Archive) each t1"]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "plan"), TABLE)
def test_it_becomes_one_plan(planner: Planner, text: str, plan: list[str]) -> None:
    proposal = compound(planner, text)
    assert told(planner, proposal) == plan
    assert isinstance(proposal, Plan)
    assert plan_from_json(json.loads(json.dumps(plan_to_json(proposal)))) == proposal


@pytest.mark.parametrize(
    "text",
    [
        "list the pdfs in Downloads",
        "if possible list the pdfs in Downloads",
        "let me know if anything is wrong",
        "list the invoices for each month",
        "sort my Pictures folder into one subfolder for each year",
        "make a note called if saying unless",
        "zeige die Datei, wenn möglich",
        "wann ist Ostern",
    ],
)
def test_other_sentences_are_left_alone(planner: Planner, text: str) -> None:
    assert compound(planner, text) is None


def test_a_condition_is_never_passed_over(planner: Planner) -> None:
    proposal = compound(planner, "if there are more than 10 files in Downloads, frobnicate the gizmo")
    assert isinstance(proposal, Decline)


def test_a_question_of_a_part_is_about_the_whole(planner: Planner) -> None:
    proposal = compound(planner, "if there are more than 10 files in Downloads, rename setup.exe")
    assert isinstance(proposal, Question)
    assert (proposal.task, proposal.parameter) == ("t2", "name")
    assert [task.id for task in proposal.draft.tasks] == ["t1", "t2"]
    assert proposal.draft.tasks[1].when


def test_conditions_in_conditions_have_an_end(planner: Planner) -> None:
    text = "if there are any pdfs in Downloads, " * 6 + "list the images in Pictures"
    assert isinstance(compound(planner, text), Decline)


@pytest.mark.parametrize(
    ("text", "language", "comparison", "value"),
    [
        ("if there are at least three pdfs in X, a", "en", ">=", 3),
        ("a unless there are fewer than 2 pdfs in X", "en", ">=", 2),
        ("if X has no pdfs then a", "en", "=", 0),
        ("if the total of a.pdf is at most 12,50 €, a", "en", "<=", "12,50 €"),
        ("if a.txt doesn't contain 'b c', a", "en", "lacks", "b c"),
        ("if a.txt does not exist, a", "en", "=", 0),
        ("wenn in X höchstens 4 PDFs liegen, a", "de", "<=", 4),
        ("wenn die Summe von a.pdf über 100 liegt, a", "de", ">", "100"),
        ("außer wenn X leer ist, a", "de", "!=", 0),
        ("Außer wenn a.txt existiert, a", "de", "<=", 0),
        ("wenn die Summe von a.pdf größer als 100 ist, a", "de", ">", "100"),
        ("a, es sei denn es keine PDFs in X gibt", "de", "!=", 0),
        ("wenn a.txt nicht existiert, a", "de", "=", 0),
    ],
)
def test_conditions_are_read(text: str, language: str, comparison: str, value: object) -> None:
    branch = branch_of(text, language)
    assert branch is not None
    assert (branch.then, str(branch.test.comparison), branch.test.value) == ("a", comparison, value)


def test_lists_are_read_at_a_comma_a_verb_or_the_end() -> None:
    verbs = {"make", "kopiere"}.__contains__
    for text, language in [
        ("for each pdf in X, shred it", "en"),
        ("for every pdf in X make a note", "en"),
        ("print it for each pdf in X", "en"),
        ("für jede pdf in X kopiere sie", "de"),
    ]:
        loop = loop_of(text, language, verbs)
        assert loop is not None
        assert loop.ask.endswith("all pdf in X" if language == "en" else "alle pdf in X")


async def test_a_branch_is_taken_and_the_other_one_said(bench: Bench) -> None:
    note = "make a note called {} saying x"
    text = f"if there are more than 5 files in Downloads, {note.format('many')}, otherwise {note.format('few')}"
    view = await bench.ask(text)
    assert view["resolution"] == "confirmed", view["answer"]
    assert "Not done (make a note called many saying x): only if step 1 finds more than 5; it is 3." in view["answer"]
    assert "Notes/few.md" in bench.tree()
    assert "Notes/many.md" not in bench.tree()
    assert [task.get("only") for task in view["plan"]["tasks"]] == [
        None, "only if step 1 finds more than 5", "only if step 1 finds at most 5",
    ]  # fmt: skip


async def test_each_item_gets_its_own_note(bench: Bench) -> None:
    folder = bench.home / "Invoices"
    folder.mkdir()
    for name, total in (("ada", "120.00"), ("bob", "80.50")):
        Path(folder / f"{name}.txt").write_text(f"Invoice\nVendor: {name}\nDate: 2026-03-01\nTotal: {total} EUR\n")
    view = await bench.ask("for each file in Invoices, make a note with its total")
    assert view["resolution"] == "confirmed", view["answer"]
    notes = {name: text for name, text in bench.tree().items() if name.startswith("Notes/")}
    assert set(notes) == {"Notes/ada.md", "Notes/bob.md"}
    assert b"120.00" in notes["Notes/ada.md"]
    assert view["plan"]["tasks"][2]["each"] == "for each that step 1 finds"
    undone = await bench.ask("undo that")
    assert undone["resolution"] in ("executed", "confirmed")
    assert not any(name.startswith("Notes/") for name in bench.tree())


async def test_a_draft_shows_the_plan_and_does_nothing(bench: Bench) -> None:
    before = len(bench.kernel.runs(100))
    view = await bench.kernel.draft(Ask("if there are more than 2 files in Downloads, move them to Archive"))
    assert (view["resolution"], len(view["plan"]["tasks"])) == ("planned", 2)
    assert "t1 -. if .-> t2" in view["graph"] or "t1 --> t2" in view["graph"]
    assert any(right["verdict"] == "ask" for right in view["rights"])
    assert len(bench.kernel.runs(100)) == before
    assert (await bench.kernel.draft(Ask("make a note saying hello")))["resolution"] == "clarify"
    assert (await bench.kernel.draft(Ask("frobnicate the gizmo")))["resolution"] == "declined"


def test_a_name_is_never_notation() -> None:
    task = {"id": "t1", "title": 'x"]; click t1 "javascript:alert(1)"', "tool": "a.b", "after": [], "arguments": {}}
    (_, node) = mermaid({"tasks": [task]}, "en").splitlines()
    assert node.count('"') == 2
    assert "]" not in node[:-1]
