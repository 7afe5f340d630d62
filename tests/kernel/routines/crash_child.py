"""A daemon whose routine is due in a moment, killed at the step of its keeper that it is told, or while the run
``waits`` for a yes; ends when it has run.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path
from typing import Any

from kernel.routines import keeper
from tests.kernel.routines.conftest import desk_on


def die(*_: Any) -> None:
    """Die as by the power."""
    os.kill(os.getpid(), signal.SIGKILL)


async def main(root: str, dies_at: str) -> None:
    """Go on until the routine has run, or die before."""

    class Dying(keeper.Keeper):
        def __init__(self, house: Any, fire: Any) -> None:
            super().__init__(house, fire, lambda step: die() if step == dies_at else None)

    keeper.Keeper = Dying  # type: ignore[misc]
    async with desk_on(Path(root), "2026-03-11T18:00:01") as desk:
        await desk.until(lambda: bool(desk.fired()))
        view = await desk.kernel.settled(desk.fired()[0]["run"])
        if dies_at == "waits" and view["resolution"] == "pending":
            die()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2]))
