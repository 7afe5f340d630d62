"""``replay`` from a terminal, over the socket: what came out as then, what did not, and why."""

from __future__ import annotations

import json
from typing import Any

import pytest

from portal.cli import replaying

Installation = Any  # tests/portal/conftest.py

pytestmark = pytest.mark.slow


def until_the_encoder_is_loaded(running: Installation) -> None:
    """A run that is asked before, and replayed after, is ranked otherwise; where there is no encoder, nothing comes."""
    with running.client() as client:
        while (state := client.status()["encoder"]) != "warm" and not state.startswith("missing"):
            pass


def test_a_run_is_replayed_and_its_exit_code_says_what_came_of_it(running: Installation) -> None:
    folder = running.home / "Downloads"
    folder.mkdir()
    (folder / "big.iso").write_bytes(b"x" * 900)
    until_the_encoder_is_loaded(running)
    done = running.steward("ask", "find the three largest files in my Downloads folder", "--yes", "--json")
    assert done.code == 0, done.out + done.err
    same = running.steward("replay", done.json["run"], "--json")
    assert (same.code, same.json["same"], same.json["standing"]) == (0, True, "compared"), same.out
    told = running.steward("replay", done.json["run"])
    assert told.code == 0
    assert "It comes out as it did then" in told.out
    assert "Files and folders are those of today" in told.out
    folder.rename(running.home / "Elsewhere")
    other = running.steward("replay", done.json["run"])
    assert other.code == 3, other.out
    assert "~/Downloads is not there any more." in other.out, other.out
    shown = running.steward("runs", done.json["run"], "--json")
    assert shown.json["resolution"] == done.json["resolution"], "the run is what it was"
    listed = running.steward("log", "--limit", "5")
    assert "replayed: plan" in listed.out


def test_a_private_run_has_nothing_to_replay(running: Installation) -> None:
    done = running.steward("ask", "was ist 2 + 3", "--private", "--json")
    told = running.steward("replay", done.json["run"], "--json")
    assert (told.code, told.json["standing"], told.json["steps"]) == (6, "private", []), told.out
    assert "nichts wurde aufgehoben" in told.json["said"].lower() or "nothing was kept" in told.json["said"]


def step(kind: str, then: Any, now: Any, **more: Any) -> dict[str, Any]:
    return {"kind": kind, "name": kind, "then": then, "now": now, "same": then == now, "taken": False, "why": []} | more


def test_every_kind_of_step_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    question = {"digest": "abcdef0123456789", "endpoint": "near\x1b[2J", "failed": ""}
    task = {"tool": "files.find", "arguments": {"folder": {"path": "/h/D"}, "count": 3}, "ended": "done"}
    plan = [{"id": "t1", "tool": "files.find"}]
    steps = [
        step("intent", {"language": "en", "clauses": ["a", "b"]}, None, why=["Because\nof it."]),
        step("tools", ["a.b", "c.d"], ["c.d"]), step("model", question, question), step("plan", plan, {"would": "x"}),
        step("plan", plan, {"resolution": "declined", "answer": "No."}),
        step("question", {"question": "Which?"}, plan),
        step("approval", {"answer": "once"}, {"answer": "once"}, taken=True), step("task", task, None),
        step("output", "0123456789abcdef", "f123456789abcdef"),
        step("effect", [{"kind": "deleted", "path": "/h/x"}], [{"kind": "deleted", "path": "/h/x"}], taken=True),
        step("effect", {"count": 70, "first": []}, {"count": 70, "first": []}, taken=True),
        step("answer", {"resolution": "executed", "answer": "Kept."}, {"would": "fact.asserted"}, taken=True),
    ]  # fmt: skip
    replaying._print({"steps": steps, "said": "It differs.", "today": {"files": "Today's."}})
    out = capsys.readouterr().out
    assert "\x1b[2J" not in out
    assert "intent: Because of it." in out
    said = (
        "en: a | b", "a.b, c.d", "t1 files.find", "declined: No.", "Which?", "(as recorded)", "fact.asserted",
        "files.find(folder: /h/D, count: 3) → done", "0123456789ab", "deleted /h/x", "70 changes",
    )  # fmt: skip
    for words in said:
        assert words in out, words
    assert json.dumps(steps)
