"""Which bound of the tree a call met, what is said of it, and that the command that is named does what it says."""

from __future__ import annotations

import shlex
import signal
from typing import Any

import pytest

from kernel.allotting.met import Bound, binding, with_bound
from permissions.model import CellOutcome, CellStatus, Level, Limits
from permissions.policy import path_of
from permissions.policy.controllers import parse_amount

Bench = Any  # tests/kernel/conftest.py
TOTAL = "what is the total amount in costs.csv"


def cell(**more: Any) -> CellOutcome:
    return CellOutcome(CellStatus.CRASHED, Level.L3, **more)


@pytest.mark.parametrize(
    ("bound", "error", "ended", "written", "words"),
    [
        (("memory", 60_000_000), {"code": "task.memory"}, cell(), 0, "The limit of data for memory is 60 MB."),
        (("wall", 1500), {"code": "task.time"}, cell(), 0, "The limit of data for wall is 1500 ms."),
        (("cpu", 2000), {}, cell(signal=signal.SIGXCPU), 0, "The limit of data for cpu is 2 s."),
        (("pids", 3), {}, cell(refused_processes=1), 0, "The limit of data for pids is 3."),
        (("disk", 10), {}, cell(), 10, "The limit of data for disk is 10 B."),
        (("wall", 30, True, 500), {"code": "task.time"}, cell(), 0, "The budget of data for wall has 30 ms left."),
        (("memory", 9), {}, cell(signal=signal.SIGSEGV), 0, "That may be why: The limit of data for memory is 9 B."),
    ],
)  # fmt: skip
def test_the_bound_that_was_met_is_named(
    bound: tuple[Any, ...], error: dict[str, str], ended: CellOutcome, written: int, words: str
) -> None:
    of_tree = Bound("root/data", *bound)
    said = with_bound({"message": "It ended.", **error}, "data.sort", ended, [of_tree], written, "en")
    assert said["message"] == f"It ended. {words}"
    assert said["hint"] == f"To allow more: {of_tree.command()}"
    german = with_bound({"message": "Es endete.", **error}, "data.sort", ended, [of_tree], written, "de")
    assert german["message"] != said["message"]
    assert german["hint"] == f"Mehr erlauben: {of_tree.command()}"


@pytest.mark.parametrize(
    ("meter", "error", "ended", "written"),
    [
        ("memory", {"code": "tool.missing"}, cell(), 0),
        ("memory", {"code": "task.memory"}, cell(starved=True), 0),
        ("memory", {"code": "task.memory"}, cell(starved=True, signal=signal.SIGKILL), 0),
        ("wall", {"code": "task.memory"}, cell(), 0),
        ("wall", {}, cell(signal=signal.SIGSEGV), 0),
        ("cpu", {"code": "tool.missing"}, cell(cpu_s=9.0), 0),
        ("pids", {}, cell(), 0),
        ("disk", {}, cell(), 999),
    ],
)
def test_a_bound_that_was_not_met_is_not_spoken_of(
    meter: str, error: dict[str, str], ended: CellOutcome, written: int
) -> None:
    had = {"message": "It ended.", "hint": "Do this.", **error}
    assert with_bound(had, "data.sort", ended, [Bound("r/data", meter, 1000)], written, "en") == had


def test_a_full_disk_is_not_claimed_where_a_limit_was_met() -> None:
    error = {"code": "tool.disk_full", "message": "The disk is full.", "hint": "Free some space."}
    said = with_bound(error, "data.sort", cell(), [Bound("r/data", "disk", 1000)], 0, "en")
    assert (
        said["message"]
        == "data.sort needs more than it may have. The limit of data for disk is 1 kB. Nothing was changed."
    )
    assert with_bound(error, "data.sort", cell(), [], 0, "en") == error


@pytest.mark.parametrize(("meter", "amount"), [("memory", 60_000_000), ("wall", 1500), ("pids", 3), ("disk", 1)])
def test_the_command_can_be_typed_and_gives_more(meter: str, amount: int) -> None:
    words = shlex.split(Bound(path_of("files", "files.largest")[-1], meter, amount).command())
    assert words[:5] == ["./steward", "perms", "limit", "files.largest", meter]
    assert parse_amount(words[5], meter) == 2 * amount
    assert shlex.split(Bound("root/user", meter, 0).command())[5] == "none"


def test_only_what_bounds_the_call_counts() -> None:
    limits = Limits(memory_bytes=1000, wall_s=2.0)
    bounds = [Bound("r", "memory", 1000), Bound("r", "wall", 5000), Bound("r", "money.EUR", 0)]
    assert binding(limits, bounds) == (bounds[0],)


@pytest.mark.parametrize(
    ("node", "meter", "amount", "total"),
    [("data", "wall", "30ms", True), ("user", "memory", "0", False), ("data", "wall", "0", False)],
)
async def test_a_call_that_meets_a_bound_says_which_and_runs_after_the_command(
    bench: Bench, node: str, meter: str, amount: str, total: bool
) -> None:
    (bench.home / "costs.csv").write_text("item,amount\ntea,2.80\n")
    assert (await bench.ask(TOTAL))["resolution"] == "confirmed", "the control"
    await bench.kernel.rights.limit(node, meter, amount, total=total)
    view = await bench.ask(TOTAL)
    assert view["resolution"] == "failed"
    assert f" of {node} for {meter} " in view["error"]["message"]
    assert f"./steward perms limit {node} {meter} " in view["error"]["hint"]
    await bench.kernel.rights.limit(node, meter, "none" if amount == "0" else "1h", total=total)
    assert (await bench.ask(TOTAL))["resolution"] in ("confirmed", "executed")
