"""Which endpoints a person has named, and what each role is bound to: ``models.toml``, read at each use.

What this stops: an endpoint that anybody but the person named (nothing of the environment or of a project is read);
http to another machine, unless the person said so; a file that others can write being believed.
What it does not: know whether an endpoint is the right one.
"""

from __future__ import annotations

import os
import re
import stat
import tomllib
from collections.abc import Mapping
from dataclasses import MISSING, asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from kernel.errors import BadRequest
from kernel.models.model import Endpoint, Role, Way
from permissions.naming import sentence, shown
from permissions.private_file import write_private

MOST = 30
LARGEST_BYTES = 64 << 10
LONGEST_URL = 500

_NAME = re.compile(r"[a-z][a-z0-9_]{0,30}")
_HOST = re.compile(r"[a-z0-9_-]+(?:\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\]")
_CURRENCY = re.compile(r"[A-Z]{3}")
_SECRET = re.compile(r"(?:model-[a-z0-9-]{1,57})?")
_SHAPES = {"currency": (_CURRENCY, "EUR"), "secret": (_SECRET, "model-near")}
_AMOUNTS: Mapping[str, tuple[int, int]] = {
    "context_tokens": (256, 10_000_000), "price_in": (0, 10**12), "price_out": (0, 10**12),
}  # fmt: skip
LONGEST_S = 600.0


@dataclass(frozen=True, slots=True)
class Book:
    """The endpoints by their names, and the names each role is bound to: the second is asked where the first fails.

    ``plain`` are those that a person lets be asked over http though they are on another machine.
    """

    endpoints: Mapping[str, Endpoint] = field(default_factory=dict)
    roles: Mapping[Role, tuple[str, ...]] = field(default_factory=dict)
    plain: frozenset[str] = frozenset()

    def of(self, role: Role) -> tuple[Endpoint, ...]:
        """Return the endpoints of a role, the first to ask first; empty where it is bound to none."""
        return tuple(self.endpoints[name] for name in self.roles.get(role, ()))

    def with_endpoint(self, endpoint: Endpoint, *, plain: bool) -> Book:
        """Return the book with ``endpoint`` in the place of one of its name. Raises BadRequest."""
        endpoints = {**self.endpoints, endpoint.name: endpoint}
        marked = {endpoint.name} if plain and _is_plain(endpoint) else set()
        return checked(replace(self, endpoints=endpoints, plain=self.plain - {endpoint.name} | marked))

    def without(self, name: str) -> Book:
        """Return the book without an endpoint, and no role bound to it."""
        endpoints = {one: held for one, held in self.endpoints.items() if one != name}
        left = {role: tuple(one for one in names if one != name) for role, names in self.roles.items()}
        return Book(endpoints, {role: names for role, names in left.items() if names}, self.plain - {name})

    def bound(self, role: Role, names: tuple[str, ...]) -> Book:
        """Return the book with ``role`` bound to ``names``, to none where there are none. Raises BadRequest."""
        roles = {one: held for one, held in self.roles.items() if one is not role}
        return checked(replace(self, roles=roles | ({role: names} if names else {})))


def read_book(file: Path) -> Book:
    """Return what is in ``file``; an empty book where there is none. Raises BadRequest (``model.config``)."""
    try:
        return _book_of(_said_in(file))
    except BadRequest as error:  # nothing can be set in a file that cannot be read
        hint = f"Correct the file, or take it away: {shown(str(file))}"
        raise BadRequest(error.code, str(error), subject=error.subject, hint=hint) from error


def _said_in(file: Path) -> Mapping[str, Any]:
    try:
        handle = os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise _bad(f"it cannot be read: {error.strerror}") from error
    with os.fdopen(handle, "rb") as found:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode) or status.st_mode & 0o022 or status.st_uid != os.geteuid():
            raise _bad("others can change it, so it is not believed")
        data = found.read(LARGEST_BYTES + 1)
    if len(data) > LARGEST_BYTES:
        raise _bad("it is too large")
    try:
        return tomllib.loads(data.decode())
    except ValueError as error:
        raise _bad(sentence(str(error))) from error


def write_book(file: Path, book: Book) -> None:
    """Keep ``book`` in ``file``, for the person alone. Raises OSError."""
    import tomli_w

    endpoints = {one.name: _entry(one) | ({"plain_http": True} if one.name in book.plain else {})
                 for one in book.endpoints.values()}  # fmt: skip
    roles = {str(role): list(names) for role, names in book.roles.items()}
    write_private(file, tomli_w.dumps({"roles": roles, "endpoints": endpoints}).encode())


_DEFAULTS = {one.name: one.default for one in fields(Endpoint) if one.default is not MISSING}


def _entry(endpoint: Endpoint) -> dict[str, Any]:
    values = asdict(endpoint) | {"way": str(endpoint.way)}
    return {name: value for name, value in values.items() if name != "name" and value != _DEFAULTS.get(name)}


