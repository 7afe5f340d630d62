"""Why an offer is made now, in a sentence of its language."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from kernel.anticipation.knowing import Likely

_DAYS = {
    "en": ("Mondays", "Tuesdays", "Wednesdays", "Thursdays", "Fridays", "Saturdays", "Sundays"),
    "de": ("montags", "dienstags", "mittwochs", "donnerstags", "freitags", "samstags", "sonntags"),
}
_SAID = {
    "en": {
        "after": "You asked for this {followed} of {chances} times after what you asked last.",
        "usual": "You asked for this {times} times, often after something like what you asked last.",
        "time": "You asked for this {times} times, often on {day} or around {hour}:00.",
        "files": "You asked for this {times} times, often when files like these ({made}) had just been made.",
        "fresh": "You asked for this {times} times, often when such a file ({fresh}) had just come.",
        "calendar": "You asked for this {times} times, often after a reminder.",
        "ahead": "You asked for this {times} times, often shortly before an appointment.",
        "begun": "You asked for this {times} times, often when an appointment had begun.",
        "words": "You asked for this {times} times in words like these.",
        "first": "You asked for this {times} times, often as the first thing.",
    },
    "de": {
        "after": "Darum hast du {followed} von {chances} Malen nach deiner letzten Bitte gebeten.",
        "usual": "Darum hast du {times}-mal gebeten, oft nach etwas wie deiner letzten Bitte.",
        "time": "Darum hast du {times}-mal gebeten, oft {day} oder gegen {hour} Uhr.",
        "files": "Darum hast du {times}-mal gebeten, oft wenn gerade solche Dateien ({made}) entstanden waren.",
        "fresh": "Darum hast du {times}-mal gebeten, oft wenn gerade so eine Datei ({fresh}) gekommen war.",
        "calendar": "Darum hast du {times}-mal gebeten, oft nach einer Erinnerung.",
        "ahead": "Darum hast du {times}-mal gebeten, oft kurz vor einem Termin.",
        "begun": "Darum hast du {times}-mal gebeten, oft wenn ein Termin begonnen hatte.",
        "words": "Darum hast du {times}-mal in solchen Worten gebeten.",
        "first": "Darum hast du {times}-mal gebeten, oft als Erstes.",
    },
}


def why_now(likely: Likely, now: datetime, context: Mapping[str, str], *, is_first: bool) -> str:
    """Say in the words of the wish's language why it may be wanted now; ``context`` is what is the case."""
    language = likely.wish.language if likely.wish.language in _SAID else "en"
    made, fresh, event = (context.get(kind, "") for kind in ("made", "fresh", "event"))
    key = likely.source
    if key == "files" and fresh and not made:
        key = "fresh"
    if key == "calendar" and event and "told" not in context:
        key = event
    if key == "sequence":
        key = "first" if is_first else "after" if likely.followed else "usual"
    return _SAID[language][key].format(
        times=likely.times, followed=likely.followed, chances=likely.chances, made=made.replace(" ", ", "), fresh=fresh,
        day=_DAYS[language][now.weekday()], hour=now.hour,
    )  # fmt: skip
