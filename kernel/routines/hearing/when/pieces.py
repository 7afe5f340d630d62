"""The nouns of when: pieces that a sentence says it with."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

WEEK = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
WORKDAYS, WEEKEND = WEEK[:5], WEEK[5:]


@dataclass(frozen=True, slots=True)
class Days:
    """Days that come again. ``vague``: a week, month or year whose day is still to be said.

    ``weak``: words that may as well mean one day ("the last day of the month"). ``part``: the part of the day.
    ``dates``: the months and days that are meant, where not each of ``months`` has each of ``month_days``.
    """

    freq: str
    interval: int = 1
    months: tuple[int, ...] = ()
    month_days: tuple[int, ...] = ()
    weekdays: tuple[str, ...] = ()
    place: int = 0
    part: str = ""
    vague: bool = False
    weak: bool = False
    dates: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Step:
    """Hours or minutes that come again; ``full`` by the clock on the wall ("on the hour"), ``minute`` past the hour."""

    seconds: int
    full: bool = False
    minute: int = 0


@dataclass(frozen=True, slots=True)
class Said:
    """One time of day as it was said; ``sure`` where its half of the day was said with it, or needs no saying."""

    hour: int
    minute: int
    sure: bool
    half: str = ""


@dataclass(frozen=True, slots=True)
class Clocks:
    """Times of day."""

    times: tuple[Said, ...]


@dataclass(frozen=True, slots=True)
class Window:
    """From one time of day to another, both within; ``until`` is None to the end of the day."""

    start: Said
    until: Said | None
    part: str = ""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the day: ``morning``, ``noon``, ``afternoon``, ``evening``, ``night``."""

    name: str


@dataclass(frozen=True, slots=True)
class Dated:
    """A day of a month, of one year or of each."""

    day: date


@dataclass(frozen=True, slots=True)
class Begin:
    """The first day; None is now."""

    day: date | None


@dataclass(frozen=True, slots=True)
class End:
    """The last day, or today's time of day; neither: without end."""

    day: date | None = None
    clock: Said | None = None


@dataclass(frozen=True, slots=True)
class Times:
    """How often in all."""

    count: int


@dataclass(frozen=True, slots=True)
class Lasting:
    """How long: an amount of a unit of time."""

    amount: float
    unit: str


@dataclass(frozen=True, slots=True)
class Except:
    """Days that are left out; None where nobody here knows which those are."""

    days: Days | None


@dataclass(frozen=True, slots=True)
class Only:
    """Days that it is kept to."""

    days: Days


@dataclass(frozen=True, slots=True)
class Single:
    """It is done one time and no more."""


@dataclass(frozen=True, slots=True)
class Vague:
    """It is said to come again, and not how often."""


@dataclass(frozen=True, slots=True)
class Untold:
    """A time of day that is named by what is done then: nobody here knows when that is."""


@dataclass(frozen=True, slots=True)
class Lead:
    """Words that lead to the others and say nothing: "and do that", "und zwar"."""


Value = (
    Days | Step | Clocks | Window | Part | Dated | Begin | End | Times | Lasting | Except | Only | Single | Vague
    | Untold | Lead
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Piece:
    """A value read from the tokens [first, last)."""

    first: int
    last: int
    value: Value
