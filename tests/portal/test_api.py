"""The HTTP interface over real sockets: signing in, running, streaming, errors; and raw bytes against the guard."""

from __future__ import annotations

import contextlib
import json
import re
import socket
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import httpx
import pytest

from portal.wire import parse_events
from tests.portal.asked import PURE, WRITES

pytestmark = pytest.mark.slow

Installation = Any  # tests/portal/conftest.py


class Browser:
    """What a signed-in page can do, without the page."""

    def __init__(self, installation: Installation) -> None:
        with installation.client() as client:
            self.address, _, self.code = client.login_link()["url"].partition("/#c=")
        self.http = httpx.Client(base_url=self.address, headers={"Origin": self.address}, timeout=60)
        self.token = (installation.places.token).read_text().strip()
        self.port = int(self.address.rpartition(":")[2])

    def sign_in(self) -> httpx.Response:
        answer = self.http.post("/api/v1/session", json={"code": self.code})
        if answer.is_success:
            self.http.headers["X-Steward-Tab"] = answer.json()["tab"]
            self.cookie, _, self.value = answer.headers["set-cookie"].partition(";")[0].partition("=")
        return answer

    def run(self, text: str, **more: Any) -> dict[str, Any]:
        """Ask and wait until it is settled."""
        run = self.http.post("/api/v1/runs", json={"text": text, **more}).json()["run"]
        return dict(self.http.get(f"/api/v1/runs/{run}", params={"wait": True}).json())


@pytest.fixture
def browser(running: Installation) -> Iterator[Browser]:
    made = Browser(running)
    with made.http:
        assert made.sign_in().is_success
        yield made


def raw(port: int, request: str) -> str:
    """Send bytes that no HTTP library would send; return the first line of the answer, empty when there is none."""
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        connection.sendall(request.encode("latin-1"))
        try:
            return connection.makefile("rb").readline().decode("latin-1").strip()
        except ConnectionError:
            return ""


# --- signing in --------------------------------------------------------------------------------------------------


def test_the_frame_and_the_health_check_are_open_and_hold_no_data(running: Installation) -> None:
    browser = Browser(running)
    with browser.http as http:
        http.headers.pop("Origin")
        page = http.get("/")
        assert page.headers["content-type"].startswith("text/html")
        assert str(running.root) not in page.text
        assert http.get("/static/js/app.js").headers["content-type"].startswith("text/javascript")
        (script,) = re.findall(r'src="(/static/at-[^"]+/js/app.js)"', page.text)
        assert http.get(script).content == http.get("/static/js/app.js").content
        assert "immutable" in http.get(script).headers["cache-control"]
        assert "immutable" not in page.headers["cache-control"]
        assert http.get("/healthz").json() == {"ok": True}
        assert http.get("/static/../api.py").status_code in {401, 404}
        assert http.get("/static/nothing.js").status_code == 401
        for path in ("/docs", "/openapi.json", "/redoc", "/api/v1/status"):
            assert http.get(path).status_code == 401


def test_a_link_works_once_and_the_cookie_alone_opens_nothing(running: Installation) -> None:
    browser = Browser(running)
    with browser.http as http:
        assert http.get("/api/v1/status").json()["code"] == "login.needed"
        answer = browser.sign_in()
        cookie = answer.headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "SameSite=strict" in cookie
        assert cookie.startswith(f"steward_{browser.port}_")
        assert http.get("/api/v1/status").is_success
        again = http.post("/api/v1/session", json={"code": browser.code})
        assert (again.status_code, again.json()["code"]) == (401, "login.code")
        assert "set-cookie" not in again.headers
        del http.headers["X-Steward-Tab"]
        assert http.get("/api/v1/status").json()["code"] == "tab.unknown"
        assert http.post("/api/v1/session/tab").json()["code"] == "login.needed", "the cookie alone buys no tab"
        secret = {"X-Steward-Browser": answer.json()["browser"]}
        http.headers["X-Steward-Tab"] = http.post("/api/v1/session/tab", headers=secret).json()["tab"]
        assert http.get("/api/v1/status").is_success


