"""A tool that has another one called, in a real kernel: what it gets, what it does not, and what is left of it."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from kernel.model import Task
from permissions.labels import Label
from tests.kernel.calling.crew import calls, tell
from tests.kernel.conftest import Bench
from tests.kernel.hostile import attack, begin, reopened, said, step

# --- what it is for -----------------------------------------------------------------------------------------------


async def test_the_answer_comes_back_and_the_call_is_a_child_in_the_ledger(crew: Bench) -> None:
    view = await tell(crew, "ask", "hand.echo", text="hello")
    assert view["resolution"] == "confirmed", view["error"]
    assert view["answer"] == "hello | You said hello. | "
    [(began, first), (ended, last)] = calls(crew, view["run"])
    assert (began, ended) == ("call.started", "call.done")
    assert {name: first[name] for name in ("call", "by", "tool", "depth", "arguments", "withheld")} == {
        "call": "t1.1", "by": "boss.ask", "tool": "hand.echo", "depth": 1, "arguments": {"text": "hello"},
        "withheld": [],
    }  # fmt: skip
    assert len(first["rights_hash"]) == 64
    assert (last["call"], last["value"], last["label"]) == ("t1.1", "hello", Label().to_json())
    assert last["wall_ms"] > 0
    assert last["level"] in ("L3", "L2")
    [shown] = view["calls"]
    assert {name: shown[name] for name in ("call", "by", "tool", "state")} == {
        "call": "t1.1", "by": "boss.ask", "tool": "hand.echo", "state": "done"
    }  # fmt: skip


async def test_a_value_comes_back_in_its_type(crew: Bench) -> None:
    view = await tell(crew, "ask", "hand.measure", file=f"{crew.home}/Documents/thesis.txt")
    assert view["answer"].startswith("Record(fields={'text': 'thesis', 'size': 6})"), view


async def test_what_the_other_tool_says_when_it_fails_is_what_the_caller_hears(crew: Bench) -> None:
    view = await tell(crew, "ask", "hand.refuse")
    assert view["answer"] == "hand.no: The hand will not."
    assert [(kind, body.get("code")) for kind, body in calls(crew, view["run"])] == [
        ("call.started", None), ("call.failed", "hand.no")
    ]  # fmt: skip


async def test_calls_from_many_threads_are_made_one_after_the_other(crew: Bench) -> None:
    view = await attack(crew, step(1, "boss.crowd", count=said(4)))
    assert sorted(view["result"]["value"]) == ["0", "1", "2", "3"]
    order = [(kind, body["call"]) for kind, body in calls(crew, view["run"])]
    assert order == [(kind, f"t1.{n}") for n in range(1, 5) for kind in ("call.started", "call.done")]


async def test_a_called_tool_works_in_a_folder_that_it_was_handed(crew: Bench) -> None:
    view = await tell(crew, "order", "hand.build", folder="ROOM")
    assert view["resolution"] == "confirmed", view["error"]
    assert (crew.home / "Documents" / "made.txt").read_text() == "from the boss and the hand\n"
    assert (await tell(crew, "order", "hand.started", folder="ROOM/inner"))["answer"].startswith("made here")
    assert (await tell(crew, "order", "hand.peek", file="ROOM/in.txt"))["answer"].startswith("from the boss")


# --- the confused deputy (case 85) --------------------------------------------------------------------------------


async def granted(crew: Bench, *rights: str) -> None:
    for right in rights:
        await crew.kernel.grant("hand", right)


@pytest.mark.parametrize("place", ["Elsewhere/secret.txt", "Downloads/small.txt"])
async def test_a_stronger_tool_reads_for_its_caller_only_what_the_caller_may(crew: Bench, place: str) -> None:
    await granted(crew, f"fs.read:{crew.home}/**")
    path = str(crew.home / place)
    itself = await attack(crew, step(1, "hand.anywhere", path=said(path)))
    assert itself["result"]["value"] == (crew.home / place).read_text()  # the control: by itself it may
    view = await tell(crew, "ask", "hand.anywhere", path=path)
    assert view["answer"] == f"nothing there |  | fs.read:{crew.home}/**"
    inside = await tell(crew, "ask", "hand.anywhere", path=f"{crew.home}/Documents/thesis.txt")
    assert inside["answer"].startswith("thesis |")
    [(_, began), _] = calls(crew, inside["run"])
    assert began["rights"] == [f"fs.read:{crew.home}/Documents/**"]


@pytest.mark.parametrize("place", ["Elsewhere/secret.txt", ".ssh/id_rsa"])
async def test_a_file_that_the_caller_may_not_read_is_not_read_for_it(crew: Bench, place: str) -> None:
    await granted(crew, f"fs.read:{crew.home}/Elsewhere/**")
    view = await tell(crew, "ask", "hand.peek", file=str(crew.home / place))
    assert view["answer"] == f"nothing there |  | fs.read:{crew.home}/{place}"
    everything = await tell(crew, "ask", "hand.peek", crew.home, file=str(crew.home / place))
    if place.startswith(".ssh"):  # what is private stays so, whatever the caller may look into
        assert everything["answer"].startswith("call.denied:")
    else:
        assert everything["answer"].startswith("SECRET")


async def test_a_called_tool_sees_no_more_of_the_home_than_its_caller(crew: Bench) -> None:
    await granted(crew, f"fs.read:{crew.home}/**")
    itself = await attack(crew, step(1, "hand.listed"))
    assert "Elsewhere" in itself["result"]["value"]
    assert (await tell(crew, "ask", "hand.listed"))["answer"].startswith("Documents |")


async def test_a_tool_that_the_manifest_does_not_name_is_not_called(crew: Bench) -> None:
    for tool in ("files.find", "notes.create", "hand", "*", "hand.*", "HAND.echo", "nothing.at_all", ""):
        view = await tell(crew, "ask", tool)
        assert view["answer"].startswith("call.right:"), tool
        assert [kind for kind, _ in calls(crew, view["run"])] == ["call.failed"]
    assert (await tell(crew, "ask", "hand.gone"))["answer"].startswith("tool.unknown:")  # named, and not there


async def test_who_has_no_right_to_call_has_nothing_to_ask_at(crew: Bench) -> None:
    view = await attack(crew, step(1, "hand.dive", depth=said(1)))
    assert view["resolution"] == "confirmed"
    manifest = crew.folders.data / "skills" / "hand" / "steward.toml"
    right = '{ action = "skill.call", scope = "hand.dive", reason = "to dive" }'
    assert right in manifest.read_text()
    manifest.write_text(manifest.read_text().replace(right, ""))
    await reopened(crew)
    view = await attack(crew, step(1, "hand.dive", depth=said(1)))
    assert view["error"]["code"] == "tool.calls"


# --- effects ------------------------------------------------------------------------------------------------------


async def test_a_tool_does_not_call_one_that_does_more_than_itself(crew: Bench) -> None:
    for boss, tool in [("ask", "hand.describe"), ("ask", "hand.send"), ("order", "hand.send")]:
        view = await tell(crew, boss, tool, **({"path": "/x"} if tool.endswith("be") else {"text": "x"}))
        assert view["answer"].startswith("call.effect:"), (boss, tool)


async def test_what_decides_where_something_goes_is_not_filled_by_a_tool(crew: Bench) -> None:
    itself = await attack(crew, step(1, "hand.steer", text=said("home")))
    assert itself["result"]["value"] == "home"  # the control: a person may say it
    assert (await tell(crew, "order", "hand.steer", text="elsewhere"))["answer"].startswith("call.sink:")
    assert (await tell(crew, "order", "hand.echo", text="elsewhere"))["answer"].startswith("elsewhere")


async def test_a_called_tool_changes_nothing_of_the_person_s(crew: Bench) -> None:
    control = await attack(crew, step(1, "notes.create", title=said("plan"), text=said("y")))
    assert control["resolution"] == "confirmed"
    assert (crew.home / "Notes" / "plan.md").exists()
    before = crew.tree()
    target = f"{crew.home}/Documents/new.txt"
    for tool, words, code in [
        ("notes.create", {"title": "other", "text": "y"}, "call.changes"),
        ("hand.describe", {"path": target}, "tool.called"),
        ("hand.sneak", {"path": target}, "call.effects"),
        ("hand.build", {"folder": f"{crew.home}/Documents"}, "call.changes"),
        ("hand.build", {"folder": "ROOM/link"}, "call.changes"),
        ("hand.build", {"folder": "ROOM/../.."}, "result.argument"),
        ("hand.build", {"folder": str(crew.folders.data)}, "call.changes"),
    ]:
        view = await tell(crew, "order", tool, **words)
        assert view["answer"].startswith(f"{code}:"), (tool, words, view["answer"])
        assert crew.tree() == before


async def test_a_folder_that_becomes_a_link_while_it_is_handed_over_is_refused(crew: Bench) -> None:
    (crew.home / "Documents" / "in.txt").write_text("bait")
    before = crew.tree()
    view = await attack(crew, step(1, "boss.swap", folder=said({"path": f"{crew.home}/Documents"})))
    assert view["resolution"] in ("confirmed", "executed"), view["error"]
    assert "built" not in view["answer"]  # in an empty folder there is nothing to build from; in Documents there is
    assert crew.tree() == before


# --- no end, no more than was left --------------------------------------------------------------------------------


async def test_calls_of_calls_end_at_the_third(crew: Bench) -> None:
    assert (await tell(crew, "ask", "hand.dive", depth=2))["answer"].startswith("2 |")
    view = await tell(crew, "ask", "hand.dive", depth=3)
    assert view["answer"].startswith("call.depth:")
    depths = [body["depth"] for kind, body in calls(crew, view["run"]) if kind == "call.started"]
    assert depths == [1, 2, 3]
    assert [body["call"] for kind, body in calls(crew, view["run"]) if kind == "call.started"][-1] == "t1.1.1.1"


async def test_who_asks_for_what_it_may_not_have_is_not_listened_to_for_ever(crew: Bench) -> None:
    view = await attack(crew, step(1, "boss.nag", count=said(60)))
    assert view["result"]["value"] == ["call.right"] * 50 + ["call.cut"] * 10
    assert len(calls(crew, view["run"])) == 50


@pytest.mark.parametrize("words", ["", "x", "[]", "{}", '{"tool": 1, "arguments": {}}', '{"tool": "a.b"}',
                                   '{"tool": "hand.echo", "arguments": []}', "[" * 100_000,
                                   '{"tool": "hand.echo", "arguments": {"text": NaN}}'])  # fmt: skip
async def test_what_is_no_question_is_answered_so(crew: Bench, words: str) -> None:
    view = await attack(crew, step(1, "boss.babble", words=said(words)))
    assert '"call.question"' in view["result"]["value"], view


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("hand.echo", {}),
        ("hand.echo", {"text": "x", "more": "y"}),
        ("hand.peek", {"file": {"path": 7}}),
        ("hand.peek", {"file": "Documents/thesis.txt"}),
        ("hand.peek", {"file": "/h/../etc/passwd"}),
        ("hand.peek", {"file": "/h\0x"}),
        ("hand.peek", {"file": "/h\ud800"}),
        ("hand.peek", {"file": ["/a", "/b"]}),
        ("hand.dive", {"depth": "many"}),
    ],
)
async def test_an_argument_that_does_not_fit_is_refused(crew: Bench, tool: str, arguments: dict[str, Any]) -> None:
    view = await tell(crew, "ask", tool, **arguments)
    assert view["answer"].startswith("result.argument:"), view
    assert [kind for kind, _ in calls(crew, view["run"])] == ["call.failed"]


def _waits(mark: str) -> bool:
    """Tell whether a process of this machine waits for so many seconds."""
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if mark.encode() in (folder / "cmdline").read_bytes().split(b"\0"):
                return True
        except OSError:
            continue
    return False


async def _until(true: Any) -> None:
    async with asyncio.timeout(60):
        while not true():  # noqa: ASYNC110 - a process of another program sets no event of ours
            await asyncio.sleep(0.02)


def _waiting(boss: str, mark: str) -> Task:
    return step(1, f"boss.{boss}", whom=said("hand.wait"), arguments=said(json.dumps({"mark": mark})))


async def test_what_is_called_ends_with_the_time_of_its_caller(crew: Bench) -> None:
    mark = "4242.16"
    run = await begin(crew, _waiting("hurry", mark))
    await _until(lambda: _waits(mark))  # the control: it runs
    view = await crew.kernel.settled(run)
    assert view["answer"].startswith("task.time:"), view
    assert not _waits(mark)


async def test_a_caller_that_is_killed_leaves_no_call_behind(crew: Bench) -> None:
    mark = "4242.17"
    run = await begin(crew, _waiting("crash", mark))
    await _until(lambda: _waits(mark))
    view = await crew.kernel.settled(run)
    assert view["error"]["code"] == "task.crashed", view
    assert not _waits(mark)
    assert [body.get("code") for _, body in calls(crew, run)] == [None, "task.cancelled"]


async def test_to_cancel_the_run_ends_the_calls_of_its_calls(crew: Bench) -> None:
    mark = "4242.18"
    run = await begin(crew, _waiting("stay", mark))
    await _until(lambda: _waits(mark))
    await crew.kernel.cancel(run)
    assert (await crew.kernel.settled(run))["resolution"] == "rolled_back"
    assert not _waits(mark)
    assert [body.get("code") for _, body in calls(crew, run)] == [None, "task.cancelled"]


async def test_a_caller_that_returns_without_waiting_ends_its_call(crew: Bench) -> None:
    mark = "4242.19"
    view = await tell(crew, "leave", "hand.wait", mark=mark)
    assert view["resolution"] == "confirmed", view["error"]
    assert not _waits(mark)
    assert [body.get("code") for _, body in calls(crew, view["run"])] == [None, "task.cancelled"]


async def test_a_right_that_is_taken_from_the_caller_ends_what_it_called(crew: Bench) -> None:
    mark = "4242.20"
    grant = await crew.kernel.grant("boss", "skill.call:hand.wait")
    run = await begin(crew, _waiting("stay", mark))
    await _until(lambda: _waits(mark))
    await crew.kernel.revoke(grant)
    view = await crew.kernel.settled(run)
    assert view["error"]["code"] == "task.revoked", view
    assert not _waits(mark)


async def test_what_is_denied_to_the_called_tool_meanwhile_ends_it_alone(crew: Bench) -> None:
    mark, path = "4242.21", f"{crew.home}/Documents/thesis.txt"
    asked = json.dumps({"file": path, "mark": mark})
    folder = said({"path": f"{crew.home}/Documents"})
    run = await begin(crew, step(1, "boss.ask", folder=folder, whom=said("hand.watch"), arguments=said(asked)))
    await _until(lambda: _waits(mark))
    await crew.kernel.rights.deny("hand", f"fs.read:{path}")
    view = await crew.kernel.settled(run)
    assert (view["resolution"], view["answer"].partition(":")[0]) == ("confirmed", "task.revoked"), view
    assert not _waits(mark)


async def test_what_is_denied_to_the_called_tool_is_not_lent_to_it(crew: Bench) -> None:
    path = f"{crew.home}/Documents/thesis.txt"
    allowed = await tell(crew, "ask", "hand.peek", file=path)
    assert allowed["answer"].startswith("thesis")
    await crew.kernel.rights.deny("hand", f"fs.read:{crew.home}/Documents/**")
    view = await tell(crew, "ask", "hand.peek", file=path)
    assert view["answer"].startswith("call.denied:")
    elsewhere = await tell(crew, "ask", "hand.peek", crew.home / "Downloads", file=f"{crew.home}/Downloads/small.txt")
    assert elsewhere["answer"].startswith("xxx")


async def test_what_is_denied_inside_of_what_it_reads_is_hidden_from_it(crew: Bench) -> None:
    diary = f"{crew.home}/Documents/locked/diary.txt"
    assert (await tell(crew, "ask", "hand.anywhere", path=diary))["answer"].startswith("diary")
    for node in ("hand", "boss"):
        one = await crew.kernel.rights.deny(node, f"fs.read:{crew.home}/Documents/locked/**")
        view = await tell(crew, "ask", "hand.anywhere", path=diary)
        assert not view["answer"].startswith("diary"), node
        await crew.kernel.rights.revoke(one, denies=True)


async def test_a_person_denies_that_one_tool_is_called(crew: Bench) -> None:
    for denied in ("skill.call:hand.echo", "skill.call:hand"):
        one = await crew.kernel.rights.deny("boss", denied)
        view = await tell(crew, "ask", "hand.echo", text="x")
        assert (view["resolution"], view["error"]["code"]) == ("blocked", "policy.denied")
        await crew.kernel.rights.revoke(one, denies=True)
    assert (await tell(crew, "ask", "hand.echo", text="x"))["resolution"] == "confirmed"


async def test_a_call_has_the_time_that_its_caller_has_left(crew: Bench) -> None:
    own = await attack(crew, step(1, "hand.clock"))
    assert own["result"]["value"] > 25
    view = await tell(crew, "hurry", "hand.clock")
    assert float(view["answer"].partition(" ")[0]) <= 10


async def test_a_call_has_the_memory_that_its_caller_has_left(crew: Bench) -> None:
    own = await attack(crew, step(1, "hand.eat", mib=said(500)))
    assert own["result"]["value"] == 500, own  # the control: by itself it may have 4 GiB
    view = await tell(crew, "hurry", "hand.eat", mib=500)
    assert view["answer"].startswith("call.memory:"), view
    assert (await tell(crew, "hurry", "hand.eat", mib=100))["answer"].startswith("100")


async def test_who_has_little_memory_leaves_half_of_it_at_first(crew: Bench) -> None:
    assert (await tell(crew, "modest", "hand.echo", text="x"))["answer"].startswith("x |")
    assert (await tell(crew, "poor", "hand.echo", text="x"))["answer"].startswith("call.left:")


async def test_budgets_are_used_at_both_and_once_where_they_meet(crew: Bench) -> None:
    rights, below = crew.kernel.rights, "root/user/workspace"
    nodes = {"user": "root/user", "boss": f"{below}/boss", "hand": f"{below}/hand"}
    for name in nodes:
        await rights.limit(name, "wall", "1h", total=True)
    view = await tell(crew, "ask", "hand.echo", text="x")
    assert view["resolution"] == "confirmed", view["error"]
    house = crew.kernel._house
    used = {name: 3_600_000 - (house.accounts.budgets.left(node, "wall") or 0) for name, node in nodes.items()}
    assert used["boss"] > used["hand"] > 0
    assert used["user"] == used["boss"]
    await rights.limit("hand", "wall", "0", total=True)
    assert (await tell(crew, "ask", "hand.echo", text="x"))["answer"].startswith("refused.budget:")
