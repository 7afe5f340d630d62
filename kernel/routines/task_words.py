"""A trigger of tasks that are due in words, English and German: what sets the rule off, and what has happened then."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from kernel.routines.model import TaskDue
from kernel.routines.tasks_due import OF_A_DAY_S

_SAID: Mapping[str, Mapping[str, str]] = {
    "en": {
        "task": "a task", "high": "a task with high priority", "medium": "a task with medium priority",
        "low": "a task with low priority", "words": " with “{words}”", "group": " on the list {group}",
        "due": "when {task} is due", "overdue": "when {task} is overdue", "length": "{length} before {task} is due",
        "day": "the day before {task} is due", "days": "{n} days before {task} is due",
        "late day": "when {task} is overdue for a day", "late": "when {task} is overdue for {n} days",
        "clock": ", at {time}", "usual": " (at {time} where it has no time of day)",
        "told": "{task} is due", "told overdue": "{task} is overdue", "told length": "{task} is due in {length}",
        "told day": "{task} is due tomorrow", "told days": "{task} is due in {n} days",
        "told late day": "{task} is overdue for a day", "told late": "{task} is overdue for {n} days",
    },
    "de": {
        "task": "eine Aufgabe", "high": "eine Aufgabe mit hoher Priorität",
        "medium": "eine Aufgabe mit mittlerer Priorität", "low": "eine Aufgabe mit niedriger Priorität",
        "words": " mit „{words}“", "group": " auf der Liste {group}",
        "due": "wenn {task} fällig ist", "overdue": "wenn {task} überfällig ist",
        "length": "{length} bevor {task} fällig ist", "day": "am Tag bevor {task} fällig ist",
        "days": "{n} Tage bevor {task} fällig ist", "late day": "wenn {task} einen Tag überfällig ist",
        "late": "wenn {task} {n} Tage überfällig ist",
        "clock": ", um {time}", "usual": " (um {time}, wo sie keine Uhrzeit hat)",
        "told": "Fällig: {task}", "told overdue": "Überfällig: {task}", "told length": "In {length} fällig: {task}",
        "told day": "Morgen fällig: {task}", "told days": "In {n} Tagen fällig: {task}",
        "told late day": "Einen Tag überfällig: {task}", "told late": "{n} Tage überfällig: {task}",
    },
}  # fmt: skip


def task_words(trigger: TaskDue, language: str, length: Callable[[int], str]) -> str:
    """Return what sets a routine off, as a person says it; ``length`` says a number of seconds."""
    said = _SAID.get(language, _SAID["en"])
    task = said[trigger.priority or "task"]
    task += said["group"].format(group=trigger.group) if trigger.group else ""
    task += said["words"].format(words=trigger.words) if trigger.words else ""
    before = re.sub(r"^einer ", "eine ", length(trigger.before_s))
    text = said[_key(trigger)].format(task=task, n=abs(trigger.days), length=before)
    clock = trigger.clock if trigger.clock >= 0 else OF_A_DAY_S
    time = f"{clock // 3600:02}:{clock % 3600 // 60:02}"
    return text + said["clock" if trigger.clock >= 0 else "usual"].format(time=time)


def task_statement(trigger: TaskDue, language: str, length: Callable[[int], str]) -> str:
    """Return what is so of the task when it sets a routine off; a word stands in for its name."""
    from kernel.routines.parts import Part, stands_for  # a start needs no plans

    said = _SAID.get(language, _SAID["en"])
    key = f"told {_key(trigger)}".removesuffix(" due")
    return said[key].format(task=stands_for(Part.NAME), n=abs(trigger.days), length=length(trigger.before_s))


def _key(trigger: TaskDue) -> str:
    if trigger.overdue:
        return {0: "overdue", -1: "late day"}.get(trigger.days, "late")
    if trigger.before_s:
        return "length"
    return {0: "due", 1: "day"}.get(trigger.days, "days")
