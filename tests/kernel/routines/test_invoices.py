"""A rule that reads what comes, writes it down and files it: the whole way, with a real document."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from kernel.model import FromTask
from kernel.routines.waited_for import BROUGHT
from tests.golden.making import pdf
from tests.golden.texts import ACME_NOVEMBER
from tests.kernel.routines.conftest import Desk, desk_on, keeps

TABLE = "date,vendor,amount,category\n2026-03-01,Stadtwerke,112.00,utilities\n"
FILED = "Documents/Invoices/2025/acme.pdf"


@pytest.fixture
async def office(tmp_path: Path) -> AsyncIterator[Desk]:
    (tmp_path / "home/Documents/Invoices").mkdir(parents=True)
    (tmp_path / "home/Notes").mkdir()
    (tmp_path / "home/Notes/Bills.md").write_text("# Bills\n")
    (tmp_path / "home/Finance").mkdir()
    (tmp_path / "home/Finance/expenses.csv").write_text(TABLE)
    async with desk_on(tmp_path) as desk:
        yield desk


async def _comes(desk: Desk) -> str:
    """Have the invoice come to Downloads; return the answer of the run that it set off."""
    (desk.home / "Downloads/acme.pdf").write_bytes(pdf("Invoice", "Acme", [ACME_NOVEMBER]))
    await desk.until(lambda: bool(desk.fired()))
    view = await desk.kernel.settled(desk.fired()[0]["run"])
    assert view["resolution"] == "executed", view
    return str(view["answer"])


@pytest.mark.parametrize("rule", [
    "whenever a PDF lands in Downloads, take the total and the date, add them to Finance/expenses.csv and file the PDF "
    "under Documents/Invoices by year",
    "whenever a PDF turns up in Downloads, read the total and its date, add them to Finance/expenses.csv and then put "
    "the PDF into Documents/Invoices, in the folder of its year",
    "sobald ein PDF in Downloads landet, trag die Summe und das Datum in Finance/expenses.csv ein und leg das PDF in "
    "Documents/Invoices nach Jahr ab",
    "whenever a PDF lands in Downloads, file it under Documents/Invoices by year and add the total to "
    "Finance/expenses.csv",
])  # fmt: skip
@pytest.mark.slow
async def test_an_invoice_is_read_written_down_and_filed_by_its_own_year(office: Desk, rule: str) -> None:
    await keeps(office, rule)
    await _comes(office)
    assert (office.home / FILED).exists(), "by the date that stands in it, and not by that of the file"
    assert not (office.home / "Downloads/acme.pdf").exists()
    rows = (office.home / "Finance/expenses.csv").read_text().splitlines()
    assert len(rows) == 3
    assert {"2025-11-18", "1249.5"} <= {one.rstrip("0") if "." in one else one for one in rows[-1].split(",")}, rows


async def test_the_total_is_that_of_the_file_though_a_table_is_named_beside_it(office: Desk) -> None:
    await office.say(
        "whenever a PDF lands in Downloads, read the total and the date and add them to Finance/expenses.csv"
    )
    (routine,) = office.kernel._house.routines.every()
    read, added = routine.plan.tasks
    assert (read.tool, added.tool) == ("documents.value", "data.append")
    assert getattr(read.arguments["file"], "task", "") == "t0"


@pytest.mark.parametrize("rule", [
    "when a PDF lands in Downloads, read its total and add it with the name of the file to my note Bills",
    "wenn eine PDF in Downloads landet, lies ihre Summe und häng sie mit dem Namen der Datei an meine Notiz Bills an",
])  # fmt: skip
async def test_its_own_value_is_read_out_of_it(office: Desk, rule: str) -> None:
    await keeps(office, rule)
    await _comes(office)
    note = (office.home / "Notes/Bills.md").read_text()
    assert ("249" in note, "acme.pdf" in note) == (True, True), note


async def test_its_own_value_is_not_looked_for_as_a_word_elsewhere(office: Desk) -> None:
    view = await office.say("when a PDF lands in Downloads, show me the notes with its total")
    assert (view["resolution"], office.kernel._house.routines.every()) == ("declined", ()), view


@pytest.mark.parametrize(
    ("rule", "tool"),
    [
        ("whenever a PDF lands in Downloads, copy to Backup", "files.copy"),
        ("whenever a PDF lands in Downloads, summarize", "documents.summary"),
        ("whenever an xlsx lands in Downloads, show me the first 5 rows of it", "data.show"),
    ],
)
async def test_it_is_done_with_a_file_of_the_kind_that_comes(office: Desk, rule: str, tool: str) -> None:
    await office.say(rule)
    (routine,) = office.kernel._house.routines.every()
    (task,) = routine.plan.tasks
    assert (task.tool, FromTask(BROUGHT) in task.arguments.values()) == (tool, True)


async def test_what_a_rule_says_of_a_named_table_is_of_the_table(office: Desk) -> None:
    await office.say("whenever a PDF lands in Downloads, tell me the total of Finance/expenses.csv")
    (routine,) = office.kernel._house.routines.every()
    assert routine.plan.tasks[0].tool == "data.total"


@pytest.mark.parametrize("rule", [
    "jeden Montag um 8 Uhr zeig mir die größten Dateien in Downloads",
    "every Monday at 8 show the largest files in Downloads",
])  # fmt: skip
async def test_how_often_makes_a_rule_of_what_could_be_done_at_once(office: Desk, rule: str) -> None:
    view = await office.say(rule)
    assert view["resolution"] == "confirmed"
    assert len(office.kernel.routines.every()) == 1, view["answer"]
    assert not office.fired()
