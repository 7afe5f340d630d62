"""The people of ~/Contacts: looked up, added, changed, taken out, in the contact files (.vcf) themselves."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import date
from typing import Literal

from skills.sdk import Context, File, Period, Query, Text, words

from . import book, changing, facts, importing, saying, telling, writing
from .cards import Birthday, Card

MOST_NAMED = 20
MOST_COMING = 5

What = Literal["all", "phone", "mobile", "work_phone", "home_phone", "email", "birthday", "address", "organisation"]
Detail = Literal[
    "phone", "mobile", "work_phone", "home_phone", "fax", "email", "work_email", "home_email", "birthday", "address",
    "organisation", "role", "note", "name",
]  # fmt: skip
Lost = Literal[
    "everything", "phone", "mobile", "work_phone", "home_phone", "fax", "email", "work_email", "home_email", "birthday",
    "address", "organisation", "role", "note",
]  # fmt: skip
How = Literal["instead", "besides"]
Same = Literal["ask", "another"]


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that a file says of somebody, in the words of the graph."""

    subject: str
    kind: str
    names: list[str]
    predicate: str
    object: str
    object_kind: str
    source: str


@dataclass(frozen=True, slots=True)
class Contact:
    """What the contact files say about somebody, all cards of that name. ``value`` is what was asked for, "" where
    everything was; ``birthday`` and ``organisation`` are what the cards agree on.
    """

    name: str
    value: str
    phone: str
    email: str
    birthday: date | None
    address: str
    organisation: str
    file: File
    facts: list[Fact]
    sources: list[str]


@dataclass(frozen=True, slots=True)
class Written:
    """What was written of somebody: their name, what it is about ("" where it is all), its value, and where; and what
    the cards that are other now say.
    """

    name: str
    detail: str
    value: str
    file: File
    facts: list[Fact]
    sources: list[str]


@dataclass(frozen=True, slots=True)
class Imported:
    """What became of a file of cards: who is new, and who was in the contacts already; and what the new cards say."""

    text: str
    added: list[str]
    already: list[str]
    facts: list[Fact]
    sources: list[str]


@dataclass(frozen=True, slots=True)
class Coming:
    """Somebody's next birthday, and how old they become (None where the card has no year)."""

    name: str
    day: date
    age: int | None


def find(ctx: Context, name: Query, what: What = "all") -> Contact:
    """Look up what the contacts say about a person: phone number, e-mail, birthday, address or organisation.

    Args:
        name: who.
        what: what is asked for; everything when absent.
    """
    known = list(book.everybody(ctx))
    found = book.meant(known, name)
    card = telling.merged([one for one, _ in found])
    said = telling.said_of(found, what, ctx.language)
    if not said:
        raise changing.no_such(card.name, what)
    lines, zeilen = telling.answer(card, what, said, ctx.today)
    ctx.say(lines, de=zeilen)
    alike = [
        (one, place)
        for one, _, place in known
        if words.fold(one.name) == words.fold(card.name) or _may_be_mixed_up(one, card)
    ]
    file = next(where for one, where in found if telling.told(one, what, ctx.language))
    value = "" if what == "all" else " / ".join(one for _, one in said) if len(found) > 1 else said[0][1]
    told = [Fact(*fact) for one, place in alike for fact in facts.of(one, place)]
    return Contact(
        card.name, value, _first(card.phones), _first(card.mails), facts.day_of(card),
        card.addresses[0] if card.addresses else "", card.organisation, file, told, [place for _, place in alike],
    )  # fmt: skip


def people(ctx: Context) -> list[str]:
    """List who is in the contacts."""
    names = sorted({card.name for card, _, _ in book.everybody(ctx)}, key=words.fold)
    if not names:
        ctx.say("There is nobody in your contacts.", de="In deinen Kontakten steht niemand.")
        return []
    listed, liste = words.listing(names, most=MOST_NAMED), words.listing(names, "de", most=MOST_NAMED)
    count = words.count(len(names), "person", "people")
    ctx.say(f"{count} in your contacts: {listed}.", de=f"{len(names)} in deinen Kontakten: {liste}.")
    return names


