"""Series that are moved, and events that only may be meant: offered, not changed."""

from __future__ import annotations

from datetime import date, time, timedelta
from pathlib import Path
from typing import Any

import pytest

from skills.builtin.calendar import skill
from skills.builtin.calendar.tests.test_calendar import NOW, WORK, data
from skills.sdk import Hours, Period, ToolError
from skills.sdk.testing import PracticeHome


@pytest.fixture
def home(tmp_path: Path) -> PracticeHome:
    made = PracticeHome(tmp_path, now=NOW)
    made.add("Calendar/work.ics", WORK)
    return made


NIGHT = (
    "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:n\r\nSUMMARY:Call\r\nDTSTART;TZID=America/New_York:20250317T220000\r\n"
    "DURATION:PT1H\r\nRRULE:{rule}\r\nEXDATE;TZID=America/New_York:20250324T220000\r\nEND:VEVENT\r\n"
    "BEGIN:VEVENT\r\nUID:n\r\nRECURRENCE-ID;TZID=America/New_York:20250317T220000\r\nSUMMARY:Call\r\n"
    "DTSTART;TZID=America/New_York:20250317T230000\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
)


@pytest.mark.parametrize(
    "event",
    ["dentisst", "crowns", "concert", "all my dentist appointments", "alle Zahnarzttermine", "every lunch"],
)  # a near word, one of the notes, what is over, and more than one
@pytest.mark.parametrize(
    ("tool", "given"),
    [(skill.remove, {}), (skill.move, {"hours": Hours(time(8))}), (skill.rename, {"title": "Other"})],
)
def test_what_may_be_meant_is_offered_and_not_done(
    home: PracticeHome, tool: Any, given: dict[str, Any], event: str
) -> None:
    text = WORK.replace("SUMMARY:Dentist", "DESCRIPTION:crowns\r\nSUMMARY:Dentist")
    home.add("Calendar/work.ics", text.replace("UID:d", "CATEGORIES:x\r\nUID:d"))
    before = data(home)
    with pytest.raises(ToolError) as refused:
        home.do(tool, event=event, **given)
    assert data(home) == before
    if "alle" not in event:
        assert len(refused.value.choices) == 1
        home.do(tool, event=refused.value.choices[0], **given)
        assert data(home) != before


@pytest.mark.parametrize(
    ("line", "moved"),
    [('EXDATE;X="y:20250324T090000', 'EXDATE;X="y:20250324T093000'), ("EXDATE", "EXDATE")],
)
def test_a_line_that_is_written_wrongly_moves_with_its_series(home: PracticeHome, line: str, moved: str) -> None:
    home.add("Calendar/work.ics", WORK.replace("X-KEEP;", f"{line}\r\nX-KEEP;"))
    home.do(skill.move, event="standup", by=timedelta(minutes=30), which="series")
    assert f"\r\n{moved}\r\nX-KEEP;" in data(home)


def test_all_in_a_title_is_no_wish_for_all(home: PracticeHome) -> None:
    home.add("Calendar/work.ics", WORK.replace("SUMMARY:Dentist", "SUMMARY:All hands"))
    home.do(skill.remove, event="all hands")
    assert "All hands" not in data(home)


@pytest.mark.parametrize(
    ("rule", "hours", "lines"),
    [
        # 22:00 in New York is 3:00 in Berlin, while only New York has summer time
        ("FREQ=WEEKLY", Hours(time(4, 30)), ["New_York:20250317T233000\r\nDURATION:PT1H",
                                               "EXDATE;TZID=America/New_York:20250324T233000"]),
        ("FREQ=WEEKLY", Hours(time(7)), ["DTSTART;TZID=America/New_York:20250318T020000",
                                           "EXDATE;TZID=America/New_York:20250325T020000"]),
        ("FREQ=WEEKLY;BYDAY=MO", Hours(time(4, 30), time(6)),
         ["DTSTART;TZID=America/New_York:20250317T233000\r\nDTEND;TZID=America/New_York:20250318T010000\r\nRRULE"]),
    ],
)  # fmt: skip
def test_a_series_of_another_zone_is_moved_by_the_clock_of_the_person(
    home: PracticeHome, rule: str, hours: Hours, lines: list[str]
) -> None:
    home.add("Calendar/work.ics", NIGHT.format(rule=rule))
    home.do(skill.move, event="call", hours=hours, which="series")
    assert [line for line in lines if line not in data(home)] == []
    if hours.end:
        assert "DURATION" not in data(home)


