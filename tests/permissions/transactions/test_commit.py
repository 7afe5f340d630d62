"""Commit: net effects, compare-and-swap, and what a file keeps."""

from __future__ import annotations

import fcntl
import os
import stat
import threading
from pathlib import Path
from typing import Any

import pytest

from permissions.errors import BadScope, Conflict, Refused
from permissions.model import ChangeKind
from permissions.transactions import Recovery


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


# conflicts


def staged_overwrite(lab: Any) -> tuple[Any, Path]:
    path = lab.file("a", "old content")
    lab.file("b", "other")
    return lab.stage("r", lab.over(path, "mine"), lab.delete(lab.home / "b"), lab.write(lab.home / "c", "new")), path


def save_in_place(path: Path) -> None:
    with open(path, "r+") as file:
        file.write("X")


def save_by_rename(path: Path) -> None:
    beside = path.with_suffix(".tmp")
    beside.write_text("old content")
    os.rename(beside, path)


def save_with_old_times(path: Path) -> None:
    info = path.stat()
    path.write_text("OLD CONTENT")
    os.utime(path, ns=(info.st_atime_ns, info.st_mtime_ns))


@pytest.mark.parametrize("edit", [save_in_place, save_by_rename, save_with_old_times, os.unlink])
@pytest.mark.parametrize("sealed_before", [True, False])
def test_an_edit_meanwhile_is_a_conflict_that_changes_nothing(lab: Any, edit: Any, sealed_before: bool) -> None:
    staging, path = staged_overwrite(lab)
    if sealed_before:
        staging.seal()
    edit(path)
    before = lab.snapshot()
    with pytest.raises(Conflict) as caught:
        staging.commit(staging.seal().seal)
    assert caught.value.paths == (str(path),)
    assert lab.snapshot() == before
    assert not list(lab.store.glob("preimages/*"))


def test_a_changed_mode_alone_is_no_conflict(lab: Any) -> None:
    staging, path = staged_overwrite(lab)
    staging.seal()
    path.chmod(0o600)
    staging.commit(staging.seal().seal)
    assert path.read_text() == "mine"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_file_that_appeared_is_not_overwritten(lab: Any) -> None:
    staging, _ = staged_overwrite(lab)
    seal = staging.seal().seal
    (lab.home / "c").write_text("somebody's")
    with pytest.raises(Conflict):
        staging.commit(seal)
    assert (lab.home / "c").read_text() == "somebody's"
    assert (lab.home / "a").read_text() == "old content"


def test_a_folder_to_delete_that_was_filled_meanwhile_is_a_conflict(lab: Any) -> None:
    lab.file("d/sub/x", "1")
    staging = lab.stage("r", lab.delete(lab.home / "d"))
    seal = staging.seal().seal
    (lab.home / "d/sub/x").write_text("2")
    with pytest.raises(Conflict):
        staging.commit(seal)
    assert (lab.home / "d/sub/x").read_text() == "2"


def race(lab: Any, at: str, act: Any) -> Any:
    """A Transactions in which ``act`` happens once, the first time checkpoint ``at`` is passed."""
    done = []

    def checkpoint(name: str) -> None:
        if name == at and not done:
            done.append(name)
            act()

    return lab.open(checkpoint), done


@pytest.mark.parametrize("edit", [save_in_place, save_by_rename])
def test_an_edit_in_the_last_moment_is_put_back(lab: Any, edit: Any) -> None:
    path = lab.file("a", "old content")
    lab.file("0", "first")
    tx, done = race(lab, "step:swap", lambda: edit(path))
    staging = lab.stage("r", lab.move(lab.home / "0", lab.home / "1"), lab.over(path, "mine"), tx=tx)
    with pytest.raises(Conflict):
        staging.commit(staging.seal().seal)
    assert done
    assert path.read_text() in ("Xld content", "old content")
    assert (lab.home / "0").exists()
    assert not (lab.home / "1").exists()


def test_a_file_that_appears_in_the_last_moment_survives(lab: Any) -> None:
    lab.file("old", "1")
    tx, done = race(lab, "step:move", lambda: (lab.home / "new").write_text("theirs"))
    staging = lab.stage("r", lab.move(lab.home / "old", lab.home / "new"), tx=tx)
    with pytest.raises(Conflict):
        staging.commit(staging.seal().seal)
    assert done
    assert (lab.home / "new").read_text() == "theirs"
    assert (lab.home / "old").read_text() == "1"


def test_a_file_deleted_in_its_last_moment_of_editing_survives(lab: Any) -> None:
    path = lab.file("a", "old content")
    calls = []

    def checkpoint(name: str) -> None:
        calls.append(name)
        if calls.count("step:move") == 2 and name == "step:move":
            save_in_place(path)

    staging = lab.stage("r", lab.delete(path), tx=lab.open(checkpoint))
    with pytest.raises(Conflict):
        staging.commit(staging.seal().seal)
    assert path.read_text() == "Xld content"
    assert lab.leftovers() == [str(lab.store / "runs/r")]


def test_two_runs_on_disjoint_paths_proceed_and_on_one_path_the_second_conflicts(lab: Any) -> None:
    a = lab.file("a")
    one = lab.stage("one", lab.over(a, "1"))
    two = lab.stage("two", lab.over(a, "2"))
    three = lab.stage("three", lab.write(lab.home / "c", "3"))
    for staging in (one, three):
        staging.commit(staging.seal().seal)
    with pytest.raises(Conflict):
        two.commit(two.seal().seal)
    assert a.read_text() == "1"


