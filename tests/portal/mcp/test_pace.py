"""A client's pace: so many at a time, so many in line, so many a minute."""

from __future__ import annotations

import asyncio

import pytest

from portal.mcp import pace
from portal.mcp.pace import Pace, TooMuch


async def test_so_many_run_at_a_time_and_all_get_their_turn() -> None:
    one, running, most, done = Pace(), 0, 0, 0

    async def call() -> None:
        nonlocal running, most, done
        async with one.turn():
            running += 1
            most = max(most, running)
            await asyncio.sleep(0)
            running -= 1
            done += 1

    await asyncio.gather(*(call() for _ in range(200)))
    assert (most, done) == (pace.AT_ONCE, 200)


async def test_past_the_minute_s_amount_a_call_is_refused_until_the_minute_is_over() -> None:
    now = [0.0]
    one = Pace(lambda: now[0])
    for _ in range(pace.IN_A_WINDOW):
        async with one.turn():
            pass
    with pytest.raises(TooMuch) as refused:
        async with one.turn():
            pass
    assert 0 < refused.value.wait_s <= pace.WINDOW_S
    now[0] += refused.value.wait_s
    async with one.turn():
        pass


async def test_a_line_that_is_too_long_is_refused_and_a_cancelled_caller_leaves_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pace, "WAITING", 3)
    one, leave = Pace(), asyncio.Event()

    async def call() -> None:
        async with one.turn():
            await leave.wait()

    held = [asyncio.ensure_future(call()) for _ in range(pace.AT_ONCE)]
    await asyncio.sleep(0)
    line = [asyncio.ensure_future(call()) for _ in range(3)]
    await asyncio.sleep(0)
    with pytest.raises(TooMuch):
        await call()
    line.pop().cancel()
    await asyncio.sleep(0)
    line.append(asyncio.ensure_future(call()))
    await asyncio.sleep(0)
    leave.set()
    await asyncio.gather(*held, *line)
