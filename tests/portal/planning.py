"""A model on a real socket that plans what the kernel does not, when it is let: for tests of what is shown then."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from tests.kernel.models.server import Act, Line, Server, served
from tests.kernel.prompting.test_whole import LOST, largest_away, planning

Installation = Any  # tests/portal/conftest.py

__all__ = ["LOST", "Planner", "planner_at_hand"]


@dataclass(frozen=True)
class Planner:
    """The server, and ``go``, which lets it answer."""

    server: Server
    go: threading.Event


@contextmanager
def planner_at_hand(
    installation: Installation, make: Callable[[dict[str, Any]], Any] = largest_away, **said: str
) -> Iterator[Planner]:
    """Let ``installation`` have a planner's model called near, which waits for ``go`` before it answers."""
    go = threading.Event()
    act: Act = planning(make)

    async def held(line: Line) -> None:
        assert await asyncio.to_thread(go.wait, 60)
        await act(line)

    downloads = installation.home / "Downloads"
    downloads.mkdir(exist_ok=True)
    (downloads / "big.iso").write_bytes(b"x" * 5000)
    (downloads / "small.txt").write_text("small\n")
    with served(held) as server:
        options = [part for name, value in said.items() for part in (f"--{name}", value)]
        set_up = ("models", "set", "near", "--url", server.url, "--model", "m", *options)
        assert installation.steward(*set_up).code == 0
        assert installation.steward("models", "use", "planner", "near").code == 0
        try:
            yield Planner(server, go)
        finally:
            go.set()
            installation.steward("models", "remove", "near")
