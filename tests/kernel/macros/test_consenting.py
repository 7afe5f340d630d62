"""A definition is seen before it is kept: its steps, rights and what it would do; a yes keeps it, a no does not."""

from __future__ import annotations

from typing import Any

import pytest

from kernel import Ask
from tests.kernel.routines.conftest import Desk

pytestmark = pytest.mark.slow

COUNT = "define overview as list the files in Downloads"


async def asked(desk: Desk, said: str, **more: Any) -> dict[str, Any]:
    """Say a sentence, and return its run as it stands before any answer."""
    run = await desk.kernel.ask(Ask(said, conversation="c", cwd=str(desk.home), channel="test", **more))
    return await desk.kernel.settled(run)


async def test_its_card_says_steps_graph_and_rights_and_nothing_is_kept_before_a_yes(desk: Desk) -> None:
    view = await asked(desk, "define tidy as move the ISO files in Downloads to Backup")
    assert (view["resolution"], view["stage"]) == ("pending", "macro")
    card = view["card"]
    assert [task["tool"] for task in card["macro"]["plan"]["tasks"]] == ["files.find", "files.move"]
    assert "files" in card["macro"]["graph"].lower() or "t1" in card["macro"]["graph"]
    assert any("Backup" in right["words"] for right in card["rights"])
    assert card["would"]["dry"]["missing"], card["would"]
    assert card["concerns"][0]["subject"] == "tidy"
    assert desk.kernel.macros.every() == []
    await desk.kernel.approve(view["run"], "once")
    done = await desk.kernel.settled(view["run"])
    assert done["resolution"] == "confirmed"
    assert done["result"]["macro"]["plan"]["tasks"]
    assert [one["name"] for one in desk.kernel.macros.every()] == ["tidy"]
    assert desk.kernel._house.policy.grants == ()


async def test_a_no_keeps_nothing(desk: Desk) -> None:
    view = await asked(desk, COUNT)
    await desk.kernel.approve(view["run"], "no")
    assert (await desk.kernel.settled(view["run"]))["resolution"] == "blocked"
    assert desk.kernel.macros.every() == []


async def test_a_yes_in_advance_is_one(desk: Desk) -> None:
    view = await asked(desk, COUNT, yes=True)
    assert view["resolution"] == "confirmed", view["answer"]
    assert [one["name"] for one in desk.kernel.macros.every()] == ["overview"]


async def test_what_may_be_read_already_is_tried_out_on_the_card(desk: Desk) -> None:
    done = await desk.say("list the files in Downloads", answer="always")
    assert done["resolution"] == "confirmed"
    view = await asked(desk, COUNT)
    assert "big.iso" in view["card"]["would"]["dry"]["said"], view["card"]["would"]


async def test_what_it_has_to_be_told_is_said_instead_of_a_dry_run(desk: Desk) -> None:
    view = await asked(desk, "define tidy up as sort it into folders by type")
    assert "has to be told: folder" in view["card"]["would"]["dry"]["said"]
    assert view["card"]["concerns"][-1]["subject"] == "folder"


async def test_a_name_that_was_taken_while_the_card_waited_is_refused(desk: Desk) -> None:
    first, second = await asked(desk, COUNT), await asked(desk, "define overview as list the files in Backup")
    await desk.kernel.approve(first["run"], "once")
    assert (await desk.kernel.settled(first["run"]))["resolution"] == "confirmed"
    await desk.kernel.approve(second["run"], "once")
    assert (await desk.kernel.settled(second["run"]))["resolution"] == "failed"
    assert [one["text"] for one in desk.kernel.macros.every()] == ["list the files in Downloads"]
