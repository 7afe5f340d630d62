"""What was asked for, in words: an answer repeats the filters, so that a misunderstanding shows.

English and German.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from skills.sdk import Period, Size, words

from . import kinds


@dataclass(frozen=True, slots=True)
class Wanted:
    """The filters of a search: words of the name, the kind, when it was changed and how large it is."""

    name: str | None = None
    kind: str | None = None
    modified: Period | None = None
    size: Size | None = None

    def noun(self, number: int, language: str) -> str:
        """Return what ``number`` such files are called, without the number: ``PDFs``."""
        return kinds.name(self.kind, number, language)

    def filters(self, language: str) -> str:
        """Return the other filters, to be put after the place: `` with “lease” in the name``; empty without any."""
        parts = [
            *([_name(self.name, language)] if self.name else []),
            *([_changed(self.modified, language)] if self.modified and self.modified != Period() else []),
            *([_sized(self.size, language)] if self.size and self.size != Size() else []),
        ]
        return f" {words.listing(parts, language)}" if parts else ""

    def inside(self, place: str, language: str) -> str:
        """Return how to look inside the documents in ``place``, where only names were looked at."""
        if not self.name or "*" in self.name or "?" in self.name:
            return ""
        if language == "de":
            return f" Ich habe nur Namen angesehen; im Text sucht „suche nach {self.name} in {place}“."
        return f" I looked at names only; “search for {self.name} in {place}” looks inside documents."


def _name(name: str, language: str) -> str:
    return f"mit „{name}“ im Namen" if language == "de" else f"with “{name}” in the name"


def _changed(period: Period, language: str) -> str:
    german = language == "de"
    first = words.day(period.start, language) if period.start else ""
    last = words.day(period.end - timedelta(days=1), language) if period.end else ""
    if first and last:
        if first == last:
            return f"geändert am {first}" if german else f"changed on {first}"
        return f"geändert vom {first} bis zum {last}" if german else f"changed between {first} and {last}"
    if first:
        return f"geändert seit dem {first}" if german else f"changed since {first}"
    return f"geändert bis zum {last}" if german else f"changed until {last}"


def _sized(size: Size, language: str) -> str:
    german = language == "de"
    least = words.size(size.min_bytes, language) if size.min_bytes is not None else ""
    most = words.size(size.max_bytes, language) if size.max_bytes is not None else ""
    if least and most:
        return f"von {least} bis {most}" if german else f"of {least} to {most}"
    if least:
        return f"ab {least}" if german else f"of {least} or more"
    return f"bis {most}" if german else f"of {most} or less"
