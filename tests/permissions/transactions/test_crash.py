"""Crash safety: killed at every step, disk full, disk read-only. Every fault is checked to have fired."""

from __future__ import annotations

import ctypes
import errno
import os
import resource
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from permissions.errors import StorageFailed
from permissions.transactions import Recovery, Transactions, syscalls

pytestmark = pytest.mark.slow


def everything(lab: Any) -> list[dict[str, Any]]:
    """A change set with every kind of step in it: parked, swapped, filled, trashed, copied, made and removed."""
    a, b, t = lab.home / "a", lab.home / "b", lab.home / "t"
    base = lab.move(a, t)["base"]
    return [
        lab.move(a, t),
        lab.move(b, a),
        lab.move(t, b, base),
        lab.over(lab.home / "text", "new text"),
        lab.over(lab.home / "linked", "new in both names"),
        lab.delete(lab.home / "old.txt"),
        lab.delete(lab.home / "tree"),
        lab.write(lab.home / "new" / "deep" / "file", "n"),
        lab.copy(lab.home / "folder", lab.home / "copied"),
        lab.move(lab.home / "folder", lab.home / "moved"),
        lab.write(lab.home / "moved" / "inside", "i"),
    ]


def furnish(lab: Any) -> None:
    for name in ("a", "b", "text", "linked", "old.txt", "tree/x", "tree/sub/y", "folder/z"):
        lab.file(name, f"content of {name}\n", mode=0o640)
    os.link(lab.home / "linked", lab.home / "other name")
    (lab.home / "folder" / "link").symlink_to("z")


def fresh(make_lab: Any, top: Path) -> Any:
    top.mkdir()
    lab = make_lab(top)
    furnish(lab)
    return lab


def commit(lab: Any, tx: Transactions) -> None:
    staging = lab.stage("r", *everything(lab), tx=tx)
    staging.commit(staging.seal().seal)


def names_of_steps(make_lab: Any, top: Path) -> tuple[list[str], list[str]]:
    lab = fresh(make_lab, top)
    one: list[str] = []
    two: list[str] = []
    commit(lab, lab.open(one.append))
    lab.open(two.append).undo("r")
    return one, two


def test_killed_at_every_step_of_a_commit(make_lab: Any, tools: Any, tmp_path: Path) -> None:
    dies_at, in_child = tools
    steps, _ = names_of_steps(make_lab, tmp_path / "count")
    reference = fresh(make_lab, tmp_path / "after")
    commit(reference, reference.tx)
    after = reference.snapshot(times=False)
    seen = set()
    for number in range(1, len(steps) + 1):
        lab = fresh(make_lab, tmp_path / str(number))
        before = lab.snapshot()
        status = in_child(lambda lab=lab, number=number: commit(lab, lab.open(dies_at(number))))
        assert os.WIFSIGNALED(status), steps[number - 1]
        assert os.WTERMSIG(status) == signal.SIGKILL, steps[number - 1]
        again = lab.open()
        found = {item.action for item in again.recover()}
        seen |= found
        assert all(not item.problems for item in again.recover())
        done = bool(again.effects("r"))
        assert done == (Recovery.FINISHED in found or steps[number - 1] == "journal:finished"), steps[number - 1]
        assert (lab.snapshot(times=False) == after) if done else (lab.snapshot() == before), steps[number - 1]
        assert [path for path in lab.leftovers() if "/runs/" not in path] == []
        if done:
            again.undo("r")
            assert lab.snapshot() == before
    assert seen >= {Recovery.FINISHED, Recovery.ROLLED_BACK}


