"""What a person calls the parts of an event or a mail, as the tool that tells of it calls them.

A field has one name, in English: "seinem Ort" is "seinem place" to the planner, and "its location" is "its place".
"""

from __future__ import annotations

import re
from collections.abc import Mapping

_PARTS: Mapping[str, Mapping[str, frozenset[str]]] = {
    "event": {
        "title": frozenset("title name titel namen name".split()),
        "place": frozenset("place location venue address ort orts ortes treffpunkt raum adresse".split()),
        "people": frozenset(
            "people attendees participants guests teilnehmer teilnehmern teilnehmerinnen gäste gästen leute leuten "
            "beteiligte beteiligten".split()
        ),
        "start": frozenset("start beginning begin beginn anfang".split()),
        "end": frozenset("end ende schluss".split()),
        "day": frozenset("day date tag datum".split()),
    },
    "mail": {
        "subject": frozenset("subject title betreff betreffs titel betreffzeile".split()),
        "sender": frozenset("sender author absender absenders absenderin".split()),
        "address": frozenset("address adresse mailadresse".split()),
        "text": frozenset("text body content contents inhalt inhalts wortlaut".split()),
        "attachments": frozenset("attachments attachment anhang anhänge anhängen anhangs".split()),
        "day": frozenset("day date tag datum".split()),
    },
}
_HEADINGS = {"event": "title", "mail": "subject"}
_SAME_DAY: Mapping[str, tuple[re.Pattern[str], str]] = {
    "en": (re.compile(r"\bon (?:the|that) (?:very )?same day\b", re.IGNORECASE), "today"),
    "de": (re.compile(r"\b(?:noch )?am (?:selben|gleichen) Tage?\b", re.IGNORECASE), "heute"),
}
_NEXT_DAY: Mapping[str, tuple[re.Pattern[str], str]] = {
    "en": (
        re.compile(
            r"\b(?:on )?the (?:(?:very )?next day|following day|day after(?! tomorrow| the| that|wards)|"
            r"day afterwards)\b",
            re.IGNORECASE,
        ),
        "tomorrow",
    ),
    "de": (
        re.compile(
            r"\bam (?:Tag (?:darauf|danach|drauf)|(?:nächsten|folgenden|darauffolgenden) Tag|Folgetag|"
            r"nächstn Tog)\b",
            re.IGNORECASE,
        ),
        "morgen",
    ),
}


def part_of(kind: str, noun: str) -> str:
    """Return the part of a thing of ``kind`` that a noun means; empty where it means none."""
    word = noun.casefold()
    return next((part for part, words in _PARTS.get(kind, {}).items() if word in words), "")


def that_day(said: str, language: str) -> str:
    """Return a request with the day of the moment for "the same day", and that after it for "the next day": the rule
    says which day that is.
    """
    for days in (_SAME_DAY, _NEXT_DAY):
        pattern, day = days.get(language, days["en"])
        said = pattern.sub(day, said)
    return said


def heading_of(kind: str, language: str) -> str:
    """Return the part by which a thing of ``kind`` is known, as a person says it of that thing; empty where none is."""
    part = _HEADINGS.get(kind, "")
    return f"{'ihrem' if language == 'de' else 'its'} {part}" if part else ""
