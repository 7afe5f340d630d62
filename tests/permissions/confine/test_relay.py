"""The loopback of a cell and the relay on it, for root and for an ordinary user; below L3 there is none."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import HTTPServer

import pytest

from permissions.egress import Egress
from permissions.errors import WallUnavailable
from permissions.model import CellSpec, Level
from tests.permissions.confine.conftest import Wall
from tests.permissions.confine.net_escapes import PAGE, _Page, _resolve

pytestmark = pytest.mark.sandbox


@pytest.fixture
def port() -> Iterator[int]:
    with HTTPServer(("127.0.0.1", 0), _Page) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_port
        server.shutdown()


def fetched(wall: Wall, egress: Egress, url: str, scope: str) -> str:
    cells = wall.new_cells(network=egress)
    try:
        spec = CellSpec(hosts=(scope,), relays=True, minimum=Level.L2)
        outcome = wall.wait(cells.call(spec, wall.request("relayed", url=url)))
    finally:
        wall.wait(cells.close())
    return str(json.loads(outcome.reply or b"{}").get("value"))


def test_a_program_reaches_the_host_of_its_call_and_never_this_machine(wall: Wall, port: int) -> None:
    url, scope = f"http://public.test:{port}/", f"public.test:{port}"
    if wall.level is not Level.L3:
        with pytest.raises(WallUnavailable):
            fetched(wall, Egress(resolve=_resolve), url, scope)
        return
    everybody = Egress(resolve=_resolve, refusal=lambda _: "")
    assert fetched(wall, everybody, url, scope) == PAGE  # the control: it would, if the address were not refused
    assert fetched(wall, Egress(resolve=_resolve), url, scope) == "refused.net.address"
    assert fetched(wall, everybody, f"http://other.test:{port}/", scope) == "refused.net.host"
    assert fetched(wall, Egress(resolve=_resolve), f"http://127.0.0.1:{port}/", f"*:{port}") == "refused.net.address"
