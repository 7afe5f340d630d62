"""A real kernel that opens on a ledger in which somebody's weeks stand, on a clock that a test sets."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from kernel import Ask, Folders, Kernel, load_settings, open_kernel
from tests.kernel.conftest import knowing
from tests.kernel.habits.diary import Diary, said, week


@dataclass(slots=True)
class Weeks:
    """A home, its ledger, and the kernel over it once it was opened."""

    home: Path
    folders: Folders
    now: datetime
    kernel: Kernel = None  # type: ignore[assignment]

    def write(self, times: int = 5, language: str = "en") -> Diary:
        """Write down weeks of other things, and Mondays about nine with two requests; plans are in ``language``.

        A folder is listed, and then big files are looked for.
        """
        diary = Diary.of_weeks(self.folders.data / "ledger")
        for number in range(times):
            diary.ask(
                week(number),
                ("files.contents", {"folder": said(f"{self.home}/Finance")}),
                text="list Finance",
                language=language,
            )
            diary.ask(
                week(number, 3), ("files.largest", {"folder": said(f"{self.home}/Downloads"), "count": said(3)}),
                text="show me the largest files in Downloads", language=language,
            )  # fmt: skip
        diary.ledger.close()
        self.now = week(times - 1, 60 * 24)
        return diary

    async def open(self) -> Kernel:
        """Open the kernel, after the one that was open is closed."""
        if self.kernel is not None:
            await self.kernel.close()
        self.kernel = knowing(await open_kernel(load_settings(encoder=False), self.folders, lambda: self.now))
        return self.kernel

    async def say(self, text: str, answer: str = "once", conversation: str = "c") -> dict[str, Any]:
        """Say a sentence a minute later, answer its card, and return how it ended."""
        self.now += timedelta(minutes=1)
        run = await self.kernel.ask(Ask(text, conversation=conversation, cwd=str(self.home), channel="test"))
        view = await self.kernel.settled(run)
        if view["resolution"] == "pending":
            await self.kernel.approve(run, answer)
            view = await self.kernel.settled(run)
        return view


@pytest.fixture
async def weeks(tmp_path: Path) -> AsyncIterator[Weeks]:
    """A home with two folders; nothing is opened yet."""
    home = tmp_path / "home"
    for name in ("Downloads/big.iso", "Downloads/small.txt", "Finance/expenses.csv"):
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text("x" * len(name))
    folders = Folders({"HOME": str(home), "STEWARD_HOME": str(tmp_path / "steward")})
    folders.make()
    found = Weeks(home, folders, week(0))
    yield found
    if found.kernel is not None:
        await found.kernel.close()
