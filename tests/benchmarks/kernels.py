"""The kernel optimizer on twelve rows: the fastest accepted kernel of each beside eager PyTorch and torch.compile.

Every row is a real run of the optimizer from a user's file (``kernel_rows``): read, traced, searched with nothing
known from before, judged, raced. float32, one thread, processor time, pairs interleaved, the same allocation policy
on every side (``gpu_skills.judge.racing.POLICY``). What is counted is what the optimizer hands back: where it keeps
the library, that is eager. Then the search of each row is run again, knowing what the searches of the *other*
operations found and with the same budget; counted are the samples until a candidate is within 5 % of the better of
the two bests. A search that never is has lost: it is charged with all samples of the longer one. Last, 200 expression
trees drawn at random (``kernels_random``).

- geomean_vs_eager, geomean_vs_compile: geometric means of the medians of the paired ratios; rows_below_1: rows in
  which what is handed back is slower than one of the two.
- first_win_s: from the beginning of a run to the first candidate that the judge accepted and that is faster than
  eager, in the slowest row; the race against torch.compile comes later and is not in it. A row without a win counts
  its whole run.
- mem_rows_pct_of_copy: bytes that must be read and written, per second, of what this thread copies plainly: the least
  of the rows but softmax and the cross-entropies, which wait for exponentials.

python -P -m tests.benchmarks.kernels [--rows NAME ...] [--limit SECONDS] [--random COUNT] [--no-publish]
"""

from __future__ import annotations

import argparse
import math
import re
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from gpu_skills.building import this_machine
from gpu_skills.errors import KernelsError
from gpu_skills.graph import structure_of
from gpu_skills.judge import Race
from gpu_skills.judge.peaks import Ceilings
from gpu_skills.judge.racing import POLICY, interval
from gpu_skills.knowledge import Knowledge, features_of
from gpu_skills.optimizer import Own, Told, Wish, optimized
from gpu_skills.output import Result, Work
from gpu_skills.search import Budget, Duel, Progress, Refusal, search
from gpu_skills.search.model import Event
from gpu_skills.workshop import Bench, floor_of
from tests.benchmarks import kernels_random
from tests.benchmarks import machine as on
from tests.benchmarks.machine import median, publish, table

FILE = Path(__file__).with_name("kernel_rows.py")
LIMIT_S = 870.0
"""How long the whole may take."""
SEED = 20261124
NEAR = 1.05
LEAST = {"geomean_vs_eager": 2.5, "geomean_vs_compile": 1.5, "mem_rows_pct_of_copy": 75.0}
MOST = {"rows_below_1": 0.0, "first_win_s": 20.0, "random_wrong": 0.0}
DRAWN, RANDOM_S = 200, 150.0
"""How many trees are drawn, and what they take."""
BUILDS, KNOWN_BESIDE_S = 60, 4.0
"""How many builds a search has at most in either column; what one of the second takes beside its search."""


@dataclass(frozen=True)
class Row:
    """A row: what it is called, the function in ``kernel_rows``, its shapes, whether memory is what it waits for."""

    name: str
    function: str
    shapes: str
    memory: bool = True


_SQUARE = "4096x4096"
ROWS = (
    Row("rmsnorm, step by step", "rmsnorm", f"{_SQUARE},4096"),
    Row("rmsnorm, F.rms_norm", "rms_norm", f"{_SQUARE},4096"),
    Row("layernorm", "layernorm", f"{_SQUARE},4096,4096"),
    Row("softmax", "softmax", _SQUARE, memory=False),
    Row("silu(g) * u", "silu_mul", f"{_SQUARE},{_SQUARE}"),
    Row("gelu_tanh(g) * u", "gelu_mul", f"{_SQUARE},{_SQUARE}"),
    Row("bias + gelu_tanh", "bias_gelu", f"{_SQUARE},4096"),
    Row("rotary 1x32x2048x128", "rotary", "1x32x2048x128,2048x128,2048x128"),
    Row("add + rmsnorm", "add_rmsnorm", f"{_SQUARE},{_SQUARE},4096"),
    Row("reduce sum", "reduce_sum", _SQUARE),
    Row("cross-entropy 4096x4096", "cross_entropy", f"{_SQUARE},4096:int64<4096", memory=False),
    Row("cross-entropy 1024x32000", "cross_entropy", "1024x32000,1024:int64<32000", memory=False),
)


