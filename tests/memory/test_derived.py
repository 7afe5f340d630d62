"""What derives from something else is written whole or not at all, and a write that fails leaves nothing behind."""

from __future__ import annotations

import errno
import hashlib
from pathlib import Path

import pytest

from memory import write_derived


def _full(path: Path, data: bytes) -> int:
    """A disk on which half of it finds room."""
    with path.open("wb") as opened:
        opened.write(data[: len(data) // 2])
    raise OSError(errno.ENOSPC, "No space left on device")


def test_the_digest_is_bound(tmp_path: Path) -> None:
    assert write_derived(tmp_path / "below" / "file", b"form", b"body", b"to")
    assert (tmp_path / "below" / "file").read_bytes() == b"form" + hashlib.sha256(b"tobody").digest() + b"body"


def test_a_write_that_fails_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "file"
    assert write_derived(file, b"form", b"before")
    before = file.read_bytes()
    monkeypatch.setattr(Path, "write_bytes", _full)
    assert not write_derived(file, b"form", b"after" * 1000)
    assert [one.name for one in tmp_path.iterdir()] == ["file"], "no draft is left"
    assert file.read_bytes() == before


def test_a_name_that_is_taken_by_a_folder_leaves_no_draft(tmp_path: Path) -> None:
    (tmp_path / "file" / "in the way").mkdir(parents=True)
    assert not write_derived(tmp_path / "file", b"form", b"body")
    assert [one.name for one in tmp_path.iterdir()] == ["file"]
