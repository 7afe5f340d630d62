"""Other volumes below the home: a small tmpfs in a mount namespace of its own."""

from __future__ import annotations

import ctypes
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from permissions.errors import Conflict, Refused, StorageFailed
from permissions.transactions import Recovery, Transactions, displaced
from permissions.transactions.steps import Engine

pytestmark = pytest.mark.slow

_CLONE_NEWNS = 0x00020000
_PRIVATE = 0x4000 | 0x40000
_BIND = 0x1000

needs_mounts = pytest.mark.skipif(os.geteuid() != 0, reason="a volume needs a mount: run the tests as root")


def with_volume(lab: Any, tools: Any, act: Callable[[Path], None]) -> int:
    """Run ``act`` in a child that sees a tmpfs at ``~/vol``."""

    def inside() -> None:
        libc = ctypes.CDLL(None, use_errno=True)
        volume = lab.home / "vol"
        volume.mkdir()
        assert libc.unshare(_CLONE_NEWNS) == 0
        assert libc.mount(None, b"/", None, _PRIVATE, None) == 0
        assert libc.mount(b"tmpfs", os.fsencode(volume), b"tmpfs", 0, b"size=4m") == 0
        act(volume)

    return int(tools[1](inside))


class _Anything:
    def lies_at(self, _spot: str) -> bool:
        return True


@contextmanager
def unheld(*_: Any) -> Iterator[_Anything]:
    yield _Anything()


def furnish(lab: Any) -> None:
    lab.file("vol/text", "old", mode=0o640)
    lab.file("vol/gone", "g", mode=0o600)
    lab.file("vol/tree/sub/x", "1", mode=0o755)
    lab.file("here/y", "2")
    lab.file("vol/away", "3", mode=0o604)
    (lab.home / "here" / "l").symlink_to("y")
    (lab.home / "link").symlink_to("nowhere")


def everything(lab: Any) -> list[dict[str, Any]]:
    home, volume = lab.home, lab.home / "vol"
    return [
        lab.over(volume / "text", "new"),
        lab.write(volume / "deep" / "new", "n"),
        lab.delete(volume / "gone"),
        lab.delete(volume / "tree"),
        lab.move(home / "here", volume / "here"),
        lab.move(volume / "away", home / "away"),
        lab.move(home / "link", volume / "link"),
        lab.copy(volume / "here", home / "copy"),
    ]


@needs_mounts
def test_changes_across_volumes_and_back(lab: Any, tools: Any) -> None:
    def act(volume: Path) -> None:
        furnish(lab)
        before = lab.snapshot()
        lab.commit("r", *everything(lab))
        assert (volume / "here" / "y").read_text() == "2"
        assert os.readlink(volume / "here" / "l") == "y"
        assert (lab.home / "away").stat().st_mode & 0o777 == 0o604
        assert os.readlink(volume / "link") == "nowhere"
        assert not (lab.home / "here").exists()
        assert (lab.home / ".local/share/Trash/files/tree/sub/x").read_text() == "1"
        assert lab.leftovers() == []
        lab.tx.undo("r")
        assert lab.snapshot() == before
        assert lab.leftovers() == []
        assert os.listdir(lab.home / ".local/share/Trash/files") == []

    assert with_volume(lab, tools, act) == 0


@needs_mounts
def test_a_volume_with_its_own_trash_uses_it(lab: Any, tools: Any) -> None:
    def act(volume: Path) -> None:
        trash = volume / f".Trash-{os.geteuid()}"
        trash.mkdir(mode=0o700)
        furnish(lab)
        lab.commit("r", lab.delete(volume / "gone"))
        assert (trash / "files" / "gone").read_text() == "g"
        assert "Path=gone\n" in (trash / "info" / "gone.trashinfo").read_text()
        lab.tx.undo("r")
        assert (volume / "gone").read_text() == "g"
        trash.rename(volume / "elsewhere")
        trash.symlink_to("elsewhere")  # a trash that is a link is not used
        lab.commit("r2", lab.delete(volume / "gone"))
        assert (lab.home / ".local/share/Trash/files/gone").read_text() == "g"

    assert with_volume(lab, tools, act) == 0


@needs_mounts
@pytest.mark.parametrize("undo", [False, True])
def test_killed_across_volumes(lab: Any, tools: Any, undo: bool) -> None:
    dies_at, in_child = tools

    def work(tx: Transactions, run: str) -> None:
        staging = lab.stage(run, *everything(lab), tx=tx)
        staging.commit(staging.seal().seal)

    def act(_volume: Path) -> None:
        furnish(lab)
        before = lab.snapshot()
        fired = 0
        for number in range(1, 400):
            run = f"r{number}"
            if undo:
                work(lab.tx, run)
                status = in_child(lambda run=run, number=number: lab.open(dies_at(number)).undo(run))
            else:
                status = in_child(lambda run=run, number=number: work(lab.open(dies_at(number)), run))
            fired += os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL
            again = lab.open()
            again.recover()
            if again.effects(run):
                again.undo(run)
            assert lab.snapshot() == before, number
            assert [path for path in lab.leftovers() if "/runs/" not in path] == [], number
            if status == 0:
                assert fired == number - 1 > 30
                return
        raise AssertionError

    assert with_volume(lab, tools, act) == 0


