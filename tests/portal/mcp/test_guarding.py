"""Who gets in at /mcp, attacked: rebinding, foreign pages, tokens that are wrong, stolen, removed, or somebody else's.

Each refusal stands beside its control: the same request with the one thing right gets in; and without the guard the
attack gets through to the application.
"""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.types import Receive, Scope, Send

from portal.guard import MCP, Channel, Doorway, Guard
from portal.sessions import FAILURES_MAX, Sessions, ensure_token
from tests.portal.mcp.speaking import new_client

Installation = Any  # tests/portal/conftest.py

PORT = 8377
HOST = f"127.0.0.1:{PORT}"
TOKEN = "stw-one"

HELLO = {
    "jsonrpc": "2.0", "id": 1, "method": "initialize",
    "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}},
}  # fmt: skip
ACCEPT = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}


class Inner:
    """What stands behind the guard; it lets everybody in."""

    def __init__(self) -> None:
        self.reached: list[Scope] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.reached.append(scope)
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"in"})


class Knocker:
    def __init__(self, folder: Path) -> None:
        ensure_token(folder / "token")
        self.inner = Inner()
        self.sessions = Sessions(folder / "token")
        self.api_token = (folder / "token").read_text().strip()
        whose = {TOKEN: "one", "stw-two": "two"}.get
        self.guard = Guard(self.inner, Doorway(PORT, "cookie", frozenset({"/"})), self.sessions, whose)

    def knock(self, headers: dict[str, str], *, path: str = MCP, app: Any = None, kind: str = "http") -> int:
        sent: list[Any] = []

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": b"{}", "more_body": False}

        async def send(message: Any) -> None:
            sent.append(message)

        scope = {"type": kind, "method": "POST", "path": path, "raw_path": path.encode(), "query_string": b"",
                 "headers": [(name.encode(), value.encode()) for name, value in headers.items()]}  # fmt: skip
        asyncio.run((app or self.guard)(scope, receive, send))
        return int(sent[0].get("status", sent[0].get("code", 0)))


@pytest.fixture
def door(tmp_path: Path) -> Knocker:
    return Knocker(tmp_path)


RIGHT = {"host": HOST, "authorization": f"Bearer {TOKEN}"}


def test_a_client_s_token_opens_mcp_in_its_name(door: Knocker) -> None:
    assert door.knock(RIGHT) == 200
    caller = door.inner.reached[-1]["steward.caller"]
    assert (caller.channel, caller.client) == (Channel.CLIENT, "one")


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"host": f"evil.example:{PORT}"}, 403),
        ({"host": "127.0.0.1:1"}, 403),
        ({"host": f"127.0.0.1.nip.io:{PORT}"}, 403),
        ({"origin": "http://evil.example"}, 403),
        ({"origin": f"http://127.0.0.1:{PORT + 1}"}, 403),
        ({"origin": "null"}, 403),
        ({"sec-fetch-site": "cross-site"}, 403),
        ({"authorization": "Bearer wrong"}, 401),
        ({"authorization": TOKEN}, 401),
        ({"authorization": f"Basic {TOKEN}"}, 401),
        ({"authorization": "Bearer "}, 401),
        ({"authorization": "Bearer"}, 401),
    ],
)
def test_what_is_not_all_right_is_refused(door: Knocker, change: dict[str, str], status: int) -> None:
    """The control: without the guard the same request reaches the application."""
    assert door.knock(RIGHT | change) == status
    assert not door.inner.reached
    assert door.knock(RIGHT | change, app=door.inner) == 200


def test_no_token_no_cookie_and_no_token_of_another_kind_opens_it(door: Knocker) -> None:
    """The controls: each of these opens what it is for."""
    done = door.sessions.sign_in(door.sessions.new_code())
    assert done is not None
    tab = done.session.new_tab()
    page = {"host": HOST, "origin": f"http://{HOST}", "cookie": f"cookie={done.cookie}", "x-steward-tab": tab,
            "sec-fetch-site": "same-origin"}  # fmt: skip
    api = {"host": HOST, "authorization": f"Bearer {door.api_token}"}
    for headers in ({"host": HOST}, page, api):
        assert door.knock(headers) == 401, headers
    assert not door.inner.reached
    assert door.knock(page, path="/api/v1/runs") == 200
    assert door.knock(api, path="/api/v1/runs") == 200


