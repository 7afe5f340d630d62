from __future__ import annotations

import datetime
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skills.builtin.documents import amounts


@given(st.decimals(min_value=0, max_value=10**9, places=2), st.booleans())
def test_a_printed_amount_is_read_back_in_both_languages(amount: Decimal, comma: bool) -> None:
    printed = f"{amount:,.2f}"
    if comma:
        printed = printed.translate(str.maketrans(",.", ".,"))
    assert amounts.number(printed, comma=comma) == amount
    assert [money.amount for money in amounts.moneys(f"x {printed} EUR", comma=comma)] == [amount]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("19 % of 100.00 EUR", ["100.00"]),
        ("on 2024-03-01 we paid 5.00", ["5.00"]),
        ("-12.50 EUR", ["-12.50"]),
        ("99,- €", ["99"]),
        ("INV-2024-017", []),
        ("version 1.2.3", []),
        ("1'234.50 CHF", ["1234.50"]),
    ],
)
def test_what_counts_as_an_amount(text: str, expected: list[str]) -> None:
    assert [money.amount for money in amounts.moneys(text, comma=False)] == [Decimal(amount) for amount in expected]


@pytest.mark.parametrize(
    "text",
    [
        "2024-03-05",
        "05.03.2024",
        "5. März 2024",
        "5 March 2024",
        "March 5, 2024",
        "5th of",
        "05/03/2024",
        "05-Mar-2024",
        "5.3.24",
    ],
)
def test_dates_as_they_are_printed(text: str) -> None:
    expected = [] if text == "5th of" else [datetime.date(2024, 3, 5)]
    assert [day for day, _, _ in amounts.dates(f"on {text} or so")] == expected


def test_slashed_dates_follow_the_country_unless_only_one_reading_is_a_date() -> None:
    assert amounts.dates("03/04/2024", day_first=False)[0][0] == datetime.date(2024, 3, 4)
    assert amounts.dates("03/14/2024", day_first=True)[0][0] == datetime.date(2024, 3, 14)
    assert amounts.dates("30.02.2024") == []


def test_only_a_valid_account_is_an_iban() -> None:
    assert amounts.iban("IBAN: DE89 3704 0044 0532 0130 00 BIC COBADEFF") == "DE89370400440532013000"
    assert amounts.iban("DE88 3704 0044 0532 0130 00") is None
