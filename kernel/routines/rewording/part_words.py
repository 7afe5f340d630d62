"""What a person calls the parts of an event or a mail, as the tool that tells of it calls them.

A field has one name, in English: "seinem Ort" is "seinem place" to the planner, and "its location" is "its place".
"""

from __future__ import annotations

from collections.abc import Mapping

from kernel.language import Line

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
    "task": {
        "title": frozenset("title text name words titel namen wortlaut".split()),
        "group": frozenset("list liste".split()),
        "priority": frozenset("priority priorität".split()),
        "time": frozenset("time uhrzeit".split()),
        "day": frozenset("day date deadline tag datum frist fälligkeit fälligkeitsdatum fälligkeitstag".split()),
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
_KEPT = frozenset("save store keep put copy move file extract download get grab".split())
_HEADINGS = {"event": "title", "mail": "subject"}


def part_of(kind: str, noun: str) -> str:
    """Return the part of a thing of ``kind`` that a noun means; empty where it means none."""
    word = noun.casefold()
    return next((part for part, words in _PARTS.get(kind, {}).items() if word in words), "")


def is_taken_out(line: Line, stretch: tuple[int, int]) -> bool:
    """Tell whether a stretch is the attachment of a mail that is to be kept elsewhere ("save the attachment"), and
    nothing says yet of which mail. In German that is said by the verb alone.
    """
    first, last = stretch
    attached = part_of("mail", line.norm(last - 1)) == "attachments" and line.norm(last) not in {"of", "from"}
    return attached and line.language == "en" and line.norm(first - 1) in _KEPT


def task_called(line: Line, stretch: tuple[int, int], title: str) -> str:
    """Return what a pronoun means in a rule that waits for tasks: the task by its ``title``, as a person calls it."""
    if line.language != "de":
        return f"the task “{title}”"
    return f"{'der' if line.norm(stretch[0]) in _DATIVE else 'die'} Aufgabe „{title}“"


_DATIVE = frozenset("ihr der dieser".split())


def heading_of(kind: str, language: str) -> str:
    """Return the part by which a thing of ``kind`` is known, as a person says it of that thing; empty where none is."""
    part = _HEADINGS.get(kind, "")
    return f"{'ihrem' if language == 'de' else 'its'} {part}" if part else ""
