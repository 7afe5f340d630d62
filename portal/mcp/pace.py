"""How much one client may ask for: so many calls at a time, so many in line, so many in a minute.

What this stops: a client that floods the daemon, holds up another one, or fills memory with calls that wait.
What it does not: share the machine fairly within one client; the policy tree bounds what each call may use.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

AT_ONCE = 8
WAITING = 256
IN_A_WINDOW = 600
WINDOW_S = 60.0


class TooMuch(Exception):
    """A client asks for more than it may. ``wait_s`` is how long it should wait."""

    def __init__(self, message: str, wait_s: float) -> None:
        super().__init__(message)
        self.wait_s = wait_s


class _Window:
    """How often something was done within the last minute."""

    def __init__(self, most: int, what: str, clock: Callable[[], float]) -> None:
        self._most, self._what, self._clock = most, what, clock
        self._begun: deque[float] = deque()

    def count(self) -> None:
        """Count it once more. Raises TooMuch."""
        now = self._clock()
        while self._begun and now - self._begun[0] >= WINDOW_S:
            self._begun.popleft()
        if len(self._begun) >= self._most:
            message = f"This client made {self._most} {self._what} within a minute."
            raise TooMuch(message, WINDOW_S - (now - self._begun[0]))
        self._begun.append(now)


class Pace:
    """The pace of one client. One event loop only."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._calls, self._lists = _Window(IN_A_WINDOW, "calls", clock), _Window(IN_A_WINDOW, "lists", clock)
        self._places = asyncio.Semaphore(AT_ONCE)
        self._in_line = 0

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Wait for a place, and hold it. Raises TooMuch."""
        self._calls.count()
        if self._in_line >= WAITING:
            raise TooMuch(f"{WAITING} calls of this client wait already.", 5.0)
        self._in_line += 1
        try:
            await self._places.acquire()
        finally:
            self._in_line -= 1
        try:
            yield
        finally:
            self._places.release()

    def count_list(self) -> None:
        """Count a list: it needs no place of its own, and the protocol's library asks for one beside every call.

        Raises TooMuch.
        """
        self._lists.count()
