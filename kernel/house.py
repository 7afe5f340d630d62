"""The house: every part of the kernel, put together once, with the few questions that need several of them."""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Any

from kernel.allotting import Accounts, Allotter, Raises, Tenures, with_deny, with_limit
from kernel.allotting.ending import ended_denies, ended_limits, soonest
from kernel.approval.card import change_view, taken_back
from kernel.authorize import Circumstances, needs_of, rights_now
from kernel.clients.book import ClientBook
from kernel.config import Folders, Settings
from kernel.context.conversations import Conversations
from kernel.context.deeds import MOST_AT_ONCE, LedgerPast, Told
from kernel.context.mind import Learning
from kernel.context.world import HomeWorld
from kernel.errors import UnknownRun
from kernel.itself.half_done import half_done_view
from kernel.knowing.knowledge import Knowledge
from kernel.limits import MemoryLimits
from kernel.macros.book import MacroBook
from kernel.mailing.post import Post
from kernel.model import Say
from kernel.models import Models
from kernel.recalling.recollection import Recollection
from kernel.remembering import bulk
from kernel.routines.book import RoutineBook
from kernel.routines.watching.causes import Causes
from kernel.suggestions.seeing import Seeing
from memory import Ledger
from memory.model import Draft, Event
from permissions import Cells, Grant, Policy, Transactions, WallTest, machine_level, spare_bytes, try_wall
from permissions.labels import KERNEL_SAID
from permissions.model import Action, CellSpec, Connection, Decision, GrantMode, Principal, Right, Verdict
from permissions.naming import shown
from permissions.policy import PERSON, ROUTINE, Rule, SteadyClock, amount_words, program_of, right_to_json
from skills import Registry, one_import
from skills.errors import SkillError
from skills.model import Call, SkillId, Tool, ToolId

if TYPE_CHECKING:
    from kernel.anticipation.ahead import Ahead
    from kernel.installing.environments import Environments
    from kernel.reminding import Keeper
    from kernel.serving.warm import Serving
    from kernel.system.senses import Senses

_log = logging.getLogger("steward.kernel")

WRITTEN_GRANT_S = 4 * 3600.0
"""So long at most counts what was granted to a skill that is being written (``kernel.authoring.developing``)."""


Elicit = Callable[[ToolId, str, Mapping[str, Any]], Awaitable[dict[str, Any] | None]]
"""Asks the person what the server of a tool asks; returns the fields of a yes, None for no."""


