"""What was asked for, in words: an answer repeats the filters, so that a misunderstanding shows.

English and German.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import timedelta

from skills.sdk import Period, Size, words

from . import kinds

_FILE_NAME = re.compile(r"[*?]|\.\w{1,10}$")
"""A pattern, or a name with its suffix: of these nobody asks what is written inside."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """The filters of a search: words of the name, kind, time of the last change and size, and what is left out."""

    name: str | None = None
    kind: str | None = None
    modified: Period | None = None
    size: Size | None = None
    not_name: str | None = None
    not_kind: tuple[str, ...] = ()

    def noun(self, number: int, language: str) -> str:
        """Return what ``number`` such files are called, without the number: ``PDFs``."""
        return kinds.name(self.kind, number, language)

    def filters(self, language: str) -> str:
        """Return the other filters, to be put after the place: `` with “lease” in the name``; empty without any."""
        parts = [
            *([_name(self.name, language)] if self.name else []),
            *([_changed(self.modified, language)] if self.modified and self.modified != Period() else []),
            *([_sized(self.size, language)] if self.size and self.size != Size() else []),
            *self._left_out(language),
        ]
        return f" {words.listing(parts, language)}" if parts else ""

    def _left_out(self, language: str) -> list[str]:
        german = language == "de"
        left = [kinds.name(kind, 2, language) for kind in self.not_kind]
        if self.not_name:
            left.append(f"„{self.not_name}“ im Namen" if german else f"those with “{self.not_name}” in the name")
        return [f"{'ohne' if german else 'except'} {words.listing(left, language)}"] if left else []

    def inside(self, place: str, language: str) -> str:
        """Return how to look inside the documents in ``place``, where only names were looked at."""
        if not self.name or _FILE_NAME.search(self.name):
            return ""
        if language == "de":
            return f" Ich habe nur Namen angesehen; in ihnen sucht „welche Dokumente in {place} erwähnen {self.name}?“."
        return f" I looked at names only; “which documents in {place} mention {self.name}?” looks inside."


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
    low, high = size.min_bytes, size.max_bytes
    if low is not None and low == high:
        exact = words.size(low, language)
        return f"von genau {exact}" if german else f"of exactly {exact}"
    if low is not None and high is not None:
        least, most = words.size(low, language), words.size(high, language)
        return f"von {least} bis {most}" if german else f"of {least} to {most}"
    if low is not None:
        if _is_rounder(low - 1, low):
            return f"größer als {words.size(low - 1, language)}" if german else f"over {words.size(low - 1)}"
        return f"ab {words.size(low, language)}" if german else f"of {words.size(low)} or more"
    if high is not None and _is_rounder(high + 1, high):
        return f"kleiner als {words.size(high + 1, language)}" if german else f"under {words.size(high + 1)}"
    most = words.size(high or 0, language)
    return f"bis {most}" if german else f"of {most} or less"


def _is_rounder(size_bytes: int, other_bytes: int) -> bool:
    """Tell whether a limit was meant strictly: the byte beside it is the number that a person says (4,000,001)."""
    return size_bytes > 0 and any(size_bytes % unit == 0 and other_bytes % unit for unit in (1000, 1024))
