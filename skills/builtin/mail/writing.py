"""Mails that are written here: drafts as .eml, subjects of replies, what stands below a reply.

What this stops: a header hidden in a subject or a recipient (the standard library refuses line breaks; they are blanks
by then), a draft over another one. What it does not: send.
"""

from __future__ import annotations

import mimetypes
import re
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import parseaddr

from skills.sdk import Context, File, ToolError, words

from .headers import Head, shown

DRAFTS = "~/Mail/Drafts"
LARGEST = 25 << 20
_LONGEST_SUBJECT = 70
_LONGEST_QUOTE = 200
_REPLIED = re.compile(r"^\s*(?:(?:re|aw|fw|fwd|wg)\s*:\s*)+", re.IGNORECASE)


def subject_of(text: str) -> str:
    """Return a subject for a mail that was given none: how its text begins."""
    first = re.split(r"(?<=[.!?])\s|\n", text.strip(), maxsplit=1)[0].rstrip(".!")
    if len(first) <= _LONGEST_SUBJECT:
        return first
    return first[:_LONGEST_SUBJECT].rpartition(" ")[0] + " …"


def again(prefix: str, subject: str) -> str:
    """Return ``Re: subject`` or ``Fwd: subject``, the prefix once."""
    return f"{prefix}: {_REPLIED.sub('', subject)}".strip()


def quoted(head: Head, text: str, language: str) -> str:
    """Return what stands below a reply: who wrote what, line by line."""
    day = words.day(head.when.date(), language)
    intro = f"Am {day} schrieb {head.sender}:" if language == "de" else f"On {day} {head.sender} wrote:"
    return "\n".join([intro, *(f"> {line}" for line in text.splitlines()[:_LONGEST_QUOTE])])


def forwarded(head: Head, text: str, language: str) -> str:
    """Return what stands below the words of who forwards a mail: its headers, and all of its text."""
    german = language == "de"
    title = "---------- Weitergeleitete Nachricht ----------" if german else "---------- Forwarded message ----------"
    names = ("Von", "Datum", "Betreff") if german else ("From", "Date", "Subject")
    values = (head.sender, words.day(head.when.date(), language), head.subject)
    return "\n".join([title, *(f"{name}: {value}" for name, value in zip(names, values, strict=True)), "", text])


def contents(ctx: Context, files: list[File] | None) -> list[tuple[str, bytes]]:
    """Return the files that go along. Raises ToolError where they are too large together."""
    found = [ctx.file(one) for one in files or ()]
    total = sum(one.size_bytes for one in found)
    if total > LARGEST:
        raise ToolError(
            f"The files have {words.size(total)} together; at most {words.size(LARGEST)} can go with a mail.",
            hint="Attach fewer, or share them in another way.", code="tool.size",
            de=f"Die Dateien haben zusammen {words.size(total, 'de')}; mit einer Mail gehen höchstens "
               f"{words.size(LARGEST, 'de')}.",
            de_hint="Hänge weniger an, oder gib sie auf anderem Weg weiter.",
        )  # fmt: skip
    return [(one.name, ctx.read_bytes(one)) for one in found]


def draft(ctx: Context, to: list[str], subject: str, text: str, files: list[tuple[str, bytes]]) -> str:
    """Describe a draft among the others; return its path."""
    mail = EmailMessage(policy=SMTP)
    mail["To"] = [_address(one) for one in to]
    mail["Subject"] = shown(subject)
    mail["Date"] = ctx.now
    mail["X-Unsent"] = "1"
    mail.set_content(text if text.endswith("\n") else f"{text}\n")
    for name, content in files:
        kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
        main, _, sub = kind.partition("/")
        mail.add_attachment(content, maintype=main, subtype=sub, filename=name)
    path = ctx.unused(f"{DRAFTS}/{words.file_name(shown(subject)) or 'draft'}.eml")
    ctx.write(path, mail.as_bytes())
    return path


def _address(text: str) -> Address:
    name, address = parseaddr(text)
    try:
        return Address(display_name=name, addr_spec=address)
    except (ValueError, LookupError) as error:
        raise ToolError(
            f"“{shown(text)}” is no e-mail address.", hint="Say it whole, such as anna@example.org.",
            code="tool.address", de=f"„{shown(text)}“ ist keine E-Mail-Adresse.",
            de_hint="Nenne sie ganz, etwa anna@example.org.",
        ) from error  # fmt: skip
