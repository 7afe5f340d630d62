"""The escape list, tried in every situation: as root and as an ordinary user, with the wall at L3 and at L2.

Every attack is done twice as the same user: in a cell, and in the open. Where it does not succeed in the open it proves
nothing and is skipped. Some attacks are not on a cell but on what the daemon does with a call's answer, or with what a
call asks it for.

python -m tests.proofs.escape [--only NUMBER ...]
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from contextlib import closing, contextmanager
from typing import Any

import pytest

from tests.benchmarks.machine import publish, result
from tests.permissions.confine.conftest import SITUATIONS, Wall, built
from tests.permissions.confine.escapes import PROBES, SKIPPED
from tests.permissions.confine.ground import Ground, Outcome, Probe
from tests.proofs.deputies import DEPUTIES
from tests.proofs.refusals import REFUSALS as OF_CHANGES

LIVE = 90
REFUSALS = (*OF_CHANGES, *DEPUTIES)
NAMES = {"own": "whoever runs it", "own-denied": "the same without namespaces", "ordinary": "an ordinary user",
         "ordinary-denied": "the same without namespaces"}  # fmt: skip
Matrix = dict[str, dict[str, Outcome]]


@contextmanager
def wall_of(situation: str) -> Any:
    """The wall of a situation, for the time of a block."""
    building = built(situation)
    with closing(building):
        yield next(building)


def tried(wall: Wall, probes: Sequence[Probe]) -> dict[str, Outcome]:
    """Try every probe on a wall."""
    ground = Ground(wall)
    try:
        return {probe.number: probe.trial(ground) for probe in probes}
    finally:
        ground.close()


def matrix(probes: Sequence[Probe]) -> tuple[Matrix, dict[str, str], list[str]]:
    """Try ``probes`` everywhere; return the outcomes and levels by situation, and what could not be set up."""
    outcomes: Matrix = {}
    levels, absent = {}, []
    for situation in SITUATIONS:
        try:
            with wall_of(situation) as wall:
                outcomes[situation] = tried(wall, probes)
                levels[situation] = str(wall.level)
        except pytest.skip.Exception as why:
            absent.append(f"{situation}: {why}")
    return outcomes, levels, absent


def mark(probe: Probe, outcome: Outcome, level: str) -> str:
    """Say what became of a probe: held, open (not promised there), own bytes, ESCAPED, or skipped."""
    if not outcome.live:
        return "–"
    if not outcome.escaped:
        return "held"
    if probe.own_bytes:
        return "own bytes"
    return "open" if probe.weak and level != "L3" else "**ESCAPED**"


def page(outcomes: Matrix, levels: dict[str, str], absent: Sequence[str], daemon: dict[str, Outcome], wall_s: float
         ) -> list[str]:  # fmt: skip
    """Return the matrix by situation and level, the attacks on the daemon, and what was not tried."""
    heads = [f"{NAMES[situation]}: {levels[situation]}" for situation in outcomes]
    lines = [" ".join((__doc__ or "").split("\n\n")[1].split()), "",
             "`held`: refused inside, successful outside. `–`: it does not succeed outside either, so it proves "
             "nothing there. `open`: it succeeds at a level that does not promise to stop it, for the reason given. "
             f"`own bytes`: running what one brought along, which is allowed. {wall_s:.0f} s.", "",
             f"| # | attack | {' | '.join(heads)} | |", f"|---|---|{'---|' * len(heads)}---|"]  # fmt: skip
    for probe in PROBES:
        marks = [mark(probe, found[probe.number], levels[situation]) for situation, found in outcomes.items()]
        lines.append(f"| {probe.number} | {probe.title} | {' | '.join(marks)} | {probe.weak} |")
    lines += ["", "| # | attack on the daemon, by what a call answers, leaves or asks for | |", "|---|---|---|",
              *(f"| {p.number} | {p.title} | {mark_of_daemon(daemon[p.number])} |" for p in REFUSALS), ""]  # fmt: skip
    lines += [f"Not here: {one}." for one in absent]
    return [*lines, "Not tried:", "", *(f"- {number}: {why}" for number, why in SKIPPED.items())]


def mark_of_daemon(outcome: Outcome) -> str:
    """Say what became of an attack on the daemon."""
    return "**ESCAPED**" if outcome.live and outcome.escaped else "held" if outcome.live else "–"


def figures(outcomes: Matrix, levels: dict[str, str], daemon: dict[str, Outcome]) -> dict[str, float]:
    """Return how many attacks succeed outside somewhere, how many got out, and how many prove nothing anywhere."""
    live = {number for found in outcomes.values() for number, one in found.items() if one.live}
    live |= {number for number, one in daemon.items() if one.live}
    marks = [mark(p, found[p.number], levels[s]) for p in PROBES for s, found in outcomes.items()]
    marks += map(mark_of_daemon, daemon.values())
    skipped = len(PROBES) + len(REFUSALS) - len(live) + len(SKIPPED)
    return {"live_probes": float(len(live)), "escaped": float(marks.count("**ESCAPED**")), "skipped": float(skipped),
            "held": float(marks.count("held")), "open_below_l3": float(marks.count("open")),
            "own_bytes": float(marks.count("own bytes"))}  # fmt: skip


def main() -> int:
    """Try, publish, and close with one RESULT line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="+", help="numbers; the outcomes are printed and nothing is published")
    wish = parser.parse_args()
    began = time.monotonic()
    chosen = [probe for probe in PROBES if not wish.only or probe.number in wish.only]
    outcomes, levels, absent = matrix(chosen)
    if wish.only:
        for probe in chosen:
            print(probe.number, {s: mark(probe, found[probe.number], levels[s]) for s, found in outcomes.items()})
        for refusal in (one for one in REFUSALS if one.number in wish.only):
            print(refusal.number, mark_of_daemon(refusal.trial()))
        return 0
    daemon = {probe.number: probe.trial() for probe in REFUSALS}
    seen = figures(outcomes, levels, daemon)
    publish("escape", "The escape list", page(outcomes, levels, absent, daemon, time.monotonic() - began), seen)
    return result("escape", {**seen, "lacking": max(0.0, LIVE - seen["live_probes"])}, {"escaped": 0, "lacking": 0})


if __name__ == "__main__":
    sys.exit(main())
