"""What the person does with guests of an event of their own: invite them, and tell them what has become of it.

What this stops: an event of somebody else being given guests. What it does not: send; each file is for the mail skill,
which asks every time.
"""

from __future__ import annotations

from collections.abc import Sequence

from skills.sdk import Context, ErrorWords, File, ToolError, words
from skills.sdk.people import addresses

from . import guests, mine, outgoing, wording, writing
from .book import Book, new_uid, read_again
from .choosing import series_of
from .entries import Calendar, Entry, is_address, key_of
from .invitations import Person, organizer_of, sequence_of
from .meaning import Meant
from .strangers import plain

MOST = 50
"""People of one event: a mail goes to no more."""

_ADDRESS = ErrorWords(
    "tool.address", "“{place}” is no address that can stand in an invitation.",
    "Say it whole, such as anna@example.org.",
    "„{place}“ ist keine Adresse, die in einer Einladung stehen kann.", "Nenne sie ganz, etwa anna@example.org.",
)  # fmt: skip
_SELF = ErrorWords(
    "calendar.self", "{place} is your own address, and you invite.", "Say whom else you want to invite.",
    "{place} ist deine eigene Adresse, und du lädst ein.", "Sag, wen sonst du einladen möchtest.",
)  # fmt: skip
_MANY = ErrorWords(
    "calendar.size", "“{place}” would have more than {most} guests, and no mail goes to so many.",
    "Invite fewer, or send the file in another way.",
    "„{place}“ hätte mehr als {most} Gäste, und an so viele geht keine Mail.",
    "Lade weniger ein, oder gib die Datei anders weiter.",
)  # fmt: skip


def _whom() -> ToolError:
    return ToolError(
        "Nobody is invited to it yet. Whom do you want to invite?", asks="who", code="tool.missing",
        hint="Say names of your contacts, or addresses.",
        de="Noch ist niemand dazu eingeladen. Wen möchtest du einladen?",
        de_hint="Nenne Namen deiner Kontakte oder Adressen.",
    )  # fmt: skip


def _me() -> ToolError:
    return ToolError(
        "Which address of yours are they to answer to?", hint="Say it, for example anna@example.org; I keep it.",
        code="calendar.me", asks="me", de="An welche deiner Adressen sollen sie antworten?",
        de_hint="Nenne sie, etwa anna@example.org; ich behalte sie.",
    )  # fmt: skip


def invite(ctx: Context, book: Book, found: Meant, who: str, me: str) -> File:
    """Enter people as guests of an event, and write the invitation into a file. Raises ToolError."""
    calendar, entries = _entries(book, found)
    title = plain(entries[0].title)
    said = _said(me)
    organizer = _organizer(ctx, book, entries[0], said)
    people = _people(ctx, who, organizer, calendar) if who else []
    there = guests.invited(entries, {organizer, *calendar.owners})
    if not people and not there:
        raise _whom()
    if len({one.address for one in (*people, *there)}) > MOST:
        raise _MANY(title, most=MOST)
    new = guests.with_guests(calendar, entries, organizer, people, entries[0].uid or new_uid(ctx, book), ctx.now)
    if new != book.of(found.entry).data:
        ctx.write(calendar.file.path, new)
    if said:
        mine.keep(ctx, said)
    after = read_again(book, calendar, new)
    sent = [after.entries[at] for at, one in enumerate(calendar.entries) if any(one is entry for entry in entries)]
    # no word of what is asked of it later ("who has accepted the invitation to ..."): that would be this file
    path = ctx.unused(f"~/Downloads/{words.file_name(f'RSVP {title}') or 'RSVP'}.ics")
    ctx.write(path, outgoing.request(after, sent))
    _say_invited(ctx, book, found, people or guests.invited(sent, {organizer}), path)
    if any(one.notes for one in sent):
        ctx.say("What you noted about it goes along.", de="Was du dazu notiert hast, geht mit.")
    return ctx.file(path)


