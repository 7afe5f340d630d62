"""Whom a TLS greeting is for: greetings of a real client, whole, in pieces, and bent."""

from __future__ import annotations

import contextlib
import ssl
import struct
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from permissions.egress.hello import ServerName
from permissions.egress.targets import read_place
from permissions.errors import Refused

HOST = "example.org"


def greeting(name: str | None, *, newest: bool = True) -> bytes:
    """Return what Python's own client says first. Whom it would trust it does not say, so no authority is loaded."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    if not newest:
        context.maximum_version = ssl.TLSVersion.TLSv1_2
    coming, going = ssl.MemoryBIO(), ssl.MemoryBIO()
    client = context.wrap_bio(coming, going, server_hostname=name)
    with pytest.raises(ssl.SSLWantReadError):
        client.do_handshake()
    return going.read()


def records(hello: bytes, size: int) -> bytes:
    """Return a greeting of one record as records of at most ``size`` bytes."""
    body = hello[5:]
    return b"".join(hello[:3] + struct.pack(">H", len(part)) + part
                    for part in (body[at : at + size] for at in range(0, len(body), size)))  # fmt: skip


def passed(data: bytes, place: str = f"{HOST}:443") -> bytes:
    return ServerName(read_place(place)).passed(data)


@pytest.mark.parametrize("newest", [True, False])
@pytest.mark.parametrize("name", [HOST, "EXAMPLE.org", "www.example.org"])
def test_a_greeting_of_the_host_goes_on_as_it_is(name: str, newest: bool) -> None:
    hello = greeting(name, newest=newest)
    assert passed(hello + b"more", f"{name}:443") == hello + b"more"


@given(size=st.integers(1, 400), step=st.integers(20, 300))
def test_in_pieces_nothing_goes_on_before_all_of_it_is_there(size: int, step: int) -> None:
    hello, name = records(_HELLO, size), ServerName(read_place(f"{HOST}:443"))
    gone = b""
    for at in range(0, len(hello), step):
        gone += name.passed(hello[at : at + step])
        assert gone in (b"", hello[: at + step])
    assert gone == hello
    assert name.passed(b"later") == b"later"


def test_a_greeting_that_trickles_in_is_not_waited_for() -> None:
    name = ServerName(read_place(f"{HOST}:443"))
    gone = [name.passed(_HELLO[at : at + 1]) for at in range(200)]
    assert b"".join(gone) == b""
    with pytest.raises(Refused, match="too many pieces"):
        _ = [name.passed(_HELLO[at : at + 1]) for at in range(200, len(_HELLO))]


_HELLO = greeting(HOST)


def _without_name(hello: bytes) -> bytes:
    return greeting(None)


def _twice(hello: bytes) -> bytes:
    """Say the name in two extensions, the second for somebody else."""
    other = b"\0\x0e" + b"\0" + struct.pack(">H", 11) + b"evil.test.x"
    return _with_extension(hello, 0, other)


def _names(data: bytes) -> Callable[[bytes], bytes]:
    """Return what puts the extension with the server's name, as it is given, in the place of the right one."""

    def bent(_hello: bytes) -> bytes:
        return _with_extension(greeting(None), 0, data)

    return bent


_NAME = b"\0\0\x0bexample.org"


def _encrypted(hello: bytes) -> bytes:
    return _with_extension(hello, 0xFE0D, b"\0" * 8)


def _with_extension(hello: bytes, kind: int, data: bytes) -> bytes:
    more = struct.pack(">HH", kind, len(data)) + data
    at = _extensions_at(hello)
    (length,) = struct.unpack_from(">H", hello, at)
    body = hello[9:at] + struct.pack(">H", length + len(more)) + hello[at + 2 :] + more
    handshake = b"\x01" + len(body).to_bytes(3, "big") + body
    return hello[:3] + struct.pack(">H", len(handshake)) + handshake


def _extensions_at(hello: bytes) -> int:
    at = 9 + 34
    at += 1 + hello[at]
    at += 2 + int(struct.unpack_from(">H", hello, at)[0])
    return at + 1 + hello[at]


