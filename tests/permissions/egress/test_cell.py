"""The way out of a real cell: only through the daemon, only with the right to, and only while the call lasts."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

import permissions
from permissions.confine import Cells
from permissions.errors import BadScope
from permissions.model import CellOutcome, CellSpec, CellStatus, Connection, ConnectionEnd, Level, Limits
from tests.permissions.egress import cell as acts
from tests.permissions.egress.conftest import PUBLIC, Internet, read_head, saying

HERE = Path(__file__).parent
BECOME = HERE.parent / "confine" / "become.py"
HOST = "example.org"
pytestmark = pytest.mark.sandbox


class House:
    """Cells with the internet of a test; what their calls connected to."""

    def __init__(self, internet: Internet, *prefix: str) -> None:
        environment = {"PYTHONPATH": str(Path(permissions.__file__).parents[1])}
        command = [*prefix, sys.executable, "-P", str(HERE / "cell.py")]
        self.cells = Cells(command, environment=environment, network=internet.egress())
        self.seen: list[Connection] = []

    async def call(self, act: str, *hosts: str, limits: Limits | None = None, **words: Any) -> CellOutcome:
        spec = CellSpec(hosts=hosts, limits=limits or Limits(), minimum=Level.L2)
        request = json.dumps({"act": act, "words": words}).encode()
        return await self.cells.call(spec, request, on_connection=self.seen.append)

    async def inside(self, act: str, *hosts: str, **words: Any) -> Any:
        outcome = await self.call(act, *hosts, **words)
        assert outcome.status is CellStatus.RETURNED, outcome
        found = json.loads(outcome.reply or b"{}")
        return found.get("value", found.get("refused"))


@pytest.fixture(params=["own", "own-denied"])
async def house(request: pytest.FixtureRequest, internet: Internet) -> AsyncIterator[House]:
    """Return cells as they are here (L3 where it can be had), and where namespaces are denied (L2)."""
    denied = [sys.executable, str(BECOME), "--without-namespaces"] if request.param == "own-denied" else []
    house = House(internet, *denied)
    yield house
    await house.cells.close()


async def test_a_call_fetches_what_it_may_and_its_bytes_are_in_the_outcome(house: House, internet: Internet) -> None:
    port = await internet.server(saying("hello"), name=HOST)
    outcome = await house.call("fetch", f"{HOST}:{port}", url=f"http://{HOST}:{port}/")
    assert json.loads(outcome.reply or b"") == {"value": "hello"}
    [one] = house.seen
    assert (one.address, one.end) == (PUBLIC, ConnectionEnd.CONNECTED)
    assert (outcome.connections, outcome.up_bytes, outcome.down_bytes) == (1, one.up_bytes, one.down_bytes)
    assert outcome.up_bytes > 40


async def test_there_is_no_other_way_than_the_daemon(house: House, internet: Internet) -> None:
    port = await internet.server(saying("direct"), name=HOST)
    assert await asyncio.to_thread(acts.direct, PUBLIC, port) == "direct"  # the control, outside
    assert await house.inside("direct", f"{HOST}:{port}", address=PUBLIC, port=port) == "EPERM"
    assert await house.inside("direct", address=PUBLIC, port=port) == "EPERM"
    assert await house.inside("fetch", f"{HOST}:{port}", url=f"http://{HOST}:{port}/") == "direct"


async def test_without_the_right_there_is_nothing_to_ask_at(house: House, internet: Internet) -> None:
    assert await house.inside("has_line") is False
    without = await house.inside("descriptors")
    with_right = await house.inside("descriptors", f"{HOST}:80")
    assert len(set(with_right) - set(without)) == 1
    assert await house.inside("has_line", f"{HOST}:80") is True


async def test_what_the_call_may_not_reach_is_refused_with_the_right_that_it_lacks(
    house: House, internet: Internet
) -> None:
    port = await internet.server(saying("x"), name="other.test")
    asked = {"url": f"http://other.test:{port}/"}
    assert await house.inside("fetch", f"{HOST}:{port}", **asked) == "refused.net.host"
    assert await house.inside("fetch", f"other.test:{port}", **asked) == "x"
    assert [one.code for one in house.seen] == ["refused.net.host", ""]


async def test_the_line_does_not_tell_of_the_network_it_was_made_in(house: House) -> None:
    assert acts.interfaces() > 0  # the control: any socket tells of the interfaces of its network
    assert await house.inside("interfaces", f"{HOST}:80") == "EPERM"
    assert await house.inside("interfaces") == "EPERM"


async def test_a_descriptor_sent_along_does_not_arrive(house: House, internet: Internet) -> None:
    port = await internet.server(saying("x"), name=HOST)
    said = await house.inside("smuggle", f"{HOST}:{port}", url=f"http://{HOST}:{port}/")
    assert '"status": 200' in said
    assert not _holds("/etc/passwd")
    ours, theirs = socket.socketpair()
    with ours, theirs:
        file = os.open("/etc/passwd", os.O_RDONLY)
        socket.send_fds(ours, [b"x"], [file])
        os.close(file)
        assert not _holds("/etc/passwd")
        _, [taken], _, _ = socket.recv_fds(theirs, 1, 1)  # the control: who asks for descriptors gets them
        assert _holds("/etc/passwd")
        os.close(taken)


def _holds(path: str) -> bool:
    return any(os.path.realpath(f"/proc/self/fd/{number}") == path for number in os.listdir("/proc/self/fd"))


async def test_the_deadline_of_the_call_ends_its_connection(house: House, internet: Internet) -> None:
    ended = asyncio.Event()

    async def wait(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await read_head(reader)
        await reader.read()
        ended.set()

    port = await internet.server(wait, name=HOST)
    asked = {"url": f"http://{HOST}:{port}/", "limits": Limits(wall_s=1.5)}
    outcome = await house.call("hang", f"{HOST}:{port}", **asked)
    assert outcome.status is CellStatus.OUT_OF_TIME
    await asyncio.wait_for(ended.wait(), 8)
    assert [one.code for one in house.seen] == ["net.cut"]
    assert outcome.up_bytes > 0


async def test_to_cancel_the_call_ends_its_connection(house: House, internet: Internet) -> None:
    begun, ended = asyncio.Event(), asyncio.Event()

    async def wait(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await read_head(reader)
        begun.set()
        await reader.read()
        ended.set()

    port = await internet.server(wait, name=HOST)
    calling = asyncio.create_task(house.call("hang", f"{HOST}:{port}", url=f"http://{HOST}:{port}/"))
    await asyncio.wait_for(begun.wait(), 10)
    calling.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asyncio.wait_for(calling, 8)
    await asyncio.wait_for(ended.wait(), 8)
    assert [one.code for one in house.seen] == ["net.cut"]


async def test_a_scope_that_is_none_ends_in_an_error(house: House) -> None:
    with pytest.raises(BadScope):
        await house.call("has_line", "example.org")


async def test_without_an_egress_no_call_has_a_network(internet: Internet) -> None:
    house = House(internet)
    await house.cells.close()
    house.cells = Cells([sys.executable, "-P", str(HERE / "cell.py")],
                        environment={"PYTHONPATH": str(Path(permissions.__file__).parents[1])})  # fmt: skip
    assert await house.inside("has_line", f"{HOST}:80") is False
    await house.cells.close()
