"""The daemon at the end of the simulated year, beside one on its first day: start, memory at rest, what the ledger is.

The bounds of start and memory are those of ``make bench-start``: a year may not cost more than a first day is allowed.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path

from kernel.opening import BUILTIN
from portal.locate import private_folder
from skills import Registry
from tests.benchmarks import start
from tests.benchmarks.habits.year.ledger import write
from tests.benchmarks.habits.yearly import SEED
from tests.benchmarks.machine import median

LIMITS = {
    "aged_cpu_first_page_s": start.LIMITS["cpu_first_page_s"], "aged_idle_rss_mb": start.LIMITS["idle_rss_mb"],
    "aged_idle_cpu_pct": start.LIMITS["idle_cpu_pct"], "aged_ledger_kb_per_request": 10.0,
}  # fmt: skip

PERSON = "jana"
_STARTS = 5


def measure(data: Path | None = None) -> Mapping[str, float]:
    """Return what a year of one person has made of the daemon."""
    del data  # the year is written here
    with tempfile.TemporaryDirectory() as scratch:
        young, old = Path(scratch) / "young", Path(scratch) / "old"
        runs = _lived(old)
        fresh, aged = [], []
        for base in (young, old):
            start.first_page(base)
        for _ in range(_STARTS):
            fresh.append(start.first_page(young)[0])
            aged.append(start.first_page(old)[0])
        rss_mb, idle_pct, warm_s = start.idle(old)
        young_rss_mb, _, young_warm_s = start.idle(young)
        ledger = sum(file.stat().st_size for file in (old / "steward/data/ledger").iterdir())
    return {
        "aged_cpu_first_page_s": median(aged),
        "aged_idle_rss_mb": rss_mb,
        "aged_idle_cpu_pct": idle_pct,
        "aged_ledger_kb_per_request": ledger / 1e3 / runs,
        "aged_requests": runs,
        "aged_ledger_mb": ledger / 1e6,
        "aged_cpu_warm_s": warm_s,
        "first_day_cpu_first_page_s": median(fresh),
        "first_day_idle_rss_mb": young_rss_mb,
        "first_day_cpu_warm_s": young_warm_s,
    }


def _lived(base: Path) -> int:
    """Write a year into the folders of a daemon; return how many requests it has."""
    ledger = private_folder(private_folder(base / "steward" / "data") / "ledger")
    runs, _ = write(ledger, PERSON, SEED, Registry([BUILTIN]))
    return runs


def notes(figures: Mapping[str, float]) -> list[str]:
    """Say beside what the figures stand."""
    ratio = figures["aged_cpu_first_page_s"] / figures["first_day_cpu_first_page_s"]
    more = figures["aged_idle_rss_mb"] - figures["first_day_idle_rss_mb"]
    return [f"First page: {ratio:.2f} times the CPU of a first day, start by start; at rest {more:.0f} MB more."]
