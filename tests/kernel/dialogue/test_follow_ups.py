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
    from tests.kernel.planner import Planner


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
        ("find all pdfs in Downloads", "which one of those is the oldest?",
         "files.find(count=1, folder=~/Downloads, kind=pdf, order=oldest)"),
        ("finde alle PDFs in Downloads", "welche davon ist die älteste?",
         "files.find(count=1, folder=~/Downloads, kind=pdf, order=oldest)"),
        ("find the oldest pdf in Downloads", "which of them are from 2023?",
         "files.find(count=1, folder=~/Downloads, kind=pdf, modified={'start': '2023-01-01', 'end': '2024-01-01'}, "
         "order=oldest)"),
    ],
)  # fmt: skip
def test_a_follow_up_reuses_the_last_plan(planner: Planner, first: str, then: str, expected: str) -> None:
    plan = planner.say(first)
    assert isinstance(plan, Plan)
    assert planner.shape(planner.say(then, planner.after(plan, t1=planner.files("Downloads/a.pdf")))) == expected


@pytest.mark.parametrize(
    ("first", "then", "expected"),
    [
        ("which mails do I have from Anna?", "and the ones from Tom Berger?", "mail.find(sender=Tom Berger)"),
        ("which mails do I have from Anna?", "and from Tom Berger?", "mail.find(sender=Tom Berger)"),
        ("Welche Mails habe ich von Anna?", "und die von Karl Brandt?", "mail.find(sender=Karl Brandt)"),
        ("Welche Mails sind neu?", "nur die von Lena Vogt bitte", "mail.find(sender=Lena Vogt, what=unread)"),
        ("which mails are new?", "which of those are from Lena Vogt?", "mail.find(sender=Lena Vogt, what=unread)"),
        ("was steht auf der Liste trip?", "und auf house?", "tasks.show(group=house)"),
        ("what is on the trip list?", "and on house?", "tasks.show(group=house)"),
    ],
)
def test_the_words_beside_a_value_were_said_before(planner: Planner, first: str, then: str, expected: str) -> None:
    plan = planner.say(first)
    assert isinstance(plan, Plan)
    assert planner.shape(planner.say(then, planner.after(plan, t1=planner.files("Downloads/a.pdf")))) == expected


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("which mails are new?", "which of them have attachments?"),  # both cannot be asked for at once
        ("Welche Mails sind neu?", "und welche davon haben einen Anhang?"),
        ("which mails do I have from Anna?", "and the phone number of Tom Berger?"),
        ("Welche Mails habe ich von Anna?", "und die Telefonnummer von Karl Brandt?"),
        ("remove the appointment with Anna", "and Tom Berger"),  # what changes something is said anew
    ],
)
def test_no_other_value_of_the_last_call(planner: Planner, first: str, then: str) -> None:
    plan = planner.say(first)
    assert isinstance(plan, Plan)
    proposal = planner.say(then, planner.after(plan, t1=planner.files("Downloads/a.pdf")))
    assert not isinstance(proposal, Plan) or not planner.shape(proposal).startswith(f"{plan.tasks[0].tool}(")


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
    assert not isinstance(planner.say("nein, nach Music", told), Plan)
    assert planner.shape(planner.say("no, show me the contents of Music", told)) == "files.contents(folder=~/Music)"


