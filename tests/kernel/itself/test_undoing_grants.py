"""What "always" on a run's card gave goes with the run; what was granted otherwise stays."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from kernel import NotNow
from kernel.itself import undoing_grants
from kernel.itself.undoing import event_of
from permissions.errors import Conflict

Bench = Any  # tests/kernel/conftest.py

NOTE = "save a note called errands {} saying milk"


def given(bench: Bench) -> set[str]:
    return {grant["right"] for grant in bench.kernel.perms()}


async def test_what_the_card_gave_for_good_goes_with_the_run(bench: Bench) -> None:
    other = await bench.kernel.grant("notes", "fs.read:~/Documents/**")
    run = await always(bench, NOTE.format("one"))
    made = [grant for grant in bench.kernel.perms() if grant["id"] != other]
    assert made, "the card gave something"
    preview = bench.kernel.undoable(run)
    assert len(preview["grants"]) == len(made)
    assert any("notes: create" in words and "Notes" in words for words in preview["grants"])
    undone = await bench.kernel.undo(run)
    assert [grant["id"] for grant in bench.kernel.perms()] == [other], "what was granted otherwise stays"
    assert "right" in undone["answer"]
    assert (await bench.ask(NOTE.format("one"), yes=False))["resolution"] == "pending", "it is asked again"


async def test_a_run_that_only_read_gives_its_rights_back(bench: Bench) -> None:
    run = await always(bench, "list the files in ~/Downloads")
    assert given(bench)
    undone = await bench.kernel.undo(run)
    assert (given(bench), undone["effects"]) == (set(), [])
    with pytest.raises(NotNow, match="taken back already"):
        await bench.kernel.undo(run)


async def test_words_say_on_the_card_which_rights_go(bench: Bench) -> None:
    await always(bench, NOTE.format("one"))
    await bench.ask(NOTE.format("two"))
    await bench.ask("undo")
    view = await bench.ask("mach das rückgängig", yes=False)
    assert view["resolution"] == "pending"
    said = [one for one in view["card"]["concerns"] if "Recht" in one["why"]]
    assert len(said) == len(given(bench)), said
    await bench.answer(view["run"], "once")
    assert not given(bench)


async def test_another_run_s_rights_stay_and_an_ended_grant_is_nothing(bench: Bench) -> None:
    first = await always(bench, NOTE.format("one"))
    await bench.ask("delete big.iso")
    before = given(bench)
    second = bench.kernel.runs()[0]["run"]
    assert "grants" not in bench.kernel.undoable(second) or not bench.kernel.undoable(second)["grants"]
    await bench.kernel.undo(second)
    assert given(bench) == before
    for grant in bench.kernel.perms():
        await bench.kernel.revoke(grant["id"])
    assert bench.kernel.undoable(first)["grants"] == []


async def test_a_conflict_takes_no_right_away(bench: Bench) -> None:
    run = await always(bench, NOTE.format("one"))
    before = given(bench)
    (bench.home / "Notes" / "errands one.md").write_text("mine now")
    with pytest.raises((Conflict, NotNow)):
        await bench.kernel.undo(run)
    assert given(bench) == before


async def test_a_part_of_a_run_leaves_its_rights(bench: Bench) -> None:
    run = await always(bench, NOTE.format("one"))
    before = given(bench)
    await bench.kernel.undo(run, [str(bench.home / "Notes" / "errands one.md")])
    assert given(bench) == before
    await bench.kernel.undo(run)
    assert not given(bench)


async def test_a_daemon_that_ended_between_files_and_rights_takes_both_back(bench: Bench) -> None:
    run = await always(bench, NOTE.format("one"))
    house = bench.kernel._house
    await asyncio.wrap_future(house.ledger.submit(event_of(run, {}, kind="undo.started")))
    house.transactions.undo(run)  # and here it ends
    assert undoing_grants.grants_of(house, run)
    for _ in range(2):
        await bench.kernel.close()
        bench.kernel = await bench.reopen()
        assert not given(bench)


async def always(bench: Bench, text: str) -> str:
    view = await bench.ask(text, yes=False)
    assert view["resolution"] == "pending", view
    view = await bench.answer(view["run"], "always")
    assert view["resolution"] == "confirmed", view
    return str(view["run"])
