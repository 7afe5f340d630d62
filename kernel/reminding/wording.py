"""What a reminder says, in the language that it was asked for in: the skill's sentence, and that it was missed."""

from __future__ import annotations

from datetime import datetime, tzinfo

from kernel.reminding.model import Due

_SAYS = {
    "en": ("Missed: {text} (it was due {when}{earlier})", "at {at:%H:%M}", "on {at:%Y-%m-%d} at {at:%H:%M}",
           ", and {count} times before", " (perhaps for the second time)"),
    "de": ("Verpasst: {text} (fällig war es {when}{earlier})", "um {at:%H:%M} Uhr",
           "am {at:%d.%m.%Y} um {at:%H:%M} Uhr", ", und {count}-mal davor", " (vielleicht zum zweiten Mal)"),
}  # fmt: skip


def text_of(due: Due, now: datetime, zone: tzinfo) -> str:
    """Return what the person is told."""
    entry = due.kept.entry
    missed, today, another, before, again = _SAYS.get(entry.language, _SAYS["en"])
    text = entry.said()
    if due.missed(now):
        at = due.at.astimezone(zone)
        when = (today if at.date() == now.astimezone(zone).date() else another).format(at=at)
        text = missed.format(text=text, when=when, earlier=before.format(count=due.earlier) if due.earlier else "")
    return text + (again if due.again else "")
