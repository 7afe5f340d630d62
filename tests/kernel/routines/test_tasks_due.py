"""When a task that is due sets a rule off, over time zones and changes of the clock, and which tasks are meant."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernel.routines.model import Limit, TaskDue
from kernel.routines.task_words import task_statement, task_words
from kernel.routines.tasks_due import Deadline, is_meant, made_up_until, moment, usual_s
from kernel.routines.wording import length_words, trigger_words

BERLIN = ZoneInfo("Europe/Berlin")
EIGHT = 8 * 3600
DAY = Deadline(date(2026, 3, 12), None)
TIMED = Deadline(date(2026, 3, 12), time(15))


def at(trigger: TaskDue, deadline: Deadline, usual: int = EIGHT) -> str:
    return moment(trigger, deadline, usual, BERLIN).astimezone(BERLIN).isoformat(" ", "minutes")[:16]


@pytest.mark.parametrize(("trigger", "whole", "timed"), [
    (TaskDue(), "2026-03-12 08:00", "2026-03-12 15:00"),
    (TaskDue(clock=7 * 3600), "2026-03-12 07:00", "2026-03-12 07:00"),
    (TaskDue(days=2), "2026-03-10 08:00", "2026-03-10 15:00"),
    (TaskDue(days=1, clock=18 * 3600), "2026-03-11 18:00", "2026-03-11 18:00"),
    (TaskDue(before_s=3600), "2026-03-12 07:00", "2026-03-12 14:00"),
    (TaskDue(overdue=True), "2026-03-13 08:00", "2026-03-12 15:01"),
    (TaskDue(overdue=True, clock=9 * 3600), "2026-03-13 09:00", "2026-03-13 09:00"),
    (TaskDue(days=-2, overdue=True), "2026-03-15 08:00", "2026-03-14 15:01"),
])  # fmt: skip
def test_a_moment_is_of_the_clock_on_the_wall(trigger: TaskDue, whole: str, timed: str) -> None:
    assert at(trigger, DAY) == whole
    assert at(trigger, TIMED) == timed


def test_a_time_that_the_clocks_skip_is_at_the_next_that_there_is_and_one_that_comes_twice_at_the_first() -> None:
    spring, autumn = date(2026, 3, 29), date(2026, 10, 25)
    assert moment(TaskDue(), Deadline(spring, time(2, 30)), EIGHT, BERLIN) == datetime(2026, 3, 29, 1, tzinfo=UTC)
    assert moment(TaskDue(), Deadline(autumn, time(2, 30)), EIGHT, BERLIN) == datetime(2026, 10, 25, 0, 30, tzinfo=UTC)
    day_before = moment(TaskDue(days=1), Deadline(spring, time(12)), EIGHT, BERLIN)
    assert day_before.astimezone(BERLIN).hour == 12, (
        "a day before is the same time of day, though that day has 23 hours"
    )


def test_a_time_before_is_made_up_for_as_long_as_its_words_are_right_and_any_other_for_a_week() -> None:
    days, hour = TaskDue(days=2), TaskDue(before_s=3600)
    assert made_up_until(days, moment(days, DAY, EIGHT, BERLIN), BERLIN) == datetime(2026, 3, 10, 23, tzinfo=UTC)
    begun = moment(hour, DAY, EIGHT, BERLIN)
    assert made_up_until(hour, begun, BERLIN) == begun + timedelta(minutes=30)
    for when in (TaskDue(), TaskDue(overdue=True), TaskDue(clock=EIGHT)):
        begun = moment(when, DAY, EIGHT, BERLIN)
        assert made_up_until(when, begun, BERLIN) == begun + timedelta(days=7)


@pytest.mark.parametrize(("limits", "hour"), [
    ((), 8), (((Limit.FROM, 10.0 * 3600),), 10), (((Limit.UNTIL, 7.0 * 3600),), 0),
    (((Limit.FROM, 7.0 * 3600), (Limit.UNTIL, 22.0 * 3600)), 8),
    (((Limit.FROM, 22.0 * 3600), (Limit.UNTIL, 7.0 * 3600)), 22), (((Limit.DAYS, 31.0),), 8),
])  # fmt: skip
def test_a_task_without_a_time_counts_when_its_rule_first_lets_it(
    limits: tuple[tuple[Limit, float], ...], hour: int
) -> None:
    assert usual_s(limits) == hour * 3600


@pytest.mark.parametrize(("trigger", "meant"), [
    (TaskDue(), True), (TaskDue(words="tax"), True), (TaskDue(words="RETURN taxes"), False),
    (TaskDue(words="ax"), False), (TaskDue(group="house"), True), (TaskDue(group="garden"), False),
    (TaskDue(group="houses"), True), (TaskDue(priority="high"), True), (TaskDue(priority="low"), False),
])  # fmt: skip
def test_which_task_is_meant(trigger: TaskDue, meant: bool) -> None:
    found: dict[str, Any] = {"title": "Tax return: send it", "group": "House", "priority": "high"}
    assert is_meant(trigger, found) is meant


@given(st.text(max_size=60), st.text(max_size=20))
def test_whatever_a_task_says_decides_nothing_but_whether_it_is_meant(title: str, group: str) -> None:
    found = {"title": title, "group": group, "priority": "none"}
    assert is_meant(TaskDue(), found)
    assert is_meant(TaskDue(words="zzzz never there zzzz"), found) is False


@pytest.mark.parametrize(("trigger", "english", "german", "told"), [
    (TaskDue(), "when a task is due (at 08:00 where it has no time of day)",
     "wenn eine Aufgabe fällig ist (um 08:00, wo sie keine Uhrzeit hat)", "is due"),
    (TaskDue(days=1, clock=18 * 3600), "the day before a task is due, at 18:00",
     "am Tag bevor eine Aufgabe fällig ist, um 18:00", "is due tomorrow"),
    (TaskDue(days=2, group="house", clock=EIGHT), "2 days before a task on the list house is due, at 08:00",
     "2 Tage bevor eine Aufgabe auf der Liste house fällig ist, um 08:00", "is due in 2 days"),
    (TaskDue(before_s=3600, words="tax", clock=EIGHT), "an hour before a task with “tax” is due, at 08:00",
     "eine Stunde bevor eine Aufgabe mit „tax“ fällig ist, um 08:00", "is due in an hour"),
    (TaskDue(overdue=True, priority="high", clock=EIGHT), "when a task with high priority is overdue, at 08:00",
     "wenn eine Aufgabe mit hoher Priorität überfällig ist, um 08:00", "is overdue"),
    (TaskDue(days=-3, overdue=True, clock=EIGHT), "when a task is overdue for 3 days, at 08:00",
     "wenn eine Aufgabe 3 Tage überfällig ist, um 08:00", "is overdue for 3 days"),
])  # fmt: skip
def test_it_is_told_in_both_languages(trigger: TaskDue, english: str, german: str, told: str) -> None:
    assert trigger_words(trigger, "en", "/h") == english
    assert trigger_words(trigger, "de", "/h") == german
    assert task_words(trigger, "xx", lambda seconds: length_words(seconds, "en")) == english
    assert task_statement(trigger, "en", lambda seconds: length_words(seconds, "en")).endswith(told)
