"""Runs the rows, prints what each came to, and writes it into docs/results/bench-understanding.{json,md}."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from tests.benchmarks import rows
from tests.benchmarks.understanding import kept, page

PACKAGE = "tests.benchmarks.understanding"
ROWS = (
    "values",
    "german",
    "livemcp",
    "metatool",
    "clinc",
    "snips",
    "bfcl",
    "scale",
)
"""A row is a module with ``measure(data) -> figures`` and bounds: LIMITS (at most) and, where it has some, LEAST."""


def main() -> int:
    """Measure, print, publish; each row is written down as soon as it is measured."""
    parser = rows.parser(PACKAGE, ROWS)
    parser.add_argument("--cache", type=Path, help="folder for encodings; among the user's caches where none is named")
    given = parser.parse_args()
    if given.cache is not None:
        os.environ[kept.FOLDER] = str(given.cache)
    return rows.run(PACKAGE, ROWS, given, page.UNDERSTANDING)


if __name__ == "__main__":
    sys.exit(main())
