"""Play the golden sentences and write docs/results/golden.md: today's rate beside the first run's.

    python -m tests.benchmarks.golden [--first SET] [CASE ...]

``--first SET`` plays that set alone and records the run as the first one on sentences that no rule had seen; it
refuses to do so twice.
"""

from __future__ import annotations

import asyncio
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from tests.benchmarks.first_runs import Known, record, runs
from tests.golden.driver import HELD, SETS, Played, Verdict, answered, build, cases, play

RESULTS = Path(__file__).parents[2] / "docs" / "results"


async def run_all(sets: Iterable[str], only: set[str]) -> list[Played]:
    """Play every case of ``sets`` (or the named ones) and print those that differ."""
    played = []
    asked = [case for case in cases(sets) if not only or case.id in only]
    with tempfile.TemporaryDirectory() as scratch:
        templates = {home: build(home, Path(scratch) / "templates") for home in {case.home for case in asked}}
        for number, case in enumerate(asked):
            template = templates[case.home]
            encoder = case.origin not in HELD
            one = await play(case, template, Path(scratch) / str(number), encoder=encoder)
            if one.problems and one.resolution == "clarify" and case.origin not in HELD:
                one.by_reply = await answered(one, template, Path(scratch) / f"{number}-answered", encoder=encoder)
            shutil.rmtree(Path(scratch) / str(number))
            played.append(one)
            if one.problems:
                print(f"{case.origin}:{case.id}: {one.verdict}: {case.say[-1]!r}\n    -> {one.resolution}: "
                      f"{one.answer[:300]!r}")  # fmt: skip
                for problem in one.problems:
                    print(f"    {problem}")
    return played


def rates(played: list[Played]) -> dict[str, dict[str, int]]:
    """Return all and what they came to, by origin."""
    total = Counter(p.case.origin for p in played)
    came_to = Counter((p.case.origin, str(p.verdict)) for p in played)
    return {
        origin: {"all": total[origin]} | {str(one): came_to[origin, str(one)] for one in Verdict}
        for origin in sorted(total)
    }


def write(played: list[Played], first: str) -> None:
    """Write the table."""
    known = record(RESULTS / "golden.json", rates(played), bool(first))
    lines = ["# Golden sentences", "",
             "Whole cases right: plan, resolution and effect on disk; no model configured. `blind` and `known`, which",
             "every change must keep right, are played without the sentence encoder, the others as installed, with it",
             "(the first runs of `fresh`, `unseen` and `wild` were without). All but `known` were written, in this",
             "order, from the skills' descriptions by people who had seen no rule, no example and none of the other",
             "sets; their first run, before any rule was fitted, stands beside today's. Written by `make golden`.", "",
             "| set | first run | today |", "|---|---|---|"]  # fmt: skip
    for origin in SETS:
        cells = [known[when].get(origin) for when in ("first", "today")]
        shown = [f"{c['right']} of {c['all']} ({100 * c['right'] / c['all']:.0f} %)" if c else "–" for c in cells]
        lines.append(f"| {origin} | {shown[0]} | {shown[1]} |")
    lines += _came_to(known)
    (RESULTS / "golden.md").write_text("\n".join(lines) + "\n")


def _came_to(known: Known) -> list[str]:
    """Return the table of what the sets that are only measured came to."""
    lines = ["", "What the others came to. *Right after one question*: asked back, a person who picks what they meant,",
             "or answers in words that were written down before, gets it. A *wrong act* changed something else than",
             "was asked for, *harm* changed or deleted what was there.", "",
             f"| set, run | {' | '.join(map(str, Verdict))} |", "|---" * (len(Verdict) + 1) + "|"]  # fmt: skip
    for run, counts in runs(known, (one for one in SETS if one not in HELD)):
        if str(Verdict.ASKED) in counts:
            lines.append(f"| {run} | {' | '.join(str(counts[str(one)]) for one in Verdict)} |")
    return lines


def main() -> int:
    """Run, write, and close with one RESULT line."""
    arguments = sys.argv[1:]
    first = arguments.pop(arguments.index("--first") + 1) if "--first" in arguments else ""
    only = {name for name in arguments if not name.startswith("-")}
    if first and first not in SETS:
        raise SystemExit(f"There is no set {first} in tests/golden; there are: {', '.join(SETS)}.")
    played = asyncio.run(run_all((first,) if first else SETS, only))
    if not only:
        write(played, first)
    right = {name: sum(not p.problems for p in played if p.case.origin == name) for name in SETS}
    count = {name: sum(p.case.origin == name for p in played) for name in SETS}
    good = all(right[name] == count[name] for name in HELD)
    pairs = " ".join(f"{name}={right[name]}/{count[name]}" for name in SETS if count[name])
    print(f"RESULT golden {'pass' if good else 'short'} {pairs}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
