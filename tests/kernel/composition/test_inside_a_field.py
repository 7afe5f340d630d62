"""What "those" is in "the amount of those", and "that bill" in "the total of that bill": what was made just before."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conftest import Desk


@pytest.mark.parametrize(
    ("sentence", "last"),
    [
        ("take only the slate from survey.csv, save that as slate.csv and tell me the average price of those",
         "data.total(column=price, measure=mean, table=<t1>)"),
        ("filter survey.csv for slate and give me the highest price of these",
         "data.total(column=price, measure=max, table=<t1>)"),
        ("filtere survey.csv nach Schiefer und sag mir die Summe davon", "data.total(measure=sum, table=<t1>)"),
        ("filtere survey.csv nach Schiefer und sag mir den Durchschnitt davon",
         "data.total(measure=mean, table=<t1>)"),
        ("save the attachment of the mail from Ada and tell me the total of that bill",
         "documents.value(file=<t1>, name=total)"),
        ("save the attachments of the mail from Ada and give me the total of this receipt",
         "documents.value(file=<t1>, name=total)"),
    ],
)  # fmt: skip
def test_what_owns_a_field_is_what_was_made_just_before(desk: Desk, sentence: str, last: str) -> None:
    assert desk.shape(desk.say(sentence)).rpartition("; ")[2] == last


@pytest.mark.parametrize("sentence", ["what is the total of that bill", "what's the sum of those"])
def test_what_owns_a_field_is_asked_for_where_nothing_was_made(desk: Desk, sentence: str) -> None:
    assert desk.shape(desk.say(sentence)) == "Question"
