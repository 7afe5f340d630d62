"""Rows by words that only the table knows: values, columns with values, months; and columns said in other forms."""

from __future__ import annotations

import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from skills.builtin.data import skill
from skills.sdk import Column, Condition, Period, Query, Table, ToolError
from skills.sdk.testing import PracticeHome

OUTLAYS = """date,category,shop,amount
2024-11-03,Hobby,Kiosk Nord,4.00
2025-01-05,Hobby,Lidl,12.50
2025-01-20,Fuel,Shell,60.00
2025-02-02,Hobby,Kiosk Nord,7.25
2025-02-10,Garden,Lidl,30.00
"""
STAFF = "Name;Abteilung;Gehalt\nAnna;IT;4200,00\nBen;Vertrieb;3100,50\nCarla;IT;5100,00\n"


@pytest.fixture
def home(tmp_path: Path) -> PracticeHome:
    made = PracticeHome(tmp_path)  # 14 March 2025
    made.add("outlays.csv", OUTLAYS)
    made.add("staff.csv", STAFF)
    return made


def table(home: PracticeHome, name: str = "outlays.csv") -> Table:
    return Table((), (), str(home.path / name))


@pytest.mark.parametrize(
    ("only", "total", "words"),
    [
        ("Hobby", "23.75", "category = Hobby"),
        ("hobby", "23.75", "category = hobby"),
        ("at Lidl", "42.50", "shop = Lidl"),
        ("Kiosk", "11.25", "shop contains Kiosk"),
        ("February", "37.25", "date = February 2025"),
        ("in November", "4.00", "date = November 2024"),
        ("Hobby in 2025", "19.75", "category = Hobby and date = 2025"),
        ("the Hobby at Kiosk Nord", "11.25", "category = Hobby and shop = Kiosk Nord"),
        ("category is Fuel", "60.00", "category = Fuel"),
    ],
)
def test_words_are_looked_for_in_the_table(home: PracticeHome, only: str, total: str, words: str) -> None:
    done = home.do(skill.tally, pure=True, table=table(home), only=Query(only))
    assert done.value.rows == ((Decimal(total),),)
    assert words in done.answer


@pytest.mark.parametrize("only", ["Café Blümchen", "Cafe Bluemchen", "cafe blumchen", "for Bluemchen"])
def test_a_value_is_found_however_it_is_written(home: PracticeHome, only: str) -> None:
    home.add("sales.csv", "Datum;Kunde;Betrag\n2025-01-03;Café Blümchen;40\n2025-01-09;Nordwind;60\n")
    done = home.do(skill.tally, pure=True, table=table(home, "sales.csv"), only=Query(only))
    assert done.value.rows == ((Decimal(40),),)


def test_a_column_is_found_however_it_is_written(home: PracticeHome) -> None:
    home.add("sizes.csv", "Name;Größe;Breite\na;40;1\nb;60;2\n")
    done = home.do(skill.total, pure=True, table=table(home, "sizes.csv"), column=Column("Groesse"))
    assert done.value.value == 100


@pytest.mark.parametrize("column", ["spending", "the expenses", "Ausgaben", "Umsatz", "turnover"])
def test_what_a_table_is_about_is_its_column_of_amounts(home: PracticeHome, column: str) -> None:
    done = home.do(skill.group, pure=True, table=table(home), by=Column("Kategorie"), column=Column(column))
    assert ("Hobby", Decimal("23.75")) in done.value.rows


def test_income_is_not_looked_for_in_the_expenses(home: PracticeHome) -> None:
    home.add("both.csv", "day,expenses\n2025-01-03,40\n2025-01-09,60\n")
    with pytest.raises(ToolError, match="no column “income”"):
        home.do(
            skill.total,
            pure=True,
            table=table(home, "both.csv"),
            column=Column("income"),
            condition=Condition("day", "=", "2025-01-03"),
        )


def test_a_word_that_is_nowhere_is_never_passed_over(home: PracticeHome) -> None:
    with pytest.raises(ToolError, match="“Hobby at Aldi” is neither a value nor a column") as refused:
        home.do(skill.tally, pure=True, table=table(home), only=Query("Hobby at Aldi"))
    assert "category: Hobby, Fuel and Garden" in refused.value.hint


def test_a_period_is_a_stretch_of_the_only_column_of_days(home: PracticeHome) -> None:
    january = Period(datetime.date(2025, 1, 1), datetime.date(2025, 2, 1))
    done = home.do(skill.tally, pure=True, table=table(home), period=january, only=Query("Hobby"))
    assert done.value.rows == ((Decimal("12.50"),),)
    assert "category = Hobby and date 2025-01-01 – 2025-01-31" in done.answer
    with pytest.raises(ToolError, match="no column of days"):
        home.do(skill.tally, pure=True, table=table(home, "staff.csv"), period=january)
    with pytest.raises(ToolError, match="which rows are meant"):
        home.do(skill.tally, pure=True, table=table(home))


