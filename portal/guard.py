"""The guard: one pure ASGI layer in front of every route, HTTP and WebSocket alike.

What this stops: DNS rebinding (exact Host), cross-origin and sibling-port pages (exact Origin equal to the Host,
Sec-Fetch-Site, and a header token besides the cookie), WebSocket hijacking, framing, content sniffing, oversized and
slow bodies, floods of failed sign-ins; a browser that has not been signed in by ``./steward open``.
What this does not: another process of the same user, which could read the token file; a malicious browser extension.

A refusal is 403, not 421: a browser repeats the request after 421.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NoReturn

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from portal.openai.errors import V1, error
from portal.problems import problem
from portal.sessions import Session, Sessions

BODY_MAX_BYTES = 2 * 1024 * 1024
BODY_TIMEOUT_S = 15.0
PASSING_MAX_BYTES = 64 * 1024 * 1024
SILENCE_S = 1.0
HEADERS_MAX = 100
HEADERS_MAX_BYTES = 32 * 1024
TARGET_MAX_BYTES = 8 * 1024
SAFE_METHODS = frozenset({"GET", "HEAD"})
TAB_HEADER = b"x-steward-tab"
BROWSER_HEADER = b"x-steward-browser"
TAB_SUBPROTOCOL = "steward.tab."
SIGN_IN = "/api/v1/session"
NEW_TAB = "/api/v1/session/tab"
MCP = "/mcp"
"""Here programs ask in their own names; no cookie, no tab and no token of the person's opens it."""
HOOKS = "/hooks/"
"""Here whatever has a routine's token sets it off, and can do nothing else."""

CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
    "font-src 'self'; worker-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)
SECURITY_HEADERS: tuple[tuple[bytes, bytes], ...] = (
    (b"content-security-policy", CSP.encode()),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), payment=(), usb=()"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
)
_FOR_EVER = b"private, max-age=31536000, immutable"


class Channel(StrEnum):
    """How an admitted caller came in."""

    PEER = "peer"  # the Unix socket, same user or root
    PAGE = "page"  # a signed-in browser tab
    API = "api"  # a program with the bearer token
    HOOK = "hook"  # whatever has the token of a routine's webhook
    CLIENT = "client"  # a program that asks in its own name (MCP), with a token of its own
    PUBLIC = "public"  # a route without data


@dataclass(frozen=True, slots=True)
class Caller:
    """Who sent a request; endpoints find it in ``scope["steward.caller"]``."""

    channel: Channel
    session: Session | None = None
    client: str = ""  # its name, where it asks in its own; that of the webhook, where it may only call that


