"""A plugin of pytest for ``make mutants``: who judges, and in which order.

The first run of a room, with every line in its place, writes down how long each test took and which did not pass. In
the runs with a line taken out those come first that are named after its file, then quick ones before slow ones; what
did not pass with every line in its place judges nobody. A counterexample is not made smaller: it is one all the same.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings

BOOK, NAME = "STEWARD_JUDGES", "STEWARD_JUDGED"
"""In the environment: the file that is written first and read then, and the name of the file whose line is out."""

PROFILE = "judging"
_STEPS_S = (0.1, 0.5, 2.0)
_PHASES = (Phase.explicit, Phase.generate)
settings.register_profile(
    PROFILE, derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow], phases=_PHASES
)
_took: dict[str, float | None] = {}


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Note how long a test took; None of one that did not pass."""
    if report.failed:
        _took[report.nodeid] = None
    elif report.when == "call":
        _took.setdefault(report.nodeid, report.duration)


def pytest_sessionfinish() -> None:
    """Write the book, where there is none yet."""
    book = Path(os.environ[BOOK])
    if not book.exists():
        book.write_text(json.dumps(_took))


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out who does not judge, and sort the others by the book."""
    book = Path(os.environ[BOOK])
    if not book.exists():
        return
    took: dict[str, Any] = json.loads(book.read_text())
    config.hook.pytest_deselected(items=[item for item in items if took.get(item.nodeid) is None])
    name = os.environ[NAME]
    judging = (item for item in items if took.get(item.nodeid) is not None)
    items[:] = sorted(judging, key=lambda one: (name not in one.path.stem, step(took[one.nodeid]), one.path.stem))


def step(took_s: float) -> int:
    """Return the place of a test by its time: few steps, so that those that share a wall stay together."""
    return sum(took_s > bound for bound in _STEPS_S)
