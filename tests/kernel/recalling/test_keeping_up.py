"""Recall is told what ended by one worker, a portion at a time, however many runs end meanwhile."""

from __future__ import annotations

import asyncio
import threading
import time
from typing import Any

import numpy as np
import pytest

from kernel.recalling import keeping_up, recollection
from kernel.recalling.keeping_up import KeepingUp

Bench = Any  # tests/kernel/conftest.py


class Backlog:
    """A recall with so many portions to do; it counts who works, and waits where it is told to."""

    is_open = True

    def __init__(self, portions: int) -> None:
        self.left = portions
        self.began = self.at_once = self.most_at_once = 0
        self.times: list[float] = []
        self.may_go_on = threading.Event()

    def keep_up(self) -> int:
        self.began += 1
        self.times.append(time.monotonic())
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        assert self.may_go_on.wait(20)
        self.at_once -= 1
        self.left = max(self.left - 1, 0)
        return self.left


async def _until(condition: Any) -> None:
    deadline = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < deadline
        await asyncio.sleep(0.01)


def _keeping(backlog: Backlog, *, busy: bool = False, faults: list[BaseException] | None = None) -> KeepingUp:
    return KeepingUp(backlog, lambda: busy, (faults if faults is not None else []).append)  # type: ignore[arg-type]


async def test_ten_ended_runs_start_one_worker() -> None:
    backlog = Backlog(1)
    keeping = _keeping(backlog)
    for _ in range(10):
        keeping.soon()
    assert backlog.began == 0, "not at once"
    await _until(lambda: backlog.began)
    for _ in range(10):
        keeping.soon()
    backlog.may_go_on.set()
    await _until(lambda: backlog.began == 2 and keeping._work is None)
    assert (backlog.most_at_once, keeping._timer) == (1, None), "what ended meanwhile is looked at once more"
    keeping.stop()


async def test_a_backlog_is_done_a_portion_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeping_up, "LEARN_AFTER_S", 0.1)
    for busy, pause_s in ((False, 0.0), (True, 0.1)):
        backlog = Backlog(4)
        backlog.may_go_on.set()
        keeping = _keeping(backlog, busy=busy)
        began = time.monotonic()
        keeping.soon()
        await _until(lambda backlog=backlog: backlog.left == 0)
        assert backlog.times[0] - began >= 0.09
        assert backlog.began == 4
        assert all(later - one >= 0.9 * pause_s for one, later in zip(backlog.times, backlog.times[1:], strict=False))
        keeping.stop()


async def test_a_fault_is_reported_and_ends_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeping_up, "LEARN_AFTER_S", 0.01)
    backlog, faults = Backlog(1), list[BaseException]()
    monkeypatch.setattr(backlog, "keep_up", lambda: 1 // 0)
    keeping = _keeping(backlog, faults=faults)
    for count in (1, 2):
        keeping.soon()
        await _until(lambda count=count: len(faults) == count)
    keeping.stop()
    keeping.soon()
    assert keeping._timer is None or keeping._timer.cancelled()


class Letters:
    """An encoder."""

    digest = "letters"
    dimensions = 26
    encoded = 0

    def encode(self, texts: list[str]) -> Any:
        self.encoded += len(texts)
        rows = np.array([[text.lower().count(chr(97 + at)) + 0.01 for at in range(26)] for text in texts], np.float32)
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)

    def rest(self) -> None:
        """Nothing to give back."""


async def test_what_ended_gets_its_vectors(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    house, encoder = bench.kernel._house, Letters()
    monkeypatch.setattr(recollection, "_PORTION", 1)
    monkeypatch.setattr(house.recollection, "_encoder", lambda: encoder)
    await bench.kernel.known.search("anything")
    for number in range(4):
        await bench.ask(f"what is {number} plus {number}?")
    recall = house.recollection._recall
    await _until(lambda: recall.standing and not recall._behind and encoder.encoded >= 8)
    assert recall.ids()
