"""What dispatch costs: plans of simulated latency against their critical path, and against polling.

DAGs of the shapes of ParallelQA (several look-ups, sums of them, an end), fans, chains, diamonds, and random ones of 3
to 40 tasks go through the real dispatch: rights, allotment, staging and the ledger are the kernel's own, and a call
only sleeps; what a kernel does by itself after its start is waited for. Beside it in the same run, on the same DAGs:
the way of LLMCompiler's task fetching unit, which looks every 10 ms which task may begin. A failing and a hanging task:
when the plan has ended, with a call that sleeps and in a real cell. Two plans run in real cells, where starting a cell
is part of the time.

python -m tests.benchmarks.plans [--no-publish]
"""

from __future__ import annotations

import asyncio
import os
import random
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from kernel.model import Task
from tests.benchmarks.machine import publish, quantile, result
from tests.kernel.dispatching.workshop import Workshop, nap, sleeping, soon, step, workshop

LIMITS = {"vs_critical_path": 1.05, "overhead_ms": 1.0, "late_s": 0.1}
POLL_S = 0.01
"""LLMCompiler, src/llm_compiler/task_fetching_unit.py: ``await asyncio.sleep(0.01)`` between two looks."""

HANG_S, TIMEOUT_S = 3600.0, 1.0
BURST, ROUNDS = 40, 30
REST_S = 120.0

Shape = Sequence[tuple[float, tuple[int, ...]]]
"""By task, from 1: its latency in seconds, and the tasks that it comes after."""


def shapes() -> dict[str, Shape]:
    """Return the DAGs by name; the same every time."""
    dice = random.Random(7)

    def late() -> float:
        return round(dice.uniform(0.05, 0.3), 3)

    found: dict[str, Shape] = {
        "two look-ups, a sum, an end": [(late(), ()), (late(), ()), (late(), (1, 2)), (late(), (3,))],
        "four look-ups, two sums, an end": [
            *((late(), ()) for _ in range(4)), (late(), (1, 2)), (late(), (3, 4)), (late(), (5, 6)),
        ],
        "fan of 8": [(late(), ()), *((late(), (1,)) for _ in range(8)), (late(), tuple(range(2, 10)))],
        "fan of 30": [(late(), ()), *((late(), (1,)) for _ in range(30)), (late(), tuple(range(2, 32)))],
        "chain of 8": [(late(), (n,) if n else ()) for n in range(8)],
        "three diamonds": [
            one for n in range(3)
            for one in ((late(), (4 * n,) if n else ()), (late(), (4 * n + 1,)), (late(), (4 * n + 1,)),
                        (late(), (4 * n + 2, 4 * n + 3)))
        ],
    }  # fmt: skip
    for size in (3, 5, 8, 12, 16, 20, 25, 30, 35, 40):
        found[f"random, {size} tasks"] = [
            (late(), tuple(sorted(dice.sample(range(1, n), min(n - 1, dice.randint(0, 3))))))
            for n in range(1, size + 1)
        ]
    return found


def critical_path_s(shape: Shape) -> float:
    """Return the longest sum of latencies along arrows."""
    ends: list[float] = []
    for seconds, after in shape:
        ends.append(seconds + max((ends[one - 1] for one in after), default=0.0))
    return max(ends)


def tasks_of(shape: Shape) -> list[Task]:
    """Return a shape as tasks that take each other's results."""
    return [nap(number, seconds, after) for number, (seconds, after) in enumerate(shape, 1)]


async def ours(shop: Workshop, shape: Shape) -> float:
    """Return the seconds that the real dispatch takes."""
    tasks = tasks_of(shape)
    began = time.perf_counter()
    outcomes = await shop.run(*tasks, run_call=sleeping)
    took = time.perf_counter() - began
    if len(outcomes) != len(tasks) or not all(one.ok for one in outcomes.values()):
        raise SystemExit(f"The plan was not done: {outcomes}")
    return took


async def polling(shape: Shape) -> float:
    """Return the seconds that it takes to look every 10 ms which task may begin."""
    done: set[int] = set()
    begun: set[int] = set()
    jobs = []

    async def run(number: int, seconds: float) -> None:
        await asyncio.sleep(seconds)
        done.add(number)

    began = time.perf_counter()
    while len(begun) < len(shape):
        for number, (seconds, after) in enumerate(shape, 1):
            if number not in begun and set(after) <= done:
                begun.add(number)
                jobs.append(asyncio.create_task(run(number, seconds)))
        await asyncio.sleep(POLL_S)
    await asyncio.gather(*jobs)
    return time.perf_counter() - began


async def at_rest() -> None:
    """Wait until the work in the background that follows a start is over: for a second nothing takes the processor."""
    still, deadline = 0, time.monotonic() + REST_S
    while still < 4:
        if time.monotonic() > deadline:
            raise SystemExit(f"The kernel is not at rest {REST_S:g} seconds after its start.")
        began = time.process_time()
        await asyncio.sleep(0.25)
        still = still + 1 if time.process_time() - began < 0.01 else 0