def birthdays(ctx: Context, count: int | None = None, when: Period | None = None) -> list[Coming]:
    """Tell whose birthday is next in the contacts, or is in some days.

    Args:
        count: how many of them; five when absent.
        when: only those in these days.
    """
    found = {(card.name, card.birthday) for card, _, _ in book.everybody(ctx) if card.birthday is not None}
    start = when.start if when and when.start else ctx.today
    coming = sorted(
        (_coming(name, day, start) for name, day in found if day is not None),
        key=lambda one: (one.day, words.fold(one.name)),
    )
    if when is not None:
        coming = [one for one in coming if when.holds(one.day)]
    coming = coming[: max(count, 1) if count is not None else None if when else MOST_COMING]
    ctx.say(_birthdays_words(coming, when, ctx.today, "en"), de=_birthdays_words(coming, when, ctx.today, "de"))
    return coming


# --- changing -----------------------------------------------------------------------------------------------------


def add(ctx: Context, name: Query, details: Text | None = None, same: Same = "ask") -> Written:
    """Put somebody into the contacts, with a phone number, an e-mail address, a birthday, an address or a note.

    Args:
        name: who.
        details: what is known of them.
        same: another person where somebody is called so already.
    """
    person, rest = changing.parted(name)
    said = [*saying.details(rest), *saying.details(details or "")]
    known = list(book.everybody(ctx)) if ctx.is_folder(book.FOLDER) else []
    twins = [card for card, _, _ in known if words.fold(card.name) == words.fold(person)]
    if twins and same == "ask":
        raise changing.is_there(twins[0].name)
    file, data, cards_there = changing.shelf(ctx, known, person)
    uid = str(uuid.UUID(int=ctx.random.getrandbits(128), version=4))
    try:
        new = writing.added(data, cards_there, writing.Wanted(uid, person, said), ctx.now)
    except writing.Unwritable as error:
        raise changing.unwritable(words.name(file.name)) from error
    ctx.write(file, new)
    changing.say_added(ctx, person, said, file)
    return Written(person, "", "", ctx.file(file), *_since(known, file, new))


def import_file(ctx: Context, file: File) -> Imported:
    """Take everybody in a contact file into the contacts; who is there already is not doubled, and nothing overwritten.

    Args:
        file: the contact file (.vcf).
    """
    known = list(book.everybody(ctx)) if ctx.is_folder(book.FOLDER) else []
    found = importing.read(ctx, file, [card for card, _, _ in known])
    place = ""
    told: tuple[list[Fact], list[str]] = ([], [])
    if found.new:
        path = ctx.unused(f"{book.FOLDER}/{words.file_name(file.stem) or 'contacts'}.vcf")
        ctx.write(path, found.data)
        place, told = ctx.shown(path), _since(known, ctx.file(path), found.data)
    text = importing.say(ctx, found, file, place)
    there = [card.name for card in (*found.same, *(old for _, old in found.other))]
    return Imported(text, [card.name for card in found.new], there, *told)


def change(ctx: Context, name: Query, detail: Detail, value: Text, how: How = "instead") -> Written:
    """Change what the contacts say about a person, or add to it: number, e-mail, birthday, address, firm, note, name.

    Args:
        name: who.
        detail: what of them is new.
        value: what it is now.
        how: in place of what stands there, or besides it.
    """
    known = list(book.everybody(ctx))
    card, file = changing.one_of(known, name)
    said = changing.said_of(detail, value, card)
    data = ctx.read_bytes(file)
    try:
        new = writing.changed(data, card, said, ctx.now, besides=how == "besides")
    except writing.Several as several:
        choices = changing.in_place_of(said, several.values, ctx.language)
        raise changing.several(card.name, said.what, several.values, value, choices) from several
    except writing.NotThere as other:
        raise changing.not_there(card.name, said, other.values, value, ctx.language) from other
    except writing.Unwritable as error:
        raise changing.unwritable(words.name(file.name)) from error
    if new == data:
        changing.say_same(ctx, card.name, said)
    else:
        ctx.write(file, new)
        changing.say_changed(ctx, card, said, besides=how == "besides")
    person = said.value if said.what == "name" else card.name
    return Written(person, detail, said.value, ctx.file(file), *_since(known, file, new))


