"""What somebody says of a person, taken apart: "0170 123456, lena@example.org, born on 3 May 1990".

What this stops: a value that is none of its kind (a word for a number) getting into a card, and a line break in one
bringing a line of its own. What it does not: know whether the number is theirs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from skills.sdk import ErrorWords, words

from .cards import Birthday

LONGEST = 5_000

_MONTH = r"(?P<month>[^\W\d_]{3,9})\.?"
_YEAR = r"(?:,?\s+(?P<year>\d{4}))?"
_DAYS = [
    re.compile(r"(?P<year>\d{4})-(?P<number>\d{1,2})-(?P<day>\d{1,2})"),
    re.compile(r"(?P<day>\d{1,2})\.\s?(?P<number>\d{1,2})\.?\s?(?P<year>\d{4})?"),
    re.compile(rf"(?P<day>\d{{1,2}})(?:st|nd|rd|th|\.)?\s+(?:of\s+)?{_MONTH}{_YEAR}"),
    re.compile(rf"{_MONTH}\s+(?:the\s+)?(?P<day>\d{{1,2}})(?:st|nd|rd|th)?{_YEAR}"),
]
_BEFORE_DAY = re.compile(r"(?:is|ist|on|am|the|der|den|dem)\s+", re.IGNORECASE)
_PHONE = re.compile(r"\+?[\d(][\d\s()/.\u2013-]*\d(?:\s*(?:ext\.?|x|durchwahl)\s*\d{1,6})?", re.IGNORECASE)
_MAIL = re.compile(r"[^\s@<>,;:\"()\[\]\\]+@[^\s@<>,;:\"()\[\]\\]+\.[^\W\d_]{2,}")
_STREET = re.compile(
    r"[^\W\d_]{2}[^\d]*\s\d+\s?[a-z]?|\d+[a-z]?\s[^\d]*\b(?:street|st|road|rd|avenue|ave|lane|drive|way|square|court|close|"
    r"place|terrace|boulevard|blvd)\.?", re.IGNORECASE,
)  # fmt: skip
_TOWN = re.compile(
    r"(?:[A-Z]{1,2}-)?\d{4,5}\s+[^\W\d_].*|[^\W\d_][^\d]*|[^\W\d_].*\s\d{5}|.*\b[A-Z]{1,2}\d\w?\s\d[A-Z]{2}"
)
_POSTED = re.compile(r"(?:[A-Z]{1,2}-)?(?P<code>\d{4,5})\s+(?P<town>.+)")
_POSTED_LAST = re.compile(r"(?P<town>.+?)\s+(?P<code>\d{5}(?:-\d{4})?|[A-Z]{1,2}\d\w?\s\d[A-Z]{2})")

_INSTEAD = re.compile(
    r"(?P<new>\S.*?)\s+(?:instead of|in place of|rather than|statt|anstatt|anstelle von)\s+(?P<old>\S.*)",
    re.IGNORECASE,
)
_FILLED = re.compile(r"(?:now|jetzt|ab jetzt|neuerdings)\s+(?=\S)|:\s*", re.IGNORECASE)

_LABELS: tuple[tuple[str, str, str], ...] = (
    ("phone", "cell", r"(?:mobile|cell|handy|mobil)(?:\s?(?:phone|number)|nummer|telefon)?"),
    ("phone", "work",
     r"(?:work|office|business)\s(?:phone|number|phone number)|(?:büro|dienst|arbeits|geschäfts)(?:nummer|telefon)"),
    ("phone", "home", r"home\s(?:phone|number|phone number)|privat(?:nummer|telefon)|festnetz(?:nummer)?"),
    ("phone", "fax", r"fax(?:\snumber|nummer)?"),
    ("phone", "", r"(?:tele)?phone(?:\snumber)?|tel\.?|number|telefon(?:nummer)?|nummer"),
    ("email", "work",
     r"(?:work|office|business)\s(?:e-?mail|mail)(?:\saddress)?|dienst(?:liche)?\s?(?:e-?mail|mail)(?:-?adresse)?"),
    ("email", "", r"(?:e-?mail|mail)(?:\saddress|-?adresse)?"),
    ("birthday", "", r"birthday|date of birth|born(?:\son)?|geburtstag|geburtsdatum|geboren(?:\sam)?"),
    ("address", "", r"(?:postal |home )?address|lives (?:in|at)|adresse|anschrift|wohnt (?:in|im|am|an der)"),
    ("organisation", "", r"company|employer|organi[sz]ation|works (?:at|for)|firma|arbeitgeber|arbeitet (?:bei|für)"),
    ("role", "", r"job(?: title)?|profession|beruf|position"),
    ("note", "", r"note|remark|notiz|bemerkung|anmerkung"),
)  # fmt: skip
_WHOSE = r"(?:(?:the|his|her|their|die|der|das|seine|ihre|sein|ihr)\s+)?"
_VALUE = r"\s*(?::|=|\s(?:is|ist)\s|\s)\s*(?P<value>.+)"
_LABELLED = [
    (what, kind, re.compile(f"{_WHOSE}(?:{label}){_VALUE}", re.IGNORECASE | re.DOTALL)) for what, kind, label in _LABELS
]
_KIND_BEHIND = re.compile(r"(?P<value>.+?)\s*\((?P<kind>[^()]+)\)")
_KINDS = {
    "mobile": "cell", "cell": "cell", "mobil": "cell", "handy": "cell", "work": "work", "office": "work",
    "business": "work", "dienstlich": "work", "arbeit": "work", "büro": "work", "home": "home", "private": "home",
    "privat": "home", "zuhause": "home", "fax": "fax",
}  # fmt: skip

not_a = {
    "phone": ErrorWords(
        "contacts.value", "“{place}” is no phone number.", "Say the number with its digits: 0170 123456.",
        "„{place}“ ist keine Telefonnummer.", "Sag die Nummer mit ihren Ziffern: 0170 123456."),
    "email": ErrorWords(
        "contacts.value", "“{place}” is no e-mail address.", "Say the whole address: anna@example.org.",
        "„{place}“ ist keine E-Mail-Adresse.", "Sag die ganze Adresse: anna@example.org."),
    "birthday": ErrorWords(
        "contacts.value", "“{place}” is no day.", "Say the day with the month's name: 3 May 1990, or 3 May.",
        "„{place}“ ist kein Tag.", "Sag den Tag mit dem Namen des Monats: 3. Mai 1990, oder 3. Mai."),
}  # fmt: skip
_unclear = ErrorWords(
    "contacts.value", "I do not know what “{place}” is to be of a person.",
    "Say what it is: phone 0170 123456, e-mail anna@example.org, birthday 3 May 1990, address …, company …, note …",
    "Ich weiß nicht, was „{place}“ bei einer Person sein soll.",
    "Sag, was es ist: Telefon 0170 123456, E-Mail a@example.org, Geburtstag 3. Mai 1990, Adresse …, Firma …, Notiz …",
)  # fmt: skip
_nothing = ErrorWords(
    "contacts.value", "There is nothing to be written.", "Say it: Tom's new number is 0170 123456.",
    "Es steht nichts da, was einzutragen wäre.", "Sag es: Toms neue Nummer ist 0170 123456.",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Said:
    """One thing about a person: what it is, of which kind ("cell", "work", "" where none is said), and its value.

    ``old`` is what it takes the place of, where that was said.
    """

    what: str
    kind: str
    value: str
    day: Birthday | None = None
    old: str = ""


def plain(text: str, *, lines: bool = False) -> str:
    """Return a text without what is not seen; of one line unless ``lines``."""
    kept = [" ".join("".join(one for one in line if one.isprintable() or one.isspace()).split())
            for line in (text.splitlines() if lines else [" ".join(text.splitlines())])]  # fmt: skip
    return "\n".join(kept).strip()[:LONGEST]


def value_of(what: str, kind: str, text: str) -> Said:
    """Return what is said as a detail of a kind. Raises ToolError where it is none."""
    value = plain(text, lines=what == "note").strip(" ,;")
    value = value[found.end() :] if (found := _FILLED.match(value)) is not None else value
    if not value:
        raise _nothing()
    old = ""
    if what in ("phone", "email", "address") and (found := _INSTEAD.fullmatch(value)) is not None:
        value, old = found["new"], found["old"]
    match what:
        case "phone":
            value = value.removeprefix("tel:").rstrip(".")
            if not is_phone(value):
                raise not_a[what](value)
        case "email":
            value = value.removeprefix("mailto:").strip("<>").rstrip(".")
            if not _MAIL.fullmatch(value):
                raise not_a[what](value)
        case "birthday":
            when = day_of(value)
            if when is None:
                raise not_a[what](value)
            return Said(what, "", value, when)
    return Said(what, kind, value, old=old)


def is_phone(text: str) -> bool:
    """Tell whether a text is a phone number: three to twenty digits and what stands between such."""
    return _PHONE.fullmatch(text) is not None and 3 <= sum(letter.isdigit() for letter in text) <= 20


def day_of(text: str) -> Birthday | None:
    """Return the day of a birthday as people say it, with a year or without; None where it is none.

    "3/5/1990" is none: it is another day on each side of an ocean.
    """
    said = text.strip().rstrip("!")
    while (before := _BEFORE_DAY.match(said)) is not None:
        said = said[before.end() :]
    for form in _DAYS:
        found = form.fullmatch(said)
        if found is None:
            continue
        parts = found.groupdict()
        month = (
            int(parts["number"]) if parts.get("number") else words.MONTHS.get((parts.get("month") or "").casefold(), 0)
        )
        year, day = int(parts["year"] or 0), int(parts["day"])
        try:
            date(year or 2000, month, day)
        except ValueError:
            continue
        return Birthday(month, day, year)
    return None


def details(text: str) -> list[Said]:
    """Return what is said of a person, part by part. Raises ToolError where a part says not what it is."""
    found: list[Said] = []
    for part in _parts(text):
        one = _guessed(part)
        if one is not None:
            found.append(one)
        elif found and found[-1].what == "address" and _TOWN.fullmatch(part):
            found[-1] = Said("address", "", f"{found[-1].value}, {part}")
        elif found and found[-1].what == "note":
            found[-1] = Said("note", "", f"{found[-1].value}, {part}")
        else:
            found += _joined(part)
    return found


def _parts(text: str) -> Iterator[str]:
    whole = re.sub(rf"({_MONTH}\s+\d{{1,2}}(?:st|nd|rd|th)?),(?=\s+\d{{4}}\b)", r"\1", text)
    for part in re.split(r"[,;\n]", whole):
        said = re.sub(r"^(?:and|und|with|mit)\s+", "", plain(part), flags=re.IGNORECASE)
        if said:
            yield said


def _joined(part: str) -> list[Said]:
    """Two in one part: "0170 5 and anna@example.org". Raises ToolError where they are not."""
    pieces = re.split(r"\s+(?:and|und|&)\s+", part)
    found = [_guessed(one) for one in pieces]
    if len(pieces) < 2 or not all(found):
        raise _unclear(part)
    return [one for one in found if one is not None]


def _guessed(part: str) -> Said | None:
    """One part by its label, else by its form; None where neither tells what it is."""
    for what, kind, label in _LABELLED:
        found = label.fullmatch(part)
        if found is not None and not _is_two(what, found["value"]):
            return value_of(what, kind, found["value"])
    behind = _KIND_BEHIND.fullmatch(part)
    kind = _KINDS.get(behind["kind"].strip().casefold(), "") if behind else ""
    value = behind["value"] if behind and kind else part
    if _MAIL.fullmatch(value):
        return Said("email", kind, value)
    if day_of(value) is not None:
        return value_of("birthday", "", value)
    if is_phone(value):
        return Said("phone", kind, value)
    return Said("address", kind, value) if _STREET.fullmatch(value) else None


def _is_two(what: str, value: str) -> bool:
    """Tell whether a labelled value goes on behind an "and" with something of its own."""
    return what in ("phone", "email", "birthday") and re.search(r"\s(?:and|und|&)\s", value) is not None


def address_of(text: str) -> list[str]:
    """Return an address as the seven parts of a card: post box, more, street, town, region, code, country."""
    street, *rest = [part.strip() for part in plain(text).split(",") if part.strip()]
    town = code = ""
    if rest:
        found = _POSTED.fullmatch(rest[0]) or _POSTED_LAST.fullmatch(rest[0])
        town, code = (found["town"], found["code"]) if found else (rest[0], "")
    elif (found := _POSTED.fullmatch(street)) is not None:
        street, town, code = "", found["town"], found["code"]
    return ["", "", street, town, "", code, ", ".join(rest[1:])]


_PARTICLES = frozenset("von van de der den del della di du da la le zu zur zum vom ten ter al bin ibn".split())
_TITLES = frozenset("dr dr. prof prof. mr mr. mrs mrs. ms ms.".split())


def name_parts(name: str) -> tuple[str, str, str]:
    """Return a name as (family, given, title): "Dr. Ludwig van Beethoven" is ("van Beethoven", "Ludwig", "Dr.")."""
    said = name.split()
    titles: list[str] = []
    while len(said) > 1 and said[0].casefold() in _TITLES:
        titles.append(said.pop(0))
    if len(said) < 2:
        return "", " ".join(said), " ".join(titles)
    at = len(said) - 1
    while at > 1 and said[at - 1].casefold() in _PARTICLES:
        at -= 1
    return " ".join(said[at:]), " ".join(said[:at]), " ".join(titles)


def same_number(one: str, other: str) -> bool:
    """Tell whether two numbers are written from the same digits."""
    return re.sub(r"[^\d+]", "", one) == re.sub(r"[^\d+]", "", other)


def shown(said: Said, language: str) -> str:
    """Return a detail as it is told: a birthday in words, all else as it was said."""
    if said.day is None:
        return said.value
    return birthday_words(said.day, language)


def birthday_words(when: Birthday, language: str) -> str:
    """Return a birthday in words, without a year where none is known."""
    told = words.day(date(when.year or 2000, when.month, when.day), language)
    return told if when.year else told.replace("2000", "").strip(" ,")
