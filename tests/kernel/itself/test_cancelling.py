"""Calling off in words: the card that waits is answered with no, and nothing else is touched."""

from __future__ import annotations

from typing import Any

import pytest

Bench = Any  # tests/kernel/conftest.py

DELETE = {"en": "delete big.iso", "de": "lösche big.iso"}


async def allowed(bench: Bench, run: str) -> dict[str, Any]:
    """Say yes to the card of ``run``, and to its deletion."""
    await bench.answer(run, "once")
    view: dict[str, Any] = await bench.answer(run, "once")
    return view


@pytest.mark.parametrize(
    ("words", "language"),
    [("never mind", "en"), ("forget it", "en"), ("no", "en"), ("don't do that", "en"), ("cancel that!", "en"),
     ("doch nicht", "de"), ("lieber nicht", "de"), ("vergiss es", "de"), ("nein", "de"),
     ("ach nein, doch nicht", "de")],
)  # fmt: skip
async def test_a_card_that_waits_is_called_off(bench: Bench, words: str, language: str) -> None:
    before = bench.tree()
    waits = await bench.ask(DELETE[language], yes=False)
    assert waits["resolution"] == "pending"
    view = await bench.ask(words, yes=False)
    assert (view["resolution"], view["result"]) == ("executed", {"cancelled": waits["run"]})
    assert view["language"] == language
    assert DELETE[language] in view["answer"]
    ended = await bench.kernel.settled(waits["run"])
    assert (ended["resolution"], ended["error"]["code"]) == ("blocked", "approval.refused")
    assert bench.tree() == before


async def test_without_these_words_the_same_card_deletes(bench: Bench) -> None:
    """The control: nothing but the words keeps the file."""
    waits = await bench.ask(DELETE["en"], yes=False)
    await bench.ask("what is 2 + 2", yes=False)
    assert (await allowed(bench, waits["run"]))["resolution"] == "confirmed"
    assert "Downloads/big.iso" not in bench.tree()


async def test_what_asks_about_its_changes_is_called_off_too(bench: Bench) -> None:
    before = bench.tree()
    waits = await bench.ask("delete all files in Downloads", yes=False)
    waits = await bench.answer(waits["run"], "once")
    assert waits["resolution"] == "pending"
    assert (await bench.ask("never mind"))["result"] == {"cancelled": waits["run"]}
    assert bench.tree() == before


async def test_only_the_last_card_of_the_own_conversation_is_meant(bench: Bench) -> None:
    other = await bench.ask("delete small.txt", yes=False, conversation="other")
    first = await bench.ask("delete middle.zip", yes=False)
    second = await bench.ask("delete big.iso", yes=False)
    view = await bench.ask("never mind")
    assert view["result"] == {"cancelled": second["run"]}
    assert "“delete middle.zip” still waits" in view["answer"]
    assert (await bench.ask("never mind"))["result"] == {"cancelled": first["run"]}
    nothing = await bench.ask("never mind")
    assert (nothing["resolution"], nothing["result"]) == ("executed", None)
    assert "Nothing waits" in nothing["answer"]
    assert (await allowed(bench, other["run"]))["resolution"] == "confirmed"


async def test_what_is_done_already_is_not_called_off_but_can_be_taken_back(bench: Bench) -> None:
    await bench.ask("delete big.iso")
    view = await bench.ask("doch nicht")
    assert "„delete big.iso“ zurückzunehmen" in view["answer"]
    assert "Downloads/big.iso" not in bench.tree()


async def test_an_open_question_is_dropped_first(bench: Bench) -> None:
    waits = await bench.ask("delete big.iso", yes=False)
    asked = await bench.ask("move small.txt")
    assert asked["resolution"] == "clarify"
    view = await bench.ask("never mind")
    assert (view["resolution"], view["answers"]) == ("declined", asked["run"])
    assert (await allowed(bench, waits["run"]))["resolution"] == "confirmed"
