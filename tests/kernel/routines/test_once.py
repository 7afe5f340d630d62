"""A moment is one run, whatever dies when, and a fault of one routine keeps no other from running."""

from __future__ import annotations

import asyncio
import signal
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from kernel.routines import keeper
from tests.kernel.routines.conftest import Desk, desk_on

pytestmark = pytest.mark.slow

RULE = "every day at 18:00 show me the largest files in Downloads"
OTHER = "every day at 18:00 tell me what 17 * 4 is"
ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize("dies_at", ["fired", "begun"])
async def test_a_daemon_that_is_killed_in_the_middle_runs_it_once(tmp_path: Path, dies_at: str) -> None:
    async with desk_on(tmp_path) as first:
        await first.say(RULE)
    await _killed(tmp_path, dies_at)
    for at in ("2026-03-11T18:01", "2026-03-11T18:02"):
        async with desk_on(tmp_path, at) as later:
            await later.until(lambda: bool(later.fired()))
            await later.kernel.settled(later.fired()[0]["run"])
            await asyncio.sleep(1.0)  # the keeper has looked again by then
            assert len(later.fired()) == 1
            (view,) = [later.kernel.view(one["run"]) for one in later.fired()]
            assert view["resolution"] in ("executed", "rolled_back", "failed")


async def _killed(root: Path, dies_at: str) -> None:
    """Have a daemon come to a routine's moment, and die by the way."""
    child = await asyncio.create_subprocess_exec(
        sys.executable, "-P", "-m", "tests.kernel.routines.crash_child", str(root), dies_at, cwd=ROOT,
        env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"},
    )  # fmt: skip
    assert await child.wait() == -signal.SIGKILL


async def test_one_that_waits_for_a_yes_waits_on_after_a_kill_and_is_done_once(tmp_path: Path) -> None:
    async with desk_on(tmp_path) as first:
        await first.say(RULE)
        assert await first.kernel.rights.revoke_all("files")
    await _killed(tmp_path, "waits")
    async with desk_on(tmp_path, "2026-03-11T18:01") as later:
        (one,) = later.fired()
        view = await later.kernel.settled(one["run"])
        assert (view["resolution"], view["stage"], view["client"]) == ("pending", "plan", one["client"])
        await later.kernel.approve(one["run"], "once")
        view = await later.kernel.settled(one["run"])
        assert view["resolution"] == "confirmed"
        assert "big.iso" in view["answer"]
        await asyncio.sleep(1.0)  # the keeper has looked again by then
        assert len(later.fired()) == 1


async def test_a_run_that_could_not_begin_begins_later(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    await desk.say(RULE)
    await desk.say(OTHER)
    monkeypatch.setattr(keeper, "TRY_AGAIN_S", 0.2)
    real, failed = desk.kernel._receiving.fired, list[str]()

    async def fails_once(routine: Any, run: Any) -> Any:
        if not failed:
            failed.append(routine.name)
            raise OSError("no space left on device")
        return await real(routine, run)

    monkeypatch.setattr(desk.kernel._receiving, "fired", fails_once)
    desk.clock.set("2026-03-11T18:00:01")
    await desk.kernel.routines.pause((await _third(desk))["name"])
    await desk.until(lambda: len(desk.fired()) == 2)
    assert len(failed) == 1
    due = {one["node"] for one in desk.kernel.routines.every() if one["last"]}
    assert {one["client"] for one in desk.fired()} == due
    assert len(due) == 2


async def _third(desk: Desk) -> dict[str, Any]:
    """Another routine, whose pausing has the keeper look at the clock."""
    said = await desk.say("every day at 20:00 tell me what 3 * 4 is")
    return dict(said["result"]["routine"])


async def test_a_moment_whose_run_is_forgotten_is_not_run_once_more(tmp_path: Path) -> None:
    async with desk_on(tmp_path) as first:
        await first.say(RULE)
    async with desk_on(tmp_path, "2026-03-11T18:01") as second:
        await second.until(lambda: bool(second.fired()))
        run = second.fired()[0]["run"]
        await second.kernel.settled(run)
        await second.kernel.retention.set(1)
        assert second.kernel.retention.apply(time.time_ns() + 9 * 86_400 * 10**9)
    async with desk_on(tmp_path, "2026-03-11T18:02") as later:
        await asyncio.sleep(1.5)  # the keeper has looked by then
        events = [one for one in later.kernel._house.ledger.events(run=run) if one.kind == "run.created"]
        assert len(events) == 1
