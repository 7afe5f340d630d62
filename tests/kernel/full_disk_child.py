"""Asks for a copy that the home's disk has no room for; prints the run's view as JSON."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

from kernel import Ask, Folders, load_settings, open_kernel


async def main(home: str, steward: str) -> None:
    """Fill most of the disk, ask, print."""
    (Path(home) / "Downloads").mkdir()
    (Path(home) / "Downloads" / "big.bin").write_bytes(b"x" * 600_000)
    kernel = await open_kernel(load_settings(encoder=False), Folders({"HOME": home, "STEWARD_HOME": steward}))
    run = await kernel.ask(Ask("copy ~/Downloads/big.bin to ~/Archive", cwd=home, yes=True))
    view = await kernel.settled(run)
    again = await kernel.settled(await kernel.ask(Ask("what is 2+2", cwd=home)))
    await kernel.close()
    files = {str(p.relative_to(home)): p.stat().st_size for p in Path(home).rglob("*") if p.is_file()}
    print(json.dumps({"view": view, "alive": again["resolution"], "files": files}))


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
