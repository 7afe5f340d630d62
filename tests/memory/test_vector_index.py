"""Finding by direction: exact, in groups, never across encoders."""

from __future__ import annotations

import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory import VectorIndex
from memory.errors import EncoderMismatch


def unit(*numbers: float) -> np.ndarray:
    return np.array(numbers, dtype=np.float32)


def test_the_nearest_come_first() -> None:
    index = VectorIndex("e1", 2)
    index.add("east", unit(1, 0))
    index.add("north-east", unit(3, 3))
    index.add("west", unit(-1, 0))
    found = index.search(unit(2, 0))
    assert [id for id, _ in found] == ["east", "north-east", "west"]
    assert [score for _, score in found] == pytest.approx([1, 0.70711, -1], abs=1e-5)


def test_adding_replaces_removing_removes_and_groups_divide() -> None:
    index = VectorIndex("e1", 2)
    for number in range(50):
        index.add(f"{number}", unit(1, number), "even" if number % 2 == 0 else "odd")
    index.add("0", unit(0, 1), "odd")
    assert index.remove("3")
    assert not index.remove("3")
    assert len(index) == 49
    assert [id for id, _ in index.search(unit(1, 0), 2, "odd")] == ["1", "5"]
    assert [id for id, _ in index.search(unit(1, 0), 1, "even")] == ["2"]
    assert index.search(unit(1, 0), group="none") == []
    assert index.search(unit(1, 0), 0) == []
    assert VectorIndex("e1", 2).search(unit(1, 0)) == []


def test_equal_vectors_go_by_id() -> None:
    index = VectorIndex("e1", 2)
    for id in ("d", "a", "c", "b"):
        index.add(id, unit(1, 1))
    assert [id for id, _ in index.search(unit(1, 1), 2)] == ["a", "b"]


def test_another_encoder_is_refused() -> None:
    index = VectorIndex("e1", 2)
    index.add("a", unit(1, 0), encoder="e1")
    for act in (lambda: index.add("b", unit(1, 0), encoder="e2"), lambda: index.search(unit(1, 0), encoder="e2")):
        with pytest.raises(EncoderMismatch) as caught:
            act()
        assert caught.value.code == "encoder.mismatch"
    assert len(index) == 1


@pytest.mark.parametrize("vector", [unit(0, 0), unit(1), unit(1, 0, 0), unit(np.nan, 1), unit(np.inf, 1)])
def test_what_has_no_direction_is_refused(vector: np.ndarray) -> None:
    with pytest.raises(ValueError, match="vector"):
        VectorIndex("e1", 2).add("a", vector)


@given(st.lists(st.tuples(st.sampled_from("abcdef"), st.booleans(), st.integers(0, 2**32)), max_size=40))
def test_it_agrees_with_a_dictionary(steps: list[tuple[str, bool, int]]) -> None:
    index, model = VectorIndex("e", 8), {}
    for id, add, seed in steps:
        if add:
            vector = np.random.default_rng(seed).normal(size=8).astype(np.float32)
            index.add(id, vector)
            model[id] = vector / np.linalg.norm(vector)
        else:
            assert index.remove(id) == (model.pop(id, None) is not None)
    query = np.ones(8, dtype=np.float32) / np.float32(8**0.5)
    expected = sorted(((float(v @ query), id) for id, v in model.items()), reverse=True)
    found = index.search(query, 3)
    assert [score for _, score in found] == pytest.approx([score for score, _ in expected[:3]], abs=1e-5)


def test_threads_may_add_and_search_together() -> None:
    index = VectorIndex("e", 4)

    def work(name: str) -> None:
        for number in range(200):
            index.add(f"{name}{number}", unit(1, 2, 3, number + 1))
            assert index.search(unit(1, 2, 3, 4), 5)

    threads = [threading.Thread(target=work, args=(name,)) for name in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(index) == 800
