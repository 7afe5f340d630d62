"""The adapter of Chroma, in this process or on a server: the one file that imports chromadb (extra ``chroma``).

Nothing is reported (telemetry is switched off) and nothing downloaded (no embedding function: Steward brings its own
vectors). A search is approximate from some thousand vectors on (HNSW).

What this stops: purged bytes in an embedded store: what is left is written into a new folder, which takes the place of
the old one.
What it does not: purged bytes in the files of a server, until that server vacuums them (``chroma vacuum``); copies made
earlier; a server that others can write to.
"""

from __future__ import annotations

import json
import os
import shutil
import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from memory.errors import StoreError, StoreFailed
from memory.folder import PRIVATE_FOLDER, cannot_use
from memory.model import EntityId
from memory.stores.checks import canonical, concerns, last_of_each, same_encoder, telling, unit
from memory.stores.columns import Columns
from memory.stores.model import EVERYWHERE, Item, Match, Where
from memory.stores.server import address, must_answer, must_be_installed, not_installed, port_of, within

if TYPE_CHECKING:
    from memory.stores.model import Vector

_FIELD = "f_"
_SPARE = 4
"""A filter by label asks for so many times what is wanted, and for so many times more while too few get through."""
_PAGE = 2_000
_REQUEST_S = 60.0
"""So long a server may take for one answer; chromadb itself would wait for ever."""
Client = Any
"""chromadb's client; the package is not there when types are checked."""


def embedded(folder: Path, name: str, encoder: str, dimensions: int, *, renew: bool = False) -> ChromaStore:
    """A store of this process in ``folder/name``."""
    home = folder / name
    try:
        home.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
        home.chmod(PRIVATE_FOLDER)
    except OSError as error:
        raise cannot_use(home, error) from error
    return ChromaStore(lambda: _in_process(home), name, encoder, dimensions, home=home, renew=renew)


def served(url: str, name: str, encoder: str, dimensions: int, *, renew: bool = False) -> ChromaStore:
    """A store on the server at ``url`` (``http://127.0.0.1:8000``). Raises ValueError where that is no address."""
    address(url)
    return ChromaStore(lambda: _over_http(url), name, encoder, dimensions, home=None, renew=renew)


def erased(url: str, name: str, limit_s: float) -> None:
    """Delete a store from the server at ``url``, if it is there, within ``limit_s``.

    Raises StoreFailed, StoreMissing, ValueError.
    """

    def erase() -> None:
        client = _client_at(url)
        try:
            if name in {collection.name for collection in client.list_collections()}:
                client.delete_collection(name)
        finally:
            _free(client)

    _must_serve(url)
    try:
        within(url, limit_s, erase)
    except StoreError:
        raise
    except Exception as error:  # chromadb raises whatever it likes
        raise StoreFailed("store.chroma", f"Chroma failed at {url}: {error}", subject=url, hint="Try again.") from error


def _chromadb() -> Any:
    os.environ["ANONYMIZED_TELEMETRY"] = "False"
    try:
        import chromadb
    except ImportError as error:
        raise not_installed() from error
    return chromadb


def _settings(chromadb: Any) -> Any:
    return chromadb.config.Settings(anonymized_telemetry=False)


def _in_process(home: Path) -> Client:
    chromadb = _chromadb()
    return chromadb.PersistentClient(path=str(home), settings=_settings(chromadb))


def _over_http(url: str) -> Client:
    _must_serve(url)
    return within(url, _REQUEST_S, lambda: _client_at(url))


def _must_serve(url: str) -> None:
    """Load chromadb, which takes seconds, once it is known that the server answers."""
    must_be_installed()
    must_answer(url)
    _chromadb()


def _client_at(url: str) -> Client:
    """A client of the server; while it is made it asks without a limit, so not for a thread that others wait for."""
    chromadb, parts = _chromadb(), address(url)
    secure = parts.scheme == "https"
    client = chromadb.HttpClient(host=parts.hostname, port=port_of(parts), ssl=secure, settings=_settings(chromadb))
    for session in _sessions(client):
        session.timeout = _REQUEST_S
    return client