def test_signing_in_again_ends_what_this_browser_had(running: Installation) -> None:
    browser = Browser(running)
    with browser.http as http:
        first = browser.sign_in()
        old = dict(http.cookies)
        with running.client() as client:
            browser.code = client.login_link()["url"].partition("/#c=")[2]
        assert browser.sign_in().is_success
        assert http.get("/api/v1/status").is_success
        stale = {"X-Steward-Browser": first.json()["browser"], "Origin": browser.address}
        answer = httpx.post(f"{browser.address}/api/v1/session/tab", headers=stale, cookies=old)
        assert (answer.status_code, answer.json()["code"]) == (401, "login.expired")


def test_a_sign_in_outlives_the_daemon_and_the_file_alone_opens_nothing(installation: Installation) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        fixed = replace(installation, extra={"STEWARD_PORT": str(free.getsockname()[1])})
    with fixed.daemon():
        browser = Browser(fixed)
        secret = browser.sign_in().json()["browser"]
    kept = fixed.places.sessions
    assert kept.stat().st_mode & 0o777 == 0o600
    stolen = json.loads(kept.read_text())["sessions"][0]
    with fixed.daemon(), contextlib.closing(browser.http) as http:
        assert http.get("/api/v1/status").json()["code"] == "tab.unknown"
        del http.headers["X-Steward-Tab"]
        for name in ("cookie", "browser"):
            answer = http.post("/api/v1/session/tab", headers={"X-Steward-Browser": stolen[name]})
            assert answer.status_code == 401, "the cookie and the file together are not enough"
        answer = http.post("/api/v1/session/tab", headers={"X-Steward-Browser": secret})
        http.headers["X-Steward-Tab"] = answer.json()["tab"]
        assert http.get("/api/v1/status").is_success
        assert http.delete("/api/v1/session").is_success
    with fixed.daemon():
        cookie = {"Cookie": f"{browser.cookie}={browser.value}", "Origin": browser.address}
        answer = httpx.post(f"{browser.address}/api/v1/session/tab", headers=cookie | {"X-Steward-Browser": secret})
        assert answer.status_code == 401, "who signed out stays out"


def test_a_cookie_set_before_signing_in_is_never_adopted(running: Installation) -> None:
    browser = Browser(running)
    with browser.http as http:
        name = browser.sign_in().headers["set-cookie"].partition("=")[0]
        own = http.cookies[name]
    other = Browser(running)
    with other.http as http:
        http.cookies.set(name, "chosen-by-somebody-else", domain="127.0.0.1", path="/")
        fresh = other.sign_in().headers["set-cookie"].partition("=")[2].partition(";")[0]
    assert fresh not in {"chosen-by-somebody-else", own}


def test_signing_out_ends_the_session_and_its_stream(browser: Browser) -> None:
    with browser.http.stream("GET", "/api/v1/events") as stream:
        chunks = stream.iter_text()
        assert next(chunks)
        headers = dict(browser.http.headers)
        cookies = dict(browser.http.cookies)
        assert httpx.delete(f"{browser.address}/api/v1/session", headers=headers, cookies=cookies).is_success
        with contextlib.suppress(httpx.RemoteProtocolError):
            assert not [chunk for chunk in chunks if "data:" in chunk]
    assert browser.http.get("/api/v1/status").status_code == 401


def test_neither_page_nor_program_may_do_what_belongs_to_the_command_line(browser: Browser) -> None:
    program = {"Authorization": f"Bearer {browser.token}"}
    for path, body in (("/login-codes", None), ("/perms", {"skill": "x", "right": "fs.read:~"}), ("/shutdown", None)):
        assert browser.http.post(f"/api/v1{path}", json=body).status_code == 403
        assert httpx.post(f"{browser.address}/api/v1{path}", json=body, headers=program).status_code == 403
    assert browser.http.get("/api/v1/status").is_success


def test_a_yes_to_a_package_is_the_person_s_and_never_a_program_s(browser: Browser) -> None:
    """The control: the page, where a person reads the review, gets past the door, to where nothing waits."""
    program = {"Authorization": f"Bearer {browser.token}"}
    routes = [("POST", "/skills/packages", {"source": "~"}), ("POST", "/skills/packages/p-0", None),
              ("DELETE", "/skills/packages/p-0", None), ("POST", "/skills/moon/version", {"version": ""}),
              ("POST", "/skills/moon/pin", {"pinned": True}), ("DELETE", "/skills/moon", None),
              ("POST", "/mcp/servers/raw/again", None),
              ("POST", "/mcp/servers/waiting/s-0/start", None), ("POST", "/mcp/servers/waiting/s-0", {}),
              ("DELETE", "/mcp/servers/waiting/s-0", None)]  # fmt: skip
    for method, path, body in routes:
        place = f"{browser.address}/api/v1{path}"
        assert httpx.request(method, place, json=body, headers=program).status_code == 403, path
        assert browser.http.request(method, f"/api/v1{path}", json=body).status_code in (200, 400, 404, 422), path


