"""The nouns of routines: what may set one off, what must be so of what comes, and what keeps one still.

A trigger is a value: it can be shown, kept in the ledger and read back (``triggers_json``). Folders are whole paths,
times on the wall have no zone, lengths are seconds.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum

# --- the clock ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Once:
    """One time on the wall, wherever the person is then."""

    at: datetime


@dataclass(frozen=True, slots=True)
class Recurring:
    """Times on the wall by a ``rule`` of RFC 5545 that says its time of day, counted from the day ``begins``.

    None of them is later than the day ``ends``.
    """

    rule: str
    begins: date
    ends: date | None = None


@dataclass(frozen=True, slots=True)
class Elapsed:
    """Real time: every ``every_s`` seconds after the moment ``begins``, ``count`` times (0: without end)."""

    every_s: int
    begins: datetime
    count: int = 0


Clock = Once | Recurring | Elapsed

# --- what happens -------------------------------------------------------------------------------------------------


class Change(StrEnum):
    """What happens to a file."""

    CREATED = "created"
    CHANGED = "changed"
    WRITTEN = "written"  # created or changed
    MOVED_IN = "moved in"
    DELETED = "deleted"


@dataclass(frozen=True, slots=True)
class FileSeen:
    """Something happens to a file whose name fits ``pattern`` (as in a shell) in ``folder``, or ``below`` it."""

    change: Change
    folder: str
    pattern: str = "*"
    below: bool = False


@dataclass(frozen=True, slots=True)
class Happened:
    """Steward itself did something: ``what`` is a deed of its ledger (``undo``, ``deletion``, ``mail sent``)."""

    what: str


@dataclass(frozen=True, slots=True)
class Added:
    """Something was added through Steward: of the kind ``what`` that a tool says it adds, in words a ``thing``."""

    what: str
    thing: str


@dataclass(frozen=True, slots=True)
class Learnt:
    """A fact with this ``predicate`` was learnt."""

    predicate: str


@dataclass(frozen=True, slots=True)
class BeforeEvent:
    """So many seconds before an event of the calendar begins whose title has ``words`` (empty: any)."""

    before_s: int
    words: str = ""


@dataclass(frozen=True, slots=True)
class TaskDue:
    """A task of the list is due (``overdue``: it should have been done by then), and is not done.

    It counts ``days`` before its day (after it: below 0) and ``before_s`` seconds before its time, or at the time of
    day ``clock`` (seconds after midnight; below 0: its own). ``words``, ``group`` and ``priority`` say which tasks.
    """

    days: int = 0
    before_s: int = 0
    clock: int = -1
    overdue: bool = False
    words: str = ""
    group: str = ""
    priority: str = ""


class State(StrEnum):
    """What of the machine is looked at."""

    BATTERY = "battery"  # below so many percent
    CHARGED = "charged"  # so many percent of the battery, or more
    ABOVE = "battery above"  # more than so many percent of it
    DISK = "disk"  # fewer bytes free
    IDLE = "idle"  # nobody has touched it for so many seconds
    ONLINE = "online"  # the network is there again
    OFFLINE = "offline"  # the network has gone
    PLUGGED = "plugged"  # the charger was plugged in
    UNPLUGGED = "unplugged"
    MEMORY = "memory"  # more than so many percent of it in use
    HEAT = "temperature"  # the hottest sensor above so many degrees Celsius


@dataclass(frozen=True, slots=True)
class Machine:
    """The machine comes into a ``state``, past ``bound`` where it has one: when that begins, not while it lasts."""

    state: State
    bound: float = 0.0


@dataclass(frozen=True, slots=True)
class Called:
    """The webhook of this ``name`` was called, on this machine and with its token."""

    name: str


# --- what must be so of what comes ----------------------------------------------------------------------------------


class About(StrEnum):
    """What must be so of the thing that a trigger brings. What was said of it stands beside it."""

    IS = "is"  # a file is such a thing ("invoice"), by its name
    KIND = "kind"  # a file is such a thing, by its name or by the head of its text
    HOLDS = "holds"  # these words stand in a file; ``EITHER`` between those of which one is enough
    TOTAL = "total"  # the total of a document, compared with a sum: ``Comparison``
    SENDER = "sender"  # a mail is from somebody
    SUBJECT = "subject"  # a mail has these words in its subject
    ATTACHED = "attached"  # something hangs on a mail; a pattern of names, "*" for any
    LARGER = "larger"  # a file has more than so many bytes
    NOT_ALL_DAY = "not all day"  # an event has a time of day
    PERSON = "person"  # a fact is about somebody


EITHER = "|"


@dataclass(frozen=True, slots=True)
class Comparison:
    """How a sum compares: ``sign`` is one of ``> >= < <=``; without a ``currency`` any will do."""

    sign: str
    amount: Decimal
    currency: str = ""

    def __str__(self) -> str:
        return f"{self.sign} {format(self.amount, 'f')} {self.currency}".rstrip()

    @classmethod
    def of(cls, said: str) -> Comparison:
        """Read what ``str`` wrote. Raises ValueError on anything else."""
        found = _COMPARISON.fullmatch(said)
        if found is None:
            raise ValueError(f"no comparison: {said!r}")
        return cls(found[1], Decimal(found[2]), found[3] or "")

    def holds_of(self, amount: Decimal) -> bool:
        """Tell whether ``amount`` compares so."""
        more = self.sign.startswith(">")
        return (amount > self.amount if more else amount < self.amount) or ("=" in self.sign and amount == self.amount)


_COMPARISON = re.compile(r"([<>]=?) (\d{1,15}(?:\.\d{1,6})?)(?: ([A-Z]{3}))?", re.ASCII)


# --- what keeps one still -----------------------------------------------------------------------------------------


class Limit(StrEnum):
    """What keeps a routine still although its trigger came. The amount stands beside it."""

    APART = "apart"  # it has run within so many seconds
    AN_HOUR = "an hour"  # it has run so often within sixty minutes
    A_DAY = "a day"  # it has run so often on this day
    A_WEEK = "a week"  # it has run so often within seven days, whichever they are
    A_MONTH = "a month"  # it has run so often in this month of the calendar
    FROM = "from"  # it is before this time of day (seconds after midnight); later than UNTIL: the night between them
    UNTIL = "until"  # it is this time of day, or later
    CHARGING = "charging"  # the charger is plugged in: 1 keeps it still while it is, 0 while it is not
    HELD = "held"  # what begins has been so for less than so many seconds: it begins when it has
    LASTED = "lasted"  # what is over now lasted less than so many seconds
    DAYS = "days"  # it is none of these weekdays (the sum of 1 for a Monday, 2 for a Tuesday, ... 64 for a Sunday)
    BATTERY = "battery"  # the battery is below so many percent
    NOT_LOW = "not low"  # the battery has so many percent, or more
    OWN = "own"  # what set it off is the routine's own doing; always held to


Trigger = Clock | FileSeen | Happened | Added | Learnt | BeforeEvent | TaskDue | Machine | Called
