"""Requests under terms, through a whole kernel: kept, or refused before anything is done."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("openai", reason="install the extra: ./steward setup models")

from kernel import Ask
from kernel.errors import BadRequest
from kernel.handling.ending import ended
from kernel.model import RunId
from kernel.receiving import run_of
from kernel.terms import Held, Overdue, Terms
from permissions.confine.machine import machine_level
from permissions.model import Level
from tests.kernel.conftest import Bench
from tests.kernel.models.acts import says
from tests.kernel.prompting.test_whole import LOST, asked_of, largest_away, planning

pytestmark = [pytest.mark.slow, pytest.mark.sandbox]

commands = pytest.mark.skipif(machine_level() is not Level.L3, reason="commands run at L3 alone: ./steward doctor")
DEAR = {"price_in": 10_000_000, "price_out": 10_000_000}
"""Ten of a EUR for a million tokens: a question of 3,000 costs three cents."""


async def under(bench: Bench, text: str, *, yes: bool = True, **terms: str) -> dict[str, Any]:
    ask = Ask(text, conversation="c", cwd=str(bench.home), yes=yes, channel="test", **terms)  # type: ignore[arg-type]
    return await bench.kernel.settled(await bench.kernel.ask(ask))


async def test_a_model_whose_price_makes_it_impossible_is_not_asked_and_the_request_refused(tmp_path: Path) -> None:
    async with asked_of(tmp_path, planning(largest_away), **DEAR) as (bench, server):
        before = bench.tree()
        found = await under(bench, LOST, budget="1ct")
        assert (found["resolution"], found["error"]["code"]) == ("blocked", "request.budget"), found["answer"]
        assert "scripted" in found["answer"]
        assert "0.01 EUR" in found["answer"]
        assert found["error"]["hint"]
        assert (server.asked, bench.tree()) == ([], before)
        waiting = await under(bench, LOST, budget="50ct")
        assert waiting["resolution"] == "pending", "the control: enough is enough"
        assert len(server.asked) == 1
        assert 0 < waiting["cost"]["EUR"] <= 500_000
        assert waiting["terms"] == {"money": 500_000, "currency": "EUR"}


async def test_no_question_goes_beyond_what_is_left(tmp_path: Path) -> None:
    async with asked_of(tmp_path, says("{}"), **DEAR) as (bench, server):
        free = await under(bench, LOST)
        assert len(server.asked) == 3, "the control: a useless answer is asked about twice more"
        one = free["cost"]["EUR"] / 3
        found = await under(bench, LOST, budget=f"{2.2 * one / 10_000:.4f}ct")
        assert found["resolution"] in ("blocked", "clarify"), found["answer"]
        assert 3 <= len(server.asked) < 6
        assert found.get("cost", {}).get("EUR", 0) <= 2.2 * one


async def test_what_takes_no_model_is_done_under_any_budget(tmp_path: Path) -> None:
    async with asked_of(tmp_path, says("{}"), **DEAR) as (bench, server):
        found = await under(bench, "what is 3 plus 4?", budget="0ct", deadline="60s")
        assert (found["resolution"], server.asked, found["cost"]) == ("executed", [], {})


async def test_terms_that_nobody_can_read_are_refused_before_anything_is_written_down(bench: Bench) -> None:
    with pytest.raises(BadRequest):
        await under(bench, "what is 3 plus 4?", budget="cheap")
    with pytest.raises(BadRequest):
        await under(bench, "what is 3 plus 4?", deadline="soon")
    assert bench.kernel.runs() == []


def site(bench: Bench) -> Path:
    (bench.home / "site").mkdir()
    return bench.home / "site"


@commands
@pytest.mark.parametrize(("sentence", "word"), [
    ("run `touch half; sleep 60` in ~/site", "not done in 3 s"),
    ("führe `touch half; sleep 60` in ~/site aus", "3 s nicht fertig"),
])  # fmt: skip
async def test_at_the_deadline_what_runs_ends_and_what_was_staged_is_dropped(
    bench: Bench, sentence: str, word: str
) -> None:
    place, began = site(bench), time.monotonic()
    waiting = await under(bench, sentence, yes=False, deadline="3s")
    assert waiting["resolution"] == "pending", waiting["answer"]
    found = await bench.answer(waiting["run"], "once")
    assert time.monotonic() - began < 20
    assert (found["resolution"], found["error"]["code"]) == ("rolled_back", "run.deadline"), found["answer"]
    assert word in found["answer"]
    assert list(place.iterdir()) == []
    assert "task.started" in [event["kind"] for event in found["events"]]
    control = await under(bench, "run `touch half` in ~/site", yes=False, deadline="5m")
    assert (await bench.answer(control["run"], "once"))["resolution"] == "confirmed"
    assert (place / "half").exists()


async def test_a_card_that_nobody_answers_in_time_ends_the_request(bench: Bench) -> None:
    before = bench.tree()
    waiting = await under(bench, "create a folder called Attic", yes=False, deadline="2s")
    assert waiting["resolution"] == "pending", waiting["answer"]
    async for _ in bench.kernel.stream(run=waiting["run"]):
        pass
    found = bench.kernel.view(waiting["run"])
    assert (found["resolution"], found["error"]["code"]) == ("rolled_back", "run.deadline")
    assert bench.tree() == before
    assert not (bench.home / "Attic").exists()


async def test_a_restart_gives_no_new_time(bench: Bench) -> None:
    waiting = await under(bench, "create a folder called Attic", yes=False, deadline="2s")
    assert waiting["resolution"] == "pending"
    await bench.kernel.close()
    await asyncio.sleep(2.1)  # the daemon is down
    bench.kernel = await bench.reopen()
    async for _ in bench.kernel.stream(run=waiting["run"]):
        pass
    assert bench.kernel.view(waiting["run"])["error"]["code"] == "run.deadline"


@pytest.mark.parametrize(("language", "words"), [
    ("en", "It was done, but it took longer than 2 s."), ("de", "Es wurde getan, hat aber länger als 2 s gedauert."),
])  # fmt: skip
async def test_a_deadline_that_comes_after_the_commit_leaves_it_done_and_says_late(
    bench: Bench, language: str, words: str
) -> None:
    done = await under(bench, "create a folder called Attic")
    assert done["resolution"] == "confirmed", done["answer"]
    said, held = await bench.kernel._receiving.heard(Ask("x")), Held(Terms(deadline_s=2))
    live = run_of(bench.kernel._house, RunId(done["run"]), said, True, 1, held=held)
    live.language = language

    async def over() -> None:
        raise Overdue

    await ended(live, over())
    late = bench.kernel.view(done["run"])
    assert (late["resolution"], late["answer"], late["error"]) == ("confirmed", words, None)
    assert [Path(one["path"]).name for one in late["effects"]] == ["Attic"]
    assert (bench.home / "Attic").is_dir()
    nothing = await under(bench, "what is 3 plus 4?")
    live = run_of(bench.kernel._house, RunId(nothing["run"]), said, True, 1, held=held)
    await ended(live, over())
    assert bench.kernel.view(nothing["run"])["error"]["code"] == "run.deadline", "the control"


@commands
async def test_a_plan_that_was_never_so_quick_is_refused_before_it_begins(bench: Bench) -> None:
    place = site(bench)
    for _ in range(3):
        waiting = await under(bench, "run `sleep 1.5; touch done` in ~/site", yes=False)
        assert (await bench.answer(waiting["run"], "once"))["resolution"] in ("confirmed", "executed")
    (place / "done").unlink(missing_ok=True)
    late = await under(bench, "run `sleep 1.5; touch done` in ~/site", yes=False, deadline="1s")
    assert (late["resolution"], late["error"]["code"]) == ("blocked", "request.deadline"), late["answer"]
    assert "shell.run" in late["answer"]
    assert late["error"]["hint"]
    assert "task.started" not in [event["kind"] for event in late["events"]]
    other = await under(bench, "run `touch other` in ~/site", yes=False, deadline="1m")
    assert other["resolution"] == "pending", "the control"
    await bench.kernel.cancel(other["run"])
