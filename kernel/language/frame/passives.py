"""Wishes in the passive are read as requests: "I need the total of a.pdf added to b.csv" is "add the total …".

What this stops: that a described object ("the largest file in Downloads") is taken for a text or a column because the
verb stands behind it. What it does not: turn around what says which things are meant ("the files that were moved to
Documents", "the pictures Anna moved to Documents", "the photos saved in Pictures"), or anything in quotation marks.
Offsets stay.
"""

from __future__ import annotations

from dataclasses import replace

from kernel.language.free_text import covered, quotes
from kernel.language.function_words import PRONOUNS, is_function_word, is_question_word
from kernel.language.lexicon import Lexicon
from kernel.language.line import Line, phrases
from kernel.model import Token

_WISHES = phrases(
    "i need|i want|i would like|i'd like|i would love|we need|we want|we would like|we'd like|i wanted|i'll need",
    "i want to have|i would like to have|i'd like to have|i need to have|i'd love|i'd love to have",
    "could i have|can i have|may i have|could i get|can i get|i'd like to get|i would like to get",
)
_BEFORE = frozenset("and then so ok okay well please hi hello hey but also , ; . ! ? :".split())
_OPENS_OBJECT = frozenset("the my our a an all both this that these those every each".split())
_BEHIND = frozenset("to into onto as from out off up down together by with per please".split())
_BEHIND_AND = {"for": frozenset("each every".split()), "at": frozenset({"the"}), "on": frozenset("my the".split())}
"""Of what else may stand behind the verb: "added up for each shop", "put at the end of my note"."""
_PARTS = frozenset("up out off down together".split())
_RELATIVE = frozenset("that which who whose were was are is have has had be been being to".split())
_IRREGULAR = frozenset("written sent made put read shown drawn".split())
_PAST = frozenset("yesterday last ago since recently earlier before already today".split())
_LONGEST_OBJECT = 14


def in_active(line: Line, lexicon: Lexicon) -> Line:
    """Return ``line`` with the participle of such a wish before its object, and without the words of wishing."""
    if line.language != "en":
        return line
    inside = covered(quotes(line))
    for index in range(line.size):
        length = 0 if index in inside or not _begins(line, index) else line.phrase(index, _WISHES)
        verb = _participle(line, lexicon, index + length, inside) if length else None
        if verb is not None:
            return _with_others(_turned(line, index, index + length, verb), lexicon, verb - length + 1)
    return line


def _with_others(line: Line, lexicon: Lexicon, start: int) -> Line:
    """The same for what is wished beside it, from ``start`` on: "... and the result put at the end of my note"."""
    inside = covered(quotes(line))
    for at in range(start, line.size):
        if line.norm(at) == "and" and at not in inside:
            verb = _participle(line, lexicon, at + 1, inside)
            line = _with_object(line, lexicon, at + 1) if verb is None else _turned(line, at + 1, at + 1, verb)
    return line


def _with_object(line: Line, lexicon: Lexicon, verb: int) -> Line:
    """ "... added up and put into my note": what is wished for first is its object."""
    if (
        verb >= line.size
        or not _is_participle(line.tokens[verb], lexicon)
        or line.norm(verb + 1) not in _BEHIND - _PARTS
    ):
        return line
    said = line.tokens[verb]
    active = replace(said, norm=said.lemma.casefold())
    unsaid = Token("", said.end, said.end, "it", "it")
    return replace(line, tokens=(*line.tokens[:verb], active, unsaid, *line.tokens[verb + 1 :]), memo={})


def _begins(line: Line, index: int) -> bool:
    return index == 0 or line.norm(index - 1) in _BEFORE


def _participle(line: Line, lexicon: Lexicon, start: int, inside: frozenset[int]) -> int | None:
    """Where the verb of the wish stands that has its object from ``start`` on."""
    if line.norm(start) not in _OPENS_OBJECT and "." not in line.norm(start)[1:-1] and line.norm(start + 1) != "'s":
        return None
    for at in range(start + 1, min(line.size, start + _LONGEST_OBJECT)):
        if line.is_mark(at) or line.norm(at) in _RELATIVE or is_question_word(line.norm(at)) or _has_doer(line, at):
            return None
        if at not in inside and _is_participle(line.tokens[at], lexicon) and _ends_object(line, at):
            return None if _tells_of_past(line, at) else at
    return None


def _has_doer(line: Line, at: int) -> bool:
    """ "The pictures [Anna, I, my wife] moved to Documents": who did it stands behind a noun, with nothing between."""
    if line.is_mark(at - 1) or is_function_word(line.norm(at - 1)):
        return False
    named = line.raw(at)[:1].isupper() and line.raw(at + 1).islower() and "." not in line.norm(at)
    return named or line.norm(at) in PRONOUNS["en"] | _OPENS_OBJECT


def _is_participle(token: Token, lexicon: Lexicon) -> bool:
    regular = token.norm.endswith("ed") and token.lemma.casefold() != token.norm
    return (regular or token.norm in _IRREGULAR) and token.text.islower() and lexicon.knows(token)


def _ends_object(line: Line, at: int) -> bool:
    """It stands behind a noun or a name, and where something goes or the end follows."""
    before, after = line.norm(at - 1), line.norm(at + 1)
    behind = after in _BEHIND or line.norm(at + 2) in _BEHIND_AND.get(after, ())
    return before not in _OPENS_OBJECT and (behind or not after or line.is_mark(at + 1) or after == "and")


def _tells_of_past(line: Line, at: int) -> bool:
    """ "The pictures copied to Documents last week": which ones are meant."""
    return any(line.norm(step) in _PAST for step in range(at, line.size))


def _turned(line: Line, index: int, start: int, verb: int) -> Line:
    said, last = line.tokens[verb], verb + 1 + (line.norm(verb + 1) in _PARTS)
    active = (replace(said, norm=said.lemma.casefold()), *line.tokens[verb + 1 : last])
    tokens = (*line.tokens[:index], *active, *line.tokens[start:verb], *line.tokens[last:])
    return replace(line, tokens=tokens, memo={})
