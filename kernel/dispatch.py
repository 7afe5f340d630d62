"""Dispatch: run the tasks of a plan, each call in its own cell, as soon as what they need is there.

What this stops: a plan that never ends. A call has a deadline, a retry a bound, a list a most; the first failure ends
the rest, and nothing of the user's has changed until commit.
What it does not: decide on rights, which is ``dispatching.perform``'s, or on what is ready: ``dispatching.schedule``'s.

Event-driven: whatever becomes ready begins at once, at most ``parallel`` calls at a time. A condition is decided when
its task is ready; a task whose condition does not hold is skipped with words, and so is what would have taken its
result. A task that is made for each item of a list is one call an item; a call that only reads and fails for one item
leaves that item out and says so, unless it fails for all.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping

from kernel.calling import Floor
from kernel.calling.strength import in_words
from kernel.dispatching.gathering import done_body, gathered, items_of, left_out, not_done, unmade
from kernel.dispatching.holding import held
from kernel.dispatching.perform import Make, Work, ended, flow_around, perform, vouched
from kernel.dispatching.schedule import GATHERED, Node, Schedule
from kernel.errors import TaskFailed
from kernel.failures import told
from kernel.flow import of_many
from kernel.model import Authorization, FromTask, Outcome, Plan, Task, TaskId
from kernel.recovery import Attempts
from permissions.errors import PermissionsError
from permissions.labels import Label
from skills.errors import SkillError
from skills.model import EffectClass

Follow = Callable[[Work, Floor], Awaitable[Outcome]]
"""Does what a model does by the instructions of a skill (``kernel.agents``)."""


async def dispatch(
    plan: Plan, authorization: Authorization, floor: Floor, follow: Follow = perform, make: Make = perform
) -> dict[TaskId, Outcome]:
    """Run ``plan`` and return the outcome of every task that ran. A failed task is an outcome, not an exception."""
    return await _Dispatch(plan, authorization, floor, follow, make).run()


class _Dispatch:
    """One plan under way: what has come of its calls so far."""

    def __init__(self, plan: Plan, authorization: Authorization, floor: Floor, follow: Follow, make: Make) -> None:
        self._floor = floor
        self._follow = follow
        self._make = make
        self._rights = {one.task: one for one in authorization.tasks}
        self._schedule = Schedule(plan, self._rights)
        self._whole: dict[TaskId, Outcome] = {}
        self._items: dict[TaskId, dict[int, Outcome]] = {}
        self._lists: dict[TaskId, list[Outcome]] = {}

    async def run(self) -> dict[TaskId, Outcome]:
        """Run everything that becomes ready until nothing is left or something failed."""
        running: dict[asyncio.Future[Outcome], Node] = {}
        try:
            while True:
                for node in self._schedule.take(max(self._floor.parallel - len(running), 0)):
                    running[asyncio.ensure_future(self._made(node))] = node
                if not running:
                    break
                finished, _ = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
                results = [self._take(running.pop(job), job.result()) for job in finished]
                if not all(results):
                    break
        finally:
            await ended(list(running))
        return self._whole

    def _take(self, node: Node, outcome: Outcome) -> bool:
        """Take in what came of a node; tell whether the plan goes on."""
        task, goes_on = node.task, outcome.ok
        if node.item == GATHERED:
            self._whole[task.id] = outcome
            if goes_on and self._schedule.is_looped(task.id):
                self._lists[task.id] = [] if outcome.skipped else items_of(outcome)
                self._schedule.open(task.id, len(self._lists[task.id]))
        else:
            self._items.setdefault(task.id, {})[node.item] = outcome
            if not outcome.ok and left_out(outcome, self._floor.around.tool(task.tool)):
                goes_on = True
            elif not outcome.ok:
                self._whole[task.id] = outcome
        if goes_on:
            self._schedule.done(node)
        return goes_on

    async def _made(self, node: Node) -> Outcome:
        """Return what comes of a node; every way it can fail is an outcome with a code, a message and a hint."""
        try:
            if node.task.each is not None and node.item == GATHERED:
                return await self._gathered(node.task)
            await self._vouched_for_all(node)
            outcomes = self._seen_by(node)
            skipped = self._skipped(node.task, outcomes)
            if skipped is not None:
                if node.item == GATHERED:
                    await self._floor.say("task.skipped", node.task.id, {"answer": skipped.answer}, False)
                return skipped
            return await self._performed(node, outcomes)
        except (TaskFailed, PermissionsError, SkillError) as error:
            outcome = _failed(node.task, error, self._floor)
        except Exception as error:  # the task edge: an unforeseen fault ends this task, not the daemon
            outcome = _failed(node.task, _fault(node.task, error), self._floor)
        await self._floor.say("task.failed", node.task.id, dict(outcome.error or {}), True)
        return outcome

    async def _vouched_for_all(self, node: Node) -> None:
        """Before the first of many calls that others listed: have a person vouch for how many there are."""
        task = node.task
        if task.each is None or node.item == GATHERED:
            return
        tool = self._floor.around.tool(task.tool)
        listed = self._whole[task.each].label or Label()
        one = of_many(task, tool, len(self._lists[task.each]), listed, flow_around(self._floor))
        await vouched([one] if one is not None else [], self._floor)

    async def _gathered(self, task: Task) -> Outcome:
        made = self._items.get(task.id, {})
        outcome = gathered(task, [made[item] for item in sorted(made)], self._floor.language)
        if outcome.ok:
            await self._say_done(task, outcome)
        else:
            await self._floor.say("task.failed", task.id, dict(outcome.error or {}), True)
        return outcome

    def _seen_by(self, node: Node) -> dict[TaskId, Outcome]:
        """The outcomes that a call is made from: for one item those of that item."""
        task, item = node.task, node.item
        seen = {one: self._whole[one] for one in task.needs() if one in self._whole}
        if item == GATHERED or task.each is None:
            return seen
        own = {one: made[item] for one, made in self._items.items() if one in task.needs() and item in made}
        return {**seen, **own, task.each: self._lists[task.each][item]}

    def _skipped(self, task: Task, outcomes: Mapping[TaskId, Outcome]) -> Outcome | None:
        """What is said of a task that is not made, or None where it is."""
        taken = [value.task for value in task.arguments.values() if isinstance(value, FromTask)]
        for one in [*taken, *(condition.task for condition in task.when)]:
            if not outcomes[one].ok or outcomes[one].skipped:
                return unmade(task.id)
        for condition in task.when:
            found = held(condition, outcomes)
            if not found.holds:
                return not_done(task, condition, found, self._floor)
        return None

    async def _performed(self, node: Node, outcomes: Mapping[TaskId, Outcome]) -> Outcome:
        """Make a call, again where the ladder allows it (``kernel.recovery``)."""
        task, floor = node.task, self._floor
        tool = floor.around.tool(task.tool)
        labels = {one.text or one.task: outcomes[one.task].label or Label() for one in task.when}
        attempts = Attempts(tool, floor)
        while True:
            work = Work(task, self._rights[task.id], node.name, outcomes, labels, attempts.next())
            try:
                outcome = await (self._follow if tool.followed else self._make)(work, floor)
            except (TaskFailed, PermissionsError, SkillError) as error:
                outcome = _failed(task, error, floor)
            if outcome.ok or not await attempts.again(node.name, task.id, outcome.error or {}):
                break
        if outcome.ok and self._schedule.is_looped(task.id):
            items_of(outcome)  # too many of them end the plan here
        if outcome.ok and node.item == GATHERED:
            await self._say_done(task, outcome)
        elif not outcome.ok and (node.item == GATHERED or not left_out(outcome, tool)):
            await floor.say("task.failed", task.id, dict(outcome.error or {}), True)
        return outcome

    async def _say_done(self, task: Task, outcome: Outcome) -> None:
        once = self._floor.around.tool(task.tool).effect is EffectClass.ONCE  # anything else is only staged so far
        await self._floor.say("task.done", task.id, done_body(outcome), once)


def _failed(task: Task, error: TaskFailed | PermissionsError | SkillError, floor: Floor) -> Outcome:
    message, hint = told(in_words(error, task.tool, floor.around), floor.language)
    retry = {"retryable": "yes"} if error.retryable else {}
    return Outcome(task.id, False, error={"code": error.code, "message": message, "hint": hint, **retry})


def _fault(task: Task, error: Exception) -> TaskFailed:
    what = f"{type(error).__name__}: {error}"
    return TaskFailed("task.fault", f"The task {task.tool} stopped on an internal fault: {what}", subject=task.id,
                      hint="./steward doctor", de=f"Die Aufgabe {task.tool} brach mit einem inneren Fehler ab: {what}",
                      de_hint="./steward doctor")  # fmt: skip