def test_what_is_known_is_forgotten_and_taken_out_by_the_person_and_by_no_program(browser: Browser) -> None:
    """The control: the page gets past the door, to where the seal of a preview is asked for."""
    program = {"Authorization": f"Bearer {browser.token}"}
    forget = {"name": "Nobody Known", "also": [], "seal": "forget:0"}
    routes = [("POST", "/memory/forget", forget, {400}), ("POST", "/ledger/retention", {"days": 0}, {400}),
              ("GET", "/memory/export", None, {200})]  # fmt: skip
    for method, path, body, met in routes:
        place = f"{browser.address}/api/v1{path}"
        assert httpx.request(method, place, json=body, headers=program).status_code == 403, path
        assert browser.http.request(method, f"/api/v1{path}", json=body).status_code in met, path
        bare = {"Cookie": f"{browser.cookie}={browser.value}", "Origin": browser.address}
        assert httpx.request(method, place, json=body, headers=bare).status_code == 401, "the cookie alone is nobody"
    for path, other in (("/memory/entity", {"name": "x"}), ("/memory/import", {"lines": ""})):
        assert browser.http.post(f"/api/v1{path}", json=other).status_code == 403, path


def test_the_page_has_no_working_folder_makes_no_skill_and_starts_no_server_of_its_own(browser: Browser) -> None:
    for path, body in (("/skills/packages", {"source": "moon", "cwd": "/"}), ("/mcp/servers", {"name": "x"}),
                       ("/skills/packages", {"source": "moon", "made_here": True}),
                       ("/mcp/servers/file", {"servers": {}})):  # fmt: skip
        assert browser.http.post(f"/api/v1{path}", json=body).status_code == 403, path
    assert browser.http.delete("/api/v1/mcp/servers/raw").status_code == 403


def test_a_program_with_the_token_needs_no_session(browser: Browser) -> None:
    headers = {"Authorization": f"Bearer {browser.token}"}
    assert httpx.get(f"{browser.address}/api/v1/status", headers=headers).is_success
    made = httpx.post(f"{browser.address}/api/v1/runs", json={"text": PURE}, headers=headers)
    assert made.status_code == 201


# --- raw bytes ---------------------------------------------------------------------------------------------------


def test_what_only_raw_bytes_can_say_is_refused(browser: Browser) -> None:
    own = f"Host: 127.0.0.1:{browser.port}"
    token = f"Authorization: Bearer {browser.token}"
    end = "Connection: close\r\n\r\n"
    path = "GET /api/v1/status HTTP/1.1"
    assert " 200 " in raw(browser.port, f"{path}\r\n{own}\r\n{token}\r\n{end}")
    refused = [
        f"{path}\r\n{token}\r\n{end}",
        f"{path}\r\nHost: evil.test\r\n{own}\r\n{token}\r\n{end}",
        f"{path}\r\n{own}\r\n{own}\r\n{token}\r\n{end}",
        f"{path}\r\nHost:\r\n{token}\r\n{end}",
        f"GET http://evil.test/api/v1/status HTTP/1.1\r\n{own}\r\n{token}\r\n{end}",
        f"GET http://127.0.0.1:{browser.port}/api/v1/status HTTP/1.1\r\nHost: evil.test\r\n{token}\r\n{end}",
        f"GET /api/v1/status HTTP/1.0\r\n{token}\r\n\r\n",
        f"{path}\r\n{own}\r\n{token}\r\nX: {'a' * 100_000}\r\n{end}",
        f"POST /api/v1/runs HTTP/1.1\r\n{own}\r\n{token}\r\nContent-Length: 5\r\nContent-Length: 6\r\n{end}",
        f"POST /api/v1/runs HTTP/1.1\r\n{own}\r\n{token}\r\nContent-Length: 9000000\r\n{end}",
        "\x16\x03\x01\x02\x00\x01",
        f"CONNECT evil.test:443 HTTP/1.1\r\n{own}\r\n{token}\r\n{end}",
    ]
    for request in refused:
        answer = raw(browser.port, request + "\r\n\r\n")
        assert answer == "" or answer.split()[1] in {"400", "403", "405", "413", "431"}, (request, answer)


