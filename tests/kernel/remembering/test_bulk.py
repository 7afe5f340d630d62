"""Thousands of changes and values: summarised where they are told, whole where they are asked for, kept once."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernel.authorize import Circumstances
from kernel.dispatching.effects import Bounds, check_effects
from kernel.errors import TaskFailed
from kernel.model import TaskId, TaskRights
from kernel.opening import BUILTIN
from kernel.remembering import bulk
from permissions import covers, default_policy
from permissions.model import Action, Right
from skills import Registry
from skills.model import ToolId
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


def its_outline_is_small(bench: Bench, view: dict[str, Any]) -> None:
    outline = bench.kernel.outline(view["run"])
    assert outline["effects"]["count"] == MANY + 2 == len(view["effects"])
    assert outline["effects"]["first"] == view["effects"][: bulk.FIRST]
    assert len(json.dumps(outline)) < 50_000 < len(json.dumps(view))


async def test_a_run_that_changes_thousands_of_files_is_told_in_brief_and_known_in_full(
    hostile: Bench, many: list[Path]
) -> None:
    before = hostile.tree()
    waiting = await attack(hostile, step(1, "files.organize", folder=said({"path": str(many[0].parent)})))
    assert waiting["resolution"] == "pending"
    assert len(waiting["card"]["changes"]) == MANY + 2
    (asked,) = hostile.kernel.approvals(whole=False)
    assert asked["card"]["changes"]["count"] == MANY + 2 == len(hostile.kernel.approvals()[0]["card"]["changes"])
    view = await confirmed(hostile, waiting)
    its_outline_is_small(hostile, view)
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


async def test_thousands_that_were_found_can_be_meant_by_a_pronoun(hostile: Bench, many: list[Path]) -> None:
    found = await hostile.ask("find all pdfs in Scans")
    assert len(str(found["result"]["value"])) > 100_000
    view = await confirmed(hostile, await hostile.ask("delete them"))
    assert [task["tool"] for task in view["plan"]["tasks"]] == ["files.delete"]
    assert {path for path in many if path.exists()} == {path for path in many if path.suffix == ".txt"}


class _Counted(tuple[Right, ...]):
    """Rights that count how often all of them are read."""

    read = 0

    def __iter__(self) -> Iterator[Right]:
        self.read += 1
        return super().__iter__()


def test_effects_are_held_against_the_rights_without_reading_them_all_again(tmp_path: Path) -> None:
    names = [str(tmp_path / f"f{number}") for number in range(300)]
    needs = _Counted(Right(Action.FS_DELETE, name) for name in names)
    rights = TaskRights(TaskId("t1"), needs, (), ())
    registry = Registry([BUILTIN])
    policy = default_policy(str(tmp_path), ())
    around = Circumstances(registry.tool, registry.skill, policy, "r-1", str(tmp_path), 0.0, str)
    bounds = Bounds(registry.tool(ToolId("files.delete")), rights, around, ())
    check_effects([{"op": "delete", "path": name} for name in names], (), bounds)
    assert needs.read <= 2
    with pytest.raises(TaskFailed, match="did not ask for"):
        check_effects([{"op": "delete", "path": str(tmp_path / "other")}], (), bounds)


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


@pytest.mark.slow
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
