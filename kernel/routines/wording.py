"""A trigger in words, English and German: what a person reads before they keep a routine, and in the list."""

from __future__ import annotations

import re
from collections.abc import Mapping

from kernel.paths import short
from kernel.routines.model import (
    EITHER,
    About,
    Added,
    BeforeEvent,
    Called,
    Clock,
    Comparison,
    Elapsed,
    FileSeen,
    Happened,
    Learnt,
    Limit,
    Machine,
    Once,
    Recurring,
    State,
    TaskDue,
    Trigger,
)
from kernel.routines.recurring_words import day_words, listed, recurring_words
from kernel.routines.task_words import task_words
from kernel.routines.trigger_names import CHANGES, FACTS, SAID, WEEKDAYS
from kernel.routines.waited_for import is_mail

_MANY = re.compile(r"(\{[^{},]*,[^{},]*,[^{},]*),[^{}]*\}")


def trigger_words(trigger: Trigger, language: str, home: str) -> str:
    """Return what sets a routine off, as a person says it."""
    said = SAID.get(language, SAID["en"])
    if isinstance(trigger, Once | Recurring | Elapsed):
        return _clock(trigger, said, language)
    match trigger:
        case BeforeEvent(before_s, words):
            key = f"{'events' if words else 'event'}{'' if before_s else ' now'}"
            return said[key].format(length=_length(before_s, said), words=words)
        case TaskDue():
            return task_words(trigger, language, lambda seconds: _length(seconds, said))
        case FileSeen():
            return said["mail"] if is_mail(trigger, home) else _file(trigger, language, home)
        case Machine(state, bound):
            n = round(bound / 1e9, 1) if state is State.DISK else bound
            return said[str(state)].format(n=f"{n:g}", length=_length(int(bound), said))
        case Called() | Added() | Happened() | Learnt():
            return _told(trigger, said, language)


def _told(trigger: Called | Added | Happened | Learnt, said: Mapping[str, str], language: str) -> str:
    match trigger:
        case Called(name):
            return said["called"].format(name=name)
        case Added(_, thing):
            return said["added"].format(thing=thing)
        case Happened(what):
            return said[f"done {what}"]
        case Learnt(what):
            return said["learnt"].format(what=fact_words(what, language))


def fact_words(what: str, language: str) -> str:
    """Return what a fact is about, as a person says it."""
    return FACTS.get(language, FACTS["en"]).get(what, what.replace("_", " "))


def _clock(trigger: Clock, said: Mapping[str, str], language: str) -> str:
    match trigger:
        case Once(at):
            return said["once"].format(day=day_words(at.date(), language), time=f"{at:%H:%M}")
        case Recurring(rule, begins, ends):
            return recurring_words(rule, begins, ends, language)
        case Elapsed(every_s, _, count):
            often = said["count"].format(n=count) if count else ""
            one = {3600: "each hour", 60: "each minute"}.get(every_s, "elapsed")
            return said[one].format(length=_length(every_s, said)) + often


def limit_words(limit: Limit, amount: float, language: str) -> str:
    """Return what keeps a routine still; empty for what always does."""
    said, days, whole = SAID.get(language, SAID["en"]), WEEKDAYS.get(language, WEEKDAYS["en"]), int(amount)
    named = listed([day for at, day in enumerate(days) if whole >> at & 1], said)
    key = "discharging" if limit is Limit.CHARGING and not amount else str(limit)
    few_times = dict(enumerate(said["often"].split(), 1))
    often = few_times.get(whole) or said["many times"].format(n=whole)
    values = {"n": f"{amount:g}", "often": often, "time": f"{whole // 3600:02}:{whole % 3600 // 60:02}", "days": named}
    return said.get(f"limit {key}", "").format(length=_length(whole, said), **values)


def such_words(about: About, said: str, language: str) -> str:
    """Return what must be so of what comes."""
    words = SAID.get(language, SAID["en"])
    match about:
        case About.ATTACHED:
            said = words["anything"] if said == "*" else few(said)
        case About.LARGER:
            said = _megabytes(said)
        case About.SUBJECT:
            said = words["either"].join(said.split(EITHER))
        case About.HOLDS:
            said = words["either"].join(words["quoted"].format(said=one) for one in said.split(EITHER))
        case About.TOTAL:
            said = _compared(Comparison.of(said), words, language)
        case _:
            pass
    return words[f"such {about}"].format(said=said)


def _compared(comparison: Comparison, words: Mapping[str, str], language: str) -> str:
    number = f"{comparison.amount:,f}"
    number = number.translate(str.maketrans(",.", ".,")) if language == "de" else number
    return words[comparison.sign].format(sum=f"{number} {comparison.currency}".rstrip())


def _megabytes(said: str) -> str:
    return f"{float(said) / 1e6:g} MB"


def _file(trigger: FileSeen, language: str, home: str) -> str:
    said = SAID.get(language, SAID["en"])
    changes = CHANGES.get(language, CHANGES["en"])
    return said["any" if trigger.pattern == "*" else "file"].format(
        pattern=few(trigger.pattern), change=changes[trigger.change], folder=short(trigger.folder, home),
        below=said["below"] if trigger.below else "",
    )  # fmt: skip


def few(pattern: str) -> str:
    """Return a pattern with the first of many endings."""
    found = _MANY.search(pattern)
    return pattern if found is None else f"{pattern[: found.start()]}{found[1]},…}}{pattern[found.end() :]}"


def _length(seconds: int, said: Mapping[str, str]) -> str:
    if seconds in (60, 3600):
        return said["an hour" if seconds == 3600 else "a minute"]
    if seconds and seconds % 3600 == 0:
        return said["hours"].format(n=seconds // 3600)
    return said["minutes"].format(n=seconds // 60) if seconds % 60 == 0 else said["seconds"].format(n=seconds)


def length_words(seconds: int, language: str) -> str:
    """Return how long that is, as a person says it behind "in"."""
    return _length(seconds, SAID.get(language, SAID["en"]))
