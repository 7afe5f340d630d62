"""What a call is given to read of what earlier tasks of its plan have staged."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from kernel.calling import contents_for
from permissions.model import Action, Right

Bench = Any  # tests/kernel/conftest.py


@pytest.mark.parametrize("op", ["copy", "move"])
def test_what_was_copied_or_moved_is_read_at_its_source_by_whoever_may_read_the_target(tmp_path: Path, op: str) -> None:
    source, target = str(tmp_path / "a" / "letter.txt"), str(tmp_path / "b" / "letter.txt")
    os.mkdir(tmp_path / "a")
    Path(source).write_text("dear")
    view = ({"op": op, "path": target, "source": source},)
    assert contents_for((Right(Action.FS_READ, target),), view, os.path.realpath) == {source}
    assert contents_for((Right(Action.FS_READ, str(tmp_path / "b"), True),), view, os.path.realpath) == {source}
    for elsewhere in (str(tmp_path / "c"), f"{target}.txt", source + "x"):
        assert contents_for((Right(Action.FS_READ, elsewhere),), view, os.path.realpath) == set()


@pytest.mark.parametrize(
    ("sentence", "answer", "left"),
    [
        ("copy Downloads/small.txt to Archive and delete it", "the copy", {"Downloads/small.txt"}),
        ("copy Downloads/small.txt to Archive and delete it", "the original", {"Archive/small.txt"}),
        ("kopiere Downloads/small.txt nach Archive und lösche sie", "das Original", {"Archive/small.txt"}),
    ],
)  # fmt: skip
async def test_the_copy_or_the_original_goes_as_it_was_said(
    bench: Bench, sentence: str, answer: str, left: set[str]
) -> None:
    (bench.home / "Archive").mkdir()
    asked = await bench.ask(sentence)
    assert asked["resolution"] == "clarify"
    view = await bench.ask(answer)
    if view["resolution"] == "pending":
        view = await bench.answer(view["run"], "once")
    assert view["resolution"] == "confirmed", view["error"]
    assert {name for name in bench.tree() if name.endswith(".txt")} == left


async def test_after_a_copy_the_copy_gets_the_name(bench: Bench) -> None:
    (bench.home / "Archive").mkdir()
    view = await bench.ask("copy Downloads/small.txt to Archive and rename it to tiny")
    if view["resolution"] == "pending":
        view = await bench.answer(view["run"], "once")
    assert view["resolution"] == "confirmed", view["error"]
    assert {name for name in bench.tree() if name.endswith(".txt")} == {"Downloads/small.txt", "Archive/tiny.txt"}


async def test_what_is_about_the_same_place_keeps_its_order(bench: Bench) -> None:
    (bench.home / "Archive").mkdir()
    view = await bench.ask("copy Downloads/small.txt to Archive and delete Downloads/small.txt")
    assert [task["after"] for task in view["plan"]["tasks"]] == [[], ["t1"]]
