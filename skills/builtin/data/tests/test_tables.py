from __future__ import annotations

import datetime
import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from skills.builtin.data import reading, skill
from skills.model import ValueKind, ValueType
from skills.sdk import Column, Condition, File, NewFile, Period, Query, Table, ToolError
from skills.sdk.testing import PracticeHome
from skills.values import to_json, to_python

SALES = """date,category,customer,amount,qty
2024-01-02,food,Anna,12.50,2
2024-01-05,rent,Bob,900.00,1
2024-02-01,food,Cleo,8.25,3
2024-02-11,travel,anna,120.00,1
2024-03-01,Food,Dan,15.10,4
"""
GERMAN = "Datum;Kategorie;Betrag\r\n02.01.2024;Essen;1.234,50\r\n05.02.2024;Käse;900,00\r\n"


@pytest.fixture
def home(tmp_path: Path) -> PracticeHome:
    made = PracticeHome(tmp_path)
    made.add("sales.csv", SALES)
    made.add("de.csv", GERMAN.encode("cp1252"))
    made.add("customers.csv", "Customer,city\nANNA,Berlin\nBob,Paris\n")
    return made


def table(home: PracticeHome, path: str) -> Table:
    """Return the table as the kernel binds a file: its path, and nothing read yet."""
    return Table((), (), str(home.path / path))


def column(rows: Table, name: str) -> list[Any]:
    return [row[rows.columns.index(name)] for row in rows.rows]


# --- reading --------------------------------------------------------------------------------------------------------


def test_describe_names_columns_kinds_and_ranges(home: PracticeHome) -> None:
    done = home.do(skill.describe, pure=True, table=table(home, "sales.csv"))
    assert (done.value.rows, done.value.names) == (5, ["date", "category", "customer", "amount", "qty"])
    assert "amount (number, 8.25 to 900.00, mean 211.17)" in done.answer
    assert "date (date, 2024-01-02 to 2024-03-01)" in done.answer
    assert "qty (whole number" in done.answer


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (GERMAN.encode("cp1252"), [("2024-01-02", "Essen", 1234.5), ("2024-02-05", "Käse", 900)]),
        (GERMAN.encode("utf-8-sig"), [("2024-01-02", "Essen", 1234.5), ("2024-02-05", "Käse", 900)]),
        (GERMAN.encode("utf-16"), [("2024-01-02", "Essen", 1234.5), ("2024-02-05", "Käse", 900)]),
        (GERMAN.encode("utf-16-le"), [("2024-01-02", "Essen", 1234.5), ("2024-02-05", "Käse", 900)]),
        (b"a\tb\n1\t2,5\n", [(1, 2.5)]),
        (b'a|b\n"x|y"|2\n', [("x|y", 2)]),
        (b"a,b\n1,\n2,x\n", [(1, None), (2, "x")]),
        (b"a,b,\n1,2,\n", [(1, 2)]),
        (b"zip,n\n01234,1\n99999,2\n", [("01234", 1), ("99999", 2)]),
        (b"d,n\n3/14/2024,1\n4/5/2024,2\n", [("2024-03-14", 1), ("2024-04-05", 2)]),
        (b"d,n\n31/12/2024,1\n4/5/2024,2\n", [("2024-12-31", 1), ("2024-05-04", 2)]),
        (b"a,b\n$1,x\n$2.50,y\n", [(1, "x"), (2.5, "y")]),
        (b'a,b\n"1,234.50",x\n', [(1234.5, "x")]),
        (b"a,b\r\n\r\n1,2\r\n\r\n", [(1, 2)]),
        (b"a,b\n1e3,n/a\n2,5\n", [(1000, None), (2, 5)]),
        (b"name\nAnna\nBob\n", [("Anna",), ("Bob",)]),
    ],
)  # fmt: skip
def test_files_of_many_manners_are_read(home: PracticeHome, data: bytes, expected: list[tuple[Any, ...]]) -> None:
    home.add("x.csv", data)
    assert list(home.do(skill.show, pure=True, table=table(home, "x.csv")).value.rows) == expected


def test_a_file_without_a_header_gets_numbered_columns(home: PracticeHome) -> None:
    home.add("x.csv", "1,2.5,foo\n2,3.5,bar\n")
    assert home.do(skill.show, pure=True, table=table(home, "x.csv")).value.columns == (
        "column 1",
        "column 2",
        "column 3",
    )


