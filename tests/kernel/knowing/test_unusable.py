"""Memory whose files cannot be used: a request that does not need it goes on, one that asks it says what failed."""

from __future__ import annotations

import asyncio
import logging
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

Bench = Any  # tests/kernel/conftest.py

EVENT = f"""BEGIN:VCALENDAR
BEGIN:VEVENT
UID:1@x
SUMMARY:Lunch with Anna Berg
DTSTART:{datetime.now().year + 1}0312T120000
DTEND:{datetime.now().year + 1}0312T130000
END:VEVENT
END:VCALENDAR
"""


@contextmanager
def unusable(folder: Path, name: str) -> Iterator[None]:
    """A file that cannot be opened: in its place stands a folder."""
    for path in folder.glob(f"{name}*"):
        path.unlink()
    (folder / name).mkdir(parents=True)
    yield
    shutil.rmtree(folder / name)


@contextmanager
def no_graph(bench: Bench) -> Iterator[None]:
    knowledge = bench.kernel._house.knowledge
    knowledge.close()
    with unusable(knowledge.folder, "graph.db"):
        yield


@contextmanager
def no_recall(bench: Bench) -> Iterator[None]:
    recollection = bench.kernel._house.recollection
    recollection.rest()
    with unusable(recollection.folder, "recall.db"):
        yield


@pytest.fixture
async def lived(bench: Bench) -> Bench:
    """Somebody is known, by another name too; notes were looked through for them, and a conversation had a note."""
    (bench.home / "Notes").mkdir()
    (bench.home / "Calendar").mkdir()
    (bench.home / "Calendar/own.ics").write_text(EVENT)
    await bench.ask("remember that Anna Berg works at Xenon", conversation="m")
    await bench.kernel.known.change_entity("Anna Berg", also_called="Annchen")
    await bench.ask("what is 12 percent of the budget of 300", conversation="talk")
    view = await bench.ask("make a note called Alpha saying Anna Berg waters plants", conversation="talk")
    assert view["resolution"] == "confirmed", view
    await bench.ask("which notes mention Anna Berg?", conversation="n")
    deadline = time.monotonic() + 20
    while bench.kernel._house.live:  # what is said of a request is written after its end
        assert time.monotonic() < deadline
        await asyncio.sleep(0.01)
    return bench


async def test_a_request_that_needs_no_memory_goes_on_without_it(
    lived: Bench, caplog: pytest.LogCaptureFixture
) -> None:
    with no_graph(lived), caplog.at_level(logging.WARNING):
        view = await lived.ask("which notes mention plants?", conversation="w")
    assert view["resolution"] in ("executed", "confirmed"), view
    assert "Alpha" in view["answer"]
    (warning,) = (one.getMessage() for one in caplog.records if view["run"] in one.getMessage())
    assert "goes on without what it knows of whom it names" in warning
    assert "graph.db" in warning
    (event,) = lived.kernel._house.ledger.events(run=view["run"], kinds=("run.recommended",))
    assert not any("linked" in one["reasons"] for one in event.body["candidates"])


async def test_what_is_not_found_is_not_found_where_no_other_name_can_be_looked_up(
    lived: Bench, caplog: pytest.LogCaptureFixture
) -> None:
    text = "find events about Annchen in my calendar"
    with no_graph(lived), caplog.at_level(logging.WARNING):
        view = await lived.ask(text, conversation="o")
    assert view["resolution"] in ("clarify", "failed"), view
    assert "without other names of whom it did not find" in caplog.text
    assert "Lunch with Anna Berg" in (await lived.ask(text, conversation="p"))["answer"], "the control"


async def test_a_conversation_that_cannot_be_looked_for_is_none(lived: Bench, caplog: pytest.LogCaptureFixture) -> None:
    text = "read the note from our conversation about the budget"
    with no_recall(lived), caplog.at_level(logging.WARNING):
        view = await lived.ask(text, conversation="r")
    assert view["resolution"] in ("clarify", "declined", "failed"), view
    assert "without the conversation that it speaks of" in caplog.text
    assert "waters plants" in (await lived.ask(text, conversation="s"))["answer"], "the control"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("what did you tell me about the budget?", "cannot be used"),
        ("was hast du mir über das Budget gesagt?", "Das Gedächtnis ist nicht zu benutzen"),
    ],
)
async def test_who_asks_what_was_said_is_told_that_it_cannot_be_looked_up(lived: Bench, text: str, said: str) -> None:
    with no_recall(lived):
        view = await lived.ask(text, conversation="q")
        whole = await lived.ask("what did I ask you today?", conversation="q2")
    assert view["resolution"] == "failed"
    assert view["error"]["code"] == "store.io"
    assert said in view["answer"]
    assert "recall.db" in view["answer"]
    assert whole["resolution"] == "executed", "the record alone answers that"
    assert "budget" in whole["answer"]
    assert (await lived.ask(text, conversation="q3"))["resolution"] == "executed", "the control"


async def test_who_asks_what_is_known_is_told_that_it_cannot_be_looked_up(lived: Bench) -> None:
    with no_graph(lived):
        view = await lived.ask("what do you know about Anna Berg?", conversation="q")
    assert view["resolution"] == "failed"
    assert view["error"]["code"] == "store.io"
    assert "Xenon" in (await lived.ask("what do you know about Anna Berg?", conversation="q2"))["answer"], "the control"
