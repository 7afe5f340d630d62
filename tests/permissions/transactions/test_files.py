"""Contents, folders and places by themselves: what is refused, and told by its error number, when something is odd."""

from __future__ import annotations

import errno
import fcntl
import hashlib
import os
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from permissions.errors import Conflict, StorageFailed
from permissions.transactions import displaced, failures, files, syscalls
from permissions.transactions.resolve import Folders
from permissions.transactions.staging import Staging
from permissions.transactions.syscalls import mount_of
from permissions.transactions.trash import Trash


@pytest.fixture
def folders() -> Iterator[Folders]:
    opened = Folders()
    yield opened
    opened.close()


@pytest.fixture
def pair(tmp_path: Path) -> Iterator[tuple[int, int]]:
    """An open file with content, and an empty one beside it."""
    (tmp_path / "source").write_bytes(b"x" * 1000)
    source, target = os.open(tmp_path / "source", os.O_RDWR), os.open(tmp_path / "target", os.O_RDWR | os.O_CREAT)
    yield source, target
    os.close(source)
    os.close(target)


@pytest.mark.parametrize(("which", "code"), [(0, errno.ESTALE), (1, errno.EIO), (None, 0)])
def test_a_copy_is_compared_with_its_original(
    pair: tuple[int, int], monkeypatch: pytest.MonkeyPatch, which: int | None, code: int
) -> None:
    """Somebody writes to the original meanwhile, or the disk keeps something else than it was given."""
    copy = files._copy_data

    def disturbed(source: int, target: int) -> None:
        copy(source, target)
        if which is not None:
            os.pwrite((source, target)[which], b"y", 10)

    monkeypatch.setattr(syscalls, "reflink", lambda _source, _target: False)
    monkeypatch.setattr(files, "_copy_data", disturbed)
    if not code:
        assert files.copy_content(*pair) == files.digest_of(pair[0])
        return
    with pytest.raises(OSError, match=r"somebody|differs") as failed:
        files.copy_content(*pair)
    assert failed.value.errno == code


@pytest.mark.parametrize(("old", "new", "begins", "part"), [
    (b"abc", b"abcdef", True, True), (b"abc", b"abc", True, True), (b"", b"abc", True, True),
    (b"abcdef", b"abc", False, False), (b"abd", b"abcdef", False, False), (b"\0\0\0", b"abc", False, True),
    (b"\0\0\0\0", b"abc", False, False),
])  # fmt: skip
def test_beginnings(tmp_path: Path, old: bytes, new: bytes, begins: bool, part: bool) -> None:
    opened = []
    for name, content in (("old", old), ("new", new)):
        (tmp_path / name).write_bytes(content)
        opened.append(os.open(tmp_path / name, os.O_RDONLY))
    assert files.begins_with(opened[0], opened[1]) is begins
    assert files.is_part_of(opened[0], opened[1]) is part
    for one in opened:
        os.close(one)


def test_a_file_and_a_folder_are_copied_and_what_is_gone_is_told(tmp_path: Path, folders: Folders) -> None:
    (tmp_path / "d").mkdir()
    (tmp_path / "d" / "x").write_text("1")
    for name in ("d/x", "d"):
        files.copy_tree(folders, str(tmp_path / name), str(tmp_path / f"copy of {name.replace('/', ' ')}"))
    assert (tmp_path / "copy of d x").read_text() == (tmp_path / "copy of d" / "x").read_text() == "1"
    with pytest.raises(FileNotFoundError):
        files.copy_tree(folders, str(tmp_path / "gone"), str(tmp_path / "copy"))


