"""What the wall costs: a call from its request to its sealed result, beside other ways to run something apart.

A warm Python call at L3 with its own root, control group, limits and a tree that it works in (an overlay): from the
request until what it changed is read, hashed and sealed. In the same run, in turn with it: ``posix_spawn`` of ``true``,
``true`` in bubblewrap, an empty Python in sandlock and as a plain subprocess. A cell serves one call; what is prepared
before a call is counted in the processor time of each.

python -m tests.benchmarks.sandbox
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path

from permissions import Cells, Policy, default_policy, new_grant
from permissions.model import Action, CellSpec, GrantMode, Level, Principal, Right
from permissions.policy import explain, private_places
from permissions.transactions import Transactions
from skills import Runner
from skills.model import Call, ToolId
from tests.benchmarks import peers
from tests.benchmarks.machine import ROOT, cpu_s, median, publish, quantile, result
from tests.benchmarks.whole import Whole, whole_kernel

LIMITS = {
    "p10_vs_spawn": 3.0, "p10_vs_bwrap": 0.4, "p95_vs_bwrap_p95": 1.0, "p50_vs_sandlock_python": 0.5,
    "explain_ms": 5.0, "decision_us": 50.0,
}  # fmt: skip
ROUNDS, WARM_UP, KERNEL_ROUNDS = 150, 10, 30
BURST = 200
GRANTS = 1_000
ZONE = "Europe/Berlin"
PAUSE_S = 0.06
"""Between two calls, as between two requests: so that a cell stands by for each."""

SKILL = '''
from pathlib import Path

from skills.sdk import Context, Folder


def touch(ctx: Context, folder: Folder) -> int:
    """Write a file.

    Args:
        folder: where.
    """
    (Path(folder.path) / "made.txt").write_text("made")
    return 1


def look(ctx: Context) -> int:
    """Do nothing."""
    return 1


def run(ctx: Context, folder: Folder) -> int:
    """Run a program.

    Args:
        folder: where.
    """
    return ctx.run(["/usr/bin/true"], cwd=folder).status
'''


@dataclass(slots=True)
class Took:
    """Milliseconds of one way, as many as rounds."""

    ms: list[float] = field(default_factory=list)

    def at(self, share: float) -> float:
        """Return the quantile."""
        return quantile(self.ms, share)

    def row(self, spawn: Took) -> str:
        """Return the cells of a row: three quantiles, and the ratio of the first to that of a bare process."""
        figures = " | ".join(f"{self.at(share):.2f}" for share in (0.1, 0.5, 0.95))
        return f"{figures} | {self.at(0.1) / spawn.at(0.1):.1f}"


class Ours:
    """Calls of a small skill behind the real wall, in real transactions."""

    def __init__(self, scratch: Path) -> None:
        self._home = scratch / "home"
        self._tree = self._home / "work"
        self._skill = scratch / "skills" / "demo"
        self._tree.mkdir(parents=True)
        self._skill.mkdir(parents=True)
        (self._skill / "skill.py").write_text(SKILL)
        worker = [sys.executable, "-P", "-m", "skills.worker", ZONE, str(self._skill.parent)]
        self.cells = Cells(worker, environment={"PYTHONPATH": str(ROOT)})
        self._runner = Runner(self.cells)
        for name in ("a.txt", "b.txt", "c.txt"):
            (self._tree / name).write_text(name * 100)
        self._transactions = Transactions(scratch / "store", self._home, state=scratch / "state")
        self._runs = 0

    async def in_a_tree(self, *, program: bool = False) -> float:
        """Return the milliseconds from the request to the sealed result of a call that works in a tree."""
        self._runs += 1
        staging = self._transactions.begin(f"r{self._runs}")
        staging.task_folder("t1")
        layers = staging.open_trees("t1", [str(self._tree)])
        spec = CellSpec((str(self._skill),), layers=layers, runs_programs=program)
        call = self._call("run" if program else "touch", folder={"path": str(self._tree)}, programs=program)
        try:
            began = time.perf_counter()
            ran = await self._runner.run(call, spec)
            staging.take_in("t1")
            sealed = staging.seal()
            took = time.perf_counter() - began
        finally:
            staging.drop()
        if ran.result.error or ran.cell.level is not Level.L3 or len(sealed.changes) != (0 if program else 1):
            raise SystemExit(f"The call did not do what it should: {ran.result.error or ran.cell}")
        return took * 1000

    async def without(self) -> float:
        """Return the milliseconds of a call that is shown nothing and changes nothing."""
        began = time.perf_counter()
        ran = await self._runner.run(self._call("look"), CellSpec((str(self._skill),)))
        took = time.perf_counter() - began
        if ran.result.error:
            raise SystemExit(str(ran.result.error))
        return took * 1000

    async def cpu_ms_per_call(self, count: int) -> float:
        """Return the processor milliseconds of a call: ours, the worker's, its cells' and their preparation's."""

        def used_s() -> float:
            return time.process_time() + cpu_s(self.cells.pid or 0)

        began = used_s()
        for _ in range(count):
            await self.in_a_tree()
            await asyncio.sleep(PAUSE_S)
        await asyncio.sleep(1)
        return (used_s() - began) / count * 1000

    def _call(self, function: str, programs: bool = False, **arguments: object) -> Call:
        return Call(
            tool=ToolId(f"demo.{function}"), folder=str(self._skill), function=function,
            arguments=arguments, language="en", home=str(self._home), cwd=str(self._home),
            now="2025-07-01T12:00:00+02:00", timezone=ZONE, seed=1, programs=programs,
        )  # fmt: skip


