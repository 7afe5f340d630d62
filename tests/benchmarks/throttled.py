"""How soon a person is asked whether a call that met their limit for memory may have more."""

from __future__ import annotations

from pathlib import Path

from tests.kernel.conftest import opened
from tests.kernel.hungry import install

LIMIT_MB = 128
SENTENCE = "feed the hungry skill"


async def asked_after_s(folder: Path, rounds: int) -> list[float]:
    """Return, for each round, the seconds from the call's last step below its limit to the question in the ledger."""
    found = []
    async with opened(folder, install) as bench:
        await bench.kernel.rights.limit("hungry", "memory", f"{LIMIT_MB}MB")
        for _ in range(rounds):
            view = await bench.ask(SENTENCE)
            if view["stage"] != "limit":
                raise SystemExit(f"it was not asked: {view['answer']}")
            events = list(bench.kernel._house.ledger.events(run=view["run"]))
            steps = [(event.body or {})["text"].split() for event in events if event.kind == "task.progress"]
            (question,) = [event for event in events if event.kind == "approval.requested"]
            throttled_s = max(float(words[1]) for words in steps if len(words) == 2)
            found.append(question.at_ns / 1e9 - throttled_s)
            await bench.answer(view["run"], "no")
    return found
