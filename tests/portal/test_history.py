"""One run in full: below each task stand the calls that its tool asked for."""

from __future__ import annotations

from typing import Any

import pytest

from portal.cli.history import _print_run, _print_runs, call_line
from portal.cli.house import _print_status

DONE = {
    "call": "t1.1",
    "by": "boss.ask",
    "tool": "hand.echo",
    "state": "done",
    "wall_ms": 50.0,
    "peak_bytes": 2_000_000,
}


@pytest.mark.parametrize(
    ("call", "line"),
    [
        (DONE, "    ↳ hand.echo: done, 0.05 s, 2 MB"),
        ({"call": "t1.1.1", "by": "hand.dive", "tool": "hand.dive", "state": "running"}, "      ↳ hand.dive: running"),
        ({"call": "t1.2", "by": "boss.ask", "tool": "", "state": "failed", "message": "no\x1b[2J\nright"},
         "    ↳ ?: no\\x1b[2J right"),
    ],
)  # fmt: skip
def test_a_call_is_one_line_below_its_caller(call: dict[str, Any], line: str) -> None:
    assert call_line(call, "en") == line


@pytest.mark.parametrize("everything", [False, True])
def test_of_many_calls_the_first_stand_below_their_task(capsys: pytest.CaptureFixture[str], everything: bool) -> None:
    calls = [DONE | {"call": f"t1.{number}"} for number in range(1, 31)] + [DONE | {"call": "t2.1"}]
    tasks = [{"id": f"t{number}", "title": "Ask", "tool": "boss.ask", "arguments": {}} for number in (1, 2)]
    view = {"run": "r-1", "text": "ask", "language": "en", "resolution": "executed", "plan": {"tasks": tasks},
            "calls": calls, "started_at": "2025-03-14T12:00:00"}  # fmt: skip
    _print_run(view, everything=everything)
    lines = capsys.readouterr().out.splitlines()
    assert sum("↳" in line for line in lines) == (31 if everything else 21)
    assert any("10 more calls" in line for line in lines) is not everything
    assert "↳" in lines[-1]


def test_what_a_model_did_turn_by_turn_stands_below_its_task(capsys: pytest.CaptureFixture[str]) -> None:
    tasks = [{"id": f"t{number}", "title": "Follow", "tool": "a.follow", "arguments": {}} for number in (1, 2)]
    turns = [{"task": "t1", "turn": 1, "text": "turn 1 of 12: looks into ~/R\x1b[2J"},
             {"task": "t1", "turn": 2, "text": "turn 2 of 12: is done"}]  # fmt: skip
    view = {"run": "r-1", "text": "ask", "language": "en", "resolution": "executed", "plan": {"tasks": tasks},
            "turns": turns, "started_at": "2025-03-14T12:00:00"}  # fmt: skip
    _print_run(view, everything=False)
    lines = capsys.readouterr().out.splitlines()
    at = next(number for number, line in enumerate(lines) if line.startswith("  1 Follow"))
    assert lines[at + 1 : at + 3] == ["    turn 1 of 12: looks into ~/R\\x1b[2J", "    turn 2 of 12: is done"]
    assert lines[at + 3].startswith("  2 Follow")


WAITS = {"run": "r-1", "message": "The changes of r-1 are half made.", "hint": "Mend the disk."}


def test_a_run_whose_changes_wait_for_their_disk_is_no_question(capsys: pytest.CaptureFixture[str]) -> None:
    """The control is the run below it, which waits for a person."""
    line = {
        "run": "r-1",
        "text": "move it",
        "request": "",
        "resolution": "pending",
        "started_at": "2025-03-14T12:00:00",
    }
    _print_runs([line | {"half_done": True}])
    shown = capsys.readouterr()
    assert "waits for its disk" in shown.out
    assert ("./steward doctor" in shown.err, "approve" in shown.err) == (True, False)
    _print_runs([line])
    shown = capsys.readouterr()
    assert ("./steward doctor" in shown.err, "approve" in shown.err) == (False, True)


@pytest.mark.parametrize("waits", [None, WAITS])
def test_a_run_that_is_half_done_says_what_to_do(capsys: pytest.CaptureFixture[str], waits: Any) -> None:
    view = {"run": "r-1", "text": "move it", "language": "en", "resolution": "pending", "stage": "plan",
            "started_at": "2025-03-14T12:00:00", "half_done": waits}  # fmt: skip
    _print_run(view, everything=False)
    shown = capsys.readouterr()
    assert ("Mend the disk." in shown.out, "approve" in shown.err) == (waits is not None, waits is None)


def test_the_status_names_what_waits_for_its_disk(capsys: pytest.CaptureFixture[str]) -> None:
    _print_status({"pid": 1, "half_done": [WAITS]})
    assert "Waits     The changes of r-1 are half made.\n          → Mend the disk." in capsys.readouterr().out
