"""Does the judge see through the 24 known ways to look fast, and through wrong kernels; and does it let right ones be?

Each cheat is first given to a naive judge (its own process, one shape, one seed, allclose), which must accept it; then
to the judge, which must not. Each mutant is a right kernel with one thing changed. Right kernels are judged with many
seeds, and every one that is refused counts.

python -m tests.proofs.redteam [--seeds N]
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from gpu_skills.judge import Exam, Native, judge, race
from gpu_skills.model import Built
from tests.benchmarks.machine import ROOT, publish, result
from tests.gpu_skills import programs as of
from tests.proofs.redteam.cheats import CHEATS, Cheat
from tests.proofs.redteam.kernels import BY_NAME, FLAGS, HEAD, RIGHT, THREADED, Right, built
from tests.proofs.redteam.mutants import MUTANTS, Mutant

SEED = 20261123
SEEDS = 15
ROWS = 24
BUDGET_S = 0.2
_LIBRARY = """#include <cmath>
#include <cstdint>
extern "C" __attribute__((visibility("default"))) int {name}(void *const *t, const int64_t *n, const double *, int) {{
{body}  return 0;
}}
"""
_SCRATCH = """  const int64_t R = n[0], C = n[1]; const float *x = (const float *)t[0]; float *out = (float *)t[1];
  {get}
  for (int64_t i = 0; i < R * C; i++) scratch[i] = x[i];
  __asm__ volatile("" : : "r"(scratch) : "memory");
  for (int64_t r = 0; r < R; r++) {{ float sums[8] = {{}}; for (int64_t i = 0; i < C; i++) sums[i % 8] += scratch[r * C + i];
    out[r] = (sums[0] + sums[1]) + (sums[2] + sums[3]) + (sums[4] + sums[5]) + (sums[6] + sums[7]); }}
  {put}
"""


@dataclass(frozen=True)
class Found:
    """What became of a row: caught or not, by what, and whether the naive judge accepted it."""

    row: int
    name: str
    caught: bool
    by: str
    accepted: bool
    stands_for: str = ""


def naive(
    row: int, library: Path, folder: Path, options: Sequence[str] = (), before: Sequence[Path] = (), threads: int = 1
) -> dict[str, float]:
    """Ask the naive judge; one that dies has not accepted."""
    wish = {"row": row, "library": str(library), "options": list(options), "before": [str(one) for one in before],
            "answer": str(folder / "answer.bin"), "threads": threads}  # fmt: skip
    command = [sys.executable, "-P", "-m", "tests.proofs.redteam.naive", json.dumps(wish)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120, cwd=ROOT,
                          env={**os.environ, "PYTHONPATH": str(ROOT)})  # fmt: skip
    last = done.stdout.strip().splitlines()[-1:] or ["{}"]
    return {"accepted": 0.0, "first_s": 0.0, "best_s": 0.0} | (json.loads(last[0]) if last[0].startswith("{") else {})


def library(name: str, folder: Path) -> Path:
    """Build a library that offers a right softmax as ``name``, and return it."""
    place = folder / ("libfast.so" if name == "library_kernel" else f"{name}.so")
    source = _LIBRARY.format(name=name, body=BY_NAME["softmax"].body)
    place.write_bytes(_bare(source, folder).read_bytes())
    return place


def _bare(source: str, folder: Path) -> Path:
    return built("a library", source, folder).library


def cheat(one: Cheat, folder: Path) -> Found:
    """Give one cheat to both judges."""
    flags = (*FLAGS, *(each for each in one.flags if each != "-lfast"))
    if "-lfast" in one.flags:
        flags = (*flags, f"-L{folder}", "-lfast", f"-Wl,-rpath,{folder}")
    made = built(one.name, one.source(folder / "answer.bin"), folder, flags)
    before = [folder / "reference_kernel.so"] if "reference" in one.naive else []
    told = naive(one.row, made.library, folder, one.naive, before, one.threads)
    accepted = bool(told["accepted"])
    if "timer" in one.naive:
        accepted = accepted and told["best_s"] == 0
    verdict = judge(made, one.problem, seed=SEED, budget_s=BUDGET_S, threads=one.threads)
    by = f"{verdict.failed.name}: {verdict.failed.said}" if verdict.failed else ""
    if "gain" in one.naive:
        accepted = accepted and told["best_s"] * 2 < told["first_s"]
        by = by or _no_gain(made, built("honest", BY_NAME["softmax"].source, folder), one)
    return Found(one.row, one.name, bool(by), by, accepted, one.stands_for)


def _no_gain(made: Built, honest: Built, one: Cheat) -> str:
    raced = race([Native("cheat", made), Native("honest", honest)], one.problem, pairs=12, seed=SEED)
    (ratio,) = raced.ratios
    return (
        ""
        if ratio.kept
        else f"race: no gain with values that are new, {ratio.median:.2f} times ({ratio.low:.2f} to {ratio.high:.2f})"
    )


def lucky(folder: Path) -> Found:
    """Row 22: a kernel against itself. The naive way takes the best of several runs, against the first."""
    right = BY_NAME["softmax"]
    made = built(right.name, right.source, folder)
    told = naive(6, made.library, folder)
    raced = race([Native("candidate", made), Native("baseline", made)], right.problem, pairs=20, seed=SEED)
    (ratio,) = raced.ratios
    said = f"race: {ratio.median:.2f} times ({ratio.low:.2f} to {ratio.high:.2f}), not kept"
    return Found(22, "the best of several runs against one run of the same kernel", not ratio.kept, said,
                 told["first_s"] > 1.02 * told["best_s"])  # fmt: skip


def warm(folder: Path) -> Found:
    """Row 23: a small input read again and again lies in a cache; the judge's lies in memory."""
    problem = of.reduce_sum(128, 1024)
    made = built("sum", BY_NAME["sum"].source, folder)
    from tests.proofs.redteam import cheats

    row = Cheat(230, "", lambda _: "", problem)
    told = _naive_of(row, made, folder) if cheats else {}
    verdict = judge(made, problem, seed=SEED, budget_s=1.0)
    cold_ns = verdict.timing.cpu_ns if verdict.timing else 0.0
    said = f"timing: {128 * 4096 / max(cold_ns, 1):.0f} GB/s from memory, where the naive judge says {128 * 4096 / told['best_s'] / 1e9:.0f}"
    return Found(23, "a cache's speed sold as memory's", cold_ns > 1.1e9 * told["best_s"], said, bool(told["accepted"]))


