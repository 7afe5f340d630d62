"""An appointment at the hours of another time zone stands at the person's own, and says what the clocks show there."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import Any

import icalendar
import pytest

from skills.builtin.calendar import skill
from skills.sdk import Hours, Period, ToolError
from skills.sdk.testing import PracticeHome

FRIDAY = Period(date(2025, 3, 21), date(2025, 3, 22))


@pytest.fixture
def home(tmp_path: Path) -> PracticeHome:
    return PracticeHome(tmp_path, now=datetime(2025, 3, 17, 9, tzinfo=UTC))


def add(home: PracticeHome, **said: Any) -> Any:
    return home.do(skill.add, title="call with Anna", when=FRIDAY, **said)


def written(home: PracticeHome) -> Any:
    whole: Any = icalendar.Calendar.from_ical(home.tree()["Calendar/Calendar.ics"])
    (event,) = whole.walk("VEVENT")
    return event


def test_the_hours_are_those_of_the_other_zone_and_told_in_both(home: PracticeHome) -> None:
    done = add(home, hours=Hours(time(15)), zone="America/New_York")
    assert written(home)["DTSTART"].dt.astimezone(UTC) == datetime(2025, 3, 21, 19, tzinfo=UTC)
    assert (done.value.day, done.value.start, done.value.end) == (date(2025, 3, 21), "19:00", "20:00")
    assert done.answer == (
        "I put “call with Anna, Friday 21 March 2025, 19:00–20:00” (Friday 21 March 2025, 15:00 in New York) "
        "into Calendar.ics."
    )
    (found,) = home.do(skill.agenda, when=FRIDAY, pure=True).value.events
    assert found.start == "19:00"


def test_it_may_be_another_day_here(home: PracticeHome) -> None:
    done = add(home, hours=Hours(time(9)), zone="Pacific/Auckland")
    assert (done.value.day, done.value.start) == (date(2025, 3, 20), "20:00")
    assert "Friday 21 March 2025, 09:00 in Auckland" in done.answer


def test_a_series_stays_at_its_hour_there(home: PracticeHome) -> None:
    home.do(skill.add, title="standup", repeat="FREQ=WEEKLY;BYDAY=FR;BYHOUR=9;BYMINUTE=0", zone="America/New_York")
    found = home.do(skill.find, words="standup", when=Period(date(2025, 10, 27), date(2025, 11, 9)), pure=True).value
    assert [(one.day.day, one.start) for one in found.events] == [(31, "13:00"), (7, "14:00")]


def test_without_a_time_of_day_a_zone_is_asked_back(home: PracticeHome) -> None:
    with pytest.raises(ToolError, match="at what time"):
        add(home, zone="Asia/Tokyo")
    assert home.tree() == {}


def test_the_own_zone_says_nothing_more(home: PracticeHome) -> None:
    done = add(home, hours=Hours(time(15)), length=timedelta(minutes=30))
    assert done.answer == "I put “call with Anna, Friday 21 March 2025, 15:00–15:30” into Calendar.ics."
