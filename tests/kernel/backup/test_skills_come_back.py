"""Installed skills, with their versions and links, and macros come back with a backup."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from kernel import Folders, Kernel, load_settings, open_kernel
from kernel.backup.restoring import restore
from tests.kernel.conftest import Bench
from tests.kernel.installing.test_installed import put, ware


@pytest.fixture
async def own(tmp_path: Path) -> AsyncIterator[Bench]:
    """A kernel with a mind of its own: skills come and go here, and no other test's kernel learns of them."""
    folders = Folders({"HOME": str(tmp_path / "home"), "STEWARD_HOME": str(tmp_path / "steward")})
    folders.home.mkdir()

    async def start() -> Kernel:
        return await open_kernel(load_settings(encoder=False), folders)

    one = Bench(await start(), folders.home, folders, start)
    yield one
    await one.kernel.close()


async def test_installed_skills_and_macros_come_back(own: Bench, tmp_path: Path) -> None:
    await put(own, ware(tmp_path, "1.0.0"))
    await put(own, ware(tmp_path, "2.0.0"))
    view = await own.ask("make a note called shopping saying milk")
    await own.kernel.macros.new("buy milk", view["run"])
    target = tmp_path / "one.backup"
    assert (await own.kernel.rooms.backups.take(str(target)))["left_out"] == []
    await own.kernel.rooms.installed.remove("moon")
    await own.kernel.close()
    restore(target, own.folders)
    own.kernel = await own.reopen()
    assert (own.folders.data / "skills/moon").is_symlink()
    assert "2.0.0" in (await own.ask("how is the moon"))["answer"]
    assert {one["version"] for one in own.kernel.rooms.installed.versions("moon")} == {"1.0.0", "2.0.0"}
    assert "buy milk" in str(own.kernel.macros.every())
