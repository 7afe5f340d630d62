"""What a mail says of the invitation that it brings, where nothing else was said: the event's title and when it is.

What this stops: a mail whose subject is the name of an .ics file and whose body is empty. What it does not: read every
calendar; a file that it cannot read goes along as any other file does.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

from skills.sdk import Context, words
from skills.sdk.contentlines import at_colon, logical, parted, unescaped, unfolded

_KINDS = {
    "REQUEST": ("Invitation", "Einladung"),
    "CANCEL": ("Cancelled", "Abgesagt"),
    "REPLY": ("Answer", "Antwort"),
}
_NEW = "Event", "Termin"


def subject_and_text(ctx: Context, enclosed: Sequence[tuple[str, bytes]]) -> tuple[str, str] | None:
    """Return the subject and the body for a mail that brings one event; None where it brings none."""
    content = next((one for name, one in enclosed if name.casefold().endswith(".ics")), b"")
    said = _first_event(content)
    title = " ".join(unescaped(said.get("SUMMARY", ("", ""))[1]).split())
    if not title:
        return None
    kind = _KINDS.get(said.get("METHOD", ("", ""))[1].strip().upper(), _NEW)[ctx.language == "de"]
    when = _when(ctx, *said.get("DTSTART", ("", "")))
    where = " ".join(unescaped(said.get("LOCATION", ("", ""))[1]).split())
    return f"{kind}: {title}", "\n".join([title, *filter(None, (when, where))])


def _first_event(content: bytes) -> dict[str, tuple[str, str]]:
    """The parameters and the value of the lines of the first event, and of the calendar before it, by name."""
    found: dict[str, tuple[str, str]] = {}
    inside: list[str] = []
    for raw, _, _ in logical(content):
        head, value = at_colon(unfolded(raw).decode("utf-8", "replace").rstrip("\r\n"))
        name, *parameters = parted(head)
        name = name.upper()
        if name == "BEGIN":
            inside.append(value.strip().upper())
        elif name == "END":
            if inside and inside.pop() == "VEVENT":
                break
        elif inside in (["VCALENDAR"], ["VCALENDAR", "VEVENT"]):
            found.setdefault(name, (";".join(parameters), value))
    return found


def _when(ctx: Context, parameters: str, value: str) -> str:
    """When an event begins, in the time of this machine; empty where that cannot be read."""
    try:
        if "T" not in value:
            return words.day(date.fromisoformat(value.strip()[:8]), ctx.language)
        begins = datetime.fromisoformat(value.strip().removesuffix("Z"))
        zone = next((one[5:].strip('"') for one in parameters.split(";") if one.upper().startswith("TZID=")), "")
        if value.strip().endswith("Z") or zone:
            begins = begins.replace(tzinfo=ZoneInfo(zone) if zone else UTC).astimezone(ctx.now.tzinfo)
    except (ValueError, OSError, KeyError):
        return ""
    return f"{words.day(begins.date(), ctx.language)}, {begins:%H:%M}"