async def timed(work: Awaitable[Any]) -> float:
    """Return the seconds of ``work``."""
    began = time.perf_counter()
    await work
    return time.perf_counter() - began


async def hanging(call: Any, *rest: Any) -> Any:
    """A call of which the ones named so never come back."""
    if call.arguments.get("seconds") == HANG_S:
        await asyncio.Event().wait()
    return await sleeping(call, *rest)


async def ends(shop: Workshop) -> dict[str, float]:
    """Return how many seconds late a plan ends of which one task hangs or fails, on sleeping calls and in cells."""
    bad = [nap(1, 0.05), nap(2, HANG_S), nap(3, 0.05, (1,)), nap(4, 0.05, (2, 3))]
    failing = [nap(1, 0.05), step(2, "fail"), nap(3, HANG_S), nap(4, 0.05, (2, 3))]
    await shop.run(nap(1, 0.0))  # a worker is there
    ways: Mapping[str, Callable[[], Awaitable[Any]]] = {
        "a hanging call": lambda: shop.run(*bad, run_call=hanging, timeout_s=TIMEOUT_S, prepare=soon),
        "a hanging call in a cell": lambda: shop.run(*bad, timeout_s=TIMEOUT_S),
    }
    found = {name: await timed(way()) - TIMEOUT_S for name, way in ways.items()}
    found["a failing call beside a hanging one, in cells"] = await timed(shop.run(*failing, timeout_s=60.0))
    return found


async def overhead_ms(shop: Workshop, shape: Shape) -> float:
    """Return the milliseconds a task of a plan of calls that take no time: the tenth of the rounds that is best.

    Others use the machine too, and a processor that is shared makes the same work two to five times as long.
    """
    return quantile([await ours(shop, shape) / len(shape) * 1000 for _ in range(ROUNDS)], 0.1)


async def measure(root: Path) -> tuple[list[tuple[str, float, float, float]], dict[str, float], dict[str, float]]:
    """Measure everything; return a row for each DAG, the figures, and how late bad plans end."""
    async with workshop(root) as shop:
        await ours(shop, [(0.0, ())] * BURST)
        await at_rest()
        rows = []
        for name, shape in shapes().items():
            rows.append((name, critical_path_s(shape), await ours(shop, shape), await polling(shape)))
        chain = [(0.0, (n,) if n else ()) for n in range(BURST)]
        wide = [(0.0, ()) for _ in range(BURST)]
        figures = {"overhead_ms": await overhead_ms(shop, chain), "wide_ms": await overhead_ms(shop, wide)}
        cells = [timed(shop.run(*tasks_of(shapes()[name]), parallel=4)) for name in ("fan of 8", "chain of 8")]
        figures |= {"cells_fan_s": await cells[0], "cells_chain_s": await cells[1]}
        return rows, figures, await ends(shop)


def main() -> int:
    """Measure, publish, and close with one RESULT line."""
    with tempfile.TemporaryDirectory(dir=os.environ.get("DATA")) as scratch:
        rows, figures, late = asyncio.run(measure(Path(scratch)))
    whole = sum(path for _, path, _, _ in rows)
    figures = {
        "vs_critical_path": sum(took for *_, took, _ in rows) / whole,
        "worst_vs_critical_path": quantile([took / path for _, path, took, _ in rows], 1.0),
        "polling_vs_critical_path": sum(polled for *_, polled in rows) / whole,
        "late_s": max(late.values()),
        **figures,
    }
    figures = {name: round(value, 3) for name, value in figures.items()}
    text = [*(__doc__ or "").strip().splitlines()[2:8], "",
            "| plan | critical path s | ours s | polling s |", "|---|---|---|---|"]  # fmt: skip
    text += [f"| {name} | {path:.3f} | {took:.3f} | {polled:.3f} |" for name, path, took, polled in rows]
    text += ["", f"Against the critical path: ours {figures['vs_critical_path']:.3f} "
             f"(worst {figures['worst_vs_critical_path']:.3f}), polling {figures['polling_vs_critical_path']:.3f}.",
             f"Overhead of a task: {figures['overhead_ms']:g} ms in a chain, {figures['wide_ms']:g} ms side by side.",
             f"In real cells, four at once: the fan of 8 {figures['cells_fan_s']:g} s, the chain of 8 "
             f"{figures['cells_chain_s']:g} s."]  # fmt: skip
    text += ["", "| a bad task | the plan ends late by s |", "|---|---|"]
    text += [f"| {name} | {seconds:.3f} |" for name, seconds in late.items()]
    text += ["", "The polling loop never ends with a failing or a hanging task: its event is not set (read in its "
             "source)."]  # fmt: skip
    print("\n".join(text))
    if "--no-publish" not in sys.argv[1:]:
        publish("bench-plans", "What dispatch costs", text, figures)
    return result("bench-plans", figures, LIMITS)


if __name__ == "__main__":
    sys.exit(main())
