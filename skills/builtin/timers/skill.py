"""Timers, reminders and alarms. They live with Steward, which tells them at their time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from typing import Literal

from skills.sdk import Context, Hours, Period, Query, Recurrence, Scheduled, Title, words

from . import planning, wording
from .choosing import Labels, at_time, matching, nothing, of_kind, on_days, repeats, the_one

KEPT_AFTER = timedelta(days=7)
"""So long after its time something can still be put off."""

RECENT, JUST = timedelta(days=1), timedelta(hours=1)
NOW_AND_THEN = timedelta(minutes=10)
Kind = Literal["any", "timer", "reminder", "alarm"]
Many = Literal["one", "all"]


@dataclass(frozen=True, slots=True)
class Reminder:
    """One timer, reminder or alarm: what it is about, its next day and time, and how it repeats."""

    text: Title
    kind: str
    day: date
    time: str
    repeats: str


@dataclass(frozen=True, slots=True)
class Reminders:
    """Several, in the order in which they come."""

    text: str
    reminders: list[Reminder]


# --- setting ------------------------------------------------------------------------------------------------------


def timer(ctx: Context, length: timedelta | None = None, text: Title | None = None) -> Reminder:
    """Set a timer that rings after a while.

    Args:
        length: how long.
        text: what it is for.
    """
    if length is None:
        raise planning.how_long()
    at, about = planning.in_time(length, ctx.now), _tidy(text)
    lasts, dauert = wording.length(length, "en"), wording.length(length, "de")
    named, benannt = (f" for “{about}”", f" für „{about}“") if about else ("", "")
    says = {"en": f"The timer of {lasts}{named} is over.", "de": f"Der Timer von {dauert}{benannt} ist um."}
    made = _made(ctx, "timer", at, "", says, about, length=str(round(length.total_seconds())))
    until, bis = wording.when(at, ctx.now, "en"), wording.when(at, ctx.now, "de")
    ctx.say(f"The timer{named} runs for {lasts}: it rings {until}.",
            de=f"Der Timer{benannt} läuft {dauert}: Er klingelt {bis}.")  # fmt: skip
    return _shown(made, ctx.now)


def remind(
    ctx: Context,
    text: Title,
    length: timedelta | None = None,
    when: date | None = None,
    hours: Hours | None = None,
    repeat: Recurrence | None = None,
) -> Reminder:
    """Remind the person of something: after a while, at a time, or again and again.

    Args:
        text: of what.
        length: how long from now.
        when: on which day.
        hours: at what time of day.
        repeat: how it repeats.
    """
    at, rule = _time(ctx, length, when, hours, repeat)
    about = _tidy(text)
    says = {"en": f"Reminder: {about}.", "de": f"Erinnerung: {about}."}
    made = _made(ctx, "reminder", at, rule, says, about)
    ctx.say(f"I will remind you {wording.times(made, ctx.now, 'en')}: {about}.",
            de=f"Ich erinnere dich {wording.times(made, ctx.now, 'de')}: {about}.")  # fmt: skip
    return _shown(made, ctx.now)


def before(ctx: Context, event: Query, length: timedelta, text: Title | None = None) -> Reminder:
    """Remind the person some time before an appointment begins.

    Args:
        event: before which appointment, by words of it.
        length: how long before.
        text: of what; of the appointment itself when absent.
    """
    title, begins = planning.beginning(ctx, str(event))
    at = planning.ahead_of(begins, length, ctx.now)
    about = _tidy(text) or title
    says = {"en": f"Reminder: {about}.", "de": f"Erinnerung: {about}."}
    made = _made(ctx, "reminder", at, "", says, about)
    lasts, dauert = wording.length(length, "en"), wording.length(length, "de")
    ctx.say(f"I will remind you {wording.times(made, ctx.now, 'en')}, {lasts} before “{title}”: {about}.",
            de=f"Ich erinnere dich {wording.times(made, ctx.now, 'de')}, {dauert} vor „{title}“: {about}.")  # fmt: skip
    return _shown(made, ctx.now)


def wake(
    ctx: Context,
    hours: Hours | None = None,
    when: date | None = None,
    repeat: Recurrence | None = None,
    length: timedelta | None = None,
) -> Reminder:
    """Set an alarm that wakes the person.

    Args:
        hours: at what time of day.
        when: on which day; the next time it is so late when absent.
        repeat: how it repeats.
        length: how long from now.
    """
    if hours is None and length is None and repeat is None:
        raise planning.no_time()
    at, rule = _time(ctx, length, when, hours, repeat)
    clock = f"{at.astimezone(ctx.now.tzinfo) if at.tzinfo else at:%H:%M}"
    says = {"en": f"It is {clock}. Time to get up.", "de": f"Es ist {clock} Uhr. Zeit aufzustehen."}
    made = _made(ctx, "alarm", at, rule, says, "")
    ctx.say(f"I will wake you {wording.times(made, ctx.now, 'en')}.",
            de=f"Ich wecke dich {wording.times(made, ctx.now, 'de')}.")  # fmt: skip
    return _shown(made, ctx.now)


# --- asking -------------------------------------------------------------------------------------------------------


def show(ctx: Context, kind: Kind = "any", which: Query | None = None, when: Period | None = None) -> Reminders:
    """List the timers, reminders and alarms that are to come.

    Args:
        kind: only timers, reminders or alarms.
        which: only those about this.
        when: only those on these days.
    """
    found = of_kind(on_days(_ahead(ctx), when, ctx.now), kind)
    found = matching(found, str(which)) if which else found
    if not found:
        ctx.say(_none(kind, "en"), de=_none(kind, "de"))
        return Reminders("", [])
    lines = [f"- {wording.label(one, ctx.now, ctx.language)}" for one in found]
    ctx.say("\n".join(lines))
    return Reminders("\n".join(lines), [_shown(one, ctx.now) for one in found])


def left(ctx: Context, which: Query | None = None, kind: Kind = "timer") -> Reminder:
    """Tell how long it is until a timer rings, or a reminder or alarm comes.

    Args:
        which: which one, by words of it; the next when absent.
        kind: a timer, a reminder or an alarm.
    """
    ahead = _ahead(ctx)
    of = of_kind(ahead, kind) or ahead
    found = matching(of, str(which)) if which else of[:1]
    if not found:
        raise nothing(ahead, str(which or ""), kind, Labels(ctx.now, _tongue(ctx)))
    one = found[0]
    at = wording.coming(one, ctx.now)
    assert at is not None
    span = at - ctx.now.astimezone(UTC)
    ctx.say(f"{wording.length(span, 'en')} left: {wording.label(one, ctx.now, 'en')}.",
            de=f"Noch {wording.length(span, 'de')}: {wording.label(one, ctx.now, 'de')}.")  # fmt: skip
    return _shown(one, ctx.now)


# --- changing -----------------------------------------------------------------------------------------------------


def cancel(
    ctx: Context,
    which: Query | None = None,
    kind: Kind = "any",
    many: Many = "one",
    when: Period | None = None,
    hours: Hours | None = None,
    length: timedelta | None = None,
) -> Reminders:
    """Cancel a timer, a reminder or an alarm, or all of them.

    Args:
        which: which one, by words of it.
        kind: a timer, a reminder or an alarm.
        many: one of them, or all.
        when: only what comes on these days.
        hours: only what comes at this time of day.
        length: only a timer that was set for so long.
    """
    ahead, said, labels = _ahead(ctx), str(which or ""), Labels(ctx.now, _tongue(ctx))
    there, then = at_time(on_days(ahead, when, ctx.now), hours, length, ctx.now), (when or hours or length) is not None
    if many == "all":
        gone = matching(of_kind(there, kind), said)
    else:
        gone = [the_one(there, said, kind, labels)] if of_kind(there, kind) or not then else []
    if not gone:
        raise nothing(ahead, said, kind, labels, then=then)
    if when is not None and any(one.repeat for one in gone):
        raise repeats(gone, labels)
    names = {one.id for one in gone}
    _keep(ctx, [one for one in ctx.scheduled() if one.id not in names])
    named, benannt = (words.listing([wording.label(one, ctx.now, tongue) for one in gone], tongue) for tongue in _BOTH)
    ctx.say(f"Cancelled: {named}.", de=f"Gestrichen: {benannt}.")
    return Reminders("", [_shown(one, ctx.now) for one in gone])


def snooze(ctx: Context, length: timedelta | None = None, which: Query | None = None, kind: Kind = "any") -> Reminder:
    """Put off what has just rung: it comes once more after a while.

    Where nothing of the kind that is named has rung within the hour, what is still to come of it comes so much later.

    Args:
        length: how long; ten minutes when absent.
        which: which one, by words of it; the last that rang when absent.
        kind: a timer, a reminder or an alarm.
    """
    length = length if length is not None else NOW_AND_THEN
    one, at = _to_put_off(ctx, str(which or ""), kind, length)
    entries = ctx.scheduled()
    again = replace(one, at=at, repeat="", id=_new_id(ctx, entries) if one.repeat else one.id)
    _keep(ctx, [*(other for other in entries if other.id != again.id), again])
    lasts, dauert = wording.length(length, "en"), wording.length(length, "de")
    ctx.say(f"Put off for {lasts}: {wording.label(again, ctx.now, 'en')}.",
            de=f"Um {dauert} verschoben: {wording.label(again, ctx.now, 'de')}.")  # fmt: skip
    return _shown(again, ctx.now)


def change(
    ctx: Context,
    which: Query | None = None,
    kind: Kind = "any",
    when: date | None = None,
    hours: Hours | None = None,
    length: timedelta | None = None,
    repeat: Recurrence | None = None,
) -> Reminder:
    """Change when a timer, a reminder or an alarm comes.

    Args:
        which: which one, by words of it.
        kind: a timer, a reminder or an alarm.
        when: the new day.
        hours: the new time of day.
        length: how long from now.
        repeat: how it repeats from now on.
    """
    if when is None and hours is None and length is None and repeat is None:
        raise planning.no_time()
    one = the_one(_ahead(ctx), str(which or ""), kind, Labels(ctx.now, _tongue(ctx)))
    if one.repeat and not repeat and (when is not None or length is not None):
        return _once_more(ctx, one, when, length)
    changed = _changed(ctx, one, when, hours, length, repeat)
    _keep(ctx, [changed if other.id == one.id else other for other in ctx.scheduled()])
    ctx.say(f"Changed: {wording.label(changed, ctx.now, 'en')}.",
            de=f"Geändert: {wording.label(changed, ctx.now, 'de')}.")  # fmt: skip
    return _shown(changed, ctx.now)


# --- inside -------------------------------------------------------------------------------------------------------

_BOTH = ("en", "de")
_NOTHING = {
    "any": ("Nothing is on the clock.", "Es ist nichts gestellt."),
    "timer": ("No timer is running.", "Es läuft kein Timer."),
    "reminder": ("There is no reminder to come.", "Es steht keine Erinnerung an."),
    "alarm": ("No alarm is set.", "Es ist kein Wecker gestellt."),
}


def _none(kind: str, language: str) -> str:
    return _NOTHING[kind][_BOTH.index(language)]


def _tidy(text: str | None) -> str:
    """Return what something is about in one line, without a full stop at its end."""
    return " ".join(str(text or "").split()).rstrip(".").strip()[:300]


def _time(
    ctx: Context, length: timedelta | None, when: date | None, hours: Hours | None, repeat: str | None
) -> tuple[datetime, str]:
    """Return the first moment and the rule of something new."""
    if repeat:
        return planning.series(str(repeat), when, hours, ctx.now)
    if length is not None and hours is None and when is None:
        return planning.in_time(length, ctx.now), ""
    return planning.moment(when, hours, ctx.now), ""


def _once_more(ctx: Context, one: Scheduled, when: date | None, length: timedelta | None) -> Reminder:
    """Leave a series as it is and have it come once more after ``length``; a day alone may mean once or always."""
    if when is not None or length is None:
        raise planning.once_or_always(wording.label(one, ctx.now, "en"), wording.label(one, ctx.now, "de"))
    entries = ctx.scheduled()
    again = replace(one, at=planning.in_time(length, ctx.now), repeat="", id=_new_id(ctx, entries))
    _keep(ctx, [*entries, again])
    until, bis = wording.when(again.at, ctx.now, "en"), wording.when(again.at, ctx.now, "de")
    label, name = wording.label(one, ctx.now, "en"), wording.label(one, ctx.now, "de")
    ctx.say(f"It comes once more {until}; the series stays: {label}.",
            de=f"Es kommt {bis} einmal zusätzlich; die Reihe bleibt: {name}.")  # fmt: skip
    return _shown(again, ctx.now)


def _changed(
    ctx: Context,
    one: Scheduled,
    when: date | None,
    hours: Hours | None,
    length: timedelta | None,
    repeat: str | None,
) -> Scheduled:
    zone = ctx.now.tzinfo or UTC
    local = one.first(zone).astimezone(zone)
    hours = hours or (Hours(local.time()) if length is None else None)
    if repeat or one.repeat:
        at, rule = planning.series(str(repeat or one.repeat), when, hours, ctx.now)
        return replace(one, at=at, repeat=rule)
    day = when or (local.date() if length is None and local.date() > ctx.today else None)
    at, _ = _time(ctx, length, day, hours, None)
    about = (
        {**one.about, "length": str(round(length.total_seconds()))} if length and "length" in one.about else one.about
    )
    return replace(one, at=at, about=about)


def _made(
    ctx: Context, kind: str, at: datetime, rule: str, says: dict[str, str], text: str, **about: str
) -> Scheduled:  # fmt: skip
    """Put something new on the clock."""
    entries = ctx.scheduled()
    made = Scheduled(_new_id(ctx, entries), at, says, rule, _tongue(ctx), {"kind": kind, "text": text, **about})
    _keep(ctx, [*entries, made])
    return made


def _keep(ctx: Context, entries: Sequence[Scheduled]) -> None:
    """Keep these on the clock, without what is long over."""
    since = ctx.now - KEPT_AFTER
    ctx.schedule([one for one in entries if wording.coming(one, since) is not None])


def _new_id(ctx: Context, entries: Sequence[Scheduled]) -> str:
    taken = {one.id for one in entries}
    while (name := f"t{ctx.random.getrandbits(48):012x}") in taken:
        pass
    return name


def _ahead(ctx: Context) -> list[Scheduled]:
    """Return what is to come, the next first."""
    coming = [(at, one) for one in ctx.scheduled() if (at := wording.coming(one, ctx.now)) is not None]
    return [one for _, one in sorted(coming, key=lambda pair: pair[0])]


def _to_put_off(ctx: Context, said: str, kind: str, length: timedelta) -> tuple[Scheduled, datetime]:
    """Return what has rung, and when it is to come again; where nothing of a kind just has, what is to come of it."""
    coming = of_kind(_ahead(ctx), kind) if kind != "any" else []
    runs = bool(matching(coming, said))
    rung = matching(of_kind(_rung(ctx, JUST if runs else RECENT), kind), said)
    if rung:
        return rung[0], planning.in_time(length, ctx.now)
    if not coming:
        raise _nothing_rang()
    one = the_one(coming, said, kind, Labels(ctx.now, _tongue(ctx)))
    if one.repeat:
        raise planning.once_or_always(wording.label(one, ctx.now, "en"), wording.label(one, ctx.now, "de"))
    return one, one.first(ctx.now.tzinfo or UTC) + length


def _rung(ctx: Context, within: timedelta) -> list[Scheduled]:
    """Return what came ``within`` the last while, the latest first."""
    zone, since = ctx.now.tzinfo or UTC, ctx.now - within
    rung = []
    for one in ctx.scheduled():
        at = wording.coming(one, since)
        while at is not None and at <= ctx.now and (later := wording.coming(one, at.astimezone(zone))) is not None:
            if later > ctx.now:
                break
            at = later
        if at is not None and at <= ctx.now:
            rung.append((at, one))
    return [one for _, one in sorted(rung, key=lambda pair: pair[0], reverse=True)]


def _tongue(ctx: Context) -> str:
    return "de" if ctx.language == "de" else "en"


def _shown(one: Scheduled, now: datetime) -> Reminder:
    at = wording.coming(one, now) or one.first(now.tzinfo or UTC)
    local = at.astimezone(now.tzinfo)
    text = one.about.get("text", "") or one.said()
    return Reminder(
        Title(text), one.about.get("kind", ""), local.date(), f"{local:%H:%M}", wording.repetition(one.repeat, "en")
    )


def _nothing_rang() -> Exception:
    from skills.sdk import ToolError

    return ToolError(
        "Nothing has rung within the last day.",
        hint="Set a reminder, for example “remind me in 20 minutes to …”.",
        code="timers.rung",
        de="Innerhalb des letzten Tages hat nichts geklingelt.",
        de_hint="Stell eine Erinnerung, zum Beispiel „erinnere mich in 20 Minuten an …“.",
    )
