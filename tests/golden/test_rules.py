"""The golden rules hold together: what they name exists, and the moments of clock.toml follow from its policy."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from itertools import islice
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from dateutil.rrule import rrulestr

import skills
from skills import Registry
from skills.model import Tool

HERE = Path(__file__).parent / "rules"
SETS: list[dict[str, Any]] = [
    tomllib.loads((HERE / f"{one}.toml").read_text())
    for one in ("first", "second", "third", "fourth", "fifth", "sixth")
]
HALVES = SETS[:2]
CLOCK: dict[str, Any] = tomllib.loads((HERE / "clock.toml").read_text())
RULES: list[dict[str, Any]] = [rule for one in SETS for rule in one["rule"]]
CASES: list[dict[str, Any]] = CLOCK["case"]

RULE = {"id", "language", "text", "wrong"}
KEPT, ASKED = {"trigger", "when", "does"}, {"asks", "names", "never"}
CASE = {"id", "language", "text", "zone", "start", "trigger", "fires", "why"}
TRIGGERS = {
    "time": ({"rrule", "dtstart"}, {"once"}),
    "file": ({"event", "folder", "pattern"}, {"event", "folder", "pattern", "below"}),
    "machine": (
        {"what", "below_percent"}, {"what", "above_percent"}, {"what", "above_celsius"}, {"what", "free_below_gb"},
        {"what", "for_minutes"}, {"what", "becomes"}, {"what", "becomes", "for_minutes"},
    ),
    "calendar": ({"event", "before_minutes"},), "fact": ({"predicate", "event"},), "event": ({"event"},),
    "webhook": ({"name"},),
}  # fmt: skip
CLOCKS = ({"rrule"}, {"rrule", "first"}, {"every_minutes"}, {"every_minutes", "count"})
MINUTE = timedelta(minutes=1)


@pytest.fixture(scope="module")
def tools() -> dict[str, Tool]:
    return {str(tool.id): tool for tool in Registry([Path(skills.__file__).parent / "builtin"]).tools()}


def test_only_what_is_described_stands_in_them() -> None:
    for one in SETS:
        assert set(one) == {"now", "zone", "home", "rule"}
        assert (one["now"], one["zone"]) == (SETS[0]["now"], SETS[0]["zone"])
    assert set(CLOCK) == {"case"}
    for rule in RULES:
        assert set(rule) - {"also", "or_does"} in (RULE | KEPT, RULE | ASKED), rule["id"]
        if "trigger" in rule:
            assert set(rule["trigger"]) - {"kind"} in TRIGGERS[rule["trigger"]["kind"]], rule["id"]
    for case in CASES:
        assert set(case) - {"moved", "set_back"} == CASE, case["id"]
        assert case["trigger"]["kind"] == "time", case["id"]
        assert set(case["trigger"]) - {"kind"} in CLOCKS, case["id"]


def test_there_are_as_many_as_is_said_and_each_has_an_id_of_its_own() -> None:
    for half in HALVES:
        assert [sum(rule["language"] == one for rule in half["rule"]) for one in ("en", "de")] == [15, 15]
        assert sum("asks" in rule for rule in half["rule"]) == 11
    assert [sum(rule["language"] == one for rule in SETS[2]["rule"]) for one in ("en", "de")] == [30, 30]
    assert sum("asks" in rule for rule in SETS[2]["rule"]) == 20
    for later in SETS[3:]:
        assert [sum(rule["language"] == one for rule in later["rule"]) for one in ("en", "de")] == [20, 20]
        assert sum("asks" in rule for rule in later["rule"]) == 12
    assert len(CASES) == 25
    assert len({one["id"] for one in [*RULES, *CASES]}) == len(RULES) + len(CASES)


def test_every_kind_of_trigger_comes_in_each_set() -> None:
    for one in SETS:
        assert {rule["trigger"]["kind"] for rule in one["rule"] if "trigger" in rule} == set(TRIGGERS)


def test_no_set_repeats_anything_of_another() -> None:
    assert len({rule["text"] for rule in RULES}) == len(RULES)
    kept = [str((rule["trigger"], rule["does"])) for rule in RULES if "trigger" in rule]
    assert len(set(kept)) == len(kept)


@pytest.mark.parametrize("rule", [one for one in RULES if "asks" in one], ids=lambda one: str(one["id"]))
def test_a_question_is_told_by_its_words_and_nothing_else_is(rule: dict[str, Any]) -> None:
    assert rule["names"]
    for pattern in rule["names"]:
        assert not re.search(pattern, "", re.IGNORECASE)


@pytest.mark.parametrize("rule", [one for one in RULES if "once" in one.get("trigger", ())], ids=lambda one: one["id"])
def test_what_happens_once_is_still_to_come(rule: dict[str, Any]) -> None:
    assert datetime.fromisoformat(rule["trigger"]["once"]) > datetime.fromisoformat(HALVES[0]["now"])


@pytest.mark.parametrize("rule", [one for one in RULES if "does" in one], ids=lambda one: str(one["id"]))
def test_the_tools_of_a_plan_and_their_parameters_exist(rule: dict[str, Any], tools: dict[str, Tool]) -> None:
    assert rule["does"]
    for step in (*rule["does"], *rule.get("or_does", ())):
        assert set(step) - {"tool"} <= {parameter.name for parameter in tools[step["tool"]].parameters}, step


@pytest.mark.parametrize("rule", [one for one in RULES if "rrule" in one.get("trigger", ())], ids=lambda one: one["id"])
def test_a_recurrence_begins_with_its_first_moment(rule: dict[str, Any]) -> None:
    first = datetime.fromisoformat(rule["trigger"]["dtstart"])
    assert first > datetime.fromisoformat(HALVES[0]["now"])
    assert next(iter(rrulestr(rule["trigger"]["rrule"], dtstart=first))) == first


# --- moments ------------------------------------------------------------------------------------------------------


def moment_of(wall: datetime, zone: ZoneInfo) -> datetime:
    """When a time of the wall clock is: the first of two, and the next one that exists of none."""
    while wall.replace(tzinfo=zone).astimezone(UTC).astimezone(zone).replace(tzinfo=None) != wall:
        wall += MINUTE
    return wall.replace(tzinfo=zone)


def walls(case: dict[str, Any]) -> Iterator[datetime]:
    """The times of a recurrence by the wall clock, from the day on which it begins."""
    trigger = case["trigger"]
    begins = (
        date.fromisoformat(trigger["first"]) if "first" in trigger else datetime.fromisoformat(case["start"]).date()
    )
    yield from rrulestr(trigger["rrule"], dtstart=datetime.combine(begins, time()))


def moments(case: dict[str, Any]) -> Iterator[datetime]:
    """When a case fires after its start, by the policy of clock.toml; each date and time of the wall clock once."""
    start, zone, trigger = datetime.fromisoformat(case["start"]), ZoneInfo(case["zone"]), case["trigger"]
    if "every_minutes" in trigger:
        for nth in range(1, trigger.get("count", 99) + 1):
            yield (start.astimezone(UTC) + nth * trigger["every_minutes"] * MINUTE).astimezone(zone)
        return
    moved = case.get("moved")
    at, there = (datetime.fromisoformat(moved["at"]), ZoneInfo(moved["zone"])) if moved else (None, zone)
    last = start
    for wall in walls(case):
        fires = moment_of(wall, zone)
        if at is not None and fires.astimezone(UTC) >= at:
            fires = max(moment_of(wall, there), at.astimezone(there), key=lambda one: one.astimezone(UTC))
        if fires.astimezone(UTC) > last.astimezone(UTC):
            yield fires
            last = fires


@pytest.mark.parametrize("case", CASES, ids=lambda one: str(one["id"]))
def test_what_fires_follows_from_the_policy(case: dict[str, Any]) -> None:
    said, start = case["fires"], datetime.fromisoformat(case["start"])
    assert start.astimezone(ZoneInfo(case["zone"])).isoformat(timespec="minutes") == case["start"]
    assert [one.isoformat(timespec="minutes") for one in islice(moments(case), len(said))] == said
    assert len(said) == case["trigger"].get("count", len(said)) > 1


@pytest.mark.parametrize("case", [one for one in CASES if "set_back" in one], ids=lambda one: str(one["id"]))
def test_a_clock_is_set_back_over_a_time_that_has_fired(case: dict[str, Any]) -> None:
    to, at = (datetime.fromisoformat(case["set_back"][one]) for one in ("to", "at"))
    assert [to < datetime.fromisoformat(one) < at for one in case["fires"]].count(True) == 1


@pytest.mark.parametrize("case", [one for one in CASES if "moved" in one], ids=lambda one: str(one["id"]))
def test_a_move_lies_between_what_fires(case: dict[str, Any]) -> None:
    at = datetime.fromisoformat(case["moved"]["at"])
    assert datetime.fromisoformat(case["fires"][0]) < at < datetime.fromisoformat(case["fires"][-1])
