"""What sets that nobody had seen came to: when they were first said, which is kept, and today."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

Counts = Mapping[str, int]
Known = Mapping[str, Mapping[str, Counts]]
"""Counts by set, of the ``first`` run and of ``today``."""


def record(store: Path, said: Mapping[str, Counts], first: bool) -> Known:
    """Write down what sets came to, in their first run or today, and return all that is known.

    Raises SystemExit where a first run of one is on record.
    """
    known = json.loads(store.read_text()) if store.exists() else {"first": {}, "today": {}}
    if first and (again := sorted(set(said) & set(known["first"]))):
        raise SystemExit(f"The first run of {', '.join(again)} is on record already; it can be only one.")
    known |= {"first": known["first"] | dict(said)} if first else {"today": dict(said)}
    store.write_text(json.dumps(known, indent=2) + "\n")
    return known


def runs(known: Known, sets: Iterable[str]) -> Iterator[tuple[str, Counts]]:
    """Yield what is known of each of ``sets``, the first run before today's, with what a page calls it."""
    for name in sets:
        for when in ("first", "today"):
            if name in known[when]:
                yield f"{name}, {when}", known[when][name]
