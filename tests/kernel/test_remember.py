"""A run's view is a fold over its events: any prefix of them is a truthful view."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from kernel.remember import run_view
from memory.model import Event

STORY: list[tuple[str, Mapping[str, Any]]] = [
    ("run.created", {"text": "delete a", "conversation": "c"}),
    ("run.planned", {"plan": {"tasks": [], "score": 1}}),
    ("approval.requested", {"stage": "plan", "card": {"rights": []}, "expires_at": "2026-01-01T00:00:00+00:00"}),
    ("approval.resolved", {"answer": "once"}),
    ("something.new", {"of": "a later version"}),
    ("run.finished", {"resolution": "confirmed", "answer": "Done.", "effects": [{"path": "/h/a", "kind": "deleted"}]}),
    ("run.undone", {"changes": []}),
]
EVENTS = [Event(n, n, kind, "r-1", None, body, None, "") for n, (kind, body) in enumerate(STORY, 1)]


@pytest.mark.parametrize("length", range(1, len(STORY) + 1))
def test_every_prefix_is_a_view(length: int) -> None:
    view = run_view(EVENTS[:length])
    assert view["run"] == "r-1"
    assert view["resolution"] == ("confirmed" if length >= 6 else "pending")
    assert (view["stage"] == "plan") == (length == 3)
    assert view["undone"] == (length == 7)
    assert [event["seq"] for event in view["events"]] == list(range(1, length + 1))


def test_no_events_and_forgotten_bodies_are_no_fault() -> None:
    assert run_view([])["run"] == ""
    forgotten = [Event(e.seq, e.at_ns, e.kind, e.run, e.task, None, None, "") for e in EVENTS]
    assert run_view(forgotten)["resolution"] == "executed"  # that it ended is no secret


@pytest.mark.parametrize(
    ("levels", "lowest"), [(("L3", "L3"), "L3"), (("L3", "L2", "L3"), "L2"), (("", None), ""), ((), "")]
)
def test_a_view_tells_the_lowest_level_that_a_call_ran_at(levels: tuple[str | None, ...], lowest: str) -> None:
    done = [Event(n, n, "task.done", "r-1", f"t{n}", {"level": level}, None, "") for n, level in enumerate(levels, 10)]
    assert run_view([EVENTS[0], *done])["level"] == lowest
