"""Series that are moved, and events that only may be meant: offered, not changed."""

from __future__ import annotations

from datetime import time
from pathlib import Path
from typing import Any

import pytest

from skills.builtin.calendar import skill
from skills.builtin.calendar.tests.test_calendar import NOW, WORK, data
from skills.sdk import Hours, ToolError
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
