from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from skills.builtin.data import skill
from skills.sdk import Record, ToolError
from skills.sdk.testing import PracticeHome

INVOICE: dict[str, Any] = {
    "value": "1.234,56 EUR", "amount": 1234.56, "currency": "EUR", "date": "2024-03-03", "name": "total",
    "file": {"path": "/home/u/Invoices/acme-17.pdf", "name": "acme-17.pdf"}, "vendor": "ACME", "page": 1,
}  # fmt: skip
"""A value read from a document, as it arrives from an earlier step."""

NUMBER = {**INVOICE, "value": "R-9", "amount": None, "name": "invoice number"}


@pytest.fixture
def home(tmp_path: Path) -> PracticeHome:
    return PracticeHome(tmp_path)


def append(home: PracticeHome, data: bytes | str, fields: dict[str, Any]) -> bytes:
    """Add a row and return only what was added; what stood there before must be the same, byte for byte."""
    before = data.encode() if isinstance(data, str) else data
    home.add("t.csv", before)
    home.do(skill.append, file=home.file("t.csv"), row=Record(fields))
    after = (home.path / "t.csv").read_bytes()
    assert after.startswith(before)
    return after[len(before) :]


@pytest.mark.parametrize(
    ("data", "added"),
    [
        ("date,description,amount\n2024-01-02,Lunch,12.50\n", "2024-03-03,ACME,1234.56\n"),
        ("Date,Vendor,Total\r\n", "2024-03-03,ACME,1234.56\r\n"),
        ("amount\n1.00\n", "1234.56\n"),
        ("Datum;Kategorie;Betrag\r\n02.01.2024;Essen;1.234,50\r\n", "03.03.2024;;1234,56\r\n"),
        ("Datum;Betrag\n2.1.2024;5,00\n", "3.3.2024;1234,56\n"),
        ("when,what,cost\n01/31/2024,x,1.5\n", "03/03/2024,ACME,1234.56\n"),
        ("date\tname\tprice\n2024-01-01\tx\t1\n", "2024-03-03\tACME\t1234.56\n"),
        ('"date","item","amount"\n"2024-01-02","Lunch","12.50"\n', '"2024-03-03","ACME","1234.56"\n'),
        ('date,item,amount\n2024-01-02,"Lunch",12.50\n', '2024-03-03,"ACME",1234.56\n'),
        ("date,source,vendor,amount,currency\n", "2024-03-03,acme-17.pdf,ACME,1234.56,EUR\n"),
        ("item,amount\nx,12.50 €\n", "ACME,1234.56 €\n"),
        ("date,amount\n2024-01-02,12.50", "\n2024-03-03,1234.56\n"),
        ("net,total,tax\n1,2,3\n", ",1234.56,\n"),
        ("name;wert\nx;1,5\n", "ACME;1234,56\n"),
        ("id,date,qty,amount\n7,2024-01-02,1,2.50\n", ",2024-03-03,,1234.56\n"),
    ],
)  # fmt: skip
def test_a_value_becomes_a_row_of_that_file(home: PracticeHome, data: str, added: str) -> None:
    assert append(home, data, INVOICE) == added.encode()


@pytest.mark.parametrize("encoding", ["utf-8-sig", "cp1252", "utf-16", "utf-16-le"])
def test_the_encoding_is_kept(home: PracticeHome, encoding: str) -> None:
    data = "Käufer;Größe;Betrag\nÄnne;groß;1,50\n".encode(encoding)
    bare = {"utf-8-sig": "utf-8", "utf-16": "utf-16-le"}.get(encoding, encoding)
    assert append(home, data, {**INVOICE, "Käufer": "Müßig"}) == "Müßig;;1234,56\n".encode(bare)


def test_a_sign_that_the_encoding_lacks_is_refused(home: PracticeHome) -> None:
    with pytest.raises(ToolError, match="cp1252"):
        append(home, "größe,amount\nx,1\n".encode("cp1252"), {"größe": "日本", "amount": 1})


