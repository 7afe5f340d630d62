"""What only frames a request: "I was wondering whether you could", "if it's not too much trouble", "…, I forgot".

A frame carries no wish of its own: the request is what is left. It is taken off where a clause begins and where the
sentence ends, never inside what the person quotes or dictates, and never whole: "thank you" alone stays what it is.
An aside is a clause that says why or tells how things are, beside a request: it may be passed over, but only whole and
only by a plan that leaves nothing of it open.

What this does not do: conditions ("if the file exists, delete it") and exceptions are no frames and stay in the way.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from itertools import accumulate

from kernel.language.aside_words import EXCLUDING, NO_LONGER, PLAIN_REASONS, REASONS, STATEMENTS
from kernel.language.frame_words import LEADS, TAILS
from kernel.language.phrase_patterns import MARK

_MOST_FRAMES = 8
_LONGEST_TAIL = 40
_LEADS = tuple(re.compile(pattern) for pattern in LEADS)
_ANY_LEAD = re.compile("|".join(f"(?:{pattern})" for pattern in LEADS))
_TAIL = re.compile("(?:^| )((?:(?:, )?(?:" + "|".join(TAILS) + rf"))+)(?:{MARK})?$")
_PLAIN_REASON = re.compile("|".join(PLAIN_REASONS))
_REASON = re.compile("|".join(REASONS))
_STATEMENT = re.compile("|".join(STATEMENTS))
_NO_LONGER = re.compile(rf"(?<!\S){NO_LONGER}")
_EXCLUDING = re.compile(rf"(?<!\S){EXCLUDING}")
_PLAIN_MARKS = frozenset(",.;:!?…–—-")


class Frames:
    """The words of a sentence as one line, to be looked at from many places."""

    def __init__(self, words: Sequence[str]) -> None:
        self.words = tuple(words)
        self._line = _line(words)
        self._starts = [0, *accumulate(len(word) + 1 for word in words)]

    def lead(self, at: int) -> int:
        """Return where the request begins from ``at`` on: ``at`` itself when nothing frames it."""
        place = self._starts[at]
        for _ in range(_MOST_FRAMES):
            if _ANY_LEAD.match(self._line, place) is None:
                break
            end = max(match.end() for pattern in _LEADS if (match := pattern.match(self._line, place)))
            if end == place:
                break
            place = end
        return bisect_left(self._starts, place)

    def tail(self) -> int:
        """Return where the closing frame begins: the number of words when there is none."""
        match = _TAIL.search(self._line, self._starts[max(0, len(self.words) - _LONGEST_TAIL)])
        if match is None:
            return len(self.words)
        start = bisect_left(self._starts, match.start(1))
        return len(self.words) if is_empty(self.words[:start]) else start

    def is_reason(self, at: int, *, marked: bool = True) -> bool:
        """Tell whether a clause that says why or what for begins at ``at``; ``marked``: a mark stands before it."""
        return (_REASON if marked else _PLAIN_REASON).match(self._line, self._starts[at]) is not None

    def is_statement(self, at: int) -> bool:
        """Tell whether what begins at ``at`` tells something and asks for nothing."""
        return _STATEMENT.match(self._line, self._starts[at]) is not None


def lead(words: Sequence[str]) -> int:
    """Return how many of the leading ``words`` only frame a request."""
    return Frames(words).lead(0)


def is_empty(words: Sequence[str]) -> bool:
    """Tell whether ``words`` are marks only: a sentence of which nothing else is left is no frame."""
    return all(_PLAIN_MARKS.issuperset(word) for word in words)


def says_no_longer(words: Sequence[str]) -> bool:
    """Tell whether ``words`` say that something is done with ("I don't need it any more")."""
    return _NO_LONGER.search(_line(words)) is not None


def excludes(words: Sequence[str]) -> bool:
    """Tell whether ``words`` limit what is asked for ("only", "except")."""
    return _EXCLUDING.search(_line(words)) is not None


def _line(words: Sequence[str]) -> str:
    """The words with one space after each; spaces inside a word (a written path may have them) become marks."""
    return "".join(word.replace(" ", "_") + " " for word in words)
