"""vCards (RFC 6350, RFC 2426, vCard 2.1): text in, people out. A line that cannot be read is passed over.

What this stops: a broken or huge file taking a person's contacts with it; a picture in a card being kept.
What it does not: say whether what a card says is true.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import date

from skills.sdk.contentlines import unescaped

from .lines import Block, Line, blocks, separated

MOST_CARDS = 20_000

_DAY = re.compile(r"(?P<y>\d{4}|--)-?(?P<m>\d{2})-?(?P<d>\d{2})(?:[T ].*)?")


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
    """One person (or organisation) of a file. ``key`` tells it from the others there, ``block`` is where it stands."""

    name: str = ""
    also: list[str] = field(default_factory=list)
    phones: list[tuple[str, str]] = field(default_factory=list)  # number, kind ("" where none is said)
    mails: list[tuple[str, str]] = field(default_factory=list)
    addresses: list[str] = field(default_factory=list)
    birthday: Birthday | None = None
    organisation: str = ""
    role: str = ""
    notes: str = ""
    is_organisation: bool = False
    key: str = ""
    block: Block = field(default_factory=lambda: Block(0))


class NoCards(ValueError):
    """The text holds no card."""


def read(data: bytes) -> list[Card]:
    """Return the cards of a file. Raises NoCards when it has none that can be read."""
    cards: list[Card] = []
    keys: set[str] = set()
    for block in blocks(data):
        _finish(_card(block), cards, keys)
        if len(cards) >= MOST_CARDS:
            break
    if not cards:
        raise NoCards
    return cards


def _card(block: Block) -> Card:
    """What a card says, line by line."""
    card, version = Card(block=block), block.version
    notes: list[str] = []
    roles: dict[str, str] = {}
    for line in block.lines:
        if line.name == "NOTE":
            notes.append(_lines_of(line.value, version))
        elif line.name in ROLES:
            roles[line.name] = roles.get(line.name) or _plain(line.value, version)
        else:
            _take(card, line, version)
    card.notes = "\n".join(filter(None, notes))
    card.role = next(filter(None, map(roles.get, ROLES)), "")
    card.phones, card.mails = _once(card.phones), _once(card.mails)
    return card


def _once(found: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Every number or address where it stands first, with the kind that it has there."""
    kinds: dict[str, str] = {}
    for value, kind in found:
        kinds.setdefault(value, kind)
    return list(kinds.items())


def _finish(card: Card, cards: list[Card], keys: set[str]) -> None:
    card.name = card.name or card.organisation or (card.mails[0][0] if card.mails else "")
    if card.name:
        card.key = card.key or card.name
        card.key += f" {len(cards)}" if card.key in keys else ""
        keys.add(card.key)
        cards.append(card)


def _unescaped(value: str, version: str) -> str:
    """Undo the escapes of a value; of vCard 2.1 that is ";" alone, and every other backslash is one."""
    return value.replace("\\;", ";") if version == "2.1" else unescaped(value)


def _plain(value: str, version: str) -> str:
    """Undo the escapes of a value of one line."""
    return " ".join(_unescaped(value, version).split())


def _lines_of(value: str, version: str) -> str:
    """Undo the escapes of a value that may have several lines."""
    return "\n".join(filter(None, (" ".join(line.split()) for line in _unescaped(value, version).splitlines())))


def _parts(value: str, version: str) -> list[str]:
    """The parts of a value at semicolons that are not escaped."""
    return [_plain(part, version) for part in separated(value, ";", version)]


def address_words(value: str, version: str) -> str:
    """Return an address as it is read: its parts that say something."""
    return ", ".join(part for part in _parts(value, version) if part)


ROLES = ("TITLE", "ROLE")
"""The properties that say what somebody does; the first is what is told of who has both."""


def _take(card: Card, line: Line, version: str) -> None:
    """Take in one line."""
    parameters, value = line.parameters, line.value
    match line.name:
        case "FN":
            card.name = _plain(value, version) or card.name
        case "N":
            family, given, *_ = [*_parts(value, version), "", ""]
            card.name = card.name or " ".join(part for part in (given, family) if part)
        case "NICKNAME":
            card.also += [one for one in (_plain(part, version) for part in separated(value, ",", version)) if one]
        case "TEL":
            _add(card.phones, _plain(value.removeprefix("tel:").removeprefix("TEL:"), version), parameters)
        case "EMAIL":
            _add(card.mails, _plain(value.removeprefix("mailto:"), version), parameters)
        case "ADR":
            written = address_words(value, version)
            card.addresses += [written] if written else []
        case "ORG":
            card.organisation = next((part for part in _parts(value, version) if part), card.organisation)
        case "BDAY":
            omitted = (parameters.get("X-APPLE-OMIT-YEAR") or [""])[0]
            card.birthday = birthday(value.strip(), omitted) or card.birthday
        case "UID":
            card.key = _plain(value, version)[:200]
        case "KIND":
            card.is_organisation = value.strip().casefold() == "org"


def _add(known: list[tuple[str, str]], value: str, parameters: dict[str, list[str]]) -> None:
    """Take in a number or an address with its kind; a fax at work is a fax."""
    kinds = [one.casefold() for one in parameters.get("TYPE", ()) if one.casefold() in KINDS]
    if value:
        known.append((value, "fax" if "fax" in kinds else kinds[0] if kinds else ""))


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
