"""The guard against every route and method: it refuses unless everything is right, and then it does not."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.types import Message, Receive, Scope, Send

from portal import api
from portal.guard import (
    BODY_MAX_BYTES,
    BODY_TIMEOUT_S,
    HEADERS_MAX,
    HEADERS_MAX_BYTES,
    NEW_TAB,
    SIGN_IN,
    TAB_SUBPROTOCOL,
    TARGET_MAX_BYTES,
    Caller,
    Channel,
    Doorway,
    Guard,
    PeerGuard,
)
from portal.locate import find_places
from portal.pages import make_pages
from portal.sessions import FAILURES_MAX, Sessions, ensure_token
from portal.site import Site

PORT = 8377
HOST = f"127.0.0.1:{PORT}"
COOKIE = "steward_8377_abcd1234"
LASTING = "/static/at-0123456789abcdef/app.css"
PUBLIC = frozenset({"/", "/healthz", "/static/app.css", LASTING})
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "PROPFIND", "BREW")
PAGES = make_pages(Site(find_places(), PORT, "abcd1234", {}), api.api)
ROUTES = sorted(
    str(getattr(route, "path", "")).replace("{name:path}", "app.css")
    for route in {getattr(route, "path", ""): route for route in (*PAGES.routes, *api.api.routes)}.values()
)
EVERY = [(method, path) for path in (*ROUTES, "/api/v1/unknown", "/static/../api/v1/status") for method in METHODS]

WRONG_HOSTS = [
    "", "steward.example", f"steward.example:{PORT}", "127.0.0.1", "localhost", f"127.0.0.1:{PORT + 1}", f":{PORT}",
    f"LOCALHOST:{PORT}", f"localhost.:{PORT}", f"127.0.0.1.:{PORT}", f"0.0.0.0:{PORT}", f"127.1:{PORT}",
    f"2130706433:{PORT}", f"0x7f000001:{PORT}", f"127.evil.com:{PORT}", f"localhost.evil.com:{PORT}",
    f"x.localhost:{PORT}", f"user@127.0.0.1:{PORT}", f"[::1%25lo]:{PORT}", f"[::ffff:127.0.0.1]:{PORT}", f" {HOST}",
    f"{HOST},{HOST}", f"::1:{PORT}",
]  # fmt: skip
WRONG_ORIGINS = [
    "", "null", "http://steward.example", f"http://steward.example:{PORT}", f"http://127.0.0.1:{PORT + 1}", "file://",
    "http://127.0.0.1", f"https://127.0.0.1:{PORT}", f"http://127.0.0.1.:{PORT}", f"HTTP://127.0.0.1:{PORT}",
    f"http://user@127.0.0.1:{PORT}", f"http://localhost:{PORT}", f"http://[::1]:{PORT}", f"http://127.0.0.1:{PORT}/",
    f"http://127.0.0.1:{PORT} ",
]  # fmt: skip


def http_scope(method: str, path: str, headers: Iterable[tuple[bytes, bytes]], **more: Any) -> Scope:
    """The scope of an HTTP request, as a server would make it."""
    base = {"type": "http", "method": method, "path": path, "raw_path": path.encode(), "query_string": b""}
    return {**base, "headers": [*headers], **more}


class Inner:
    """Stands behind the guard and remembers who reached it."""

    def __init__(self) -> None:
        self.reached: list[Caller] = []
        self.body = b""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.reached.append(scope["steward.caller"])
        if scope["type"] == "websocket":
            await send({"type": "websocket.accept"})
            return
        self.body = (await receive())["body"]
        await send({"type": "http.response.start", "status": 200, "headers": [(b"cache-control", b"public")]})
        await send({"type": "http.response.body", "body": b"in"})


class Answer:
    """What came back over ASGI."""

    def __init__(self, messages: list[Message]) -> None:
        self.messages = messages
        first = messages[0]
        self.status: int = first.get("status", 0)
        self.headers = {name.decode().lower(): value.decode() for name, value in first.get("headers", ())}
        self.body = b"".join(message.get("body", b"") for message in messages[1:])


class Door:
    """A guard with an inner application, a signed-in session, and a way to knock."""

    def __init__(self, folder: Path) -> None:
        ensure_token(folder / "token")
        self.inner = Inner()
        self.token = (folder / "token").read_text().strip()
        self.sessions = Sessions(folder / "token")
        self.guard: PeerGuard = Guard(self.inner, Doorway(PORT, COOKIE, PUBLIC, {LASTING}), self.sessions)
        done = self.sessions.sign_in(self.sessions.new_code())
        assert done is not None
        self.session, self.cookie, self.browser = done
        self.tab = self.session.new_tab()
        self.runner = asyncio.Runner()

    def right(self, **changes: str | None) -> list[tuple[bytes, bytes]]:
        """The headers of the own page; ``changes`` replaces or (None) leaves out."""
        headers: dict[str, str | None] = {
            "host": HOST, "origin": f"http://{HOST}", "cookie": f"{COOKIE}={self.cookie}", "x-steward-tab": self.tab,
            "x-steward-browser": self.browser,
            "sec-fetch-site": "same-origin",
        }  # fmt: skip
        headers |= {name.replace("_", "-"): value for name, value in changes.items()}
        return [(name.encode(), value.encode("latin-1")) for name, value in headers.items() if value is not None]

    def knock(
        self, method: str, path: str, headers: Iterable[tuple[bytes, bytes]], body: bytes = b"", **scope: Any
    ) -> Answer:
        """Send one HTTP request."""
        message = {"type": "http.request", "body": body, "more_body": False}
        return self._talk(http_scope(method, path, headers, **scope), [message])

    def upgrade(self, headers: Iterable[tuple[bytes, bytes]], subprotocols: Iterable[str] = ()) -> Answer:
        """Send one WebSocket handshake."""
        scope = http_scope("GET", "/api/v1/voice", headers, type="websocket", subprotocols=[*subprotocols])
        del scope["method"]
        return self._talk(scope, [{"type": "websocket.connect"}])

    def _talk(self, scope: Scope, incoming: list[Message]) -> Answer:
        sent: list[Message] = []

        async def receive() -> Message:
            if not incoming:
                await asyncio.Event().wait()  # whoever sends nothing more, and waits
            return incoming.pop(0)

        async def send(message: Message) -> None:
            sent.append(message)

        self.runner.get_loop().run_until_complete(self.guard(scope, receive, send))
        return Answer(sent)


@pytest.fixture
def door(tmp_path: Path) -> Iterator[Door]:
    made = Door(tmp_path)
    yield made
    made.runner.close()


@pytest.mark.slow
@pytest.mark.parametrize("sent", [0, 1, BODY_MAX_BYTES + 1])
def test_who_announces_too_much_and_waits_is_told_soon(door: Door, sent: int) -> None:
    declared = {"content_length": str(2 * BODY_MAX_BYTES)} if sent <= BODY_MAX_BYTES else {}
    parts = [{"type": "http.request", "body": b"x" * sent, "more_body": True}] if sent else []
    began = time.monotonic()
    answer = door._talk(http_scope("POST", "/api/v1/runs", door.right(**declared)), parts)
    assert (answer.status, json.loads(answer.body)["code"]) == (413, "body.large")
    assert time.monotonic() - began < BODY_TIMEOUT_S / 2


def test_the_route_list_is_the_real_one() -> None:
    assert {"/api/v1/runs", "/api/v1/events", "/api/v1/perms/{grant}", "/api/v1/shutdown", SIGN_IN, NEW_TAB} <= {
        *ROUTES
    }


@pytest.mark.parametrize(("method", "path"), EVERY)
def test_everything_is_refused_unless_everything_is_right(door: Door, method: str, path: str) -> None:
    public = method in {"GET", "HEAD"} and path in PUBLIC
    sign_in = (method, path) == ("POST", SIGN_IN)
    for host in WRONG_HOSTS:
        assert door.knock(method, path, door.right(host=host)).status == 403, host
    assert door.knock(method, path, door.right(host=None)).status == 403
    for origin in WRONG_ORIGINS:
        assert door.knock(method, path, door.right(origin=origin)).status == 403, origin
    for site in ("cross-site", "same-site", "Same-Origin", ""):
        assert door.knock(method, path, door.right(sec_fetch_site=site)).status == 403, site
    assert not door.inner.reached
    for left_out in (
        {"cookie": None},
        {"cookie": f"{COOKIE}=wrong"},
        {"x_steward_tab": None},
        {"x_steward_tab": "wrong"},
        {"x_steward_browser": None},
        {"x_steward_browser": "wrong"},
    ):
        answer = door.knock(method, path, door.right(**left_out))
        needed = "x-steward-browser" if (method, path) == ("POST", NEW_TAB) else "x-steward-tab"
        enough = "cookie" not in left_out and needed.replace("-", "_") not in left_out
        assert answer.status == (200 if public or sign_in or enough else 401), left_out
    assert door.knock(method, path, door.right()).status == 200
    assert door.inner.reached[-1].channel is (Channel.PUBLIC if public or sign_in else Channel.PAGE)


@pytest.mark.parametrize("method", [method for method in METHODS if method not in {"GET", "HEAD"}])
def test_a_page_must_say_where_it_comes_from(door: Door, method: str) -> None:
    assert door.knock(method, "/api/v1/runs", door.right(origin=None)).status == 403
    assert not door.inner.reached


@pytest.mark.parametrize("host", [HOST, f"localhost:{PORT}", f"[::1]:{PORT}"])
def test_the_own_names_are_let_in_with_the_matching_origin_only(door: Door, host: str) -> None:
    assert door.knock("POST", "/api/v1/runs", door.right(host=host, origin=f"http://{host}")).status == 200
    other = HOST if host != HOST else f"localhost:{PORT}"
    assert door.knock("POST", "/api/v1/runs", door.right(host=host, origin=f"http://{other}")).status == 403


@pytest.mark.parametrize("name", ["host", "origin", "sec-fetch-site", "cookie", "x-steward-tab"])
def test_a_header_that_stands_there_twice_is_refused(door: Door, name: str) -> None:
    twice = [*door.right(), *(pair for pair in door.right() if pair[0] == name.encode())]
    assert door.knock("POST", "/api/v1/runs", twice).status == 403
    assert not door.inner.reached


def test_forwarding_headers_change_nothing(door: Door) -> None:
    spoofed = {"x_forwarded_host": HOST, "x_forwarded_for": "127.0.0.1", "forwarded": f"host={HOST}"}
    assert door.knock("GET", "/api/v1/runs", door.right(host="evil.test", **spoofed)).status == 403


def test_a_cookie_tossed_by_a_sibling_port_neither_opens_nor_locks_out(door: Door) -> None:
    tossed = f"{COOKIE}=tossed; {COOKIE}={door.cookie}"
    assert door.knock("GET", "/api/v1/runs", door.right(cookie=tossed)).status == 200
    assert door.knock("GET", "/api/v1/runs", door.right(cookie=f"{COOKIE}=tossed")).status == 401


def test_no_preflight_is_answered_with_permission(door: Door) -> None:
    asking = {"origin": "http://evil.test", "access_control_request_method": "POST", "sec_fetch_site": "cross-site"}
    answer = door.knock("OPTIONS", "/api/v1/runs", door.right(**asking))
    assert answer.status == 403
    assert not [name for name in answer.headers if name.startswith("access-control")]


def test_programs_come_in_with_the_bearer_token_and_without_an_origin(door: Door) -> None:
    program = [(b"host", HOST.encode()), (b"authorization", b"Bearer " + door.token.encode())]
    assert door.knock("POST", "/api/v1/runs", program).status == 200
    assert door.inner.reached[-1].channel is Channel.API
    assert door.knock("POST", "/api/v1/runs", [*program, (b"origin", b"http://evil.test")]).status == 403
    assert door.knock("POST", "/api/v1/runs", [(b"host", b"evil.test"), program[1]]).status == 403


@pytest.mark.parametrize("header", ["Bearer wrong", "Bearer", "Basic dXNlcjpwYXNz", "bearer  ", "Token x"])
def test_a_wrong_token_is_refused_even_with_a_good_session(door: Door, header: str) -> None:
    assert door.knock("GET", "/api/v1/runs", door.right(authorization=header)).status == 401
    assert not door.inner.reached


def test_guessing_tokens_is_slowed_down_on_loopback_too(door: Door) -> None:
    guess = [(b"host", HOST.encode()), (b"authorization", b"Bearer guess")]
    statuses = [door.knock("GET", "/api/v1/runs", guess).status for _ in range(FAILURES_MAX + 1)]
    assert statuses == [401] * FAILURES_MAX + [429]
    assert int(door.knock("GET", "/api/v1/runs", guess).headers["retry-after"]) > 0


def test_guessing_codes_locks_sign_ins_but_not_those_who_are_in(door: Door) -> None:
    for _ in range(FAILURES_MAX):
        door.sessions.sign_in("guess")
    assert door.knock("POST", SIGN_IN, door.right()).status == 429
    assert door.knock("GET", "/api/v1/runs", door.right()).status == 200


def test_a_stale_page_does_not_lock_sign_ins(door: Door) -> None:
    for _ in range(FAILURES_MAX + 5):
        assert door.knock("GET", "/api/v1/events", door.right(cookie=f"{COOKIE}=stale")).status == 401
    assert door.knock("POST", SIGN_IN, door.right()).status == 200


# --- shape and size ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("peer", [False, True])
def test_size_limits(door: Door, peer: bool) -> None:
    if peer:
        door.guard = PeerGuard(door.inner)
    many = [*door.right(), *[(b"x-%d" % number, b"") for number in range(HEADERS_MAX)]]
    large = [*door.right(), (b"x-large", b"a" * HEADERS_MAX_BYTES)]
    assert door.knock("GET", "/api/v1/runs", many).status == 431
    assert door.knock("GET", "/api/v1/runs", large).status == 431
    assert door.knock("GET", "/api/v1/runs", door.right(), query_string=b"a" * TARGET_MAX_BYTES).status == 414
    assert door.knock("GET", "http://evil.test/api/v1/runs", door.right()).status == 400
    assert door.knock("POST", "/api/v1/runs", door.right(), b"a" * (BODY_MAX_BYTES + 1)).status == 413
    assert door.knock("POST", "/api/v1/runs", door.right(content_length=str(BODY_MAX_BYTES + 1))).status == 413
    assert door.knock("POST", "/api/v1/runs", door.right(content_length="-1")).status == 413
    assert not door.inner.reached
    assert door.knock("POST", "/api/v1/runs", door.right(), b"a" * BODY_MAX_BYTES).status == 200
    assert len(door.inner.body) == BODY_MAX_BYTES


def test_refusals_are_problems_with_a_code_and_carry_the_security_headers(door: Door) -> None:
    for answer in (
        door.knock("GET", "/api/v1/runs", door.right(host="evil.test")),
        door.knock("GET", "/", door.right()),
    ):
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["cross-origin-resource-policy"] == "same-origin"
        assert answer.headers["cross-origin-opener-policy"] == "same-origin"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert answer.headers["cache-control"] == "no-store"
    refusal = door.knock("GET", "/api/v1/runs", door.right(cookie=None))
    assert refusal.headers["content-type"] == "application/problem+json"
    assert {"code": "login.needed", "status": 401}.items() <= json.loads(refusal.body).items()
    assert json.loads(refusal.body)["hint"]


# --- WebSocket ---------------------------------------------------------------------------------------------------


def test_a_websocket_needs_host_origin_cookie_and_tab(door: Door) -> None:
    tab = [TAB_SUBPROTOCOL + door.tab]
    assert door.upgrade(door.right(), tab).messages[0]["type"] == "websocket.accept"
    attacks = [
        *(door.upgrade(door.right(host=host), tab) for host in WRONG_HOSTS),
        *(door.upgrade(door.right(origin=origin), tab) for origin in (*WRONG_ORIGINS, None)),
        door.upgrade(door.right(cookie=None), tab),
        door.upgrade(door.right()),
        door.upgrade(door.right(), [TAB_SUBPROTOCOL + "wrong"]),
        door.upgrade(door.right(), [*tab, TAB_SUBPROTOCOL + "second"]),
        door.upgrade(door.right(), [door.tab]),
    ]
    assert {answer.messages[0]["type"] for answer in attacks} == {"websocket.close"}
    assert len(door.inner.reached) == 1


# --- signing out -------------------------------------------------------------------------------------------------


async def test_signing_out_ends_open_streams_at_once(door: Door) -> None:
    entered = asyncio.Event()

    async def endless(scope: Scope, receive: Receive, send: Send) -> None:
        entered.set()
        await asyncio.Event().wait()

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Message) -> None:
        del message

    door.guard.app = endless
    scope = http_scope("GET", "/api/v1/events", door.right())
    stream = asyncio.create_task(door.guard(scope, receive, send))
    await entered.wait()
    door.sessions.sign_out(door.session)
    await asyncio.wait_for(stream, 1)
    assert not stream.cancelled()
    assert door.sessions.find(door.cookie) is None


def test_only_a_file_asked_for_by_a_name_that_changes_with_it_may_be_kept(door: Door) -> None:
    kept = {
        (method, path): door.knock(method, path, door.right()).headers["cache-control"]
        for method, path in (("GET", LASTING), ("GET", "/static/app.css"), ("GET", "/api/v1/runs"), ("POST", LASTING))
    }
    assert kept["GET", LASTING].endswith("immutable")
    assert [kept["GET", path] for path in ("/static/app.css", "/api/v1/runs")] == ["no-cache", "no-store"]
    assert "immutable" not in kept["POST", LASTING]
    refused = door.knock("GET", LASTING, door.right(host="evil.test"))
    assert refused.status == 403
    assert "immutable" not in refused.headers["cache-control"]
