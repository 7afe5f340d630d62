"""The first words of a TLS connection: whom the client says it speaks to must be whom it was let through to.

What this stops: a tunnel that carries anything but TLS; domain fronting, where a connection to an allowed host asks
it, by another server name (or by none, or by an encrypted one), for somebody else's site.
What it does not: see what is said inside. A host that serves other names on its own certificate can be asked for those
there; a second greeting, after the server asked for one, is not looked at.

Source: RFC 8446 sections 4.1.2 and 5.1, RFC 6066 section 3, RFC 9849 (encrypted greetings).
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

from permissions.egress.targets import Target, is_address, normal_host
from permissions.errors import Refused

_HANDSHAKE, _CLIENT_HELLO = 22, 1
_SERVER_NAME, _ENCRYPTED_HELLO = 0, 0xFE0D
_LARGEST_RECORD, _LARGEST_HELLO = 1 << 14, 64 << 10
_MOST_PIECES = 256
"""Each is looked at from the beginning."""


class ServerName:
    """Holds the first bytes of a connection back until they are known to be a greeting of ``target``."""

    def __init__(self, target: Target) -> None:
        self._target = target
        self._held = bytearray()
        self._known = False
        self._pieces = 0

    def passed(self, data: bytes) -> bytes:
        """Return what may go on by now. Raises Refused (``refused.net.sni``)."""
        if self._known:
            return data
        self._held += data
        self._pieces += 1
        if self._pieces > _MOST_PIECES:
            raise _refused(self._target, "its greeting comes in too many pieces")
        hello = _hello(bytes(self._held), self._target)
        if hello is None:
            return b""
        self._check(hello)
        self._known = True
        return bytes(self._held)

    def _check(self, hello: bytes) -> None:
        try:
            extensions = _extensions(hello)
        except (struct.error, IndexError, ValueError) as error:
            raise _refused(self._target, "its greeting is malformed") from error
        kinds = [kind for kind, _ in extensions]
        if _ENCRYPTED_HELLO in kinds:
            raise _refused(self._target, "it hides the name of the server")
        names = [name for kind, data in extensions if kind == _SERVER_NAME for name in _names(data, self._target)]
        if is_address(self._target.host):
            if names:
                raise _refused(self._target, f"it asks for {names[0]}")
        elif len(names) != 1 or kinds.count(_SERVER_NAME) != 1:
            raise _refused(self._target, "it does not say one name of a server")
        elif names[0] != self._target.host:
            raise _refused(self._target, f"it asks for {names[0]}")


def _hello(data: bytes, target: Target) -> bytes | None:
    """Return the greeting that ``data`` begins with, put together from its records; None while it is not whole."""
    said, at = bytearray(), 0
    while len(data) - at >= 5:
        kind, major, _, length = struct.unpack_from(">BBBH", data, at)
        if kind != _HANDSHAKE or major != 3 or not 0 < length <= _LARGEST_RECORD:
            raise _refused(target, "it does not begin with a greeting of TLS")
        if len(data) - at - 5 < length:
            break
        said += data[at + 5 : at + 5 + length]
        at += 5 + length
        if len(said) >= 4:
            size = int.from_bytes(said[1:4], "big")
            if said[0] != _CLIENT_HELLO or size > _LARGEST_HELLO:
                raise _refused(target, "it does not begin with a greeting of TLS")
            if len(said) >= 4 + size:
                return bytes(said[4 : 4 + size])
    if data[:1] not in (b"", bytes([_HANDSHAKE])) or len(data) > 2 * _LARGEST_HELLO:
        raise _refused(target, "it does not begin with a greeting of TLS")
    return None


def _extensions(hello: bytes) -> list[tuple[int, bytes]]:
    """Return the extensions of a greeting. Raises where its lengths do not fit."""
    at = 2 + 32
    at += 1 + hello[at]  # session
    at += 2 + int(struct.unpack_from(">H", hello, at)[0])  # ciphers
    at += 1 + hello[at]  # compressions
    (length,) = struct.unpack_from(">H", hello, at)
    at += 2
    if at + length != len(hello):
        raise ValueError("the extensions do not fill the greeting")
    found = []
    while at < len(hello):
        kind, size = struct.unpack_from(">HH", hello, at)
        if at + 4 + size > len(hello):
            raise ValueError("an extension is cut")
        found.append((kind, hello[at + 4 : at + 4 + size]))
        at += 4 + size
    return found


def _names(data: bytes, target: Target) -> list[str]:
    try:
        return list(_said(data))
    except (struct.error, ValueError, Refused) as error:
        raise _refused(target, "it says a name of a server that is none") from error


def _said(data: bytes) -> Iterator[str]:
    """Yield the names of the extension that says the server's."""
    (length,) = struct.unpack_from(">H", data)
    if length != len(data) - 2:
        raise ValueError("the names do not fill the extension")
    at = 2
    while at < len(data):
        kind, size = struct.unpack_from(">BH", data, at)
        name = data[at + 3 : at + 3 + size]
        if kind != 0 or len(name) != size:
            raise ValueError("a name is cut")
        yield normal_host(name.decode("ascii"))
        at += 3 + size


def _refused(target: Target, why: str) -> Refused:
    return Refused("refused.net.sni", f"The connection to {target.place} was ended: {why}.", subject=target.place,
                   hint="A program of a call may speak TLS alone, with the host that it connects to.")  # fmt: skip
