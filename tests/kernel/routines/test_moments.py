"""When triggers of the clock are due, with a simulated clock: the golden cases, and what must hold of every rule."""

from __future__ import annotations

import random
import tomllib
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from kernel.routines import Clock, Elapsed, Once, Recurring, due, following
from kernel.routines.moments import moment_of

CASES: list[dict[str, Any]] = tomllib.loads((Path(__file__).parents[2] / "golden/rules/clock.toml").read_text())["case"]
BERLIN, LORD_HOWE = ZoneInfo("Europe/Berlin"), ZoneInfo("Australia/Lord_Howe")
MINUTE = timedelta(minutes=1)


def trigger_of(case: dict[str, Any]) -> Clock:
    """The trigger that a golden case says its words mean."""
    said, start = case["trigger"], datetime.fromisoformat(case["start"])
    if "every_minutes" in said:
        return Elapsed(said["every_minutes"] * 60, start, said.get("count", 0))
    return Recurring(said["rrule"], date.fromisoformat(said["first"]) if "first" in said else start.date())


class Wall:
    """A clock that stands where it is put, in a zone that may change, and what fired on it."""

    def __init__(self, trigger: Clock, made: datetime, zone: ZoneInfo) -> None:
        self.trigger, self.made, self.zone = trigger, made, zone
        self.last, self.fired, self.missed = "", list[datetime](), 0

    def look(self, now: datetime) -> None:
        """What the keeper does whenever it wakes."""
        come = due(self.trigger, self.made, self.last, now, self.zone)
        if come is not None:
            self.last = come.mark
            self.missed += come.earlier
            self.fired.append(now.astimezone(self.zone))

    def sleep(self, now: datetime, until: datetime) -> None:
        """Wake whenever something is due until then, and at the end."""
        while True:
            at = following(self.trigger, self.made, self.last, now, self.zone)
            if at is None or at > until:
                return
            now = max(at, now)
            self.look(now)


@pytest.mark.parametrize("case", CASES, ids=lambda one: str(one["id"]))
def test_every_golden_case_fires_at_its_moments(case: dict[str, Any]) -> None:
    start = datetime.fromisoformat(case["start"])
    wall = Wall(trigger_of(case), start, ZoneInfo(case["zone"]))
    now, said = start, [datetime.fromisoformat(one) for one in case["fires"]]
    if "moved" in case:
        at = datetime.fromisoformat(case["moved"]["at"])
        wall.sleep(now, at)
        now, wall.zone = at, ZoneInfo(case["moved"]["zone"])
    if "set_back" in case:
        at, to = (datetime.fromisoformat(case["set_back"][one]) for one in ("at", "to"))
        wall.sleep(now, at)
        now = to
    wall.sleep(now, said[-1])
    assert [one.isoformat(timespec="minutes") for one in wall.fired] == case["fires"]
    assert wall.missed == 0


RULES = (
    "FREQ=DAILY;BYHOUR=2;BYMINUTE=30", "FREQ=DAILY;BYHOUR=2;BYMINUTE=0,15,30,45",
    "FREQ=WEEKLY;BYDAY=SU;BYHOUR=1,2,3;BYMINUTE=0",
    "FREQ=WEEKLY;INTERVAL=3;BYDAY=SA;BYHOUR=23;BYMINUTE=59", "FREQ=MONTHLY;BYMONTHDAY=31;BYHOUR=0;BYMINUTE=0",
    "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;BYHOUR=17;BYMINUTE=0",
)  # fmt: skip


@pytest.mark.parametrize("zone", [BERLIN, LORD_HOWE], ids=str)
@pytest.mark.parametrize("rule", RULES)
def test_a_clock_that_jumps_about_fires_each_wall_time_once_and_in_order(rule: str, zone: ZoneInfo) -> None:
    drawn = random.Random(rule)
    now = datetime(2026, 1, 1, tzinfo=UTC)
    wall, marks = Wall(Recurring(rule, date(2026, 1, 1)), now, zone), list[str]()
    for _ in range(300):
        now += timedelta(minutes=drawn.choice([1, 7, 60, 600, 3000, -30, -2000]))
        wall.zone = drawn.choice([zone, zone, zone, ZoneInfo("America/New_York")])
        before = wall.last
        wall.look(now)
        marks += [wall.last] if wall.last != before else []
    assert marks == sorted(set(marks)) != []
    assert due(wall.trigger, wall.made, wall.last, now, wall.zone) is None