class ChromaStore:
    """See ``VectorStore``."""

    def __init__(
        self, connect: Callable[[], Client], name: str, encoder: str, dimensions: int, *, home: Path | None, renew: bool
    ) -> None:
        self.name, self.encoder, self.dimensions = name, encoder, dimensions
        self._connect, self._home = connect, home
        self._guard = threading.RLock()
        self._client: Client = None
        self._closed = False
        with self._lock():
            self._open(renew=renew)

    def _open(self, *, renew: bool = False) -> None:
        if self._home is not None:
            shutil.rmtree(_beside(self._home), ignore_errors=True)
        try:
            self._client = self._connect()
        except ValueError as error:  # what chromadb says of a server that is not there
            raise self._failed(error) from error
        try:
            self._collection = self._begun(self._client, renew=renew)
        except BaseException:
            _free(self._client)
            raise
        self._columns: Columns | None = None

    def _begun(self, client: Client, *, renew: bool = False) -> Any:
        """The collection, made where there is none. Raises EncoderMismatch."""
        there = {collection.name for collection in client.list_collections()}
        if renew and self.name in there:
            client.delete_collection(self.name)
            there.discard(self.name)
        if self.name not in there:
            return client.create_collection(
                self.name,
                metadata={"encoder": self.encoder, "dimensions": self.dimensions},
                configuration={"hnsw": {"space": "cosine"}},
                embedding_function=None,
            )
        collection = client.get_collection(self.name, embedding_function=None)
        made = collection.metadata or {}
        same_encoder(
            str(made.get("encoder", "")), int(made.get("dimensions", 0)), self.encoder, self.dimensions,
            str(self._home or f"the collection {self.name}"),
        )  # fmt: skip
        return collection

    # --- changing -----------------------------------------------------------------------------------------------------

    def put(self, items: Iterable[Item]) -> None:
        """See ``VectorStore``."""
        several = last_of_each(list(items))
        rows = [(item.id, unit(item.vector, self.dimensions), _kept(item)) for item in several]
        with self._lock():
            if any(item.fields for item in several):
                self._types().check(item.fields for item in several)
                for item in several:
                    self._types().put(0, item.fields)
            gone = [item.id for item in several]
            for at in range(0, len(gone), _PAGE):
                self._collection.delete(ids=gone[at : at + _PAGE])  # an upsert would keep fields that went
            self._write(self._collection, rows)

    @staticmethod
    def _write(collection: Any, rows: Sequence[tuple[str, Vector, dict[str, Any]]]) -> None:
        for at in range(0, len(rows), _PAGE):
            ids, vectors, kept = zip(*rows[at : at + _PAGE], strict=True)
            collection.add(ids=list(ids), embeddings=np.array(vectors), metadatas=list(kept))

    def remove(self, ids: Iterable[str]) -> int:
        """See ``VectorStore``."""
        with self._lock():
            return self._remove(list(dict.fromkeys(ids)))

    def _remove(self, ids: Sequence[str]) -> int:
        gone = 0
        for at in range(0, len(ids), _PAGE):
            there = self._collection.get(ids=list(ids[at : at + _PAGE]), include=[])["ids"]
            if there:
                self._collection.delete(ids=there)
            gone += len(there)
        return gone

    def purge(self, entities: Collection[EntityId], words: Collection[str]) -> int:
        """See ``VectorStore``; on a server its own ``chroma vacuum`` frees the bytes."""
        ids, forms = frozenset(entities), telling(words)
        with self._lock():
            gone = [
                id
                for id, kept, _ in self._all(with_vectors=False)
                if id in ids or concerns((kept["owner"], json.loads(kept["about"]), _values(kept)), ids, forms)
            ]
            count = self._remove(gone)
            self._anew(list(self._all(with_vectors=True)))
        return count

    def clear(self) -> None:
        """See ``VectorStore``."""
        with self._lock():
            self._anew([])

    def _anew(self, rows: Sequence[tuple[str, dict[str, Any], Vector | None]]) -> None:
        """Write everything that is left again, and let go of what was there."""
        left = [(id, vector, kept) for id, kept, vector in rows if vector is not None]
        if self._home is None:
            self._client.delete_collection(self.name)
            self._collection = self._begun(self._client)
            self._write(self._collection, left)
            return
        beside = _beside(self._home)
        shutil.rmtree(beside, ignore_errors=True)
        beside.mkdir(mode=PRIVATE_FOLDER)
        client = _in_process(beside)
        self._write(self._begun(client), left)
        _free(client)
        _free(self._client)
        shutil.rmtree(self._home)
        beside.rename(self._home)
        self._open()

    # --- asking -------------------------------------------------------------------------------------------------------

    def search(self, vector: Vector, limit: int = 10, where: Where = EVERYWHERE) -> list[Match]:
        """See ``VectorStore``."""
        asked = unit(vector, self.dimensions)
        if where.owners is not None and not where.owners:
            return []
        condition = _condition(where)
        known: dict[str, bool] = {}

        def passes(label: str) -> bool:
            if label not in known:
                known[label] = where.label is None or where.label(json.loads(label))
            return known[label]

        with self._lock():
            count = self._collection.count()
            wanted = min(count, limit * (_SPARE if where.label else 1))
            while wanted > 0:
                found = self._collection.query(
                    query_embeddings=[asked], n_results=wanted, where=condition, include=["metadatas", "distances"]
                )
                ids, kept, distances = found["ids"][0], found["metadatas"][0], found["distances"][0]
                scores = np.clip(1 - np.array(distances, dtype=np.float64), -1, 1).tolist()
                matches = [
                    Match(id, score)
                    for id, one, score in zip(ids, kept, scores, strict=True)
                    if passes(str(one["label"]))
                ]
                if len(matches) >= limit or wanted == count:
                    return sorted(matches, key=lambda match: (-match.score, match.id))[:limit]
                wanted = min(count, wanted * _SPARE) if where.label else count
            return []

    def fetch(self, ids: Sequence[str]) -> dict[str, Vector]:
        """See ``VectorStore``."""
        fetched: dict[str, Vector] = {}
        with self._lock():
            unique = list(dict.fromkeys(ids))
            for at in range(0, len(unique), _PAGE):
                found = self._collection.get(ids=unique[at : at + _PAGE], include=["embeddings"])
                rows = np.asarray(found["embeddings"], dtype=np.float32)
                fetched.update(zip(found["ids"], rows, strict=True))
        return fetched

    def ids(self) -> list[str]:
        """See ``VectorStore``."""
        with self._lock():
            return sorted(id for id, _, _ in self._all(with_vectors=False))

    def _all(self, *, with_vectors: bool) -> Iterator[tuple[str, dict[str, Any], Vector | None]]:
        """Every (id, what is kept with it, vector), page by page."""
        include = ["metadatas", "embeddings"] if with_vectors else ["metadatas"]
        at = 0
        while True:
            found = self._collection.get(limit=_PAGE, offset=at, include=include)
            vectors = found["embeddings"] if with_vectors else [None] * len(found["ids"])
            yield from zip(found["ids"], found["metadatas"], vectors, strict=True)
            at += len(found["ids"])
            if len(found["ids"]) < _PAGE:
                return

    def _types(self) -> Columns:
        """What type each field has, learnt from what is there."""
        if self._columns is None:
            self._columns = Columns()
            for _, kept, _ in self._all(with_vectors=False):
                fields = {name.removeprefix(_FIELD): kept[name] for name in kept if name.startswith(_FIELD)}
                self._columns.put(0, fields)
        return self._columns

    def __len__(self) -> int:
        with self._lock():
            count: int = self._collection.count()
        return count

    def close(self) -> None:
        """See ``VectorStore``."""
        with self._guard:
            if not self._closed:
                self._closed = True
                _free(self._client)

    @contextmanager
    def _lock(self) -> Iterator[None]:
        """One thread at a time, with errors in the room's words."""
        with self._guard:
            if self._closed:
                raise StoreFailed("store.closed", f"The store {self.name} is closed.", hint="Open it again.")
            try:
                yield
            except (StoreError, ValueError):
                raise
            except Exception as error:  # chromadb and its Rust core raise whatever they like
                raise self._failed(error) from error

    def _failed(self, error: Exception) -> StoreFailed:
        where = str(self._home or f"the collection {self.name}")
        return StoreFailed(
            "store.chroma",
            f"Chroma failed for {where}: {error}",
            subject=where,
            hint="Check that the server runs (or that the disk has room), then try again.",
        )


