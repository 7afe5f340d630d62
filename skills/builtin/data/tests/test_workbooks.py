"""Sheets of a workbook: read by name, named where they are not read, and kept where a row is added."""

from __future__ import annotations

import datetime
import zipfile
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from openpyxl.chart import BarChart, Reference
from openpyxl.worksheet.table import Table as SheetTable

from skills.builtin.data import skill
from skills.sdk import NewFile, Query, Record, Table, ToolError
from skills.sdk.testing import PracticeHome

ROWS: dict[str, list[tuple[Any, ...]]] = {
    "January": [
        ("day", "payee", "amount"),
        (datetime.date(2026, 1, 3), "Lidl", 20.5),
        (datetime.date(2026, 1, 5), "Bus", 3),
    ],
    "March": [("day", "payee", "amount"), (datetime.date(2026, 3, 3), "Shell", 11.25)],
    "Notes 2026": [("what",), ("x",)],
}  # fmt: skip


def book(home: PracticeHome, name: str = "b.xlsx", *, sheets: Any = None, chart: bool = False) -> openpyxl.Workbook:
    made = openpyxl.Workbook()
    made.remove(made.worksheets[0])
    wanted: dict[str, list[tuple[Any, ...]]] = sheets or ROWS
    for title, rows in wanted.items():
        sheet = made.create_sheet(title)
        for row in rows:
            sheet.append(row)
    if chart:
        bars = BarChart()
        bars.add_data(Reference(made["January"], min_col=3, min_row=2, max_row=3))
        made.worksheets[1].add_chart(bars, "F2")
    made.save(home.path / name)
    if chart:
        with zipfile.ZipFile(home.path / name, "a") as archive:
            archive.writestr("customXml/item1.xml", b"<kept/>")
    return made


def table(home: PracticeHome, path: str = "b.xlsx") -> Table:
    return Table((), (), str(home.path / path))


def parts(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


@pytest.fixture
def home(tmp_path: Path) -> PracticeHome:
    return PracticeHome(tmp_path)


# --- reading --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tool", "more"),
    [
        (skill.describe, {}),
        (skill.show, {}),
        (skill.total, {}),
        (skill.tally, {"only": Query("Lidl")}),
        (skill.pick, {"only": Query("Lidl")}),
        (skill.sort, {"column": "amount"}),
        (skill.group, {"by": "payee"}),
    ],
)
def test_every_answer_names_the_sheets_that_were_not_read(home: PracticeHome, tool: Any, more: dict[str, Any]) -> None:
    book(home)
    answer = home.do(tool, pure=True, table=table(home), **more).answer
    note = "This is the sheet January; ~/b.xlsx also has March and Notes 2026."
    assert f"{note} Name one, as in: sheet March of ~/b.xlsx." in answer.splitlines()
    home.language = "de"
    answer = home.do(tool, pure=True, table=table(home), **more).answer
    assert "Das ist das Blatt January; ~/b.xlsx hat außerdem March und Notes 2026." in answer


def test_a_converted_workbook_says_which_sheets_it_lacks(home: PracticeHome) -> None:
    book(home)
    assert "also has March and Notes 2026" in home.do(skill.convert, table=table(home), format="csv").answer
    assert "also has March" in home.do(skill.save, table=table(home), file=NewFile(str(home.path / "x.csv"))).answer


def test_amounts_keep_their_cents(home: PracticeHome) -> None:
    book(home, sheets={"A": [("amount", "ratio"), (-89.4, 0.5), (950, 0.25)]})
    answer = home.do(skill.show, pure=True, table=table(home)).answer
    assert "1. -89.40 · 0.5" in answer
    assert "2. 950.00 · 0.25" in answer


def test_a_workbook_of_one_sheet_is_not_spoken_of(home: PracticeHome) -> None:
    book(home, sheets={"Only": ROWS["March"], "Empty": []})
    assert "sheet" not in home.do(skill.total, pure=True, table=table(home)).answer


def test_the_first_sheet_that_holds_anything_is_read(home: PracticeHome) -> None:
    book(home, sheets={"Cover": [], **ROWS})
    assert "This is the sheet January" in home.do(skill.total, pure=True, table=table(home)).answer


