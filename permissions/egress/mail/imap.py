"""Fetching letters by IMAP without touching them, and looking for one among those that were sent.

What this stops: a letter marked as read, moved or deleted by looking (EXAMINE and BODY.PEEK); letters and answers
larger than asked for; a search that says more than it asks (a Message-ID is of our own making, and quoted).
What it does not: read what a letter says. Its bytes go to the cell as they are.

Sources: RFC 3501, RFC 6154 (special-use folders), RFC 4616 (PLAIN); ``imaplib``.
"""

from __future__ import annotations

import base64
import imaplib
import re
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from permissions.egress.mail.account import Account
from permissions.egress.mail.conversation import STEP_S, Conversation, Measured, broke_off, unencrypted, wrong_login

LARGEST_LETTER = 16 << 20
MOST_AT_ONCE = 200
MOST_BYTES_AT_ONCE = 20 << 20
_LONGEST_LINE = 1_000_000
_SENT_NAMES = ("Sent", "Sent Messages", "Sent Items", "INBOX.Sent", "Gesendet", "Gesendete Objekte")
_LISTED = re.compile(rb'\((?P<flags>[^)]*)\) (?:"(?:[^"\\]|\\.)*"|NIL) (?P<name>.+)')
_SIZE = re.compile(rb"RFC822\.SIZE (?P<size>\d+)")
_FLAGS = re.compile(rb"FLAGS \((?P<flags>[^)]*)\)")


@dataclass(frozen=True, slots=True)
class Fetched:
    """A letter as the server has it. ``mail`` is empty where it is larger than is fetched.

    ``arrived_s`` is when the server got it (Unix seconds), 0 where it does not say.
    """

    uid: int
    seen: bool
    size_bytes: int
    mail: bytes
    arrived_s: int = 0


class _Imap(imaplib.IMAP4):
    """``imaplib`` over a conversation: no name is looked up, and what comes is counted."""

    def __init__(self, talk: Conversation) -> None:
        self._talk = talk
        super().__init__(talk.server.host, talk.server.port, timeout=STEP_S)

    def open(self, host: str = "", port: int = 0, timeout: float | None = None) -> None:
        self.host, self.port = host, port
        self.sock = self._talk.connect()
        self._measure()

    def _measure(self) -> None:
        self.file: Any = Measured(self.sock.makefile("rb"), self._talk)

    def read(self, size: int) -> bytes:
        return bytes(self.file.read(size))

    def readline(self) -> bytes:
        """Return the next line, or the beginning of one without end, at which ``imaplib`` breaks off."""
        return bytes(self.file.readline(_LONGEST_LINE))

    def send(self, data: bytes) -> None:  # type: ignore[override]
        self._talk.up_bytes += len(data)
        super().send(data)

    def encrypt(self) -> None:
        """Begin encryption; what was said before it counts no more (RFC 3501 section 6.2.1)."""
        if "STARTTLS" not in self.capabilities or self._simple_command("STARTTLS")[0] != "OK":
            raise unencrypted(self._talk.server)
        self.sock: socket.socket = self._talk.wrapped(self.sock)
        self._measure()
        self._tls_established = True
        self._get_capabilities()


@contextmanager
def _signed_in(talk: Conversation, account: Account, password: str) -> Iterator[_Imap]:
    """Sign in, and out at the end. What the server says in words goes no further. Raises Unreachable."""
    try:
        imap = _Imap(talk)
    except (imaplib.IMAP4.error, OSError) as error:
        raise broke_off(talk.server) from error
    try:
        if talk.server.security == "starttls":
            imap.encrypt()
        _log_in(imap, talk, account.user, password)
        yield imap
    except (imaplib.IMAP4.error, OSError, ValueError, IndexError) as error:
        raise broke_off(talk.server) from error
    finally:
        with suppress(imaplib.IMAP4.error, OSError, Exception):
            imap.logout()


def _log_in(imap: _Imap, talk: Conversation, user: str, password: str) -> None:
    try:
        if "AUTH=PLAIN" in imap.capabilities:
            imap.authenticate("PLAIN", lambda _: f"\0{user}\0{password}".encode())
        else:
            imap.login(user, password)
    except imaplib.IMAP4.abort:
        raise
    except imaplib.IMAP4.error:
        raise wrong_login(talk.server, user) from None  # its words could hold what was said to it


