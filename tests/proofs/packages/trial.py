"""One package before the house: through the kernel, with its cells, and once more without any wall.

Behind the wall nothing of a package could leave its canary even if it ran. So everything is read a second time by the
same code in the open, where whatever runs can: if nothing did, then because nothing was run.
"""

from __future__ import annotations

import asyncio
import inspect
import shutil
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from kernel import Folders, Kernel, load_settings, open_kernel
from kernel.errors import BadRequest, KernelError
from kernel.installing import fetching
from permissions import Cells
from skills.contents import BUILTIN
from skills.errors import SkillError
from skills.packages import Source, SourceKind, opened, parse_source
from skills.packages.archives import unpacked
from skills.packages.cloning import Git
from skills.sdk import ToolError, programs
from skills.sdk.types import Folder
from tests.permissions.egress.conftest import Internet
from tests.proofs.packages import updates
from tests.proofs.packages.benign import Honest, Lively
from tests.proofs.packages.ground import Attack, Outcome, Scene
from tests.proofs.packages.updates import Wider


class House:
    """A kernel of its own below a folder, whose network is made up of servers of this machine."""

    def __init__(self, base: Path) -> None:
        self.folders = Folders({"HOME": str(base / "home"), "STEWARD_HOME": str(base / "steward")})
        (base / "home").mkdir(parents=True)
        self.kernel: Kernel

    async def open(self, internet: Internet | None = None, authority: Path | None = None) -> None:
        """Open it; ``authority`` is believed as a person's own would be."""
        settings = load_settings(encoder=False, ca_file=authority)
        self.kernel = await open_kernel(settings, self.folders)
        self.kernel._house.learning.begin = lambda: None  # type: ignore[method-assign]
        self.kernel._house.learning._learnt.set()  # nobody asks a sentence here, so no manifest is learnt
        if internet is not None:
            worker = [sys.executable, "-P", "-m", "skills.worker"]
            self.kernel._house.cells = Cells(worker, network=internet.egress(ca_file=authority))

    def leftovers(self) -> list[str]:
        """What a look has left behind: nothing, unless a package waits for a yes."""
        room = self.folders.data / "quarantine"
        return [path.name for path in room.iterdir()] if room.exists() else []

    async def forget(self, *skills: str) -> None:
        """Take skills out, with every version."""
        for skill in skills:
            with suppress(KernelError):
                await self.kernel.rooms.installed.remove(skill)
            shutil.rmtree(self.folders.data / "skills" / skill, ignore_errors=True)


# --- in the open --------------------------------------------------------------------------------------------------


class _Open:
    """What the package's cell hands to its code, without the cell."""

    def __init__(self, room: Path) -> None:
        self._room = room

    def workroom(self, name: str) -> Folder:
        (self._room / f"room-{name}").mkdir(parents=True, exist_ok=True)
        return Folder(str(self._room / f"room-{name}"))

    def run(self, argv: Sequence[str], cwd: Folder) -> programs.Ran:
        return programs.run(argv, cwd=str(cwd.path), timeout_s=60, fed=b"", environment={})


def read_in_the_open(one: Scene, place: str, known: Sequence[str]) -> None:
    """Do with a package on this disk all that the house does before a grant, where everything would be allowed."""
    room = one.folder / "open"
    room.mkdir()
    with suppress(SkillError, KernelError, ToolError, OSError):
        source = parse_source(place, one.folder, one.folder)
        if source.kind is SourceKind.AGENTS:
            source = fetching.kept_by_agents(source.part, one.folder, one.folder)
        if not source.is_remote and source.kind is not SourceKind.INDEX:
            opened(fetching._the_one(_brought(source, room), source), known)
    shutil.rmtree(room, ignore_errors=True)


def _brought(source: Source, room: Path) -> Path:
    if source.kind is SourceKind.FOLDER:
        fetching._copied(Path(source.place), room)
        return room
    top = room / "room-package"
    top.mkdir()
    if source.kind is SourceKind.ARCHIVE:
        unpacked(Path(source.place), top)
        return top
    git = Git(_Open(room), "file")  # type: ignore[arg-type]
    git.fetched(source.place, source.ref or "HEAD")
    files = git.files(source.part)
    git.pack([source.part], files)
    unpacked(git.packed, top)
    return top


