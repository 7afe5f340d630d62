"""vCard and iCalendar lines: folded lines joined, properties with their parameters, escapes undone.

Source: RFC 6350 (vCard 4.0), sections 3.2-3.4; RFC 5545 (iCalendar), sections 3.1 and 3.3.11; vCard 2.1 for
quoted-printable values.
"""

from __future__ import annotations

import quopri
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

_FOLD = re.compile(r"\r?\n[ \t]")
_SOFT = re.compile(r"=\r?\n")
_PART = re.compile(r'(?:[^;:"]|"[^"]*")*')
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_SEPARATOR = re.compile(r"(?<!\\);")
MOST_CHARACTERS = 500
"""A longer value is no name, number or address."""


@dataclass(frozen=True, slots=True)
class Property:
    """One line: its name in capitals, its parameters by name in capitals, and the raw value."""

    name: str
    value: str
    parameters: dict[str, str] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The value as text, on one line."""
        return " ".join(_unescaped(self.value).split())[:MOST_CHARACTERS]

    @property
    def parts(self) -> list[str]:
        """The components of a structured value, as text."""
        return [" ".join(_unescaped(part).split())[:MOST_CHARACTERS] for part in _SEPARATOR.split(self.value)]


def components(text: str, name: str) -> Iterator[list[Property]]:
    """Yield the properties of every ``BEGIN:name`` ... ``END:name``; what is nested in one is left out of it."""
    inside: list[Property] | None = None
    nested = 0
    for one in _properties(text):
        if one.name == "BEGIN":
            if inside is None:
                inside = [] if one.value.strip().upper() == name else None
            else:
                nested += 1
        elif one.name == "END" and inside is not None:
            if nested:
                nested -= 1
            else:
                yield inside
                inside = None
        elif inside is not None and not nested:
            inside.append(one)


def _properties(text: str) -> Iterator[Property]:
    whole = _SOFT.sub("", text) if "QUOTED-PRINTABLE" in text.upper() else text
    for line in _FOLD.sub("", whole.lstrip("\ufeff")).splitlines():
        head = _PART.match(line)
        if head is None or ":" not in line:
            continue
        names, value = _head(line)
        if not names:
            continue
        parameters = dict(_parameter(part) for part in names[1:])
        if parameters.get("ENCODING", "").upper() == "QUOTED-PRINTABLE":
            value = quopri.decodestring(value.encode()).decode(parameters.get("CHARSET", "utf-8"), "replace")
        yield Property(names[0].rpartition(".")[2].upper(), value, parameters)


def _head(line: str) -> tuple[list[str], str]:
    parts, at = [], 0
    while True:
        found = _PART.match(line, at)
        assert found is not None  # it matches nothing, too
        parts.append(found[0])
        at = found.end()
        if at >= len(line):
            return [], ""
        if line[at] == ":":
            return parts, line[at + 1 :]
        if line[at] != ";":
            return [], ""
        at += 1


def _parameter(part: str) -> tuple[str, str]:
    name, mark, value = part.partition("=")
    if not mark:
        return ("ENCODING", name) if name.upper() == "QUOTED-PRINTABLE" else ("TYPE", name)
    return name.upper(), value.strip('"')


def _unescaped(text: str) -> str:
    return _ESCAPE.sub(lambda found: "\n" if found[1] in "nN" else found[1], text)
