"""What a running call may use: stopped when a right goes, bounded by the tree, settled after; by a real kernel."""

from __future__ import annotations

import asyncio
import os
import time
from pathlib import Path
from typing import Any

import pytest

from memory import Ledger
from memory.model import Draft
from tests.kernel.hostile import attack, begin, described, reopened, said, step

Bench = Any  # tests/kernel/conftest.py

pytestmark = [pytest.mark.slow, pytest.mark.sandbox]

SKILL = "root/user/workspace/hostile"
DOCUMENTS = "fs.read:~/Documents/**"


async def reading_a_pipe(bench: Bench, **given: str) -> tuple[str, str, Path]:
    """Set a call going that reads until somebody writes; return its grant, its run and the pipe."""
    pipe = bench.home / "Documents" / "pipe"
    os.mkfifo(pipe)
    grant = await bench.kernel.grant("hostile", DOCUMENTS, **given)
    path = str(bench.home / "Documents")
    run = await begin(bench, step(1, "look", folder=said({"path": path}), path=said(str(pipe))), yes=False)
    async for event in bench.kernel.stream(run=run):
        if event["kind"] in ("task.started", "run.finished"):
            break
    await asyncio.sleep(0.3)
    assert bench.kernel.view(run)["resolution"] == "pending"
    return grant, run, pipe


async def ended(bench: Bench, run: str, longest_s: float = 60) -> dict[str, Any]:
    async with asyncio.timeout(longest_s):
        view: dict[str, Any] = await bench.kernel.settled(run)
    return view


async def test_revoking_stops_the_call_that_needs_it(hostile: Bench) -> None:
    grant, run, _ = await reading_a_pipe(hostile)
    await hostile.kernel.revoke(grant)
    view = await ended(hostile, run)
    assert (view["resolution"], view["error"]["code"]) == ("blocked", "task.revoked")
    assert "fs.read" in view["answer"]
    assert "taken away" in view["answer"]
    again = await attack(hostile, step(1, "look", folder=said({"path": str(hostile.home / "Documents")}),
                                       path=said("x")), yes=False)  # fmt: skip
    assert (again["resolution"], again["stage"]) == ("pending", "plan"), "the next check asks"


@pytest.mark.parametrize("revoked", [True, False])
async def test_what_was_revoked_under_a_waiting_change_is_not_committed(hostile: Bench, revoked: bool) -> None:
    """The control: the same run with another grant taken away is committed."""
    folder = hostile.home / "Documents"
    actions = ("fs.read", "fs.create", "fs.write", "fs.delete")
    grants = [await hostile.kernel.grant("hostile", f"{action}:{folder}/**") for action in actions]
    other = await hostile.kernel.grant("hostile", "fs.read:~/Downloads/**")
    effect = {"op": "delete", "path": f"{folder}/thesis.txt", "base": "real"}
    view = await attack(hostile, described(1, "change", folder, effect), yes=False)
    assert (view["resolution"], view["stage"]) == ("pending", "commit")
    await hostile.kernel.revoke(grants[-1] if revoked else other)
    view = await hostile.answer(view["run"], "once")
    assert (folder / "thesis.txt").exists() is revoked
    assert view["resolution"] == ("blocked" if revoked else "confirmed")
    assert not revoked or view["error"]["code"] == "task.revoked"


async def test_the_same_right_given_twice_is_one_grant(hostile: Bench) -> None:
    first = await hostile.kernel.grant("hostile", DOCUMENTS)
    assert await hostile.kernel.grant("hostile", DOCUMENTS) == first
    assert [one["id"] for one in hostile.kernel.perms() if one["skill"] == "hostile"] == [first]
    assert await hostile.kernel.grant("hostile", DOCUMENTS, lasting="1h") != first, "one that ends is another"
    await hostile.kernel.revoke(first)
    assert await hostile.kernel.grant("hostile", DOCUMENTS) != first, "what was taken away is given anew"


async def test_a_call_that_does_not_need_it_goes_on(hostile: Bench) -> None:
    """The control: the same call, another right is taken away, and it reads to its end."""
    _, run, pipe = await reading_a_pipe(hostile)
    other = await hostile.kernel.grant("hostile", "fs.read:~/Downloads/**")
    await hostile.kernel.revoke(other)
    await asyncio.sleep(0.3)
    assert hostile.kernel.view(run)["resolution"] == "pending"
    await asyncio.to_thread(pipe.write_text, "the end")
    view = await ended(hostile, run)
    assert (view["resolution"], view["answer"]) == ("executed", "the end")


async def test_a_deny_inside_of_what_it_reads_stops_it(hostile: Bench) -> None:
    _, run, _ = await reading_a_pipe(hostile)
    await hostile.kernel.rights.deny("notes", "fs.read:~/Documents/pipe")
    await asyncio.sleep(0.3)
    assert hostile.kernel.view(run)["resolution"] == "pending", "the control: another skill is denied"
    denied = await hostile.kernel.rights.deny("user", "fs.read:~/Documents/pipe", why="because")
    view = await ended(hostile, run)
    assert (view["resolution"], view["error"]["code"]) == ("blocked", "task.revoked")
    assert denied in view["error"]["hint"]


async def test_a_place_that_was_denied_is_hidden_in_the_granted_tree(hostile: Bench) -> None:
    documents = hostile.home / "Documents"
    await hostile.kernel.grant("hostile", DOCUMENTS)
    look = step(1, "look", folder=said({"path": str(documents)}), path=said(str(documents / "thesis.txt")))
    assert (await attack(hostile, look))["answer"] == "thesis\n", "the control"
    denied = await hostile.kernel.rights.deny("hostile", "fs.read:~/Documents/thesis.txt")
    assert "thesis" not in (await attack(hostile, look))["answer"]
    await hostile.kernel.rights.revoke(denied, denies=True)
    assert (await attack(hostile, look))["answer"] == "thesis\n"