def test_killed_at_every_step_of_an_undo(make_lab: Any, tools: Any, tmp_path: Path) -> None:
    dies_at, in_child = tools
    _, steps = names_of_steps(make_lab, tmp_path / "count")
    seen = set()
    for number in range(1, len(steps) + 1):
        lab = fresh(make_lab, tmp_path / str(number))
        before = lab.snapshot()
        commit(lab, lab.tx)
        after = lab.snapshot()
        status = in_child(lambda lab=lab, number=number: lab.open(dies_at(number)).undo("r"))
        assert os.WIFSIGNALED(status), steps[number - 1]
        again = lab.open()
        seen |= {item.action for item in again.recover()}
        if again.effects("r"):
            assert lab.snapshot() == after, steps[number - 1]
            again.undo("r")
        assert lab.snapshot() == before, steps[number - 1]
        assert lab.leftovers() == []
    assert seen >= {Recovery.UNDO_FINISHED, Recovery.UNDO_ROLLED_BACK}


@pytest.mark.parametrize("renames", ["with_flags", "plain_renames"])
def test_killed_again_while_recovering(
    make_lab: Any, tools: Any, tmp_path: Path, renames: str, request: pytest.FixtureRequest
) -> None:
    if renames == "plain_renames":
        request.getfixturevalue(renames)
    dies_at, in_child = tools
    steps, _ = names_of_steps(make_lab, tmp_path / "count")
    middle = steps.index("steps:done") + 1
    for number in range(1, 40):
        lab = fresh(make_lab, tmp_path / str(number))
        before = lab.snapshot()
        in_child(lambda lab=lab: commit(lab, lab.open(dies_at(middle))))
        status = in_child(lambda lab=lab, number=number: lab.open(dies_at(number)).recover())
        lab.open().recover()
        assert lab.snapshot() == before, number
        if status == 0:
            assert number > 10
            return
    pytest.fail("recovery never came to an end")


def test_an_edit_between_crash_and_recovery_is_kept_and_reported(make_lab: Any, tools: Any, tmp_path: Path) -> None:
    dies_at, in_child = tools
    steps, _ = names_of_steps(make_lab, tmp_path / "count")
    lab = fresh(make_lab, tmp_path / "lab")
    in_child(lambda: commit(lab, lab.open(dies_at(steps.index("steps:done") + 1))))
    text = lab.home / "text"
    assert text.read_text() == "new text"
    text.write_text("written by hand after the crash")
    (found,) = lab.open().recover()
    assert found.action is Recovery.ROLLED_BACK
    assert found.problems == (str(text),)
    assert text.read_text() == "written by hand after the crash"
    assert [path.read_text() for path in lab.store.glob("kept/r-*/*")].count("content of text\n") == 1


def test_a_torn_last_line_of_the_journal_does_not_count(make_lab: Any, tools: Any, tmp_path: Path) -> None:
    dies_at, in_child = tools
    steps, _ = names_of_steps(make_lab, tmp_path / "count")
    for cut in (1, 5, 40):
        lab = fresh(make_lab, tmp_path / f"lab{cut}")
        before = lab.snapshot()
        in_child(lambda lab=lab: commit(lab, lab.open(dies_at(steps.index("journal:applied:written") + 1))))
        book = lab.store / "journal" / "open" / "r"
        book.write_bytes(book.read_bytes()[:-cut])
        (found,) = lab.open().recover()
        assert found.action is (Recovery.FINISHED if cut == 1 else Recovery.ROLLED_BACK)
        assert (lab.snapshot() == before) == (cut != 1)


def test_recovery_drops_staging_that_was_never_sealed(lab: Any) -> None:
    lab.stage("r", lab.write(lab.home / "a", "x"))
    again = lab.open()
    (found,) = again.recover()
    assert (found.run, found.action) == ("r", Recovery.DROPPED)
    assert again.recover() == ()
    assert lab.leftovers() == []


def test_recovery_leaves_living_staging_alone(lab: Any) -> None:
    staging = lab.stage("r", lab.write(lab.home / "a", "x"))
    assert lab.tx.recover() == ()
    staging.commit(staging.seal().seal)


# errors of the disk

FAULTS = [errno.ENOSPC, errno.EIO, errno.EROFS, errno.EDQUOT]


