"""The wire between a client and the daemon: one connection over the Unix socket, its errors as ours, its streams.

httpx is imported when the first call is made, so that finding out whether a daemon runs costs nothing.
"""

from __future__ import annotations

import importlib
import json
import socket
import ssl
import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from types import ModuleType
from typing import TYPE_CHECKING, Any, cast

from portal.locate import Places, short_path

if TYPE_CHECKING:
    import httpx

Json = dict[str, Any]


class DaemonError(Exception):
    """The daemon refused, or could not be reached (``status`` 0). ``code`` is stable, ``hint`` says what to do now."""

    def __init__(self, code: str, message: str, hint: str = "", status: int = 0) -> None:
        super().__init__(message)
        self.code = code
        self.hint = hint
        self.status = status


def is_listening(places: Places) -> bool:
    """Tell whether a daemon accepts connections on the socket."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.settimeout(2)
        try:
            with short_path(places.socket) as path:
                probe.connect(path)
        except OSError:
            return False
    return True


class Wire:
    """One connection to the daemon, opened when it is used. Every method raises DaemonError."""

    def __init__(self, places: Places) -> None:
        self._places = places
        self._stack = ExitStack()
        self._http: httpx.Client | None = None

    def close(self) -> None:
        """Close the connection; a new one is opened when the wire is used again."""
        self._http = None
        self._stack.close()

    def _connection(self) -> httpx.Client:
        if self._http is None:
            if not is_listening(self._places):  # asked here: httpcore leaves a socket open when it cannot connect
                raise DaemonError("daemon.gone", "The daemon does not run.", "Start it: ./steward up")
            httpx = _httpx()
            path = self._stack.enter_context(short_path(self._places.socket))
            timeout = httpx.Timeout(None, connect=5)
            nobody = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)  # there is no TLS here: no list of whom to trust is read
            transport = httpx.HTTPTransport(uds=path, verify=nobody)
            self._http = self._stack.enter_context(
                httpx.Client(transport=transport, base_url="http://steward/api/v1", timeout=timeout, trust_env=False)
            )
        return self._http

    def call(self, method: str, path: str, **request: Any) -> Json:
        """Ask, and return the answer; an empty one is an empty object. ``request`` goes to httpx as it is."""
        httpx = _httpx()
        try:
            response = self._connection().request(method, path, **request)
        except (httpx.HTTPError, OSError) as error:
            raise _gone(error) from error
        if response.is_error:
            raise _problem(response.status_code, response.content)
        return dict(response.json()) if response.content else {}

    def listed(self, path: str, key: str, **params: Any) -> list[Json]:
        """Read the list that an answer holds under ``key``."""
        return list(self.call("GET", path, params=params)[key])

    def stream(self, path: str, params: Json, method: str = "GET") -> Stream:
        """Open a stream of events, for ``with``."""
        return Stream(self._connection(), method, path, params)


def _httpx() -> ModuleType:
    """Import httpx without its command line, which brings rich: a fifth of the time of a command of ours."""
    sys.modules.setdefault("httpx._main", cast("ModuleType", None))  # as a module that is not installed
    return importlib.import_module("httpx")


class Stream:
    """An open event stream, with httpx's errors turned into ours."""

    def __init__(self, http: httpx.Client, method: str, path: str, params: Json) -> None:
        self._context = http.stream(method, path, params=params)

    def __enter__(self) -> Stream:
        httpx = _httpx()
        try:
            self._response = self._context.__enter__()
        except (httpx.HTTPError, OSError) as error:
            raise _gone(error) from error
        if self._response.is_error:
            raise _problem(self._response.status_code, self._response.read())
        return self

    def __exit__(self, *error: Any) -> None:
        self._context.__exit__(*error)

    def iter_lines(self) -> Iterator[str]:
        """Yield the lines as they come."""
        httpx = _httpx()
        try:
            yield from self._response.iter_lines()
        except (httpx.HTTPError, OSError) as error:
            raise _gone(error) from error


def parse_events(lines: Iterable[str]) -> Iterator[Json]:
    """Read server-sent events whose data is one JSON object each; comments and other fields are skipped.

    Source: HTML Living Standard, 9.2.6.
    """
    data: list[str] = []
    for line in lines:
        if line.startswith("data:"):
            data.append(line[5:].removeprefix(" "))
        elif not line and data:
            yield json.loads("\n".join(data))
            data = []


def _gone(error: Exception) -> DaemonError:
    why = (
        error.strerror if isinstance(error, OSError) and error.strerror else str(error).partition("] ")[2] or str(error)
    )
    return DaemonError(
        "daemon.gone", f"The daemon does not answer ({why.lower()}). What was done until then is on record.",
        "./steward runs shows it; a commit is done whole or not at all.",
    )  # fmt: skip


def _problem(status: int, content: bytes) -> DaemonError:
    try:
        body = json.loads(content)
    except ValueError:
        body = {}
    message = str(body.get("detail") or f"The daemon answered with status {status}.")
    return DaemonError(str(body.get("code", "daemon.error")), message, str(body.get("hint", "")), status)
