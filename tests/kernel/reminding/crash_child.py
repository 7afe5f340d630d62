"""A keeper in a process of its own, killed at the step that it is told, or from outside; ends when all is told."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from kernel.desktop import Notices
from kernel.reminding import Keeper
from memory import Ledger
from skills.model import Skill, SkillId

BERLIN = ZoneInfo("Europe/Berlin")


async def main(root: str, bus: str, count: int, dies_at: int) -> None:
    """Tell what is due below ``root`` until ``count`` are told."""
    steps = 0

    def step(_name: str) -> None:
        nonlocal steps
        steps += 1
        if steps == dies_at:
            os.kill(os.getpid(), signal.SIGKILL)

    def failed(error: BaseException) -> None:
        raise SystemExit(f"fault: {error!r}")

    skills = [Skill(SkillId("timers"), "1.0.0", "Timers", "", "/", "h", True, (), {}, "to ring")]
    with Ledger.open(Path(root) / "ledger") as ledger:
        keeper = Keeper(
            ledger, Path(root) / "own", lambda: skills, clock=lambda: datetime(2025, 3, 14, 12, 0, tzinfo=BERLIN),
            report=failed, desktop=Notices({"DBUS_SESSION_BUS_ADDRESS": bus}), checkpoint=step,
        )  # fmt: skip
        task = asyncio.create_task(keeper.run())
        print("ready", flush=True)
        while len(keeper.journal.recent()) < count:  # noqa: ASYNC110 - the ledger tells nobody here
            await asyncio.sleep(0.005)
        task.cancel()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])))
