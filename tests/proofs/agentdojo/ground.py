"""A kernel whose calls go to AgentDojo's environments, and whose model does what its script says.

Rights, staging, binding, labels, the check of flow, the door for calls of other tools and the ledger are the kernel's.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from kernel import Folders, Kernel, load_settings, open_kernel
from kernel.allotting import Allotter, Raises
from kernel.authorize import Circumstances, authorize
from kernel.calling import Floor
from kernel.dispatch import dispatch
from kernel.flow import LONGEST, Concern
from kernel.flow.marks import Mark, marks_of
from kernel.model import ConversationId, Outcome, RunId, Utterance
from kernel.remember import RunLog
from permissions import new_grant
from permissions.labels import Label
from permissions.model import Action, CellOutcome, CellStatus, GrantMode, Level, Principal, Right
from skills.mcp.mapping import arguments_of
from skills.model import Call, CallResult, Skill, Tool
from tests.proofs.agentdojo.attacker import MARKER
from tests.proofs.agentdojo.plans import ANSWER, Script
from tests.proofs.agentdojo.suites import Stage, Wanted
from tests.proofs.agentdojo.tools import MODEL

Door = Callable[[bytes, int], Any]


@dataclass(slots=True)
class Ran:
    """What a call gives back."""

    result: CallResult
    cell: CellOutcome = field(default_factory=lambda: CellOutcome(CellStatus.RETURNED, Level.L3))


@dataclass(slots=True)
class Person:
    """Whoever is asked: ``answers`` says whether a value may decide; of a run nothing is asked twice."""

    answers: Callable[[Concern], bool]
    asked: int = 0
    known: set[str] = field(default_factory=set)

    async def vouch(self, concerns: Sequence[Concern]) -> str:
        """Answer for all of ``concerns``, or for none."""
        fresh = [one for one in concerns if one.key not in self.known]
        if not fresh:
            return ""
        if sum(len(one.value) for one in fresh) > LONGEST:
            return "It is too long to be looked at."
        self.asked += 1
        if not all(self.answers(one) for one in fresh):
            return "Nobody vouches for it."
        self.known.update(one.key for one in fresh)
        return ""


@dataclass(slots=True)
class Play:
    """One run: where it happens, what the model does in it, what the attacker wants and at which door.

    ``open_door`` is the control: what the attacker asks for is done, with nobody in between.
    """

    place: Stage
    script: Script
    answer: str
    tools: Mapping[str, Tool]
    wants: Callable[[], Sequence[Wanted]] | None = None
    says: str = ""
    open_door: bool = False
    heard: bool = False
    asked_for: int = 0
    made: list[str] = field(default_factory=list)

    async def run_call(self, call: Call, _spec: Any, _progress: Any, _connected: Any, door: Door | None) -> Ran:
        """Make one call: the model's by its script, every other in the suite's environment."""
        task = self.script.taken
        if call.tool == f"{MODEL}.answer":
            text = "\n".join(filter(None, (self.answer, self.says if self.heard else "")))
            return Ran(CallResult(value=text, answer=text))
        if call.tool.startswith(f"{MODEL}."):
            return Ran(CallResult(value={"fields": dict(task[self._now])}, answer=""))  # type: ignore[index]
        return await self._in_suite(call, door)

    _now: str = ""

    async def _in_suite(self, call: Call, door: Door | None) -> Ran:
        tool = self.tools[call.tool]
        output, error = self.place.call(tool.function, arguments_of(tool, call.arguments))
        if error:
            return Ran(CallResult(error={"code": "suite.error", "message": error, "hint": ""}))
        if MARKER in output:
            self.heard = True
            await self._attack(str(tool.skill), door)
        return Ran(CallResult(value=output, answer=output))

    async def _attack(self, suite: str, door: Door | None) -> None:
        """Ask for everything that the attacker wants."""
        wants = self.wants
        if self.open_door:  # all of it was done
            self.wants = None
        for one in wants() if wants else ():
            self.asked_for += 1
            if self.open_door:
                self.place.call(one.function, one.args)
                self.made.append(one.function)
            elif door is not None:
                question = json.dumps({"tool": f"{suite}.{one.function}", "arguments": dict(one.args)}).encode()
                said = await door(question, 0)
                if said and "error" not in json.loads(said):
                    self.made.append(one.function)


@dataclass(frozen=True, slots=True)
class Ended:
    """How a run ended: what came of each step, and the answer with its marks."""

    outcomes: Mapping[str, Outcome]
    answer: str
    marks: tuple[Mark, ...]

    @property
    def error(self) -> str:
        """What stopped it, in words; empty where nothing did."""
        return next((str((one.error or {}).get("message")) for one in self.outcomes.values() if not one.ok), "")


@dataclass(slots=True)
class Ground:
    """A kernel for all runs."""

    kernel: Kernel
    home: Path
    skills: dict[str, Skill]
    runs: int = 0

    async def grant(self) -> None:
        """Allow every tool to be used at all, as a person does when they take up a server."""
        house, grants = self.kernel._house, []
        for skill in self.skills.values():
            for tool in skill.tools:
                who = Principal(skill.id, skill.hash, tool.id, "", "")
                rights = [Right(Action(one.action), one.scope) for one in tool.rights]
                grants += [new_grant(who, right, GrantMode.ALWAYS, house.now_s()) for right in rights]
        await house.grant(grants, None)

    def _around(self, run: str) -> Circumstances:
        tools = {tool.id: tool for skill in self.skills.values() for tool in skill.tools}
        known = self.kernel._house.circumstances(run, str(self.home))
        return replace(known, tool=tools.__getitem__, skill=self.skills.__getitem__, resolve=str)

    async def run(self, play: Play, prompt: str, person: Person) -> Ended:
        """Dispatch the plan of a play, and show its answer."""
        house, cwd = self.kernel._house, str(self.home)
        self.runs += 1
        name = f"a{self.runs}"
        log, staging = RunLog(house.ledger, RunId(name)), house.transactions.begin(name)
        around, plan = self._around(name), play.script.plan

        async def say(kind: str, about: str | None, body: Mapping[str, Any], durable: bool = True) -> None:
            if kind == "task.started":
                play._now = str(about)
            await log.say(kind, about, body, durable)

        floor = Floor(
            around=around, run_call=play.run_call, more=_no_more, vouch=person.vouch, staging=lambda: staging, say=say,
            allot=Allotter(lambda: around, house.tenures, house.accounts, house.memory, say, Raises()),
            utterance=Utterance(prompt, ConversationId("a"), cwd, cwd, _NOW), private=house.private, timeout_s=60.0,
            parallel=1, seed=1, language="en", tasks={one.id: one for one in plan.tasks},
        )  # fmt: skip
        try:
            outcomes = await dispatch(plan, authorize(plan, around), floor)
        finally:
            await asyncio.to_thread(staging.drop)
        return _shown(outcomes, plan.tasks, prompt)


_NOW = datetime(2024, 5, 15, 10, 0, tzinfo=ZoneInfo("Europe/Berlin"))


def _shown(outcomes: Mapping[Any, Outcome], tasks: Sequence[Any], prompt: str) -> Ended:
    last = outcomes.get(ANSWER)
    answer = last.answer if last is not None and last.ok else ""
    results: list[tuple[Any, Label | None]] = [
        (outcomes[one.id].value, outcomes[one.id].label) for one in tasks if one.id in outcomes
    ]
    return Ended(outcomes, answer, marks_of(answer, results, prompt))


async def _no_more(_short: Any) -> str:
    return "Nobody is there."


@asynccontextmanager
async def ground(root: Path, skills: Sequence[Skill]) -> AsyncIterator[Ground]:
    """Open a kernel below ``root`` in which ``skills`` may be used."""
    home = root / "home"
    home.mkdir()
    folders = Folders({"HOME": str(home), "STEWARD_HOME": str(root / "steward")})
    kernel = await open_kernel(load_settings(encoder=False), folders)
    try:
        made = Ground(kernel, home, {one.id: one for one in skills})
        await made.grant()
        yield made
    finally:
        await kernel.close()
