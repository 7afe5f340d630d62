"""Foreign programs in a real cell: out through the relay alone, to the hosts of the call alone."""

from __future__ import annotations

import json
import socket
import sys
import textwrap
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from permissions.errors import WallUnavailable
from permissions.model import (
    RELAY_LINES,
    RELAY_PORT,
    CellOutcome,
    CellSpec,
    CellStatus,
    ConnectionEnd,
    Level,
    Limits,
)
from tests.permissions.egress import cell as acts
from tests.permissions.egress.conftest import PUBLIC, Authority, Internet, saying
from tests.permissions.egress.test_cell import BECOME, House

HOST = "example.org"
pytestmark = pytest.mark.sandbox


class Programs(House):
    """Cells whose programs may connect."""

    async def call(self, act: str, *hosts: str, limits: Limits | None = None, **words: Any) -> CellOutcome:
        reads, relays, once = words.pop("reads", ()), words.pop("relays", True), words.pop("once", True)
        spec = CellSpec(hosts=hosts, limits=limits or Limits(), read_paths=reads, relays=relays, changes_hosts=once)
        request = json.dumps({"act": act, "words": words}).encode()
        return await self.cells.call(spec, request, on_connection=self.seen.append)

    async def run(self, *argv: str, hosts: tuple[str, ...] = (), **more: Any) -> dict[str, Any]:
        found = await self.inside("program", *hosts, argv=list(argv), **more)
        assert isinstance(found, dict), found
        return found


@pytest.fixture
async def house(internet: Internet) -> AsyncIterator[Programs]:
    house = Programs(internet)
    if await house.cells.start() is not Level.L3:
        pytest.skip("no namespaces here")
    yield house
    await house.cells.close()


async def test_curl_in_a_cell_fetches_over_http_and_https(
    house: Programs, internet: Internet, authority: Authority
) -> None:
    plain = await internet.server(saying("plain"), name=HOST)
    secure = await internet.server(saying("secure"), name=HOST, ssl=authority.context(HOST))
    hosts, ca = (f"{HOST}:{plain}", f"{HOST}:{secure}"), str(authority.file)
    words = ["curl", "--silent", "--show-error", "--max-time", "10"]
    found = await house.run(*words, f"http://{HOST}:{plain}/", hosts=hosts)
    assert found == {"status": 0, "out": "plain", "err": ""}
    found = await house.run(*words, "--cacert", ca, f"https://{HOST}:{secure}/", hosts=hosts, reads=(ca,))
    assert found == {"status": 0, "out": "secure", "err": ""}
    assert [(one.port, one.address, one.end) for one in house.seen] == [
        (plain, PUBLIC, ConnectionEnd.CONNECTED), (secure, PUBLIC, ConnectionEnd.CONNECTED)
    ]  # fmt: skip
    assert house.seen[0].code == ""
    assert house.seen[1].code in ("", "net.cut")  # the call may end before the host has closed
    assert house.seen[1].down_bytes > 500


async def test_python_in_a_cell_fetches_with_urllib_and_httpx(
    house: Programs, internet: Internet, authority: Authority
) -> None:
    secure = await internet.server(saying("secure"), name=HOST, ssl=authority.context(HOST))
    ca, url = str(authority.file), f"https://{HOST}:{secure}/"
    code = """
        import ssl, sys, urllib.request
        trusted = ssl.create_default_context(cafile=sys.argv[2])
        print(urllib.request.urlopen(sys.argv[1], context=trusted, timeout=10).read().decode())
        import httpx
        print(httpx.get(sys.argv[1], verify=trusted, timeout=10).text)
    """
    python = [sys.executable, "-c", textwrap.dedent(code), url, ca]
    found = await house.run(*python, hosts=(f"{HOST}:{secure}",), reads=(ca,))
    assert (found["status"], found["out"]) == (0, "secure\nsecure\n"), found


async def test_the_authorities_of_the_machine_are_there(house: Programs) -> None:
    code = "import ssl; print(ssl.create_default_context().cert_store_stats()['x509_ca'])"
    outside = ssl_authorities()
    assert outside > 0, "this machine has no authorities to show"
    found = await house.run(sys.executable, "-c", code, hosts=(f"{HOST}:443",))
    assert int(found["out"]) == outside, found


