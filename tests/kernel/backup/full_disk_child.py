"""On a disk of its own size: writes a backup there, then restores one; prints how each ended."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

from kernel import Folders, KernelError, load_settings, open_kernel
from kernel.backup import restoring
from tests.kernel.backup.conftest import tree


def _fill(filler: Path, leaving: int) -> None:
    """Fill a small disk but for so many bytes; a large one is the control."""
    found = os.statvfs(filler.parent)
    free = found.f_bavail * found.f_frsize
    if free < 100 << 20:
        with filler.open("ab") as file:
            file.write(b"x" * max(0, free - leaving))


async def main(home: str, steward: str, backup: str) -> None:
    """Fill what is left but a little, back up, restore."""
    folders = Folders({"HOME": home, "STEWARD_HOME": steward})
    kernel = await open_kernel(load_settings(encoder=False), folders)
    filler = Path(steward, "filler")
    _fill(filler, 300_000)
    try:
        await kernel.rooms.backups.take(f"{steward}/new.backup")
        print("written")
    except KernelError as error:
        print(error.code)
        assert not [one for one in os.listdir(steward) if "new.backup" in one], os.listdir(steward)
    await kernel.close()
    restoring.ROOM_BYTES = 0  # what is tried is the disk, not the look at it beforehand
    _fill(filler, 50_000)
    before = tree(folders.data / "ledger")
    try:
        restoring.restore(Path(backup), folders)
        print("restored")
    except KernelError as error:
        print(error.code)
    print("same" if tree(folders.data / "ledger") == before else "other")
    assert not [one for one in os.listdir(steward) if "coming" in one], os.listdir(steward)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
