"""Changes to a contact file, byte by byte: what is not part of a change stays as it is, folds and order included.

A card is added behind the last one of its file; of a changed one only the lines that say so are written anew, with
their group and their own parameters; of REV, where there is one, the time. Pictures, keys, groups, properties of other
programs and a card inside a card are not touched.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from skills.sdk.contentlines import Edit, edited, end_of, escaped, folded, is_wide, parted

from .cards import ROLES, Birthday, Card, address_words
from .lines import Block, Line, encoding_of, printable, separated
from .saying import Said, address_of, name_parts, same_number

PROPERTIES = {"phone": "TEL", "email": "EMAIL", "birthday": "BDAY", "address": "ADR", "organisation": "ORG",
              "role": "TITLE", "note": "NOTE", "name": "FN"}  # fmt: skip
"""The property that holds each detail."""

_NAMES = {"role": ROLES}
_MANY = frozenset(("phone", "email", "address"))
_STALE = frozenset(("VALUE", "ENCODING", "CHARSET", "X-APPLE-OMIT-YEAR", "LABEL", "GEO", "TZ"))
_BARE = frozenset(("QUOTED-PRINTABLE", "BASE64", "8BIT", "7BIT", "B"))
_OMITTED = 1604


class Unwritable(ValueError):
    """A file whose letters are of two bytes, or that has no sign for a letter."""


class Several(ValueError):
    """More than one number or address may be meant; ``values`` are theirs, as they are read."""

    def __init__(self, values: Sequence[str]) -> None:
        super().__init__(list(values))
        self.values = list(values)


class NotThere(ValueError):
    """The number or address that another should replace is none of a card; ``values`` are those that are."""

    def __init__(self, values: Sequence[str]) -> None:
        super().__init__(list(values))
        self.values = list(values)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a new card is to say."""

    uid: str
    name: str
    details: list[Said] = field(default_factory=list)


# --- adding -------------------------------------------------------------------------------------------------------


def added(data: bytes, cards: Sequence[Card], wanted: Wanted, now: datetime) -> bytes:
    """Return a file with one card more: of the version of its last one, 3.0 where that is older or there is none.

    Raises Unwritable.
    """
    version = "4.0" if cards and cards[-1].block.version == "4.0" else "3.0"
    pen = _Pen.of(data, version)
    family, given, title = name_parts(wanted.name)
    uid = f"urn:uuid:{wanted.uid}" if version == "4.0" else wanted.uid
    lines = [("BEGIN", "VCARD"), ("VERSION", version), ("UID", uid), ("FN", escaped(wanted.name)),
             ("N", ";".join(map(escaped, (family, given, "", title, ""))))]  # fmt: skip
    card = b"".join(pen.line(head, value) for head, value in lines)
    card += b"".join(pen.detail(one) for one in wanted.details)
    card += pen.line("REV", _stamp(now)) + pen.line("END", "VCARD")
    if data and not data.endswith((b"\n", b"\r")):
        card = pen.end + card
    return data + card


# --- changing -----------------------------------------------------------------------------------------------------


def changed(data: bytes, card: Card, said: Said, now: datetime, *, besides: bool = False) -> bytes:
    """Return the file with one detail of a card as it is said: in place of the old one, or beside it.

    A note always goes behind what is noted already, unless it says so. The same file where the card says so already.
    Raises Several where it is not clear which one is meant, NotThere where what it should replace is not there, and
    Unwritable.
    """
    pen, block = _Pen.of(data, card.block.version), card.block
    if said.what == "name":
        edits = _renamed(pen, block, said.value)
    elif said.what == "note":
        edits = _noted(pen, block, said, card.notes)
    else:
        edits = _set(pen, block, said, besides=besides)
    if not edits:
        return data
    return edited(data, [*edits, *_revised(pen, block, now)])