def _entries(book: Book, found: Meant) -> tuple[Calendar, list[Entry]]:
    """The events that people are invited to: one, a series with what replaces times of it, or one time of it alone."""
    calendar, entry = book.of(found.entry), found.entry
    if found.series:
        return calendar, series_of(calendar.entries, entry)
    if not entry.repeats:
        return calendar, [entry]
    times = (found.time.start, found.time.end)
    data = writing.moved_once(calendar, entry, found.time.of, times, {}, book.now)
    made = read_again(book, calendar, data)
    of = key_of(found.time.of)
    return made, [one for one in made.entries if one.uid == entry.uid and one.replaces == of]


def _said(me: str) -> str:
    """The address that the person says to be theirs. Raises ToolError where it is none."""
    said = me.strip().casefold().removeprefix("mailto:")
    if said and not is_address(said):
        raise _ADDRESS(plain(me))
    return said


def _organizer(ctx: Context, book: Book, entry: Entry, said: str) -> str:
    """The address that guests answer to: the event's own, what is said, or what was said last; never a calendar's name.

    Raises ToolError where somebody else invites, or where it is not known.
    """
    known = book.mine | ({said} if said else frozenset())
    owner = organizer_of(entry.block).address
    if entry.block.one("ORGANIZER") is not None and owner not in known:
        raise _of_other(plain(entry.title), owner or "?")
    address = owner or said or mine.newest(ctx)
    if not address:
        raise _me()
    return address


def _of_other(title: str, owner: str) -> ToolError:
    return ToolError(
        f"“{title}” is organized by {owner}, who alone invites to it.", code="calendar.organizer",
        hint=f"Ask them; if {owner} is your own address, say: … as {owner}.",
        de=f"„{title}“ wird von {owner} organisiert; nur von dort wird dazu eingeladen.",
        de_hint=f"Frag dort nach; ist {owner} deine eigene Adresse, sag: … als {owner}.",
    )  # fmt: skip


def _people(ctx: Context, who: str, organizer: str, calendar: Calendar) -> list[Person]:
    found: dict[str, Person] = {}
    for said in addresses(ctx, who, asks="who"):
        one = guests.person(said)
        if one is None:
            raise _ADDRESS(plain(said))
        found[one.address] = one
    others = [one for one in found.values() if one.address not in {organizer, *calendar.owners}]
    if not others:
        raise _SELF(organizer)
    return others


def _say_invited(ctx: Context, book: Book, found: Meant, people: Sequence[Person], path: str) -> None:
    place, to = ctx.shown(path), [one.address for one in people]
    names = [plain(one.name) or one.address for one in people]
    who, wer = words.listing(names, most=5), words.listing(names, "de", most=5)
    said, gesagt = (_label(found, book, language) for language in ("en", "de"))
    is_, ist = ("is", "ist") if len(people) == 1 else ("are", "sind")
    ctx.say(
        f"{who} {is_} a guest of “{said}”." if len(people) == 1 else f"{who} {is_} guests of “{said}”.",
        de=f"{wer} {ist} Gast von „{gesagt}“." if len(people) == 1 else f"{wer} {ist} Gäste von „{gesagt}“.",
    )
    ctx.say(
        f"The invitation is not sent yet: {place}, for {words.listing(to)}. "
        f"To send it: mail it to {words.listing(names)}.",
        de=f"Die Einladung ist noch nicht gesendet: {place}, für {words.listing(to, 'de')}. "
        f"Um sie zu senden: maile sie an {words.listing(names, 'de')}.",
    )


def _label(found: Meant, book: Book, language: str) -> str:
    if found.series:
        return wording.series_label(found.entry, language)
    return wording.label(found.time, book.local, language)


# --- what they do not know yet ------------------------------------------------------------------------------------


