"""Tasks of one plan that touch the same place: in their order, each on what the one before it left."""

from __future__ import annotations

from typing import Any

import pytest

from kernel.dispatching.turns import meets
from permissions.model import Action, Right

Bench = Any  # tests/kernel/conftest.py

NOTES = Right(Action.FS_WRITE, "/h/Notes", True)
NOTE = Right(Action.FS_CREATE, "/h/Notes/a.md")
LOOK = Right(Action.FS_READ, "/h", True)
ELSEWHERE = Right(Action.FS_WRITE, "/h/Notes2", True)
HOST = Right(Action.NET_CONNECT, "example.org:443")


@pytest.mark.parametrize(
    ("earlier", "later", "may"),
    [
        (NOTES, NOTES, False),
        (NOTES, NOTE, False),
        (NOTE, NOTES, False),
        (NOTE, NOTE, False),
        (NOTE, LOOK, False),
        (LOOK, NOTE, False),
        (LOOK, LOOK, True),
        (NOTES, ELSEWHERE, True),
        (ELSEWHERE, NOTE, True),
        (HOST, HOST, True),
    ],
)
def test_only_what_touches_the_same_place_waits(earlier: Right, later: Right, may: bool) -> None:
    assert meets((earlier,), (later,)) is not may
    assert not meets((), (later,))


async def test_two_additions_to_one_note_are_both_there(bench: Bench) -> None:
    (bench.home / "Notes").mkdir()
    (bench.home / "Notes" / "Einkauf.md").write_text("Milch\n")
    view = await bench.ask("füge Eier zur Notiz Einkauf hinzu und füge Butter zur Notiz Einkauf hinzu")
    assert (view["resolution"], len(view["plan"]["tasks"])) == ("confirmed", 2), view["answer"]
    assert bench.tree()["Notes/Einkauf.md"] == b"Milch\nEier\nButter\n"


async def test_a_note_that_is_written_twice_ends_with_words(bench: Bench) -> None:
    view = await bench.ask("write a note called ideas saying tea. write a note called ideas saying coffee")
    assert (view["resolution"], len(view["plan"]["tasks"])) == ("failed", 2), view["answer"]
    assert view["error"]["code"] == "tool.taken"
    assert view["error"]["hint"] == "Add to it, or choose another title."
    assert "Notes/ideas.md" not in bench.tree()


async def _waiting(bench: Bench) -> Any:
    """A run that waits with a row which stands in the table already."""
    (bench.home / "costs.csv").write_text("item,amount\ntea,2.80\n")
    view = await bench.ask("add a row to costs.csv with item tea and amount 2.80")
    assert (view["resolution"], view["stage"]) == ("pending", "commit"), view["answer"]
    return view


async def test_what_only_adds_is_added_to_what_changed_meanwhile(bench: Bench) -> None:
    view = await _waiting(bench)
    (bench.home / "costs.csv").write_text("item,amount\ntea,2.80\ncake,4.00\n")
    view = await bench.answer(view["run"], "once")
    assert (view["resolution"], view["stage"]) == ("pending", "commit"), "the new diff is shown, and asked about"
    view = await bench.answer(view["run"], "once")
    assert view["resolution"] == "confirmed", view["answer"]
    assert bench.tree()["costs.csv"] == b"item,amount\ntea,2.80\ncake,4.00\ntea,2.80\n"


async def test_a_file_that_changes_again_and_again_ends_the_run_with_words(bench: Bench) -> None:
    view = await _waiting(bench)
    for more in ("a", "b"):
        (bench.home / "costs.csv").write_text(f"item,amount\ntea,2.80\n{more},4.00\n")
        view = await bench.answer(view["run"], "once")
    assert (view["resolution"], view["error"]["code"]) == ("failed", "conflict.changed")
    assert "ask again" in view["error"]["hint"]
    assert bench.tree()["costs.csv"] == b"item,amount\ntea,2.80\nb,4.00\n"
