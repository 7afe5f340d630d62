"""What accepted requests say of whom is known: which tool, from whose word; forgotten and undone with the rest."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from kernel import Ask
from kernel.clients.sight import sees_of
from kernel.knowing import handling as knowing
from kernel.model import Constant, Plan, RunId, Task, TaskId
from kernel.receiving import run_of
from memory.graph import Query
from memory.model import Event
from permissions.labels import USER_SAID
from skills.model import ToolId

Bench = Any  # tests/kernel/conftest.py


@pytest.fixture
async def home(bench: Bench) -> Bench:
    (bench.home / "Notes").mkdir()
    (bench.home / "Notes/phone.md").write_text("Anna Berg 030 123\n")
    await bench.ask("remember that Anna Berg works at Xenon")
    return bench


def said(bench: Bench) -> list[tuple[str, str, str]]:
    graph = bench.kernel._house.knowledge.graph()
    facts = graph.facts(Query(extractor="requests"))
    return [(graph.entity(one.subject).name, one.predicate, graph.entity(one.object.value).name) for one in facts]


async def test_a_request_that_was_carried_out_says_whom_it_was_about(home: Bench) -> None:
    """With its plan's event as the source, as Steward's own word for the person alone; once, however often asked."""
    for _ in range(2):
        view = await home.ask("which notes mention Anna Berg?")
        assert "030 123" in view["answer"]
        assert said(home) == [("me", "uses", "notes.search"), ("notes.search", "mentions", "Anna Berg")]
    graph, house = home.kernel._house.knowledge.graph(), home.kernel._house
    fact = graph.facts(Query(extractor="requests"))[-1]
    assert fact.label == {"integrity": "kernel", "readers": ["person"]}
    await home.kernel.clients.add("claude")
    sees = sees_of(house, "mcp:claude")
    assert sees is not None
    assert not sees(fact.label)
    assert sees(USER_SAID.to_json()), "the control"
    (source,) = house.ledger.events(after=fact.source - 1, limit=1)
    assert source.kind == "run.planned"
    assert "you use notes.search" in (await home.ask("what do you know about me?"))["answer"]
    assert "notes.search" not in (await home.ask("what do you know about Anna Berg?"))["answer"]


async def test_of_what_was_private_refused_a_clients_or_about_nobody_nothing_is_said(home: Bench) -> None:
    await home.kernel.clients.add("claude")
    for ask in (
        Ask("which notes mention Anna Berg?", yes=True, private=True),
        Ask("which notes mention Anna Berg?", client="claude"),
        Ask("which notes mention Zoe?", yes=True),
        Ask("make a note called list saying Anna Berg pays", yes=True),
    ):
        await home.kernel.settled(await home.kernel.ask(ask))
    refused = await home.ask("which notes mention Anna Berg?", yes=False)
    assert refused["resolution"] == "pending"
    assert (await home.answer(refused["run"], "no"))["resolution"] == "blocked"
    assert said(home) == []
    await home.kernel.settled(await home.kernel.ask(Ask("which notes mention Anna Berg?", yes=True)))
    assert said(home), "the control"


async def test_nothing_is_written_for_who_told_nothing(bench: Bench) -> None:
    (bench.home / "Notes").mkdir()
    await bench.ask("which notes mention Anna Berg?")
    assert bench.kernel._house.knowledge.is_empty()


async def test_two_who_are_called_alike_are_not_taken_for_one(home: Bench) -> None:
    await home.ask("remember that Anna Klein works at Ypsilon")
    await home.ask("which notes mention Anna?")
    assert said(home) == []


async def test_undo_takes_it_back_and_forgetting_leaves_no_trace(home: Bench) -> None:
    view = await home.ask("rename the note phone to Anna Berg")
    assert view["resolution"] == "confirmed", view
    assert ("notes.rename", "mentions", "Anna Berg") in said(home)
    await home.kernel.undo(view["run"])
    assert said(home) == []
    await home.ask("which notes mention Anna Berg?")
    assert ("notes.search", "mentions", "Anna Berg") in said(home)
    seal = (await home.kernel.known.preview("Anna Berg"))["seal"]
    await home.kernel.known.forget("Anna Berg", (), seal)
    assert not [one for one in said(home) if "Anna" in str(one)]


@pytest.mark.parametrize("first", [0, 1])
async def test_of_two_requests_that_say_the_same_the_one_that_stands_goes_on_saying_it(home: Bench, first: int) -> None:
    """Whichever is undone first; what was refused or asked privately since says nothing in its place."""
    phone, runs = home.home / "Notes/phone.md", []
    for name in ("Anna Berg", "Anna Berg Bonn"):
        phone.write_text("x\n")
        view = await home.ask(f'rename the note phone to "{name}"', conversation=name)
        assert view["resolution"] == "confirmed", view
        runs.append(view["run"])
    phone.write_text("x\n")
    ask = Ask('rename the note phone to "Anna Berg Ulm"', conversation="p", cwd=str(home.home), yes=True, private=True)
    assert (await home.kernel.settled(await home.kernel.ask(ask)))["resolution"] == "confirmed"
    phone.write_text("x\n")
    refused = await home.ask('rename the note phone to "Anna Berg Kiel"', conversation="r", yes=False)
    assert (await home.answer(refused["run"], "no"))["resolution"] == "blocked"
    phone.unlink()
    facts = [("me", "uses", "notes.rename"), ("notes.rename", "mentions", "Anna Berg")]
    assert said(home) == facts
    await home.kernel.undo(runs[first])
    assert sorted(said(home)) == facts
    other = runs[1 - first]
    graph, house = home.kernel._house.knowledge.graph(), home.kernel._house
    planned = {event.seq for event in house.ledger.events(run=other, kinds=("run.planned",))}
    assert {fact.source for fact in graph.facts(Query(extractor="requests"))} <= planned
    phone.unlink()
    await home.kernel.undo(other)
    assert said(home) == []


async def test_the_graph_is_opened_only_where_a_request_has_said_something(home: Bench) -> None:
    async def again(text: str) -> bool:
        await home.kernel.close()
        home.kernel = await home.reopen()
        await home.ask(text, conversation=text)
        return home.kernel._house.knowledge._graph is not None

    assert not await again("find the largest file in Downloads"), "somebody is known, and no tool was used about them"
    await home.ask("which notes mention Anna Berg?")
    assert await again("find the smallest file in Downloads"), "the control"


async def test_the_recommender_is_told_who_is_near_and_what_is_granted(home: Bench) -> None:
    """A tool that was used about Anna is nearer to a request that names her, or her firm; one of Zoe says nothing."""

    async def reasons(text: str) -> dict[str, dict[str, float]]:
        run = (await home.ask(text, conversation=text))["run"]
        (event,) = home.kernel._house.ledger.events(run=run, kinds=("run.recommended",))
        return {one["tool"]: one["reasons"] for one in event.body["candidates"]}

    before = await reasons("which notes mention Anna Berg?")
    assert "linked" not in before["notes.search"]
    assert "granted" not in before["notes.search"]
    await home.kernel.grant("notes", "fs.read:~/Notes/**")
    after = await reasons("which notes mention Anna Berg?")
    assert after["notes.search"]["linked"] == pytest.approx(1.0)
    assert after["notes.search"]["granted"] == pytest.approx(1.0)
    assert (await reasons("which notes mention Xenon?"))["notes.search"]["linked"] == pytest.approx(1.0)
    assert "linked" not in (await reasons("which notes mention Zoe?"))["notes.search"], "the control"
    files = await reasons("find the largest file in Downloads")
    assert all("granted" not in one for tool, one in files.items() if tool.startswith("files.")), "the control"


async def test_what_was_done_stays_done_where_it_cannot_be_noted(home: Bench, caplog: pytest.LogCaptureFixture) -> None:
    """The graph fails while the tool is at work: the answer is there, the run has one end, the log says why."""
    house = home.kernel._house
    graph = house.knowledge.graph()

    def fail(event: Event) -> None:
        if event.kind == "task.started":
            graph.close()

    leave = house.ledger.subscribe(fail)
    view = await home.ask("which notes mention Anna Berg?")
    leave()
    assert "030 123" in view["answer"]
    assert [one["kind"] for one in view["events"]].count("run.finished") == 1
    await asyncio.gather(*(task for _, task in home.kernel._runs.live.values()))  # to the end of its way
    assert home.kernel.view(view["run"])["resolution"] == "confirmed"
    assert "graph is closed" in caplog.text
    house.knowledge.close()
    assert said(home) == [], "nothing was noted"
    await home.ask("which notes mention Anna Berg?")
    assert said(home), "the control"


async def test_a_tool_that_is_gone_by_then_is_not_noted(home: Bench, caplog: pytest.LogCaptureFixture) -> None:
    view = await home.ask("which notes mention Anna Berg?")
    before = said(home)
    utterance = await home.kernel._receiving.heard(Ask("x"))
    run = run_of(home.kernel._house, RunId(view["run"]), utterance, True, 1)
    named = {"query": Constant("Anna Berg", USER_SAID)}
    await knowing.note(run, Plan((Task(TaskId("t1"), ToolId("gone.tool"), named),), "en"))
    assert said(home) == before
    assert "gone.tool" in caplog.text
