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
from enum import Enum
from functools import cache
from itertools import accumulate

from kernel.language.frame import aside_words as told
from kernel.language.frame import assurance_words as assured
from kernel.language.frame.clauses import Told, has_object, is_pointer, told_clause
from kernel.language.frame.frame_words import CASUAL_IF, LEADS, TAILS
from kernel.language.frame.phrase_patterns import MARK
from kernel.language.frame.wished import wishes

_MOST_FRAMES = 8
_LONGEST_TAIL = 40


class Telling(Enum):
    """What a clause does that asks for nothing."""

    STATEMENT = "says how things are"
    ABOUT = "says where a thing is, or how it is"
    WISH = "says what a person does or means to do"
    UNABLE = "says what somebody cannot do"
    UNWILLING = "says what somebody does not care to do"
    BALKING = "says what some other thing does not do"
    TAKEN_BACK = "puts right or takes back what was said"


_ANY_LEAD = re.compile("|".join(f"(?:{pattern})" for pattern in LEADS))
_TAIL = re.compile("(?:^| )((?:(?:, )?(?:" + "|".join(TAILS) + rf"))+)(?:{MARK})?$")


@cache
def _leads() -> tuple[re.Pattern[str], ...]:
    """Each by itself: most sentences need none of them, so no start waits until they are compiled."""
    return tuple(re.compile(pattern) for pattern in LEADS)


def _one_of(patterns: Sequence[str]) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns))


@cache
def _does_it_itself() -> re.Pattern[str]:
    """Asked for behind a request alone, so no start waits until it is compiled."""
    return _one_of(assured.DOES_IT_ITSELF)