@pytest.mark.parametrize(
    ("rule", "hours"),
    [
        ("FREQ=WEEKLY;BYDAY=MO", Hours(time(7))), ("FREQ=MONTHLY;BYMONTHDAY=17", Hours(time(7))),
        ("FREQ=DAILY;BYHOUR=22", Hours(time(4))), ("FREQ=HOURLY;INTERVAL=5", Hours(time(4))),
    ],
)  # fmt: skip
def test_a_series_that_its_rule_holds_fast_is_not_moved(home: PracticeHome, rule: str, hours: Hours) -> None:
    home.add("Calendar/work.ics", NIGHT.format(rule=rule))
    with pytest.raises(ToolError, match="another time of day only"):
        home.do(skill.move, event="call", hours=hours, which="series")


@pytest.mark.parametrize(
    ("event", "by", "direction", "begins"),
    [
        ("dentist", timedelta(hours=1), "later", "DTSTART:20250317T150000Z"),
        ("dentist", timedelta(minutes=30), "earlier", "DTSTART:20250317T133000Z"),
        ("dentist", timedelta(hours=20), "later", "DTSTART:20250318T100000Z"),
        ("dentist", timedelta(weeks=1), "later", "DTSTART:20250324T140000Z"),
        ("fair", timedelta(days=2), "earlier", "DTSTART;VALUE=DATE:20250318"),
    ],
)
def test_an_event_is_moved_by_so_much(
    home: PracticeHome, event: str, by: timedelta, direction: str, begins: str
) -> None:
    home.do(skill.move, event=event, by=by, direction=direction)
    assert begins in data(home)


def test_a_series_is_moved_by_so_much(home: PracticeHome) -> None:
    home.do(skill.move, event="standup", by=timedelta(minutes=30), which="series")
    assert "DTSTART:20250310T093000" in data(home)


def test_what_is_of_whole_days_is_moved_by_no_hours(home: PracticeHome) -> None:
    before = data(home)
    with pytest.raises(ToolError, match="whole days"):
        home.do(skill.move, event="fair", by=timedelta(hours=1))
    assert data(home) == before


@pytest.mark.parametrize(
    ("given", "en", "de"),
    [
        ({"by": timedelta()}, "By how much", "Um wie viel"),
        ({"by": timedelta(), "to": date(2025, 3, 21)}, "By how much", "Um wie viel"),
        ({"by": timedelta(days=30)}, "To which day", "Auf welchen Tag"),
        ({"by": timedelta(weeks=30)}, "That is 210 days, or months", "Das sind 210 Tage, oder Monate"),
        ({"by": timedelta(days=60), "direction": "earlier"}, "To which day", "Auf welchen Tag"),
        ({"by": timedelta(days=365)}, "To which day", "Auf welchen Tag"),
        ({"by": timedelta(hours=1), "hours": Hours(time(9))}, "Both a time", "beides"),
        ({"by": timedelta(hours=10), "to": date(2025, 3, 21)}, "Both a time", "beides"),
        ({"by": timedelta(weeks=1), "to": date(2025, 3, 21)}, "Both a time", "beides"),
    ],
)
@pytest.mark.parametrize("event", ["dentist", "lunch with Anna"])
def test_by_how_much_is_asked_where_that_is_not_sure(
    home: PracticeHome, given: dict[str, Any], en: str, de: str, event: str
) -> None:
    before = data(home)
    with pytest.raises(ToolError, match=en) as refused:
        home.do(skill.move, event=event, **given)
    assert de in refused.value.words("de")[0]
    assert data(home) == before


