"""Every back end, in a folder of its own; the tests of the contract run on each of them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from memory.stores import Place, VectorStore, open_store
from tests.memory.stores.chroma_server import serving

Opener = Callable[..., VectorStore]
LEAKY = (  # a client of chromadb that could not be made leaves its sockets to the garbage collector
    pytest.mark.chroma,
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
)
BACK_ENDS = ["memory", "flat", *(pytest.param(kind, marks=LEAKY) for kind in ("chroma", "chroma-server"))]


@pytest.fixture(scope="session")
def chromadb() -> Any:
    return pytest.importorskip(
        "chromadb", reason="Chroma is not installed: ./steward setup chroma", exc_type=ImportError
    )


@pytest.fixture(scope="session")
def server(chromadb: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """A Chroma server in a process of its own: its address and its folder."""
    folder = tmp_path_factory.mktemp("server")
    with serving(folder) as server:
        yield server.url, folder


@pytest.fixture(params=BACK_ENDS)
def opener(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Opener]:
    """Opens the store of one test, again and again; everything is closed in the end."""
    place, name = Place(), "things"
    if request.param == "chroma-server":
        place = Place("chroma-server", url=request.getfixturevalue("server")[0])
        name = f"things-{os.urandom(4).hex()}"
    elif request.param != "memory":
        place = Place(request.param, tmp_path / "vectors")
    if request.param == "chroma":
        request.getfixturevalue("chromadb")
    opened: list[VectorStore] = []

    def open_again(encoder: str = "e1", dimensions: int = 3, **more: bool) -> VectorStore:
        store = open_store(place, name, encoder, dimensions, **more)
        opened.append(store)
        return store

    open_again.lasting = request.param != "memory"  # type: ignore[attr-defined]
    yield open_again
    for store in opened:
        store.close()


@pytest.fixture
def store(opener: Opener) -> VectorStore:
    return opener()
