"""To-dos: one plain file that lives with Steward."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from typing import Literal

from skills.sdk import (
    Context,
    Hours,
    Period,
    Query,
    Recurrence,
    Scheduled,
    Title,
    ToolError,
    next_time,
    without_clock,
    words,
)

from . import todo
from .choosing import nothing, on_list, the_one
from .falling import falling_due, key_of
from .todo import Line
from .todo import Task as Entry

MOST_BESIDE = 5
MOST_SHOWN = 60

Priority = Literal["none", "high", "medium", "low"]
Which = Literal["open", "overdue", "done", "all"]


@dataclass(frozen=True, slots=True)
class Task:
    """One task: what is to be done, by when, how urgent, on which list."""

    text: Title
    due: date | None
    time: str
    priority: str
    group: str
    done: bool


@dataclass(frozen=True, slots=True)
class Todo:
    """Several tasks, the most urgent first."""

    text: str
    tasks: list[Task]


@dataclass(frozen=True, slots=True)
class Deadline:
    """An open task and by when it is to be done; ``key`` tells it from every other."""

    title: Title
    day: date
    time: str
    priority: str
    group: str
    key: str


# --- writing down -------------------------------------------------------------------------------------------------


def add(
    ctx: Context,
    text: Title,
    due: date | None = None,
    hours: Hours | None = None,
    priority: Priority = "none",
    group: Title | None = None,
    repeat: Recurrence | None = None,
) -> Task:
    """Put a task on the to-do list.

    Args:
        text: what is to be done.
        due: by which day.
        hours: by what time of day.
        priority: how urgent it is.
        group: on which list.
        repeat: how it repeats.
    """
    rule, clock = without_clock(str(repeat or ""))[0], _clock(hours, str(repeat or ""))
    day = _first_day(due, clock, rule, ctx.now)
    name = " ".join(str(text).split()).rstrip(".")
    entry = Entry(name, todo.PRIORITIES.get(priority, ""), ctx.today, _list_name(group), day, clock, rule)
    lines = _lines(ctx)
    if any(line.task and not line.task.is_done and line.task.text == name and line.task.due == day for line in lines):
        ctx.say(f"“{name}” is on your list already.", de=f"„{name}“ steht schon auf deiner Liste.")
        return _shown(entry)
    _save(ctx, [*lines, todo.line_of(entry)])
    ctx.say(
        f"On your list: {_label(entry, ctx.now, 'en')}.", de=f"Steht auf der Liste: {_label(entry, ctx.now, 'de')}."
    )
    return _shown(entry)


# --- asking -------------------------------------------------------------------------------------------------------


def show(
    ctx: Context,
    which: Which = "open",
    when: Period | None = None,
    group: Query | None = None,
    priority: Priority = "none",
) -> Todo:
    """List tasks: what is open, overdue, due on a day, on a list, or done.

    Args:
        which: open, overdue or done ones.
        when: only those that are due on these days; with today among them, what is overdue is told beside.
        group: only those on this list.
        priority: only those that are so urgent.
    """
    when = _behind(when, ctx.today) if when is not None and which == "done" else when
    every = [line.task for line in _lines(ctx) if line.task is not None]
    found = on_list(every, str(group)) if group else every
    found = [one for one in found if _is_of(one, which, ctx.now) and (when is None or _falls(one, when))]
    found = [one for one in found if priority == "none" or one.priority == todo.PRIORITIES[priority]]
    found.sort(key=lambda one: (one.due or date.max, one.at or time.max, one.priority or "Z"))
    beside = []
    if when is not None and which == "open" and when.holds(ctx.today) and not group:
        beside = [one for one in every if one.is_overdue(ctx.now) and not _falls(one, when)]
    if not found:
        ctx.say(_NONE["en"][which], de=_NONE["de"][which])
        _tell_overdue(ctx, beside)
        return Todo("", [])
    lines = [f"- {_label(one, ctx.now, ctx.language)}" for one in found[:MOST_SHOWN]]
    more = len(found) - MOST_SHOWN
    lines += [f"… +{more}"] if more > 0 else []
    ctx.say("\n".join(lines))
    _tell_overdue(ctx, beside)
    return Todo("\n".join(lines), [_shown(one) for one in found])


def deadlines(ctx: Context, within: timedelta) -> list[Deadline]:
    """List the open tasks that fall due within some time from now, and those that are overdue.

    Args:
        within: how soon.
    """
    every = [line.task for line in _lines(ctx) if line.task is not None]
    found = falling_due(every, within, ctx.now)
    if not found:
        ctx.say("Nothing falls due by then.", de="Bis dahin wird nichts fällig.")
    else:
        more = len(found) - MOST_SHOWN
        lines = [f"- {_label(one, ctx.now, ctx.language)}" for one in found[:MOST_SHOWN]]
        ctx.say("\n".join([*lines, f"… +{more}"] if more > 0 else lines))
    return [_deadline(one) for one in found]


# --- changing -----------------------------------------------------------------------------------------------------


def done(ctx: Context, task: Query) -> Task:
    """Mark a task as done; one that repeats comes again.

    Args:
        task: which one, by words of it.
    """
    lines, entry = _meant(ctx, task)
    finished = replace(entry, is_done=True, done=ctx.today, rule="")
    following = _following(entry, ctx.now)
    _save(ctx, todo.replaced(lines, entry, finished, *([following] if following else [])))
    again = f" It comes again {_day(following, ctx.now, 'en')}." if following else ""
    wieder = f" Sie kommt {_day(following, ctx.now, 'de')} wieder." if following else ""
    ctx.say(f"Done: {entry.text}.{again}", de=f"Erledigt: {entry.text}.{wieder}")
    return _shown(finished)


def remove(ctx: Context, task: Query) -> Task:
    """Take a task off the list.

    Args:
        task: which one, by words of it.
    """
    lines, entry = _meant(ctx, task)
    _save(ctx, todo.replaced(lines, entry))
    ctx.say(f"I took “{entry.text}” off your list.", de=f"Ich habe „{entry.text}“ von der Liste genommen.")
    return _shown(entry)


def rename(ctx: Context, task: Query, text: Title) -> Task:
    """Change what a task says.

    Args:
        task: which one, by words of it.
        text: what it is to say.
    """
    lines, entry = _meant(ctx, task)
    changed = replace(entry, text=" ".join(str(text).split()).rstrip("."))
    _save(ctx, todo.replaced(lines, entry, changed))
    ctx.say(f"“{entry.text}” now says “{changed.text}”.", de=f"„{entry.text}“ heißt jetzt „{changed.text}“.")
    return _shown(changed)


def move(ctx: Context, task: Query, to: date | None = None, hours: Hours | None = None) -> Task:
    """Change by when a task is due.

    Args:
        task: which one, by words of it.
        to: the new day.
        hours: the new time of day.
    """
    if to is None and hours is None:
        raise _no_day()
    lines, entry = _meant(ctx, task)
    changed = replace(
        entry, due=to or entry.due or ctx.today, at=_clock(hours, "") or (entry.at if to is None else None)
    )
    if to is not None and hours is None:
        changed = replace(changed, at=entry.at)
    _save(ctx, todo.replaced(lines, entry, changed))
    ctx.say(f"Changed: {_label(changed, ctx.now, 'en')}.", de=f"Geändert: {_label(changed, ctx.now, 'de')}.")
    return _shown(changed)


def rank(ctx: Context, task: Query, priority: Priority) -> Task:
    """Change how urgent a task is.

    Args:
        task: which one, by words of it.
        priority: how urgent it is.
    """
    lines, entry = _meant(ctx, task)
    changed = replace(entry, priority=todo.PRIORITIES.get(priority, ""))
    _save(ctx, todo.replaced(lines, entry, changed))
    ctx.say(f"Changed: {_label(changed, ctx.now, 'en')}.", de=f"Geändert: {_label(changed, ctx.now, 'de')}.")
    return _shown(changed)


# --- inside -------------------------------------------------------------------------------------------------------

_NONE = {
    "en": {"open": "Nothing is to be done.", "overdue": "Nothing is overdue.", "done": "Nothing is done yet.",
           "all": "Your list is empty."},
    "de": {"open": "Es ist nichts zu tun.", "overdue": "Nichts ist überfällig.", "done": "Noch ist nichts erledigt.",
           "all": "Deine Liste ist leer."},
}  # fmt: skip
_RANKS = {"A": ("high priority", "wichtig"), "B": ("medium priority", "mittlere Priorität"),
          "C": ("low priority", "unwichtig")}  # fmt: skip


def _lines(ctx: Context) -> list[Line]:
    path = ctx.own(todo.FILE)
    return todo.read(ctx.read_text(path)) if ctx.exists(path) else []


def _save(ctx: Context, lines: Sequence[Line]) -> None:
    ctx.write(ctx.own(todo.FILE), todo.write(lines))


def _meant(ctx: Context, said: str) -> tuple[list[Line], Entry]:
    """Return the lines and the open task that is meant. Raises ToolError."""
    lines = _lines(ctx)
    opened = [line.task for line in lines if line.task is not None and not line.task.is_done]
    if not opened:
        raise nothing([], str(said))
    return lines, the_one(opened, str(said))


def _is_of(one: Entry, which: str, now: datetime) -> bool:
    match which:
        case "open":
            return not one.is_done
        case "done":
            return one.is_done
        case "overdue":
            return one.is_overdue(now)
        case _:
            return True


def _falls(one: Entry, when: Period) -> bool:
    """Tell whether a task is due in these days; what is done, whether it was done then."""
    day = one.done if one.is_done else one.due
    return day is not None and when.holds(day)


def _behind(when: Period, today: date) -> Period:
    """What was done was done already: "on Friday" is the last one, though it is read as the next for what is due."""
    if when.start is None or when.end is None:
        return when
    days = timedelta(days=7 * max(0, -(-(when.start - today).days // 7)))
    return Period(when.start - days, when.end - days)


def _tell_overdue(ctx: Context, late: list[Entry]) -> None:
    """Say what is overdue beside what is due today: it is to be done as well."""
    if late:
        named = [one.text for one in late]
        ctx.say(f"Overdue as well: {words.listing(named, most=MOST_BESIDE)}.",
                de=f"Außerdem überfällig: {words.listing(named, 'de', most=MOST_BESIDE)}.")  # fmt: skip


def _list_name(group: str | None) -> str:
    name = " ".join(str(group or "").split())
    return re.sub(r"(?i)^(?:the|my|meine|meiner|die|der)\s+|\s*(?:to-?do)?[ -]?(?:list|liste)$", "", name).strip()


def _clock(hours: Hours | None, rule: str) -> time | None:
    """Return the time of day that was said, also within a repetition; a part of the day is none."""
    if hours is not None and not hours.rough:
        return hours.start
    return without_clock(rule)[1]


def _first_day(due: date | None, clock: time | None, rule: str, now: datetime) -> date | None:
    """Return by when something new is due: the day that was said, the first of its rule, today for a mere time."""
    if not rule:
        return due or (now.date() if clock is not None else None)
    begin = datetime.combine(due or now.date(), clock or time())
    found = next_time(Scheduled("x", begin, {"en": "-"}, rule), _before(begin, now), UTC)
    if found is None:
        raise _never()
    return found.date()


def _following(entry: Entry, now: datetime) -> Entry | None:
    """Return a task that repeats as it comes next: after its day, and not before today."""
    if not entry.rule or entry.due is None:
        return None
    begin = datetime.combine(entry.due, entry.at or time())
    after = max(begin, datetime.combine(now.date(), time.min) - timedelta(seconds=1))
    found = next_time(Scheduled("x", begin, {"en": "-"}, entry.rule), after.replace(tzinfo=UTC), UTC)
    return replace(entry, due=found.date(), made=now.date()) if found else None


def _before(begin: datetime, now: datetime) -> datetime:
    """Return the moment just before both, on the clock of days that has no zone."""
    return min(begin, now.replace(tzinfo=None)).replace(tzinfo=UTC) - timedelta(seconds=1)


def _label(one: Entry, now: datetime, language: str) -> str:
    """Return a task in a line: "call the plumber (due tomorrow, 15:00; high priority; house)"."""
    german = language == "de"
    parts = []
    if one.is_done:
        parts.append("erledigt" if german else "done")
    elif one.due is not None:
        late = ("überfällig, " if german else "overdue, ") if one.is_overdue(now) else ""
        parts.append(f"{late}{'fällig' if german else 'due'} {_day(one, now, language)}")
    parts += [_RANKS[one.priority][german]] if one.priority in _RANKS else []
    parts += [one.group] if one.group else []
    parts += ["wiederholt sich" if german else "repeats"] if one.rule and not one.is_done else []
    return f"{one.text} ({'; '.join(parts)})" if parts else one.text


def _day(one: Entry, now: datetime, language: str) -> str:
    assert one.due is not None
    near = (one.due - now.date()).days
    if language == "de":
        said = {0: "heute", 1: "morgen", -1: "gestern"}.get(near) or f"am {words.day(one.due, 'de')}"
    else:
        said = {0: "today", 1: "tomorrow", -1: "yesterday"}.get(near) or f"on {words.day(one.due)}"
    return f"{said}, {one.at:%H:%M}" if one.at else said


def _shown(one: Entry) -> Task:
    priority = next((name for name, letter in todo.PRIORITIES.items() if letter == one.priority), one.priority)
    return Task(Title(one.text), one.due, f"{one.at:%H:%M}" if one.at else "", priority, one.group, one.is_done)


def _deadline(one: Entry) -> Deadline:
    shown = _shown(one)
    assert shown.due is not None
    return Deadline(shown.text, shown.due, shown.time, shown.priority, shown.group, key_of(one))


def _no_day() -> ToolError:
    return ToolError(
        "By when?",
        hint="Say a day, a time, or both.",
        code="tasks.when",
        asks="to",
        de="Bis wann?",
        de_hint="Nenne einen Tag, eine Uhrzeit oder beides.",
    )


def _never() -> ToolError:
    return ToolError(
        "That never comes.",
        hint="Say how often, for example “every Monday”.",
        code="tasks.never",
        asks="repeat",
        de="Das kommt nie.",
        de_hint="Sag, wie oft, zum Beispiel „jeden Montag“.",
    )
