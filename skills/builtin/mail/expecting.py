"""Whether a mail that has come is one that is waited for: from whom it is, what it is about, what hangs on it.

A sender of the contacts is known by address: a name is whatever its writer says.

What this stops: a mail that names several senders, or none that can be read without a doubt; an address that stands in
the name, or comes out only when a word of the header is decoded; another name of the same look; a contact's name above
another address.
What it does not: prove who wrote it. Whoever forges the address itself passes, as in every mailbox.
"""

from __future__ import annotations

import email.utils
import fnmatch
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from skills.sdk import Context, ToolError, words

from . import headers
from .boxes import Stub
from .choosing import words_of
from .headers import Head

_ADDRESS = re.compile(r"[\x21-\x7e]+@[\x21-\x7e]+")
_DOMAIN = re.compile(r"@?(?P<domain>[a-z0-9-]+(?:\.[a-z0-9-]+)+)")
_MOST_PATTERNS = 200


@dataclass(frozen=True, slots=True)
class Sender:
    """Whom a person means: the ``addresses`` of a contact or as they were said; without any, ``names`` to be had."""

    addresses: frozenset[str] = frozenset()
    domain: str = ""
    names: tuple[str, ...] = ()

    def is_of(self, head: Head) -> bool:
        """Tell whether a mail is from them, and says so without a doubt."""
        address = sole_address(head.stub)
        if not address or address != head.address.casefold():
            return False
        if self.addresses:
            return address in self.addresses
        host = address.rpartition("@")[2]
        if self.domain:
            return host == self.domain or host.endswith(f".{self.domain}")
        known = words_of(f"{head.name} {address.replace('@', ' ').replace('.', ' ')}")
        return bool(self.names) and set(self.names) <= set(known)


def who(ctx: Context, said: str) -> Sender:
    """Return whom some words mean: an address, a domain, a contact, else whoever is called so."""
    plain = said.strip().strip("<>").casefold()
    if _ADDRESS.fullmatch(plain):
        return Sender(frozenset({plain}))
    domain = _DOMAIN.fullmatch(plain)
    if domain is not None:
        return Sender(domain=domain["domain"])
    found = frozenset(address for name in _contacts(ctx, said) for address in _addresses(ctx, name))
    return Sender(found, names=tuple(words_of(said)))


def _contacts(ctx: Context, said: str) -> list[str]:
    """The contacts that are called so; else the only one with this family name, "the accountant Vogt"."""
    wanted = words_of(said)
    if not wanted:
        return []
    try:
        known = [str(one) for one in ctx.call("contacts.people").value]
    except ToolError:
        return []
    called = [one for one in known if set(wanted) <= set(words_of(one))]
    family = [one for one in known if words_of(one)[-1:] == wanted[-1:]]
    return called or (family if len(family) == 1 else [])


def _addresses(ctx: Context, name: str) -> Iterator[str]:
    """Every address that the contacts have of a person."""
    try:
        card = ctx.call("contacts.find", name=name, what="all").value.fields
    except ToolError:
        return
    said = [card.get("email"), *(one.get("object") for one in card.get("facts", ()) if one.get("predicate") == "email")]
    yield from {str(one).strip().casefold() for one in said if one and "@" in str(one)}


def sole_address(stub: Stub) -> str:
    """Return the one address in the one ``From`` of a mail, in small letters; "" where there is any doubt.

    It is taken before anything is decoded: an encoded word is a name, whatever it turns out to say.
    """
    lines = [value for name, value in headers.raw_fields(stub) if name == b"from"]
    if len(lines) != 1 or any(one < 0x20 and one != 0x09 for one in lines[0]):
        return ""
    found = email.utils.getaddresses([lines[0].decode("ascii", "replace")])
    if len(found) != 1 or not _ADDRESS.fullmatch(found[0][1]) or found[0][1].count("@") != 1:
        return ""
    return found[0][1].casefold()


def is_about(head: Head, said: str) -> bool:
    """Tell whether all words are in the subject, whole or as beginnings of its words."""
    there = words_of(head.subject)
    wanted = words_of(said)
    return bool(wanted) and all(any(one.startswith(word) for one in there) for word in wanted)


def has_such(names: Sequence[str], pattern: str) -> bool:
    """Tell whether something is attached whose name fits a pattern as in a shell ("*.{jpg,png}")."""
    wanted = [one.casefold() for one in _opened(pattern)]
    return any(fnmatch.fnmatchcase(words.fold(name), words.fold(one)) for name in names for one in wanted)


def _opened(pattern: str) -> list[str]:
    """The pattern with its braces opened."""
    found = re.search(r"\{([^{}]*)\}", pattern)
    if found is None:
        return [pattern]
    parts = (f"{pattern[: found.start()]}{one}{pattern[found.end() :]}" for one in found[1].split(","))
    return [one for part in parts for one in _opened(part)][:_MOST_PATTERNS]
