"""The self-test of the wall: a few forbidden acts are tried in a real cell, and the level is what stood the test.

What this stops: cells that are weaker than they say. An act that should have been refused and was not lowers the level,
with the reason, for every call from then on: skills that need more are refused.
What it does not: find every hole (``make escape`` tries the long list), or run before anybody is served.
"""

from __future__ import annotations

import asyncio
import json
import os
import socket
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from permissions.confine import trials
from permissions.confine.cells import Cells
from permissions.errors import PermissionsError
from permissions.model import CellSpec, CellStatus, Level, Limits

_MEMORY_BYTES = 128 << 20
_COMMAND = (sys.executable, "-P", "-m", "permissions.confine.trials")


@dataclass(frozen=True, slots=True)
class WallTest:
    """What the self-test found: the level that cells claim, the one that stood the test, and why it is lower.

    ``tried`` acts were forbidden at that level (none where the test itself could not be done, and ``why`` says why),
    ``failed`` of them were possible; ``unproven`` ones are not even possible outside, so that they say nothing.
    """

    level: Level
    claimed: Level
    tried: int = 0
    failed: tuple[str, ...] = ()
    unproven: tuple[str, ...] = ()
    why: str = ""
    took_ms: float = 0.0

    def to_json(self) -> dict[str, Any]:
        """Return it as an event of the ledger holds it."""
        return {**asdict(self), "failed": list(self.failed), "unproven": list(self.unproven)}


async def try_wall(cells: Cells | None = None, *, shown: Sequence[str] = (), folder: str | None = None) -> WallTest:
    """Try the acts in one cell of a small worker, which ends with it.

    ``shown`` are paths that the cell is shown besides, and ``folder`` is where the private file is made: both are for
    those who test this test.
    """
    began = time.perf_counter()
    own = cells or Cells(_COMMAND)
    with tempfile.TemporaryDirectory(dir=folder, prefix="steward-wall-") as place, _listener() as listener:
        target = _target(place, listener)
        try:
            found = await _tried(own, target, shown)
        finally:
            if cells is None:
                await own.close()
        unproven = tuple(name for name in trials.OUTSIDE if trials.refused(trials.expected(Level.L3)[name], target))
    took_ms = round((time.perf_counter() - began) * 1000, 1)
    return _judged(*found, unproven, took_ms)


def _listener() -> socket.socket:
    return socket.create_server(("127.0.0.1", 0))


def _target(place: str, listener: socket.socket) -> trials.Target:
    for name in ("private", "readable", "writable"):
        os.mkdir(f"{place}/{name}", 0o700)
    for name in ("private/file", "readable/file"):
        with open(f"{place}/{name}", "wb") as file:
            file.write(b"x")
    port = listener.getsockname()[1]
    return trials.Target(
        f"{place}/private/file", os.getpid(), port, f"{place}/readable/file", f"{place}/writable", _MEMORY_BYTES
    )


async def _tried(cells: Cells, target: trials.Target, shown: Sequence[str]) -> tuple[Level, dict[str, bool], str]:
    """Return the level that was claimed, what was refused, and what kept the test from being one."""
    spec = CellSpec(
        read_paths=(target.readable, *shown), write_paths=(target.writable,), minimum=Level.L1,
        limits=Limits(wall_s=10, cpu_s=5, memory_bytes=target.memory_bytes),
    )  # fmt: skip
    try:
        outcome = await cells.call(spec, json.dumps(asdict(target)).encode())
    except PermissionsError as problem:
        return Level.L1, {}, f"no cell could be made: {problem}"
    if outcome.status is not CellStatus.RETURNED or outcome.reply is None:
        return outcome.level, {}, f"the test in a cell ended early ({outcome.status}): {outcome.stderr_tail[-200:]}"
    said = json.loads(outcome.reply)
    return outcome.level, dict(said["refused"]), "" if said["works"] else "what was granted could not be used"


def _judged(
    claimed: Level, refused: dict[str, bool], problem: str, unproven: tuple[str, ...], took_ms: float
) -> WallTest:
    """Return the highest level, up to the one claimed, whose acts were all refused."""
    if problem:  # it says nothing about what a cell lets through
        return WallTest(claimed, claimed, unproven=unproven, why=problem, took_ms=took_ms)
    forbidden = trials.expected(claimed)
    failed = tuple(name for name in forbidden if not refused.get(name, False))
    level = next(
        one for one in (claimed, Level.L2, Level.L1) if all(refused.get(name) for name in trials.expected(one))
    )
    why = "a cell could " + ", ".join(name.replace("_", " ") for name in failed) if failed else ""
    return WallTest(level, claimed, len(forbidden), failed, unproven, why, took_ms)


async def main() -> None:
    """Print what the self-test finds here."""
    print(json.dumps((await try_wall()).to_json()))


if __name__ == "__main__":
    asyncio.run(main())
