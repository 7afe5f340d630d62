"""What is Chroma's own: the bytes that a purge leaves, a server that is gone, nothing downloaded or reported."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

from memory.errors import StoreFailed, StoreMissing
from memory.model import EntityId
from memory.stores import Item, Place, Where, chroma, erase_store, open_store

pytestmark = [
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]
ANNA = EntityId("person:swordfish")


def direction(seed: int) -> np.ndarray:
    row = np.random.default_rng(seed).normal(size=48).astype(np.float32)
    return row / np.linalg.norm(row)


def items(count: int) -> list[Item]:
    plain = [Item(f"i{n}", direction(n), f"turn:{n}", fields={"at": n}) for n in range(count)]
    return [*plain, Item("secret-id", direction(10**6), "turn:x", (ANNA,), "marzipan")]


def held(folder: Path) -> bytes:
    return b"\0".join(path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file())


@pytest.mark.chroma
def test_no_byte_of_a_purged_item_is_left(chromadb: Any, tmp_path: Path) -> None:
    place = Place("chroma", tmp_path / "chroma")
    store = open_store(place, "things", "e1", 48)
    store.put(items(1_500))  # beyond what Chroma keeps outside of its index
    vector = store.fetch(["secret-id"])["secret-id"].tobytes()
    words = (b"secret-id", b"swordfish", b"marzipan", vector)
    assert all(word in held(tmp_path) for word in words)  # control: what is searched for was readable there
    assert store.purge((ANNA,), ()) == 1
    assert not [word for word in words if word in held(tmp_path)]
    assert len(store) == 1_500
    assert store.search(direction(7), 1, Where(ranges={"at": (5, 9)}))[0].id == "i7"
    store.close()
    assert not [word for word in words if word in held(tmp_path)]
    store = open_store(place, "things", "e1", 48)
    assert store.search(direction(8), 1)[0].id == "i8"
    store.close()


@pytest.mark.chroma
def test_a_purge_that_was_cut_short_lost_nothing(chromadb: Any, tmp_path: Path) -> None:
    place = Place("chroma", tmp_path / "chroma")
    store = open_store(place, "things", "e1", 48)
    store.put(items(10))
    store.close()
    half = tmp_path / "chroma" / "things.new"
    half.mkdir()
    (half / "chroma.sqlite3").write_bytes(b"half")
    store = open_store(place, "things", "e1", 48)
    assert not half.exists()
    assert len(store) == 11
    store.close()


@pytest.mark.chroma
def test_a_server_forgets_what_was_purged(server: tuple[str, Path]) -> None:
    store = open_store(Place("chroma-server", url=server[0]), "purged", "e1", 48)
    store.put(items(20))
    assert store.purge((ANNA,), ()) == 1
    assert store.fetch(["secret-id"]) == {}
    assert len(store) == 20
    store.close()


@pytest.mark.chroma
def test_a_server_that_is_not_there(chromadb: Any) -> None:
    with pytest.raises(StoreFailed) as caught:
        open_store(Place("chroma-server", url="http://127.0.0.1:9"), "things", "e1")
    assert caught.value.retryable
    assert "server runs" in caught.value.hint


@pytest.mark.chroma
def test_opening_loads_no_model_and_reports_nothing(chromadb: Any, tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from memory.stores import Place, open_store; import numpy as np\n"
        "from memory.stores import Item\n"
        f"store = open_store(Place('chroma', Path({str(tmp_path)!r})), 'things', 'e1', 3)\n"
        "store.put([Item('a', np.array([1, 0, 0], dtype=np.float32))]); store.close()\n"
        "print(*{'onnxruntime', 'torch', 'posthog', 'sentence_transformers'} & set(sys.modules))"
    )
    environ = {"PATH": "/usr/bin", "HOME": str(tmp_path), "PYTHONPATH": ":".join(sys.path)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environ)
    assert done.stdout == "\n"
    assert not (tmp_path / ".cache").exists()


def test_a_back_end_that_is_not_installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "chromadb", None)
    for place in (Place("chroma", tmp_path), Place("chroma-server", url="http://127.0.0.1:9")):
        with pytest.raises(StoreMissing) as caught:
            open_store(place, "things", "e1")
        assert "./steward setup chroma" in caught.value.hint


@pytest.mark.parametrize("url", ["", "127.0.0.1:8000", "ftp://x", "http://"])
def test_a_server_is_named_by_its_address(url: str) -> None:
    with pytest.raises(ValueError, match="server"):
        chroma.served(url, "things", "e1", 3)
    with pytest.raises(ValueError, match="folder"):
        open_store(Place("chroma"), "things", "e1")


# --- a server that says that it is there, and no more ----------------------------------------------------------------


class _Heart(BaseHTTPRequestHandler):
    """Answers whether it is there."""

    def do_GET(self) -> None:
        body = json.dumps({"nanosecond heartbeat": 1}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@pytest.fixture
def heart() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), _Heart) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def as_installed(monkeypatch: pytest.MonkeyPatch, make_client: Callable[..., Any]) -> None:
    """As if chromadb were installed, with this way to make a client."""
    module = ModuleType("chromadb")
    module.HttpClient = make_client  # type: ignore[attr-defined]
    module.__spec__ = ModuleSpec("chromadb", None)
    module.config = SimpleNamespace(Settings=SimpleNamespace)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "chromadb", module)


def test_a_server_that_answers_and_then_fails_has_not_erased(monkeypatch: pytest.MonkeyPatch, heart: str) -> None:
    def fails(**_: Any) -> Any:
        raise ValueError("Could not connect to tenant default_tenant.")

    as_installed(monkeypatch, fails)
    with pytest.raises(StoreFailed, match="tenant"):
        erase_store(Place("chroma-server", url=heart), "steward-1")


def test_a_server_that_answers_and_then_is_silent_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch, heart: str
) -> None:
    """chromadb's client asks while it is made, and knows no limit then."""
    said = threading.Event()

    def waits(**_: Any) -> Any:
        said.wait(60)
        raise ValueError("too late")

    as_installed(monkeypatch, waits)
    try:
        with pytest.raises(StoreFailed, match=r"longer than 0\.3 s"):
            erase_store(Place("chroma-server", url=heart), "steward-1", limit_s=0.3)
        monkeypatch.setattr(chroma, "_REQUEST_S", 0.2)
        with pytest.raises(StoreFailed, match=r"longer than 0\.2 s"):
            open_store(Place("chroma-server", url=heart), "steward-1", "e1", 48)
    finally:
        said.set()


def test_whether_a_server_answers_is_asked_before_chromadb_is_loaded(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "chromadb.py").write_text("raise RuntimeError('it was loaded')")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "chromadb", raising=False)
    with socket.create_server(("127.0.0.1", 0)) as gone:
        port = gone.getsockname()[1]
    place = Place("chroma-server", url=f"http://127.0.0.1:{port}")
    for asked in (lambda: erase_store(place, "steward-1"), lambda: open_store(place, "steward-1", "e1", 48)):
        with pytest.raises(StoreFailed, match="does not answer"):
            asked()