@dataclass(slots=True)
class House:
    """The parts. ``policy`` is an immutable value that is replaced, never changed.

    ``waiting`` holds, by run, the answer that each run waits for; ``live`` the runs that are not over; ``spare_bytes``
    tells the memory that a call could be given; ``at_work`` are the servers, once one was needed, ``built`` the
    environments of skills with packages, once there was one, ``machine`` where this machine is read, once it was, and
    ``ahead`` what is made before anybody asks, once something was offered.
    """

    settings: Settings
    folders: Folders
    ledger: Ledger
    registry: Registry
    cells: Cells
    transactions: Transactions
    world: HomeWorld
    learning: Learning
    policy: Policy
    private: tuple[str, ...]
    talk: Conversations
    clock: Callable[[], datetime]
    steady: SteadyClock
    accounts: Accounts
    memory: MemoryLimits
    knowledge: Knowledge
    recollection: Recollection
    seeing: Seeing
    post: Post
    models: Models
    make_serving: Callable[[House], Serving]
    make_environments: Callable[[House], Environments]
    clients: ClientBook = field(default_factory=ClientBook)
    routines: RoutineBook = field(default_factory=RoutineBook)
    causes: Causes = field(default_factory=Causes)
    macros: MacroBook = field(default_factory=MacroBook)
    tenures: Tenures = field(default_factory=Tenures)
    with_effects: list[str] = field(default_factory=list)
    deeds: dict[str, Told] = field(default_factory=dict)
    waiting: dict[str, asyncio.Future[str]] = field(default_factory=dict)
    live: set[str] = field(default_factory=set)
    lapsed: set[str] = field(default_factory=set)
    ends: tuple[object, float] | None = None
    placed: tuple[Policy, str, Policy] | None = None
    wall: WallTest | None = None
    keeper: Keeper | None = None
    at_work: Serving | None = None
    built: Environments | None = None
    spare_bytes: Callable[[], int] = spare_bytes
    machine: Senses | None = None
    ahead: Ahead | None = None

    def circumstances(self, run: str, cwd: str, client: str = "") -> Circumstances:
        """Return what authorizing a plan of ``run`` needs to know, called from ``cwd`` by ``client`` (or the person).

        A run knows its own: ``Run.around``.
        """
        folder, home = os.path.realpath(cwd) if cwd else "", os.path.realpath(self.folders.home)
        return self._around(run, folder, home, client)

    def _around(self, run: str, folder: str, home: str, client: str) -> Circumstances:
        """Return the circumstances as they are now; ``folder`` and ``home`` are real paths."""
        now_s = self.now_s()  # first: what has ended by now stands in the tree no more
        return Circumstances(
            tool=self.registry.tool, skill=self.registry.skill, policy=self._seen_from(folder), run=run,
            home=home, now_s=now_s, resolve=os.path.realpath, client=client,
            below_l3=frozenset(self.settings.below_l3.split()),
        )  # fmt: skip

    def _seen_from(self, folder: str) -> Policy:
        """Return the tree as seen from ``folder``; made once for a tree and a folder: every call of a plan asks."""
        if not folder:
            return self.policy
        tree, place, seen = self.placed or (None, "", self.policy)
        if tree is not self.policy or place != folder:
            same = tree is not None and tree.nodes is self.policy.nodes and place == folder  # a grant came or went
            seen = replace(seen, book=self.policy.book) if same else self.policy.in_workspace(folder)
            self.placed = (self.policy, folder, seen)
        return seen

    def allotter(self, run: str, cwd: str, say: Say, raises: Raises, client: str = "") -> Allotter:
        """Return what allots the calls of ``run``: by the policy as it is when each of them begins."""
        folder, home = os.path.realpath(cwd) if cwd else "", os.path.realpath(self.folders.home)  # once for a run
        around = partial(self._around, run, folder, home, client)
        return Allotter(around, self.tenures, self.accounts, self.memory, say, raises)

    def decide(self, principal: Principal, right: Right) -> Decision:
        """Decide one right by the time and the tree of this moment: a deny that has ended has no say in it."""
        now_s = self.now_s()
        return self.policy.decide(principal, right, now_s=now_s)

    def now_s(self) -> float:
        """Return the time that grants end by; an end that has come is written down, so that it stays one."""
        now = self.steady.now_s()
        ended = [grant.id for grant in self.policy.ended(now) if grant.id not in self.lapsed]
        if ended:
            self.lapsed.update(ended)
            self.ledger.submit(*(_event("grant.expired", {"id": one}, durable=False) for one in ended))
        self._let_end(now)
        return now

    def _let_end(self, now: float) -> None:
        """Take away the denies and limits whose time is over, and write that down; cheap where none can be."""
        if self.ends is None or self.ends[0] is not self.policy.nodes:
            self.ends = (self.policy.nodes, soonest(self.policy))
        if now < self.ends[1] or not _on_loop():
            return  # a thread changes no tree: until the loop looks, they still hold
        denies, limits = ended_denies(self.policy, now), ended_limits(self.policy, now)
        gone = [_event("deny.removed", {"id": one}, durable=False) for one in denies]
        self.ledger.submit(*gone, *(_event("limit.set", body, durable=False) for body in limits))
        self.policy = self.policy.without(*denies)
        for body in limits:
            self.policy = with_limit(self.policy, body, 0)
            if body["total"]:
                self.accounts.set(body["node"], body["meter"], None)
        self.recheck_servers()

    def level(self) -> tuple[str, str]:
        """Return the wall's level on this machine and, below L3, what is missing."""
        if self.wall is not None and self.wall.level is not self.wall.claimed:
            return str(self.wall.level), f"the self-test failed: {self.wall.why}"
        level = machine_level()
        return str(level), "" if level == "L3" else "this machine cannot give a skill a file system of its own"

    async def run_call(
        self,
        call: Call,
        spec: CellSpec,
        progress: Callable[[float | None, str], None],
        connected: Callable[[Connection], None],
        answer: Callable[[bytes, int], Awaitable[bytes | None]] | None = None,
        elicit: Elicit | None = None,
        *,
        run: str = "",
        client: str = "",
        noted: bool = True,
    ) -> Any:
        """Run one call behind the wall, if its skill is still the one that rights were given to.

        ``answer`` is asked what the call asks for (``kernel.calling``), ``elicit`` what a server asks in the middle of
        one of its tools (``kernel.serving``). ``run`` and ``client`` say for whom a server is kept; of a call that
        is not ``noted`` nothing is learnt.
        """
        tool = self.registry.tool(call.tool)
        await asyncio.to_thread(self.registry.check_unchanged, tool.skill)
        if tool.served is not None:
            ask = partial(elicit, tool.id) if elicit else None
            skill = self.registry.skill(tool.skill)
            return await self.serving.call(skill, tool, call, spec, progress, connected, ask, run, client)
        from skills import Runner  # and all that reads skills and values: no start waits for it

        async with self._cells_for(tool.skill) as cells:
            ran = await Runner(cells).run(call, spec, progress, connected, answer)
        if noted:
            self.memory.note(tool.id, spec, ran.cell, tool.limits.memory_bytes)
        return ran

    @asynccontextmanager
    async def _cells_for(self, skill: SkillId) -> AsyncIterator[Cells]:
        """Give the cells of a skill: those of all, or where it has packages of others those that see them."""
        found = self.registry.skill(skill)
        if not found.packages:
            yield self.cells
            return
        async with self.environments.cells_of(found) as cells:
            yield cells

    async def grant(self, grants: Sequence[Grant], run: str | None, *, private: bool = False) -> None:
        """Write grants to the ledger, then let them count. What outlives a run is on disk when this returns.

        Of a ``private`` run only those that outlive it are written with what they allow. What is given for good to a
        skill that is being written ends by itself.
        """
        grants = [self._for_a_while(grant) for grant in grants]
        lasting = any(grant.outlives_its_run() for grant in grants)
        drafts = _granted(grants, run, lasting)
        written = self.ledger.submit(*(replace(draft, volatile=private and not lasting) for draft in drafts))
        if lasting:
            events = await asyncio.wrap_future(written)
            grants = [replace(grant, event=event.seq) for grant, event in zip(grants, events, strict=True)]
        self.policy = self.policy.with_grants(grants)

    def _for_a_while(self, grant: Grant) -> Grant:
        """Return ``grant`` with an end where its skill is being written: tomorrow nobody knows those bytes."""
        guest = self.registry.guest(grant.skill) if grant.mode is GrantMode.ALWAYS else None
        if guest is None or guest.hash != grant.skill_hash:
            return grant
        return replace(grant, mode=GrantMode.UNTIL, expires_s=grant.at_s + WRITTEN_GRANT_S)

    async def revoke(self, *ids: str) -> None:
        """Write to the ledger that these grants and denies are no more, take them away, and stop what needs them.

        Raises UnknownRun when there is none of that name; then none is taken away.
        """
        grants, denies = {grant.id for grant in self.policy.grants}, {rule.id for _, rule in self.denies()}
        unknown = next((one for one in ids if one not in grants | denies), None)
        if unknown is not None or not ids:
            name = shown(unknown or "")
            raise UnknownRun("grant.unknown", f"There is no grant {name}.", subject=name,
                             hint="./steward perms lists them.")  # fmt: skip
        gone = [
            _event("grant.revoked", {"id": one}) if one in grants else _event("deny.removed", {"id": one})
            for one in ids
        ]  # fmt: skip
        await _written(self.ledger, *gone)
        self.policy = self.policy.without(*ids)
        self.tenures.recheck()
        self.recheck_servers()

    def denies(self) -> list[tuple[str, Rule]]:
        """Return what a person denied, with the node where it stands."""
        return [(node.path, rule) for node in self.policy.nodes.values() for rule in node.rules if rule.id]

    async def deny(self, node: str, right: Right, why: str, expires_s: float | None = None) -> str:
        """Deny ``right`` at a node and below from now on; return the deny's id. What runs and needs it is stopped."""
        name = "d-" + secrets.token_hex(5)
        body = {"id": name, "node": node, **right_to_json(right), **self._origin(why, expires_s)}
        with_deny(self.policy, body, 0)  # refuses what is malformed before it is written
        (event,) = await _written(self.ledger, _event("deny.added", body))
        self.policy = with_deny(self.policy, body, event.seq)
        self.tenures.recheck()
        self.recheck_servers()
        return name

    async def limit(
        self, node: str, meter: str, amount: int | None, *, total: bool, why: str, expires_s: float | None = None
    ) -> None:
        """Bound ``meter`` at a node and below (None: no longer): for each call from the next on, or in total."""
        words = "" if amount is None else amount_words(amount, meter)
        body = {"node": node, "meter": meter, "amount": amount, "total": total, "words": words}
        body |= self._origin(why, expires_s)
        with_limit(self.policy, body, 0)
        (event,) = await _written(self.ledger, _event("limit.set", body))
        self.policy = with_limit(self.policy, body, event.seq)
        if total:
            self.accounts.set(node, meter, amount)
        self.recheck_servers()

    async def refused(self, body: dict[str, Any]) -> None:
        """Write to the ledger that a change of the tree was refused."""
        await _written(self.ledger, _event("perms.refused", body))

    def _origin(self, why: str, expires_s: float | None) -> dict[str, Any]:
        origin = {"by": PERSON, "at_s": self.now_s(), "why": why}
        return origin if expires_s is None else origin | {"expires_s": expires_s}

    def whole(self, view: dict[str, Any]) -> dict[str, Any]:
        """Return the view of a run with the values and changes that its events only summarise."""

        def changes(run: str, *, back: bool) -> list[dict[str, Any]]:
            if not back:
                return [change_view(change) for change in self.transactions.changes(run)]
            found = self.transactions.effects(run) or next(reversed(self.transactions.undone(run)), ())
            return [change_view(taken_back(change)) for change in found]

        return bulk.whole(view, lambda: self.talk.values(view["run"]), changes)

    def past(self, conversation: str, most: int = MOST_AT_ONCE, client: str = "") -> LedgerPast:
        """Return what requests have done to files and folders, as the ledger tells it, seen from a conversation.

        For a ``client`` that is what was done in its name, and not for an earlier one of that name.
        """
        key = self.owner_key(client) or ""
        runs = [run for run in self.with_effects if self.talk.is_of(run, client, key)] if client else self.with_effects

        def changes(run: str) -> list[Mapping[str, Any]]:
            return [change_view(change) for change in self.transactions.effects(run)]

        return LedgerPast(self.ledger, runs, changes, conversation, most, self.deeds, self.policy.own)

    async def test_wall(self) -> None:
        """Try in a real cell what one must refuse; write down what was found, and claim no more than stood the test."""
        self.wall = found = await try_wall()
        if found.level is not found.claimed:
            self.cells.lower(found.level, found.why)
            self.environments.lower(found.level, found.why)
            if self.at_work is not None:
                self.at_work.lower(found.level, found.why)
            _log.error("the wall is weaker than it should be: %s", found.why)
        self.ledger.submit(_event("wall.tested", found.to_json(), durable=False))

    async def remind(self) -> None:
        """Tell what skills keep on the clock, until cancelled."""
        made = await asyncio.to_thread(_keeper_class)
        own, skills = self.folders.kept, self.registry.skills
        self.keeper = made(self.ledger, own, skills, clock=self.clock, report=self.report)
        await self.keeper.run()

    async def write_routine(self, *drafts: Draft) -> None:
        """Write what is kept, changed or fired of a routine; it is on disk, and counts, when this returns."""
        for event in await asyncio.wrap_future(self.ledger.submit(*drafts)):
            self.routines.take_in(event)

    async def write_macro(self, draft: Draft) -> None:
        """Write what is kept or changed of a macro; it is on disk, and counts, when this returns."""
        for event in await asyncio.wrap_future(self.ledger.submit(draft)):
            self.macros.take_in(event)

    def owner_key(self, node: str) -> str | None:
        """Return what tells the client or routine at ``node`` from an earlier namesake; None where there is none."""
        is_routine = node.startswith(ROUTINE)
        known = self.routines.get(node.removeprefix(ROUTINE)) if is_routine else self.clients.get(program_of(node))
        return known.key if known is not None else None

    def reminded(self) -> list[dict[str, Any]]:
        """Return what was told last of what skills keep on the clock, the oldest first."""
        return self.keeper.journal.recent() if self.keeper is not None else []

    def cannot_undo(self, runs: Collection[str]) -> None:
        """Take note that nothing is left to take these runs back with, and that their words may be gone."""
        for run in runs:
            self.deeds.pop(run, None)
            with suppress(ValueError):
                self.with_effects.remove(run)  # at one stroke: threads come here, and the loop appends meanwhile

    def half_done(self, language: str) -> dict[str, dict[str, Any]]:
        """Return what stands half way because its disk refuses, by run, in words."""
        home = str(self.folders.home)
        return {one.run: half_done_view(one, home, language) for one in self.transactions.half_done()}

    def report(self, error: BaseException) -> None:
        """Write an unforeseen fault to the log, with its traceback."""
        _log.exception("unforeseen fault", exc_info=error)

    @property
    def serving(self) -> Serving:
        """The MCP servers at work; what that takes is loaded when one is needed."""
        if self.at_work is None:
            self.at_work = self.make_serving(self)
            if self.wall is not None and self.wall.level is not self.wall.claimed:
                self.at_work.lower(self.wall.level, self.wall.why)
        return self.at_work

    @property
    def senses(self) -> Senses:
        """Where the machine is read and heard; loaded when a routine goes by it."""
        if self.machine is None:
            from kernel.system.senses import Senses

            self.machine = Senses()
        return self.machine

    @property
    def environments(self) -> Environments:
        """The Python packages of skills; what that takes is loaded when one has any."""
        if self.built is None:
            self.built = self.make_environments(self)
        return self.built

    def recheck_servers(self) -> None:
        """Rights or skills have changed: no server stays as it is."""
        if self.at_work is not None:
            self.at_work.recheck()

    def note(self, kind: str, body: Mapping[str, Any]) -> None:
        """Write down what happened by itself: no run is waiting for it."""
        self.ledger.submit(_event(kind, dict(body), durable=False))

    def may_stay(self, skill: SkillId, run: str, client: str) -> bool:
        """Tell whether a server may go on seeing what it sees: its run is under way, or it was granted lastingly.

        ``run`` called it last, in the name of ``client`` (empty: of the person); what others have counts for nothing.
        The right to use one of its tools is asked for at each call, and is no power of the server's.
        """
        if run in self.live:
            return True
        around = self._around("", "", os.path.realpath(self.folders.home), client)
        try:
            tools = around.skill(skill).tools
        except SkillError:
            return False
        return any(_stands(tool, around) for tool in tools if not tool.works_at)

    def give_way(self) -> None:
        """Somebody asks for something: nothing is made ahead meanwhile."""
        if self.ahead is not None:
            self.ahead.give_way()

    async def close(self) -> None:
        """End servers and cells, and close the graph and the ledger."""
        if self.ahead is not None:
            await self.ahead.close()
        if self.at_work is not None:
            await self.at_work.close()
        if self.built is not None:
            await self.built.close()
        await self.cells.close()
        await _in_thread(self.recollection.close)
        await _in_thread(self.knowledge.close)
        await _in_thread(self.ledger.close)


