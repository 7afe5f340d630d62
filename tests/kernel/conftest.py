"""A real kernel on a real, empty home, and the words to talk to it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from kernel import Ask, Folders, Kernel, load_settings, open_kernel
from kernel.context.mind import Learning, Mind
from kernel.context.toolbox import Toolbox
from kernel.language.lexicon import Lexicon
from kernel.opening import BUILTIN
from skills import Registry
from skills.model import SkillId, Tool
from tests.kernel.hostile import install

WHOLE = frozenset({"bench", "hostile", "radio", "walks"})


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A test of a whole kernel, with a worker and cells, is a slow one."""
    for item in items:
        if WHOLE.intersection(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.slow)


_LEARNT: dict[frozenset[tuple[SkillId, str]], Learning] = {}


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


def knowing(kernel: Kernel) -> Kernel:
    """Let ``kernel`` know what an earlier one learnt: the same manifests teach the same immutable value."""
    house = kernel._house
    skills = frozenset((skill.id, skill.hash) for skill in house.registry.skills())
    house.learning = _LEARNT.setdefault(skills, house.learning)
    return kernel


@pytest.fixture(scope="session")
def builtin() -> Registry:
    """The built-in skills, loaded once. For reading only."""
    registry = Registry([BUILTIN])
    return registry


@pytest.fixture(scope="session")
def tools(builtin: Registry) -> tuple[Tool, ...]:
    """The tools of the built-in skills."""
    return builtin.tools()


@pytest.fixture(scope="session")
def mind(tools: tuple[Tool, ...]) -> Mind:
    """What the built-in skills teach, learnt once."""
    return Mind(Lexicon.from_tools(tools), Toolbox.build(tools))


@asynccontextmanager
async def opened(root: Path, prepare: Callable[[Folders], None] = lambda _: None) -> AsyncIterator[Bench]:
    """A kernel below ``root``; ``prepare`` sees its folders before it is opened."""
    home = root / "home"
    (home / "Downloads").mkdir(parents=True)
    for name, size in [("big.iso", 5000), ("middle.zip", 3000), ("small.txt", 10)]:
        (home / "Downloads" / name).write_bytes(b"x" * size)
    folders = Folders({"HOME": str(home), "STEWARD_HOME": str(root / "steward")})
    prepare(folders)

    async def start() -> Kernel:
        return knowing(await open_kernel(load_settings(encoder=False), folders))

    one = Bench(await start(), home, folders, start)
    yield one
    await one.kernel.close()


@pytest.fixture
async def bench(tmp_path: Path) -> AsyncIterator[Bench]:
    """A kernel with the built-in skills."""
    async with opened(tmp_path) as one:
        yield one


def _with_something_to_lose(folders: Folders) -> None:
    for name, text in [(".ssh/id_rsa", "PRIVATE KEY"), (".config/gh/hosts.yml", "TOKEN"), (".config/plain.txt", "-"),
                       ("Documents/thesis.txt", "thesis\n"), ("Documents/other.txt", "other\n")]:  # fmt: skip
        path = folders.home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    install(folders)


@pytest.fixture
async def hostile(tmp_path: Path) -> AsyncIterator[Bench]:
    """A kernel with the hostile skill, and a home with something to lose."""
    async with opened(tmp_path, _with_something_to_lose) as one:
        yield one
