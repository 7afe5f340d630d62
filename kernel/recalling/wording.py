"""How what was is said: when it was, what was asked, what was done, in English and German."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta

from kernel.context.deeds import Deed, DeedKind
from kernel.itself.record import one_line
from kernel.paths import short

SHOWN = 120
"""Characters of a sentence that stand in a list."""

_DAYS = {
    "en": "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split(),
    "de": "Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag".split(),
}
_MONTHS = {
    "en": "January February March April May June July August September October November December".split(),
    "de": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember".split(),
}


def say(language: str, key: str, **values: object) -> str:
    """Return one of the sentences below, filled in."""
    return _SAY.get(language, _SAY["en"])[key].format(**values)


def moment(at: datetime, now: datetime, language: str) -> str:
    """Return when something was, as a person says it: "yesterday at 18:02"."""
    at = at.astimezone(now.tzinfo)
    german, clock = language == "de", at.strftime("%H:%M")
    days = (now.date() - at.date()).days
    if days in (0, 1):
        names = ("heute", "gestern") if german else ("today", "yesterday")
        return f"{names[days]} {'um' if german else 'at'} {clock}"
    tongue = "de" if german else "en"
    day, month = _DAYS[tongue][at.weekday()], _MONTHS[tongue][at.month - 1]
    year = "" if at.year == now.year else f" {at.year}"
    if german:
        return f"am {day}, {at.day}. {month}{year}, um {clock}"
    return f"on {day}, {at.day} {month}{year}, at {clock}"


def span_words(since: datetime | None, until: datetime | None, language: str) -> str:
    """Return a stretch of days in digits; "" where it is open on both sides."""
    first = since.date().isoformat() if since else ""
    last = (until - timedelta(seconds=1)).date().isoformat() if until else ""
    if first == last:
        return first
    return f"{first} – {last}" if first and last else say(language, "since" if first else "until", day=first or last)


def deed_words(deed: Deed, home: str, language: str) -> str:
    """Return what a deed did: "moved ~/a.txt to ~/Archive"."""
    path, source = short(deed.path, home), short(deed.source, home) if deed.source else ""
    match deed.kind:
        case DeedKind.RENAMED:
            return say(language, "renamed", source=source, path=path.rpartition("/")[2])
        case DeedKind.MOVED:
            return say(language, "moved", source=source, path=path.rpartition("/")[0] or path)
        case _:
            return say(language, str(deed.kind), path=path)


def quoted(text: str, language: str) -> str:
    """Return a sentence in quotation marks, on one line."""
    line = one_line(text, SHOWN)
    return f"„{line}“" if language == "de" else f"“{line}”"


_SAY: Mapping[str, Mapping[str, str]] = {
    "en": {
        "since": "since {day}", "until": "until {day}",
        "renamed": "{source} became {path}", "moved": "{source} went to {path}", "made": "made {path}",
        "changed": "changed {path}", "deleted": "deleted {path}",
        "asked_list": "You asked me {count} things:", "asked_one": "You asked me one thing:",
        "done_list": "That is what was done:", "nothing_asked": "You asked me nothing then.",
        "nothing_done": "Nothing was changed then, as far as I did it.",
        "nothing_about": "I find nothing about {words} in what was said and done.",
        "nothing_then": "I find nothing about {words} then.",
        "nearest": "Nothing holds all of these words. The nearest:",
        "you_asked": "{when} you asked {text} ({run}).", "i_said": "I answered: {text}",
        "last_done": "{when}: {deed} ({run}).", "asked_with": "You had asked {text}.",
        "never_done": "I have not done that in anything you asked me; what you did without me I cannot know.",
        "never_then": "I did nothing of the kind then; what you did without me I cannot know.",
        "since_gone": "It is not there any more.", "now_at": "It is in {path} now.", "more": "… and {count} more",
        "undone_too": "taken back since",
        "which_run": "{count} requests fit that. Which one shall be taken back?",
        "no_run": "Nothing that can be taken back was done then{about}.", "about": " about {words}",
        "private": "a private request",
    },
    "de": {
        "since": "seit {day}", "until": "bis {day}",
        "renamed": "{source} heißt seitdem {path}", "moved": "{source} kam nach {path}", "made": "{path} angelegt",
        "changed": "{path} geändert", "deleted": "{path} gelöscht",
        "asked_list": "Du hast mich {count} Dinge gefragt:", "asked_one": "Du hast mich eines gefragt:",
        "done_list": "Das wurde getan:", "nothing_asked": "Da hast du mich nichts gefragt.",
        "nothing_done": "Da wurde nichts geändert, soweit ich es getan habe.",
        "nothing_about": "Über {words} finde ich nichts in dem, was gesagt und getan wurde.",
        "nothing_then": "Über {words} finde ich da nichts.",
        "nearest": "Nichts hat alle diese Wörter. Am nächsten kommt:",
        "you_asked": "{when} hast du {text} gefragt ({run}).", "i_said": "Ich habe geantwortet: {text}",
        "last_done": "{when}: {deed} ({run}).", "asked_with": "Du hattest {text} verlangt.",
        "never_done": "Das habe ich noch nicht getan; was du ohne mich getan hast, weiß ich nicht.",
        "never_then": "Da habe ich nichts dergleichen getan; was du ohne mich getan hast, weiß ich nicht.",
        "since_gone": "Es ist nicht mehr da.", "now_at": "Jetzt liegt es in {path}.", "more": "… und {count} weitere",
        "undone_too": "inzwischen zurückgenommen",
        "which_run": "Das passt auf {count} Aufträge. Welcher soll zurückgenommen werden?",
        "no_run": "Da wurde nichts getan, was sich zurücknehmen lässt{about}.", "about": " mit {words}",
        "private": "eine private Anfrage",
    },
}  # fmt: skip