def _said_to_be(more: int) -> Callable[[bytes], bytes]:
    """Return what says another length of the extensions: a server that believes it sees others than were looked at."""

    def bent(hello: bytes) -> bytes:
        at = _extensions_at(hello)
        (length,) = struct.unpack_from(">H", hello, at)
        return hello[:at] + struct.pack(">H", max(0, length + more)) + hello[at + 2 :]

    return bent


def _cut(_hello: bytes) -> bytes:
    """Return a greeting whose last extension, the name, says that it is longer than what is left."""
    data = b"\0\x0e" + _NAME
    whole = _with_extension(greeting(None), 0, data)
    return whole[: -len(data) - 2] + struct.pack(">H", len(data) + 1) + data


@pytest.mark.parametrize("bent", [
    lambda _: greeting("evil.test"), lambda _: greeting("www.example.org"), lambda _: greeting("example.or"),
    _without_name, _twice, _encrypted,
    lambda _: b"GET / HTTP/1.1\r\nhost: evil.test\r\n\r\n", lambda _: b"SSH-2.0-x\r\n",
    lambda _: b"\x15\x03\x01\0\x02\x02\x28",
    lambda hello: b"\x16\x02" + hello[2:], lambda hello: hello[:5] + b"\x02" + hello[6:],
    lambda hello: hello.replace(b"example.org", b"example\0org"),
    lambda hello: hello[:6] + b"\xff" + hello[7:],
    _names(b"\0\x0e" + _NAME + b"more"), _names(b"\0\x0d" + _NAME), _names(b"\0\x0e\x01" + _NAME[1:]),
    _names(b"\0\x0e" + b"\0\0\xffexample.org"), _names(b"\0\0"), _names(b""),
    _said_to_be(-1), _said_to_be(1), _said_to_be(-1 << 16), _cut,
])  # fmt: skip
def test_anything_else_ends_the_connection(bent: Callable[[bytes], bytes]) -> None:
    assert passed(_HELLO) == _HELLO  # the controls
    assert passed(_names(b"\0\x0e" + _NAME)(b""))
    with pytest.raises(Refused) as refused:
        passed(bent(_HELLO))
    assert refused.value.code == "refused.net.sni"


@pytest.mark.parametrize("said", [b"G", b"SSH-"])
def test_what_no_greeting_begins_with_is_refused_at_its_first_byte(said: bytes) -> None:
    assert passed(_HELLO[: len(said)]) == b""  # the control: of a greeting the rest is waited for
    with pytest.raises(Refused):
        passed(said)


def test_a_greeting_in_tiny_records_is_held_back_up_to_a_bound() -> None:
    body = b"\x01\0\xff\xff" + bytes(0xFFFF)
    said = b"".join(b"\x16\x03\x01\0\x01" + bytes([byte]) for byte in body)
    assert passed(said[: 128 << 10]) == b""
    with pytest.raises(Refused):
        passed(said[: 129 << 10])


def test_an_address_is_greeted_without_a_name() -> None:
    unnamed = greeting(None)
    assert passed(unnamed, "93.184.216.34:443") == unnamed
    with pytest.raises(Refused):
        passed(_HELLO, "93.184.216.34:443")


@given(at=st.integers(0, 600), value=st.integers(0, 255))
def test_whatever_is_bent_is_refused_held_back_or_still_for_the_host(at: int, value: int) -> None:
    data = bytearray(_HELLO)
    data[at % len(data)] = value
    try:
        gone = passed(bytes(data))
    except Refused:
        return
    assert gone == b"" or b"example.org" in gone.lower()


@given(st.binary(max_size=300))
def test_noise_never_goes_on(data: bytes) -> None:
    with contextlib.suppress(Refused):
        assert passed(data) == b""


@pytest.mark.parametrize("place", ["example.org", "example.org:", "user@example.org:443", "example.org:443/x", "a b:1",
                                   "example.org:443?x", "[::1:443", "2130706433:443", "example.org:0", "x:443", ":443",
                                   "example.org:99999", "https://example.org:443"])  # fmt: skip
def test_what_is_no_place(place: str) -> None:
    with pytest.raises(Refused):
        read_place(place)
