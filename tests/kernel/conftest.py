"""A real kernel on a real, empty home, and the words to talk to it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from kernel import Ask, Folders, Kernel, load_settings, open_kernel
from tests.kernel.hostile import reopened


@dataclass(slots=True)
class Bench:
    """A kernel, its home, and how to open it again."""

    kernel: Kernel
    home: Path
    folders: Folders
    reopen: Callable[[], Awaitable[Kernel]]

    async def ask(self, text: str, *, yes: bool = True, conversation: str = "c") -> dict[str, Any]:
        """Ask and wait until the run has ended or waits."""
        run = await self.kernel.ask(Ask(text, conversation=conversation, cwd=str(self.home), yes=yes, channel="test"))
        return await self.kernel.settled(run)

    async def answer(self, run: str, answer: str) -> dict[str, Any]:
        """Answer a run that waits, and wait again."""
        await self.kernel.approve(run, answer)
        return await self.kernel.settled(run)

    def tree(self) -> dict[str, bytes]:
        """Return every file of the home with its content."""
        return {
            str(path.relative_to(self.home)): path.read_bytes()
            for path in sorted(self.home.rglob("*"))
            if path.is_file() and ".local" not in path.parts
        }


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


@pytest.fixture
async def hostile(bench: Bench) -> Bench:
    """A kernel with the hostile skill, and a home with something to lose."""
    for name, text in [(".ssh/id_rsa", "PRIVATE KEY"), (".config/gh/hosts.yml", "TOKEN"), (".config/plain.txt", "-"),
                       ("Documents/thesis.txt", "thesis\n"), ("Documents/other.txt", "other\n")]:  # fmt: skip
        path = bench.home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    await reopened(bench)
    return bench
