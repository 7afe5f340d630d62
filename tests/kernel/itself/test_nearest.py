"""A refusal is one sentence, and names at most two requests that are really near; none when nothing is."""

from __future__ import annotations

from typing import Any

import pytest

from kernel.itself.nearest import NEAR, NEAR_IN_WORDS, near_tools
from kernel.model import Candidate
from skills.model import ToolId

Bench = Any  # tests/kernel/conftest.py


@pytest.mark.parametrize("text", ["qwertz asdf", "what's the weather tomorrow", "play some music", "sing ein Lied"])
async def test_where_nothing_is_near_nothing_is_named(bench: Bench, text: str) -> None:
    view = await bench.ask(text)
    assert view["resolution"] == "declined"
    assert view["answer"].count("“") == view["answer"].count("„") == 0
    assert len(view["answer"]) < 90


async def test_what_is_near_is_named_by_sentences_alone(bench: Bench) -> None:
    view = await bench.ask("merge all pdfs")
    assert view["resolution"] == "declined", view["answer"]
    assert 1 <= view["answer"].count("“") <= 2
    assert "data." not in view["answer"], "a person does not know tools by their ids"
    assert "data.join" in view["result"]["nearest"], "a program does"


def test_only_what_the_whole_sentence_is_near_to_counts() -> None:
    def one(tool: str, last: int, score: float, dense: float = 0.0) -> Candidate:
        return Candidate(ToolId(tool), 0, last, score, {"dense": dense})

    found = near_tools([one("a.far", 4, NEAR_IN_WORDS - 0.1), one("a.part", 2, 9.0), one("a.near", 4, NEAR_IN_WORDS)])
    assert found == ["a.near"]
    assert near_tools([one("a.near", 4, NEAR_IN_WORDS, dense=0.4), one("a.other", 4, NEAR, dense=0.5)]) == ["a.other"]
    assert near_tools([]) == []
