"""A call that meets a person's limit for memory asks for more, and gets exactly what was answered."""

from __future__ import annotations

import shutil
import sys
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kernel.errors import NotNow
from permissions import Cells
from permissions.confine import cgroup
from tests.kernel.conftest import Bench, opened
from tests.kernel.hostile import attack, reopened, said, step
from tests.kernel.hungry import install
from tests.permissions.egress.conftest import Internet, internet, saying

__all__ = ["internet"]

pytestmark = [pytest.mark.slow, pytest.mark.sandbox]

SLOWER = 5
"""So many times slower than a free machine this one may be."""

MB = 1_000_000
LIMIT, MORE = 128 * MB, 256 * MB
TOO_MUCH, FAR_TOO_MUCH = 160, 320  # MiB, above the limit and above twice of it


@pytest.fixture
async def hungry(tmp_path: Path) -> AsyncIterator[Bench]:
    async with opened(tmp_path, install) as one:
        yield one


async def limited(bench: Bench, node: str = "hungry", value: str = "128MB") -> None:
    if not cgroup.find_groups():
        pytest.skip("needs a control group of our own: run as root, or under systemd with Delegate=yes")
    await bench.kernel.rights.limit(node, "memory", value)


def hold(mib: int, number: int = 1) -> Any:
    return replace(step(number, "hungry.hold", mib=said(mib)), after=())


async def eaten(bench: Bench, *tasks: Any, yes: bool = True) -> dict[str, Any]:
    return await attack(bench, *tasks, yes=yes)


def amount(bench: Bench, node: str = "hungry") -> int | None:
    return next((one["amount"] for one in bench.kernel.rights.show(node)["limits"] if one["meter"] == "memory"), None)


def asked(view: dict[str, Any]) -> dict[str, Any]:
    assert (view["resolution"], view["stage"]) == ("pending", "limit"), view["error"] or view
    return dict(view["card"]["limit"])


async def test_it_asks_in_words_and_goes_on_with_what_was_given(hungry: Bench) -> None:
    assert (await eaten(hungry, hold(TOO_MUCH)))["resolution"] == "executed", "the control: without a limit"
    await limited(hungry)
    view = await eaten(hungry, hold(TOO_MUCH))
    question = asked(view)
    assert question["question"] == (
        "hungry.hold needs more than 128 MB of memory; your limit for hungry is 128 MB. Let it have 256 MB?"
    )
    assert (question["limit_bytes"], question["offered_bytes"]) == (LIMIT, MORE)
    assert 0 < question["peak_bytes"] <= LIMIT
    view = await hungry.answer(view["run"], "once")
    assert (view["resolution"], view["result"]["value"]) == ("confirmed", TOO_MUCH)
    assert amount(hungry) == LIMIT, "the limit stays what it was"


async def test_it_asks_within_two_seconds_of_the_throttling(hungry: Bench) -> None:
    """The call says when it takes what is too much; the question stands in the ledger with its time."""
    await limited(hungry)
    view = await eaten(hungry, hold(TOO_MUCH))
    asked(view)
    events = list(hungry.kernel._house.ledger.events(run=view["run"]))
    said_so = [event.body["text"].split() for event in events if event.kind == "task.progress"]
    throttled_s = max(float(words[1]) for words in said_so if len(words) == 2)
    (question,) = [event for event in events if event.kind == "approval.requested"]
    assert question.at_ns / 1e9 - throttled_s < 2.0 * SLOWER


@pytest.mark.parametrize(
    ("answer", "again", "next_run", "limit"),
    [("once", "limit", "limit", LIMIT), ("run", "executed", "limit", LIMIT), ("always", "executed", "executed", MORE)],
)
async def test_an_answer_holds_as_long_as_it_says(
    hungry: Bench, answer: str, again: str, next_run: str, limit: int
) -> None:
    await limited(hungry)
    second = replace(hold(TOO_MUCH, 2), after=("t1",))
    view = await eaten(hungry, hold(TOO_MUCH), second)
    assert asked(view)["task"] == "t1"
    view = await hungry.answer(view["run"], answer)
    if again == "limit":
        assert asked(view)["task"] == "t2", "once is for one call"
        view = await hungry.answer(view["run"], "once")
    assert view["resolution"] == "confirmed"
    assert amount(hungry) == limit
    view = await eaten(hungry, hold(TOO_MUCH))
    assert view["stage"] == ("limit" if next_run == "limit" else None)
    await reopened(hungry)
    assert amount(hungry) == limit, "what was said for always is in the ledger"


