"""The shelf: found by words or by meaning, whichever; what is added or removed counts at once."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernel.ranking import Document, Question, Shelf, shelf_of
from kernel.ranking import shelf as module
from tests.kernel.ranking.conftest import by_subject


def _question(text: str) -> Question:
    return Question(text, by_subject([text])[0])


def _best(shelf: Shelf, text: str, column: str) -> str:
    found = shelf.look(_question(text))
    return found.ids[int(found.columns[column].argmax())]


def test_words_windows_and_vectors_each_find_what_they_know(documents: list[Document]) -> None:
    shelf = shelf_of(documents, by_subject)
    assert _best(shelf, "the forecasts of tomorrow", "text") == "sky"
    assert _best(shelf, "researchfindr", "grams") == "papers"
    assert _best(shelf, "do I need an umbrella", "dense") == "sky"


@pytest.mark.parametrize("encode", [None, by_subject])
def test_a_tool_is_searchable_when_it_was_added_and_gone_when_removed(
    documents: list[Document], encode: object
) -> None:
    shelf = shelf_of(documents[:2], encode)  # type: ignore[arg-type]
    grown = shelf.with_documents(documents[2:])
    assert len(shelf) == 2
    assert len(grown) == 4
    assert _best(grown, "play some music", "text") == "songs"
    assert "songs" not in grown.without(["songs", "nobody"]).look(_question("play some music")).ids


def test_one_of_the_same_id_takes_the_place_of_the_earlier(documents: list[Document]) -> None:
    other = Document("sky", "tides", ("Says when the tide is high.",))
    shelf = shelf_of(documents).with_documents([other])
    assert len(shelf) == len(documents)
    assert [one.title for one in shelf.documents() if one.id == "sky"] == ["tides"]


def test_many_small_additions_become_one_segment(documents: list[Document]) -> None:
    shelf = shelf_of(documents, by_subject)
    for number in range(20):
        shelf = shelf.with_documents([Document(f"t{number}", f"tool {number}", (f"Counts quokkas {number}.",))])
    assert len(shelf.segments) <= 9
    assert len(shelf) == 24
    assert _best(shelf, "quokkas 17", "text") == "t17"


def test_what_is_kept_speaks_for_the_documents_alone(documents: list[Document]) -> None:
    asked: list[str] = []

    def said(texts: list[str]) -> np.ndarray:
        asked.extend(texts)
        return by_subject(texts)

    shelf = shelf_of(documents).with_vectors(by_subject, said)
    count = len(asked)
    assert count >= len(documents)
    grown = shelf.with_documents([Document("late", "late", ("Plays a late song.",))])
    assert _best(grown, "do I need an umbrella", "dense") == "sky"
    assert len(asked) == count


def test_no_kind_of_evidence_gates_another(monkeypatch: pytest.MonkeyPatch, documents: list[Document]) -> None:
    """On a large shelf candidates are the best of each kind: an exact word with a far vector, and the reverse."""
    monkeypatch.setattr(module, "ALL", 0)
    monkeypatch.setattr(module, "WANTED", 1)
    fillers = [Document(f"f{n}", f"filler {n}", (f"About the weather and rain, forecast {n}.",)) for n in range(30)]
    shelf = shelf_of([*documents, *fillers], by_subject)
    assert "papers" in shelf.look(Question("arxiv", by_subject(["rain weather"])[0])).ids
    assert "songs" in shelf.look(Question("rain", by_subject(["music"])[0])).ids
    assert "cars" in shelf.look(Question("nothing", None), also=["cars"]).ids


def test_an_empty_shelf_finds_nothing() -> None:
    found = shelf_of([]).look(Question("anything"))
    assert found.ids == ()
    assert all(len(column) == 0 for column in found.columns.values())


_ONE = shelf_of([Document("a", "name", ("Words.",))])


@given(st.text(max_size=40))
def test_any_text_may_be_asked(text: str) -> None:
    assert all(np.isfinite(column).all() for column in _ONE.look(Question(text)).columns.values())