# --- another number, another month, how many ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "then", "expected"),
    [
        ("how much is 15 percent of 480?", "and of 620?", "calc.compute(expression=15 % of 620)"),
        ("how much is 15 percent of 480?", "and 20 percent?", "calc.compute(expression=20 % of 480)"),
        ("wie viel sind 15 Prozent von 480?", "und von 620?", "calc.compute(expression=15 % of 620)"),
        ("how much is 15 percent of 480?", "no wait, make it 25 percent", "calc.compute(expression=25 % of 480)"),
        ("convert 180 celsius to fahrenheit", "and 220?",
         "calc.convert(quantity={'value': '220', 'unit': 'celsius'}, unit=fahrenheit)"),
        ("what is the tip on 80 euros at 10 percent", "make it 15 percent", "calc.tip(amount=80, rate=15)"),
        ("show the three largest files in Downloads", "make it 5",
         "files.largest(count=5, folder=~/Downloads, order=largest)"),
        ("how much did I spend in february in expenses.csv", "the same for march",
         "data.tally(period={'start': '2025-03-01', 'end': '2025-04-01'}, table=~/Finance/expenses.csv)"),
        ("wie viel habe ich im Februar ausgegeben laut expenses.csv", "das gleiche für März",
         "data.tally(period={'start': '2025-03-01', 'end': '2025-04-01'}, table=~/Finance/expenses.csv)"),
        ("find all pdfs in Downloads", "how many are there?", "files.find(folder=~/Downloads, kind=pdf)"),
        ("find all pdfs in Downloads", "and where are they?", "files.find(folder=~/Downloads, kind=pdf)"),
        ("find all pdfs in Downloads", "wo liegen die?", "files.find(folder=~/Downloads, kind=pdf)"),
        ("finde alle PDFs in Downloads", "wie viele sind das?", "files.find(folder=~/Downloads, kind=pdf)"),
        ("find all pdfs in Downloads", "which of them are from 2024?",
         "files.find(folder=~/Downloads, kind=pdf, modified={'start': '2024-01-01', 'end': '2025-01-01'})"),
    ],
)  # fmt: skip
def test_one_value_is_said_anew(planner: Planner, first: str, then: str, expected: str) -> None:
    plan = planner.say(first)
    assert isinstance(plan, Plan)
    assert planner.shape(planner.say(then, planner.after(plan))) == expected


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("put 14.90 for parking into expenses.csv", "make it 15"),  # would be a second row
        ("move report.pdf to Archive", "and 5?"),
    ],
)
def test_no_change_is_made_again_with_another_number(planner: Planner, first: str, then: str) -> None:
    plan = planner.say(first)
    assert isinstance(plan, Plan)
    said = planner.say(then, planner.after(plan))
    assert not isinstance(said, Plan) or [task.tool for task in said.tasks] != [task.tool for task in plan.tasks]


# --- all, the first two, another one ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("then", "tool", "names"),
    [
        ("copy both to Archive", "files.copy", ["a.pdf", "b.pdf"]),
        ("copy the two of them to Archive", "files.copy", ["a.pdf", "b.pdf"]),
        ("kopiere diese beiden nach Archive", "files.copy", ["a.pdf", "b.pdf"]),
        ("delete the first two", "files.delete", ["a.pdf", "b.pdf"]),
        ("die können weg", "files.delete", ["a.pdf", "b.pdf"]),
        ("delete the last one", "files.delete", ["b.pdf"]),
    ],
)
def test_all_that_was_found_or_some_of_it(planner: Planner, then: str, tool: str, names: list[str]) -> None:
    plan = planner.say("find all pdfs in Downloads")
    assert isinstance(plan, Plan)
    said = planner.say(then, planner.after(plan, t1=planner.files("Downloads/a.pdf", "Downloads/b.pdf")))
    assert isinstance(said, Plan), said
    assert [task.tool for task in said.tasks] == [tool]
    assert re.findall(r"[ab]\.pdf", planner.shape(said)) == names


def test_more_than_were_found_are_not_taken(planner: Planner) -> None:
    plan = planner.say("find all pdfs in Downloads")
    assert isinstance(plan, Plan)
    told = planner.after(plan, t1=planner.files("Downloads/a.pdf", "Downloads/b.pdf"))
    said = planner.say("delete the first three", told)
    assert not isinstance(said, Plan) or "a.pdf" not in planner.shape(said)


def test_the_same_of_another_file(planner: Planner) -> None:
    plan = planner.say("what is the total of invoice_2024-03.pdf?")
    assert isinstance(plan, Plan)
    for then in ("and what about the phone one?", "und die von Phone?"):
        assert planner.shape(planner.say(then, planner.after(plan))) == (
            "documents.value(file=~/Invoices/phone bill.pdf, name=total)"
        )
    assert not isinstance(planner.say("and the unicorn one?", planner.after(plan)), Plan)
