"""A letter: what a cell may say of a mail, checked, and composed by the daemon into the bytes that leave.

What this stops: a header, a recipient or a part that is in the mail and not on the card: nothing of a cell's bytes is
taken for a mail; it says recipients, subject, text and attachments, and the mail is made of these here. A mail that is
too large. What it does not: judge what the text says.
"""

from __future__ import annotations

import mimetypes
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from pathlib import Path
from typing import Any

from permissions.egress.mail.account import Account
from permissions.egress.mail.addresses import named, plain
from permissions.egress.mail.scheduling import scheduling_method
from permissions.errors import Refused
from permissions.naming import readable

MOST_RECIPIENTS = 50
MOST_FILES = 50
LARGEST_BYTES = 25 << 20
"""Of all attachments; most servers take no more."""

_LONGEST_TEXT = 1 << 20
_MESSAGE_ID = re.compile(r"<[\x21-\x3b\x3d\x3f-\x7e]{1,500}>")
_TEXT_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
_SEVEN_BITS = SMTP.clone(cte_type="7bit")


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file that goes along: what it is called for the receiver, and where its content lies now."""

    name: str
    path: Path
    size_bytes: int


@dataclass(frozen=True, slots=True)
class Letter:
    """What is to be sent. ``to`` and ``cc`` are (display name, address); at least one of ``to``."""

    to: tuple[tuple[str, str], ...]
    subject: str
    text: str
    cc: tuple[tuple[str, str], ...] = ()
    files: tuple[Attachment, ...] = ()
    in_reply_to: str = ""
    references: tuple[str, ...] = ()

    @property
    def recipients(self) -> tuple[str, ...]:
        """Every address that it goes to, once."""
        return tuple(dict.fromkeys(address for _, address in (*self.to, *self.cc)))

    @staticmethod
    def of(said: Mapping[str, Any], files: Mapping[str, Path]) -> Letter:
        """Read what a cell said; ``files`` are the contents that it staged, by their names. Raises Refused."""
        return _letter_from(said, files)

    def composed(self, account: Account, message_id: str, now: datetime) -> bytes:
        """Return the mail as it leaves: ASCII bytes with CRLF."""
        return _compose(self, account, message_id, now)


def _letter_from(said: Mapping[str, Any], files: Mapping[str, Path]) -> Letter:
    to, cc = (_people(said.get(one) or ()) for one in ("to", "cc"))
    if not to or len(to) + len(cc) > MOST_RECIPIENTS:
        raise _wrong_count(len(to) + len(cc))
    text = str(said.get("text") or "")
    if len(text) > _LONGEST_TEXT or _TEXT_CONTROLS.search(text):
        raise Refused("refused.mail.text", "The text of the mail is longer than a megabyte, or is no plain text.",
                      hint="Send it as a file.")  # fmt: skip
    replied = str(said.get("in_reply_to") or "")
    earlier = tuple(one for one in map(str, said.get("references") or ()) if _MESSAGE_ID.fullmatch(one))[-20:]
    return Letter(
        to, plain(" ".join(str(said.get("subject") or "").split())), text, cc,
        _attachments(said.get("files") or (), files), replied if _MESSAGE_ID.fullmatch(replied) else "", earlier,
    )  # fmt: skip


def _people(said: Any) -> tuple[tuple[str, str], ...]:
    if not isinstance(said, Sequence) or isinstance(said, str):
        raise Refused("refused.mail.recipients", "The recipients are no list.", hint="Name the recipients.")
    if len(said) > MOST_RECIPIENTS:
        raise _wrong_count(len(said))
    return tuple(dict.fromkeys(named(str(one)) for one in said))


def _wrong_count(count: int) -> Refused:
    return Refused("refused.mail.recipients", f"A mail goes to 1 to {MOST_RECIPIENTS} people.", subject=str(count),
                   hint="Name the recipients.")  # fmt: skip


def _attachments(said: Any, files: Mapping[str, Path]) -> tuple[Attachment, ...]:
    found = []
    for one in said:
        name, path = str(one["name"]), files.get(str(one["blob"]))
        if path is None or "/" in name or not name.strip(". "):
            raise Refused("refused.mail.file", "A file that was to go along is not there.", subject=readable(name[:80]),
                          hint="Name the file again.")  # fmt: skip
        found.append(Attachment(readable(name[:150]), path, path.stat().st_size))
    if len(found) > MOST_FILES or sum(one.size_bytes for one in found) > LARGEST_BYTES:
        raise Refused("refused.mail.size", f"More than {LARGEST_BYTES >> 20} MiB cannot go with a mail.",
                      subject=str(LARGEST_BYTES), hint="Send less, or a link to it.")  # fmt: skip
    return tuple(found)


def _compose(letter: Letter, account: Account, message_id: str, now: datetime) -> bytes:
    mail = EmailMessage(policy=_SEVEN_BITS)
    mail["From"] = _address(account.name, account.address)
    mail["To"] = [_address(*one) for one in letter.to]
    if letter.cc:
        mail["Cc"] = [_address(*one) for one in letter.cc]
    mail["Subject"] = letter.subject
    mail["Date"] = now
    mail.set_content(letter.text if letter.text.endswith("\n") else f"{letter.text}\n")
    _attach(mail, [(one.name, one.path.read_bytes()) for one in letter.files])
    return _threading(letter, message_id).encode("ascii") + mail.as_bytes()


def _attach(mail: EmailMessage, files: Sequence[tuple[str, bytes]]) -> None:
    """Put the files of a letter into it. The one that is an invitation, an answer or a cancellation stands beside the
    text as well, where programs look for what they can answer (RFC 6047, section 2.4): the same bytes, named as such.
    """
    found = [one for one in files if scheduling_method(*one)]
    message = found[0] if len(found) == 1 else None
    if message is not None:
        params = {"method": scheduling_method(*message), "charset": "utf-8"}
        mail.add_alternative(message[1], maintype="text", subtype="calendar", params=params)
    for name, content in files:
        kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
        if message == (name, content):  # a second part of its type would be a second invitation
            kind = "application/ics"
        main, _, sub = kind.partition("/")
        if main in ("message", "multipart"):
            main, sub = "application", "octet-stream"
        mail.add_attachment(content, maintype=main, subtype=sub, filename=name)


def _threading(letter: Letter, message_id: str) -> str:
    """Return the headers that hold a conversation together, one ID a line: ``email`` would encode a long one."""
    lines = [f"Message-ID: {message_id}"]
    if letter.in_reply_to:
        lines.append(f"In-Reply-To: {letter.in_reply_to}")
    earlier = [one for one in dict.fromkeys((*letter.references, letter.in_reply_to)) if one]
    if earlier:
        lines.append("References: " + "\r\n ".join(earlier))
    return "".join(f"{line}\r\n" for line in lines)


def _address(name: str, address: str) -> Address:
    return Address(display_name=name, addr_spec=address)
