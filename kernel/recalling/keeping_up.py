"""Keeping up with what ended, for recall and for habits: by one worker each, a moment after the last run, a portion at
a time.

What this stops: that every run that ends parks one more thread behind a long backlog, and that the backlog takes the
processor while somebody asks: between two portions there is a pause as long as runs are not over.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Protocol

from kernel.context.mind import LEARN_AFTER_S


class Backlog(Protocol):
    """What reads the ledger as it grows."""

    @property
    def is_open(self) -> bool:
        """Tell whether anybody has needed it yet."""

    def keep_up(self) -> int:
        """Do a portion of what is to be done; return how much is left."""


class KeepingUp:
    """One worker for ``backlog``, begun by the event loop. ``busy`` tells whether a run lives."""

    def __init__(self, backlog: Backlog, busy: Callable[[], bool], report: Callable[[BaseException], None]) -> None:
        self._backlog, self._busy, self._report = backlog, busy, report
        self._work: asyncio.Future[int] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._again = False
        self._stopped = False

    def soon(self) -> None:
        """A run has ended: see to it in a moment, if the backlog is open."""
        if self._stopped or not self._backlog.is_open:
            return
        if self._work is not None:
            self._again = True
            return
        self._wait()

    def stop(self) -> None:
        """Begin nothing more."""
        self._stopped = True
        if self._timer is not None:
            self._timer.cancel()

    def _wait(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(LEARN_AFTER_S, self._begin)

    def _begin(self) -> None:
        self._timer, self._again = None, False
        self._work = asyncio.get_running_loop().run_in_executor(None, self._backlog.keep_up)
        self._work.add_done_callback(self._ended)

    def _ended(self, work: asyncio.Future[int]) -> None:
        self._work = None
        if self._stopped or work.cancelled():
            return
        error = work.exception()
        if error is not None:
            self._report(error)
        left = error is None and work.result() > 0
        if self._again or (left and self._busy()):
            self._wait()
        elif left:
            self._begin()