def _book_of(said: Mapping[str, Any]) -> Book:
    _known(said, {"roles", "endpoints"}, "the file")
    endpoints, plain = {}, set()
    for name, entry in _table(said, "endpoints").items():
        if not isinstance(entry, Mapping):
            raise _bad(f"endpoints.{name} is no table")
        endpoints[name] = endpoint_of(name, {key: value for key, value in entry.items() if key != "plain_http"})
        plain |= {name} if entry.get("plain_http") is True and _is_plain(endpoints[name]) else set()
    roles = dict(_role(name, names) for name, names in _table(said, "roles").items())
    return checked(Book(endpoints, roles, frozenset(plain)))


def _role(name: str, names: object) -> tuple[Role, tuple[str, ...]]:
    if name not in set(Role):
        raise _bad(f"roles.{name}: there is no such role, only {', '.join(Role)}")
    if isinstance(names, str):
        names = [names]
    if not isinstance(names, list) or not all(isinstance(one, str) for one in names):
        raise _bad(f"roles.{name} is no list of names")
    return Role(name), tuple(names)


def endpoint_of(name: str, said: Mapping[str, Any]) -> Endpoint:
    """Read an endpoint. Raises BadRequest (``model.config``) that names what is wrong."""
    where = f"endpoints.{shown(name)}"
    if not _NAME.fullmatch(name):
        raise _bad(f"{where}: a name has small letters, digits and underscores, a letter first")
    known = {one.name: one for one in fields(Endpoint) if one.name != "name"}
    _known(said, set(known), where)
    values = {key: _value(where, key, value) for key, value in said.items()}
    missing = {"url", "model"} - values.keys()
    if missing:
        raise _bad(f"{where} has no {min(missing)}")
    return Endpoint(name, **values)


def _value(where: str, key: str, value: object) -> Any:
    at = f"{where}.{key}"
    if key in _AMOUNTS:
        least, most = _AMOUNTS[key]
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            raise _bad(f"{at} is a whole number from {least} to {most}")
        return value
    if key == "timeout_s":
        if isinstance(value, bool) or not isinstance(value, int | float) or not 1 <= value <= LONGEST_S:
            raise _bad(f"{at} is from 1 to {LONGEST_S:.0f} seconds")
        return float(value)
    if not isinstance(value, str) or not value.isprintable() or value != value.strip() or len(value) > LONGEST_URL:
        raise _bad(f"{at} is no plain text")
    if key == "url":
        return _url(at, value)
    if key == "way":
        if value not in set(Way):
            raise _bad(f"{at} is one of {', '.join(Way)}")
        return Way(value)
    if key == "model" and not value:
        raise _bad(f"{at} is empty")
    shape, example = _SHAPES.get(key, (None, ""))
    if shape is not None and not shape.fullmatch(value):
        raise _bad(f"{at} is none such as {example}")  # what was meant may be a key, put where its name belongs
    return value


def _url(at: str, value: str) -> str:
    try:
        parts = urlsplit(value)
        port, host = parts.port, parts.hostname or ""
    except ValueError as error:
        raise _bad(f"{at} is no address") from error
    host = f"[{host}]" if ":" in host else host
    if parts.scheme not in ("http", "https") or not _HOST.fullmatch(host) or port == 0:
        raise _bad(f"{at} is no address such as http://127.0.0.1:11434/v1")
    if parts.username is not None or parts.password is not None or parts.query or parts.fragment:
        raise _bad(f"{at} has a user, a password, a query or a fragment; a key belongs into the vault (--key-stdin)")
    return value.rstrip("/")


def checked(book: Book) -> Book:
    """Return ``book`` if its parts fit each other. Raises BadRequest."""
    if len(book.endpoints) > MOST:
        raise _bad(f"there are more than {MOST} endpoints")
    for one in book.endpoints.values():
        if _is_plain(one) and one.name not in book.plain:
            hint = f"Use https, or say that you want it so: ./steward models set {one.name} --insecure-http"
            raise _bad(f"endpoints.{one.name}.url is http to another machine: whoever is on the way can read it", hint)
    for role, names in book.roles.items():
        _check_role(book, role, names)
    return book


def _is_plain(endpoint: Endpoint) -> bool:
    """Tell whether what goes there can be read on the way."""
    return endpoint.url.startswith("http:") and not endpoint.is_local


def _check_role(book: Book, role: Role, names: tuple[str, ...]) -> None:
    unknown = next((one for one in names if one not in book.endpoints), None)
    if unknown is not None:
        raise _bad(f"roles.{role}: there is no endpoint {shown(unknown)}")
    if len(set(names)) != len(names) or not 1 <= len(names) <= 2:
        raise _bad(f"roles.{role} names one endpoint, or two")
    first, *others = (book.endpoints[one] for one in names)
    if any(one.is_local != first.is_local for one in others):
        raise _bad(f"roles.{role}: a model on this machine and one elsewhere never stand in for each other")


def _table(said: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = said.get(name, {})
    if not isinstance(found, Mapping):
        raise _bad(f"{name} is no table")
    return found


def _known(said: Mapping[str, Any], known: set[str], where: str) -> None:
    unknown = set(said) - known
    if unknown:
        raise _bad(f"{where} has {shown(min(unknown))}, which is nothing")


def _bad(why: str, hint: str = "What can be set is said by: ./steward models set --help") -> BadRequest:
    return BadRequest("model.config", f"The models are not set as they should be: {why}.", subject=why, hint=hint)
