"""The whole way of a request through a real kernel: resolutions, consent, undo, restart."""

from __future__ import annotations

import asyncio
import os
import re

import pytest

from kernel import Ask, BadRequest, NotNow, UnknownRun
from kernel.context.mind import Mind
from kernel.handling import way
from tests.kernel.conftest import Bench

pytestmark = pytest.mark.slow

NOTE = "save a note called 'hello' saying 'good morning'"
LARGEST = "show the two largest files in Downloads"


async def test_a_request_that_needs_nothing_is_executed(bench: Bench) -> None:
    view = await bench.ask("what is 17% of 230?", yes=False)
    assert (view["resolution"], view["effects"]) == ("executed", [])
    assert "39.1" in view["answer"]
    assert view["timings"]["total_ms"] > 0


async def test_who_waits_for_the_words_is_told_so(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    house = bench.kernel._house
    quick = await bench.ask("what is 17% of 230?")
    mind, ready = await house.learning.mind(), asyncio.Event()

    async def late() -> Mind:
        await ready.wait()
        return mind

    monkeypatch.setattr(house.learning, "mind", late)
    monkeypatch.setattr(way, "TOLD_AFTER_S", 0.05)
    asyncio.get_running_loop().call_later(0.5, ready.set)
    slow = await bench.ask("what is 17% of 230?")
    assert (quick["resolution"], slow["resolution"]) == ("executed", "executed")
    told = [event.run for event in house.ledger.events() if event.kind == "run.warming"]
    assert told == [slow["run"]]


async def test_a_request_that_needs_rights_waits_and_nothing_has_changed(bench: Bench) -> None:
    before = bench.tree()
    view = await bench.ask(NOTE, yes=False)
    assert (view["resolution"], view["stage"]) == ("pending", "plan")
    assert {right["action"] for right in view["card"]["rights"]} >= {"fs.create"}
    assert bench.tree() == before
    assert [waiting["run"] for waiting in bench.kernel.approvals()] == [view["run"]]
    done = await bench.answer(view["run"], "once")
    assert done["resolution"] == "confirmed"
    assert (bench.home / "Notes" / "hello.md").read_text().strip().endswith("good morning")


async def test_a_no_is_blocked_and_changes_nothing(bench: Bench) -> None:
    before = bench.tree()
    view = await bench.ask(NOTE, yes=False)
    done = await bench.answer(view["run"], "no")
    assert (done["resolution"], done["error"]["code"]) == ("blocked", "approval.refused")
    assert bench.tree() == before


@pytest.mark.parametrize(("answer", "asks_again"), [("once", True), ("run", True), ("always", False)])
async def test_only_always_outlives_its_run(bench: Bench, answer: str, asks_again: bool) -> None:
    first = await bench.ask(LARGEST, yes=False)
    await bench.answer(first["run"], answer)
    second = await bench.ask(LARGEST, yes=False)
    assert (second["resolution"] == "pending") is asks_again
    if not asks_again:
        assert second["resolution"] == "executed"
        (grant,) = bench.kernel.perms()
        await bench.kernel.revoke(grant["id"])
        third = await bench.ask(LARGEST, yes=False)
        assert third["resolution"] == "pending"


async def test_undo_takes_everything_back_once(bench: Bench) -> None:
    before = bench.tree()
    view = await bench.ask(NOTE)
    assert bench.tree() != before
    taken = await bench.kernel.undo(None)
    assert taken["run"] == view["run"]
    assert bench.tree() == before
    assert not (bench.home / "Notes").exists()
    assert bench.kernel.view(view["run"])["undone"]
    with pytest.raises(NotNow):
        await bench.kernel.undo(view["run"])


async def test_undo_that_as_a_request(bench: Bench) -> None:
    before = bench.tree()
    await bench.ask(NOTE)
    view = await bench.ask("undo that, please")
    assert view["resolution"] == "executed"
    assert bench.tree() == before


@pytest.mark.parametrize("text", ["", "   ", "\n\t", "x" * 20_001, "a" * 1_000_000, "bad \ud800 text"])
async def test_what_nobody_can_mean_is_refused_at_the_door(bench: Bench, text: str) -> None:
    with pytest.raises(BadRequest) as refused:
        await bench.kernel.ask(Ask(text))
    assert refused.value.hint
    assert bench.kernel.runs() == []


@pytest.mark.parametrize(
    ("text", "resolutions"),
    [
        ("delete \x00\x1b[31m everything", {"blocked", "declined", "clarify"}),
        ("show the two largest files in /root/secret", {"blocked", "clarify", "declined"}),
        ("show the two largest files in /home/somebody-else", {"blocked", "clarify", "declined"}),
        ("how many pages has nowhere.pdf", {"clarify", "failed", "declined"}),
        ("sing me a song about the sea", {"declined", "clarify"}),
        ("\u202egnihton", {"blocked", "declined", "clarify"}),
    ],
)
async def test_bad_requests_end_with_words_and_change_nothing(bench: Bench, text: str, resolutions: set[str]) -> None:
    before = bench.tree()
    view = await bench.ask(text)
    assert view["resolution"] in resolutions
    assert view["answer"]
    assert "Traceback" not in view["answer"]
    assert bench.tree() == before
    assert not re.search(r"[\x00-\x08\x1b]", view["answer"])
    assert (await bench.ask("what is 1+1"))["resolution"] == "executed", "the daemon is alive"


async def test_a_corrupt_pdf_and_a_ragged_csv_say_what_to_do(bench: Bench) -> None:
    (bench.home / "broken.pdf").write_bytes(b"%PDF-1.7\nnot really")
    (bench.home / "ragged.csv").write_text("a,b\n1,2\n3\n4,5,6\n")
    pdf = await bench.ask("how many pages has broken.pdf")
    assert (pdf["resolution"], bool(pdf["error"]["hint"])) == ("failed", True)
    assert "broken.pdf" in pdf["answer"]
    csv = await bench.ask("what is the sum of b in ragged.csv")
    assert csv["resolution"] in {"failed", "confirmed"}
    assert "ragged.csv" in csv["answer"]


async def test_a_file_edited_while_the_plan_waits_is_a_conflict_and_survives(bench: Bench) -> None:
    target = bench.home / "Downloads" / "small.txt"
    view = await bench.ask("delete ~/Downloads/small.txt", yes=False)
    waiting = await bench.answer(view["run"], "once")
    assert (waiting["resolution"], waiting["stage"]) == ("pending", "commit")
    assert waiting["diff"]
    target.write_text("edited meanwhile")
    done = await bench.answer(view["run"], "once")
    assert done["resolution"] == "failed"
    assert done["error"]["code"].startswith("conflict")
    assert target.read_text() == "edited meanwhile"


async def test_a_read_only_folder_fails_with_words_and_nothing_is_lost(bench: Bench) -> None:
    if os.geteuid() == 0:
        pytest.skip("root may write everywhere; run the tests as an ordinary user to see this one")
    locked = bench.home / "locked"
    locked.mkdir(mode=0o555)
    view = await bench.ask("copy ~/Downloads/small.txt to ~/locked")
    assert view["resolution"] == "failed"
    assert view["error"]["hint"]
    assert list(locked.iterdir()) == []


async def test_what_was_made_a_moment_ago_is_known(bench: Bench) -> None:
    for number in range(10):
        made = bench.home / f"Documents/Made now {number}/brandnew{number}.txt"
        bench.kernel.skills()  # a page looks at the home, too
        made.parent.mkdir(parents=True)
        made.write_text("good morning")
        view = await bench.ask(f"delete {made.name}", yes=False)
        assert (view["resolution"], view["stage"]) == ("pending", "plan"), view["answer"]
        await bench.answer(view["run"], "no")


async def test_two_runs_at_once(bench: Bench) -> None:
    views = await asyncio.gather(
        *(bench.ask(f"save a note called 'n{number}' saying 'x'", conversation=f"c{number}") for number in range(4))
    )
    assert {view["resolution"] for view in views} == {"confirmed"}
    assert {path.name for path in (bench.home / "Notes").iterdir()} == {f"n{number}.md" for number in range(4)}
    assert bench.kernel.verify_ledger()["ok"]


async def test_cancelling_leaves_no_trace(bench: Bench) -> None:
    before = bench.tree()
    view = await bench.ask(NOTE, yes=False)
    await bench.kernel.cancel(view["run"])
    async for event in bench.kernel.stream(run=view["run"]):
        last = event
    assert last["body"]["resolution"] == "rolled_back"
    assert bench.tree() == before
    with pytest.raises(NotNow):
        await bench.kernel.approve(view["run"], "once")


async def test_a_question_that_is_cancelled_is_dropped(bench: Bench) -> None:
    asked = await bench.ask("convert 5 miles")
    assert asked["resolution"] == "clarify"
    assert (await bench.ask("km"))["answer"].count("km") >= 1
    again = await bench.ask("convert 5 miles")
    await bench.kernel.cancel(again["run"])
    assert (await bench.ask("km"))["resolution"] in {"declined", "clarify"}


async def test_what_waits_goes_on_waiting_after_a_restart(bench: Bench) -> None:
    plan_stage = await bench.ask(NOTE, yes=False)
    deleting = await bench.ask("delete ~/Downloads/small.txt", yes=False, conversation="d")
    commit_stage = await bench.answer(deleting["run"], "once")
    assert commit_stage["stage"] == "commit"
    await bench.kernel.close()
    bench.kernel = await bench.reopen()
    await asyncio.sleep(0)
    waiting = {one["run"]: one["stage"] for one in await _eventually_waiting(bench, 2)}
    assert waiting == {plan_stage["run"]: "plan", deleting["run"]: "commit"}
    assert (await bench.answer(plan_stage["run"], "once"))["resolution"] == "confirmed"
    assert (await bench.answer(deleting["run"], "once"))["resolution"] == "confirmed"
    assert not (bench.home / "Downloads" / "small.txt").exists()
    assert bench.kernel.verify_ledger()["ok"]


async def _eventually_waiting(bench: Bench, count: int) -> list[dict[str, object]]:
    for _ in range(6000):
        if len(bench.kernel.approvals()) == count:
            break
        await asyncio.sleep(0.01)
    return bench.kernel.approvals()


async def test_a_follow_up_survives_a_restart(bench: Bench) -> None:
    await bench.ask("list the files in Downloads")
    await bench.kernel.close()
    bench.kernel = await bench.reopen()
    (bench.home / "Documents").mkdir()
    (bench.home / "Documents" / "letter.txt").write_text("x")
    view = await bench.ask("what about Documents?")
    assert "letter.txt" in view["answer"]


@pytest.mark.parametrize(
    ("text", "reply", "answer"),
    [("convert 5 miles", "km", "8.04672 km"), ("Wie viel sind 5 Meilen?", "km", "8,04672 km")],
)
async def test_an_open_question_is_answered_after_a_restart(bench: Bench, text: str, reply: str, answer: str) -> None:
    """The control: said in another conversation, or once the question was dropped, the same words answer nothing."""
    asked = await bench.ask(text)
    assert asked["resolution"] == "clarify", asked
    await bench.kernel.close()
    bench.kernel = await bench.reopen()
    elsewhere = await bench.ask(reply, conversation="other")
    assert elsewhere["answers"] in (None, "")
    assert answer not in elsewhere["answer"]
    view = await bench.ask(reply)
    assert view["resolution"] == "executed", view
    assert answer in view["answer"]
    assert view["answers"] == asked["run"]
    await bench.ask(text, conversation="dropped")
    await bench.ask("never mind", conversation="dropped")
    await bench.kernel.close()
    bench.kernel = await bench.reopen()
    assert answer not in (await bench.ask(reply, conversation="dropped"))["answer"]


async def test_whom_and_which_run_are_answered_after_a_restart(bench: Bench) -> None:
    """Questions that memory itself asks live in the record, too."""
    await bench.ask("remember that Anna Berg works at Xenon")
    await bench.ask("remember that Anna Klein works at Ypsilon")
    assert (await bench.ask("where does Anna work?"))["resolution"] == "clarify"
    await bench.kernel.close()
    bench.kernel = await bench.reopen()
    assert "Ypsilon" in (await bench.ask("Klein"))["answer"]


async def test_unknown_runs_and_answers_are_named(bench: Bench) -> None:
    with pytest.raises(UnknownRun):
        bench.kernel.view("r-none")
    with pytest.raises(BadRequest):
        await bench.kernel.approve("r-none", "maybe")
    with pytest.raises(UnknownRun):
        await bench.kernel.approve("r-none", "once")
    with pytest.raises(UnknownRun):
        await bench.kernel.undo("r-none")
    with pytest.raises(NotNow):
        await bench.kernel.undo(None)


async def test_events_can_be_followed_from_anywhere(bench: Bench) -> None:
    view = await bench.ask("what is 2+2")
    seen = [event async for event in bench.kernel.stream(run=view["run"])]
    assert seen[0]["kind"] == "run.created"
    assert seen[-1]["kind"] == "run.finished"
    later = [event async for event in bench.kernel.stream(run=view["run"], after=seen[1]["seq"])]
    assert later == seen[2:]
