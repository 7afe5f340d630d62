"""What takes the place of a granted path after the decision, in a real kernel: refused by name, or decided once more.

The control takes out what is held: the same swap then shows what nobody granted.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kernel.dispatching import perform
from kernel.house import House
from permissions.policy import Places
from tests.kernel.conftest import Bench
from tests.kernel.hostile import attack, described, said, step


class _NothingHeld(Places):
    """The control: what is decided on is resolved, and then let go of and forgotten."""

    def __enter__(self) -> _NothingHeld:
        self.identities = ()
        self.close()
        return self


def between(monkeypatch: pytest.MonkeyPatch, act: Callable[[int], None]) -> list[int]:
    """Do ``act(number)`` between the decision and the cell of each call; return the numbers of the calls to come."""
    call, seen = House.run_call, [0]

    async def after(house: House, *arguments: Any, **more: Any) -> Any:
        seen.append(len(seen))
        act(seen[-1])
        return await call(house, *arguments, **more)

    monkeypatch.setattr(House, "run_call", after)
    return seen


@pytest.fixture
def shared(tmp_path: Path) -> Path:
    """A folder where another user may write, too."""
    folder = tmp_path / "shared"
    folder.mkdir()
    (folder / "thesis.txt").write_text("harmless")
    return folder


@pytest.mark.parametrize("held", [True, False])
async def test_a_folder_that_is_exchanged_for_another_is_not_shown(
    hostile: Bench, shared: Path, monkeypatch: pytest.MonkeyPatch, held: bool
) -> None:
    secret = hostile.home / "Documents"

    def exchange(_number: int) -> None:
        shared.rename(shared.with_name("aside"))
        secret.rename(shared)

    between(monkeypatch, exchange)
    if not held:
        monkeypatch.setattr(perform, "Places", _NothingHeld)
    folder = said({"path": str(shared)})
    view = await attack(hostile, step(1, "look", folder=folder, path=said(str(shared / "thesis.txt"))))
    if not held:
        assert view["answer"] == "thesis\n", "the control"
        return
    assert (view["resolution"], view["error"]["code"]) == ("failed", "refused.swapped")
    assert str(shared) in view["error"]["message"]
    assert view["error"]["hint"]
    events = hostile.kernel._house.ledger.events(run=view["run"])
    failed = next(event for event in events if event.kind == "task.failed")
    assert failed.body == {
        "code": "refused.swapped",
        "message": view["error"]["message"],
        "hint": view["error"]["hint"],
    }


@pytest.mark.parametrize("saves", [1, 9])
async def test_a_file_that_an_editor_saves_meanwhile_is_decided_on_once_more(
    hostile: Bench, monkeypatch: pytest.MonkeyPatch, saves: int
) -> None:
    path = hostile.home / "Documents" / "thesis.txt"

    def save(number: int) -> None:
        if number <= saves:
            path.with_suffix(".new").write_text(f"version {number}")
            path.with_suffix(".new").rename(path)

    calls = between(monkeypatch, save)
    view = await attack(hostile, step(1, "documents.text", file=said({"path": str(path)})))
    kinds = [event["kind"] for event in view["events"]]
    assert kinds.count("task.started") == 1
    if saves == 1:
        assert view["resolution"] == "confirmed", view
        assert "version 1" in view["answer"]
        assert len(calls) == 3
    else:
        assert (view["resolution"], view["error"]["code"]) == ("failed", "refused.replaced")
        assert len(calls) == 4
    assert path.read_text() == f"version {min(saves, 3)}"


@pytest.mark.parametrize("gone", ["folder", "file"])
async def test_what_vanishes_between_the_decision_and_the_call_is_named_and_nothing_is_lost(
    hostile: Bench, shared: Path, monkeypatch: pytest.MonkeyPatch, gone: str
) -> None:
    path = shared / "thesis.txt"
    task = {
        "folder": described(1, "create", shared, {"op": "mkdir", "path": str(shared / "new")}),
        "file": step(1, "documents.text", file=said({"path": str(path)})),
    }[gone]
    between(monkeypatch, lambda _number: os.rename(shared, shared.with_name("aside")))
    before = hostile.tree()
    view = await attack(hostile, task)
    assert (view["resolution"], view["error"]["code"]) == ("failed", "scope.vanished")
    assert str(shared if gone == "folder" else path) in view["error"]["message"]
    assert view["error"]["hint"]
    assert hostile.tree() == before
    assert (shared.with_name("aside") / "thesis.txt").read_text() == "harmless"
    assert not shared.exists()


@pytest.mark.parametrize("tool", ["files.largest", "documents.text"])
async def test_what_vanishes_while_its_card_waits_is_named(hostile: Bench, tool: str) -> None:
    folder = hostile.home / "Downloads"
    path = folder / "small.txt"
    values = {"folder": said({"path": str(folder)})} if tool == "files.largest" else {"file": said({"path": str(path)})}
    view = await attack(hostile, step(1, tool, **values), yes=False)
    assert view["resolution"] == "pending"
    shutil.rmtree(folder)
    view = await hostile.answer(view["run"], "once")
    assert view["resolution"] == "failed"
    assert "~/Downloads" in view["error"]["message"]
    assert view["error"]["hint"]


async def test_nothing_stays_held_when_a_call_has_ended(hostile: Bench, shared: Path) -> None:
    look = step(1, "look", folder=said({"path": str(shared)}), path=said(str(shared / "thesis.txt")))
    await attack(hostile, look)

    def open_on(folder: Path) -> list[str]:
        found = [os.path.realpath(f"/proc/self/fd/{name}") for name in os.listdir("/proc/self/fd")]
        return [path for path in found if path.startswith(str(folder))]

    for _ in range(3):
        assert (await attack(hostile, look))["answer"] == "harmless"
    assert open_on(shared) == []
