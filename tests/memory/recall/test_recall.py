"""Finding turns and facts again by words, meaning, neighbours, names, times and the graph; never what is shut out."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from memory import Encoder, Ledger
from memory.errors import EncoderMismatch, StoreFailed
from memory.graph import Claim, Graph, Object, Stores
from memory.model import EntityId
from memory.recall import Hit, Question, Recall, Turn
from memory.stores import Place
from tests.memory.recall.conftest import ANNA, BEN, DAY, TURNS


def ids(hits: Sequence[Hit]) -> list[str]:
    return [hit.turn.id for hit in hits]


def test_words_and_meaning_find(recall: Recall) -> None:
    assert ids(recall.search(Question("Which fish does she eat in Portugal?", limit=2)))[0] in {"t1", "t3"}
    assert ids(recall.search(Question("the plumber's bill", limit=1))) == ["t6"]
    assert ids(recall.search(Question("rechnung klempner", limit=1))) == ["t7"]


def test_a_hit_says_why_in_numbers_that_sum_to_its_score(recall: Recall) -> None:
    hits = recall.search(Question("What did Anna say about the food?", limit=7))
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    for hit in hits:
        assert sum(hit.reasons.values()) == pytest.approx(hit.score, abs=1e-4)
    assert {"words", "meaning"} <= set(hits[0].reasons)
    assert hits[0].turn == next(turn for turn in TURNS if turn.id == hits[0].turn.id)


def test_a_neighbour_of_what_was_found_is_drawn_along(recall: Recall) -> None:
    found = ids(recall.search(Question("Lisbon food", limit=3)))
    assert set(found) == {"t1", "t2", "t3"}


@pytest.mark.parametrize(
    ("shut", "left"),
    [
        ({"span": (2 * DAY, 8 * DAY)}, {"t4", "t5"}),
        ({"span": (None, DAY + 1)}, {"t1"}),
        ({"people": ("anna",)}, {"t1", "t3", "t5"}),
        ({"people": (ANNA,)}, {"t1"}),
        ({"people": ("nobody",)}, set()),
        ({"origins": ("mail",)}, {"t6"}),
        ({"sessions": ("s2", "s3")}, {"t4", "t5", "t6", "t7"}),
        ({"kinds": ("fact",)}, set()),
        ({"label": lambda label: label is None}, {"t1", "t2", "t3", "t5", "t6", "t7"}),
        ({"label": lambda _: False}, set()),
        ({"sessions": ("s2",), "people": ("Ben",), "origins": ("conversation",)}, {"t4"}),
    ],
)
def test_what_a_filter_shuts_out_is_not_found(recall: Recall, shut: dict[str, Any], left: set[str]) -> None:
    assert set(ids(recall.search(Question("dog food invoice Lisbon name", limit=50, **shut)))) <= left
    if left:
        words = " ".join(turn.text for turn in TURNS if turn.id in left)
        assert set(ids(recall.search(Question(words, limit=50, **shut)))) == left


def test_what_a_label_shuts_out_does_not_change_the_rest(tmp_path: Path, encoder: Encoder, recall: Recall) -> None:
    """Not even through its neighbours, its session or an echo."""
    question = Question("Rex the dog", limit=50, label=lambda label: label is None)
    without = Recall.open(None, encoder)
    without.add(*(turn for turn in TURNS if turn.label is None))
    ours, theirs = recall.search(question), without.search(question)
    assert ids(ours) == ids(theirs)
    without.close()


def test_times_draw_and_do_not_shut_out(recall: Recall) -> None:
    plain = ids(recall.search(Question("what was said", limit=7)))
    drawn = ids(recall.search(Question("what was said", limit=7, times=((5 * DAY, 6 * DAY),))))
    assert drawn.index("t4") < plain.index("t4") or drawn.index("t5") < plain.index("t5")
    assert set(drawn) == set(plain)


def test_what_was_told_twice_is_there_once(recall: Recall) -> None:
    assert recall.add(*TURNS) == 0
    assert recall.add(Turn("t8", "new", 0), Turn("t8", "newer", 0)) == 1
    assert len(recall) == 8
    assert recall.standing == 7
    assert recall.add(seen=12) == 0
    assert recall.standing == 12


def test_any_question_may_be_asked(recall: Recall) -> None:
    for text in ("", "\0", "\udc80", "😀", "؟من", "x" * 20_000, 'a" OR (*', "word " * 500):
        recall.search(Question(text))
    assert recall.search(Question("dog", limit=0)) == []
    assert Recall.open(None).search(Question("dog")) == []


def test_without_an_encoder_words_find(tmp_path: Path) -> None:
    recall = Recall.open(tmp_path / "words-only")
    recall.add(*TURNS)
    assert ids(recall.search(Question("sardines", limit=1))) == ["t3"]
    recall.close()


def test_it_is_there_after_opening_again(tmp_path: Path, encoder: Encoder, recall: Recall) -> None:
    asked = Question("Which fish does she eat in Portugal?", limit=7)
    before = recall.search(asked)
    recall.close()
    again = Recall.open(tmp_path / "recall", encoder)
    assert again.search(asked) == before
    again.close()


@pytest.mark.parametrize("lost", ["words.db", "vectors"])
def test_what_a_crash_took_from_words_or_vectors_is_made_again(tmp_path: Path, encoder: Encoder, lost: str) -> None:
    folder = tmp_path / "lost"
    recall = Recall.open(folder, encoder)
    recall.add(*TURNS)
    asked = Question("Which fish does she eat in Portugal?", limit=7)
    before = recall.search(asked)
    recall.close()
    for path in folder.glob(f"{lost}*"):
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    again = Recall.open(folder, encoder)
    assert again.search(asked) == before
    again.close()


def test_damaged_files_are_named_or_made_anew(tmp_path: Path, encoder: Encoder) -> None:
    folder = tmp_path / "damaged"
    recall = Recall.open(folder, encoder)
    recall.add(*TURNS)
    recall.close()
    (folder / "words.db").write_bytes(b"no database" * 500)
    again = Recall.open(folder, encoder)
    assert ids(again.search(Question("sardines", limit=1))) == ["t3"]
    again.close()
    (folder / "recall.db").write_bytes(b"no database" * 500)
    for _ in range(2):
        with pytest.raises(StoreFailed) as caught:
            Recall.open(folder, encoder)
        assert caught.value.code == "store.damaged"
        assert str(folder) in caught.value.hint


def test_words_and_vectors_that_nobody_told_are_removed(tmp_path: Path, encoder: Encoder) -> None:
    folder = tmp_path / "lost"
    recall = Recall.open(folder, encoder)
    recall.add(*TURNS)
    recall.close()
    for path in folder.glob("recall.db*"):
        path.unlink()
    again = Recall.open(folder, encoder)
    assert len(again) == 0
    assert again.search(Question("sardines")) == []
    again.add(TURNS[0])
    assert ids(again.search(Question("sardines Lisbon"))) == ["t1"]
    again.close()


class Other:
    """Another encoder: letters counted."""

    digest, dimensions = "letters", 26

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        rows = np.array([[text.lower().count(chr(97 + n)) for n in range(26)] for text in texts], dtype=np.float32)
        return rows.reshape(-1, 26)


def test_another_encoder_is_refused_and_then_renewed(tmp_path: Path, recall: Recall) -> None:
    recall.close()
    with pytest.raises(EncoderMismatch):
        Recall.open(tmp_path / "recall", Other())
    again = Recall.open(tmp_path / "recall", Other(), renew=True)
    assert again.catch_up() == 0
    assert ids(again.search(Question("sardines", limit=1))) == ["t3"]
    again.close()


WORDS = (b"Lisbon", b"lisbon", b"sardin", b"Anna", b"anna")


def held(folder: Path) -> bytes:
    return b"\0".join(path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file())


def test_no_byte_of_what_is_purged_is_left(tmp_path: Path, recall: Recall) -> None:
    assert recall._store is not None
    vector = recall._store.fetch(["t1"])["t1"].tobytes()
    for word in (*WORDS, vector):
        assert word in held(tmp_path)  # control: what is searched for was readable there
    assert recall.purge((ANNA,), ["Anna"]) == 3
    assert not [word for word in (*WORDS, vector) if word in held(tmp_path)]
    assert recall.purge((ANNA,), ["Anna"]) == 0
    assert ids(recall.search(Question("Anna sardines Lisbon", limit=9, sessions=("s1",)))) == ["t2"]
    recall.close()
    assert not [word for word in (*WORDS, vector) if word in held(tmp_path)]


def test_one_turn_is_forgotten_and_everything_is_cleared(tmp_path: Path, recall: Recall) -> None:
    assert recall.forget("t4", "none") == 1
    assert b"Rex" not in held(tmp_path)
    recall.clear()
    assert (len(recall), recall.standing) == (0, 0)
    assert b"sardin" not in held(tmp_path)
    recall.add(TURNS[2])
    assert ids(recall.search(Question("sardines"))) == ["t3"]


# --- with the graph ---------------------------------------------------------------------------------------------------


@pytest.fixture
def known(tmp_path: Path, recall: Recall) -> Any:
    ledger = Ledger.open(tmp_path / "ledger")
    graph = Graph.open(tmp_path / "graph", ledger, Stores(recall))
    yield graph
    graph.close()
    ledger.close()


def told(graph: Graph, recall: Recall, *facts: tuple[EntityId, str, Object, str], **more: Any) -> list[str]:
    found = []
    for subject, predicate, thing, sentence in facts:
        fact = graph.assert_fact(Claim(subject, predicate, thing, "user", **more))
        recall.add_facts((fact, sentence))
        found.append(fact.id)
    return found


def test_a_fact_is_found_while_the_graph_holds_it(recall: Recall, known: Graph) -> None:
    carla = known.make_entity("person", "Carla Duarte").id
    (fact,) = told(known, recall, (carla, "remembered", Object.text("loves marzipan"), "Carla Duarte loves marzipan"))
    (hit,) = recall.search(Question("who likes marzipan", limit=1), known)
    assert (hit.turn.id, hit.kind, hit.turn.about) == (fact, "fact", (carla,))
    known.retract(fact)
    assert fact not in ids(recall.search(Question("who likes marzipan", limit=20), known))


def test_the_label_of_a_fact_shuts_it_out(recall: Recall, known: Graph) -> None:
    carla = known.make_entity("person", "Carla").id
    (fact,) = told(
        known, recall, (carla, "remembered", Object.text("loves marzipan"), "Carla loves marzipan"), label={"tier": 3}
    )
    assert fact in ids(recall.search(Question("marzipan", limit=20), known))
    assert fact not in ids(recall.search(Question("marzipan", limit=20, label=lambda label: label is None), known))


def test_two_steps_away_is_drawn_in_through_the_graph(recall: Recall, known: Graph) -> None:
    carla, xenon = known.make_entity("person", "Carla").id, known.make_entity("org", "Xenon").id
    told(known, recall, (carla, "works_at", Object.entity(xenon), "Carla works at Xenon"))
    recall.add(Turn("far", "They moved into the old mill by the harbour", 3 * DAY, "s9", "Ben", about=(xenon,)))
    recall.add(Turn("also", "They painted the old barn by the river", 3 * DAY, "s8", "Ben", about=(BEN,)))
    question = Question("Where is the office of Carla's employer?", limit=20)
    plain = ids(recall.search(question, known))
    drawn = recall.search(Question(question.text, limit=20, entities=(carla,)), known)
    assert "graph" in next(hit.reasons for hit in drawn if hit.turn.id == "far")
    assert ids(drawn).index("far") < ids(drawn).index("also")
    assert ids(drawn).index("far") <= (plain.index("far") if "far" in plain else len(plain))


def test_forgetting_somebody_in_the_graph_reaches_recall(tmp_path: Path, recall: Recall, known: Graph) -> None:
    carla = known.make_entity("person", "Carla Duarte").id
    told(known, recall, (carla, "remembered", Object.text("loves marzipan"), "Carla Duarte loves marzipan"))
    recall.add(Turn("t9", "carla DUARTE called twice", 3 * DAY, "s9", "Ben"))
    done = known.forget(carla)
    assert done.stores == {"recall": 2}
    assert not [word for word in (b"marzipan", b"Duarte", b"duarte", b"DUARTE") if word in held(tmp_path)]


def test_vectors_may_lie_elsewhere(tmp_path: Path, encoder: Encoder) -> None:
    recall = Recall.open(tmp_path / "one", encoder, Place(folder=tmp_path / "two"))
    recall.add(*TURNS)
    assert (tmp_path / "two" / "recall" / "vectors.f32").exists()
    assert ids(recall.search(Question("Which fish does she eat in Portugal?", limit=1)))[0] in {"t1", "t3"}
    recall.close()
