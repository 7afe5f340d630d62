"""Servers in their cells: what works, and what a bad one can do: contained, named, and the next call works."""

from __future__ import annotations

import asyncio
import json
import socket
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from kernel.errors import TaskFailed
from kernel.serving.cell import MOST_CHANGED, ServerOver
from permissions.egress.addresses import refusal
from permissions.errors import WallUnavailable
from permissions.model import Level
from skills.errors import BadResult, BadSkill
from skills.model import EffectClass, Skill
from tests.kernel.serving.conftest import HERE, Rack, new_serving, rack, until

__all__ = ["rack"]

pytestmark = [pytest.mark.slow, pytest.mark.sandbox, pytest.mark.asyncio(loop_scope="module")]


async def test_a_server_is_listed_and_called(rack: Rack) -> None:
    skill = await rack.add("good")
    echo = await rack.call(skill, "echo", text="hello")
    assert (echo.result.value, echo.result.answer) == ("hello", "hello\n(said by the server good)")
    total = await rack.call(skill, "add_numbers", a=2, b=3)
    assert total.result.value == 5
    assert all(one.effect is EffectClass.ONCE for one in skill.tools), "a server's own claims lower nothing"
    pids = {(await rack.call(skill, "pid")).result.value.split()[0] for _ in range(3)}
    assert len(pids) == 1, "it is kept"


async def test_the_newest_protocol_with_progress_resources_and_prompts(rack: Rack) -> None:
    skill = await rack.add("modern", script="modern.py")
    assert {one.function for one in skill.tools} == {
        "double",
        "slowly",
        "list_resources",
        "read_resource",
        "use_prompt",
    }
    assert (await rack.call(skill, "double", number=21)).result.value == 42
    rack.progress.clear()
    assert (await rack.call(skill, "slowly")).result.value == "done"
    assert rack.progress
    assert rack.progress[0][1].startswith("step")
    assert "notes://today" in (await rack.call(skill, "list_resources")).result.value
    assert (await rack.call(skill, "read_resource", uri="notes://today")).result.value == "buy bread"
    prompt = await rack.call(skill, "use_prompt", name="greeting", arguments={"name": "Ada"})
    assert "Ada" in prompt.result.value
    assert json.loads((Path(skill.folder) / "tools.json").read_text())["protocol"] == "2026-07-28"


async def test_an_error_of_a_tool_is_its_own_words(rack: Rack) -> None:
    skill = await rack.add("polite")
    ran = await rack.call(skill, "fail")
    assert ran.result.error["code"] == "server.refused"
    assert "there is no such thing" in ran.result.error["message"]


async def test_arguments_are_held_to_the_whole_schema(rack: Rack) -> None:
    skill = await rack.add("strict")
    ran = await rack.call(skill, "add_numbers", a=-1, b=3)
    assert ran.result.error["code"] == "server.arguments"
    assert "minimum" in ran.result.error["message"]
    with pytest.raises(BadResult):
        await rack.call(skill, "add_numbers", a="one", b=3)


async def test_a_result_that_is_not_what_was_declared_is_refused(rack: Rack) -> None:
    skill = await rack.add("liar")
    ran = await rack.call(skill, "lie")
    assert ran.result.error["code"] == "server.result", ran.result
    assert (await rack.call(skill, "echo", text="on")).result.value == "on"


async def test_pictures_are_kept_as_files_where_they_are_pictures(rack: Rack) -> None:
    skill = await rack.add("painter")
    ran = await rack.call(skill, "picture")
    (only,) = ran.result.files
    assert Path(only).read_bytes().startswith(b"\x89PNG")


# --- bad servers ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("function", "code", "words"),
    [
        ("die", "server.over", "exit code 7"),
        ("hang", "task.time", "longer than"),
        ("huge", "server.over", "more than 16 MiB"),
        ("large", "server.size", "MiB are taken"),
        ("flood", "server.over", "messages that nobody had asked for"),
        ("eat", "task.memory", "memory"),
        ("spam", "server.over", "put out more than"),
    ],
)
async def test_what_a_call_brings_about_is_contained_and_named(
    rack: Rack, function: str, code: str, words: str
) -> None:
    skill = await rack.add(f"bad-{function}")
    ran = await rack.call(skill, function, wall_s=4.0 if function == "hang" else 60.0)
    assert ran.result.error is not None, ran.result
    assert (ran.result.error["code"], words in ran.result.error["message"]) == (code, True), ran.result.error
    if function == "die":
        assert "I was here" in ran.result.error["message"], "its last words are told"
    after = await rack.call(skill, "echo", text="alive")
    assert after.result.value == "alive"