async def test_calls_at_the_same_time_ask_one_after_the_other_and_only_once_for_the_run(hungry: Bench) -> None:
    await limited(hungry)
    view = await eaten(hungry, hold(TOO_MUCH), hold(TOO_MUCH, 2))
    asked(view)
    view = await hungry.answer(view["run"], "run")
    assert view["resolution"] == "confirmed", "the other call saw the new limit"
    kinds = [event["kind"] for event in view["events"]]
    assert kinds.count("approval.requested") == 1


@pytest.mark.parametrize("answer", ["no", "expired"])
async def test_without_a_yes_it_ends_as_before_and_names_the_command(hungry: Bench, answer: str) -> None:
    await limited(hungry)
    if answer == "expired":
        house = hungry.kernel._house
        house.settings = house.settings.model_copy(update={"approval_timeout_s": 1})
        view = await eaten(hungry, hold(TOO_MUCH))
        async for _ in hungry.kernel.stream(run=view["run"]):
            pass
        view = hungry.kernel.view(view["run"])
    else:
        view = await hungry.answer((await eaten(hungry, hold(TOO_MUCH)))["run"], "no")
    code = "approval.refused" if answer == "no" else "approval.expired"
    assert (view["resolution"], view["error"]["code"]) == ("blocked", code)
    assert "needed more memory than it may use" in view["answer"]
    assert "The limit of hungry for memory is 128 MB." in view["answer"]
    assert view["error"]["hint"] == "To allow more: ./steward perms limit hungry memory 256MB"
    failed = next(event for event in hungry.kernel._house.ledger.events(run=view["run"]) if event.kind == "task.failed")
    assert failed.body["code"] == "task.memory"
    assert amount(hungry) == LIMIT


async def test_nothing_of_the_first_attempt_is_kept(hungry: Bench) -> None:
    """A tool that works in a folder left half a file there; one that describes had written its content."""
    await limited(hungry)
    folder = hungry.home / "Documents"
    folder.mkdir()
    (folder / "old.txt").write_text("old")
    for number, tool in enumerate(("write", "work")):
        before = hungry.tree()
        view = await eaten(hungry, step(1, f"hungry.{tool}", folder=said({"path": str(folder)}), mib=said(TOO_MUCH)))
        asked(view)
        assert hungry.tree() == before, "nothing is changed while it waits"
        view = await hungry.answer(view["run"], "once")
        assert view["resolution"] == "confirmed", view["error"]
        made = (folder / "made.txt").read_text()
        assert made == ("whole" if number == 0 else "old.txt"), "it began with what lies there, not with its leavings"
        assert not (folder / "half.txt").exists()
        (folder / "made.txt").unlink()


async def test_what_an_earlier_task_staged_is_there_the_second_time(hungry: Bench) -> None:
    await limited(hungry)
    folder = hungry.home / "Documents"
    folder.mkdir()
    place = said({"path": str(folder)})
    view = await eaten(hungry, step(1, "hungry.write", folder=place, mib=said(0)),
                       step(2, "hungry.work", folder=place, mib=said(TOO_MUCH)))  # fmt: skip
    asked(view)
    view = await hungry.answer(view["run"], "once")
    assert view["resolution"] == "confirmed", view["error"]
    assert (folder / "made.txt").read_text() == "made.txt"


async def test_a_script_s_yes_lifts_no_limit_of_a_person(hungry: Bench) -> None:
    """The control: without ``--yes`` the same run waits in the same way."""
    await limited(hungry)
    for yes in (True, False):
        view = await eaten(hungry, hold(TOO_MUCH), yes=yes)
        asked(view)
        assert [one["stage"] for one in hungry.kernel.approvals()] == ["limit"]
        await hungry.kernel.cancel(view["run"])
        async for _ in hungry.kernel.stream(run=view["run"]):
            pass
        assert hungry.kernel.view(view["run"])["resolution"] == "rolled_back"


async def test_an_answer_to_another_question_does_not_count(hungry: Bench) -> None:
    await limited(hungry)
    view = await eaten(hungry, hold(FAR_TOO_MUCH))
    first = view["seal"]
    with pytest.raises(NotNow):
        await hungry.kernel.approve(view["run"], "once", seal="")
    await hungry.kernel.approve(view["run"], "once", seal=first)
    view = await hungry.kernel.settled(view["run"])
    assert asked(view)["limit_bytes"] == MORE, "it asks about the limit that it met then"
    with pytest.raises(NotNow):
        await hungry.kernel.approve(view["run"], "once", seal=first)
    view = await hungry.answer(view["run"], "once")
    assert view["resolution"] == "confirmed"


@pytest.mark.parametrize(("changed", "resolution"), [("1GB", "confirmed"), ("none", "confirmed"), ("100MB", "pending")])
async def test_a_limit_that_a_person_changed_meanwhile_is_not_overruled(
    hungry: Bench, changed: str, resolution: str
) -> None:
    await limited(hungry)
    view = await eaten(hungry, hold(TOO_MUCH))
    await hungry.kernel.rights.limit("hungry", "memory", changed)
    now = amount(hungry)
    view = await hungry.answer(view["run"], "always")
    assert (view["resolution"], amount(hungry)) == (resolution, now)
    if resolution == "pending":
        assert asked(view)["limit_bytes"] == 100 * MB


