"""The types a tool's signature may use. Each one is a value kind that the kernel finds in a sentence and checks.

Plain ``str`` is free text, ``int``, ``float``, ``bool`` and ``Literal[...]`` (a choice whose words stand in
``steward.toml``) mean themselves; ``list[X]`` means several; ``X | None = None`` means optional. A dataclass declared
in the skill is a record whose fields "its X" can name.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any, NewType

Text = NewType("Text", str)
"""A body of text: the user's own words, or an earlier result rendered as text (one line per item)."""

Title = NewType("Title", str)
"""A short name for something new ("called big files")."""

Query = NewType("Query", str)
"""Words to look for ("about the garden")."""

Expression = NewType("Expression", str)
"""Arithmetic as written, e.g. ``12.5 * (3 + 4)`` or ``17 % of 230``."""

Unit = NewType("Unit", str)
"""A unit of measure by name, e.g. ``miles``."""

Column = NewType("Column", str)
"""A column's name, as the person wrote it; the tool matches it to the table's own names."""

Url = NewType("Url", str)
"""A web address with its scheme (``https://`` where none was said), as the person wrote the rest of it."""

Recurrence = NewType("Recurrence", str)
"""How something repeats, as a rule of RFC 5545: ``FREQ=WEEKLY;BYDAY=MO``; the time of day as BYHOUR and BYMINUTE."""

NewFile = NewType("NewFile", str)
"""An absolute path that need not exist yet."""


@dataclass(frozen=True, slots=True)
class File:
    """A file of the user. ``size_bytes`` and ``modified`` are as of when it was listed."""

    path: str
    size_bytes: int = 0
    modified: datetime | None = None

    @property
    def name(self) -> str:
        """The last component of the path."""
        return self.path.rpartition("/")[2]

    @property
    def stem(self) -> str:
        """The name without its last suffix."""
        name = self.name
        dot = name.rfind(".")
        return name[:dot] if 0 < dot < len(name) - 1 else name

    @property
    def suffix(self) -> str:
        """The last suffix, lower case, with its dot; empty when there is none, as for ``.bashrc``."""
        name = self.name
        dot = name.rfind(".")
        return name[dot:].lower() if 0 < dot < len(name) - 1 else ""

    @property
    def folder(self) -> str:
        """The path of the folder that holds it."""
        return self.path.rpartition("/")[0] or "/"


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder of the user. A parameter of this type may name one that does not exist yet (see ``Context.exists``)."""

    path: str

    @property
    def name(self) -> str:
        """The last component of the path."""
        return self.path.rpartition("/")[2]


@dataclass(frozen=True, slots=True)
class Period:
    """A half-open interval of days [start, end); None is unbounded."""

    start: date | None = None
    end: date | None = None

    def holds(self, day: date) -> bool:
        """Tell whether ``day`` lies inside."""
        return (self.start is None or day >= self.start) and (self.end is None or day < self.end)


@dataclass(frozen=True, slots=True)
class Hours:
    """A time of day ("at 3 pm"), or with ``end`` from one to another; ``rough``: part of a day ("in the morning")."""

    start: time
    end: time | None = None
    rough: bool = False


@dataclass(frozen=True, slots=True)
class Size:
    """A range of sizes in bytes, both ends inclusive; None is unbounded."""

    min_bytes: int | None = None
    max_bytes: int | None = None

    def holds(self, size_bytes: int) -> bool:
        """Tell whether ``size_bytes`` lies inside."""
        return (self.min_bytes is None or size_bytes >= self.min_bytes) and (
            self.max_bytes is None or size_bytes <= self.max_bytes
        )


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number with a unit as written, e.g. 5.5 and ``miles``."""

    value: Decimal
    unit: str


@dataclass(frozen=True, slots=True)
class Condition:
    """A comparison on a column: ``op`` is one of = != < <= > >= contains."""

    column: str
    op: str
    value: str


@dataclass(frozen=True, slots=True)
class Table:
    """Rows with named columns, as a value that another tool can take. Cells are JSON scalars."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    source: str = ""  # the path it was read from, if any


@dataclass(frozen=True, slots=True)
class Record:
    """Named fields, as a value that another tool can take, e.g. one row or the facts of a document."""

    fields: dict[str, Any] = field(default_factory=dict)