_PLAIN_REASON = _one_of(told.PLAIN_REASONS)
_REASON = _one_of(told.REASONS)
_NO_LONGER = re.compile(rf"(?<!\S){told.NO_LONGER}")
_EXCLUDING = re.compile(rf"(?<!\S){told.EXCLUDING}")
_PARTS_EN, _PARTS_DE = (re.compile(rf"(?<!\S){words}") for words in (told.PARTS["en"], told.PARTS["de"]))
_INSIDE = re.compile(rf"(?<!\S){told.INSIDE}")
_DONE_WITH = re.compile(rf"(?<!\S)(?:{told.NO_LONGER}|{told.DONE_WITH})")
_COURTESY = re.compile(CASUAL_IF)
_KEEPS = _one_of(told.KEEPS)
_KEEPS_REST = _one_of(told.KEEPS_REST)
_KEEPS_ALL, _SENDS_NOTHING = _one_of(assured.KEEPS_ALL), _one_of(assured.SENDS_NOTHING)
_DICTATES = re.compile(assured.DICTATES)
_LACKING = tuple(re.compile(pattern) for pattern in told.LACKING)
_DONE = tuple(re.compile(pattern) for pattern in told.DONE)
_TELLING = {
    Telling.STATEMENT: _one_of(told.STATEMENTS),
    Telling.ABOUT: _one_of(told.ABOUT_A_THING),
    Telling.WISH: _one_of(told.WISHES),
    Telling.UNABLE: _one_of(told.UNABLE),
    Telling.UNWILLING: _one_of(told.UNWILLING),
    Telling.BALKING: _one_of(told.BALKING),
    Telling.TAKEN_BACK: _one_of(told.TAKEN_BACK),
}
_AFTERTHOUGHT = _one_of(told.AFTERTHOUGHTS)
_CHATTER = _one_of(told.CHATTER)
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
            end = max(match.end() for pattern in _leads() if (match := pattern.match(self._line, place)))
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
        return self.tells(Telling.STATEMENT, at) > at

    def tells(self, how: Telling, at: int) -> int:
        """Return where the words end that open a clause which tells something so; ``at`` when they do not."""
        match = _TELLING[how].match(self._line, self._starts[at])
        return at if match is None else bisect_left(self._starts, match.end())

    def is_aside(self, at: int) -> bool:
        """Tell whether what begins at ``at`` may be a clause that is no request, whatever it tells."""
        if not self.words[at][:1].isalpha() or self.tells(Telling.TAKEN_BACK, at) > at:
            return False
        if any(self.tells(how, at) > at for how in Telling):
            return True
        line, start = self._line, self._starts[at]
        if any(pattern.match(line, start) is not None for pattern in (_KEEPS, _KEEPS_REST, _COURTESY)):
            return True
        return any(self._assures(pattern.match(line, start)) for pattern in (_KEEPS_ALL, _SENDS_NOTHING))

    def clause(self, first: int, last: int, language: str) -> Told | None:
        """Return how [first, last) tells something, by its grammar; None where it may ask for something."""
        if self.tells(Telling.TAKEN_BACK, first) > first:
            return None
        return told_clause(self.words, first, last, language)

    def is_whole_clause(self, first: int, last: int, language: str) -> bool:
        """Tell whether [first, last) tells something without what stands before it, also where no mark does."""
        told = self.clause(first, last, language)
        if told is not None and told.plain and has_object(self.words, told, last, language):
            return True
        return wishes(self.words, first, last, language)

    def parts(self, first: int, last: int, language: str) -> bool:
        """Tell whether [first, last) tells of some of several things: "I have read half of them", "die meisten"."""
        pattern = _PARTS_DE if language == "de" else _PARTS_EN
        return pattern.search(self._line, self._starts[first], self._starts[last]) is not None

    def points_inside(self, first: int, last: int, language: str) -> bool:
        """Tell whether [first, last) takes a thing up by other words: "es ist was drin", "der gehört mir"."""
        told = self.clause(first, last, language)
        if (
            told is not None
            and language == "de"
            and told.verb == told.subject + 1
            and is_pointer(self.words[told.subject])
        ):
            return True
        return _INSIDE.search(self._line, self._starts[first], self._starts[last]) is not None

    def is_done_with(self, first: int, last: int) -> bool:
        """Tell whether [first, last) says that nobody has a use for a thing any more: "it is outdated"."""
        return _DONE_WITH.search(self._line, self._starts[first], self._starts[last]) is not None

    def is_afterthought(self, at: int) -> bool:
        """Tell whether a sentence, with no mark before ``at``, ends in what somebody means to do with "it"."""
        return _AFTERTHOUGHT.match(self._line, self._starts[at]) is not None

    def is_chatter(self, first: int, last: int) -> bool:
        """Tell whether [first, last) says nothing of the question beside it: "friends coming over"."""
        return _CHATTER.fullmatch(self._line, self._starts[first], self._starts[last]) is not None

    def is_courtesy(self, first: int, last: int) -> bool:
        """Tell whether [first, last) is a condition of good manners alone: "if it is not too much trouble"."""
        return _COURTESY.fullmatch(self._line, self._starts[first], self._starts[last]) is not None

    def keeps_original(self, first: int, last: int) -> bool:
        """Tell whether [first, last) says that the original is to stay where it is, and no more."""
        return _KEEPS.fullmatch(self._line, self._starts[first], self._starts[last]) is not None

    def keeps_rest(self, first: int, last: int) -> bool:
        """Tell whether [first, last) says that everything else is to stay as it is, and no more."""
        return _KEEPS_REST.fullmatch(self._line, self._starts[first], self._starts[last]) is not None

    def keeps_all(self, first: int, last: int) -> bool:
        """Tell whether [first, last) says that nothing is to be lost, and no more: "nothing gets deleted, mind"."""
        return self._assures(_KEEPS_ALL.fullmatch(self._line, self._starts[first], self._starts[last]))

    def sends_nothing(self, first: int, last: int) -> bool:
        """Tell whether [first, last) says that nothing is to be sent, and no more: "a draft, mind"."""
        return self._assures(_SENDS_NOTHING.fullmatch(self._line, self._starts[first], self._starts[last]))

    def does_it_itself(self, first: int, last: int) -> bool:
        """Tell whether [first, last) says what the person does, and no more: "I'll sort them out myself"."""
        return self._assures(_does_it_itself().fullmatch(self._line, self._starts[first], self._starts[last]))

    def _assures(self, found: re.Match[str] | None) -> bool:
        """In a text that is dictated, the words of an assurance are the text."""
        return found is not None and _DICTATES.search(self._line, 0, found.start()) is None

    def lacking(self, first: int, last: int) -> tuple[int, int]:
        """Return the words of [first, last) that say what is lacking: "tinfoil" of "we're out of tinfoil"."""
        return self._what(_LACKING, first, last)

    def done(self, first: int, last: int) -> tuple[int, int]:
        """Return the words of [first, last) that say with what a person is done: "I have watered the plants"."""
        return self._what(_DONE, first, last)

    def _what(self, patterns: Sequence[re.Pattern[str]], first: int, last: int) -> tuple[int, int]:
        for pattern in patterns:
            match = pattern.fullmatch(self._line, self._starts[first], self._starts[last])
            if match is not None:
                return bisect_left(self._starts, match.start("what")), bisect_left(self._starts, match.end("what"))
        return first, first


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
