"""The relay and its tunnels, over real lines to the daemon's side and without a wall: clients, attacks and controls."""

from __future__ import annotations

import asyncio
import http.client
import socket
import ssl
import subprocess
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

import httpx
import pytest

from permissions.egress import Line, Relay, relay
from permissions.egress.frames import ABORT, BODY, END, LARGEST_CHUNK, frame
from permissions.model import CellSpec, Connection, ConnectionEnd
from tests.permissions.egress.conftest import PUBLIC, Authority, Internet, moving, read_head, saying
from tests.permissions.egress.test_hello import greeting

HOST = "example.org"
LINES = 3


@dataclass
class Proxied:
    """A relay as a cell has one, and what it connected to."""

    relay: Relay
    seen: list[Connection] = field(default_factory=list)

    def raw(self, *parts: bytes, until: bytes = b"", timeout_s: float = 5.0) -> bytes:
        """Send ``parts``, each after an answer to the one before; return all that came."""
        with socket.create_connection(("127.0.0.1", self.relay.port), timeout_s) as link:
            found = b""
            for part in parts:
                link.sendall(part)
                got = link.recv(65536)
                found += got
                if not got:
                    return found
            while until and until not in found and (got := link.recv(65536)):
                found += got
            return found


@asynccontextmanager
async def proxied(internet: Internet, *hosts: str, changes: bool = True, relays: bool = True) -> AsyncIterator[Proxied]:
    async with AsyncExitStack() as until:
        pairs, seen = [socket.socketpair() for _ in range(LINES)], list[Connection]()
        spec = CellSpec(hosts=hosts, changes_hosts=changes, relays=relays)
        egress = internet.egress()
        for _, theirs in pairs:
            until.enter_context(theirs)
        until.push_async_callback(_nobody_writes)  # before a number that threads know is another test's
        for ours, _ in pairs:
            until.enter_context(ours)
            serving = asyncio.create_task(egress.serve(ours, spec, seen.append))
            until.push_async_callback(_ended, serving)
        relay = Relay([Line(theirs.fileno()) for _, theirs in pairs], port=0)
        until.callback(relay.close)
        yield Proxied(relay, seen)


async def _ended(serving: asyncio.Task[None]) -> None:
    serving.cancel()
    await asyncio.wait([serving])


async def _nobody_writes() -> None:
    """Wait for the threads of a relay that was closed."""
    of_relay = [one for one in threading.enumerate() if one.name in {"relay", "relayed", "relaying"}]
    for one in of_relay:
        await asyncio.to_thread(one.join, 10)
    assert not [one.name for one in of_relay if one.is_alive()], "a thread of the relay goes on"


async def curl(house: Proxied, *words: str) -> tuple[int, str, str]:
    """Run the real curl; return its status and what it said."""
    command = ["curl", "--silent", "--show-error", "--max-time", "10", *words]
    ran = await asyncio.to_thread(
        subprocess.run, command, env={"PATH": "/usr/bin:/bin", **house.relay.environment()}, capture_output=True,
        text=True, check=False,
    )  # fmt: skip
    return ran.returncode, ran.stdout, ran.stderr


def echoing(heard: list[bytes]) -> Callable[[asyncio.StreamReader, asyncio.StreamWriter], Any]:
    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(65536):
            heard.append(data)
            writer.write(data)
            await writer.drain()

    return handle


