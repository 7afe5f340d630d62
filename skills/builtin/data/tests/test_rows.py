"""Rows that go in by an amount and what it was for."""

from __future__ import annotations

import datetime
from pathlib import Path

import pytest

from skills.builtin.data import skill
from skills.sdk import Query, ToolError
from skills.sdk.testing import PracticeHome


@pytest.fixture
def home(tmp_path: Path) -> PracticeHome:
    return PracticeHome(tmp_path)


def enter(home: PracticeHome, data: str, what: str, day: datetime.date | None = None) -> str:
    home.add("t.csv", data)
    home.do(skill.enter, file=home.file("t.csv"), amount=8.9, what=Query(what), date=day)
    return home.text("t.csv").removeprefix(data)


@pytest.mark.parametrize(
    ("data", "added"),
    [
        ("date,description,amount\n2024-01-02,Bus,2.50\n", "2025-03-14,parking,8.90\n"),
        ("date,category,shop,amount\n2024-01-02,Parking,Shell,2.50\n", "2025-03-14,parking,,8.90\n"),
        ("Datum;Zweck;Betrag\n02.01.2024;Bus;2,50\n", "14.03.2025;parking;8,90\n"),
        ("date,topic,amount\n2024-01-02,Bus,2.50\n", "2025-03-14,parking,8.90\n"),
    ],
)
def test_an_amount_goes_in_with_what_it_was_for_and_today(home: PracticeHome, data: str, added: str) -> None:
    assert enter(home, data, "parking") == added


def test_a_day_that_is_named_goes_in(home: PracticeHome) -> None:
    day = datetime.date(2025, 1, 9)
    assert enter(home, "date,item,amount\n2024-01-02,Bus,2.50\n", "parking", day) == "2025-01-09,parking,8.90\n"


def test_what_it_was_for_is_never_dropped_nor_guessed(home: PracticeHome) -> None:
    data = "date,category,shop,amount\n2024-01-02,Bus,Shell,2.50\n"
    with pytest.raises(ToolError, match=r"several columns of ~/t\.csv: category and shop"):
        enter(home, data, "parking")
    assert home.text("t.csv") == data


def test_it_is_asked_into_which_column_and_the_answer_is_taken(home: PracticeHome) -> None:
    data = "date,category,shop,amount\n2024-01-02,Bus,Shell,2.50\n"
    with pytest.raises(ToolError) as refused:
        enter(home, data, "parking")
    assert (refused.value.instead_of, refused.value.choices) == ("parking", ("category: parking", "shop: parking"))
    assert enter(home, data, "shop: parking") == "2025-03-14,,parking,8.90\n"
    assert enter(home, "date,item,amount\n2024-01-02,Bus,2.50\n", "lunch: soup") == "2025-03-14,lunch: soup,8.90\n"


def test_a_column_for_payees_takes_no_purpose(home: PracticeHome) -> None:
    data = "date,payee,amount\n2024-01-02,Lidl,2.50\n"
    with pytest.raises(ToolError, match=r"no column for what an amount was for \(“parking”\)") as refused:
        enter(home, data, "parking")
    assert "with payee parking" in refused.value.hint
    assert home.text("t.csv") == data
    assert enter(home, data, "Lidl") == "2025-03-14,Lidl,8.90\n"


def test_an_amount_is_negative_where_all_others_are(home: PracticeHome) -> None:
    assert enter(home, "date,item,amount\n2024-01-02,Bus,-2.50\n", "parking") == "2025-03-14,parking,-8.90\n"