@pytest.mark.parametrize("code", FAULTS)
def test_an_error_at_every_step_changes_nothing(make_lab: Any, tmp_path: Path, code: int) -> None:
    steps, _ = names_of_steps(make_lab, tmp_path / "count")
    for number in range(1, steps.index("journal:applied:durable") + 1, 3):
        lab = fresh(make_lab, tmp_path / str(number))
        before = lab.snapshot()
        fired = []

        def fail(_name: str, number: int = number, fired: list[int] = fired) -> None:
            fired.append(1)
            if len(fired) == number:
                raise OSError(code, os.strerror(code))

        with pytest.raises(StorageFailed) as caught:
            commit(lab, lab.open(fail))
        assert caught.value.hint
        assert len(fired) >= number
        assert lab.snapshot() == before, steps[number - 1]
        lab.open().recover()
        assert lab.snapshot() == before, steps[number - 1]


def test_a_file_size_limit_is_a_storage_failure(lab: Any, tools: Any) -> None:
    lab.file("a", "old")
    staging = lab.stage("r", lab.write(lab.home / "b", "x"), lab.over(lab.home / "a", "new"))
    seal = staging.seal().seal
    before = lab.snapshot()

    def act() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
        with pytest.raises(StorageFailed) as caught:
            staging.commit(seal)
        assert caught.value.code == "storage.full"
        assert caught.value.hint

    assert tools[1](act) == 0
    assert lab.snapshot() == before


SMALL_DISK = """
import os, sys
sys.path[:0] = {path!r}
from pathlib import Path
from permissions.transactions import Transactions
from permissions.errors import StorageFailed
top = Path({top!r})
home, store = top / "home", top / "store"
home.mkdir(); store.mkdir()
tx = Transactions(store, home, state=top / "state")
def seen(path):
    info = os.lstat(path)
    return {{n: getattr(info, "st_" + n) for n in ("dev", "ino", "size", "mtime_ns", "ctime_ns")}}
for n in range(20):
    (home / f"f{{n}}").write_bytes(b"o" * 40000)
before = {{p.name: (p.read_bytes(), p.stat().st_mtime_ns) for p in home.iterdir()}}
staging = tx.begin("r")
folder = staging.task_folder("t")
effects = []
for n in range(20):
    (folder / f"b{{n}}").write_bytes(b"n" * 40000)
    effects.append(dict(op="write", path=str(home / f"f{{n}}"), blob=f"b{{n}}", mode=None, base=seen(home / f"f{{n}}")))
staging.describe("t", effects)
seal = staging.seal().seal
try:
    staging.commit(seal)
    print("committed")
except StorageFailed as failed:
    print(failed.code, bool(failed.hint))
print({{p.name: (p.read_bytes(), p.stat().st_mtime_ns) for p in home.iterdir() if p.name != ".local"}} == before)
(home / "f0").unlink()
"""


def test_a_full_disk_is_a_storage_failure(tmp_path: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("a small disk needs a mount: run the tests as root")
    script = SMALL_DISK.format(path=[str(Path(__file__).parents[3])], top=str(tmp_path))

    def small_disk() -> None:
        libc = ctypes.CDLL(None, use_errno=True)
        assert libc.unshare(0x00020000) == 0  # CLONE_NEWNS
        assert libc.mount(None, b"/", None, 0x4000 | 0x40000, None) == 0  # MS_REC | MS_PRIVATE
        assert libc.mount(b"tmpfs", os.fsencode(tmp_path), b"tmpfs", 0, b"size=2m") == 0

    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, preexec_fn=small_disk, check=False, timeout=60
    )
    assert done.stdout.splitlines() == ["storage.full True", "True"], done.stderr


