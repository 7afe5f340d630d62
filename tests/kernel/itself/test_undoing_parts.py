"""Single files of a run are taken back; the rest of it stays done."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from kernel import BadRequest, NotNow
from kernel.itself.undoing import event_of
from kernel.remembering import bulk
from permissions.errors import Conflict

Bench = Any  # tests/kernel/conftest.py


async def copied(bench: Bench) -> tuple[str, list[str]]:
    """Copy three files into a folder, in one run; return it and where they are."""
    (bench.home / "Documents").mkdir(exist_ok=True)
    (bench.home / "Downloads").mkdir(exist_ok=True)
    for name in "abc":
        (bench.home / "Documents" / f"{name} plan.txt").write_text(name)
    view = await bench.ask("copy a plan.txt, b plan.txt and c plan.txt from Documents to Downloads")
    made = sorted(one["path"] for one in view["effects"])
    assert (view["resolution"], len(made)) == ("confirmed", 3), view
    return view["run"], made


async def test_one_file_is_taken_back_and_the_rest_later(bench: Bench) -> None:
    run, made = await copied(bench)
    shown = bench.kernel.undoable(run, made[1:2])
    assert [(one["kind"], one["path"]) for one in shown["effects"]] == [("deleted", made[1])]
    taken = await bench.kernel.undo(run, made[1:2])
    assert "the rest of it stays" in taken["answer"]
    there = bench.tree()
    assert ["Downloads/a plan.txt" in there, "Downloads/b plan.txt" in there, "Downloads/c plan.txt" in there] == [
        True, False, True,
    ]  # fmt: skip
    assert not bench.kernel.view(run)["undone"]
    with pytest.raises(BadRequest, match="changed nothing at"):
        await bench.kernel.undo(run, made[1:2])
    assert sorted(one["path"] for one in bench.kernel.undoable(run)["effects"]) == [made[0], made[2]]
    await bench.kernel.undo(run)
    assert bench.kernel.view(run)["undone"]
    assert not {f"Downloads/{name} plan.txt" for name in "abc"} & set(bench.tree())
    with pytest.raises(NotNow, match="taken back already"):
        await bench.kernel.undo(run, made[:1])


async def test_the_last_part_takes_the_run_back(bench: Bench) -> None:
    run, made = await copied(bench)
    await bench.kernel.undo(run, made[:1])
    await bench.kernel.undo(run, [str(bench.home / "Downloads")])
    assert bench.kernel.view(run)["undone"]


async def test_a_path_that_is_none_of_it_is_named_and_nothing_is_taken_back(bench: Bench) -> None:
    run, made = await copied(bench)
    before = bench.tree()
    for paths in ([made[0], str(bench.home / "Documents")], ["Downloads/a plan.txt"], [f"{made[0]}\0"], [""]):
        with pytest.raises(BadRequest):
            await bench.kernel.undo(run, paths)
    assert bench.tree() == before


async def test_only_what_changed_since_stands_in_the_way(bench: Bench) -> None:
    run, made = await copied(bench)
    Path(made[0]).write_text("mine")
    with pytest.raises((NotNow, Conflict)):
        await bench.kernel.undo(run, made[:1])
    await bench.kernel.undo(run, made[1:2])
    assert "Downloads/b plan.txt" not in bench.tree()
    assert "Downloads/a plan.txt" in bench.tree()


@pytest.mark.parametrize("form", ["{}/", "{}/.", "{}/../Downloads", "{}//"])
async def test_a_folder_is_meant_however_its_path_is_written(bench: Bench, form: str) -> None:
    run, made = await copied(bench)
    taken = await bench.kernel.undo(run, [form.format(bench.home / "Downloads")])
    assert sorted(one["path"] for one in taken["effects"]) == made


async def test_a_start_does_not_take_a_part_for_the_whole(bench: Bench) -> None:
    """All files are taken back as a part, the right that the card gave stays: also after a new start."""
    view = await bench.ask("save a note called errands one saying milk", yes=False)
    run = (await bench.answer(view["run"], "always"))["run"]
    given = [grant["id"] for grant in bench.kernel.perms() if grant["id"] in written(bench, run, "grant.added", "id")]
    assert given
    paths = [one["path"] for one in bench.kernel.undoable(run)["effects"]]
    await bench.kernel.undo(run, paths)
    await reopened(bench)
    assert not bench.kernel.view(run)["undone"]
    assert {grant["id"] for grant in bench.kernel.perms()} >= set(given)


async def test_what_a_part_took_back_is_written_down_by_the_next_start(bench: Bench) -> None:
    run, made = await copied(bench)
    await bench.kernel.undo(run, made[:1])
    await ends_behind(bench, run, made[1:2], {"part": True})
    for _ in range(2):
        await reopened(bench)
        assert told(bench, run) == [("undo.part", made[:1]), ("undo.part", made[1:2])]
    await ends_behind(bench, run, (), {})
    for _ in range(2):
        await reopened(bench)
        assert told(bench, run)[2:] == [("run.undone", made[2:])]
    assert bench.kernel.view(run)["undone"]


async def test_of_many_the_part_that_is_left_is_shown(bench: Bench) -> None:
    (bench.home / "Documents" / "Plans").mkdir(parents=True)
    (bench.home / "Downloads").mkdir(exist_ok=True)
    for number in range(bulk.FEW + 10):
        (bench.home / "Documents" / "Plans" / f"plan{number:02}.txt").write_text(str(number))
    view = await bench.ask("copy all txt files in Documents/Plans to Downloads")
    view = await bench.answer(view["run"], "once")
    made = sorted(one["path"] for one in view["effects"])
    assert len(made) == bulk.FEW + 10, view
    await bench.kernel.undo(view["run"], made[:2])
    await bench.ask("what is 1+1", conversation="other")
    asks = await bench.ask("undo that", yes=False, conversation="other")
    assert sorted(one["path"] for one in asks["card"]["changes"]) == made[2:]
    asks = await bench.answer(asks["run"], "once")
    assert sorted(one["path"] for one in asks["effects"]) == made[2:]


async def ends_behind(bench: Bench, run: str, paths: Any, begun: dict[str, bool]) -> None:
    """Take ``paths`` of a run back (all without any) as a daemon does that dies before it can say so."""
    house = bench.kernel._house
    await asyncio.wrap_future(house.ledger.submit(event_of(run, begun, kind="undo.started")))
    house.transactions.undo(run, paths=paths)


async def reopened(bench: Bench) -> None:
    await bench.kernel.close()
    bench.kernel = await bench.reopen()


def told(bench: Bench, run: str) -> list[tuple[str, list[str]]]:
    events = bench.kernel._house.ledger.events(run=run, kinds=("undo.part", "run.undone"))
    return [(event.kind, sorted(one["path"] for one in event.body["changes"])) for event in events]


def written(bench: Bench, run: str, kind: str, key: str) -> set[str]:
    return {str(event.body[key]) for event in bench.kernel._house.ledger.events(run=run, kinds=(kind,))}
