"""A kernel that has lived a little, its backup, and how to look at both."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

Bench = Any  # tests/kernel/conftest.py

NOTE = "make a note called shopping saying milk and eggs"


async def lived(bench: Bench) -> dict[str, str]:
    """Do a few things of each kind; return the runs by name."""
    runs = {}
    for name, text in {
        "note": NOTE,
        "task": "add buy stamps to my tasks",
        "fact": "remember that Bernd lives in Kiel",
        "more": "add bread to the note shopping",
    }.items():
        view = await bench.ask(text)
        if view["resolution"] == "pending":
            view = await bench.answer(view["run"], "once")
        assert view["resolution"] in ("executed", "confirmed"), (text, view["answer"])
        runs[name] = view["run"]
    (bench.folders.config / "config.toml").write_text("attention = 5\n")
    return runs


def tree(folder: Path) -> dict[str, bytes]:
    """Return every plain file below a folder with its content, but for SQLite's scratch files."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.name.endswith(("-wal", "-shm"))
    }


@pytest.fixture
async def taken(bench: Bench, tmp_path: Path) -> Path:
    """A backup of a kernel that has lived."""
    await lived(bench)
    target = tmp_path / "one.backup"
    await bench.kernel.rooms.backups.take(str(target))
    return target
