"""In a running kernel: what was done is an example for the next request, and what was taken back speaks against it."""

from __future__ import annotations

import asyncio
import time
from datetime import UTC, datetime

from kernel.context.mind import LEARN_AFTER_S
from kernel.ranking import Past
from tests.kernel.conftest import Bench


async def _learnt(bench: Bench, count: int, *, refused: int = 0) -> Past:
    """What the kernel has learnt, as soon as it knows of ``count`` requests, ``refused`` of them taken back."""
    house = bench.kernel._house
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        past = house.learning.experience(house.ledger, datetime(2026, 3, 4, 9, 0, tzinfo=UTC), "c").past
        if len(past) == count and sum(not one.accepted for one in past.requests) == refused:
            return past
        await asyncio.sleep(1.2 * LEARN_AFTER_S)  # it is learnt when nobody asks
    raise AssertionError(f"{count} requests were not learnt")


async def test_what_was_done_and_what_was_undone_is_learnt(bench: Bench) -> None:
    await bench.ask("what is 17% of 230?")
    past = await _learnt(bench, 1)
    assert past.tools == ["calc.compute"]
    done = await bench.ask("write a note called milk: buy milk")
    assert done["resolution"] in ("executed", "confirmed"), done["answer"]
    await _learnt(bench, 2)
    await bench.kernel.undo(done["run"])
    past = await _learnt(bench, 2, refused=1)
    assert [one.accepted for one in past.requests] == [True, False]
    again = await bench.ask("what is 18% of 230?")
    assert again["resolution"] == "executed"
