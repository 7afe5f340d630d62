"""What is asked of a calendar and what is changed in it; every byte that a change is not about stays."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from skills.builtin.calendar import skill
from skills.sdk import Hours, Period, Recurrence, ToolError
from skills.sdk.testing import PracticeHome

BERLIN = ZoneInfo("Europe/Berlin")
NOW = datetime(2025, 3, 14, 12, 0, tzinfo=BERLIN)  # a Friday
WORK = (
    "BEGIN:VCALENDAR\r\nPRODID:-//Some//One//EN\r\nVERSION:2.0\r\nX-WR-CALNAME:Work\r\n"
    "BEGIN:VTODO\r\nUID:todo\r\nSUMMARY:stays\r\nEND:VTODO\r\n"
    "BEGIN:VEVENT\r\nX-FIRST:odd\r\nUID:d\r\nDTSTART:20250317T140000Z\r\nSUMMARY:Dentist\r\nDTEND:20250317T150000Z\r\n"
    "LOCATION:Main Street\\, a very long place that somebody folded at a place of his own c\r\n hoice\r\n"
    "SEQUENCE:2\r\nBEGIN:VALARM\r\nACTION:DISPLAY\r\nSUMMARY:ring\r\nTRIGGER:-PT1H\r\nEND:VALARM\r\nEND:VEVENT\r\n"
    "BEGIN:VEVENT\r\nUID:s\r\nSUMMARY:Standup\r\nDTSTART:20250310T090000\r\nDTEND:20250310T091500\r\n"
    'RRULE:FREQ=WEEKLY;BYDAY=MO,WE\r\nX-KEEP;A="b;c":1\r\nEND:VEVENT\r\n'
    "BEGIN:VEVENT\r\nUID:s\r\nRECURRENCE-ID:20250319T090000\r\nSUMMARY:Standup\r\nDTSTART:20250319T100000\r\n"
    "DTEND:20250319T101500\r\nEND:VEVENT\r\n"
    "BEGIN:VEVENT\r\nUID:l\r\nSUMMARY:Lunch with Anna\r\nDTSTART:20250317T143000Z\r\nDTEND:20250317T153000Z\r\n"
    "ATTENDEE;CN=Anna Berg:mailto:anna@berg.org\r\nEND:VEVENT\r\n"
    "BEGIN:VEVENT\r\nUID:h\r\nSUMMARY:Fair\r\nDTSTART;VALUE=DATE:20250320\r\nDTEND;VALUE=DATE:20250322\r\nEND:VEVENT\r\n"
    "BEGIN:VEVENT\r\nUID:p\r\nSUMMARY:Concert\r\nDTSTART:20250201T200000\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
)


@pytest.fixture
def home(tmp_path: Path) -> PracticeHome:
    made = PracticeHome(tmp_path, now=NOW)
    made.add("Calendar/work.ics", WORK)
    return made


def days(first: str, last: str = "") -> Period:
    start = date.fromisoformat(first)
    return Period(start, date.fromisoformat(last) if last else start + timedelta(days=1))


def data(home: PracticeHome) -> str:
    return (home.path / "Calendar/work.ics").read_bytes().decode()


MONDAY, TUESDAY, WEDNESDAY = days("2025-03-17"), days("2025-03-18"), days("2025-03-19")


# --- asking -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tool", "given", "en", "de"),
    [
        (skill.agenda, {"when": MONDAY}, "15:00–16:00 Dentist (Main Street,", "Montag, 17. März 2025"),
        (skill.agenda, {"when": days("2025-03-21")}, "all day Fair", "ganztägig Fair"),
        (skill.agenda, {"when": days("2025-03-14")}, "Nothing is in your calendar for Friday 14 March",
         "steht nichts für Freitag, 14. März"),
        (skill.agenda, {"when": MONDAY, "hours": Hours(time(6), time(12), True)}, "09:00–09:15 Standup", "Standup"),
        (skill.upcoming, {}, "Standup: Monday 17 March 2025, 09:00–09:15 (in 3 days)", "in 3 Tagen"),
        (skill.upcoming, {"words": "dentist appointment"}, "Dentist: Monday 17 March 2025, 15:00", "Dentist: Montag"),
        (skill.upcoming, {"words": "concert"}, "the last was Concert, Saturday 1 Feb", "zuletzt war es Concert"),
        (skill.find, {"words": "Anna"}, "Lunch with Anna, Monday 17 March 2025, 15:30–16:30", "1 Termin zu „Anna“"),
        (skill.find, {"words": "Dentisttermin"}, "Dentist", "Dentist"),
        (skill.free, {"when": MONDAY}, "09:15–15:00, 16:30–17:00", "Frei hast du"),
        (skill.free, {"when": MONDAY, "length": timedelta(hours=2)}, "09:15–15:00", "mindestens 2 Stunden"),
        (skill.free, {"when": MONDAY, "hours": Hours(time(15), time(16))}, "no free stretch", "keine freie Zeit"),
        (skill.clashes, {}, "overlaps “Lunch with Anna", "überschneidet sich mit „Lunch with Anna"),
        (skill.clashes, {"when": WEDNESDAY}, "Nothing in your calendar overlaps", "überschneidet sich nichts"),
    ],
)  # fmt: skip
def test_what_is_asked_in_both_languages(
    home: PracticeHome, tool: Any, given: dict[str, Any], en: str, de: str
) -> None:
    done = home.do(tool, **given)
    assert en in done.answer
    assert done.effects == ()
    home.language = "de"
    assert de in home.do(tool, **given).answer


def test_a_moved_time_of_a_series_is_told_where_it_is_now(home: PracticeHome) -> None:
    done = home.do(skill.agenda, when=days("2025-03-17", "2025-03-27"))
    assert [(one.title, str(one.day)[8:], one.start) for one in done.value.events if one.title == "Standup"] == [
        ("Standup", "17", "09:00"), ("Standup", "19", "10:00"), ("Standup", "24", "09:00"), ("Standup", "26", "09:00"),
    ]  # fmt: skip


TRIP = "SUMMARY:Trip\r\nDTSTART:20250317T140000\r\nDTEND:20250319T100000"


@pytest.mark.parametrize(
    ("first", "last", "hours", "there"),
    [
        ("2025-03-18", "", Hours(time(9), time(10)), True), ("2025-03-19", "", Hours(time(9), time(10)), True),
        ("2025-03-19", "", Hours(time(11), time(12)), False), ("2025-03-17", "", Hours(time(9), time(10)), False),
        ("2025-03-17", "2025-03-20", Hours(time(9), time(10)), True),
    ],
)  # fmt: skip
def test_hours_are_those_of_each_day_that_is_asked_about(
    home: PracticeHome, first: str, last: str, hours: Hours, there: bool
) -> None:
    home.add(
        "Calendar/work.ics", f"BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:t\r\n{TRIP}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
    )
    assert ("Trip" in home.do(skill.agenda, when=days(first, last), hours=hours).answer) is there


def test_a_long_agenda_says_how_much_more_there_is(home: PracticeHome) -> None:
    events = "".join(
        f"BEGIN:VEVENT\r\nUID:{at}\r\nSUMMARY:E{at}\r\n"
        f"DTSTART:202503{17 + at % 2}T{at % 12 + 8:02}0000\r\nEND:VEVENT\r\n"
        for at in range(75)
    )
    home.add("Calendar/work.ics", f"BEGIN:VCALENDAR\r\n{events}END:VCALENDAR\r\n")
    answer = home.do(skill.agenda, when=days("2025-03-17", "2025-03-20")).answer
    assert answer.count("- ") == 60
    assert "... and 15 more" in answer
    home.language = "de"
    assert "... und 15 weitere" in home.do(skill.agenda, when=days("2025-03-17", "2025-03-20")).answer


def test_without_a_stretch_the_days_ahead_are_told(home: PracticeHome) -> None:
    assert "Standup" in home.do(skill.agenda).answer
    assert "Nothing" in home.do(skill.agenda, hours=Hours(time(15), time(16))).answer


def test_one_time_of_a_series_that_is_renamed_keeps_its_alarm(home: PracticeHome) -> None:
    alarm = "BEGIN:VALARM\r\nACTION:DISPLAY\r\nDESCRIPTION:r\r\n ing\r\nTRIGGER:-PT1H\r\nEND:VALARM\r\n"
    text = WORK.replace("SUMMARY:Standup\r\nDTSTART:20250310", f"LOCATION:Standup\r\n{alarm}DTSTART:20250310")
    text = text.replace("SUMMARY:Standup\r\nDTSTART:20250319", "LOCATION:Standup\r\nDTSTART:20250319")
    home.add("Calendar/work.ics", text)
    home.do(skill.rename, event="standup", title="Daily", when=days("2025-03-24"), which="one")
    now = data(home)
    assert now.count(alarm) == 2
    override = now[now.index("RECURRENCE-ID:20250324") :]
    assert "SUMMARY:Daily\r\n" in override[: override.index("END:VEVENT")]


def test_without_a_calendar_nothing_is_in_it(tmp_path: Path) -> None:
    home = PracticeHome(tmp_path, now=NOW)
    assert "Nothing" in home.do(skill.agenda).answer
    assert "Nothing lies ahead" in home.do(skill.upcoming).answer
    with pytest.raises(ToolError, match="no event"):
        home.do(skill.find, words="dentist")
    assert len(home.do(skill.free, when=days("2025-03-17")).value) == 1


def test_what_a_file_says_becomes_facts(home: PracticeHome) -> None:
    done = home.do(skill.upcoming)
    told = {(one.subject, one.predicate, one.object, one.object_kind) for one in done.value.facts}
    assert ("Dentist", "happened_at", "2025-03-17T15:00:00+01:00", "") in told
    assert (
        "Dentist",
        "located_at",
        "Main Street, a very long place that somebody folded at a place of his own choice",
        "place",
    ) in told
    assert ("Anna Berg", "attends", "Lunch with Anna", "event") in told
    assert ("Anna Berg", "email", "anna@berg.org", "") in told
    assert ("Fair", "happened_at", "2025-03-20", "") in told
    assert [one.object for one in done.value.facts if one.subject == "Standup"] == ["2025-03-17T09:00:00+01:00"]
    assert done.value.sources == [str(home.path / "Calendar/work.ics")]


def test_two_of_one_title_are_two(home: PracticeHome) -> None:
    home.do(skill.add, title="Dentist", when=days("2025-04-01"), hours=Hours(time(9)))
    done = home.do(skill.upcoming)
    subjects = {one.subject for one in done.value.facts if "Dentist" in one.subject}
    assert subjects == {"Dentist (17 March 2025)", "Dentist (1 April 2025)"}


def told(home: PracticeHome) -> tuple[set[tuple[str, str, str]], set[tuple[str, str]]]:
    value = home.do(skill.upcoming).value
    facts = {(one.subject, one.predicate, one.object) for one in value.facts}
    return facts, {(one.source.rpartition("/")[2], one.name) for one in value.standing}


def test_what_time_alone_has_passed_is_still_in_the_file(home: PracticeHome) -> None:
    home.now = NOW.replace(year=2026)
    facts, standing = told(home)
    assert ("Anna Berg", "email", "anna@berg.org") in facts
    assert not [one for one in facts if "Dentist" in one]
    assert {("work.ics", "Dentist"), ("work.ics", "Lunch with Anna")} <= standing


def test_events_of_one_title_in_two_files_are_two_and_copies_of_one_are_one(home: PracticeHome) -> None:
    event = "BEGIN:VEVENT\r\nUID:{}\r\nSUMMARY:{}\r\nDTSTART:20250317T140000Z\r\nEND:VEVENT\r\n"
    events = event.format("x", "Dentist") + event.format("l", "Lunch with Anna")
    home.add("Calendar/b.ics", f"BEGIN:VCALENDAR\r\n{events}END:VCALENDAR\r\n")
    subjects = {subject for subject, _, _ in told(home)[0]}
    assert {one for one in subjects if "Dentist" in one} == {
        "Dentist (17 March 2025, 15:00, b.ics)", "Dentist (17 March 2025, 15:00, work.ics)",
    }  # fmt: skip
    assert {one for one in subjects if "Lunch" in one} == {"Lunch with Anna"}


# --- adding -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "said", "lines"),
    [
        ({"when": TUESDAY, "hours": Hours(time(15))}, "Tuesday 18 March 2025, 15:00–16:00",
         ["DTSTART;TZID=Europe/Berlin:20250318T150000", "DTEND;TZID=Europe/Berlin:20250318T160000"]),
        ({"when": TUESDAY, "hours": Hours(time(22), time(1))}, "22:00–01:00 (Wednesday 19 March 2025)",
         ["DTEND;TZID=Europe/Berlin:20250319T010000"]),
        ({"when": TUESDAY, "hours": Hours(time(9)), "length": timedelta(minutes=45)}, "09:00–09:45", []),
        ({"when": days("2025-03-18", "2025-03-21")}, "Tuesday 18 March 2025 to Thursday 20 March 2025, all day",
         ["DTSTART;VALUE=DATE:20250318", "DTEND;VALUE=DATE:20250321"]),
        ({"hours": Hours(time(15))}, "Friday 14 March 2025, 15:00", []),  # it is noon, and today is meant
        ({"repeat": Recurrence("FREQ=WEEKLY;BYDAY=TU;BYHOUR=18;BYMINUTE=30")},
         "18 March 2025, 18:30–19:30”, every Tuesday", ["RRULE:FREQ=WEEKLY;BYDAY=TU"]),
        ({"when": days("2025-05-04"), "repeat": Recurrence("FREQ=YEARLY")}, "4 May 2025, all day”, every year", []),
        ({"when": Period(None, date(2025, 6, 4)), "repeat": Recurrence("FREQ=WEEKLY;BYDAY=MO;BYHOUR=18;BYMINUTE=0")},
         "18:00–19:00”, every Monday until Tuesday 3 June 2025",
         ["RRULE:FREQ=WEEKLY;BYDAY=MO;UNTIL=20250603T215959Z", "DTSTART;TZID=Europe/Berlin:20250317T180000"]),
        ({"when": days("2025-04-01", "2025-05-01"), "repeat": Recurrence("FREQ=WEEKLY;BYDAY=MO")},
         "7 April 2025, all day”, every Monday until Wednesday 30 April 2025",
         ["RRULE:FREQ=WEEKLY;BYDAY=MO;UNTIL=20250430", "DTEND;VALUE=DATE:20250408"]),
        ({"when": days("2025-04-01", "2025-05-01"), "repeat": Recurrence("FREQ=DAILY;COUNT=3")},
         "every day, 3 times", ["RRULE:FREQ=DAILY;COUNT=3\r\n"]),
        ({"when": TUESDAY, "hours": Hours(time(9)), "place": "Room 4, left"}, "09:00",
         ["LOCATION:Room 4\\, left"]),
    ],
)  # fmt: skip
def test_an_event_is_added_and_nothing_else_is_touched(
    home: PracticeHome, given: dict[str, Any], said: str, lines: list[str]
) -> None:
    done = home.do(skill.add, title="Vet, with Bello", **given)
    assert said in done.answer
    now = data(home)
    assert all(line in now for line in [*lines, "SUMMARY:Vet\\, with Bello"])
    added = now[now.rindex("BEGIN:VEVENT") : now.rindex("END:VCALENDAR")]
    kept = now.replace(added, "")
    if "BEGIN:VTIMEZONE" in kept:
        kept = kept[: kept.index("BEGIN:VTIMEZONE")] + kept[kept.index("END:VTIMEZONE") + len("END:VTIMEZONE\r\n") :]
    assert kept == WORK


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ({}, "On which day"),
        ({"hours": Hours(time(9))}, "over for today"),
        ({"when": TUESDAY, "hours": Hours(time(12), time(18), True)}, "what time exactly"),
        ({"when": days("2025-03-18", "2025-03-21"), "hours": Hours(time(9))}, "on one day"),
        ({"when": TUESDAY, "length": timedelta(hours=1)}, "At what time"),
        ({"when": TUESDAY, "hours": Hours(time(9)), "length": timedelta(days=2)}, "How long"),
        ({"when": TUESDAY, "hours": Hours(time(9)), "length": timedelta(hours=24)}, "How long"),
        ({"when": days("2025-03-18", "2025-03-21"), "repeat": Recurrence("FREQ=WEEKLY;BYDAY=MO")}, "no such day"),
    ],
)
def test_what_is_not_said_is_not_guessed(home: PracticeHome, given: dict[str, Any], error: str) -> None:
    with pytest.raises(ToolError, match=error):
        home.do(skill.add, title="Vet", **given)
    assert data(home) == WORK


def test_a_new_calendar_has_a_zone_that_others_read(tmp_path: Path) -> None:
    home = PracticeHome(tmp_path, now=NOW)
    home.do(skill.add, title="Yoga", hours=Hours(time(18)), repeat=Recurrence("FREQ=WEEKLY;BYDAY=MO"))
    text = (home.path / "Calendar/Calendar.ics").read_bytes().decode()
    assert text.count("BEGIN:VTIMEZONE") == 1
    assert "RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU" in text
    icalendar = pytest.importorskip("icalendar", reason="install icalendar and recurring-ical-events (extra: test)")
    oracle = pytest.importorskip("recurring_ical_events", reason="install recurring-ical-events (extra: test)")
    times = oracle.of(icalendar.Calendar.from_ical(text)).between(date(2025, 3, 24), date(2025, 4, 5))
    assert [one["DTSTART"].dt.strftime("%m-%d %H:%M %z") for one in times] == ["03-24 18:00 +0100", "03-31 18:00 +0200"]


def test_of_several_calendars_the_fullest_is_taken_and_said(home: PracticeHome) -> None:
    home.add("Calendar/a.ics", "BEGIN:VCALENDAR\nEND:VCALENDAR\n")
    done = home.do(skill.add, title="Vet", when=days("2025-03-18"))
    assert "Of your 2 calendars I took work.ics" in done.answer
    assert home.text("Calendar/a.ics") == "BEGIN:VCALENDAR\nEND:VCALENDAR\n"


LEGS = "".join(
    f"BEGIN:VEVENT\r\nUID:t{at}\r\nSUMMARY:Leg {at}\r\nDTSTART:202504{at + 10}T100000Z\r\nEND:VEVENT\r\n"
    for at in range(9)
)


@pytest.mark.parametrize("method", ["METHOD:PUBLISH", "method:REQUEST"])
def test_what_was_sent_takes_no_new_events_however_many_it_has(home: PracticeHome, method: str) -> None:
    home.add("Calendar/trip.ics", f"BEGIN:VCALENDAR\r\nVERSION:2.0\r\n{method}\r\n{LEGS}END:VCALENDAR\r\n")
    done = home.do(skill.add, title="Yoga", when=TUESDAY)
    assert "into work" in done.answer
    assert "Of your" not in done.answer
    assert "SUMMARY:Yoga" in data(home)


def test_a_main_calendar_takes_new_events_however_few_it_has(home: PracticeHome) -> None:
    home.add("Calendar/trip.ics", f"BEGIN:VCALENDAR\r\nVERSION:2.0\r\n{LEGS}END:VCALENDAR\r\n")
    home.add("Calendar/Calendar.ics", "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n")
    home.do(skill.add, title="Yoga", when=TUESDAY)
    assert "SUMMARY:Yoga" in (home.path / "Calendar/Calendar.ics").read_text()


def test_a_line_of_an_event_is_no_method(home: PracticeHome) -> None:
    event = "BEGIN:VEVENT\r\nUID:m\r\nSUMMARY:x\r\nDTSTART:20250410T100000Z\r\nMETHOD:odd\r\nEND:VEVENT\r\n"
    home.add("Calendar/big.ics", f"BEGIN:VCALENDAR\r\nVERSION:2.0\r\n{LEGS}{event}END:VCALENDAR\r\n")
    assert "I took big.ics" in home.do(skill.add, title="Yoga", when=TUESDAY).answer


def test_what_a_new_event_overlaps_is_said(home: PracticeHome) -> None:
    done = home.do(skill.add, title="Vet", when=days("2025-03-17"), hours=Hours(time(15, 30)))
    assert "At that time there is also: Dentist" in done.answer


def test_line_ends_of_a_file_stay(home: PracticeHome) -> None:
    home.add("Calendar/work.ics", WORK.replace("\r\n", "\n"))
    home.do(skill.add, title="Vet", when=days("2025-03-18"))
    assert "\r" not in data(home)


# --- changing -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tool", "given", "changed"),
    [
        (skill.move, {"event": "dentist", "to": date(2025, 3, 18)},
         {"DTSTART:20250317T140000Z": "DTSTART:20250318T140000Z", "DTEND:20250317T150000Z": "DTEND:20250318T150000Z",
          "SEQUENCE:2": "SEQUENCE:3"}),
        (skill.move, {"event": "the dentist appointment", "hours": Hours(time(10), time(10, 30))},
         {"DTSTART:20250317T140000Z": "DTSTART:20250317T090000Z", "DTEND:20250317T150000Z": "DTEND:20250317T093000Z",
          "SEQUENCE:2": "SEQUENCE:3"}),
        (skill.move, {"event": "dentist", "to": date(2025, 4, 1)},  # at three, also in summer time
         {"DTSTART:20250317T140000Z": "DTSTART:20250401T130000Z", "DTEND:20250317T150000Z": "DTEND:20250401T140000Z",
          "SEQUENCE:2": "SEQUENCE:3"}),
        (skill.move, {"event": "fair", "to": date(2025, 4, 1)},
         {"DTSTART;VALUE=DATE:20250320": "DTSTART;VALUE=DATE:20250401",
          "DTEND;VALUE=DATE:20250322": "DTEND;VALUE=DATE:20250403"}),
        (skill.rename, {"event": "dentist", "title": "Dr. Stein"},
         {"SUMMARY:Dentist": "SUMMARY:Dr. Stein", "SEQUENCE:2": "SEQUENCE:3"}),
        (skill.rename, {"event": "standup", "title": "Daily"}, {"SUMMARY:Standup": "SUMMARY:Daily"}),
        (skill.move, {"event": "standup", "hours": Hours(time(8)), "which": "series"},
         {"DTSTART:20250310T090000": "DTSTART:20250310T080000", "DTEND:20250310T091500": "DTEND:20250310T081500",
          "RECURRENCE-ID:20250319T090000": "RECURRENCE-ID:20250319T080000"}),
        (skill.remove, {"event": "standup", "when": days("2025-03-24")},
         {"RRULE:FREQ=WEEKLY;BYDAY=MO,WE\r\n": "RRULE:FREQ=WEEKLY;BYDAY=MO,WE\r\nEXDATE:20250324T090000\r\n"}),
    ],
)  # fmt: skip
def test_a_change_writes_its_own_lines_only(
    home: PracticeHome, tool: Any, given: dict[str, Any], changed: dict[str, str]
) -> None:
    home.do(tool, **given)
    wanted = WORK
    for old, new in changed.items():
        assert old in wanted
        wanted = wanted.replace(old, new)
    assert data(home) == wanted


def test_one_time_of_a_series_is_moved_beside_it(home: PracticeHome) -> None:
    done = home.do(skill.move, event="standup", to=date(2025, 3, 25), hours=Hours(time(11)), when=days("2025-03-24"))
    assert "Tuesday 25 March 2025, 11:00–11:15" in done.answer
    now = data(home)
    assert "DTSTART:20250325T110000\r\nDTEND:20250325T111500\r\nRECURRENCE-ID:20250324T090000\r\n" in now
    first, last = now.index("RECURRENCE-ID:20250324T090000"), now.index("RECURRENCE-ID:20250319T090000")
    assert first < last
    told = home.do(skill.agenda, when=days("2025-03-24", "2025-03-27")).value.events
    assert [(one.title, one.day.day, one.start) for one in told] == [("Standup", 25, "11:00"), ("Standup", 26, "09:00")]


def test_a_time_that_was_moved_before_is_taken_out_whole(home: PracticeHome) -> None:
    home.do(skill.remove, event="standup", when=days("2025-03-19"))
    now = data(home)
    assert "EXDATE:20250319T090000" in now
    assert "RECURRENCE-ID" not in now
    assert home.do(skill.agenda, when=days("2025-03-19")).value.events == []


def test_of_a_series_it_is_asked_which(home: PracticeHome) -> None:
    with pytest.raises(ToolError, match="only one time of it, or all") as asked:
        home.do(skill.remove, event="the standup")
    one, *_, series = asked.value.choices
    assert (one, series) == ("Standup, Monday 17 March 2025, 09:00–09:15", "Standup, every time of the series")
    assert asked.value.instead_of == "the standup"
    home.do(skill.remove, event=one)
    assert "EXDATE:20250317T090000" in data(home)
    home.do(skill.remove, event=series)
    assert "Standup" not in data(home)
    assert "Dentist" in data(home)
    home.language = "de"
    home.add("Calendar/work.ics", WORK)
    with pytest.raises(ToolError) as gefragt:
        home.do(skill.remove, event="Standup")
    home.do(skill.remove, event=gefragt.value.choices[-1])
    assert "Standup" not in data(home)


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ({"event": "opera"}, "no event that is called “opera”"),
        ({"event": "dentist", "when": TUESDAY}, "at that time"),
        ({"event": "my appointment", "when": MONDAY}, "More than one event"),
    ],
)
def test_nothing_is_removed_that_is_not_surely_meant(home: PracticeHome, given: dict[str, Any], error: str) -> None:
    with pytest.raises(ToolError, match=error) as refused:
        home.do(skill.remove, **given)
    assert data(home) == WORK
    assert refused.value.choices or "at that time" in error


def test_a_series_stays_on_its_days(home: PracticeHome) -> None:
    with pytest.raises(ToolError, match="another time of day only"):
        home.do(skill.move, event="standup", to=date(2025, 3, 18), which="series")
    with pytest.raises(ToolError, match="To when"):
        home.do(skill.move, event="dentist")
