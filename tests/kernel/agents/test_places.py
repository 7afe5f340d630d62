"""Where a model that follows instructions may work is what the request names as a place, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kernel.agents.conftest import act, scripted, worked
from tests.kernel.conftest import Bench

pytestmark = [pytest.mark.slow, pytest.mark.sandbox]

FOLDERS = ("Notes", "Documents", "Downloads/weekly-digest", "Hedge", "Weekly Digest", "Windows", "Letters/old")


async def named(bench: Bench, sentence: str) -> dict[str, str]:
    """Return which places the card has, and for what; refuse it."""
    card = await bench.ask(sentence, yes=False)
    assert card["stage"] == "plan", (sentence, card["answer"])
    (task,) = card["plan"]["tasks"]
    assert task["tool"] == "weekly-digest.follow"
    await bench.answer(card["run"], "no")
    return {name: task["arguments"][name] for name in ("files", "folders", "writes") if name in task["arguments"]}


ONLY = {"folders": "~/Hedge", "writes": "~/Hedge"}
CASES = {
    "write the weekly digest of the reports in ~/Hedge": ONLY,
    "use weekly-digest on ~/Hedge and put the letters of it there": ONLY,
    "let weekly-digest count the windows of the documents in ~/Hedge": ONLY,
    "zähle die Reports der Notes in ~/Hedge mit weekly-digest": ONLY,
    "weekly-digest für die Documents in ~/Hedge bitte": ONLY,
    "weekly-digest for Hedge": ONLY,
    "weekly-digest für den Ordner Hedge": ONLY,
    "use weekly-digest in my hedge folder": ONLY,
    "use weekly-digest on ~/Hedge/may.txt": {"files": "~/Hedge/may.txt", "writes": "~/Hedge"},
    "use weekly-digest on ~/Hedge and ~/Letters": dict.fromkeys(("folders", "writes"), "~/Hedge, ~/Letters"),
    "follow weekly-digest": {},
    "folge weekly-digest": {},
    "use weekly-digest for the windows": {},
}


async def test_only_what_the_request_names_as_a_place_is_one(tmp_path: Path) -> None:
    async with worked(tmp_path, scripted(act("done", text="Done."))) as (bench, _):
        for one in FOLDERS:
            (bench.home / one).mkdir(parents=True, exist_ok=True)
        (bench.home / "Hedge" / "may.txt").write_text("wren\n")
        found = {sentence: await named(bench, sentence) for sentence in CASES}
        assert found == CASES


async def test_what_is_not_whole_is_below_the_place_that_the_request_names(tmp_path: Path) -> None:
    steps = (act("write", "digest.md", "x\n"), act("done", text="Done."))
    async with worked(tmp_path, scripted(*steps)) as (bench, _):
        for one in FOLDERS:
            (bench.home / one).mkdir(parents=True, exist_ok=True)
        card = await bench.ask("write the weekly digest of the documents in ~/Hedge", yes=False)
        shown = await bench.answer(card["run"], "once")
        assert [one["path"] for one in shown["diff"]] == [str(bench.home / "Hedge" / "digest.md")], shown["answer"]
