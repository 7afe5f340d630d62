"""How days, times, repetitions and events are said, in English and German."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta, tzinfo

from skills.sdk import words

from .entries import Entry
from .freetime import Gap
from .occurrences import Occurrence

_WEEKDAYS = {
    "en": "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split(),
    "de": "Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag".split(),
}
_CODES = "MO TU WE TH FR SA SU".split()
_UNITS = {
    "DAILY": ("day", "days", "Tag", "Tage"), "WEEKLY": ("week", "weeks", "Woche", "Wochen"),
    "MONTHLY": ("month", "months", "Monat", "Monate"), "YEARLY": ("year", "years", "Jahr", "Jahre"),
    "HOURLY": ("hour", "hours", "Stunde", "Stunden"),
}  # fmt: skip
_EVERY = {"Tag": "jeden", "Monat": "jeden", "Woche": "jede", "Stunde": "jede", "Jahr": "jedes"}


def tongue(language: str) -> str:
    """Return the language that is written: German or English."""
    return "de" if language == "de" else "en"


def day(value: date, language: str) -> str:
    """Return a day with its weekday: "Friday 14 March 2025"."""
    comma = "," if language == "de" else ""
    return f"{_WEEKDAYS[tongue(language)][value.weekday()]}{comma} {words.day(value, language)}"


def untitled(entry: Entry, language: str) -> str:
    """Return the title of an event, and a word for none."""
    return entry.title or ("(ohne Titel)" if language == "de" else "(no title)")


def clock(begins: datetime, ends: datetime, language: str) -> str:
    """Return a stretch of a day: "15:00–16:00", with the day of its end where that is another."""
    if begins == ends:
        return f"{begins:%H:%M}"
    other = ends.date() != begins.date() and ends != datetime.combine(ends.date(), time(), ends.tzinfo)
    far = other or (ends.date() - begins.date()).days > 1
    return f"{begins:%H:%M}–{ends:%H:%M}" + (f" ({day(ends.date(), language)})" if far else "")


def when(one: Occurrence, local: tzinfo, language: str) -> str:
    """Return day and time of an event: "Friday 14 March 2025, 15:00–16:00"."""
    begins, ends = one.begins(local), one.ends(local)
    if not one.entry.all_day:
        return f"{day(begins.date(), language)}, {clock(begins, ends, language)}"
    last = ends.date() - timedelta(days=1)
    until = f" {'bis' if language == 'de' else 'to'} {day(last, language)}" if last > begins.date() else ""
    return f"{day(begins.date(), language)}{until}, {'ganztägig' if language == 'de' else 'all day'}"


def label(one: Occurrence, local: tzinfo, language: str) -> str:
    """Return what tells one time of an event from all others."""
    return f"{untitled(one.entry, language)}, {when(one, local, language)}"


def series_label(entry: Entry, language: str) -> str:
    """Return what a whole series is called."""
    return (
        f"{untitled(entry, language)}, {'alle Termine der Reihe' if language == 'de' else 'every time of the series'}"
    )


def line(one: Occurrence, local: tzinfo, language: str, on: date | None = None) -> str:
    """Return an event for a list of a day: its time, its title, its place."""
    begins, ends = one.begins(local), one.ends(local)
    if one.entry.all_day:
        at = "ganztägig" if language == "de" else "all day"
        last = ends.date() - timedelta(days=1)
        at += f" ({'bis' if language == 'de' else 'until'} {day(last, language)})" if last > (on or last) else ""
    else:
        since = f"({'seit' if language == 'de' else 'since'} {day(begins.date(), language)}) "
        at = (since if on is not None and begins.date() < on else "") + clock(begins, ends, language)
    return f"{at} {untitled(one.entry, language)}" + (f" ({_flat(one.entry.place)})" if one.entry.place else "")


def _flat(text: str) -> str:
    return ", ".join(part.strip() for part in text.splitlines() if part.strip())


def agenda(days: Sequence[tuple[date, Sequence[Occurrence]]], local: tzinfo, language: str) -> str:
    """Return events by day, a line each."""
    parts = []
    for value, found in days:
        parts.append(f"{day(value, language)}:")
        parts += [f"- {line(one, local, language, value)}" for one in found]
    return "\n".join(parts)


def further(number: int, language: str) -> str:
    """Return the line that says how much more there is than is shown; nothing where that is all."""
    return "" if number <= 0 else f"\n... {f'und {number} weitere' if language == 'de' else f'and {number} more'}"


def free(found: Sequence[Gap], language: str) -> str:
    """Return free stretches, a line for each day."""
    by_day: dict[date, list[str]] = {}
    for gap in found:
        by_day.setdefault(gap.start.date(), []).append(clock(gap.start, gap.end, language))
    return "\n".join(f"- {day(value, language)}: {', '.join(times)}" for value, times in by_day.items())


def length(value: timedelta, language: str) -> str:
    """Return a duration: "90 minutes", "2 hours"."""
    minutes = int(value.total_seconds()) // 60
    german = language == "de"
    if minutes % 60:
        return f"{minutes} {'Minuten' if german else 'minutes'}"
    return words.count(minutes // 60, *(("Stunde", "Stunden") if german else ("hour", "hours")))


def repetition(rule: str, language: str) -> str:
    """Return how something repeats, in words where it is one of the usual ways; the rule as written otherwise."""
    parts = dict(part.upper().split("=", 1) for part in rule.split(";") if "=" in part)
    units = _UNITS.get(parts.get("FREQ", ""))
    if units is None or not set(parts) <= {"FREQ", "INTERVAL", "BYDAY", "UNTIL", "COUNT", "WKST", "BYHOUR", "BYMINUTE"}:
        return rule
    step, german = int(parts.get("INTERVAL", "1")), language == "de"
    said = parts.get("BYDAY", "").split(",") if parts.get("BYDAY") else []
    if any(one not in _CODES for one in said):
        return rule
    days = words.listing([_WEEKDAYS[tongue(language)][_CODES.index(one)] for one in said], language)
    if german:
        every = f"{_EVERY[units[2]]} {units[2]}" if step == 1 else f"alle {step} {units[3]}"
        return f"jeden {days}" if days and step == 1 else f"{every}, {days}" if days else every
    every = f"every {units[0]}" if step == 1 else f"every {step} {units[1]}"
    return f"every {days}" if days and step == 1 else f"{every} on {days}" if days else every


def lasting(rule: str, local: tzinfo, language: str) -> str:
    """Return how something repeats and when that ends: "every Monday until Tuesday 3 June 2025"."""
    parts = dict(part.upper().split("=", 1) for part in rule.split(";") if "=" in part)
    said, until = repetition(rule, language), parts.get("UNTIL", "")
    if said == rule:
        return rule
    if "COUNT" in parts:
        return (
            f"{said}, {words.count(int(parts['COUNT']), *(('Mal', 'Mal') if language == 'de' else ('time', 'times')))}"
        )
    if not until:
        return said
    at = datetime.strptime(until[:15], "%Y%m%dT%H%M%S" if "T" in until else "%Y%m%d")
    last = at.replace(tzinfo=UTC).astimezone(local).date() if until.endswith("Z") else at.date()
    return f"{said} {'bis' if language == 'de' else 'until'} {day(last, language)}"
