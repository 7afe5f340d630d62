"""What a person does with skills: look at a package, install or update it, go back, pin, verify, remove; find one.

Everything that changes what is installed is an event of the ledger. A skill, a page without a person or a sentence
never gets here: the portal lets in the user's own commands only.
"""

from __future__ import annotations

import asyncio
import secrets
import shutil
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kernel.errors import BadRequest, UnknownRun
from kernel.installing.discovery import found_at
from kernel.installing.fetching import fetched
from kernel.installing.reviewing import keeps_grants, kind_of, must_be_named, must_follow, review, widening
from kernel.installing.searching import Finder, document_of_skill
from memory.model import Draft
from permissions.labels import KERNEL_SAID
from permissions.model import Principal
from permissions.naming import sentence, shown
from permissions.policy import Grant, new_grant
from skills.environments import digest_of
from skills.environments.lock import pins_of
from skills.errors import SkillError
from skills.model import Pin, Skill, SkillId
from skills.packages import Entry, Origin, Shelf, SourceKind, Staged, opened, parse_source

if TYPE_CHECKING:
    from kernel.house import House
    from kernel.ranking.model import Encode

View = dict[str, Any]

WAITS_S = 3600.0
"""How long a package waits in quarantine for a yes."""

LONGEST_WORDS = 500


@dataclass(frozen=True, slots=True)
class _Waiting:
    staged: Staged
    origin: Origin
    room: Path
    at_s: float
    instead_of: str | None = None  # the digest of what was in use when a person was shown it; None: nobody was


