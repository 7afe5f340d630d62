"""What the laboratory puts in the disk's place refuses what the system refuses."""

from __future__ import annotations

import os
from collections.abc import Callable
from os import fsync as of_the_system
from pathlib import Path
from typing import Any

from tests.permissions.transactions.conftest import may_be_synced


def said(sync: Callable[[Any], object], file: Any) -> int | None:
    try:
        sync(file)
    except OSError as error:
        return error.errno
    return None


def test_what_may_be_synced_is_what_the_system_syncs(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"x")
    reading, writing = os.pipe()
    opened = [
        os.open(tmp_path / "file", os.O_RDWR), os.open(tmp_path / "file", os.O_RDONLY), os.open(tmp_path, os.O_RDONLY),
        os.open(tmp_path / "file", os.O_PATH), os.open(tmp_path, os.O_PATH), reading, writing,
    ]  # fmt: skip
    answers = [said(may_be_synced, one) for one in opened]
    assert answers == [said(of_the_system, one) for one in opened]
    assert len(set(answers)) == 3
    for one in opened:
        os.close(one)
    assert said(may_be_synced, opened[0]) == said(of_the_system, opened[0]) is not None
    with (tmp_path / "file").open("rb") as file:
        assert said(may_be_synced, file) is said(of_the_system, file) is None
