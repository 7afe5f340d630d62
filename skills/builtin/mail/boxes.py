"""Where mail lies on this machine: Maildir, mbox and single .eml files in the usual places. Found, not configured.

What this stops: a tree without end (bounds on depth and folders), links out of it, files that are no mail.
What it does not: read a mail.
"""

from __future__ import annotations

import mmap
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path

from skills.sdk import Context, Folder, ToolError

PLACES = ("~/Mail", "~/Maildir", "~/.mail", "~/mbox")
MOST_FOLDERS = 2000
MOST_DEPTH = 8
MOST_MAILS = 1_000_000

_NOT_RECEIVED = frozenset(
    "sent drafts draft trash junk spam outbox templates deleted gesendet gesendete entwürfe entwurf papierkorb "
    "gelöscht postausgang vorlagen".split()
)
_CALLED = {
    "drafts": frozenset(("drafts", "draft", "entwürfe", "entwurf")),
    "sent": frozenset(("sent", "gesendet", "gesendete")),
    "archive": frozenset(("archive", "archives", "archiv", "archived")),
    "spam": frozenset(("spam", "junk")),
    "trash": frozenset(("trash", "deleted", "papierkorb", "gelöscht")),
}
_NO_BOX = frozenset((".msf", ".dat", ".json", ".sqlite", ".html", ".txt", ".log", ".lock", ".db"))
_FROM = re.compile(rb"(?:\A|\n)From (?=[^\n]{0,200}\d\d:\d\d)")
_STAMP = re.compile(
    rb"(?P<month>[A-Z][a-z]{2}) +(?P<day>\d{1,2}) (?P<time>\d\d:\d\d:\d\d)(?: [A-Z]{3,4})? (?P<year>\d{4})"
)
_MONTHS = b"Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
_SINCE_1970 = re.compile(r"(\d{9,10})\.")


@dataclass(frozen=True, slots=True)
class Stub:
    """A mail that was seen and not opened: where it lies, when it came (Unix seconds), whether it was read.

    ``seen`` is None where only its headers say (mbox). ``end`` is 0 for a whole file. ``sent`` is of what the person
    wrote, and of what is in the bin: it is no mail that came. ``box`` is the mailbox below its place: "work/.Drafts".
    """

    path: str
    stamp: float
    seen: bool | None
    start: int = 0
    end: int = 0
    sent: bool = False
    box: str = ""


def stubs(ctx: Context) -> list[Stub]:
    """Return every mail on this machine, newest first. Raises ToolError where there is no mailbox."""
    found: list[Stub] = []
    there = False
    for place in PLACES:
        if ctx.exists(place):
            there = True
            found += _below(ctx.real(place))
    if not there:
        raise ToolError(
            "There is no mail on this machine: no mailbox in ~/Mail, ~/Maildir, ~/.mail or ~/mbox.",
            hint="Fetch your mail first, or put a Maildir, mbox or .eml files into ~/Mail.",
            code="tool.missing",
            de="Auf diesem Rechner gibt es keine Mails: kein Postfach in ~/Mail, ~/Maildir, ~/.mail oder ~/mbox.",
            de_hint="Ruf zuerst deine Mails ab, oder lege ein Maildir, mbox- oder .eml-Dateien in ~/Mail.",
        )
    found.sort(key=lambda one: one.stamp, reverse=True)
    return found[:MOST_MAILS]


def folder_of(ctx: Context, folder: Folder) -> str:
    """Return where a mailbox really lies. Raises ToolError where no mail is looked for."""
    wanted = ctx.path(folder)
    if not any(f"{wanted}/".startswith(f"{ctx.path(place)}/") for place in PLACES):
        raise ToolError(
            f"{ctx.shown(folder)} is no mailbox: mail is looked for in ~/Mail, ~/Maildir and ~/.mail.",
            hint="Name a folder in one of these, or ask for your mails.",
            code="tool.missing",
            de=f"{ctx.shown(folder)} ist kein Postfach: Mails werden in ~/Mail, ~/Maildir und ~/.mail gesucht.",
            de_hint="Nenne einen Ordner darin, oder frag nach deinen Mails.",
        )
    return str(ctx.real(folder))


