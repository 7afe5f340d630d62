"""Secrets by name in what a call asks: the daemon puts the value in, and takes it out of the answer.

What this stops: a value in a cell; a secret sent to a host that it was not kept for, without encryption, along a
redirect to elsewhere, by a call that has no right to it, in a header that says something else; an answer that says it
back word for word, or sends the call to an address that has it.
What it does not: keep a host that may hear a secret from telling it in other words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from urllib.parse import unquote

from permissions.egress.frames import LARGEST_CHUNK
from permissions.egress.headers import Headers, may_carry
from permissions.egress.rules import Hosts
from permissions.egress.targets import Target
from permissions.errors import Refused
from permissions.vault import Kept

Lend = Callable[[str], Kept]
"""Takes a secret out of the vault by its name. Raises BadScope."""
_FORM = re.compile(r"[^{}]{0,200}\{\}[^{}]{0,200}")
_SHORTEST = 8
"""A shorter value may be part of any answer, and is left in it."""


@dataclass(frozen=True, slots=True)
class Handle:
    """A header whose value is ``form`` with the secret ``name`` in place of its braces."""

    header: str
    form: str
    name: str


@dataclass(frozen=True, slots=True)
class Filled:
    """Headers with secrets in them, for one origin, and the values that are in them."""

    headers: Headers = ()
    values: tuple[str, ...] = ()

    def without_headers(self) -> Filled:
        """Return the same for another origin: nothing is sent there, and what it says is masked all the same."""
        return Filled((), self.values)

    def holds(self, text: str) -> bool:
        """Tell whether a text says one of the values, in any case and however it is escaped."""
        said = {one.casefold() for one in (text, unquote(text), unquote(unquote(text)))}
        return any(value.casefold() in one for value in self.values if len(value) >= _SHORTEST for one in said)

    def masked(self, head: Headers) -> Headers:
        """Return the headers of an answer without the values, in their names as well."""
        return tuple((self.masked_text(name), self.masked_text(value)) for name, value in head)

    def mask(self) -> Mask:
        """Return what takes the values out of a body."""
        return Mask(self._long())

    def masked_text(self, text: str) -> str:
        """Return a text without the values, in any case: the names of headers come in small letters."""
        said = text.encode("utf-8", "surrogateescape")
        masked = bytearray(said)
        _cover(masked, said.lower(), [value.lower() for value in self._long()])
        return masked.decode("utf-8", "surrogateescape")

    def _long(self) -> list[bytes]:
        return [value.encode() for value in self.values if len(value) >= _SHORTEST]


class Mask:
    """Takes values out of a body that comes in parts, also where one lies across two of them or within another."""

    def __init__(self, values: Iterable[bytes]) -> None:
        self._values = tuple(values)
        self._said = b""
        self._masked = bytearray()
        self._most = max((len(value) for value in self._values), default=1) - 1

    def parts(self, chunk: bytes) -> Iterator[bytes]:
        """Yield what is sure of the body by now."""
        said, masked = self._said + chunk, self._masked + chunk
        _cover(masked, said, self._values)
        sure = max(0, len(said) - self._most)
        self._said, self._masked = said[sure:], masked[sure:]
        for start in range(0, sure, LARGEST_CHUNK):
            yield bytes(masked[start : min(sure, start + LARGEST_CHUNK)])

    def rest(self) -> bytes:
        """Return what is left at the end of the body."""
        return bytes(self._masked)


def _cover(masked: bytearray, said: bytes, values: Iterable[bytes]) -> None:
    """Put stars into ``masked`` wherever ``said``, of the same length, has one of ``values``, overlapping or not."""
    for value in values:
        at = said.find(value)
        while at >= 0:
            masked[at : at + len(value)] = b"*" * len(value)
            at = said.find(value, at + 1)


def filled(handles: Iterable[Handle], allowed: Iterable[str], lend: Lend, target: Target) -> Filled:
    """Return the headers that ``handles`` stand for, for ``target``. Raises Refused, BadScope.

    ``allowed`` are the secrets that the call may use.
    """
    headers: list[tuple[str, str]] = []
    values: list[str] = []
    for handle in handles:
        if handle.name not in allowed:
            raise _refused(handle.name, f"This call may not use the secret {_shown(handle.name)}.",
                           f"The right that it lacks is secret.use:{_shown(handle.name)}")  # fmt: skip
        if not _FORM.fullmatch(handle.form) or not may_carry(handle.header, handle.form):
            raise _refused(handle.header, f"{_shown(handle.header)} is no header for a secret.",
                           "Name one such as Authorization or X-Api-Key, and a form with {} in it.")  # fmt: skip
        if target.scheme != "https":
            raise _refused(handle.name, f"The secret {handle.name} is not sent to {target.place} without encryption.",
                           "Ask for an address with https://.")  # fmt: skip
        kept = lend(handle.name)
        try:
            Hosts(kept.hosts).require(target)
        except Refused as error:
            raise _elsewhere(handle.name, target, kept.hosts) from error
        if not may_carry(handle.header, said := handle.form.replace("{}", kept.value)):
            raise _refused(handle.name, f"The secret {handle.name} holds characters that no header may.",
                           f"Keep one of visible ASCII characters: {_setting(handle.name, kept.hosts)}")  # fmt: skip
        headers.append((handle.header, said))
        values.append(kept.value)
    return Filled(tuple(headers), tuple(values))


def _elsewhere(name: str, target: Target, hosts: tuple[str, ...]) -> Refused:
    meant = f"is for {', '.join(hosts)}" if hosts else "was kept for no host"
    return _refused(name, f"The secret {name} {meant}, and is not sent to {target.place}.",
                    f"If it is for that host too: {_setting(name, (*hosts, target.place))}")  # fmt: skip


def _setting(name: str, hosts: tuple[str, ...]) -> str:
    """Return what keeps a secret for ``hosts``: what is not named there is not kept."""
    return " ".join([f"./steward secrets set {name}", *(f"--for {host}" for host in hosts)])


def _refused(subject: str, message: str, hint: str) -> Refused:
    return Refused("refused.net.secret", message, subject=_shown(subject), hint=hint)


def _shown(text: str) -> str:
    return ascii(text[:60])[1:-1]