def as_nobody(act: Any, tools: Any, top: Path) -> int:
    def inside() -> None:
        if os.geteuid() == 0:
            os.setgroups([])
            os.setgid(65534)
            os.setuid(65534)
        act()

    if os.geteuid() == 0:
        for path in [top, *top.rglob("*")]:
            os.chown(path, 65534, 65534, follow_symlinks=False)
        for path in [top, *top.parents][:-2]:
            if path.stat().st_uid == 0:
                path.chmod(path.stat().st_mode | 0o011)
    return int(tools[1](inside))


def test_a_read_only_folder_is_a_storage_failure(lab: Any, tools: Any) -> None:
    lab.file("a", "1")
    path = lab.file("locked/b", "2")
    staging = lab.stage("r", lab.move(lab.home / "a", lab.home / "c"), lab.delete(path))
    seal = staging.seal().seal
    path.parent.chmod(0o555)
    before = lab.snapshot()

    def act() -> None:
        with pytest.raises(StorageFailed) as caught:
            staging.commit(seal)
        assert caught.value.code == "storage.denied"
        assert caught.value.hint
        assert str(path) in str(caught.value)

    assert as_nobody(act, tools, lab.top) == 0
    path.parent.chmod(0o555)
    assert lab.snapshot() == before


@pytest.fixture
def plain_renames(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file system that knows no flags of renameat2, as some network and FUSE ones."""
    real = syscalls.renameat2

    def renameat2(old_dir: int, old: str, new_dir: int, new: str, flags: int) -> None:
        if flags:
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL), new)
        real(old_dir, old, new_dir, new, flags)

    monkeypatch.setattr(syscalls, "renameat2", renameat2)


@pytest.mark.usefixtures("plain_renames")
def test_killed_where_names_cannot_be_exchanged(make_lab: Any, tools: Any, tmp_path: Path) -> None:
    dies_at, in_child = tools
    steps, back = names_of_steps(make_lab, tmp_path / "count")
    assert "swap:aside" in steps
    for number in [n for n, name in enumerate(steps, 1) if name.startswith(("swap", "step"))]:
        lab = fresh(make_lab, tmp_path / f"c{number}")
        before = lab.snapshot()
        assert os.WIFSIGNALED(in_child(lambda lab=lab, n=number: commit(lab, lab.open(dies_at(n)))))
        lab.open().recover()
        assert lab.snapshot() == before, steps[number - 1]
    for number in [n for n, name in enumerate(back, 1) if name.startswith("swap")]:
        lab = fresh(make_lab, tmp_path / f"u{number}")
        before = lab.snapshot()
        commit(lab, lab.tx)
        after = lab.snapshot()
        assert os.WIFSIGNALED(in_child(lambda lab=lab, n=number: lab.open(dies_at(n)).undo("r")))
        lab.open().recover()
        assert lab.snapshot() == after, back[number - 1]
        lab.open().undo("r")
        assert lab.snapshot() == before


def test_what_came_into_a_folder_whose_own_new_name_never_reached_the_disk_goes_again(
    make_lab: Any, tools: Any, tmp_path: Path
) -> None:
    """The power goes: the journal and the new file are on disk, the move of the folder around it is not."""
    dies_at, in_child = tools
    steps: list[str] = []
    counted = fresh(make_lab, tmp_path / "count")
    commit_of_moved(counted, counted.open(steps.append))
    last = len(steps) - steps[::-1].index("step:move")
    lab = fresh(make_lab, tmp_path / "lab")
    before = lab.snapshot(times=False)
    assert os.WIFSIGNALED(in_child(lambda: commit_of_moved(lab, lab.open(dies_at(last + 1)))))
    assert (lab.home / "moved" / "inside").read_text() == "i"
    (lab.home / "moved").rename(lab.home / "folder")
    lab.open().recover()
    assert lab.snapshot(times=False) == before
    assert not lab.leftovers()


def commit_of_moved(lab: Any, tx: Transactions) -> None:
    inside = lab.write(lab.home / "moved" / "inside", "i")
    staging = lab.stage("r", lab.move(lab.home / "folder", lab.home / "moved"), inside, tx=tx)
    staging.commit(staging.seal().seal)