class Installed:
    """The skills in a person's hands."""

    made_here = Origin("made here")
    """Where a skill comes from that was made on this machine: no update of it is looked for."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._shelf = Shelf(house.folders.data)
        self._quarantine = house.folders.data / "quarantine"
        self._waiting: dict[str, _Waiting] = {}
        self._one_at_a_time = asyncio.Lock()
        self._finder: tuple[tuple[frozenset[tuple[str, str]], bool], Finder] | None = None
        shutil.rmtree(self._quarantine, ignore_errors=True)  # nobody waits for what an earlier daemon looked at

    # --- looking --------------------------------------------------------------------------------------------------

    def is_installed(self, skill: str) -> bool:
        """Tell whether a skill came through here and is in use."""
        return self._shelf.in_use(skill) is not None

    def versions(self, skill: str) -> list[View]:
        """Return every version of a skill that is there, the newest last. Raises UnknownRun."""
        used = self._shelf.in_use(skill)
        found = [self._view(one) | {"in_use": one == used} for one in self._shelf.versions(skill)]
        if not found:
            raise _unknown(skill)
        return found

    def in_use(self) -> list[View]:
        """Return every skill that was installed and counts, with where it came from."""
        served = {str(one.id) for one in self._house.registry.skills() if one.tools and one.tools[0].served}
        used = [found for one in self._shelf.ids() if (found := self._shelf.in_use(one))]
        return [self._view(one) | {"server": one.id in served} for one in used]

    async def found(self, cwd: str = "") -> list[View]:
        """Return the skills that other agents keep in ``cwd`` and in the home; none of them counts here."""
        home, known = self._house.folders.home, self._taken()
        found = await asyncio.to_thread(found_at, self._seen_from(cwd), home)
        return [one.view(home, known) for one in found]

    def _seen_from(self, cwd: str) -> Path:
        if "\0" in cwd:
            raise BadRequest("request.folder", "The working folder is no path.", hint="Send a path, or nothing.")
        return self._house.folders.home / cwd

    async def search(self, words: str) -> list[View]:
        """Return the installed skills that fit ``words``, best first. Raises BadRequest."""
        if not words.strip() or len(words) > LONGEST_WORDS:
            message = f"A few words are looked for, at most {LONGEST_WORDS} characters."
            raise BadRequest("search.words", message, hint="./steward skills search invoices")
        encoder = self._house.learning.encoder()
        encode = encoder.encode if encoder is not None else None
        skills = {str(one.id): one for one in self._house.registry.skills()}
        found = await asyncio.to_thread(lambda: self._finder_of(skills.values(), encode).ranked(words))
        return [_told(skills[one]) for one in found]

    def _finder_of(self, skills: Collection[Skill], encode: Encode | None) -> Finder:
        """Return the shelf that is searched; it is made once for the skills that there are."""
        key = frozenset((str(one.id), one.hash) for one in skills), encode is not None
        kept = self._finder
        if kept is None or kept[0] != key:
            kept = self._finder = key, Finder(map(document_of_skill, skills), encode)
        return kept[1]

    async def verify(self) -> list[View]:
        """Hold every installed skill, and its Python packages, against what was installed, byte for byte."""
        used = [found for one in self._shelf.ids() if (found := self._shelf.in_use(one))]
        return [self._view(one) | await self._held(one) for one in used]

    async def _held(self, entry: Entry) -> View:
        whole = await asyncio.to_thread(self._shelf.is_whole, entry)
        pins = await asyncio.to_thread(pins_of, self._shelf.folder_of(entry))
        packages = not pins or await asyncio.to_thread(self._house.environments.is_whole, pins)
        return {"ok": whole and packages, "packages_ok": packages}

    async def repair(self) -> list[View]:
        """Build the Python packages again that are missing or changed, of every skill; return what ``verify`` does.

        Raises BadRequest where one cannot be brought.
        """
        async with self._one_at_a_time:
            for skill in [one for one in self._house.registry.skills() if one.packages]:
                if not await asyncio.to_thread(self._house.environments.is_whole, skill.packages):
                    with _in_words():
                        await self._prepare(skill.packages, Path(skill.folder), again=True)
            await self._sweep()  # what was built for another Python, too
        return await self.verify()

    async def tidy(self, unused_s: float = 0.0) -> None:
        """Let go of the Python packages that no skill needs any more, and nobody used within ``unused_s``."""
        async with self._one_at_a_time:
            await self._sweep(unused_s)

    def _view(self, entry: Entry) -> View:
        return {"skill": entry.id, "version": entry.version, "digest": entry.digest, "source": entry.source,
                "signer": entry.signer, "at_s": entry.at_s, "pinned": self._shelf.is_pinned(entry.id),
                "asked": entry.asked, "commit": entry.commit}  # fmt: skip

    # --- installing -----------------------------------------------------------------------------------------------

    async def look_at(self, source: str, cwd: str = "", update_of: str = "", origin: Origin | None = None) -> View:
        """Bring a package into quarantine and return what a person should know of it. Raises BadRequest.

        As an update of a skill, what is another skill, older, or not signed by the same key is refused.
        ``origin`` is where it comes from, if that is not the place where it lies.
        """
        await asyncio.to_thread(self._let_go, time.time() - WAITS_S)
        name = "p-" + secrets.token_hex(5)
        room = self._quarantine / name
        room.mkdir(parents=True, mode=0o700)
        try:
            with _in_words(room):
                asked = parse_source(source, self._seen_from(cwd), self._house.folders.home)
                folder, place = await fetched(self._house, asked, room)
                staged = await self._opened(folder)
                packages = await self._packages(staged)
            old, before = self._before(staged)
            must_be_named(staged, asked)
            if update_of:
                must_follow(staged, update_of, before, str(asked))
            seen = review(staged, str(place), old, before) | {"commit": place.commit, "packages": packages}
            self._must_not_be_pinned(str(staged.skill.id))
        except BaseException as error:
            shutil.rmtree(room, ignore_errors=True)
            if isinstance(error, BadRequest):
                await self._say("skill.refused", {"source": shown(source)[:500], "code": error.code, "why": str(error)})
            raise
        asked = place if asked.kind is SourceKind.AGENTS else asked  # what it means depends on the folder worked in
        origin = origin or Origin(str(place), str(asked), place.commit)
        self._waiting[name] = _Waiting(staged, origin, room, time.time(), old.hash if old else "")
        return seen | {"package": name}

    def versions_of(self, skill: str) -> tuple[Entry, ...]:
        """Return every version of a skill that is there, the newest last; none where it never was."""
        return self._shelf.versions(skill)

    def origin_of(self, skill: str) -> Origin:
        """Return where the version in use comes from, for a change of it that a person makes here."""
        used = self._shelf.in_use(skill)
        return Origin(used.source, used.asked, used.commit, used.key) if used else self.made_here

    async def take(self, folder: Path, source: str) -> View:
        """Let a skill that Steward wrote itself (a server's) be on the shelf; it is checked like any other.

        No update of it is looked for at ``source``: that is a program or an address, and no package.
        """
        async with self._one_at_a_time:
            with _in_words():
                staged = await self._opened(folder)
            return await self._install(_Waiting(staged, Origin(source), folder, time.time()))

    async def install(self, package: str) -> View:
        """Install a package that was looked at. Raises UnknownRun, BadRequest."""
        async with self._one_at_a_time:
            await asyncio.to_thread(self._let_go, time.time() - WAITS_S)
            waiting = self._waiting.pop(package, None)
            if waiting is None:
                raise UnknownRun("package.unknown", "That package waits no longer.", subject=shown(package),
                                 hint="Look at it again: ./steward skills install PLACE")  # fmt: skip
            try:
                return await self._install(waiting)
            finally:
                shutil.rmtree(waiting.room, ignore_errors=True)

    async def _install(self, waiting: _Waiting) -> View:
        staged, skill = waiting.staged, str(waiting.staged.skill.id)
        old, before = self._before(staged)
        if waiting.instead_of not in (None, old.hash if old else ""):
            message = f"Another version of {skill} came into use since you looked."
            raise BadRequest("package.stale", message, subject=skill,
                             hint="Look at the package again: what it wants more is another thing now.")  # fmt: skip
        self._must_not_be_pinned(skill)
        more = widening(staged, old)
        with _in_words():
            await self._prepare(staged.skill.packages, staged.folder)
            entry = await asyncio.to_thread(self._shelf.put, staged, waiting.origin, time.time())
        said = {"before": before.digest if before else "", "wants_more": [one.to_json() for one in more]}
        await self._say_renewed("skill.installed", self._view(entry) | said)
        kept = await self._keep_grants(old, entry) if keeps_grants(staged, old, before, more) else 0
        await self._renew()
        await self._sweep()
        return self._view(entry) | {"kept_grants": kept}

    def _must_not_be_pinned(self, skill: str) -> None:
        used = self._shelf.in_use(skill)
        if used is not None and self._shelf.is_pinned(skill):
            raise BadRequest("package.pinned", f"{skill} is pinned to {used.version}.", subject=skill,
                             hint=f"./steward skills unpin {skill}")  # fmt: skip

    async def discard(self, package: str) -> None:
        """Let go of a package that was looked at."""
        waiting = self._waiting.pop(package, None)
        if waiting is not None:
            await asyncio.to_thread(shutil.rmtree, waiting.room, True)

    # --- afterwards -----------------------------------------------------------------------------------------------

    async def go_back(self, skill: str, version: str = "") -> View:
        """Let an earlier version count: the one before, or the one of that version or digest. Raises BadRequest."""
        async with self._one_at_a_time:
            entry = self._earlier(skill, version)
            with _in_words():
                folder = self._shelf.folder_of(entry)
                await self._prepare(await asyncio.to_thread(pins_of, folder), folder)
                await asyncio.to_thread(self._shelf.use, entry)
            await self._say_renewed("skill.used", self._view(entry))
            await self._renew()
            return self._view(entry)

    def _earlier(self, skill: str, version: str) -> Entry:
        known, used = self._shelf.versions(skill), self._shelf.in_use(skill)
        if version:
            fits = [
                one for one in known if version == one.version or (len(version) > 7 and one.digest.startswith(version))
            ]
        else:
            fits = list(known[: known.index(used)] if used in known else known)
        if not known:
            raise _unknown(skill)
        if not fits:
            names = ", ".join(dict.fromkeys(one.version for one in known))
            raise BadRequest(
                "skill.version", f"{skill} has no such version.", subject=skill, hint=f"There is: {names}."
            )
        return fits[-1]

    async def pin(self, skill: str, pinned: bool) -> None:
        """Keep a skill at its version, or no longer. Raises UnknownRun."""
        async with self._one_at_a_time:
            if self._shelf.in_use(skill) is None:
                raise _unknown(skill)
            await asyncio.to_thread(self._shelf.pin, skill, pinned)
            await self._say("skill.pinned", {"skill": skill, "pinned": pinned})

    async def remove(self, skill: str) -> list[str]:
        """Take a skill out of use, and its grants with it; return their ids. Its versions stay. Raises UnknownRun."""
        async with self._one_at_a_time:
            if self._shelf.in_use(skill) is None:
                raise _unknown(skill)
            with _in_words():
                await asyncio.to_thread(self._shelf.remove, skill)
            await self._say_renewed("skill.removed", {"skill": skill})
            grants = [one.id for one in self._house.policy.grants if one.skill == skill]
            if grants:
                await self._house.revoke(*grants)
            await self._renew()
            await self._sweep()
            return grants

    # --- parts ----------------------------------------------------------------------------------------------------

    async def _opened(self, folder: Path) -> Staged:
        tools = {str(one.id) for one in self._house.registry.tools()}
        return await asyncio.to_thread(opened, folder, self._taken(), tools=tools)

    def _taken(self) -> set[str]:
        return {str(one.id) for one in self._house.registry.skills()} | set(self._shelf.ids())

    def _before(self, staged: Staged) -> tuple[Skill | None, Entry | None]:
        """Return what a package would replace: the skill, and its version on the shelf. Raises BadRequest."""
        skill = next((one for one in self._house.registry.skills() if one.id == staged.skill.id), None)
        if skill is not None and skill.shipped:
            raise BadRequest("package.taken", f"{skill.id} is the name of a skill that is part of Steward.",
                             subject=skill.id, hint="A skill with a name of its own can be installed.")  # fmt: skip
        return skill, self._shelf.in_use(str(staged.skill.id))

    async def _packages(self, staged: Staged) -> list[View]:
        """Return the Python packages of a skill as a person is shown them before the yes; [] for none."""
        if not staged.skill.packages:
            return []
        return await asyncio.to_thread(self._house.environments.review, staged.skill.packages, staged.folder)

    async def _prepare(self, pins: tuple[Pin, ...], folder: Path, *, again: bool = False) -> None:
        if pins:
            await self._house.environments.prepare(pins, folder, again=again)

    async def _sweep(self, unused_s: float = 0.0) -> None:
        if (self._house.folders.data / "environments").is_dir():
            await self._house.environments.sweep(self._needed, unused_s)

    async def _needed(self) -> set[str]:
        """Return the environments that a version needs of a skill that is in use, or lies there by itself."""
        folders = [self._shelf.folder_of(one) for skill in self._shelf.ids() for one in self._shelf.versions(skill)]
        pins = await asyncio.to_thread(lambda: [pins_of(one) for one in folders])
        pins += [one.packages for one in self._house.registry.skills()]
        return {digest_of(one) for one in pins if one}

    async def _keep_grants(self, old: Skill | None, entry: Entry) -> int:
        """Let standing grants count for the new version, too, as new grants; the old ones stay as they are."""
        if old is None:
            return 0
        now = self._house.now_s()
        kept = [one for one in self._house.policy.standing(now) if (one.skill, one.skill_hash) == (old.id, old.hash)]
        new = [_again(one, entry, now) for one in kept]
        if new:
            await self._house.grant(new, None)
        return len(new)

    async def _renew(self) -> None:
        """Let requests see what the registry has now: at once by its words, by its meaning a moment later."""
        self._finder = None
        self._house.recheck_servers()
        await self._house.learning.renew()

    def _let_go(self, before_s: float) -> None:
        for name in [name for name, one in self._waiting.items() if one.at_s < before_s]:
            shutil.rmtree(self._waiting.pop(name).room, ignore_errors=True)

    async def _say_renewed(self, kind: str, body: View) -> None:
        """Say what has changed; whoever hears it and looks finds it so."""
        await asyncio.to_thread(self._house.registry.renew)
        await self._say(kind, body)

    async def _say(self, kind: str, body: View) -> None:
        await asyncio.wrap_future(self._house.ledger.submit(Draft(kind=kind, body=body, label=KERNEL_SAID.to_json())))


def _again(grant: Grant, entry: Entry, now_s: float) -> Grant:
    principal = Principal(SkillId(entry.id), entry.digest, "", "", "", grant.client)
    why = f"kept from {grant.id}: signed by the same key, wants nothing more"
    return new_grant(principal, grant.right, grant.mode, now_s, grant.expires_s, why=why)


def _told(skill: Skill) -> View:
    return {"id": skill.id, "title": shown(skill.title), "description": shown(skill.description),
            "version": skill.version, "shipped": skill.shipped, "kind": kind_of(skill),
            "tools": [tool.id for tool in skill.tools]}  # fmt: skip


def _unknown(skill: str) -> UnknownRun:
    return UnknownRun("skill.unknown", f"No skill {shown(skill)} was installed.", subject=shown(skill),
                      hint="./steward skills lists what is there.")  # fmt: skip


@contextmanager
def _in_words(room: Path | None = None) -> Iterator[None]:
    """What the room of packages refuses is the package's fault, and said as such; not where in ``room`` it lay."""
    try:
        yield
    except SkillError as error:
        said = str(error).replace(f"{room}/", "") if room is not None else str(error)
        raise BadRequest(error.code, sentence(said), subject=shown(error.subject),
                         hint=error.hint or "Nothing was installed.") from error  # fmt: skip
