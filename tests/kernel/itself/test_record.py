"""A run that answered a question is called by the request it answered; "what did you just do" reads the record."""

from __future__ import annotations

from typing import Any

import pytest

Bench = Any  # tests/kernel/conftest.py

NOTE = "save a note called errands {} saying milk"


async def _asked_which(bench: Bench, text: str = "delete report.txt") -> dict[str, Any]:
    (bench.home / "Documents").mkdir()
    for folder in ("Documents", "Downloads"):
        (bench.home / folder / "report.txt").write_text(folder)
    await bench.kernel.close()
    bench.kernel = await bench.reopen()
    view: dict[str, Any] = await bench.ask(text)
    assert view["resolution"] == "clarify", view["answer"]
    return view


async def test_an_answer_is_called_by_the_request_it_answers(bench: Bench) -> None:
    question = await _asked_which(bench)
    done = await bench.ask("1")
    assert (done["text"], done["answers"]) == ("1", question["run"])
    assert done["request"] == "delete report.txt → 1"
    assert bench.kernel.runs()[0]["request"] == "delete report.txt → 1"
    assert done["effects"]
    assert bench.kernel.undoable()["text"] == "delete report.txt → 1"
    taken = await bench.ask("undo that")
    assert "delete report.txt → 1" in taken["answer"]


async def test_a_no_to_a_question_is_called_by_it_as_well(bench: Bench) -> None:
    await _asked_which(bench)
    assert (await bench.ask("no"))["request"] == "delete report.txt → no"


async def test_a_new_request_after_a_question_is_no_answer(bench: Bench) -> None:
    await _asked_which(bench)
    assert (await bench.ask("what is 2 + 2"))["request"] == "what is 2 + 2"


async def test_the_same_request_once_more_is_no_answer(bench: Bench) -> None:
    await _asked_which(bench)
    assert (await bench.ask("delete report.txt"))["request"] == "delete report.txt"


async def test_it_is_read_back_after_a_restart(bench: Bench) -> None:
    await _asked_which(bench)
    done = await bench.ask("2")
    await bench.kernel.close()
    bench.kernel = await bench.reopen()
    assert bench.kernel.view(done["run"])["request"] == "delete report.txt → 2"


# --- what did you just do -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "undo"),
    [("what did you just do?", "undo that"), ("was hast du gerade gemacht?", "mach das rückgängig")],
)
async def test_what_was_done_last_is_told_from_the_record(bench: Bench, text: str, undo: str) -> None:
    made = await bench.ask(NOTE.format("one"))
    said = await bench.ask(text)
    assert said["resolution"] == "executed"
    assert f"{NOTE.format('one')}" in said["answer"]
    assert made["run"] in said["answer"]
    assert "~/Notes/errands one.md" in said["answer"]
    assert undo in said["answer"]
    await bench.ask("undo that")
    assert "errands one.md" not in (await bench.ask(text))["answer"]


async def test_what_was_asked_back_or_refused_is_told_as_such(bench: Bench) -> None:
    assert (await bench.ask("what did you just do"))["answer"] == "Nothing has been done yet."
    question = await _asked_which(bench)
    said = (await bench.ask("what did you just do"))["answer"]
    assert question["run"] in said
    assert "did nothing" in said