async def test_garbage_between_messages_is_passed_over(rack: Rack) -> None:
    skill = await rack.add("garbler")
    assert (await rack.call(skill, "garbage")).result.value == "still here"


@pytest.mark.parametrize(
    ("mode", "words"),
    [("die", "No database here"), ("chatter", "messages"), ("strange", "no name"), ("many", "200 tools")],
)
async def test_a_server_that_cannot_be_used_is_named_when_it_is_added(rack: Rack, mode: str, words: str) -> None:
    with pytest.raises((ServerOver, BadSkill)) as caught:
        await rack.listing(rack.wish(f"new-{mode}", mode))
    told = f"{caught.value} {getattr(caught.value, 'last_words', '')}"
    assert words in told


async def test_one_that_never_answers_is_let_go_of(rack: Rack) -> None:
    skill = await rack.add("silent", "silent")
    ran = await rack.call(skill, "echo", wall_s=3.0, text="x")
    assert ran.result.error["code"] == "task.time"


async def test_changed_new_and_vanished_tools(rack: Rack) -> None:
    skill = await rack.add("shifty", "changed")
    for function, given in (("echo", {"text": "x"}), ("look", {"path": "/tmp"})):
        with pytest.raises(TaskFailed) as caught:
            await rack.call(skill, function, **given)
        assert caught.value.code == "server.changed"
        assert "mcp review shifty" in caught.value.hint
    assert (await rack.call(skill, "add_numbers", a=1, b=1)).result.value == 2, "the others go on"
    started = [body for kind, body in rack.events if kind == "server.started" and body["skill"] == "shifty"][-1]
    assert (started["changed"], started["new"]) == (["echo", "look"], ["fresh"])


async def test_a_tool_that_changes_in_the_middle_is_blocked_from_then_on(rack: Rack) -> None:
    skill = await rack.add("turncoat")
    assert (await rack.call(skill, "echo", text="before")).result.value == "before"
    await rack.call(skill, "change")
    with pytest.raises(TaskFailed, match="describes itself in another way"):
        await rack.call(skill, "echo", text="after")
    assert (await rack.call(skill, "add_numbers", a=1, b=2)).result.value == 3


@pytest.mark.parametrize(("times", "called"), [(MOST_CHANGED, True), (MOST_CHANGED + 1, False)])
async def test_one_that_changes_its_tools_again_and_again_is_let_go_of(rack: Rack, times: int, called: bool) -> None:
    skill = await rack.add(f"restless{times}", "restless", str(times))
    ran = await rack.call(skill, "echo", text="x")
    if called:
        assert ran.result.value == "x"
    else:
        assert f"changed its tools {MOST_CHANGED} times before a call" in ran.result.error["message"]
        assert (await rack.call(skill, "add_numbers", a=1, b=1)).result.error, "it does so at each start"


@pytest.mark.parametrize("first", [True, False])
async def test_what_the_wall_is_found_to_lack_holds_for_servers(tmp_path: Path, first: bool) -> None:
    """Whether it is found before the first server starts, or while one runs: that one is ended."""
    (tmp_path / "home").mkdir()
    serving = new_serving(tmp_path)
    one = Rack(tmp_path, serving)
    serving.attach(lambda kind, body: one.events.append((kind, body)), lambda *_: True)
    try:
        skill = await one.add("plain")
        if first:
            await serving.close()
            serving = one.serving = new_serving(tmp_path)
        else:
            assert (await one.call(skill, "echo", text="x")).result.value == "x"
        serving.lower(Level.L1, "a cell could read private")
        await until(lambda: not serving.running())
        with pytest.raises(WallUnavailable, match="a cell could read private"):
            await one.call(skill, "echo", text="x")
    finally:
        await serving.close()


