"""A skill while it is written: every save is taken as a whole, checked, and counts at once, beside what is installed.

What this stops: half a save running (what counts is a copy, read and hashed as a whole); a grant for one content
counting for the next (grants are bound to the hash, end by themselves and are taken back at the end); a version that
does not load taking the place of the last one that did; a skill that stays when its author has gone.
What it does not: install anything. When the person stops, or the daemon does, the skill is gone and so are its copies.
Python packages that only it needed go, too: at once, or after a killed daemon when the next one has started.
"""

from __future__ import annotations

import asyncio
import os
import re
import secrets
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, aclosing, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kernel.errors import BadRequest, NotNow
from memory.model import Draft
from permissions.labels import KERNEL_SAID
from permissions.naming import sentence, shown
from skills.errors import SkillError
from skills.model import Skill, SkillId

if TYPE_CHECKING:
    from kernel.house import House

View = dict[str, Any]

_DEBOUNCE_MS, _STEP_MS, _LOOK_MS = 200, 30, 1000
"""An editor that saves writes several times: it is over when nothing came for a step. What was missed is seen later."""

_PASSED_OVER = ("__pycache__", ".*", "*.pyc", "*.swp", "*~")


@dataclass(slots=True)
class _Written:
    """One skill under way: where its author writes, where its copies lie, and what was granted before it began."""

    id: SkillId
    source: Path
    room: Path
    grants_before: frozenset[str]
    digests: set[str] = field(default_factory=set)
    in_use: Skill | None = None
    state: tuple[Any, ...] = ()  # of its files, when it was last taken


