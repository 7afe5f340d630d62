"""Who may speak to the daemon over TCP: one-time login codes, browser sessions with per-tab tokens, a bearer token.

What this stops: guessing (128-bit codes, 256-bit tokens, a lock-out that counts loopback too), reuse of a code, session
fixation (an id is only ever made here), a stolen cookie on its own (every port of this machine is sent it, so a tab
token is asked for as well, and a tab gets one only for the browser's secret, which the page keeps where its own origin
alone can read it), timing comparisons (only digests are compared, in constant time).
A restart of the daemon signs nobody out: digests are kept in a private file (``portal.session_file``), tab tokens are
not, so each tab proves the browser's secret anew.
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
from typing import NamedTuple

from portal.session_file import Kept, SessionFile

CODE_LIFE_S = 60.0
CODES_MAX = 8
SESSION_IDLE_S = 12 * 3600.0
SESSION_LIFE_S = 30 * 86400.0
CLOCK_SKEW_S = 120.0
NOTE_USE_S = 600.0
"""A session's use is written down at most so often; a daemon that is killed forgets so much of it."""
SESSIONS_MAX = 25
TABS_MAX = 25
FAILURES_MAX = 10
FAILURES_WINDOW_S = 60.0


def _digest(secret: str) -> bytes:
    return hashlib.sha256(secret.encode("utf-8", "surrogateescape")).digest()


@dataclass(slots=True)
class Session:
    """One signed-in browser: digests of its cookie, its secret and its tabs' tokens. ``tasks`` are its open requests.

    ``made_at`` and ``used_at`` are Unix times in seconds; ``noted_at`` is the use that is on disk.
    """

    key: bytes
    browser: bytes
    made_at: float
    used_at: float
    noted_at: float
    tabs: dict[bytes, None] = field(default_factory=dict)
    tasks: set[asyncio.Task[None]] = field(default_factory=set)
    ended: bool = False

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


class SignedIn(NamedTuple):
    """A new session with the two secrets of its browser; neither is kept here."""

    session: Session
    cookie: str
    browser: str


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
    """The daemon's memory of who is signed in, read from ``kept`` where one is named. One event loop only.

    ``clock`` measures how long something lasts while the daemon runs, ``wall`` tells the time of day: a session ages
    while the daemon or the machine is off.
    """

    def __init__(
        self,
        token_file: Path,
        kept: Path | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
        wall: Callable[[], float] = time.time,
    ) -> None:
        self._token_file = token_file
        self._file = SessionFile(kept) if kept is not None else None
        self._clock = clock
        self._wall = wall
        self._codes: dict[bytes, float] = {}
        self._sessions: dict[bytes, Session] = {}
        self.sign_ins = Throttle(clock)
        self.bearers = Throttle(clock)
        self.clients = Throttle(clock)
        self._take_up()

    def _take_up(self) -> None:
        for one in self._file.read()[:SESSIONS_MAX] if self._file is not None else ():
            session = Session(one.cookie, one.browser, one.made_at, one.used_at, one.used_at)
            if not self._is_over(session):
                self._sessions[session.key] = session

    def keep(self) -> None:
        """Write down who is signed in, and when each was here last."""
        if self._file is None:
            return
        for session in self._sessions.values():
            session.noted_at = session.used_at
        known = self._sessions.values()
        self._file.write(Kept(one.key, one.browser, one.made_at, one.used_at) for one in known)

    def new_code(self) -> str:
        """Make a code that signs one browser in, once, within CODE_LIFE_S."""
        code = secrets.token_urlsafe(24)
        self._codes[_digest(code)] = self._clock() + CODE_LIFE_S
        while len(self._codes) > CODES_MAX:
            self._codes.pop(next(iter(self._codes)))
        return code

    def sign_in(self, code: str) -> SignedIn | None:
        """Spend ``code``; return the new session and its secrets, or None (counted) if the code is not valid."""
        expires = self._codes.pop(_digest(code), None)
        if expires is None or expires <= self._clock():
            self.sign_ins.failed()
            return None
        cookie, browser, now = secrets.token_urlsafe(32), secrets.token_urlsafe(32), self._wall()
        session = Session(_digest(cookie), _digest(browser), now, now, now)
        self._sessions[session.key] = session
        while len(self._sessions) > SESSIONS_MAX:
            self._end(min(self._sessions.values(), key=lambda known: known.used_at))
        self.keep()
        return SignedIn(session, cookie, browser)

    def find(self, cookie: str) -> Session | None:
        """Return the session of a cookie, if it is still good, and note its use."""
        session = self._sessions.get(_digest(cookie))
        if session is None:
            return None
        if self._is_over(session):
            self.sign_out(session)
            return None
        session.used_at = self._wall()
        if session.used_at - session.noted_at > NOTE_USE_S:
            self.keep()
        return session

    def _is_over(self, session: Session) -> bool:
        """Tell whether a session has ended; one from the future has, too: its times can no longer be believed."""
        now = self._wall()
        idle, age = now - session.used_at, now - session.made_at
        return not (-CLOCK_SKEW_S <= idle <= SESSION_IDLE_S and -CLOCK_SKEW_S <= age <= SESSION_LIFE_S)

    def sign_out(self, session: Session) -> None:
        """Forget a session, here and on disk, and end its open streams."""
        self._end(session)
        self.keep()

    def _end(self, session: Session) -> None:
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
