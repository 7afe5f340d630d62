"""Triggers survive being written down, and nothing else is read as one."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime
from typing import Any

import pytest

from kernel.routines import (
    Added,
    BeforeEvent,
    Called,
    Change,
    Elapsed,
    FileSeen,
    Happened,
    Learnt,
    Machine,
    Once,
    Recurring,
    State,
    TaskDue,
    Trigger,
)
from kernel.routines.triggers_json import from_json, to_json

EACH: tuple[Trigger, ...] = (
    Once(datetime(2026, 4, 2, 18)),
    Recurring("FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;BYHOUR=17;BYMINUTE=0", date(2026, 3, 11)),
    Recurring("FREQ=WEEKLY;INTERVAL=2;BYDAY=TU;BYHOUR=7,19;BYMINUTE=30", date(2026, 3, 17), date(2026, 12, 31)),
    Elapsed(5400, datetime(2026, 3, 11, 9, tzinfo=UTC), 4),
    FileSeen(Change.MOVED_IN, "/home/a/Taxes", "*invoice*.pdf", below=True),
    Happened("undo"),
    Added("task", "a task"),
    Learnt("birthday"),
    BeforeEvent(600, "team"),
    TaskDue(2, 0, 28800, overdue=False, words="tax", group="house", priority="high"),
    TaskDue(overdue=True),
    Machine(State.BATTERY, 15.0),
    Called("doorbell"),
)


@pytest.mark.parametrize("trigger", EACH, ids=lambda one: type(one).__name__)
def test_what_is_written_is_read_back(trigger: Trigger) -> None:
    assert from_json(json.loads(json.dumps(to_json(trigger)))) == trigger


@pytest.mark.parametrize(
    "value",
    [
        {"kind": "whenever"},
        {"kind": "once", "at": "2026-04-02T18:00+02:00"},
        {"kind": "recurring", "rule": "FREQ=MINUTELY;BYHOUR=1;BYMINUTE=1", "begins": "2026-03-11"},
        {"kind": "recurring", "rule": "FREQ=DAILY", "begins": "2026-03-11"},
        {"kind": "recurring", "rule": "FREQ=DAILY;BYHOUR=25;BYMINUTE=0", "begins": "2026-03-11"},
        {"kind": "elapsed", "every_s": 1, "begins": "2026-03-11T10:00+01:00"},
        {"kind": "elapsed", "every_s": 60, "begins": "2026-03-11T10:00"},
        {"kind": "file", "change": "created", "folder": "Downloads", "pattern": "*", "below": False},
        {"kind": "machine", "state": "tired", "bound": 1},
        {"kind": "task", "days": 400},
        {"kind": "task", "before_s": -1},
        {"kind": "task", "clock": 86400},
    ],
    ids=str,
)
def test_what_is_no_trigger_is_refused(value: dict[str, Any]) -> None:
    with pytest.raises((ValueError, TypeError, KeyError)):
        from_json(value)
