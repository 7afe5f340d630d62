"""A calendar file of somebody taken into the person's own: what is new is added, what is newer replaces what is there.

What this stops: a file that nobody can read, or that is too large, changing anything; an event being there twice; what
is the person's own, or of another organizer, being replaced; an older version undoing a newer one; an alarm that starts
a program or sends a mail, and attachments, getting into the calendar; a zone of the file giving other events another
time. What it does not: say whether what the events say is true.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from zoneinfo import ZoneInfo

from skills.sdk import Context, ErrorWords, File, ToolError, words
from skills.sdk.contentlines import edited, end_of, is_wide

from . import invitations, replies, telling, wording, writing
from .book import FOLDER, MAIN, Book, main_calendar
from .entries import Calendar, Entry, NoCalendar, key_of, read
from .invitations import OFTEN, NoInvitation, organizer_of, sequence_of
from .lines import Line, lines_of
from .occurrences import Occurrence
from .strangers import quoted
from .zones import definition, in_database

LARGEST = 5 << 20
MOST_EVENTS = 3_000

_MOST_TIMES = 500
_MOST_SAID = 10
_RINGS = re.compile(rb"^ACTION[^:\r\n]*:[ \t]*(?:DISPLAY|AUDIO)[ \t]*\r?$", re.IGNORECASE | re.MULTILINE)
_CLOSED = re.compile(rb"^END:VCALENDAR[ \t]*\r?$", re.IGNORECASE | re.MULTILINE)

_WHY = {
    "none": ErrorWords(
        "calendar.file", "{place} is no calendar that can be read, or its end is missing. Nothing was changed.",
        "Get the file anew, and name one that ends in .ics.",
        "{place} ist kein Kalender, der sich lesen lässt, oder das Ende fehlt. Nichts wurde geändert.",
        "Hol die Datei noch einmal, und nenne eine, die auf .ics endet."),
    "wide": ErrorWords(
        "calendar.file", "{place} is in UTF-16, and was not taken in.", "Save it as UTF-8.",
        "{place} ist in UTF-16 geschrieben und wurde nicht übernommen.", "Speichere es als UTF-8."),
    "empty": ErrorWords(
        "calendar.file", "{place} is a calendar without events. Nothing was changed.",
        "Ask who sent it for the file with the events.",
        "{place} ist ein Kalender ohne Termine. Nichts wurde geändert.",
        "Bitte den Absender um die Datei mit den Terminen."),
    "large": ErrorWords(
        "calendar.file", "{place} is too large to be taken into your calendar. Nothing was changed.",
        "To have it beside your own calendar, put the file into ~/Calendar.",
        "{place} ist zu groß, um in deinen Kalender übernommen zu werden. Nichts wurde geändert.",
        "Um es neben deinem Kalender zu haben, lege die Datei in ~/Calendar."),
    "own": ErrorWords(
        "calendar.file", "{place} lies in ~/Calendar, so its events are in your calendar already.",
        "Ask what is on.", "{place} liegt in ~/Calendar, die Termine darin stehen also schon in deinem Kalender.",
        "Frag, was ansteht."),
    "REQUEST": ErrorWords(
        "calendar.invitation", "{place} is an invitation, and is answered. Nothing was changed.",
        "Say: accept the invitation {place}, or decline it; of one that you have: take over the update {place}.",
        "{place} ist eine Einladung und wird beantwortet. Nichts wurde geändert.",
        "Sag: nimm die Einladung {place} an, oder lehne sie ab; von einer, die du schon hast: "
        "übernimm die Terminänderung {place} in den Kalender."),
    "CANCEL": ErrorWords(
        "calendar.invitation", "{place} is a cancellation. Nothing was changed.",
        "Say: take the cancellation {place} into my calendar.",
        "{place} ist eine Absage. Nichts wurde geändert.", "Sag: übernimm die Absage {place} in den Kalender."),
    "REPLY": ErrorWords(
        "calendar.invitation", "{place} is an answer to an invitation. Nothing was changed.",
        "Say: take the answer {place} into my calendar.", "{place} antwortet auf eine Einladung. "
        "Nichts wurde geändert.", "Sag: übernimm die Antwort {place} in den Kalender."),
}  # fmt: skip


@dataclass(slots=True)
class Taken:
    """What became of the events of a file, each by its first entry; what is newer beside what it replaced."""

    text: str = ""
    new: list[Entry] = field(default_factory=list)
    newer: list[tuple[Entry, Entry]] = field(default_factory=list)
    same: list[Entry] = field(default_factory=list)
    older: list[Entry] = field(default_factory=list)
    others: list[Entry] = field(default_factory=list)
    often: list[Entry] = field(default_factory=list)
    unread: int = 0

    @property
    def left(self) -> list[Entry]:
        """What the file says otherwise than the calendar, and what it says that was not taken in."""
        return [*self.older, *self.others, *self.often]


@dataclass(slots=True)
class _Change:
    """What a calendar loses and gets."""

    gone: list[Entry] = field(default_factory=list)
    coming: list[Entry] = field(default_factory=list)


def take_in(ctx: Context, book: Book, file: File) -> Taken:
    """Take the events of a file into the person's calendars. Raises ToolError."""
    sent = _read(ctx, book, file)
    found = Taken(unread=sent.unread)
    changes: dict[str, _Change] = {}
    fresh: list[Entry] = []
    there = _there(book)
    for group in _groups(sent):
        known = there.get(group[0].uid, [])
        if any(OFTEN.search(one.rule) or len(one.more) > _MOST_TIMES for one in group):
            found.often.append(group[0])
        elif not known:
            found.new.append(_first(group))
            fresh += group
        elif _is_newer(book, known, group, found):
            change = changes.setdefault(known[0].file.path, _Change())
            change.gone += _replaced(known, group)
            change.coming += group
    place = ""
    if fresh:
        main = main_calendar(ctx, book)
        place = main.file.path if main else ctx.path(MAIN)
        changes.setdefault(place, _Change()).coming += fresh
    old = {one.file.path: one.data for one in book.calendars}
    for path, change in changes.items():
        ctx.write(path, _changed(old.get(path, writing.EMPTY), sent, change))
    _say(ctx, book, file, found, words.name(ctx.file(place).name) if place else "")
    return found


