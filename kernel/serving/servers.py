"""What a person does with MCP servers: add one, look at it again, list them, remove one.

    wish -> checked (``wishes``) -> card: program, folders, hosts -> a yes
         -> started once in a cell with just these rights -> what it lists, with effects -> a yes
         -> a skill on the shelf, like any other

Nothing of a server runs before the first yes, and nothing of it outside a cell. Only the person's own commands get
here.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import shutil
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kernel.allotting.allot import narrowed, withheld
from kernel.errors import BadRequest, TaskFailed, UnknownRun
from kernel.serving.cell import ServerCell, ServerOver
from kernel.serving.given import cell_spec, request
from kernel.serving.told import told
from kernel.serving.warm import note_connection
from kernel.serving.wishes import Asked, card, checked, from_file, told_secrets
from permissions.errors import PermissionsError
from permissions.model import Action, CellSpec, Level, Limits, Principal, Right, Verdict
from permissions.naming import shown
from permissions.policy import path_of
from skills.errors import SkillError
from skills.mcp.listing import Listing
from skills.mcp.loading import read_server, says_it_changes
from skills.mcp.pins import Drift, Pins, pinned
from skills.mcp.texts import plain
from skills.mcp.writing import Wish, changes, written
from skills.model import Skill
from skills.packages import check_likeness, checked_id

if TYPE_CHECKING:
    from kernel.house import House
    from kernel.installing.installed import Installed

View = dict[str, Any]

WAITS_S = 3600.0
_PROBE_S = 60.0


@dataclass(slots=True)
class _Waiting:
    """A server that somebody is about to add: what was asked for, and, once it was started, what it lists."""

    wish: Wish
    notes: list[str]
    at_s: float
    before: Pins | None = None
    listing: Listing | None = None


_HERE = "Try its command yourself, and give it what it needs: --read, --write, --host, --env, --program."
_AFAR = "See whether its address is right and answers; what it needs to know you is given with --secret."
_PUBLIC = "Take a server with a public address, or one that is started here: ./steward mcp add NAME -- COMMAND"


class Servers:
    """The MCP servers in a person's hands."""

    def __init__(self, house: House, installed: Installed) -> None:
        self._house = house
        self._installed = installed
        self._waiting: dict[str, _Waiting] = {}
        self._room = house.folders.data / "servers-new"
        shutil.rmtree(self._room, ignore_errors=True)  # nobody waits for what an earlier daemon started

    # --- reading ------------------------------------------------------------------------------------------------

    def listed(self) -> list[View]:
        """Return every server: how it is started, what it may see, how many tools it has, whether it runs."""
        running = self._house.serving.running()
        found = []
        for skill in self._skills():
            entry, pins = read_server(Path(skill.folder))
            runs = running.get(str(skill.id))
            found.append({"name": skill.id, "title": shown(skill.title), "version": skill.version,
                          "digest": skill.hash, "tools": len(skill.tools), "protocol": pins.protocol,
                          "running": runs, "blocked": _blocked(self._house.serving.drifted(skill)),
                          **_seen(entry)})  # fmt: skip
        return found

    def tools(self, name: str) -> View:
        """Return the tools of a server: what they do, their arguments, effects, and the server's own claims."""
        skill = self._skill(name)
        entry, _ = read_server(Path(skill.folder))
        blocked = _blocked(self._house.serving.drifted(skill))
        return {"name": skill.id, "title": shown(skill.title), "blocked": blocked, **_seen(entry),
                "tools": [_tool_view(one) for one in skill.tools]}  # fmt: skip

    def _skills(self) -> list[Skill]:
        return [one for one in self._house.registry.skills() if one.tools and one.tools[0].served]

    def _skill(self, name: str) -> Skill:
        found = next((one for one in self._skills() if one.id == name), None)
        if found is None:
            raise UnknownRun("server.unknown", f"There is no server {shown(name)}.", subject=shown(name),
                             hint="./steward mcp list shows them.")  # fmt: skip
        return found

    # --- adding -------------------------------------------------------------------------------------------------

    def look_at(self, asked: Asked) -> View:
        """Return the card of a server that shall be added; nothing of it runs. Raises BadRequest."""
        self._let_go()
        wish, notes = checked(asked, os.path.realpath(self._house.folders.home))
        taken = {str(one.id) for one in self._house.registry.skills()}
        if wish.name in taken:
            served = any(one.id == wish.name for one in self._skills())
            remove = f", or remove it: ./steward mcp remove {wish.name}" if served else "."
            raise BadRequest("server.taken", f"There is a skill called {wish.name} already.", subject=wish.name,
                             hint=f"Take another name{remove}")  # fmt: skip
        try:
            checked_id(wish.name, module=False)
            check_likeness(wish.name, taken)
        except SkillError as error:
            code = "server.alike" if error.code == "package.alike" else "server.name"
            raise BadRequest(code, str(error), subject=wish.name, hint="Take another name.") from error
        self._must_be_kept(wish)
        return self._waits(_Waiting(wish, notes, time.time()))

    def _must_be_kept(self, wish: Wish) -> None:
        """Refuse secrets that are not in the vault, or not for every host that the server reaches."""
        try:
            told(wish, self._house.post.vault.lend)
        except TaskFailed as error:
            raise BadRequest(error.code, str(error), subject=error.subject, hint=error.hint) from error

    def look_at_file(self, body: Any, cwd: str) -> list[View]:
        """Return the card of each server of a configuration file; one that cannot be taken says why."""
        found: list[View] = []
        for asked in from_file(body):
            try:
                found.append(self.look_at(replace(asked, cwd=cwd)))
            except BadRequest as error:
                found.append({"name": asked.name, "refused": str(error), "hint": error.hint, "code": error.code})
        return found

    def look_again(self, name: str) -> View:
        """Return the card of a server that is there, to be started and reviewed anew. Raises UnknownRun."""
        skill = self._skill(name)
        entry, pins = read_server(Path(skill.folder))
        wish = Wish(
            str(skill.id), tuple(entry.command), entry.url, dict(entry.env), dict(entry.secrets),
            tuple(entry.reads), tuple(entry.writes), tuple(entry.hosts), tuple(entry.programs), tuple(entry.safe),
            entry.limits.wall_s, entry.limits.memory_mib,
        )  # fmt: skip
        return self._waits(_Waiting(wish, [], time.time(), pins))

    def _waits(self, waiting: _Waiting) -> View:
        key = "s-" + secrets.token_hex(5)
        self._waiting[key] = waiting
        return {"server": key, **card(waiting.wish, waiting.notes)}

    async def start(self, key: str) -> View:
        """Start a server once, in a cell with just what its card says; return what it lists. Raises BadRequest."""
        waiting = self._known(key)
        try:
            waiting.listing = await self._probed(waiting)
            now = pinned(waiting.listing, waiting.before)
        except (ServerOver, SkillError, PermissionsError, TaskFailed, TimeoutError) as error:
            last = f" Its last words: {error.last_words}" if isinstance(error, ServerOver) and error.last_words else ""
            why = str(error) or f"it took longer than {_PROBE_S:g} seconds"
            self._house.note("server.refused", {"name": waiting.wish.name, "why": plain(why, 300)})
            said = f"The server {waiting.wish.name} cannot be used: {why}.{last}"
            hint = _AFAR if waiting.wish.url else _HERE
            raise BadRequest("server.start", plain(said, 1200), subject=waiting.wish.name, hint=hint) from error
        drifted = changes(waiting.before, now) if waiting.before else []
        safe = _still_safe(waiting, now)
        lost = [{"tool": name, "what": "was safe, no longer", "was": "", "now": ""}
                for name in waiting.wish.safe if name not in safe]  # fmt: skip
        return {"server": key, **card(waiting.wish, waiting.notes), **_review(waiting.listing, now, safe),
                "changes": [*(dict(one) for one in drifted), *lost],
                "same": waiting.before is not None and not drifted}  # fmt: skip

    async def _probed(self, waiting: _Waiting) -> Listing:
        wish, home = waiting.wish, os.path.realpath(self._house.folders.home)
        places = [os.path.realpath(home + one[1:] if one.startswith("~/") else one)
                  for one in (*wish.reads, *wish.writes, *wish.programs)]  # fmt: skip
        self._must_be_shown(places)
        given = self._given(wish, tuple(dict.fromkeys(places)))
        met = partial(note_connection, self._house.note, wish.name)
        secrets = told(wish, self._house.post.vault.lend)
        asked = request(wish, secrets=secrets)
        cell = ServerCell(self._house.serving.house, cell_spec(given, wish, home), asked, met, secrets)
        try:
            async with asyncio.timeout(_PROBE_S):
                return await cell.listing()
        finally:
            await cell.end()

    def _given(self, wish: Wish, places: tuple[str, ...]) -> CellSpec:
        """Return what a first start is given: as little as a call by then. Raises BadRequest, TaskFailed."""
        path = path_of(wish.name)
        needs = [*(Right(Action.FS_READ, place, os.path.isdir(place)) for place in places),
                 *(Right(Action.NET_CONNECT, host) for host in wish.hosts),
                 *(Right(Action.SECRET_REVEAL, secret) for secret in dict.fromkeys(wish.secrets.values()))]  # fmt: skip
        asks = Principal(wish.name, "", "", "", "")
        for one in (self._house.decide(asks, need) for need in needs):
            if one.verdict is Verdict.DENY:
                hint = one.remedy or (_PUBLIC if one.right.action is Action.NET_CONNECT else "Ask for less.")
                raise BadRequest("server.denied", f"{shown(str(one.right))} is denied: {one.reason}.",
                                 subject=wish.name, hint=hint)  # fmt: skip
        policy = self._house.policy
        asked = Limits(wall_s=_PROBE_S, cpu_s=round(_PROBE_S), memory_bytes=wish.memory_mib << 20)
        limits = narrowed(asked, policy.limits(path[-1]), wish.name)
        hidden, shut = withheld(policy, path, needs)
        return CellSpec(places, hidden_paths=(*self._house.private, *hidden), limits=limits, hosts=wish.hosts,
                        denied_hosts=shut, minimum=Level.L3)  # fmt: skip

    def _must_be_shown(self, places: Sequence[str]) -> None:
        """Refuse places that no skill may ever be shown."""
        for place in places:
            inside = next((one for one in self._house.private if place == one or place.startswith(f"{one}/")), None)
            if inside is not None:
                raise BadRequest("server.private", f"{shown(place)} is private, and shown to no skill.",
                                 subject=shown(place), hint="Give it another folder.")  # fmt: skip

    async def add(self, key: str, safe: Sequence[str] = ()) -> View:
        """Let a server that was started and reviewed be a skill; ``safe`` tools are ones that change nothing."""
        waiting = self._known(key)
        if waiting.listing is None:
            raise BadRequest("server.unseen", "That server was not started yet.", hint="Look at its tools first.")
        unknown = sorted(set(safe) - {one["name"] for one in waiting.listing.tools})
        if unknown:
            raise BadRequest("server.safe", f"It has no tool {shown(unknown[0])}.", subject=shown(unknown[0]),
                             hint="--safe takes a tool's name as the server lists it.")  # fmt: skip
        bold = next((one["name"] for one in waiting.listing.tools if one["name"] in safe and says_it_changes(one)), "")
        if bold:
            message = f"{shown(bold)} changes things: the server itself says so."
            raise BadRequest("server.safe", message, subject=shown(bold),
                             hint="Leave it out of --safe; it is asked about before it runs.")  # fmt: skip
        kept = _still_safe(waiting, pinned(waiting.listing, waiting.before))
        wish = replace(waiting.wish, safe=tuple(dict.fromkeys((*kept, *safe))))
        version = f"1.0.{len(self._installed.versions_of(wish.name))}"
        folder = self._fresh(wish.name)
        try:
            written(folder, wish, waiting.listing, version, waiting.before)
            done = await self._installed.take(folder, wish.url or wish.command[0])  # arguments may hold secrets
        finally:
            shutil.rmtree(folder.parent, ignore_errors=True)
        self._waiting.pop(key, None)
        return done

    def drop(self, key: str) -> None:
        """Let go of a server that was looked at."""
        self._waiting.pop(key, None)

    async def remove(self, name: str) -> list[str]:
        """Take a server out of use, and its grants with it; return their ids. Raises UnknownRun."""
        self._skill(name)
        return await self._installed.remove(name)

    # --- parts --------------------------------------------------------------------------------------------------

    def _known(self, key: str) -> _Waiting:
        self._let_go()
        found = self._waiting.get(key)
        if found is None:
            raise UnknownRun("server.gone", "That server waits no longer.", subject=shown(key),
                             hint="Add it again: ./steward mcp add NAME -- COMMAND")  # fmt: skip
        return found

    def _let_go(self) -> None:
        before_s = time.time() - WAITS_S
        for key in [key for key, one in self._waiting.items() if one.at_s < before_s]:
            del self._waiting[key]

    def _fresh(self, name: str) -> Path:
        room = self._room / secrets.token_hex(5)
        room.mkdir(parents=True, mode=0o700)
        return room / name