@pytest.mark.parametrize("zone", [BERLIN, LORD_HOWE, ZoneInfo("America/New_York")], ids=str)
def test_a_wall_time_is_the_first_moment_that_shows_it_or_a_later_one(zone: ZoneInfo) -> None:
    shown: dict[datetime, datetime] = {}
    at = datetime(2026, 1, 1, tzinfo=UTC)
    while at < datetime(2026, 12, 31, tzinfo=UTC):
        shown.setdefault(at.astimezone(zone).replace(tzinfo=None), at)
        at += 15 * MINUTE
    walls = sorted(shown)
    asked = datetime.combine(walls[0].date() + timedelta(days=1), time())
    for _ in range(96 * 360):
        later = shown.get(asked) or next(
            shown[asked + n * 15 * MINUTE] for n in range(1, 9) if asked + n * 15 * MINUTE in shown
        )
        assert moment_of(asked, zone) == later, asked
        asked += 15 * MINUTE


def test_what_was_missed_is_one_firing_with_the_number_of_those_before() -> None:
    made = datetime(2026, 3, 1, 12, tzinfo=BERLIN)
    rule = Recurring("FREQ=DAILY;BYHOUR=8;BYMINUTE=0", date(2026, 3, 1))
    come = due(rule, made, "", datetime(2026, 3, 5, 9, tzinfo=BERLIN), BERLIN)
    assert come is not None
    assert (come.mark, come.earlier) == ("2026-03-05T08:00", 3)
    assert due(rule, made, come.mark, datetime(2026, 3, 5, 9, 1, tzinfo=BERLIN), BERLIN) is None


def test_a_length_that_was_missed_goes_on_in_its_own_steps() -> None:
    begins = datetime(2026, 3, 1, 12, tzinfo=UTC)
    trigger = Elapsed(5400, begins, 4)
    come = due(trigger, begins, "", begins + timedelta(minutes=275), UTC)
    assert come is not None
    assert (come.mark, come.at, come.earlier) == ("3", begins + timedelta(minutes=270), 2)
    assert following(trigger, begins, "3", come.at, UTC) == begins + timedelta(minutes=360)
    assert following(trigger, begins, "4", come.at, UTC) is None
    assert due(trigger, begins, "4", begins + timedelta(days=9), UTC) is None


def test_a_length_is_real_time_also_where_its_begin_has_a_zone() -> None:
    begins = datetime(2026, 3, 29, 0, 15, tzinfo=BERLIN)
    hour = timedelta(hours=1)
    come = due(Elapsed(3600, begins), begins, "", datetime(2026, 3, 29, 3, 15, tzinfo=BERLIN), BERLIN)
    assert come is not None
    assert (come.mark, come.at) == ("2", begins.astimezone(UTC) + 2 * hour)
    assert following(Elapsed(3600, begins), begins, "2", come.at, BERLIN) == begins.astimezone(UTC) + 3 * hour


def test_once_is_once_and_a_time_before_it_was_made_is_never() -> None:
    made = datetime(2026, 3, 11, 10, tzinfo=BERLIN)
    once = Once(datetime(2026, 4, 2, 18))
    assert following(once, made, "", made, BERLIN) == datetime(2026, 4, 2, 16, tzinfo=UTC)
    come = due(once, made, "", datetime(2026, 4, 9, tzinfo=UTC), BERLIN)
    assert come is not None
    assert following(once, made, come.mark, made, BERLIN) is None
    assert following(Once(datetime(2026, 3, 1)), made, "", made, BERLIN) is None


def test_a_rule_ends_with_its_last_day_and_one_that_names_no_day_is_never_due() -> None:
    made = datetime(2026, 3, 11, 10, tzinfo=BERLIN)
    rule = Recurring("FREQ=DAILY;BYHOUR=8;BYMINUTE=0", date(2026, 3, 11), date(2026, 3, 12))
    assert following(rule, made, "", made, BERLIN) == datetime(2026, 3, 12, 7, tzinfo=UTC)
    assert following(rule, made, "2026-03-12T08:00", made, BERLIN) is None
    never = Recurring("FREQ=DAILY;BYMONTH=2;BYMONTHDAY=31;BYHOUR=8;BYMINUTE=0", date(2026, 3, 11))
    assert following(never, made, "", made, BERLIN) is None
