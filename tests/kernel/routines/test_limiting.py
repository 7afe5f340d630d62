"""What keeps a routine still: the clock, the machine, how long something lasted."""

from __future__ import annotations

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from kernel.routines.limiting import stands_still
from kernel.routines.model import Limit
from kernel.system.power import Power

BERLIN = ZoneInfo("Europe/Berlin")
NOON = datetime(2026, 3, 11, 12, tzinfo=BERLIN)  # a Wednesday
HOUR = 3600.0


def nobody() -> Power:
    """The clock alone decides: nobody asks what the machine runs on."""
    raise AssertionError


@pytest.mark.parametrize(
    ("limits", "hours"),
    [
        ([(Limit.FROM, 9 * HOUR), (Limit.UNTIL, 17 * HOUR)], range(9, 17)),
        ([(Limit.FROM, 22 * HOUR), (Limit.UNTIL, 6 * HOUR)], [22, 23, *range(6)]),
        ([(Limit.FROM, 20 * HOUR)], range(20, 24)),
        ([(Limit.UNTIL, 6 * HOUR)], range(6)),
        ([], range(24)),
    ],
)
def test_the_time_of_day_keeps_it_still(limits: list[tuple[Limit, float]], hours: list[int]) -> None:
    assert [at for at in range(24) if not stands_still(limits, NOON.replace(hour=at), [], nobody)] == sorted(hours)


def test_the_day_keeps_it_still() -> None:
    workdays = [(Limit.DAYS, 0b11111)]
    still = [stands_still(workdays, NOON + timedelta(days=n), [], nobody) for n in range(7)]
    assert still == [False] * 3 + [True] * 2 + [False] * 2


def test_how_often_it_ran_keeps_it_still() -> None:
    fired = [NOON - timedelta(minutes=30)]
    assert stands_still([(Limit.APART, HOUR)], NOON, fired, nobody)
    assert not stands_still([(Limit.APART, 1800.0)], NOON, fired, nobody)
    assert stands_still([(Limit.A_DAY, 1)], NOON, fired, nobody)
    assert not stands_still([(Limit.A_DAY, 2)], NOON, fired, nobody)
    assert not stands_still([(Limit.A_DAY, 1)], NOON, [NOON - timedelta(hours=13)], nobody)


@pytest.mark.parametrize(
    ("limit", "within", "before"),
    [
        (Limit.AN_HOUR, timedelta(minutes=59), timedelta(hours=1)),
        (Limit.A_WEEK, timedelta(days=6, hours=23), timedelta(days=7)),
        (Limit.A_MONTH, timedelta(days=10), timedelta(days=11)),
    ],
)
def test_so_often_in_a_stretch_of_time_keeps_it_still(limit: Limit, within: timedelta, before: timedelta) -> None:
    twice = [NOON - within, NOON - timedelta(minutes=5)]
    assert stands_still([(limit, 2)], NOON, twice, nobody)
    assert not stands_still([(limit, 3)], NOON, twice, nobody)
    assert not stands_still([(limit, 2)], NOON, [NOON - before, NOON - timedelta(minutes=5)], nobody)


def test_an_hour_is_real_time_where_the_clocks_change() -> None:
    after = datetime(2026, 3, 29, 3, 10, tzinfo=BERLIN)  # 01:50 was twenty minutes ago
    assert stands_still([(Limit.AN_HOUR, 1)], after, [datetime(2026, 3, 29, 1, 50, tzinfo=BERLIN)], nobody)


@pytest.mark.parametrize(
    ("limit", "power", "still"),
    [
        ((Limit.CHARGING, 1), Power(50, True), True),
        ((Limit.CHARGING, 1), Power(50, False), False),
        ((Limit.CHARGING, 0), Power(50, True), False),
        ((Limit.CHARGING, 0), Power(50, False), True),
        ((Limit.CHARGING, 0), Power(50, None), True),
        ((Limit.CHARGING, 1), Power(50, None), True),
        ((Limit.BATTERY, 30), Power(29, True), True),
        ((Limit.BATTERY, 30), Power(30, False), False),
        ((Limit.BATTERY, 30), Power(None, True), True),
        ((Limit.NOT_LOW, 30), Power(29, True), False),
        ((Limit.NOT_LOW, 30), Power(30, False), True),
        ((Limit.NOT_LOW, 30), Power(None, True), True),
    ],
)
def test_what_the_machine_runs_on_keeps_it_still(limit: tuple[Limit, float], power: Power, still: bool) -> None:
    assert stands_still([limit], NOON, [], lambda: power) is still


def test_what_was_over_too_soon_keeps_it_still() -> None:
    assert stands_still([(Limit.LASTED, 300.0)], NOON, [], nobody, 299.0)
    assert not stands_still([(Limit.LASTED, 300.0)], NOON, [], nobody, 300.0)
