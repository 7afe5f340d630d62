"""A daemon that tries a routine out, killed when the dry run is sealed, or when it asks."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from kernel.handling import trying
from tests.kernel.routines.conftest import desk_on
from tests.kernel.routines.crash_child import die


async def main(root: str, dies_at: str) -> None:
    """Begin the dry run, and die in it."""
    if dies_at == "sealed":
        trying.diff_view = die  # type: ignore[assignment]
    async with desk_on(Path(root), "2026-03-11T10:30") as desk:
        (one,) = desk.kernel.routines.every()
        view = await desk.kernel.settled(await desk.kernel.routines.try_out(one["name"]))
        if dies_at == "asking" and view["resolution"] == "pending":
            die()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2]))
