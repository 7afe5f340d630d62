"""A file of somebody is taken into the calendar: nothing twice, nothing older, nothing of another's."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import icalendar
import pytest

from skills.builtin.calendar import importing, skill
from skills.sdk import Period, ToolError
from skills.sdk.testing import PracticeHome

OWN = (
    "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nUID:own-1\r\nSEQUENCE:2\r\nDTSTAMP:20250101T000000Z\r\n"
    "DTSTART:20250320T090000Z\r\nDTEND:20250320T100000Z\r\nSUMMARY:Dentist\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
)
PACIFIC = (
    "BEGIN:VTIMEZONE\r\nTZID:Ship's time\r\nBEGIN:STANDARD\r\nDTSTART:19700101T000000\r\nTZOFFSETFROM:-0700\r\n"
    "TZOFFSETTO:-0700\r\nEND:STANDARD\r\nEND:VTIMEZONE\r\n"
)


def event(uid: str = "party-1", start: str = "DTSTART:20250322T170000Z", title: str = "Party", more: str = "") -> str:
    said = f"UID:{uid}\r\n" if uid else ""
    return (
        f"BEGIN:VEVENT\r\n{said}DTSTAMP:20250301T000000Z\r\n{start}\r\nDURATION:PT2H\r\nSUMMARY:{title}\r\n{more}"
        "END:VEVENT\r\n"
    )


def calendar(*parts: str, method: str = "") -> str:
    head = f"METHOD:{method}\r\n" if method else ""
    return f"BEGIN:VCALENDAR\r\nVERSION:2.0\r\n{head}{''.join(parts)}END:VCALENDAR\r\n"


@pytest.fixture
def home(tmp_path: Path) -> PracticeHome:
    made = PracticeHome(tmp_path)
    made.add("Calendar/mine.ics", OWN)
    return made


def take(home: PracticeHome, text: str | bytes, name: str = "party.ics") -> Any:
    return home.do(skill.import_file, file=home.add(f"Downloads/{name}", text))


def events(home: PracticeHome) -> dict[str, Any]:
    """What another library reads in the calendar, by UID; of a series the series."""
    whole: Any = icalendar.Calendar.from_ical(home.tree()["Calendar/mine.ics"])
    return {str(one["UID"]): one for one in reversed(whole.walk("VEVENT"))}


def test_all_events_come_in_and_the_rest_stays_byte_by_byte(home: PracticeHome) -> None:
    done = take(home, calendar(event(), event("fair-1", "DTSTART;VALUE=DATE:20250401", "Fair")))
    assert set(events(home)) == {"own-1", "party-1", "fair-1"}
    assert home.tree()["Calendar/mine.ics"].startswith(OWN.removesuffix("END:VCALENDAR\r\n").encode())
    assert done.answer == (
        "I put 2 events from party.ics into mine.ics:\n- “Party”: Saturday 22 March 2025, 17:00–19:00\n"
        "- “Fair”: Tuesday 1 April 2025, all day"
    )
    assert [one.title for one in done.value.events] == ["Party", "Fair"]


def test_a_series_comes_with_its_exceptions_its_alarms_and_its_zone(home: PracticeHome) -> None:
    rule = "RRULE:FREQ=WEEKLY;COUNT=4\r\nEXDATE;TZID=Ship's time:20250329T100000\r\n"
    alarm = "BEGIN:VALARM\r\nACTION:DISPLAY\r\nTRIGGER:-PT15M\r\nDESCRIPTION:Now\r\nEND:VALARM\r\n"
    start = "DTSTART;TZID=Ship's time:20250322T100000"
    moved = event(
        "c", "DTSTART;TZID=Ship's time:20250406T120000", "Late", "RECURRENCE-ID;TZID=Ship's time:20250405T100000\r\n"
    )
    take(home, calendar(PACIFIC, event("c", start, "Course", rule + alarm), moved))
    found = home.do(skill.agenda, when=Period(date(2025, 3, 21), date(2025, 5, 1)), pure=True).value.events
    told = [(one.title, one.day.isoformat(), one.start) for one in found]
    assert told == [
        ("Course", "2025-03-22", "17:00"), ("Late", "2025-04-06", "19:00"), ("Course", "2025-04-12", "17:00"),
    ]  # fmt: skip
    assert b"BEGIN:VALARM" in home.tree()["Calendar/mine.ics"]
    assert b"TZID:Ship's time" not in home.tree()["Calendar/mine.ics"]  # no other event can mean it


def test_what_starts_a_program_or_lies_beside_stays_out(home: PracticeHome) -> None:
    bad = "BEGIN:VALARM\r\nACTION:PROCEDURE\r\nATTACH:file:///bin/x\r\nTRIGGER:-PT1M\r\nEND:VALARM\r\n"
    mails = "BEGIN:VALARM\r\nACTION:EMAIL\r\nATTENDEE:mailto:a@x.example\r\nTRIGGER:-PT1M\r\nEND:VALARM\r\n"
    take(home, calendar(event(more=f"ATTACH:https://x.example/a\r\n{bad}{mails}LOCATION:Barn\r\n")))
    written = home.text("Calendar/mine.ics")
    assert "ALARM" not in written
    assert "ATTACH" not in written
    assert "LOCATION:Barn" in written


def test_a_zone_by_its_name_is_defined_where_it_is_not(home: PracticeHome) -> None:
    take(home, calendar(event(start="DTSTART;TZID=America/New_York:20250322T100000")))
    assert home.text("Calendar/mine.ics").count("TZID:America/New_York") == 1
    assert str(events(home)["party-1"]["DTSTART"].dt.utcoffset()) == "-1 day, 20:00:00"


def test_the_same_file_again_changes_nothing(home: PracticeHome) -> None:
    whole = calendar(event(), event("", title="Nameless"))
    take(home, whole)
    before = home.tree()["Calendar/mine.ics"]
    done = take(home, whole, "again.ics")
    assert home.tree()["Calendar/mine.ics"] == before
    assert done.answer == "In your calendar already, unchanged: “Party” and “Nameless”."
    assert done.value.already == ["Party", "Nameless"]


def test_a_newer_version_takes_the_place_of_the_older_and_never_the_other_way(home: PracticeHome) -> None:
    take(home, calendar(event(more="SEQUENCE:1\r\n")))
    done = take(home, calendar(event(start="DTSTART:20250323T170000Z", more="SEQUENCE:2\r\n")), "new.ics")
    assert done.answer == (
        "Updated to the newer version in new.ics:\n- “Party”: Sunday 23 March 2025, 17:00–19:00 "
        "(before: “Party”: Saturday 22 March 2025, 17:00–19:00)"
    )
    assert home.text("Calendar/mine.ics").count("UID:party-1") == 1
    before = home.tree()["Calendar/mine.ics"]
    done = take(home, calendar(event(more="SEQUENCE:1\r\n")), "old.ics")
    assert home.tree()["Calendar/mine.ics"] == before
    assert done.answer == "Left as your calendar has it, for the file has no newer version: “Party”."


def test_another_text_of_the_same_version_is_left_unless_it_says_that_it_is_later(home: PracticeHome) -> None:
    take(home, calendar(event(more="LAST-MODIFIED:20250301T000000Z\r\n")))
    assert take(home, calendar(event(title="Other")), "b.ics").value.left == ["Other"]
    later = calendar(event(title="Third", more="LAST-MODIFIED:20250302T000000Z\r\n"))
    assert take(home, later, "c.ics").value.updated == ["Third"]


def test_one_time_of_a_series_takes_the_place_of_that_time_alone(home: PracticeHome) -> None:
    take(home, calendar(event("c", title="Course", more="RRULE:FREQ=WEEKLY;COUNT=3\r\n")))
    time = event("c", "DTSTART:20250329T190000Z", "Course", "RECURRENCE-ID:20250329T170000Z\r\n")
    take(home, calendar(time), "time.ics")
    found = home.do(skill.find, words="course", when=Period(date(2025, 3, 21), date(2025, 5, 1)), pure=True).value
    assert [(one.day.day, one.start) for one in found.events] == [(22, "17:00"), (29, "19:00"), (5, "17:00")]


def test_of_another_organizer_or_of_ones_own_nothing_is_replaced(home: PracticeHome) -> None:
    take(home, calendar(event(more="ORGANIZER:mailto:boss@firm.example\r\n")))
    before = home.tree()["Calendar/mine.ics"]
    said = "Left as your calendar has it, for it is your own or of another organizer: “Hijacked”."
    for line in ("ORGANIZER:mailto:evil@x.example\r\n", ""):
        assert take(home, calendar(event(title="Hijacked", more=f"{line}SEQUENCE:9\r\n")), "evil.ics").answer == said
    home.own.mkdir()
    (home.own / "addresses.txt").write_text("boss@firm.example\n")
    own = calendar(event(title="Hijacked", more="ORGANIZER:mailto:boss@firm.example\r\nSEQUENCE:9\r\n"))
    assert take(home, own, "evil.ics").answer == said
    assert home.tree()["Calendar/mine.ics"] == before


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("not a calendar", "no calendar that can be read"),
        (calendar(event()).removesuffix("END:VCALENDAR\r\n"), "its end is missing"),
        (calendar(event(start="DTSTART:soon")), "no calendar that can be read"),
        (calendar(), "without events"),
        (calendar(event()).encode("utf-16"), "UTF-16"),
        (calendar(*[event(f"e{at}") for at in range(importing.MOST_EVENTS + 1)]), "too large"),
        (calendar(event(more=f"DESCRIPTION:{'a' * importing.LARGEST}\r\n")), "too large"),
    ],
)
def test_a_file_that_cannot_be_taken_in_changes_nothing(home: PracticeHome, text: str | bytes, says: str) -> None:
    with pytest.raises(ToolError, match=says) as raised:
        take(home, text)
    assert raised.value.hint
    assert home.tree()["Calendar/mine.ics"] == OWN.encode()


def test_one_event_that_cannot_be_read_or_would_fill_the_calendar_is_named(home: PracticeHome) -> None:
    often = event("o", title="Tick", more="RRULE:FREQ=MINUTELY\r\n")
    done = take(home, calendar(event(), event("x", "DTSTART:soon"), often))
    assert set(events(home)) == {"own-1", "party-1"}
    assert "“Tick”" in done.answer
    assert "1 event of party.ics could not be read." in done.answer


GUEST = "ORGANIZER:mailto:boss@firm.example\r\nATTENDEE:mailto:me@home.example\r\n"


@pytest.mark.parametrize(
    ("method", "way"),
    [("REQUEST", "accept the invitation party.ics"), ("CANCEL", "take the cancellation party.ics into my calendar"),
     ("REPLY", "take the answer party.ics into my calendar")],
)  # fmt: skip
def test_what_is_sent_to_be_answered_or_followed_has_its_own_way(home: PracticeHome, method: str, way: str) -> None:
    with pytest.raises(ToolError, match="Nothing was changed") as raised:
        take(home, calendar(event(more=GUEST), method=method))
    assert way in str(raised.value.hint)
    assert home.tree()["Calendar/mine.ics"] == OWN.encode()


def test_an_invitation_that_nobody_could_answer_is_taken_in(home: PracticeHome) -> None:
    take(home, calendar(event(), method="REQUEST"))
    assert "party-1" in events(home)


def test_a_file_of_the_calendar_folder_is_there_already_and_a_calendar_begins_where_there_is_none(
    tmp_path: Path,
) -> None:
    home = PracticeHome(tmp_path)
    take(home, calendar(event()))
    assert "party-1" in home.text("Calendar/Calendar.ics")
    with pytest.raises(ToolError, match="already"):
        home.do(skill.import_file, file=home.add("Calendar/other.ics", calendar(event("z"))))