def _on_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def _keeper_class() -> type[Keeper]:
    """Return ``Keeper``; in a thread, for what else is being loaded may hold ``one_import`` for long."""
    with one_import:
        from kernel.reminding import Keeper

    return Keeper


def _stands(tool: Tool, around: Circumstances) -> bool:
    """Tell whether what a tool's server sees and reaches is granted beyond any run."""
    needs = [right for right, _ in needs_of(tool, {}, around) if right.action is not Action.SKILL_CALL]
    return all(one.verdict is Verdict.ALLOW for one in rights_now(needs, tool, "", around))


def _granted(grants: Sequence[Grant], run: str | None, lasting: bool) -> list[Draft]:
    """Return one event a grant; many that end with their run anyway are one event that counts them."""
    label = KERNEL_SAID.to_json()
    bodies: list[dict[str, Any]] = [grant.to_json() for grant in grants]
    if not lasting and len(bodies) > bulk.FEW:
        few: dict[str, Any] = {"count": len(bodies), "first": bodies[: bulk.FIRST]}
        return [Draft(kind="grants.given", body=few, run=run, label=label, durable=False)]
    return [Draft(kind="grant.added", body=body, run=run, label=label, durable=lasting) for body in bodies]


def _event(kind: str, body: dict[str, Any], *, durable: bool = True) -> Draft:
    return Draft(kind=kind, body=body, label=KERNEL_SAID.to_json(), durable=durable)


async def _written(ledger: Ledger, *drafts: Draft) -> tuple[Event, ...]:
    return await asyncio.wrap_future(ledger.submit(*drafts))


async def _in_thread(function: Callable[..., Any], *arguments: Any) -> Any:
    return await asyncio.to_thread(function, *arguments)
