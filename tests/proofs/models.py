"""A server for models that does everything wrong, and a real kernel that asks it.

Each behaviour of ``tests/kernel/models/behaviours.py`` is met by a whole kernel: its own folders, ledger, vault, grants
and budget, a run that asks. After each: it ended in time with what it should, the connection is closed, the budget is
right after what was settled, the ledger verifies and holds neither the key nor a reservation that nobody settled.

python -m tests.proofs.models
"""

from __future__ import annotations

import asyncio
import resource
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kernel import Ask, Folders, Kernel, load_settings, open_kernel
from kernel.errors import ModelFailed
from kernel.models import Message, Prompt, Role
from kernel.models.asking import load_wire
from kernel.models.breaker import Breakers
from tests.benchmarks.machine import publish, result
from tests.kernel.models.acts import says
from tests.kernel.models.behaviours import BEHAVIOURS, PLANS, Behaviour
from tests.kernel.models.server import SCHEMA, VALUE, Server, serving

DEADLINE_S = 15.0
HANGING_S = 1.0
GRACE_S = 1.0
KEY = "sk-canary-e91f03bb"
BUDGET = 1_000_000
MOST_BYTES = 64 << 20
NODE = "root/user/workspace/models/scripted"
PROMPT = Prompt((Message("user", "velm or trosk?"),), SCHEMA, most_tokens=200)
PLAN = Prompt((Message("user", "Plan it."),), {"type": "object", "required": ["tasks"]}, most_tokens=200_000)


@dataclass(slots=True)
class Finding:
    """What came of one behaviour."""

    name: str
    expected: str
    code: str
    wall_s: float
    tokens: int
    grown_bytes: int
    flaws: list[str] = field(default_factory=list)


async def met(kernel: Kernel, name: str, behaviour: Behaviour, prompt: Prompt = PROMPT) -> Finding:
    """Let the kernel ask a server that behaves so, and look."""
    house, desk = kernel._house, kernel.rooms.models
    async with serving(behaviour.act) as server:
        said = {"url": server.url, "model": "m", "way": behaviour.way, "context_tokens": 1_000_000}
        await desk.set("scripted", said, KEY)
        await desk.use("planner", ["scripted"])
        await kernel.rights.limit("models.scripted", "tokens", str(BUDGET), total=True)
        house.models.line().breakers = Breakers()  # each behaviour by itself: no rest between
        run = await kernel._receiving.created(Ask("what is new?"), "")
        before, began = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.monotonic()
        deadline_s = HANGING_S if behaviour.code == "model.timeout" else DEADLINE_S
        code, value, words = "", None, ""
        try:
            value = (await house.models.ask(Role.PLANNER, prompt, run, deadline_s=deadline_s)).value
        except ModelFailed as error:
            code, words = error.code, f"{error} {error.hint} {error.de} {error.de_hint}"
        except Exception as error:  # a crash is what is looked for
            code = f"crashed: {type(error).__name__}"
        wall_s = time.monotonic() - began
        grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) << 10
        await house.refused({"what": "nothing"})  # a durable event: what was said before is written
        finding = Finding(name, behaviour.code, code, wall_s, 0, grown)
        finding.flaws = [*_flaws_of(finding, value, words, prompt, deadline_s), *await _left_open(server)]
    finding.flaws += _flaws_in_ledger(kernel, run.id, finding)
    return finding


def _flaws_of(finding: Finding, value: Any, words: str, prompt: Prompt, deadline_s: float) -> list[str]:
    flaws = []
    if finding.code != finding.expected:
        flaws.append(f"ended with {finding.code or 'an answer'}")
    if prompt is PROMPT and not finding.code and value != VALUE:
        flaws.append("the answer is another one")
    if finding.wall_s > deadline_s + GRACE_S:
        flaws.append("past its deadline")
    if finding.grown_bytes > MOST_BYTES:
        flaws.append(f"took {finding.grown_bytes >> 20} MiB")
    if KEY in words:
        flaws.append("an error says the key")
    return flaws


async def _left_open(server: Server) -> list[str]:
    for _ in range(100):
        if server.open == 0:
            return []
        await asyncio.sleep(0.02)
    return ["a connection is left open"]


def _flaws_in_ledger(kernel: Kernel, run: str, finding: Finding) -> list[str]:
    """Return what the ledger and the budget of a run lack."""
    house, flaws = kernel._house, []
    events = list(house.ledger.events(run=run))
    kinds = [event.kind for event in events if event.kind.startswith(("model.", "budget."))]
    if kinds != ["budget.reserved", "model.asked", "budget.settled", "model.replied"]:
        flaws.append(f"the ledger has {kinds}")
    finding.tokens = sum(
        event.body["used"]["tokens"] for event in events if event.kind == "budget.settled" and event.body
    )
    if house.accounts.budgets.reserved or house.accounts.budgets.left(NODE, "tokens") != BUDGET - finding.tokens:
        flaws.append("the budget is not what was settled")
    if KEY in str([event.body for event in house.ledger.events()]):
        flaws.append("the ledger has the key")
    return flaws


async def sweep(root: Path) -> list[Finding]:
    """Meet every behaviour, and every reply that is no plan."""
    (root / "home").mkdir()
    folders = Folders({"HOME": str(root / "home"), "STEWARD_HOME": str(root / "steward")})
    kernel = await open_kernel(load_settings(encoder=False), folders)
    await asyncio.to_thread(load_wire)
    findings = [await met(kernel, name, behaviour) for name, behaviour in BEHAVIOURS.items()]
    findings += [await met(kernel, name, Behaviour(says(text)), PLAN) for name, text in PLANS.items()]
    if not kernel._house.ledger.verify().ok:
        findings[-1].flaws.append("the ledger does not verify")
    await kernel.close()
    return findings


def control() -> list[str]:
    """Show that the checks can fail: a finding that is late, wrong and talkative is found to be so."""
    bad = Finding("control", "", "model.none", DEADLINE_S + 2 * GRACE_S, 0, MOST_BYTES + 1)
    found = _flaws_of(bad, None, KEY, PROMPT, DEADLINE_S)
    return [] if len(found) == 4 else ["the control was not found out"]


def report(findings: Sequence[Finding]) -> list[str]:
    """Return the page."""
    about = " ".join((__doc__ or "").split("\n\n")[1].split())
    rows = [about, "", "| the server | what came of it | s | tokens | flaws |", "|---|---|---|---|---|"]
    return rows + [
        f"| {one.name} | {one.code or 'an answer'} | {one.wall_s:.2f} | {one.tokens} | {'; '.join(one.flaws) or '-'} |"
        for one in findings
    ]


def main() -> int:
    """Sweep, publish, and close with one RESULT line."""
    with tempfile.TemporaryDirectory() as top:
        findings = asyncio.run(sweep(Path(top).resolve()))
    figures = {
        "behaviours": float(len(findings)), "crashed": float(sum("crashed" in one.code for one in findings)),
        "past_deadline": float(sum("past its deadline" in one.flaws for one in findings)),
        "flaws": float(sum(bool(one.flaws) for one in findings) + len(control())),
    }  # fmt: skip
    publish("models", "A server for models that does everything wrong", report(findings), figures)
    return result("models", figures, {"crashed": 0, "past_deadline": 0, "flaws": 0})


if __name__ == "__main__":
    sys.exit(main())
