"""A value of a document that is to be found first, and what is wanted of many: never another sum instead."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kernel.model import Plan

if TYPE_CHECKING:
    from tests.kernel.planner import Planner


@pytest.mark.parametrize(
    ("sentence", "found", "value"),
    [
        ("what is the total of the newest invoice", "name=invoice, order=newest", "total"),
        ("what is the total of the newest invoice in Invoices",
         "folder=~/Invoices, name=invoice, order=newest", "total"),
        ("what is the total of the oldest receipt in Downloads",
         "folder=~/Downloads, name=receipt, order=oldest", "total"),
        ("total of the newest receipt in Downloads", "folder=~/Downloads, name=receipt, order=newest", "total"),
        ("Gesamtbetrag der neuesten Quittung in Finance",
         "folder=~/Finance, name=Quittung, order=newest", "Gesamtbetrag"),
        ("tell me the due date of the latest contract in Documents",
         "folder=~/Documents, name=contract, order=newest", "due date"),
        ("wie hoch ist der Betrag der ältesten Quittung in Finance",
         "folder=~/Finance, name=Quittung, order=oldest", "Betrag"),
    ],
)  # fmt: skip
def test_the_value_is_read_from_the_one_that_is_found(planner: Planner, sentence: str, found: str, value: str) -> None:
    expected = f"files.find(count=1, {found}); documents.value(file=<t1[0]>, name={value})"
    assert planner.shape(planner.say(sentence)) == expected


@pytest.mark.parametrize(
    "sentence",
    [
        "the mode of my invoices",
        "what is the standard deviation of all receipts",
        "the spread of the invoices",
        "was ist der Modus aller Rechnungen",
        "wie hoch ist die Streuung meiner Rechnungen",
    ],
)
def test_a_figure_that_no_tool_offers_is_not_replaced(planner: Planner, sentence: str) -> None:
    assert not isinstance(planner.say(sentence), Plan)


@pytest.mark.parametrize(
    ("sentence", "show"),
    [("the sum of all invoices", "sum"), ("the average of my invoices", "average"),
     ("Durchschnitt aller Rechnungen", "average")],
)  # fmt: skip
def test_a_figure_that_a_tool_offers_is_given(planner: Planner, sentence: str, show: str) -> None:
    assert planner.shape(planner.say(sentence)) == f"documents.totals(show={show})"


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Gesamtbetrag aller Quittungen", "documents.totals(show=sum)"),
        ("total amount of all receipts", "documents.totals(show=sum)"),
        ("der Gesamtbetrag aller Rechnungen in Finance", "documents.totals(folder=~/Finance, show=sum)"),
    ],
)
def test_one_amount_of_all_is_their_sum(planner: Planner, sentence: str, expected: str) -> None:
    assert planner.shape(planner.say(sentence)) == expected
