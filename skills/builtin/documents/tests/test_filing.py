from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest

from skills.builtin.documents import labels, skill
from skills.sdk import Query, ToolError
from skills.sdk.testing import PracticeHome

BILL = "Acme Ltd\nInvoice number: A-1\nInvoice date: 3 March 2024\nTotal: EUR 20.00\n"


@pytest.fixture
def home(tmp_path: Path) -> PracticeHome:
    return PracticeHome(tmp_path)


@pytest.mark.parametrize(("said", "names"), [
    ("total", ("total",)),
    ("total and its date", ("total", "its date")),
    ("Summe, Datum und Firma", ("Summe", "Datum", "Firma")),
    ("terms and conditions", ("terms and conditions",)),
    (",", (",",)),
])  # fmt: skip
def test_several_values_are_asked_for_only_where_each_is_known(said: str, names: tuple[str, ...]) -> None:
    assert labels.names_in(said) == names


def test_several_values_are_read_at_once(home: PracticeHome) -> None:
    home.add("bill.txt", BILL)
    done = home.do(skill.value, pure=True, file=home.file("bill.txt"), name=Query("total and its date"))
    assert (done.value.amount, done.value.currency, str(done.value.date)) == (20.0, "EUR", "2024-03-03")
    assert "20.00" in done.answer
    assert "3 March 2024" in done.answer
    with pytest.raises(ToolError, match="due date"):
        home.do(skill.value, pure=True, file=home.file("bill.txt"), name=Query("total and due date"))


def test_a_document_is_filed_by_the_date_in_it_and_anything_else_by_its_own(home: PracticeHome) -> None:
    home.add("bill.txt", BILL)
    home.add("other.bin", b"\0\1", datetime(2023, 11, 14))
    files = [home.file("bill.txt"), home.file("other.bin")]
    done = home.do(skill.file_away, files=files, to=home.folder("Filed"), by="month")
    assert set(home.tree()) == {"Filed/2024-03/bill.txt", "Filed/2023-11/other.bin"}
    assert "2 files" in done.answer


def test_a_name_that_is_taken_stops_all_of_it(home: PracticeHome) -> None:
    for path, text in (("a.txt", "no date"), ("bill.txt", BILL), ("Filed/2024/bill.txt", "taken")):
        home.add(path, text)
    before = home.tree()
    with pytest.raises(ToolError, match="already holds"):
        home.do(skill.file_away, files=[home.file("a.txt"), home.file("bill.txt")], to=home.folder("Filed"), by="year")
    assert home.tree() == before


def test_what_lies_in_its_place_already_stays_there(home: PracticeHome) -> None:
    for path in ("bill.txt", "Filed/2024/letter.txt"):
        home.add(path, BILL)
    files = [home.file("bill.txt"), home.file("Filed/2024/letter.txt"), home.file("bill.txt")]
    done = home.do(skill.file_away, files=files, to=home.folder("Filed"), by="year")
    assert set(home.tree()) == {"Filed/2024/bill.txt", "Filed/2024/letter.txt"}
    assert "2 files" in done.answer


@pytest.mark.parametrize(("second", "told"), [("Other/bill.txt", "already holds"), ("Filed", "already something")])
def test_two_of_one_name_and_a_file_for_a_folder_stop_all_of_it(home: PracticeHome, second: str, told: str) -> None:
    for path in ("bill.txt", second):
        home.add(path, BILL)
    before = home.tree()
    with pytest.raises(ToolError, match=told):
        home.do(skill.file_away, files=[home.file("bill.txt"), home.file(second)], to=home.folder("Filed"), by="year")
    assert home.tree() == before
