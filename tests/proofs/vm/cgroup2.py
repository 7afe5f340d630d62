"""The tests of control groups on a machine of version 2 alone: a Debian kernel in an emulator, on this machine's files.

python -m tests.proofs.vm.cgroup2 [--only STEP ...] [--tests FILE ...] [--keep FOLDER]
"""

from __future__ import annotations

import argparse
import compileall
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

from tests.benchmarks.machine import ROOT, publish, result
from tests.proofs.vm.guest import STEPS, Step
from tests.proofs.vm.machine import boot, python
from tests.proofs.vm.parts import Absent, find_parts

NAME = "vm-cgroup2"
CACHE = ROOT / "build" / "vm"
ROOMS = ("kernel", "memory", "permissions", "portal", "skills", "tests")
MOST_S = 40 * 60.0
"""Nothing is waited for longer; on an idle processor it takes a quarter of that."""


@dataclass(frozen=True, slots=True)
class Report:
    """What a step came to: how many tests passed, what failed, and why what was skipped was."""

    step: Step
    passed: int
    failed: tuple[str, ...]
    skipped: tuple[str, ...]
    wall_s: float


def read_report(step: Step, out: Path) -> Report:
    """Return the report of a step; a step that left none, or in which nothing passed, has failed."""
    try:
        tree = ElementTree.parse(out / f"{step.name}.xml")
    except (OSError, ElementTree.ParseError):
        return Report(step, 0, (f"{step.name}: it left no report",), (), 0.0)
    passed, failed, skipped = 0, [], []
    for case in tree.iter("testcase"):
        name = f"{case.get('classname', '').rpartition('.')[2]}::{case.get('name')}"
        if case.find("failure") is not None or case.find("error") is not None:
            failed.append(name)
        elif (why := case.find("skipped")) is not None:
            skipped.append(why.get("message", ""))
        else:
            passed += 1
    if not passed and not failed:
        failed.append(f"{step.name}: no test passed")
    return Report(step, passed, tuple(failed), tuple(skipped), float(next(tree.iter("testsuite")).get("time", 0)))


def page(reports: Sequence[Report], about: str, wall_s: float) -> list[str]:
    """Return what passed where, what failed, and what was skipped for which reason."""
    lines = [" ".join((__doc__ or "").split("\n\n")[0].split()), "", f"{about} {wall_s:.0f} s in all.", "",
             "| run by | passed | failed | skipped | seconds |", "|---|---|---|---|---|"]  # fmt: skip
    for one in reports:
        counts = f"{one.passed} | {len(one.failed)} | {len(one.skipped)}"
        lines.append(f"| {one.step.title} | {counts} | {one.wall_s:.0f} |")
    lines += ["", *(f"Failed: {one.step.name}: {name}" for one in reports for name in one.failed)]
    for one in reports:
        if one.skipped:
            lines += ["", f"Skipped as {one.step.title}:", ""]
            lines += [f"- {why} ({count})" for why, count in Counter(one.skipped).most_common()]
    return lines


def figures(reports: Sequence[Report], chosen: Sequence[Step], wall_s: float) -> dict[str, float]:
    """Return the figures of the RESULT line."""
    return {"tests": float(sum(one.passed + len(one.failed) for one in reports)),
            "failed": float(sum(len(one.failed) for one in reports)),
            "skipped": float(sum(len(one.skipped) for one in reports)),
            "steps": float(len(chosen)), "wall_s": round(wall_s)}  # fmt: skip


def say(words: str) -> None:
    """Say where it stands."""
    print(words, flush=True)


def main() -> int:
    """Boot, read what came back, publish, and close with one RESULT line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="+", choices=[step.name for step in STEPS], help="nothing is published then")
    parser.add_argument("--tests", nargs="+", help="these instead of the steps' own; nothing is published then")
    parser.add_argument("--keep", type=Path, help="a folder that does not exist yet; all that came back stays there")
    wish = parser.parse_args()
    began = time.monotonic()
    chosen = [step for step in STEPS if not wish.only or step.name in wish.only]
    with tempfile.TemporaryDirectory(prefix="steward-vm-") as top:
        try:
            parts = find_parts(CACHE, say)
            for room in ROOMS:  # the guest sees them read-only, and would compile them for every process
                compileall.compile_dir(ROOT / room, quiet=2)
            say(f"booting Linux {parts.version}")
            program = python("-m", "tests.proofs.vm.guest", "/run/vm", *(step.name for step in chosen),
                             *(["--", *wish.tests] if wish.tests else []))  # fmt: skip
            out = boot(parts, Path(top), program, say, MOST_S)
        except Absent as missing:
            say(f"{NAME}: {missing}. What would help: {missing.remedy}")
            say(f"RESULT {NAME} skipped")
            return 0
        reports = [read_report(step, out) for step in chosen]
        if wish.keep:
            out.rename(wish.keep)
    wall_s = time.monotonic() - began
    about = f"Linux {parts.version}, emulated, one processor."
    lines, seen = page(reports, about, wall_s), figures(reports, chosen, wall_s)
    if wish.only or wish.tests:
        say("\n".join(lines))
    else:
        publish(NAME, "Control groups of version 2", lines, seen)
    return result(NAME, seen, {"failed": 0})


if __name__ == "__main__":
    sys.exit(main())
