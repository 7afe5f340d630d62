"""The house of then: whatever does something is shut, also what is added to the house later; it knows nothing later."""

from __future__ import annotations

import asyncio
from dataclasses import fields
from datetime import UTC, datetime
from typing import Any

import pytest

from kernel.house import House
from kernel.models.recorded import Recorded, RecordedModels
from kernel.recalling.turns import run_of
from kernel.replaying.then import Acts, LedgerThen, Shut, Told, house_then
from memory.model import Draft
from memory.recall import Question
from permissions.model import Action, Right
from tests.kernel.conftest import Bench

pytestmark = pytest.mark.slow

LOOKED_AT = {
    "settings", "folders", "registry", "learning", "policy", "private", "recollection", "wall", "ledger", "talk",
    "models", "clock", "steady", "knowledge", "routines", "macros", "clients", "world", "with_effects", "deeds",
    "waiting", "live", "lapsed", "ends", "placed", "transactions", "post",
}  # fmt: skip


async def then_of(bench: Bench, run: str) -> House:
    house = bench.kernel._house
    begun = next(iter(house.ledger.events(run=run, kinds=("run.created",))))
    models = RecordedModels(Recorded(()), {})
    ledger = LedgerThen(house.ledger, begun.seq)
    return await asyncio.to_thread(house_then, house, ledger, begun, datetime.now(UTC), models)


def kinds(bench: Bench) -> list[str]:
    own = ("wall.tested", "skills.shipped")  # which the daemon writes in the background after its start
    return [event.kind for event in bench.kernel._house.ledger.events() if event.kind not in own]


async def test_every_part_that_is_not_named_is_shut(bench: Bench) -> None:
    done = await bench.ask("what is 2 + 3")
    then = await then_of(bench, done["run"])
    for one in fields(House):
        if one.name not in LOOKED_AT:
            with pytest.raises(Acts):
                getattr(then, one.name).anything  # noqa: B018 - that it raises is looked at
            with pytest.raises(Acts):
                getattr(then, one.name)()
    with pytest.raises(Acts):
        then.transactions.begin("r-1")
    with pytest.raises(Acts):
        then.post.vault.take("key")


async def test_nothing_can_be_written_given_or_run(bench: Bench) -> None:
    done = await bench.ask("remember that Anna likes tea")
    then, before = await then_of(bench, done["run"]), kinds(bench)
    policy = bench.kernel._house.policy
    right = Right(Action.FS_READ, str(bench.home))
    graph = then.knowledge.graph()
    nothing: Any = None
    for attempt in (
        lambda: then.ledger.append(Draft("x", {})), lambda: then.ledger.submit(Draft("x", {})),
        lambda: then.ledger.destroy([1]), lambda: then.ledger.forget("anna"),  # type: ignore[arg-type]
        lambda: then.ledger.let_go("r"), lambda: then.note("x", {}),
        lambda: graph.make_entity("person", "Eve"), lambda: graph.forget(None, ["Anna"]),
    ):  # fmt: skip
        with pytest.raises(Acts):
            attempt()
    for begin in (
        lambda: then.deny("root", right, ""), lambda: then.limit("root", "tokens", 1, total=True, why=""),
        lambda: then.write_macro(Draft("macro.kept", {})), lambda: then.write_routine(Draft("routine.kept", {})),
        lambda: then.cells.call(nothing, nothing),
    ):  # fmt: skip
        with pytest.raises(Acts):
            await begin()
    log = Told(then.ledger, nothing)
    with pytest.raises(Acts):
        await log.say("approval.requested", None, {"stage": "plan"})
    assert kinds(bench) == before
    assert bench.kernel._house.policy is policy


async def test_what_came_later_is_not_known(bench: Bench) -> None:
    first = await bench.ask("what is 2 + 3", conversation="t")
    await bench.ask("what is 3 + 4", conversation="t")
    await bench.ask("remember that Anna likes tea")
    then = await then_of(bench, first["run"])
    house = bench.kernel._house
    assert then.talk.runs("t") == (first["run"],)
    assert len(house.talk.runs("t")) == 2
    assert then.knowledge.is_empty()
    assert not house.knowledge.is_empty()
    last = list(then.ledger.events())[-1]
    assert (last.run, last.kind) == (first["run"], "run.created")
    assert then.ledger.head() == (last.seq, last.hash)
    assert then.ledger.nth_latest("run.created", 1) == last.seq
    assert then.ledger.runs_without("run.finished", ("run.created",)) == [first["run"]]
    assert then.knowledge.graph().facts() == ()
    assert house.knowledge.graph().facts() != ()


async def test_what_was_said_later_is_not_found_and_no_vector_is_asked_for(bench: Bench) -> None:
    first = await bench.ask("make a note called dentist: call on Monday")
    asked = await bench.ask("what did I say about the dentist?")
    await bench.ask("make a note called dentist bill: 30 euros")
    house = bench.kernel._house
    question = Question("dentist", 10, kinds=("turn",))
    assert len({run_of(hit.turn.id) for hit in house.recollection.search(question)}) > 1
    then = await then_of(bench, asked["run"])
    assert {run_of(hit.turn.id) for hit in then.recollection.search(question)} == {first["run"]}
    with pytest.raises(Acts):
        then.recollection.drop_forgotten()
    then.recollection.close()
    today, house.recollection = house.recollection, Shut("recollection")  # type: ignore[assignment]
    try:
        found = await bench.kernel.replay(asked["run"])
    finally:
        house.recollection = today
    assert found["same"], found


async def test_what_began_earlier_and_ended_later_had_not_been_done_then(bench: Bench) -> None:
    waiting = await bench.ask("delete small.txt", yes=False, conversation="a")
    between = await bench.ask("what is 2 + 3", conversation="b")
    while waiting["resolution"] == "pending":
        waiting = await bench.answer(waiting["run"], "once")
    assert waiting["resolution"] == "confirmed"
    then, later = await then_of(bench, between["run"]), await bench.ask("what is 3 + 4", conversation="b")
    assert then.world.files("small.txt") == (str(bench.home / "Downloads/small.txt"),)
    assert then.with_effects == []
    then = await then_of(bench, later["run"])
    assert then.world.files("small.txt") == ()
    assert then.with_effects == [waiting["run"]]


async def test_a_run_of_which_some_was_never_written_is_private(bench: Bench) -> None:
    done = await bench.ask("what is 2 + 3")
    ledger = bench.kernel._house.ledger
    bodies = {event.kind: event.body or {} for event in ledger.events(run=done["run"])}
    for kind in ("run.created", "run.interpreted", "run.finished"):
        ledger.append(Draft(kind, bodies[kind], run="r-some", volatile=kind == "run.interpreted"))
    ledger.let_go("r-some")
    found = await bench.kernel.replay("r-some")
    assert (found["standing"], found["steps"]) == ("private", [])
