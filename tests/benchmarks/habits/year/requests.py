"""What the three people ask, day by day: about 20 requests a day, in bursts, with quiet weekends and empty days.

A request is a plan's worth of calls with their arguments, its words, a time of day and how it ends. Everything is
drawn from ``seed`` alone, and every day by itself: a month is a piece of its year. ``mark`` says which story a request
belongs to (empty: none) and never reaches a ledger.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from enum import StrEnum
from typing import Any

from tests.benchmarks.habits.year.habit import Ask, Kind, Open, Output, Relative, Same, Slot, Story, Tainted, Within
from tests.benchmarks.habits.year.loose import loose
from tests.benchmarks.habits.year.people import FIRST, LAST, PEOPLE, Person, days
from tests.benchmarks.habits.year.results import Result, part_of, result_of
from tests.benchmarks.habits.year.spans import SAID, relative
from tests.benchmarks.habits.year.truth import LATEST, STORIES, occurrences

ONCE = frozenset({"mail.send", "mail.forward", "mail.reply", "shell.run", "system.stop", "desktop.open_file",
                  "desktop.open_folder", "desktop.browse", "desktop.copy", "desktop.notify"})  # fmt: skip
"""Tools of effect ``once``: a person is always asked, and nothing can be taken back."""
APART_S = 40
"""Requests of a person are so many seconds apart."""


class Ending(StrEnum):
    """How a request ends."""

    DONE = "done"
    REFUSED = "refused"
    FAILED = "failed"
    UNDONE = "undone"


@dataclass(frozen=True, slots=True)
class Given:
    """An argument's value; ``trusted`` where it is the person's own word, and not out of an earlier result."""

    value: Any
    text: str = ""
    trusted: bool = True


@dataclass(frozen=True, slots=True)
class Link:
    """An argument that is what an earlier call of the same request made."""

    call: int
    field: str = ""
    index: int | None = None


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a tool and what came of it."""

    tool: str
    arguments: Mapping[str, Given | Link]
    result: Result


@dataclass(frozen=True, slots=True)
class Request:
    """One request: by whom, when (in their own time), in which words, language and folder, and how it ended."""

    person: str
    at: datetime
    text: str
    language: str
    cwd: str
    calls: tuple[Call, ...]
    ending: Ending
    conversation: str = ""
    undone_after_s: int = 0
    mark: str = ""


def requests(person: str, seed: int, first: date = FIRST, last: date = LAST) -> Iterator[Request]:
    """Yield what ``person`` asks from ``first`` to ``last``, in order."""
    who, begins = PEOPLE[person], dict[date, list[tuple[Story, int, datetime]]]()
    for story in STORIES[person]:
        for count, at in enumerate(occurrences(story, person, seed), 1):
            begins.setdefault(at.date(), []).append((story, count, at))
    for day in days(first, last):
        rng = random.Random(f"{seed}/{person}/{day}")
        told = [one for begin in begins.get(day, ()) for one in _told(who, *begin, seed)]
        extra = [_alone(who, _moment(who, day, rng), rng) for _ in range(_count(who, day, rng) - len(told))]
        yield from _settled(who, day, told + extra)


def _count(who: Person, day: date, rng: random.Random) -> int:
    """Return how many requests ``day`` has, those of stories with it."""
    free = day.weekday() > 4 or who.is_off(day)
    middle = who.weekend if free else who.weekday
    drawn = max(0.0, rng.gauss(middle, middle * 0.3)) * (2.2 if rng.random() < 0.06 else 1.0)
    quiet, ill = rng.random() < (0.3 if free else 0.02), who.is_ill(day)
    return 0 if quiet or who.is_offline(day) else round(drawn * (0.1 if ill else 0.6 if who.is_away(day) else 1.0))