# --- what happened in a search --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Effort:
    """What a search took until it was where it should be, or in all where it never was."""

    samples: int
    builds: int
    reached: bool

    def at_least(self, samples: int) -> Effort:
        """Return it with no fewer samples where it was never there."""
        return self if self.reached else replace(self, samples=max(self.samples, samples))

    @property
    def said(self) -> str:
        """Return it in words."""
        return f"{self.samples} samples of {self.builds} builds{'' if self.reached else ' (never)'}"


@dataclass
class Watched:
    """Everything that a run told, with the seconds since it began."""

    began: float = field(default_factory=time.monotonic)
    told: list[tuple[float, Progress]] = field(default_factory=list)

    def optimizer(self, told: Told) -> None:
        """Take in what the optimizer tells."""
        if told.progress is not None:
            self.search(told.progress)

    def search(self, progress: Progress) -> None:
        """Take in what a search tells."""
        self.told.append((time.monotonic() - self.began, progress))

    @property
    def seconds(self) -> float:
        """Return how long it has taken."""
        return time.monotonic() - self.began

    def first_win_s(self, eager_ns: float) -> float | None:
        """Return when the first candidate that was accepted, and is faster than eager, was there."""
        accepted: set[str] = set()
        for at, one in self.told:
            if one.event is Event.JUDGED:
                accepted.add(one.id)
            if one.id in accepted and one.ns is not None and one.ns < eager_ns:
                return at
        return None

    def best_ns(self) -> float:
        """Return the time of the fastest that was measured often, as it was measured last."""
        return min((ns for ns, count in self._last().values() if count >= 5), default=math.inf)

    def effort(self, target_ns: float) -> Effort:
        """Return how many samples and builds it took until a candidate that is within ``target_ns`` was measured.

        All of them, where there was none: a candidate counts by what was measured of it in the end.
        """
        good = {name for name, (ns, count) in self._last().items() if ns <= target_ns and count >= 5}
        counts: dict[str, int] = {}
        builds = 0
        for _, one in self.told:
            builds += one.event is Event.BUILT
            if one.event is Event.MEASURED:
                counts[one.id] = one.samples
                if one.id in good:
                    break
        return Effort(sum(counts.values()), builds, bool(good))

    def _last(self) -> dict[str, tuple[float, int]]:
        return {one.id: (one.ns or math.inf, one.samples) for _, one in self.told if one.event is Event.MEASURED}


class NoDuels:
    """A workshop that races nothing: a search beside which only its samples are counted."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
        self.build, self.inspect, self.measure, self.judge = bench.build, bench.inspect, bench.measure, bench.judge

    @property
    def floor_ns(self) -> float | None:
        """Return the bench's floor."""
        return self._bench.floor_ns

    def duel(self, first: Any, against: Any) -> Duel | Refusal:
        """Race nothing."""
        return Refusal("duel", "only samples are counted here")


# --- a row ----------------------------------------------------------------------------------------------------------


