"""Corrections inside a sentence: "divided by four, no wait, divided by six" is read as "divided by six".

What this stops: that what was said first and taken back at once is read as well.
What it does not: guess what is put right. Only where the same word comes again, a number after a number, a day after a
day, or a thing after a thing ("the plumber, no sorry, the carpenter") is it known where the correction begins; quoted
text is left alone.
"""

from __future__ import annotations

from kernel.language.amounts.numbers import number_at
from kernel.language.function_words import AUXILIARIES, DETERMINERS, NEGATIONS, PREPOSITIONS, is_function_word
from kernel.language.line import Line, phrases
from kernel.language.place.place_words import looks_like_path
from kernel.language.time.calendar_words import MONTHS, WEEKDAYS

_TAKEN_BACK = {
    "en": phrases(
        "no wait|wait no|no sorry|sorry no|no i mean|sorry i mean|i mean|no actually|actually no|no make that",
        "make that|sorry make that|scratch that|hang on no|oops|no hang on",
    ),
    "de": phrases(
        "nein warte|nee warte|warte nein|nein moment|nee moment|nein quatsch|quatsch|nein ich meine|ich meine|nee",
        "äh nee|äh nein|ach nee|ach nein|nein doch|entschuldigung nein|besser gesagt",
    ),
}
_STATING = frozenset().union(*AUXILIARIES.values(), *NEGATIONS.values(), ("stay", "keep", "bleib", "bleiben"))
"""Words of a statement about what was said before, not of its better form."""
_WHO_TELLS = frozenset("i we he she they ich wir er man i'm i'll i'd".split())
_DAYS = frozenset((*WEEKDAYS, *MONTHS))
_FARTHEST = 8
_MARKS = 2  # how many more tokens what is taken back may have: the marks and the word that takes it back
_NEAREST = 4


def taken_back(line: Line, inside: frozenset[int]) -> frozenset[int]:
    """Return the tokens that are taken back, with the words that do so."""
    table = _TAKEN_BACK.get(line.language, {})
    dropped: set[int] = set()
    for index in range(1, line.size):
        length = line.phrase(index, table)
        if not length or index in inside or index in dropped:
            continue
        after = index + length
        while line.is_mark(after):
            after += 1
        start = _begins(line, index, after)
        if start is not None and inside.isdisjoint(range(start, after)):
            dropped |= set(range(start, after))
    return frozenset(dropped)


def _begins(line: Line, index: int, after: int) -> int | None:
    """Where what is put right begins: the same word as behind the correction, or what is of its kind before it."""
    if not line.is_word(after):
        return None
    for at in range(index - 1, max(0, index - _FARTHEST), -1):
        if line.norm(at) == line.norm(after) and not is_function_word(line.norm(at)):
            return at if _is_put_right(line, at, index, after) else None
    thing = _thing(line, index, after)
    return _number(line, index, after) if thing is None else thing


def _thing(line: Line, index: int, after: int) -> int | None:
    """ "The plumber, no sorry, the carpenter", "to Anna, no wait, to Tom", "on Friday, I mean Saturday"."""
    last = index
    while last and line.is_mark(last - 1):
        last -= 1
    if line.norm(after) in _DAYS:
        return last - 1 if line.norm(last - 1) in _DAYS else None
    at = last - 1
    while at > 0 and last - at < _NEAREST and line.is_content(at):
        at -= 1
    leads = PREPOSITIONS[line.language] | DETERMINERS[line.language]
    if not at or at == last - 1 or line.norm(at) not in leads or line.norm(at) != line.norm(after):
        return None
    if not line.is_content(after + 1):
        return None
    rest = {line.norm(one) for one in range(after, line.size)}
    plain = (_STATING | _WHO_TELLS).isdisjoint(rest) and not any(
        looks_like_path(line.raw(one)) for one in range(at, last)
    )
    return at if plain else None


def _number(line: Line, index: int, after: int) -> int | None:
    if number_at(line, after) is None:
        return None
    numbers = (at for at in range(index - 1, max(0, index - _NEAREST), -1) if number_at(line, at) is not None)
    first = next(numbers, None)
    while first is not None and first > 0 and _goes_back(line, first):
        first -= 1
    return first


def _is_put_right(line: Line, at: int, index: int, after: int) -> bool:
    """The same word begins both, says something itself, and nothing between them names a file or stays unsaid.

    "The pdfs in Downloads, no wait, the pngs" may keep its place; "... the drafts should stay" puts nothing right.
    """
    if any(looks_like_path(line.raw(one)) for one in range(at, index)):
        return False
    rest = [line.norm(one) for one in range(after, line.size)]
    return _STATING.isdisjoint(rest) and index - at <= line.size - after + _MARKS


def _goes_back(line: Line, at: int) -> bool:
    """The number before ``at`` holds it too: "eighty four"."""
    before = number_at(line, at - 1)
    return before is not None and before[1] > at