def remove(ctx: Context, name: Query, detail: Lost = "everything") -> Written:
    """Take somebody out of the contacts, or one thing that is said of them.

    Args:
        name: who.
        detail: what of them; the whole person when absent.
    """
    known = list(book.everybody(ctx))
    card, file, of = changing.one_with(known, name)
    data = ctx.read_bytes(file)
    if detail != "everything":
        what, kind = changing.KINDS[detail]
        try:
            new = writing.without(data, card, what, kind, ctx.now, of=of)
        except writing.Several as several:
            choices = [f"{card.name} ({one})" for one in several.values]
            raise changing.several(card.name, what, several.values, name, choices) from several
        except writing.Unwritable as error:
            raise changing.unwritable(words.name(file.name)) from error
        if new == data:
            raise changing.no_such(card.name, what)
        ctx.write(file, new)
        changing.say_lost(ctx, card.name, what)
        return Written(card.name, detail, "", ctx.file(file), *_since(known, file, new))
    try:
        rest = writing.removed(data, card)
    except writing.Unwritable as error:
        raise changing.unwritable(words.name(file.name)) from error
    if rest.strip():
        ctx.write(file, rest)
    else:
        ctx.delete(file)
    changing.say_removed(ctx, card.name, file)
    return Written(card.name, "", "", file, *_since(known, file, rest))


# --- inside -------------------------------------------------------------------------------------------------------


def _coming(name: str, when: Birthday, today: date) -> Coming:
    day = when.next_after(today)
    return Coming(name, day, day.year - when.year if when.year else None)


def _birthdays_words(coming: list[Coming], when: Period | None, today: date, language: str) -> str:
    german = language == "de"
    if not coming and when is None:
        return "Keine Karte deiner Kontakte nennt einen Geburtstag." if german else (
            "No card of your contacts has a birthday.")  # fmt: skip
    if not coming:
        return "In der Zeit hat keiner deiner Kontakte Geburtstag." if german else (
            "None of your contacts has a birthday then.")  # fmt: skip
    heading = ("Geburtstage" if german else "Birthdays") if when else (
        "Die nächsten Geburtstage" if german else "Next birthdays")  # fmt: skip
    told = [_coming_words(one, today, language) for one in coming[:MOST_NAMED]]
    if len(coming) > MOST_NAMED:
        told.append(f"{len(coming) - MOST_NAMED} {'weitere' if german else 'more'}")
    return f"{heading}: {'; '.join(told)}."


def _coming_words(one: Coming, today: date, language: str) -> str:
    days, german = (one.day - today).days, language == "de"
    near = ("heute", "morgen") if german else ("today", "tomorrow")
    when = near[days] if 0 <= days < 2 else f"in {days} {'Tagen' if german else 'days'}" if days > 1 else ""
    age = "" if one.age is None else f"wird {one.age}" if german else f"turns {one.age}"
    told = ", ".join(filter(None, (when, age)))
    named = f"{one.name} am {words.day(one.day, 'de')}" if german else f"{one.name} on {words.day(one.day)}"
    return f"{named} ({told})" if told else named


def _first(values: list[tuple[str, str]]) -> str:
    return values[0][0] if values else ""


def _may_be_mixed_up(one: Card, other: Card) -> bool:
    """Tell whether two have a name in common: who knows of one should know that there is the other."""
    return not set(book.words_of(one.name)).isdisjoint(book.words_of(other.name))


def _since(known: list[tuple[Card, File, str]], file: File, data: bytes) -> tuple[list[Fact], list[str]]:
    told, sources = facts.since(known, file, data)
    return [Fact(*one) for one in told], sources