def test_a_folder_with_too_much_in_it_is_not_walked_to_its_end(
    tmp_path: Path, folders: Folders, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(5):
        (tmp_path / str(number)).touch()
    assert len(list(files.walk(folders, str(tmp_path)))) == 5
    monkeypatch.setattr(files, "MOST_IN_TREE", 4)
    with pytest.raises(OSError, match="too many files") as failed:
        list(files.walk(folders, str(tmp_path)))
    assert failed.value.errno == errno.EFBIG


@pytest.mark.parametrize("code", [errno.EPERM, errno.ENOTSUP, errno.EIO, errno.ENOSPC])
def test_what_a_system_may_deny_without_harm(code: int) -> None:
    def act() -> None:
        raise OSError(code, "no")

    if code in (errno.EPERM, errno.ENOTSUP):
        files._try(act)
        return
    with pytest.raises(OSError, match="no"):
        files._try(act)


def test_only_regular_files_are_opened(tmp_path: Path, folders: Folders) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    for name in ("pipe", "folder"):
        before = len(os.listdir("/proc/self/fd"))
        with pytest.raises(OSError, match="not a regular file") as failed:
            folders.open(str(tmp_path / name))
        assert failed.value.errno == errno.EINVAL
        assert len(os.listdir("/proc/self/fd")) <= before + 1  # that of its folder


@pytest.mark.parametrize(("code", "said"), [
    (errno.ENOSPC, "storage.full"), (errno.EROFS, "storage.read_only"), (errno.EACCES, "storage.denied"),
    (errno.EPERM, "storage.denied"), (errno.ENOTDIR, "conflict.changed"), (errno.EIO, "storage.failed"),
])  # fmt: skip
def test_what_the_system_says_has_a_code_of_ours(code: int, said: str) -> None:
    assert failures.from_os(OSError(code, "x"), "/a").code == said


def test_sharing_blocks_fails_loudly_where_copying_would_fail_too(
    pair: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuses(code: int) -> Callable[..., None]:
        def ioctl(*_: object) -> None:
            raise OSError(code, "no")

        return ioctl

    monkeypatch.setattr(fcntl, "ioctl", refuses(errno.EOPNOTSUPP))
    assert not syscalls.reflink(*pair)
    monkeypatch.setattr(fcntl, "ioctl", refuses(errno.ENOSPC))
    with pytest.raises(OSError, match="no"):
        syscalls.reflink(*pair)


def test_what_cannot_be_made_durable_is_told(tmp_path: Path) -> None:
    held = os.open(tmp_path, os.O_RDONLY | os.O_DIRECTORY)
    syscalls.syncfs(held)
    os.close(held)
    with pytest.raises(OSError, match="Bad file descriptor"):
        syscalls.syncfs(held)


# --- what was put aside -------------------------------------------------------------------------------------------
def _ident(path: Path) -> Any:
    return displaced.ident(path.lstat())


def test_what_may_be_thrown_away_and_what_not(tmp_path: Path, folders: Folders) -> None:
    path, other = tmp_path / "a", tmp_path / "other"
    path.write_text("x")
    other.write_text("y")
    (tmp_path / "link").symlink_to("a")

    def said(spot: Path, was: Any, seen: str = "") -> str:
        found = displaced.objection(folders, str(spot), was, seen, "/said")
        return found.code if found else ""

    digest = displaced.content_of(folders, str(path))
    assert digest == hashlib.sha256(b"x").hexdigest()
    assert said(path, _ident(path), digest) == ""
    assert said(path, _ident(other)) == said(path, _ident(path), "other") == "conflict.changed"
    assert said(path, None) == said(tmp_path / "gone", _ident(path)) == "conflict.changed"
    assert said(tmp_path / "link", _ident(tmp_path / "link")) == ""
    assert displaced.content_of(folders, str(tmp_path / "link")) == ""
    assert displaced.content_of(folders, str(tmp_path / "gone")) == ""
    with path.open("a"):
        assert said(path, _ident(path), digest) == "conflict.open"


def test_a_folder_in_somebody_s_hands_is_not_held(tmp_path: Path, folders: Folders) -> None:
    folder = tmp_path / "d"
    (folder / "below").mkdir(parents=True)
    inner = folder / "below" / "x"
    inner.write_text("x")
    seen = displaced.content_of(folders, str(folder))
    assert seen
    with displaced.held_still(folders, str(folder), _ident(folder), seen, "/said") as held:
        assert held.lies_at(str(folder))
    held_again = displaced.held_still(folders, str(folder), _ident(folder), seen, "/said")
    with inner.open("a"), pytest.raises(Conflict) as refused, held_again:
        pass
    assert refused.value.code == "conflict.open"
    inner.write_text("y")
    with pytest.raises(Conflict), displaced.held_still(folders, str(folder), _ident(folder), seen, "/said"):
        pass


def test_somebody_s_work_is_kept_under_a_free_name_and_an_error_is_told(tmp_path: Path, folders: Folders) -> None:
    for number, name in enumerate(("a.txt", "a.txt", "plain")):
        spot = tmp_path / f"spot{number}"
        spot.write_text(str(number))
        kept = displaced.keep_beside(folders, str(spot), str(tmp_path / name))
        assert Path(kept).read_text() == str(number)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "a (other version 1).txt", "a (other version 2).txt", "plain (other version 1)"
    ]  # fmt: skip
    with pytest.raises(FileNotFoundError):
        displaced.keep_beside(folders, str(tmp_path / "gone"), str(tmp_path / "a.txt"))


# --- the trash ----------------------------------------------------------------------------------------------------
def test_the_trash_of_the_home_is_used_before_any_other_of_its_volume(lab: Any, folders: Folders) -> None:
    """Another one lies at the top of the volume, as an ordinary desktop makes it; only from elsewhere it is used."""
    for name in (f".Trash-{os.geteuid()}", "else"):
        (lab.top / name).mkdir(mode=0o700)
    volume = mount_of(folders.fd(str(lab.top)))
    path, elsewhere = lab.file("a"), lab.top / "else" / "b"
    elsewhere.write_text("x")

    def one_volume(spot: str) -> tuple[int, int]:
        return volume if spot.startswith(f"{lab.top}/") else (0, 0)

    def home_apart(spot: str) -> tuple[int, int]:
        return (1, 1) if spot.startswith(f"{lab.home}/") else one_volume(spot)

    own = f"{lab.home}/.local/share/Trash/files/"
    when = datetime(2026, 1, 1)
    assert Trash(folders, str(lab.home), one_volume).slot(str(path), when).file == f"{own}a"
    slot = Trash(folders, str(lab.home), home_apart).slot(str(elsewhere), when)
    assert slot.file == f"{lab.top}/.Trash-{os.geteuid()}/files/b"
    assert "Path=else/b\n" in slot.text


# --- what cannot be opened any more -------------------------------------------------------------------------------
def test_what_is_closed_takes_nothing_in(lab: Any) -> None:
    def refusal(staging: Staging, *, trees: bool = False) -> str:
        try:
            if trees:
                staging.open_trees("t2", [str(lab.home)])
            else:
                lab.describe(staging, lab.mkdir(lab.home / "more"), task="t2")
        except StorageFailed:
            raise
        except Exception as error:
            return str(getattr(error, "code", repr(error)))
        return ""

    for trees in (False, True):
        run = f"r{trees}"
        staging = lab.stage(run, lab.mkdir(lab.home / run))
        seal = staging.seal().seal
        assert refusal(staging, trees=trees) == "refused.sealed"
        staging.commit(seal)
        assert refusal(staging, trees=trees) == "refused.closed"
        dropped = lab.stage(f"{run}d", lab.mkdir(lab.home / "d"))
        dropped.drop()
        assert refusal(dropped, trees=trees) == "refused.closed"
