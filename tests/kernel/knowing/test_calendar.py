"""What calendars and documents say becomes known when they are read, and is no longer said where they are silent."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import docx

Bench = Any  # tests/kernel/conftest.py

NEXT_YEAR = datetime.now().year + 1
EVENT = (
    "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:k\r\nSUMMARY:Kickoff\r\nDTSTART:{day}T090000\r\nDTEND:{day}T100000\r\n"
    "LOCATION:Bonn\r\nATTENDEE;CN=Anna Berg:mailto:anna@berg.org\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
)


async def test_an_event_is_known_after_it_was_read_and_gone_after_it_was_taken_out(bench: Bench) -> None:
    (bench.home / "Calendar").mkdir()
    file = bench.home / "Calendar/work.ics"
    file.write_text(EVENT.format(day=f"{NEXT_YEAR}0131"), newline="")
    first = await bench.ask("what is my next appointment?")
    assert "Kickoff" in first["answer"]
    assert "Kickoff" in (await bench.ask("what do you know about Anna Berg?"))["answer"]
    about = (await bench.ask("what do you know about Kickoff?"))["answer"]
    assert "Bonn" in about
    assert "calendar:work.ics" in about
    assert f"{NEXT_YEAR}-01-31" in about
    file.write_text(EVENT.format(day=f"{NEXT_YEAR}0130"), newline="")
    await bench.ask("what is my next appointment?")
    about = (await bench.ask("what do you know about Kickoff?"))["answer"]
    assert f"{NEXT_YEAR}-01-30" in about
    file.write_text("BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n", newline="")
    await bench.ask("what is my next appointment?")
    assert "Bonn" not in (await bench.ask("what do you know about Kickoff?"))["answer"]


async def test_an_event_is_added_and_taken_back(bench: Bench) -> None:
    view = await bench.ask("add dentist tomorrow at 3 pm to my calendar")
    assert view["resolution"] == "confirmed"
    text = (bench.home / "Calendar/Calendar.ics").read_text()
    assert "SUMMARY:dentist" in text
    await bench.ask("undo that")
    assert not (bench.home / "Calendar/Calendar.ics").exists()


async def test_a_document_says_who_wrote_it(bench: Bench) -> None:
    document = docx.Document()
    document.core_properties.author, document.core_properties.title = "Ida Roth", "The garden"
    document.add_paragraph("We shall dig.")
    document.save(str(bench.home / "project plan.docx"))
    assert "written by Ida Roth" in (await bench.ask("who wrote project plan.docx?"))["answer"]
    assert "hat Ida Roth geschrieben" in (await bench.ask("wer hat project plan.docx geschrieben?"))["answer"]
    assert "project plan.docx" in (await bench.ask("what do you know about Ida Roth?"))["answer"]
