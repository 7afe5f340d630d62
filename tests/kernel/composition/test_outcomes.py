"""A bare noun for a result is that result: "put the number in my note". Where none is there it is asked for."""

from __future__ import annotations

import pytest

from kernel.model import Plan, Question
from tests.kernel.composition.conftest import Desk

WRITTEN = [
    (
        "how much did I spend on wine according to wine.csv, put the number in my note Bird feeder",
        "data.tally(only=wine, table=~/Cellar/wine.csv); notes.add(text=<t1>, title=Bird feeder)",
    ),
    (
        "rechne zusammen, was die Rechnungen in Cellar insgesamt ausmachen, und häng die Summe an Bird feeder an",
        "documents.totals(folder=~/Cellar, show=sum); notes.add(text=<t1>, title=Bird feeder)",
    ),
    (
        "count the files in Attic and add the number to my note Bird feeder",
        "files.usage(folder=~/Attic); notes.add(text=<t1.count>, title=Bird feeder)",
    ),
    (
        "count the files in Attic and add the final number to my note Bird feeder",
        "files.usage(folder=~/Attic); notes.add(text=<t1.count>, title=Bird feeder)",
    ),
    (
        "sum up the price in wine.csv and add the overall total to my note Bird feeder",
        "data.total(column=price, table=~/Cellar/wine.csv); notes.add(text=<t1>, title=Bird feeder)",
    ),
    (
        "zeig mir die PDFs in Cellar und kopier die fertige Liste in die Zwischenablage",
        "files.find(folder=~/Cellar, kind=pdf); desktop.copy(text=<t1>)",
    ),
    (
        "zähl die Dateien in Attic und häng die Zahl an die Notiz Bird feeder an",
        "files.usage(folder=~/Attic); notes.add(text=<t1.count>, title=Bird feeder)",
    ),
    (
        "check how much free space the disk has and copy the number to the clipboard",
        "system.disks(); desktop.copy(text=<t1.free_bytes>)",
    ),
    (
        "look up when Lena's birthday is and put the date in the note Bird feeder",
        "contacts.find(name=Lena, what=birthday); notes.add(text=<t1.birthday>, title=Bird feeder)",
    ),
    (
        "wie groß ist der Ordner Attic? Häng die Größe an meine Notiz Bird feeder an",
        "files.usage(folder=~/Attic); notes.add(text=<t1.total_bytes>, title=Bird feeder)",
    ),
    (
        "how big is the folder Attic? Add the size to my note Bird feeder",
        "files.usage(folder=~/Attic); notes.add(text=<t1.total_bytes>, title=Bird feeder)",
    ),
    (
        "count the rows of wine.csv and copy the number to the clipboard",
        "data.total(measure=count, table=~/Cellar/wine.csv); desktop.copy(text=<t1>)",
    ),
    (
        "list all my contacts and copy the names to the clipboard",
        "contacts.people(); desktop.copy(text=<t1>)",
    ),
    (
        "list the pdfs in Cellar and copy the list to the clipboard",
        "files.find(folder=~/Cellar, kind=pdf); desktop.copy(text=<t1>)",
    ),
]


@pytest.mark.parametrize(("sentence", "shape"), WRITTEN)
def test_a_bare_noun_is_what_an_earlier_step_came_to(desk: Desk, sentence: str, shape: str) -> None:
    assert desk.shape(desk.say(sentence)) == shape


def test_a_size_that_an_earlier_request_found_is_written_down_in_its_unit(desk: Desk) -> None:
    told = desk.after("wie groß ist der Ordner Attic?", t1={"count": 3, "total_bytes": 9_400_000})
    plan = desk.say("häng die Größe an meine Notiz Bird feeder an", told)
    assert desk.shape(plan) == "notes.add(text=9,4 MB, title=Bird feeder)"


@pytest.mark.parametrize(
    "sentence",
    [
        "put the number in my note Bird feeder",
        "häng die Summe an die Notiz Bird feeder an",
        "schick die Liste per Mail an Anna",
        "copy the whole list to the clipboard",
        "copy the updated list to the clipboard",
        "copy the final list to the clipboard",
        "notier den Zeitpunkt in der Notiz Bird feeder",
        "sort wine.csv by price and add the sum to my note Bird feeder",
        "delete roof.png and add the total to my note Bird feeder",
    ],
)
def test_what_no_step_came_to_is_asked_for_and_never_written(desk: Desk, sentence: str) -> None:
    asked = desk.say(sentence)
    assert isinstance(asked, Question), asked
    assert asked.parameter == "text" or asked.choices, asked
    assert all("text" not in task.arguments for task in asked.draft.tasks), asked.draft


@pytest.mark.parametrize(
    ("sentence", "text"),
    [
        ("add “the number” to my note Bird feeder", "the number"),
        ("add the number of the plumber to my note Bird feeder", "the number of the plumber"),
        ("remind me of the list tomorrow", "list"),
        ("email Anna: the list is ready", "the list is ready"),
    ],
)
def test_what_says_more_is_quoted_or_thought_of_stays_as_it_was_said(desk: Desk, sentence: str, text: str) -> None:
    plan = desk.say(sentence)
    assert isinstance(plan, Plan), plan
    assert desk.value(plan.tasks[-1].arguments["text"]) == text
