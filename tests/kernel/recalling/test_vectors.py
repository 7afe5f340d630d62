"""Recall's vectors lie where the setting says: brought over, erased where they were, and told where that cannot be."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import sys
import threading
from collections.abc import Iterator
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from kernel import BadRequest, check_vectors, load_settings
from kernel.recalling import vectors
from kernel.recalling.vectors import Spot, Vectors
from memory.errors import StoreFailed, StoreMissing
from memory.recall import Question, Recall, Turn
from tests.memory.stores.chroma_server import Server, serving

Bench = Any  # tests/kernel/conftest.py

LEAKY = (
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
)
pytestmark = [*LEAKY]
TURNS = [
    Turn(f"t{n}", text, n) for n, text in enumerate(["sardines in Lisbon", "the plumber came", "a dog called Rex"])
]


class Letters:
    """An encoder that counts what it encodes."""

    dimensions = 26

    def __init__(self, digest: str = "letters") -> None:
        self.digest = digest
        self.encoded = 0

    def encode(self, texts: list[str]) -> Any:
        self.encoded += len(texts)
        rows = np.array([[text.lower().count(chr(97 + at)) + 0.01 for at in range(26)] for text in texts], np.float32)
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)


@pytest.fixture(scope="module")
def module_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    pytest.importorskip("chromadb", reason="Chroma is not installed: ./steward setup chroma", exc_type=ImportError)
    with serving(tmp_path_factory.mktemp("server")) as one:
        yield one


def told(folder: Path, where: str, encoder: Letters) -> Vectors:
    """A recall of three turns whose vectors lie at ``where``."""
    place = Vectors(folder, where)
    recall = place.open(encoder)  # type: ignore[arg-type]
    recall.add(*TURNS)
    recall.close()
    return place


def nearest(recall: Recall, text: str) -> dict[str, float]:
    """The part that meaning has in each hit."""
    found = {hit.turn.id: hit.reasons for hit in recall.search(Question(text, limit=3))}
    return {id: round(reasons.get("meaning", 0.0), 4) for id, reasons in found.items()}


def collections(server: Server) -> set[str]:
    import chromadb

    client = chromadb.HttpClient(host="127.0.0.1", port=server.port)
    return {one.name for one in client.list_collections()}


@pytest.mark.chroma
def test_they_are_brought_over_and_back_and_nothing_is_encoded_again(tmp_path: Path, module_server: Server) -> None:
    encoder = Letters()
    told(tmp_path, "flat", encoder)
    before = encoder.encoded
    scores = []
    held = {"flat": tmp_path / "vectors" / "recall", "chroma": tmp_path / "chroma" / "recall"}
    for where in ("chroma", module_server.url, "flat"):
        place = Vectors(tmp_path, where)
        assert "brings them to" in place.words()
        recall = place.open(encoder)  # type: ignore[arg-type]
        assert encoder.encoded == before, f"{where}: they were encoded again"
        scores.append(nearest(recall, "sardines lisbon"))
        assert any(scores[-1].values()), "the control: meaning has a part in it"
        recall.close()
        before = encoder.encoded
        assert place.standing().now.where == where
        assert place.standing().left == ()
        assert [kind for kind, folder in held.items() if folder.exists()] == ([where] if where in held else [])
        assert place.examine()[0]
    assert scores[0] == scores[1] == scores[2]
    assert not {name for name in collections(module_server) if name.startswith("steward-")}


@pytest.mark.chroma
def test_two_homes_on_one_server_keep_apart(tmp_path: Path, module_server: Server) -> None:
    encoder = Letters()
    told(tmp_path / "one", module_server.url, encoder)
    other = Vectors(tmp_path / "two", module_server.url)
    other.open(encoder).close()  # type: ignore[arg-type]
    again = Vectors(tmp_path / "one", module_server.url)
    encoder.encoded = 0
    again.open(encoder).close()  # type: ignore[arg-type]
    assert encoder.encoded == 0, "the other home's recall took out what it does not know"
    assert again.standing().now.name != other.standing().now.name
    for place in (again, other):
        place.give_up()


@pytest.mark.chroma
def test_what_a_dead_server_holds_is_given_up_told_and_erased_later(tmp_path: Path) -> None:
    pytest.importorskip("chromadb", reason="Chroma is not installed: ./steward setup chroma", exc_type=ImportError)
    encoder = Letters()
    (tmp_path / "server").mkdir()
    with serving(tmp_path / "server") as server:
        place = told(tmp_path / "recall", server.url, encoder)
        held = place.standing().now.name
        assert held in collections(server)
        server.end()
        with pytest.raises(StoreFailed, match="does not answer") as caught:
            place.open(encoder)  # type: ignore[arg-type]
        assert "./steward config set vectors flat" in caught.value.hint
        place.give_up()  # as a forget does
        good, state, _ = Vectors(tmp_path / "recall", "flat").examine()
        assert not good
        assert "not erased" in state
        here = Vectors(tmp_path / "recall", "flat")
        here.open(encoder).close()  # type: ignore[arg-type]
        assert [spot.name for spot in here.standing().left if spot.name == held] == [held]
        server.begin()
        assert held in collections(server), "the control: it is still there"
        Vectors(tmp_path / "recall", "flat").open(encoder).close()  # type: ignore[arg-type]
        assert held not in collections(server)
        assert here.standing().left == ()


@pytest.mark.chroma
@pytest.mark.slow
async def test_a_forget_does_not_wait_for_a_dead_server(bench: Bench, tmp_path: Path) -> None:
    """What was said is gone from recall at once, and ``doctor`` says where vectors of it are left."""
    pytest.importorskip("chromadb", reason="Chroma is not installed: ./steward setup chroma", exc_type=ImportError)
    house = bench.kernel._house
    house.recollection._encoder = Letters
    (tmp_path / "server").mkdir()
    with serving(tmp_path / "server") as server:
        house.recollection.vectors = Vectors(house.recollection.folder, server.url)
        assert (await bench.ask("remember that Anna Berg works at Xenon"))["resolution"] == "executed"
        await bench.ask("what is 3 plus 4?")
        assert "Xenon" in str(await bench.kernel.known.search("Xenon")), "the control"
        assert server.url in bench.kernel.status()["vectors"]
        (name,) = collections(server)
        house.recollection.close()
        server.end()
        line = next(one for one in bench.kernel.doctor() if one["name"] == "vectors")
        assert (line["ok"], "./steward config set vectors flat" in line["remedy"]) == (False, True)
        seen = await bench.kernel.known.preview("Anna Berg", ())
        done = await bench.kernel.known.forget("Anna Berg", (), seen["seal"])
        assert done["stores"]["recall"] > 0
        house.recollection.vectors = Vectors(house.recollection.folder, "flat")
        assert "Xenon" not in str(await bench.kernel.known.search("Xenon"))
        assert name in str(house.recollection.vectors.standing().left)
        line = next(one for one in bench.kernel.doctor() if one["name"] == "vectors")
        assert (line["ok"], "not erased from the Chroma server" in line["state"]) == (False, True)


@pytest.mark.chroma
@pytest.mark.slow
async def test_a_forget_does_not_wait_for_a_server_that_falls_silent_while_recall_is_open(
    bench: Bench, tmp_path: Path
) -> None:
    pytest.importorskip("chromadb", reason="Chroma is not installed: ./steward setup chroma", exc_type=ImportError)
    house, encoder = bench.kernel._house, Letters()
    house.recollection._encoder = lambda: encoder
    (tmp_path / "server").mkdir()
    with serving(tmp_path / "server") as server:
        house.recollection.vectors = place = Vectors(house.recollection.folder, server.url)
        assert (await bench.ask("remember that Anna Berg works at Xenon"))["resolution"] == "executed"
        assert "Xenon" in str(await bench.kernel.known.search("Xenon")), "the control"
        assert house.recollection.is_open
        (name,) = collections(server)
        seen = await bench.kernel.known.preview("Anna Berg", ())
        server.fall_silent()
        async with asyncio.timeout(30):  # one answer of the server alone may take a minute
            done = await bench.kernel.known.forget("Anna Berg", (), seen["seal"])
        assert done["stores"]["recall"] > 0
        assert place.standing().left == (Spot(server.url, name),)
        server.go_on()
        assert "Xenon" not in str(await bench.kernel.known.search("Xenon"))
        assert name not in collections(server) or place.standing().now.name == name, "it is gone, or was emptied"
        assert place.standing().left == ()
        house.recollection.close()


def test_a_move_that_was_cut_short_loses_nothing_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("chromadb", reason="Chroma is not installed: ./steward setup chroma", exc_type=ImportError)
    encoder = Letters()
    told(tmp_path, "flat", encoder)

    def cut(*_: Any, **__: Any) -> Any:
        (tmp_path / "chroma" / "recall").mkdir(parents=True)
        raise KeyboardInterrupt

    with monkeypatch.context() as broken:
        broken.setattr(Recall, "open", cut)
        with pytest.raises(KeyboardInterrupt):
            Vectors(tmp_path, "chroma").open(encoder)  # type: ignore[arg-type]
    place = Vectors(tmp_path, "flat")
    assert place.standing().left == (Spot("chroma"),), "it is known of"
    encoder.encoded = 0
    place.open(encoder).close()  # type: ignore[arg-type]
    assert encoder.encoded == 0
    assert not (tmp_path / "chroma" / "recall").exists()


def test_a_server_that_takes_the_call_and_says_nothing_is_not_waited_for(tmp_path: Path) -> None:
    pytest.importorskip("chromadb", reason="Chroma is not installed: ./steward setup chroma", exc_type=ImportError)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        place = Vectors(tmp_path, f"http://127.0.0.1:{silent.getsockname()[1]}")
        with pytest.raises(StoreFailed, match="does not answer"):
            place.open(Letters())  # type: ignore[arg-type]
        good, state, remedy = place.examine()
    assert not good
    assert "does not answer" in state
    assert "chroma run" in remedy


class Silent:
    """A server that takes a call and says nothing: how often it was called."""

    def __init__(self, listening: socket.socket) -> None:
        self._listening, self.held = listening, list[socket.socket]()
        self.url = f"http://127.0.0.1:{listening.getsockname()[1]}"
        threading.Thread(target=self._take, daemon=True).start()

    def _take(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                self.held.append(self._listening.accept()[0])


@pytest.fixture
def silent() -> Iterator[Silent]:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        one = Silent(listening)
        yield one
        for held in one.held:
            held.close()


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """As if chromadb were installed: what a server says is asked before anything of it is."""
    module = ModuleType("chromadb")
    module.__spec__ = ModuleSpec("chromadb", None)
    monkeypatch.setitem(sys.modules, "chromadb", module)
    return module


def at(folder: Path, now: Spot, *left: Spot) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    value = {"now": vars_of(now), "left": [vars_of(one) for one in left]}
    (folder / "place.json").write_text(json.dumps(value))


def vars_of(spot: Spot) -> dict[str, str]:
    return {"where": spot.where, "name": spot.name}


def test_what_is_given_up_at_a_silent_server_is_kept_in_mind_once_and_asked_for_once(
    tmp_path: Path, silent: Silent, installed: ModuleType
) -> None:
    """However often something is forgotten, and however much is left there: one call each time, and nothing twice."""
    older = [Spot(silent.url, f"steward-{number}") for number in range(3)]
    at(tmp_path, Spot(silent.url, "steward-now"), *older)
    for time in range(1, 4):
        Vectors(tmp_path, silent.url).give_up()
        assert len(silent.held) == time
        standing = Vectors(tmp_path, silent.url).standing()
        assert standing.left == (*older, Spot(silent.url, "steward-now"))
        assert standing.now == Spot(silent.url, ""), "nothing is there until one is begun"


@pytest.mark.slow
async def test_a_forget_asks_a_silent_server_and_goes_on(bench: Bench, silent: Silent, installed: ModuleType) -> None:
    house = bench.kernel._house
    house.recollection._encoder = Letters
    for name in ("Anna Berg", "Ben Roth"):
        assert (await bench.ask(f"remember that {name} works at Xenon"))["resolution"] == "executed"
    assert "Xenon" in str(await bench.kernel.known.search("Xenon")), "the control"
    house.recollection.close()
    at(house.recollection.folder, Spot(silent.url, "steward-held"))
    house.recollection.vectors = Vectors(house.recollection.folder, silent.url)
    for calls, name in ((2, "Anna Berg"), (4, "Ben Roth")):
        seen = await bench.kernel.known.preview(name, ())
        done = await bench.kernel.known.forget(name, (), seen["seal"])
        assert done["stores"]["recall"] > 0
        assert len(silent.held) == calls, "one to see whether it answers, one to have it erase"
        assert house.recollection.vectors.standing().left == (Spot(silent.url, "steward-held"),)


def test_a_move_that_fails_again_and_again_leaves_one_place_to_erase(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = "http://127.0.0.1:1"
    told(tmp_path, "flat", Letters())

    def fails(*_: Any, **__: Any) -> Any:
        raise StoreFailed("store.chroma", "no")

    monkeypatch.setattr("memory.stores.must_serve", lambda *_: None)
    monkeypatch.setattr(Recall, "open", fails)
    for _ in range(3):
        with pytest.raises(StoreFailed):
            Vectors(tmp_path, url).open(Letters())  # type: ignore[arg-type]
        (left,) = Vectors(tmp_path, url).standing().left
        assert left.where == url


def test_a_forget_does_not_go_on_over_vectors_of_its_own_that_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told(tmp_path, "flat", Letters())

    def refuses(path: Path, **_: Any) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    with monkeypatch.context() as broken:
        broken.setattr("shutil.rmtree", refuses)
        with pytest.raises(StoreFailed, match="vectors/recall"):
            Vectors(tmp_path, "flat").give_up()
    Vectors(tmp_path, "flat").give_up()
    assert not (tmp_path / "vectors/recall").exists()


def test_something_else_that_answers_is_no_server(tmp_path: Path) -> None:
    from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

    from memory.stores.server import must_answer

    class Page(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"{}")

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Page) as page:
        threading.Thread(target=page.serve_forever, daemon=True).start()
        with pytest.raises(StoreFailed, match="is none"):
            must_answer(f"http://127.0.0.1:{page.server_port}")
        page.shutdown()


def test_without_the_extra_it_is_said_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    told(tmp_path, "flat", Letters())
    place = Vectors(tmp_path, "chroma")
    with pytest.raises(StoreMissing) as caught:
        place.open(Letters())  # type: ignore[arg-type]
    assert "./steward setup chroma" in caught.value.hint
    assert place.examine()[2] == caught.value.hint
    assert place.standing() == vectors.Standing(), "and nothing was moved"
    with pytest.raises(BadRequest) as refused:
        check_vectors(load_settings(vectors="chroma"))
    assert "./steward setup chroma" in refused.value.hint


@pytest.mark.parametrize(
    ("where", "said"),
    [
        ("faiss", "no place of vectors"),
        ("http://", "no place of vectors"),
        ("http://a b", "no place of vectors"),
        ("http://me:secret@127.0.0.1:8000", "its host and port"),
        ("http://127.0.0.1:8000/db?x=1", "its host and port"),
        ("http://192.168.1.7:8000", "over https"),
        ("http://127.0.0.1.evil.example:8000", "over https"),
        ("http://[::1", "no address"),
    ],
)
def test_a_place_that_is_none_is_named_with_the_next_step(where: str, said: str) -> None:
    with pytest.raises(BadRequest, match=said) as wrong:
        load_settings(vectors=where)
    assert "./steward config set vectors" in wrong.value.hint
    assert "flat, chroma" in str(wrong.value)


@pytest.mark.parametrize("where", ["flat", "chroma", "http://localhost:8000", "http://[::1]:8000", "https://box:8000"])
def test_a_place_is_taken(where: str) -> None:
    assert load_settings(vectors=where).vectors == where


@pytest.mark.parametrize("text", ["", "{", "[]", '{"now": 1, "left": []}', '{"now": {"where": "flat"}}', "\0"])
def test_a_file_that_cannot_be_read_is_begun_anew(tmp_path: Path, text: str, caplog: pytest.LogCaptureFixture) -> None:
    """It is said in the log, and the vectors that lie where they do without it are found and used."""
    told(tmp_path, "flat", Letters())
    (tmp_path / "place.json").write_text(text)
    encoder = Letters()
    recall = Vectors(tmp_path, "flat").open(encoder)  # type: ignore[arg-type]
    assert encoder.encoded == 0
    assert any(nearest(recall, "sardines lisbon").values())
    recall.close()
    assert "place.json cannot be read, and is begun anew" in caplog.text
    Vectors(tmp_path, "flat").give_up()
    at(tmp_path, Spot("chroma"))
    assert Vectors(tmp_path, "flat").standing().now == Spot("chroma"), "the control: one that can be read is"
