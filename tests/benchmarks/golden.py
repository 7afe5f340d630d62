"""Play the golden sentences and write docs/results/golden.md: today's rate beside the first run's.

    python -m tests.benchmarks.golden [--first] [CASE ...]

``--first`` records this run as the first one on sentences that no rule had seen; it refuses to do so twice.
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
from collections import Counter
from pathlib import Path

from tests.golden.driver import Played, cases, play
from tests.golden.home import build_home

RESULTS = Path(__file__).parents[2] / "docs" / "results"


async def run_all(only: set[str]) -> list[Played]:
    """Play every case (or the named ones) and print those that differ."""
    played = []
    with tempfile.TemporaryDirectory() as scratch:
        template = Path(scratch) / "template"
        build_home(template)
        for number, case in enumerate(cases()):
            if only and case.id not in only:
                continue
            one = await play(case, template, Path(scratch) / str(number))
            played.append(one)
            if one.problems:
                print(f"{case.origin}:{case.id}: {case.say[-1]!r}\n    -> {one.resolution}: {one.answer[:300]!r}")
                for problem in one.problems:
                    print(f"    {problem}")
    return played


def rates(played: list[Played]) -> dict[str, dict[str, int]]:
    """Return right and all, by origin."""
    total, right = Counter(p.case.origin for p in played), Counter(p.case.origin for p in played if not p.problems)
    return {origin: {"right": right[origin], "all": total[origin]} for origin in sorted(total)}


def write(played: list[Played], first: bool) -> bool:
    """Write the table; return whether every case was right."""
    RESULTS.mkdir(parents=True, exist_ok=True)
    store = RESULTS / "golden.json"
    known = json.loads(store.read_text()) if store.exists() else {}
    if first and "first" in known:
        raise SystemExit("The first run is on record already; it can be only one.")
    if first:  # only sentences that no rule had seen can have a first run
        known["first"] = {"blind": rates(played)["blind"]}
    else:
        known["today"] = rates(played)
    store.write_text(json.dumps(known, indent=2) + "\n")
    lines = ["# Golden sentences", "", "Whole cases right: plan, resolution and effect on disk, no model configured.",
             "`blind` was written from the skills' descriptions by somebody who had seen no rule and no example;",
             "its first run, before any rule was fitted to it, stands beside today's. Written by `make golden`.", "",
             "| set | first run | today |", "|---|---|---|"]  # fmt: skip
    for origin in sorted(set(known.get("first", {})) | set(known.get("today", {}))):
        cells = [known.get(when, {}).get(origin) for when in ("first", "today")]
        shown = [f"{c['right']} of {c['all']} ({100 * c['right'] / c['all']:.0f} %)" if c else "–" for c in cells]
        lines.append(f"| {origin} | {shown[0]} | {shown[1]} |")
    (RESULTS / "golden.md").write_text("\n".join(lines) + "\n")
    return all(not p.problems for p in played)


def main() -> int:
    """Run, write, and close with one RESULT line."""
    arguments = sys.argv[1:]
    only = {name for name in arguments if not name.startswith("-")}
    played = asyncio.run(run_all(only))
    right = sum(not p.problems for p in played)
    good = right == len(played)
    if not only:
        good = write(played, "--first" in arguments)
    print(f"RESULT golden {'pass' if good else 'short'} cases={len(played)} right={right}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