def test_a_websocket_handshake_is_refused_and_then_finds_no_route(browser: Browser) -> None:
    cookie = "; ".join(f"{name}={value}" for name, value in browser.http.cookies.items())
    upgrade = (
        "GET /api/v1/events HTTP/1.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
    )
    own, origin = f"Host: 127.0.0.1:{browser.port}\r\n", f"Origin: {browser.address}\r\n"
    tab = f"Sec-WebSocket-Protocol: steward.tab.{browser.http.headers['X-Steward-Tab']}\r\n"
    foreign = f"Origin: http://127.0.0.1:{browser.port + 1}\r\n"
    for headers in (
        own + origin,
        own + foreign + tab,
        "Host: evil.test\r\n" + origin + tab,
        own + tab,
        own + origin + tab,
    ):
        assert " 403 " in raw(browser.port, f"{upgrade}{headers}Cookie: {cookie}\r\n\r\n")


def test_a_slow_or_silent_connection_does_not_hold_others_up(browser: Browser) -> None:
    silent = [socket.create_connection(("127.0.0.1", browser.port)) for _ in range(20)]
    try:
        for connection in silent:
            connection.sendall(b"GET / HTTP/1.1\r\nHost:")
        assert browser.http.get("/api/v1/status").is_success
    finally:
        for connection in silent:
            connection.close()


# --- runs --------------------------------------------------------------------------------------------------------


def test_ask_approve_undo_over_http(browser: Browser, running: Installation) -> None:
    view = browser.run(WRITES.format(title="meeting"), conversation="page-1")
    assert view["resolution"] == "pending", view
    assert view["stage"] == "plan"
    assert [right["words"] for right in view["card"]["rights"]]
    run = view["run"]
    assert browser.http.post(f"/api/v1/runs/{run}/approval", json={"answer": "perhaps"}).status_code == 400
    assert browser.http.post(f"/api/v1/runs/{run}/approval", json={"answer": "once"}).is_success
    done = browser.http.get(f"/api/v1/runs/{run}", params={"wait": True}).json()
    assert done["resolution"] == "confirmed", done
    assert list(running.home.glob("Notes/meeting*"))
    twice = browser.http.post(f"/api/v1/runs/{run}/approval", json={"answer": "once"})
    assert (twice.status_code, twice.json()["code"]) == (409, "run.state")
    assert browser.http.post(f"/api/v1/runs/{run}/undo").is_success
    assert not list(running.home.glob("Notes/meeting*"))
    assert browser.http.post(f"/api/v1/runs/{run}/undo").is_client_error
    assert browser.http.get(f"/api/v1/runs/{run}").json()["undone"]


def test_cancel_ends_a_waiting_run(browser: Browser) -> None:
    run = browser.run(WRITES.format(title="phone"))["run"]
    assert run in [entry["run"] for entry in browser.http.get("/api/v1/approvals").json()["approvals"]]
    assert browser.http.post(f"/api/v1/runs/{run}/cancel").is_success
    assert browser.http.get(f"/api/v1/runs/{run}", params={"wait": True}).json()["resolution"] != "pending"
    assert run not in [entry["run"] for entry in browser.http.get("/api/v1/approvals").json()["approvals"]]


def test_a_stream_resumes_after_the_last_event_seen(browser: Browser) -> None:
    run = browser.run(PURE)["run"]
    path = f"/api/v1/runs/{run}/events"
    whole = browser.http.get(path).text
    events = [*parse_events(whole.split("\n"))]
    assert [events[0]["kind"], events[-1]["kind"]] == ["run.created", "run.finished"]
    assert [event["seq"] for event in events] == sorted({event["seq"] for event in events})
    assert f"id: {events[0]['seq']}\n" in whole
    for event in events[:-1]:
        rest = browser.http.get(path, headers={"Last-Event-ID": str(event["seq"])}).text
        assert [found["seq"] for found in parse_events(rest.split("\n"))] == [
            later["seq"] for later in events if later["seq"] > event["seq"]
        ]


