"""What a person may say here: sentences with their slots, and the names of the home and the graph."""

from __future__ import annotations

import logging

import pytest

from kernel import Part
from kernel.sayable import MOST_NAMES, sayable
from skills.model import Tool
from tests.kernel.conftest import Bench


def test_sentences_are_english_and_say_what_their_slots_name(tools: tuple[Tool, ...]) -> None:
    found = sayable(tools, (), (), ())
    whole = {" ".join(part.text for part in one) for one in found.sentences}
    english = [example.text for tool in tools for example in tool.examples if example.language == "en"]
    assert len(found.sentences) > len(set(english)) * 0.95
    assert {text for text in english if "{" not in text and len(text.split()) < 4} & whole
    kinds = {part.kind for one in found.sentences for part in one}
    assert {"", "person", "folder", "file", "note"} <= kinds


def test_a_slot_stands_between_the_words_around_it(tools: tuple[Tool, ...]) -> None:
    found = sayable(tools, (), (), ()).sentences
    assert any(Part("Downloads", "folder") in one and one[0].kind == "" for one in found)


def test_of_too_many_names_the_nearest_are_kept() -> None:
    files = [f"/h/deep/down/file{number}.txt" for number in range(MOST_NAMES)] + ["/h/near.txt", "/h/.hidden"]
    names = sayable((), (), ("/h/Documents",), files).names
    assert len(names["file"]) == MOST_NAMES
    assert names["file"][0] == "near.txt"
    assert names["folder"] == ("Documents",)


async def test_the_names_of_the_home_and_of_people_are_there_and_in_no_log(
    bench: Bench, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    (bench.home / "Notes").mkdir()
    (bench.home / "Notes" / "shopping.md").write_text("milk\n")
    assert (await bench.kernel.known.sayable()).names["person"] == ()
    await bench.ask("remember that Ottokar lives in Bonn")
    caplog.clear()
    found = await bench.kernel.known.sayable()
    assert "Ottokar" in found.names["person"]
    assert "Downloads" in found.names["folder"]
    assert {"big.iso", "shopping.md"} <= set(found.names["file"])
    assert found.names["note"] == ("shopping",)
    assert "Ottokar" not in caplog.text
