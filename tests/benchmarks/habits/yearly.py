"""The simulated year: what is offered to three people, day by day, and what the judge says of it.

Each evening the miner reads what the ledger has had since, and every pattern that is not kin to an earlier offer is
offered. The miner's author has not read which habits there are. The bounds were set on seeds 7 and 8; this is another.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Mapping
from datetime import datetime
from datetime import time as clock
from pathlib import Path
from typing import assert_never

from kernel.habits import Habits, Pattern, are_kin
from kernel.habits import model as ours
from kernel.habits.reading import KINDS
from kernel.opening import BUILTIN
from memory import Event, Ledger
from skills import Registry
from tests.benchmarks.habits.year import habit as told
from tests.benchmarks.habits.year.judge import judge
from tests.benchmarks.habits.year.ledger import write
from tests.benchmarks.habits.year.people import PEOPLE, days

LIMITS = {"false_offers_per_week": 1.0, "forbidden_offers": 0.0}
LEAST = {"yearly_found": 0.75}

SEED = 31
_EVENING = clock(23, 30)


def measure(data: Path | None = None) -> Mapping[str, float]:
    """Return what was offered in a year, and what of it was true."""
    del data  # the year is written here
    registry, offers, mined_s = Registry([BUILTIN]), [], 0.0
    with tempfile.TemporaryDirectory() as folder:
        for person in PEOPLE:
            write(Path(folder) / person, person, SEED, registry)
            with Ledger.open(Path(folder) / person) as ledger:
                began = time.process_time()
                offers += _offered(person, ledger, registry)
                mined_s += time.process_time() - began
    report = judge(offers, SEED)
    late = sorted(one.late for one in report.judgements if one.story in report.found and one.verdict == "true")
    return {
        "false_offers_per_week": report.false_offers_per_week,
        "forbidden_offers": report.forbidden,
        "yearly_offers": len(offers),
        "yearly_found": len(report.found) / len(report.findable),
        "yearly_late_median": late[len(late) // 2] if late else 0,
        "yearly_cpu_s": mined_s / len(PEOPLE),
    }


def _offered(person: str, ledger: Ledger, registry: Registry) -> Iterator[told.Suggestion]:
    habits = Habits(ledger, registry)
    events, ahead = ledger.events(kinds=KINDS), list[Event]()
    offered: list[Pattern] = []
    for day in days():
        now = datetime.combine(day, _EVENING, PEOPLE[person].zone_on(day))
        habits.take(_until(events, ahead, int(now.timestamp() * 1e9)))
        for pattern in habits.patterns(now):
            if not any(are_kin(pattern, other) for other in offered):
                offered.append(pattern)
                yield _suggestion(person, now, pattern)


def _until(events: Iterator[Event], ahead: list[Event], end_ns: int) -> Iterator[Event]:
    """Yield the events until then; the first one after stays in ``ahead``."""
    while ahead or (ahead := _next(events, ahead)):
        if ahead[0].at_ns > end_ns:
            return
        yield ahead.pop()


def _next(events: Iterator[Event], ahead: list[Event]) -> list[Event]:
    ahead.extend(one for one in (next(events, None),) if one is not None)
    return ahead


def _suggestion(person: str, now: datetime, pattern: Pattern) -> told.Suggestion:
    steps = (
        told.Suggested(step.tool, {name: _slot(slot) for name, slot in step.arguments.items()})
        for step in pattern.steps
    )
    return told.Suggestion(person, now, tuple(steps))


def _slot(slot: ours.Slot) -> told.Slot:
    match slot:
        case ours.Same(value):
            return told.Same(value)
        case ours.Output(step, field, index):
            return told.Output(step, field, index)
        case ours.Within(folder):
            return told.Within(folder)
        case ours.Relative(words):
            return told.Relative(words)
        case ours.Open(values):
            return told.Open(values)
    assert_never(slot)
