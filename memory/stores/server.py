"""Asking a Chroma server whether it is there, before chromadb is loaded and waits for it without an end.

What this stops: a daemon that hangs at a server which takes a connection and never answers (chromadb's own client knows
no limit), at once or later on; an address that means something else than it seems to (a user, a path, a query).
What it does not: tell a Chroma server from a program that speaks like one.
"""

from __future__ import annotations

import http.client
import importlib.util
import json
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar
from urllib.parse import SplitResult, urlsplit

from memory.errors import StoreFailed, StoreMissing

T = TypeVar("T")

ANSWERS_S = 4.0
"""So long a server may take to say that it is there."""
_MOST_BYTES = 4096
_HEARTBEAT = "/api/v2/heartbeat"


def address(url: str) -> SplitResult:
    """Split the address of a server. Raises ValueError where it is none, or says more than scheme, host and port."""
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        host = None
    wrong = not host or parts.scheme not in ("http", "https") or "@" in parts.netloc
    if wrong or parts.path.strip("/") or parts.query or parts.fragment or any(map(str.isspace, url)):
        raise ValueError(f"a Chroma server is named like http://127.0.0.1:8000, not {url!r}")
    return parts


def port_of(parts: SplitResult) -> int:
    """Return the port that is meant."""
    return parts.port or (443 if parts.scheme == "https" else 8000)


def must_answer(url: str, timeout_s: float = ANSWERS_S) -> None:
    """Raise StoreFailed, with what to do, unless a Chroma server answers at ``url``; ValueError where that is none."""
    parts = address(url)
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    connection = kind(str(parts.hostname), port_of(parts), timeout=timeout_s)
    try:
        connection.request("GET", _HEARTBEAT)
        reply = connection.getresponse()
        found = json.loads(reply.read(_MOST_BYTES))
    except (OSError, http.client.HTTPException) as error:
        raise _failed(url, f"does not answer: {error or type(error).__name__}") from error
    except ValueError as error:
        raise _failed(url, "is none: it answers something else") from error
    finally:
        connection.close()
    if reply.status != http.client.OK or not isinstance(found, dict) or "nanosecond heartbeat" not in found:
        raise _failed(url, f"is none: it answers something else ({reply.status})")


def within(url: str, limit_s: float, work: Callable[[], T]) -> T:
    """Return what ``work`` returns, which asks the server at ``url``. Raises what it raises.

    Where it takes longer than ``limit_s`` StoreFailed: it goes on in a thread of its own, and nobody waits for it.
    """
    done: Future[T] = Future()

    def run() -> None:
        try:
            done.set_result(work())
        except BaseException as error:
            done.set_exception(error)

    threading.Thread(target=run, name="chroma-server", daemon=True).start()
    try:
        return done.result(limit_s)
    except TimeoutError as error:
        if done.done():
            raise
        raise _failed(url, f"does not answer: it took longer than {limit_s:g} s") from error


def must_be_installed() -> None:
    """Raise StoreMissing unless chromadb is there; nothing of it is loaded."""
    if importlib.util.find_spec("chromadb") is None:
        raise not_installed()


def not_installed() -> StoreMissing:
    """Return what is raised where chromadb is not there."""
    return StoreMissing(
        "store.not_installed",
        "Chroma is not installed; the flat store needs nothing.",
        subject="chromadb",
        hint="Install it: ./steward setup chroma",
    )


def _failed(url: str, why: str) -> StoreFailed:
    parts = urlsplit(url)
    return StoreFailed(
        "store.server",
        f"The Chroma server at {url} {why}.",
        subject=url,
        hint=f"Check that the server runs there: chroma run --host {parts.hostname} --port {port_of(parts)} "
        "--path FOLDER; or keep the vectors here: ./steward config set vectors flat",
    )
