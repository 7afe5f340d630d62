"""One run in full: below each task stand the calls that its tool asked for."""

from __future__ import annotations

from typing import Any

import pytest

from portal.cli.history import _print_run, call_line

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