def ssl_authorities() -> int:
    import ssl

    return ssl.create_default_context().cert_store_stats()["x509_ca"]


async def test_without_the_relay_a_program_reaches_nothing(house: Programs, internet: Internet) -> None:
    port = await internet.server(saying("plain"), name=HOST)
    words = ["curl", "--silent", "--max-time", "5"]
    asked = {"hosts": (f"{HOST}:{port}",)}
    assert (await house.run(*words, f"http://{HOST}:{port}/", **asked))["out"] == "plain"  # the control
    for url in (f"http://{HOST}:{port}/", f"http://{PUBLIC}:{port}/", f"http://127.0.0.1:{port}/"):
        found = await house.run(*words, "--noproxy", "*", url, **asked)
        assert (found["status"] in (6, 7), found["out"]) == (True, ""), (url, found)


async def test_the_machine_s_own_loopback_is_another_one(house: Programs, internet: Internet) -> None:
    with socket.create_server(("127.0.0.1", 0)) as mine:
        port = mine.getsockname()[1]
        socket.create_connection(("127.0.0.1", port), 2).close()  # the control
        for at in (port, 22, 80):
            assert await house.inside("direct", f"{HOST}:443", address="127.0.0.1", port=at) in (
                "ECONNREFUSED",
                "EACCES",
            )


async def test_only_tcp_of_ipv4_and_only_the_relay_s_port(house: Programs) -> None:
    stream, datagram, raw = int(socket.SOCK_STREAM), int(socket.SOCK_DGRAM), int(socket.SOCK_RAW)
    kinds = [[2, stream], [2, stream | 0o2004000], [2, stream, 6],
             [2, datagram], [2, raw, 1], [2, stream, 132], [2, stream, 262], [2, 5], [10, stream], [1, stream],
             [16, raw], [17, raw], [40, stream], [38, 5], [2, stream | 0x10]]  # fmt: skip
    outside = acts.sockets(kinds)
    assert outside.count("made") > 5  # the control: here most of them can be had
    inside = await house.inside("sockets", f"{HOST}:443", kinds=kinds)
    assert inside[:3] == ["made"] * 3
    assert set(inside[3:]) == {"EPERM"}
    without = await house.inside("sockets", f"{HOST}:443", kinds=kinds, relays=False)
    assert set(without) == {"EPERM"}
    assert await house.inside("served", f"{HOST}:443", port=RELAY_PORT) == "served"
    assert await house.inside("served", f"{HOST}:443", port=RELAY_PORT + 1) == "EACCES"


async def test_the_lines_are_there_for_such_calls_alone(house: Programs) -> None:
    bare = await house.inside("descriptors")
    fetching = await house.inside("descriptors", f"{HOST}:443", relays=False)
    relaying = await house.inside("descriptors", f"{HOST}:443")
    assert len(set(fetching) - set(bare)) == 1
    assert len(set(relaying) - set(fetching)) == RELAY_LINES
    found = await house.run("/bin/sh", "-c", "ls /proc/self/fd", hosts=(f"{HOST}:443",))
    assert len(found["out"].split()) <= 4  # a program inherits none of them


async def test_below_l3_no_program_connects(internet: Internet) -> None:
    house = Programs(internet, sys.executable, str(BECOME), "--without-namespaces")
    try:
        with pytest.raises(WallUnavailable) as refused:
            await house.call("has_line", f"{HOST}:443")
        assert refused.value.code == "wall.too_weak"
        outcome = await house.call("has_line", f"{HOST}:443", relays=False)
        assert outcome.status is CellStatus.RETURNED
    finally:
        await house.cells.close()


def test_what_a_cell_is_told_of_the_authorities_is_public() -> None:
    from permissions.confine.root import _SETTINGS

    for path in _SETTINGS:
        assert "private" not in path
        assert not Path(path).exists() or Path(path).stat().st_mode & 0o004
