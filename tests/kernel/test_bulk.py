"""Thousands of changes and values: summarised where they are told, whole where they are asked for, kept once."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernel import bulk
from permissions import covers
from permissions.model import Action, Right
from tests.kernel.conftest import Bench
from tests.kernel.hostile import attack, described, said, step

MANY = 1500
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(), lambda one: st.lists(one) | st.dictionaries(st.text(), one)
)


def bodies(bench: Bench, run: str) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = {}
    for event in bench.kernel._house.ledger.events(run=run):
        found.setdefault(event.kind, []).append(event.body)
    return found


def written(bench: Bench, run: str) -> int:
    return sum(len(json.dumps(body)) for same in bodies(bench, run).values() for body in same)


@pytest.fixture
def many(hostile: Bench) -> list[Path]:
    folder = hostile.home / "Scans"
    folder.mkdir()
    paths = [folder / f"scan_{number:05d}.{'pdf' if number % 2 else 'txt'}" for number in range(MANY)]
    for path in paths:
        path.write_text(path.name)
    return paths


async def confirmed(bench: Bench, view: dict[str, Any]) -> dict[str, Any]:
    if view["resolution"] == "pending":
        view = await bench.answer(view["run"], "once")
    assert view["resolution"] == "confirmed", view["error"]
    return view


async def test_a_run_that_changes_thousands_of_files_is_told_in_brief_and_known_in_full(
    hostile: Bench, many: list[Path]
) -> None:
    before = hostile.tree()
    waiting = await attack(hostile, step(1, "files.organize", folder=said({"path": str(many[0].parent)})))
    assert waiting["resolution"] == "pending"
    assert len(waiting["card"]["changes"]) == MANY + 2
    view = await confirmed(hostile, waiting)
    events = bodies(hostile, view["run"])
    (told,) = [body["effects"] for body in events["run.finished"]]
    assert told["count"] == MANY + 2
    assert len(told["first"]) == bulk.FIRST
    assert sum(folder["count"] for folder in told["folders"]) == MANY + 2
    assert events["changes.sealed"][0]["changes"] == told
    assert len(events["changes.sealed"][0]["diff"]) == 10
    assert len(view["effects"]) == MANY + 2
    assert len(view["result"]["value"]) == len(view["result"]["tasks"]["t1"]) == MANY
    assert written(hostile, view["run"]) < 100_000
    await hostile.kernel.undo(view["run"])
    assert hostile.tree() == before
    assert len(hostile.kernel.view(view["run"])["effects"]) == MANY + 2
    undone = bodies(hostile, view["run"])["run.undone"][0]
    assert undone["changes"]["count"] == MANY + 2


async def test_thousands_of_named_files_are_a_few_lines_on_the_card(hostile: Bench, many: list[Path]) -> None:
    files = said([{"path": str(path)} for path in many[:500]])
    asked = await attack(hostile, step(1, "files.delete", files=files), yes=False)
    lines = [right["words"] for right in asked["card"]["rights"]]
    assert lines == ["read 500 files in ~/Scans", "remove 500 files in ~/Scans"]
    await hostile.kernel.approve(asked["run"], "once", seal="")
    again = await hostile.kernel.settled(asked["run"])
    assert again["stage"] == "commit"
    assert len(again["card"]["concerns"]) <= 12
    view = await confirmed(hostile, again)
    assert not any(path.exists() for path in many[:500])
    assert all(path.exists() for path in many[500:])
    assert written(hostile, view["run"]) < 100_000


async def test_few_changes_are_written_out(hostile: Bench) -> None:
    folder = hostile.home / "Documents"
    effects = [{"op": "mkdir", "path": str(folder / f"d{number}")} for number in range(10)]
    view = await confirmed(hostile, await attack(hostile, described(1, "create", folder, *effects)))
    assert bodies(hostile, view["run"])["run.finished"][0]["effects"] == view["effects"]
    assert len(view["effects"]) == 10


async def test_a_summary_outlives_the_transaction(hostile: Bench, many: list[Path]) -> None:
    view = await confirmed(
        hostile, await attack(hostile, step(1, "files.organize", folder=said({"path": str(many[0].parent)})))
    )
    (hostile.folders.data / "transactions" / "journal" / "done" / view["run"]).unlink()
    assert len(hostile.kernel.view(view["run"])["effects"]) == bulk.FIRST


@given(value=JSON, padding=st.sampled_from(["", "x" * 40_000]))
def test_what_is_kept_comes_back(value: Any, padding: str) -> None:
    whole = [value, padding]
    body = json.loads(json.dumps(bulk.kept("value", whole)))
    assert bulk.kept_in(body, "value") == whole
    assert ("value_packed" in body) == (len(json.dumps(whole, separators=(",", ":"))) > 32 << 10)


scopes = st.sampled_from(["/", "/a", "/a/b", "/a/bc", "/a/b/c", "/b"])
rights = st.builds(Right, st.sampled_from(list(Action)[:4]), scopes, st.booleans())


@given(wide=rights, narrow=rights)
def test_a_right_names_exactly_what_covers_it(wide: Right, narrow: Right) -> None:
    assert covers(wide, narrow) == (wide in set(narrow.wider()))