def test_pick_keeps_the_rows(home: PracticeHome) -> None:
    done = home.do(skill.pick, pure=True, table=table(home, "staff.csv"), only=Query("Abteilung IT"))
    assert [row[0] for row in done.value.rows] == ["Anna", "Carla"]
    assert "2 of 3 rows in ~/staff.csv with Abteilung = IT" in done.answer


@pytest.mark.parametrize("how", [{"column": Column("Hobby")}, {"column": Column("Hobby"), "measure": "count"}])
def test_a_value_in_the_place_of_a_column_chooses_rows(home: PracticeHome, how: dict[str, Any]) -> None:
    done = home.do(skill.total, pure=True, table=table(home), **how)
    assert done.value.rows == 3
    assert "category = Hobby" in done.answer


def test_grouping_by_a_value_is_the_total_of_that_value(home: PracticeHome) -> None:
    assert (
        "42.50 over 2 rows with shop = Lidl"
        in home.do(skill.group, pure=True, table=table(home), by=Column("Lidl")).answer
    )
    with pytest.raises(ToolError, match="neither a value nor a column"):
        home.do(skill.group, pure=True, table=table(home), by=Column("Aldi"))


def test_a_plural_with_another_vowel_is_the_same_column(home: PracticeHome) -> None:
    home.language = "de"
    done = home.do(skill.total, pure=True, table=table(home, "staff.csv"), column=Column("Gehälter"))
    assert done.answer == "Die Summe von Gehalt in ~/staff.csv ist 12400,50 über 3 Zeilen."


@pytest.mark.parametrize(("said", "first"), [("Gehalt absteigend", "Carla"), ("Gehalt aufsteigend", "Ben")])
def test_an_order_behind_the_column_is_an_order(home: PracticeHome, said: str, first: str) -> None:
    done = home.do(skill.sort, pure=True, table=table(home, "staff.csv"), column=Column(said))
    assert done.value.rows[0][0] == first


def test_a_grouped_table_is_sorted_by_the_sum(home: PracticeHome) -> None:
    grouped = home.do(skill.group, pure=True, table=table(home), by=Column("category")).value
    done = home.do(skill.sort, pure=True, table=grouped, column=Column("sum"), order="descending")
    assert [row[0] for row in done.value.rows] == ["Fuel", "Garden", "Hobby"]


@pytest.mark.slow
def test_a_second_chart_has_a_name_of_its_own_though_the_folder_cannot_be_seen(home: PracticeHome) -> None:
    first = home.do(skill.plot, table=table(home)).value.name
    home.now += datetime.timedelta(seconds=1)
    second = home.do(skill.plot, table=table(home)).value.name
    assert (first, second) == ("outlays line 2025-03-14 12.00.00.png", "outlays line 2025-03-14 12.00.01.png")


BANK = "Buchungstag;Valuta;Betrag\n02.01.2026;30.12.2025;-5,00\n03.02.2026;01.02.2026;-7,00\n"


def test_of_two_columns_of_days_the_one_whose_name_says_so_is_meant(home: PracticeHome) -> None:
    home.add("bank.csv", BANK)
    months = home.do(skill.group, pure=True, table=table(home, "bank.csv"), by=Column("month"))
    assert [row[0] for row in months.value.rows] == ["2026-01", "2026-02"]
    january = Period(datetime.date(2026, 1, 1), datetime.date(2026, 2, 1))
    assert len(home.do(skill.pick, pure=True, table=table(home, "bank.csv"), period=january).value.rows) == 1


def test_of_two_columns_of_days_none_is_guessed(home: PracticeHome) -> None:
    home.add("bank.csv", BANK.replace("Buchungstag", "Von").replace("Valuta", "Bis"))
    january = Period(datetime.date(2026, 1, 1), datetime.date(2026, 2, 1))
    for tool, how in ((skill.group, {"by": Column("month")}), (skill.pick, {"period": january})):
        with pytest.raises(ToolError, match="several columns of days: Von and Bis") as refused:
            home.do(tool, pure=True, table=table(home, "bank.csv"), **how)
        assert "Von is after" in refused.value.hint


def test_a_comparison_is_said_in_german(home: PracticeHome) -> None:
    home.language = "de"
    said = home.do(skill.tally, pure=True, table=table(home), only=Query("Kiosk")).answer
    assert "mit shop enthält Kiosk" in said
