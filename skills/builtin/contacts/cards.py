"""vCards (RFC 6350, RFC 2426, vCard 2.1): text in, people out. A line that cannot be read is passed over.

What this stops: a broken or huge file taking a person's contacts with it; a picture in a card being kept.
What it does not: say whether what a card says is true.
"""

from __future__ import annotations

import quopri
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date

MOST_CARDS = 20_000
LONGEST_LINE = 100_000

_FOLD = re.compile(r"\r?\n[ \t]")
_DAY = re.compile(r"(?P<y>\d{4}|--)-?(?P<m>\d{2})-?(?P<d>\d{2})(?:[T ].*)?")
_NEWLINES = {"n": "\n", "N": "\n"}


@dataclass(frozen=True, slots=True)
class Birthday:
    """A day of the year; ``year`` is 0 where the card has none."""

    month: int
    day: int
    year: int = 0

    def next_after(self, today: date) -> date:
        """Return the day on which it is next, today included; 29 February is on 1 March in other years."""
        for year in (today.year, today.year + 1):
            when = _day_in(year, self.month, self.day)
            if when >= today:
                return when
        return _day_in(today.year + 1, self.month, self.day)


def _day_in(year: int, month: int, day: int) -> date:
    try:
        return date(year, month, day)
    except ValueError:
        return date(year, 3, 1)


@dataclass(slots=True)
class Card:
    """One person (or organisation) of a file. ``key`` tells it from the others of that file."""

    name: str = ""
    also: list[str] = field(default_factory=list)
    phones: list[tuple[str, str]] = field(default_factory=list)  # number, kind ("" where none is said)
    mails: list[tuple[str, str]] = field(default_factory=list)
    addresses: list[str] = field(default_factory=list)
    birthday: Birthday | None = None
    organisation: str = ""
    role: str = ""
    is_organisation: bool = False
    key: str = ""


class NoCards(ValueError):
    """The text holds no card."""


def decoded(data: bytes) -> str:
    """Return the text of a file: UTF-8 or UTF-16 by its mark, else UTF-8, else Windows-1252."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def read(data: bytes) -> list[Card]:
    """Return the cards of a file. Raises NoCards when it has none that can be read."""
    cards: list[Card] = []
    keys: set[str] = set()
    card: Card | None = None
    for line in _lines(decoded(data)):
        name, parameters, value = _parted(line)
        if name == "BEGIN" and value.strip().upper() == "VCARD":
            card = Card()
        elif name == "END" and card is not None:
            _finish(card, cards, keys)
            card = None
        elif card is not None:
            _take(card, name, parameters, value)
        if len(cards) >= MOST_CARDS:
            break
    if not cards:
        raise NoCards
    return cards


def _finish(card: Card, cards: list[Card], keys: set[str]) -> None:
    card.name = card.name or card.organisation or (card.mails[0][0] if card.mails else "")
    if card.name:
        card.key = card.key or card.name
        card.key += f" {len(cards)}" if card.key in keys else ""
        keys.add(card.key)
        cards.append(card)


def _lines(text: str) -> Iterator[str]:
    """Logical lines: folded ones joined, also those that quoted-printable breaks by a "=" at the end."""
    waiting = ""
    for line in _FOLD.sub("", text.replace("\r\n", "\n").replace("\r", "\n")).split("\n"):
        whole = waiting + line
        head = whole.partition(":")[0].upper()
        if "QUOTED-PRINTABLE" in head and whole.endswith("=") and len(whole) < LONGEST_LINE:
            waiting = whole[:-1]
            continue
        waiting = ""
        if ":" in whole and len(whole) <= LONGEST_LINE:
            yield whole


def _parted(line: str) -> tuple[str, dict[str, list[str]], str]:
    """The name of a line, its parameters, and its value with its encoding undone."""
    head, value = _at_colon(line)
    name, *rest = head.split(";")
    parameters: dict[str, list[str]] = {}
    for one in rest:
        key, equals, said = one.partition("=")
        key, said = (key.upper(), said) if equals else ("TYPE", key)
        parameters.setdefault(key, []).extend(part.strip().strip('"') for part in said.split(","))
    encodings = {one.upper() for one in [*parameters.get("ENCODING", ()), *parameters.get("TYPE", ())]}
    if "QUOTED-PRINTABLE" in encodings:
        charset = (parameters.get("CHARSET") or ["utf-8"])[0]
        value = _printable(value, charset)
    return name.rpartition(".")[2].upper(), parameters, value


def _at_colon(line: str) -> tuple[str, str]:
    """Split at the first colon that stands outside quotation marks."""
    quoted = False
    for at, letter in enumerate(line):
        quoted = quoted != (letter == '"')
        if letter == ":" and not quoted:
            return line[:at], line[at + 1 :]
    head, _, value = line.partition(":")
    return head, value


def _printable(value: str, charset: str) -> str:
    data = quopri.decodestring(value.encode("latin-1", "replace"))
    try:
        return data.decode(charset, "replace")
    except LookupError:
        return data.decode("utf-8", "replace")


def _plain(value: str) -> str:
    """Undo the escapes of a value."""
    said = re.sub(r"\\(.)", lambda found: _NEWLINES.get(found[1], found[1]), value)
    return " ".join(said.split())


def _parts(value: str) -> list[str]:
    """The parts of a value at semicolons that are not escaped."""
    return [_plain(part) for part in re.split(r"(?<!\\);", value)]


def _take(card: Card, name: str, parameters: dict[str, list[str]], value: str) -> None:
    """Take in one line."""
    match name:
        case "FN":
            card.name = _plain(value) or card.name
        case "N":
            family, given, *_ = [*_parts(value), "", ""]
            card.name = card.name or " ".join(part for part in (given, family) if part)
        case "NICKNAME":
            card.also += [one for one in (_plain(part) for part in re.split(r"(?<!\\),", value)) if one]
        case "TEL":
            _add(card.phones, _plain(value.removeprefix("tel:").removeprefix("TEL:")), parameters)
        case "EMAIL":
            _add(card.mails, _plain(value.removeprefix("mailto:")), parameters)
        case "ADR":
            written = ", ".join(part for part in _parts(value) if part)
            card.addresses += [written] if written else []
        case "ORG":
            card.organisation = next((part for part in _parts(value) if part), card.organisation)
        case "TITLE" | "ROLE":
            card.role = card.role or _plain(value)
        case "BDAY":
            omitted = (parameters.get("X-APPLE-OMIT-YEAR") or [""])[0]
            card.birthday = birthday(value.strip(), omitted) or card.birthday
        case "UID":
            card.key = _plain(value)[:200]
        case "KIND":
            card.is_organisation = value.strip().casefold() == "org"


def _add(known: list[tuple[str, str]], value: str, parameters: dict[str, list[str]]) -> None:
    kinds = [one.casefold() for one in parameters.get("TYPE", ()) if one.casefold() in KINDS]
    if value and all(value != one for one, _ in known):
        known.append((value, kinds[0] if kinds else ""))


KINDS = frozenset({"cell", "home", "work", "fax"})


def birthday(text: str, omitted: str = "") -> Birthday | None:
    """Return a birthday as cards write it: 1990-05-17, 19900517, --0517; None where it is none.

    ``omitted`` is the year that stands for none: Apple's contacts write 1604, and say so (X-APPLE-OMIT-YEAR).
    """
    match = _DAY.fullmatch(text)
    if match is None:
        return None
    year = 0 if match["y"] in ("--", omitted) else int(match["y"])
    month, day = int(match["m"]), int(match["d"])
    try:
        date(year or 2000, month, day)
    except ValueError:
        return None
    return Birthday(month, day, year)
