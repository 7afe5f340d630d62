"""Tell memory whom the person knows and what they do when, from ~/Contacts and ~/Calendar. Nothing is changed there."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from skills.sdk import Context, File, ToolError, words

from .cards import Property, components

CONTACTS, CALENDAR = "~/Contacts", "~/Calendar"
MOST_FACTS = 5_000
MOST_BYTES = 8 << 20


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that a file says. ``object_kind`` is empty for a value; times are ISO texts; ``source`` is the file."""

    subject: str
    kind: str
    names: list[str]
    predicate: str
    object: str
    object_kind: str
    source: str


@dataclass(frozen=True, slots=True)
class Learnt:
    """What was read: facts for memory, and the files that they are from."""

    facts: list[Fact]
    sources: list[str]


def contacts(ctx: Context) -> Learnt:
    """Learn who is in the address book."""
    facts, sources, bad = _read(ctx, CONTACTS, ".vcf", _of_contacts)
    people = len({(fact.source, fact.subject) for fact in facts})
    ctx.say(
        f"I read {words.count(people, 'contact', 'contacts')} in "
        f"{words.count(len(sources), 'file', 'files')}{_bad(bad)}.",
        de=f"Ich habe {words.count(people, 'Kontakt', 'Kontakte')} in {words.count(len(sources), 'Datei', 'Dateien')} "
        f"gelesen{_schlecht(bad)}.",
    )
    return Learnt(facts, sources)


def calendar(ctx: Context) -> Learnt:
    """Learn what is in the calendar."""
    zone = ctx.now.tzinfo
    facts, sources, bad = _read(ctx, CALENDAR, ".ics", lambda text, source: _of_calendar(text, source, zone))
    events = len({(fact.source, fact.subject) for fact in facts if fact.predicate == "happened_at"})
    ctx.say(
        f"I read {words.count(events, 'event', 'events')} in {words.count(len(sources), 'file', 'files')}{_bad(bad)}.",
        de=f"Ich habe {words.count(events, 'Termin', 'Termine')} in {words.count(len(sources), 'Datei', 'Dateien')} "
        f"gelesen{_schlecht(bad)}.",
    )
    return Learnt(facts, sources)


def _bad(files: Sequence[str]) -> str:
    return f"; not readable: {words.listing(list(files))}" if files else ""


def _schlecht(files: Sequence[str]) -> str:
    return f"; nicht lesbar: {words.listing(list(files), 'de')}" if files else ""


def _read(
    ctx: Context, folder: str, suffix: str, facts_of: Callable[[str, str], Iterator[Fact]]
) -> tuple[list[Fact], list[str], list[str]]:
    """(facts, files read, names of files that could not be). Raises ToolError where there is nothing to read."""
    files = sorted((file for file in ctx.scan(folder) if file.suffix == suffix), key=lambda file: file.path)
    if not files:
        raise ToolError(
            f"There is no {suffix} file in {folder}.", de=f"In {folder} liegt keine {suffix}-Datei.",
            hint=f"Put your {suffix} files there, then ask again.",
            de_hint=f"Lege deine {suffix}-Dateien dorthin und frag noch einmal.",
        )  # fmt: skip
    facts: list[Fact] = []
    sources, bad = [], []
    for file in files:
        text = _text(ctx, file)
        if text is None or "BEGIN:" not in text.upper():
            bad.append(file.name)
            continue
        sources.append(file.path)
        facts += facts_of(text, file.path)
    return facts[:MOST_FACTS], sources, bad


def _text(ctx: Context, file: File) -> str | None:
    if file.size_bytes > MOST_BYTES:
        return None
    content = ctx.read_bytes(file)
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        return content.decode("latin-1")


# --- contacts -----------------------------------------------------------------------------------------------------


def _of_contacts(text: str, source: str) -> Iterator[Fact]:
    for card in components(text, "VCARD"):
        name = _name(card)
        if name:
            nicknames = [one.text for one in card if one.name == "NICKNAME" and one.text]
            for predicate, value, kind in _said(card):
                yield Fact(name, "person", nicknames, predicate, value, kind, source)


def _name(card: Sequence[Property]) -> str:
    full = next((one.text for one in card if one.name == "FN" and one.text), "")
    parts = next((one.parts for one in card if one.name == "N"), [])
    return full or " ".join(part for part in (*parts[1:2], *parts[:1]) if part)


def _said(card: Sequence[Property]) -> Iterator[tuple[str, str, str]]:
    for one in card:
        match one.name:
            case "TEL" if one.text:
                yield "phone", one.text.removeprefix("tel:"), ""
            case "EMAIL" if "@" in one.text:
                yield "email", one.text.removeprefix("mailto:"), ""
            case "ADR" if any(one.parts):
                yield "address", ", ".join(part for part in one.parts if part), ""
            case "ORG" if one.parts[0]:
                yield "works_at", one.parts[0], "org"
            case "TITLE" | "ROLE" if one.text:
                yield "role", one.text, ""
            case "BDAY" if day := _day(one.value):
                yield "birthday", day, ""
            case _:
                pass


def _day(value: str) -> str:
    """A whole date as ISO; "" for one without a year."""
    found = re.match(r"(\d{4})-?(\d{2})-?(\d{2})", value.strip())
    try:
        return date(*map(int, found.groups())).isoformat() if found else ""
    except ValueError:
        return ""


# --- calendar -----------------------------------------------------------------------------------------------------


def _of_calendar(text: str, source: str, zone: tzinfo | None) -> Iterator[Fact]:
    for event in components(text, "VEVENT"):
        title = next((one.text for one in event if one.name == "SUMMARY" and one.text), "")
        start = next((at for one in event if one.name == "DTSTART" and (at := _moment(one, zone))), None)
        if not title or start is None:
            continue
        name = f"{title} ({start:%Y-%m-%d})"
        yield Fact(name, "event", [], "happened_at", start.isoformat(), "", source)
        for one in event:
            if one.name == "LOCATION" and one.text:
                yield Fact(name, "event", [], "located_at", one.text, "place", source)
            elif one.name == "ATTENDEE" and (who := one.parameters.get("CN", "").strip()):
                yield Fact(who, "person", [], "attends", name, "event", source)


def _moment(one: Property, zone: tzinfo | None) -> datetime | None:
    """When an event begins; a whole day at its midnight. A zone that is not known counts as the person's."""
    found = re.fullmatch(r"(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})(\d{2})(Z?))?", one.value.strip())
    if found is None:
        return None
    try:
        here: tzinfo | None = ZoneInfo("UTC") if found[7] else _zone(one.parameters.get("TZID", ""), zone)
        return datetime(*(int(part or 0) for part in found.groups()[:6]), tzinfo=here)  # type: ignore[arg-type,misc]
    except ValueError:
        return None


def _zone(name: str, zone: tzinfo | None) -> tzinfo | None:
    try:
        return ZoneInfo(name) if name else zone
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return zone
