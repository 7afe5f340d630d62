"""Memory limits that are learned, against none, one for all, and hints: twenty memory-heavy tasks of a person.

python -m tests.benchmarks.limits [ROUNDS]

The question is AgentCgroup's (arXiv 2602.09345), asked of real calls: tables are joined and sorted by the built-in
skill, batches of PDFs are read, large pictures are laid over each other. Each call runs in its own cell, two at a time.
Under a policy a call has what the policy gives it as its limit; under `learned` it begins with that and is raised while
it runs, and what counts as reserved is what it had at its end. The one limit for all is what `learned` reserved on the
average, rounded up: so it reserves no less. Beside it, how soon a person is asked for more whose limit a call met.
"""

from __future__ import annotations

import asyncio
import random
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from PIL import Image
from reportlab.pdfgen.canvas import Canvas

from kernel.limits import MemoryLimits
from permissions import Cells
from permissions.model import CellOutcome, CellSpec, CellStatus, Limits
from skills import Runner
from skills.model import Call, ToolId
from tests.benchmarks.machine import ROOT, publish, quantile, result
from tests.benchmarks.throttled import asked_after_s

ROUNDS = 20
AT_ONCE = 2
ASKED_BYTES = 1 << 30
MB = 1_000_000
HINTS = {"join": 1 << 30, "sort": 256 << 20, "read_documents": 256 << 20, "mean_picture": 1 << 30}
"""AgentCgroup's three classes (256 MB, 1 GB), as somebody who knows the tools but not the files would choose."""

DATA, HEAVY = ROOT / "skills" / "builtin" / "data", Path(__file__).parent / "heavy"


@dataclass(frozen=True, slots=True)
class Task:
    """One task: a tool's function, its arguments, and the files that it reads."""

    folder: Path
    function: str
    arguments: dict[str, Any]
    files: tuple[Path, ...]

    @property
    def tool(self) -> str:
        return f"{self.folder.name}.{self.function}"


Give = Callable[[Task], Limits]
Note = Callable[[Task, CellSpec, CellOutcome], None]


@dataclass(slots=True)
class Tally:
    """What a policy did: calls that ran out of memory, wall milliseconds and reserved bytes of each call."""

    killed: int = 0
    walls_ms: list[float] = field(default_factory=list)
    reserved: list[int] = field(default_factory=list)
    peaks: list[int] = field(default_factory=list)

    def add(self, cell: CellOutcome, wall_ms: float) -> None:
        self.killed += cell.status is CellStatus.OUT_OF_MEMORY
        self.walls_ms.append(wall_ms)
        self.reserved.append(cell.reserved_bytes)
        self.peaks.append(cell.peak_bytes)

    def figures(self, name: str) -> dict[str, float]:
        reserved = sum(self.reserved) / len(self.reserved) / MB
        return {f"{name}_oom_kills": float(self.killed), f"{name}_p95_ms": round(quantile(self.walls_ms, 0.95), 1),
                f"{name}_reserved_mb": round(reserved, 1)}  # fmt: skip


# --- the tasks ------------------------------------------------------------------------------------------------------


def make_tasks(folder: Path) -> list[Task]:
    """Make twenty tasks and their files: the same ones each time."""
    dice = random.Random(7)
    joins = [_join(folder, rows, dice) for rows in (1_000, 2_000, 5_000, 10_000, 20_000, 30_000)]
    sorts = [_sort(folder, rows, dice) for rows in (5_000, 10_000, 20_000, 40_000)]
    batches = [_documents(folder, files, dice) for files in (2, 5, 12, 25)]
    sizes = ((2, 1500), (3, 2000), (4, 2500), (4, 3500), (6, 4000), (7, 4500))
    pictures = [_pictures(folder, count, side, dice) for count, side in sizes]
    return [*joins, *sorts, *batches, *pictures]


def _table(path: Path, columns: str, rows: int, dice: random.Random) -> Path:
    lines = (f"{row},{dice.random():.6f},{dice.choice(('rent', 'food', 'travel'))} {row % 97}" for row in range(rows))
    path.write_text("\n".join([columns, *lines]) + "\n")
    return path


def _source(path: Path) -> dict[str, Any]:
    return {"columns": [], "rows": [], "source": str(path)}


def _join(folder: Path, rows: int, dice: random.Random) -> Task:
    left = _table(folder / f"left-{rows}.csv", "id,amount,kind", rows, dice)
    right = _table(folder / f"right-{rows}.csv", "id,share,place", rows, dice)
    return Task(DATA, "join", {"left": _source(left), "right": _source(right)}, (left, right))


def _sort(folder: Path, rows: int, dice: random.Random) -> Task:
    table = _table(folder / f"table-{rows}.csv", "id,amount,kind", rows, dice)
    return Task(DATA, "sort", {"table": _source(table), "column": "amount"}, (table,))


def _documents(folder: Path, count: int, dice: random.Random) -> Task:
    files = []
    for number in range(count):
        path = folder / f"batch-{count}-{number}.pdf"
        canvas = Canvas(str(path))
        for _page in range(4):
            for line in range(50):
                canvas.drawString(40, 800 - 15 * line, " ".join(f"{dice.randrange(10**6)}" for _ in range(9)))
            canvas.showPage()
        canvas.save()
        files.append(path)
    return Task(HEAVY, "read_documents", {"files": [{"path": str(path)} for path in files]}, tuple(files))


