"""A kernel of its own process on a home with a disk below it: moves things there while the disk fails, or looks.

``kill``: the disk becomes read-only in the middle, and the kernel dies. ``fail``: the same, and it lives on.
``look``: what a kernel says that is opened then.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

from kernel import Ask, Folders, Kernel, load_settings, open_kernel
from kernel.errors import NotNow
from permissions import Transactions

TEXT = "sort the files in ~/Disk into folders by type"


def failing(folders: Folders, how: str) -> Transactions:
    """Transactions whose disk becomes read-only at their second move."""
    moves: list[str] = []

    def checkpoint(name: str) -> None:
        moves.extend([name] if name == "step:move" else [])
        if name == "step:move" and len(moves) == 2:
            subprocess.run(["mount", "-o", "remount,ro", str(folders.home / "Disk")], check=True)
            if how == "kill":
                os.kill(os.getpid(), signal.SIGKILL)

    return Transactions(folders.data / "transactions", folders.home, state=folders.data, checkpoint=checkpoint)


async def main(how: str, home: str, steward: str) -> None:
    """Do it, and print what a client sees."""
    folders = Folders({"HOME": home, "STEWARD_HOME": steward})
    kernel = await open_kernel(load_settings(encoder=False), folders)
    seen: dict[str, object] = {}
    if how != "look":
        kernel._house.transactions = failing(folders, how)
        seen["asked"] = await kernel.settled(await kernel.ask(Ask(TEXT, cwd=home, yes=True)))
    run = kernel.runs()[0]["run"]
    seen |= {"view": kernel.view(run), "line": kernel.runs()[0], "status": kernel.status()["half_done"]}
    seen["doctor"] = next(line for line in kernel.doctor() if line["name"] == "changes")
    seen["refusals"] = [await refusal(kernel, act, run) for act in ("undo", "cancel", "approve")]
    seen["tree"] = sorted(str(path.relative_to(home)) for path in Path(home, "Disk").rglob("*") if path.is_file())
    await kernel.close()
    print(json.dumps(seen))


async def refusal(kernel: Kernel, act: str, run: str) -> str:
    """Return why an act on ``run`` is refused."""
    try:
        await {"undo": kernel.undo, "cancel": kernel.cancel, "approve": lambda one: kernel.approve(one, "once")}[act](
            run
        )
    except NotNow as error:
        return error.code
    return ""


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
