"""What days and hours a request means, and when a new or moved event takes place."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta, tzinfo

from skills.sdk import Hours, Period, ToolError, without_clock, words

from . import wording
from .entries import Entry, Moment, later
from .invitations import invited_to
from .meaning import Meant
from .occurrences import Occurrence

_WORK = (time(9), time(17))
_EARLY, _LATE, _LAST = time(6), time(22), time(23, 59)
_HOUR = timedelta(hours=1)
_DAY = timedelta(days=1)
_MONTH, _YEAR = timedelta(days=30), timedelta(days=365)  # what a length of a month or a year is, and no month is surely
_MOST_DAYS = 400
_MOST_PEOPLE = 8
_ANSWERED = {
    "ACCEPTED": ("has accepted", "hat zugesagt"), "DECLINED": ("has declined", "hat abgesagt"),
    "TENTATIVE": ("perhaps", "vielleicht"),
}  # fmt: skip


# --- stretches ----------------------------------------------------------------------------------------------------


def bounded(when: Period | None, today: date) -> Period:
    """Return a stretch with two ends: today when none was said; an open end is a year away."""
    if when is None:
        return Period(today, today + timedelta(days=1))
    start = when.start or min(today, (when.end or today) - timedelta(days=1))
    return Period(start, when.end or max(start, today) + timedelta(days=366))


def told_of(when: Period | None, hours: Hours | None, today: date) -> Period:
    """Return the days of an agenda: those that were said; else the coming week, and today where only hours were."""
    if when is None and hours is None:
        return Period(today, today + timedelta(days=7))
    return bounded(when, today)


def by_day(found: Sequence[Occurrence], period: Period, local: tzinfo) -> list[tuple[date, list[Occurrence]]]:
    """Return events by the day on which they are told: the one of their beginning, else the first of the stretch."""
    days: dict[date, list[Occurrence]] = {}
    for one in found:
        day = max(one.begins(local).date(), period.start or date.min)
        days.setdefault(day, []).append(one)
    return sorted(days.items())


def is_within(one: Occurrence, hours: Hours | None, period: Period, local: tzinfo) -> bool:
    """Tell whether an event is at these hours of one of the days."""
    if hours is None:
        return True
    if one.entry.all_day:
        return False
    assert period.start is not None
    assert period.end is not None
    begins, ends = one.begins(local), one.ends(local)
    day, last = max(begins.date(), period.start), min(ends.date(), period.end - timedelta(days=1))
    days = [day + timedelta(days=at) for at in range(min((last - day).days + 1, _MOST_DAYS))]
    return any(_is_at(begins, ends, one, hours) for one in days)


def _is_at(begins: datetime, ends: datetime, day: date, hours: Hours) -> bool:
    """Tell whether a stretch touches some hours of a day."""
    first = datetime.combine(day, hours.start, begins.tzinfo)
    closes = datetime.combine(day, hours.end or _after(hours.start, _HOUR), begins.tzinfo)
    if closes <= first:
        closes += timedelta(days=1)
    return begins < closes and (ends > first or begins == first)


def stretch(period: Period, hours: Hours | None, language: str) -> str:
    """Return a stretch of days in words."""
    assert period.start is not None
    assert period.end is not None
    last = period.end - timedelta(days=1)
    text = wording.day(period.start, language)
    if last > period.start:
        text += f" {'bis' if language == 'de' else 'to'} {wording.day(last, language)}"
    if hours is not None:
        text += f", {hours.start:%H:%M}" + (f"–{hours.end:%H:%M}" if hours.end else "")
    return text


def working_hours(hours: Hours | None) -> tuple[time, time]:
    """Return between which hours somebody is free or not: an open side ends with work, or where the day does."""
    if hours is None:
        return _WORK
    if hours.rough and hours.end is not None and hours.start == time():
        return _opens(hours.end), hours.end
    if hours.end is None or (hours.rough and hours.end == _LAST):
        return hours.start, next((one for one in (_WORK[1], _LATE, _LAST) if one > hours.start), time())
    return hours.start, hours.end


def _opens(closes: time) -> time:
    """When the hours before a time begin: with work, else in the early morning, else at midnight."""
    return next((one for one in (_WORK[0], _EARLY) if one < closes), time())


def working_days(period: Period, today: date) -> list[date]:
    """Return the days of a stretch from today on: a single one as it is, of more only Monday to Friday."""
    assert period.start is not None
    assert period.end is not None
    start = max(period.start, today)
    days = [start + timedelta(days=at) for at in range(max(min((period.end - start).days, _MOST_DAYS), 0))]
    workdays = [day for day in days if day.weekday() < 5]
    return workdays if (period.end - period.start).days > 2 and workdays else days


# --- telling ------------------------------------------------------------------------------------------------------


def coming(found: Sequence[Occurrence], now: datetime) -> list[Occurrence]:
    """Return what begins from now on, and only without any such what runs now."""
    assert now.tzinfo is not None
    begins = [one for one in found if one.begins(now.tzinfo) >= now]
    return begins or list(found)


def said_ahead(one: Occurrence, now: datetime, language: str) -> str:
    """Return an event with how far away it is: "Dentist: Monday 17 March 2025, 15:00-16:00 (in 3 days)"."""
    assert now.tzinfo is not None
    days = (one.begins(now.tzinfo).date() - now.date()).days
    if language == "de":
        far = "heute" if days == 0 else "morgen" if days == 1 else f"in {days} Tagen" if days > 0 else "läuft gerade"
    else:
        far = "today" if days == 0 else "tomorrow" if days == 1 else f"in {days} days" if days > 0 else "running now"
    said = f"{wording.untitled(one.entry, language)}: {when_words(one, now.tzinfo, language)} ({far})"
    return said + place_of(one) + people_of(one, language)


def place_of(one: Occurrence) -> str:
    """Return where an event is, behind its time."""
    return f", {' '.join(one.entry.place.split())}" if one.entry.place else ""


def people_of(one: Occurrence, language: str) -> str:
    """Return who takes part in an event, behind its place."""
    names = [_with_answer(name or address, address, one.entry, language) for name, address in one.entry.people]
    return (
        f", {'mit' if language == 'de' else 'with'} {words.listing(names, language, most=_MOST_PEOPLE)}"
        if names
        else ""
    )


def _with_answer(name: str, address: str, entry: Entry, language: str) -> str:
    """Somebody by name, with what they answered to an invitation, where they did."""
    found = next((who.answer for who in invited_to(entry.block) if who.address == address.casefold()), "")
    said = _ANSWERED.get(found)
    return f"{name} ({said[language == 'de']})" if said is not None else name


def when_words(one: Occurrence, local: tzinfo, language: str) -> str:
    """Return when something is, also where it was just moved from whole days to a time."""
    if isinstance(one.start, datetime) == one.entry.all_day:
        one = Occurrence(replace(one.entry, start=one.start, end=one.end), one.start, one.end, one.of)
    return wording.when(one, local, language)


def said_moved(found: Meant, now: Occurrence, local: tzinfo, language: str) -> str:
    """Return the sentence that says where an event is now."""
    title, clock = wording.untitled(found.entry, language), f"{now.begins(local):%H:%M}"
    when = when_words(now, local, language)
    if language == "de":
        return (
            f"Alle Termine von „{title}“ sind jetzt um {clock}." if found.series else f"„{title}“ ist jetzt am {when}."
        )
    return f"Every time of “{title}” is now at {clock}." if found.series else f"“{title}” is now on {when}."


def label_of(found: Meant, local: tzinfo, language: str) -> str:
    """Return what was meant: an event with its time, or a series."""
    if found.series:
        return wording.series_label(found.entry, language)
    return wording.label(found.time, local, language)


def once_a_series(found: Sequence[Occurrence], when: Period | None) -> list[Occurrence]:
    """Return every event once where no stretch was said; else each of its times."""
    if when is not None:
        return list(found)
    first: dict[object, Occurrence] = {}
    for one in found:
        first.setdefault(one.entry.uid or id(one.entry), one)
    return list(first.values())


# --- new times ----------------------------------------------------------------------------------------------------


def times(
    when: Period | None, hours: Hours | None, length: timedelta | None, repeat: str | None, now: datetime
) -> tuple[Moment, Moment, str]:
    """Return when a new event begins and ends, and its rule. Raises ToolError where that is not said."""
    rule, hours = _plain_rule(repeat or "", hours)
    if hours is not None and hours.rough:
        raise _when_exactly(hours)
    if hours is not None and length is not None and length >= timedelta(days=1):
        raise _too_long()
    day = _first_day(when, hours, rule, now)
    last = when.end - timedelta(days=1) if when is not None and when.end else day
    if rule:
        rule, last = _ended(rule, when, day, hours, now.tzinfo), day
    if hours is None:
        days = length.days if length is not None and length >= timedelta(days=1) else 0
        if length is not None and not days:
            raise _no_hour()
        return day, day + timedelta(days=days) if days else max(last, day) + timedelta(days=1), rule
    if last > day and not rule:
        raise _one_day()
    start = datetime.combine(day, hours.start, now.tzinfo)
    return start, _end_of(start, hours, length), rule


def _ended(rule: str, when: Period | None, day: date, hours: Hours | None, local: tzinfo | None) -> str:
    """The rule with its end where a stretch with one was said; a single day is that of the beginning."""
    if when is None or when.end is None or re.search("(UNTIL|COUNT)=", rule):
        return rule
    last = when.end - timedelta(days=1)
    if when.start is not None and last <= when.start:
        return rule
    if day > last:
        raise _no_such_day()
    if hours is None:
        return f"{rule};UNTIL={last:%Y%m%d}"
    return f"{rule};UNTIL={datetime.combine(last, time(23, 59, 59), local).astimezone(UTC):%Y%m%dT%H%M%SZ}"


def _end_of(start: datetime, hours: Hours, length: timedelta | None) -> datetime:
    if hours.end is None:
        moved = later(start, length or _HOUR)
        assert isinstance(moved, datetime)
        return moved
    end = datetime.combine(start.date(), hours.end, start.tzinfo)
    return end if end > start else end + timedelta(days=1)


def _plain_rule(rule: str, hours: Hours | None) -> tuple[str, Hours | None]:
    """The rule without its clock time, and that as hours where none were said."""
    plain, clock = without_clock(rule)
    return plain, Hours(clock) if clock is not None and (hours is None or hours.rough) else hours


def _first_day(when: Period | None, hours: Hours | None, rule: str, now: datetime) -> date:
    """The day that was said; of a series the first that its rule has; today where only a time was said."""
    day = when.start if when is not None and when.start else None
    if day is None and not rule:
        if hours is None:
            raise _no_day()
        if datetime.combine(now.date(), hours.start, now.tzinfo) < now:
            raise _past(hours)
        return now.date()
    if not rule:
        assert day is not None
        return day
    return _by_rule(day or now.date(), hours, rule, now)


def _by_rule(day: date, hours: Hours | None, rule: str, now: datetime) -> date:
    """The first day from ``day`` on that a rule has, and that is still ahead."""
    from dateutil.rrule import rrulestr

    begin = datetime.combine(day, hours.start if hours else time())
    first = rrulestr(rule, dtstart=begin).after(max(begin, now.replace(tzinfo=None) if hours else begin), inc=True)
    return first.date() if first else day


def only_one(found: Sequence[Occurrence], only: str) -> list[Occurrence]:
    """Return the first or the last of events in the order of their beginning; what is of whole days only alone."""
    timed = [one for one in found if not one.entry.all_day] or list(found)
    return timed[:1] if only == "first" else timed[-1:]


def shifted(found: Occurrence, by: timedelta, local: tzinfo) -> tuple[date | None, Hours | None]:
    """Return the new day and time of an event that begins so much later, or earlier where ``by`` is negative.

    Raises ToolError where it is by nothing, by a month or a year, which are not always as long, or where an event of
    whole days should begin some hours later.
    """
    _sure_length(by)
    if by % _DAY and found.entry.all_day:
        raise _whole_days(found.entry)
    begins = found.begins(local).replace(tzinfo=None)
    start = begins + by
    day = start.date() if start.date() != begins.date() else None
    return day, Hours(start.time()) if by % _DAY else None


def shifted_at(found: Occurrence, to: date, by: timedelta, local: tzinfo) -> Hours:
    """Return the new time of an event that goes to another day, and begins so much later or earlier there.

    Raises ToolError where that is no time of that day, as where ``by`` is of whole days.
    """
    _sure_length(by)
    if found.entry.all_day:
        raise _whole_days(found.entry)
    start = datetime.combine(to, found.begins(local).time()) + by
    if start.date() != to:
        raise both()
    return Hours(start.time())


def _sure_length(by: timedelta) -> None:
    if not by:
        raise _by_nothing()
    if not by % _MONTH or not by % _YEAR:
        raise _no_length(by)


def new_times(found: Occurrence, to: date | None, hours: Hours | None, local: tzinfo) -> tuple[Moment, Moment]:
    """Return when a moved event begins and ends: as long as it was, unless an end was said."""
    if hours is not None and hours.rough:
        raise _when_exactly(hours)
    if hours is None and found.entry.all_day:
        assert to is not None
        return to, later(to, found.end - found.start)  # type: ignore[operator]
    begins, ends = found.begins(local), found.ends(local)
    clock = hours.start if hours else begins.time()
    start = datetime.combine(to or begins.date(), clock, local)
    if hours is not None and hours.end is not None:
        return start, _end_of(start, hours, None)
    length = _HOUR if found.entry.all_day else ends.astimezone(UTC) - begins.astimezone(UTC)
    return start, later(start, length)


def _after(clock: time, length: timedelta) -> time:
    return (datetime.combine(date(2000, 1, 1), clock) + length).time()


# --- errors -------------------------------------------------------------------------------------------------------


def no_time(event: str) -> ToolError:
    """Return the error of a move to nowhere."""
    return ToolError(
        f"To when should “{event}” be moved?",
        hint="Say a day, a time, or both.",
        code="calendar.when",
        asks="to",
        de=f"Auf wann soll „{event}“ verschoben werden?",
        de_hint="Nenne einen Tag, eine Uhrzeit oder beides.",
    )


def fixed_days(entry: Entry) -> ToolError:
    """Return the error of a whole series that should go to another day."""
    title = wording.untitled(entry, "en")
    return ToolError(
        f"“{title}” repeats ({wording.repetition(entry.rule, 'en')}): all of it can go to another time of day only.",
        hint="Move one time of it, or remove the series and add a new one.",
        code="calendar.series",
        de=f"„{title}“ wiederholt sich ({wording.repetition(entry.rule, 'de')}): "
        "im Ganzen lässt sich nur die Uhrzeit ändern.",
        de_hint="Verschiebe einen einzelnen Termin, oder entferne die Reihe und lege eine neue an.",
    )


def both() -> ToolError:
    """Return the error of a move by so much to a time that is said as well."""
    return ToolError(
        "To when? Both a time and by how much were said.",
        hint="Say the new time, or by how much earlier or later.",
        code="calendar.when",
        de="Auf wann? Es wurde beides genannt: eine Zeit, und um wie viel verschoben werden soll.",
        de_hint="Nenne die neue Zeit, oder um wie viel früher oder später.",
    )


def _by_nothing() -> ToolError:
    return ToolError(
        "By how much?",
        hint="Say how much earlier or later, for example “by half an hour”.",
        code="calendar.when",
        asks="by",
        de="Um wie viel?",
        de_hint="Sag, um wie viel früher oder später, zum Beispiel „um eine halbe Stunde“.",
    )


def _no_length(by: timedelta) -> ToolError:
    days = abs(by.days)
    return ToolError(
        f"To which day? That is {days} days, or months or years, and those are not all of the same length.",
        hint="Say the new day, for example “to 17 April”.",
        code="calendar.when",
        asks="to",
        de=f"Auf welchen Tag? Das sind {days} Tage, oder Monate oder Jahre, und die sind nicht alle gleich lang.",
        de_hint="Nenne den neuen Tag, zum Beispiel „auf den 17. April“.",
    )


def _whole_days(entry: Entry) -> ToolError:
    title, titel = (wording.untitled(entry, language) for language in ("en", "de"))
    return ToolError(
        f"“{title}” is of whole days: it has no time that could be another.",
        hint="Move it by days, or say a time of day.",
        code="calendar.when",
        de=f"„{titel}“ ist ganztägig und hat keine Uhrzeit, die sich ändern ließe.",
        de_hint="Verschiebe es um Tage, oder nenne eine Uhrzeit.",
    )


def _no_day() -> ToolError:
    return ToolError(
        "On which day? Neither a day nor a time was said.",
        hint="Say it with its day, for example “on Friday at 3 pm”.",
        code="calendar.when",
        asks="when",
        de="An welchem Tag? Es wurde weder ein Tag noch eine Uhrzeit genannt.",
        de_hint="Nenne den Tag dazu, zum Beispiel „am Freitag um 15 Uhr“.",
    )


def _past(hours: Hours) -> ToolError:
    return ToolError(
        f"{hours.start:%H:%M} is over for today. On which day?",
        hint="Say the day as well.",
        code="calendar.when",
        asks="when",
        de=f"{hours.start:%H:%M} Uhr ist heute schon vorbei. An welchem Tag?",
        de_hint="Nenne auch den Tag.",
    )


def _when_exactly(hours: Hours) -> ToolError:
    until = hours.end or hours.start
    return ToolError(
        f"At what time exactly, between {hours.start:%H:%M} and {until:%H:%M}?",
        hint="Say the time of day, for example “at 10:30”.",
        code="calendar.when",
        asks="hours",
        de=f"Um wie viel Uhr genau, zwischen {hours.start:%H:%M} und {until:%H:%M}?",
        de_hint="Nenne die Uhrzeit, zum Beispiel „um 10:30 Uhr“.",
    )


def _no_hour() -> ToolError:
    return ToolError(
        "At what time does it begin?",
        hint="Say the time of day, for example “at 10:30”.",
        code="calendar.when",
        asks="hours",
        de="Um wie viel Uhr fängt es an?",
        de_hint="Nenne die Uhrzeit, zum Beispiel „um 10:30 Uhr“.",
    )


def _too_long() -> ToolError:
    return ToolError(
        "How long is it? With a time of day it must be shorter than a day.",
        hint="Say from when to when, or leave the time of day out.",
        code="calendar.when",
        asks="hours",
        de="Wie lange dauert es? Mit einer Uhrzeit muss es kürzer als ein Tag sein.",
        de_hint="Sag, von wann bis wann, oder lass die Uhrzeit weg.",
    )


def _no_such_day() -> ToolError:
    return ToolError(
        "There is no such day in that time.",
        hint="Say another day, or a later end.",
        code="calendar.when",
        asks="when",
        de="Einen solchen Tag gibt es in dieser Zeit nicht.",
        de_hint="Nenne einen anderen Tag oder ein späteres Ende.",
    )


def _one_day() -> ToolError:
    return ToolError(
        "With a time of day it must be on one day, or repeat.",
        hint="Say one day, or “every day” and how often.",
        code="calendar.when",
        asks="when",
        de="Mit einer Uhrzeit muss es an einem Tag sein oder sich wiederholen.",
        de_hint="Nenne einen Tag oder sag „jeden Tag“.",
    )
