"""What is said of a suggestion, English and German: what was seen, why now, what it saves, which rule it
could be.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from kernel.habits.model import Seen
from kernel.habits.rhythm import Rhythm
from kernel.routines.recurring_words import listed
from kernel.routines.trigger_names import SAID as RECURRING
from kernel.routines.trigger_names import WEEKDAYS

_COUNTS = {
    "en": ("", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Eleven", "Twelve"),
    "de": ("", "Ein", "Zwei", "Drei", "Vier", "Fünf", "Sechs", "Sieben", "Acht", "Neun", "Zehn", "Elf", "Zwölf"),
}
_SAID = {
    "en": {
        "seen day": "{count} {days}{about}: {steps}", "seen": "{count} times{on}{about}: {steps}",
        "on": " on {days}", "about": " about {hour}", "day": "{day}s",
        "now": "This is the time at which you do it.", "next": "It would come next on {day} about {hour}.",
        "last": "You did it last on {date}.",
        "sure": "Of the times that it began, {percent} % went on like this. Seen since {date}.",
        "saves": "One sentence instead of {saves} each time.", "saves one": "Its name instead of the whole sentence.",
        "rule": "every {days} at {hour} do {name}",
    },
    "de": {
        "seen day": "{count}mal {days}{about}: {steps}", "seen": "{count}mal{on}{about}: {steps}",
        "on": " {days}", "about": " gegen {hour}", "day": "{day}s",
        "now": "Das ist die Zeit, zu der du es tust.", "next": "Das nächste Mal wäre am {day} gegen {hour}.",
        "last": "Zuletzt hast du es am {date} getan.",
        "sure": "Von den Malen, die so anfingen, gingen {percent} % so weiter. Gesehen seit dem {date}.",
        "saves": "Ein Satz statt {saves} jedes Mal.", "saves one": "Sein Name statt des ganzen Satzes.",
        "rule": "jeden {days} um {hour} führe {name} aus",
    },
}  # fmt: skip


def seen_words(seen: Seen, steps: str, language: str) -> str:
    """Say how often, and when, the ``steps`` were seen: "Five Mondays about 9:00: …"."""
    said = _SAID[language]
    about = "" if seen.hour is None else said["about"].format(hour=clock_words(seen.hour, language))
    count = _COUNTS[language][seen.times] if seen.times < len(_COUNTS[language]) else f"{seen.times}"
    count = f"{count}-" if language == "de" and count.isdecimal() else count
    days = [said["day"].format(day=WEEKDAYS[language][day]) for day in seen.weekdays]
    days = [day.lower() for day in days] if language == "de" else days
    if len(days) == 1:
        return said["seen day"].format(count=count, days=days[0], about=about, steps=steps)
    on = said["on"].format(days=listed(days, RECURRING[language])) if days else ""
    return said["seen"].format(count=count, on=on, about=about, steps=steps)


def why_now(seen: Seen, now: datetime, language: str) -> str:
    """Say why it is offered at ``now``."""
    said = _SAID[language]
    if seen.hour is None and not seen.weekdays:
        return said["last"].format(date=_date(seen.last, language))
    if is_its_time(seen, now):
        return said["now"]
    if not seen.weekdays or seen.hour is None:
        return said["last"].format(date=_date(seen.last, language))
    later = (now + timedelta(days=ahead) for ahead in range(8))
    day = next(
        one for one in later
        if one.weekday() in seen.weekdays and (one.date() > now.date() or now.hour + now.minute / 60 < seen.hour)
    )  # fmt: skip
    return said["next"].format(day=WEEKDAYS[language][day.weekday()], hour=clock_words(seen.hour, language))


def is_its_time(seen: Seen, now: datetime) -> bool:
    """Tell whether ``now`` is a time that it keeps to. What keeps to none has none."""
    keeps = bool(seen.weekdays) or seen.hour is not None
    return keeps and Rhythm(seen.weekdays, seen.hour).fits(now)


def sure_words(seen: Seen, language: str) -> str:
    """Say how sure it is, and since when it was seen."""
    return _SAID[language]["sure"].format(percent=round(seen.held * 100), date=_date(seen.first, language))


def saves_words(seen: Seen, language: str) -> str:
    """Say what a macro of it would save each time."""
    key = "saves" if seen.saves > 1 else "saves one"
    return _SAID[language][key].format(saves=seen.saves)


def rule_words(seen: Seen, name: str, language: str) -> str:
    """Return the sentence that would do it by itself at its times; "" where it keeps to no weekdays and hour."""
    if not seen.weekdays or seen.hour is None:
        return ""
    days = listed([WEEKDAYS[language][day] for day in seen.weekdays], RECURRING[language])
    return _SAID[language]["rule"].format(days=days, hour=clock_words(seen.hour, language), name=name)


def clock_words(hour: float, language: str) -> str:
    """Return a time of day, to the next half hour."""
    halves = round(hour * 2) % 48
    hours, minutes = halves // 2, halves % 2 * 30
    if language == "de":
        return f"{hours}:{minutes:02} Uhr" if minutes else f"{hours} Uhr"
    return f"{hours}:{minutes:02}"


def _date(at: datetime, language: str) -> str:
    return f"{at.day}.{at.month}.{at.year}" if language == "de" else at.date().isoformat()
