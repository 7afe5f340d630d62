"""Several results in one text, done: all of them are written down, and said once."""

from __future__ import annotations

import pytest

from tests.kernel.conftest import Bench

pytestmark = pytest.mark.sandbox

SAID = "read letter.txt and count its pages and save both as a note called letter"


async def test_all_that_was_found_is_written_down_and_said_once(bench: Bench) -> None:
    (bench.home / "letter.txt").write_text("The roof is leaking.\n")
    view = await bench.ask(SAID)
    assert view["resolution"] == "confirmed", view["answer"]
    assert [one["tool"] for one in view["plan"]["tasks"]] == [
        "documents.text", "documents.pages", "texts.join", "notes.create"
    ]  # fmt: skip
    note = (bench.home / "Notes/letter.md").read_text()
    assert "The roof is leaking." in note
    assert "pages: 1" in note
    assert view["answer"].count("The roof is leaking.") == 2  # as it was read, and as it was saved
