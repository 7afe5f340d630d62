"""Look people up in the contact files of ~/Contacts: numbers, addresses, birthdays. Nothing is changed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Literal

from rapidfuzz import fuzz

from skills.sdk import Context, File, Period, Query, ToolError, words

from . import cards
from .cards import Birthday, Card

FOLDER = "~/Contacts"
MOST_BYTES = 20 << 20
MOST_NAMED = 20
MOST_COMING = 5

_WORD = re.compile(r"\w+")
_SURPLUS = frozenset(
    "the my a an of s from contact contacts card person called named mr mrs ms dr name "
    "der die das den dem mein meine meiner meinem von vom kontakt herr herrn frau".split()
)
_ALIKE = 82.0

What = Literal["all", "phone", "email", "birthday", "address", "organisation"]


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
    known = list(_all(ctx))
    found = _meant(known, name)
    card = _merged([one for one, _ in found])
    said = _said(found, what, ctx.language)
    if not said:
        noun, nomen = _NOUNS[what]
        raise ToolError(
            f"The card of {card.name} says no {noun}.",
            hint="Ask for what the contacts know about them.",
            code="tool.missing",
            de=f"Die Karte von {card.name} nennt keine {nomen}.",
            de_hint="Frag, was die Kontakte sonst wissen.",
        )
    lines, zeilen = _answer(card, what, said, ctx.today)
    ctx.say(lines, de=zeilen)
    alike = [
        (one, place)
        for one, _, place in known
        if words.fold(one.name) == words.fold(card.name) or _may_be_mixed_up(one, card)
    ]
    file = next(where for one, where in found if _told(one, what, ctx.language))
    value = "" if what == "all" else " / ".join(one for _, one in said) if len(found) > 1 else said[0][1]
    facts = [fact for one, place in alike for fact in _facts(one, place)]
    return Contact(
        card.name, value, _first(card.phones), _first(card.mails), _day_of(card),
        card.addresses[0] if card.addresses else "", card.organisation, file, facts, [place for _, place in alike],
    )  # fmt: skip


def people(ctx: Context) -> list[str]:
    """List who is in the contacts."""
    names = sorted({card.name for card, _, _ in _all(ctx)}, key=words.fold)
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
    found = {(card.name, card.birthday) for card, _, _ in _all(ctx) if card.birthday is not None}
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


# --- reading ------------------------------------------------------------------------------------------------------


def _all(ctx: Context) -> Iterator[tuple[Card, File, str]]:
    """Yield every card with its file and the source that its facts stand under; broken files are named."""
    if not ctx.is_folder(FOLDER):
        raise ToolError(
            "There are no contacts: the folder ~/Contacts does not exist.",
            hint="Put .vcf files into ~/Contacts.",
            code="tool.missing",
            de="Es gibt keine Kontakte: den Ordner ~/Contacts gibt es nicht.",
            de_hint="Lege .vcf-Dateien in ~/Contacts.",
        )
    broken = []
    for file in sorted(ctx.scan(FOLDER), key=lambda one: one.path):
        if file.suffix != ".vcf":
            continue
        found = _cards(ctx, file)
        broken += [] if found else [file.name]
        for card in found:
            yield card, file, file.path if len(found) == 1 else f"{file.folder}/#{card.key}/{file.name}"
    if broken:
        named, benannt = words.listing(broken, most=5), words.listing(broken, "de", most=5)
        ctx.say(f"Passed over, because no card in it can be read: {named}.",
                de=f"Übergangen, weil sich darin keine Karte lesen lässt: {benannt}.")  # fmt: skip


def _cards(ctx: Context, file: File) -> list[Card]:
    """Return the cards of a file; none where it is no such file."""
    try:
        return cards.read(ctx.read_bytes(file)) if (file.size_bytes or 0) <= MOST_BYTES else []
    except (cards.NoCards, ToolError):
        return []


def _meant(known: list[tuple[Card, File, str]], name: str) -> list[tuple[Card, File]]:
    """Return every card of the one name that is meant. Raises ToolError where none is, or several are."""
    people = list({words.fold(card.name): card.name for card, _, _ in reversed(_matching(known, name))}.values())[::-1]
    if len(people) == 1:
        return [(card, file) for card, file, _ in known if words.fold(card.name) == words.fold(people[0])]
    choices = people or sorted({card.name for card, _, _ in known}, key=words.fold)
    if people:
        raise ToolError(
            f"More than one person in your contacts could be “{name}”: {words.listing(people, most=5)}.",
            hint="Say the whole name.",
            code="tool.ambiguous",
            instead_of=name,
            choices=choices,
            de=f"Mehr als eine Person in deinen Kontakten könnte „{name}“ sein: {words.listing(people, 'de', most=5)}.",
            de_hint="Nenne den ganzen Namen.",
        )
    raise ToolError(
        f"Nobody in your contacts is called “{name}”.",
        hint=f"There are: {words.listing(choices, most=5)}." if choices else "Put .vcf files into ~/Contacts.",
        code="tool.missing",
        instead_of=name,
        choices=choices,
        de=f"Niemand in deinen Kontakten heißt „{name}“.",
        de_hint=f"Es gibt: {words.listing(choices, 'de', most=5)}." if choices else "Lege .vcf-Dateien in ~/Contacts.",
    )


def _matching(known: list[tuple[Card, File, str]], name: str) -> list[tuple[Card, File, str]]:
    """Return those who may be called so: all words said are of the name, as they are or nearly."""
    said = _words_of(name)
    if not said:
        return []
    whole = [one for one in known if any(_words_of(form) == said for form in (one[0].name, *one[0].also))]
    if whole:
        return whole
    for alike in (_is_word, _is_near):
        found = [one for one in known if words.has_all(_names_of(one[0]), said, alike)]
        if found:
            return found
    return []


def _names_of(card: Card) -> list[str]:
    return [word for form in (card.name, *card.also, card.organisation) for word in _words_of(form)]


def _is_word(said: str, name: str) -> bool:
    return said in (name, f"{name}s", f"{name}es") or name == f"{said}s"


def _is_near(said: str, name: str) -> bool:
    return fuzz.ratio(said, name) >= _ALIKE


def _words_of(text: str) -> list[str]:
    return [word for word in _WORD.findall(words.fold(text)) if word not in _SURPLUS]


# --- answering ----------------------------------------------------------------------------------------------------

_NOUNS = {
    "all": ("details", "Angaben"), "phone": ("phone number", "Telefonnummer"),
    "email": ("e-mail address", "E-Mail-Adresse"), "birthday": ("birthday", "Angabe zum Geburtstag"),
    "address": ("address", "Adresse"), "organisation": ("organisation", "Firma"),
}  # fmt: skip
_LABELS = {
    "en": {"phone": "phone", "email": "e-mail", "birthday": "birthday", "address": "address",
           "organisation": "organisation", "role": "role"},
    "de": {"phone": "Telefon", "email": "E-Mail", "birthday": "Geburtstag", "address": "Adresse",
           "organisation": "Firma", "role": "Funktion"},
}  # fmt: skip
_KINDS = {
    "en": {"cell": "mobile", "home": "home", "work": "work", "fax": "fax"},
    "de": {"cell": "mobil", "home": "privat", "work": "Arbeit", "fax": "Fax"},
}


def _told(card: Card, what: str, language: str) -> list[tuple[str, str, str]]:
    """Return what one card says of ``what``: (label, value, what kind of it)."""
    tongue = "de" if language == "de" else "en"
    kinds = _KINDS[tongue] | {"": ""}
    told = [("phone", value, kinds[kind]) for value, kind in card.phones]
    told += [("email", value, kinds[kind]) for value, kind in card.mails]
    told += [("birthday", _birthday_words(card.birthday, tongue), "")] if card.birthday else []
    told += [("address", one, "") for one in card.addresses]
    told += [("organisation", _firm(card), "")] if _firm(card) else []
    told += [("role", card.role, "")] if card.role else []
    return [one for one in told if what in ("all", one[0])]


def _said(found: list[tuple[Card, File]], what: str, language: str) -> list[tuple[str, str]]:
    """Return what the cards say of ``what``: (label, value), the first the one that is meant.

    What not all of them say stands with the organisation or the file that its card is of.
    """
    told: dict[tuple[str, str], tuple[str, str, set[int]]] = {}
    for at, (card, _) in enumerate(found):
        for label, value, kind in _told(card, what, language):
            told.setdefault((label, "".join(words.fold(value).split())), (value, kind, set()))[2].add(at)
    origins = _origins(found)
    said = []
    for (label, _), (value, kind, cards_of) in told.items():
        where = [origins[at] for at in sorted(cards_of)] if len(cards_of) < len(found) else []
        notes = ", ".join(dict.fromkeys(one for one in (kind, *where) if one and one != value))
        said.append((label, f"{value} ({notes})" if notes else value))
    return sorted(said, key=lambda one: list(_LABELS["en"]).index(one[0]))


def _origins(found: list[tuple[Card, File]]) -> list[str]:
    """What tells cards of one name apart: the organisation where only one is of it, else the file."""
    firms = [_firm(card) for card, _ in found]
    return [firm if firm and firms.count(firm) == 1 else file.name
            for firm, (_, file) in zip(firms, found, strict=True)]  # fmt: skip


def _firm(card: Card) -> str:
    return card.organisation if card.organisation != card.name else ""


def _merged(found: list[Card]) -> Card:
    """Return what cards of one name say together; of what there is only one of, what they agree on."""
    days = {card.birthday for card in found if card.birthday}
    firms = {card.organisation for card in found if card.organisation}
    return Card(
        name=found[0].name,
        phones=[one for card in found for one in card.phones],
        mails=[one for card in found for one in card.mails],
        addresses=[one for card in found for one in card.addresses],
        birthday=days.pop() if len(days) == 1 else None,
        organisation=firms.pop() if len(firms) == 1 else "",
    )


def _answer(card: Card, what: str, said: list[tuple[str, str]], today: date) -> tuple[str, str]:
    if what == "all":
        lines = [
            "; ".join(f"{_LABELS[tongue][label]}: {value}" for label, value in said) for tongue in ("en", "de")
        ]  # fmt: skip
        return f"{card.name}: {lines[0]}.", f"{card.name}: {lines[1]}."
    values = " / ".join(value for _, value in said)
    if what == "birthday":
        age = _age(card.birthday, today)
        years, jahre = (f" ({age} years old)", f" und ist {age} Jahre alt") if age is not None else ("", "")
        return f"{card.name}’s birthday is {values}{years}.", f"{card.name} hat am {values} Geburtstag{jahre}."
    if what == "organisation":
        return f"{card.name} is with {values}.", f"{card.name} gehört zu {values}."
    noun, nomen = _NOUNS[what]
    return f"{card.name}’s {noun}: {values}.", f"{nomen} von {card.name}: {values}."


def _birthday_words(when: Birthday, language: str) -> str:
    shown = words.day(date(when.year or 2000, when.month, when.day), language)
    return shown if when.year else shown.replace("2000", "").strip(" ,")


def _age(when: Birthday | None, today: date) -> int | None:
    """Return how old somebody is today; None where the year is not known."""
    if when is None or not when.year or when.year > today.year:
        return None
    return when.next_after(today).year - when.year - (when.next_after(today) != today)


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


def _day_of(card: Card) -> date | None:
    when = card.birthday
    return date(when.year, when.month, when.day) if when and when.year else None


# --- facts --------------------------------------------------------------------------------------------------------


def _may_be_mixed_up(one: Card, other: Card) -> bool:
    """Tell whether two have a name in common: who knows of one should know that there is the other."""
    return not set(_words_of(one.name)).isdisjoint(_words_of(other.name))


def _facts(card: Card, source: str) -> list[Fact]:
    """Return what the card says as facts: what has a relation of its own, and nothing else."""
    told = [("phone", value, "") for value, _ in card.phones] + [("email", value, "") for value, _ in card.mails]
    told += [("address", one, "") for one in card.addresses[:1]]
    day = _day_of(card)
    told += [("birthday", day.isoformat(), "")] if day else []
    if not card.is_organisation:
        told += [("works_at", card.organisation, "org")] if card.organisation and card.organisation != card.name else []
        told += [("role", card.role, "")] if card.role else []
    kind = "org" if card.is_organisation else "person"
    return [Fact(card.name, kind, list(card.also), relation, value, of, source) for relation, value, of in told]
