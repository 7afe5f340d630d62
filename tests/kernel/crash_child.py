"""A kernel of its own process, to be killed: says ``ready``, waits for a line, then asks what it was given."""

from __future__ import annotations

import asyncio
import sys

from kernel import Ask, Folders, load_settings, open_kernel


async def main(home: str, steward: str, text: str) -> None:
    """Warm up, say so, wait, ask."""
    kernel = await open_kernel(load_settings(encoder=False), Folders({"HOME": home, "STEWARD_HOME": steward}))
    await kernel.settled(await kernel.ask(Ask("what is 1+1")))
    print("ready", flush=True)
    await asyncio.to_thread(sys.stdin.readline)
    await kernel.settled(await kernel.ask(Ask(text, cwd=home, yes=True)))
    print("done", flush=True)
    await asyncio.sleep(60)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
