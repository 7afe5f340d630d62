"""A server at an address: reached through the cell's relay at its host, and nothing else is."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from kernel.opening import SERVERS
from kernel.serving.cell import ServerOver
from kernel.serving.warm import Serving
from kernel.serving.wishes import Asked, checked
from permissions import Cells
from permissions.model import Connection
from skills.loading import load_skill
from skills.mcp.writing import Wish, written
from tests.kernel.serving.conftest import Rack
from tests.permissions.egress.conftest import Internet, internet

__all__ = ["internet"]

pytestmark = [pytest.mark.slow, pytest.mark.sandbox]

TOOLS = [{"name": "echo", "description": "Say it back.", "inputSchema": {
    "type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}}]  # fmt: skip


def _result(asked: dict[str, Any]) -> dict[str, Any]:
    match asked["method"]:
        case "initialize":
            return {"result": {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}},
                               "serverInfo": {"name": "Far", "version": "1"}}}  # fmt: skip
        case "tools/list":
            return {"result": {"tools": TOOLS}}
        case "tools/call":
            return {"result": {"content": [{"type": "text", "text": asked["params"]["arguments"]["text"]}]}}
    return {"error": {"code": -32601, "message": "no"}}


async def _serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
    length = next((int(line.split(":")[1]) for line in head.split("\r\n") if line.startswith("content-length")), 0)
    body = json.loads(await reader.readexactly(length)) if length else {}
    if not head.startswith("post"):
        status, data = "405 Method Not Allowed", b""
    elif "id" not in body:
        status, data = "202 Accepted", b""
    else:
        status, data = "200 OK", json.dumps({"jsonrpc": "2.0", "id": body["id"], **_result(body)}).encode()
    writer.write(f"HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {len(data)}\r\n"
                 "connection: close\r\n\r\n".encode() + data)  # fmt: skip
    await writer.drain()
    writer.close()


async def _far(tmp_path: Path, internet: Internet) -> tuple[Rack, Wish]:
    (tmp_path / "home").mkdir()
    port = await internet.server(_serve, name="mcp.example.org")
    serving = Serving(lambda: Cells(SERVERS, network=internet.egress()), tmp_path / "pictures", str(tmp_path / "home"))
    wish, _ = checked(Asked("far", url=f"http://mcp.example.org:{port}/mcp"), str(tmp_path / "home"))
    return Rack(tmp_path, serving), wish


async def test_a_server_at_an_address(tmp_path: Path, internet: Internet) -> None:
    rack, wish = await _far(tmp_path, internet)
    reached: list[Connection] = []
    try:
        folder = tmp_path / "skills" / "far"
        written(folder, wish, await rack.listing(wish), "1.0.0")
        skill = load_skill(folder)
        assert {one.scope for one in skill.tools[0].rights if one.action == "net.connect"} == set(wish.hosts)
        ran = await rack.call(skill, "echo", connected=reached.append, text="from afar")
        assert ran.result.value == "from afar"
        assert {one.host for one in reached} == {"mcp.example.org"}, "what it connects to stands in the ledger"
    finally:
        await rack.serving.close()


async def test_without_the_host_it_reaches_nothing(tmp_path: Path, internet: Internet) -> None:
    rack, wish = await _far(tmp_path, internet)
    fields = {name: getattr(wish, name) for name in Wish.__slots__}
    try:
        with pytest.raises(ServerOver):
            await rack.listing(Wish(**{**fields, "hosts": ("other.example.org:443",)}))
        assert (await rack.listing(wish)).tools, "with it, it is reached"
    finally:
        await rack.serving.close()
