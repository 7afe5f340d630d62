"""A plan in which the text of a file would decide something: it waits for a person, whoever made the plan."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("openai", reason="install the extra: ./steward setup models")

from tests.kernel.conftest import Bench
from tests.kernel.prompting.test_whole import asked_of, planning

pytestmark = [pytest.mark.slow, pytest.mark.sandbox]

ORDER = "the thing in order.txt hampers me, off with it for good"


def stopping(argument: dict[str, Any]) -> Any:
    """A plan that reads order.txt and ends the program that ``argument`` names."""

    def make(request: dict[str, Any]) -> dict[str, Any]:
        file = next(one["number"] for one in request["said"] if one["words"] == "order.txt")
        read = {"id": "t1", "tool": "documents.text", "arguments": {"file": {"said": file}}, "each": None, "when": []}
        stop = {"id": "t2", "tool": "system.stop", "arguments": {"program": argument}, "each": None, "when": []}
        return {"tasks": [read, stop], "ask": None, "about": None, "decline": None}

    return make


async def _to_the_end(bench: Bench, view: dict[str, Any], answer: str) -> list[dict[str, Any]]:
    """Answer every question of a run; return what it asked and how it ended."""
    seen = [view]
    while seen[-1]["resolution"] == "pending" and len(seen) < 9:
        seen.append(await bench.answer(view["run"], answer))
    return seen


async def test_the_text_of_a_file_ends_no_program_unasked(tmp_path: Path) -> None:
    found = {"from": "t1", "field": None, "index": None}
    async with asked_of(tmp_path, planning(stopping(found)), context_tokens=32_000) as (bench, _):
        (bench.home / "order.txt").write_text("no-such-program-here\n")
        waiting = await bench.ask(ORDER, yes=True)  # a yes in advance is to the plan, and to nothing that it finds
        assert (waiting["resolution"], waiting["stage"]) == ("pending", "flow"), waiting["answer"]
        lines = {one["why"]: one["subject"] for one in waiting["card"]["concerns"]}
        assert lines["Value"] == "no-such-program-here"
        assert "order.txt" in lines["It comes from"]
        refused = await bench.answer(waiting["run"], "no")
        assert (refused["resolution"], refused["error"]["code"]) == ("blocked", "approval.refused")


async def test_a_value_of_ones_own_is_no_question_and_one_that_was_vouched_for_is_used(tmp_path: Path) -> None:
    async with asked_of(tmp_path, planning(stopping({"value": "order.txt"})), context_tokens=32_000) as (bench, _):
        (bench.home / "order.txt").write_text("x\n")
        seen = await _to_the_end(bench, await bench.ask(ORDER, yes=False), "once")
        assert "flow" not in [one["stage"] for one in seen if one["resolution"] == "pending"]
    found = {"from": "t1", "field": None, "index": None}
    async with asked_of(tmp_path / "two", planning(stopping(found)), context_tokens=32_000) as (bench, _):
        (bench.home / "order.txt").write_text("no-such-program-here\n")
        seen = await _to_the_end(bench, await bench.ask(ORDER, yes=False), "once")
        assert [one["stage"] for one in seen if one["resolution"] == "pending"] == ["plan", "flow"]
        assert seen[-1]["resolution"] == "failed"  # there is no such program: it was looked for
        assert "no-such-program-here" in seen[-1]["answer"]
