"""A private request leaves that it was, and no word: on disk from the beginning, in memory after a while."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Any

import pytest

from kernel import Ask, NotNow
from kernel.knowing.stores import mentions_in
from kernel.remembering import privacy
from memory import Ledger

Bench = Any  # tests/kernel/conftest.py

WORD = "Rumpelstilz"


async def _ask(bench: Bench, text: str, *, yes: bool = True, private: bool = True) -> dict[str, Any]:
    ask = Ask(text, conversation="p", cwd=str(bench.home), yes=yes, channel="test", private=private)
    return dict(await bench.kernel.settled(await bench.kernel.ask(ask)))


def _on_disk(bench: Bench) -> list[str]:
    """What a reader of the ledger's files sees, and other files of Steward, with the word."""
    folder = bench.folders.data / "ledger"
    with Ledger.open(folder, read_only=True) as ledger:
        found = [event.kind for event in ledger.events() if mentions_in(event.body, lambda text: WORD in text)]
    steward: Path = bench.home.parent / "steward"
    files = [path for path in steward.rglob("*") if path.is_file() and path.parent != folder]
    return found + [str(path) for path in files if WORD.encode() in path.read_bytes() + path.name.encode()]


async def test_the_answer_is_given_and_no_word_is_written(bench: Bench) -> None:
    view = await _ask(bench, f"what do you know about {WORD}?")
    assert view["resolution"] == "executed"
    assert WORD in view["answer"]
    assert view["text"]
    assert _on_disk(bench) == []
    assert WORD in (await _ask(bench, f"what do you know about {WORD}?", private=False))["answer"]
    assert _on_disk(bench)  # positive control: an ordinary request is written
    bench.kernel._upkeep.privacy._let_words_go(view["run"])
    gone = bench.kernel.view(view["run"])
    assert (gone["text"], gone["answer"], gone["private"]) == ("", "", True)
    assert bench.kernel.verify_ledger()["ok"]


async def test_a_question_asked_back_is_answered_privately_too(bench: Bench) -> None:
    (bench.home / "a").mkdir()
    (bench.home / "b").mkdir()
    for folder in ("a", "b"):
        (bench.home / folder / f"{WORD}.txt").write_text("x")
    view = await _ask(bench, f"delete {WORD}.txt")
    assert view["resolution"] == "clarify"
    view = await _ask(bench, "1")
    assert view["resolution"] == "confirmed"
    assert not [one for one in _on_disk(bench) if "transactions" not in one]


async def test_what_it_changed_is_taken_back_for_a_while_and_then_no_trace_is_left(bench: Bench) -> None:
    first = await _ask(bench, f"make a note called {WORD} saying call her on Monday")
    assert first["resolution"] == "confirmed"
    assert bench.kernel._house.transactions.effects(first["run"])
    await bench.kernel.undo(first["run"])
    assert not (bench.home / f"Notes/{WORD}.md").exists()
    again = await _ask(bench, f"make a note called {WORD} saying call her on Monday")
    undone = await bench.ask("undo that", conversation="p")
    assert WORD in undone["answer"]
    second = await _ask(bench, f"make a note called {WORD} saying call her on Monday")
    assert [one for one in _on_disk(bench) if "transactions" in one]  # needed for undo
    await asyncio.to_thread(privacy.end_undo, bench.kernel._house, [second["run"], first["run"], again["run"]])
    assert _on_disk(bench) == []
    assert (bench.home / f"Notes/{WORD}.md").exists()
    with pytest.raises(NotNow, match="it was private") as told:
        bench.kernel.undoable(second["run"])
    assert told.value.code == "undo.private"


async def test_the_daemons_end_is_the_end_of_it(bench: Bench) -> None:
    view = await _ask(bench, f"make a note called {WORD} saying call her on Monday")
    await bench.kernel.close()
    bench.kernel = await bench.reopen()
    assert _on_disk(bench) == []
    gone = bench.kernel.view(view["run"])
    assert (gone["private"], gone["text"], gone["resolution"]) == (True, "", "confirmed")
    line = next(line for line in bench.kernel.runs() if line["run"] == view["run"])
    assert (line["private"], line["text"]) == (True, "")


async def test_what_a_killed_daemon_left_is_gone_at_the_next_start(bench: Bench) -> None:
    await _ask(bench, f"make a note called {WORD} saying call her on Monday")
    bench.kernel._upkeep.privacy._timers.clear()  # as if it had been killed: nothing is let go of
    await bench.kernel.close()
    assert _on_disk(bench)
    bench.kernel = await bench.reopen()
    assert _on_disk(bench) == []


async def test_one_that_waits_is_rolled_back_by_a_restart(bench: Bench) -> None:
    view = await _ask(bench, f"make a note called {WORD} saying call her on Monday", yes=False)
    assert view["resolution"] == "pending"
    assert _on_disk(bench) == []
    await bench.kernel.close()
    bench.kernel = await bench.reopen()
    assert bench.kernel.view(view["run"])["resolution"] == "rolled_back"
    assert not bench.kernel.approvals()


async def test_nothing_is_remembered_of_it(bench: Bench) -> None:
    view = await _ask(bench, f"remember that {WORD} lives in Bonn")
    assert view["resolution"] == "declined"
    assert "--private" in view["answer"]
    assert bench.kernel._house.knowledge.is_empty()


async def test_words_past_their_time_are_destroyed_and_what_is_needed_stays(bench: Bench) -> None:
    old = await bench.ask(f"what do you know about {WORD}?")
    note = await bench.ask(f"make a note called {WORD} saying call her on Monday")
    assert note["resolution"] == "confirmed"
    await bench.ask(f"remember that {WORD} lives in Bonn")
    await bench.kernel.grant("files", f"fs.read:~/{WORD}/**")
    assert (await bench.kernel.retention.set(1))["destroyed"] == 0  # nothing is a day old
    later = list(bench.kernel._house.ledger.events(run=old["run"]))
    assert later
    assert all(event.body is not None for event in bench.kernel._house.ledger.events())
    two_days = 2 * 86_400 * 10**9
    assert bench.kernel.retention.apply(time.time_ns() + two_days) > 0
    assert bench.kernel.view(old["run"])["forgotten"]
    assert not bench.kernel.view(note["run"])["forgotten"]  # it can still be taken back
    assert "Bonn" in (await bench.ask(f"where does {WORD} live?"))["answer"]
    await bench.kernel.undo(note["run"])
    await bench.kernel.close()
    bench.kernel = await bench.reopen()
    assert len(bench.kernel.perms()) == 1
    assert bench.kernel.retention.days() == 1
    assert bench.kernel.verify_ledger()["ok"]
