"""A thing named first and taken up by a pronoun: "my garden note, call that Allotment" is "call my garden note …".

What this stops: that the thing is read as a request of its own, and the pronoun as a pointer at something earlier.
What it does not: touch what is told first ("the list is long, delete it"), "that" or "die" where no verb stands before
it, or anything in quotation marks. Offsets stay.
"""

from __future__ import annotations

from dataclasses import replace

from kernel.language.frame.framing import Frames
from kernel.language.frame.taken_up import pronoun_at
from kernel.language.free_text import quotes
from kernel.language.function_words import AUXILIARIES, CONJUNCTIONS, NEGATIONS, PRONOUNS, QUESTIONS
from kernel.language.lexicon import Lexicon
from kernel.language.line import Line
from kernel.language.time.calendar_words import MONTHS, WEEKDAYS

_OPENS = frozenset(
    "the that this my our dieser diese dieses diesen der die das den mein meine meinen unser unsere unseren".split()
)
_TELLING = frozenset().union(
    *(group[one] for group in (AUXILIARIES, CONJUNCTIONS, NEGATIONS, PRONOUNS, QUESTIONS) for one in ("en", "de"))
) - frozenset({"das", "one", "ones"})
_LONGEST = 7


def in_place(line: Line, lexicon: Lexicon) -> Line:
    """Return ``line`` with the thing where the pronoun stands, without the comma behind it."""
    end = next((at for at in range(min(line.size, _LONGEST + 1)) if line.is_mark(at)), 0)
    if line.norm(end) != "," or not _is_thing(line, end) or quotes(line):
        return line
    at = pronoun_at(line, lexicon, end + 1)
    if at is None:
        return line
    before = line.tokens[end + 1 : at]
    if before and before[-1].norm == "make" and _is_named(line, at + 1):
        before = (*before[:-1], replace(before[-1], norm="call", lemma="call"))  # "make that To read"
    return replace(line, tokens=(*before, *line.tokens[:end], *line.tokens[at + 1 :]), memo={})


def _is_named(line: Line, start: int) -> bool:
    """What follows is a name, and no day or number: "make it Tuesday" is no name."""
    words = [line.norm(at) for at in range(start, line.size)]
    plain = all(word.isalpha() and word not in WEEKDAYS and word not in MONTHS for word in words if word[:1].isalnum())
    return line.raw(start)[:1].isupper() and plain


def _is_thing(line: Line, end: int) -> bool:
    """An article or "my", and nouns; nothing that tells or asks."""
    words = [line.norm(at) for at in range(end)]
    if len(words) < 2 or words[0] not in _OPENS or not _TELLING.isdisjoint(words):
        return False
    return Frames(list(line.norms)).clause(0, end, line.language) is None
