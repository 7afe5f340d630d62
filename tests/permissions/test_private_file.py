"""A private file is whole, the person's alone, and where it is said to be."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from permissions.private_file import write_private


@pytest.mark.parametrize("before", [None, b"", b"what stood there before, which is longer"])
def test_it_takes_the_place_of_what_was_there_for_one_person(tmp_path: Path, before: bytes | None) -> None:
    file = tmp_path / "secret"
    if before is not None:
        file.write_bytes(before)
        file.chmod(0o666)
    old = os.umask(0)
    try:
        write_private(file, b"mine \xff\n")
    finally:
        os.umask(old)
    assert (file.read_bytes(), file.stat().st_mode & 0o777) == (b"mine \xff\n", 0o600)
    assert os.listdir(tmp_path) == ["secret"]


@pytest.mark.parametrize("planted", ["secret", ".secret.new"])
def test_a_planted_link_leads_nothing_elsewhere(tmp_path: Path, planted: str) -> None:
    other, home = tmp_path / "other", tmp_path / "home"
    other.write_text("theirs")
    home.mkdir()
    (home / planted).symlink_to(other)
    (home / planted).write_text("so goes who follows it")  # the control
    assert other.read_text() == "so goes who follows it"
    write_private(home / "secret", b"mine")
    assert (other.read_text(), (home / "secret").read_bytes()) == ("so goes who follows it", b"mine")
    assert not (home / "secret").is_symlink()


def test_bytes_and_name_are_on_disk_before_it_returns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    order: list[str] = []
    sync, replace = os.fsync, Path.replace

    def noted(descriptor: int) -> None:
        order.append(f"sync {Path(os.readlink(f'/proc/self/fd/{descriptor}')).name}")
        sync(descriptor)

    def moved(self: Path, target: Path) -> Path:
        order.append(f"{self.name} to {target.name}")
        return replace(self, target)

    monkeypatch.setattr(os, "fsync", noted)
    monkeypatch.setattr(Path, "replace", moved)
    write_private(tmp_path / "secret", b"x")
    assert order == ["sync .secret.new", ".secret.new to secret", f"sync {tmp_path.name}"]


def test_where_nothing_can_be_written_the_old_one_stays(tmp_path: Path) -> None:
    (tmp_path / "secret").write_bytes(b"old")
    (tmp_path / ".secret.new").mkdir()
    with pytest.raises(OSError, match="secret"):
        write_private(tmp_path / "secret", b"new")
    assert (tmp_path / "secret").read_bytes() == b"old"