def _naive_of(row: Cheat, made: Built, folder: Path) -> dict[str, float]:
    """Ask the naive judge about a problem that is none of the cheats'."""
    code = ("import json,sys; from tests.proofs.redteam import cheats, naive; from tests.gpu_skills import programs as of\n"
            "wish = json.loads(sys.argv[1]); one = of.reduce_sum(*wish['shape'])\n"
            "cheats.CHEATS = (cheats.Cheat(wish['row'], '', None, one),)\nprint(json.dumps(naive.accepts(wish)))")  # fmt: skip
    shape = row.problem.program.tensors[0].shape
    wish = {"row": row.row, "library": str(made.library), "options": [], "before": [], "threads": 1, "shape": shape}
    done = subprocess.run([sys.executable, "-P", "-c", code, json.dumps(wish)], capture_output=True, text=True, check=True,
                          timeout=120, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)})  # fmt: skip
    return {str(key): float(value) for key, value in json.loads(done.stdout).items()}


def allocation(folder: Path) -> Found:
    """Row 24: one side allocates in every call, the other kept its memory; with pages kept on both sides it is no gain."""
    problem = of.reduce_sum(1280, 8192)
    fresh = _SCRATCH.format(get="float *scratch = (float *)malloc(R * C * 4);", put="free(scratch);")
    kept = _SCRATCH.format(get="static float *scratch = (float *)malloc(R * C * 4);", put="")
    theirs, ours = (
        built(name, f"{HEAD}{body}  return 0;\n}}\n", folder) for name, body in (("fresh", fresh), ("kept", kept))
    )
    row = Cheat(240, "", lambda _: "", problem)
    told = [_naive_of(row, one, folder) for one in (theirs, ours)]
    raced = race([Native("kept", ours), Native("fresh", theirs)], problem, pairs=12, seed=SEED)
    gain = raced.ratios[0] if raced.ratios else None
    claimed = told[0]["best_s"] / told[1]["best_s"]
    said = (
        f"race: {gain.median:.2f} times ({gain.low:.2f} to {gain.high:.2f}), where the naive judge says {claimed:.2f}"
        if gain
        else raced.fell
    )
    caught = gain is not None and gain.median < 1 + (claimed - 1) / 4
    return Found(
        24, "allocation moved out of one side's time", caught, said, claimed > 1.1 and bool(told[1]["accepted"])
    )


