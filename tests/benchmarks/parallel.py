"""Plans of look-ups and sums that could run at once: our dispatch, one task after the other, waves, as they end.

40 DAGs of the shapes of LLMCompiler's ParallelQA (Kim et al. 2024: two to four questions that need look-ups, some a
second one that takes the result of the first, sums over them, an end), with latencies as of a search on the web (0.1
to 0.6 s) and of a sum (0.01 to 0.05 s). Each goes, one way after the other, through the real dispatch (rights,
allotment, staging and the ledger are the kernel's own; a call only sleeps); through a loop that does one task after the
other; through one that starts all tasks that may begin and waits for the whole wave, as agents do that call tools in
rounds; and through one that looks again whenever a task has ended, and does nothing else.

python -m tests.benchmarks.parallel [--no-publish]
"""

from __future__ import annotations

import asyncio
import os
import random
import sys
import tempfile
import time
from pathlib import Path

from tests.benchmarks.machine import publish, result
from tests.benchmarks.plans import Shape, critical_path_s, ours
from tests.kernel.dispatching.workshop import workshop

LIMITS = {"vs_critical_path": 1.05, "vs_sequential": 0.6}
DAGS = 40
LOOK_UP_S, SUM_S = (0.1, 0.6), (0.01, 0.05)


def shapes() -> list[Shape]:
    """Return the DAGs; the same every time."""
    dice = random.Random(11)
    return [_one(dice) for _ in range(DAGS)]


def _one(dice: random.Random) -> Shape:
    """Some questions, each one look-up or a chain of two; sums of pairs; an end that takes the sums."""
    tasks: list[tuple[float, tuple[int, ...]]] = []

    def add(bounds: tuple[float, float], after: tuple[int, ...]) -> int:
        tasks.append((round(dice.uniform(*bounds), 3), after))
        return len(tasks)

    found = []
    for _ in range(dice.randint(2, 4)):
        first = add(LOOK_UP_S, ())
        found.append(add(LOOK_UP_S, (first,)) if dice.random() < 0.3 else first)
    sums = [add(SUM_S, tuple(found[at : at + 2])) for at in range(0, len(found), 2)]
    add(SUM_S, tuple(sums))
    return tasks


async def one_by_one(shape: Shape) -> float:
    """Return the seconds that one task after the other takes."""
    began = time.perf_counter()
    for seconds, _ in shape:
        await asyncio.sleep(seconds)
    return time.perf_counter() - began


async def in_waves(shape: Shape) -> float:
    """Return the seconds of rounds: everything that may begin at once, and then all that is waited for."""
    began = time.perf_counter()
    done: set[int] = set()
    while len(done) < len(shape):
        wave = [at for at, (_, after) in enumerate(shape, 1) if at not in done and set(after) <= done]
        await asyncio.gather(*(asyncio.sleep(shape[at - 1][0]) for at in wave))
        done.update(wave)
    return time.perf_counter() - began


async def as_they_end(shape: Shape) -> float:
    """Return the seconds of a loop that starts what may begin whenever a task has ended."""
    began = time.perf_counter()
    done: set[int] = set()
    running: dict[asyncio.Task[None], int] = {}
    while len(done) < len(shape):
        for at, (seconds, after) in enumerate(shape, 1):
            if at not in done and at not in running.values() and set(after) <= done:
                running[asyncio.create_task(asyncio.sleep(seconds))] = at
        ended, _ = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
        done.update(running.pop(one) for one in ended)
    return time.perf_counter() - began


async def measure(root: Path) -> list[tuple[float, ...]]:
    """Return by DAG the seconds of the critical path, ours, one by one, in waves, as they end."""
    rows = []
    async with workshop(root) as shop:
        await ours(shop, [(0.0, ())] * 10)
        for shape in shapes():
            took = await ours(shop, shape)
            others = [await way(shape) for way in (one_by_one, in_waves, as_they_end)]
            rows.append((critical_path_s(shape), took, *others))
    return rows


def main() -> int:
    """Measure, publish, and close with one RESULT line."""
    with tempfile.TemporaryDirectory(dir=os.environ.get("DATA")) as scratch:
        rows = asyncio.run(measure(Path(scratch)))
    path, mine, one, waves, ended = (sum(column) for column in zip(*rows, strict=True))
    figures = {
        "vs_sequential": mine / one, "vs_critical_path": mine / path, "waves_vs_critical_path": waves / path,
        "as_they_end_vs_critical_path": ended / path,
        "worst_vs_critical_path": max(row[1] / row[0] for row in rows), "dags": float(len(rows)),
    }  # fmt: skip
    figures = {name: round(value, 3) for name, value in figures.items()}
    text = [
        *(__doc__ or "").strip().splitlines()[2:8],
        "",
        "| way | seconds in all | to the critical path |",
        "|---|---|---|",
    ]
    ways = {
        "the critical paths": path,
        "our dispatch": mine,
        "one after the other": one,
        "in waves": waves,
        "as they end": ended,
    }
    text += [f"| {name} | {seconds:.2f} | {seconds / path:.3f} |" for name, seconds in ways.items()]
    print("\n".join(text))
    if "--no-publish" not in sys.argv[1:]:
        publish("bench-parallel", "What running at once is worth", text, figures)
    return result("bench-parallel", figures, LIMITS)


if __name__ == "__main__":
    sys.exit(main())