def _below(place: Path) -> Iterator[Stub]:
    if place.is_file():
        yield from _single(str(place), sent=False, box="")
        return
    waiting, seen = [(str(place), 0, False)], 0
    while waiting and seen < MOST_FOLDERS:
        folder, depth, sent = waiting.pop()
        box = folder[len(str(place)) + 1 :]
        seen += 1
        for entry in _entries(folder):
            if entry.is_dir(follow_symlinks=False):
                if entry.name in ("cur", "new"):
                    yield from _maildir(entry.path, read=entry.name == "cur", sent=sent, box=box)
                elif entry.name != "tmp" and depth < MOST_DEPTH:
                    waiting.append((entry.path, depth + 1, sent or _is_sent(entry.name)))
            elif entry.is_file(follow_symlinks=False):
                yield from _single(entry.path, sent=sent or _is_sent(Path(entry.name).stem), box=box)


@lru_cache(maxsize=MOST_FOLDERS)  # asked for each mail, and mailboxes are few
def is_of(box: str, kind: str) -> bool:
    """Tell whether a mailbox is of a kind: "drafts", "sent", "archive", "spam", "trash"."""
    return not _CALLED[kind].isdisjoint(re.split(r"[./\s_-]+", box.casefold()))


def _entries(folder: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return sorted(entries, key=lambda one: one.name)
    except OSError:  # a folder that may not be read is passed over, like any that is not there
        return []


def _is_sent(name: str) -> bool:
    last = re.split(r"[./]", name.strip("."))[-1]
    return any(word in _NOT_RECEIVED for word in last.casefold().split())


def _maildir(folder: str, *, read: bool, sent: bool, box: str) -> Iterator[Stub]:
    for entry in _entries(folder):
        if entry.name.startswith("."):
            continue
        flags = entry.name.rpartition(":2,")[2] if read and ":2," in entry.name else ""
        if "T" not in flags:
            of = f"{box}/Drafts" if "D" in flags else box
            yield Stub(entry.path, _stamp(entry), "S" in flags, sent=sent or "D" in flags, box=of)


def _stamp(entry: os.DirEntry[str]) -> float:
    """Return when a mail came: most Maildirs say it in the name, else the file's own time."""
    named = _SINCE_1970.match(entry.name)
    try:
        return float(named[1]) if named else entry.stat(follow_symlinks=False).st_mtime
    except OSError:
        return 0.0


def _single(path: str, *, sent: bool, box: str) -> Iterator[Stub]:
    """A file of its own: one mail (.eml), or a whole mbox."""
    suffix = os.path.splitext(path)[1].lower()
    try:
        if suffix == ".eml":
            yield Stub(path, os.stat(path).st_mtime, None, sent=sent, box=box)
        elif suffix not in _NO_BOX:
            yield from _mbox(path, sent=sent, box=f"{box}/{Path(path).stem}")
    except (OSError, ValueError):  # it is gone, or empty
        return


def _mbox(path: str, *, sent: bool, box: str) -> Iterator[Stub]:
    with open(path, "rb") as file:
        if file.read(5) != b"From ":
            return
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            starts = [found.end() - 5 for found in _FROM.finditer(data)]
            for start, end in zip(starts, [*starts[1:], len(data)], strict=True):
                line = data[start : start + 200].split(b"\n", 1)[0]
                yield Stub(path, _when(line), None, start + len(line) + 1, end, sent, box)


def _when(line: bytes) -> float:
    found = _STAMP.search(line)
    if found is None or found["month"] not in _MONTHS:
        return 0.0
    hour, minute, second = map(int, found["time"].split(b":"))
    try:
        month = _MONTHS.index(found["month"]) + 1
        return datetime(int(found["year"]), month, int(found["day"]), hour, minute, second, tzinfo=UTC).timestamp()
    except ValueError:
        return 0.0
