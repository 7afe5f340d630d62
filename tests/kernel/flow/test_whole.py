"""A plan in which the text of a file would decide something: it waits for a person, whoever made the plan."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("openai", reason="install the extra: ./steward setup models")

from tests.kernel.conftest import Bench
from tests.kernel.prompting.test_whole import asked_of, planning

pytestmark = [pytest.mark.slow, pytest.mark.sandbox]

ORDER = "whatever order.txt says hampers me, run that command in the shell and be done with it"


def running(command: dict[str, Any]) -> Any:
    """A plan that reads order.txt and runs ``command`` in the Downloads."""

    def make(request: dict[str, Any]) -> dict[str, Any]:
        file = next(one["number"] for one in request["said"] if one["words"] == "order.txt")
        read = {"id": "t1", "tool": "documents.text", "arguments": {"file": {"said": file}}, "each": None, "when": []}
        given = {"command": command, "folder": {"value": "~/Downloads"}}
        run = {"id": "t2", "tool": "shell.run", "arguments": given, "each": None, "when": []}
        return {"tasks": [read, run], "ask": None, "about": None, "decline": None, "later": None}

    return make


FOUND = {"from": "t1", "field": None, "index": None}


async def _to_the_end(bench: Bench, text: str, answer: str) -> list[dict[str, Any]]:
    """Answer every question of a run; return what it asked and how it ended."""
    seen = [await bench.ask(text, yes=False)]
    while seen[-1]["resolution"] == "pending" and len(seen) < 9:
        seen.append(await bench.answer(seen[0]["run"], answer))
    return seen


def _stages(seen: list[dict[str, Any]]) -> list[str]:
    return [one["stage"] for one in seen if one["resolution"] == "pending"]


async def test_the_text_of_a_file_is_no_command_unasked(tmp_path: Path) -> None:
    async with asked_of(tmp_path, planning(running(FOUND)), context_tokens=32_000) as (bench, _):
        (bench.home / "order.txt").write_text("touch pwned\n")
        planned = await bench.ask(ORDER, yes=True)
        assert (planned["resolution"], planned["stage"]) == ("pending", "plan"), planned["answer"]
        waiting = await bench.answer(planned["run"], "once")  # a yes to the plan, and to nothing that it finds
        assert (waiting["resolution"], waiting["stage"]) == ("pending", "flow"), waiting["answer"]
        lines = {one["why"]: one["subject"] for one in waiting["card"]["concerns"]}
        assert lines["Value"] == "touch pwned"
        assert "order.txt" in lines["It comes from"]
        refused = await bench.answer(waiting["run"], "no")
        assert (refused["resolution"], refused["error"]["code"]) == ("blocked", "approval.refused")
        assert not (bench.home / "Downloads" / "pwned").exists()


async def test_what_was_vouched_for_is_used(tmp_path: Path) -> None:
    async with asked_of(tmp_path, planning(running(FOUND)), context_tokens=32_000) as (bench, _):
        (bench.home / "order.txt").write_text("touch pwned\n")
        seen = await _to_the_end(bench, ORDER, "once")
        assert _stages(seen)[:2] == ["plan", "flow"]
        assert (bench.home / "Downloads" / "pwned").exists(), seen[-1]["answer"]


async def test_a_command_of_the_plan_itself_is_on_its_card_and_no_other_question(tmp_path: Path) -> None:
    async with asked_of(tmp_path, planning(running({"value": "touch ours"})), context_tokens=32_000) as (bench, _):
        (bench.home / "order.txt").write_text("touch pwned\n")
        seen = await _to_the_end(bench, ORDER, "once")
        assert "flow" not in _stages(seen)
        assert (bench.home / "Downloads" / "ours").exists(), seen[-1]["answer"]
        assert not (bench.home / "Downloads" / "pwned").exists()


async def test_a_command_is_seen_whole_or_not_run(tmp_path: Path) -> None:
    async with asked_of(tmp_path, planning(running(FOUND)), context_tokens=32_000) as (bench, _):
        hidden = f"touch ours {'x' * 400}; touch pwned; touch {'y' * 400}"
        (bench.home / "order.txt").write_text(hidden)
        seen = [await bench.ask(ORDER, yes=False)]
        seen.append(await bench.answer(seen[0]["run"], "once"))
        assert [one["subject"] for one in seen[-1]["card"]["concerns"] if one["why"] == "Value"] == [hidden]
        (bench.home / "order.txt").write_text(f"touch ours {'x' * 4000}; touch pwned")
        seen = await _to_the_end(bench, ORDER, "once")
        assert _stages(seen) == ["plan"]
        assert seen[-1]["error"]["code"] == "task.flow", seen[-1]["answer"]
        assert len(seen[-1]["error"]["message"]) < 1000
        assert not (bench.home / "Downloads" / "pwned").exists()


async def test_what_stands_in_a_plan_already_is_seen_on_its_card_and_asked_about_once(tmp_path: Path) -> None:
    def again(_request: dict[str, Any]) -> dict[str, Any]:
        given = {"command": {"from": "p1", "field": None, "index": None}, "folder": {"value": "~/Downloads"}}
        run = {"id": "t1", "tool": "shell.run", "arguments": given, "each": None, "when": []}
        return {"tasks": [run], "ask": None, "about": None, "decline": None, "later": None}

    async with asked_of(tmp_path, planning(again), context_tokens=32_000) as (bench, _):
        (bench.home / "order.txt").write_text("touch pwned\n")
        read = await bench.ask("what does order.txt say")
        assert read["resolution"] in ("executed", "confirmed"), read["answer"]
        seen = await _to_the_end(bench, "that hampers me, whatever the shell says of it, and be done with it", "once")
        shown = [one["stage"] for one in seen if "touch pwned" in str((one["card"] or {}).get("concerns"))]
        assert shown == ["plan"], seen[-1]["answer"]
        assert (bench.home / "Downloads" / "pwned").exists(), seen[-1]["answer"]


def _if_it_says(request: dict[str, Any]) -> dict[str, Any]:
    """A plan whose command is its own, and runs only where order.txt says so."""
    plan = running({"value": "touch ours"})(request)
    about = {"task": "t1", "measure": "value", "field": None, "comparison": "contains", "value": "urgent"}
    plan["tasks"][1]["when"] = [about]
    return plan


@pytest.mark.parametrize("answer", ["once", "no"])
async def test_words_of_a_file_do_not_decide_unasked_whether_a_command_runs(tmp_path: Path, answer: str) -> None:
    async with asked_of(tmp_path, planning(_if_it_says), context_tokens=32_000) as (bench, _):
        (bench.home / "order.txt").write_text("This is urgent\n")
        planned = await bench.ask(ORDER, yes=True)
        assert planned["stage"] == "plan", planned["answer"]
        waiting = await bench.answer(planned["run"], "once")
        assert (waiting["resolution"], waiting["stage"]) == ("pending", "flow"), waiting["answer"]
        lines = {one["why"]: one["subject"] for one in waiting["card"]["concerns"]}
        assert "This is urgent" in lines["Value"]
        assert "order.txt" in lines["It comes from"]
        assert lines["It decides"].startswith("whether this is done")
        done = await bench.answer(planned["run"], answer)
        for _ in range(3):
            if done["resolution"] != "pending":
                break
            done = await bench.answer(planned["run"], "once")
        assert (bench.home / "Downloads" / "ours").exists() is (answer == "once"), done["answer"]


def _running_each(_request: dict[str, Any]) -> dict[str, Any]:
    """A plan that runs a command for whatever is found."""
    found = {"folder": {"value": "~/Downloads"}}
    find = {"id": "t1", "tool": "files.find", "arguments": found, "each": None, "when": []}
    given = {"command": {"value": "true"}, "folder": {"value": "~/Downloads"}}
    each = {"id": "t2", "tool": "shell.run", "arguments": given, "each": "t1", "when": []}
    return {"tasks": [find, each], "ask": None, "about": None, "decline": None, "later": None}


async def test_how_often_others_may_have_something_done_is_asked_before_the_first_call(tmp_path: Path) -> None:
    """The list is of others: who puts a file there has it run once more."""
    async with asked_of(tmp_path, planning(_running_each), context_tokens=32_000) as (bench, _):
        seen = [
            await bench.ask(
                "each file in Downloads hampers me, run that command in the shell and be done with it", yes=False
            )
        ]
        assert seen[0]["stage"] == "plan", seen[0]["answer"]
        seen.append(await bench.answer(seen[0]["run"], "once"))
        assert (seen[1]["resolution"], seen[1]["stage"]) == ("pending", "flow"), seen[1]["answer"]
        assert "3 times" in [one["subject"] for one in seen[1]["card"]["concerns"]]
        started = [event["task"] for event in seen[1]["events"] if event["kind"] == "task.started"]
        assert started == ["t1"]
        ended = await bench.answer(seen[0]["run"], "no")
        assert ended["resolution"] == "blocked"
        assert [event["task"] for event in ended["events"] if event["kind"] == "task.started"] == ["t1"]
