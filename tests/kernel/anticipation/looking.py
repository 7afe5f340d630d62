"""A person who shows a table after each look into a folder, and is offered it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

from kernel.anticipation.ahead import Ahead
from kernel.house import House
from kernel.system.senses import Senses
from permissions.transactions import fingerprint
from tests.kernel.anticipation.conftest import Days

LOOK, SHOW = "list Downloads", "show trips.csv"
Look = Callable[..., str | None]


def table(days: Days) -> Path:
    return days.home / "Downloads" / "trips.csv"


async def habit(days: Days, then: str = SHOW, place: Path | None = None, skill: str = "data") -> None:
    """Do it on four days; from then on it may be done without being asked about ``place`` (the table)."""
    table(days).write_text("town,km\n" + "".join(f"Ulm {n},{n}\n" for n in range(4)))
    for _ in range(4):
        ends = await days.say(LOOK, then, after_days=1)
        assert set(ends) <= {"confirmed", "executed"}, ends
    if skill:
        await days.kernel.grant(skill, f"fs.read:{place or table(days)}")


def plugged_in(days: Days) -> House:
    """The kernel on a machine with a charger and memory, whatever this one has; unless a test has set another."""
    house = days.kernel._house
    if house.machine is None:
        house.machine = Senses(sys=days.home / "no-sys")
        house.spare_bytes = lambda: 8 << 30
    return house


async def until(condition: Callable[[], object]) -> None:
    """Wait until something holds."""
    for _ in range(2000):
        if condition():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("it did not come true")


async def offered(days: Days, look: Look = fingerprint) -> Ahead:
    """Look into the folder once more, be offered the rest, and wait until nothing more is made ahead."""
    house = plugged_in(days)
    if house.ahead is None:
        house.ahead = Ahead(house, look, idle_s=0.0)
    await days.say(LOOK, after_days=1)
    await until(lambda: not house.live)  # it has said how it ended, and is about to be over
    await days.offered()
    await house.ahead.idle()
    return house.ahead


async def made(days: Days) -> list[dict[str, Any]]:
    """What was made ahead, the newest first."""
    return list((await days.kernel.rooms.offers.ahead())["ahead"])


async def came_to(days: Days) -> list[tuple[str, str]]:
    """How each came to an end, and why."""
    return [(str(one["state"]), str(one["why"])) for one in await made(days)]


def was_ahead(days: Days, run: str = "") -> bool:
    """Whether the last run was given what had been made ahead."""
    return "task.ahead" in [one["kind"] for one in days.kernel.view(run or days.last)["events"]]


def told(days: Days) -> str:
    """All that the last run came to, in words."""
    view = days.kernel.view(days.last)
    return f"{view['answer']} {view['result']}"
