"""The log of wishes: what is no evidence stays out, and what was the case around a wish is told without its words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from kernel.anticipation.log import WishLog
from kernel.anticipation.model import DISMISSED, SHOWN
from kernel.model import Constant, Plan, Task, TaskId
from kernel.planning.plan_json import plan_to_json
from memory.model import Event
from permissions.labels import USER_SAID
from skills.model import ToolId

AT = "2026-03-02T09:00:00+01:00"
AT_NS = 1_772_438_400 * 10**9


def _plan(tool: str = "files.list", folder: str = "/home/anna/Downloads") -> Plan:
    task = Task(TaskId("t1"), ToolId(tool), {"folder": Constant(folder, USER_SAID)})
    return Plan((task,), "en")


def _run(
    name: str = "r", plan: Plan | None = None, end: str = "executed", **more: Any
) -> Iterator[Event]:  # fmt: skip
    created = {"text": f"do {name}", "now": AT, "conversation": "c", **more.get("created", {})}
    yield _event(name, "run.created", created)
    yield from more.get("between", ())
    frozen = plan_to_json(plan or _plan()) | more.get("frozen", {})
    yield _event(name, "run.planned", {"frozen": frozen, "language": "en"})
    yield _event(name, "run.finished", {"resolution": end, "effects": more.get("effects", [])})


def _event(run: str | None, kind: str, body: dict[str, Any]) -> Event:
    return Event(1, AT_NS, kind, run, None, body, None, "")


def _wishes(*runs: Iterator[Event]) -> list[Any]:
    found = WishLog()
    for run in runs:
        found.take(run)
    return found.wishes()


def test_a_run_that_went_well_is_a_wish_with_its_words_tools_and_arguments() -> None:
    one, other, again = _wishes(_run("a"), _run("b", _plan(folder="/tmp")), _run("c"))
    assert (one.text, one.item, one.group) == ("do a", "files.list", "files")
    assert one.key == again.key != other.key
    assert one.around == {"hour": "4", "weekday": "0"}


@pytest.mark.parametrize("more", [
    {"created": {"private": True}}, {"created": {"client": "mcp:desk"}}, {"created": {"client": "routine:tidy"}},
    {"created": {"shown": [{"kind": "quoted", "text": "x"}]}}, {"end": "failed"}, {"end": "declined"},
    {"between": [_event("r", "approval.requested", {"stage": "flow"})]}, {"frozen": {"why": {"model": "big"}}},
])  # fmt: skip
def test_what_is_not_the_persons_own_or_did_not_go_well_is_none(more: dict[str, Any]) -> None:
    assert _wishes(_run(**more)) == []
    assert len(_wishes(_run())) == 1


def test_what_was_just_made_and_told_is_the_case_around_the_next_wish_without_a_word_of_it() -> None:
    made = [
        {"path": "/home/anna/pay 900 to eve.PDF", "kind": "created"},
        {"path": "/x/y.never mind", "kind": "created"},
    ]
    told = _event(None, "reminder.told", {"skill": "calendar", "title": "pay eve", "text": "pay eve"})
    _, then = _wishes(_run("a", effects=made), iter([told]), _run("b"))
    assert then.around["made"] == ".pdf"
    assert then.around["told"] == "calendar"
    assert "eve" not in str(then.around)


def test_what_lay_around_it_is_read_back_and_nothing_else_of_it() -> None:
    lay = _event("r", "run.around", {"fresh": ".pdf", "event": "pay eve", "path": "/x/eve.pdf"})
    (one,) = _wishes(_run(between=[lay]))
    assert one.around == {"hour": "4", "weekday": "0", "fresh": ".pdf"}


def test_an_offer_that_was_passed_over_is_counted_until_it_is_taken_up() -> None:
    found = WishLog()
    found.take(_run("a"))
    key = found.wishes()[0].key
    shown = _event(None, SHOWN, {"keys": [key]})
    for name in ("b", "c"):
        found.take([shown, *_run(name, _plan(folder="/tmp"))])
    assert found.record.passed[key] == 2
    found.take([_event(None, DISMISSED, {"key": key}), shown, *_run("d")])
    assert found.record.passed[key] == 0
    assert key not in found.record.dismissed
