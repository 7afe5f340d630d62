"""Sentences that live on what was said and found before."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from kernel.model import (
    Constant,
    Plan,
)
from permissions.labels import KERNEL_SAID

if TYPE_CHECKING:
    from tests.kernel.planning.conftest import Planner


@pytest.mark.parametrize(
    ("first", "then", "expected"),
    [
        ("find the newest pdf in Downloads", "and the oldest one?",
         "files.find(count=1, folder=~/Downloads, kind=pdf, order=oldest)"),
        ("show the three largest files in Downloads", "what about Documents?",
         "files.largest(count=3, folder=~/Documents, order=largest)"),
        ("show the three largest files in Downloads", "only the PDFs",
         "files.largest(count=3, folder=~/Downloads, kind=pdf, order=largest)"),
        ("find all photos in Pictures", "and the songs too", "files.find(folder=~/Pictures, kind=audio)"),
        ("find all photos in Pictures", "and the bak files too", "files.find(folder=~/Pictures, name=*.bak)"),
        ("finde alle PDFs in Downloads", "und die ZIP-Dateien auch", "files.find(folder=~/Downloads, kind=archive)"),
        ("move all pdfs in Downloads to Archive", "and the videos too",
         "files.find(folder=~/Downloads, kind=video); files.move(files=<t1>, to=~/Archive)"),
        ("verschiebe alle PDFs in Downloads nach Archive", "die Bilder auch",
         "files.find(folder=~/Downloads, kind=image); files.move(files=<t1>, to=~/Archive)"),
        ("show me all photos", "from 2023",
         "files.find(kind=image, modified={'start': '2023-01-01', 'end': '2024-01-01'})"),
        ("what is 3 + 4?", "and 5 * 6?", "calc.compute(expression=5 * 6)"),
        ("convert 5 miles to km", "and 10 miles?",
         "calc.convert(quantity={'value': '10', 'unit': 'miles'}, unit=km)"),
        ("what is the total of invoice_2024-03.pdf?", "and of phone bill.pdf?",
         "documents.value(file=~/Invoices/phone bill.pdf, name=total)"),
        ("how many pages has report.pdf?", "and thesis.pdf?", "documents.pages(file=~/Documents/thesis.pdf)"),
    ],
)  # fmt: skip
def test_a_follow_up_reuses_the_last_plan(planner: Planner, first: str, then: str, expected: str) -> None:
    plan = planner.say(first)
    assert isinstance(plan, Plan)
    assert planner.shape(planner.say(then, planner.after(plan, t1=planner.files("Downloads/a.pdf")))) == expected


@pytest.mark.parametrize(
    ("then", "expected"),
    [
        ("delete the second one", "files.delete(files=~/Downloads/b.pdf)"),
        ("copy them to Archive", "files.copy(files=~/Downloads/a.pdf ~/Downloads/b.pdf, to=~/Archive)"),
        ("save their names as a note called big", "notes.create(text=['a.pdf', 'b.pdf'], title=big)"),
        ("how many pages has the first one?", "documents.pages(file=~/Downloads/a.pdf)"),
    ],
)
def test_words_point_at_what_the_last_run_found(planner: Planner, then: str, expected: str) -> None:
    plan = planner.say("show the two largest files in Downloads")
    assert isinstance(plan, Plan)
    proposal = planner.say(then, planner.after(plan, t1=planner.files("Downloads/a.pdf", "Downloads/b.pdf")))
    assert isinstance(proposal, Plan)
    shape = re.sub(r"\{'path': '([^']*)'[^}]*\}", r"\1", planner.shape(proposal))
    assert re.sub(r"=\[(~[^\]]*), (~[^\]]*)\]", r"=\1 \2", shape) == expected


def test_it_may_be_what_the_last_run_was_given(planner: Planner) -> None:
    plan = planner.say("summarize report.pdf")
    assert isinstance(plan, Plan)
    proposal = planner.say("how many pages does it have?", planner.after(plan, t1="A summary."))
    assert planner.shape(proposal) == "documents.pages(file=~/Documents/report.pdf)"


def test_an_earlier_result_keeps_its_label(planner: Planner) -> None:
    plan = planner.say("find the newest pdf in Downloads")
    assert isinstance(plan, Plan)
    proposal = planner.say("summarize it", planner.after(plan, t1=planner.files("Downloads/a.pdf")))
    assert isinstance(proposal, Plan)
    argument = proposal.tasks[0].arguments["file"]
    assert isinstance(argument, Constant)
    assert argument.label == KERNEL_SAID


def test_a_follow_up_does_not_repeat_an_effect_of_the_last_plan(planner: Planner) -> None:
    plan = planner.say("find the newest pdf in Downloads and move it to Archive")
    assert isinstance(plan, Plan)
    proposal = planner.say("and the oldest one?", planner.after(plan, t1=planner.files("Downloads/a.pdf")))
    assert planner.shape(proposal) == "files.find(count=1, folder=~/Downloads, kind=pdf, order=oldest)"


# --- corrections of one value -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "then", "expected"),
    [
        ("move b.pdf to Archive", "no, I meant to Music", "files.move(files=[~/Archive/b.pdf], to=~/Music)"),
        ("move b.pdf to Archive", "I meant Desktop", "files.move(files=[~/Archive/b.pdf], to=~/Desktop)"),
        ("verschiebe b.pdf nach Archive", "nein, nach Desktop", "files.move(files=[~/Archive/b.pdf], to=~/Desktop)"),
        ("verschiebe b.pdf nach Archive", "ich meinte nach Music", "files.move(files=[~/Archive/b.pdf], to=~/Music)"),
        ("move all pdfs in Downloads to Archive", "no, to Music", "files.move(files=[~/Archive/b.pdf], to=~/Music)"),
        ("find pdfs in Downloads", "sorry, I meant in Work", "files.find(folder=~/Work, kind=pdf)"),
        ("copy b.pdf to Archive", "no, a.pdf", "files.copy(files=[~/Downloads/a.pdf], to=~/Archive)"),
        ("convert 5 miles to km", "no, to feet", "calc.convert(quantity={'value': '5', 'unit': 'miles'}, unit=feet)"),
    ],
)
def test_one_value_is_corrected_and_what_was_moved_is_taken_from_where_it_is(
    planner: Planner, first: str, then: str, expected: str
) -> None:
    plan = planner.say(first)
    assert isinstance(plan, Plan)
    now = planner.files("Archive/b.pdf")
    said = planner.say(then, planner.after(plan, t1=now, t2=now))
    shape = re.sub(r"\{'path': '([^']*)'[^}]*\}", r"\1", planner.shape(said))
    assert shape.replace("['", "[").replace("']", "]") == expected


def test_after_a_request_that_came_to_nothing_no_older_deed_is_done_again(planner: Planner) -> None:
    plan = planner.say("move b.pdf to Archive")
    assert isinstance(plan, Plan)
    told = replace(planner.after(plan, t1=planner.files("Archive/b.pdf")), unsettled="move a.pdf to Nowhere")
    assert not isinstance(planner.say("no, to Music", told), Plan)
