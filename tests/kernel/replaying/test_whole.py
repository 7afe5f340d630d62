"""Runs gone through once more: they come out as then, whatever differs is named with its cause, and nothing is done."""

from __future__ import annotations

import json
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from kernel import Ask, Kernel
from kernel.errors import NotNow, UnknownRun
from kernel.models import recorded
from kernel.replaying import replay as replaying
from tests.kernel.agents.conftest import ASKED, RUNS, act, scripted, worked
from tests.kernel.conftest import Bench, opened
from tests.kernel.models.acts import refuses
from tests.kernel.models.server import serving
from tests.kernel.prompting.test_whole import LOST, binding, largest_away, planning

pytestmark = [pytest.mark.slow, pytest.mark.sandbox]

NOTE = "find the three largest files in ~/Downloads and save their names as a note called big files"


def other(found: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the steps that came out otherwise."""
    return [step for step in found["steps"] if not step["same"]]


def kinds(found: dict[str, Any]) -> list[str]:
    """Return what the steps are about, in order, each once."""
    return list(dict.fromkeys(step["kind"] for step in found["steps"]))


def seqs(kernel: Kernel) -> list[tuple[int, str]]:
    """Return every event of the ledger by its number and kind."""
    return [(event.seq, event.kind) for event in kernel._house.ledger.events()]


async def test_a_run_comes_out_as_it_did_and_nothing_is_done(bench: Bench) -> None:
    done = await bench.ask(NOTE)
    assert done["resolution"] == "confirmed", done["answer"]
    tree, before = bench.tree(), seqs(bench.kernel)
    runs = bench.kernel._house.talk.every()
    found = await bench.kernel.replay(done["run"])
    assert (found["standing"], found["same"], other(found)) == ("compared", True, []), other(found)
    assert kinds(found) == ["intent", "tools", "plan", "approval", "task", "effect"]
    assert [one["name"] for one in found["steps"] if one["kind"] == "task"] == ["t1", "t2"]
    assert found["said"].startswith("It comes out as it did then")
    assert set(found["today"]) == {"files", "grants", "memory", "skills", "settings"}
    assert bench.tree() == tree
    assert bench.kernel._house.talk.every() == runs
    (last,) = [one for one in seqs(bench.kernel) if one not in before]
    assert last[1] == "run.replayed"


async def test_what_was_deleted_and_moved_stays_as_it_is(bench: Bench) -> None:
    (bench.home / "Downloads" / "report.txt").write_text("now\n")
    gone = await bench.ask("delete report.txt")
    assert gone["resolution"] == "confirmed", gone["answer"]
    (bench.home / "Downloads" / "other.txt").write_text("stays\n")
    tree = bench.tree()
    found = await bench.kernel.replay(gone["run"])
    assert found["same"], other(found)
    assert next(one["now"] for one in found["steps"] if one["kind"] == "effect")[0]["kind"] == "deleted"
    assert bench.tree() == tree
    moved = await bench.ask("move other.txt to Archive")
    assert moved["resolution"] == "confirmed", moved["answer"]
    tree = bench.tree()
    for run in (moved["run"], gone["run"]):
        found = await bench.kernel.replay(run)
        assert found["same"], other(found)
    assert bench.tree() == tree


async def test_a_conversation_is_that_of_then(bench: Bench) -> None:
    await bench.ask("find the three largest files in ~/Downloads", conversation="t")
    second = await bench.ask("what is the size of the second one", conversation="t")
    await bench.ask("what is 2 + 3", conversation="t")
    found = await bench.kernel.replay(second["run"])
    assert found["same"], other(found)


async def test_a_question_back_and_a_refusal_come_out_as_then(bench: Bench) -> None:
    declined = await bench.ask("glorp the frobnicator")
    assert declined["resolution"] in ("declined", "clarify")
    found = await bench.kernel.replay(declined["run"])
    assert found["same"], other(found)
    (bench.home / "a").mkdir()
    (bench.home / "b").mkdir()
    for place in "ab":
        (bench.home / place / "plan.txt").write_text(place)
    asked = await bench.ask("delete plan.txt")
    assert asked["resolution"] == "clarify", asked["answer"]
    found = await bench.kernel.replay(asked["run"])
    assert found["same"], other(found)
    assert "question" in kinds(found)


async def test_what_the_kernel_does_itself_is_not_done_again(bench: Bench) -> None:
    told = await bench.ask("remember that Anna's birthday is on 3 May")
    assert told["resolution"] in ("executed", "confirmed"), told["answer"]
    facts = [one for one in seqs(bench.kernel) if one[1].startswith("fact.")]
    found = await bench.kernel.replay(told["run"])
    assert found["same"], other(found)
    (answer,) = [one for one in found["steps"] if one["kind"] == "answer"]
    assert answer["taken"], answer
    assert [one for one in seqs(bench.kernel) if one[1].startswith("fact.")] == facts
    asked = await bench.ask("when is Anna's birthday?")
    await bench.ask("remember that Anna's birthday is on 4 June")
    found = await bench.kernel.replay(asked["run"])
    assert found["same"], other(found)
    made = await bench.ask(NOTE)
    undone = await bench.ask("undo that")
    tree = bench.tree()
    for run in (undone["run"], made["run"]):
        found = await bench.kernel.replay(run)
        assert found["same"], other(found)
    assert bench.tree() == tree


async def test_a_plan_of_a_models_comes_out_with_the_model_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with AsyncExitStack() as house:
        server_up = AsyncExitStack()
        server = await server_up.enter_async_context(serving(planning(largest_away)))
        bench = await house.enter_async_context(opened(tmp_path, binding(server.url)))
        waiting = await bench.ask(LOST, yes=False)
        done = await bench.answer(waiting["run"], "once")
        assert done["resolution"] == "confirmed", done["answer"]
        asked = len(server.asked)
        await server_up.aclose()
        tree = bench.tree()
        found = await bench.kernel.replay(done["run"])
        assert found["same"], other(found)
        (question,) = [one for one in found["steps"] if one["kind"] == "model"]
        assert question["then"]["digest"] == question["now"]["digest"]
        assert len(server.asked) == asked
        assert bench.tree() == tree
        (bench.folders.config / "models.toml").unlink()  # nor does it need the endpoint to be set
        assert (await bench.kernel.replay(done["run"]))["same"]
        monkeypatch.setattr(replaying, "questions_in", lambda *_: ())
        control = await bench.kernel.replay(done["run"])
        assert not control["same"]
        assert {"model", "plan"} <= {one["kind"] for one in other(control)}
        (strange,) = [one for one in control["steps"] if one["kind"] == "model"]
        assert strange["now"]["failed"] == "model.unrecorded"


async def test_a_model_is_never_asked_while_its_server_listens(tmp_path: Path) -> None:
    async with serving(planning(largest_away)) as server, opened(tmp_path, binding(server.url)) as bench:
        waiting = await bench.ask(LOST, yes=False)
        await bench.answer(waiting["run"], "once")
        asked = len(server.asked)
        real = recorded.digest_of
        recorded.digest_of = lambda prompt: real(prompt)[::-1]  # every question is another one than then
        try:
            found = await bench.kernel.replay(waiting["run"])
        finally:
            recorded.digest_of = real
        assert not found["same"]
        assert len(server.asked) == asked
        assert any("is asked of the model is another" in why for one in other(found) for why in one["why"]), other(
            found
        )


async def test_a_model_that_failed_then_fails_as_then(tmp_path: Path) -> None:
    async with serving(refuses("500 Internal Server Error")) as server, opened(tmp_path, binding(server.url)) as bench:
        lost = await bench.ask(LOST)
        found = await bench.kernel.replay(lost["run"])
        assert found["same"], other(found)
        assert any(one["then"]["failed"] for one in found["steps"] if one["kind"] == "model")


WORKS = (
    act("look", "~/Reports"),
    act("read", "anna.txt"),
    act("read", "~/.ssh/id_rsa"),
    act("run", "~/Reports", "cat *.txt > all.txt; wc -l < all.txt"),
    act("write", "digest.md", "- Anna: roof done\n"),
    "no action at all",
    act("done", text="Done, but for the key."),
)


async def test_a_model_that_works_turn_by_turn_is_gone_through_without_it(tmp_path: Path) -> None:
    async with worked(tmp_path, scripted(*WORKS), allowed=RUNS) as (bench, server):
        card = await bench.ask(ASKED, yes=False)
        await bench.answer(card["run"], "once")
        done = await bench.answer(card["run"], "once")
        assert done["resolution"] == "confirmed", done["answer"]
        server.act, asked = refuses("500 Gone"), len(server.asked)
        tree = bench.tree()
        found = await bench.kernel.replay(done["run"])
        assert found["same"], other(found)
        assert len([one for one in found["steps"] if one["kind"] == "model"]) == len(WORKS)
        tasks = [one["name"] for one in found["steps"] if one["kind"] == "task"]
        assert tasks == ["t1", "t1-1", "t1-2", "t1-4", "t1-5"]
        assert (len(server.asked), bench.tree()) == (asked, tree)
        text = bench.folders.data / "skills" / "weekly-digest" / "SKILL.md"
        text.write_text(text.read_text() + "\nBe brief.\n")
        await bench.kernel.close()
        bench.kernel = await bench.reopen()
        found = await bench.kernel.replay(done["run"])
        assert not found["same"]
        whys = {why for one in other(found) for why in one["why"]}
        assert any("weekly-digest has changed since" in why for why in whys), whys
        assert any(why.startswith("Message 2 of the question") for why in whys), whys


async def test_words_that_are_gone_are_said_to_be(bench: Bench) -> None:
    with pytest.raises(UnknownRun):
        await bench.kernel.replay("r-none")
    waiting = await bench.ask(NOTE, yes=False)
    with pytest.raises(NotNow):
        await bench.kernel.replay(waiting["run"])
    await bench.kernel.cancel(waiting["run"])
    private = await bench.kernel.ask(Ask(NOTE, cwd=str(bench.home), private=True, yes=True))
    await bench.kernel.settled(private)
    for held in (True, False):
        if not held:
            bench.kernel._house.ledger.let_go(private)
        found = await bench.kernel.replay(private)
        assert (found["standing"], found["same"], found["steps"]) == ("private", False, [])
        assert "nothing was kept" in found["said"]
    done = await bench.ask("lösche small.txt")
    seqs_of = [event.seq for event in bench.kernel._house.ledger.events(run=done["run"])]
    bench.kernel._house.ledger.destroy(seqs_of[:1])
    found = await bench.kernel.replay(done["run"])
    assert (found["standing"], found["same"], found["steps"]) == ("forgotten", False, [])
    assert "vergessen" in found["said"] or "forgotten" in found["said"]


async def test_a_program_and_a_routine_come_out_as_then(bench: Bench) -> None:
    await bench.kernel.clients.add("claude")
    await bench.kernel.clients.allow("claude", ["ask"])
    run = await bench.kernel.ask(Ask("what is 2 + 3", client="claude", channel="mcp"))
    view = await bench.kernel.settled(run)
    assert view["client"] == "claude"
    found = await bench.kernel.replay(run)
    assert found["same"], other(found)
    kept = await bench.ask("every day at 18:00 show me the largest files in Downloads", yes=False)
    kept = await bench.answer(kept["run"], "once")
    assert kept["resolution"] == "confirmed", kept["answer"]
    (routine,) = bench.kernel.routines.every()
    fired = await bench.kernel.routines.run(routine["name"])
    await bench.kernel.settled(fired)
    found = await bench.kernel.replay(fired)
    assert found["same"], other(found)
    assert kinds(found)[:2] == ["plan", "task"]
    assert found["steps"][0]["taken"]
    before = bench.kernel.routines.every()
    found = await bench.kernel.replay(kept["run"])
    assert found["same"], other(found)
    assert bench.kernel.routines.every() == before


async def test_calls_that_only_read_are_made_once_more_when_asked(bench: Bench) -> None:
    done = await bench.ask(NOTE)
    found = await bench.kernel.replay(done["run"], tools=True)
    outputs = {one["name"]: one for one in found["steps"] if one["kind"] == "output"}
    assert found["same"], other(found)
    assert not outputs["t1"]["taken"] or outputs["t1"]["why"]
    assert outputs["t2"]["taken"]
    await bench.kernel.grant("files", f"fs.read:{bench.home}/Downloads/**")
    (bench.home / "Downloads" / "huge.bin").write_bytes(b"x" * 9000)
    tree = bench.tree()
    found = await bench.kernel.replay(done["run"], tools=True)
    (changed,) = other(found)
    assert (changed["kind"], changed["name"]) == ("output", "t1"), changed
    assert any("may be another today" in why for why in changed["why"])
    assert bench.tree() == tree
    assert json.dumps(found)
