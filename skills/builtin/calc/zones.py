"""Time zones by what people call a place: a city of the zone database, another large one, a country.

Source: the IANA time zone database, with its tables of countries (``zone.tab``, ``iso3166.tab``).
"""

from __future__ import annotations

import zoneinfo
from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import cache
from importlib import resources
from zoneinfo import ZoneInfo

from rapidfuzz import fuzz, process

from skills.sdk import words

_ALIKE = 83.0
_REGIONS = frozenset("Africa America Asia Atlantic Australia Europe Indian Pacific".split())
_ALSO = {
    "America/Chicago": "dallas|houston|austin",
    "America/Denver": "salt lake city",
    "America/Los_Angeles": "san francisco|seattle|san diego|las vegas|california|kalifornien|silicon valley",
    "America/Mexico_City": "mexiko-stadt",
    "America/New_York": "boston|miami|washington|washington dc|atlanta|nyc",
    "America/Sao_Paulo": "rio de janeiro|rio",
    "America/Havana": "havanna",
    "America/Toronto": "ottawa|montreal",
    "America/Argentina/Buenos_Aires": "buenos aires",
    "Asia/Ho_Chi_Minh": "hanoi|saigon",
    "Asia/Jakarta": "djakarta",
    "Asia/Kolkata": "delhi|new delhi|neu-delhi|mumbai|bombay|bangalore|kalkutta|calcutta",
    "Asia/Shanghai": "beijing|peking|shenzhen|schanghai",
    "Asia/Singapore": "singapur",
    "Asia/Tokyo": "tokio|osaka|kyoto",
    "Asia/Seoul": "busan",
    "Asia/Dubai": "abu dhabi",
    "Asia/Jerusalem": "tel aviv|haifa",
    "Asia/Damascus": "damaskus",
    "Asia/Baghdad": "bagdad",
    "Asia/Tehran": "teheran",
    "Africa/Cairo": "kairo",
    "Africa/Johannesburg": "kapstadt|cape town",
    "Africa/Algiers": "algier",
    "Atlantic/Reykjavik": "reykjavik|island",
    "Australia/Sydney": "canberra",
    "Europe/Athens": "athen",
    "Europe/Belgrade": "belgrad",
    "Europe/Berlin": "munich|münchen|hamburg|cologne|köln|frankfurt|bonn",
    "Europe/Brussels": "brüssel|antwerp|antwerpen",
    "Europe/Bucharest": "bukarest",
    "Europe/Copenhagen": "kopenhagen",
    "Europe/Kyiv": "kiew|kiev",
    "Europe/Lisbon": "lissabon|porto",
    "Europe/London": "england|manchester|edinburgh|scotland|wales|schottland|uk",
    "Europe/Madrid": "barcelona|seville|sevilla",
    "Europe/Moscow": "moskau|st petersburg",
    "Europe/Paris": "lyon|marseille|nice|nizza",
    "Europe/Prague": "prag",
    "Europe/Rome": "rom|milan|mailand|florence|florenz|venice|venedig|naples|neapel",
    "Europe/Tallinn": "reval",
    "Europe/Vienna": "wien|salzburg|graz",
    "Europe/Warsaw": "warschau|krakow|krakau",
    "Europe/Zurich": "zürich|bern|geneva|genf|basel",
    "Pacific/Honolulu": "hawaii",
    "UTC": "utc|gmt|greenwich",
}
"""Large places that no zone is named after, and other names of those that one is."""

_COUNTRIES = {
    "ägypten": "EG", "argentinien": "AR", "australien": "AU", "belgien": "BE", "brasilien": "BR", "china": "CN",
    "dänemark": "DK", "deutschland": "DE", "finnland": "FI", "frankreich": "FR", "griechenland": "GR", "indien": "IN",
    "indonesien": "ID", "irland": "IE", "italien": "IT", "kanada": "CA", "kenia": "KE", "korea": "KR", "südkorea": "KR",
    "marokko": "MA", "mexiko": "MX", "neuseeland": "NZ", "niederlande": "NL", "holland": "NL", "norwegen": "NO",
    "österreich": "AT", "polen": "PL", "russland": "RU", "schweden": "SE", "schweiz": "CH", "spanien": "ES",
    "südafrika": "ZA", "tschechien": "CZ", "czech republic": "CZ", "türkei": "TR", "turkey": "TR", "ukraine": "UA",
    "ungarn": "HU", "usa": "US", "america": "US", "amerika": "US", "the us": "US", "vereinigte staaten": "US",
    "united states": "US", "vietnam": "VN", "philippinen": "PH", "south korea": "KR",
}  # fmt: skip


def zones_of(place: str, now: datetime) -> dict[str, str]:
    """Return the zones that are meant by ``place``, by what each is told as; none where the place is unknown.

    A country has one for each time that it is there, those of large cities first. What is only nearly called so is
    told by its own name.
    """
    said = words.fold(" ".join(place.split())).strip(" .?!")
    for name in (said, said.removeprefix("the ").removeprefix("der ").removeprefix("den ").removeprefix("die ")):
        if name in _cities():
            return {place: _cities()[name]}
        if name in _lands():
            zones = _different(_lands()[name], now)
            return {place: zones[0]} if len(zones) == 1 else {_city(zone): zone for zone in zones}
    near = process.extractOne(said, list(_cities()), scorer=fuzz.ratio, score_cutoff=_ALIKE)
    return {near[0].title(): _cities()[near[0]]} if near else {}


def _city(zone: str) -> str:
    """The city that a zone is named after."""
    return zone.rpartition("/")[2].replace("_", " ")


def _different(zones: tuple[str, ...], now: datetime) -> tuple[str, ...]:
    found: dict[timedelta | None, str] = {}
    for zone in sorted(zones, key=lambda one: one not in _ALSO):
        found.setdefault(now.astimezone(ZoneInfo(zone)).utcoffset(), zone)
    return tuple(found.values())


@cache
def _cities() -> dict[str, str]:
    found = {words.fold(_city(zone)): zone for zone in sorted(zoneinfo.available_timezones()) if _is_of_a_city(zone)}
    found |= {words.fold(_city(zone)): zone for zone, _ in _listed()}  # not an older name that links to it
    return found | {words.fold(name): zone for zone, names in _ALSO.items() for name in names.split("|")}


def _is_of_a_city(zone: str) -> bool:
    return zone.partition("/")[0] in _REGIONS


@cache
def _lands() -> dict[str, tuple[str, ...]]:
    by_code: dict[str, tuple[str, ...]] = {}
    for zone, code in _listed():
        by_code[code] = (*by_code.get(code, ()), zone)
    named = {words.fold(name): code for code, name in _rows("iso3166.tab")}
    named |= {words.fold(name): code for name, code in _COUNTRIES.items()}
    return {name: by_code[code] for name, code in named.items() if code in by_code}


def _listed() -> Iterator[tuple[str, str]]:
    """Yield (zone, code of its country), the zones of a country in the order of the table."""
    for row in _rows("zone.tab"):
        yield row[2], row[0]


def _rows(table: str) -> Iterator[list[str]]:
    text = resources.files("tzdata.zoneinfo").joinpath(table).read_text()
    yield from (line.split("\t") for line in text.splitlines() if line and not line.startswith("#"))
