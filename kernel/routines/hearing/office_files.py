"""Files that are called by the program that they are made with: "a Word document", "eine Excel-Tabelle"."""

from __future__ import annotations

import re
from collections.abc import Sequence

_SUFFIXES = {
    "word": "{doc,docx}", "excel": "{xls,xlsx}", "powerpoint": "{ppt,pptx}", "markdown": "md",
}  # fmt: skip
_PROGRAM = "|".join(_SUFFIXES)
_NOUN = (
    r"(?:documents?|docs?|files?|dokumente?s?|datei(?:en)?|spreadsheets?|sheets?|tables?|workbooks?|tabellen?|"
    r"mappen?|presentations?|slides|präsentation(?:en)?|folien|vorlagen?)"
)
_ONE = re.compile(rf"(?P<program>{_PROGRAM})-?(?P<noun>{_NOUN})")
_TWO = re.compile(rf"(?P<program>{_PROGRAM}) (?P<noun>{_NOUN})")


def as_patterns(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return ``words`` with a pattern for each such file, and the nouns that were said for them."""
    found, nouns, at = list[str](), list[str](), 0
    while at < len(words):
        two = _TWO.fullmatch(" ".join(words[at : at + 2]))
        read = two or _ONE.fullmatch(words[at])
        if read is None:
            found.append(words[at])
        else:
            found.append(f"*.{_SUFFIXES[read['program']]}")
            nouns += [read["noun"]] if two else [read["noun"], words[at]]
        at += 2 if two else 1
    return found, nouns
