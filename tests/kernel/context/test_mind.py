"""What was done is learnt after it, never beside the next request, and by its time at the latest."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from kernel.context import mind
from kernel.context.mind import Learning
from kernel.ranking import Experience
from memory import Ledger
from skills import Registry
from skills.contents import BUILTIN

NOW = datetime(2026, 3, 4, 9, 0, tzinfo=UTC)
AFTER_S, BY_S = 0.02, 0.3


class Learner:
    """Notes when it begins to learn."""

    def __init__(self) -> None:
        self.began: list[float] = []
        self.has_begun = asyncio.Event()

    def begin(self, encode: Any) -> None:
        self.began.append(time.monotonic())
        self.has_begun.set()

    def now(self, *_: Any) -> Experience:
        return Experience()


@pytest.fixture
def learning(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Learning:
    """One that pauses shortly."""
    monkeypatch.setattr(mind, "LEARN_AFTER_S", AFTER_S)
    monkeypatch.setattr(mind, "LEARN_BY_S", BY_S)
    return Learning(None, tmp_path, encoder=False)  # type: ignore[arg-type]


@pytest.fixture
def ledger(tmp_path: Path) -> Any:
    """An empty ledger."""
    with Ledger.open(tmp_path / "ledger") as one:
        yield one


async def test_asking_starts_no_lesson_and_the_end_of_a_run_does(learning: Learning, ledger: Ledger) -> None:
    learning._learners[ledger] = learner = Learner()  # type: ignore[assignment]
    learning.experience(ledger, NOW, "c")
    assert learning._lesson is None
    learning.learn_later(ledger, lambda: False)
    await asyncio.wait_for(learner.has_begun.wait(), 20)
    assert len(learner.began) == 1
    assert learning._lesson is None


async def test_it_waits_while_a_run_lives_but_not_for_ever(learning: Learning, ledger: Ledger) -> None:
    learning._learners[ledger] = learner = Learner()  # type: ignore[assignment]
    asked: list[float] = []

    def busy() -> bool:
        asked.append(time.monotonic())
        return True

    began = time.monotonic()
    learning.learn_later(ledger, busy)
    await asyncio.wait_for(learner.has_begun.wait(), 20)
    assert len(asked) > 2
    assert learner.began[0] - began >= 0.9 * BY_S


async def test_it_learns_as_soon_as_no_run_lives(
    learning: Learning, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mind, "LEARN_BY_S", 60.0)
    learning._learners[ledger] = learner = Learner()  # type: ignore[assignment]
    live = [True, True]
    learning.learn_later(ledger, lambda: bool(live and live.pop()))
    await asyncio.wait_for(learner.has_begun.wait(), 20)
    assert not live


async def test_a_new_kernel_has_its_own_time(learning: Learning, ledger: Ledger) -> None:
    learning._learners[ledger] = learner = Learner()  # type: ignore[assignment]
    learning.learn_later(ledger, lambda: True)
    learning.stop()
    learning._latest_s = 0.0
    began = time.monotonic()
    learning.learn_later(ledger, lambda: True)
    await asyncio.wait_for(learner.has_begun.wait(), 20)
    assert learner.began[0] - began >= 0.9 * BY_S


async def test_what_was_explained_is_learnt_where_no_tool_was_looked_for(learning: Learning, ledger: Ledger) -> None:
    learning._mind = object()  # type: ignore[assignment]
    learning._own[ledger] = own = Learner()  # type: ignore[assignment]
    learning.learn_later(ledger, lambda: False)
    await asyncio.wait_for(own.has_begun.wait(), 20)
    assert len(own.began) == 1


async def test_whether_vectors_took_part_is_told_of_the_mind_that_was_asked(tmp_path: Path, ledger: Ledger) -> None:
    """The encoder may come between the ranking of a request and the writing of what it went by."""
    learning = Learning(Registry([BUILTIN]), tmp_path, encoder=True)
    learning.begin()
    asked = await learning.mind()
    while (state := learning.encoder_state) != "warm":
        assert not state.startswith("missing"), f"{state}: make it with ./steward setup"
        await asyncio.sleep(0.01)
    warm = await learning.mind()
    before = replace(asked, toolbox=asked.toolbox.without_vectors())
    assert learning.learnt(ledger, warm)["dense"] is True
    assert learning.learnt(ledger, before)["dense"] is False