# --- trials -------------------------------------------------------------------------------------------------------


async def _done(found: Any) -> Any:
    return await found if inspect.isawaitable(found) else found


def _known() -> list[str]:
    return [folder.name for folder in BUILTIN.iterdir()]


async def refused(house: House, attack: Attack, one: Scene) -> Outcome:
    """Let a malicious package be looked at; it must be refused for its reason, and leave nothing."""
    import re

    began = time.perf_counter()
    if attack.update_of:
        first = await house.kernel.rooms.installed.look_at(str(updates.first(one)))
        await house.kernel.rooms.installed.install(first["package"])
    place = str(await _done(attack.make(one)))
    one.canary.unlink(missing_ok=True)
    said, good = await _looked_at(house, attack, one, place)
    good = good and re.search(attack.why, said) is not None
    await asyncio.to_thread(read_in_the_open, one, place, _known())
    ran = one.canary.exists()
    if attack.update_of:
        await house.forget(attack.update_of)
    took_s = time.perf_counter() - began
    harm = bool(await _done(attack.harm(one)))
    said = f"IT RAN: {said}" if ran else said
    return Outcome(attack.name, good and not ran and not house.leftovers(), said, harm, took_s)


async def _looked_at(house: House, attack: Attack, one: Scene, place: str) -> tuple[str, bool]:
    try:
        seen = await house.kernel.rooms.installed.look_at(place, str(one.folder), attack.update_of)
    except BadRequest as error:
        return f"{error.code}: {error}", True
    await house.kernel.rooms.installed.discard(seen["package"])
    return f"taken as {seen['skill']} {seen['version']}", False


async def taken(house: House, honest: Honest, one: Scene) -> Outcome:
    """Let an honest package be looked at and installed; nothing of it may run."""
    began = time.perf_counter()
    place = honest.make(one)
    one.canary.unlink(missing_ok=True)
    try:
        seen = await house.kernel.rooms.installed.look_at(place, str(one.folder))
        done = await house.kernel.rooms.installed.install(seen["package"])
    except BadRequest as error:
        return Outcome(honest.name, False, f"{error.code}: {error}", True, time.perf_counter() - began)
    there = {skill["id"]: skill for skill in house.kernel.skills()}
    good = done["skill"] in there and seen["kind"] == honest.kind == there[done["skill"]]["kind"]
    await asyncio.to_thread(read_in_the_open, one, place, _known())
    said = "IT RAN" if one.canary.exists() else f"taken as {seen['skill']} {seen['version']}".strip()
    await house.forget(done["skill"])
    return Outcome(honest.name, good and not one.canary.exists(), said, True, time.perf_counter() - began)


async def quiet(house: House, lively: Lively, one: Scene) -> Outcome:
    """Let a package that runs by itself in careless hands be installed: it must not here, and must there."""
    found = await taken(house, Honest(lively.name, lively.make), one)
    found.control = lively.harm(one)
    return found


async def asked(house: House, wider: Wider, one: Scene) -> Outcome:
    """Let an update that wants more be looked at: it must be said, and what was granted must be asked for again."""
    first = await house.kernel.rooms.installed.look_at(str(updates.base(one.folder / "first")))
    await house.kernel.rooms.installed.install(first["package"])
    await house.kernel.grant("moon", "fs.read:~/Moon/2026/**")
    tidier = await house.kernel.rooms.installed.look_at(str(updates.same(one.folder / "same")))
    control = tidier["keeps_grants"] and not tidier["wants_more"]
    await house.kernel.rooms.installed.discard(tidier["package"])
    seen = await house.kernel.rooms.installed.look_at(str(wider.laid(one.folder / "second")), update_of="moon")
    done = await house.kernel.rooms.installed.install(seen["package"])
    verdict = house.kernel.rights.explain("moon", "fs.read:~/Moon/2026/table.csv")["verdict"]
    said = ", ".join(f"{more['tool']} {more['what']}: {more['was']} → {more['now']}" for more in seen["wants_more"])
    good = wider.what in {more["what"] for more in seen["wants_more"]}
    good = good and not seen["keeps_grants"] and not done["kept_grants"] and verdict == "ask"
    await house.forget("moon")
    return Outcome(wider.name, good, said or "nothing was said", control)
