"""Names of places as time zones: "Tokyo" is Asia/Tokyo. The names are those of the IANA database, read when asked for.

A place that names no zone of the database is none here either: nobody guesses the zone of a town.
"""

from __future__ import annotations

import re
from functools import cache
from zoneinfo import available_timezones

_GERMAN = {
    "tokio": "tokyo", "wien": "vienna", "rom": "rome", "athen": "athens", "moskau": "moscow", "warschau": "warsaw",
    "prag": "prague", "kopenhagen": "copenhagen", "lissabon": "lisbon", "brüssel": "brussels", "kairo": "cairo",
    "singapur": "singapore", "havanna": "havana", "teheran": "tehran", "bagdad": "baghdad", "bukarest": "bucharest",
    "kiew": "kyiv", "belgrad": "belgrade", "tripolis": "tripoli", "algier": "algiers", "mexiko-stadt": "mexico_city",
    "hongkong": "hong_kong", "seoul": "seoul", "zürich": "zurich", "delhi": "kolkata",
}  # fmt: skip
"""What Germans call a place whose zone has another name."""

_PLAIN = frozenset({"utc", "gmt", "cet"})
_WORDS = frozenset(
    "north south east west general central eastern mountain pacific easter factory localtime zulu".split()
)
"""Parts of names of the database that are no names of places."""
_LEFT_OUT = ("posix/", "right/", "SystemV/", "Etc/")
MOST_WORDS = 3
"""Words that the name of a zone's place has at most: "Port au Prince"."""


def zone_of(words: str) -> str:
    """Return the name of the zone that ``words`` name: its own name, or that of its place. "" when they name none."""
    said = re.sub(r"[\s_]+", "_", words.strip().casefold())
    return _by_place().get(_GERMAN.get(said, said), "")


@cache
def _by_place() -> dict[str, str]:
    found: dict[str, str] = {}
    for name in sorted(available_timezones(), key=lambda one: (one.count("/"), one)):
        if name.startswith(_LEFT_OUT):
            continue
        if "/" in name or name.casefold() in _PLAIN or (len(name) > 4 and name.isalpha()):
            found[name.casefold()] = name
        place = name.rpartition("/")[2].casefold()
        if "/" in name:
            found.setdefault(place, name)
    return {said: name for said, name in found.items() if said not in _WORDS}