def asked_anew(book: Book, found: Meant, data: bytes) -> bytes:
    """Return a calendar in which an event was moved, with its guests not having answered yet."""
    calendar = book.of(found.entry)
    if writing.is_of_others(calendar, found.entry.block) or not _guests(calendar, _told(calendar, found)):
        return data
    made = read_again(book, calendar, data)
    return guests.asked_anew(made, _moved(made, calendar, found), calendar.owners)


def _moved(made: Calendar, calendar: Calendar, found: Meant) -> list[Entry]:
    """An event as it was written anew: the series, the time of it that is an event of its own now, or the same one."""
    entry = found.entry
    if not entry.repeats and not found.series:
        return [made.entries[at] for at, one in enumerate(calendar.entries) if one is entry]
    of = key_of(found.time.of)
    return [one for one in made.entries if one.uid == entry.uid and (found.series or one.replaces == of)]


def say_unaware(ctx: Context, book: Book, found: Meant, title: str = "") -> None:
    """Say who is invited to an event that was changed, and does not know it yet, and how to tell them."""
    calendar = book.of(found.entry)
    people = _guests(calendar, _told(calendar, found))
    if not people or writing.is_of_others(calendar, found.entry.block):
        return
    who, wer = _who(people, "en"), _who(people, "de")
    name = plain(title or found.entry.title)
    is_, do, ist, wissen = ("is", "does", "ist", "weiß") if len(people) == 1 else ("are", "do", "sind", "wissen")
    ctx.say(
        f"{who} {is_} invited and {do} not know it yet. To tell them: write the invitation to “{name}” again.",
        de=f"{wer} {ist} eingeladen und {wissen} es noch nicht. Um es zu sagen: "
        f"schreib die Einladung zu „{name}“ noch einmal.",
    )


def call_off(ctx: Context, book: Book, found: Meant) -> None:
    """Write the cancellation of an event that is taken out into a file for its guests, where it has any."""
    calendar, entry = book.of(found.entry), found.entry
    family = _told(calendar, found)
    people = _guests(calendar, family)
    if not people or writing.is_of_others(calendar, entry.block) or not entry.uid:
        return
    title = plain(entry.title)
    time = None if found.series or (entry.replaces is None and not entry.repeats) else found.time.of
    version = max(sequence_of(one.block) for one in series_of(calendar.entries, entry)) + 1
    path = ctx.unused(f"~/Downloads/{words.file_name(f'Cancellation {title}') or 'Cancellation'}.ics")
    ctx.write(path, outgoing.cancellation(family, time, version, ctx.now))
    names = [plain(one.name) or one.address for one in people]
    is_, do, ist, wissen = ("is", "does", "ist", "weiß") if len(people) == 1 else ("are", "do", "sind", "wissen")
    ctx.say(
        f"{_who(people, 'en')} {is_} invited and {do} not know it yet. The cancellation is not sent yet: "
        f"{ctx.shown(path)}. To send it: mail it to {words.listing(names)}.",
        de=f"{_who(people, 'de')} {ist} eingeladen und {wissen} es noch nicht. Die Absage ist noch nicht gesendet: "
        f"{ctx.shown(path)}. Um sie zu senden: maile sie an {words.listing(names, 'de')}.",
    )


def _told(calendar: Calendar, found: Meant) -> list[Entry]:
    return series_of(calendar.entries, found.entry) if found.series else [found.entry]


def _guests(calendar: Calendar, entries: Sequence[Entry]) -> list[Person]:
    """Those who were really invited: whom an event only names (no ORGANIZER) nobody has told of it."""
    return guests.invited([one for one in entries if organizer_of(one.block).address], calendar.owners)


def _who(people: Sequence[Person], language: str) -> str:
    return words.listing([plain(one.name) or one.address for one in people], language, most=5)


def guests_of(calendar: Calendar, entry: Entry) -> list[Person]:
    """Return who is invited to an event, whoever invites."""
    return guests.invited([entry], calendar.owners)
