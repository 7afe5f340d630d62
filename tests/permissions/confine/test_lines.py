"""The ends of the lines between a cell and the daemon, each by itself: sizes, pieces, and how answering ends."""

from __future__ import annotations

import asyncio
import os

import pytest

from permissions.confine.asker import LARGEST_QUESTION, Asker
from permissions.confine.questions import end_answering
from permissions.confine.wire import PROGRESS, REPLY, frame, take_frames


def test_a_question_that_is_too_long_is_not_even_begun() -> None:
    reading, writing = os.pipe()
    try:
        os.set_blocking(reading, False)
        os.set_blocking(writing, False)
        with pytest.raises(ValueError, match="a question of"):
            Asker(writing).send(bytes(LARGEST_QUESTION + 1))
        with pytest.raises(BlockingIOError):
            os.read(reading, 1)
        Asker(writing).send(b"short")  # the control
        assert os.read(reading, 100).endswith(b"short")
    finally:
        os.close(reading)
        os.close(writing)


def test_a_frame_is_taken_whole_or_not_yet() -> None:
    buffer, said = bytearray(), frame(PROGRESS, b"half way") + frame(REPLY, b"done")
    found = []
    for byte in said:
        buffer.append(byte)
        found += take_frames(buffer, most_bytes=100)
    assert (found, buffer) == ([(PROGRESS, b"half way"), (REPLY, b"done")], b"")


async def test_who_is_cancelled_while_answering_ends_is_cancelled_once_it_has_ended() -> None:
    go_on, asked = asyncio.Event(), asyncio.Event()

    async def slow_to_end() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            asked.set()
            await go_on.wait()

    serving = asyncio.create_task(slow_to_end())
    await asyncio.sleep(0)
    ending = asyncio.create_task(end_answering(serving))
    await asked.wait()
    ending.cancel()
    await asyncio.sleep(0)
    assert not ending.done(), "the answering goes on"
    go_on.set()
    with pytest.raises(asyncio.CancelledError):
        await ending
    assert serving.done()


async def test_what_went_wrong_in_answering_is_told_at_its_end() -> None:
    async def fails() -> None:
        raise ZeroDivisionError

    serving = asyncio.create_task(fails())
    await asyncio.sleep(0)
    with pytest.raises(ZeroDivisionError):
        await end_answering(serving)
    waiting = asyncio.create_task(asyncio.sleep(60))
    await end_answering(waiting)  # the control: to be ended is no fault
    assert waiting.cancelled()
