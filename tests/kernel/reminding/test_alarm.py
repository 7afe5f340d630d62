"""The alarm: it ends at its moment, when it rings, and it sees that the clock was set."""

from __future__ import annotations

import asyncio
import ctypes
import errno
import time

import pytest

from kernel.reminding import Alarm
from kernel.reminding import alarm as of_alarm


@pytest.mark.parametrize("timer", [True, False])
async def test_it_sleeps_as_long_as_it_is_told_and_no_longer(timer: bool) -> None:
    alarm, began = Alarm(timer=timer), time.monotonic()
    await alarm.sleep(0.1)
    assert 0.09 <= time.monotonic() - began < 2
    alarm.close()


@pytest.mark.parametrize("timer", [True, False])
@pytest.mark.parametrize("seconds", [None, 3600.0, 1e12])
async def test_it_ends_when_it_rings_also_before_it_sleeps(timer: bool, seconds: float | None) -> None:
    alarm = Alarm(timer=timer)
    asyncio.get_running_loop().call_later(0.02, alarm.ring)
    await asyncio.wait_for(alarm.sleep(seconds), 5)
    alarm.ring()
    await asyncio.wait_for(alarm.sleep(seconds), 5)
    alarm.close()


async def test_what_is_due_already_is_not_slept_over() -> None:
    alarm = Alarm()
    await asyncio.wait_for(alarm.sleep(0), 1)
    await asyncio.wait_for(alarm.sleep(-5), 1)
    alarm.close()


async def test_without_a_timer_the_clock_is_looked_at_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(of_alarm, "LOOK_AGAIN_S", 0.05)
    alarm = Alarm(timer=False)
    assert not alarm.is_exact
    await asyncio.wait_for(alarm.sleep(3600), 2)
    alarm.close()


class _Libc:
    """The system's timer, which says once that the clock was set since it was last looked at."""

    def __init__(self, real: ctypes.CDLL, number: int) -> None:
        self._real, self.numbers = real, [number]

    def timerfd_settime(self, *given: object) -> int:
        assert self._real.timerfd_settime(*given) == 0
        if not self.numbers:
            return 0
        ctypes.set_errno(self.numbers.pop())
        return -1


async def test_a_clock_that_was_set_while_nobody_slept_ends_a_sleep_and_nothing_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    libc = _Libc(ctypes.CDLL(None, use_errno=True), errno.ECANCELED)
    alarm = Alarm()
    monkeypatch.setattr("ctypes.CDLL", lambda *_, **__: libc)
    await asyncio.wait_for(alarm.sleep(3600), 2)  # the clock is looked at again
    began = time.monotonic()
    await asyncio.wait_for(alarm.sleep(0.1), 5)  # and the timer works as before
    assert time.monotonic() - began >= 0.09
    libc.numbers.append(errno.EINVAL)  # the control: another fault is one
    with pytest.raises(OSError, match="nvalid"):
        await alarm.sleep(3600)
    alarm.close()


def test_this_system_has_the_timer() -> None:
    alarm = Alarm()
    assert alarm.is_exact
    alarm.close()
    alarm.close()