async def test_a_tool_that_changes_while_the_server_rests_is_not_called_once_more(rack: Rack) -> None:
    skill = await rack.add("sleeper")
    assert (await rack.call(skill, "echo", text="before")).result.value == "before"
    await rack.call(skill, "change_later")
    await asyncio.sleep(1.0)
    with pytest.raises(TaskFailed, match="describes itself in another way"):
        await rack.call(skill, "echo", text="after")
    assert (await rack.call(skill, "count")).result.value == "1", "the server was not asked, and goes on"


# --- elicitation ------------------------------------------------------------------------------------------------


async def test_a_question_of_the_server_reaches_the_person(rack: Rack) -> None:
    skill, asked = await rack.add("curious"), []

    async def yes(message: str, schema: Any) -> dict[str, Any]:
        asked.append((message, list(schema["properties"])))
        return {"sure": True}

    ran = await rack.call(skill, "ask", elicit=yes, text="Really?")
    assert json.loads(ran.result.value) == {"action": "accept", "content": {"sure": True}}
    assert asked == [("Really?", ["sure"])]
    declined = await rack.call(skill, "ask", text="Really?")
    assert json.loads(declined.result.value)["action"] == "decline"
    assert "It asked and was not told: “Really?”" in declined.result.answer


async def test_questions_without_end_are_declined_after_the_third(rack: Rack) -> None:
    skill, asked = await rack.add("nagging"), []

    async def yes(message: str, _schema: Any) -> dict[str, Any]:
        asked.append(message)
        return {}

    ran = await rack.call(skill, "ask_forever", elicit=yes)
    assert ran.result.value.split() == ["accept"] * 3 + ["decline"] * 17
    assert len(asked) == 3


# --- the wall ---------------------------------------------------------------------------------------------------


def _unconfined(rack: Rack, tool: str, arguments: dict[str, str]) -> dict[str, Any]:
    """Run the same server without us: what it can do there."""
    ask = [{"id": 1, "method": "initialize", "params": {}},
           {"id": 2, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}]  # fmt: skip
    lines = "".join(json.dumps({"jsonrpc": "2.0", **one}) + "\n" for one in ask)
    command = [sys.executable, str(HERE / "raw.py")]
    done = subprocess.run(command, input=lines, capture_output=True, text=True, timeout=30, check=True)
    return dict(json.loads(done.stdout.splitlines()[-1])["result"])


@pytest.mark.parametrize("place", [".ssh/id_rsa", "Other/secret.txt", "servers"])
async def test_it_sees_its_folders_and_nothing_else(rack: Rack, place: str) -> None:
    skill = await rack.add("reader", read=["~/Docs"])
    seen = await rack.call(skill, "look", path=str(rack.home / "Docs" / "plan.txt"))
    assert seen.result.value == "the plan"
    path = str(rack.home / place)
    (rack.home / "servers" / "other.py").write_text("")
    ran = await rack.call(skill, "look", path=path)
    if place == "servers":  # its own program is there, and no other
        assert ran.result.value == "raw.py"
        assert "other.py" in _unconfined(rack, "look", {"path": path})["content"][0]["text"]
        return
    assert ran.result.error["code"] == "server.refused"
    assert "isError" not in _unconfined(rack, "look", {"path": path}), "without us it reads it"


async def test_it_cannot_change_what_it_may_read(rack: Rack) -> None:
    skill = await rack.add("scribbler", read=["~/Docs"])
    ran = await rack.call(skill, "put", path=str(rack.home / "Docs" / "plan.txt"), text="changed")
    assert ran.result.error is not None
    assert (rack.home / "Docs" / "plan.txt").read_text() == "the plan"


async def test_it_reaches_no_network(rack: Rack) -> None:
    assert refusal("127.0.0.1") == "loopback"
    with socket.create_server(("127.0.0.1", 0)) as door:
        threading.Thread(target=_greet, args=(door,), daemon=True).start()
        place = f"127.0.0.1:{door.getsockname()[1]}"
        skill = await rack.add("caller")
        ran = await rack.call(skill, "reach", text=place)
        assert "refused" in ran.result.error["message"]
        assert "hello" in _unconfined(rack, "reach", {"text": place})["content"][0]["text"], "without us it reaches it"


