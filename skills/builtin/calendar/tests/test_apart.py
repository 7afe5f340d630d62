"""How many days lie between two appointments."""

from __future__ import annotations

from datetime import date, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from skills.builtin.calendar import skill
from skills.sdk import Query, ToolError
from skills.sdk.testing import PracticeHome

NOW = datetime(2025, 3, 14, 12, 0, tzinfo=ZoneInfo("Europe/Berlin"))
EVENTS = (
    "UID:1|SUMMARY:Dentist|DTSTART:20250310T090000|DTEND:20250310T100000",
    "UID:2|SUMMARY:Dentist|DTSTART:20250320T220000|DTEND:20250320T230000",
    "UID:3|SUMMARY:Concert|DTSTART;VALUE=DATE:20250401",
    "UID:4|SUMMARY:Move|DTSTART:20250321T080000|DTEND:20250321T180000",
)


def home(folder: Path, language: str = "en") -> PracticeHome:
    made = PracticeHome(folder, now=NOW, language=language)
    bodies = "".join(f"BEGIN:VEVENT\r\n{one.replace('|', chr(13) + chr(10))}\r\nEND:VEVENT\r\n" for one in EVENTS)
    made.add("Calendar/main.ics", f"BEGIN:VCALENDAR\r\nVERSION:2.0\r\n{bodies}END:VCALENDAR\r\n".encode())
    return made


def test_the_days_from_the_next_of_one_to_the_next_of_another(tmp_path: Path) -> None:
    done = home(tmp_path).do(skill.apart, pure=True, event=Query("the dentist"), other=Query("concert"))
    assert (done.value.days, done.value.start, done.value.end) == (12, date(2025, 3, 20), date(2025, 4, 1))
    assert done.answer == ("It is 12 days from “Dentist” (Thursday 20 March 2025) to “Concert” (Tuesday 1 April 2025).")


def test_days_count_and_no_hours(tmp_path: Path) -> None:
    done = home(tmp_path, "de").do(skill.apart, pure=True, event=Query("dentist"), other=Query("move"))
    assert done.value.days == 1
    assert done.answer.startswith(
        "Von „Dentist“ (Donnerstag, 20. März 2025) bis „Move“ (Freitag, 21. März 2025) ist es 1"
    )


def test_what_is_not_in_the_calendar_is_said(tmp_path: Path) -> None:
    with pytest.raises(ToolError, match="no event that is called “yoga”"):
        home(tmp_path).do(skill.apart, pure=True, event=Query("dentist"), other=Query("yoga"))
