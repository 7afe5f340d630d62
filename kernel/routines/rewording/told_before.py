"""What a person tells before a rule: "At work they mail the rota round. What I'd love: when a mail comes, …".

A sentence that only tells how things are explains why the rule is wanted, and is not planned; the card has the rule as
it was said. What this does not: pass over a sentence without a subject of its own, which may be an order, one that
speaks to Steward, or one that says "not" or "only".
"""

from __future__ import annotations

from collections.abc import Iterator

from kernel.language import Line
from kernel.language.frame.framing import Frames
from kernel.language.free_text import covered, quotes
from kernel.language.function_words import NEGATIONS, PREPOSITIONS
from kernel.routines.hearing.model import Words

_ENDS = frozenset(".!?")
_LEADS = frozenset("so well also and but you know also tja naja weil".split())
_ADDRESSED = frozenset("you your du dich dir dein deine sie ihnen please bitte".split())
_LEADING_UP = frozenset("what here this following was hier folgendes mein my".split())
_SUBJECTS = frozenset("i we he she it they there my our ich wir er es man mein meine unser unsere".split())
_LONGEST_LEAD = 7
_MOST_BEFORE_SUBJECT = 4


def told_before(line: Line, words: tuple[Words, ...]) -> tuple[Words, ...]:
    """Return the stretches before the trigger's ``words`` that only tell, or lead up to it; none where any may ask."""
    first = min((one[0] for one in words), default=0)
    if not first or covered(quotes(line)) & frozenset(range(first)):
        return ()
    sentences = list(_sentences(line, first))
    lead = sentences.pop() if sentences and line.norm(sentences[-1][1] - 1) == ":" else None
    if not sentences or not all(_tells(line, *one) for one in sentences):
        return ()
    if lead is not None and not _leads_up(line, *lead):
        return ()
    return ((0, first),) if sentences[-1][1] == first or lead is not None else tuple(sentences)


def _sentences(line: Line, end: int) -> Iterator[Words]:
    start = 0
    for at in range(end):
        if line.norm(at) in _ENDS or (at == end - 1 and line.norm(at) == ":"):
            yield start, at + 1
            start = at + 1


def _leads_up(line: Line, first: int, last: int) -> bool:
    return last - first <= _LONGEST_LEAD and line.norm(first) in _LEADING_UP


def _tells(line: Line, first: int, last: int) -> bool:
    """A subject and its verb, at the beginning or behind where or when it is."""
    norms = [line.norm(at) for at in range(first, last - 1)]
    if line.norm(last - 1) == "?" or not _ADDRESSED.isdisjoint(norms):
        return False
    while norms and (norms[0] in _LEADS or norms[0] == ","):
        norms = norms[1:]
    place = bool(norms) and norms[0] in PREPOSITIONS["en"] | PREPOSITIONS["de"]
    begin = (
        next((at for at in range(min(_MOST_BEFORE_SUBJECT, len(norms))) if norms[at] in _SUBJECTS), 0) if place else 0
    )
    frames = Frames(norms)
    told = frames.clause(begin, len(norms), line.language) is not None or frames.is_statement(begin)
    return told and _NEGATIVE.isdisjoint(norms)


_NEGATIVE = NEGATIONS["en"] | NEGATIONS["de"]