class Developing:
    """The skills that are being written. One author a skill; belongs to the daemon's event loop."""

    def __init__(self, house: House, tidy: Callable[[], Awaitable[None]]) -> None:
        """``tidy`` lets go of Python packages that nothing needs any more."""
        self._house, self._tidy = house, tidy
        self._rooms = house.folders.data / "skills-written"
        self._under_way: dict[str, _Written] = {}
        self._one_at_a_time = asyncio.Lock()
        shutil.rmtree(self._rooms, ignore_errors=True)  # an earlier daemon was killed: nobody writes those any more

    def check(self, folder: str, cwd: str = "") -> Path:
        """Return the folder that is meant. Raises BadRequest, NotNow."""
        place = (Path(cwd or self._house.folders.home) / Path(folder).expanduser()).resolve()
        if not place.is_dir():
            raise BadRequest("skill.folder", f"There is no folder {shown(str(place))}.", subject=shown(folder),
                             hint="Make a skill first: ./steward skills new NAME")  # fmt: skip
        if any(one.id == place.name and one.shipped for one in self._house.registry.skills()):
            raise BadRequest("package.taken", f"{place.name} is the name of a skill that is part of Steward.",
                             subject=place.name, hint="Give the folder a name of its own.")  # fmt: skip
        if place.name in self._under_way:
            raise NotNow("dev.busy", f"{place.name} is being written already, in another window.", subject=place.name,
                         hint="End that one with Ctrl-C first.")  # fmt: skip
        return place

    async def follow(self, place: Path) -> AsyncIterator[View]:
        """Take the skill in ``place`` now and at every save, until this is closed; yield what came of each."""
        from watchfiles import awatch

        one = self._begin(place)
        watched = awatch(place, debounce=_DEBOUNCE_MS, step=_STEP_MS, rust_timeout=_LOOK_MS, yield_on_timeout=True)
        try:
            yield await self._take(one)
            async with aclosing(watched):
                async for _ in watched:
                    if one.id not in self._under_way:
                        return
                    if await asyncio.to_thread(_state_of, place) != one.state and (seen := await self._take(one)):
                        yield seen
        finally:
            await asyncio.shield(asyncio.ensure_future(self._let_go(one)))

    async def close(self) -> None:
        """End everything that is under way."""
        for one in list(self._under_way.values()):
            await self._end(one)

    def _begin(self, place: Path) -> _Written:
        self.check(str(place))
        room = self._rooms / secrets.token_hex(5)
        room.mkdir(parents=True, mode=0o700)
        before = frozenset(grant.id for grant in self._house.policy.grants)
        one = self._under_way[place.name] = _Written(SkillId(place.name), place, room, before)
        return one

    async def _take(self, one: _Written) -> View:
        """Take what is there now; {} where that is what counts already. The version before stays if it is wrong."""
        async with self._one_at_a_time, AsyncExitStack() as until_it_counts:
            try:
                one.state = await asyncio.to_thread(_state_of, one.source)
                skill = await asyncio.to_thread(self._copied, one)
                if skill.packages:
                    ready = self._house.environments.prepared(skill.packages, Path(skill.folder))
                    await until_it_counts.enter_async_context(ready)
            except (SkillError, OSError, shutil.Error) as error:
                return self._failed(one, error)
            if one.in_use is not None and skill.hash == one.in_use.hash:
                return {}
            new, before = skill.hash not in one.digests, one.in_use
            one.in_use = skill
            one.digests.add(skill.hash)
            self._house.registry.receive(one.id, Path(skill.folder))
            await self._renew(words=before is None or _words_of(before) != _words_of(skill))
            if new:
                await self._say("skill.written", {"skill": one.id, "digest": skill.hash, "version": skill.version})
            return self._loaded(one, skill)

    def _copied(self, one: _Written) -> Skill:
        """Copy the folder as it is now, whole, and read it as a package is read; nothing of it runs. In a thread."""
        from skills.packages import opened

        half = one.room / secrets.token_hex(5) / one.id
        try:
            shutil.copytree(one.source, half, symlinks=True, ignore=shutil.ignore_patterns(*_PASSED_OVER))
            skill = opened(half, self._known(), tools=self._tools()).skill
            place = one.room / skill.hash / one.id
            if not place.exists():
                place.parent.mkdir(exist_ok=True, mode=0o700)
                half.rename(place)
            return replace(skill, folder=str(place))
        finally:
            shutil.rmtree(half.parent, ignore_errors=True)

    def _tools(self) -> set[str]:
        return {str(one.id) for one in self._house.registry.tools()}

    def _known(self) -> set[str]:
        return {str(one.id) for one in self._house.registry.skills()}

    def _loaded(self, one: _Written, skill: Skill) -> View:
        from skills.authoring import lint

        found = lint(one.source, self._known() - {one.id})
        return {"kind": "dev.loaded", "skill": one.id, "version": skill.version, "digest": skill.hash,
                "tools": [{"id": tool.id, "summary": shown(tool.summary)} for tool in skill.tools],
                "findings": [each.to_json() for each in found]}  # fmt: skip

    def _failed(self, one: _Written, error: Exception) -> View:
        copied = re.escape(str(one.room)) + r"/[0-9a-f]+/" + re.escape(one.id)
        message = re.sub(copied, lambda _: str(one.source), sentence(str(error)))
        still = one.in_use.version if one.in_use else ""
        return {"kind": "dev.failed", "skill": one.id, "message": message, "hint": getattr(error, "hint", ""),
                "code": getattr(error, "code", "skill.file"), "still": still}  # fmt: skip

    async def _let_go(self, one: _Written) -> None:
        await self._end(one)
        await self._tidy()

    async def _end(self, one: _Written) -> None:
        """Let the skill be gone: its copies, and what was granted to it meanwhile."""
        async with self._one_at_a_time:
            if self._under_way.pop(one.id, None) is None:
                return
            given = [grant.id for grant in self._house.policy.grants
                     if grant.skill == one.id and grant.skill_hash in one.digests
                     and grant.id not in one.grants_before]  # fmt: skip
            if given:
                await self._house.revoke(*given)
            self._house.registry.part_with(one.id)
            await self._renew()
            await self._say("skill.unwritten", {"skill": one.id, "revoked": given})
            await asyncio.to_thread(shutil.rmtree, one.room, True)

    async def _renew(self, *, words: bool = True) -> None:
        """Let requests see what counts now; where only code has changed, nothing new is to be learnt."""
        await asyncio.to_thread(self._house.registry.renew)
        if words:
            await self._house.learning.renew()

    async def _say(self, kind: str, body: View) -> None:
        await asyncio.wrap_future(self._house.ledger.submit(Draft(kind=kind, body=body, label=KERNEL_SAID.to_json())))


def _words_of(skill: Skill) -> tuple[Any, ...]:
    """Return what requests are understood by."""
    return skill.title, skill.description, skill.tools, skill.says


def _state_of(folder: Path) -> tuple[Any, ...]:
    """Return by which one sees that something in a folder was saved: names, times and sizes."""
    found = []
    for top, below, names in os.walk(folder):
        below[:] = sorted(name for name in below if not name.startswith(".") and name != "__pycache__")
        for name in sorted(names):
            with suppress(FileNotFoundError):
                status = os.lstat(os.path.join(top, name))
                found.append((top, name, status.st_mtime_ns, status.st_size, status.st_ino))
    return tuple(found)