class Refused(Exception):
    """A request that the guard does not let through."""

    def __init__(
        self, status: int, code: str, message: str, hint: str = "", retry_after_s: float = 0, *, scheme: str = ""
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.hint = hint
        self.headers = {"Retry-After": str(int(retry_after_s) + 1)} if retry_after_s else {}
        if scheme:
            self.headers["WWW-Authenticate"] = scheme


@dataclass(frozen=True, slots=True)
class Doorway:
    """What the guard must know about the TCP port it stands at.

    ``public`` are the paths of the page's own files; a browser may keep what it got from those of ``lasting``.
    """

    port: int
    cookie: str
    public: Collection[str]
    lasting: Collection[str] = ()

    @property
    def hosts(self) -> frozenset[str]:
        """The only Host values that reach a handler."""
        return frozenset(f"{name}:{self.port}" for name in ("127.0.0.1", "localhost", "[::1]"))


Whose = Callable[[str], str | None]
"""From a token to the name of the client that it was given to; None where it is nobody's."""


def _nobodys(_token: str) -> str | None:
    return None


class PeerGuard:
    """The guard of the Unix socket: the caller is known by its credentials, so only shape and size are checked."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        if scope["type"] not in {"http", "websocket"}:
            await self.app(scope, receive, send)
            return
        try:
            caller = self.admit(scope)
            inner = await _bounded(scope, receive) if scope["type"] == "http" else receive
        except Refused as refused:
            await _refuse(refused, scope, receive, send)
            return
        scope["steward.caller"] = caller
        await self.serve(caller, scope, inner, _hardened(scope, send, lasts=self.lasts(scope)))

    def admit(self, scope: Scope) -> Caller:
        """Return who calls. Raises Refused."""
        _check_shape(scope)
        return Caller(Channel.PEER)

    def lasts(self, scope: Scope) -> bool:
        """Return whether a caller may keep what it gets."""
        return False

    async def serve(self, caller: Caller, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand the request on."""
        del caller
        await self.app(scope, receive, send)


class Guard(PeerGuard):
    """The guard of the TCP port. Everything is refused unless a rule lets it through."""

    def __init__(
        self, app: ASGIApp, doorway: Doorway, sessions: Sessions, whose: Whose = _nobodys, hook_of: Whose = _nobodys
    ) -> None:
        super().__init__(app)
        self.doorway = doorway
        self.sessions = sessions
        self.whose, self.hook_of = whose, hook_of
        self._hosts = doorway.hosts

    def admit(self, scope: Scope) -> Caller:
        """Check shape, Host, Origin and credentials, in this order. Raises Refused."""
        _check_shape(scope)
        headers: list[tuple[bytes, bytes]] = scope["headers"]
        method = scope.get("method", "WEBSOCKET")
        host = self._check_host(headers)
        origin = self._check_origin(headers, host)
        if scope["path"] == MCP or scope["path"].startswith(V1):
            return self._admit_client(scope, _single(headers, b"authorization"))
        if scope["path"].startswith(HOOKS):
            return self._admit_hook(scope, _single(headers, b"authorization"))
        if self._is_public(scope, method):
            return Caller(Channel.PUBLIC)
        if bearer := _single(headers, b"authorization"):
            return self._admit_program(bearer)
        if origin is None and method not in SAFE_METHODS:
            raise Refused(403, "origin.missing", "A page must say where it comes from (Origin).")
        if scope["type"] == "http" and (method, scope["path"]) == ("POST", SIGN_IN):
            return self._admit_sign_in()
        return self._admit_tab(scope, headers, method)

    async def serve(self, caller: Caller, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand the request on; signing out ends what the session still has open."""
        session, task = caller.session, asyncio.current_task()
        if session is None or task is None:
            await self.app(scope, receive, send)
            return
        session.tasks.add(task)
        try:
            await self.app(scope, receive, send)
        except asyncio.CancelledError:
            if not session.ended:
                raise
        finally:
            session.tasks.discard(task)

    def _check_host(self, headers: Iterable[tuple[bytes, bytes]]) -> str:
        host = _single(headers, b"host")
        if host not in self._hosts:
            raise Refused(403, "host.refused", "This address is not Steward's.", "Open the page with: ./steward open")
        return host

    def _check_origin(self, headers: Iterable[tuple[bytes, bytes]], host: str) -> str | None:
        origin = _single(headers, b"origin")
        if origin is not None and origin != f"http://{host}":
            raise Refused(403, "origin.refused", "Steward answers its own page only.")
        if _single(headers, b"sec-fetch-site") not in {None, "same-origin", "none"}:
            raise Refused(403, "origin.refused", "Steward answers its own page only.")
        return origin

    def lasts(self, scope: Scope) -> bool:
        """Return whether it is a file of the page, asked for by a name that changes with it."""
        return self._is_public(scope, str(scope.get("method"))) and scope["path"] in self.doorway.lasting

    def _is_public(self, scope: Scope, method: str) -> bool:
        return scope["type"] == "http" and method in SAFE_METHODS and scope["path"] in self.doorway.public

    def _admit_program(self, header: str) -> Caller:
        scheme, _, token = header.partition(" ")
        if scheme.lower() == "bearer" and self.sessions.is_bearer(token.strip()):
            return Caller(Channel.API)
        wait_s = self.sessions.bearers.wait_s()
        self.sessions.bearers.failed()
        if wait_s:
            raise Refused(429, "token.locked", "Too many wrong tokens.", "Wait a minute.", wait_s)
        raise Refused(401, "token.wrong", "This token is not valid.", "It stands in the file api-token.")

    def _admit_client(self, scope: Scope, header: str | None) -> Caller:
        scheme, _, token = (header or "").partition(" ")
        bears = scheme.lower() == "bearer" and scope["type"] == "http"
        client = self.whose(token.strip()) if bears else None
        if client is not None:
            return Caller(Channel.CLIENT, client=client)
        if bears and scope["path"].startswith(V1) and self.sessions.is_bearer(token.strip()):
            return Caller(Channel.API)
        self._refuse_token(header, "client", "./steward mcp clients add NAME makes a client and shows its token, once.")

    def _admit_hook(self, scope: Scope, header: str | None) -> Caller:
        scheme, _, token = (header or "").partition(" ")
        hook = self.hook_of(token.strip()) if scheme.lower() == "bearer" and scope["type"] == "http" else None
        if hook is not None and scope["path"] == HOOKS + hook:
            return Caller(Channel.HOOK, client=hook)
        self._refuse_token(header, "hook", "./steward routines token NAME makes one for a webhook, and shows it once.")

    def _refuse_token(self, header: str | None, what: str, hint: str) -> NoReturn:
        if header is None:
            raise Refused(401, f"{what}.token", f"A {what} must send its token.", hint, scheme="Bearer")
        wait_s = self.sessions.clients.wait_s()
        self.sessions.clients.failed()
        if wait_s:
            raise Refused(429, f"{what}.locked", "Too many wrong tokens.", "Wait a minute.", wait_s)
        raise Refused(401, f"{what}.token", "This token is not, or no longer, valid.", hint, scheme="Bearer")

    def _admit_sign_in(self) -> Caller:
        if wait_s := self.sessions.sign_ins.wait_s():
            raise Refused(429, "login.locked", "Too many failed sign-ins.", "Wait a minute.", wait_s)
        return Caller(Channel.PUBLIC)

    def _admit_tab(self, scope: Scope, headers: list[tuple[bytes, bytes]], method: str) -> Caller:
        session = self._session(headers)
        if (method, scope["path"]) == ("POST", NEW_TAB):
            secret = _single(headers, BROWSER_HEADER)
            if secret is None or not session.is_browser(secret):
                raise Refused(401, "login.needed", "This browser is not signed in.", "Run: ./steward open")
            return Caller(Channel.PAGE, session)
        token = _tab_token(scope, headers)
        if token is None or not session.has_tab(token):
            raise Refused(401, "tab.unknown", "This tab has no valid token.", "Reload the page.")
        return Caller(Channel.PAGE, session)

    def _session(self, headers: list[tuple[bytes, bytes]]) -> Session:
        cookies = _cookies(headers, self.doorway.cookie)
        for cookie in cookies:  # a page on a sibling port can add a second cookie of this name; it opens nothing
            if session := self.sessions.find(cookie):
                return session
        if cookies:
            raise Refused(401, "login.expired", "This browser is no longer signed in.", "Run: ./steward open")
        raise Refused(401, "login.needed", "This browser is not signed in.", "Run: ./steward open")


def _check_shape(scope: Scope) -> None:
    headers: list[tuple[bytes, bytes]] = scope["headers"]
    size = sum(len(name) + len(value) for name, value in headers)
    if len(headers) > HEADERS_MAX or size > HEADERS_MAX_BYTES:
        raise Refused(431, "headers.large", "The request has too many or too large headers.")
    if len(scope.get("raw_path") or b"") + len(scope["query_string"]) > TARGET_MAX_BYTES:
        raise Refused(414, "target.large", "The address is too long.")
    if not scope["path"].startswith("/"):
        raise Refused(400, "target.form", "The address must be a path.")


def _single(headers: Iterable[tuple[bytes, bytes]], name: bytes) -> str | None:
    """Return a header's value; None when absent. Raises Refused when it stands there twice."""
    values = [value for key, value in headers if key.lower() == name]
    if len(values) > 1:
        raise Refused(403, "header.twice", f"The header {name.decode()} stands there more than once.")
    return values[0].decode("latin-1") if values else None


def _cookies(headers: list[tuple[bytes, bytes]], name: str) -> list[str]:
    pairs = (part.partition("=") for part in (_single(headers, b"cookie") or "").split(";"))
    return [value.strip() for key, _, value in pairs if key.strip() == name][:4]


def _tab_token(scope: Scope, headers: list[tuple[bytes, bytes]]) -> str | None:
    if scope["type"] == "websocket":  # a browser cannot set headers there, so the token is a subprotocol
        offered = [word for word in scope.get("subprotocols", ()) if word.startswith(TAB_SUBPROTOCOL)]
        return offered[0].removeprefix(TAB_SUBPROTOCOL) if len(offered) == 1 else None
    return _single(headers, TAB_HEADER)


async def _bounded(scope: Scope, receive: Receive) -> Receive:
    """Read the whole body, within BODY_MAX_BYTES and BODY_TIMEOUT_S, and return a ``receive`` that replays it."""
    declared = _single(scope["headers"], b"content-length")
    if declared is not None and (not declared.isdecimal() or int(declared) > BODY_MAX_BYTES):
        await _let_pass(receive)
        raise Refused(413, "body.large", "The request is larger than 2 MB.")
    try:
        async with asyncio.timeout(BODY_TIMEOUT_S):
            body = await _read(receive)
    except TimeoutError:
        raise Refused(408, "body.slow", "The request did not arrive in time.") from None
    replay: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive_again() -> Message:
        return replay.pop() if replay else await receive()

    return receive_again


async def _let_pass(receive: Receive) -> None:
    """Let what is too large pass by unread, within bounds: a sender that is cut off in the middle never hears why."""
    passed = 0
    with suppress(TimeoutError):
        async with asyncio.timeout(BODY_TIMEOUT_S):
            while passed < PASSING_MAX_BYTES:
                message = await asyncio.wait_for(receive(), SILENCE_S)  # who sends nothing more waits to be told
                if message["type"] != "http.request" or not message.get("more_body", False):
                    return
                passed += len(message.get("body", b""))


async def _read(receive: Receive) -> bytes:
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] != "http.request":
            raise Refused(400, "body.cut", "The request ended early.")
        body += message.get("body", b"")
        if len(body) > BODY_MAX_BYTES:
            if message.get("more_body", False):
                await _let_pass(receive)
            raise Refused(413, "body.large", "The request is larger than 2 MB.")
        if not message.get("more_body", False):
            return bytes(body)


def _hardened(scope: Scope, send: Send, *, lasts: bool = False) -> Send:
    kept = _FOR_EVER if lasts else b"no-cache" if scope["path"].startswith("/static/") else b"no-store"

    async def send_hardened(message: Message) -> None:
        if message["type"] == "http.response.start":
            replaced = {name for name, _ in SECURITY_HEADERS} | {b"cache-control"}
            headers = [(name, value) for name, value in message.get("headers", ()) if name.lower() not in replaced]
            message = {**message, "headers": [*headers, *SECURITY_HEADERS, (b"cache-control", kept)]}
        await send(message)

    return send_hardened


async def _refuse(refused: Refused, scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        await receive()
        closing: dict[str, Any] = {"type": "websocket.close", "code": 1008, "reason": refused.code}
        await send(closing)
        return
    headers = {**refused.headers, "Connection": "close"}
    shaped = error if scope["path"].startswith(V1) else problem
    answer = shaped(refused.status, refused.code, str(refused), refused.hint, headers)
    await answer(scope, receive, _hardened(scope, send))
