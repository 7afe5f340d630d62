"""Compare-and-swap: what somebody else changed meanwhile is a conflict, and one commit waits for another."""

from __future__ import annotations

import fcntl
import os
import stat
import threading
from pathlib import Path
from typing import Any

import pytest

from permissions.errors import Conflict


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
