"""Time zones of a calendar file: by name from the database, else as the file itself defines them (VTIMEZONE)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta, tzinfo
from io import StringIO
from zoneinfo import ZoneInfo

from skills.sdk.contentlines import folded, unfolded

from .lines import Block

_READ = frozenset("BEGIN END TZID DTSTART TZOFFSETFROM TZOFFSETTO RRULE RDATE TZNAME".split())
_DAYS = "MO TU WE TH FR SA SU".split()


class Zones:
    """The zones of one file; ``local`` is that of the person, in which floating times are."""

    def __init__(self, local: tzinfo, data: bytes = b"", blocks: Iterable[Block] = ()) -> None:
        self.local = local
        self._data = data
        self.blocks = {line.value.strip(): block for block in blocks if (line := block.one("TZID"))}
        self._known: dict[str, tzinfo | None] = {}

    def named(self, name: str) -> tzinfo:
        """Return the zone of a TZID; the person's own where nobody knows it."""
        if name not in self._known:
            self._known[name] = in_database(name) or self._defined(name)
        return self._known[name] or self.local

    def _defined(self, name: str) -> tzinfo | None:
        from dateutil.tz import tzical

        block = self.blocks.get(name)
        if block is None:
            return None
        text = unfolded(self._data[block.first : block.last]).decode("utf-8", "replace")
        kept = [line for line in text.splitlines() if re.split("[:;]", line, maxsplit=1)[0].strip().upper() in _READ]
        try:
            return tzical(StringIO("\n".join(kept))).get(name)
        except (ValueError, KeyError, IndexError, TypeError):
            return None


def in_database(name: str) -> tzinfo | None:
    """Return a zone of the database, also behind a prefix ("/example.org/Europe/Berlin"); None where it has none."""
    for said in (name, "/".join(name.strip("/").split("/")[-2:])):
        try:
            return ZoneInfo(said)
        except (KeyError, ValueError, OSError):
            continue
    return None


def name_of(zone: tzinfo | None) -> str:
    """Return the name under which a zone can be written; empty for a bare offset."""
    return zone.key if isinstance(zone, ZoneInfo) else ""


def definition(zone: ZoneInfo, year: int, end: bytes) -> bytes:
    """Return the VTIMEZONE of a zone as it is in ``year`` and, by the same rules, in every later one."""
    lines = ["BEGIN:VTIMEZONE", f"TZID:{zone.key}"]
    changes = _changes(zone, year)
    if not changes:
        offset = datetime(year, 1, 1, tzinfo=zone)
        lines += _observance("STANDARD", datetime(1970, 1, 1), offset.utcoffset(), offset, "")
    for before, after in changes:
        kind = "DAYLIGHT" if after.dst() else "STANDARD"
        at = (after.astimezone(UTC) + (before.utcoffset() or timedelta())).replace(tzinfo=None)
        lines += _observance(kind, at, before.utcoffset(), after, _yearly(zone, at, year))
    return b"".join(folded(line, end) for line in [*lines, "END:VTIMEZONE"])


def _changes(zone: ZoneInfo, year: int) -> list[tuple[datetime, datetime]]:
    """The moments of a year between which the offset changes: the last hour before, the first after."""
    found = []
    at = datetime(year, 1, 1, tzinfo=UTC)
    while at.year == year:
        later = at + timedelta(hours=1)
        before, after = at.astimezone(zone), later.astimezone(zone)
        if before.utcoffset() != after.utcoffset():
            found.append((before, after))
        at = later
    return found


def _yearly(zone: ZoneInfo, at: datetime, year: int) -> str:
    """The rule by which a change comes again, empty where the next years have none like it."""
    day = at.date()
    nth = -1 if (day + timedelta(days=7)).month != day.month else (day.day - 1) // 7 + 1
    for later in range(year + 1, year + 4):
        same = _nth_weekday(later, day.month, day.weekday(), nth)
        around = datetime(same.year, same.month, same.day, tzinfo=zone)
        if around.utcoffset() == (around + timedelta(days=1)).utcoffset():
            return ""
    return f"FREQ=YEARLY;BYMONTH={day.month};BYDAY={nth}{_DAYS[day.weekday()]}"


def _nth_weekday(year: int, month: int, weekday: int, nth: int) -> date:
    if nth > 0:
        first = date(year, month, 1)
        return first + timedelta(days=(weekday - first.weekday()) % 7 + 7 * (nth - 1))
    last = date(year + month // 12, month % 12 + 1, 1) - timedelta(days=1)
    return last - timedelta(days=(last.weekday() - weekday) % 7)


def _observance(kind: str, at: datetime, before: timedelta | None, after: datetime, rule: str) -> list[str]:
    return [
        f"BEGIN:{kind}", f"DTSTART:{at:%Y%m%dT%H%M%S}", f"TZOFFSETFROM:{_offset(before)}",
        f"TZOFFSETTO:{_offset(after.utcoffset())}", f"TZNAME:{after.tzname()}", *([f"RRULE:{rule}"] if rule else []),
        f"END:{kind}",
    ]  # fmt: skip


def _offset(offset: timedelta | None) -> str:
    minutes = int((offset or timedelta()).total_seconds()) // 60
    return f"{'-' if minutes < 0 else '+'}{abs(minutes) // 60:02}{abs(minutes) % 60:02}"
