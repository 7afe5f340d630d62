"""A real kernel on a clock that a test sets, and goes on from there."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from kernel import Ask, Folders, Kernel, load_settings, open_kernel
from tests.kernel.conftest import knowing

BERLIN = ZoneInfo("Europe/Berlin")
NOW = datetime(2026, 3, 11, 10, tzinfo=BERLIN)


@dataclass(slots=True)
class Setting:
    """A clock: it shows ``at`` when it is set, and runs."""

    at: datetime
    begun: float

    def __call__(self) -> datetime:
        return self.at + timedelta(seconds=time.monotonic() - self.begun)

    def set(self, text: str) -> None:
        """Set it to a time of Berlin."""
        self.at, self.begun = datetime.fromisoformat(text).replace(tzinfo=BERLIN), time.monotonic()


@dataclass(slots=True)
class Desk:
    """A kernel whose clock can be set, and its home."""

    kernel: Kernel
    home: Path
    clock: Setting
    folders: Folders

    async def say(self, text: str, answer: str = "once", **more: Any) -> dict[str, Any]:
        """Say a sentence, answer its card, and return how it ended."""
        run = await self.kernel.ask(Ask(text, conversation="c", cwd=str(self.home), channel="test", **more))
        view = await self.kernel.settled(run)
        if view["resolution"] == "pending":
            await self.kernel.approve(run, answer)
            view = await self.kernel.settled(run)
        return view

    async def answered(self, run: str, *answers: str) -> dict[str, Any]:
        """Return how a run ended that asks once for each of ``answers``."""
        view = await self.kernel.settled(run)
        for answer in answers:
            assert view["resolution"] == "pending", view
            await self.kernel.approve(run, answer)
            view = await self.kernel.settled(run)
        return view

    def fired(self) -> list[dict[str, Any]]:
        """The runs of routines, oldest first."""
        return [one for one in reversed(self.kernel.runs(100)) if one["client"].startswith("routine:")]

    async def until(self, holds: Callable[[], bool], seconds: float = 30.0) -> None:
        """Wait until something holds."""
        async with asyncio.timeout(seconds):
            while not holds():  # noqa: ASYNC110 - what is waited for is what a person would look at
                await asyncio.sleep(0.02)


@asynccontextmanager
async def desk_on(root: Path, at: str = "2026-03-11T10:00") -> AsyncIterator[Desk]:
    """Open a kernel below ``root`` at a time of Berlin."""
    home = root / "home"
    for name in ("Downloads/big.iso", "Downloads/small.txt", "Finance/expenses.csv", "Backup/old.txt"):
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            path.write_text("date,amount\n2026-03-01,12\n" if name.endswith("csv") else "x" * 100)
    folders = Folders({"HOME": str(home), "STEWARD_HOME": str(root / "steward")})
    clock = Setting(datetime.now(BERLIN), time.monotonic())
    clock.set(at)
    kernel = knowing(await open_kernel(load_settings(encoder=False), folders, clock))
    try:
        yield Desk(kernel, home, clock, folders)
    finally:
        await kernel.close()


async def watched(desk: Desk) -> None:
    """Wait until what routines wait for is watched."""
    await desk.until(lambda: bool((watches := desk.kernel._upkeep.watcher) and watches.is_ready))


async def keeps(desk: Desk, rule: str) -> dict[str, Any]:
    """Say a rule, say yes, and wait until it is watched for; return it. The answer says all that it depends on."""
    before = {one["name"] for one in desk.kernel.routines.every()}
    view = await desk.say(rule)
    assert view["resolution"] == "confirmed", view["answer"]
    (routine,) = [one for one in desk.kernel.routines.every() if one["name"] not in before]
    assert all(one in view["answer"] for one in (routine["when"], *routine["limits"])), view["answer"]
    await watched(desk)
    return routine


async def set_to(desk: Desk, text: str) -> None:
    """Set the clock, as the system tells it: whoever sleeps looks again."""
    desk.clock.set(text)
    watcher = desk.kernel._upkeep.watcher
    assert watcher is not None
    for source in watcher._sources:
        source.changed()
    await watched(desk)
    await asyncio.sleep(0.5)


async def told(desk: Desk) -> list[str]:
    """What was brought to the runs so far, once nothing more comes."""
    await watched(desk)
    await asyncio.sleep(0.5)
    events = desk.kernel._house.ledger.events(kinds=("routine.brought",))
    return [str((one.body or {})["words"]) for one in events]


def noted(desk: Desk, *names: str) -> Desk:
    """Have notes there, each with its title; return the desk."""
    (desk.home / "Notes").mkdir(exist_ok=True)
    for name in names:
        (desk.home / f"Notes/{name}.md").write_text(f"# {name}\n")
    return desk


def note(desk: Desk, name: str) -> str:
    """Return what stands in a note."""
    return (desk.home / f"Notes/{name}.md").read_text()


async def quiet(desk: Desk, seconds: float = 1.2) -> int:
    """How many runs there are when nothing more has happened for a while."""
    await asyncio.sleep(seconds)
    return len(desk.fired())


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    """A kernel on a small home, on 11 March 2026 at ten in Berlin."""
    async with desk_on(tmp_path) as made:
        yield made
