"""Commit: net effects, and what a file keeps."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Any

import pytest

from permissions.errors import Conflict


def kinds(changes: Any) -> list[tuple[str, str]]:
    return [(str(change.kind), Path(change.path).name) for change in changes]


def test_a_new_file_with_its_folders(lab: Any) -> None:
    changes = lab.commit("r", lab.write(lab.home / "a" / "b" / "c.txt", "hello"))
    assert kinds(changes) == [("created", "a"), ("created", "b"), ("created", "c.txt")]
    assert (lab.home / "a/b/c.txt").read_text() == "hello"
    assert lab.leftovers() == []


def test_new_files_follow_the_umask_and_a_given_mode(lab: Any) -> None:
    lab.commit("r", lab.write(lab.home / "plain", "x"), lab.write(lab.home / "tool", "x", mode=0o4755))
    status = Path("/proc/self/status").read_text()
    umask = int(next(line.split()[1] for line in status.splitlines() if line.startswith("Umask")), 8)
    assert stat.S_IMODE((lab.home / "plain").stat().st_mode) == 0o644 & ~umask
    assert stat.S_IMODE((lab.home / "tool").stat().st_mode) == 0o755  # never setuid


def test_an_overwrite_keeps_mode_and_attributes(lab: Any) -> None:
    path = lab.file("a.txt", "old", mode=0o640)
    try:
        os.setxattr(path, "user.note", b"mine")
    except OSError:
        pytest.skip("user attributes are needed: use a file system that has them for the temporary folder")
    changes = lab.commit("r", lab.over(path, "new"))
    assert kinds(changes) == [("modified", "a.txt")]
    assert path.read_text() == "new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert os.getxattr(path, "user.note") == b"mine"


def test_attributes_of_the_content_file_do_not_travel(lab: Any) -> None:
    staging = lab.tx.begin("r")
    blob = staging.task_folder("t") / "0001"
    blob.write_bytes(b"x")
    blob.chmod(0o6777)
    try:
        os.setxattr(blob, "user.overlay.opaque", b"y")
    except OSError:
        pytest.skip("user attributes are needed: use a file system that has them for the temporary folder")
    path = lab.home / "a"
    staging.describe("t", [{"op": "write", "path": str(path), "blob": "0001", "mode": None, "base": None}])
    staging.commit(staging.seal().seal)
    assert os.listxattr(path) == []
    assert path.stat().st_mode & 0o7000 == 0


def test_appends_is_true_only_for_the_exact_old_beginning(lab: Any) -> None:
    new = {"more": "a\nb\n", "other": "A\nb\n", "same": "a\n", "turned": "A\n", "shorter": "a"}
    changes = lab.commit("r", *(lab.over(lab.file(name, "a\n"), text) for name, text in new.items()))
    appends = {Path(change.path).name: change.appends for change in changes}
    assert appends == {"more": True, "other": False, "same": True, "turned": False, "shorter": False}


def test_a_file_of_several_names_stays_one_file(lab: Any) -> None:
    path = lab.file("a", "old", mode=0o600)
    other = lab.home / "b"
    os.link(path, other)
    before = lab.snapshot()
    lab.commit("r", lab.over(path, "a longer new content"))
    assert other.read_text() == "a longer new content"
    assert path.stat().st_ino == other.stat().st_ino
    lab.tx.undo("r")
    assert path.stat().st_ino == other.stat().st_ino
    assert lab.snapshot() == before


def test_write_then_move_is_a_write_at_the_destination(lab: Any) -> None:
    a, b = lab.home / "a", lab.home / "b"
    changes = lab.commit("r", lab.write(a, "x"), lab.move(a, b))
    assert kinds(changes) == [("created", "b")]


def test_write_then_delete_is_nothing(lab: Any) -> None:
    a = lab.home / "a"
    assert lab.commit("r", lab.write(a, "x"), lab.delete(a)) == ()
    assert lab.snapshot() == {}


def test_a_move_of_a_move_is_one_move_and_back_is_none(lab: Any) -> None:
    a = lab.file("a")
    b, c = lab.home / "b", lab.home / "c"
    base = lab.move(a, b)["base"]
    assert lab.commit("r0", lab.move(a, b), lab.move(b, a, base)) == ()
    changes = lab.commit("r", lab.move(a, b), lab.move(b, c, base))
    assert [(change.source, change.path) for change in changes] == [(str(a), str(c))]


def test_two_files_swap_names(lab: Any) -> None:
    a, b, t = lab.file("a", "A"), lab.file("b", "B"), lab.home / "t"
    before = lab.snapshot()
    lab.commit("r", lab.move(a, t), lab.move(b, a), lab.move(t, b, lab.move(a, t)["base"]))
    assert (a.read_text(), b.read_text()) == ("B", "A")
    lab.tx.undo("r")
    assert lab.snapshot() == before


def test_a_folder_becomes_a_file_and_back(lab: Any) -> None:
    lab.file("x/inside", "deep")
    before = lab.snapshot()
    x = lab.home / "x"
    lab.commit("r", lab.delete(x), lab.write(x, "now a file"))
    assert x.read_text() == "now a file"
    lab.tx.undo("r")
    assert lab.snapshot() == before


def test_changes_inside_a_moved_folder(lab: Any) -> None:
    keep, gone = lab.file("f/keep", "1"), lab.file("f/gone", "2")
    before = lab.snapshot()
    f, g = lab.home / "f", lab.home / "g"
    lab.commit(
        "r",
        lab.move(f, g),
        lab.write(g / "keep", "changed", lab.over(keep, "")["base"]),
        lab.delete(g / "gone", lab.delete(gone)["base"]),
        lab.write(g / "new", "3"),
    )
    assert sorted(os.listdir(g)) == ["keep", "new"]
    assert (g / "keep").read_text() == "changed"
    lab.tx.undo("r")
    assert lab.snapshot() == before


def test_what_is_deleted_in_a_folder_that_leaves_one_that_is_deleted_is_deleted(lab: Any) -> None:
    gone, inner, _ = lab.file("old/f/gone", "22"), lab.file("old/f/inner/gone", "333"), lab.file("old/f/keep", "1")
    away = lab.file("old/f/inner/away", "4444")
    lab.file("old/rest", "55555")
    before = lab.snapshot()
    bases = [lab.delete(path)["base"] for path in (away, gone, inner.parent)]
    old, f = lab.home / "old", lab.home / "f"
    changes = lab.commit(
        "r",
        lab.move(old / "f", f),
        lab.move(f / "inner" / "away", lab.home / "away", bases[0]),
        lab.delete(f / "gone", bases[1]),
        lab.delete(f / "inner", bases[2]),
        lab.delete(old),
    )
    assert [(one.kind, Path(one.path).name, one.files, one.size_bytes) for one in changes if one.folder] == [
        ("moved", "f", 4, 10), ("deleted", "old", 1, 5), ("deleted", "inner", 1, 3),
    ]  # fmt: skip
    assert sorted(os.listdir(lab.home)) == [".local", "away", "f"]
    assert os.listdir(f) == ["keep"]
    lab.tx.undo("r")
    assert lab.snapshot() == before


def test_deleted_then_written_again_is_an_overwrite(lab: Any) -> None:
    a = lab.file("a", "old")
    changes = lab.commit("r", lab.delete(a), lab.write(a, "new"))
    assert kinds(changes) == [("modified", "a")]


def test_a_copied_folder_brings_contents_modes_times_and_links(lab: Any) -> None:
    lab.file("f/x", "1", mode=0o755)
    (lab.home / "f" / "link").symlink_to("x")
    lab.commit("r", lab.copy(lab.home / "f", lab.home / "g"))
    new, old = (lab.home / "g/x").stat(), (lab.home / "f/x").stat()
    assert (new.st_mode, new.st_mtime_ns) == (old.st_mode, old.st_mtime_ns)
    assert os.readlink(lab.home / "g/link") == "x"
    lab.tx.undo("r")
    assert not (lab.home / "g").exists()


def test_the_same_content_twice(lab: Any) -> None:
    a, b = lab.home / "a", lab.home / "b"
    lab.commit("r", lab.write(a, "x"), lab.copy(a, b))
    assert a.read_text() == b.read_text() == "x"
    assert a.stat().st_ino != b.stat().st_ino


def test_making_a_folder_that_exists_changes_nothing(lab: Any) -> None:
    lab.file("d/x")
    assert lab.commit("r", lab.mkdir(lab.home / "d")) == ()


def test_a_folder_that_another_run_made_meanwhile_is_shared_and_stays(lab: Any) -> None:
    first = lab.stage("r1", lab.mkdir(lab.home / "d"), lab.write(lab.home / "d/one", "1"))
    second = lab.stage("r2", lab.mkdir(lab.home / "d"), lab.write(lab.home / "d/two", "2"))
    first.commit(first.seal().seal)
    second.commit(second.seal().seal)
    assert [change.path for change in lab.tx.effects("r2")] == [str(lab.home / "d/two")]
    lab.tx.undo("r2")
    assert [path.name for path in (lab.home / "d").iterdir()] == ["one"]
    lab.tx.undo("r1")
    assert not (lab.home / "d").exists()


def test_something_else_in_the_place_of_a_new_folder_is_a_conflict(lab: Any) -> None:
    staging = lab.stage("r", lab.mkdir(lab.home / "d"), lab.write(lab.home / "d/one", "1"))
    lab.file("d")
    with pytest.raises(Conflict):
        staging.commit(staging.seal().seal)


@pytest.mark.parametrize(
    "name", ["ü.txt", "u\u0308.txt", "a b", "line\nbreak", "x" * 250, "-rf", "\udcff", "%41", "'\""]
)
def test_odd_names_are_kept_byte_for_byte(lab: Any, name: str) -> None:
    path = lab.home / name
    lab.commit("r", lab.write(path, "x"))
    assert os.listdir(lab.home) == [".local", name] or os.listdir(lab.home) == [name, ".local"]
    lab.commit("r2", lab.delete(path))
    lab.tx.undo("r2")
    assert path.read_text() == "x"


def test_empty_sparse_and_large_files(lab: Any) -> None:
    sparse = lab.file("sparse", b"")
    with open(sparse, "r+b") as file:
        file.truncate(64 << 20)
    before = lab.snapshot()
    lab.commit(
        "r", lab.over(sparse, b""), lab.write(lab.home / "empty", b""), lab.write(lab.home / "big", b"x" * (3 << 20))
    )
    assert sparse.stat().st_size == 0
    assert (lab.home / "big").stat().st_size == 3 << 20
    lab.tx.undo("r")
    assert lab.snapshot() == before
    assert sparse.stat().st_blocks * 512 < 1 << 20  # holes stay holes


def test_moving_and_deleting_a_link_acts_on_the_link(lab: Any) -> None:
    target = lab.file("target", "safe")
    one, two = lab.home / "one", lab.home / "two"
    one.symlink_to(target)
    two.symlink_to(target)
    before = lab.snapshot()
    lab.commit("r", lab.move(one, lab.home / "three"), lab.delete(two))
    assert target.read_text() == "safe"
    assert os.readlink(lab.home / "three") == str(target)
    assert not two.is_symlink()
    lab.tx.undo("r")
    assert lab.snapshot() == before


def test_many_files_at_once_leave_nothing_behind(lab: Any) -> None:
    paths = [lab.file(f"d{n % 7}/f{n}", f"old {n}") for n in range(400)]
    before = lab.snapshot()
    new = [lab.write(lab.home / "new" / str(n), "n") for n in range(100)]
    lab.commit("r", *[lab.over(path, "new") for path in paths], *new)
    assert {path.read_text() for path in paths} == {"new"}
    lab.tx.undo("r")
    assert lab.snapshot() == before
    lab.open().recover()
    assert lab.leftovers() == []
    assert not list(lab.store.glob("garbage/*"))
