"""Finding among many texts by words: the scores of the formula, and no word left of what was removed."""

from __future__ import annotations

import math
import sqlite3
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory import Ledger
from memory.errors import LedgerBroken
from memory.graph import Claim, Graph, Object
from memory.postings import K1, B, Postings, highest, nth_highest
from memory.text_index import TextIndex
from memory.word_index import WordIndex

TEXTS = {
    "one": "The quick brown foxes jumped over lazy dogs",
    "two": "A fox is quick. Quick, quick!",
    "three": "Über die Brücke läuft ein Hund",
    "four": "nothing of that kind",
}


def filled(path: Path | None = None) -> WordIndex:
    index = WordIndex(path)
    index.add_all(TEXTS.items())
    return index


def formula(texts: list[list[int]], weights: dict[int, float]) -> list[float]:
    """BM25 in plain Python."""
    average = max(1.0, sum(map(len, texts)) / max(1, len(texts)))
    scores = []
    for text in texts:
        score = 0.0
        for term, weight in weights.items():
            count = sum(term in other for other in texts)
            idf = math.log(1 + (len(texts) - count + 0.5) / (count + 0.5))
            tf = text.count(term)
            score += weight * idf * tf * (K1 + 1) / (tf + K1 * (1 - B + B * len(text) / average))
        scores.append(score)
    return scores


@given(st.integers(1, 60), st.integers(1, 2_000), st.sampled_from([2, 9, 100_000]), st.integers(0, 99))
def test_the_nth_highest_is_that_of_the_whole_order(nth: int, more: int, different: int, seed: int) -> None:
    """Also where many are equal, and where the highest stand side by side."""
    chance = np.random.default_rng(seed)
    scores = (chance.integers(0, different, nth + more) / 7).astype(np.float32)
    scores[chance.integers(0, nth + more, more // 2)] = -np.inf
    for some in (scores, np.sort(scores), np.sort(scores)[::-1].copy()):
        assert nth_highest(some, nth) == np.sort(some)[-nth]


@given(
    st.lists(st.lists(st.integers(0, 6), max_size=12), max_size=12),
    st.dictionaries(st.integers(0, 8), st.floats(0.1, 2), max_size=5),
    st.integers(0, 12),
)
def test_scores_are_those_of_the_formula(texts: list[list[int]], weights: dict[int, float], asked_after: int) -> None:
    postings = Postings()
    for number, text in enumerate(texts):
        if number == asked_after:
            postings.score(weights)
        assert postings.add(np.array(text, dtype=np.int32)) == number
    assert postings.score(weights) == pytest.approx(np.array(formula(texts, weights)), abs=1e-5)


def test_many_texts_are_scored_alike_before_and_after_they_are_made_one() -> None:
    chance = np.random.default_rng(1)
    texts = [chance.integers(0, 40, 5).astype(np.int32) for _ in range(5_000)]
    at_once, one_by_one = Postings(), Postings()
    for number, text in enumerate(texts):
        at_once.add(text)
        one_by_one.add(text)
        if number % 700 == 0:
            one_by_one.score({1: 1.0})
    assert one_by_one.score({1: 1.0, 7: 0.5}) == pytest.approx(at_once.score({1: 1.0, 7: 0.5}), abs=1e-5)


@given(st.lists(st.sampled_from([0.0, 1.0, 2.0, 3.0])), st.integers(0, 12))
def test_the_highest_are_those_of_a_stable_sort(scores: list[float], limit: int) -> None:
    expected = sorted(range(len(scores)), key=lambda at: -scores[at])[:limit]
    assert highest(np.array(scores, dtype=np.float32), limit).tolist() == expected


def test_it_finds_what_the_text_index_finds() -> None:
    index, other = filled(), TextIndex()
    other.add_all((id, text, "") for id, text in TEXTS.items())
    for words in ("quick fox", "jumping", "HUND", "uber brucke", 'fox" OR (*', "", "\0 \udc80", "kinds"):
        assert {id for id, _ in index.search(words)} == {id for id, _ in other.search(words)}
    assert index.search("quick fox")[0][0] == other.search("quick fox")[0][0] == "two"
    assert index.search("quick", 0) == []


def test_a_text_is_replaced_and_removed(tmp_path: Path) -> None:
    index = filled(tmp_path / "words.db")
    assert index.search("hund")
    index.add_all([("three", "eine Katze"), ("three", "ein Vogel")])
    assert index.search("hund") == []
    assert [id for id, _ in index.search("vogel")] == ["three"]
    assert index.remove(["two", "none"]) == 1
    assert [id for id, _ in index.search("quick")] == ["one"]
    assert len(index) == 3
    index.close()
    again = WordIndex(tmp_path / "words.db")
    assert sorted(again.ids()) == ["four", "one", "three"]
    assert [id for id, _ in again.search("quick")] == ["one"]
    again.close()


def test_no_word_of_a_removed_text_is_left(tmp_path: Path) -> None:
    index = filled(tmp_path / "words.db")
    index.add_all((f"{n}", f"filling number {n} marzipan{n}") for n in range(3_000))
    index.add_all([("secret", "swordfish marzipan")])
    assert b"swordfish" in held(tmp_path)  # control: what is searched for was readable there
    index.remove(["secret", "7"])
    index.scrub()
    assert b"swordfish" not in held(tmp_path)
    assert b"marzipan7\x00" not in held(tmp_path).replace(b"=marzipan7=", b"=marzipan7\x00")
    assert [id for id, _ in index.search("marzipan8")] == ["8"]
    index.close()
    assert b"swordfish" not in held(tmp_path)


def held(folder: Path) -> bytes:
    return b"\0".join(path.read_bytes() for path in sorted(folder.iterdir()))


def test_a_file_of_another_form_is_refused(tmp_path: Path) -> None:
    TextIndex(tmp_path / "words.db").close()
    with pytest.raises(LedgerBroken):
        WordIndex(tmp_path / "words.db")
    (tmp_path / "words.db").write_bytes(b"no database " * 100)
    with pytest.raises(LedgerBroken):
        WordIndex(tmp_path / "words.db")


def test_half_an_addition_is_none(tmp_path: Path) -> None:
    index = filled(tmp_path / "words.db")

    def broken() -> object:
        yield "five", "fresh"
        raise RuntimeError("the teller fell silent")

    with pytest.raises(RuntimeError):
        index.add_all(broken())  # type: ignore[arg-type]
    assert index.search("fresh") == []
    assert len(index) == 4
    index.close()
    with sqlite3.connect(tmp_path / "words.db") as file:
        assert file.execute("SELECT count(*) FROM term WHERE word = '=fresh'").fetchone() == (0,)
    file.close()


def test_the_graph_fills_anew_what_is_of_an_earlier_form(tmp_path: Path) -> None:
    ledger = Ledger.open(tmp_path / "ledger")
    graph = Graph.open(tmp_path / "graph", ledger)
    anna = graph.make_entity("person", "Anna").id
    fact = graph.assert_fact(Claim(anna, "remembered", Object.text("likes marzipan"), "user"))
    assert graph.search("marzipan")[0][0].id == fact.id
    graph.close()
    for path in (tmp_path / "graph").glob("graph-text.db*"):
        path.unlink()
    earlier = TextIndex(tmp_path / "graph" / "graph-text.db")
    earlier.add(fact.id, "Anna remembered likes marzipan")
    earlier.close()
    graph = Graph.open(tmp_path / "graph", ledger)
    assert graph.search("marzipan")[0][0].id == fact.id
    graph.close()
    ledger.close()
