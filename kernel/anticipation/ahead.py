"""Ahead: the first steps of what is offered, made while nobody asks for anything, and used if they are asked for.

What this stops: a call that changes, asks, or uses a right that was not there; a result that is used though anything it
may have read is another by then, or the day, the code, the arguments or the rights are; work that holds up a request,
drains a battery, or goes on without end. A result is never shown by itself: only the same call, asked for by the
person and decided like any other, is given it.
What it does not: see the system's own files change (a library, a font), which no call is told of.
"""

from __future__ import annotations

import asyncio
import secrets
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from kernel.allotting import Raises
from kernel.anticipation.hour import Hour
from kernel.anticipation.model import Offer
from kernel.anticipation.shelf import KEPT_S, MOST_BYTES_OF_ONE, Kept, Made, Shelf, ended, key_of
from kernel.anticipation.steps import steps_of
from kernel.authorize import authorize
from kernel.calling import Floor
from kernel.calling.aside import Nothing, no_more, nobody
from kernel.dispatching.perform import Work, perform
from kernel.errors import TaskFailed
from kernel.model import ConversationId, Plan, Say, Task, Utterance
from permissions.errors import PermissionsError
from permissions.model import CellSpec, Verdict
from permissions.policy import path_of
from permissions.transactions import fingerprint
from skills.errors import SkillError
from skills.model import Call, Holds

if TYPE_CHECKING:
    from kernel.calling.floor import RunCall
    from kernel.house import House

IDLE_S = 1.5
"""So long nobody has asked for anything before one is made."""

LONGEST_S, MOST_CPU_S = 30.0, 20.0
"""One call may take so much, and never more than the hour has left."""

LEAST_SPARE = 512 << 20
_WORTH = 2.0
"""A result is kept where making it took so many times as long as telling whether it is still true."""

_MOST_USELESS = 500
_RUN = "ahead"
_SAID = {"en": "made beforehand", "de": "schon vorher gemacht"}

Look = Callable[..., str | None]