def test_the_common_stream_begins_now_and_carries_every_run(browser: Browser) -> None:
    browser.run(PURE)
    seen = []
    with browser.http.stream("GET", "/api/v1/events") as stream:
        lines = stream.iter_lines()
        assert next(lines) == ": open"
        run = httpx.post(
            f"{browser.address}/api/v1/runs", json={"text": PURE}, headers={"Authorization": f"Bearer {browser.token}"}
        ).json()["run"]
        for event in parse_events(lines):
            seen.append(event)
            if event["kind"] == "run.finished":
                break
    assert {event["run"] for event in seen} == {run}


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "code"),
    [
        ("POST", "/runs", {"text": ""}, 400, "request.empty"),
        ("POST", "/runs", {"text": " \n "}, 400, "request.empty"),
        ("POST", "/runs", {"text": "x" * 100_000}, 400, "request.too_long"),
        ("POST", "/runs", {"txt": "x"}, 400, "request.invalid"),
        ("POST", "/runs", {"text": 7}, 400, "request.invalid"),
        ("POST", "/runs", {"text": "x", "channel": "cli"}, 400, "request.invalid"),
        ("POST", "/runs", [], 400, "request.invalid"),
        ("GET", "/runs?limit=0", None, 400, "request.invalid"),
        ("GET", "/runs/r-none", None, 404, "run.unknown"),
        ("GET", "/runs/r-none?wait=true", None, 404, "run.unknown"),
        ("GET", "/runs/r-none/events", None, 404, "run.unknown"),
        ("POST", "/runs/r-none/approval", {"answer": "no"}, 404, "run.unknown"),
        ("POST", "/runs/r-none/cancel", None, 404, "run.unknown"),
        ("POST", "/runs/r-none/undo", None, 404, "run.unknown"),
        ("POST", "/runs/r-none/replay", None, 404, "run.unknown"),
        ("DELETE", "/perms/none", None, 404, "grant.unknown"),
        ("DELETE", "/runs", None, 405, "http.405"),
        ("GET", "/nothing", None, 404, "http.404"),
    ],
)
def test_errors_are_problems_with_a_stable_code(
    browser: Browser, method: str, path: str, body: Any, status: int, code: str
) -> None:
    answer = browser.http.request(method, f"/api/v1{path}", json=body)
    assert (answer.status_code, answer.json()["code"]) == (status, code), answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["detail"]
    assert "Traceback" not in answer.text


@pytest.mark.parametrize("body", [b"", b"{", b'{"text": "\\ud800"}', b"\xff\xfe", b"[" * 5000])
def test_a_body_that_is_no_json_is_a_problem(browser: Browser, body: bytes) -> None:
    answer = browser.http.post("/api/v1/runs", content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == 400
    assert answer.json()["code"]


def test_a_form_or_text_body_starts_nothing(browser: Browser) -> None:
    before = browser.http.get("/api/v1/runs").json()
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"):
        sent = json.dumps({"text": PURE}).encode()
        assert browser.http.post("/api/v1/runs", content=sent, headers={"Content-Type": kind}).status_code == 400
    assert browser.http.get("/api/v1/runs").json() == before


def test_the_log_holds_no_secret(browser: Browser, running: Installation) -> None:
    secrets = [browser.code, browser.token, browser.http.headers["X-Steward-Tab"], *browser.http.cookies.values()]
    assert not [secret for secret in secrets if secret in running.log]


def test_what_happened_is_read_page_by_page_and_a_wrong_word_is_said(browser: Browser) -> None:
    run = browser.run("what is 4 + 5")["run"]
    first = browser.http.get("/api/v1/activity", params={"limit": 3, "run": run}).json()
    rest = browser.http.get("/api/v1/activity", params={"before": first["before"], "run": run}).json()
    assert len(first["events"]) == 3
    assert rest["before"] is None
    numbers = [event["seq"] for event in (*first["events"], *rest["events"])]
    assert numbers == sorted(set(numbers), reverse=True)
    assert rest["events"][-1]["kind"] == "run.created"
    wrong = browser.http.get("/api/v1/activity", params={"sorts": "requests,gossip"})
    assert (wrong.status_code, wrong.json()["code"]) == (400, "activity.sort")
    assert "requests" in wrong.json()["hint"]
    for bad in ({"limit": 0}, {"limit": 501}, {"before": "soon"}):
        assert browser.http.get("/api/v1/activity", params=bad).status_code == 400