@pytest.mark.parametrize(
    "path", ["/api/v1/runs", "/api/v1/clients", "/mcp/stdio", "/mcp/", "/MCP", "/mcp/../api/v1/runs", "//mcp"]
)
def test_a_client_s_token_opens_nothing_else(door: Knocker, path: str) -> None:
    assert door.knock(RIGHT, path=path) == 401
    assert not door.inner.reached


def test_a_websocket_is_no_way_in(door: Knocker) -> None:
    assert door.knock(RIGHT, kind="websocket") == 1008


def test_guessing_is_slowed_down_and_shuts_nobody_out(door: Knocker) -> None:
    wrong = RIGHT | {"authorization": "Bearer guess"}
    assert [door.knock(wrong) for _ in range(FAILURES_MAX + 2)] == [401] * FAILURES_MAX + [429, 429]
    assert door.knock(RIGHT) == 200


# --- a real daemon ----------------------------------------------------------------------------------------------------


def posted(url: str, token: str | None, body: Any = HELLO, **headers: str) -> httpx.Response:
    given = ACCEPT | ({"Authorization": f"Bearer {token}"} if token else {}) | headers
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    return httpx.post(url, content=content, headers=given, timeout=30)


@pytest.fixture(scope="module")
def url(served: Installation) -> str:
    with served.client() as client:
        return f"{client.status()['address']}/mcp"


@pytest.mark.slow
def test_a_removed_client_s_token_is_refused_with_a_next_step(served: Installation, url: str) -> None:
    name, token = new_client(served)
    assert posted(url, token).status_code == 200
    assert served.steward("mcp", "revoke", name).code == 0
    answer = posted(url, token)
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"] == "Bearer"
    assert "./steward mcp clients add" in answer.json()["hint"]
    again = served.steward("mcp", "clients", "add", name, "--json").json["token"]
    assert posted(url, token).status_code == 401, "its namesake's token is another one"
    assert posted(url, again).status_code == 200


@pytest.mark.slow
def test_rebinding_and_foreign_pages_are_refused(served: Installation, url: str) -> None:
    _, token = new_client(served)
    assert posted(url, token, Host="evil.example").status_code == 403
    assert posted(url, token, Origin="http://evil.example").status_code == 403
    assert posted(url, None).status_code == 401
    assert posted(url, token).status_code == 200


@pytest.mark.slow
def test_a_session_of_one_client_is_nothing_to_another(served: Installation, url: str) -> None:
    """The control: with its own token the same session answers."""
    (_, mine), (_, thief) = new_client(served), new_client(served)
    hello = posted(url, mine)
    session = {"Mcp-Session-Id": hello.headers["mcp-session-id"], "MCP-Protocol-Version": "2025-11-25"}
    posted(url, mine, {"jsonrpc": "2.0", "method": "notifications/initialized"}, **session)
    listing = {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}
    assert posted(url, thief, listing, **session).status_code in (400, 404)
    assert httpx.delete(url, headers=session | {"Authorization": f"Bearer {thief}"}).status_code in (400, 404)
    own = posted(url, mine, listing, **session)
    assert own.status_code == 200
    assert "memory_search" in own.text


@pytest.mark.slow
@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"null", b'"x"', b"\xff\xfe\x00", b"[" * 100_000, b"{}" * 1000,
                                  b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":5}}',
                                  b'{"jsonrpc":"2.0","id":1e999,"method":"ping"}'])  # fmt: skip
def test_garbage_is_refused_and_the_daemon_lives(served: Installation, url: str, body: bytes) -> None:
    _, token = new_client(served)
    for version in ({}, {"MCP-Protocol-Version": "2026-07-28"}, {"MCP-Protocol-Version": "1"}):
        answer = posted(url, token, body, **version)
        assert 400 <= answer.status_code < 500, answer.text
        assert "Traceback" not in answer.text
    assert posted(url, token).status_code == 200


@pytest.mark.slow
def test_ten_megabytes_are_refused(served: Installation, url: str) -> None:
    _, token = new_client(served)
    call = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": "ask", "arguments": {"text": "x" * 10_000_000}},
    }
    assert posted(url, token, call).status_code == 413
    assert posted(url, token).status_code == 200


@pytest.mark.slow
def test_what_comes_over_the_socket_without_a_client_is_refused(served: Installation) -> None:
    """The person's own socket speaks MCP only as a command does, in a client's name."""
    with httpx.Client(transport=httpx.HTTPTransport(uds=str(served.places.socket))) as http:
        answer = http.post("http://steward/mcp", json=HELLO, headers=ACCEPT)
    assert answer.status_code == 403
    assert "./steward mcp serve" in answer.json()["hint"]
