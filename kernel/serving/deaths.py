"""Deaths of servers: counted, so that one that ends again and again is started less and less often, and says so."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from kernel.serving.cell import ServerOver
from kernel.serving.refusals import after_a_death

LONGEST_REST_S = 60.0
WAITS_S = 4.0
"""A call waits so long for a server that rests; for a longer rest it fails, and says so."""


@dataclass(slots=True)
class Deaths:
    """How often a server has died one time after the other, why, and until when it rests."""

    count: int = 0
    rests_until: float = 0.0
    why: str = ""

    def add(self, why: str) -> None:
        """Count a death: it rests for 1, 2, 4 ... 60 seconds."""
        self.count += 1
        self.why = why
        self.rests_until = time.monotonic() + min(LONGEST_REST_S, 2.0 ** (self.count - 1))

    @contextmanager
    def counted(self, *, forgets: bool = True) -> Iterator[None]:
        """Count how a start or a call ends; a good end of what ``forgets`` means no rest before the next start."""
        try:
            yield
        except ServerOver as over:
            self.add(str(over))
            raise
        if forgets:
            self.count = 0

    async def rested(self, skill: str, told: Callable[[float | None, str], None]) -> None:
        """Wait until the server may be started again. Raises TaskFailed where that takes long."""
        left_s = self.rests_until - time.monotonic() if self.count else 0.0
        if left_s <= 0:
            return
        if left_s > WAITS_S:
            raise after_a_death(skill, self.why, left_s)
        told(None, f"{skill}: {left_s:.0f} s")
        await asyncio.sleep(left_s)
