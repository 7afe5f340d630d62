"""What every vector store does, whatever lies behind it."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memory.errors import EncoderMismatch
from memory.model import EntityId
from memory.stores import Item, VectorStore, Where

EAST = (1.0, 0.0, 0.0)


def vector(*numbers: float) -> np.ndarray:
    return np.array(numbers, dtype=np.float32)


def item(id: str, *numbers: float, **more: Any) -> Item:
    return Item(id, vector(*numbers), **more)


def found(store: VectorStore, where: Where | None = None, limit: int = 10) -> list[str]:
    return [match.id for match in store.search(vector(*EAST), limit, where or Where())]


def test_the_nearest_come_first(store: VectorStore) -> None:
    store.put([item("east", 1, 0, 0), item("north-east", 3, 3, 0), item("west", -1, 0, 0)])
    matches = store.search(vector(2, 0, 0))
    assert [match.id for match in matches] == ["east", "north-east", "west"]
    assert [match.score for match in matches] == pytest.approx([1, 0.70711, -1], abs=1e-4)
    assert [match.id for match in store.search(vector(2, 0, 0), 1)] == ["east"]
    assert store.search(vector(2, 0, 0), 0) == []


def test_an_empty_store_finds_nothing(store: VectorStore) -> None:
    assert store.search(vector(*EAST)) == []
    assert len(store) == 0
    assert store.ids() == []
    assert store.fetch(["a"]) == {}
    assert store.remove(["a"]) == 0


def test_putting_again_replaces_and_removing_removes(store: VectorStore) -> None:
    store.put([item("a", 1, 0, 0), item("b", 0, 1, 0), item("a", 0, 0, 1)])
    assert found(store)[-1] in {"a", "b"}
    assert store.fetch(["a", "none"])["a"] == pytest.approx(vector(0, 0, 1))
    store.put([item("a", 1, 1, 0)])
    assert len(store) == 2
    assert found(store, limit=1) == ["a"]
    assert store.remove(["a", "a", "none"]) == 1
    assert store.ids() == ["b"]
    assert found(store) == ["b"]


def test_filters(store: VectorStore) -> None:
    store.put(
        item(f"{n}", 1, n, 0, owner=f"turn:{n % 2}", label={"tier": n % 3}, fields={"person": "ab"[n % 2], "at": n})
        for n in range(10)
    )
    assert found(store, Where(fields={"person": "b"})) == ["1", "3", "5", "7", "9"]
    assert found(store, Where(fields={"person": ("a", "none")}), 2) == ["0", "2"]
    assert found(store, Where(ranges={"at": (3, 6)})) == ["3", "4", "5"]
    assert found(store, Where(ranges={"at": (None, 2)})) == ["0", "1"]
    assert found(store, Where(owners=["turn:1"]), 1) == ["1"]
    assert found(store, Where(owners=[])) == []
    assert found(store, Where(fields={"nothing": "a"})) == []
    assert found(store, Where(label=lambda label: label == {"tier": 2})) == ["2", "5", "8"]
    assert found(store, Where(fields={"person": "a"}, ranges={"at": (1, None)}, label=lambda _: True)) == list("2468")
    assert found(store, Where(label=lambda _: False)) == []


def test_a_label_is_asked_for_once_and_handed_over_whole(store: VectorStore) -> None:
    label = {"tier": "ä", "from": ["mail", 3], "none": None}
    store.put(item(f"{n}", 1, n, 0, label=label) for n in range(40))
    asked: list[object] = []
    assert len(found(store, Where(label=lambda one: asked.append(one) or True), 40)) == 40
    assert asked[0] == label
    assert len(asked) <= 2


def test_a_filter_that_few_pass_finds_them_all(store: VectorStore) -> None:
    store.put(item(f"{n:03}", 1, n, 0, label=n == 299) for n in range(300))
    assert found(store, Where(label=lambda label: label is True), 5) == ["299"]


@pytest.mark.parametrize(
    "bad", [vector(0, 0, 0), vector(1), vector(1, 0, 0, 0), vector(np.nan, 1, 0), vector(np.inf, 1, 0)]
)
def test_what_has_no_direction_is_refused(store: VectorStore, bad: np.ndarray) -> None:
    store.put([item("there", 1, 0, 0)])
    with pytest.raises(ValueError, match="vector"):
        store.put([item("a", 1, 0, 0), Item("b", bad)])
    with pytest.raises(ValueError, match="vector"):
        store.search(bad)
    assert store.ids() == ["there"]


def test_another_encoder_is_refused_until_it_was_cleared(opener: Any) -> None:
    if not opener.lasting:
        pytest.skip("a store in memory is gone when it is closed; the stores in files are tried")
    store = opener()
    store.put([item("a", 1, 0, 0)])
    store.close()
    for encoder, dimensions in (("e2", 3), ("e1", 4)):
        with pytest.raises(EncoderMismatch) as caught:
            opener(encoder, dimensions)
        assert "again" in caught.value.hint
    store = opener()
    assert store.ids() == ["a"]


def test_what_was_put_is_there_after_opening_again(opener: Any) -> None:
    if not opener.lasting:
        pytest.skip("a store in memory is gone when it is closed; the stores in files are tried")
    store = opener()
    store.put([item("a", 1, 0, 0, owner="turn:1", label=[1], fields={"at": 2**62}), item("b", 0, 1, 0)])
    store.put([item("b", 1, 1, 0)])
    store.remove(["none"])
    store.close()
    store = opener()
    assert found(store) == ["a", "b"]
    assert store.fetch(["b"])["b"] == pytest.approx(vector(0.70711, 0.70711, 0), abs=1e-4)
    assert found(store, Where(owners=["turn:1"], ranges={"at": (2**62, None)}, label=lambda it: it == [1])) == ["a"]
    store.clear()
    assert store.ids() == []
    store.put([item("c", 1, 0, 0)])
    assert found(store) == ["c"]


def test_purging_takes_what_is_owned_about_or_named(store: VectorStore) -> None:
    anna = EntityId("person:anna")
    store.put(
        [
            item("fact:1", 1, 0, 0),
            item("v1", 1, 0, 0, owner="fact:2"),
            item("v2", 1, 0, 0, owner="turn:9", about=(EntityId("x"), anna)),
            item("v3", 1, 0, 0, fields={"person": "ANNA Quillfeather"}),
            item("kept", 1, 0, 0, owner="fact:3", fields={"person": "Annabel"}),
        ]
    )
    gone = (anna, EntityId("fact:1"), EntityId("fact:2"))
    assert store.purge(gone, ["Anna Quillfeather", "An"]) == 4
    assert store.ids() == ["kept"]
    assert store.purge(gone, ["Anna Quillfeather"]) == 0


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.sampled_from("abcdef"), st.booleans(), st.integers(0, 2**32)), max_size=25))
def test_it_agrees_with_a_dictionary(store: VectorStore, steps: list[tuple[str, bool, int]]) -> None:
    store.remove(store.ids())
    model: dict[str, np.ndarray] = {}
    for id, add, seed in steps:
        if add:
            row = np.random.default_rng(seed).normal(size=3).astype(np.float32)
            store.put([Item(id, row)])
            model[id] = row / np.linalg.norm(row)
        else:
            assert store.remove([id]) == (model.pop(id, None) is not None)
    asked = vector(1, 1, 1) / np.float32(3**0.5)
    expected = sorted((float(row @ asked) for row in model.values()), reverse=True)
    matches = store.search(asked, 3)
    assert [match.score for match in matches] == pytest.approx(expected[:3], abs=1e-4)
    assert store.ids() == sorted(model)


def test_threads_may_put_and_search_together(store: VectorStore) -> None:
    failures: list[BaseException] = []

    def work(name: str) -> None:
        try:
            for number in range(20):
                store.put([item(f"{name}{number}", 1, 2, number + 1)])
                assert store.search(vector(1, 2, 3), 5)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(name,)) for name in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
    assert len(store) == 80