def _blocked(found: Drift) -> View | None:
    """Return which tools are not called until a person reviews them, and which are not offered; None for no change."""
    if not found:
        return None
    return {name: [plain(one, 100) for one in getattr(found, name)] for name in ("changed", "gone", "new")}


def _seen(entry: Any) -> View:
    return {"command": [shown(word) for word in entry.command], "url": entry.url, "reads": list(entry.reads),
            "writes": list(entry.writes), "hosts": list(entry.hosts), "programs": list(entry.programs),
            "env": sorted(entry.env), "secrets": told_secrets(entry.secrets), "safe": list(entry.safe)}  # fmt: skip


def _still_safe(waiting: _Waiting, now: Pins) -> tuple[str, ...]:
    """Return what the person called safe and is, word for word, what they called so."""
    before = {pin.name: pin.digest for pin in waiting.before.tools} if waiting.before else {}
    same = {pin.name for pin in now.tools if before.get(pin.name) == pin.digest}
    return tuple(name for name in waiting.wish.safe if name in same)


def _review(listing: Listing, pins: Pins, safe: Sequence[str]) -> View:
    tools = [
        {
            "name": pin.name, "function": pin.function, "summary": plain(pin.definition.get("description"), 300),
            "claims": _claims(pin.definition.get("annotations")), "sha256": pin.digest,
            "safe": pin.name in safe,
        }
        for pin in pins.tools
    ]  # fmt: skip
    return {"title": listing.server, "says_version": listing.version, "protocol": listing.protocol, "tools": tools}


def _claims(said: Any) -> list[str]:
    """Return what a server claims of a tool, in its own words for it."""
    known = ("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")
    return [
        f"{name}={said[name]}".lower() for name in known if isinstance(said, dict) and isinstance(said.get(name), bool)
    ]


def _tool_view(tool: Any) -> View:
    return {
        "id": tool.id, "name": tool.served.name, "summary": shown(tool.summary), "effect": str(tool.effect),
        "claims": _claims(dict(tool.served.claims)), "sha256": tool.served.digest,
        "parameters": [
            {"name": one.name, "kind": str(one.type.kind), "many": one.type.many, "required": one.required,
             "doc": shown(one.doc), "choices": list(one.type.choices)}
            for one in tool.parameters
        ],
    }  # fmt: skip
