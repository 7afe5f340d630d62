"""A rule that asks for a macro by its name or a phrase has its frozen plan, and runs in its own name."""

from __future__ import annotations

from typing import Any

import pytest

from tests.kernel.routines.conftest import Desk

pytestmark = pytest.mark.slow


async def _kept(desk: Desk, *asked: str, name: str = "monthly close") -> dict[str, Any]:
    done = await desk.say("show me the 2 largest files in Downloads")
    return await desk.kernel.macros.new(name, done["run"], list(asked), ["close the month"])


@pytest.mark.parametrize(
    "rule",
    [
        "every Friday at 17:00 do monthly close",
        "every Friday at 5 pm run the macro monthly close",
        "every Friday at 17:00 close the month",
        "jeden Freitag um 17 Uhr führe monthly close aus",
        "mache jeden Freitag um 17 Uhr das Makro monthly close",
    ],
)
async def test_its_plan_is_the_macros_and_is_carried_out_in_its_name(desk: Desk, rule: str) -> None:
    await _kept(desk)
    kept = await desk.say(rule)
    assert kept["resolution"] in ("executed", "confirmed"), kept
    (routine,) = desk.kernel.routines.every()
    assert routine["name"] == "monthly-close"
    assert str(routine["next"]).startswith("2026-03-13T17:00")
    view = await desk.kernel.settled(await desk.kernel.routines.run(routine["name"]))
    assert [task["tool"] for task in view["plan"]["tasks"]] == ["files.largest"], view
    assert view["resolution"] in ("executed", "confirmed")


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ("every Friday at 17:00 do monthly close", "has to be told each time: folder"),
        ("jeden Freitag um 17 Uhr führe monthly close aus", "muss jedes Mal gesagt werden: folder"),
    ],
)
async def test_one_that_has_to_be_told_something_is_refused_in_words(desk: Desk, rule: str, words: str) -> None:
    await _kept(desk, "folder")
    said = await desk.say(rule)
    assert said["resolution"] == "declined"
    assert words in said["answer"]
    assert desk.kernel.routines.every() == []


async def test_without_such_a_macro_it_is_a_rule_like_any_other(desk: Desk) -> None:
    await _kept(desk, name="evening look")
    said = await desk.say("every Friday at 17:00 do monthly close")
    assert said["resolution"] == "declined"
    kept = await desk.say("every Friday at 17:00 show me the largest files in Downloads")
    assert kept["resolution"] in ("executed", "confirmed"), kept


async def test_a_macro_alone_is_done_now_and_makes_no_rule(desk: Desk) -> None:
    await _kept(desk)
    done = await desk.say("monthly close")
    assert done["resolution"] in ("executed", "confirmed")
    assert desk.kernel.routines.every() == []
