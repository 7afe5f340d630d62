"""Sleeping until a moment of the system's clock (timerfd_create(2)).

``asyncio``'s own timers count monotonic time: they do not see that the clock was set, and stand still while the
machine sleeps. A timer of ``CLOCK_REALTIME`` with ``TFD_TIMER_CANCEL_ON_SET`` ends at its moment, at once after a
suspend in which it passed, and whenever the clock is set; whoever slept then looks at the clock again. Where there is
no such timer, it is looked at every ``LOOK_AGAIN_S``.
"""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import errno
import math
import os
import time
from collections.abc import Iterator

LOOK_AGAIN_S = 15.0

_CLOCK_REALTIME = 0
_FLAGS = os.O_NONBLOCK | os.O_CLOEXEC  # TFD_NONBLOCK and TFD_CLOEXEC are these
_ABSOLUTE, _CANCEL_ON_SET = 1, 2
_LONGEST_S = 366 * 86400.0


class _Time(ctypes.Structure):
    _fields_ = (("sec", ctypes.c_long), ("nsec", ctypes.c_long))


class _Setting(ctypes.Structure):
    _fields_ = (("interval", _Time), ("value", _Time))


class Alarm:
    """Sleeps for one task of an event loop. ``ring`` ends a sleep, or the next one, from the loop's own thread."""

    def __init__(self, *, timer: bool = True) -> None:
        """Without ``timer`` the clock is looked at every now and then, as where the system has none."""
        self._rung = asyncio.Event()
        self._descriptor = _create() if timer else -1

    @property
    def is_exact(self) -> bool:
        """Whether the system's own timer is used."""
        return self._descriptor >= 0

    def ring(self) -> None:
        """End the sleep: something has changed."""
        self._rung.set()

    async def sleep(self, seconds: float | None) -> None:
        """Sleep so long by the system's clock (None: until it rings), or less: look at the clock afterwards."""
        if seconds is not None and seconds > 0:
            wait_s = min(seconds, _LONGEST_S)
            with self._timed(wait_s):
                limit = None if self.is_exact else min(wait_s, LOOK_AGAIN_S)
                await self._until_rung(limit)
        elif seconds is None:
            await self._until_rung(None)
        self._rung.clear()

    async def _until_rung(self, limit_s: float | None) -> None:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._rung.wait(), limit_s)

    @contextlib.contextmanager
    def _timed(self, seconds: float) -> Iterator[None]:
        """Have the timer ring after so long, where there is one."""
        if not self.is_exact:
            yield
            return
        loop, descriptor = asyncio.get_running_loop(), self._descriptor
        if not _set(descriptor, time.time() + seconds):
            self.ring()
        loop.add_reader(descriptor, self._fired)
        try:
            yield
        finally:
            loop.remove_reader(descriptor)

    def _fired(self) -> None:
        with contextlib.suppress(OSError):  # ECANCELED: the clock was set; EAGAIN: nothing to read after all
            os.read(self._descriptor, 8)
        self._rung.set()

    def close(self) -> None:
        """Give the timer back."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1


def _create() -> int:
    """Return the descriptor of a new timer, -1 where the system has none."""
    try:
        return int(ctypes.CDLL(None, use_errno=True).timerfd_create(_CLOCK_REALTIME, _FLAGS))
    except (OSError, AttributeError):
        return -1


def _set(descriptor: int, moment_s: float) -> bool:
    """Have a timer end at a moment; tell whether the clock stood still meanwhile. Raises OSError.

    Where the clock was set since the timer was last looked at (also by a suspend), that is said here, once, by
    ECANCELED; the timer is set nevertheless.
    """
    part, whole = math.modf(moment_s)
    setting = _Setting(_Time(0, 0), _Time(int(whole), int(part * 1e9)))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.timerfd_settime(descriptor, _ABSOLUTE | _CANCEL_ON_SET, ctypes.byref(setting), None) == 0:
        return True
    number = ctypes.get_errno()
    if number == errno.ECANCELED:
        return False
    raise OSError(number, os.strerror(number))
