"""Say the golden rules set by set and write docs/results/rules.md: today's verdicts beside those of the first run.

    python -m tests.benchmarks.rules [--first SET]

``--first SET`` says that set alone and records the run as the first one on rules that nobody had seen; it refuses to do
so twice. It passes where no rule was kept that means something else, however few are right: what keeps nothing would
pass. How many have to be right or asked about is a bound of the two halves alone (``make bench-habits``).
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from tests.benchmarks.first_runs import Known, record, runs
from tests.benchmarks.habits.rule.model import Verdict
from tests.benchmarks.habits.rule.saying import SETS
from tests.benchmarks.habits.rules import everything

RESULTS = Path(__file__).parents[2] / "docs" / "results"
_HEAD = """# Golden rules

Sentences that make a rule, said to a real kernel with no model, and what it kept or asked; judged by code (the
verdicts: tests/golden/rules/README.md). *Right or asked* counts a rule that was kept as it was meant, and a question
about what is vague or contradictory. *Unclear* is what code cannot tell, and never counts as right. The first half was
written before the compiler, the second without looking at it, every other set by somebody who had seen nothing of it;
its first run, on code that had not seen it, stands beside today's. Written by `make rules`, which passes where no rule
was kept that means something else (*wrong trigger*, *wrong plan*), however many were missed; how many have to be right
or asked about is a bound of the first two sets alone (`make bench-habits`).
"""


def came_to(root: Path, name: str) -> dict[str, int]:
    """Say the rules of a set on a home below ``root``, and count verdicts."""
    found = asyncio.run(everything(root, (name,)))
    counts = Counter(str(one.verdict) for one in found)
    return {"all": len(found)} | {str(one): counts[str(one)] for one in Verdict}


def page(known: Known) -> str:
    """Return the page: one line a set and run."""
    lines = [_HEAD, f"| set, run | right or asked | {' | '.join(map(str, Verdict))} |"]
    lines.append("|---" * (len(Verdict) + 2) + "|")
    for run, counts in runs(known, SETS):
        good = counts[str(Verdict.RIGHT)] + counts[str(Verdict.ASKED)]
        rate = f"{good} of {counts['all']} ({100 * good / counts['all']:.0f} %)"
        lines.append(f"| {run} | {rate} | {' | '.join(str(counts[str(one)]) for one in Verdict)} |")
    return "\n".join(lines) + "\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """Say, write, and close with one RESULT line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--first", choices=SETS[2:], help="say this set alone, for the first time")
    first = parser.parse_args(arguments).first
    with tempfile.TemporaryDirectory() as root:
        said = {name: came_to(Path(root), name) for name in ((first,) if first else SETS)}
    known = record(RESULTS / "rules.json", said, bool(first))
    (RESULTS / "rules.md").write_text(page(known))
    wrong = sum(one[str(kind)] for one in said.values() for kind in (Verdict.WRONG_TRIGGER, Verdict.WRONG_PLAN))
    pairs = " ".join(
        f"{name}={one[str(Verdict.RIGHT)] + one[str(Verdict.ASKED)]}/{one['all']}" for name, one in said.items()
    )
    print(f"RESULT rules {'short' if wrong else 'pass'} wrong={wrong} {pairs}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