def exploits(folder: Path) -> list[Found]:
    """Try all rows."""
    for name in ("reference_kernel", "library_kernel"):
        library(name, folder)
    found = []
    for one in CHEATS:
        found.append(_told(cheat(one, folder)))
    return [*found, *(_told(one(folder)) for one in (lucky, warm, allocation))]


def _told(one: Found) -> Found:
    print(
        f"{one.row:2} {'caught' if one.caught else 'MISSED'} {'' if one.accepted else 'NO CONTROL '}{one.name} - {one.by}",
        flush=True,
    )
    return one


def mutants(folder: Path) -> list[tuple[Mutant, str]]:
    """Judge every mutant; return by what it was refused, or nothing."""
    exams: dict[str, Exam] = {}
    found = []
    for one in MUTANTS:
        exam = exams.setdefault(one.right.name, Exam(one.right.problem, seed=SEED))
        by = refused(one.right, one.source, folder, SEED, exam)
        print(f"   {'killed' if by else 'SURVIVED'} {one.right.name}, {one.name} - {by}", flush=True)
        found.append((one, by))
    return found


def refused(right: Right, source: str, folder: Path, seed: int, exam: Exam | None = None) -> str:
    """Return the gate at which a kernel is refused, or nothing."""
    made = built(right.name, source, folder, THREADED if right.threads > 1 else FLAGS)
    verdict = judge(made, right.problem, seed=seed, budget_s=BUDGET_S, exam=exam, threads=right.threads)
    return f"{verdict.failed.name}: {verdict.failed.said}" if verdict.failed else ""


def rights(folder: Path, seeds: int) -> list[tuple[Right, int, str]]:
    """Judge every right kernel with many seeds; return those that were refused, by what."""
    found = []
    for seed in range(seeds):
        for right in RIGHT:
            by = refused(right, right.source, folder, SEED + 1 + seed)
            if by:
                print(f"   REFUSED {right.name}, seed {SEED + 1 + seed} - {by}", flush=True)
                found.append((right, seed, by))
    return found


def page(
    found: Sequence[Found], killed: Sequence[tuple[Mutant, str]], wrong: Sequence[tuple[Right, int, str]], tried: int
) -> list[str]:
    """Return the tables."""
    rows = [" ".join((__doc__ or "").split("\n\n")[1].split()), "", "## Cheats", "",
            "| row | cheat | caught by | the naive judge |", "|---|---|---|---|"]  # fmt: skip
    for one in found:
        name = f"{one.name} (for {one.stands_for})" if one.stands_for else one.name
        rows.append(
            f"| {one.row} | {name} | {_cell(one.by) or '**not caught**'} | {'accepts it' if one.accepted else '**refuses it**'} |"
        )
    rows += ["", "## Mutants", "", "| kernel | mutant | killed by |", "|---|---|---|"]
    rows += [f"| {one.right.name} | {one.name} | {_cell(by) or '**survived**'} |" for one, by in killed]
    rows += ["", "## Right kernels", "", f"{tried} judgements of right kernels, {len(wrong)} refused."]
    return [*rows, *(f"- {right.name}, seed {seed}: {by}" for right, seed, by in wrong)]


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")[:170]


def main() -> int:
    """Try, publish, and close with one RESULT line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=SEEDS)
    wish = parser.parse_args()
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="steward-redteam-") as place:
        folder = Path(place)
        found, killed = exploits(folder), mutants(folder)
        wrong = rights(folder, wish.seeds)
    tried = wish.seeds * len(RIGHT)
    figures = {
        "exploits_caught": float(sum(one.caught and one.accepted for one in found)),
        "mutants_killed_pct": round(100 * sum(bool(by) for _, by in killed) / len(killed), 1),
        "false_reject_pct": round(100 * len(wrong) / tried, 2), "mutants": float(len(killed)), "judgements": float(tried),
        "wall_s": round(time.monotonic() - began),
    }  # fmt: skip
    if wish.seeds == SEEDS:
        publish("red-team", "The judge of kernels, attacked", page(found, killed, wrong, tried), figures)
    lacking = {"lacking": ROWS - figures["exploits_caught"] + max(0.0, 95 - figures["mutants_killed_pct"])}
    return result("red-team", {**figures, **lacking}, {"lacking": 0, "false_reject_pct": 0.5})


if __name__ == "__main__":
    sys.exit(main())
