"""What a replay leaves behind is one event, which keeps nothing alive: no words past their time, nothing in memory."""

from __future__ import annotations

import asyncio
import gc
import time

import pytest

import kernel.replaying
from kernel import Ask
from kernel.house import House
from kernel.replaying import Replay, Standing
from kernel.replaying.then import LedgerThen
from tests.kernel.conftest import Bench

pytestmark = [pytest.mark.slow, pytest.mark.sandbox]

DAY_NS = 86_400 * 10**9


async def test_words_go_in_their_time_though_the_run_was_just_replayed(bench: Bench) -> None:
    old = await bench.ask("what is 2 + 3")
    await bench.kernel.retention.set(1)
    over_ns = time.time_ns()
    assert (await bench.kernel.replay(old["run"]))["same"]
    assert bench.kernel.retention.apply(over_ns + DAY_NS) > 0
    assert bench.kernel.view(old["run"])["forgotten"]
    (replayed,) = bench.kernel._house.ledger.events(kinds=("run.replayed",))
    assert replayed.body is not None
    assert (await bench.kernel.replay(old["run"]))["standing"] == "forgotten"


async def test_what_it_learnt_goes_with_it(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    learning = bench.kernel._house.learning
    learnt = learning.learnt
    monkeypatch.setattr(learning, "learnt", lambda ledger, mind: learnt(ledger, mind) | {"dense": True})
    done = await bench.ask("what is 2 + 3")
    learners, readers = (len(learning._learners), len(learning._own)), _readers()
    for _ in range(3):
        assert (await bench.kernel.replay(done["run"]))["same"]
    assert (len(learning._learners), len(learning._own)) == learners
    assert _readers() == readers


def _readers() -> int:
    gc.collect()
    return sum(type(one) is LedgerThen for one in gc.get_objects())


async def test_a_call_made_once_more_teaches_nothing_of_what_its_tool_needs(bench: Bench) -> None:
    await bench.kernel.grant("files", f"fs.read:{bench.home}/Downloads/**")
    done = await bench.ask("find the three largest files in ~/Downloads")
    peaks = bench.kernel._house.memory._peaks
    known = {key: len(found) for key, found in peaks.items()}
    found = await bench.kernel.replay(done["run"], tools=True)
    (output,) = [one for one in found["steps"] if one["kind"] == "output"]
    assert (output["taken"], output["same"]) == (False, True), output  # it was made
    assert {key: len(found) for key, found in peaks.items()} == known


async def test_a_programs_call_is_not_made_once_more_where_its_own_use_is_counted(bench: Bench) -> None:
    await bench.kernel.clients.add("claude")
    await bench.kernel.clients.allow("claude", ["ask"])
    run = await bench.kernel.ask(Ask("find the three largest files in ~/Downloads", client="claude", channel="mcp"))
    view = await bench.kernel.settled(run)
    if view["resolution"] == "pending":
        view = await bench.answer(run, "once")
    assert view["resolution"] == "confirmed", view
    await bench.kernel._house.limit("root/user/workspace/mcp:claude", "wall", 3_600_000, total=True, why="")
    found = await bench.kernel.replay(run, tools=True)
    (output,) = [one for one in found["steps"] if one["kind"] == "output"]
    assert "is counted" in output["why"][0], output


async def test_one_replay_goes_on_at_a_time(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    going: list[str] = []

    async def slow(_house: House, run: str, *, tools: bool) -> Replay:
        going.append(run)
        await asyncio.sleep(0)
        assert (going.pop(), going, tools) == (run, [], False)
        return Replay(run, "en", Standing.COMPARED, (), "", {})

    monkeypatch.setattr(kernel.replaying, "replayed", slow)
    found = await asyncio.gather(*(bench.kernel.replay(f"r-{number}") for number in range(3)))
    assert [one["run"] for one in found] == ["r-0", "r-1", "r-2"]
