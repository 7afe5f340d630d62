"""Mail: look through what lies on this machine, write drafts, send after a yes, fetch what has arrived."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from email.parser import BytesHeaderParser
from email.utils import parsedate_to_datetime
from typing import Literal

from skills.sdk import Context, File, Folder, Period, Query, Text, Title, ToolError, words
from skills.sdk.mail import Arrived
from skills.sdk.people import addresses as addresses_of

from . import arriving, boxes, invitations, letter, telling, writing
from .choosing import Wish, choose, of_thread
from .headers import Head
from .meant import file_of, meant, one_of

What = Literal["all", "unread", "attachments"]
Box = Literal["drafts", "sent", "archive", "spam", "trash"]

INBOX = "~/Mail/Inbox"
_STATE = "fetched.json"
_HEADERS = 64 << 10
_FIRST_FETCH = timedelta(days=30)
_MOST_ROUNDS = 15


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that a mail says of its sender, in the words of the graph."""

    subject: str
    kind: str
    names: list[str]
    predicate: str
    object: str
    object_kind: str
    source: str


@dataclass(frozen=True, slots=True)
class Message:
    """One mail of a list. ``sender`` is name and address."""

    sender: str
    subject: str
    day: date
    unread: bool
    file: File


@dataclass(frozen=True, slots=True)
class Letter:
    """One mail with its text."""

    sender: str
    address: str
    to: str
    subject: str
    day: date
    text: str
    attachments: list[str]
    file: File
    facts: list[Fact]
    sources: list[str]