# --- reading ------------------------------------------------------------------------------------------------------


def _read(ctx: Context, book: Book, file: File) -> Calendar:
    """The calendar that a file is. Raises ToolError where it is none to be taken in."""
    name = words.name(file.name)
    if ctx.path(file).startswith(f"{ctx.path(FOLDER)}/"):
        raise _WHY["own"](name)
    if (file.size_bytes or 0) > LARGEST:
        raise _WHY["large"](name)
    data = ctx.read_bytes(file)
    if len(data) > LARGEST:
        raise _WHY["large"](name)
    if is_wide(data):
        raise _WHY["wide"](name)
    try:
        sent = read(file, data, book.local)
    except NoCalendar as error:
        raise _WHY["none"](name) from error
    if not _CLOSED.search(data) or (sent.unread and not sent.entries):
        raise _WHY["none"](name)
    if len(sent.entries) > MOST_EVENTS:
        raise _WHY["large"](name)
    if (why := _sent_for(sent)) is not None:
        raise _of_file(why, name)
    if not sent.entries:
        raise _WHY["empty"](name)
    for one in sent.entries:
        one.uid = one.uid or sha256(data[one.block.first : one.block.last]).hexdigest()[:32]
    return sent


def _sent_for(sent: Calendar) -> str | None:
    """Which message of a person a calendar is, that has a way of its own; None where it is none.

    What calls itself an invitation and says nobody who invites, or nobody who is invited, cannot be answered.
    """
    if sent.method in ("CANCEL", *replies.METHODS):
        return "CANCEL" if sent.method == "CANCEL" else "REPLY"
    if sent.method != "REQUEST":
        return None
    try:
        message = invitations.Message(sent.method, sent.data)
        return "REQUEST" if invitations.of_message(sent.file, message, sent.zones.local).people else None
    except NoInvitation:
        return None


def _of_file(why: str, name: str) -> ToolError:
    error = _WHY[why]
    hint, hinweis = (text.format(place=name) for text in (error.hint, error.de_hint))
    return ToolError(error.en.format(place=name), hint=hint, code=error.code, de=error.de.format(place=name),
                     de_hint=hinweis)  # fmt: skip


