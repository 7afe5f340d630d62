"""What begins soon, as a rule waits for it."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from skills.builtin.calendar import skill
from skills.sdk.testing import PracticeHome

NOW = datetime(2025, 3, 14, 12, 0, tzinfo=ZoneInfo("Europe/Berlin"))


def home_with(folder: Path, *events: str) -> PracticeHome:
    """A home with one calendar; an event is its lines, separated by "|"."""
    bodies = "".join(f"BEGIN:VEVENT\r\n{event.replace('|', chr(13) + chr(10))}\r\nEND:VEVENT\r\n" for event in events)
    home = PracticeHome(folder, now=NOW)
    home.add("Calendar/main.ics", f"BEGIN:VCALENDAR\r\nVERSION:2.0\r\n{bodies}END:VCALENDAR\r\n".encode())
    return home


AT = "DTSTART;TZID=Europe/Berlin:20250314T"


def test_what_begins_is_told_with_who_takes_part(tmp_path: Path) -> None:
    home = home_with(
        tmp_path,
        f"UID:1|SUMMARY:Team|{AT}140000|LOCATION:Room 4|ATTENDEE;CN=Anna Berg:mailto:anna@x.example",
        f"UID:2|SUMMARY:Begun|{AT}113000|DURATION:PT2H", f"UID:3|SUMMARY:Too late|{AT}160001",
        f"UID:4|SUMMARY:Cancelled|{AT}130000|STATUS:CANCELLED",
    )  # fmt: skip
    (one,) = home.step(skill.starting, pure=True, within=timedelta(hours=4)).value
    assert (one.title, one.start, one.place, one.people) == ("Team", "14:00", "Room 4", ["Anna Berg"])
    assert one.begins == "2025-03-14T13:00:00+00:00"


def test_each_time_of_a_series_has_the_key_of_the_series_and_begins_by_itself(tmp_path: Path) -> None:
    home = home_with(tmp_path, f"UID:s|SUMMARY:Standup|{AT}140000|RRULE:FREQ=DAILY;COUNT=3")
    found = home.step(skill.starting, pure=True, within=timedelta(days=3)).value
    assert len({one.key for one in found}) == 1
    assert len({one.begins for one in found}) == len(found) == 3


def test_a_whole_day_has_no_time_of_day(tmp_path: Path) -> None:
    home = home_with(tmp_path, "UID:1|SUMMARY:Holiday|DTSTART;VALUE=DATE:20250315")
    (one,) = home.step(skill.starting, pure=True, within=timedelta(days=1)).value
    assert (one.start, one.begins) == ("", "2025-03-14T23:00:00+00:00")


@pytest.mark.parametrize(
    ("words", "titles"),
    [
        ("dentist", ["Dentist Dr. Stein"]),
        ("Zahnarzt", ["Zahnarzttermin"]),
        ("Anna", ["Lunch"]),
        ("Flug", ["Flug nach Oslo"]),
        ("Flugzeug", []),
        ("Street", []),
    ],
)
def test_words_are_of_the_title_or_of_who_takes_part(tmp_path: Path, words: str, titles: list[str]) -> None:
    home = home_with(
        tmp_path,
        f"UID:1|SUMMARY:Dentist Dr. Stein|{AT}130000", f"UID:2|SUMMARY:Zahnarzttermin|{AT}130000",
        f"UID:3|SUMMARY:Lunch|{AT}130000|DESCRIPTION:dentist Flug|LOCATION:Dentist Street|"
        "ATTENDEE;CN=Anna Berg:mailto:anna@x.example",
        f"UID:4|SUMMARY:Flug nach Oslo|{AT}130000",
    )  # fmt: skip
    found = home.step(skill.starting, pure=True, within=timedelta(hours=4), words=words).value
    assert [one.title for one in found] == titles