@pytest.mark.parametrize(
    ("data", "fields", "added"),
    [
        ("date,item,amount\n", {"value": 39.1, "exact": "39.1", "expression": "17% of 230"}, ",17% of 230,39.1\n"),
        ("item,amount\nx,1.00\n", {"value": 42.5}, ",42.50\n"),
        ("item,amount\nx,1.00\n", {"amount": "3,50"}, ",3.50\n"),
        ("item,amount\nx,1\n", {"item": "milk", "amount": 2}, "milk,2\n"),
        ("item,amount\nx,1\n", {"value": "milk"}, "milk,\n"),
        ("item,amount\nx,1\n", {"text": "milk, fresh"}, '"milk, fresh",\n'),
        ("what,much\nx,1\n", {"value": 5, "measure": "sum", "column": "price", "rows": 3}, "sum price,5\n"),
        ("invoice number,date\nA,2024-01-01\n", NUMBER, "R-9,2024-03-03\n"),
        ("1,foo\n2,bar\n", {"value": 3}, "3,\n"),
    ],
)  # fmt: skip
def test_records_of_other_steps(home: PracticeHome, data: str, fields: dict[str, Any], added: str) -> None:
    assert append(home, data, fields) == added.encode()


@pytest.mark.parametrize(
    ("data", "fields", "message"),
    [
        ("net,gross\n1,2\n", {"value": 5}, "several columns: net and gross"),
        ("width,height\n1,2\n", {"value": 5}, "several columns: width and height"),
        ("customer,city\nA,B\n", {"value": 5}, "No column takes an amount; the columns are customer and city"),
        ("a,b\n1,2\n", {"colour": "red"}, "no column “colour”; the columns are a and b"),
        ("a,b\n1,2\n", {"stem": "x", "page": 3}, "No column fits"),
        ("", {"value": 5}, "is empty"),
        ("a,b\n1\n", {"value": 5}, "Line 2"),
    ],
)
def test_nothing_is_guessed(home: PracticeHome, data: str, fields: dict[str, Any], message: str) -> None:
    with pytest.raises(ToolError, match=message) as refused:
        append(home, data, fields)
    assert home.text("t.csv") == data
    assert refused.value.hint
    assert refused.value.words("de")[0] != str(refused.value)


def test_a_formula_from_a_document_stays_text(home: PracticeHome) -> None:
    added = append(home, "vendor,amount\nx,1.00\n", {**INVOICE, "vendor": "=HYPERLINK(1)\n2,3"})
    assert added == b'"\'=HYPERLINK(1) 2,3",1234.56\n'


def test_other_files_are_refused(home: PracticeHome) -> None:
    home.add("t.ods", b"PK")
    with pytest.raises(ToolError, match="none of them"):
        home.do(skill.append, file=home.file("t.ods"), row=Record({"value": 1}))


def test_the_answer_says_what_was_added(home: PracticeHome) -> None:
    home.add("t.csv", "date,item,amount\n")
    home.language = "de"
    done = home.do(skill.append, file=home.file("t.csv"), row=Record(INVOICE))
    assert done.answer == "Ich habe in ~/t.csv eine Zeile ergänzt: date 2024-03-03, item ACME, amount 1234.56."
    assert [effect["op"] for effect in done.effects] == ["write"]


@pytest.mark.slow
@settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    text=st.text(min_size=1, max_size=30).filter(lambda text: text.strip() and text.isprintable()),
    amount=st.decimals(min_value=0, max_value=10**6, places=2),
    delimiter=st.sampled_from([",", ";", "\t", "|"]),
)
def test_what_is_added_is_read_back(home: PracticeHome, text: str, amount: Any, delimiter: str) -> None:
    home.add("t.csv", f"note{delimiter}amount\nfirst one{delimiter}1.25\n")
    home.do(skill.append, file=home.file("t.csv"), row=Record({"note": text, "amount": str(amount)}))
    from skills.builtin.data import reading
    from skills.sdk import Context

    ctx = Context(home=str(home.path), now=home.now)
    found, how = reading.text_of(ctx, home.file("t.csv"), "t.csv")
    header, rows = reading.records_of(found, how, "t.csv")
    assert (how.delimiter, header, len(rows)) == (delimiter, ["note", "amount"], 2)
    assert rows[1][0].removeprefix("'") == " ".join(text.split()).removeprefix("'")
    assert float(rows[1][1]) == float(amount)


