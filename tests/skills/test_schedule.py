"""What a skill keeps on the clock: the form that is taken, and the times that it means, over summer time and all."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skills.schedule import (
    LONGEST_TEXT,
    MOST_BYTES,
    MOST_ENTRIES,
    BadSchedule,
    Scheduled,
    next_time,
    read_schedule,
    times_between,
    without_clock,
    write_schedule,
)
from tests.clock import less_than

BERLIN = ZoneInfo("Europe/Berlin")
SAYS = {"en": "Tea.", "de": "Tee."}


def at(text: str) -> datetime:
    return datetime.fromisoformat(text)


def coming(entry: Scheduled, after: str, count: int) -> list[str]:
    moment, found = at(after).replace(tzinfo=BERLIN), []
    for _ in range(count):
        following = next_time(entry, moment, BERLIN)
        if following is None:
            break
        moment = following.astimezone(BERLIN)
        found.append(f"{moment:%Y-%m-%d %H:%M %z}")
    return found


@pytest.mark.parametrize(
    ("when", "rule", "after", "expected"),
    [
        ("2025-03-14T08:00", "", "2025-03-14T07:00", ["2025-03-14 08:00 +0100"]),
        ("2025-03-14T08:00", "", "2025-03-14T08:00", []),
        ("2025-03-14T08:00+00:00", "", "2025-03-14T07:00", ["2025-03-14 09:00 +0100"]),
        ("2025-03-28T07:00", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "2025-03-28T06:00",  # over the begin of summer time
         ["2025-03-28 07:00 +0100", "2025-03-31 07:00 +0200", "2025-04-01 07:00 +0200"]),
        ("2025-03-29T02:30", "FREQ=DAILY", "2025-03-29T00:00",  # 2:30 does not exist on the 30th
         ["2025-03-29 02:30 +0100", "2025-03-30 03:30 +0200", "2025-03-31 02:30 +0200"]),
        ("2025-10-25T02:30", "FREQ=DAILY", "2025-10-25T00:00",  # 2:30 comes twice on the 26th, and rings once
         ["2025-10-25 02:30 +0200", "2025-10-26 02:30 +0200", "2025-10-27 02:30 +0100"]),
        ("2025-03-30T01:30", "FREQ=HOURLY", "2025-03-30T01:00",  # real hours
         ["2025-03-30 01:30 +0100", "2025-03-30 03:30 +0200", "2025-03-30 04:30 +0200"]),
        ("2025-03-14T08:00", "FREQ=DAILY;COUNT=2", "2025-03-13T00:00",
         ["2025-03-14 08:00 +0100", "2025-03-15 08:00 +0100"]),
        ("2025-03-14T08:00", "FREQ=MINUTELY;INTERVAL=30;COUNT=2", "2025-03-14T08:10", ["2025-03-14 08:30 +0100"]),
        ("2025-03-14T08:00", "FREQ=DAILY;UNTIL=20250315", "2025-03-14T09:00", ["2025-03-15 08:00 +0100"]),
        ("2025-01-31T08:00", "FREQ=MONTHLY;BYMONTHDAY=31", "2025-02-01T00:00",
         ["2025-03-31 08:00 +0200", "2025-05-31 08:00 +0200"]),
        ("2025-03-14T08:00", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "2025-03-14T00:00", []),
    ],
)  # fmt: skip
def test_the_times_are_those_on_the_wall(when: str, rule: str, after: str, expected: list[str]) -> None:
    assert coming(Scheduled("a", at(when), SAYS, rule), after, len(expected) or 1) == expected


def test_of_what_passed_the_last_is_told_and_the_others_counted() -> None:
    entry = Scheduled("a", at("2025-03-10T08:00"), SAYS, "FREQ=DAILY")
    since, now = at("2025-03-11T09:00").replace(tzinfo=BERLIN), at("2025-03-14T08:00").replace(tzinfo=BERLIN)
    assert times_between(entry, since, now, BERLIN) == (3, now.astimezone(UTC))
    assert times_between(entry, now, now, BERLIN) == (0, None)


@settings(max_examples=60, deadline=None)
@given(
    st.datetimes(at("2024-01-01"), at("2026-12-31")),
    st.sampled_from(["FREQ=DAILY", "FREQ=WEEKLY;BYDAY=MO,SU", "FREQ=MONTHLY;BYMONTHDAY=31", "FREQ=HOURLY;INTERVAL=7",
                     "FREQ=MINUTELY;INTERVAL=45", "FREQ=DAILY;INTERVAL=3", "FREQ=MONTHLY;BYDAY=-1FR"]),
    st.integers(0, 500),
)  # fmt: skip
def test_times_rise_and_none_lies_between_two_of_them(start: datetime, rule: str, days: int) -> None:
    entry = Scheduled("a", start.replace(microsecond=0, second=0), SAYS, rule)
    moment, found = start.replace(tzinfo=BERLIN) + timedelta(days=days), []
    for _ in range(4):
        following = next_time(entry, moment, BERLIN)
        assert following is not None
        assert following > moment.astimezone(UTC)
        found.append(following)
        moment = following
    assert all(times_between(entry, one, two, BERLIN) == (1, two) for one, two in pairwise(found))


def test_what_is_written_is_read() -> None:
    entries = (Scheduled("a1", at("2025-03-14T08:00"), SAYS, "FREQ=DAILY", "de", {"kind": "alarm"}),
               Scheduled("b_2", at("2025-03-14T08:00+01:00"), {"en": "x"}))  # fmt: skip
    assert read_schedule(write_schedule(entries)) == entries
    assert entries[0].said() == "Tee."
    assert entries[1].said("de") == "x"


def entry(**more: object) -> dict[str, object]:
    return {"id": "a", "at": "2025-03-14T08:00", "says": SAYS, **more}


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("[", "no JSON"),
        ("[" * 100_000, "no JSON"),
        ([], "not of form"),
        ({"form": 2, "entries": []}, "not of form"),
        ({"form": 1, "entries": {}}, "not of form"),
        ([entry(id="../x")], "no id"),
        ([entry(id=7)], "no id"),
        ([entry(), entry()], "same id"),
        ([entry(extra=1)], "no entry"),
        ([entry(at="soon")], "no time"),
        ([entry(at=5)], "no time"),
        ([entry(at="1066-10-14T08:00")], "no time that is kept"),
        ([entry(at="2025-03-14T08:00:00.5")], "a fraction of a second"),
        ([entry(at="2025-03-14T08:00:00+01:00:00.5")], "a fraction of a second"),
        ([entry(says={})], "says nothing"),
        ([entry(says={"en": "x" * (LONGEST_TEXT + 1)})], "no short text"),
        ([entry(says="x")], "no short text"),
        ([entry(language="english")], "no language"),
        ([entry(repeat="FREQ=SECONDLY")], "a rule that is not kept"),
        ([entry(repeat="FREQ=MINUTELY;BYMONTH=2;BYMONTHDAY=30")], "names too much"),
        ([entry(repeat="FREQ=DAILY;FREQ=DAILY")], "a rule that is not kept"),
        ([entry(repeat="FREQ=DAILY;BYHOUR=99")], "a rule that is not kept"),
        ([entry(repeat="FREQ=DAILY;UNTIL=20251399")], "a rule that is not kept"),
        ([entry(repeat="FREQ=MONTHLY;BYSETPOS=300;BYDAY=MO")], "a rule that is not kept"),
        ([entry(repeat="FREQ=MONTHLY;BYSETPOS=0;BYDAY=MO")], "a rule that is not kept"),
        ([entry(repeat="FREQ=MONTHLY;BYSETPOS=31;BYDAY=MO")], "names no day"),
        ([entry(repeat="FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=31")], "names no day"),
        ([entry(repeat="FREQ=MONTHLY;BYDAY=5MO;BYMONTHDAY=1")], "names no day"),
        ([entry(repeat="INTERVAL=2")], "a rule that is not kept"),
        ([entry(repeat=["FREQ=DAILY"])], "a rule that is not kept"),
        ([entry(id=f"a{number}") for number in range(MOST_ENTRIES + 1)], "more than"),
    ],
)
def test_what_is_not_in_the_form_is_named(body: object, why: str) -> None:
    text = body if isinstance(body, str) else json.dumps(body if not isinstance(body, list) or not body
                                                         else {"form": 1, "entries": body})  # fmt: skip
    with pytest.raises(BadSchedule, match=why):
        read_schedule(text.encode())


@pytest.mark.parametrize(
    "rule", ["FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29", "FREQ=MONTHLY;BYSETPOS=-1;BYDAY=MO,TU,WE,TH,FR", "FREQ=MINUTELY",
             "FREQ=MONTHLY;BYSETPOS=31;BYMONTHDAY=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,"
             "26,27,28,29,30,31", "FREQ=DAILY;UNTIL=20250101"],
)  # fmt: skip
def test_a_rule_that_names_a_day_is_kept(rule: str) -> None:
    body = {"form": 1, "entries": [entry(repeat=rule)]}
    assert read_schedule(json.dumps(body).encode())[0].repeat == rule


@pytest.mark.parametrize("rule", ["FREQ=MINUTELY;INTERVAL=7", "FREQ=HOURLY;COUNT=30", "FREQ=HOURLY;UNTIL=20250315"])
def test_minutes_and_hours_are_counted_as_if_one_by_one(rule: str) -> None:
    one = Scheduled("a", at("2025-03-14T08:00"), SAYS, rule)
    begin = at("2025-03-14T00:00").replace(tzinfo=BERLIN)
    for after in range(0, 40, 5):
        for until in range(after, 60, 7):
            since, now = begin + timedelta(hours=after), begin + timedelta(hours=until)
            moments, moment = [], since
            while (following := next_time(one, moment, BERLIN)) is not None and following <= now:
                moments.append(following)
                moment = following
            assert times_between(one, since, now, BERLIN) == (len(moments), moments[-1] if moments else None)


def test_a_file_that_is_too_large_is_not_even_parsed() -> None:
    with pytest.raises(BadSchedule, match="larger than"):
        read_schedule(b"[" + b" " * MOST_BYTES)


def test_no_rule_takes_long() -> None:
    with less_than(1.5):
        for rule in ("FREQ=DAILY", "FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=30", "FREQ=MINUTELY", "FREQ=HOURLY;COUNT=9999",
                     "FREQ=WEEKLY;BYDAY=MO;COUNT=9999", "FREQ=MONTHLY;BYMONTHDAY=31;BYMONTH=2,4,6"):  # fmt: skip
            next_time(Scheduled("a", at("2000-01-01T00:00"), SAYS, rule), at("2026-03-14T08:00+00:00"), BERLIN)


@pytest.mark.parametrize(
    "rule", ["FREQ=MINUTELY", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=31", "FREQ=MONTHLY;BYDAY=5MO;BYMONTHDAY=1",
             "FREQ=MONTHLY;BYSETPOS=31;BYDAY=MO"],
)  # fmt: skip
def test_no_rule_is_counted_for_long(rule: str) -> None:
    one, now = Scheduled("a", at("2024-01-01T00:00"), SAYS, rule), at("2026-03-14T08:00+00:00")
    times_between(one, now, now, BERLIN)  # what is loaded first
    with less_than(0.25):
        times_between(one, one.first(BERLIN), now, BERLIN)


@pytest.mark.parametrize(
    ("rule", "plain", "clock"),
    [
        ("", "", None),
        ("FREQ=DAILY", "FREQ=DAILY", None),
        ("FREQ=WEEKLY;BYDAY=MO;BYHOUR=7;BYMINUTE=30", "FREQ=WEEKLY;BYDAY=MO", "07:30"),
        ("FREQ=DAILY;BYMINUTE=5", "FREQ=DAILY", "00:05"),
        ("BYHOUR=0;FREQ=DAILY;COUNT=3", "FREQ=DAILY;COUNT=3", "00:00"),
    ],
)
def test_a_rule_is_parted_from_its_time_of_day(rule: str, plain: str, clock: str | None) -> None:
    found, at = without_clock(rule)
    assert (found, at and f"{at:%H:%M}") == (plain, clock)
