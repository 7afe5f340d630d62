"""Happenings that a noun of the request brings along: "move every PDF that lands in Downloads to Documents".

The clause behind the noun is the trigger; the noun stays in the request and stands for what it brings. Only what comes
to be is one: "every PDF that is in Downloads" and "every PDF that arrived" are an ordinary request's.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TypeVar

from kernel.language.function_words import SEPARABLE
from kernel.routines.hearing.conditioned import conditioned
from kernel.routines.hearing.contents import said_of_contents
from kernel.routines.hearing.files_seen import file_seen
from kernel.routines.hearing.folders import PREPOSITIONS
from kernel.routines.hearing.gist import Gist
from kernel.routines.hearing.mails import mail
from kernel.routines.hearing.model import Words
from kernel.routines.hearing.opening import Opening, Weight
from kernel.routines.hearing.reading import Clause, Reading
from kernel.routines.hearing.totals import Such
from kernel.routines.model import About, FileSeen

_T = TypeVar("_T")
_EACH = frozenset("every each any jede jeder jedes jeden jedem".split())
_THAT = frozenset("that which die der das den".split())
_LONGEST_NOUN, _LONGEST, _MOST = 7, 14, 4


def relatives(whole: Clause) -> Iterator[tuple[Clause, Reading, Words]]:
    """Yield each such clause, what it means, and the words of its noun; the first few."""
    gist, found = whole.gist, 0
    for at in range(2, gist.size - 1):
        if gist.word(at) not in _THAT or found >= _MOST:
            continue
        begins = at - (gist.word(at - 1) == ",")
        noun = begins - (gist.word(begins - 1) in SEPARABLE)  # "lies jede Mail vor, die ..."
        near = range(noun - 1, max(-1, noun - _LONGEST_NOUN), -1)
        each = next((one for one in near if gist.word(one) in _EACH), -1)
        if each < 0 or (gist.line.language == "de" and begins == at):
            continue
        found += 1
        read = _read(whole, each, noun, at)
        if read is not None:
            end, meant = read
            last = end + (begins < at and gist.word(end) == ",")
            opening = Opening(begins, at + 1, Weight.IF)
            yield replace(whole, opening=opening, first=at + 1, last=last), meant, gist.tokens(each, noun)


def _read(whole: Clause, each: int, noun: int, that: int) -> tuple[int, Reading] | None:
    """The clause from the noun on, without the pronoun; up to a mark where one ends it, else as short as it can be."""
    gist = whole.gist
    last = min(gist.size, that + 1 + _LONGEST)
    mark = next((at for at in range(that + 1, last) if gist.word(at) in _MARKS), last)
    for end in [mark] if gist.line.language == "de" else range(that + 2, mark + 1):
        size = end - (that + 1 - noun)
        short = Gist(gist.line, _without(gist.words, noun, that, end), _without(gist.spans, noun, that, end))
        clause = replace(whole, gist=short, opening=Opening(each, each, Weight.IF), first=each, last=size)
        meant = mail(clause) or file_seen(clause) or conditioned(clause, file_seen)
        if isinstance(meant, Reading) and _is_plain(clause, meant) and gist.word(end) not in _GOES_ON:
            last, such = _held(whole, end, mark)
            return last, replace(meant, such=(*meant.such, *such))
    return None


def _held(whole: Clause, first: int, last: int) -> tuple[int, Such]:
    """Where what must stand in the file ends that is said behind the clause: "and mentions „termination“ | to ..."."""
    clause = replace(whole, first=first, last=last)
    for end in range(last, first + 1, -1):
        apart = end == last or clause.gist.word(end) in PREPOSITIONS
        such = said_of_contents(clause, 0, end - first) if apart else ()
        if such:
            return end, such
    return first, ()


_MARKS = frozenset(", . ; ! ? :".split())
_GOES_ON = frozenset("from by of with about von vom mit über".split())


def _is_plain(clause: Clause, meant: Reading) -> bool:
    """Something comes to be; a file comes to a folder that is named, and what it has to be is what names have."""
    kinds = [said for about, said in meant.such if about is About.IS]
    taught = all(clause.lexicon.same_nouns(one) for one in kinds)
    return not meant.state and taught and not _is_anywhere(meant)


def _is_anywhere(meant: Reading) -> bool:
    return isinstance(meant.trigger, FileSeen) and meant.trigger.below and "mail" not in meant.nouns


def _without(items: tuple[_T, ...], begins: int, that: int, end: int) -> tuple[_T, ...]:
    return (*items[:begins], *items[that + 1 : end])
