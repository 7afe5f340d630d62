"""Doctor and status say what the wall's self-test found; a wall that failed it is claimed no more, on every card."""

from __future__ import annotations

from typing import Any

import pytest

from permissions import WallTest, machine_level
from permissions.model import Level

Bench = Any  # tests/kernel/conftest.py

pytestmark = pytest.mark.sandbox


def line(bench: Bench, name: str) -> dict[str, Any]:
    found: dict[str, Any] = next(one for one in bench.kernel.doctor() if one["name"] == name)
    return found


async def test_the_self_test_is_an_event_and_stands_in_doctor_and_status(bench: Bench) -> None:
    bench.kernel.test_wall()
    bench.kernel.test_wall()  # once is enough
    await bench.kernel._upkeep.testing
    level = machine_level()
    assert line(bench, "wall test")["ok"]
    assert f"refused in a cell of {level}" in bench.kernel.status()["wall_test"]
    await bench.ask("what can you do?")  # events that nobody waits for are written with the next one
    (event,) = [one for one in bench.kernel.log() if one["kind"] == "wall.tested"]
    assert (event["body"]["level"], event["body"]["failed"]) == (level, [])


async def test_a_wall_that_failed_is_claimed_no_more(bench: Bench) -> None:
    bench.kernel._house.wall = WallTest(Level.L1, Level.L3, 9, ("read_private",), (), "a cell could read private")
    assert bench.kernel.status()["level"] == "L1"
    assert "a cell could read private" in bench.kernel.status()["level_note"]
    assert not line(bench, "sandbox")["ok"]
    assert not line(bench, "wall test")["ok"]
    asked = await bench.ask("find the three largest files in ~/Downloads", yes=False)
    assert (asked["card"]["level"], "read private" in asked["card"]["level_note"]) == ("L1", True)
