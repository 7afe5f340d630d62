"""How timers and reminders are said: when they come, how long that is, how they repeat."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

from skills.sdk import Scheduled, next_time, words

_DAYS = {
    "en": "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split(),
    "de": "Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag".split(),
}
_SHORT = "MO TU WE TH FR SA SU".split()
_UNITS = {
    "en": (("day", "days"), ("hour", "hours"), ("minute", "minutes"), ("second", "seconds")),
    "de": (("Tag", "Tage"), ("Stunde", "Stunden"), ("Minute", "Minuten"), ("Sekunde", "Sekunden")),
}
_EVERY = {
    "en": {"MINUTELY": "minute", "HOURLY": "hour", "DAILY": "day", "WEEKLY": "week", "MONTHLY": "month",
           "YEARLY": "year"},
    "de": {"MINUTELY": "Minute", "HOURLY": "Stunde", "DAILY": "Tag", "WEEKLY": "Woche", "MONTHLY": "Monat",
           "YEARLY": "Jahr"},
}  # fmt: skip
_MANY_DE = {"MINUTELY": "Minuten", "HOURLY": "Stunden", "DAILY": "Tage", "WEEKLY": "Wochen", "MONTHLY": "Monate",
            "YEARLY": "Jahre"}  # fmt: skip
_WORKDAYS, _WEEKEND = "MO,TU,WE,TH,FR", "SA,SU"
_KINDS = {"timer": ("Timer", "Timer"), "reminder": ("Reminder", "Erinnerung"), "alarm": ("Alarm", "Wecker")}


def length(span: timedelta, language: str) -> str:
    """Return a length in words: "1 hour and 5 minutes"."""
    seconds = max(0, round(span.total_seconds()))
    numbers = (seconds // 86400, seconds // 3600 % 24, seconds // 60 % 60, seconds % 60)
    parts = [words.count(number, *unit) for number, unit in zip(numbers, _UNITS[language], strict=True) if number]
    if seconds >= 3600:
        parts = parts[:2]
    return words.listing(parts, language) or words.count(0, *_UNITS[language][3])


def when(at: datetime, now: datetime, language: str) -> str:
    """Return a moment in words, as seen from ``now``: "tomorrow at 08:00"."""
    local = at.astimezone(now.tzinfo)
    days = (local.date() - now.date()).days
    clock = f"{local:%H:%M:%S}" if local.second and days == 0 else f"{local:%H:%M}"
    if language == "de":
        near = {0: "heute", 1: "morgen", 2: "übermorgen", -1: "gestern"}.get(days)
        return f"{near or f'am {_day(local, language)}'} um {clock} Uhr"
    near = {0: "today", 1: "tomorrow", -1: "yesterday"}.get(days)
    return f"{near or f'on {_day(local, language)}'} at {clock}"


def _day(local: datetime, language: str) -> str:
    return f"{_DAYS[language][local.weekday()]}, {words.day(local.date(), language)}"


def repetition(rule: str, language: str) -> str:
    """Return how a rule repeats in words, and until when; empty where it does not."""
    if not rule:
        return ""
    fields = {key: value for key, _, value in (part.partition("=") for part in rule.split(";"))}
    until = fields.get("UNTIL", "")
    if not until:
        return _repeats(fields, language)
    last = words.day(datetime.strptime(until[:8], "%Y%m%d").date(), language)
    return f"{_repeats(fields, language)} {'bis' if language == 'de' else 'until'} {last}"


def _repeats(fields: Mapping[str, str], language: str) -> str:
    days, step = fields.get("BYDAY", ""), int(fields.get("INTERVAL", 1))
    every = "jeden" if language == "de" else "every"
    if days == _WORKDAYS and step == 1:
        return "jeden Werktag" if language == "de" else "every weekday"
    if days == _WEEKEND and step == 1:
        return "jedes Wochenende" if language == "de" else "every weekend day"
    if days and fields["FREQ"] == "WEEKLY" and set(days.split(",")) <= set(_SHORT):
        named = words.listing([_DAYS[language][_SHORT.index(day)] for day in days.split(",")], language)
        return f"{every} {named}" if step == 1 else f"{_stepped(fields['FREQ'], step, language)} ({named})"
    if "BYMONTHDAY" in fields and step == 1:
        day = fields["BYMONTHDAY"]
        return f"am {day}. jedes Monats" if language == "de" else f"on day {day} of every month"
    return _stepped(fields["FREQ"], step, language)


def _stepped(freq: str, step: int, language: str) -> str:
    unit = _EVERY[language][freq]
    if language == "en":
        return f"every {unit}" if step == 1 else f"every {step} {unit}s"
    ending = {"Tag": "jeden", "Monat": "jeden", "Jahr": "jedes"}.get(unit, "jede")
    return f"{ending} {unit}" if step == 1 else f"alle {step} {_MANY_DE[freq]}"


def coming(one: Scheduled, now: datetime) -> datetime | None:
    """Return the next time of an entry in UTC, None where none is to come."""
    return next_time(one, now, now.tzinfo or UTC)


def label(one: Scheduled, now: datetime, language: str) -> str:
    """Return an entry in a few words: "Reminder “call Anna”, tomorrow at 08:00"."""
    kind = _KINDS[one.about.get("kind", "reminder")][language == "de"]
    text = one.about.get("text", "")
    quoted = (f" „{text}“" if language == "de" else f" “{text}”") if text else ""
    after = ""
    if one.about.get("kind") == "timer" and "length" in one.about:
        span = length(timedelta(seconds=int(one.about["length"])), language)
        after = f" für {span}" if language == "de" else f" for {span}"
    return f"{kind}{after}{quoted}, {times(one, now, language)}"


def times(one: Scheduled, now: datetime, language: str) -> str:
    """Return when an entry comes: next, and how it repeats."""
    following = coming(one, now)
    if following is None:
        return when(one.first(now.tzinfo or UTC), now, language)
    repeats = repetition(one.repeat, language)
    said = when(following, now, language)
    if repeats:
        return f"{repeats}, next {said}" if language == "en" else f"{repeats}, das nächste Mal {said}"
    return said
