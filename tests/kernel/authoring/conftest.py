"""A kernel with a mind of its own: here skills come and go."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from kernel import Folders, Kernel, load_settings, open_kernel
from tests.kernel.conftest import Bench


@pytest.fixture
async def bench(tmp_path: Path) -> AsyncIterator[Bench]:
    home = tmp_path / "home"
    (home / "Downloads").mkdir(parents=True)
    for name, size in [("big.iso", 5000), ("middle.zip", 3000), ("small.txt", 10)]:
        (home / "Downloads" / name).write_bytes(b"x" * size)
    folders = Folders({"HOME": str(home), "STEWARD_HOME": str(tmp_path / "steward")})

    async def start() -> Kernel:
        return await open_kernel(load_settings(encoder=False), folders)

    one = Bench(await start(), home, folders, start)
    yield one
    await one.kernel.close()
