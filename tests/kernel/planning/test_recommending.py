"""A set for a whole request: each step's tool, what worked together before, what fails and costs; all in numbers."""

from __future__ import annotations

from typing import Any

import pytest

from kernel import Ask, BadRequest
from kernel.ranking import Document, Past, Request, shelf_of
from kernel.ranking.sets import COST, KIN, WHOLE, Company
from kernel.ranking.together import Known, cost_of, set_of

Bench = Any  # tests/kernel/conftest.py

TWINS = [
    Document("one.play", "play song", ("Plays music.",)),
    Document("two.play", "play song", ("Plays music.",)),
    Document("mail.send", "send letter", ("Sends a letter.",)),
]


def _first(text: str, known: Known) -> str:
    _, members = set_of(text, shelf_of(TWINS), known, limit=2)
    return members[0].id


def _lived(*, failed: bool) -> Past:
    lost = ("one.play",) if failed else ()
    return Past([Request("do it", ("one.play",), failed=lost, accepted=not failed) for _ in range(8)])


def test_of_twins_the_one_that_works_comes_first() -> None:
    assert _first("play music", Known()) == "one.play", "the control: ties go by name"
    assert _first("play music", Known(past=_lived(failed=True))) == "two.play"
    assert _first("play music", Known(past=_lived(failed=False))) == "one.play"


def test_of_twins_the_one_that_costs_less_comes_first() -> None:
    assert _first("play music", Known(cost={"one.play": 1.0})) == "two.play"
    assert cost_of([], asks_each_time=False) == 0.0
    assert cost_of([10.0, 10.0, 600.0], asks_each_time=False) == 0.5
    assert cost_of([0.1], asks_each_time=True) > cost_of([0.1], asks_each_time=False)
    assert cost_of([1e9], asks_each_time=True) == 1.0


def test_who_stands_just_outside_comes_along_with_whom_it_worked() -> None:
    documents = [Document(f"s{n}.play", "play song", (f"Plays music {'song ' * (6 - n)}",)) for n in range(6)]
    alone = [one.id for one in set_of("play song", shelf_of(documents), Known(), limit=4)[1]]
    outside = next(one.id for one in documents if one.id not in alone)
    company = Company.of([frozenset({alone[0], outside})] * 9)
    along = set_of("play song", shelf_of(documents), Known(company=company), limit=4)[1]
    assert next(one for one in along if one.id == outside).reasons["together"] > 0.8
    assert along[0].id == alone[0]


async def test_a_request_gets_the_tools_of_all_its_steps_with_reasons(bench: Bench) -> None:
    said = "find the three largest files in Downloads and save their names as a note called big files"
    view = await bench.kernel.recommend(Ask(said))
    tools = {one["tool"]: one for one in view["tools"]}
    assert {"files.largest", "notes.create"} <= tools.keys()
    assert {tools["files.largest"]["step"], tools["notes.create"]["step"]} == {0, 1}
    assert all(
        {"text", "whole", "step", "cost", "kin", "together"} <= one["reasons"].keys() for one in view["tools"][:2]
    )
    for one in view["tools"]:
        why = one["reasons"]
        score = why["step"] + WHOLE * why["whole"] + KIN * why["kin"] - COST * why["cost"]
        assert one["score"] == pytest.approx(score, abs=0.001), one
    best = [max((one for one in view["tools"] if one["step"] == step), key=lambda one: one["score"]) for step in (0, 1)]
    assert [one["tool"] for one in best] == ["files.largest", "notes.create"]
    assert bench.kernel.runs() == [], "nothing is written down"


async def test_what_was_done_together_counts_and_how_long_it_took(bench: Bench) -> None:
    said = "find the three largest files in Downloads and save their names as a note called big files"
    assert (await bench.ask(said))["resolution"] == "confirmed"
    house = bench.kernel._house
    learning = house.learning
    await bench.kernel.recommend(Ask("what"))
    learning._learners[house.ledger].learn()
    view = await bench.kernel.recommend(Ask("find the largest files and save a note"))
    tools = {one["tool"]: one["reasons"] for one in view["tools"]}
    assert view["requests"] > 0
    assert max(tools["files.largest"]["together"], tools["notes.create"]["together"]) > 0
    assert tools["files.largest"]["cost"] > 0


async def test_the_words_follow_the_language(bench: Bench) -> None:
    view = await bench.kernel.recommend(Ask("erstelle eine Notiz namens Einkauf und zeige mir die größten Dateien"))
    assert view["language"] == "de"
    note = next(one for one in view["tools"] if one["tool"] == "notes.create")
    assert "Notiz" in note["summary"]


@pytest.mark.parametrize("text", ["", "   ", "\0", "x" * 100_000])
async def test_what_is_no_request_is_refused(bench: Bench, text: str) -> None:
    with pytest.raises(BadRequest):
        await bench.kernel.recommend(Ask(text))


@pytest.mark.parametrize("text", ["🙂", "qzx vbn", "!!!", "و و", "and and and , , ;", "\u202e/etc/passwd"])
async def test_what_no_tool_knows_is_answered_and_not_an_error(bench: Bench, text: str) -> None:
    view = await bench.kernel.recommend(Ask(text), 3)
    assert len(view["tools"]) <= 3
