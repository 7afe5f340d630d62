"""Every back end, in a folder of its own; the tests of the contract run on each of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from memory.stores import Place, VectorStore, open_store

Opener = Callable[..., VectorStore]


@pytest.fixture(params=["memory", "flat"])
def opener(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Opener]:
    """Opens the store of one test, again and again; everything is closed in the end."""
    place = Place() if request.param == "memory" else Place(folder=tmp_path / "vectors")
    opened: list[VectorStore] = []

    def open_again(encoder: str = "e1", dimensions: int = 3, name: str = "things") -> VectorStore:
        store = open_store(place, name, encoder, dimensions)
        opened.append(store)
        return store

    open_again.lasting = request.param != "memory"  # type: ignore[attr-defined]
    open_again.folder = place.folder  # type: ignore[attr-defined]
    yield open_again
    for store in opened:
        store.close()


@pytest.fixture
def store(opener: Opener) -> VectorStore:
    return opener()
