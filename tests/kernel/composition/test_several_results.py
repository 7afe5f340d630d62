"""A text of several results: which words want all that was found, which want one, and what is put beside it."""

from __future__ import annotations

from copy import copy

import pytest

from kernel.composition.profiles.profile import Box
from kernel.model import Plan
from tests.kernel.composition.conftest import Desk

SUMMARY = "documents.summary(file=~/Cellar/letter.docx)"
PAGES = "documents.pages(file=~/Cellar/letter.docx)"
BOTH = f"{SUMMARY}; {PAGES}; texts.join(first=<t1>, second=<t2>)"
DAY = "calendar.agenda(when={'start': '2025-03-12', 'end': '2025-03-13'})"
LATE = "tasks.show(which=overdue)"
NOTE = "notes.create(text=<t4>, title=all)"


@pytest.mark.parametrize(
    ("sentence", "shape"),
    [
        ("summarize letter.docx and count its pages and save both as a note called letter",
         f"{BOTH}; notes.create(text=<t3>, title=letter)"),
        ("summarize letter.docx and count its pages and save that as a note called letter",
         f"{BOTH}; notes.create(text=<t3>, title=letter)"),
        ("summarize letter.docx and count its pages and put everything into a note called letter",
         f"{BOTH}; notes.create(text=<t3>, title=letter)"),
        ("show my events today and my overdue tasks and put it all into a note called day",
         f"{DAY}; {LATE}; texts.join(first=<t1.text>, second=<t2.text>); notes.create(text=<t3>, title=day)"),
        ("show my events today and my overdue tasks and mail that to anna@example.org",
         f"{DAY}; {LATE}; texts.join(first=<t1.text>, second=<t2.text>); mail.send(text=<t3>, to=anna@example.org)"),
        ("show my events today, my overdue tasks and how much disk space is left and save that as a note called all",
         f"{DAY}; {LATE}; system.disks(); texts.join(first=<t1.text>, second=<t2.text>, third=<t3>); {NOTE}"),
        ("show my events today, my overdue tasks and how much disk space is left and save both as a note called all",
         f"{DAY}; {LATE}; system.disks(); texts.join(first=<t2.text>, second=<t3>); {NOTE}"),
        ("look up Anna's phone number and her birthday and put both into a note called Anna",
         "contacts.find(name=Anna, what=phone); contacts.find(name=Anna, what=birthday); "
         "texts.join(first=<t1>, second=<t2>); notes.create(text=<t3>, title=Anna)"),
        ("zeig meine Termine heute und meine überfälligen Aufgaben und leg das als Mailentwurf an anna@example.org an",
         f"{DAY}; {LATE}; texts.join(first=<t1.text>, second=<t2.text>); mail.draft(text=<t3>, to=anna@example.org)"),
        ("fass letter.docx zusammen und zähl die Seiten von letter.docx und schreib beides in eine Notiz namens Brief",
         f"{BOTH}; notes.create(text=<t3>, title=Brief)"),
        ("show my overdue tasks and summarize the newest pdf in Attic and save both as a note called all",
         f"{LATE}; files.find(count=1, folder=~/Attic, kind=pdf, order=newest); documents.summary(file=<t2[0]>); "
         f"texts.join(first=<t1.text>, second=<t3>); {NOTE}"),
    ],
)  # fmt: skip
def test_all_that_was_found_is_one_text(desk: Desk, sentence: str, shape: str) -> None:
    assert desk.shape(desk.say(sentence)) == shape


@pytest.mark.parametrize(
    ("sentence", "text"),
    [
        ("count the pages of letter.docx and save that as a note called letter", "<t1>"),
        ("show my events today and my overdue tasks and save it as a note called day", "<t2.text>"),
        ("show my events today and my overdue tasks and save them as a note called day", "<t2.text>"),
        ("show my events today. show my overdue tasks and save that as a note called day", "<t2.text>"),
        ("show my events today, then show my overdue tasks and save that as a note called day", "<t2.text>"),
        ("find the newest image in Attic and copy it to Garage and show my overdue tasks and save that as a note "
         "called day", "<t3.text>"),
    ],
    ids=["one", "it", "them", "another-sentence", "then", "taken-and-changed"],
)  # fmt: skip
def test_what_is_not_meant_is_not_in_it(desk: Desk, sentence: str, text: str) -> None:
    plan = desk.say(sentence)
    assert isinstance(plan, Plan)
    assert desk.value(plan.tasks[-1].arguments["text"]) == text