def test_an_event_of_whole_days_is_moved_by_more_than_nothing(home: PracticeHome) -> None:
    with pytest.raises(ToolError, match="By how much"):
        home.do(skill.move, event="fair", by=timedelta())


def test_an_event_goes_to_another_day_and_begins_so_much_earlier_there(home: PracticeHome) -> None:
    home.do(skill.move, event="dentist", to=date(2025, 3, 21), by=timedelta(hours=1), direction="earlier")
    assert "DTSTART:20250321T130000Z" in data(home)


@pytest.mark.parametrize(("only", "title"), [("first", "Standup"), ("last", "Lunch with Anna"), ("all", None)])
def test_the_first_and_the_last_of_a_day_are_told_alone(home: PracticeHome, only: str, title: str | None) -> None:
    monday = Period(date(2025, 3, 17), date(2025, 3, 18))
    told = home.do(skill.agenda, when=monday, only=only).value.events
    assert [one.title for one in told] == ([title] if title else ["Standup", "Dentist", "Lunch with Anna"])


def test_a_place_is_another(home: PracticeHome) -> None:
    said = home.do(skill.place, event="dentist", where="Park Lane 2, door B").answer
    assert "LOCATION:Park Lane 2\\, door B\r\n" in data(home)
    assert "Main Street" not in data(home)
    assert "“Park Lane 2, door B”" in said


def test_one_time_of_a_series_is_at_another_place(home: PracticeHome) -> None:
    home.do(
        skill.place, event="standup", where="Kitchen", when=Period(date(2025, 3, 24), date(2025, 3, 25)), which="one"
    )
    (block,) = [one for one in data(home).split("BEGIN:VEVENT") if "RECURRENCE-ID:20250324T090000" in one]
    assert "LOCATION:Kitchen" in block
    assert data(home).count("LOCATION:Kitchen") == 1
    home.do(skill.place, event="standup", where="Hall", which="series")
    assert data(home).count("LOCATION:Kitchen") == 1
    assert data(home).count("LOCATION:Hall") == 2  # of the series, and of the one time that had no place of its own


def test_the_place_of_a_day_that_is_named_is_of_that_one_time(home: PracticeHome) -> None:
    home.do(skill.place, event="standup", where="Kitchen", when=Period(date(2025, 3, 24), date(2025, 3, 25)))
    assert data(home).count("LOCATION:Kitchen") == data(home).count("RECURRENCE-ID:20250324T090000") == 1


def test_the_place_of_what_repeats_is_of_one_time_or_all(home: PracticeHome) -> None:
    with pytest.raises(ToolError, match="only one time of it, or all"):
        home.do(skill.place, event="standup", where="Kitchen")


def test_an_answer_says_what_the_free_time_is_for(home: PracticeHome) -> None:
    said = home.do(skill.free, when=Period(date(2025, 3, 18), date(2025, 3, 19)), purpose="Anna").answer
    assert "free for Anna" in said


@pytest.mark.parametrize(
    ("hours", "between"),
    [
        (Hours(time(), time(10), True), ("09:00", "10:00")),
        (Hours(time(), time(8), True), ("06:00", "08:00")),
        (Hours(time(), time(5), True), ("00:00", "05:00")),
        (Hours(time(), time(23, 59), True), ("09:00", "23:59")),
        (Hours(time(15), time(23, 59), True), ("15:00", "17:00")),
        (Hours(time(17), time(23, 59), True), ("17:00", "22:00")),
        (Hours(time(22), time(23, 59), True), ("22:00", "23:59")),
        (Hours(time(22)), ("22:00", "23:59")),
        (Hours(time(12), time(18), True), ("12:00", "18:00")),
        (Hours(time(), time(10)), ("00:00", "10:00")),
    ],
)
def test_free_time_before_or_after_a_time_is_of_the_day_that_people_keep(
    home: PracticeHome, hours: Hours, between: tuple[str, str]
) -> None:
    found = home.do(skill.free, when=Period(date(2025, 3, 18), date(2025, 3, 19)), hours=hours).value
    assert [(one.start, one.end) for one in found] == [between]
