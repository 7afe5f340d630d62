"""The house: every part of the kernel, put together once, with the few questions that need several of them."""

from __future__ import annotations

import asyncio
import logging
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from kernel import bulk
from kernel.approval.card import change_view, taken_back
from kernel.authorize import Circumstances
from kernel.config import Folders, Settings
from kernel.context.conversations import Conversations
from kernel.context.mind import Learning
from kernel.context.world import HomeWorld
from kernel.errors import UnknownRun
from memory import Ledger
from memory.model import Draft
from permissions import Cells, Grant, Policy, Transactions, machine_level
from permissions.labels import KERNEL_SAID
from permissions.model import CellSpec, Connection, GrantMode
from skills import Registry, Runner
from skills.model import Call

_log = logging.getLogger("steward.kernel")


@dataclass(slots=True)
class House:
    """The parts. ``policy`` is an immutable value that is replaced, never changed."""

    settings: Settings
    folders: Folders
    ledger: Ledger
    registry: Registry
    cells: Cells
    runner: Runner
    transactions: Transactions
    world: HomeWorld
    learning: Learning
    policy: Policy
    private: tuple[str, ...]
    talk: Conversations
    clock: Callable[[], datetime]
    with_effects: list[str] = field(default_factory=list)

    def circumstances(self, run: str, cwd: str) -> Circumstances:
        """Return what authorizing a plan of ``run``, called from ``cwd``, needs to know."""
        policy = self.policy.in_workspace(os.path.realpath(cwd)) if cwd else self.policy
        return Circumstances(
            tool=self.registry.tool, skill=self.registry.skill, policy=policy, run=run,
            home=os.path.realpath(self.folders.home), now_s=time.time(), resolve=os.path.realpath,
        )  # fmt: skip

    def level(self) -> tuple[str, str]:
        """Return the wall's level on this machine and, below L3, what is missing."""
        level = machine_level()
        return str(level), "" if level == "L3" else "this machine cannot give a skill a file system of its own"

    async def run_call(
        self,
        call: Call,
        spec: CellSpec,
        progress: Callable[[float | None, str], None],
        connected: Callable[[Connection], None],
    ) -> Any:
        """Run one call behind the wall, if its skill is still the one that rights were given to."""
        self.registry.check_unchanged(self.registry.tool(call.tool).skill)
        return await self.runner.run(call, spec, progress, connected)

    async def grant(self, grants: Sequence[Grant], run: str | None) -> None:
        """Write grants to the ledger, then let them count. What outlives a run is on disk when this returns."""
        lasting = any(grant.mode in (GrantMode.ALWAYS, GrantMode.UNTIL) for grant in grants)
        written = self.ledger.submit(*_granted(grants, run, lasting))
        if lasting:
            await asyncio.wrap_future(written)
        self.policy = self.policy.with_grants(grants)

    async def revoke(self, grant_id: str) -> None:
        """Write a revocation to the ledger and take the grant away. Raises UnknownRun when there is none."""
        if all(grant.id != grant_id for grant in self.policy.grants):
            raise UnknownRun("grant.unknown", f"There is no grant {grant_id}.", subject=grant_id,
                             hint="./steward perms lists them.")  # fmt: skip
        await _written(self.ledger, Draft(kind="grant.revoked", body={"id": grant_id}, label=KERNEL_SAID.to_json()))
        self.policy = self.policy.without(grant_id)

    def whole(self, view: dict[str, Any]) -> dict[str, Any]:
        """Return the view of a run with the values and changes that its events only summarise."""

        def changes(run: str, *, back: bool) -> list[dict[str, Any]]:
            found = self.transactions.changes(run)
            return [change_view(taken_back(change) if back else change) for change in found]

        return bulk.whole(view, lambda: self.talk.values(view["run"]), changes)

    def report(self, error: BaseException) -> None:
        """Write an unforeseen fault to the log, with its traceback."""
        _log.exception("unforeseen fault", exc_info=error)

    async def close(self) -> None:
        """End cells and close the ledger."""
        await self.cells.close()
        await _in_thread(self.ledger.close)


def _granted(grants: Sequence[Grant], run: str | None, lasting: bool) -> list[Draft]:
    """Return one event a grant; many that end with their run anyway are one event that counts them."""
    label = KERNEL_SAID.to_json()
    bodies: list[dict[str, Any]] = [grant.to_json() for grant in grants]
    if not lasting and len(bodies) > bulk.FEW:
        few: dict[str, Any] = {"count": len(bodies), "first": bodies[: bulk.FIRST]}
        return [Draft(kind="grants.given", body=few, run=run, label=label, durable=False)]
    return [Draft(kind="grant.added", body=body, run=run, label=label, durable=lasting) for body in bodies]


async def _written(ledger: Ledger, *drafts: Draft) -> None:
    await asyncio.wrap_future(ledger.submit(*drafts))


async def _in_thread(function: Callable[..., Any], *arguments: Any) -> Any:
    return await asyncio.to_thread(function, *arguments)