async def test_curl_and_python_fetch_over_http_and_https(internet: Internet, authority: Authority) -> None:
    plain = await internet.server(saying("plain"), name=HOST)
    secure = await internet.server(saying("secure"), name=HOST, ssl=authority.context(HOST))
    trusted = ssl.create_default_context(cafile=str(authority.file))
    async with proxied(internet, f"{HOST}:{plain}", f"{HOST}:{secure}") as house:
        assert await curl(house, f"http://{HOST}:{plain}/a?b") == (0, "plain", "")
        assert await curl(house, "--cacert", str(authority.file), f"https://{HOST}:{secure}/") == (0, "secure", "")
        async with httpx.AsyncClient(proxy=f"http://127.0.0.1:{house.relay.port}", verify=trusted) as client:
            for _ in range(LINES + 2):  # more than there are lines, one after the other
                assert (await client.get(f"https://{HOST}:{secure}/")).text == "secure"
                assert (await client.get(f"http://{HOST}:{plain}/")).text == "plain"
    assert len(internet.asked) == len(house.seen)
    assert {(one.end, one.address, one.code) for one in house.seen} == {(ConnectionEnd.CONNECTED, PUBLIC, "")}
    assert all(one.up_bytes > 40 < one.down_bytes for one in house.seen)
    assert any(one.up_bytes > 500 for one in house.seen if one.port == secure)  # bytes of TLS, as they went


async def test_the_relay_checks_no_certificate_and_so_none_is_faked(internet: Internet, authority: Authority) -> None:
    secure = await internet.server(saying("secure"), name=HOST, ssl=authority.context("other.test"))
    async with proxied(internet, f"{HOST}:{secure}") as house:
        status, _, said = await curl(house, "--cacert", str(authority.file), f"https://{HOST}:{secure}/")
    assert status == 60, said  # curl itself sees that the certificate is another host's