class Ahead:
    """What is made ahead for one person. Its methods belong to one event loop."""

    def __init__(self, house: House, look: Look = fingerprint, idle_s: float = IDLE_S) -> None:
        self._house = house
        self._look = look
        self._idle_s = idle_s
        self._shelf = Shelf()
        self._hour = Hour()
        self._useless: set[str] = set()
        self._jobs: set[asyncio.Task[None]] = set()
        self._old: asyncio.TimerHandle | None = None

    # --- making -------------------------------------------------------------------------------------------------

    def offered(self, offers: Sequence[Offer]) -> None:
        """Make the first steps of what these offer, when nobody asks for anything else."""
        self.give_way()
        if offers and self.left_s() > 0:
            job = asyncio.create_task(self._make(offers))
            self._jobs.add(job)
            job.add_done_callback(self._jobs.discard)

    def give_way(self) -> None:
        """Somebody asks for something: end what is being made."""
        for job in self._jobs:
            if not job.cancelling():  # one that ends already would leave its cell behind
                job.cancel()

    async def idle(self) -> None:
        """Wait until nothing is being made any more."""
        while self._jobs:
            await asyncio.wait(self._jobs)

    async def _make(self, offers: Sequence[Offer]) -> None:
        try:
            await asyncio.sleep(self._idle_s)
            for offer in offers:
                for plan, task in await asyncio.to_thread(steps_of, self._house, offer):
                    if not await asyncio.to_thread(self._may_go_on):
                        return
                    await self._make_one(offer, plan, task)
        except Exception as error:  # the task edge: nobody waits for it
            self._house.report(error)

    def _may_go_on(self) -> bool:
        """Tell whether this is a time for it: nobody asks, there is mains, memory, and something left of the hour."""
        house = self._house
        if house.live or self.left_s() <= 0 or house.senses.power().plugged is False:
            return False
        return house.spare_bytes() >= LEAST_SPARE

    async def _make_one(self, offer: Offer, plan: Plan, task: Task) -> None:
        house = self._house
        tool = house.registry.tool(task.tool)
        authorization = authorize(Plan((task,), plan.language), house.circumstances(_RUN, ""))
        if authorization.verdict is not Verdict.ALLOW or self._is_counted(tool.skill, tool.id):
            return
        one = Made(tool.id, offer.key, offer.source, house.clock().isoformat())
        found: dict[str, Kept] = {}
        began = time.monotonic()
        try:
            await perform(Work(task, authorization.tasks[0], task.id, {}, {}), self._floor(plan, one, found))
        except (TaskFailed, PermissionsError, SkillError) as error:
            if error.code == _KNOWN:
                return
            ended(one, error.code.removeprefix(_AHEAD))
        except asyncio.CancelledError:
            ended(one, "asked")
            raise
        else:
            self._keep(found)
        finally:
            if one.state != "made":
                self._count(one, time.monotonic() - began)

    def _keep(self, found: Mapping[str, Kept]) -> None:
        for key, kept in found.items():
            self._shelf.put(key, kept)
        self._wait_until_old()

    def _wait_until_old(self) -> None:
        if self._old is None and (until_s := self._shelf.until_s()) is not None:
            self._old = asyncio.get_running_loop().call_later(until_s - time.monotonic(), self._let_go)

    def _is_counted(self, skill: str, tool: str) -> bool:
        """Tell whether a person has bounded what calls of a tool may take in total: none of that is spent unasked."""
        return self._house.accounts.budgets.room(path_of(skill, tool), "wall") is not None

    def _count(self, one: Made, took_s: float) -> None:
        one.cpu_s = one.cpu_s or took_s  # of what was cut short nobody tells
        self._hour.spend(one.cpu_s, time.monotonic())
        self._shelf.told.append(one)
        body = {"offer": one.offer, "tool": one.tool, "state": one.state, "why": one.ended,
                "cpu_s": round(one.cpu_s, 3), "wall_s": round(one.wall_s, 3), "size_bytes": one.size_bytes}  # fmt: skip
        self._house.note("ahead.made", body)

    def left_s(self) -> float:
        """Return the processor seconds that are left of the hour."""
        return self._hour.left_s(self._house.settings.ahead_cpu_s, time.monotonic())

    def _floor(self, plan: Plan, one: Made, found: dict[str, Kept]) -> Floor:
        """Where a call is made ahead: no run, nobody to ask, and nothing to be staged."""
        house, home = self._house, str(self._house.folders.home)

        async def run_call(call: Call, spec: CellSpec, *_: Any) -> Any:
            key, kept = await self._made(one, call, spec)
            found[key] = kept
            return kept.ran

        return Floor(
            around=house.circumstances(_RUN, ""), run_call=run_call,
            allot=house.allotter(_RUN, "", _silent, Raises()), more=no_more, vouch=nobody, staging=Nothing,
            say=_silent, utterance=Utterance("", ConversationId(""), home, home, house.clock()), private=house.private,
            timeout_s=min(LONGEST_S, house.settings.task_timeout_s), parallel=1, seed=secrets.randbits(48),
            language=plan.language,
        )  # fmt: skip

    async def _made(self, one: Made, call: Call, spec: CellSpec) -> tuple[str, Kept]:
        """Make a call in the background; return its key and what it returned, if that can be told to be true later."""
        key = self._key(call, spec)
        if key in self._shelf.kept or key in self._useless:
            raise _no("known", call)
        before, look_s = await self._print(call, spec)
        if before is None:
            raise self._never(key, "not known", call)
        most = max(1, round(min(MOST_CPU_S, self.left_s(), spec.limits.cpu_s)))
        limits = replace(spec.limits, cpu_s=most)
        quiet = replace(spec, in_background=True, limits=limits)
        ran = await self._house.run_call(call, quiet, lambda *_: None, lambda _: None)
        one.cpu_s, one.wall_s, one.size_bytes = ran.cell.cpu_s, ran.cell.wall_s, len(ran.cell.reply or b"")
        after, _ = await self._print(call, spec)
        if ran.result.error or ran.result.effects:
            raise self._never(key, "failed", call)
        if ran.result.holds is Holds.MOMENT:
            raise self._never(key, "goes by the time", call)
        if one.size_bytes > MOST_BYTES_OF_ONE:
            raise self._never(key, "large", call)
        if ran.cell.wall_s < _WORTH * look_s:
            raise self._never(key, "quick", call)
        if after != before:
            raise _no("changed", call)
        until_s = time.monotonic() + KEPT_S
        bare = replace(ran, cell=replace(ran.cell, reply=None))
        return key, Kept(bare, before, call.now[:10], until_s, one)

    def _never(self, key: str, why: str, call: Call) -> TaskFailed:
        """Note that a call is not worth it."""
        if len(self._useless) >= _MOST_USELESS:
            self._useless.clear()
        self._useless.add(key)
        return _no(why, call)

    # --- using --------------------------------------------------------------------------------------------------

    def over(self, run_call: RunCall, say: Say, language: str) -> RunCall:
        """Return ``run_call``, but for a call that was made ahead: there what it returned, if that is still true."""

        async def made(call: Call, spec: CellSpec, progress: Any, connected: Any, answer: Any = None) -> Any:
            began = time.monotonic()
            kept = await self._still_true(call, spec)
            if kept is None:
                return await run_call(call, spec, progress, connected, answer)
            took_s = time.monotonic() - began
            body = {"tool": call.tool, "offer": kept.made.offer, "made_at": kept.made.at,
                    "saved_ms": round((kept.made.wall_s - took_s) * 1000)}  # fmt: skip
            await say("task.ahead", None, body, False)
            progress(1.0, _SAID.get(language, _SAID["en"]))
            return replace(kept.ran, cell=replace(kept.ran.cell, wall_s=took_s, cpu_s=0.0))

        return made

    async def _still_true(self, call: Call, spec: CellSpec) -> Kept | None:
        """Take what was kept of this very call, and return it where nothing that it depends on is another."""
        if not self._shelf.kept:
            return None
        kept = self._shelf.take(self._key(call, spec), time.monotonic())
        if kept is None:
            return None
        if not kept.holds_on(call.now[:10]):
            ended(kept.made, "another day")
            return None
        await asyncio.to_thread(self._house.registry.check_unchanged, self._house.registry.tool(call.tool).skill)
        now, _ = await self._print(call, spec)
        if now != kept.fingerprint:
            ended(kept.made, "changed")
            return None
        kept.made.state = "used"
        return kept

    def _key(self, call: Call, spec: CellSpec) -> str:
        skill = self._house.registry.skill(self._house.registry.tool(call.tool).skill)
        return key_of(call, spec, skill.hash, self._house.level()[0])

    async def _print(self, call: Call, spec: CellSpec) -> tuple[str | None, float]:
        """Return the fingerprint of all that a call is shown but its own code, and how long that took in seconds."""
        places = [path for path in spec.read_paths if path != call.folder]
        given_up = threading.Event()
        began = time.monotonic()
        try:
            found = await asyncio.to_thread(self._look, places, spec.hidden_paths, ended=given_up.is_set)
            return found, time.monotonic() - began
        finally:
            given_up.set()

    # --- letting go ---------------------------------------------------------------------------------------------

    def _let_go(self) -> None:
        self._old = None
        self._shelf.expire(time.monotonic())
        self._wait_until_old()

    def forget(self) -> None:
        """Throw away what is kept, and end what is being made: something was forgotten."""
        self.give_way()
        self._shelf.clear("forgotten")

    def forget_of(self, source: str) -> None:
        """Throw away what was made for offers of a source, and end what is being made: it may be for one of them."""
        self.give_way()
        for key in [key for key, one in self._shelf.kept.items() if one.made.source == source]:
            self._shelf.drop(key, "turned off")

    def to_json(self) -> dict[str, Any]:
        """Return what was made ahead lately, what came of it, and what is left of the hour."""
        self._shelf.expire(time.monotonic())
        of_one = self._house.settings.ahead_cpu_s
        return {"ahead": self._shelf.to_json(), "cpu_s": of_one, "cpu_left_s": round(self.left_s(), 3)}

    async def close(self) -> None:
        """End everything."""
        self.forget()
        if self._old is not None:
            self._old.cancel()
        await self.idle()


_AHEAD = "ahead."
_KNOWN = f"{_AHEAD}known"


def _no(why: str, call: Call) -> TaskFailed:
    """Return what ends a call that is not made, or not kept; nobody is told but the record of what was made ahead."""
    return TaskFailed(f"{_AHEAD}{why}", why, subject=call.tool)


async def _silent(_kind: str, _task: str | None, _body: Mapping[str, Any], _durable: bool) -> None:
    """A call that nobody asked for writes no event of its own; that it was made is one (``ahead.made``)."""
