"""Single files of a run are taken back; the rest of it stays done."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from kernel import BadRequest, NotNow
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
