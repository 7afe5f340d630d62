"""The lines of an iCalendar file (RFC 5545, section 3.1), each with its bytes, and the components that they make.

Nothing is decoded before it is asked for: of thousands of events most lines are not.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from skills.sdk.contentlines import Component, at_colon, logical, parted, unescaped, unfolded

_NAME = re.compile(rb"[A-Za-z0-9-]+")


@dataclass(frozen=True, slots=True)
class Line:
    """One logical line, the bytes [first, last) of its file with its folds and its end."""

    name: str
    raw: bytes
    first: int
    last: int

    @property
    def parted(self) -> tuple[dict[str, str], str]:
        """The parameters by their names, upper case, and the value as it is written."""
        head, value = at_colon(self._unfolded)
        if ";" not in head:
            return {}, value
        said = [one.partition("=") for one in parted(head)[1:]]
        return {key.upper(): value.strip('"') for key, _, value in said}, value

    @property
    def value(self) -> str:
        """The value as it is written."""
        return at_colon(self._unfolded)[1]

    @property
    def text(self) -> str:
        """The value as a text, its escapes undone."""
        return unescaped(self.value.strip())

    @property
    def _unfolded(self) -> str:
        return unfolded(self.raw).decode("utf-8", "replace")


class Block(Component[Line]):
    """An event, a time zone, or what else begins and ends in a calendar."""

    __slots__ = ()


@dataclass(slots=True)
class Scan:
    """What stands in a file: events, time zones, how many events have no end, what the calendar is called, and what it
    was sent for.
    """

    events: list[Block] = field(default_factory=list)
    zones: list[Block] = field(default_factory=list)
    unended: int = 0
    is_calendar: bool = False
    name: str = ""
    method: str = ""


class _Open:
    """The components that have begun and not ended, the innermost last; those of a kind are counted along."""

    def __init__(self) -> None:
        self.stack: list[tuple[str, Block]] = []
        self._kinds: Counter[str] = Counter()

    def __contains__(self, kind: str) -> bool:
        return self._kinds[kind] > 0

    def push(self, kind: str, block: Block) -> None:
        self.stack.append((kind, block))
        self._kinds[kind] += 1

    def pop(self) -> tuple[str, Block]:
        kind, block = self.stack.pop()
        self._kinds[kind] -= 1
        return kind, block


def scan(data: bytes) -> Scan:
    """Return the components of a file. What is nested wrongly is counted and passed over."""
    found, open_ = Scan(), _Open()
    for line in lines_of(data):
        if line.name == "BEGIN":
            _begin(found, open_, line)
        elif line.name == "END":
            _end(found, open_, line)
        elif open_.stack:
            if open_.stack[-1][0] == "VCALENDAR":
                found.name = found.name or (line.text if line.name == "X-WR-CALNAME" else "")
                found.method = found.method or (line.value.strip().upper() if line.name == "METHOD" else "")
            open_.stack[-1][1].lines.append(line)
    found.unended += sum(kind == "VEVENT" for kind, _ in open_.stack)
    return found


def lines_of(data: bytes) -> Iterator[Line]:
    """Yield the logical lines of a file; what is none is left out."""
    for raw, first, last in logical(data):
        name = _NAME.match(raw)
        if name is not None:
            yield Line(name[0].decode().upper(), raw, first, last)


def _begin(found: Scan, open_: _Open, line: Line) -> None:
    kind = line.value.strip().upper()
    found.is_calendar = found.is_calendar or kind == "VCALENDAR"
    if kind == "VEVENT" and kind in open_:  # the one before has no end
        found.unended += 1
        while open_.pop()[0] != "VEVENT":
            pass
    open_.push(kind, Block(line.first))


def _end(found: Scan, open_: _Open, line: Line) -> None:
    kind = line.value.strip().upper()
    if kind not in open_:
        return
    while True:
        one, block = open_.pop()
        if one == kind:
            break
        found.unended += one == "VEVENT"
    block.last = line.last
    if kind == "VEVENT":
        found.events.append(block)
    elif kind == "VTIMEZONE":
        found.zones.append(block)