async def test_a_large_answer_and_a_large_question_go_through(internet: Internet, authority: Authority) -> None:
    large = "x" * 3_000_000
    secure = await internet.server(saying(large), name=HOST, ssl=authority.context(HOST))
    heard: list[str] = []

    async def taking(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await read_head(reader)
        length = int(head.lower().partition("content-length:")[2].split()[0])
        heard.append(f"{head.split()[0]} {len(await reader.readexactly(length))}")
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok")

    plain = await internet.server(taking, name=HOST)
    async with proxied(internet, f"{HOST}:{plain}", f"{HOST}:{secure}") as house:
        assert (await curl(house, "--cacert", str(authority.file), f"https://{HOST}:{secure}/"))[1] == large
        assert (await curl(house, "--data-binary", "@/usr/bin/env", f"http://{HOST}:{plain}/"))[1] == "ok"
        chunked = ["--header", "Transfer-Encoding: chunked", "--data-binary", "abc" * 1000]
        assert (await curl(house, *chunked, f"http://{HOST}:{plain}/"))[1] == "ok"
    assert heard[1] == "POST 3000"
    assert int(heard[0].split()[1]) > 10_000


async def test_nothing_but_the_hosts_of_the_call(internet: Internet, authority: Authority) -> None:
    port = await internet.server(saying("secret"), name="other.test", ssl=authority.context("other.test"))
    allowed = await internet.server(saying("x"), name=HOST)
    words = ["--cacert", str(authority.file), f"https://other.test:{port}/"]
    async with proxied(internet, f"other.test:{port}") as house:
        assert (await curl(house, *words))[1] == "secret"  # the control
    async with proxied(internet, f"{HOST}:{allowed}") as house:
        status, said, why = await curl(house, *words)
        assert (status != 0, said) == (True, "")
        assert "403" in why
        refused = await asyncio.to_thread(house.raw, f"GET http://other.test:{port}/ HTTP/1.1\r\n\r\n".encode())
    assert refused.startswith(b"HTTP/1.1 403 ")
    assert b"x-steward: refused.net.host" in refused
    assert f"net.connect:other.test:{port}".encode() in refused
    assert [(one.host, one.code) for one in house.seen] == [("other.test", "refused.net.host")] * 2


@pytest.mark.parametrize(
    ("place", "code"),
    [
        ("127.0.0.1:{port}", "refused.net.host"),
        ("[::1]:{port}", "refused.net.host"),
        ("[::ffff:127.0.0.1]:{port}", "refused.net.host"),
        ("localhost:{port}", "refused.net.spelling"),
        ("2130706433:{port}", "refused.net.spelling"),
        ("0x7f.1:{port}", "refused.net.spelling"),
        ("inside.test:{port}", "refused.net.address"),
        ("user:word@example.org:{port}", "refused.net.url"),
        ("example.org:{port}/x", "refused.net.url"),
        ("example.org", "refused.net.url"),
        (f"{PUBLIC}:{{port}}", "refused.net.host"),
        ("example.org:22", "refused.net.host"),
    ],
)
async def test_what_a_program_asks_to_be_connected_to(internet: Internet, place: str, code: str) -> None:
    port = await internet.server(saying("mine"), at="127.0.0.1")
    internet.names |= {"inside.test": [["127.0.0.1"]], HOST: [[PUBLIC]]}
    asked = place.format(port=port)
    async with proxied(internet, f"*:{port}", f"inside.test:{port}", f"{HOST}:{port}") as house:
        got = await asyncio.to_thread(house.raw, f"CONNECT {asked} HTTP/1.1\r\nhost: {asked}\r\n\r\n".encode())
    assert got.startswith(b"HTTP/1.1 403 "), got
    assert f"x-steward: {code}".encode() in got


async def test_an_address_that_was_granted_as_such_is_connected_to(internet: Internet) -> None:
    heard: list[bytes] = []
    port = await internet.server(echoing(heard))
    asked = f"CONNECT {PUBLIC}:{port} HTTP/1.1\r\n\r\n".encode()
    async with proxied(internet, f"{PUBLIC}:{port}") as house:
        assert (await asyncio.to_thread(house.raw, asked)).startswith(b"HTTP/1.1 200 ")


@pytest.mark.parametrize("said", [
    b"GET / HTTP/1.1\r\nhost: other.test\r\n\r\n", b"SSH-2.0-OpenSSH\r\n", greeting("other.test"), greeting(None)
])  # fmt: skip
async def test_a_tunnel_carries_tls_with_its_own_host_alone(internet: Internet, said: bytes) -> None:
    heard: list[bytes] = []
    port = await internet.server(echoing(heard), name=HOST)
    connect = f"CONNECT {HOST}:{port} HTTP/1.1\r\n\r\n".encode()
    async with proxied(internet, f"{HOST}:{port}") as house:
        for _ in range(LINES * 2):  # each leaves its line fit for the next
            got = await asyncio.to_thread(house.raw, connect, said)
            assert got == b"HTTP/1.1 200 Connection established\r\n\r\n"
        assert heard == []
        assert [one.code for one in house.seen] == ["refused.net.sni"] * LINES * 2
        own = greeting(HOST)
        assert (await asyncio.to_thread(house.raw, connect, own, until=own[-20:])).endswith(own)  # the control
        assert b"".join(heard) == own


async def test_a_redirect_to_this_machine_is_a_question_of_its_own(internet: Internet) -> None:
    mine = await internet.server(saying("mine"), at="127.0.0.1")
    port = await internet.server(moving(f"http://127.0.0.1:{mine}/"), name=HOST)
    async with proxied(internet, f"{HOST}:{port}", f"*:{mine}") as house:
        _, said, _ = await curl(house, "--location", f"http://{HOST}:{port}/")
    assert "mine" not in said
    assert "no public address" in said


async def test_who_only_reads_has_no_tunnel_and_no_other_method(internet: Internet, authority: Authority) -> None:
    plain = await internet.server(saying("page"), name=HOST)
    secure = await internet.server(saying("secure"), name=HOST, ssl=authority.context(HOST))
    async with proxied(internet, f"{HOST}:{plain}", f"{HOST}:{secure}", changes=False) as house:
        assert (await curl(house, f"http://{HOST}:{plain}/"))[1] == "page"
        assert "page" not in (await curl(house, "--data", "x", f"http://{HOST}:{plain}/"))[1]
        status, said, why = await curl(house, "--cacert", str(authority.file), f"https://{HOST}:{secure}/")
        assert (status != 0, said, "403" in why) == (True, "", True)
    async with proxied(internet, f"{HOST}:{secure}") as house:
        assert (await curl(house, "--cacert", str(authority.file), f"https://{HOST}:{secure}/"))[1] == "secure"


async def test_a_line_without_a_relay_has_no_tunnels(internet: Internet) -> None:
    port = await internet.server(saying("x"), name=HOST)
    async with proxied(internet, f"{HOST}:{port}", relays=False) as house:
        got = await asyncio.to_thread(house.raw, f"CONNECT {HOST}:{port} HTTP/1.1\r\n\r\n".encode())
    assert b"x-steward: net.cut" in got
    assert house.seen == []


@pytest.mark.parametrize("request_", [
    b"\r\n\r\n", b"GET\r\n\r\n", b"GET http://a.test/ HTTP/2\r\n\r\n",
    b"GET http://a.test/ HTTP/1.1\r\nnocolon\r\n\r\n",
    b"POST http://a.test/ HTTP/1.1\r\ncontent-length: -1\r\n\r\n",
    b"POST http://a.test/ HTTP/1.1\r\ncontent-length: 99999999\r\n\r\n",
    b"POST http://a.test/ HTTP/1.1\r\ntransfer-encoding: gzip\r\n\r\n", b"x" * 70_000,
])  # fmt: skip
async def test_what_is_no_request_is_answered_so(internet: Internet, request_: bytes) -> None:
    async with proxied(internet, "a.test:80") as house:
        assert (await asyncio.to_thread(house.raw, request_)).startswith(b"HTTP/1.1 400 ")


def cut_off(house: Proxied, request: bytes) -> bytes:
    """Say something, and no more; return all that is answered."""
    with socket.create_connection(("127.0.0.1", house.relay.port), 5) as link:
        link.sendall(request)
        link.shutdown(socket.SHUT_WR)
        return b"".join(iter(lambda: link.recv(65536), b""))


_CHUNKED = b"POST http://a.test/ HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n"


@pytest.mark.parametrize("request_", [
    b"POST http://a.test/ HTTP/1.1\r\ncontent-length: 10\r\n\r\nabc",
    _CHUNKED, _CHUNKED + b"3\r\nab", _CHUNKED + b"3\r\nabc\r\n", _CHUNKED + b"1000001\r\n", _CHUNKED + b"-1\r\n",
    _CHUNKED + b"x\r\n", _CHUNKED + b"x" * 70_000,
])  # fmt: skip
async def test_content_that_is_cut_off_or_never_ends_is_answered_so(internet: Internet, request_: bytes) -> None:
    async with proxied(internet, "a.test:80") as house:
        assert (await asyncio.to_thread(cut_off, house, request_)).startswith(b"HTTP/1.1 400 ")
    assert internet.asked == []


async def test_who_comes_and_says_nothing_takes_no_line(internet: Internet) -> None:
    port = await internet.server(saying("page"), name=HOST)
    async with proxied(internet, f"{HOST}:{port}") as house:
        for _ in range(LINES + 1):
            assert await asyncio.to_thread(cut_off, house, b"GET http") == b""
        assert (await curl(house, f"http://{HOST}:{port}/"))[1] == "page"


async def test_who_finds_no_line_is_told_so(internet: Internet, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(relay, "_PATIENCE_S", 0.2)
    port = await internet.server(echoing([]), name=HOST)
    connect = f"CONNECT {HOST}:{port} HTTP/1.1\r\n\r\n".encode()
    async with proxied(internet, f"{HOST}:{port}") as house:
        with ExitStack() as held:
            for _ in range(LINES):
                link = held.enter_context(socket.create_connection(("127.0.0.1", house.relay.port), 5))
                await asyncio.to_thread(link.sendall, connect)
                assert await asyncio.to_thread(link.recv, 100)
            got = await asyncio.to_thread(cut_off, house, b"")
    assert got.startswith(b"HTTP/1.1 503 ")
    assert b"x-steward: net.busy" in got


@pytest.mark.parametrize("said", [
    frame(END) + frame(BODY, b"more"), frame(END) + frame(END), frame(b"q", b"{}"), frame(END, b"x"),
    frame(ABORT, b"x"), frame(BODY, bytes(LARGEST_CHUNK + 1)), b"\xff" * 5,
])  # fmt: skip
async def test_what_a_tunnel_never_says_ends_its_line(internet: Internet, said: bytes) -> None:
    heard: list[bytes] = []
    port = await internet.server(echoing(heard), name=HOST)
    ours, theirs = socket.socketpair()
    spec = CellSpec(hosts=(f"{HOST}:{port}",), changes_hosts=True, relays=True)
    serving = asyncio.create_task(internet.egress().serve(ours, spec, lambda _: None))
    with ours, theirs:
        line = Line(theirs.fileno())
        await asyncio.to_thread(line.tunnel, f"{HOST}:{port}")
        own = greeting(HOST)
        await asyncio.to_thread(line.send, BODY, own)
        assert await asyncio.to_thread(line.receive) == own  # the control
        with suppress(OSError):
            await asyncio.to_thread(theirs.sendall, said)
        theirs.settimeout(5)
        last = await asyncio.to_thread(_until_closed, theirs)
    await serving
    assert last in (b"", frame(END))
    assert b"".join(heard) == own


def _until_closed(line: socket.socket) -> bytes:
    found = b""
    with suppress(ConnectionResetError):
        while data := line.recv(65536):
            found += data
    return found


async def test_a_host_that_ends_first_and_a_program_that_does_leave_the_line_fit(internet: Internet) -> None:
    async def brief(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"y" * 200_000)
        await writer.drain()

    port = await internet.server(brief, name=HOST)
    connect = f"CONNECT {HOST}:{port} HTTP/1.1\r\n\r\n".encode()

    def hurried() -> None:
        with socket.create_connection(("127.0.0.1", house.relay.port), 5) as link:
            link.sendall(connect)
            link.recv(10)

    async with proxied(internet, f"{HOST}:{port}") as house:
        for number in range(LINES * 4):
            if number % 2:
                await asyncio.to_thread(hurried)
            else:
                got = await asyncio.to_thread(house.raw, connect, until=b"never")
                assert len(got) == 200_000 + len(b"HTTP/1.1 200 Connection established\r\n\r\n")
    assert len(house.seen) == LINES * 4


async def test_many_at_once_wait_for_a_line(internet: Internet, authority: Authority) -> None:
    async def slow(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await read_head(reader)
        await asyncio.sleep(0.05)
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok")

    port = await internet.server(slow, name=HOST, ssl=authority.context(HOST))
    trusted = ssl.create_default_context(cafile=str(authority.file))

    def one() -> bytes:
        link = http.client.HTTPSConnection("127.0.0.1", house.relay.port, timeout=10, context=trusted)
        link.set_tunnel(HOST, port)
        link.request("GET", "/")
        try:
            return link.getresponse().read()
        finally:
            link.close()

    async with proxied(internet, f"{HOST}:{port}") as house:
        found = await asyncio.gather(*(asyncio.to_thread(one) for _ in range(LINES * 4)))
    assert found == [b"ok"] * LINES * 4


async def test_the_end_of_the_call_ends_its_tunnels(internet: Internet) -> None:
    heard: list[bytes] = []
    port = await internet.server(echoing(heard), name=HOST)
    own = greeting(HOST)
    with socket.socket() as link:
        async with proxied(internet, f"{HOST}:{port}") as house:
            link.connect(("127.0.0.1", house.relay.port))
            await asyncio.to_thread(link.sendall, f"CONNECT {HOST}:{port} HTTP/1.1\r\n\r\n".encode())
            await asyncio.to_thread(link.recv, 100)
            await asyncio.to_thread(link.sendall, own)
            assert await asyncio.to_thread(link.recv, 10)
            assert house.seen == []
    assert [one.code for one in house.seen] == ["net.cut"]
    assert house.seen[0].up_bytes == len(own)
