"""What is promised is on the disk: folders are synced, few things one by one and many by one call, or it is told."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from permissions.transactions import shop, syscalls
from permissions.transactions.resolve import Folders


@pytest.fixture
def folders() -> Iterator[Folders]:
    found = Folders()
    yield found
    found.close()


def path_of(descriptor: int) -> str:
    return os.readlink(f"/proc/self/fd/{descriptor}")


def failing_at(monkeypatch: pytest.MonkeyPatch, folder: Path, code: int) -> list[str]:
    """Let one folder refuse to be synced; return what is synced from now on."""
    synced: list[str] = []

    def fsync(descriptor: int) -> None:
        if path_of(descriptor) == str(folder):
            raise OSError(code, os.strerror(code))
        synced.append(path_of(descriptor))

    monkeypatch.setattr(os, "fsync", fsync)
    return synced


def test_a_folder_that_cannot_be_made_durable_is_not_passed_over(
    tmp_path: Path, folders: Folders, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its parent would be synced in its place, and the names in it be gone after a power cut."""
    inner = tmp_path / "inner"
    inner.mkdir()
    failing_at(monkeypatch, inner, errno.EIO)
    for few in (48, 0):
        monkeypatch.setattr(shop, "_FEW", few)
        with pytest.raises(OSError, match=os.strerror(errno.EIO)) as failed:
            shop.make_durable(folders, [], [str(inner)])
        assert failed.value.errno == errno.EIO


def test_for_a_folder_that_nobody_may_list_the_one_above_is_synced(
    tmp_path: Path, folders: Folders, monkeypatch: pytest.MonkeyPatch
) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    synced = failing_at(monkeypatch, inner, errno.EBADF)
    shop.make_durable(folders, [], [str(inner)])
    assert synced == [str(tmp_path)]


def test_few_things_are_synced_one_by_one_and_many_by_one_call_for_their_disk(
    tmp_path: Path, folders: Folders, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = tmp_path / "one"
    one.write_text("1")
    disks: list[str] = []
    synced = failing_at(monkeypatch, tmp_path / "none", 0)
    monkeypatch.setattr(syscalls, "syncfs", lambda descriptor: disks.append(path_of(descriptor)))
    shop.make_durable(folders, [str(one)], [str(tmp_path)])
    assert (synced, disks) == ([str(one), str(tmp_path)], [])
    synced.clear()
    monkeypatch.setattr(shop, "_FEW", 1)
    shop.make_durable(folders, [str(one)], [str(tmp_path)])
    assert str(one) not in synced
    assert disks == [str(tmp_path)]