def without(data: bytes, card: Card, what: str, kind: str, now: datetime, *, of: str = "") -> bytes:
    """Return the file with a card that no longer has a detail (the one that says ``of``, where several may be meant).

    The same file where it has none. Raises Several where more than one number or address is meant, and Unwritable.
    """
    pen = _Pen.of(data, card.block.version)
    lines = [line for name in _NAMES.get(what, (PROPERTIES[what],)) for line in _of_kind(card.block.all(name), kind)]
    named = [one for one in lines if _is(one, of, pen.version)] if of else []
    if len(lines) > 1 and what in _MANY and not named:
        raise Several([readable(one, pen.version) for one in lines])
    edits: list[Edit] = [(one.first, one.last, b"") for one in named or lines]
    return edited(data, [*edits, *_revised(pen, card.block, now)]) if edits else data


def removed(data: bytes, card: Card) -> bytes:
    """Return the file without a card; nothing but blanks is left where it was the only one. Raises Unwritable."""
    if is_wide(data):
        raise Unwritable
    return edited(data, [(card.block.first, card.block.last, b"")])


def _set(pen: _Pen, block: Block, said: Said, *, besides: bool) -> list[Edit]:
    """Edits that give a card a detail: in the place of the one that is meant, else beside those of its kind."""
    every = _lines_for(block, said.what)
    if any(_says_so(pen, one, said) for one in every):
        return []
    meant = [] if besides and not said.old else replaced(block, said)
    if len(meant) > 1:
        raise Several([readable(one, pen.version) for one in meant])
    if said.old and every and not meant:
        raise NotThere([readable(one, pen.version) for one in _of_kind(every, said.kind) or _of_kind(every, "")])
    if not meant:
        at = every[-1].last if every else block.closed
        return [(at, at, pen.detail(said))]
    (old,) = meant
    gone: list[Edit] = [(one.first, one.last, b"") for one in every if said.what not in _MANY and one is not old]
    return [(old.first, old.last, pen.detail(said, _kept_head(old))), *gone]


def replaced(block: Block, said: Said) -> list[Line]:
    """Return the lines of a card in whose place a detail may go: one, none, or several of which one is to be said."""
    every = _lines_for(block, said.what)
    if said.what not in _MANY:
        return every[-1:]
    if said.old:
        return [one for one in every if _is(one, said.old, block.version)][:1]
    return _of_kind(every, said.kind)


def _lines_for(block: Block, what: str) -> list[Line]:
    """The lines that say a detail; what somebody does stands under one of two names."""
    names = _NAMES.get(what, (PROPERTIES[what],))
    return next(filter(None, map(block.all, names)), [])


def readable(line: Line, version: str) -> str:
    """Return the number or the address of a line as it is read."""
    return address_words(line.value, version) if line.name == "ADR" else _bare(line)


def _bare(line: Line) -> str:
    return line.value.removeprefix("tel:").removeprefix("mailto:").strip()


def _is(line: Line, value: str, version: str) -> bool:
    """Tell whether a line has a number or an address, however it is written."""
    if line.name == "TEL":
        return same_number(_bare(line), value)
    return readable(line, version).casefold() == value.casefold()


def _says_so(pen: _Pen, line: Line, said: Said) -> bool:
    if said.what == "phone":
        return same_number(_bare(line), said.value)
    return line.value.strip() in (pen.value(said)[1], said.value)


def _of_kind(lines: Sequence[Line], kind: str) -> list[Line]:
    """The lines of a kind; without one any is meant. A fax is meant where it is said alone."""
    kinds = [{one.casefold() for one in line.parameters.get("TYPE", ())} for line in lines]
    if kind:
        return [one for one, of in zip(lines, kinds, strict=True) if kind in of and (kind == "fax" or "fax" not in of)]
    return [one for one, of in zip(lines, kinds, strict=True) if "fax" not in of]


def _noted(pen: _Pen, block: Block, said: Said, notes: str) -> list[Edit]:
    """Edits that put a note behind what is noted."""
    every = block.all("NOTE")
    if said.value in notes.split("\n"):
        return []
    if not every:
        return [(block.closed, block.closed, pen.detail(said))]
    old = every[-1]
    before = [old.value.replace("\r\n", "\n").replace("\n", pen.gap)] if old.value else []
    return [(old.first, old.last, pen.line(_kept_head(old), pen.gap.join([*before, pen.escaped(said.value)])))]


