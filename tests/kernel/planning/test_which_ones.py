"""Which of them: the question takes the noun of the request before it; values that are known each make a list."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kernel.language.frame.which_ones import with_its_noun

if TYPE_CHECKING:
    from tests.kernel.planner import Planner


@pytest.mark.parametrize(("sentence", "meant"), [
    ("get my new mail and tell me which ones are unread", "get my new mail and tell me which mails are unread"),
    ("fetch the mails, then say which of them are from Anna", "fetch the mails, then say which mails are from Anna"),
    ("hol die Mails und sag mir, welche davon ungelesen sind",
     "hol die Mails und sag mir, welche Mails ungelesen sind"),
    ("show my appointments tomorrow and tell me which ones are with Anna",
     "show my appointments tomorrow and tell me which appointments are with Anna"),
    ("zeig mir meine Termine morgen und sag mir, welche davon mit Anna sind",
     "zeig mir meine Termine morgen und sag mir, welche Termine mit Anna sind"),
    ("get my new mail, which ones are unread?", "get my new mail, which mails are unread?"),
    ("find the pictures in Downloads and move which ones are old to Archive", ""),
    ("hol die Mails und lösch, welche davon alt sind", ""),
    ("tell me which ones are unread", ""),
    ("tell me which mails are unread", ""),
])  # fmt: skip
def test_which_ones_are_those_that_were_named(planner: Planner, sentence: str, meant: str) -> None:
    assert with_its_noun(planner.intent(sentence)) == meant


@pytest.mark.parametrize("sentence", [
    "get my new mail and tell me which ones are unread",
    "hol die Mails und sag mir, welche davon ungelesen sind",
])  # fmt: skip
def test_the_question_is_asked_of_the_tool_for_the_noun(planner: Planner, sentence: str) -> None:
    assert planner.shape(planner.whole(sentence)) == "mail.fetch(); mail.find(what=unread)"


@pytest.mark.parametrize(("sentence", "names"), [
    ("add the total and date and invoice number of thesis.pdf to expenses.csv", "total and date and invoice number"),
    ("trag die Summe und das Datum und die Firma aus thesis.pdf in expenses.csv ein",
     "Summe und das Datum und die Firma"),
])  # fmt: skip
def test_several_values_of_a_document_are_one_call(planner: Planner, sentence: str, names: str) -> None:
    shape = planner.shape(planner.say(sentence))
    assert f"name={names}" in shape
    assert "data.append(" in shape
