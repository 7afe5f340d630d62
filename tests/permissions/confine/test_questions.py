"""The line at which a call asks the daemon: only with the right to, one question at a time, and never after its end."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

import permissions
from permissions.confine import Cells, questions
from permissions.model import CellOutcome, CellSpec, CellStatus, Level, Limits

HERE = Path(__file__).parent
pytestmark = pytest.mark.sandbox


class House:
    """Cells whose calls are answered here, and what was asked."""

    def __init__(self, *prefix: str) -> None:
        environment = {"PYTHONPATH": str(Path(permissions.__file__).parents[1])}
        self.cells = Cells([*prefix, sys.executable, "-P", str(HERE / "asking_cell.py")], environment=environment)
        self.asked: list[str] = []
        self.given: list[int] = []
        self.open = self.most_open = 0
        self.ended: list[str] = []
        self.pause_s = 0.0

    async def answer(self, question: bytes, given_bytes: int) -> bytes | None:
        self.asked.append(question.decode())
        self.given.append(given_bytes)
        self.open += 1
        self.most_open = max(self.open, self.most_open)
        try:
            await asyncio.sleep(self.pause_s)
        except asyncio.CancelledError:
            await asyncio.sleep(0.2)  # what is under way needs its time to end
            self.ended.append("cancelled")
            raise
        finally:
            self.open -= 1
        return None if question == b"stop" else question.upper()

    async def call(
        self, act: str, *, asks: bool = True, limits: Limits | None = None, most: int | None = None, **words: Any
    ) -> CellOutcome:
        spec = CellSpec(asks=asks, limits=limits or Limits(), minimum=Level.L2)
        request = json.dumps({"act": act, "words": words}).encode()
        return await self.cells.call(spec, request, answer=self.answer, most_questions=most)

    async def inside(self, act: str, **words: Any) -> Any:
        outcome = await self.call(act, **words)
        assert outcome.status is CellStatus.RETURNED, outcome
        return json.loads(outcome.reply or b"")["value"]


@pytest.fixture(params=["own", "own-denied"])
async def house(request: pytest.FixtureRequest) -> AsyncIterator[House]:
    """Return cells as they are here (L3 where it can be had), and where namespaces are denied (L2)."""
    denied = [sys.executable, str(HERE / "become.py"), "--without-namespaces"] if request.param == "own-denied" else []
    house = House(*denied)
    yield house
    await house.cells.close()


async def test_a_question_is_answered_and_so_is_the_memory_told(house: House) -> None:
    assert await house.inside("ask", text="hello") == "HELLO"
    large = "x" * 3_000_000
    assert await house.inside("ask", text=large, limits=Limits(reserve_bytes=300 << 20)) == large.upper()
    assert house.given == [Limits().memory_bytes, 300 << 20]


async def test_without_the_right_there_is_nothing_to_ask_at(house: House) -> None:
    assert await house.inside("lines", asks=False) == {}
    assert await house.inside("lines") == {"STEWARD_CALLS": True}
    without, with_right = await house.inside("descriptors", asks=False), await house.inside("descriptors")
    assert len(set(with_right) - set(without)) == 1
    request = json.dumps({"act": "lines", "words": {}}).encode()
    outcome = await house.cells.call(CellSpec(asks=True, minimum=Level.L2), request)  # nobody is there to answer
    assert json.loads(outcome.reply or b"") == {"value": {}}


async def test_questions_that_come_at_once_are_answered_one_after_the_other(house: House) -> None:
    house.pause_s = 0.01
    assert await house.inside("pipelined", count=20) == [f"{number:02d}" for number in range(20)]
    assert house.most_open == 1


async def test_an_answer_under_way_ends_with_its_call_and_is_waited_for(house: House) -> None:
    house.pause_s = 60.0
    assert await house.inside("leave", text="long") == "left"
    assert (house.asked, house.ended, house.open) == (["long"], ["cancelled"], 0)
    outcome = await house.call("ask", text="late", limits=Limits(wall_s=0.5))
    assert outcome.status is CellStatus.OUT_OF_TIME
    assert (house.ended, house.open) == (["cancelled"] * 2, 0)


async def test_to_cancel_the_call_twice_still_waits_for_the_end_of_the_answer(house: House) -> None:
    house.pause_s = 60.0
    calling = asyncio.create_task(house.call("ask", text="long"))
    while not house.open:  # noqa: ASYNC110 - the act begins in another process
        await asyncio.sleep(0.01)
    calling.cancel()
    await asyncio.sleep(0.1)
    calling.cancel()
    with pytest.raises(asyncio.CancelledError):
        await calling
    assert (house.ended, house.open) == (["cancelled"], 0)


async def test_a_line_that_is_misused_is_closed(house: House) -> None:
    assert await house.inside("raw", data="02000000" + b"ok".hex()) == "02000000" + b"OK".hex()  # the control
    assert await house.inside("raw", data="ffffffff") == ""
    assert await house.inside("ask", text="stop") == "ConnectionError"
    assert house.asked == ["ok", "stop"]


async def test_who_asks_without_end_is_not_listened_to(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(questions, "MOST_QUESTIONS", 20)
    assert len(await house.inside("pipelined", count=20)) == 20
    assert await house.inside("pipelined", count=21) == "ECONNRESET"
    assert len(house.asked) == 40


async def test_whoever_makes_the_call_says_how_much_may_be_asked(house: House) -> None:
    assert await house.inside("pipelined", count=6, most=5) == "ECONNRESET"
    assert len(house.asked) == 5
    assert len(await house.inside("pipelined", count=6, most=6)) == 6


async def test_a_descriptor_sent_along_does_not_arrive(house: House) -> None:
    assert await house.inside("smuggle") == "X"
    assert not any(
        os.path.realpath(f"/proc/self/fd/{number}") == "/etc/passwd" for number in os.listdir("/proc/self/fd")
    )
