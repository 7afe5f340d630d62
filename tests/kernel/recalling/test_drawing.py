"""Whom a question names and the time that it speaks of count in what recall finds, for search and answers alike."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest

from kernel import BadRequest
from kernel.recalling.drawing import MOST_WORDS, times_in, whom

Bench = Any  # tests/kernel/conftest.py

NOW = datetime(2026, 3, 11, 10, 0).astimezone()


async def ask(bench: Bench, days: float, text: str) -> None:
    bench.kernel._house.clock = lambda: NOW - timedelta(days=days)
    view = await bench.ask(text, conversation=f"c{days}")
    assert view["resolution"] in ("executed", "confirmed"), view


@pytest.fixture
async def lived(bench: Bench) -> Bench:
    """Two people who are told of, one of whom works where the other does; and two notes with the same words."""
    await ask(bench, 9, "remember that Anna Berg works at Xenon")
    await ask(bench, 9, "remember that Ben Roth works at Xenon")
    await ask(bench, 8, "remember that Clara Voss works at Ypsilon")
    await ask(bench, 8, "make a note called March saying the plumber comes")
    await ask(bench, 1, "make a note called April saying the plumber comes")
    bench.kernel._house.clock = lambda: NOW
    return bench


async def test_who_is_near_to_somebody_named_is_drawn_in(lived: Bench) -> None:
    """ "Berg" stands in no fact about Ben; he is drawn in by the firm that the graph puts between them."""
    hits = (await lived.kernel.known.search("anything new of Berg?"))["hits"]
    found = {hit["text"]: hit["reasons"] for hit in hits}
    assert found["Anna Berg works at Xenon"]["graph"] > 0
    assert "Ben Roth works at Xenon" in found
    assert not any("Clara" in text for text in found), "the control"
    hits = (await lived.kernel.known.search("anything new of nobody?"))["hits"]
    assert not any("Ben" in hit["text"] or "graph" in hit["reasons"] for hit in hits), "the control: nobody is named"


@pytest.mark.parametrize("words", ["plumber yesterday", "Klempner plumber gestern", "what of the plumber yesterday?"])
async def test_the_time_that_is_spoken_of_draws(lived: Bench, words: str) -> None:
    hits = (await lived.kernel.known.search(words))["hits"]
    timely = {hit["text"] for hit in hits if "time" in hit["reasons"]}
    assert any("April" in text for text in timely)
    assert not any("March" in text for text in timely)
    assert hits[0]["text"] in timely
    assert any("March" in hit["text"] for hit in hits), "it shuts nothing out"
    assert not any("time" in hit["reasons"] for hit in (await lived.kernel.known.search("plumber"))["hits"])


async def test_an_answer_about_somebody_is_drawn_from_the_graph_too(
    lived: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Any] = []
    recollection = lived.kernel._house.recollection
    search = recollection.search
    monkeypatch.setattr(recollection, "search", lambda question: (asked.append(question), search(question))[1])
    await lived.ask("what did you tell me about Anna Berg?", conversation="q")
    (anna,) = (one for one in lived.kernel._house.knowledge.graph().entities("person") if one.name == "Anna Berg")
    assert asked[0].entities == (anna.id,)


async def test_what_is_asked_is_narrowed_by_label_and_reader(lived: Bench) -> None:
    search = lived.kernel.known.search
    every = (await search("plumber Anna Berg note"))["hits"]
    assert {hit["label"]["integrity"] for hit in every} >= {"user", "kernel"}, "the control"
    for label in ("user", "kernel", "trusted_source", "untrusted"):
        hits = (await search("plumber Anna Berg note", label=label))["hits"]
        assert {hit["id"] for hit in hits} == {hit["id"] for hit in every if hit["label"]["integrity"] == label}
    public = (await search("plumber Anna Berg note", reader="mcp:claude"))["hits"]
    assert public
    assert all(hit["label"]["readers"] is None for hit in public)
    with pytest.raises(BadRequest, match="no label") as refused:
        await search("plumber", label="secret")
    assert "untrusted" in refused.value.hint


async def test_long_and_odd_words_draw_nobody_and_nothing(lived: Bench) -> None:
    house = lived.kernel._house
    assert whom(house, "Berg " * (MOST_WORDS + 1)) == ()
    assert times_in("yesterday " * (MOST_WORDS + 1), NOW) == ()
    for words in ("", "\u202e\U0001f600", "אתמול", "'s", "\0", "--", "0"):
        assert whom(house, words) == ()
        assert times_in(words, NOW) == ()