def test_columns_of_one_name_are_told_apart(home: PracticeHome) -> None:
    home.add("x.csv", "a,A,b\n1,2,3\n")
    assert home.do(skill.show, pure=True, table=table(home, "x.csv")).value.columns == ("a", "A (2)", "b")


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("x.csv", b"a,b,c\n1,2,3\n4,5\n", "Line 3 of ~/x.csv has 2 values where the table has 3 columns"),
        ("x.csv", b'a,b\n"x\ny",2\n3,4,5\n', "Line 4 of ~/x.csv has 3 values"),
        ("x.csv", b'a,b\n1,"x\n2,3\n', "Line 2 of ~/x.csv is broken"),
        ("x.csv", b"", "~/x.csv is empty"),
        ("x.csv", b"\n \n", "~/x.csv is empty"),
        ("x.csv", bytes(range(256)) * 10, "binary data"),
        ("x.xlsx", b"PK\x03\x04nonsense", "damaged"),
        ("x.xlsx", b"no archive", "damaged"),
        ("x.parquet", b"PAR1nonsense", "damaged"),
        ("x.json", b"{", "damaged"),
        ("x.json", b"[1, 2]", "not a list of objects"),
        ("x.ods", b"PK", "format"),
    ],
)
def test_what_is_no_table_is_refused_with_its_place(home: PracticeHome, name: str, data: bytes, message: str) -> None:
    home.add(name, data)
    with pytest.raises(ToolError) as refused:
        home.do(skill.describe, pure=True, table=table(home, name))
    assert message in str(refused.value)
    assert refused.value.hint
    assert refused.value.words("de")[0] != str(refused.value)