@dataclass(frozen=True, slots=True)
class Received:
    """One mail as a rule has it that waited for it; ``key`` tells it from every other, wherever it lies."""

    sender: str
    address: str
    subject: Title
    day: date
    text: str
    attachments: list[str]
    file: File
    key: str


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A mail that was written: to whom, about what."""

    to: list[str]
    subject: str
    text: str


# --- reading ------------------------------------------------------------------------------------------------------


def find(
    ctx: Context,
    sender: Query | None = None,
    about: Query | None = None,
    when: Period | None = None,
    what: What = "all",
    count: int | None = None,
    box: Box | None = None,
    folder: Folder | None = None,
) -> list[Message]:
    """List mails: new ones, from somebody, about something, of some time, with attachments, of one mailbox.

    Args:
        sender: from whom.
        about: words of the subject.
        when: when they came.
        what: all, unread ones, or those with attachments.
        count: how many of them, at most.
        box: in which mailbox: drafts, sent ones, the archive; what has come when absent.
        folder: the mailbox by its folder.
    """
    wish = Wish(sender or "", about or "", when, what == "unread", what == "attachments", box=box or "",
                folder=boxes.folder_of(ctx, folder) if folder else "")  # fmt: skip
    most = max(count, 1) if count else telling.LISTED
    found = choose(ctx, wish, most=most)
    shown = found.heads[:most]
    telling.say_found(ctx, wish, found, shown)
    if shown:
        names = ("Tag", "Von", "Betreff") if ctx.language == "de" else ("Day", "From", "Subject")
        ctx.table(names, ((one.when.date(), one.sender, one.subject) for one in shown))
    return [Message(one.sender, one.subject, one.when.date(), one.unread, file_of(one)) for one in shown]


def read(
    ctx: Context,
    sender: Query | None = None,
    about: Query | None = None,
    when: Period | None = None,
    mail: File | None = None,
) -> Letter:
    """Read the last mail from somebody, or about something.

    Args:
        sender: from whom.
        about: words of the subject.
        when: when it came.
        mail: one that was found before.
    """
    head = one_of(ctx, Wish(sender or "", about or "", when), mail)
    inside = letter.read(head.stub)
    names = [one.name for one in inside.files]
    telling.say_letter(ctx, head, inside.text, names, inside.cut)
    source = head.stub.path
    facts = [Fact(head.name, "person", [], "email", head.address, "", source)] if head.name and head.address else []
    return Letter(
        head.sender,
        head.address,
        head.to,
        head.subject,
        head.when.date(),
        inside.text,
        names,
        file_of(head),
        facts,
        [source],
    )


def thread(
    ctx: Context, sender: Query | None = None, about: Query | None = None, mail: File | None = None
) -> list[Message]:
    """Show a whole conversation by mail, with what was answered.

    Args:
        sender: who takes part.
        about: words of the subject.
        mail: one of it that was found before.
    """
    heads = of_thread(ctx, one_of(ctx, Wish(sender or "", about or ""), mail))
    texts = [letter.read(one.stub).text for one in heads]
    parts = [
        [f"{telling.line(one, tongue)}\n{text}".strip() for one, text in zip(heads, texts, strict=True)]
        for tongue in ("en", "de")
    ]
    count = words.count(len(heads), "mail", "mails"), words.count(len(heads), "Mail", "Mails")
    ctx.say(
        f"{count[0]} in this conversation:\n\n" + "\n\n".join(parts[0]),
        de=f"{count[1]} in diesem Gespräch:\n\n" + "\n\n".join(parts[1]),
    )
    return [Message(one.sender, one.subject, one.when.date(), one.unread, file_of(one)) for one in heads]


def save_attachments(
    ctx: Context,
    sender: Query | None = None,
    about: Query | None = None,
    when: Period | None = None,
    to: Folder | None = None,
    mail: File | None = None,
) -> list[File]:
    """Save the attachments of a mail into a folder.

    Args:
        sender: from whom the mail is.
        about: words of its subject.
        when: when it came.
        to: where to put them; Downloads when absent.
        mail: one that was found before.
    """
    wish = Wish(sender or "", about or "", when, mixed=True)
    heads = [meant(ctx, mail)] if mail else choose(ctx, wish).heads
    for head in heads[:50]:
        inside = letter.read(head.stub)
        if inside.files:
            return _saved(ctx, head, inside, ctx.path(to or "~/Downloads"))
    raise telling.no_files(heads[0]) if mail else telling.nothing(wish)


def _saved(ctx: Context, head: Head, inside: letter.Inside, folder: str) -> list[File]:
    paths = []
    for one in inside.files:
        path = ctx.unused(f"{folder}/{one.name}")
        ctx.write(path, one.content)
        paths.append(path)
    names = [words.name(path.rpartition("/")[2]) for path in paths]
    place = ctx.shown(folder)
    ctx.say(
        f"I saved {words.listing(names)} from the mail of {head.sender} into {place}.",
        de=f"Ich habe {words.listing(names, 'de')} aus der Mail von {head.sender} in {place} gespeichert.",
    )
    return [ctx.file(path) for path in paths]


def received(
    ctx: Context,
    mails: list[File],
    sender: Query | None = None,
    subject: Query | None = None,
    attached: Title | None = None,
) -> list[Received]:
    """Tell which of some mails are from somebody, have some words in their subject, or bring a file.

    Args:
        mails: those that were found, or that have come.
        sender: from whom: an address, a contact, else what they call themselves.
        subject: words of the subject.
        attached: what an attached file is called, as a pattern.
    """
    waited = arriving.waited_for(ctx, sender or "", subject or "", attached or "")
    found = arriving.among(ctx, [one.path for one in mails], waited)
    for head, _ in found:
        ctx.say(f"- {telling.line(head, 'en')}", de=f"- {telling.line(head, 'de')}")
    if not found:
        ctx.say("None of them is such a mail.", de="Keine davon ist so eine Mail.")
    return [
        Received(
            head.sender, head.address, Title(head.subject), head.when.date(), inside.text,
            [one.name for one in inside.files], file_of(head), arriving.key_of(head),
        )
        for head, inside in found
    ]  # fmt: skip


# --- writing ------------------------------------------------------------------------------------------------------


def draft(
    ctx: Context, to: Query, text: Text | None = None, subject: Title | None = None, files: list[File] | None = None
) -> Outgoing:
    """Write a mail as a draft, without sending it.

    Args:
        to: to whom: names of your contacts, or addresses.
        text: what it says.
        subject: what it is about.
        files: what goes along.
    """
    addresses, about, said, enclosed = _composed(ctx, to, text, subject, files)
    path = writing.draft(ctx, addresses, about, said, enclosed)
    place = ctx.shown(path)
    ctx.say(
        f"I wrote a draft to {words.listing(addresses)}: {place}. It was not sent.",
        de=f"Ich habe einen Entwurf an {words.listing(addresses, 'de')} geschrieben: {place}. Gesendet ist er nicht.",
    )
    return Outgoing(addresses, about, said)


def send(
    ctx: Context, to: Query, text: Text | None = None, subject: Title | None = None, files: list[File] | None = None
) -> Outgoing:
    """Send a mail; you see it whole and say yes before it leaves.

    Args:
        to: to whom: names of your contacts, or addresses.
        text: what it says.
        subject: what it is about.
        files: what goes along.
    """
    addresses, about, said, enclosed = _composed(ctx, to, text, subject, files)
    ctx.mail.send(addresses, about, said, files=enclosed)
    _say_sent(ctx, addresses, about)
    return Outgoing(addresses, about, said)


def _composed(
    ctx: Context, to: Query, text: Text | None, subject: Title | None, files: list[File] | None
) -> tuple[list[str], str, str, list[tuple[str, bytes]]]:
    """Return to whom, about what, what it says, and what goes along."""
    addresses = addresses_of(ctx, to)
    said, enclosed = (text or "").strip(), writing.contents(ctx, files)
    event = None if said else invitations.subject_and_text(ctx, enclosed)
    if event is not None:
        return addresses, subject or event[0], event[1], enclosed
    return addresses, _subject(subject, said, files), said, enclosed


def _subject(subject: str | None, text: str, files: list[File] | None) -> str:
    """Return what a mail is about: as it was said, as its text begins, or as its files are called.

    Raises ToolError where it has neither text nor files.
    """
    if not text and not files:
        raise ToolError(
            "I do not know what the mail is to say.", hint="Say it with its text: email Anna that …",
            code="tool.missing", asks="text", de="Ich weiß nicht, was in der Mail stehen soll.",
            de_hint="Sag es mit dem Text: schreib Anna eine Mail, dass …",
        )  # fmt: skip
    return subject or (writing.subject_of(text) if text else ", ".join(one.name for one in files or ()))


def reply(
    ctx: Context, text: Text, sender: Query | None = None, about: Query | None = None, mail: File | None = None
) -> Outgoing:
    """Answer a mail: the last one from somebody, or about something.

    Args:
        text: what the answer says.
        sender: from whom the mail is.
        about: words of its subject.
        mail: one that was found before.
    """
    head = one_of(ctx, Wish(sender or "", about or ""), mail)
    address = head.reply_to or head.address
    if not address:
        raise telling.no_address()
    to = f"{head.name} <{address}>" if head.name and address == head.address else address
    subject = writing.again("Re", head.subject)
    whole = f"{text.strip()}\n\n{writing.quoted(head, letter.read(head.stub).text, ctx.language)}"
    ctx.mail.send([to], subject, whole, in_reply_to=head.message_id, references=head.references)
    if address != head.address:
        ctx.say(
            f"The mail is from {head.address}; it asks for answers to {address}.",
            de=f"Die Mail ist von {head.address}; Antworten will sie an {address}.",
        )
    _say_sent(ctx, [to], subject)
    return Outgoing([to], subject, text.strip())


def forward(
    ctx: Context,
    to: Query,
    sender: Query | None = None,
    about: Query | None = None,
    text: Text | None = None,
    mail: File | None = None,
) -> Outgoing:
    """Forward a mail with its attachments to somebody.

    Args:
        to: to whom: names of your contacts, or addresses.
        sender: from whom the mail is.
        about: words of its subject.
        text: what you say to it.
        mail: one that was found before.
    """
    addresses = addresses_of(ctx, to)
    head = one_of(ctx, Wish(sender or "", about or ""), mail)
    inside = letter.read(head.stub)
    subject = writing.again("Fwd", head.subject)
    own = f"{text.strip()}\n\n" if text else ""
    whole = own + writing.forwarded(head, inside.text, ctx.language)
    ctx.mail.send(addresses, subject, whole, files=[(one.name, one.content) for one in inside.files])
    _say_sent(ctx, addresses, subject)
    return Outgoing(addresses, subject, (text or "").strip())


def _say_sent(ctx: Context, to: list[str], subject: str) -> None:
    ctx.say(
        f"I sent the mail “{subject}” to {words.listing(to)}.",
        de=f"Ich habe die Mail „{subject}“ an {words.listing(to, 'de')} gesendet.",
    )


# --- fetching -----------------------------------------------------------------------------------------------------


def fetch(ctx: Context) -> int:
    """Fetch new mail from the server of your account."""
    validity, after = _last(ctx)
    since = None if after else ctx.now - _FIRST_FETCH
    new, large, rounds = 0, 0, 0
    more = True
    while more and rounds < _MOST_ROUNDS:
        arrived = ctx.mail.fetch(validity=validity, after=after, since=since)
        rounds += 1
        if after and arrived.validity != validity:  # the server counts anew: nobody wants years of mail again
            validity, after, since = arrived.validity, 0, ctx.now - _FIRST_FETCH
            continue
        for one in arrived.letters:
            if one.mail:
                ctx.write(_place(arrived.validity, one, ctx.now), one.mail)
            new, large = new + bool(one.mail), large + (not one.mail and one.size_bytes > 0)
            after = max(after, one.uid)
        validity, more = arrived.validity, arrived.more
    if new or large:
        ctx.write(ctx.own(_STATE), json.dumps({"validity": validity, "uid": after}))
    _say_fetched(ctx, new, large, more)
    return new


def _last(ctx: Context) -> tuple[int, int]:
    """Return up to which number, of which validity, mail was fetched before."""
    path = ctx.own(_STATE)
    try:
        known = json.loads(ctx.read_text(path)) if ctx.exists(path) else {}
        return int(known["validity"]), int(known["uid"])
    except (ValueError, TypeError, KeyError):
        return 0, 0


def _place(validity: int, letter: Arrived, now: datetime) -> str:
    """Return where a mail is kept: its name begins with when it came, as in every Maildir."""
    name = f"{letter.arrived_s or _written_s(letter.mail) or int(now.timestamp())}.V{validity}U{letter.uid}.steward"
    return f"{INBOX}/cur/{name}:2,S" if letter.seen else f"{INBOX}/new/{name}"


def _written_s(mail: bytes) -> int:
    """Return when a mail says that it was written, 0 where it does not."""
    try:
        said = BytesHeaderParser().parsebytes(mail[:_HEADERS])["Date"]
        return max(int(parsedate_to_datetime(str(said)).timestamp()), 0)
    except (ValueError, TypeError, OverflowError, IndexError):
        return 0


def _say_fetched(ctx: Context, new: int, large: int, more: bool) -> None:
    if not new:
        ctx.say("There is no new mail.", de="Es gibt keine neuen Mails.")
    else:
        ctx.say(
            f"I fetched {words.count(new, 'new mail', 'new mails')} into ~/Mail/Inbox.",
            de=f"Ich habe {words.count(new, 'neue Mail', 'neue Mails')} in ~/Mail/Inbox geholt.",
        )
    if large:
        ctx.say(
            f"{words.count(large, 'mail is', 'mails are')} larger than 16 MiB and stayed on the server.",
            de=f"{words.count(large, 'Mail ist', 'Mails sind')} größer als 16 MiB und blieb auf dem Server.",
        )
    if more:
        ctx.say("There is more; ask again to go on.", de="Es gibt noch mehr; frag noch einmal, um fortzufahren.")
