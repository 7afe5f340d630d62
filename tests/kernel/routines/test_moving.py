"""Words of days in a plan that is carried out later: they mean the day of that moment, or no rule is made of them."""

from __future__ import annotations

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from kernel.model import Constant, Plan, Task, TaskId
from kernel.routines.moving import CannotTell, moved, standing_still
from permissions.labels import USER_SAID
from skills import Registry
from skills.model import ToolId

MADE = datetime(2026, 3, 11, 10, tzinfo=ZoneInfo("Europe/Berlin"))
LATER = MADE + timedelta(days=40)


def plan(text: str, start: str, end: str, language: str = "en") -> Plan:
    when = Constant({"start": start, "end": end}, USER_SAID, text)
    return Plan((Task(TaskId("t1"), ToolId("calendar.agenda"), {"when": when}),), language)


@pytest.mark.parametrize(
    ("text", "language", "before", "after"),
    [
        ("today", "en", ("2026-03-11", "2026-03-12"), ("2026-04-20", "2026-04-21")),
        ("tomorrow", "en", ("2026-03-12", "2026-03-13"), ("2026-04-21", "2026-04-22")),
        ("next week", "en", ("2026-03-16", "2026-03-23"), ("2026-04-27", "2026-05-04")),
        ("heute", "de", ("2026-03-11", "2026-03-12"), ("2026-04-20", "2026-04-21")),
        ("diesen Monat", "de", ("2026-03-01", "2026-04-01"), ("2026-04-01", "2026-05-01")),
        ("24 December 2026", "en", ("2026-12-24", "2026-12-25"), ("2026-12-24", "2026-12-25")),
    ],
)
def test_a_period_is_that_of_the_moment(
    builtin: Registry, text: str, language: str, before: tuple[str, str], after: tuple[str, str]
) -> None:
    made = plan(text, *before, language)
    assert standing_still(made, language, MADE, builtin.tool) == []
    (task,) = moved(made, language, MADE, LATER, builtin.tool).tasks
    assert task.arguments["when"] == Constant({"start": after[0], "end": after[1]}, USER_SAID, text)


def test_what_its_words_do_not_come_to_is_told_and_never_kept(builtin: Registry) -> None:
    made = plan("the day of the party", "2026-03-11", "2026-03-12")
    assert standing_still(made, "en", MADE, builtin.tool) == ["the day of the party"]
    with pytest.raises(CannotTell, match="the day of the party"):
        moved(made, "en", MADE, LATER, builtin.tool)


@pytest.mark.parametrize(
    ("text", "language", "after"),
    [("with today's date", "en", "2026-04-20"), ("mit dem Datum von heute", "de", "2026-04-20"),
     ("2026-03-11", "en", "2026-03-11"), ("party", "en", None)],
    ids=["english", "german", "as-it-was-written", "no-day"],
)  # fmt: skip
def test_a_day_in_a_text_is_that_of_the_moment(builtin: Registry, text: str, language: str, after: str | None) -> None:
    parts = {"first": Constant("2026-03-11", USER_SAID, text), "second": Constant("hello", USER_SAID, "hello")}
    made = Plan((Task(TaskId("t1"), ToolId("texts.join"), parts),), language)
    assert standing_still(made, language, MADE, builtin.tool) == ([] if after else [text])
    if after:
        (task,) = moved(made, language, MADE, LATER, builtin.tool).tasks
        assert [one.value for one in task.arguments.values() if isinstance(one, Constant)] == [after, "hello"]


def test_a_moment_in_a_text_is_never_kept_as_it_was(builtin: Registry) -> None:
    parts = {"first": Constant("2026-03-11 10:00", USER_SAID, "the date and time"), "second": Constant("x", USER_SAID)}
    made = Plan((Task(TaskId("t1"), ToolId("texts.join"), parts),), "en")
    assert standing_still(made, "en", MADE, builtin.tool) == ["the date and time"]