@pytest.mark.parametrize(
    ("data", "fields", "added"),
    [
        ("part,count,price\nnut,3,1.50\n", {"price": "2.5", "part": "bolt", "count": "12"}, "bolt,12,2.50\n"),
        ("Teil;Menge;Preis\nMutter;3;1,50\n", {"Teil": "Bolzen", "Preis": "2.25"}, "Bolzen;;2,25\n"),
        ("id,name\n1,Ann\n", {"ID": "2", "name": "=Bo"}, "2,'=Bo\n"),
        ("day,what\n02.01.2026,x\n", {"day": "2026-03-05", "what": "y"}, "05.03.2026,y\n"),
    ],
)
def test_named_values_go_into_the_columns_of_that_name(
    home: PracticeHome, data: str, fields: dict[str, Any], added: str
) -> None:
    assert append(home, data, fields) == added.encode()


def test_a_named_value_without_a_column_adds_nothing(home: PracticeHome) -> None:
    with pytest.raises(ToolError, match="no column “colour”"):
        append(home, "a,b\n1,2\n", {"a": "3", "colour": "red"})


def test_a_row_that_is_there_already_is_noted(home: PracticeHome) -> None:
    home.add("t.csv", "date,vendor,amount\n2024-01-02,Lunch,12.50\n")
    first = home.do(skill.append, file=home.file("t.csv"), row=Record(INVOICE))
    assert "note" not in first.effects[0]
    again = home.do(skill.append, file=home.file("t.csv"), row=Record(INVOICE))
    said = "date 2024-03-03, vendor ACME, amount 1234.56"
    assert again.effects[0]["note"] == f"~/t.csv has an equal row already (number 2): {said}."
    assert again.answer == f"I added a row to ~/t.csv: {said}.\n~/t.csv has an equal row already (number 2)."
    home.language = "de"
    other = home.do(skill.append, file=home.file("t.csv"), row=Record({**INVOICE, "vendor": "OBI"}))
    assert "note" not in other.effects[0]


def test_a_row_that_an_earlier_step_added_is_noted_too(home: PracticeHome) -> None:
    home.add("t.csv", "date,vendor,amount\n2024-01-02,Lunch,12.50\n")
    home.step(skill.append, file=home.file("t.csv"), row=Record(INVOICE))
    home.language = "de"
    again = home.step(skill.append, file=home.file("t.csv"), row=Record(INVOICE))
    assert again.effects[0]["note"].startswith("In ~/t.csv steht schon eine gleiche Zeile (Nummer 2): date 2024-03-03")


@pytest.mark.parametrize(
    ("data", "values", "added"),
    [
        ("date,item,amount\n2024-01-02,Lunch,12.50\n", ("2024-03-04", "tea", "2.80"), "2024-03-04,tea,2.80\n"),
        ("Datum;Posten;Betrag\n02.01.2024;Essen;12,50\n", ("2024-03-04", "Tee", "2.80"), "04.03.2024;Tee;2,80\n"),
        ("item,note\nx,y\n", ("=1+1", "z"), "'=1+1,z\n"),
    ],
)
def test_values_by_their_place_go_into_the_columns_in_order(
    home: PracticeHome, data: str, values: tuple[str, ...], added: str
) -> None:
    written = append(home, data, {f"#{at}": value for at, value in enumerate(values, 1)})
    assert written.decode() == added


@pytest.mark.parametrize("count", [1, 2, 4])
def test_as_many_values_as_columns_are_needed(home: PracticeHome, count: int) -> None:
    with pytest.raises(ToolError, match="for 3 columns: date, item and amount"):
        append(home, "date,item,amount\n", {f"#{at}": "1" for at in range(1, count + 1)})


