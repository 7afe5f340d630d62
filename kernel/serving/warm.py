"""Which servers run: started at the first call, kept a while, ended when nobody may use them any more.

What this stops: a server that goes on after the right to what it sees is gone, after its skill changed or was removed,
or after nobody has used it for a while; more of them than fit; one that dies at once being started again and again; a
tool that is not what was reviewed being called.
What it does not: decide a right. Each call was authorized, allotted and held like any other before it comes here.

A server that works in folders is never kept: it lives for its call, in layers.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from kernel.errors import TaskFailed
from kernel.remembering import pictures
from kernel.serving.cell import Connected, Elicit, Progress, ServerCell, ServerOver
from kernel.serving.deaths import Deaths
from kernel.serving.given import cell_spec, check_places, request
from kernel.serving.refusals import busy, changed, ended, too_late, with_staged
from kernel.serving.results import result_of_reply
from kernel.serving.told import Lend, no_secret, told
from permissions import Cells
from permissions.model import CellOutcome, CellSpec, CellStatus, Connection, Level
from skills.mcp.listing import Listing
from skills.mcp.loading import read_server
from skills.mcp.mapping import arguments_of
from skills.mcp.pins import Drift, Pins, drift
from skills.mcp.wire import Reply
from skills.model import Call, CallResult, Skill, SkillId, Tool

IDLE_S = 600.0
MOST_WARM = 8
_LOOK_S = 2.0

Key = tuple[SkillId, str]
"""A server that runs: its skill, and the client in whose name (empty: the person's). Nobody uses another one's."""

Note = Callable[[str, Mapping[str, Any]], None]
"""Writes an event of a server to the ledger."""

MayStay = Callable[[SkillId, str, str], bool]
"""Tells whether a server may go on seeing what it sees, by the run that called it last and the client of that."""


@dataclass(frozen=True, slots=True)
class Ran:
    """What a call gave back, and what can be said of its cell."""

    result: CallResult
    cell: CellOutcome


@dataclass(frozen=True, slots=True)
class _Known:
    """A server's skill as it was read: how it is started, and what was reviewed."""

    skill: Skill
    entry: Any
    pins: Pins


@dataclass(frozen=True, slots=True)
class _Wanted:
    """A call to be made: what it needs, who hears of it, and how often rights had been rechecked when it came."""

    known: _Known
    tool: Tool
    spec: CellSpec
    message: dict[str, Any]
    progress: Progress
    connected: Connected
    elicit: Elicit | None
    rechecks: int
    run: str
    client: str
    secrets: Mapping[str, str]

    @property
    def key(self) -> Key:
        """Which of the servers that run this is for."""
        return self.known.skill.id, self.client


@dataclass(slots=True)
class _Warm:
    """A server that runs; ``run`` called it last. ``stale`` says that it ends as soon as nothing is called."""

    known: _Known
    spec: CellSpec
    cell: ServerCell
    drift: Drift
    used_at: float
    secrets: Mapping[str, str]
    run: str = ""
    busy: bool = False
    stale: bool = False
    why: str = "what it may see, or what it is, has changed"


@dataclass(slots=True)
class _Turn:
    """Calls of one server, one after the other."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    deaths: Deaths = field(default_factory=Deaths)


class Serving:
    """The servers at work. Belongs to one event loop; nothing runs, and nothing is loaded, before the first call."""

    def __init__(
        self,
        cells: Callable[[], Cells],
        folder: Path,
        home: str,
        *,
        lend: Lend = no_secret,
        idle_s: float = IDLE_S,
        most: int = MOST_WARM,
    ) -> None:
        """``cells`` makes the house of their cells, ``folder`` is where pictures are kept, ``home`` the person's.

        ``lend`` takes what a server is told in secret out of the vault.
        """
        self._make_cells = cells
        self._cells: Cells | None = None
        self._folder, self._home, self._lend = folder, home, lend
        self._note: Note = lambda _kind, _body: None
        self.idle_s, self.most = idle_s, most
        self._may_stay: MayStay = lambda _skill, _run, _client: True
        self._warm: dict[Key, _Warm] = {}
        self._turns: dict[Key, _Turn] = {}
        self._known: dict[str, _Known] = {}
        self._drifted: dict[str, tuple[str, Drift]] = {}
        """By skill: its hash, and what the server listed last that was not as reviewed."""
        self._given: dict[SkillId, tuple[CellSpec, CellSpec]] = {}
        self._leaving: set[asyncio.Task[None]] = set()
        self._looking: asyncio.TimerHandle | None = None
        self._rechecks = 0
        self._level: Level | None = None
        self._weak: tuple[Level, str] | None = None

    def attach(self, note: Note, may_stay: MayStay) -> None:
        """Say where events are written, and who tells whether a server may go on seeing what it sees."""
        self._note, self._may_stay = note, may_stay

    @property
    def house(self) -> Cells:
        """The house of the servers' cells, made at the first call."""
        if self._cells is None:
            self._cells = self._make_cells()
            if self._weak is not None:
                self._cells.lower(*self._weak)
        return self._cells

    def lower(self, level: Level, why: str) -> None:
        """From now on claim no more than ``level``: the self-test has found cells to be weaker. What runs is ended."""
        self._weak, self._level = (level, why), None
        if self._cells is not None:
            self._cells.lower(level, why)
        self.recheck()

    def running(self) -> dict[str, dict[str, Any]]:
        """Return the servers that run, by skill: since when they were used last, in seconds, and whether they are."""
        now, found = time.monotonic(), dict[str, dict[str, Any]]()
        for (skill, _), one in self._warm.items():
            before = found.get(str(skill), {"busy": False, "idle_s": math.inf, "changed": False})
            found[str(skill)] = {"busy": before["busy"] or one.busy, "changed": before["changed"] or bool(one.drift),
                                 "idle_s": min(before["idle_s"], round(now - one.used_at, 1))}  # fmt: skip
        return found

    def drifted(self, skill: Skill) -> Drift:
        """Return what a server listed last, running or not, that is not what was reviewed of this version."""
        digest, found = self._drifted.get(str(skill.id), ("", Drift()))
        return found if digest == skill.hash else Drift()

    def _listed(self, known: _Known, listing: Listing) -> Drift:
        """Hold what a server lists against what was reviewed, and remember it."""
        skill, found = known.skill, drift(known.pins, listing)
        if found and found != self.drifted(skill):
            self._note("server.changed", {"skill": skill.id, "changed": list(found.changed), "gone": list(found.gone),
                                          "new": list(found.new)})  # fmt: skip
        self._drifted[str(skill.id)] = skill.hash, found
        return found

    def _review(self, wanted: _Wanted, listing: Listing, warm: _Warm | None = None) -> None:
        """Hold what a server lists against what was reviewed. Raises TaskFailed where the wanted tool differs."""
        found = self._listed(wanted.known, listing)
        if warm is not None:
            warm.drift = found
        _check_reviewed(wanted.tool, found)

    # --- calling ------------------------------------------------------------------------------------------------

    async def call(
        self, skill: Skill, tool: Tool, call: Call, spec: CellSpec, progress: Progress, connected: Connected,
        elicit: Elicit | None = None, run: str = "", client: str = "",
    ) -> Ran:  # fmt: skip
        """Call a tool of a server, for a run of ``client`` (empty: of the person). Cancelling ends the server's cell.

        A call may wait in line as long as it may take; that is no time of the server's.
        A server that dies, or takes too long, is a result with an error in words. Raises TaskFailed, and what
        ``Cells.call`` raises.
        """
        rechecks = self._rechecks
        known = await self._read(skill)
        given = self._spec(known, spec)
        if call.view:
            raise with_staged(tool)
        arguments = arguments_of(tool, call.arguments)
        check_places(tool, call.arguments, given)
        assert tool.served
        message = {"name": tool.served.name, "arguments": arguments, "schema": dict(tool.served.schema),
                   "digest": tool.served.digest}  # fmt: skip
        secrets = told(known.entry, self._lend)  # anew for each call: one that was set anew ends who knows the old
        wanted = _Wanted(known, tool, given, message, progress, connected, elicit, rechecks, run, client, secrets)
        async with self._in_line(wanted, spec.limits.wall_s) as deaths:
            return await self._made(wanted, call, spec.limits.wall_s, deaths)

    async def _made(self, wanted: _Wanted, call: Call, wall_s: float, deaths: Deaths) -> Ran:
        tool, given, began = wanted.tool, wanted.spec, time.monotonic()
        status, result = CellStatus.RETURNED, CallResult()
        try:
            async with asyncio.timeout(wall_s):
                reply, declined = await (self._once if given.layers else self._kept)(wanted, deaths)
            keep = partial(pictures.keep, self._folder, wanted.run)
            read = partial(result_of_reply, tool, reply, declined, keep, call.language)
            result = await asyncio.to_thread(read) if reply.pictures else read()
        except TimeoutError:
            status, result = CellStatus.OUT_OF_TIME, too_late(tool, wall_s, call.language)
        except ServerOver as over:
            status, result = CellStatus.CRASHED, ended(tool, over, call.language)
        self._level = self._level or await self.house.start()
        level = Level.L3 if given.layers or given.program_paths else self._level
        return Ran(result, CellOutcome(status, level, wall_s=time.monotonic() - began))

    @asynccontextmanager
    async def _in_line(self, wanted: _Wanted, patience_s: float) -> AsyncIterator[Deaths]:
        """Wait for the server, and hold it. Raises TaskFailed where others hold it for too long."""
        turn = self._turns.setdefault(wanted.key, _Turn())
        try:
            async with asyncio.timeout(patience_s):
                await turn.lock.acquire()
        except TimeoutError:
            raise busy(wanted.tool, patience_s) from None
        try:
            yield turn.deaths
        finally:
            turn.lock.release()

    async def _once(self, wanted: _Wanted, deaths: Deaths) -> tuple[Reply, list[str]]:
        """Start a server for one call; it ends by itself, so that what it writes in its layers is written."""
        known = wanted.known
        await deaths.rested(str(known.skill.id), wanted.progress)
        asked = request(known.entry, known.pins.protocol, wanted.secrets)
        cell = ServerCell(self.house, wanted.spec, asked, wanted.connected, wanted.secrets)
        try:
            with deaths.counted():
                self._review(wanted, await cell.listing())
                review = partial(self._review, wanted)
                found = await cell.call(wanted.message, wanted.progress, wanted.connected, wanted.elicit, review)
            await cell.leave()
        finally:
            await cell.end()
        return found

    async def _kept(self, wanted: _Wanted, deaths: Deaths) -> tuple[Reply, list[str]]:
        """Call a server that is kept; where none runs with these rights, one is started."""
        async with self._standing(wanted, deaths) as warm:
            _check_reviewed(wanted.tool, warm.drift)
            review = partial(self._review, wanted, warm=warm)
            with deaths.counted():
                found = await warm.cell.call(wanted.message, wanted.progress, wanted.connected, wanted.elicit, review)
            news = warm.cell.news()
            if news is not None:
                warm.drift = self._listed(wanted.known, news)
            return found

    @asynccontextmanager
    async def _standing(self, wanted: _Wanted, deaths: Deaths) -> AsyncIterator[_Warm]:
        """Yield the server that runs with just these rights, and keep it; whatever goes wrong ends it."""
        key = wanted.key
        warm = self._warm.get(key)
        if warm is not None and (warm.cell.over or warm.stale or not _same(warm, wanted)):
            if warm.cell.over:
                deaths.add(str(warm.cell.over))
            await self._end(key, "it is begun anew")
            warm = None
        if warm is None:
            await deaths.rested(str(key[0]), wanted.progress)
            with deaths.counted(forgets=False):
                warm = await self._started(wanted)
        warm.busy, warm.run = True, wanted.run
        try:
            yield warm
        except TaskFailed:  # the server did nothing: what it offers is not what was reviewed
            self._rest(warm)
            raise
        except BaseException as error:
            await self._end(key, f"{type(error).__name__} in a call")
            raise
        self._rest(warm)

    def _rest(self, warm: _Warm) -> None:
        warm.busy, warm.used_at = False, time.monotonic()
        if warm.stale or self._looking is None or len(self._warm) > self.most:
            self._look()

    async def _started(self, wanted: _Wanted) -> _Warm:
        known, skill = wanted.known, wanted.known.skill.id
        self._make_room(1)
        began = time.monotonic()
        asked = request(known.entry, known.pins.protocol, wanted.secrets)
        stray = partial(note_connection, self._note, known.skill.id)
        cell = ServerCell(self.house, wanted.spec, asked, stray, wanted.secrets)
        try:
            found = self._listed(known, await cell.listing())
        except BaseException:
            await cell.end()
            raise
        warm = self._warm[wanted.key] = _Warm(
            known, wanted.spec, cell, found, time.monotonic(), wanted.secrets, wanted.run, busy=True
        )
        warm.stale = wanted.rechecks != self._rechecks  # something was taken away since its call was authorized
        ms = round((time.monotonic() - began) * 1000, 1)
        self._note("server.started", {"skill": skill, "ms": ms, "changed": [*found.changed, *found.gone],
                                      "new": list(found.new)})  # fmt: skip
        return warm

    # --- ending -------------------------------------------------------------------------------------------------

    def recheck(self) -> None:
        """Rights, skills or versions changed: no server stays as it is. What is called meanwhile ends with its call."""
        self._rechecks += 1
        for warm in self._warm.values():
            warm.stale = True
        self._look()

    async def close(self) -> None:
        """End every server."""
        if self._looking:
            self._looking.cancel()
        for key in list(self._warm):
            await self._end(key, "Steward ends")
        await asyncio.gather(*self._leaving, return_exceptions=True)
        if self._cells is not None:
            await self._cells.close()

    async def _end(self, key: Key, why: str) -> None:
        warm = self._warm.pop(key, None)
        if warm is not None:
            self._note("server.ended", {"skill": key[0], "why": str(warm.cell.over or why)})
            await warm.cell.end()

    def _end_soon(self, key: Key, why: str) -> None:
        warm = self._warm.pop(key)
        self._note("server.ended", {"skill": key[0], "why": str(warm.cell.over or why)})
        leaving = asyncio.get_running_loop().create_task(warm.cell.end())
        self._leaving.add(leaving)
        leaving.add_done_callback(self._leaving.discard)

    def _make_room(self, wanted: int = 0) -> None:
        """End the servers that were not used for the longest time, where with those ``wanted`` there are too many."""
        idle = sorted((one.used_at, key) for key, one in self._warm.items() if not one.busy)
        for _, key in idle[: max(0, len(self._warm) + wanted - self.most)]:
            self._end_soon(key, "another one was needed")

    def _look(self) -> None:
        """End whatever is over, stale, unused, or of no use to anybody; look again while one runs."""
        if self._looking:
            self._looking.cancel()
            self._looking = None
        now = time.monotonic()
        for key, warm in list(self._warm.items()):
            if warm.busy:
                continue
            if warm.cell.over:
                self._turns[key].deaths.add(str(warm.cell.over))
                self._end_soon(key, "it ended by itself")
            elif warm.stale:
                self._end_soon(key, warm.why)
            elif now - warm.used_at >= self.idle_s:
                self._end_soon(key, "nobody used it")
            elif not self._may_stay(key[0], warm.run, key[1]):
                self._end_soon(key, "nobody may use what it sees any more")
        if len(self._warm) > self.most:
            self._make_room()
        if self._warm:
            wait_s = min(_LOOK_S, max(0.05, self.idle_s / 4))
            self._looking = asyncio.get_running_loop().call_later(wait_s, self._look)

    # --- parts --------------------------------------------------------------------------------------------------

    async def _read(self, skill: Skill) -> _Known:
        known = self._known.get(skill.id)
        if known is None or known.skill.hash != skill.hash:
            entry, pins = await asyncio.to_thread(read_server, Path(skill.folder))
            self._given.pop(skill.id, None)
            known = self._known[skill.id] = _Known(skill, entry, pins)
        return known

    def _spec(self, known: _Known, spec: CellSpec) -> CellSpec:
        """Return what a server's cell is given of what a call was; worked out once where calls are alike."""
        before = self._given.get(known.skill.id)
        if before is None or before[0] != spec:
            before = self._given[known.skill.id] = spec, cell_spec(spec, known.entry, self._home)
        return before[1]


def note_connection(note: Note, skill: str, one: Connection) -> None:
    """Write down a connection that ended while nothing was called."""
    body = {"host": one.host, "port": one.port, "up_bytes": one.up_bytes, "down_bytes": one.down_bytes}
    note("server.connected", {"skill": skill, **body})


def _same(warm: _Warm, wanted: _Wanted) -> bool:
    """Tell whether a server that runs is of this version, was given just these rights, and told these secrets."""
    hashes = warm.known.skill.hash, wanted.known.skill.hash
    same = hashes[0] == hashes[1] and dict(warm.secrets) == dict(wanted.secrets)
    return same and (warm.spec is wanted.spec or replace(warm.spec, limits=wanted.spec.limits) == wanted.spec)


def _check_reviewed(tool: Tool, found: Drift) -> None:
    assert tool.served
    if tool.served.name in (*found.changed, *found.gone):
        raise changed(tool, gone=tool.served.name in found.gone)
