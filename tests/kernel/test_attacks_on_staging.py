"""Attacks between the check of a described effect and its staging, and on what is staged already.

Each attack has its control: with the one check taken out it succeeds.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kernel.dispatching import effects, perform
from permissions.transactions import Staging
from permissions.transactions.space import Space
from tests.kernel.conftest import Bench
from tests.kernel.hostile import attack, described, reopened, said, step

Check = Callable[[Any], None]


def outcome(view: dict[str, Any]) -> tuple[str, str | None]:
    return view["resolution"], view["error"] and view["error"]["code"]


def before_describing(monkeypatch: pytest.MonkeyPatch, swap: Callable[[], None]) -> None:
    """Exchange the folder when the tool has returned and nothing is resolved yet."""
    describe = Staging.describe

    def swapped(staging: Staging, *arguments: Any) -> None:
        swap()
        describe(staging, *arguments)

    monkeypatch.setattr(Staging, "describe", swapped)


def after_the_check(monkeypatch: pytest.MonkeyPatch, swap: Callable[[], None]) -> None:
    """Exchange the folder in the moment in which the check has said yes."""
    check = effects.check_effects

    def swapped(*arguments: Any) -> None:
        check(*arguments)
        swap()

    monkeypatch.setattr(perform, "check_effects", swapped)


def resolved_twice(monkeypatch: pytest.MonkeyPatch, swap: Callable[[], None]) -> None:
    """The control: what is checked is resolved by itself, and what is staged is resolved again."""
    describe = Staging.describe

    def swapped(staging: Staging, task: str, described: Any, check: Check) -> None:
        check(described)
        swap()
        describe(staging, task, described)

    monkeypatch.setattr(Staging, "describe", swapped)


@pytest.mark.parametrize(
    ("when", "codes"),
    [
        (before_describing, ("task.effect",)),
        (after_the_check, ("scope.path", "conflict.changed")),
        (resolved_twice, ("commit.outside",)),
    ],
)
@pytest.mark.parametrize("op", ["mkdir", "write", "delete", "move"])
async def test_a_folder_swapped_for_a_link_changes_nothing_elsewhere(
    hostile: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, op: str, when: Any, codes: tuple[str, ...]
) -> None:
    shared, before = tmp_path / "shared", hostile.tree()  # another user may write there
    shared.mkdir()
    (shared / "thesis.txt").write_text("harmless")
    effect: dict[str, Any] = {"op": op, "path": str(shared / ("thesis.txt" if op == "delete" else "new"))}
    if op == "write":
        effect |= {"base": None, "data": "planted"}
    if op in ("delete", "move"):
        seen = (hostile.home / "Documents" / "thesis.txt").stat()
        effect["base"] = {"dev": seen.st_dev, "ino": seen.st_ino, "size": seen.st_size,
                          "mtime_ns": seen.st_mtime_ns, "ctime_ns": seen.st_ctime_ns}  # fmt: skip
    if op == "move":
        effect["source"] = str(shared / "thesis.txt")

    def swap() -> None:
        shutil.move(shared, tmp_path / "aside")
        shared.symlink_to(hostile.home / "Documents")

    when(monkeypatch, swap)
    view = await attack(hostile, described(1, "change", shared, effect))
    if view["resolution"] == "pending":
        view = await hostile.answer(view["run"], "once")
    assert view["resolution"] == "failed"
    assert view["error"]["code"] in codes
    assert hostile.tree() == before


@pytest.mark.parametrize(
    ("when", "stolen"), [(before_describing, False), (after_the_check, False), (resolved_twice, True)]
)
async def test_the_source_of_a_copy_swapped_for_a_link_does_not_bring_a_secret(
    hostile: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, when: Any, stolen: bool
) -> None:
    ours = tmp_path / "ours"
    (ours / "shared" / ".ssh").mkdir(parents=True)
    (ours / "shared" / ".ssh" / "id_rsa").write_text("bait")
    effect = {"op": "copy", "source": str(ours / "shared" / ".ssh"), "path": str(ours / "out"), "base": None}

    def swap() -> None:
        shutil.move(ours / "shared", tmp_path / "aside")
        (ours / "shared").symlink_to(hostile.home)

    when(monkeypatch, swap)
    view = await attack(hostile, described(1, "create", ours, effect))
    assert view["resolution"] == ("confirmed" if stolen else "failed")
    found = ours / "out" / "id_rsa"
    assert (found.exists() and found.read_text() == "PRIVATE KEY") is stolen


@pytest.mark.parametrize("op", ["move", "delete"])
async def test_a_private_place_is_not_taken_along_with_its_folder(hostile: Bench, op: str) -> None:
    real = hostile.home / "dotfiles" / "gh"
    real.parent.mkdir()
    shutil.move(hostile.home / ".config" / "gh", real)
    (hostile.home / ".config" / "gh").symlink_to(real)
    await reopened(hostile)
    (hostile.home / "harmless").mkdir()
    for folder, done in ((real.parent, False), (hostile.home / "harmless", True)):
        place = {"source": str(folder), "path": str(folder) + "2"} if op == "move" else {"path": str(folder)}
        view = await attack(hostile, described(1, "change", hostile.home, {"op": op, "base": "real", **place}))
        if view["resolution"] == "pending":
            view = await hostile.answer(view["run"], "once")
        assert outcome(view) == (("confirmed", None) if done else ("failed", "task.effect"))
        assert folder.exists() is not done


@pytest.mark.parametrize("checked", [True, False])
async def test_what_an_earlier_task_wrote_is_not_replaced_by_who_did_not_see_it(
    hostile: Bench, monkeypatch: pytest.MonkeyPatch, checked: bool
) -> None:
    if not checked:
        monkeypatch.setattr("permissions.transactions.shadow._must_be_known", lambda _effect, _held: None)
    folder = hostile.home / "Documents"
    first = {"op": "write", "path": str(folder / "new.txt"), "base": None, "data": "the first"}
    view = await attack(
        hostile, described(1, "create", folder, first), described(2, "create", folder, first | {"data": "another"})
    )
    assert (outcome(view) == ("failed", "conflict.changed")) is checked
    assert (folder / "new.txt").exists() is not checked


@pytest.mark.parametrize("unlinked", [False, True])
@pytest.mark.parametrize("watched", [True, False])
async def test_a_call_does_not_fill_the_disk_before_its_set_is_sealed(
    hostile: Bench, monkeypatch: pytest.MonkeyPatch, watched: bool, unlinked: bool
) -> None:
    monkeypatch.setattr("permissions.transactions.space.STAGED_QUOTA_BYTES", 16 << 20)
    if not watched:
        monkeypatch.setattr(Space, "check", lambda _space: None)
    place, many = said({"path": str(hostile.home / "Documents")}), 200
    pause_ms = 50 if watched else 0  # ten seconds for a busy machine to look once
    how = {"total": said(many), "unlinked": said(unlinked), "pause_ms": said(pause_ms)}
    view = await attack(hostile, step(1, "fill", folder=place, **how))
    if watched:
        assert outcome(view) == ("failed", "storage.quota")
        assert not list((hostile.folders.data / "transactions" / "runs").iterdir())
    else:
        assert (outcome(view), view["result"]["value"]) == (("confirmed", None), many)


async def test_a_link_that_is_named_does_not_delete_the_folder_behind_it(hostile: Bench) -> None:
    (hostile.home / "Shortcut").symlink_to(hostile.home / "Documents")
    before = hostile.tree()
    view = await attack(hostile, step(1, "files.delete_folder", folders=said([{"path": f"{hostile.home}/Shortcut"}])))
    assert view["resolution"] == "failed"
    assert hostile.tree() == before
    named = await attack(hostile, step(1, "files.delete_folder", folders=said([{"path": f"{hostile.home}/Documents"}])))
    assert (named["resolution"], named["effects"][0]["files"]) == ("confirmed", 2)
    assert not (hostile.home / "Documents").exists()