def _greet(door: socket.socket) -> None:
    while True:
        try:
            one, _ = door.accept()
        except OSError:
            return
        with one:
            one.sendall(b"hello")


async def test_it_starts_programs_of_the_system_and_its_own_alone(rack: Rack) -> None:
    for place in ("Docs/tool", "tools/tool"):
        program = rack.home / place
        program.parent.mkdir(exist_ok=True)
        program.write_text("#!/bin/sh\necho it ran\n")
        program.chmod(0o755)
    skill = await rack.add("runner", read=["~/Docs"], program=["~/tools"])
    assert (await rack.call(skill, "run", path=str(rack.home / "tools/tool"))).result.value == "it ran\n"
    ran = await rack.call(skill, "run", path=str(rack.home / "Docs/tool"))
    assert "refused: Permission denied" in ran.result.error["message"]
    free = _unconfined(rack, "run", {"path": str(rack.home / "Docs/tool")})
    assert free["content"][0]["text"] == "it ran\n", "without us it starts it"


async def test_calls_at_once_are_made_one_after_the_other(rack: Rack) -> None:
    one, two = await rack.add("busy-one"), await rack.add("busy-two")
    calls = [rack.call(skill, "echo", text=f"{number}") for number in range(8) for skill in (one, two)]
    assert [ran.result.value for ran in await asyncio.gather(*calls)] == [f"{n}" for n in range(8) for _ in range(2)]


