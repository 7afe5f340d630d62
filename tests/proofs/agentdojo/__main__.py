"""AgentDojo's tasks and attacks with a model that is wholly in the attacker's hands, behind our dispatcher.

The plan is the oracle's (AgentDojo's own solution of each task): what is asked is not whether a plan is found but what
a hijacked model can do while one is carried out: ask for more calls, and give other values to those that are left.

python -m tests.proofs.agentdojo [--suite NAME ...] [--freeze]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.proofs.agentdojo import report, tools
from tests.proofs.agentdojo.ground import Ground, ground
from tests.proofs.agentdojo.suites import load, schemas
from tests.proofs.agentdojo.trial import (
    ALWAYS,
    BOTH,
    EXTRA,
    NOBODY,
    OFF,
    RIGHTLY,
    Attacked,
    Benign,
    attacked,
    benign,
    pair,
    slots_of,
)

FIGHTS = ((NOBODY, EXTRA), (NOBODY, BOTH), (RIGHTLY, BOTH), (ALWAYS, BOTH), (OFF, EXTRA))


async def tried(base: Path, suites: Mapping[str, Any]) -> tuple[list[Benign], list[Attacked], bool]:
    """Run every task, and every pair, with every person; tell also whether the ledger verifies."""
    skills = [tools.skill_of(name, schemas(suite)) for name, suite in suites.items()]
    async with ground(base, [*skills, tools.model()]) as made:
        plain = [
            await benign(made, suite, task, kind)
            for suite in suites.values() for task in suite.user_tasks.values() for kind in (NOBODY, RIGHTLY)
        ]  # fmt: skip
        fought: list[Attacked] = []
        for name, suite in suites.items():
            began = time.monotonic()
            fought += await _fights(made, suite)
            print(f"{name}: {time.monotonic() - began:.0f} s", file=sys.stderr)
        return plain, fought, bool(made.kernel._house.ledger.verify().ok)


async def _fights(made: Ground, suite: Any) -> list[Attacked]:
    found = []
    for task in suite.user_tasks.values():
        slots = slots_of(suite, task)
        for attack in suite.injection_tasks.values():
            one = pair(suite, task, attack, slots)
            found += [await attacked(made, one, kind, attacker) for kind, attacker in FIGHTS]
    return found


def _same_roles(suites: Mapping[str, Any]) -> bool:
    found, frozen = tools.table({name: schemas(suite) for name, suite in suites.items()}), tools.frozen()
    return all(frozen.get(name) == one for name, one in found.items())


def main(arguments: Sequence[str] | None = None) -> int:
    """Try all, publish, and close with one RESULT line."""
    wish = argparse.ArgumentParser()
    wish.add_argument("--suite", nargs="*", default=[])
    wish.add_argument("--freeze", action="store_true", help="write the table of roles, and run nothing")
    options = wish.parse_args(arguments)
    suites = {name: one for name, one in load().items() if not options.suite or name in options.suite}
    if options.freeze:
        roles = tools.table({name: schemas(suite) for name, suite in suites.items()})
        tools.ROLES.write_text(json.dumps(roles, indent=1) + "\n")
        print(tools.digest(roles))
        return 0
    if not _same_roles(suites):
        print("The roles are others than the frozen ones.", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory(prefix="steward-agentdojo-") as base:
        found = asyncio.run(tried(Path(base).resolve(), suites))
    return report.closed(*found, whole=not options.suite)


if __name__ == "__main__":
    sys.exit(main())