@pytest.mark.parametrize(
    ("values", "added"),
    [
        (("tea", "2.80", "2024-03-04"), "2024-03-04,tea,2.80\n"),
        (("2.80", "2024-03-04", "tea"), "2024-03-04,tea,2.80\n"),
    ],
)
def test_values_in_another_order_go_where_their_kinds_leave_no_choice(
    home: PracticeHome, values: tuple[str, ...], added: str
) -> None:
    fields = {f"#{at}": value for at, value in enumerate(values, 1)}
    assert append(home, "date,item,amount\n2024-01-02,Lunch,12.50\n", fields).decode() == added


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"#1": "tea", "#2": "2.80", "#3": "shop"}, "column date holds days, and “tea” is none"),
        ({"#1": "2024-03-04", "#2": "tea", "#3": "lots"}, "column amount holds numbers, and “lots” is none"),
        ({"item": "tea", "amount": "lots"}, "column amount holds numbers, and “lots” is none"),
        ({"item": "tea", "date": "soon"}, "column date holds days, and “soon” is none"),
    ],
)
def test_a_value_of_another_kind_than_its_column_adds_nothing(
    home: PracticeHome, fields: dict[str, Any], message: str
) -> None:
    with pytest.raises(ToolError, match=message):
        append(home, "date,item,amount\n2024-01-02,Lunch,12.50\n", fields)
    assert home.text("t.csv") == "date,item,amount\n2024-01-02,Lunch,12.50\n"


def test_a_day_may_be_said_as_the_table_writes_it(home: PracticeHome) -> None:
    data = "Datum;Posten;Betrag\n02.01.2024;Essen;12,50\n"
    assert append(home, data, {"#1": "04.03.2024", "#2": "Tee", "#3": "2,80"}) == b"04.03.2024;Tee;2,80\n"


def test_an_amount_takes_the_sign_that_all_others_have_and_says_so(home: PracticeHome) -> None:
    home.add("t.csv", "date,vendor,amount\n2024-01-02,Lunch,-12.50\n")
    done = home.do(skill.append, file=home.file("t.csv"), row=Record(INVOICE))
    assert home.text("t.csv").endswith("2024-03-03,ACME,-1234.56\n")
    assert "Every amount there is negative, so this one is too." in done.answer


def test_an_amount_without_a_sign_is_not_guessed_where_both_stand(home: PracticeHome) -> None:
    data = "date,vendor,amount\n2024-01-02,Lunch,-12.50\n2024-01-03,Bus,-3.00\n2024-01-31,Employer,2000.00\n"
    with pytest.raises(ToolError, match="2 negative and 1 positive values for amount") as refused:
        append(home, data, INVOICE)
    assert "amount -1234.56" in refused.value.hint
    assert append(home, data, {"vendor": "ACME", "amount": "-1234.56"}) == b",ACME,-1234.56\n"


def test_most_amounts_positive_leave_the_amount_as_it_was_said(home: PracticeHome) -> None:
    data = "vendor,amount\na,12.50\nb,13.00\nc,-2.00\n"
    assert append(home, data, INVOICE) == b"ACME,1234.56\n"


def test_what_was_left_empty_is_said(home: PracticeHome) -> None:
    home.add("t.csv", "date,vendor,category,amount,booked on\n2024-01-02,Lunch,food,12.50,2024-01-03\n")
    done = home.do(skill.append, file=home.file("t.csv"), row=Record(INVOICE))
    assert "Left empty: category and booked on." in done.answer


def test_an_amount_that_was_named_stays_as_it_is_and_the_others_are_spoken_of(home: PracticeHome) -> None:
    home.add("t.csv", "vendor,amount\na,-12.50\n")
    done = home.do(skill.append, file=home.file("t.csv"), row=Record({"vendor": "b", "amount": "3"}))
    assert home.text("t.csv").endswith("b,3.00\n")
    assert "Every other amount there is negative." in done.answer