async def test_it_is_told_what_it_was_given_and_no_more(rack: Rack, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_TOKEN", "t0ken")
    skill = await rack.add("nosy", env={"GREETING": "hi"})
    told = json.loads((await rack.call(skill, "environment")).result.value)
    assert told["GREETING"] == "hi"
    assert "MY_TOKEN" not in told
    assert not told["HOME"].startswith(str(rack.home))


# --- how long it runs -------------------------------------------------------------------------------------------


def _alive(rack: Rack) -> bool:
    """Tell whether a server of this rack's home runs (those of other test runs have homes of their own)."""
    script = str(rack.home / "servers" / "raw.py")
    return subprocess.run(["pgrep", "-f", script], capture_output=True, check=False).returncode == 0


async def test_nothing_runs_that_nobody_uses(rack: Rack) -> None:
    skill = await rack.add("idler")
    await rack.call(skill, "echo", text="x")
    assert _alive(rack), "the control"
    assert "idler" in rack.serving.running()
    rack.serving.idle_s = 0.2
    try:
        await rack.call(skill, "echo", text="x")
        await until(lambda: not rack.serving.running())
        await until(lambda: not _alive(rack))
    finally:
        rack.serving.idle_s = 600.0
    why = [body["why"] for kind, body in rack.events if kind == "server.ended" and body["skill"] == "idler"][-1]
    assert why == "nobody used it"


async def test_the_longest_unused_goes_where_there_are_too_many(rack: Rack) -> None:
    rack.serving.recheck()
    rack.serving.most = 2
    try:
        for name in ("first", "second", "third"):
            await rack.call(await rack.add(name), "echo", text="x")
        assert sorted(rack.serving.running()) == ["second", "third"]
    finally:
        rack.serving.most = 8


async def test_a_recheck_ends_what_is_at_rest_now_and_what_is_called_afterwards(rack: Rack) -> None:
    skill = await rack.add("subject")
    await rack.call(skill, "echo", text="x")
    calling = asyncio.ensure_future(rack.call(skill, "ask", elicit=_slow_yes, text="?"))
    await until(lambda: bool(rack.serving.running().get("subject", {}).get("busy")))
    rack.serving.recheck()
    assert (await calling).result.error is None, "what is called goes on to its end"
    await until(lambda: "subject" not in rack.serving.running())


async def test_a_recheck_while_a_server_starts_counts_for_it(rack: Rack) -> None:
    skill = await rack.add("early")
    calling = asyncio.ensure_future(rack.call(skill, "echo", text="x"))
    await asyncio.sleep(0.02)
    assert "early" not in rack.serving.running(), "it is still starting"
    rack.serving.recheck()
    assert (await calling).result.value == "x"
    await until(lambda: "early" not in rack.serving.running(), patience_s=1.5)


async def _slow_yes(_message: str, _schema: Any) -> dict[str, Any]:
    await asyncio.sleep(0.3)
    return {"sure": True}


async def test_a_cancelled_call_takes_its_server_along(rack: Rack) -> None:
    skill = await rack.add("dropped")
    calling = asyncio.ensure_future(rack.call(skill, "hang"))
    await until(lambda: bool(rack.serving.running().get("dropped", {}).get("busy")))
    calling.cancel()
    with pytest.raises(asyncio.CancelledError):
        await calling
    assert "dropped" not in rack.serving.running()


async def test_other_rights_mean_another_cell(rack: Rack) -> None:
    (rack.home / "Docs" / "hidden").mkdir(exist_ok=True)
    (rack.home / "Docs" / "hidden" / "diary.txt").write_text("dear diary")
    skill = await rack.add("choosy", read=["~/Docs"])
    place = str(rack.home / "Docs" / "hidden" / "diary.txt")
    assert (await rack.call(skill, "look", path=place)).result.value == "dear diary"
    denied = await rack.call(skill, "look", hidden=[str(rack.home / "Docs" / "hidden")], path=place)
    assert denied.result.error["code"] == "server.refused"


async def test_nobody_uses_the_server_of_another(rack: Rack) -> None:
    """The control: each has its own, and keeps it."""
    skill = await rack.add("private")
    callers = ("", "mcp:claude", "mcp:code")
    first = [(await rack.call(skill, "pid", client=one)).result.value.split()[0] for one in callers]
    again = [(await rack.call(skill, "pid", client=one)).result.value.split()[0] for one in callers]
    started = [body for kind, body in rack.events if kind == "server.started" and body["skill"] == "private"]
    assert len(started) == 3, "a process id counts inside its cell alone"
    assert first == again
    await rack.call(skill, "change", client="mcp:claude")
    assert (await rack.call(skill, "echo", text="mine")).result.value == "mine", "it changed there alone"
    with pytest.raises(TaskFailed, match="describes itself in another way"):
        await rack.call(skill, "echo", client="mcp:claude", text="theirs")


async def test_waiting_in_line_is_not_the_server_s_time(rack: Rack) -> None:
    skill = await rack.add("popular")
    await rack.call(skill, "echo", text="x")
    holding = asyncio.ensure_future(rack.call(skill, "hang", wall_s=7.0))
    await until(lambda: bool(rack.serving.running()["popular"]["busy"]))
    with pytest.raises(TaskFailed, match="busy with other calls") as caught:
        await rack.call(skill, "echo", wall_s=0.5, text="x")
    assert caught.value.code == "server.busy"
    assert rack.serving.running()["popular"]["busy"], "the one that holds it goes on"
    waiting = asyncio.ensure_future(rack.call(skill, "ask", wall_s=10.0, elicit=_slower_yes, text="?"))
    assert (await holding).result.error["code"] == "task.time"
    assert (await waiting).result.error is None, "more than 6 s in line and 5 s of its own are more than it has"


async def _slower_yes(_message: str, _schema: Any) -> dict[str, Any]:
    await asyncio.sleep(5.0)
    return {"sure": True}


async def test_one_that_keeps_dying_is_left_alone_for_a_while(rack: Rack) -> None:
    skill = await rack.add("mortal", "die")
    first = await rack.call(skill, "echo", text="x")
    assert first.result.error["code"] == "server.over"
    with pytest.raises(TaskFailed, match="seconds") as caught:
        await _again_and_again(rack, skill)
    assert caught.value.code == "server.rests"


async def _again_and_again(rack: Rack, skill: Skill) -> None:
    for _ in range(5):
        await rack.call(skill, "echo", text="x")


async def test_what_the_plan_has_staged_is_not_read_past(rack: Rack) -> None:
    skill = await rack.add("stale", read=["~/Docs"])
    with pytest.raises(TaskFailed, match="steps before"):
        await rack.call(skill, "echo", view=({"op": "write", "path": str(rack.home / "Docs/x")},), text="x")
