"""KernelBench at reduced size: how much of it the optimizer covers, how often it is faster, whether it is ever wrong.

Every ``*.py`` below the folder that is given is a problem in the KernelBench contract. It is shrunk
(``gpu_skills.intake``), read, and optimized with a small budget against eager PyTorch, one thread, processor time. A
problem *loads* when its shrunk file runs; it is *covered* when the judge accepted a kernel for at least one of its
own parts; it is *fast* when what is handed back has a kernel in it and is, end to end, faster than before. Every
accepted kernel, kept or not, is put into the whole by another process, on inputs of its own: it is a *false accept*
where the whole is not as exact as before in float64, or the wrapper fell back to the original because its first outputs
were others; it *does not run* where the whole cannot be run with it, or no call goes to it.

python -P -m tests.benchmarks.kernelbench --data FOLDER [--take N] [--seconds S] [--notes FILE] [--no-publish]

``--take N`` runs N problems, spread evenly; ``--notes`` keeps a line a problem, and those in it are not run again.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from gpu_skills.errors import BadProblem, KernelsError
from gpu_skills.intake import Limits, shrink
from gpu_skills.optimizer import Own, Wish, optimized
from gpu_skills.output import Applied, Result, Work, apply, contents
from tests.benchmarks.machine import publish, result, table

MOST_ELEMENTS = 400_000
LIMITS = Limits(deadline_s=90.0)
LEAST = {"covered_pct": 50.0, "fast1_of_covered_pct": 70.0}
MOST = {"false_accepts": 0.0, "does_not_run": 0.0}
PLAIN = "import m; m.Model(*m.get_init_inputs())(*m.get_inputs())"
CONTRACT = ("class Model", "def get_inputs", "def get_init_inputs")


@dataclass(frozen=True)
class Tried:
    """What became of a problem. ``why`` says why it does not load, is not covered or is not fast."""

    name: str
    loads: bool
    covered: bool = False
    fast: bool = False
    false_accept: bool = False
    ratio: float = 1.0
    parts: int = 0
    kernels: int = 0
    seconds: float = 0.0
    why: str = ""
    does_not_run: bool = False


def problems(data: Path) -> list[Path]:
    """Return the problems below a folder, in order."""
    found = [one for one in data.rglob("*.py") if one.is_file()]
    inside = [one for one in found if all(word in one.read_text(errors="replace") for word in CONTRACT)]
    return sorted(inside, key=lambda one: [int(part) if part.isdigit() else part
                                           for part in re.split(r"(\d+)", str(one.relative_to(data)))])  # fmt: skip


def spread(found: Sequence[Path], count: int) -> list[Path]:
    """Return ``count`` of them, evenly spread; all where there are no more."""
    if not 0 < count < len(found):
        return list(found)
    return [found[place * len(found) // count] for place in range(count)]


def tried(file: Path, name: str, seconds: float) -> Tried:
    """Shrink, read and optimize one problem."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="kernelbench-") as made:
        small = Path(made) / f"{file.stem}.py"
        try:
            small.write_text(shrink(file, MOST_ELEMENTS, limits=LIMITS))
            run_plainly(small)
        except BadProblem as error:
            return Tried(name, False, why=f"{error.code}: {error.message}", seconds=time.monotonic() - began)
        try:
            work = searched(small, Path(made) / "yard", seconds)
            whole, why = with_all(work, small)
        except KernelsError as error:
            return Tried(name, True, why=f"{error.code}: {error.message}", seconds=time.monotonic() - began)
        except Exception as error:  # ours, whatever it is: it is not covered, and the other problems go on
            return Tried(name, True, why=f"{type(error).__name__}: {error}"[:300], seconds=time.monotonic() - began)
    return _of(work, whole, why, name, time.monotonic() - began)


def run_plainly(file: Path) -> None:
    """Run a problem as it is, with nothing of ours. Raises BadProblem where that fails: it does not load."""
    command = [sys.executable, "-W", "ignore", "-c", PLAIN.replace("import m;", f"m = __import__({file.stem!r});")]
    try:
        done = subprocess.run(command, cwd=file.parent, capture_output=True, timeout=LIMITS.deadline_s, check=False)
    except subprocess.TimeoutExpired as error:
        raise BadProblem("intake.hang", f"{file.name} did not end within {LIMITS.deadline_s:g} s") from error
    if done.returncode:
        last = (done.stderr.decode(errors="replace").strip().splitlines() or ["it said nothing"])[-1]
        raise BadProblem("intake.crashed", f"{file.name} ended with code {done.returncode}: {last[:200]}")


def searched(file: Path, folder: Path, seconds: float) -> Work:
    """Optimize a problem."""
    yard = Own(folder, seed=1)
    try:
        return optimized(Wish(file, seconds=seconds, builds=6, seed=1, compiled=False), yard, "", limits=LIMITS)
    finally:
        yard.close()


def accepted(work: Work) -> list[Result]:
    """Return the parts of which a kernel was accepted."""
    return [one for one in work.results if one.verdict is not None and one.verdict.passed]


def with_all(work: Work, file: Path) -> tuple[Applied | None, str]:
    """Return what the whole comes to with every accepted kernel in it, or why it does not run."""
    wanted = accepted(work)
    if not wanted:
        return None, ""
    every = replace(work, results=tuple(replace(one, kept=one in wanted) for one in work.results))
    with tempfile.TemporaryDirectory(prefix="kernelbench-all-") as folder:
        try:
            for name, data in contents(every).items():
                (Path(folder) / name).write_bytes(data)
            found = apply(Path(folder), file, limits=LIMITS)
        except KernelsError as error:
            return None, f"{error.code}: {error.message}"
    return found, "" if found.kernel_calls else ", ".join(found.why_not) or "nothing called it"


