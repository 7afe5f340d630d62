"""A kernel of its own process, to be killed: says ``ready``, waits for a line, then asks what it was given.

With ``undo`` it takes that back as well, and dies when it is to write that it did.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from typing import Any

from kernel import Ask, Folders, load_settings, open_kernel


def dies_at(ledger: Any, kind: str) -> None:
    """Let this process die when an event of ``kind`` is to be written."""
    submit = ledger.submit

    def watched(*drafts: Any) -> Any:
        if any(draft.kind == kind for draft in drafts):
            os.kill(os.getpid(), signal.SIGKILL)
        return submit(*drafts)

    ledger.submit = watched


async def main(home: str, steward: str, text: str, then: str = "") -> None:
    """Warm up, say so, wait, ask."""
    kernel = await open_kernel(load_settings(encoder=False), Folders({"HOME": home, "STEWARD_HOME": steward}))
    await kernel.settled(await kernel.ask(Ask("what is 1+1")))
    print("ready", flush=True)
    await asyncio.to_thread(sys.stdin.readline)
    await kernel.settled(await kernel.ask(Ask(text, cwd=home, yes=True)))
    print("done", flush=True)
    if then == "undo":
        dies_at(kernel._house.ledger, "run.undone")
        await kernel.undo(None)
    await asyncio.sleep(60)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