async def test_a_grant_that_ends_stops_it(hostile: Bench) -> None:
    _, run, _ = await reading_a_pipe(hostile, lasting="8s")
    view = await ended(hostile, run)
    assert (view["resolution"], view["error"]["code"]) == ("blocked", "task.revoked")


async def test_cancelling_and_revoking_at_once_is_one_end(hostile: Bench) -> None:
    grant, run, _ = await reading_a_pipe(hostile)
    await asyncio.gather(hostile.kernel.revoke(grant), hostile.kernel.cancel(run))
    view = await ended(hostile, run)
    assert view["resolution"] in ("blocked", "rolled_back")
    kinds = [event["kind"] for event in view["events"]]
    assert kinds.count("run.finished") == 1


def filling(bench: Bench, mib: int) -> Any:
    folder = said({"path": str(bench.home / "Documents")})
    return step(1, "fill", folder=folder, total=said(mib), unlinked=said(False), pause_ms=said(0))


async def test_a_limit_of_the_tree_bounds_what_a_call_writes(hostile: Bench) -> None:
    house = hostile.kernel._house
    assert (await attack(hostile, filling(hostile, 3)))["resolution"] == "confirmed", "the control"
    await house.limit("root/user", "disk", 2_000_000, total=False, why="")
    view = await attack(hostile, filling(hostile, 3))
    assert (view["resolution"], view["error"]["code"]) == ("failed", "refused.limit")
    assert "user" in view["answer"]
    await house.limit("root/user", "disk", None, total=False, why="")
    assert (await attack(hostile, filling(hostile, 3)))["resolution"] == "confirmed"


async def test_a_limit_on_time_ends_a_call_early(hostile: Bench) -> None:
    await hostile.kernel._house.limit(SKILL, "wall", 1500, total=False, why="")
    began = time.monotonic()
    _, run, _ = await reading_a_pipe(hostile)
    view = await ended(hostile, run)
    assert view["resolution"] == "failed"
    assert time.monotonic() - began < 8


async def test_a_budget_is_used_up_and_survives_a_restart(hostile: Bench) -> None:
    house = hostile.kernel._house
    await house.limit("root/user", "disk", 5_000_000, total=True, why="for today")
    assert (await attack(hostile, filling(hostile, 3)))["resolution"] == "confirmed"
    left = house.accounts.budgets.left("root/user", "disk")
    assert 1_000_000 < left < 2_000_000
    await reopened(hostile)
    house = hostile.kernel._house
    assert house.accounts.budgets.left("root/user", "disk") == left
    view = await attack(hostile, filling(hostile, 3))
    assert view["resolution"] == "failed", "a call gets no more than what is left"
    await attack(hostile, filling(hostile, 3))
    assert house.accounts.budgets.left("root/user", "disk") >= 0
    await house.limit("root/user", "disk", 0, total=True, why="")
    refused = await attack(hostile, filling(hostile, 1))
    assert (refused["resolution"], refused["error"]["code"]) == ("failed", "refused.budget")


async def test_calls_in_parallel_never_use_more_than_there_is(hostile: Bench) -> None:
    house = hostile.kernel._house
    await house.limit(SKILL, "wall", 60_000, total=True, why="")
    runs = [attack(hostile, step(1, "flood")) for _ in range(4)]
    views = await asyncio.gather(*runs)
    assert {view["resolution"] for view in views} <= {"executed", "failed"}
    assert "executed" in {view["resolution"] for view in views}
    assert house.accounts.budgets.reserved == {}
    assert 0 <= house.accounts.budgets.left(SKILL, "wall") < 60_000


async def test_a_crash_gives_back_what_was_only_reserved(hostile: Bench) -> None:
    house = hostile.kernel._house
    await house.limit(SKILL, "wall", 60_000, total=True, why="")
    body = {"id": "b-1", "path": [SKILL], "amounts": {"wall": 30_000}}
    await asyncio.wrap_future(house.ledger.submit(Draft("budget.reserved", body)))
    await reopened(hostile)
    assert hostile.kernel._house.accounts.budgets.left(SKILL, "wall") == 60_000
    body = {"id": "b-1", "path": [SKILL], "used": {"wall": 20_000}}
    await asyncio.wrap_future(hostile.kernel._house.ledger.submit(Draft("budget.settled", body)))
    await reopened(hostile)
    assert hostile.kernel._house.accounts.budgets.left(SKILL, "wall") == 40_000, "the control: settled is used"


async def test_a_clock_set_back_between_two_starts_revives_nothing(hostile: Bench) -> None:
    """The ledger knows of a time two hours ahead; the machine's clock, now, is behind it."""
    grant = await hostile.kernel.grant("hostile", DOCUMENTS, lasting="1h")
    await hostile.kernel.close()
    later = time.time_ns() + 7200 * 10**9
    with Ledger.open(hostile.folders.data / "ledger", clock_ns=lambda: later) as ledger:
        ledger.append(Draft("run.noted", {}))
    for _ in range(3):  # what was seen stays seen, however often the daemon starts
        hostile.kernel = await hostile.reopen()
        assert grant not in [one["id"] for one in hostile.kernel.perms()]
        assert hostile.kernel._house.now_s() >= later / 1e9
        await hostile.kernel.close()
    hostile.kernel = await hostile.reopen()