def test_commits_from_many_threads_all_arrive(lab: Any) -> None:
    stagings = [lab.stage(f"r{n}", lab.write(lab.home / f"f{n}", str(n))) for n in range(16)]
    threads = [threading.Thread(target=lambda s=s: s.commit(s.seal().seal)) for s in stagings]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {(lab.home / f"f{n}").read_text() for n in range(16)} == {str(n) for n in range(16)}


# the seal


def test_the_seal_covers_content_and_path(lab: Any) -> None:
    def seal_of(run: str, path: str, data: str) -> str:
        lab.blobs = 0
        staging = lab.stage(run, lab.write(lab.home / path, data))
        seal = str(staging.seal().seal)
        staging.drop()
        return seal

    seals = {seal_of("r", "a", "1"), seal_of("r", "a", "2"), seal_of("r", "b", "1"), seal_of("q", "a", "1")}
    assert len(seals) == 4
    assert seal_of("r", "a", "1") in seals


def test_nothing_is_added_after_the_seal_and_nothing_committed_under_another(lab: Any) -> None:
    staging = lab.stage("r", lab.write(lab.home / "a", "1"))
    with pytest.raises(Refused):
        staging.commit("0" * 64)
    first = staging.seal()
    assert staging.seal() == first
    with pytest.raises(Refused):
        lab.describe(staging, lab.write(lab.home / "b", "2"))
    with pytest.raises(Refused):
        staging.commit("0" * 64)
    assert lab.snapshot() == {}


def test_content_that_changed_after_the_seal_is_refused(lab: Any) -> None:
    staging = lab.stage("r", lab.write(lab.home / "a", "good"))
    seal = staging.seal().seal
    blob = next(lab.store.glob("runs/r/tasks/*/*"))
    assert stat.S_IMODE(blob.stat().st_mode) == 0o400
    blob.chmod(0o600)
    blob.write_text("evil")
    with pytest.raises(Refused):
        staging.commit(seal)
    assert lab.snapshot() == {}


def test_a_refused_batch_leaves_no_trace(lab: Any) -> None:
    staging = lab.stage("r", lab.write(lab.home / "a", "1"))
    with pytest.raises(BadScope):
        lab.describe(staging, lab.write(lab.home / "b", "1"), {"op": "burn", "path": "/x"})
    assert [effect["path"] for effect in staging.view()] == [str(lab.home / "a")]


def test_the_view_shows_effects_in_order_with_their_content(lab: Any) -> None:
    staging = lab.stage("r", lab.write(lab.home / "a", "1"), lab.mkdir(lab.home / "d"))
    lab.describe(staging, lab.move(lab.home / "a", lab.home / "d" / "b"), task="t2")
    view = staging.view()
    assert [effect["op"] for effect in view] == ["write", "mkdir", "move"]
    assert Path(view[0]["blob_path"]).read_text() == "1"


def test_a_committed_run_cannot_begin_again(lab: Any) -> None:
    lab.commit("r", lab.write(lab.home / "a", "1"))
    with pytest.raises(Refused):
        lab.tx.begin("r")
    assert [change.kind for change in lab.tx.effects("r")] == [ChangeKind.CREATED]


def test_a_sealed_run_survives_a_restart(lab: Any) -> None:
    staging = lab.stage("r", lab.write(lab.home / "a", "1"))
    seal = staging.seal().seal
    staging.keep()
    other = lab.open()
    other.recover()
    again = other.reopen("r")
    assert again is not None
    assert again.seal().seal == seal
    assert again.view() == staging.view()
    again.commit(seal)
    assert (lab.home / "a").read_text() == "1"
    assert other.reopen("r") is None


def test_drop_forgets(lab: Any) -> None:
    staging = lab.stage("r", lab.write(lab.home / "a", "1"))
    staging.drop()
    staging.drop()
    assert lab.leftovers() == []
    with pytest.raises(Refused):
        staging.commit("x")


def test_what_does_not_wait_is_gone_after_a_restart(lab: Any) -> None:
    lab.stage("r", lab.write(lab.home / "a", "1")).seal()
    other = lab.open()
    assert [(item.run, item.action) for item in other.recover()] == [("r", Recovery.DROPPED)]
    assert other.reopen("r") is None
    with pytest.raises(Refused):
        lab.stage("s", lab.write(lab.home / "a", "1")).keep()


def test_everything_of_ours_is_private(lab: Any) -> None:
    staging = lab.stage("r", lab.write(lab.home / "a", "1"))
    staging.seal()
    staging.keep()
    for path in [lab.store, *lab.store.rglob("*")]:
        assert path.stat().st_mode & 0o077 == 0, path


def test_a_commit_waits_for_another_process(lab: Any) -> None:
    staging = lab.stage("r", lab.write(lab.home / "a", "1"))
    seal = staging.seal().seal
    with open(lab.store / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        thread = threading.Thread(target=staging.commit, args=(seal,))
        thread.start()
        thread.join(0.2)
        assert thread.is_alive()
        assert not (lab.home / "a").exists()
        fcntl.flock(lock, fcntl.LOCK_UN)
        thread.join()
    assert (lab.home / "a").read_text() == "1"


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
