"""A server that says the key that it was told wherever it can: nothing of that is shown, or written down."""

from __future__ import annotations

from typing import Any

import pytest

from kernel.serving.cell import ServerCell, ServerOver
from kernel.serving.given import cell_spec, request
from permissions.model import CellOutcome, CellSpec, CellStatus, Connection, ConnectionEnd, Level
from tests.kernel.serving.conftest import Rack, rack

__all__ = ["rack"]

pytestmark = [pytest.mark.slow, pytest.mark.sandbox, pytest.mark.asyncio(loop_scope="module")]

KEY = "ghp-canary-5d1e77"


def leaking(rack: Rack, *, secret: bool) -> ServerCell:
    """A server that says its key wherever it can, told the key in secret or (the control) in the open."""
    wish = rack.wish("leaky", script="leaky.py", env={} if secret else {"TOKEN": KEY})
    secrets = {"TOKEN": KEY} if secret else {}
    spec = cell_spec(rack.spec(wish), wish, str(rack.home))
    return ServerCell(rack.serving.house, spec, request(wish, secrets=secrets), lambda _: None, secrets)


async def all_it_says(rack: Rack, *, secret: bool) -> str:
    """Return everything that came of a server: listing, question, progress, result, error, last words."""
    heard: list[Any] = []
    cell = leaking(rack, secret=secret)

    async def elicit(message: str, schema: Any) -> dict[str, Any] | None:
        heard.append((message, schema))
        return None

    def call(name: str) -> Any:
        order = {"name": name, "arguments": {}, "schema": {"type": "object"}, "digest": name}
        return cell.call(order, lambda _, text: heard.append(text), lambda _: None, elicit, lambda _: None)

    try:
        heard.append(await cell.listing())
        for name in ("ask", "fail", "tell"):
            heard.append(await call(name))
        with pytest.raises(ServerOver) as over:
            await call("die")
        heard.append((str(over.value), over.value.last_words, str(cell.over)))
    finally:
        await cell.end()
    assert len(heard) >= 6, heard
    return repr(heard)


async def test_it_is_in_nothing_that_the_server_says_in_whatever_way(rack: Rack) -> None:
    said = await all_it_says(rack, secret=True)
    assert KEY not in said
    assert said.count("***") >= 8, said
    assert "with with" in said
    assert KEY[:10] not in said, "what is shown of a long text is cut after the key was taken out"


async def test_control_what_was_told_in_the_open_is_in_all_of_it(rack: Rack) -> None:
    said = await all_it_says(rack, secret=False)
    assert said.count(KEY) >= 7
    assert said.count(KEY[:10]) > said.count(KEY)


class Reaching:
    """A cell that wants to reach a host by the name of the key."""

    async def call(self, spec: Any, request: bytes, *, on_connection: Any, **_: Any) -> CellOutcome:
        on_connection(Connection(f"{KEY}.example.org", 443, ConnectionEnd.REFUSED))
        return CellOutcome(CellStatus.CRASHED, Level.L3)


@pytest.mark.parametrize(("secrets", "said"), [({"TOKEN": KEY}, "***"), ({}, KEY)])
async def test_it_is_in_no_name_of_a_host_that_is_written_down(secrets: dict[str, str], said: str) -> None:
    reached: list[Connection] = []
    cell = ServerCell(Reaching(), CellSpec(()), {}, reached.append, secrets)
    with pytest.raises(ServerOver):
        await cell.listing()
    await cell.end()
    assert [one.host for one in reached] == [f"{said}.example.org"]
