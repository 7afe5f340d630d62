"""The file that keeps signed-in browsers over a restart of the daemon.

What this stops: signing in with a stolen copy (it holds digests of 256-bit random secrets, never a secret, and no tab
token at all: with the cookie as well, which every port of this machine is sent, a thief still lacks the browser's
secret); a file that another user wrote, could write or could read, a link, a file of another name's (it counts for
nothing then, and every browser signs in anew); a session that outlives its time because the daemon was down.
What this does not: a program of the same user that writes the file, which may read the API token like the user.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import stat
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from portal.plain_file import plain_file, read_up_to

LARGEST_BYTES = 64 * 1024
DIGEST_BYTES = 32
FORM = 1

log = logging.getLogger("steward.portal")


@dataclass(frozen=True, slots=True)
class Kept:
    """What is kept of a session: digests of its cookie and of its browser's secret, and two times (Unix, seconds)."""

    cookie: bytes
    browser: bytes
    made_at: float
    used_at: float


class Unusable(Exception):
    """The file is not one that this daemon can have left."""


class SessionFile:
    """Reads and replaces the file; what cannot be read is nobody signed in."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def read(self) -> list[Kept]:
        """Return the sessions that were kept."""
        try:
            return _parsed(self._content())
        except FileNotFoundError:
            return []
        except (OSError, Unusable) as error:
            log.warning("%s is not used, browsers sign in anew: %s", self._path.name, error)
            return []

    def write(self, sessions: Iterable[Kept]) -> None:
        """Replace the file, whole or not at all. When that fails nothing may stay that could bring a session back."""
        rows = [
            {"cookie": one.cookie.hex(), "browser": one.browser.hex(), "made_at": one.made_at, "used_at": one.used_at}
            for one in sessions
        ]
        try:
            self._replace(json.dumps({"form": FORM, "sessions": rows}).encode("ascii"))
        except OSError as error:
            log.warning("%s cannot be written: %s", self._path.name, error)
            with contextlib.suppress(OSError):
                self._path.unlink()

    def _content(self) -> bytes:
        with plain_file(self._path) as (descriptor, found):
            if found.st_uid != os.geteuid() or found.st_nlink != 1:
                raise Unusable("it is not this user's own")
            if stat.S_IMODE(found.st_mode) & 0o077:
                raise Unusable("other users can reach it")
            if found.st_size > LARGEST_BYTES:
                raise Unusable("it is too large")
            return read_up_to(descriptor, LARGEST_BYTES)

    def _replace(self, content: bytes) -> None:
        draft = self._path.with_suffix(".new")
        draft.unlink(missing_ok=True)
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(self._path)
        folder = os.open(self._path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def _parsed(content: bytes) -> list[Kept]:
    """Return the sessions of a file's content. Raises Unusable unless all of it has the form that ``write`` gives."""
    try:
        whole = json.loads(content)
        if whole["form"] != FORM:
            raise Unusable("it has another form")
        return [_session(row) for row in whole["sessions"]]
    except (ValueError, TypeError, KeyError, OverflowError, RecursionError) as error:
        raise Unusable(f"it is damaged ({type(error).__name__})") from error


def _session(row: Any) -> Kept:
    kept = Kept(
        bytes.fromhex(row["cookie"]), bytes.fromhex(row["browser"]), float(row["made_at"]), float(row["used_at"])
    )
    if len(kept.cookie) != DIGEST_BYTES or len(kept.browser) != DIGEST_BYTES or not kept.made_at <= kept.used_at:
        raise ValueError
    return kept