async def test_only_the_limit_that_was_asked_about_is_raised(hungry: Bench) -> None:
    await limited(hungry, "user", "160MB")
    await limited(hungry)
    view = await eaten(hungry, hold(TOO_MUCH))
    assert asked(view)["node"] == "hungry"
    view = await hungry.answer(view["run"], "run")
    assert asked(view)["node"] == "user"
    view = await hungry.answer(view["run"], "run")
    assert view["resolution"] == "confirmed"


async def test_a_machine_without_memory_is_named_and_nothing_is_asked(hungry: Bench) -> None:
    """The control is every other test here: the same call on a machine that has it."""
    await limited(hungry)
    hungry.kernel._house.spare_bytes = lambda: 130 * MB
    view = await eaten(hungry, hold(TOO_MUCH))
    assert (view["resolution"], view["error"]["code"]) == ("failed", "task.memory")
    assert "This machine can spare no more than 130 MB now." in view["answer"]


async def test_a_call_that_the_machine_cannot_serve_is_no_question(hungry: Bench) -> None:
    await limited(hungry, value="1GB")
    hungry.kernel._house.cells = Cells([sys.executable, "-P", "-m", "skills.worker"], left_bytes=1 << 60)
    view = await eaten(hungry, hold(FAR_TOO_MUCH))
    assert (view["resolution"], view["error"]["code"]) == ("failed", "task.memory")
    assert "more memory than this machine has left" in view["answer"]


async def test_a_limit_of_the_tool_s_own_is_no_question(hungry: Bench) -> None:
    await limited(hungry, value="1GB")
    view = await eaten(hungry, step(1, "hungry.modest", mib=said(TOO_MUCH)))
    assert (view["resolution"], view["error"]["code"]) == ("failed", "task.memory")


async def test_a_daemon_that_is_stopped_while_it_waits_rolls_the_run_back(hungry: Bench) -> None:
    await limited(hungry)
    view = await eaten(hungry, hold(TOO_MUCH))
    await reopened(hungry)
    view = hungry.kernel.view(view["run"])
    assert (view["resolution"], view["error"]["code"]) == ("rolled_back", "run.interrupted")
    assert hungry.kernel.approvals() == []


@pytest.mark.parametrize("revoked", [True, False])
async def test_a_right_that_went_while_it_waited_is_gone(hungry: Bench, revoked: bool) -> None:
    """The control: another grant is taken away meanwhile."""
    await limited(hungry)
    folder = hungry.home / "Documents"
    folder.mkdir()
    actions = ("fs.read", "fs.create", "fs.write", "fs.delete")
    grants = [await hungry.kernel.grant("hungry", f"{action}:~/Documents/**") for action in actions]
    other = await hungry.kernel.grant("hungry", "fs.read:~/Downloads/**")
    write = step(1, "hungry.write", folder=said({"path": str(folder)}), mib=said(TOO_MUCH))
    view = await eaten(hungry, write, yes=False)
    asked(view)
    await hungry.kernel.revoke(grants[1] if revoked else other)
    view = await hungry.answer(view["run"], "once")
    assert (folder / "made.txt").exists() is not revoked
    assert view["resolution"] == ("blocked" if revoked else "confirmed")
    assert not revoked or view["error"]["code"] == "task.revoked"


@pytest.fixture
async def online(hungry: Bench, internet: Internet) -> Bench:
    port = await internet.server(saying("hello"), name="example.org")
    skill = Path(hungry.folders.data) / "skills" / "hungry"
    shutil.rmtree(skill)
    install(hungry.folders, port)
    await reopened(hungry)
    hungry.kernel._house.cells = Cells([sys.executable, "-P", "-m", "skills.worker"], network=internet.egress())
    return hungry


@pytest.mark.parametrize(("tool", "twice"), [("send", True), ("pass_on", True), ("read", False)])
async def test_what_would_be_done_twice_at_a_host_is_said_on_the_card(online: Bench, tool: str, twice: bool) -> None:
    """The control is the tool that only reads there."""
    await limited(online, value="256MB")  # half of it is left to the call that it asks for
    view = await eaten(online, step(1, f"hungry.{tool}", mib=said(FAR_TOO_MUCH)))
    asked(view)
    concerns = [{"why": "May be done twice", "subject": "example.org"}]
    assert view["card"]["concerns"] == (concerns if twice else [])
    view = await online.answer(view["run"], "once")
    assert (view["resolution"], view["result"]["value"]) == ("confirmed", "hello")
