"""The Python packages of installed skills: brought, built, kept, and a zygote for each environment that is in use.

What this stops: a skill seeing the packages of another one (a zygote shows its own environment alone); packages that
changed on disk being imported; code of a package running anywhere but in a call's cell; half of an environment.
What it does not: review code. A person is told which packages come, and from where.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import tempfile
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterable
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

from kernel.installing.celled import in_cell
from kernel.installing.wheelhouse import CODE, WHEELS, Index, brought, near
from permissions import Cells
from permissions.model import Level, Limits
from skills.environments import digest_of
from skills.environments.kept import Kept
from skills.environments.model import BOUNDS
from skills.model import Pin, Skill
from skills.packages import Refused

View = dict[str, Any]

MOST_WARM = 3
"""So many zygotes of environments stay between calls; more run only while each has a call."""
IDLE_S = 60.0
HERE = "this machine"
"""Where packages come from that are built already, for another skill or version with the same lock."""
_TRIES = 3
_COMPILE = Limits(memory_bytes=1 << 30, wall_s=120.0, cpu_s=120, file_bytes=BOUNDS.member_bytes)
_BUILD = Limits(memory_bytes=1 << 30, wall_s=300.0, cpu_s=300, file_bytes=BOUNDS.member_bytes)


class Environments:
    """The environments below ``folder``. Belongs to one event loop."""

    def __init__(self, folder: Path, index: Index, cells: Callable[[], Cells], start: Callable[[str], Cells]) -> None:
        """Wheels are read in ``cells``; ``start`` returns what runs the calls of an environment, by its folder."""
        self._kept = Kept(folder)
        self._folder, self._index, self._cells, self._start = folder, index, cells, start
        self._warm: OrderedDict[str, Cells] = OrderedDict()
        self._calls: dict[str, int] = {}
        self._awaited: Counter[str] = Counter()
        self._building = asyncio.Lock()
        self._weak: tuple[Level, str] | None = None

    # --- bringing -------------------------------------------------------------------------------------------------

    async def prepare(self, pins: tuple[Pin, ...], skill: Path, *, again: bool = False) -> str:
        """Build the environment of a lock if it is not there (or ``again``); return its digest, "" for no packages.

        ``skill`` is the folder of the skill, which may bring its wheels along. Raises Refused; then nothing is kept.
        """
        if not pins:
            return ""
        digest = digest_of(pins)
        async with self._building:
            if self._kept.has(digest) and not again:
                return digest
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            try:
                async with self._room() as room:
                    await self._built(pins, digest, skill, room)
            except OSError as error:
                raise Refused("environment.disk", f"The packages could not be written: {error.strerror or error}.",
                              hint="Free some space. Nothing was installed.") from error  # fmt: skip
        return digest

    @asynccontextmanager
    async def prepared(self, pins: tuple[Pin, ...], skill: Path) -> AsyncIterator[None]:
        """``prepare``, and let no ``sweep`` take it before the end, by which something in use needs it."""
        digest = digest_of(pins)
        self._awaited[digest] += 1
        try:
            await self.prepare(pins, skill)
            yield
        finally:
            self._awaited[digest] -= 1

    @asynccontextmanager
    async def at_hand(self, skill: Skill) -> AsyncIterator[str]:
        """Give the folder with the packages of a skill, built where it is not there, held against its sums.

        No daemon sweeps it away before the end. Raises Refused, BadSkill.
        """
        with ExitStack() as until_the_end:
            for tries in range(_TRIES):
                digest = await self.prepare(skill.packages, Path(skill.folder))
                try:
                    lib = until_the_end.enter_context(self._kept.held(digest))
                    break
                except FileNotFoundError:  # swept between the two
                    if tries == _TRIES - 1:
                        raise
            await asyncio.to_thread(self._kept.check, digest, str(skill.id))
            yield os.path.realpath(lib)

    @asynccontextmanager
    async def _room(self) -> AsyncIterator[Path]:
        """Give a folder to build in, and let it go, which may be thousands of files, beside the event loop."""
        room = os.path.realpath(tempfile.mkdtemp(prefix=".building-", dir=self._folder))
        try:
            yield Path(room)
        finally:
            await _to_its_end(shutil.rmtree, room, True)

    async def _built(self, pins: tuple[Pin, ...], digest: str, skill: Path, room: Path) -> None:
        for pin in pins:
            await brought(self._cells(), pin, skill, self._index, room)
        wheels = room / WHEELS
        await in_cell(self._cells(), CODE, "build", {"wheels": {"path": str(wheels)}}, room, _BUILD,
                      reads=(str(wheels),))  # fmt: skip
        compiled = await self._compiled(room)
        await self._retire(digest)
        await _to_its_end(self._kept.put, digest, room / "room-environment", pins, compiled)

    async def _compiled(self, room: Path) -> Path | None:
        """Compile the modules in a cell; None where that failed: calls compile them themselves, as they need them."""
        built = str(room / "room-environment")
        try:
            await in_cell(self._cells(), CODE, "compile_modules", {"environment": {"path": built}}, room, _COMPILE,
                          reads=(built,))  # fmt: skip
        except Refused:
            return None
        return room / "room-compiled"

    def review(self, pins: Iterable[Pin], skill: Path) -> list[View]:
        """Return what a person should know of the packages that come with a skill: what, how much, from where."""
        known = tuple(pins)
        if self._kept.has(digest_of(known)):
            return [{"name": pin.name, "version": pin.version, "size_bytes": None, "from": HERE, "fetched": False,
                     "built": True} for pin in known]  # fmt: skip
        return [self._shown(pin, skill) for pin in known]

    def _shown(self, pin: Pin, skill: Path) -> View:
        offer = near(pin, skill, self._index)
        source = self._index.shown if offer is None else "the package itself" if _lies_in(offer.place, skill) \
            else self._index.place  # fmt: skip
        return {"name": pin.name, "version": pin.version, "size_bytes": offer.size_bytes if offer else None,
                "from": source, "fetched": offer is None, "built": False}  # fmt: skip

    # --- running --------------------------------------------------------------------------------------------------

    @asynccontextmanager
    async def cells_of(self, skill: Skill) -> AsyncIterator[Cells]:
        """Give what runs calls of a skill with packages. Raises BadSkill where they are missing or changed."""
        digest = digest_of(skill.packages)
        self._calls[digest] = self._calls.get(digest, 0) + 1
        try:
            await asyncio.to_thread(self._kept.check, digest, str(skill.id))
            yield self._of(digest)
        finally:
            self._calls[digest] -= 1
            if not self._calls[digest]:
                del self._calls[digest]
            await self._end_the_oldest()

    def _of(self, digest: str) -> Cells:
        if digest not in self._warm:
            cells = self._start(os.path.realpath(self._kept.lib(digest)))
            if self._weak:
                cells.lower(*self._weak)
            self._warm[digest] = cells
        self._warm.move_to_end(digest)
        return self._warm[digest]

    async def _end_the_oldest(self) -> None:
        """End zygotes that have no call, the one first that was used longest ago, until few enough are left."""
        idle = [digest for digest in self._warm if digest not in self._calls]
        for digest in idle[: max(0, len(self._warm) - MOST_WARM)]:
            await self._warm.pop(digest).close()

    async def _retire(self, digest: str) -> None:
        cells = self._warm.pop(digest, None)
        if cells is not None:
            await cells.close()

    def warm(self) -> list[str]:
        """Return the digests of environments that have a zygote, the one used last at the end."""
        return list(self._warm)

    def lower(self, level: Level, why: str) -> None:
        """From now on claim no more than ``level``."""
        self._weak = level, why
        for cells in self._warm.values():
            cells.lower(level, why)

    # --- keeping --------------------------------------------------------------------------------------------------

    def is_whole(self, pins: tuple[Pin, ...]) -> bool:
        """Tell whether the environment of a lock is there as it was built, byte for byte; true for no packages."""
        return not pins or not self._kept.changed(digest_of(pins))

    async def sweep(self, needed: Callable[[], Awaitable[Collection[str]]], unused_s: float = 0.0) -> list[str]:
        """Let go of every environment that is not ``needed`` by now, nor used within ``unused_s``; return which."""
        async with self._building:
            stay = {digest for digest, count in self._awaited.items() if count}  # first: some count a moment later
            stay.update(await needed())
            for digest in [one for one in self._kept.names() if one not in stay]:
                await self._retire(digest)
            return await asyncio.to_thread(self._kept.sweep, stay, unused_s)

    async def close(self) -> None:
        """End every zygote."""
        for digest in list(self._warm):
            await self._retire(digest)


async def _to_its_end(work: Callable[..., object], *arguments: object) -> None:
    """Do ``work`` in a thread, and stay until it is over, also where this is cancelled: what it reads stays."""
    under_way = asyncio.ensure_future(asyncio.to_thread(work, *arguments))
    try:
        await asyncio.shield(under_way)
    except asyncio.CancelledError:
        await asyncio.wait({under_way})
        raise


def _lies_in(place: str, skill: Path) -> bool:
    return Path(place).is_relative_to(skill)