def _beside(home: Path) -> Path:
    return home.with_name(f"{home.name}.new")


def _free(client: Client) -> None:
    """Let go of a client's files and connections; over HTTP chromadb never closes its own, two for each client."""
    sessions = _sessions(client)
    with suppress(AttributeError):
        client.close()
    for session in sessions:
        session.close()


def _sessions(client: Client) -> list[Any]:
    """The connections of a client over HTTP: httpx clients."""
    servers = [getattr(one, "_server", None) for one in (client, getattr(client, "_admin_client", None))]
    sessions = [getattr(server, "_session", None) for server in servers]
    return [session for session in sessions if session is not None]


def _kept(item: Item) -> dict[str, Any]:
    fields = {_FIELD + name: value for name, value in item.fields.items()}
    about = json.dumps(list(item.about), ensure_ascii=False)
    return {"owner": item.owner, "about": about, "label": canonical(item.label), **fields}


def _values(kept: dict[str, Any]) -> list[Any]:
    return [value for name, value in kept.items() if name.startswith(_FIELD)]


def _condition(where: Where) -> dict[str, Any] | None:
    """The filter in Chroma's words, without the label's."""
    parts: list[dict[str, Any]] = []
    if where.owners is not None:
        parts.append({"owner": {"$in": list(where.owners)}})
    for name, value in where.fields.items():
        parts.append({_FIELD + name: {"$in": list(value)} if isinstance(value, tuple) else {"$eq": value}})
    for name, (low, high) in where.ranges.items():
        parts += [{_FIELD + name: {"$gte": low}}] if low is not None else []
        parts += [{_FIELD + name: {"$lt": high}}] if high is not None else []
    if len(parts) > 1:
        return {"$and": parts}
    return parts[0] if parts else None
