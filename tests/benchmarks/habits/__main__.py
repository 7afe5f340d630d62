"""Runs the rows, prints what each came to, and writes it into docs/results/bench-habits.{json,md}."""

from __future__ import annotations

import sys

from tests.benchmarks import rows
from tests.benchmarks.habits.page import HABITS

PACKAGE = "tests.benchmarks.habits"
ROWS = ("planted", "cold", "sequences", "macros", "rules", "yearly", "aged")
"""A row is a module with ``measure(data) -> figures`` and bounds: LIMITS (at most) and, where it has some, LEAST."""


def main() -> int:
    """Measure, print, publish; each row is written down as soon as it is measured."""
    return rows.run(PACKAGE, ROWS, rows.parser(PACKAGE, ROWS).parse_args(), HABITS)


if __name__ == "__main__":
    sys.exit(main())
