"""Days that are called by a name, English and German: fixed ones, and those that are counted from Easter."""

from __future__ import annotations

from datetime import date, timedelta

from kernel.language.line import phrases

FIXED = {
    "christmas eve": (12, 24),
    "christmas day": (12, 25),
    "christmas": (12, 25),
    "xmas": (12, 25),
    "boxing day": (12, 26),
    "new year 's eve": (12, 31),
    "new years eve": (12, 31),
    "new year 's day": (1, 1),
    "new years day": (1, 1),
    "new year 's": (1, 1),
    "new year": (1, 1),
    "halloween": (10, 31),
    "valentine 's day": (2, 14),
    "epiphany": (1, 6),
    "heiligabend": (12, 24),
    "weihnachten": (12, 25),
    "silvester": (12, 31),
    "neujahr": (1, 1),
    "nikolaus": (12, 6),
    "nikolaustag": (12, 6),
    "valentinstag": (2, 14),
    "dreikönigstag": (1, 6),
    "tag der arbeit": (5, 1),
    "tag der deutschen einheit": (10, 3),
    "allerheiligen": (11, 1),
}
"""Month and day of what is on the same day every year."""

MOVABLE = {
    "good friday": -2,
    "easter sunday": 0,
    "easter monday": 1,
    "easter": 0,
    "ascension day": 39,
    "pentecost": 49,
    "whit monday": 50,
    "karfreitag": -2,
    "ostersonntag": 0,
    "ostermontag": 1,
    "ostern": 0,
    "christi himmelfahrt": 39,
    "pfingsten": 49,
    "pfingstsonntag": 49,
    "pfingstmontag": 50,
    "fronleichnam": 60,
}
"""Days after Easter Sunday."""

TABLE = phrases("|".join([*FIXED, *MOVABLE]))
FIRST_WORDS = frozenset(name.split()[0] for name in (*FIXED, *MOVABLE))


def in_year(name: str, year: int) -> date:
    """Return the day called ``name`` in ``year`` (1583 or later for those that move)."""
    if name in FIXED:
        return date(year, *FIXED[name])
    return easter(year) + timedelta(days=MOVABLE[name])


def easter(year: int) -> date:
    """Return Easter Sunday of the Gregorian calendar.

    Source: the anonymous computus, Meeus, "Astronomical Algorithms" (1991), chapter 8.
    """
    century, rest = divmod(year, 100)
    golden = year % 19
    moon = (19 * golden + century - century // 4 - (century - (century + 8) // 25 + 1) // 3 + 15) % 30
    week = (32 + 2 * (century % 4) + 2 * (rest // 4) - moon - rest % 4) % 7
    late = (golden + 11 * moon + 22 * week) // 451
    month, day = divmod(moon + week - 7 * late + 114, 31)
    return date(year, month, day + 1)