def _pictures(folder: Path, count: int, side: int, dice: random.Random) -> Task:
    files = []
    for number in range(count):
        path = folder / f"pictures-{count}-{side}-{number}.png"
        tile = Image.frombytes("RGB", (50, 50), dice.randbytes(7500))
        tile.resize((side, side)).save(path, compress_level=1)
        files.append(path)
    return Task(HEAVY, "mean_picture", {"files": [{"path": str(path)} for path in files]}, tuple(files))


# --- the policies ---------------------------------------------------------------------------------------------------


def learning() -> tuple[Give, Note]:
    """What the product does, from knowing nothing."""
    memory = MemoryLimits(lambda _: None)

    def give(task: Task) -> Limits:
        return memory.wanted(task.tool, map(str, task.files), _limits(ASKED_BYTES))

    return give, lambda task, spec, cell: memory.note(task.tool, spec, cell, ASKED_BYTES)


def fixed(amount: Callable[[Task], int]) -> tuple[Give, Note]:
    """The same for a task whatever happens."""
    return (lambda task: _limits(amount(task))), (lambda _task, _spec, _cell: None)


def _limits(memory_bytes: int) -> Limits:
    return Limits(wall_s=120, cpu_s=120, memory_bytes=memory_bytes)


# --- the run --------------------------------------------------------------------------------------------------------


async def measure(tasks: Sequence[Task], rounds: int, policy: tuple[Give, Note]) -> Tally:
    """Run every task ``rounds`` times in a mixed order under ``policy``."""
    order = [task for task in tasks for _ in range(rounds)]
    random.Random(11).shuffle(order)
    tally, room = Tally(), asyncio.Semaphore(AT_ONCE)
    cells = Cells([sys.executable, "-P", "-m", "skills.worker"], environment={"PYTHONPATH": str(ROOT)})
    runner = Runner(cells)
    await cells.start()

    async def one(task: Task) -> None:
        async with room:
            spec = CellSpec(tuple(map(str, (*task.files, task.folder))), limits=policy[0](task))
            began = time.perf_counter()
            ran = await runner.run(_call(task), spec)
            tally.add(ran.cell, (time.perf_counter() - began) * 1000)
            policy[1](task, spec, ran.cell)
            error = ran.result.error
            if error and error["code"] != "task.memory":
                raise SystemExit(f"{task.tool} failed: {error['message']}")

    try:
        await asyncio.gather(*(one(task) for task in order))
    finally:
        await cells.close()
    return tally


def _call(task: Task) -> Call:
    home = str(task.files[0].parent)
    return Call(
        tool=ToolId(task.tool), folder=str(task.folder), function=task.function, arguments=task.arguments,
        language="en", home=home, cwd=home, now="2025-07-01T12:00:00+02:00", timezone="Europe/Berlin", seed=1,
        staging=None,
    )  # fmt: skip


async def compare(tasks: Sequence[Task], rounds: int) -> dict[str, Tally]:
    """Run all four policies."""
    learned = await measure(tasks, rounds, learning())
    mean = sum(learned.reserved) // len(learned.reserved)
    static = -(-mean >> 24) << 24
    machine = MemoryLimits(lambda _: None).machine_bytes
    return {
        "none": await measure(tasks, rounds, fixed(lambda _: machine)),
        "static": await measure(tasks, rounds, fixed(lambda _: static)),
        "hints": await measure(tasks, rounds, fixed(lambda task: HINTS[task.function])),
        "learned": learned,
    }


def main() -> int:
    """Measure, publish, and close with one RESULT line."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    with tempfile.TemporaryDirectory() as scratch:
        tasks = make_tasks(Path(scratch))
        tallies = asyncio.run(compare(tasks, rounds))
        asked_s = asyncio.run(asked_after_s(Path(scratch) / "asked", rounds))
    figures = {key: value for name, tally in tallies.items() for key, value in tally.figures(name).items()}
    rows = [
        f"{len(tasks)} tasks, each {rounds} times under each policy, {AT_ONCE} at once.",
        *_text(__doc__), "",
        "| policy | ran out of memory | p95 ms | reserved MB, mean | needed MB, most |", "|---|---|---|---|---|",
    ]  # fmt: skip
    for name, tally in tallies.items():
        values = [figures[f"{name}_{key}"] for key in ("oom_kills", "p95_ms", "reserved_mb")]
        rows.append(f"| {name} | {' | '.join(f'{value:g}' for value in values)} | {max(tally.peaks) / MB:.0f} |")
    rows += ["", f"Asked whether it may have more, after a call met a person's limit: {max(asked_s):.2f} s at most."]
    figures["asked_max_s"] = round(max(asked_s), 3)
    publish("bench-limits", "Memory limits that are learned", rows, figures | {"rounds": float(rounds)})
    bounds = {
        "learned_oom_kills": figures["static_oom_kills"] - 1,
        "learned_reserved_mb": figures["static_reserved_mb"],
        "asked_max_s": 2.0,
    }
    return result("bench-limits", figures, bounds)


def _text(doc: str | None) -> list[str]:
    """Return the explanation, without its first lines."""
    return ["", *(doc or "").strip().splitlines()[4:]]


if __name__ == "__main__":
    sys.exit(main())
