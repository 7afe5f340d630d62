"""Conditions on rows in sentences, English and German."""

from __future__ import annotations

import pytest

from skills.model import ValueKind
from tests.kernel.language.reading import best, spans


@pytest.mark.parametrize(
    ("text", "column", "op", "value"),
    [
        ("filter the rows where amount is greater than 100", "amount", ">", "100"),
        ("rows with amount greater than 100", "amount", ">", "100"),
        ("rows where city is Berlin", "city", "=", "Berlin"),
        ("rows where city is New York", "city", "=", "New York"),
        ("category = food", "category", "=", "food"),
        ("only rows with price below 5", "price", "<", "5"),
        ("where the unit price is at least 9.99", "unit price", ">=", "9.99"),
        ("where status is not paid", "status", "!=", "paid"),
        ("where name contains 'son'", "name", "contains", "son"),
        ("with quantity <= 3", "quantity", "<=", "3"),
        ("whose age is over 30", "age", ">", "30"),
        ("the rows whose city is Berlin", "city", "=", "Berlin"),
        ("sales.csv rows with region not north", "region", "!=", "north"),
        ("where date is after 2024-01-01", "date", ">", "2024-01-01"),
        ("where amount is 100 or more", "amount", ">=", "100"),
        ("where amount != 0", "amount", "!=", "0"),
        ("where total exceeds $50", "total", ">", "50"),
        ("Zeilen, in denen der Betrag größer als 100 ist", "Betrag", ">", "100"),
        ("Zeilen mit Preis unter 5 und sonst nichts", "Preis", "<", "5"),
        ("wo Stadt gleich Berlin ist", "Stadt", "=", "Berlin"),
        ("rows over 50 in the amount column", "amount", ">", "50"),
        ("Zeilen über 80 in der Spalte Betrag", "Betrag", ">", "80"),
        ("only those in which the vendor is Rewe", "vendor", "=", "Rewe"),
        ("alle, deren Name 'sohn' enthält, wo Name ist 'sohn'", "Name", "=", "sohn"),
    ],
)
def test_conditions(text: str, column: str, op: str, value: str) -> None:
    assert best(text, ValueKind.CONDITION) == {"column": column, "op": op, "value": value}


@pytest.mark.parametrize(
    "text",
    [
        "whose birthday is next?",
        "whose turn is it",
        "what is the time",
        "the door is open",
        "how old are you",
        "wer ist da",
        "which date is May 4",
    ],
)
def test_no_conditions_are_invented(text: str) -> None:
    assert not spans(text, ValueKind.CONDITION)


def test_a_period_after_a_noun_is_hardly_a_condition() -> None:
    assert all(span.confidence < 0.5 for span in spans("anything in Downloads since yesterday", ValueKind.CONDITION))