# --- holding against what is there --------------------------------------------------------------------------------


def _groups(sent: Calendar) -> list[list[Entry]]:
    """The entries of each event: of a series with what stands for times of it."""
    groups: dict[str, list[Entry]] = {}
    for one in sent.entries:
        groups.setdefault(one.uid, []).append(one)
    return list(groups.values())


def _first(group: Sequence[Entry]) -> Entry:
    return next((one for one in group if one.replaces is None), group[0])


def _there(book: Book) -> dict[str, list[Entry]]:
    """What the calendars have of each event, by its UID: of the first calendar that has it."""
    found: dict[str, list[Entry]] = {}
    for one in book.entries:
        held = found.setdefault(one.uid, [])
        if not held or one.file.path == held[0].file.path:
            held.append(one)
    return found


def _replaced(known: Sequence[Entry], group: Sequence[Entry]) -> list[Entry]:
    """The entries that an event takes the place of; single times of a series take that of those times alone."""
    times = {one.replaces for one in group}
    return list(known) if None in times else [one for one in known if one.replaces in times]


def _is_newer(book: Book, known: Sequence[Entry], group: Sequence[Entry], found: Taken) -> bool:
    """Tell whether an event takes the place of what is there, and note what becomes of it."""
    entry, held = _first(group), _replaced(known, group)
    version = max(sequence_of(one.block) for one in group) - max(sequence_of(one.block) for one in held or known)
    if held and version == 0 and sorted(map(_content, held)) == sorted(map(_content, group)):
        found.same.append(entry)
    elif not _may_change(book, known, group):
        found.others.append(entry)
    elif version > 0 or (version == 0 and (not held or "" < _modified(held) < _modified(group))):
        found.newer.append((entry, _first(held or known)))
        return True
    else:
        found.older.append(entry)
    return False


def _content(one: Entry) -> str:
    """What an event says that a person would miss."""
    moments = [sorted(str(key_of(moment)) for moment in of) for of in (one.more, one.without)]
    said = (one.title, one.place, one.notes, one.rule, key_of(one.start), key_of(one.end), one.replaces)
    return repr((*map(str, said), moments, one.cancelled))


def _modified(group: Sequence[Entry]) -> str:
    """When an event was changed last; "" where it does not say so."""
    return max((line.value.strip() for one in group for line in one.block.all("LAST-MODIFIED")), default="")


def _may_change(book: Book, known: Sequence[Entry], group: Sequence[Entry]) -> bool:
    """Tell whether a file may replace an event: of the same organizer, who is not the person; or of none."""
    there, sent = ({organizer_of(one.block).address for one in of} for of in (known, group))
    return sent <= there and not there & book.of(known[0]).owners


# --- writing ------------------------------------------------------------------------------------------------------


def _changed(data: bytes, sent: Calendar, change: _Change) -> bytes:
    """A calendar with what it loses taken out, and what it gets behind all others, with the zones of that."""
    zones = _zones(data, sent, change.coming)
    names = {name: new for name, (new, _) in zones.items()}
    parts = [*dict.fromkeys(block for _, block in zones.values() if block and block not in data)]
    parts += [_component(sent, one, names) for one in change.coming]
    body = b"".join(parts).replace(b"\r\n", b"\n").replace(b"\n", end_of(data))
    at, _, body = writing.behind_all(data, body)
    gone = [(one.block.first, one.block.last, b"") for one in change.gone]
    return edited(data, [*gone, (at, at, body)])


def _zones(data: bytes, sent: Calendar, coming: Sequence[Entry]) -> dict[str, tuple[str, bytes]]:
    """The zones of some events: the name of each in the person's calendar, and its definition where that has none."""
    own = invitations.renamed_zones(sent)
    year = min(key_of(one.start).year for one in coming)
    lines = (line for one in coming for line in one.block.lines)
    found = {}
    for name in dict.fromkeys(line.parted[0].get("TZID", "") for line in lines):
        zone = in_database(name) if name else None
        if name in own:
            found[name] = own[name]
        elif isinstance(zone, ZoneInfo) and zone.key != "UTC":
            there = re.search(rb"^TZID:" + re.escape(zone.key.encode()) + rb"[ \t]*\r?$", data, re.MULTILINE)
            found[name] = zone.key, b"" if there else definition(zone, max(year - 1, 1970), b"\r\n")
    return found