def _renamed(pen: _Pen, block: Block, name: str) -> list[Edit]:
    """Edits that give a card another name: as it is shown, and in its parts."""
    shown, parts = block.all("FN"), block.one("N")
    if shown and shown[-1].value.strip() in (pen.escaped(name), name):
        return []
    edits: list[Edit] = []
    if shown or parts is None:
        at, head = (shown[-1], _kept_head(shown[-1])) if shown else (None, "FN")
        place = (at.first, at.last) if at else (block.closed, block.closed)
        edits.append((*place, pen.line(head, pen.escaped(name))))
    family, given, title = name_parts(name)
    if parts is not None:
        old = [*separated(parts.value, ";", pen.version), "", "", "", "", ""][:5]
        new = [pen.escaped(family), pen.escaped(given), "", pen.escaped(title) or old[3], old[4]]
        edits.append((parts.first, parts.last, pen.line(_kept_head(parts), ";".join(new))))
    return edits


def _revised(pen: _Pen, block: Block, now: datetime) -> list[Edit]:
    """Edits that say when a card was changed, where it says so at all."""
    return [(line.first, line.last, pen.line(_kept_head(line), _stamp(now))) for line in block.all("REV")]


def _kept_head(line: Line) -> str:
    """What stands before the colon of a line, without what is said of its old value alone."""
    name, *parameters = parted(line.head)
    kept = [
        one for one in parameters
        if one.partition("=")[0].strip().upper() not in _STALE and one.strip().upper() not in _BARE
    ]  # fmt: skip
    return ";".join([name, *kept])


def _stamp(now: datetime) -> str:
    return f"{now.astimezone(UTC):%Y%m%dT%H%M%SZ}"


# --- a line -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Pen:
    """How lines of a file are written: the version of the card, the letters of the file, how its lines end."""

    version: str
    encoding: str
    end: bytes

    @classmethod
    def of(cls, data: bytes, version: str) -> _Pen:
        if is_wide(data):
            raise Unwritable
        return cls(version, encoding_of(data), end_of(data))

    @property
    def gap(self) -> str:
        """What a value has between two lines; in vCard 2.1 a line break, which quoted-printable says."""
        return "\n" if self.version == "2.1" else "\\n"

    def line(self, head: str, value: str) -> bytes:
        """Return a line; in vCard 2.1 as quoted-printable where it is long or not plain."""
        plain = f"{head}:{value}"
        if self.version == "2.1" and not (plain.isascii() and len(plain) < 75 and "\n" not in value):
            return printable(f"{head};CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE", value, self.end)
        try:
            return folded(plain, self.end, self.encoding)
        except UnicodeEncodeError as error:
            raise Unwritable from error

    def detail(self, said: Said, head: str = "") -> bytes:
        """Return the line of a detail, behind ``head`` where it takes the place of another."""
        extra, value = self.value(said)
        return self.line((head or self._head(said)) + extra, value)

    def value(self, said: Said) -> tuple[str, str]:
        """Return a detail as its line holds it, and what it says before the colon besides."""
        match said.what:
            case "birthday" if said.day is not None:
                return self._day(said.day)
            case "address":
                return "", ";".join(self.escaped(part) for part in address_of(said.value))
            case "phone" | "email":
                return "", said.value
        return "", self.escaped(said.value)

    def escaped(self, said: str) -> str:
        """Return a text as a value holds it; vCard 2.1 has a sign before a semicolon alone."""
        return said.replace(";", "\\;") if self.version == "2.1" else escaped(said)

    def _day(self, day: Birthday) -> tuple[str, str]:
        """A birthday; without a year as 4.0 says it, and before as Apple's contacts do: a year that stands for none."""
        if self.version == "4.0":
            year = f"{day.year:04}" if day.year else "--"
            return "", f"{year}{day.month:02}{day.day:02}"
        if day.year:
            return "", f"{day.year:04}-{day.month:02}-{day.day:02}"
        return f";X-APPLE-OMIT-YEAR={_OMITTED}", f"{_OMITTED}-{day.month:02}-{day.day:02}"

    def _head(self, said: Said) -> str:
        name = PROPERTIES[said.what]
        if not said.kind:
            return name
        kind = said.kind if self.version == "4.0" else said.kind.upper()
        return f"{name};{kind}" if self.version == "2.1" else f"{name};TYPE={kind}"