@pytest.mark.parametrize(
    ("sentence", "parts"),
    [
        ("summarize letter.docx and add the summary and today's date to my note Bird feeder",
         "first=<t1>, second=2025-03-12"),
        ("summarize letter.docx and add it together with the file's name to my note Bird feeder",
         "first=<t1>, second=letter.docx"),
        ("summarize letter.docx and jot that down, with the name of the file, in my Bird feeder note",
         "first=<t1>, second=letter.docx"),
        ("fass letter.docx zusammen und schreib das mit dem Namen der Datei in meine Notiz Bird feeder",
         "first=<t1>, second=letter.docx"),
        ("summarize letter.docx and add the file's name together with the summary to my note Bird feeder",
         "first=letter.docx, second=<t1>"),
        ('summarize letter.docx and add it along with "from the cellar" to my note Bird feeder',
         "first=<t1>, second=from the cellar"),
        ("fass letter.docx zusammen und häng die zusammen mit dem Namen der Datei an meine Notiz Bird feeder dran",
         "first=<t1>, second=letter.docx"),
        ("fass letter.docx zusammen und schreib das zusammen mit dem Datum von heute in meine Notiz Bird feeder",
         "first=<t1>, second=2025-03-12"),
        ("fass letter.docx zusammen und häng das mitsamt dem Dateinamen und quote.pdf an meine Notiz Bird feeder an",
         "first=<t1>, second=letter.docx, third=quote.pdf"),
    ],
)  # fmt: skip
def test_what_stands_together_with_it_is_in_the_text(desk: Desk, sentence: str, parts: str) -> None:
    shape = f"{SUMMARY}; texts.join({parts}); notes.add(text=<t2>, title=Bird feeder)"
    assert desk.shape(desk.say(sentence)) == shape


@pytest.mark.parametrize(
    "sentence",
    [
        "summarize letter.docx and add that, with the size of the moon, to my note Bird feeder",
        "summarize letter.docx and jot that down, with the size of the moon, in my Bird feeder note",
        "fass letter.docx zusammen und häng das, mit der Größe des Mondes, an meine Notiz Bird feeder an",
    ],
)
def test_what_nobody_knows_beside_it_is_not_written_instead_of_it(desk: Desk, sentence: str) -> None:
    plan = desk.say(sentence)
    assert not isinstance(plan, Plan) or not any(word in desk.shape(plan) for word in ("moon", "Mond"))


def test_the_name_of_a_file_that_is_still_to_be_found_is_taken_from_it(desk: Desk) -> None:
    said = (
        "find the newest pdf in Attic and summarize it and add it together with the file's name to my note Bird feeder"
    )
    assert "texts.join(first=<t2>, second=<t1.name>)" in desk.shape(desk.say(said))


def test_where_no_skill_gathers_nothing_changes(desk: Desk) -> None:
    toolbox = copy(desk.toolbox)
    toolbox.gatherer = None
    box: Box = toolbox
    assert box.gatherer is None
    without = Desk(desk.home, toolbox, desk.lexicon, desk.world)
    said = "show my events today and my overdue tasks and save that as a note called day"
    assert without.shape(without.say(said)) == f"{DAY}; {LATE}; notes.create(text=<t2.text>, title=day)"
    asked = "look up Anna's phone number and her birthday and put both into a note called Anna"
    assert without.shape(without.say(asked)) == "Question"


@pytest.mark.parametrize("sentence", ["tidy Attic by type and then show me the three biggest of those folders"])
def test_whose_are_the_biggest_is_no_matter_of_course(desk: Desk, sentence: str) -> None:
    plan = desk.say(sentence)
    assert not isinstance(plan, Plan) or "largest_folders(count=3, order=largest)" not in desk.shape(plan)
