"""What becomes of the 60 golden rules: each is said to a real kernel, and what it keeps or asks is judged by code.

    python -m tests.benchmarks.habits.rules [--verbose] [--set third]

Verdicts are those of tests/golden/rules/README.md; what code cannot tell is unclear, shown with both sides, and never
counted as right. Nothing of the rules is known to the kernel, and no model is asked.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.benchmarks.habits.rule.model import Verdict
from tests.benchmarks.habits.rule.saying import HALVES, SETS, said_of, set_of
from tests.benchmarks.habits.rule.verdicts import Judged, judged

LIMITS = {"rules_wrong_trigger": 0.0}
LEAST = {"rules_right_or_asked_rate": 0.95}


async def everything(root: Path, sets: Sequence[str] = HALVES) -> list[Judged]:
    """Say all rules, each set on its home below ``root``, and judge what came of them."""
    found = []
    for name in sets:
        async for rule, said, place in said_of(set_of(name), root / name):
            found.append(judged(rule, said, place))
    return found


def figures(found: Sequence[Judged]) -> dict[str, float]:
    """Count verdicts."""
    counts = {verdict: sum(one.verdict is verdict for one in found) for verdict in Verdict}
    good = counts[Verdict.RIGHT] + counts[Verdict.ASKED]
    return {
        "rules": float(len(found)),
        "rules_right_or_asked_rate": good / len(found),
        **{f"rules_{verdict.replace(' ', '_')}": float(count) for verdict, count in counts.items()},
    }


def measure(data: Path | None = None) -> Mapping[str, float]:
    """Say and judge all golden rules; they lie in the repository, so nothing of ``data`` is read."""
    with tempfile.TemporaryDirectory() as root:
        return figures(asyncio.run(everything(Path(root))))


def table(found: Sequence[Judged]) -> str:
    """Return one line a rule, and under it why it is not right."""
    lines = []
    for one in found:
        lines.append(f"{one.verdict:14} {one.rule['id']:24} {one.rule['text']}")
        lines += [f"{'':15}{' '.join(why.split())}" for why in one.why if one.verdict is not Verdict.RIGHT]
    return "\n".join(lines)


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--verbose", action="store_true", help="print what became of each rule")
    parser.add_argument("--set", action="append", dest="sets", choices=SETS, help="these rules, and not the 60")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as root:
        found = asyncio.run(everything(Path(root), given.sets or HALVES))
    if given.verbose:
        print(table(found))
    for name, value in figures(found).items():
        print(f"{name} {value:g}")


if __name__ == "__main__":
    main()