def fetch(
    talk: Conversation, account: Account, password: str, *, validity: int, after: int, since: datetime | None
) -> tuple[int, list[Fetched], bool]:
    """Return letters of the inbox with a UID above ``after``, oldest first, as many as go at once.

    Of another ``validity`` than the folder's (RFC 3501 section 2.3.1.1) all UIDs are new. Returns the validity, the
    letters, and whether there are more.
    """
    with _signed_in(talk, account, password) as imap:
        _ok(imap.select("INBOX", readonly=True))
        now = int((imap.response("UIDVALIDITY")[1] or [b"0"])[0] or 0)
        first = after + 1 if validity == now else 1
        wish = ["SINCE", since.strftime("%d-%b-%Y")] if since else []
        found = _ok(imap.uid("SEARCH", "UID", f"{first}:*", *wish))
        uids = sorted(uid for uid in map(int, (found[0] or b"").split()) if uid >= first)
        letters, more = _letters(imap, uids)
        return now, letters, more


def _letters(imap: _Imap, uids: list[int]) -> tuple[list[Fetched], bool]:
    letters: list[Fetched] = []
    total = 0
    for uid in uids[:MOST_AT_ONCE]:
        size, seen, arrived_s = _about(imap, uid)
        if letters and total + min(size, LARGEST_LETTER) > MOST_BYTES_AT_ONCE:
            return letters, True
        mail = _content(imap, uid) if size <= LARGEST_LETTER else b""
        total += len(mail)
        letters.append(Fetched(uid, seen, size, mail, arrived_s))
    return letters, len(uids) > MOST_AT_ONCE


def _about(imap: _Imap, uid: int) -> tuple[int, bool, int]:
    said = b" ".join(
        one if isinstance(one, bytes) else one[0]
        for one in _ok(imap.uid("FETCH", str(uid), "(RFC822.SIZE FLAGS INTERNALDATE)"))
        if one
    )
    size, flags = _SIZE.search(said), _FLAGS.search(said)
    arrived = imaplib.Internaldate2tuple(said)
    arrived_s = int(time.mktime(arrived)) if arrived else 0
    return int(size["size"]) if size else 0, bool(flags and b"\\seen" in flags["flags"].lower()), max(arrived_s, 0)


def _content(imap: _Imap, uid: int) -> bytes:
    parts = _ok(imap.uid("FETCH", str(uid), "(BODY.PEEK[])"))
    return next((bytes(one[1]) for one in parts if isinstance(one, tuple)), b"")[:LARGEST_LETTER]


def find(talk: Conversation, account: Account, password: str, message_id: str) -> bool:
    """Tell whether a letter with ``message_id`` is in the folder of sent ones."""
    with _signed_in(talk, account, password) as imap:
        folder = _sent_folder(imap, account)
        if not folder or imap.select(_quoted(folder), readonly=True)[0] != "OK":
            return False
        return bool((_ok(imap.uid("SEARCH", "HEADER", "Message-ID", _quoted(message_id.encode())))[0] or b"").split())


def keep(talk: Conversation, account: Account, password: str, mail: bytes, message_id: str, now: datetime) -> None:
    """Put a letter that was sent into the folder of sent ones, unless the server has done so."""
    with _signed_in(talk, account, password) as imap:
        folder = _sent_folder(imap, account)
        if not folder or imap.select(_quoted(folder), readonly=True)[0] != "OK":
            return
        there = _ok(imap.uid("SEARCH", "HEADER", "Message-ID", _quoted(message_id.encode())))[0]
        if not (there or b"").split():
            imap.append(_quoted(folder), "(\\Seen)", imaplib.Time2Internaldate(now), mail)


def _sent_folder(imap: _Imap, account: Account) -> bytes:
    """Return the name of the folder of sent letters, as the server writes it; empty where there is none."""
    if account.sent:
        return _modified_utf7(account.sent)
    names = []
    for line in _ok(imap.list()):
        found = _LISTED.match(line) if isinstance(line, bytes) else None
        if found is None:
            continue
        name = found["name"].strip(b'"')
        if b"\\sent" in found["flags"].lower():
            return name
        names.append(name)
    return next((one.encode() for one in _SENT_NAMES if one.encode() in names), b"")


def _quoted(text: bytes) -> str:
    return '"' + text.decode("ascii", "replace").replace("\\", "\\\\").replace('"', '\\"') + '"'


def _modified_utf7(name: str) -> bytes:
    """Return a folder's name as IMAP writes it (RFC 3501 section 5.1.3)."""
    done, waiting = bytearray(), ""
    for one in f"{name}\0":
        if 0x20 <= ord(one) < 0x7F or one == "\0":
            if waiting:
                coded = base64.b64encode(waiting.encode("utf-16-be")).rstrip(b"=").replace(b"/", b",")
                done += b"&" + coded + b"-"
                waiting = ""
            done += b"&-" if one == "&" else one.encode() if one != "\0" else b""
        else:
            waiting += one
    return bytes(done)


def _ok(answer: tuple[str, list[Any]]) -> list[Any]:
    status, data = answer
    if status != "OK":
        raise imaplib.IMAP4.error("it said no")
    return data
