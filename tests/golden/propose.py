"""What is planned for the golden sentences, or for sentences of one's own, without doing it: seconds for a whole set.

    python -m tests.golden.propose --sets spring,summer [-e] [-v] [--save FILE] [--against FILE]
    python -m tests.golden.propose --say [--home office] [-e] < sentences

A case is right here when the expected tools are planned with the expected arguments, or nothing is where nothing is to
be; what is answered or done is not looked at (``tests.benchmarks.golden`` does). Cases of one turn only. With ``--say``
a line is a sentence; in "A => B" A is asked and done first.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from kernel import Ask, Folders, Kernel, load_settings, open_kernel
from tests.golden import driver
from tests.golden.driver import Case

SURE = ("executed", "confirmed")


async def proposed(kernel: Kernel, home: Path, said: str, conversation: str) -> dict[str, Any]:
    """Return the view of a request that is stopped at its card. Nothing is learnt of it: no case depends on another."""
    run = await kernel.ask(Ask(said, conversation=conversation, cwd=str(home), channel="test", private=True))
    view = await kernel.settled(run)
    if view["resolution"] == "pending":
        await kernel.approve(run, "no")
        await kernel.settled(run)
        view = {**view, "resolution": "planned"}
    return view


@asynccontextmanager
async def living(home: str, *, encoder: bool) -> AsyncIterator[tuple[Kernel, Path]]:
    """Open a kernel over the home of this name."""
    with tempfile.TemporaryDirectory() as scratch:
        template = driver.build(home, Path(scratch))
        folders = Folders({"HOME": str(template), "STEWARD_HOME": str(Path(scratch) / "steward")})
        driver.settle(template, folders)
        kernel = await open_kernel(load_settings(encoder=encoder), folders, lambda: driver.NOW)
        try:
            if encoder:
                await driver.warmed(kernel)
            yield kernel, template
        finally:
            await kernel.close()


def judged(case: Case, view: dict[str, Any]) -> str:
    """Tell what a proposal is worth: right, wrong, asked or declined."""
    tools = tuple(task["tool"] for task in (view["plan"] or {}).get("tasks", ()))
    if view["resolution"] == "clarify":
        return "right" if "clarify" in case.resolutions else "asked"
    if not tools:
        return "right" if view["resolution"] in case.resolutions else "declined"
    if not set(case.resolutions) & {*SURE, "rolled_back", "pending"}:
        return "wrong"
    fits = not case.tools or tools in case.tools
    return "right" if fits and not any(driver.differs(n, w, view) for n, w in case.arguments.items()) else "wrong"


async def over(sets: tuple[str, ...], *, encoder: bool) -> dict[str, tuple[str, str, str]]:
    """Propose for every case of one turn; return verdict, sentence and what was planned or said, by its name."""
    found: dict[str, tuple[str, str, str]] = {}
    every = [case for case in driver.cases(sets) if len(case.say) == 1]
    for home in sorted({case.home for case in every}):
        async with living(home, encoder=encoder) as (kernel, place):
            for case in (one for one in every if one.home == home):
                name = f"{case.origin}:{case.id}"
                view = await proposed(kernel, place, case.say[0], name)
                found[name] = judged(case, view), case.say[0], told(view)
    return found


def told(view: dict[str, Any]) -> str:
    """Return a proposal in a line."""
    tasks = (view["plan"] or {}).get("tasks", ())
    if tasks and view["resolution"] != "clarify":
        return "; ".join(f"{task['tool']} {json.dumps(task['arguments'], ensure_ascii=False)}" for task in tasks)
    choices = [
        one.get("label", one) if isinstance(one, dict) else one for one in (view["question"] or {}).get("choices", ())
    ]
    return f"[{view['resolution']}] {view['answer']} {choices or ''}"[:400]


async def say(lines: list[str], home: str, *, encoder: bool) -> None:
    """Print what is proposed for each line."""
    async with living(home, encoder=encoder) as (kernel, place):
        for number, line in enumerate(lines):
            *before, last = line.split(" => ")
            for one in before:
                done = Ask(one, conversation=f"s{number}", cwd=str(place), yes=True, channel="test")
                await kernel.settled(await kernel.ask(done))
            print(f"{line}\n    {told(await proposed(kernel, place, last, f's{number}'))}", flush=True)


def main() -> None:
    """Propose, and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", default=",".join(driver.SETS))
    parser.add_argument("--say", action="store_true")
    parser.add_argument("--home", default="office", choices=driver.HOMES)
    parser.add_argument("-e", "--encoder", action="store_true")
    parser.add_argument("-v", "--verbose", action="store_true")
    parser.add_argument("--save", type=Path)
    parser.add_argument("--against", type=Path)
    wish = parser.parse_args()
    if wish.say:
        asyncio.run(say([line.strip() for line in sys.stdin if line.strip()], wish.home, encoder=wish.encoder))
        return
    found = asyncio.run(over(tuple(wish.sets.split(",")), encoder=wish.encoder))
    known = json.loads(wish.against.read_text()) if wish.against else {}
    for name, (verdict, sentence, what) in found.items():
        before = known.get(name, [""])[0]
        if (wish.verbose and verdict != "right") or (before and before != verdict):
            print(f"{name}: {before + ' -> ' if before else ''}{verdict}: {sentence!r}\n    {what}")
    for origin in wish.sets.split(","):
        counts = Counter(verdict for name, (verdict, *_) in found.items() if name.startswith(f"{origin}:"))
        print(origin, " ".join(f"{verdict}={count}" for verdict, count in sorted(counts.items())))
    if wish.save:
        wish.save.write_text(json.dumps(found, ensure_ascii=False, indent=1))


if __name__ == "__main__":
    main()
