"""Pronouns that only take up what the sentence has just named: "the logo, that should be called ...".

What this stops: that such a word is held for a pointer at something earlier, which nobody knows.
What it does not: take up what an earlier clause does or finds ("find the logo, that should be moved").
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kernel.language.frame.told_values import states
from kernel.language.function_words import AUXILIARIES, is_function_word, is_question_word
from kernel.model import Intent, ReferenceKind, Span, Token
from skills.model import ValueKind

_THINGS = frozenset({ValueKind.FILE, ValueKind.FOLDER})
_VALUES = frozenset({ValueKind.DATE, ValueKind.QUANTITY, ValueKind.DURATION})
_NUMBERS = frozenset({ValueKind.NUMBER, ValueKind.INTEGER})
_TAKEN_UP = frozenset("that this it those these das dies diese es die der den sie ihn".split())
_COPULAS = frozenset("is are was were i'm ist sind war waren bin".split())
_ASKING = AUXILIARIES["en"] | AUXILIARIES["de"] | {"macht"}
_SURE = 0.7


def resumed(intent: Intent) -> int:
    """Return the mask of the pronouns that take up the thing or the value with which the sentence begins."""
    pronouns = [one for one in intent.references if one.kind is ReferenceKind.RESULT and one.last - one.first == 1]
    if not pronouns:
        return 0
    named = list(_named(intent))
    return sum(
        1 << one.first
        for one in pronouns
        if any(_takes_up(intent.tokens, span, one.first) for span in named) or _resumes_told(intent, one.first)
    )


def _resumes_told(intent: Intent, at: int) -> bool:
    """ "The supplier says 14 days. What date would that be", "glue was 5 euros, put that into": the first "that"."""
    if intent.tokens[at].norm not in _TAKEN_UP:
        return False
    return any(span.last <= at and states(intent, span) for span in intent.spans if span.kind in _VALUES | _NUMBERS)


def _named(intent: Intent) -> Iterator[Span]:
    """Things with which the sentence begins, and values of which it says that something is one."""
    for span in intent.spans:
        before = intent.tokens[: span.first]
        if span.confidence >= _SURE and span.source != "missing" and _may_begin(intent, span, before):
            yield span


def _may_begin(intent: Intent, span: Span, before: Sequence[Token]) -> bool:
    if span.kind in _THINGS:
        return all(is_function_word(one.norm) or _is_held(intent, one) for one in before)
    return span.kind in _VALUES and _states(before)


def _is_held(intent: Intent, token: Token) -> bool:
    """A mark, or a word of another thing: the folder of "the logo in Downloads"."""
    if not any(letter.isalnum() for letter in token.norm):
        return True
    at = intent.tokens.index(token)
    return any(one.first <= at < one.last and one.kind in _THINGS and one.confidence >= _SURE for one in intent.spans)


def _states(before: Sequence[Token]) -> bool:
    """ "My exam is on ...", "I'm ...", and nothing at all."""
    words = [one.norm for one in before if one.norm[:1].isalpha()]
    plain = all(is_function_word(word) for word in words)
    asks = any(map(is_question_word, words))
    return not asks and (plain or not _COPULAS.isdisjoint(words))


def _takes_up(tokens: Sequence[Token], span: Span, at: int) -> bool:
    """Only marks stand between, or what asks about a value: "5 foot 11, what is that in cm"."""
    if tokens[at].norm not in _TAKEN_UP or at < span.last:
        return False
    words = [one.norm for one in tokens[span.last : at] if any(letter.isalnum() for letter in one.norm)]
    asking = span.kind in _VALUES and all(is_question_word(word) or word in _ASKING for word in words)
    return not words or asking
