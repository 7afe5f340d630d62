"""When a reminder or alarm is to come: from a length, a day, a time of day and a repetition to a moment and a rule."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta

from skills.sdk import Context, Hours, Scheduled, ToolError, next_time, without_clock

MORNING = time(9)
"""What is to come on a day and at no time of it comes then."""

LONGEST = timedelta(days=366 * 5)
_BY_CLOCK = ("FREQ=MINUTELY", "FREQ=HOURLY")


def in_time(length: timedelta, now: datetime) -> datetime:
    """Return the moment so long from now, to the second. Raises ToolError on none, or one that is too far away."""
    if not timedelta(seconds=1) <= length <= LONGEST:
        raise _no_length()
    return (now.astimezone(UTC) + length).replace(microsecond=0)


def beginning(ctx: Context, event: str) -> tuple[str, datetime]:
    """Return the title and the beginning, on the wall, of the next appointment with some words. Raises ToolError."""
    found = ctx.call("calendar.upcoming", words=event).value.fields["events"]
    if not found or not found[0]["start"]:
        raise _no_beginning(found[0]["title"] if found else event)
    first = found[0]
    return str(first["title"]), datetime.fromisoformat(f"{first['day']}T{first['start']}")


def ahead_of(begins: datetime, length: timedelta, now: datetime) -> datetime:
    """Return the time on the wall so long before something. Raises ToolError where it is over."""
    if begins - length <= now.replace(tzinfo=None):
        raise _over(begins - length)
    return begins - length


def moment(when: date | None, hours: Hours | None, now: datetime) -> datetime:
    """Return the time on the wall that is meant, without a zone. Raises ToolError where it is over or not said."""
    local = now.replace(tzinfo=None)
    if when is None and hours is None:
        raise no_time()
    clock = hours.start if hours is not None else MORNING
    if when is None:
        today = datetime.combine(local.date(), clock)
        return today if today > local else today + timedelta(days=1)
    at = datetime.combine(when, clock)
    if at > local:
        return at
    if when == local.date() and hours is None:
        raise _at_what_time()
    raise _over(at)


def series(
    rule: str, when: date | None, hours: Hours | None, now: datetime
) -> tuple[datetime, str]:  # fmt: skip
    """Return the first time of a repetition and its rule without a time of day; that is the first one's."""
    rule, hours = _plain(rule, hours)
    if rule.startswith(_BY_CLOCK) and hours is None and when is None:
        first = next_time(Scheduled("x", now.astimezone(UTC).replace(microsecond=0), {"en": "-"}, rule), now, UTC)
        assert first is not None
        return first, rule
    begin = datetime.combine(when or now.date(), hours.start if hours is not None else MORNING)
    if rule.startswith(_BY_CLOCK):
        return (begin if begin > now.replace(tzinfo=None) else begin + timedelta(days=1)), rule
    zone = now.tzinfo or UTC
    first = next_time(Scheduled("x", begin, {"en": "-"}, rule), now, zone)
    if first is None:
        raise _never()
    return first.astimezone(zone).replace(tzinfo=None), rule


def _plain(rule: str, hours: Hours | None) -> tuple[str, Hours | None]:
    """Return a rule without its time of day, and that as hours where none were said."""
    plain, clock = without_clock(rule)
    return plain, Hours(clock) if clock is not None and (hours is None or hours.rough) else hours


# --- errors -------------------------------------------------------------------------------------------------------


def no_time() -> ToolError:
    """Return the error of something that is to come at no time."""
    return ToolError(
        "When? Neither a time nor how long from now was said.",
        hint="Say it, for example “in 20 minutes” or “tomorrow at 8”.",
        code="timers.when",
        asks="hours",
        de="Wann? Es wurde weder eine Zeit noch eine Dauer genannt.",
        de_hint="Nenne sie, zum Beispiel „in 20 Minuten“ oder „morgen um 8“.",
    )


def how_long() -> ToolError:
    """Return the error of a timer without a length."""
    return ToolError(
        "For how long?",
        hint="Say it, for example “10 minutes”.",
        code="timers.length",
        asks="length",
        de="Wie lange soll er laufen?",
        de_hint="Nenne die Dauer, zum Beispiel „10 Minuten“.",
    )


def once_or_always(label: str, name: str) -> ToolError:
    """Return the question whether a series moves this once, or always."""
    return ToolError(
        f"This once, or always? It repeats: {label}.",
        hint="Say how it repeats from now on, for example “to every Monday”, or set one more for that day.",
        code="timers.series",
        asks="repeat",
        de=f"Nur dieses eine Mal, oder immer? Es wiederholt sich: {name}.",
        de_hint="Sag, wie es sich von nun an wiederholt, etwa „auf jeden Montag“, oder stell für den Tag ein weiteres.",
    )


def _no_beginning(title: str) -> ToolError:
    return ToolError(
        f"“{title}” begins at no time of day.",
        hint="Say when you want to be reminded, for example “tomorrow at 8”.",
        code="timers.when",
        de=f"„{title}“ beginnt zu keiner Uhrzeit.",
        de_hint="Sag, wann ich dich erinnern soll, zum Beispiel „morgen um 8“.",
    )


def _no_length() -> ToolError:
    return ToolError(
        "That is no length of time that a timer can have.",
        hint="Say one between a second and five years.",
        code="timers.length",
        asks="length",
        de="So lange kann kein Timer laufen.",
        de_hint="Nenne eine Dauer zwischen einer Sekunde und fünf Jahren.",
    )


def _at_what_time() -> ToolError:
    return ToolError(
        "At what time today?",
        hint="Say the time of day, for example “today at 5 pm”.",
        code="timers.when",
        asks="hours",
        de="Um wie viel Uhr heute?",
        de_hint="Nenne die Uhrzeit, zum Beispiel „heute um 17 Uhr“.",
    )


def _over(at: datetime) -> ToolError:
    return ToolError(
        f"{at:%Y-%m-%d %H:%M} is over already.",
        hint="Say a time that is to come.",
        code="timers.over",
        asks="hours",
        de=f"Der {at:%d.%m.%Y, %H:%M} Uhr ist schon vorbei.",
        de_hint="Nenne eine Zeit, die noch kommt.",
    )


def _never() -> ToolError:
    return ToolError(
        "That never comes.",
        hint="Say how often, for example “every Monday at 8”.",
        code="timers.never",
        asks="repeat",
        de="Das kommt nie.",
        de_hint="Sag, wie oft, zum Beispiel „jeden Montag um 8“.",
    )