def _of(work: Work, every: Applied | None, not_run: str, name: str, seconds: float) -> Tried:
    """Say what became of a problem: ``every`` is the whole with all accepted kernels, ``not_run`` why it is none."""
    wholes = [one for one in (every, Applied(**work.end_to_end) if work.end_to_end else None) if one is not None]
    wrong = any(one.unlike or not one.exact for one in wholes)
    kept = len(work.kept)
    ratio = wholes[-1].ratio if kept and work.end_to_end else 1.0
    fast = bool(kept) and ratio > 1.0
    said = [f"Its kernels do not run: {not_run}"] if not_run else []
    said += [one.why for one in work.results if not one.kept]
    return Tried(
        name, True, covered=bool(accepted(work)), fast=fast, false_accept=wrong, ratio=ratio, parts=len(work.results),
        kernels=kept, seconds=seconds, does_not_run=bool(not_run) and not wrong,
        why="" if fast and not not_run else "; ".join(dict.fromkeys((*said, *work.notes)))[:300],
    )  # fmt: skip


def all_tried(files: Sequence[Path], data: Path, seconds: float, notes: Path | None) -> list[Tried]:
    """Try every problem that the notes do not have, and note it."""
    lines = notes.read_text().splitlines() if notes and notes.exists() else []
    known = {one["name"]: Tried(**one) for one in map(json.loads, lines)}
    found = []
    for file in files:
        name = str(file.relative_to(data))
        if name not in known:
            known[name] = tried(file, name, seconds)
            if notes:
                with notes.open("a") as kept:
                    kept.write(json.dumps(asdict(known[name])) + "\n")
            print(in_words(known[name]), flush=True)
        found.append(known[name])
    return found


def in_words(one: Tried) -> str:
    """Return what became of a problem in one line."""
    state = "fast" if one.fast else "covered" if one.covered else "not covered" if one.loads else "does not load"
    told = f"{one.kernels} of {one.parts} parts, {one.ratio:.2f} times, {one.seconds:.0f} s. {one.why}"
    state = "does not run" if one.does_not_run else state
    return f"{one.name}: {'wrong' if one.false_accept else state}, {told}"


def figures(found: Sequence[Tried]) -> dict[str, float]:
    """Return the figures."""
    loads = [one for one in found if one.loads]
    covered = [one for one in loads if one.covered]
    return {
        "problems": float(len(found)), "load": float(len(loads)),
        "covered_pct": 100.0 * len(covered) / max(len(loads), 1),
        "fast1_of_covered_pct": 100.0 * sum(one.fast for one in covered) / max(len(covered), 1),
        "fast1_of_load_pct": 100.0 * sum(one.fast for one in loads) / max(len(loads), 1),
        "false_accepts": float(sum(one.false_accept for one in found)),
        "does_not_run": float(sum(one.does_not_run for one in found)),
        "seconds": sum(one.seconds for one in found),
    }  # fmt: skip


def page(found: Sequence[Tried], told: dict[str, float]) -> list[str]:
    """Return what is published: the figures, and every problem that is not covered, or not faster, with the reason."""
    lines = [(__doc__ or "").split("\n\n")[1], "", *table(told)]
    groups = (
        ("Not covered", [one for one in found if one.loads and not one.covered]),
        ("Does not load at reduced size", [one for one in found if not one.loads]),
        ("Accepted, and wrong in the whole", [one for one in found if one.false_accept]),
        ("Accepted, and does not run in the whole", [one for one in found if one.does_not_run]),
        ("Covered, and not faster", [one for one in found if one.covered and not one.fast]),
    )
    for title, some in groups:
        lines += ["", f"## {title}: {len(some)}", ""]
        lines += [f"- {one.name}: {one.why.replace('|', ' ')}" for one in some]
    lines += ["", "## Faster", "", "| problem | parts with a kernel | times as fast, end to end |", "|---|---|---|"]
    return lines + [f"| {one.name} | {one.kernels} of {one.parts} | {one.ratio:.2f} |" for one in found if one.fast]


def main() -> int:
    """Try every problem, publish, and close with one RESULT line."""
    wish = argparse.ArgumentParser()
    wish.add_argument("--data", type=Path, required=True, help="a folder with problems in the KernelBench contract")
    wish.add_argument("--take", type=int, default=0, help="how many problems, evenly spread; 0 for all")
    wish.add_argument("--seconds", type=float, default=6.0, help="how long a problem's search may take")
    wish.add_argument("--notes", type=Path, help="a file that keeps a line a problem; those in it are not run again")
    wish.add_argument("--no-publish", action="store_true")
    given = wish.parse_args()
    files = spread(problems(given.data), given.take)
    if not files:
        raise SystemExit(f"There is no problem below {given.data}: make bench-kernelbench DATA=path")
    found = all_tried(files, given.data, given.seconds, given.notes)
    told = figures(found)
    lines = page(found, told)
    print("\n".join(lines))
    if not given.no_publish:
        publish("bench-kernelbench", "KernelBench", lines, told)
    return result("bench-kernelbench", told, MOST, LEAST)


if __name__ == "__main__":
    sys.exit(main())
