"""Somebody at work between two steps of ours: what vanished, or is another thing by then, is a conflict."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from permissions.errors import Conflict, PermissionsError, Refused
from permissions.transactions import files, seal
from permissions.transactions.disk import Disk
from permissions.transactions.effects import Effect, Op
from permissions.transactions.model import Version
from permissions.transactions.space import size_below


def once_at(name: str, act: Callable[[], object]) -> Callable[[str], None]:
    """A checkpoint at which somebody acts once."""
    waiting = [act]

    def checkpoint(at: str) -> None:
        if at == name and waiting:
            waiting.pop()()

    return checkpoint


def at(lab: Any, name: str, act: Callable[[], object], *effects: Any) -> str:
    """Commit ``effects`` while somebody acts at a step; return the code of how it ended, and drop it."""
    staging = lab.stage("r", *effects, tx=lab.open(once_at(name, act)))
    approved = staging.seal().seal
    try:
        staging.commit(approved)
    except PermissionsError as error:
        staging.drop()
        return error.code
    return ""


@pytest.mark.parametrize(
    ("step", "kind"),
    [("draft", "over"), ("draft", "delete"), ("draft", "move"), ("preimage", "over"), ("preimage", "delete")],
)
def test_what_vanishes_while_it_is_drafted_is_a_conflict(lab: Any, step: str, kind: str) -> None:
    path, other = lab.file("a"), lab.file("kept")
    effect = {"over": lambda: lab.over(path, "new"), "delete": lambda: lab.delete(path),
              "move": lambda: lab.move(path, lab.home / "b")}[kind]()  # fmt: skip
    assert at(lab, step, path.unlink, lab.write(lab.home / "new", "x"), effect) == "conflict.changed"
    assert not path.exists()
    assert not (lab.home / "new").exists()
    assert not (lab.home / "b").exists()
    assert other.read_text() == "old\n"
    assert lab.leftovers() == []


def test_what_is_written_while_it_is_kept_is_a_conflict(lab: Any) -> None:
    """Size and times are put back: only the content tells."""
    path = lab.file("a")

    def write() -> None:
        path.write_text("mine")
        os.utime(path, (1_600_000_000, 1_600_000_000))

    assert at(lab, "preimage", write, lab.over(path, "new!")) == "conflict.changed"
    assert path.read_text() == "mine"


def test_a_run_commits_once(lab: Any) -> None:
    staging = lab.stage("r", lab.write(lab.home / "a", "x"))
    approved = staging.seal().seal
    staging.keep()
    again = lab.open().reopen("r")
    staging.commit(approved)
    (lab.home / "a").unlink()
    with pytest.raises(Refused) as refused:
        again.commit(approved)
    assert refused.value.code == "refused.closed"
    assert not (lab.home / "a").exists()


def test_a_seal_that_was_changed_while_it_waited_is_none(lab: Any) -> None:
    staging = lab.stage("r", lab.write(lab.home / "a", "x"))
    staging.seal()
    staging.keep()
    assert lab.open().reopen("r") is not None  # the control
    [file] = lab.store.glob("runs/r/*.json")
    whole = json.loads(file.read_text())
    assert f"{lab.home}/a" in whole["body"]
    file.write_text(json.dumps({**whole, "body": whole["body"].replace(f"{lab.home}/a", f"{lab.home}/b")}))
    assert lab.open().reopen("r") is None


def test_a_content_file_that_gets_a_second_name_before_the_seal_is_refused(lab: Any) -> None:
    staging = lab.stage("r", lab.write(lab.home / "a", "x"))
    [blob] = lab.store.glob("runs/r/tasks/t1/*")
    os.link(blob, lab.home / "mine")
    with pytest.raises(PermissionsError) as refused:
        staging.seal()
    assert refused.value.code == "scope.blob"


def test_a_run_stages_so_much_and_no_more(lab: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    copied = lab.file("large", b"x" * 3000)
    lab.stage("small", lab.write(lab.home / "a", "x" * 2000)).seal()
    monkeypatch.setattr(seal, "STAGED_QUOTA_BYTES", 2500)
    lab.stage("still", lab.write(lab.home / "a", "x" * 2000)).seal()
    for run, effect in (("w", lab.write(lab.home / "b", "x" * 2600)), ("c", lab.copy(copied, lab.home / "c"))):
        with pytest.raises(PermissionsError) as refused:
            lab.stage(run, effect).seal()
        assert refused.value.code == "storage.quota"


def test_a_call_that_fills_the_disk_elsewhere_is_stopped(lab: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    staging = lab.tx.begin("r")
    staging.task_folder("t1")
    space = staging.space("t1")
    space.check()
    monkeypatch.setattr("permissions.transactions.space._free_bytes", lambda _folder: -(1 << 60))
    with pytest.raises(PermissionsError, match="filling up") as refused:
        space.check()
    assert refused.value.code == "storage.quota"
    assert size_below(str(lab.home)) >= 0


# --- undo ---------------------------------------------------------------------------------------------------------
def test_a_folder_that_somebody_removed_or_replaced_is_left_so(lab: Any) -> None:
    lab.commit("r", lab.mkdir(lab.home / "gone"), lab.mkdir(lab.home / "kept"))
    (lab.home / "gone").rmdir()
    lab.tx.undo("r")
    assert os.listdir(lab.home) == [".local"]
    lab.commit("again", lab.mkdir(lab.home / "d"), lab.write(lab.home / "x", "y"))
    (lab.home / "d").rmdir()
    (lab.home / "d").write_text("mine")
    with pytest.raises(Conflict) as refused:
        lab.tx.undo("again")
    assert set(refused.value.paths) == {f"{lab.home}/d"}
    assert (lab.home / "d").read_text() == "mine"


def test_what_was_moved_and_is_gone_or_another_thing_is_not_moved_back(lab: Any) -> None:
    folder = lab.home / "folder"
    lab.file("folder/x")
    lab.commit("r", lab.move(lab.file("a"), lab.home / "b"), lab.move(folder, lab.home / "there"))
    (lab.home / "b").unlink()
    (lab.home / "there").rename(lab.home / "elsewhere")
    (lab.home / "there").mkdir()
    with pytest.raises(Conflict) as refused:
        lab.tx.undo("r")
    assert set(refused.value.paths) == {f"{lab.home}/b", f"{lab.home}/there"}
    assert not folder.exists()
    assert (lab.home / "elsewhere" / "x").exists()


def test_what_was_written_and_is_gone_is_named(lab: Any) -> None:
    path: Path = lab.file("a")
    lab.commit("r", lab.over(path, "new"), lab.write(lab.home / "b", "x"))
    for gone in (path, lab.home / "b"):
        gone.unlink()
    with pytest.raises(Conflict) as refused:
        lab.tx.undo("r")
    assert set(refused.value.paths) == {str(path), f"{lab.home}/b"}


# --- while it is sealed -------------------------------------------------------------------------------------------
def test_what_is_copied_is_what_was_seen_before_and_after(lab: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    path, copied = lab.file("a"), files.copy_file

    def disturbed(*arguments: Any, **more: Any) -> Any:
        found = copied(*arguments, **more)
        path.write_text("mine")
        return found

    staging = lab.stage("r", lab.copy(path, lab.home / "b"))
    monkeypatch.setattr(files, "copy_file", disturbed)
    with pytest.raises(Conflict) as refused:
        staging.seal()
    assert list(refused.value.paths) == [str(path)]


def test_a_content_that_is_written_while_it_is_sealed_is_a_conflict(lab: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    staging, digest_of = lab.stage("r", lab.write(lab.home / "a", "x")), files.digest_of
    [blob] = lab.store.glob("runs/r/tasks/t1/*")
    held = os.open(blob, os.O_WRONLY)

    def disturbed(opened: int) -> str:
        found = digest_of(opened)
        os.pwrite(held, b"more", 0)
        return found

    monkeypatch.setattr(files, "digest_of", disturbed)
    with pytest.raises(Conflict, match="changed while it was sealed"):
        staging.seal()
    os.close(held)


def test_a_pipe_in_the_place_of_a_seal_is_none(lab: Any) -> None:
    staging = lab.stage("r", lab.write(lab.home / "a", "x"))
    staging.seal()
    staging.keep()
    [file] = lab.store.glob("runs/r/*.json")
    file.unlink()
    os.mkfifo(file)
    writer = os.open(file, os.O_RDWR)  # so that to open it waits for nobody
    assert lab.open().reopen("r") is None
    os.close(writer)


def test_a_link_that_came_on_the_way_is_a_conflict(lab: Any) -> None:
    lab.file("d/sub/x")
    (lab.home / "link").symlink_to("d")
    disk = Disk()
    assert disk.tree(f"{lab.home}/d/sub").files == 1
    for look in (disk.tree, disk.names):
        with pytest.raises(Conflict, match="link on its way"):
            look(f"{lab.home}/link/sub")


def test_a_folder_whose_mode_was_changed_and_that_is_another_by_now_keeps_its_own(lab: Any) -> None:
    folder = lab.home / "folder"
    for run, replaced in (("same", False), ("other", True)):
        folder.mkdir(mode=0o755)
        staging = lab.tx.begin(run)
        staging._take("t1", [Effect(Op.ATTRIBUTES, str(folder), mode=0o700, base=Version.of(folder.lstat()))], _allow)
        staging.commit(staging.seal().seal)
        assert folder.stat().st_mode & 0o777 == 0o700
        if replaced:
            folder.rename(lab.home / "elsewhere")
            folder.mkdir(mode=0o711)
            with pytest.raises(Conflict) as refused:
                lab.tx.undo(run)
            assert list(refused.value.paths) == [str(folder)]
            assert folder.stat().st_mode & 0o777 == 0o711
        else:
            lab.tx.undo(run)
            assert folder.stat().st_mode & 0o777 == 0o755
            folder.rmdir()


def test_all_that_cannot_be_taken_back_is_named_also_where_a_folder_is_gone(lab: Any) -> None:
    folder, file, pre = lab.home / "z", lab.file("a"), lab.store / "preimages" / "r"
    folder.mkdir(mode=0o755)
    staging = lab.stage("r", lab.over(file, "new"))
    staging._take("t1", [Effect(Op.ATTRIBUTES, str(folder), mode=0o700, base=Version.of(folder.lstat()))], _allow)
    staging.commit(staging.seal().seal)
    folder.rmdir()
    file.write_text("mine")
    for kept in pre.iterdir():
        kept.unlink()
    with pytest.raises(Conflict) as refused:
        lab.tx.undo("r")
    assert list(refused.value.paths) == [str(file), str(folder)]
    assert file.read_text() == "mine"


def _allow(_effects: object) -> None:
    """Let everything pass."""


def test_a_folder_comes_back_from_the_trash_with_what_was_put_into_it_there(lab: Any) -> None:
    lab.file("folder/x")
    lab.commit("r", lab.delete(lab.home / "folder"))
    [thrown] = (lab.home / ".local" / "share" / "Trash" / "files").iterdir()
    (thrown / "added").write_text("there")
    lab.tx.undo("r")
    assert sorted(os.listdir(lab.home / "folder")) == ["added", "x"]


@pytest.mark.skipif(os.geteuid() != 0, reason="somebody else's file needs root: run the tests as root")
def test_root_replaces_somebody_else_s_file_whole_and_it_stays_theirs(lab: Any) -> None:
    path = lab.file("a")
    os.chown(path, 12345, 12346)
    before = path.stat().st_ino
    lab.commit("r", lab.over(path, "new"))
    info = path.stat()
    assert (info.st_uid, info.st_gid) == (12345, 12346)
    assert info.st_ino != before  # nobody saw half of it
