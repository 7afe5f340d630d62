"""A look: one call of a tool that only reads, in the name of a routine that waits for what it tells, outside any run.

A calendar or a mail is written by others, so it is read in a cell and never in the daemon, with the rights that the
card of the routine showed and no others.

What this stops: a look with a tool that changes, sends or asks for anything; one with rights of the person's, or of
another routine; one that never ends, and looks without end (``MOST_AN_HOUR``). What it does not: vouch for what it
finds. Its result is nobody's word, and its label says so.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import time
from collections import deque
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from kernel.allotting import Raises
from kernel.authorize import authorize
from kernel.calling import Floor
from kernel.calling.aside import Nothing, no_more, nobody
from kernel.dispatching.perform import Work, perform
from kernel.errors import NotNow, TaskFailed
from kernel.failures import told
from kernel.model import ConversationId, Outcome, Plan, Task, Utterance
from kernel.routines.routine import Routine
from kernel.routines.sayings import say
from memory.model import Draft
from permissions.errors import PermissionsError
from permissions.labels import KERNEL_SAID
from permissions.model import Action, Verdict
from skills.errors import SkillError
from skills.model import EffectClass, Tool

if TYPE_CHECKING:
    from kernel.house import House

MOST_AN_HOUR = 300
LONGEST_S = 30.0
PAUSES_S = (1.0, 15.0)

_ONLY_READ = frozenset({Action.FS_READ, Action.SKILL_CALL})
_BUDGETS = ("budget.reserved", "budget.settled")


def only_reads(tool: Tool) -> bool:
    """Tell whether a look may be made with a tool: it comes to nothing but a value, of files alone."""
    return tool.effect is EffectClass.PURE and all(Action(one.action) in _ONLY_READ for one in tool.rights)


class Looks:
    """The looks of the routines of ``house``. One event loop only."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._made: dict[str, deque[float]] = {}

    async def look(self, routine: Routine, task: Task) -> Outcome:
        """Make the call of ``task`` in the name of ``routine``; once more after each of ``PAUSES_S`` where it fails.

        Raises NotNow where it may not be made, and where it does not succeed.
        """
        self._check(routine, task)
        for pause_s in (*PAUSES_S, None):
            self._count(routine)
            try:
                return await self._made_once(routine, task)
            except (TaskFailed, PermissionsError, SkillError) as error:
                if pause_s is None:
                    raise _refused(routine, "look failed", why=told(error, routine.language)[0]) from error
                await asyncio.sleep(pause_s)
        raise AssertionError("unreachable")

    async def tell(self, routine: Routine, task: Task) -> Outcome:
        """Make the call of ``task`` likewise, and return also what did not succeed: one thing of many cannot be read.

        Raises NotNow where it may not be made.
        """
        self._check(routine, task)
        self._count(routine)
        try:
            return await self._called(routine, task)
        except (TaskFailed, PermissionsError, SkillError) as error:
            return Outcome(task.id, False, error={"message": told(error, routine.language)[0]})

    async def _made_once(self, routine: Routine, task: Task) -> Outcome:
        found = await self._called(routine, task)
        if not found.ok:
            message = str((found.error or {}).get("message", ""))
            raise TaskFailed("routine.look", message, subject=routine.name, de=message)
        return found

    async def _called(self, routine: Routine, task: Task) -> Outcome:
        around = self._house.circumstances("look", routine.cwd, routine.node)
        authorization = authorize(Plan((task,), routine.language), around)
        (rights,) = authorization.tasks
        if authorization.verdict is not Verdict.ALLOW:
            lacks = next(one.right for one in rights.decisions if one.verdict is not Verdict.ALLOW)
            raise _refused(routine, "look rights", right=str(lacks))
        return await perform(Work(task, rights, task.id, {}, {}), self._floor(routine))

    def _check(self, routine: Routine, task: Task) -> None:
        """Raise NotNow where the tool of a look does more than read."""
        if not only_reads(tool := self._house.registry.tool(task.tool)):
            raise _refused(routine, "look changes", tool=tool.id)

    def _count(self, routine: Routine) -> None:
        """Count a look. Raises NotNow where there were too many within an hour."""
        now = time.monotonic()
        made = self._made.setdefault(routine.key, deque(maxlen=MOST_AN_HOUR))
        if len(made) == MOST_AN_HOUR and now - made[0] < 3600:
            raise _refused(routine, "look often", count=str(MOST_AN_HOUR))
        made.append(now)

    def keep(self, keys: Iterable[str]) -> None:
        """Forget the counts of all other routines."""
        for one in self._made.keys() - set(keys):
            del self._made[one]

    def _floor(self, routine: Routine) -> Floor:
        """Where a look is made: no run, nobody to ask, and nothing to be staged."""
        house, now = self._house, self._house.clock()
        home = os.path.realpath(house.folders.home)
        return Floor(
            around=house.circumstances("look", routine.cwd, routine.node), run_call=house.run_call,
            allot=house.allotter("look", routine.cwd, self._say, Raises(), routine.node), more=no_more,
            vouch=nobody, staging=Nothing, say=self._say,
            utterance=Utterance(routine.said, ConversationId(""), routine.cwd, home, now, routine.node),
            private=house.private, timeout_s=min(LONGEST_S, house.settings.task_timeout_s), parallel=1,
            seed=secrets.randbits(48), language=routine.language,
        )  # fmt: skip

    async def _say(self, kind: str, _task: str | None, body: Mapping[str, Any], durable: bool) -> None:
        """Write down what a look takes of a budget, which has to last; the rest of a look is no event."""
        if kind in _BUDGETS:
            self._house.ledger.submit(Draft(kind=kind, body=body, label=KERNEL_SAID.to_json(), durable=durable))


def _refused(routine: Routine, key: str, **values: str) -> NotNow:
    return NotNow("routine.look", say(routine.language, f"broken.{key}", **values), subject=routine.name,
                  hint=f"./steward routines show {routine.name} says what it may look at.")  # fmt: skip