def test_columns_and_rows_without_values_are_left_out(home: PracticeHome) -> None:
    book(home, sheets={"A": [(), (None, "name", None, "amount"), (), (None, "Anna", None, 12.5)]})
    shown = home.do(skill.show, pure=True, table=table(home)).value
    assert (shown.columns, len(shown.rows)) == (("name", "amount"), 1)


@pytest.mark.parametrize("said", ["March", "march", "MAR", "2"])
def test_a_sheet_is_taken_by_its_name(home: PracticeHome, said: str) -> None:
    book(home)
    done = home.do(skill.sheet, pure=True, table=table(home), name=Query(said))
    assert done.answer.startswith("Sheet March of ~/b.xlsx has 1 row (day · payee · amount):")
    assert "also has" not in done.answer
    assert home.do(skill.total, pure=True, table=done.value).value.value == pytest.approx(11.25)


def test_the_sheets_are_listed(home: PracticeHome) -> None:
    book(home)
    done = home.do(skill.sheet, pure=True, table=table(home))
    assert done.answer == "~/b.xlsx has 3 sheets: January, March and Notes 2026."
    assert done.value.rows == (("January",), ("March",), ("Notes 2026",))


@pytest.mark.parametrize(
    ("file", "said", "message"),
    [
        ("b.xlsx", "April", "no sheet “April”; it has January, March, Notes 2026 and Void"),
        ("b.xlsx", "9", "no sheet “9”"),
        ("b.xlsx", "Void", "The sheet Void of ~/b.xlsx is empty"),
        ("t.csv", "March", "~/t.csv is no workbook"),
    ],
)
def test_a_sheet_that_is_not_there_is_refused(home: PracticeHome, file: str, said: str, message: str) -> None:
    book(home, sheets={**ROWS, "Void": []})
    home.add("t.csv", "a,b\n1,2\n")
    with pytest.raises(ToolError, match=message) as refused:
        home.do(skill.sheet, pure=True, table=table(home, file), name=Query(said))
    assert refused.value.hint
    assert refused.value.words("de")[0] != str(refused.value)


def test_formulas_that_were_never_worked_out_are_said(home: PracticeHome) -> None:
    book(home, sheets={"A": [("a", "b"), (1, "=A2*2"), (2, "=A3*2"), (3, 7)]})
    answer = home.do(skill.total, pure=True, table=table(home), column="a").answer
    assert "2 cells hold formulas without a value, and count as empty." in answer


def test_a_workbook_that_is_wrong_about_its_size_is_read_whole(home: PracticeHome) -> None:
    book(home, sheets={"A": ROWS["January"]})
    changed = parts(home.path / "b.xlsx")
    name = "xl/worksheets/sheet1.xml"
    assert b'<dimension ref="A1:C3"' in changed[name]
    changed[name] = changed[name].replace(b'ref="A1:C3"', b'ref="A1:A1"')
    with zipfile.ZipFile(home.path / "b.xlsx", "w") as archive:
        for part, data in changed.items():
            archive.writestr(part, data)
    assert home.do(skill.describe, pure=True, table=table(home)).value.rows == 2


# --- a row more -----------------------------------------------------------------------------------------------------


def add(home: PracticeHome, fields: dict[str, str]) -> str:
    return home.do(skill.append, file=home.file("b.xlsx"), row=Record(fields)).answer


def cells(home: PracticeHome, sheet: str) -> list[tuple[Any, ...]]:
    return list(openpyxl.load_workbook(home.path / "b.xlsx")[sheet].iter_rows(values_only=True))


def test_a_row_goes_into_the_named_sheet_and_every_other_part_stays(home: PracticeHome) -> None:
    book(home, chart=True)
    before = parts(home.path / "b.xlsx")
    assert any(name.startswith("xl/charts/") for name in before)
    answer = add(home, {"sheet": "March", "day": "2026-03-09", "payee": "<Bäcker & Co>", "amount": "4.20"})
    assert answer.startswith("I added a row to sheet March of ~/b.xlsx: day 2026-03-09, payee <Bäcker & Co>")
    after = parts(home.path / "b.xlsx")
    changed = {name for name in before if before[name] != after[name]}
    assert (set(before), changed) == (set(after), {"xl/worksheets/sheet2.xml"})
    assert cells(home, "March")[-1] == (datetime.datetime(2026, 3, 9, 0, 0), "<Bäcker & Co>", 4.2)
    styled = openpyxl.load_workbook(home.path / "b.xlsx")["March"]
    assert styled["A3"].number_format == styled["A2"].number_format
    assert home.do(skill.sheet, pure=True, table=table(home), name=Query("March")).value.rows[-1][0] == "2026-03-09"