async def in_turn(ways: dict[str, Callable[[], Awaitable[float]]], rounds: int) -> dict[str, Took]:
    """Measure every way once a round, with a pause after each."""
    took = {name: Took() for name in ways}
    for number in range(WARM_UP + rounds):
        for name, way in ways.items():
            ms = await way()
            if number >= WARM_UP:
                took[name].ms.append(ms)
            await asyncio.sleep(PAUSE_S)
    return took


def blocking(work: Callable[[], float]) -> Callable[[], Awaitable[float]]:
    """Return ``work`` as a way to be measured."""

    async def way() -> float:
        return work()

    return way


def many_grants() -> tuple[Policy, Principal, Iterator[Right]]:
    """Return a policy with a thousand standing grants, who asks, and rights that some of them answer."""
    home = "/home/u"
    me = Principal("files", "hash", "files.find", "", "")
    rights = [Right(Action.FS_READ, f"{home}/Documents/d{n % 40}/f{n}", n % 3 == 0) for n in range(GRANTS)]
    who = [replace(me, skill="files" if n % 2 else f"skill-{n % 20}") for n in range(GRANTS)]
    grants = [
        new_grant(one, right, GrantMode.ALWAYS, float(n))
        for n, (one, right) in enumerate(zip(who, rights, strict=True))
    ]
    policy = default_policy(home, private_places(home, [])).with_grants(grants)
    return policy, me, (Right(Action.FS_READ, f"{home}/Documents/d{n % 40}/f{n}/a/b.pdf") for n in range(GRANTS))


def deciding() -> dict[str, float]:
    """Return what a decision and an explanation cost at a thousand grants, at the median."""
    policy, me, rights = many_grants()
    decided, explained = [], []
    for right in rights:
        began = time.perf_counter()
        policy.decide(me, right, now_s=2e3)
        between = time.perf_counter()
        explain(policy, me, right, now_s=2e3)
        decided.append(between - began)
        explained.append(time.perf_counter() - between)
    return {"explain_ms": median(explained) * 1e3, "decision_us": median(decided) * 1e6}


async def measure(scratch: Path) -> tuple[dict[str, Took], dict[str, float], list[Whole]]:
    """Measure everything; return the ways, other figures, and whole requests."""
    with ExitStack() as until:
        peer = until.enter_context(peers.sandlock(scratch))
        ours = Ours(scratch)
        cells = ours.cells
        ways = {
            "posix_spawn of true": blocking(lambda: peers.spawned_ms([peers.TRUE])),
            "true in bubblewrap": blocking(lambda: peers.spawned_ms(peers.in_bubblewrap(peers.TRUE))),
            "empty Python, plain subprocess": blocking(lambda: peers.spawned_ms(peers.PYTHON)),
            "empty Python in sandlock": blocking(lambda: peer.ran_ms(*peers.PYTHON)),
            "true in sandlock": blocking(lambda: peer.ran_ms(peers.TRUE)),
            "**a Python call in a tree, to the sealed result**": ours.in_a_tree,
            "a Python call that is shown nothing": ours.without,
            "a foreign program (true) in a tree, to the sealed result": lambda: ours.in_a_tree(program=True),
        }
        try:
            await cells.start()
            took = await in_turn(ways, ROUNDS)
            figures = {"cpu_ms_per_call": await ours.cpu_ms_per_call(100)}
            burst = Took(list(await asyncio.gather(*(ours.without() for _ in range(BURST)))))
            figures["burst200_p95_ms"] = burst.at(0.95)
        finally:
            await cells.close()
    return took, figures | deciding(), await whole_kernel(scratch, KERNEL_ROUNDS)


def main() -> int:
    """Measure, publish, and close with one RESULT line."""
    with tempfile.TemporaryDirectory(dir=os.environ.get("DATA")) as scratch:
        took, others, whole = asyncio.run(measure(Path(scratch)))
    spawn, bwrap, _, sandlock, _, ours, *_ = took.values()
    figures = {
        "p10_vs_spawn": ours.at(0.1) / spawn.at(0.1), "p10_vs_bwrap": ours.at(0.1) / bwrap.at(0.1),
        "p95_vs_bwrap_p95": ours.at(0.95) / bwrap.at(0.95), "p50_vs_sandlock_python": ours.at(0.5) / sandlock.at(0.5),
        **others,
    }  # fmt: skip
    figures = {name: round(value, 2) for name, value in figures.items()}
    rows = [*(__doc__ or "").strip().splitlines()[2:6], "", f"{ROUNDS} rounds.", "",
            "| | p10 ms | p50 ms | p95 ms | p10 to a bare process |", "|---|---|---|---|---|"]  # fmt: skip
    rows += [f"| {name} | {one.row(spawn)} |" for name, one in took.items()]
    rows += ["", f"Processor time of a call, its cell's preparation counted: {figures['cpu_ms_per_call']:g} ms. "
             f"{BURST} calls at once: p95 {figures['burst200_p95_ms']:g} ms.",
             f"At {GRANTS:,} grants a decision takes {figures['decision_us']:g} us, an explanation "
             f"{figures['explain_ms']:g} ms.", "", f"Whole requests, {KERNEL_ROUNDS} times each:", "",
             "| request | calls p50 ms | end to end p50 ms | p95 ms |", "|---|---|---|---|"]  # fmt: skip
    rows += [f"| {one.name} | {median(one.calls):.1f} | {median(one.total):.1f} | {quantile(one.total, 0.95):.1f} |"
             for one in whole]  # fmt: skip
    publish("bench-sandbox", "What the wall costs", rows, figures)
    return result("bench-sandbox", figures, LIMITS)


if __name__ == "__main__":
    sys.exit(main())
