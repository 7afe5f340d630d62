"""Where in a text one clause ends and the next begins, for sentences that are taken apart before they are read.

Only words that say so are joints: a mark, "and", "then". Nothing inside a quotation, or behind a word that a text is
said with ("saying", "mit dem Text"), is a clause of its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

LONGEST = 4000
"""Characters: a longer text is not looked at, and no request that is read is as long."""

IsVerb = Callable[[str], bool]
"""Tells a word, in small letters, with which a request may begin."""

_JOINT = re.compile(
    r"\s*(?:[.;:!]+\s+|,\s+)(?:(?:and\s+then|and|then|und\s+dann|und|dann|danach),?\s+)?"
    r"|\s+(?:and\s+then|and|then|und\s+dann|und|dann)\s+",
    re.IGNORECASE,
)
_COURTESY = frozenset("please also bitte auch just mal dann then".split())
_TEXT = re.compile(
    r"\b(?:saying|says?|reads|reading|with\s+the\s+(?:text|content|words?|message|subject|body)|"
    r"mit\s+(?:dem|der)\s+(?:Text|Inhalt|Nachricht|Betreff)|sagt|lautet|besagt|remind\s+me|erinnere?\s+mich)\b",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"\"[^\"]*\"?|“[^”]*”?|„[^“”\"]*[“”\"]?|«[^»]*»?|»[^«]*«?|(?<!\w)'[^']*'(?!\w)|`[^`]*`?")


@dataclass(frozen=True, slots=True)
class Clause:
    """The clause in ``text`` [``start``, end): ``before`` is what was said before it, without the joint."""

    before: str
    start: int


def is_own_text(text: str, at: int) -> bool:
    """Tell whether the character at ``at`` is inside a quotation, or behind a word that a text is said with."""
    if any(found.start() < at < found.end() for found in _QUOTED.finditer(text)):
        return True
    return any(found.end() <= at for found in _TEXT.finditer(text))


def joints(text: str) -> Iterator[re.Match[str]]:
    """Yield the marks and words that may part two clauses, where they are no person's text."""
    return (found for found in _JOINT.finditer(text) if not is_own_text(text, found.start()))


def clause_around(text: str, at: int, is_verb: IsVerb) -> Clause:
    """Return the clause that ``at`` stands in: it begins with a verb, or at ``at`` itself."""
    found = Clause("", 0)
    for joint in _JOINT.finditer(text, 0, at):
        begins = joint.end() == at or is_verb(first_word(text[joint.end() :]))
        if joint.start() > 0 and begins:
            found = Clause(text[: joint.start()].strip(" ,"), joint.end())
    return found


def first_word(text: str) -> str:
    """Return the first word, in small letters, that is no courtesy ("please"); empty where there is none."""
    words = (word.strip(",:;.!?").casefold() for word in text.split())
    return next((word for word in words if word and word not in _COURTESY), "")