def test_a_library_that_writes_the_workbook_anew_would_lose_what_we_keep(home: PracticeHome) -> None:
    book(home, chart=True)
    before = parts(home.path / "b.xlsx")
    again = openpyxl.load_workbook(home.path / "b.xlsx")
    again["March"].append((1, 2, 3))
    again.save(home.path / "b.xlsx")
    after = parts(home.path / "b.xlsx")
    assert {name for name in before if before[name] != after.get(name)} > {"customXml/item1.xml"}


def test_rows_are_added_one_after_the_other(home: PracticeHome) -> None:
    book(home, sheets={"A": ROWS["January"]})
    home.step(skill.append, file=home.file("b.xlsx"), row=Record({"payee": "one", "amount": "1"}))
    home.do(skill.enter, file=home.file("b.xlsx"), amount=2.0, what=Query("Bus"))
    assert [row[1:] for row in cells(home, "A")[-2:]] == [("one", 1), ("Bus", 2)]


def test_which_sheet_is_asked(home: PracticeHome) -> None:
    book(home)
    before = home.tree()
    with pytest.raises(ToolError, match="several sheets: January, March and Notes 2026") as refused:
        add(home, {"payee": "x", "amount": "1"})
    assert "with sheet January and day" in refused.value.hint
    assert home.tree() == before


def test_a_column_called_sheet_is_a_column(home: PracticeHome) -> None:
    book(home, sheets={"A": [("sheet", "n"), ("x", 1)]})
    add(home, {"sheet": "y", "n": "2"})
    assert cells(home, "A")[-1] == ("y", 2)


@pytest.mark.parametrize(
    ("sheets", "message"),
    [
        ({"A": [("a", "b"), (1, 2), (3, "=SUM(B2:B2)")]}, "has formulas"),
        ({"A": [("a", "b"), (1, 2)], "Sums": [("=SUM(A!B2:B2)",)]}, "has formulas"),
        ({"A": []}, "is empty"),
    ],
)
def test_what_cannot_be_kept_is_refused(home: PracticeHome, sheets: Any, message: str) -> None:
    book(home, sheets=sheets)
    before = home.tree()
    with pytest.raises(ToolError, match=message) as refused:
        add(home, {"sheet": "A", "a": "5", "b": "6"})
    assert refused.value.hint
    assert home.tree() == before


def test_a_signed_workbook_is_refused(home: PracticeHome) -> None:
    book(home, sheets={"A": ROWS["January"]})
    with zipfile.ZipFile(home.path / "b.xlsx", "a") as archive:
        archive.writestr("_xmlsignatures/sig1.xml", b"<x/>")
    with pytest.raises(ToolError, match="is signed"):
        add(home, {"payee": "x"})


def test_a_table_over_the_rows_grows_with_them(home: PracticeHome) -> None:
    made = book(home, sheets={"A": ROWS["January"]})
    made["A"].add_table(SheetTable(displayName="Costs", ref="A1:C3"))
    made.save(home.path / "b.xlsx")
    add(home, {"payee": "x", "amount": "1"})
    sheet = openpyxl.load_workbook(home.path / "b.xlsx")["A"]
    assert (sheet.tables["Costs"].ref, sheet["B4"].value) == ("A1:C4", "x")


def test_a_text_never_becomes_a_formula(home: PracticeHome) -> None:
    book(home, sheets={"A": ROWS["January"]})
    add(home, {"payee": "=HYPERLINK(1)", "amount": "1"})
    cell = openpyxl.load_workbook(home.path / "b.xlsx")["A"]["B4"]
    assert (cell.data_type, str(cell.value).lstrip("'")) == ("s", "=HYPERLINK(1)")


def test_a_styled_row_without_values_is_filled_and_no_gap_is_left(home: PracticeHome) -> None:
    made = book(home, sheets={"A": ROWS["January"]})
    made["A"]["A4"].number_format = "0.00"
    made["A"]["A6"].number_format = "0.00"
    made.save(home.path / "b.xlsx")
    add(home, {"payee": "x", "amount": "1"})
    assert [row[1] for row in cells(home, "A")[:4]] == ["payee", "Lidl", "Bus", "x"]
