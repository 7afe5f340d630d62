"""A source of events: what happens somewhere, handed in for the routines that wait for it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Protocol

from kernel.routines.firing import Come
from kernel.routines.routine import Routine

Awake = Callable[[], tuple[Routine, ...]]
"""The routines that do not rest."""

HandIn = Callable[[Routine, Come], None]
"""Has an event wait for its routine. From the event loop alone; quick."""

LetRest = Callable[[Routine, str], Awaitable[None]]
"""Lets a routine rest, and says why."""


class Source(Protocol):
    """Runs until cancelled; begins nothing while no routine waits for what it tells."""

    async def run(self) -> None:
        """Tell what happens."""

    def changed(self) -> None:
        """The routines are others now."""

    @property
    def is_ready(self) -> bool:
        """Whether everything that is waited for is watched."""
