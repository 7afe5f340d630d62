"""Whole requests through a real kernel: what their calls take, and what a person waits for."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from pathlib import Path

from kernel import Ask, Folders, load_settings, open_kernel
from tests.golden.home import build_home

REQUESTS = {
    "text of a PDF": "show me the text of invoice_brightoffice_2026-03.pdf",
    "a join of two tables": "join orders.csv and customers.csv",
    "a new note": "save a note called 'measured {number}' saying 'one more'",
    "a foreign program": "run `true` in ~/Documents",
}
_WARM_UP = 3


@dataclass(slots=True)
class Whole:
    """Milliseconds of one request: its calls (from the first one's request to the last one's end), and all of it."""

    name: str
    calls: list[float] = field(default_factory=list)
    total: list[float] = field(default_factory=list)


async def whole_kernel(scratch: Path, rounds: int) -> list[Whole]:
    """Ask every request ``rounds`` times, in turn. Raises SystemExit where one is not done."""
    home = scratch / "golden"
    build_home(home)
    environ = {"HOME": str(home), "STEWARD_HOME": str(scratch / "steward")}
    kernel = await open_kernel(load_settings(encoder=False), Folders(environ))
    found = [Whole(name) for name in REQUESTS]
    try:
        for number in range(_WARM_UP + rounds):
            for one, text in zip(found, REQUESTS.values(), strict=True):
                run = await kernel.ask(Ask(text.format(number=number), cwd=str(home), yes=True, channel="bench"))
                view = await kernel.settled(run)
                if view["resolution"] not in ("executed", "confirmed"):
                    raise SystemExit(f"“{text}” ended as {view['resolution']}: {view['answer']}")
                if number >= _WARM_UP:
                    one.calls.append(view["timings"]["sandbox_ms"])
                    one.total.append(view["timings"]["total_ms"])
                await asyncio.sleep(0.06)
    finally:
        await kernel.close()
    return found
