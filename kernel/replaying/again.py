"""Calls that only read, made once more in their cells: what they give now beside what they gave then, by its digest.

What this stops: a call being made once more that does anything but read: one with an effect, of a server, of a model,
in a folder of its own, with a program, or that may call another tool or reach a host; one that nobody has allowed
today; one whose use a person has bounded. Nothing is staged, nobody is asked, and what it gives is only compared.
What it does not: bring back what the call read then.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from kernel.allotting import Raises
from kernel.authorize import authorize
from kernel.calling import Floor
from kernel.calling.aside import Nothing, no_more, nobody
from kernel.dispatching.perform import Work, perform
from kernel.errors import TaskFailed
from kernel.failures import told
from kernel.house import House
from kernel.model import Outcome, Plan, Utterance
from kernel.receiving import new_run_id
from kernel.replaying.calls import Calls, digest_of
from permissions.errors import PermissionsError
from permissions.model import Action, Verdict
from permissions.policy import path_of
from skills.errors import SkillError
from skills.model import EffectClass, Tool


@dataclass(frozen=True, slots=True)
class Found:
    """What a call gave when it was made once more, by its digest; or the key of why it was not, with its ``error``."""

    then: str
    now: str = ""
    why: str = ""
    error: str = ""


@dataclass(slots=True)
class Again:
    """The calls of one plan that are made once more, in the ``house`` of today. ``found`` is by their names."""

    house: House
    plan: Plan
    said: Utterance
    seed: int
    found: dict[str, Found] = field(default_factory=dict)

    async def make(self, calls: Calls, work: Work, floor: Floor) -> Outcome:
        """Make the call of ``work`` once more, if that may be, and return what it came to then."""
        then = await calls.make(work, floor)
        if then.ok and not then.skipped:
            self.found[work.name] = await self._once_more(work, then)
        return then

    async def _once_more(self, work: Work, then: Outcome) -> Found:
        digest = digest_of(then.value)
        tool = self.house.registry.tool(work.task.tool)
        if not only_reads(tool):
            return Found(digest, why="not again")
        if self.house.accounts.budgets.room(path_of(tool.skill, tool.id, self.said.client), "wall") is not None:
            return Found(digest, why="counted")
        run = new_run_id()
        around = self.house.circumstances(run, self.said.cwd, self.said.client)
        rights = next(one for one in authorize(self.plan, around).tasks if one.task == work.task.id)
        if any(decision.verdict is not Verdict.ALLOW for decision in rights.decisions):
            return Found(digest, why="right")
        try:
            made = await perform(Work(work.task, rights, work.name, work.outcomes, {}), self._floor(run))
        except (TaskFailed, PermissionsError, SkillError) as error:
            return Found(digest, why="fails", error=told(error, self.plan.language)[0])
        if not made.ok:
            return Found(digest, why="fails", error=str((made.error or {}).get("message", "")))
        return Found(digest, digest_of(made.value))

    def _floor(self, run: str) -> Floor:
        """Where they are made: no run, nobody to ask, nothing staged, and the clock of then."""
        house, said = self.house, self.said
        return Floor(
            around=house.circumstances(run, said.cwd, said.client),
            run_call=partial(house.run_call, run=run, client=said.client, noted=False),
            allot=house.allotter(run, said.cwd, _silent, Raises(), said.client), more=no_more, vouch=nobody,
            staging=Nothing, say=_silent, utterance=said, private=house.private,
            timeout_s=house.settings.task_timeout_s, parallel=1, seed=self.seed, language=self.plan.language,
        )  # fmt: skip


def only_reads(tool: Tool) -> bool:
    """Tell whether a call of ``tool`` does nothing but read files that it is shown."""
    alone = not (tool.served or tool.followed or tool.runs_programs or tool.works_in or tool.works_at)
    return tool.effect is EffectClass.PURE and alone and all(one.action == Action.FS_READ for one in tool.rights)


async def _silent(_kind: str, _task: str | None, _body: Mapping[str, Any], _durable: bool = True) -> None:
    """Write nothing down."""
