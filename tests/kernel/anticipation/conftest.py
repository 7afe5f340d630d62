"""A real kernel on a clock that a test sets, which goes from day to day."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from kernel import Ask, Folders, Kernel, load_settings, open_kernel
from tests.kernel.conftest import knowing

BERLIN = ZoneInfo("Europe/Berlin")
Open = Callable[..., Any]


@dataclass(slots=True)
class Days:
    """A kernel, its clock, and a person who says things in it."""

    kernel: Kernel
    home: Path
    folders: Folders
    now: datetime

    async def say(self, *texts: str, conversation: str = "c", after_days: float = 0.0, **more: Any) -> list[str]:
        """Say sentences, each a minute after the other, with a yes to every card; return how each ended."""
        self.now += timedelta(days=after_days)
        ends = []
        for text in texts:
            self.now += timedelta(minutes=1)
            run = await self.kernel.ask(
                Ask(text, conversation=conversation, cwd=str(self.home), yes=True, channel="test", **more)
            )
            ends.append(str((await self.kernel.settled(run))["resolution"]))
            self.last = run
        return ends

    async def offered(self, conversation: str = "c", *, unasked: bool = False) -> list[dict[str, Any]]:
        """What is offered now."""
        found = await self.kernel.rooms.offers.now(conversation, unasked=unasked)
        return list(found["offers"])

    async def fitting(self, typed: str, conversation: str = "c") -> list[dict[str, Any]]:
        """What a sentence that was begun may become."""
        found = await self.kernel.rooms.offers.fitting(typed, conversation)
        return list(found["offers"])

    async def reopen(self) -> None:
        """End the kernel, and open it again."""
        await self.kernel.close()
        self.kernel = knowing(await open_kernel(load_settings(encoder=False), self.folders, lambda: self.now))

    last: str = ""


@pytest.fixture
async def days(tmp_path: Path) -> AsyncIterator[Days]:
    """A kernel on a Monday at nine."""
    home = tmp_path / "home"
    (home / "Downloads").mkdir(parents=True)
    for name in ("big.iso", "small.txt"):
        (home / "Downloads" / name).write_bytes(b"x" * len(name))
    folders = Folders({"HOME": str(home), "STEWARD_HOME": str(tmp_path / "steward")})
    start = datetime(2026, 3, 2, 9, tzinfo=BERLIN)
    found = Days(None, home, folders, start)  # type: ignore[arg-type]
    found.kernel = knowing(await open_kernel(load_settings(encoder=False), folders, lambda: found.now))
    yield found
    await found.kernel.close()
