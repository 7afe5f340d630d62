"""The inside of one mail: its text, its attachments. Nothing is fetched, run or unpacked.

What this stops: scripts, styles and remote images of HTML (dropped as they are read; there is no network either);
attachment names that lead elsewhere, hide their suffix or reverse themselves; mails that are huge, nested without end
or broken (bounds; what can be read is read); archives are files like any other and never opened.
What it does not: tell good attachments from bad ones.
"""

from __future__ import annotations

import email
import email.errors
import email.policy
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from email.message import EmailMessage, Message
from html.parser import HTMLParser

from skills.sdk import words

from .boxes import Stub

LARGEST = 100 << 20
MOST_PARTS = 500
LONGEST_TEXT = 200_000
BROKEN = (ValueError, LookupError, TypeError, AttributeError, AssertionError, RecursionError, email.errors.MessageError)
"""What the standard library raises on broken mails besides what it says."""


@dataclass(frozen=True, slots=True)
class Enclosed:
    """A file in a mail: a name that is fit to be written, and its content."""

    name: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Inside:
    """What a mail says, and what came with it. ``cut`` says that it holds more than was read."""

    text: str
    files: tuple[Enclosed, ...]
    cut: bool = False


def read(stub: Stub) -> Inside:
    """Return the inside of a mail. Raises OSError where it cannot be read."""
    with open(stub.path, "rb") as file:
        file.seek(stub.start)
        size = (stub.end - stub.start) if stub.end else -1
        data = file.read(min(size, LARGEST) if size >= 0 else LARGEST + 1)
    cut = len(data) > LARGEST or size > LARGEST
    try:
        mail = email.message_from_bytes(data[:LARGEST], policy=email.policy.default)
        parts = list(_parts(mail))
    except BROKEN:
        return Inside(_plain(data[:LONGEST_TEXT].decode("utf-8", "replace")), (), cut=True)
    text = _text(parts)
    files = tuple(_named(one, number) for number, one in enumerate(filter(_is_file, parts), 1))
    return Inside(_plain(text)[:LONGEST_TEXT], files, cut or len(text) > LONGEST_TEXT)


def _parts(mail: Message) -> Iterator[Message]:
    waiting, seen = [mail], 0
    while waiting and seen < MOST_PARTS:
        one = waiting.pop()
        seen += 1
        inner = one.get_payload() if one.is_multipart() else None
        if isinstance(inner, list) and one.get_content_maintype() == "multipart":
            waiting += [part for part in reversed(inner) if isinstance(part, Message)]
        else:
            yield one


def _is_file(part: Message) -> bool:
    try:
        return part.get_content_disposition() == "attachment" or bool(part.get_filename())
    except BROKEN:
        return True


def _text(parts: list[Message]) -> str:
    """The plain text, else that of the HTML."""
    bodies = [part for part in parts if not _is_file(part)]
    plain = [_content(part) for part in bodies if part.get_content_type() == "text/plain"]
    if any(one.strip() for one in plain):
        return "\n\n".join(one.strip() for one in plain if one.strip())
    return "\n\n".join(from_html(_content(part)) for part in bodies if part.get_content_type() == "text/html")


def _content(part: Message) -> str:
    data = _bytes(part)
    charset = ""
    try:
        charset = part.get_content_charset() or ""
        return data.decode(charset or "utf-8")
    except (UnicodeDecodeError, *BROKEN):
        return data.decode("utf-8" if charset == "" and _is_utf8(data) else "cp1252", "replace")


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _bytes(part: Message) -> bytes:
    try:
        if part.is_multipart():  # a mail in the mail
            inner = part.get_payload(0)
            return inner.as_bytes() if isinstance(inner, Message | EmailMessage) else b""
        data = part.get_payload(decode=True)
    except BROKEN:
        return b""
    return data if isinstance(data, bytes) else b""


def _named(part: Message, number: int) -> Enclosed:
    try:
        name = part.get_filename() or ""
    except BROKEN:
        name = ""
    if not name and part.get_content_maintype() == "message":
        name = f"mail {number}.eml"
    return Enclosed(fit_name(name) or f"attachment {number}", _bytes(part))


def fit_name(name: str) -> str:
    """Return a name that stays where it is written and shows what it is: no folders, no hidden or reversing marks."""
    return words.file_name(re.split(r"[/\\]", name)[-1])


def _plain(text: str) -> str:
    """A text fit to be shown: line by line, without what does not show, no more than one empty line together."""
    kept = words.without_unseen(text.replace("\r\n", "\n"), kept="\n\t")
    return re.sub(r"\n{3,}", "\n\n", "\n".join(line.rstrip() for line in kept.split("\n"))).strip()


class _Reader(HTMLParser):
    """The text of a page, block by block."""

    _BLOCKS = frozenset("p div br tr li h1 h2 h3 h4 h5 h6 table ul ol blockquote pre section article hr".split())
    _DROPPED = frozenset("script style head title template noscript svg object iframe".split())

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.text: list[str] = []
        self._within: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in self._DROPPED:
            self._within.append(tag)
        elif tag == "body":
            self._within.clear()
        if tag in self._BLOCKS:
            self.text.append("\n")

    def handle_endtag(self, tag: str) -> None:
        if tag in self._within:
            while self._within and self._within.pop() != tag:
                pass
        elif tag in ("p", "div", "tr", "table", "blockquote"):
            self.text.append("\n")

    def handle_data(self, data: str) -> None:
        if not self._within:
            self.text.append(re.sub(r"[ \t\r\n]+", " ", data))


def from_html(page: str) -> str:
    """Return the text that a page shows; scripts, styles and pictures are left out."""
    reader = _Reader()
    with suppress(
        AssertionError
    ):  # ``html.parser`` gives up at some declarations (<![foo[ x]>); what came before stays
        reader.feed(page[: 4 * LONGEST_TEXT])
        reader.close()
    lines = (line.strip() for line in "".join(reader.text).split("\n"))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()
