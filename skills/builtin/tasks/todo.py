"""The file of tasks: plain text, one task a line, in the form of todo.txt (github.com/todotxt/todo.txt).

    (A) 2026-11-23 call the plumber +house due:2026-11-25 at:15:00
    x 2026-11-24 2026-11-20 buy milk +shopping pri:B

A person can read it, edit it and take it to any program that knows the form. ``due``, ``at``, ``rrule`` and ``pri`` are
keys of the kind that the form allows; a list is a project (``+house``). What a line says beyond that stays as it is,
and a change rewrites only the lines that it is about.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time

FILE = "todo.txt"

_DONE = re.compile(r"x (?:(\d{4}-\d{2}-\d{2}) )?(?:(\d{4}-\d{2}-\d{2}) )?")
_OPEN = re.compile(r"(?:\(([A-Z])\) )?(?:(\d{4}-\d{2}-\d{2}) )?")
_LIST = re.compile(r"\+(\S+)")
_OTHER = re.compile(r"[A-Za-z][\w-]*:[^\s/:]\S*")  # a key of another program; no time of day, no address
PRIORITIES = {"high": "A", "medium": "B", "low": "C"}


@dataclass(frozen=True, slots=True)
class Task:
    """One task. ``priority`` is a letter or empty, ``group`` the list that it is on, ``rule`` how it repeats."""

    text: str
    priority: str = ""
    made: date | None = None
    group: str = ""
    due: date | None = None
    at: time | None = None
    rule: str = ""
    done: date | None = None
    is_done: bool = False
    others: tuple[str, ...] = ()

    def is_overdue(self, now: datetime) -> bool:
        """Tell whether it should have been done by now."""
        if self.is_done or self.due is None:
            return False
        return self.due < now.date() or (self.due == now.date() and self.at is not None and self.at < now.time())


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the file: as it stands, and the task that it holds (None: it is empty)."""

    raw: str
    task: Task | None


def read(text: str) -> list[Line]:
    """Return the lines of a file."""
    return [Line(raw, _task(raw.strip()) if raw.strip() else None) for raw in text.splitlines()]


def write(lines: Sequence[Line]) -> str:
    """Return the text of a file."""
    return "".join(f"{line.raw}\n" for line in lines)


def line_of(task: Task) -> Line:
    """Return a task as a line."""
    head = ["x", *_days(task.done, task.made)] if task.is_done else _days(None, task.made)
    if task.priority and not task.is_done:
        head.insert(0, f"({task.priority})")
    tail = [f"+{task.group.replace(' ', '_')}"] if task.group else []
    tail += [f"due:{task.due}"] if task.due else []
    tail += [f"at:{task.at:%H:%M}"] if task.at else []
    tail += [f"rrule:{task.rule}"] if task.rule else []
    tail += [f"pri:{task.priority}"] if task.priority and task.is_done else []
    return Line(" ".join([*head, _plain(task.text), *task.others, *tail]), task)


def replaced(lines: Sequence[Line], old: Task, *new: Task) -> list[Line]:
    """Return the lines with one task in the place of which others stand, or none."""
    at = next(index for index, line in enumerate(lines) if line.task is old)
    return [*lines[:at], *map(line_of, new), *lines[at + 1 :]]


def _days(*days: date | None) -> list[str]:
    return [str(day) for day in days if day is not None]


def _task(text: str) -> Task:
    done = _DONE.match(text)
    if done is not None:
        first, second = map(_day, done.groups())
        task = Task("", made=second, done=first, is_done=True)
        return _with_words(task, text[done.end() :])
    found = _OPEN.match(text)
    assert found is not None
    return _with_words(Task("", priority=found[1] or "", made=_day(found[2])), text[found.end() :])


def _with_words(task: Task, text: str) -> Task:
    """Return the task with what its words say: what stands at the end in the form of a key or a list, and the rest."""
    words = text.split()
    rest = len(words)
    while rest and _is_of_the_form(words[rest - 1]):
        rest -= 1
    others: list[str] = []
    for word in words[rest:]:
        taken = _taken(task, word)
        task, others = (taken, others) if taken is not None else (task, [*others, word])
    return replace(task, text=" ".join(words[:rest]) or text.strip(), others=tuple(others))


def _taken(task: Task, word: str) -> Task | None:
    """Return the task with what one word at its end says; None where that is nothing that is known here."""
    if (named := _LIST.fullmatch(word)) and not task.group:
        return replace(task, group=named[1].replace("_", " "))
    key, _, value = word.partition(":")
    match key:
        case "due" if (day := _day(value)) is not None:
            return replace(task, due=day)
        case "at" if (clock := _clock(value)) is not None:
            return replace(task, at=clock)
        case "rrule":
            return replace(task, rule=value)
        case "pri" if re.fullmatch("[A-Z]", value):
            return replace(task, priority=value)
        case _:
            return None


def _day(text: str | None) -> date | None:
    try:
        return date.fromisoformat(text) if text else None
    except ValueError:
        return None


def _clock(text: str) -> time | None:
    try:
        found = time.fromisoformat(text)
    except ValueError:
        return None
    return found if found.tzinfo is None else None  # times are those of the wall


def _plain(text: str) -> str:
    """Return a text in one line in which nothing at its ends is taken for something else of the form."""
    words = text.split()
    if words and (words[0] == "x" or re.fullmatch(r"\([A-Z]\)|\d{4}-\d{2}-\d{2}", words[0])):
        words[0] = f"“{words[0]}”"
    last = next((at for at in range(len(words), 0, -1) if not _is_of_the_form(words[at - 1])), 0)
    return " ".join([*words[:last], *(f"“{word}”" for word in words[last:])])


def _is_of_the_form(word: str) -> bool:
    return bool(_LIST.fullmatch(word) or _OTHER.fullmatch(word))