def _component(sent: Calendar, entry: Entry, zones: dict[str, str]) -> bytes:
    """An event as the file has it, with those of its alarms that ring, and without attachments."""
    parts: list[bytes] = []
    inner: list[bytes] = []
    deep = 0
    for line in lines_of(sent.data[entry.block.first : entry.block.last]):
        deep += line.name == "BEGIN"
        into = inner if deep > 1 else parts
        into += [_line(line, deep, zones)] if line.name != "ATTACH" else []
        if line.name == "BEGIN" and deep == 1 and entry.block.one("UID") is None:
            parts.append(f"UID:{entry.uid}\r\n".encode())
        deep -= line.name == "END"
        if deep == 1 and inner:
            parts += inner if _RINGS.search(b"".join(inner)) else ()
            inner = []
    return b"".join(parts)


def _line(line: Line, deep: int, zones: dict[str, str]) -> bytes:
    return invitations.rewritten(line, "", zones) if deep == 1 else line.raw.rstrip(b"\r\n") + b"\r\n"


# --- telling ------------------------------------------------------------------------------------------------------


def _say(ctx: Context, book: Book, file: File, found: Taken, place: str) -> None:
    english, german = (_said(book, words.name(file.name), found, place, language) for language in ("en", "de"))
    ctx.say(english, de=german)
    found.text = german if ctx.language == "de" else english
    for one in found.new if len(found.new) <= 3 else ():
        if not one.repeats:
            telling.overlap(ctx, book, Occurrence(one, one.start, one.end, one.start))


def _said(book: Book, name: str, found: Taken, place: str, language: str) -> str:
    """What became of the events of a file, in words."""
    german = language == "de"
    parts = []
    if found.new:
        count = telling.events(len(found.new), language)
        head = f"{count} aus {name} in {place} eingetragen" if german else f"I put {count} from {name} into {place}"
        parts.append(f"{head}:\n{_listed([_label(one, book, language) for one in found.new], language)}")
    if found.newer:
        was = "bisher" if german else "before"
        lines = [f"{_label(new, book, language)} ({was}: {_label(old, book, language)})" for new, old in found.newer]
        head = f"Durch die neuere Fassung aus {name} ersetzt" if german else f"Updated to the newer version in {name}"
        parts.append(f"{head}:\n{_listed(lines, language)}")
    heads = (
        (found.same, "In your calendar already, unchanged", "Schon im Kalender, unverändert"),
        (found.older, "Left as your calendar has it, for the file has no newer version",
         "So gelassen, wie der Kalender es hat, denn die Datei hat keine neuere Fassung"),
        (found.others, "Left as your calendar has it, for it is your own or of another organizer",
         "So gelassen, wie der Kalender es hat, denn es ist dein eigener Termin oder jemand anders lädt dazu ein"),
        (found.often, "Left out, because it repeats so often that it would fill your calendar",
         "Weggelassen, weil es sich so oft wiederholt, dass es den Kalender füllen würde"),
    )  # fmt: skip
    for entries, head, kopf in heads:
        if entries:
            titles = [quoted(wording.untitled(one, language), language) for one in entries]
            parts.append(f"{kopf if german else head}: {words.listing(titles, language, most=_MOST_SAID)}.")
    if found.unread:
        count = telling.events(found.unread, language)
        parts.append(f"{count} in {name} {'lässt' if found.unread == 1 else 'lassen'} sich nicht lesen." if german
                     else f"{count} of {name} could not be read.")  # fmt: skip
    return "\n".join(parts)


def _label(one: Entry, book: Book, language: str) -> str:
    """An event with its time; its title is a stranger's word."""
    rule = f", {wording.lasting(one.rule, book.local, language)}" if one.rule else ""
    when = wording.when(Occurrence(one, one.start, one.end, one.start), book.local, language)
    return f"{quoted(wording.untitled(one, language), language)}: {when}{rule}"


def _listed(lines: Sequence[str], language: str) -> str:
    shown = "\n".join(f"- {one}" for one in lines[:_MOST_SAID])
    return shown + wording.further(len(lines) - _MOST_SAID, language)
