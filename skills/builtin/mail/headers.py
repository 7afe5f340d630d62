"""What the headers of a mail say: who wrote it, when, about what; read fast, and never further than its headers.

What this stops: a header without end, a broken encoding or a date from nowhere taking other mails along; characters
that do not show, or reverse the text, standing in an answer; a display name that claims to be another address.
What it does not: prove who wrote it. A sender can be forged, which is why the address stands beside every name.
"""

from __future__ import annotations

import email.header
import email.utils
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, tzinfo
from email.errors import HeaderParseError
from functools import lru_cache

from skills.sdk import words

from .boxes import Stub

LARGEST_HEAD = 64 << 10
_FIRST = 8 << 10
_WANTED = frozenset(
    b"from to cc reply-to subject date message-id in-reply-to references content-type status x-mozilla-status".split()
)
_END = re.compile(rb"\r?\n\r?\n")
_FOLD = re.compile(rb"\r?\n[ \t]+")
_ID = re.compile(r"<[\x21-\x3b\x3d\x3f-\x7e]{1,500}>")
_LONGEST = 300


@dataclass(frozen=True, slots=True)
class Head:
    """The headers of one mail, ready to be said."""

    stub: Stub
    name: str
    address: str
    to: str
    subject: str
    when: datetime
    unread: bool
    mixed: bool
    message_id: str
    references: tuple[str, ...]
    reply_to: str

    @property
    def sender(self) -> str:
        """Name and address; the address alone where the name claims to be another one, or there is none."""
        return f"{self.name} <{self.address}>" if self.name and self.address else self.address or self.name or "?"


def read(stub: Stub, local: tzinfo) -> Head:
    """Return the headers of a mail. Raises OSError where it cannot be read; what is broken in it is left out."""
    raw = _fields(_bytes(stub))
    name, address = _person(_text(raw.get(b"from", b"")))
    return Head(
        stub, name, address, _text(raw.get(b"to", b"")), _text(raw.get(b"subject", b"")), _date(raw, stub, local),
        _unread(raw, stub), raw.get(b"content-type", b"").lower().startswith(b"multipart/mixed"),
        next(iter(_ids(raw, b"message-id")), ""), _ids(raw, b"references") + _ids(raw, b"in-reply-to"),
        _person(_text(raw.get(b"reply-to", b"")))[1],
    )  # fmt: skip


def _bytes(stub: Stub) -> bytes:
    with open(stub.path, "rb") as file:
        file.seek(stub.start)
        most = min(LARGEST_HEAD, stub.end - stub.start) if stub.end else LARGEST_HEAD
        data = file.read(min(_FIRST, most))
        if not _END.search(data) and len(data) == _FIRST:
            data += file.read(most - _FIRST)
    return _END.split(data, 1)[0]


def raw_fields(stub: Stub) -> list[tuple[bytes, bytes]]:
    """Return every header that is wanted, unfolded and not decoded, in its order. Raises OSError."""
    return list(_lines(_bytes(stub)))


def _fields(head: bytes) -> dict[bytes, bytes]:
    """The first of each header that is wanted, unfolded."""
    found: dict[bytes, bytes] = {}
    for key, value in _lines(head):
        found.setdefault(key, value)
    return found


def _lines(head: bytes) -> Iterator[tuple[bytes, bytes]]:
    for line in _FOLD.sub(b" ", head).splitlines():
        name, colon, value = line.partition(b":")
        key = name.strip().lower()
        if colon and key in _WANTED:
            yield key, value.strip()


def _text(value: bytes) -> str:
    try:
        text = value.decode("ascii")
    except UnicodeDecodeError:
        try:
            text = value.decode("utf-8")
        except UnicodeDecodeError:
            text = value.decode("cp1252", "replace")
    if "=?" in text:
        text = _decoded(text)
    return shown(text)


def _decoded(text: str) -> str:
    parts = []
    try:
        for data, charset in email.header.decode_header(text):
            parts.append(data if isinstance(data, str) else _in(data, charset or "utf-8"))
    except (HeaderParseError, ValueError):
        return text
    return "".join(parts)


def _in(data: bytes, charset: str) -> str:
    try:
        return data.decode(charset, "replace")
    except (LookupError, ValueError):
        return data.decode("utf-8", "replace")


def shown(text: str) -> str:
    """Return a short text fit for an answer: on one line, without what does not show, not too long."""
    if not (text.isascii() and text.isprintable()):
        text = "".join(" " if unicodedata.category(one) == "Cc" else one for one in text)
    plain = " ".join(words.without_unseen(text).split())
    return plain if len(plain) <= _LONGEST else plain[: _LONGEST - 1] + "…"


def _person(text: str) -> tuple[str, str]:
    """Name and address of the first person; a name with an @ in it is none."""
    return _person_known(text) if len(text) <= _LONGEST else _person_read(text)


def _person_read(text: str) -> tuple[str, str]:
    found = email.utils.getaddresses([text])
    name, address = next(((one, two) for one, two in found if "@" in two), found[0] if found else ("", ""))
    if "@" not in address:
        bare = re.search(r"<([^<>\s]+@[^<>\s]+)>", text)
        name, address = (name or text, "") if bare is None else (text[: bare.start()].strip(' "'), bare[1])
    return ("" if "@" in name else name.strip()), address.strip()


_person_known = lru_cache(maxsize=4096)(_person_read)  # a few people write most of the mails


def _date(raw: dict[bytes, bytes], stub: Stub, local: tzinfo) -> datetime:
    """When it was written; where it does not say so, or says nonsense, when it came."""
    came = datetime.fromtimestamp(max(stub.stamp, 0.0), local)
    try:
        said = email.utils.parsedate_to_datetime(raw.get(b"date", b"").decode("ascii", "replace"))
        said = (said if said.tzinfo else said.replace(tzinfo=local)).astimezone(local)
    except (ValueError, TypeError, IndexError, OverflowError):
        return came
    return said if 1971 <= said.year <= 2100 else came


def _unread(raw: dict[bytes, bytes], stub: Stub) -> bool:
    if stub.seen is not None:
        return not stub.seen
    flags = raw.get(b"x-mozilla-status", b"")
    if flags:
        try:
            return not int(flags, 16) & 1
        except ValueError:
            return False
    return b"status" in raw and b"R" not in raw[b"status"]


def _ids(raw: dict[bytes, bytes], name: bytes) -> tuple[str, ...]:
    return tuple(_ID.findall(raw.get(name, b"").decode("ascii", "replace")))


def lasting(path: str) -> str:
    """Return the path of a mail without what a Maildir changes when it is read: ``new/1.x`` is ``cur/1.x:2,S`` then."""
    folder, _, name = path.rpartition("/")
    box, _, part = folder.rpartition("/")
    return f"{box}/{name.partition(':2,')[0]}" if part in ("new", "cur") else path
