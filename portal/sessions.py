"""Who may speak to the daemon over TCP: one-time login codes, browser sessions with per-tab tokens, a bearer token.

What this stops: guessing (128-bit codes, 256-bit tokens, a lock-out that counts loopback too), reuse of a code, session
fixation (an id is only ever made here), a stolen cookie on its own (every port of this machine is sent it, so a tab
token is asked for as well, and a tab gets one only for the browser's secret, which the page keeps where its own origin
alone can read it), timing comparisons (only digests are compared, in constant time).
What this does not: another program of the same user, which may read the token file or the Unix socket like the user.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import os
import secrets
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

CODE_LIFE_S = 60.0
CODES_MAX = 8
SESSION_IDLE_S = 12 * 3600.0
SESSIONS_MAX = 25
TABS_MAX = 25
FAILURES_MAX = 10
FAILURES_WINDOW_S = 60.0


def _digest(secret: str) -> bytes:
    return hashlib.sha256(secret.encode("utf-8", "surrogateescape")).digest()


@dataclass(slots=True)
class Session:
    """One signed-in browser. ``tabs`` holds digests of its tab tokens, ``tasks`` its open requests."""

    key: bytes
    used_at: float
    browser: bytes = b""
    tabs: dict[bytes, None] = field(default_factory=dict)
    tasks: set[asyncio.Task[None]] = field(default_factory=set)
    ended: bool = False

    def new_browser(self) -> str:
        """Make the secret that stays with the page's origin; there is one at a time."""
        secret = secrets.token_urlsafe(32)
        self.browser = _digest(secret)
        return secret

    def is_browser(self, secret: str) -> bool:
        """Tell whether ``secret`` is this browser's."""
        return hmac.compare_digest(_digest(secret), self.browser)

    def new_tab(self) -> str:
        """Make a token for one tab; the oldest gives way past TABS_MAX."""
        token = secrets.token_urlsafe(32)
        self.tabs[_digest(token)] = None
        while len(self.tabs) > TABS_MAX:
            self.tabs.pop(next(iter(self.tabs)))
        return token

    def has_tab(self, token: str) -> bool:
        """Tell whether ``token`` was given to a tab of this session."""
        wanted = _digest(token)
        return any(hmac.compare_digest(wanted, known) for known in self.tabs)


class Throttle:
    """Counts failures; after FAILURES_MAX within FAILURES_WINDOW_S the door stays shut until the window has passed."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._failures: deque[float] = deque(maxlen=FAILURES_MAX)

    def failed(self) -> None:
        """Count one failure."""
        self._failures.append(self._clock())

    def wait_s(self) -> float:
        """Return how long the door stays shut; 0 when it is open."""
        if len(self._failures) < FAILURES_MAX:
            return 0.0
        return max(0.0, self._failures[0] + FAILURES_WINDOW_S - self._clock())


class Sessions:
    """The daemon's memory of who is signed in; lost, and meant to be lost, when it ends. One event loop only."""

    def __init__(self, token_file: Path, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._token_file = token_file
        self._clock = clock
        self._codes: dict[bytes, float] = {}
        self._sessions: dict[bytes, Session] = {}
        self.sign_ins = Throttle(clock)
        self.bearers = Throttle(clock)

    def new_code(self) -> str:
        """Make a code that signs one browser in, once, within CODE_LIFE_S."""
        code = secrets.token_urlsafe(24)
        self._codes[_digest(code)] = self._clock() + CODE_LIFE_S
        while len(self._codes) > CODES_MAX:
            self._codes.pop(next(iter(self._codes)))
        return code

    def sign_in(self, code: str) -> tuple[Session, str] | None:
        """Spend ``code``; return the new session and its cookie value, or None (counted) if it is not valid."""
        expires = self._codes.pop(_digest(code), None)
        if expires is None or expires <= self._clock():
            self.sign_ins.failed()
            return None
        cookie = secrets.token_urlsafe(32)
        session = Session(_digest(cookie), self._clock())
        self._sessions[session.key] = session
        while len(self._sessions) > SESSIONS_MAX:
            self.sign_out(min(self._sessions.values(), key=lambda known: known.used_at))
        return session, cookie

    def find(self, cookie: str) -> Session | None:
        """Return the session of a cookie, if it is still good, and note its use."""
        session = self._sessions.get(_digest(cookie))
        if session is None:
            return None
        now = self._clock()
        if now - session.used_at > SESSION_IDLE_S:
            self.sign_out(session)
            return None
        session.used_at = now
        return session

    def sign_out(self, session: Session) -> None:
        """Forget a session and end its open streams."""
        session.ended = True
        self._sessions.pop(session.key, None)
        for task in session.tasks:
            task.cancel()

    def is_bearer(self, token: str) -> bool:
        """Compare ``token`` with the token file, read anew each time so that a changed file counts at once."""
        try:
            known = self._token_file.read_text(encoding="ascii").strip()
        except (OSError, UnicodeError):
            return False
        return len(known) >= 32 and hmac.compare_digest(_digest(token), _digest(known))


def ensure_token(path: Path) -> None:
    """Write a fresh bearer token (0600) where none is."""
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    except FileExistsError:
        return
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(secrets.token_urlsafe(32) + "\n")
