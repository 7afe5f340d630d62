"""Which clients there are, made again from the ledger, and whose a token is.

What this stops: a token of a client that was removed, or of an earlier one of the same name; guessing (256-bit tokens),
a stolen ledger that gives tokens away (it holds digests), telling tokens apart by the time that a comparison takes
(only digests are compared, each with all of them, in constant time).
What it does not: another program of the same user, which may speak to the daemon's socket in any client's name.
"""

from __future__ import annotations

import hashlib
import hmac
import logging
import secrets
from collections.abc import Iterable, Mapping
from typing import Any

from kernel.clients.model import Client
from memory.model import Event

_log = logging.getLogger("steward.kernel")

ADDED, REMOVED = "client.added", "client.removed"
KINDS = (ADDED, REMOVED)
"""The events that the book is made of."""

DIGEST_BYTES = 32


TOKEN_BYTES = 32
TOKEN_PREFIX = "stw-"  # noqa: S105  (how a token begins, so that one is known where it should not stand)


def new_token() -> str:
    """Return a token that nobody has."""
    return TOKEN_PREFIX + secrets.token_urlsafe(TOKEN_BYTES)


def digest_of(token: str) -> bytes:
    """Return what is kept of a token."""
    return hashlib.sha256(token.encode("utf-8", "surrogateescape")).digest()


class ClientBook:
    """The clients by their names. One event loop only."""

    def __init__(self, events: Iterable[Event] = ()) -> None:
        """Fold ``events``, oldest first. A client that cannot be read is none: its token opens nothing."""
        self._clients: dict[str, Client] = {}
        for event in events:
            if event.kind == ADDED and event.body is not None:
                self._take(event.body)
            elif event.kind == REMOVED:
                self._clients.pop(str((event.body or {}).get("name")), None)

    def _take(self, body: Mapping[str, Any]) -> None:
        try:
            self.put(from_json(body))
        except (KeyError, ValueError, TypeError) as error:
            _log.warning("a client in the ledger is malformed and left out: %s", error)

    def put(self, client: Client) -> None:
        """Take a client in."""
        self._clients[client.name] = client

    def drop(self, name: str) -> None:
        """Forget a client."""
        self._clients.pop(name, None)

    def get(self, name: str) -> Client | None:
        """Return the client of this name."""
        return self._clients.get(name)

    def every(self) -> tuple[Client, ...]:
        """Return all clients, by name."""
        return tuple(self._clients[name] for name in sorted(self._clients))

    def whose(self, token: str) -> Client | None:
        """Return the client that ``token`` was given to."""
        given = digest_of(token)
        found = [client for client in self._clients.values() if hmac.compare_digest(given, client.digest)]
        return found[0] if found else None


def to_json(client: Client) -> dict[str, Any]:
    """Return the body of the event that adds ``client``."""
    return {"name": client.name, "digest": client.digest.hex(), "key": client.key, "at_s": client.at_s}


def from_json(body: Mapping[str, Any]) -> Client:
    """Read what ``to_json`` wrote. Raises KeyError, ValueError, TypeError."""
    client = Client(str(body["name"]), bytes.fromhex(body["digest"]), str(body["key"]), float(body["at_s"]))
    if len(client.digest) != DIGEST_BYTES or not client.key or not client.name:
        raise ValueError(f"{client.name!r} has no digest or no key")
    return client
