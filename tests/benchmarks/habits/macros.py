"""What a macro saves: the time from a request to its first call, beside the same request planned afresh.

    python -m tests.benchmarks.habits.macros [--rounds N]

On the golden home, with one kernel and nobody else: each request is done once, its rights are granted for good, and it
is kept as a macro. Then both are done in turn, the order changing with every round, each in a conversation of its own
and undone before the next. The time is that from the call of ``ask`` to the moment at which the first call of a tool is
handed to the ledger (``task.started``), so what is on disk before a request begins counts for both. The sentence
encoder is not loaded: with it the sentence would be planned slower. Effects are read from the disk: the home's files
and contents after the macro are held against those after the sentence, and the tools' answers against each other. A
request that is not planned, or a macro that is interpreted, is a failure of the row.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from unittest.mock import patch

from kernel import Ask, Folders, Kernel, load_settings, open_kernel
from memory import Ledger
from memory.model import Draft, Event
from tests.benchmarks.machine import median, result
from tests.golden.driver import NOW, snapshot
from tests.golden.home import build_home

LIMITS = {"macro_overhead_ratio": 0.2, "macro_other_effects": 0.0}
LEAST = {"macro_pairs": 30.0}
ROUNDS = 8

REQUESTS = (
    "find the three largest files in ~/Downloads and save their names as a note called big files",
    "copy ~/Downloads/logo.png and ~/Downloads/report.pdf to ~/Desktop",
    "move ~/Desktop/todo.txt to ~/Documents",
    "kopiere ~/Notes/Garden plan.md nach ~/Documents",
    "what is the sum of amount in ~/Finance/expenses.csv",
    "show me the newest files in ~/Downloads",
)
"""What a person does again and again, in both languages: it reads, it writes, one call and several."""


@dataclass(frozen=True, slots=True)
class Done:
    """A request that was done: how long until its first call, what the home held then, and what was answered."""

    ms: float
    home: dict[str, str]
    answer: str
    kinds: frozenset[str]
    run: str


@dataclass(slots=True)
class Pairs:
    """The times of one request, afresh and as a macro, and how often the two did not do the same."""

    afresh: list[float] = field(default_factory=list)
    macro: list[float] = field(default_factory=list)
    other: int = 0


def measure(_data: Path | None = None, rounds: int = ROUNDS) -> dict[str, float]:
    """Return the ratio, both times, and how often the effects were not the same. Reads no data folder."""
    with tempfile.TemporaryDirectory() as folder:
        found = asyncio.run(_measured(Path(folder), rounds))
    ratios = [median(one.macro) / median(one.afresh) for one in found]
    return {
        "macro_overhead_ratio": round(median(ratios), 4),
        "macro_overhead_ratio_worst": round(max(ratios), 4),
        "macro_ms": round(median([ms for one in found for ms in one.macro]), 2),
        "planned_ms": round(median([ms for one in found for ms in one.afresh]), 2),
        "macro_other_effects": float(sum(one.other for one in found)),
        "macro_pairs": float(sum(len(one.macro) for one in found)),
    }


async def _measured(folder: Path, rounds: int) -> list[Pairs]:
    home = folder / "home"
    build_home(home)
    folders = Folders({"HOME": str(home), "STEWARD_HOME": str(folder / "steward")})
    kernel = await open_kernel(load_settings(encoder=False), folders, lambda: NOW)
    try:
        return [await _pairs(kernel, home, at, text, rounds) for at, text in enumerate(REQUESTS)]
    finally:
        await kernel.close()


async def _pairs(kernel: Kernel, home: Path, at: int, text: str, rounds: int) -> Pairs:
    name, before, found = f"errand of bench {chr(ord('a') + at)}x", snapshot(home), Pairs()
    first = await _granted(kernel, home, text)
    await kernel.macros.new(name, first)
    if snapshot(home) != before:
        await kernel.undo(first)
    for turn in range(rounds):
        said: dict[str, Done] = {}
        for words in (text, name) if turn % 2 else (name, text):
            said[words] = one = await _done(kernel, home, words, f"{at}-{turn}-{len(said)}")
            if ("run.recommended" in one.kinds) != (words == text):
                raise RuntimeError(f"{words!r} went the other way: {sorted(one.kinds)}")
            await _undo(kernel, one, home, before)
        found.afresh.append(said[text].ms)
        found.macro.append(said[name].ms)
        found.other += (said[text].home, said[text].answer) != (said[name].home, said[name].answer)
    return found


async def _granted(kernel: Kernel, home: Path, text: str) -> str:
    """Have a request done, with its rights for good; return the run."""
    run = await kernel.ask(Ask(text, conversation=f"first {text}", cwd=str(home), channel="test"))
    view = await kernel.settled(run)
    while view["resolution"] == "pending":
        await kernel.approve(run, "always" if view["stage"] == "plan" else "once")
        view = await kernel.settled(run)
    return run


@contextmanager
def _first_call(ledger: Ledger) -> Iterator[list[float]]:
    """Give the moments at which calls begin: an event's own time is that of the write that many share."""
    moments: list[float] = []
    submit = ledger.submit

    def watched(*drafts: Draft) -> Future[tuple[Event, ...]]:
        moments.extend(time.perf_counter() for draft in drafts if draft.kind == "task.started")
        return submit(*drafts)

    with patch.object(ledger, "submit", watched):
        yield moments


async def _done(kernel: Kernel, home: Path, text: str, conversation: str) -> Done:
    with _first_call(kernel._house.ledger) as calls:
        began = time.perf_counter()
        run = await kernel.ask(Ask(text, conversation=conversation, cwd=str(home), yes=True, channel="test"))
        view = await kernel.settled(run)
    if view["resolution"] not in ("executed", "confirmed"):
        raise RuntimeError(f"{text!r}: {view['resolution']}, {view['answer']}")
    kinds = frozenset(str(event["kind"]) for event in view["events"])
    return Done((calls[0] - began) * 1e3, snapshot(home), str(view["answer"]), kinds, run)


async def _undo(kernel: Kernel, done: Done, home: Path, before: dict[str, str]) -> None:
    """Take it back where it changed something, so that the next one finds the same home."""
    if done.home != before:
        await kernel.undo(done.run)
    if snapshot(home) != before:
        raise RuntimeError("the home is not as it was")


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.habits.macros")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    return result("habits-macros", measure(rounds=parser.parse_args().rounds), LIMITS, LEAST)


if __name__ == "__main__":
    sys.exit(main())