@dataclass
class Came:
    """What came of a row. Ratios are median, lower and upper bound; times are nanoseconds of one call."""

    row: Row
    work: Work
    watched: Watched
    seconds: float
    race: Race | None
    warm: Watched | None = None
    search_s: float = 0.0

    @property
    def result(self) -> Result:
        """Return the result of its only part."""
        return self.work.results[0]

    def ns(self, side: str) -> float:
        """Return the median time of a side in the last race; none is infinite."""
        return sorted(found)[len(found) // 2] if self.race and (found := self.race.cpu_ns.get(side)) else math.inf

    @property
    def kernel_ns(self) -> float:
        """Return what a call of the best kernel takes."""
        return self.ns(self.race.sides[0]) if self.race else math.inf

    def against(self, side: str) -> tuple[float, float, float] | None:
        """Return by how much what is handed back is faster than ``side``; None where that was not raced."""
        if self.race is None or side not in self.race.cpu_ns:
            return None
        if self.result.kept:
            return next(((one.median, one.low, one.high) for one in self.race.ratios if one.against == side), None)
        pairs = [b / a for a, b in zip(self.race.cpu_ns["eager"], self.race.cpu_ns[side], strict=True)]
        return interval(pairs)

    def gb_s(self) -> float:
        """Return the bytes that it must read and write, per nanosecond."""
        return self.result.floor.size_bytes / self.kernel_ns if self.result.floor else 0.0

    def first_win_s(self) -> float:
        """Return when the first win was there; the whole run where there was none."""
        found = self.watched.first_win_s(self.ns("eager"))
        return self.seconds if found is None else found


def run_cold(row: Row, folder: Path, seconds: float, known: Knowledge) -> Came:
    """Optimize a row's function with an empty base of knowledge, which then knows what was found."""
    yard, watched = Own(folder, seed=SEED), Watched()
    try:
        wish = Wish(FILE, row.function, row.shapes, seconds=seconds, builds=BUILDS, seed=SEED)
        work = optimized(wish, yard, time.strftime("%FT%T"), watched.optimizer, knowledge=known)
    finally:
        yard.close()
    races = [one for one in work.results[0].races if "eager" in one.sides]
    return Came(row, work, watched, watched.seconds, races[-1] if races else None, search_s=seconds)


def run_known(came: Came, folder: Path, known: Knowledge) -> Watched:
    """Search the same part again with the same budget, knowing what others found; nothing is raced."""
    part, machine = came.result.part, this_machine()
    yard = Own(folder, seed=SEED + 1)
    try:
        floor = floor_of(part.problem.program, came.work.peaks)
        bench = Bench(part.problem, yard.bay(part), machine, floor_ns=floor.ns)
        features = features_of(part.problem.program, came.row.name, bench.space.family, machine)
        watched = Watched()
        search(bench.space, NoDuels(bench), folder / "search", budget=Budget(came.search_s, BUILDS), seed=SEED + 1,
               advice=known.advice(features), watch=watched.search)  # fmt: skip
    finally:
        yard.close()
    return watched


# --- all rows -------------------------------------------------------------------------------------------------------


class Clock:
    """Shares the time that is left among the rows to come."""

    def __init__(self, limit_s: float, later_s: float) -> None:
        self.began, self._until = time.monotonic(), time.monotonic() + limit_s
        self._later_s, self._beside_s = later_s, 35.0  # later_s grows by what the searches of the second column take

    def search_s(self, rows: int) -> float:
        """Return how long the next of ``rows`` may search: half of its share, less what is beside its two searches."""
        share = (self._until - self._later_s - time.monotonic()) / max(rows, 1)
        return min(max((share - self._beside_s - KNOWN_BESIDE_S) / 2, 6.0), 30.0)

    def took(self, whole_s: float, search_s: float) -> None:
        """Learn what a run took beside its search."""
        self._beside_s = 0.5 * self._beside_s + 0.5 * max(whole_s - search_s, 0.0)
        self._later_s += search_s + KNOWN_BESIDE_S

    def left_s(self) -> float:
        """Return the seconds that are left."""
        return self._until - time.monotonic()


def cold_column(rows: Sequence[Row], folder: Path, clock: Clock) -> list[Came]:
    """Run every row with nothing known; one that cannot be run is told and left out."""
    found = []
    for place, row in enumerate(rows):
        seconds = clock.search_s(len(rows) - place)
        with Knowledge(base(folder, row)) as known:
            try:
                came = run_cold(row, folder / f"cold-{place}", seconds, known)
            except KernelsError as error:
                print(f"{row.name}: {error.message}", flush=True)
                continue
        clock.took(came.seconds, seconds)
        found.append(came)
        print(told(came), flush=True)
    return found


def base(folder: Path, row: Row) -> Path:
    """Return where what the search of a row found is kept."""
    return folder / "known" / f"{ROWS.index(row)}.db"


def known_column(found: Sequence[Came], folder: Path) -> None:
    """Run the search of every row again with what was found for other programs."""
    for place, came in enumerate(found):
        structure = came.work.problem.program
        others = [one for one in found if structure_of(one.work.problem.program) != structure_of(structure)]
        with Knowledge(folder / "known" / f"without-{place}.db") as known:
            for other in others:
                with Knowledge(base(folder, other.row)) as source:
                    known.learn(source.rows())
            came.warm = run_known(came, folder / f"known-{place}", known)
        cold, warm = efforts(came)
        told_of = f"{cold.said} with nothing known, {warm.said} knowing"
        print(f"{came.row.name}: {told_of} {len(others)} others", flush=True)


def efforts(came: Came) -> tuple[Effort, Effort]:
    """Return samples and builds until both searches were within 5 % of the better best: nothing known, and known.

    One that never was is charged with no fewer samples than the other took in all: it has won nothing.
    """
    assert came.warm is not None
    both = (came.watched, came.warm)
    target = NEAR * min(one.best_ns() for one in both)
    whole = max(one.effort(0.0).samples for one in both)
    cold, warm = (one.effort(target) for one in both)
    return cold.at_least(whole), warm.at_least(whole)


def geomean(values: Sequence[float]) -> float:
    """Return the geometric mean; 0 of none, and where one is 0."""
    return math.exp(sum(map(math.log, values)) / len(values)) if values and min(values) > 0 else 0.0


def figures(found: Sequence[Came], rows: int, copy_gb_s: float) -> dict[str, float]:
    """Return the figures of the rows. A row that is missing counts as slower than both."""
    ratios = {side: [one.against(side) for one in found] for side in ("eager", "torch.compile")}
    medians = {side: [one[0] for one in each if one] for side, each in ratios.items()}
    below = sum(any(one is None or one[0] < 1.0 for one in pair) for pair in zip(*ratios.values(), strict=True))
    wins = [one.first_win_s() for one in found]
    memory = [100.0 * one.gb_s() / copy_gb_s for one in found if one.row.memory]
    told = {
        "rows": float(len(found)), "geomean_vs_eager": geomean(medians["eager"]),
        "geomean_vs_compile": geomean(medians["torch.compile"]), "rows_below_1": float(below + rows - len(found)),
        "first_win_s": max(wins, default=math.inf), "first_win_median_s": median(wins) if wins else math.inf,
        "mem_rows_pct_of_copy": min(memory, default=0.0), "mem_rows_geomean_pct": geomean(memory),
    }  # fmt: skip
    pairs = [efforts(one) for one in found if one.warm is not None]
    if pairs:
        told |= {"samples_nothing_known": sum(cold.samples for cold, _ in pairs) / len(pairs),
                 "samples_known": sum(warm.samples for _, warm in pairs) / len(pairs),
                 "reached_nothing_known": float(sum(cold.reached for cold, _ in pairs)),
                 "reached_known": float(sum(warm.reached for _, warm in pairs)),
                 "times_fewer_samples": geomean([cold.samples / max(warm.samples, 1)
                                                 for cold, warm in pairs])}  # fmt: skip
    return told


# --- the page -------------------------------------------------------------------------------------------------------


_HEAD = ("row", "eager us", "compile us", "kernel us", "against eager (95 %)", "against compile (95 %)", "GB/s",
         "of copy", "first win s", "builds", "handed back")  # fmt: skip


def told(came: Came) -> str:
    """Return a row in one line, for whoever waits."""
    eager, compiled = (came.against(side) for side in ("eager", "torch.compile"))
    state = "kernel" if came.result.kept else "library kept"
    ratios = f"{_ratio(eager)} against eager, {_ratio(compiled)} against compile"
    return (f"{came.row.name}: {state}, {ratios}; first win after {came.first_win_s():.1f} s, {came.seconds:.0f} s in "
            f"all; {dict(came.result.best.candidate.genome) if came.result.best else came.result.why}")  # fmt: skip


def _ratio(one: tuple[float, float, float] | None) -> str:
    return f"{one[0]:.2f} ({one[1]:.2f}-{one[2]:.2f})" if one else "-"


def page(found: Sequence[Came], copy: Ceilings) -> list[str]:
    """Return the table of rows, and what is to be known about it."""
    lines = [*(__doc__ or "").split("\n\n")[1:3], "", _cells(_HEAD), "|---" * len(_HEAD) + "|"]
    lines += [_line(one, copy) for one in found]
    copied = f"{copy.copy_gb_s:.1f} GB/s plainly and {copy.copy_past_cache_gb_s:.1f} past the caches"
    return [*lines, "", f"One thread copies {copied}, and reads {copy.read_gb_s:.1f} (medians of {len(found)} "
            f"measurements). Allocation: {POLICY}."]  # fmt: skip


def _line(one: Came, copy: Ceilings) -> str:
    times = [f"{ns / 1e3:.0f}" for ns in (one.ns("eager"), one.ns("torch.compile"), one.kernel_ns)]
    ratios = [_ratio(one.against(side)) for side in ("eager", "torch.compile")]
    built = sum(each.event is Event.BUILT for _, each in one.watched.told)
    handed = "kernel" if one.result.kept else f"library: {one.result.why}"
    return _cells((one.row.name, *times, *ratios, f"{one.gb_s():.1f}", f"{100 * one.gb_s() / copy.copy_gb_s:.0f} %",
                   f"{one.first_win_s():.1f}", str(built), handed))  # fmt: skip


def _cells(told: Sequence[str]) -> str:
    return f"| {' | '.join(told)} |"


def page_known(found: Sequence[Came]) -> list[str]:
    """Return the second column: samples and builds until within 5 % of the better best."""
    head = ("row", "nothing known: samples (builds)", "knowing: samples (builds)", "best us", "best us knowing")
    lines = ["", "## With what other operations taught", "", _cells(head), "|---" * len(head) + "|"]
    for one in (each for each in found if each.warm is not None):
        both = [f"{each.samples} ({each.builds}){'' if each.reached else ' never'}" for each in efforts(one)]
        bests = [f"{each.best_ns() / 1e3:.0f}" for each in (one.watched, one.warm) if each is not None]
        lines.append(_cells((one.row.name, *both, *bests)))
    return lines


def middle(works: Sequence[Work]) -> Ceilings:
    """Return the middle of what each run measured of this machine."""
    names = [one.name for one in fields(Ceilings)]
    return Ceilings(**{name: median([getattr(one.peaks, name) for one in works]) for name in names})


def by_row(found: Sequence[Came]) -> dict[str, float]:
    """Return the ratios of each row, for the figures that are kept."""
    told = {}
    for one in found:
        name = re.sub(r"[^a-z0-9]+", "_", one.row.name.lower()).strip("_")
        for side, short in (("eager", "eager"), ("torch.compile", "compile")):
            ratio = one.against(side)
            told |= {f"{name}_vs_{short}": ratio[0]} if ratio else {}
    return told


def main() -> int:
    """Measure, publish, and close with one RESULT line."""
    wish = argparse.ArgumentParser()
    wish.add_argument("--rows", nargs="*", default=[one.name for one in ROWS], help="names of rows, or parts of them")
    wish.add_argument("--limit", type=float, default=LIMIT_S, help="how long the whole may take, in seconds")
    wish.add_argument("--random", type=int, default=DRAWN, help="how many expression trees are drawn")
    wish.add_argument("--no-publish", action="store_true")
    given = wish.parse_args()
    rows = [one for one in ROWS if any(part in one.name for part in given.rows)]
    clock = Clock(given.limit, later_s=RANDOM_S * given.random / 200)
    with tempfile.TemporaryDirectory(prefix="bench-kernels-") as made:
        folder = Path(made)
        found = cold_column(rows, folder, clock)
        if not found:
            raise SystemExit("No row could be run: ./steward setup kernels, and is there a g++?")
        known_column(found, folder)
        left_s = max(clock.left_s(), RANDOM_S * given.random / 200)
        drawn, random_lines = (
            kernels_random.measured(given.random, folder / "random", left_s) if given.random else ({}, [])
        )
    copy = middle([one.work for one in found])
    figured = figures(found, len(rows), copy.copy_gb_s) | drawn | {"seconds": time.monotonic() - clock.began}
    lines = [*page(found, copy), *page_known(found), *random_lines, "", *table(figured)]
    print("\n".join(lines))
    if not given.no_publish and whole(len(rows), given.random):
        publish("bench-kernels", "Kernels", lines, figured | by_row(found))
    return on.result("bench-kernels", figured, most(given.random), LEAST)


def whole(rows: int, drawn: int) -> bool:
    """Tell whether a run was of everything; only that is published."""
    return rows == len(ROWS) and drawn >= DRAWN


def most(drawn: int) -> dict[str, float]:
    """Return the upper limits: where no tree was drawn, none of them is about trees."""
    return {name: limit for name, limit in MOST.items() if drawn or not name.startswith("random")}


if __name__ == "__main__":
    sys.exit(main())
