"""What a person is shown of a letter before it leaves, and of one of which nobody knows whether it has."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from kernel.mailing.outbox import Waiting
from permissions.errors import PermissionsError

if TYPE_CHECKING:
    from permissions.egress import Account, Letter

STAGE = "mail"
UNKNOWN = "unknown"
LINE = 250
"""Characters of a line of a card."""

_WORDS: Mapping[str, Mapping[str, str]] = {
    "en": {
        "from": "From", "to": "To", "cc": "Cc", "subject": "Subject", "text": "Text", "file": "Attachment",
        "bytes": "{size} bytes",
        "question": "Steward was stopped while this mail was being handed over, or the server broke off: "
                    "nobody can say whether it was sent.",
        "looked": "It is not in the folder of sent mail, which proves nothing.",
        "choice": "Was it sent? Send it again (the receiver may get it twice), say that it was sent, or leave it.",
        "unknown": "Unknown",
        "left": "Whether the mail to {to} was sent is not known; it was left so.",
        "found": "The mail to {to} was sent: it is in the folder of sent mail.",
        "done": "You say that the mail to {to} was sent; it is not sent again.",
        "sent": "The mail to {to} was sent.",
        "unsent": "The mail to {to} was not sent: it did not come to that.",
        "refused": "The mail to {to} was not sent.",
        "unclear": "Whether the mail to {to} was sent is not known.",
        "gone": "Mails of this run are no longer in the outbox; whether they were sent is not known.",
        "look": "Look into the folder of sent mail before you send it again.",
        "interrupted": "Ask again, and only for what was not sent.",
        "private": "Steward was stopped in a private run that had begun to hand a mail over; whether it was sent is "
                   "not known.",
        "private.hint": "Look into the folder of sent mail before you send it again.",
    },
    "de": {
        "from": "Von", "to": "An", "cc": "Kopie", "subject": "Betreff", "text": "Text", "file": "Anhang",
        "bytes": "{size} Bytes",
        "question": "Steward wurde angehalten, während diese Mail übergeben wurde, oder der Server brach ab: "
                    "niemand kann sagen, ob sie gesendet wurde.",
        "looked": "Im Ordner der gesendeten Mails liegt sie nicht, was nichts beweist.",
        "choice": "Wurde sie gesendet? Noch einmal senden (der Empfänger bekommt sie vielleicht zweimal), sagen, dass "
                  "sie gesendet wurde, oder so lassen.",
        "unknown": "Unbekannt",
        "left": "Ob die Mail an {to} gesendet wurde, ist nicht bekannt; dabei blieb es.",
        "found": "Die Mail an {to} wurde gesendet: sie liegt im Ordner der gesendeten Mails.",
        "done": "Du sagst, dass die Mail an {to} gesendet wurde; sie wird nicht noch einmal gesendet.",
        "sent": "Die Mail an {to} wurde gesendet.",
        "unsent": "Die Mail an {to} wurde nicht gesendet: so weit kam es nicht.",
        "refused": "Die Mail an {to} wurde nicht gesendet.",
        "unclear": "Ob die Mail an {to} gesendet wurde, ist nicht bekannt.",
        "gone": "Mails dieses Laufs liegen nicht mehr im Postausgang; ob sie gesendet wurden, ist nicht bekannt.",
        "look": "Sieh im Ordner der gesendeten Mails nach, bevor du sie noch einmal sendest.",
        "interrupted": "Frag noch einmal, und nur nach dem, was nicht gesendet wurde.",
        "private": "Steward wurde in einem privaten Lauf angehalten, der begonnen hatte, eine Mail zu übergeben; ob "
                   "sie gesendet wurde, ist nicht bekannt.",
        "private.hint": "Sieh im Ordner der gesendeten Mails nach, bevor du sie noch einmal sendest.",
    },
}  # fmt: skip


def said(language: str, key: str, **holes: object) -> str:
    """Return one of the sentences about mail."""
    return _WORDS.get(language, _WORDS["en"])[key].format(**holes)


def seen_of(letter: Letter, account: Account) -> dict[str, Any]:
    """Return what a person is shown of a letter: everything that a receiver sees, too."""
    return {
        "from": _person((account.name, account.address)), "to": [_person(one) for one in letter.to],
        "cc": [_person(one) for one in letter.cc], "subject": letter.subject, "text": letter.text,
        "files": [{"name": one.name, "size_bytes": one.size_bytes} for one in letter.files],
    }  # fmt: skip


def _person(one: tuple[str, str]) -> str:
    """The address comes first: no name, however long, stands before it or looks like one."""
    name, address = one
    return f"{address} ({name})" if name else address


_APART = re.compile(r"[\s,;:<>()\[\]\"„“”‚‘’«»]+")


def addresses_in(text: str) -> frozenset[str]:
    """Return the addresses that ``text`` names as whole words, in their one form and without regard to case."""
    from permissions.egress import address_of  # no start waits for it

    found = set()
    for word in _APART.split(text):
        with suppress(PermissionsError):
            found.add(address_of(word.strip("'`").rstrip(".!?'`")).casefold())
    return frozenset(found)


def card(letters: Sequence[Waiting], language: str, *, unclear: bool = False, looked: bool = False) -> dict[str, Any]:
    """Return the card: of each letter the lines that a person reads, and whole what a client may lay out itself."""
    concerns = [line for one in letters for line in _lines(one.seen, language)]
    found: dict[str, Any] = {"rights": [], "changes": [], "concerns": concerns, "mail": [one.seen for one in letters]}
    if unclear:
        why = [said(language, "question"), *([said(language, "looked")] if looked else []), said(language, "choice")]
        found["unknown"] = {"question": " ".join(why)}
        found["concerns"] = [{"why": said(language, "unknown"), "subject": one} for one in why] + concerns
    return found


def _lines(seen: Mapping[str, Any], language: str) -> list[dict[str, str]]:
    lines = [("from", seen["from"]), *(("to", one) for one in seen["to"]), *(("cc", one) for one in seen["cc"]),
             ("subject", seen["subject"])]  # fmt: skip
    lines += [("text", line) for line in str(seen["text"]).splitlines()]
    lines += [("file", f"{one['name']} ({said(language, 'bytes', size=one['size_bytes'])})") for one in seen["files"]]
    return [{"why": said(language, kind), "subject": part} for kind, text in lines for part in _parts(text)]


def _parts(line: str) -> list[str]:
    """Cut a line into what a client shows whole."""
    return [line[at : at + LINE] for at in range(0, len(line), LINE) if line.strip()]


def seal_of(letters: Sequence[Waiting], stage: str = STAGE) -> str:
    """Return what an answer is for: exactly these letters."""
    whole = "\n".join(f"{one.number}:{one.digest}" for one in letters)
    return f"{stage}:{hashlib.sha256(whole.encode()).hexdigest()}"


def people_of(letter: Waiting) -> str:
    """Say to whom a letter goes."""
    shown = [*letter.seen["to"], *letter.seen["cc"]]
    return ", ".join(map(str, shown[:5])) + (" …" if len(shown) > 5 else "")
