"""Every back end, in a folder of its own; the tests of the contract run on each of them."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from memory.stores import Place, VectorStore, open_store

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
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    start = "from chromadb.cli.cli import app; app()"
    command = [sys.executable, "-c", start, "run", "--path", str(folder), "--host", "127.0.0.1", "--port", str(port)]
    environ = {**os.environ, "ANONYMIZED_TELEMETRY": "False"}
    process = subprocess.Popen(command, env=environ, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        _await(process, port)
        yield f"http://127.0.0.1:{port}", folder
    finally:
        process.terminate()
        process.wait(20)


def _await(process: subprocess.Popen[bytes], port: int) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and process.poll() is None:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise RuntimeError("the Chroma server did not start")


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
