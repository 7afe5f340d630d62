"""Recommend: the right tools come first, the reasons are numbers, vectors help and are not needed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
import pytest

from kernel.context.mind import Mind
from kernel.context.toolbox import Toolbox
from kernel.context.world import HomeWorld
from kernel.interpret import interpret
from kernel.model import ConversationId, Intent, Utterance
from kernel.recommend import recommend
from skills.model import Tool

Read = Callable[[str], Intent]


@pytest.fixture(scope="module")
def toolbox(mind: Mind) -> Toolbox:
    return mind.toolbox


@pytest.fixture(scope="module")
def intent_of(mind: Mind, tmp_path_factory: pytest.TempPathFactory) -> Read:
    """Read sentences in an empty home; the words of the tools are gathered once."""
    home = str(tmp_path_factory.mktemp("home"))
    world, lexicon = HomeWorld(home), mind.lexicon

    def read(text: str) -> Intent:
        utterance = Utterance(text, ConversationId("c"), home, home, datetime(2025, 3, 12, tzinfo=UTC))
        return interpret(utterance, world, lexicon)

    return read


@pytest.mark.parametrize(
    ("sentence", "tool"),
    [
        ("what is 17% of 230?", "calc.compute"),
        ("move a.pdf to ~/Archive", "files.move"),
        ("which notes do I have?", "notes.contents"),
        ("sort sales.csv by amount", "data.sort"),
        ("lösche alt.zip", "files.delete"),
        ("wie viele Seiten hat bericht.pdf?", "documents.pages"),
    ],
)
def test_the_tool_that_is_meant_comes_first(toolbox: Toolbox, intent_of: Read, sentence: str, tool: str) -> None:
    candidates = recommend(intent_of(sentence), toolbox)
    assert candidates[0].tool == tool
    assert all(0.0 <= value <= 10.0 for one in candidates for value in one.reasons.values())
    assert {"example", "verb", "text", "choice", "kinds", "dense"} <= candidates[0].reasons.keys()


@pytest.mark.slow
@pytest.mark.timeout(600)  # thousands of sentences
def test_every_example_leads_to_its_own_tool(tools: tuple[Tool, ...], toolbox: Toolbox, intent_of: Read) -> None:
    """The manifest's own sentences are the least that must work: first in 85 of 100, among the first five in 97."""
    first = among = total = 0
    for tool in tools:
        for example in tool.examples:
            candidates = recommend(intent_of(example.text), toolbox)
            whole = [
                one.tool for one in candidates if (one.first, one.last) == (candidates[0].first, candidates[0].last)
            ]
            total += 1
            first += whole[0] == tool.id
            among += tool.id in whole[:5]
    assert first / total >= 0.85, first / total
    assert among / total >= 0.97, among / total


def test_each_possible_clause_has_candidates_of_its_own(toolbox: Toolbox, intent_of: Read) -> None:
    intent = intent_of("list my notes and then what is 3 + 4?")
    best: dict[tuple[int, int], str] = {}
    for one in recommend(intent, toolbox):
        best.setdefault((one.first, one.last), one.tool)
    assert "notes.contents" in best.values()
    assert "calc.compute" in best.values()


def test_vectors_raise_a_tool_that_shares_no_word(tools: tuple[Tool, ...], intent_of: Read) -> None:
    """An encoder that puts one sentence near one tool's examples makes that tool a candidate."""
    wanted = next(tool for tool in tools if tool.id == "documents.summary")
    near = {example.text for example in wanted.examples} | {"condense report.pdf"}

    def encode(texts: list[str]) -> np.ndarray:
        return np.array([[1.0, 0.0] if text in near else [0.0, 1.0] for text in texts], dtype=np.float32)

    others = [replace(tool, examples=tool.examples) for tool in tools]
    intent = intent_of("condense report.pdf")
    without = Toolbox.build(others)
    plain = {one.tool: one.score for one in recommend(intent, without)}
    dense = recommend(intent, without.with_vectors(encode))
    assert dense[0].tool == "documents.summary"
    assert dense[0].reasons["dense"] == pytest.approx(1.0)
    assert dense[0].score > plain.get(wanted.id, 0.0)


def test_an_empty_toolbox_recommends_nothing(intent_of: Read) -> None:
    assert recommend(intent_of("find my notes"), Toolbox.build([])) == ()
