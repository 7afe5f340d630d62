"""A day of requests of every sort, each gone through once more: all come out as then, and nothing is done."""

from __future__ import annotations

import pytest

from tests.kernel.conftest import Bench

pytestmark = [pytest.mark.slow, pytest.mark.sandbox]

DAY = (
    "make a note called list: milk",
    "for each file in Downloads make a copy in Backup",
    "if there are more than two files in Downloads, make a note called many: yes",
    "set a timer for 5 minutes",
    "what did you just do?",
    "who are you?",
    "undo that",
    "what is the size of big.iso and small.txt",
    "wie groß ist middle.zip",
    "add milk to my shopping list",
    "when I say month end, do: list the files in Downloads",
    "month end",
    "remind me tomorrow at 9 to call Anna",
    "define tidy as move zip files in Downloads to Archive",
    "tidy",
    "what do you know about Anna?",
    "forget what month end means",
    "every friday at 9 list the files in Downloads",
    "convert 5 miles to km",
    "nope gibberish zork",
)


async def test_a_whole_day_comes_out_as_it_did(bench: Bench) -> None:
    runs = {}
    for text in DAY:
        view = await bench.ask(text)
        while view["resolution"] == "pending":
            view = await bench.answer(view["run"], "once")
        runs[view["run"]] = text
    for routine in bench.kernel.routines.every():
        tried = await bench.kernel.routines.try_out(routine["name"])
        await bench.kernel.settled(tried)
        runs[tried] = "a dry run"
    tree, (head, _) = bench.tree(), bench.kernel._house.ledger.head()
    before = bench.kernel.macros.every(), bench.kernel.routines.every(), bench.kernel.perms()
    found = {text: await bench.kernel.replay(run) for run, text in runs.items()}
    other = {
        text: [step for step in one["steps"] if not step["same"]] for text, one in found.items() if not one["same"]
    }
    assert other == {}
    assert bench.tree() == tree
    kinds = {event.kind for event in bench.kernel._house.ledger.events(after=head)}
    assert kinds - {"wall.tested"} == {"run.replayed"}, "the daemon looks at the wall beside it, when it comes to it"
    assert (bench.kernel.macros.every(), bench.kernel.routines.every(), bench.kernel.perms()) == before