@needs_mounts
@pytest.mark.parametrize("thing", ["here", "here/y"])
@pytest.mark.parametrize("how", ["saves", "has it open"])
@pytest.mark.parametrize("guarded", [True, False])
def test_a_save_in_what_moves_to_another_volume_is_not_lost(
    lab: Any, tools: Any, thing: str, how: str, guarded: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is copied there, and the original is thrown away: the control shows what that would throw away, too."""
    if not guarded:
        monkeypatch.setattr(displaced, "held_still", unheld)
        monkeypatch.setattr(Engine, "look_again", lambda *_: None)

    def act(volume: Path) -> None:
        path, opened = lab.file("here/y", "2222"), []

        def checkpoint(name: str) -> None:
            if name == "prepared:durable":
                opened.append(os.open(path, os.O_RDWR))
                if how == "saves":
                    os.pwrite(opened[0], b"LATE", 0)
                    os.close(opened.pop())

        staging = lab.stage("r", lab.move(lab.home / thing, volume / "there"), tx=lab.open(checkpoint))
        try:
            staging.commit(staging.seal().seal)
            refused = ""
        except Conflict as problem:
            refused = problem.code
        for one in opened:
            os.pwrite(one, b"LATE", 0)
        assert bool(refused) is guarded
        kept = path.read_text() if path.exists() else "".join(
            one.read_text() for one in volume.rglob("*") if one.is_file()
        )  # fmt: skip
        assert kept == ("LATE" if guarded else "2222")

    assert with_volume(lab, tools, act) == 0


def test_folders_that_pass_their_group_on(lab: Any) -> None:
    groups = [group for group in os.getgroups() if group != os.getegid()] or ([12] if os.geteuid() == 0 else [])
    if not groups:
        pytest.skip("a second group is needed: add your user to one")
    shared = lab.home / "shared"
    shared.mkdir()
    os.chown(shared, -1, groups[0])
    shared.chmod(0o2775)
    lab.commit("r", lab.write(shared / "a", "x"), lab.write(shared / "sub" / "b", "x"))
    assert (shared / "a").stat().st_gid == groups[0]
    assert (shared / "sub" / "b").stat().st_gid == groups[0]
    assert lab.leftovers() == []


_REMOUNT_READ_ONLY, _REMOUNT = 0x20 | 0x1, 0x20


def remounted(volume: Path, flags: int) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    assert libc.mount(b"tmpfs", os.fsencode(volume), b"tmpfs", flags, None) == 0, os.strerror(ctypes.get_errno())


@needs_mounts
def test_a_read_only_volume_is_named_and_nothing_waits_for_it(lab: Any, tools: Any) -> None:
    def act(volume: Path) -> None:
        path = lab.file("vol/sales.csv", "1")
        remounted(volume, _REMOUNT_READ_ONLY)
        with pytest.raises(StorageFailed) as refused:
            lab.commit("r1", lab.delete(path))
        assert refused.value.code == "storage.read_only"
        assert not [*lab.store.glob("journal/open/*")]
        assert [item.action for item in lab.open().recover()] == [Recovery.DROPPED], "what was staged, nothing else"

    assert with_volume(lab, tools, act) == 0


@needs_mounts
def test_what_a_volume_does_not_let_go_back_waits_alone(lab: Any, tools: Any) -> None:
    """The disk fails in the middle: the rest goes on at the next start, and this is finished when it can be."""

    def killed(name: str) -> None:
        if name == "steps:done":
            os.kill(os.getpid(), signal.SIGKILL)

    def act(volume: Path) -> None:
        path = lab.file("vol/sales.csv", "1")
        before = path.read_bytes()
        staging = lab.stage("r1", lab.over(path, "2"), tx=lab.open(killed))
        sealed = staging.seal().seal
        assert os.WTERMSIG(tools[1](lambda: staging.commit(sealed))) == signal.SIGKILL
        assert path.read_text() == "2"
        remounted(volume, _REMOUNT_READ_ONLY)
        (waiting,) = lab.open().recover()
        assert (waiting.run, waiting.action) == ("r1", Recovery.WAITING)
        assert "ead-only" in waiting.problems[0]
        other = lab.file("here/other", "1")
        lab.tx = lab.open()
        lab.commit("r2", lab.over(other, "2"))
        assert other.read_text() == "2"
        remounted(volume, _REMOUNT)
        (done,) = lab.open().recover()
        assert (done.run, done.action, path.read_bytes()) == ("r1", Recovery.ROLLED_BACK, before)
        assert not lab.leftovers()

    assert with_volume(lab, tools, act) == 0


@needs_mounts
@pytest.mark.parametrize(
    ("place", "why"), [(".ssh", "another name of"), (".bashrc", "another name of"), (".ssh/authorized_keys", "busy")]
)
def test_what_is_mounted_under_another_name_is_as_protected(lab: Any, tools: Any, place: str, why: str) -> None:
    key = lab.file(place if place != ".ssh" else ".ssh/authorized_keys", "mine")
    alias = lab.home / "notes"
    (alias.mkdir if (lab.home / place).is_dir() else alias.touch)()
    written = alias / "authorized_keys" if alias.is_dir() else alias

    def inside() -> None:
        libc = ctypes.CDLL(None, use_errno=True)
        assert libc.unshare(_CLONE_NEWNS) == 0
        assert libc.mount(None, b"/", None, _PRIVATE, None) == 0
        lab.commit("r0", lab.write(lab.home / "plain", "p"))
        assert libc.mount(os.fsencode(lab.home / place), os.fsencode(alias), None, _BIND, None) == 0
        assert written.read_text() == "mine", "the control: it is the same file"
        with pytest.raises((Refused, StorageFailed), match=why):
            lab.commit("r1", lab.over(written, "planted"))

    assert tools[1](inside) == 0
    assert key.read_text() == "mine"