def test_a_large_file_is_read_by_the_database_with_the_same_result(
    home: PracticeHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    home.add("u.csv", GERMAN)
    small = home.do(skill.show, pure=True, table=table(home, "u.csv")).value
    monkeypatch.setattr(reading, "_SMALL_BYTES", 10)
    assert home.do(skill.show, pure=True, table=table(home, "u.csv")).value == small
    home.add("ragged.csv", "a,b\n1,2\n" * 90_000 + "1,2,3\n")
    with pytest.raises(ToolError, match=r"Line 180001 of .*ragged.csv has 3 values"):
        home.do(skill.describe, pure=True, table=table(home, "ragged.csv"))
    with pytest.raises(ToolError, match="not written in UTF-8"):
        home.do(skill.describe, pure=True, table=table(home, "de.csv"))


# --- looking --------------------------------------------------------------------------------------------------------


def test_show_first_and_last_rows(home: PracticeHome) -> None:
    first = home.do(skill.show, pure=True, table=table(home, "sales.csv"), count=2)
    assert column(first.value, "customer") == ["Anna", "Bob"]
    assert "first 2 of 5 rows" in first.answer
    last = home.do(skill.show, pure=True, table=table(home, "sales.csv"), count=2, end="last")
    assert column(last.value, "customer") == ["anna", "Dan"]


@pytest.mark.parametrize(
    ("condition", "customers"),
    [
        (("amount", ">", "100"), ["Bob", "anna"]),
        (("Amount", "<=", "$12.50"), ["Anna", "Cleo"]),
        (("amount", "=", "8.25"), ["Cleo"]),
        (("amount", "!=", "900"), ["Anna", "Cleo", "anna", "Dan"]),
        (("category", "=", "FOOD"), ["Anna", "Cleo", "Dan"]),
        (("category", "!=", "food"), ["Bob", "anna"]),
        (("customer", "contains", "ann"), ["Anna", "anna"]),
        (("customer", "=", "x' OR '1'='1"), []),
        (("date", ">=", "2024-02-11"), ["anna", "Dan"]),
        (("date", "=", "February 2024"), ["Cleo", "anna"]),
        (("date", "=", "Februar 2024"), ["Cleo", "anna"]),
        (("date", "<", "2024-02"), ["Anna", "Bob"]),
        (("date", ">", "January 5, 2024"), ["Cleo", "anna", "Dan"]),
        (("date", "=", "2024"), ["Anna", "Bob", "Cleo", "anna", "Dan"]),
        (("Datum", "=", "1.3.2024"), ["Dan"]),
        (("quantity", ">", "1"), None),
        (("catgory", "=", "rent"), ["Bob"]),
    ],
)
def test_filter(home: PracticeHome, condition: tuple[str, str, str], customers: list[str] | None) -> None:
    if customers is None:
        with pytest.raises(ToolError, match="the columns are date, category"):
            home.do(skill.filter, pure=True, table=table(home, "sales.csv"), condition=Condition(*condition))
        return
    done = home.do(skill.filter, pure=True, table=table(home, "sales.csv"), condition=Condition(*condition))
    assert column(done.value, "customer") == customers


def test_filter_without_a_match_names_what_there_is(home: PracticeHome) -> None:
    condition = Condition("category", "=", "fun")
    answer = home.do(skill.filter, pure=True, table=table(home, "sales.csv"), condition=condition).answer
    assert "None of the 5 rows" in answer
    assert "travel" in answer


@pytest.mark.parametrize(
    ("condition", "message"),
    [
        (("amount", ">", "cheap"), "is not a number"),
        (("category", ">", "5"), "holds text, such as “food”"),
        (("date", ">", "soon"), "is not a date"),
        (("amount", "like", "5"), "comparison"),
    ],
)
def test_comparisons_that_do_not_fit_are_refused(
    home: PracticeHome, condition: tuple[str, str, str], message: str
) -> None:
    with pytest.raises(ToolError, match=message):
        home.do(skill.filter, pure=True, table=table(home, "sales.csv"), condition=Condition(*condition))


def test_sort_and_top(home: PracticeHome) -> None:
    done = home.do(skill.sort, pure=True, table=table(home, "sales.csv"), column=Column("amount"))
    assert column(done.value, "amount") == [Decimal(text) for text in ("8.25", "12.50", "15.10", "120.00", "900.00")]
    top = home.do(skill.sort, pure=True, table=table(home, "sales.csv"), column=Column("amount"), count=2)
    assert column(top.value, "customer") == ["Bob", "anna"]
    assert "highest amount" in top.answer
    german = home.do(skill.sort, pure=True, table=table(home, "de.csv"), column=Column("betrag"), order="descending")
    assert column(german.value, "Betrag") == [1234.5, 900]


def test_rows_are_compared_and_ranked_by_the_only_column_with_amounts(home: PracticeHome) -> None:
    home.add("costs.csv", "day,shop,amount\n2024-01-02,Lidl,80\n2024-01-03,Rewe,12.5\n2024-01-04,Aldi,90\n")
    home.add("plain.csv", "shop,city\nLidl,Kiel\n")
    over = home.do(skill.filter, pure=True, table=table(home, "costs.csv"), condition=Condition("", ">", "50"))
    assert column(over.value, "shop") == ["Lidl", "Aldi"]
    assert "amount > 50" in over.answer
    top = home.do(skill.sort, pure=True, table=table(home, "costs.csv"), order="descending", count=1)
    assert column(top.value, "shop") == ["Aldi"]
    sum_over = home.do(skill.total, pure=True, table=table(home, "costs.csv"), condition=Condition("", "<", "50"))
    assert sum_over.value.value == Decimal("12.5")
    with pytest.raises(ToolError):
        home.do(skill.filter, pure=True, table=table(home, "plain.csv"), condition=Condition("", ">", "50"))


def test_group(home: PracticeHome) -> None:
    done = home.do(
        skill.group, pure=True, table=table(home, "sales.csv"), by=Column("category"), column=Column("amount")
    )
    assert done.value.columns == ("category", "total amount")
    assert ("rent", 900) in done.value.rows
    assert "rent: 900" in done.answer
    assert done.answer.startswith("Total amount by category in ")
    march = Period(datetime.date(2024, 3, 1), datetime.date(2024, 4, 1))
    some = home.do(skill.group, pure=True, table=table(home, "sales.csv"), by=Column("category"), period=march)
    assert 0 < len(some.value.rows) < len(done.value.rows)
    assert "2024-03" in some.answer
    never = Period(datetime.date(1999, 1, 1), datetime.date(1999, 2, 1))
    none = home.do(skill.group, pure=True, table=table(home, "sales.csv"), by=Column("category"), period=never)
    assert not none.value.rows
    months = home.do(
        skill.group,
        pure=True,
        table=table(home, "sales.csv"),
        by=Column("month"),
        measure="mean",
        column=Column("amount"),
    )
    assert months.value.rows == (("2024-01", 456.25), ("2024-02", 64.125), ("2024-03", 15.1))
    counts = home.do(skill.group, pure=True, table=table(home, "customers.csv"), by=Column("city"))
    assert counts.value.rows == (("Berlin", 1), ("Paris", 1))


@pytest.mark.parametrize(
    ("measure", "name", "value", "said"),
    [
        ("sum", "amount", 1055.85, "1055.85"),
        ("mean", "amount", 211.17, "211.17"),
        ("mean", "qty", 2.2, "2.2"),
        ("min", "amount", 8.25, "8.25"),
        ("max", "amount", 900, "900"),
        ("median", "amount", 15.1, "15.10"),
        ("count", None, 5, "5 rows"),
        ("sum", None, 1055.85, "1055.85"),
        ("max", "date", None, "2024-03-01"),
    ],
)
def test_total(home: PracticeHome, measure: Any, name: str | None, value: float | None, said: str) -> None:
    named = Column(name) if name else None
    done = home.do(skill.total, pure=True, table=table(home, "sales.csv"), measure=measure, column=named)
    assert done.value.value == (Decimal(str(value)) if isinstance(done.value.value, Decimal) else value)
    assert said in done.answer


def test_a_sum_of_cents_is_exact(home: PracticeHome) -> None:
    home.add("x.csv", "amount\n" + "0.10\n" * 1001)
    done = home.do(skill.total, pure=True, table=table(home, "x.csv"))
    assert done.value.value == Decimal("100.10")
    assert "is 100.10 over 1001 rows" in done.answer


def test_cents_are_kept_in_answers_tables_and_between_steps(home: PracticeHome) -> None:
    home.add("x.csv", "vendor,amount\nIKEA,12.50\nREWE,7.30\nIKEA,100.00\n")
    kept = home.do(skill.filter, pure=True, table=table(home, "x.csv"), condition=Condition("vendor", "=", "IKEA"))
    assert "1. IKEA · 12.50\n2. IKEA · 100.00" in kept.answer
    assert kept.table is not None
    assert kept.table["rows"] == [["IKEA", "12.50"], ["IKEA", "100.00"]]
    passed_on = to_python(to_json(kept.value), ValueType(ValueKind.TABLE), "table")
    assert home.do(skill.total, pure=True, table=passed_on).answer.startswith("The total amount in ~/x.csv is 112.50 ")
    summed = home.do(skill.group, pure=True, table=table(home, "x.csv"), by=Column("vendor"))
    assert "IKEA: 112.50; REWE: 7.30" in summed.answer
    assert to_json(home.do(skill.total, pure=True, table=table(home, "x.csv")).value)["value"] == "119.80"


@pytest.mark.parametrize(
    ("condition", "measure", "said"),
    [
        (("vendor", "=", "IKEA"), "sum", "The total amount in ~/x.csv is 112.50 over 2 rows with vendor = IKEA."),
        (("vendor", "=", "IKEA"), "count", "~/x.csv has 2 rows with vendor = IKEA."),
        (("amount", ">", "10"), "max", "The highest amount in ~/x.csv is 100.00 with amount > 10."),
        (("vendor", "=", "OBI"), "count", "~/x.csv has 0 rows with vendor = OBI."),
    ],
)
def test_a_total_over_the_rows_that_meet_a_condition(
    home: PracticeHome, condition: tuple[str, str, str], measure: Any, said: str
) -> None:
    home.add("x.csv", "vendor,amount\nIKEA,12.50\nREWE,7.30\nIKEA,100.00\n")
    wanted = {"table": table(home, "x.csv"), "measure": measure, "condition": Condition(*condition)}
    assert home.do(skill.total, pure=True, **wanted).answer == said


def test_a_sum_of_both_signs_says_what_each_comes_to(home: PracticeHome) -> None:
    home.add("x.csv", "vendor,amount\nIKEA,-12.50\nREWE,-7.30\nWork,100.00\n")
    done = home.do(skill.total, pure=True, table=table(home, "x.csv"))
    assert done.answer.endswith(
        "is 80.20 over 3 rows. The negative values come to -19.80, the positive ones to 100.00."
    )
    home.language = "de"
    said = home.do(skill.tally, pure=True, table=table(home, "x.csv"), only=Query("Work")).answer
    assert "negativ" not in said, "one sign only"
    assert "negativen Werte ergeben -19,80" in home.do(skill.total, pure=True, table=table(home, "x.csv")).answer


def test_an_amount_is_no_key(home: PracticeHome) -> None:
    home.add("a.csv", "vendor,amount\nIKEA,10\n")
    home.add("b.csv", "amount,day\n10,2024-01-02\n")
    with pytest.raises(ToolError, match="no column in common to join them on"):
        home.do(skill.join, pure=True, left=table(home, "a.csv"), right=table(home, "b.csv"))
    named = home.do(skill.join, pure=True, left=table(home, "a.csv"), right=table(home, "b.csv"), on=Column("amount"))
    assert named.value.columns == ("vendor", "amount", "day")


def test_the_table_has_days_as_the_sentence_has_them(home: PracticeHome) -> None:
    home.language = "de"
    done = home.do(skill.show, pure=True, table=table(home, "de.csv"))
    assert done.table is not None
    assert [row[0] for row in done.table["rows"]] == ["02.01.2024", "05.02.2024"]
    assert "1. 02.01.2024 · Essen" in done.answer
    assert done.value.rows[0][0] == "2024-01-02", "what is passed on stays as it is"


def test_a_sum_over_no_rows_is_said_so(home: PracticeHome) -> None:
    home.add("x.csv", "vendor,amount\nIKEA,12.50\n")
    with pytest.raises(ToolError, match=r"amount of ~/x\.csv has no values with vendor = OBI"):
        home.do(skill.total, pure=True, table=table(home, "x.csv"), condition=Condition("vendor", "=", "OBI"))


def test_what_cannot_be_added_up_is_refused(home: PracticeHome) -> None:
    with pytest.raises(ToolError, match="holds text"):
        home.do(skill.total, pure=True, table=table(home, "sales.csv"), column=Column("category"))
    home.add("x.csv", "width,height\n1,2\n")
    with pytest.raises(ToolError, match="several columns with numbers: width and height"):
        home.do(skill.total, pure=True, table=table(home, "x.csv"))


def test_names_that_look_like_sql_stay_names(home: PracticeHome) -> None:
    name = 'a"; DROP TABLE t; --'
    home.add("x.csv", '"a""; DROP TABLE t; --",b\n1,2\n3,4\n')
    done = home.do(skill.sort, pure=True, table=table(home, "x.csv"), column=Column(name), order="descending")
    assert done.value.rows == ((3, 4), (1, 2))
    home.do(skill.convert, table=table(home, "x.csv"), format="parquet")
    assert home.do(skill.describe, pure=True, table=table(home, "x.parquet")).value.names == [name, "b"]


def test_the_database_reaches_no_other_file(home: PracticeHome) -> None:
    import duckdb

    from skills.builtin.data import frame

    connection = frame.connect(str(home.path / "sales.csv"))
    assert connection.execute("SELECT count(*) FROM read_csv(?)", [str(home.path / "sales.csv")]).fetchone() == (5,)
    for attempt in (
        f"FROM read_csv('{home.path}/de.csv')",
        f"COPY (SELECT 1) TO '{home.path}/evil.csv'",
        "INSTALL httpfs",
        f"ATTACH '{home.path}/evil.db'",
        "SET enable_external_access = true",
        "SET lock_configuration = false",
    ):
        with pytest.raises(duckdb.Error):
            connection.execute(attempt)
    assert not (home.path / "evil.csv").exists()


def test_join(home: PracticeHome) -> None:
    done = home.do(skill.join, pure=True, left=table(home, "sales.csv"), right=table(home, "customers.csv"))
    assert done.value.columns == ("date", "category", "customer", "amount", "qty", "city")
    assert column(done.value, "city") == ["Berlin", "Paris", "Berlin"]
    assert "2 of ~/sales.csv had no match" in done.answer
    assert "(date · category · customer · amount · qty · city):\n1. " in done.answer
    assert done.answer.count(" · Berlin\n") == 2
    with pytest.raises(ToolError, match="no column in common"):
        home.do(skill.join, pure=True, left=table(home, "customers.csv"), right=table(home, "de.csv"))


def test_the_result_of_a_step_is_a_table_for_the_next(home: PracticeHome) -> None:
    rows = home.do(
        skill.filter, pure=True, table=table(home, "sales.csv"), condition=Condition("amount", ">", "10")
    ).value
    top = home.do(skill.sort, pure=True, table=rows, column=Column("amount"), count=1).value
    assert column(top, "customer") == ["Bob"]
    assert home.do(skill.total, pure=True, table=top, column=Column("amount")).value.value == 900


# --- writing --------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("suffix", ["tsv", "xlsx", "parquet", "json"])
def test_convert_there_and_back(home: PracticeHome, suffix: Any) -> None:
    before = home.tree()
    done = home.do(skill.convert, table=table(home, "sales.csv"), format=suffix)
    assert done.value.name == f"sales.{suffix}"
    assert {path: data for path, data in home.tree().items() if path in before} == before
    again = home.do(skill.show, pure=True, table=table(home, f"sales.{suffix}")).value
    assert again.rows == home.do(skill.show, pure=True, table=table(home, "sales.csv")).value.rows


def test_convert_never_overwrites(home: PracticeHome) -> None:
    home.add("de.tsv", "mine")
    assert home.do(skill.convert, table=table(home, "de.csv"), format="tsv").value.name == "de (2).tsv"
    assert home.text("de.tsv") == "mine"
    assert home.text("de (2).tsv").splitlines()[1] == "02.01.2024\tEssen\t1.234,50"
    with pytest.raises(ToolError, match="CSV file already"):
        home.do(skill.convert, table=table(home, "de.csv"), format="csv")


@pytest.mark.slow
def test_save_writes_in_the_manner_of_the_source(home: PracticeHome) -> None:
    rows = home.do(skill.sort, pure=True, table=table(home, "de.csv"), column=Column("Betrag"), count=1).value
    home.do(skill.save, table=rows, file=NewFile(str(home.path / "New/top.csv")))
    assert home.text("New/top.csv") == "Datum;Kategorie;Betrag\n2024-01-02;Essen;1234,50\n"
    with pytest.raises(ToolError, match="exists already"):
        home.do(skill.save, table=rows, file=NewFile(str(home.path / "New/top.csv")))
    with pytest.raises(ToolError, match="cannot write a table"):
        home.do(skill.save, table=rows, file=NewFile(str(home.path / "x.doc")))
    assert home.do(skill.save, table=rows, file=NewFile(str(home.path / "bare"))).value.name == "bare.csv"


def test_a_text_never_becomes_a_formula_in_a_workbook(home: PracticeHome) -> None:
    home.add("x.csv", 'a,b\n"=HYPERLINK(""http://x"")",1\n')
    home.do(skill.convert, table=table(home, "x.csv"), format="xlsx")
    sheet = openpyxl.load_workbook(home.path / "x.xlsx").active
    assert sheet is not None
    assert (sheet["A2"].data_type, sheet["A2"].value) == ("s", '=HYPERLINK("http://x")')


def test_json_holds_named_values(home: PracticeHome) -> None:
    home.do(skill.convert, table=table(home, "customers.csv"), format="json")
    assert json.loads(home.text("customers.json"))[0] == {"Customer": "ANNA", "city": "Berlin"}


def _drawn(home: PracticeHome, **how: Any) -> tuple[File, str]:
    done = home.do(skill.plot, table=table(home, "sales.csv"), **how)
    assert (home.path / done.value.name).read_bytes().startswith(b"\x89PNG")
    assert done.files == (done.value.path,)
    return done.value, done.answer


@pytest.mark.slow
@pytest.mark.parametrize(
    ("how", "said"),
    [
        ({}, "line chart of amount by date"),
        ({"x": "category", "y": "amount"}, "bar chart of amount by category with 3"),
        ({"x": "category", "y": "amount", "kind": "pie"}, "pie chart of amount by category"),
        ({"x": "qty", "y": "amount"}, "scatter plot of amount by qty"),
        ({"x": "amount", "kind": "histogram"}, "histogram of amount"),
        ({"kind": "bar"}, "bar chart of amount by date"),
        ({"x": "month", "y": "amount"}, "bar chart of amount by month with 3"),
        ({"x": "month", "kind": "line"}, "line chart of amount by month with 3"),
        ({"kind": "line", "y": "qty"}, "line chart of qty by date"),
    ],
)  # fmt: skip
def test_plot(home: PracticeHome, how: dict[str, Any], said: str) -> None:
    home.add("sales.csv", SALES.replace(",Food,", ",food,"))
    assert said in _drawn(home, **how)[1]


@pytest.mark.slow
def test_plot_keeps_what_is_there_and_refuses_what_has_no_numbers(home: PracticeHome) -> None:
    home.add("sales line 2025-03-14 12.00.00.png", "mine")
    assert _drawn(home)[0].name == "sales line 2025-03-14 12.00.00 (2).png"
    with pytest.raises(ToolError, match="no column with numbers"):
        home.do(skill.plot, table=table(home, "customers.csv"))


@pytest.mark.slow
def test_plot_folds_many_groups_and_says_so(home: PracticeHome) -> None:
    home.add("many.csv", "name,amount\n" + "".join(f"n${at},{at}\n" for at in range(100)))
    answer = home.do(skill.plot, table=table(home, "many.csv")).answer
    assert "71 smallest groups" in answer
