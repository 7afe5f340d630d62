"""A desk holds a client to its pace, whatever it asks for."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from portal.mcp import pace
from portal.mcp.answering import RUNS, Desk
from portal.mcp.pace import Pace, TooMuch


async def test_reading_counts_as_a_call_and_lists_count_apart() -> None:
    """The protocol's library asks for a list beside every call that is on its way at the same time."""
    clients = SimpleNamespace(known=lambda _: None, offers=lambda _: [])
    kernel: Any = SimpleNamespace(clients=clients, runs=lambda _most, client: [], is_run_of=lambda _run, _client: False)
    desk = Desk(kernel, "claude", Pace(), 1.0, asyncio.Event())
    for _ in range(pace.IN_A_WINDOW):
        assert await desk.read(RUNS) == {"runs": []}
        assert desk.listed() == []
    with pytest.raises(TooMuch):
        await desk.read(RUNS)
    with pytest.raises(TooMuch):
        await desk.read(f"{RUNS}/r-1")
    with pytest.raises(TooMuch):
        desk.listed()
