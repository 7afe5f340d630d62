"""Manners: a day's budget, quiet hours over midnight, and both the same after a restart."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, time
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from kernel import BadRequest, load_settings
from kernel.manners import Manners
from kernel.manners.hours import Hours, hours_of
from memory import Ledger

BERLIN = ZoneInfo("Europe/Berlin")
NOON = datetime(2026, 3, 2, 12, tzinfo=BERLIN)


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    """A real, empty one."""
    found = Ledger.open(tmp_path / "ledger")
    yield found
    found.close()


@pytest.mark.parametrize(("written", "hour", "quiet"), [
    ("22-7", 23, True), ("22-7", 3, True), ("22-7", 7, False), ("22-7", 12, False), ("13-14:30", 13, True),
    ("13-14:30", 15, False), ("", 3, False), ("22-24", 23, True), ("22-24", 0, False),
    ("0-24", 0, True), ("0-24", 12, True),
])  # fmt: skip
def test_quiet_hours_may_go_over_midnight(ledger: Ledger, written: str, hour: int, quiet: bool) -> None:
    manners = Manners(ledger, 5, written)
    assert manners.may_speak("offer", NOON.replace(hour=hour)) is not quiet
    assert manners.is_quiet(NOON.replace(hour=hour)) is quiet


def test_a_day_has_a_budget_that_one_kind_cannot_use_up_and_a_restart_does_not_renew(ledger: Ledger) -> None:
    manners = Manners(ledger, 4, "")
    for _ in range(2):
        assert manners.may_speak("offer", NOON)
        manners.spoke("offer", NOON)
    assert not manners.may_speak("offer", NOON), "half of the day is left for others"
    assert manners.may_speak("suggestion", NOON)
    for _ in range(2):
        manners.spoke("suggestion", NOON)
    again = Manners(ledger, 4, "")
    assert again.left(NOON) == 0
    assert not again.may_speak("other", NOON)
    assert again.may_speak("offer", NOON.replace(day=3)), "the next day is a new one"


def test_a_budget_of_nothing_is_silence(ledger: Ledger) -> None:
    assert not Manners(ledger, 0, "").may_speak("offer", NOON)


@pytest.mark.parametrize("written", ["night", "25-3", "22", "22:61-3"])
def test_hours_that_are_none_are_refused_by_name(monkeypatch: pytest.MonkeyPatch, written: str) -> None:
    monkeypatch.setenv("STEWARD_QUIET_HOURS", written)
    with pytest.raises(BadRequest, match="quiet_hours"):
        load_settings()


def test_hours_are_read_as_they_are_written() -> None:
    assert hours_of(" 22:30 - 6:45 ") == Hours(time(22, 30), time(6, 45))
    assert hours_of("") is None
