"""What goes into a text: what was found where the words describe or point at it, and the words themselves elsewhere."""

from __future__ import annotations

import pytest

from tests.kernel.composition.conftest import Desk

PLANS = [
    (
        "save the total rooms of survey.csv as a note called rooms",
        "data.total(column=rooms, table=~/Attic/survey.csv); notes.create(text=<t1>, title=rooms)",
    ),
    (
        "write the number of pages of letter.docx into a note called letter",
        "documents.pages(file=~/Cellar/letter.docx); notes.create(text=<t1>, title=letter)",
    ),
    (
        "schreib die Statistik von wine.csv als Notiz Keller auf",
        "data.describe(table=~/Cellar/wine.csv); notes.create(text=<t1>, title=Keller)",
    ),
    (
        "zuerst lösche roof.png, dann lies mir letter.docx vor",
        "files.delete(files=['~/Attic/roof.png']); documents.text(file=~/Cellar/letter.docx)",
    ),
    (
        "first describe survey.csv, then read letter.docx to me",
        "data.describe(table=~/Attic/survey.csv); documents.text(file=~/Cellar/letter.docx)",
    ),
    ("note 20 minutes of yoga as training", "notes.create(text=20 minutes of yoga, title=training)"),
    ("note that the roof is leaking as roof", "notes.create(text=the roof is leaking, title=roof)"),
]


@pytest.mark.parametrize(("sentence", "shape"), PLANS)
def test_what_is_written_down(desk: Desk, sentence: str, shape: str) -> None:
    assert desk.shape(desk.say(sentence)) == shape


@pytest.mark.parametrize(
    "sentence",
    [
        "write the following into a note called rooms: the total rooms of survey.csv",
        "list the files in Attic and save the first of them as a note called attic",
        "zeig die Dateien in Attic und speichere das Folgende als Notiz Dach",
    ],
)
def test_words_that_only_point_are_never_written_down(desk: Desk, sentence: str) -> None:
    shape = desk.shape(desk.say(sentence))
    assert not any(words in shape for words in ("text=the f", "text=following", "text=das F", "text=Folgende")), shape


def test_a_command_is_never_what_something_else_comes_to(desk: Desk) -> None:
    assert "command=<" not in desk.shape(desk.say("run the total rooms of survey.csv in Attic"))