def _moment(who: Person, day: date, rng: random.Random) -> datetime:
    """Return a time of day: most in two heaps, before noon and in the afternoon."""
    first, last = who.hours
    centre = rng.choice((first + (last - first) * 0.25, first + (last - first) * 0.7))
    minute = min(max(round(rng.gauss(centre * 60, 85)), first * 60), last * 60, LATEST)
    return datetime.combine(day, time(minute // 60, minute % 60, rng.randint(0, 59)), who.zone_on(day))


def _alone(who: Person, at: datetime, rng: random.Random) -> Request:
    one = _made(who, loose(who, rng), at, rng, {})
    changes, asks = any(call.result.changes for call in one.calls), any(call.tool in ONCE for call in one.calls)
    draw = rng.random()
    if draw < 0.04:
        return replace(one, ending=Ending.FAILED)
    if draw < 0.06 and (changes or asks):
        return replace(one, ending=Ending.REFUSED)
    if draw < 0.08 and changes and not asks:
        return replace(one, ending=Ending.UNDONE, undone_after_s=rng.randint(20, 900))
    return one


# --- stories ------------------------------------------------------------------------------------------------------


def _told(who: Person, story: Story, count: int, begin: datetime, seed: int) -> Iterator[Request]:
    """Yield the requests of one occurrence of ``story``, and what is asked between them."""
    rng = random.Random(f"{seed}/{story.id}/{count}")
    language, at, made, step = "", begin, dict[int, Result](), 0
    for place, ask in enumerate(story.asks):
        left = tuple(one for one in ask.steps if rng.random() >= one.optional)
        if not left:
            continue
        if place:
            if rng.random() < story.noise:
                yield _alone(who, at + timedelta(seconds=rng.randint(30, 60)), rng)
            at += timedelta(seconds=rng.randint(APART_S, max(story.gap * 60, APART_S + 60)))
            at = min(at, begin.replace(hour=23, minute=50))
        if story.kind is Kind.CHANCE:
            at = _moment(who, begin.date(), rng)
        one = _made(who, replace(ask, steps=left), at, rng, made, count, step, language)
        made |= {step + n: call.result for n, call in enumerate(one.calls)}
        language, step = one.language, step + len(ask.steps)
        ended = replace(one, ending=_ending(story, one, last=place == len(story.asks) - 1), mark=story.id)
        after_s = rng.randint(20, 300) if ended.ending is Ending.UNDONE else 0
        yield replace(ended, cwd=who.at(story.cwd) or one.cwd, undone_after_s=after_s)


def _ending(story: Story, one: Request, *, last: bool) -> Ending:
    match story.kind:
        case Kind.REFUSED if last:
            return Ending.REFUSED
        case Kind.FAILED if last:
            return Ending.FAILED
        case Kind.UNDONE if any(call.result.changes for call in one.calls):
            return Ending.UNDONE
    return Ending.DONE


def _made(
    who: Person, ask: Ask, at: datetime, rng: random.Random, made: Mapping[int, Result], count: int = 0,
    first: int = 0, language: str = "",
) -> Request:  # fmt: skip
    """Return ``ask`` as a request: ``made`` is what steps before ``first`` came to, ``count`` which time it is."""
    language = language or ("de" if rng.random() < who.german else "en")
    calls: list[Call] = []
    words: dict[str, str] = {}
    for step in ask.steps:
        given, values = dict[str, Given | Link](), dict[str, Any]()
        for name, slot in step.arguments.items():
            one = _argument(who, slot, at, rng, count, first, made, language)
            given[name] = one
            values[name] = _value(one, calls)
            words[name] = one.text if isinstance(one, Given) else ""
        name = f"{at:%m%d%H%M}{len(calls)}{rng.randint(10, 99)}"
        calls.append(Call(step.tool, given, result_of(step.tool, values, who.home, name, language == "de")))
    text = (ask.de if language == "de" else ask.en).format_map(words)
    return Request(who.id, at, text, language, who.home, tuple(calls), Ending.DONE)


def _value(one: Given | Link, calls: Sequence[Call]) -> Any:
    return one.value if isinstance(one, Given) else part_of(calls[one.call].result.value, one.field, one.index)


def _argument(
    who: Person, slot: Slot | Tainted, at: datetime, rng: random.Random, count: int, first: int,
    made: Mapping[int, Result], language: str,
) -> Given | Link:  # fmt: skip
    match slot:
        case Output(step, name, index) if step >= first:
            return Link(step - first, name, index)
        case Output(step, name, index):
            return Given(part_of(made[step].value, name, index), "", trusted=False)
        case Same(value):
            return _given(who, value)
        case Within(folder, name):
            return _given(who, f"{folder}/{name.format(n=count, at=at)}")
        case Relative(what):
            return Given(relative(what, at.date()), SAID[what][language])
        case Tainted(values):
            return Given(rng.choice(values), "", trusted=False)
        case Open(values):
            return _given(who, rng.choice(values))


def _given(who: Person, value: Any) -> Given:
    if isinstance(value, list):
        return Given([who.at(one) if isinstance(one, str) else one for one in value], ", ".join(map(str, value)))
    if isinstance(value, Mapping):  # a span or hours: said by where they begin
        return Given(value, str(value["start"]))
    return Given(who.at(value), value) if isinstance(value, str) else Given(value, str(value))


# --- a day --------------------------------------------------------------------------------------------------------


def _settled(who: Person, day: date, asked: Sequence[Request]) -> Iterator[Request]:
    """Yield the requests of a day in order, apart from each other, each in its conversation."""
    before, number = None, 0
    for one in sorted(asked, key=lambda request: request.at):
        at = one.at if before is None else max(one.at, before + timedelta(seconds=APART_S))
        if before is None or at - before > timedelta(minutes=20):
            number += 1
        before = at
        yield replace(one, at=at, conversation=f"c-{who.id}-{day:%m%d}-{number:02}")
