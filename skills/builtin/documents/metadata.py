"""What a document says of itself - author, title, day of creation, pages - as an answer and as facts of the graph."""

from __future__ import annotations

import datetime
import re

from skills.sdk import words

from .facts_of import is_company
from .reading import Document

_SEVERAL = re.compile(r"\s*(?:,|&|\band\b|\bund\b)\s*")
_JOINED = re.compile(r"&|\band\b|\bund\b")
_NO_NAMES = frozenset(
    "microsoft windows office apple adobe acrobat google libreoffice openoffice word user users benutzer benutzerin "
    "nutzer account author autor autorin admin administrator default unknown unbekannt unbekannter anonymous scanner "
    "printer drucker verlag university universität institute institut department ministry ministerium team company "
    "firma group gruppe bank".split()
)
_LONGEST = 80

Told = tuple[str, str, str]
"""Relation, object, what the object is ("" for a value)."""


def told(document: Document) -> list[Told]:
    """Return what a document's own metadata say."""
    found = [("made_by", name, "person") for name in authors(document.author)]
    found += [("title", document.title, "")] if document.title else []
    found += [("created", document.created.isoformat(), "")] if document.created else []
    return [*found, ("pages", str(document.count), "")]


def authors(said: str | None) -> list[str]:
    """Return the people of an author field; what is no name ("user1", an address, a firm) is none."""
    names = [name for part in (said or "").split(";") for name in _of_part(" ".join(part.split()))]
    return [name for name in names if _is_name(name)]


def _of_part(part: str) -> list[str]:
    """The names in a part: several only where each is of two words, so that "Roth, Ida" stays one."""
    several = [name for name in _SEVERAL.split(part) if name]
    return several if all(" " in name for name in several) else [part]


def _is_name(name: str) -> bool:
    words_in = {word.casefold() for word in re.findall(r"[^\W_]+", name)}
    if " " not in name or "@" in name or len(name) > _LONGEST or _JOINED.search(name):
        return False
    return not words_in & _NO_NAMES and not is_company(name)


def answer(what: str, label: str, document: Document, day: datetime.date | None, language: str) -> str:
    """Return the sentence that answers a question for one thing; that it is not said where it is not."""
    value = {"author": document.author, "title": document.title, "created": _day(day, language)}[what]
    kind = "de" if language == "de" else "en"
    if value is None:
        return _ABSENT[kind][what].format(label=label)
    return _SAID[kind][what].format(label=label, value=value)


def _day(day: datetime.date | None, language: str) -> str | None:
    return words.day(day, language) if day else None


_SAID = {
    "en": {"author": "{label} was written by {value}.", "title": "The title of {label} is “{value}”.",
           "created": "{label} was created on {value}."},
    "de": {"author": "{label} hat {value} geschrieben.", "title": "Der Titel von {label} ist „{value}“.",
           "created": "{label} wurde am {value} erstellt."},
}  # fmt: skip
_ABSENT = {
    "en": {"author": "{label} does not say who wrote it.", "title": "{label} has no title.",
           "created": "{label} does not say when it was created."},
    "de": {"author": "In {label} steht nicht, wer es geschrieben hat.", "title": "{label} hat keinen Titel.",
           "created": "In {label} steht nicht, wann es erstellt wurde."},
}  # fmt: skip
