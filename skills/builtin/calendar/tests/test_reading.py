"""Real .ics files, tricky ones: zones, clock changes, series with exceptions, broken ones, many."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from skills.builtin.calendar import entries, skill
from skills.builtin.calendar.occurrences import between
from skills.sdk import File, ToolError
from skills.sdk.testing import PracticeHome

BERLIN = ZoneInfo("Europe/Berlin")
NOW = datetime(2025, 3, 14, 12, 0, tzinfo=BERLIN)  # a Friday


def calendar(*events: str, head: str = "") -> str:
    """A calendar file; an event is its lines, separated by "|"."""
    bodies = "".join(f"BEGIN:VEVENT\r\n{event.replace('|', chr(13) + chr(10))}\r\nEND:VEVENT\r\n" for event in events)
    return f"BEGIN:VCALENDAR\r\nVERSION:2.0\r\n{head}{bodies}END:VCALENDAR\r\n"


def times(text: str, first: str, last: str) -> list[str]:
    """When the events of a calendar begin in a stretch, in Berlin."""
    read = entries.read(File("/h/Calendar/a.ics"), text.encode(), BERLIN)
    start, end = (datetime.fromisoformat(day).replace(tzinfo=BERLIN) for day in (first, last))
    return [f"{one.begins(BERLIN):%m-%d %H:%M}" for one in between(read.entries, start, end)]


OUTLOOK = (
    "BEGIN:VTIMEZONE\r\nTZID:Custom Berlin\r\nX-LIC-LOCATION:somewhere\r\nBEGIN:STANDARD\r\nDTSTART:16011028T030000\r\n"
    "RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10\r\nTZOFFSETFROM:+0200\r\nTZOFFSETTO:+0100\r\nEND:STANDARD\r\n"
    "BEGIN:DAYLIGHT\r\nDTSTART:16010325T020000\r\nRRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3\r\nTZOFFSETFROM:+0100\r\n"
    "TZOFFSETTO:+0200\r\nEND:DAYLIGHT\r\nEND:VTIMEZONE\r\n"
)
SERIES = "UID:s|SUMMARY:Standup|DTSTART;TZID=Europe/Berlin:20250324T090000|DTEND;TZID=Europe/Berlin:20250324T091500"


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        (["UID:1|SUMMARY:a|DTSTART:20250326T140000Z|DTEND:20250326T150000Z"], ["03-26 15:00"]),
        (["UID:1|SUMMARY:a|DTSTART;TZID=America/New_York:20250326T090000|DURATION:PT1H"], ["03-26 14:00"]),
        (["UID:1|SUMMARY:a|DTSTART;TZID=/x.org/v1/America/New_York:20250326T090000"], ["03-26 14:00"]),
        (["UID:1|SUMMARY:a|DTSTART:20250326T090000"], ["03-26 09:00"]),  # floating: here, wherever that is
        (["UID:1|SUMMARY:a|DTSTART;TZID=Nowhere/None:20250326T090000"], ["03-26 09:00"]),
        (["UID:1|SUMMARY:a|DTSTART;VALUE=DATE:20250326"], ["03-26 00:00"]),
        (["UID:1|SUMMARY:a|DTSTART;VALUE=DATE:20250320|DTEND;VALUE=DATE:20250325"], ["03-20 00:00"]),
        (["UID:1|SUMMARY:a|DTSTART;VALUE=DATE:20250320|DTEND;VALUE=DATE:20250324"], []),
        (["UID:1|SUMMARY:a|DTSTART:20250326T090000|STATUS:CANCELLED"], []),
        # at nine before and after the clocks change on 30 March
        ([f"{SERIES}|RRULE:FREQ=WEEKLY;BYDAY=MO,FR"], ["03-24 09:00", "03-28 09:00", "03-31 09:00"]),
        ([f"{SERIES}|RRULE:FREQ=DAILY;COUNT=3"], ["03-24 09:00", "03-25 09:00", "03-26 09:00"]),
        ([f"{SERIES}|RRULE:FREQ=DAILY;UNTIL=20250325T080000Z"], ["03-24 09:00", "03-25 09:00"]),
        ([f"{SERIES}|RRULE:FREQ=DAILY;UNTIL=20250325"], ["03-24 09:00", "03-25 09:00"]),
        ([f"{SERIES}|RRULE:FREQ=DAILY;COUNT=4|EXDATE;TZID=Europe/Berlin:20250325T090000,20250326T090000"],
         ["03-24 09:00", "03-27 09:00"]),
        ([f"{SERIES}|RRULE:FREQ=DAILY;COUNT=2|EXDATE:20250325T080000Z"], ["03-24 09:00"]),
        ([f"{SERIES}|RRULE:FREQ=DAILY;COUNT=2|EXDATE;VALUE=DATE:20250325"], ["03-24 09:00"]),
        ([f"{SERIES}|RDATE;TZID=Europe/Berlin:20250327T110000"], ["03-24 09:00", "03-27 11:00"]),
        ([f"{SERIES}|RDATE;VALUE=PERIOD:20250327T100000Z/PT1H"], ["03-24 09:00", "03-27 11:00"]),
        ([f"{SERIES}|RRULE:FREQ=DAILY;COUNT=2", "UID:s|SUMMARY:Moved|RECURRENCE-ID:20250325T080000Z|"
          "DTSTART;TZID=Europe/Berlin:20250327T100000"], ["03-24 09:00", "03-27 10:00"]),
        ([f"{SERIES}|RRULE:FREQ=DAILY;COUNT=2", "UID:s|SUMMARY:Off|RECURRENCE-ID:20250325T080000Z|"
          "DTSTART:20250325T080000Z|STATUS:CANCELLED"], ["03-24 09:00"]),
        (["UID:1|SUMMARY:old|DTSTART:20050103T080000|RRULE:FREQ=WEEKLY;INTERVAL=2"], ["03-31 08:00"]),
        (["UID:1|SUMMARY:odd|DTSTART:20250326T080000|RRULE:FREQ=NEVER;X"], ["03-26 08:00"]),
        (["UID:1|SUMMARY:second|DTSTART:20250324T235959|RRULE:FREQ=SECONDLY;COUNT=1"], ["03-24 23:59"]),
    ],
)  # fmt: skip
def test_when_events_take_place(events: list[str], expected: list[str]) -> None:
    assert times(calendar(*events), "2025-03-24", "2025-04-01") == expected


def test_a_zone_that_only_the_file_knows() -> None:
    text = calendar("UID:1|SUMMARY:a|DTSTART;TZID=Custom Berlin:20250710T090000", head=OUTLOOK)
    read = entries.read(File("/a.ics"), text.encode(), ZoneInfo("America/New_York"))
    assert entries.key_of(read.entries[0].start) == datetime(2025, 7, 10, 7, 0, tzinfo=UTC)


def test_a_length_is_of_true_hours_where_the_clock_is_changed() -> None:
    text = calendar(
        "UID:1|SUMMARY:night|DTSTART;TZID=Europe/Berlin:20250329T230000|DURATION:PT8H|RRULE:FREQ=DAILY;COUNT=2"
    )
    read = entries.read(File("/a.ics"), text.encode(), BERLIN)
    first, second = between(read.entries, datetime(2025, 3, 29, tzinfo=BERLIN), datetime(2025, 4, 1, tzinfo=BERLIN))
    assert (first.ends(BERLIN).hour, second.ends(BERLIN).hour) == (8, 7)


def test_a_whole_day_is_that_day_in_every_zone() -> None:
    for zone in ("Pacific/Auckland", "America/Los_Angeles", "Europe/Berlin"):
        local = ZoneInfo(zone)
        text = calendar(
            "UID:1|SUMMARY:Birthday|DTSTART;VALUE=DATE:19900326|DTEND;VALUE=DATE:19900327|RRULE:FREQ=YEARLY"
        )
        read = entries.read(File("/a.ics"), text.encode(), local)
        (one,) = between(read.entries, datetime(2025, 3, 26, tzinfo=local), datetime(2025, 3, 27, tzinfo=local))
        assert one.begins(local).date() == date(2025, 3, 26)


def test_folds_escapes_quotes_and_parts_inside_are_read() -> None:
    text = calendar(
        "UID:1|DTSTART:20250326T090000|SUMMARY:A long ti\r\n tle\\, with\\; marks\\nand \\\\ more|LOCATION:Caf\r\n é|"
        'ATTENDEE;CN="Roth; Ben: Dr.";ROLE=REQ-PARTICIPANT:mailto:ben@roth.org|'
        "BEGIN:VALARM|SUMMARY:alarm|TRIGGER:-PT15M|END:VALARM"
    )
    (one,) = entries.read(File("/a.ics"), text.encode(), BERLIN).entries
    assert one.title == "A long title, with; marks and \\ more"
    assert one.place == "Café"
    assert one.people == (("Roth; Ben: Dr.", "ben@roth.org"),)


def test_a_fold_inside_a_letter_is_joined() -> None:
    data = calendar("UID:1|DTSTART:20250326T090000|SUMMARY:Käse").encode().replace(b"\xc3\xa4", b"\xc3\r\n \xa4")
    assert entries.read(File("/a.ics"), data, BERLIN).entries[0].title == "Käse"


@pytest.mark.parametrize("data", [b"", b"BEGIN:VCARD\r\nEND:VCARD\r\n", b"\x00\x01\x02", b":" * 100_000])
def test_no_calendar(data: bytes) -> None:
    with pytest.raises(entries.NoCalendar):
        entries.read(File("/a.ics"), data, BERLIN)


@pytest.mark.parametrize(
    ("event", "unread"),
    [("UID:1|SUMMARY:no time", 1), ("UID:1|DTSTART:soon", 1), ("UID:1|DTSTART:20251332T090000", 1),
     ("UID:1|DTSTART:20250326T090000|BEGIN:VEVENT|UID:2|DTSTART:20250326T100000", 1)],
)  # fmt: skip
def test_a_broken_event_takes_no_other_with_it(event: str, unread: int) -> None:
    text = calendar(event, "UID:9|SUMMARY:whole|DTSTART:20250326T110000")
    read = entries.read(File("/a.ics"), text.encode(), BERLIN)
    assert read.unread == unread
    assert "whole" in {one.title for one in read.entries}


def test_a_broken_file_is_named_and_stops_nothing(tmp_path: Path) -> None:
    home = PracticeHome(tmp_path, now=NOW)
    home.add("Calendar/broken.ics", b"\x00 nothing")
    home.add("Calendar/half.ics", calendar("UID:1|SUMMARY:no time", "UID:2|SUMMARY:Lunch|DTSTART:20250314T130000"))
    home.add("Calendar/notes.txt", "BEGIN:VCALENDAR")
    done = home.do(skill.agenda)
    assert all(word in done.answer for word in ("broken.ics", "1 event of half.ics", "13:00 Lunch"))


def test_files_that_cannot_be_read_are_there_still(tmp_path: Path) -> None:
    home = PracticeHome(tmp_path, now=NOW)
    assert home.do(skill.agenda).value.present == []
    home.add("Calendar/broken.ics", b"\x00 nothing")
    home.add("Calendar/a.ics", calendar("UID:2|SUMMARY:Lunch|DTSTART:20250314T130000"))
    value = home.do(skill.agenda).value
    assert [Path(one).name for one in value.present] == ["Calendar", "a.ics", "broken.ics"]
    assert [Path(one).name for one in value.sources] == ["a.ics"]


def test_a_mark_of_byte_order_is_read_past_and_kept(tmp_path: Path) -> None:
    home = PracticeHome(tmp_path, now=NOW)
    text = b"\xef\xbb\xbf" + calendar("UID:2|SUMMARY:Lunch|DTSTART:20250314T130000").encode()
    home.add("Calendar/bom.ics", text)
    assert "13:00 Lunch" in home.do(skill.agenda).answer
    home.do(skill.rename, event="lunch", title="Tea")
    assert (home.path / "Calendar/bom.ics").read_bytes() == text.replace(b"Lunch", b"Tea")


@pytest.mark.parametrize("form", ["utf-16", "utf-16-le", "utf-16-be"])
def test_two_bytes_a_letter_is_said(tmp_path: Path, form: str) -> None:
    home = PracticeHome(tmp_path, now=NOW)
    home.add("Calendar/wide.ics", calendar("UID:2|SUMMARY:Lunch|DTSTART:20250314T130000").encode(form))
    answer = home.do(skill.agenda).answer
    assert "wide.ics" in answer
    assert "UTF-16" in answer
    with pytest.raises(ToolError):
        home.do(skill.rename, event="lunch", title="Tea")


@pytest.mark.parametrize(
    "rule",
    [
        "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE;WKST=SU", "FREQ=MONTHLY;BYDAY=-1FR", "FREQ=MONTHLY;BYMONTHDAY=31",
        "FREQ=YEARLY;BYMONTH=3;BYDAY=2TU", "FREQ=DAILY;INTERVAL=3", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1",
        "FREQ=WEEKLY;UNTIL=20250401T070000Z", "FREQ=HOURLY;INTERVAL=7", "FREQ=DAILY;COUNT=400",
    ],
)  # fmt: skip
def test_a_series_has_the_times_that_the_oracle_says(rule: str) -> None:
    icalendar = pytest.importorskip("icalendar", reason="install icalendar and recurring-ical-events (extra: test)")
    oracle = pytest.importorskip("recurring_ical_events", reason="install recurring-ical-events (extra: test)")
    text = calendar(
        f"UID:s|SUMMARY:s|DTSTAMP:20250101T000000Z|DTSTART;TZID=Europe/Berlin:20240304T090000|DURATION:PT1H|RRULE:{rule}"
    )
    first, last = datetime(2025, 3, 1, tzinfo=BERLIN), datetime(2025, 7, 1, tzinfo=BERLIN)
    theirs = oracle.of(icalendar.Calendar.from_ical(text)).between(first, last)
    ours = between(entries.read(File("/a.ics"), text.encode(), BERLIN).entries, first, last)
    assert [one.begins(UTC) for one in ours] == sorted(one["DTSTART"].dt.astimezone(UTC) for one in theirs)
    assert all(one.ends(UTC) - one.begins(UTC) == timedelta(hours=1) for one in ours)
