"""Where a request goes: a URL read once, strictly, into the parts that are then used.

What this stops: one reader seeing another host than the next: what was checked here is what is connected to, and the
text of the URL is not read again. Names and passwords in it, control characters, spaces and backslashes, hosts that are
numbers in disguise (``0x7f.1``, ``2130706433``, ``0177.0.0.1``), other schemes than http and https.
What it does not: judge an address (``addresses``) or a right (``rules``).

Sources: RFC 3986, UTS 46 (through ``idna``), the WHATWG URL standard's rule that a host which ends in a number is an
IPv4 address or nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from ipaddress import AddressValueError, IPv4Address, IPv6Address
from urllib.parse import quote

from permissions.errors import Refused

PORTS = {"http": 80, "https": 443}
_LONGEST = 8192
_PARTS = re.compile(
    r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*):(?://(?P<authority>[^/?#]*))?(?P<path>[^?#]*)(?P<query>\?[^#]*)?(?:#.*)?"
)
_NEVER = re.compile(r"[\x00-\x20\x7f\\]")
_LONE = re.compile(r"[\ud800-\udfff]")
_AUTHORITY = re.compile(r"(?P<host>\[[0-9A-Fa-f:.]+\]|[^\[\]:@]+)(?::(?P<port>[0-9]{1,5}))?")
_LABEL = re.compile(r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?")
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")
_KEPT = "!#$%&'()*+,/:;=?@[]~"


@dataclass(frozen=True, slots=True)
class Target:
    """A host in its one form (lower case, ASCII, no trailing dot), a port, and the path with the query."""

    scheme: str
    host: str
    port: int
    path: str

    @property
    def place(self) -> str:
        """``host:port``, as a right names it."""
        return f"{bracketed(self.host)}:{self.port}"

    @property
    def origin(self) -> tuple[str, str, int]:
        """What must stay the same for a request's own headers to go along."""
        return self.scheme, self.host, self.port

    @property
    def authority(self) -> str:
        """What stands in the ``Host`` header."""
        return bracketed(self.host) if self.port == PORTS[self.scheme] else self.place

    def __str__(self) -> str:
        return f"{self.scheme}://{self.authority}{self.path}"


def bracketed(host: str) -> str:
    """Return an IPv6 address in brackets, anything else as it is."""
    return f"[{host}]" if ":" in host else host


def read_url(text: str) -> Target:
    """Return what ``text`` means. Raises Refused (``refused.net.url``, ``refused.net.spelling``)."""
    if len(text) > _LONGEST:
        raise _bad("it is longer than 8192 characters")
    if _NEVER.search(text) or _LONE.search(text):
        raise _bad("it holds a space, a backslash or a control character")
    parts = _PARTS.fullmatch(text)
    scheme = parts["scheme"].lower() if parts else ""
    if parts is None or parts["authority"] is None or scheme not in PORTS:
        raise _bad("it is no http or https address")
    authority = _AUTHORITY.fullmatch(parts["authority"])
    if "@" in parts["authority"]:
        raise _bad("it holds a user name")
    if authority is None:
        raise _bad("its host or port is malformed")
    port = int(authority["port"] or PORTS[scheme])
    if not 0 < port < 1 << 16:
        raise _bad("there is no such port")
    path = quote(parts["path"] or "/", safe=_KEPT) + quote(parts["query"] or "", safe=_KEPT)
    return Target(scheme, normal_host(authority["host"]), port, path)


def place_of(text: str) -> str:
    """Return the ``host:port`` that a right to fetch the address ``text`` names. Raises Refused as ``read_url``."""
    return read_url(text).place


def read_place(text: str) -> Target:
    """Return what ``host:port`` means, of a connection that is encrypted end to end. Raises Refused as ``read_url``."""
    if re.search(r"[/?#]", text) or not re.search(r":[0-9]{1,5}\Z", text):
        raise _bad("it is no host with a port")
    return read_url(f"https://{text}/")


def normal_host(text: str) -> str:
    """Return a host in its one form. Raises Refused where it is malformed or spelt to deceive."""
    if text.startswith("["):
        return _ipv6(text)
    host = _ascii(text).removesuffix(".")
    labels = host.split(".")
    if len(host) > 253 or not all(map(_LABEL.fullmatch, labels)):
        raise _spelt(text, "is no host name")
    if _NUMBER.fullmatch(labels[-1]):
        return _ipv4(host, text)
    if len(labels) == 1:
        raise _spelt(text, "is no full name: what it means depends on this machine's network")
    return host


def is_address(host: str) -> bool:
    """Tell whether a host in its one form is an address."""
    return ":" in host or host.rpartition(".")[2].isdigit()


def _ascii(text: str) -> str:
    if text.isascii():
        return text.lower()
    import idna  # its tables are large, and hardly a host needs them

    try:
        return idna.encode(text, uts46=True, std3_rules=True).decode().lower()
    except idna.IDNAError as error:
        raise _spelt(text, "is no host name") from error


def _ipv4(host: str, said: str) -> str:
    try:
        return str(IPv4Address(host))
    except AddressValueError as error:
        raise _spelt(said, "is an address in disguise; write it as four decimal numbers") from error


def _ipv6(text: str) -> str:
    try:
        return str(IPv6Address(text[1:-1]))
    except AddressValueError as error:
        raise _spelt(text, "is no address") from error


def _bad(why: str) -> Refused:
    return Refused("refused.net.url", f"That web address cannot be used: {why}.", subject=why,
                   hint="Give an address such as https://example.org/page.")  # fmt: skip


def _spelt(host: str, why: str) -> Refused:
    shown = ascii(host[:80])[1:-1]
    return Refused("refused.net.spelling", f"{shown} {why}.", subject=shown, hint="Write the whole name of the host.")
