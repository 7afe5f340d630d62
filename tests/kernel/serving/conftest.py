"""Servers at work without a whole kernel: real cells, real programs, a home with something to lose."""

from __future__ import annotations

import asyncio
import shutil
import sys
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest_asyncio

from kernel.opening import SERVERS
from kernel.serving.cell import ServerCell
from kernel.serving.given import cell_spec, request
from kernel.serving.warm import Ran, Serving
from kernel.serving.wishes import Asked, checked
from permissions import Cells
from permissions.model import CellSpec, Limits
from skills.loading import load_skill
from skills.mcp.listing import Listing
from skills.mcp.writing import Wish, written
from skills.model import Call, Skill, ToolId

HERE = Path(__file__).parent


@dataclass
class Rack:
    """Servers below a home, added as a person would, and called as the kernel would."""

    root: Path
    serving: Serving
    events: list[tuple[str, Mapping[str, Any]]] = field(default_factory=list)
    progress: list[tuple[float | None, str]] = field(default_factory=list)

    @property
    def home(self) -> Path:
        return self.root / "home"

    def wish(self, name: str, *arguments: str, script: str = "raw.py", **more: Any) -> Wish:
        """Return what is asked for a server that runs a script of these tests from the home."""
        place = self.home / "servers" / script
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(HERE / script, place)
        command = [sys.executable, *(["-P"] if script == "modern.py" else []), str(place), *arguments]
        found, _ = checked(Asked(name, command, **more), str(self.home))
        return found

    async def listing(self, wish: Wish) -> Listing:
        """Start a server once, and return what it lists."""
        given = self.spec(wish)
        cell = ServerCell(self.serving.house, cell_spec(given, wish, str(self.home)), request(wish), lambda _: None)
        try:
            return await cell.listing()
        finally:
            await cell.end()

    async def add(self, name: str, *arguments: str, safe: Sequence[str] = (), **more: Any) -> Skill:
        """Add a server that was started well; it is called with ``arguments`` from then on."""
        wish = self.wish(name, **more)
        folder = self.root / "skills" / name
        shutil.rmtree(folder, ignore_errors=True)
        listing = await self.listing(wish)
        kept = self.wish(name, *arguments, **more)
        fields = {one: getattr(kept, one) for one in Wish.__slots__}
        written(folder, Wish(**{**fields, "safe": tuple(safe)}), listing, "1.0.0")
        return load_skill(folder)

    def spec(self, wish: Wish, wall_s: float = 20.0, **more: Any) -> CellSpec:
        places = [str(self.home) + one[1:] if one.startswith("~/") else one
                  for one in (*wish.reads, *wish.writes, *wish.programs)]  # fmt: skip
        limits = Limits(wall_s=wall_s, memory_bytes=512 << 20)
        return CellSpec(
            tuple(dict.fromkeys(one.rstrip("/") for one in places)), limits=limits, hosts=wish.hosts, **more
        )

    async def call(
        self, skill: Skill, function: str, *, wall_s: float = 20.0, elicit: Any = None, view: Any = (),
        hidden: Sequence[str] = (), connected: Any = lambda _: None, client: str = "", **arguments: Any,
    ) -> Ran:  # fmt: skip
        """Call a tool of a server."""
        from skills.mcp.loading import read_server

        tool = next(one for one in skill.tools if one.function == function)
        entry, _ = read_server(Path(skill.folder))
        call = Call(ToolId(tool.id), skill.folder, function, arguments, "en", str(self.home), str(self.home),
                    "2026-11-23T08:00:00+00:00", "UTC", 0, view=view)  # fmt: skip
        spec = self.spec(entry, wall_s, hidden_paths=tuple(hidden))
        return await self.serving.call(
            skill, tool, call, spec, lambda part, text: self.progress.append((part, text)), connected, elicit,
            "r-1", client,
        )  # fmt: skip

    def kinds(self) -> list[str]:
        return [kind for kind, _ in self.events]


def new_serving(root: Path, **more: Any) -> Serving:
    return Serving(lambda: Cells(SERVERS, **more), root / "pictures", str(root / "home"))


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def rack(tmp_path_factory: Any) -> AsyncIterator[Rack]:
    """One worker for all tests of a module; each has servers of its own."""
    root = tmp_path_factory.mktemp("rack")
    for name, text in [("Docs/plan.txt", "the plan"), (".ssh/id_rsa", "PRIVATE KEY"), ("Other/secret.txt", "SECRET")]:
        path = root / "home" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    serving = new_serving(root)
    one = Rack(root, serving)
    serving.attach(lambda kind, body: one.events.append((kind, body)), lambda *_: True)
    yield one
    await serving.close()


async def until(happened: Callable[[], bool], patience_s: float = 60.0) -> None:
    """Wait until something has happened."""
    async with asyncio.timeout(patience_s):
        while not happened():  # noqa: ASYNC110  (what is waited for happens in other processes)
            await asyncio.sleep(0.02)
