"""What is due soon, told so that a rule can wait for it: each open task with a day, and what tells it from others."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, time, timedelta
from hashlib import blake2b

from .todo import Task

MOST = 2000


def falling_due(tasks: Sequence[Task], within: timedelta, now: datetime) -> list[Task]:
    """Return the open tasks that are due within some time from now, or overdue, by their day and time."""
    last = now.replace(tzinfo=None) + within
    found = [
        one for one in tasks
        if not one.is_done and one.due is not None and datetime.combine(one.due, one.at or time()) <= last
    ]  # fmt: skip
    return sorted(found, key=lambda one: (str(one.due), one.at or time.max))[:MOST]


def key_of(task: Task) -> str:
    """Return a digest that tells a task from every other, also where two are due on one day."""
    return blake2b(f"{task.text}\0{task.group}".encode("utf-8", "replace"), digest_size=12).hexdigest()
