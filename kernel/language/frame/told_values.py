"""What is told around a value: "my essay is due | six weeks from today |, what date is that", "12 euros for the paint".

What this stops: that the words which only say whose value it is, or what it was for, keep a plain calculation from
being understood. They are marked, and a tool that takes nothing but such values may leave them unexplained.
What it does not: pass over a number, a "not", a file, or what is asked. A tool that takes words reads them as ever.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from kernel.language.function_words import (
    AUXILIARIES,
    DETERMINERS,
    NEGATIONS,
    PREPOSITIONS,
    QUESTIONS,
    is_function_word,
)
from kernel.language.lemmas import lemma_of
from kernel.model import Intent, Span, Token
from skills.model import ValueKind

K = ValueKind
_MEASURES = frozenset({K.DATE, K.PERIOD, K.DURATION, K.QUANTITY})
_NUMBERS = frozenset({K.NUMBER, K.INTEGER})
_THINGS = frozenset({K.FILE, K.FOLDER, K.NEW_FILE, K.TABLE})
_STATING = frozenset(
    "is was are were be due cost costs came comes says said say need needs take takes took ask asks charge charges "
    "charged want wants paid pay pays spent bought got have has had earn earns owe owes quoted weighs measures lasts "
    "falls makes made asking "
    "ist war sind waren kostet kostete kosteten gekostet sagt sagte braucht brauchen dauert verlangt will betrug "
    "beträgt hat habe haben hatte bezahlt zahlt zahle gezahlt macht machte liegt wiegt misst fällt kam ausgegeben "
    "gekauft".split()
)
_COUNTED = frozenset("was is were cost costs came paid pay spent war ist kostet kostete betrug macht machte".split())
_PAID = frozenset("gekostet bezahlt gezahlt ausgegeben verlangt gewogen".split())
_OF_DAY = frozenset("on am at".split())
_FOR = frozenset("for für".split())
_ENDS = frozenset(".;:!?")
_MOST_TOKENS = 80
_MOST_BEFORE, _MOST_LINK, _MOST_NOUN, _MOST_OF = 16, 4, 5, 8
_NEGATIONS = NEGATIONS["en"] | NEGATIONS["de"]
_ABOUT = frozenset("about around roughly just only exactly € $ £ etwa rund ungefähr genau to on".split())


def told(intent: Intent) -> int:
    """Return the mask of the tokens that only tell whose a value is or what it was for."""
    mask = 0
    if len(intent.tokens) > _MOST_TOKENS:
        return mask
    for span in _values(intent):
        mask |= _before(intent, span) | _named_day(intent, span) | _behind(intent, span)
    asked = QUESTIONS.get(intent.language, frozenset())
    for index, token in enumerate(intent.tokens):
        if token.norm[:1].isdigit() or token.norm in _NEGATIONS or token.norm in asked:
            mask &= ~(1 << index)
    return mask & ~_held(intent)


def states(intent: Intent, span: Span) -> bool:
    """Tell whether the sentence begins by stating the value: "wood glue was 23.80", "the supplier says 14 days"."""
    return len(intent.tokens) <= _MOST_TOKENS and bool(_before(intent, span))


def is_conditional(norm: str) -> bool:
    """Tell whether the word opens what is to come true first: "if", "once", "sobald"."""
    return norm in _CONDITIONAL


def says_undone(words: Iterable[str]) -> bool:
    """Tell whether a deed is only to be done, or almost done: "once I have called Anna", "I almost did"."""
    return not _UNDONE.isdisjoint(words)


def _values(intent: Intent) -> Iterator[Span]:
    for span in intent.spans:
        if span.kind in _MEASURES | _NUMBERS and span.confidence >= 0.5 and _is_written(intent.tokens, span):
            yield span


def _is_written(tokens: tuple[Token, ...], span: Span) -> bool:
    return any(token.norm[0].isalnum() for token in tokens[span.first : span.last])


def _held(intent: Intent) -> int:
    """The words of files and folders, and of the values themselves."""
    kinds = _THINGS | _MEASURES
    held = (one for one in intent.spans if one.kind in kinds and one.confidence >= 0.7 and one.source != "missing")
    numbers = (one for one in intent.spans if one.kind in _NUMBERS and not _is_of_people(intent.tokens, one.first))
    return _all_bits((one.first, one.last) for one in (*held, *numbers))


def _is_of_people(tokens: tuple[Token, ...], at: int) -> bool:
    """ "The two ladies": the number only says which."""
    return at > 0 and tokens[at - 1].norm in DETERMINERS["en"] | DETERMINERS["de"] and tokens[at].norm.isalpha()


def _all_bits(ranges: Iterable[tuple[int, int]]) -> int:
    mask = 0
    for first, last in ranges:
        mask |= _bits(first, last)
    return mask


def _before(intent: Intent, span: Span) -> int:
    """The words from the beginning of the sentence up to the value, where a verb among them states it."""
    tokens, first = intent.tokens, _begins(intent)
    words = [token.norm for token in tokens[first : span.first]]
    asked = QUESTIONS.get(intent.language, frozenset())
    if not 1 < len(words) <= _MOST_BEFORE or not (asked | _ENDS).isdisjoint(words):
        return 0
    named = any(one.kind in _THINGS and one.confidence >= 0.5 and one.last <= span.first for one in intent.spans)
    if (
        named
        or words[0] in _ASKING
        or not _CONDITIONAL.isdisjoint(words)
        or any(token.norm in _NEGATIONS for token in tokens[first : span.first])
    ):
        return 0
    verb = max((at for at, word in enumerate(words) if word in _STATING or _is_deed(word)), default=0)
    between = [word for word in words[verb + 1 :] if word not in _ABOUT]
    near = not between if span.kind in _NUMBERS else len(between) <= _MOST_LINK
    known = words[verb] in _COUNTED or span.kind in _MEASURES
    if not (verb and near and known) or not _goes_on(tokens, span.last, asked):
        return 0
    return _bits(first, span.first)


def _is_deed(word: str) -> bool:
    """A past form: "promised", "versprochen"."""
    return (word.endswith("ed") and lemma_of(word, "en") != word) or word in _GERMAN_DEEDS


_GERMAN_DEEDS = frozenset("versprochen zugesagt versprach bestellt reserviert gebucht vereinbart abgemacht".split())
_CONDITIONAL = frozenset("if when unless once whether wenn falls sofern sobald ob".split())
_UNDONE = _CONDITIONAL | frozenset(
    "soon should would could might must almost nearly hardly barely fast beinahe kaum hätte sollte müsste".split()
)
_ASKING = AUXILIARIES["en"] | AUXILIARIES["de"]


def _begins(intent: Intent) -> int:
    return max((one.at for one in intent.boundaries if one.left == 0 and one.at < len(intent.tokens)), default=0)


def _goes_on(tokens: tuple[Token, ...], last: int, asked: frozenset[str]) -> bool:
    """A question or another clause follows what was stated."""
    rest = tokens[last:]
    asks = any(token.norm in asked for token in rest)
    return asks or any(token.norm[0] in {*_ENDS, ","} and at + 1 < len(rest) for at, token in enumerate(rest))


def _named_day(intent: Intent, span: Span) -> int:
    """ "Until the christmas market on 27 November": what the day is, before the word that leads to it."""
    tokens = intent.tokens
    at = span.first
    while at > 0 and span.kind is K.DATE and tokens[at - 1].norm in _OF_DAY | {"the", "dem", ","}:
        at -= 1
    if span.kind is not K.DATE or (at == span.first and tokens[at].norm not in _OF_DAY):
        return 0
    first = at
    while first > 0 and at - first < _MOST_NOUN and _is_noun(tokens[first - 1]):
        first -= 1
    leads = first > 0 and (tokens[first - 1].norm in _LEADING or tokens[first - 1].norm in _ARTICLES)
    return _bits(first, at) if leads and first < at else 0


_LEADING = frozenset("until till to since before after bis zu zum zur seit vor nach".split())
_ARTICLES = frozenset("the my our his her their a dem der den die das meinem meiner unserem unserer mein unser".split())


def _behind(intent: Intent, span: Span) -> int:
    """ "12 euros for the paint", "19 % VAT for the fabric": what it was for, up to the end of the clause."""
    tokens = intent.tokens
    if span.kind not in _NUMBERS | {K.QUANTITY}:
        return 0
    if span.last < len(tokens) and tokens[span.last].norm in _PAID:
        return _bits(span.last, span.last + 1)
    if span.kind is K.QUANTITY and span.last < len(tokens):
        return _of_what(intent, span.last)
    first = next((at for at in range(span.last, min(span.last + 4, len(tokens))) if tokens[at].norm in _FOR), -1)
    if first < 0 or not all(token.norm[0].isalnum() or token.norm == "%" for token in tokens[span.last : first]):
        return 0
    last = first + 1
    while last < len(tokens) and last - first <= _MOST_NOUN and (_is_noun(tokens[last]) or _is_article(tokens[last])):
        last += 1
    return _bits(first, last) if last > first + 1 else 0


def _of_what(intent: Intent, at: int) -> int:
    """ "14 yards | of linen for the window seat |", "3 Pfund | Mehl für den Kuchen |": of what so much is."""
    tokens, first = intent.tokens, at
    last = at = at + (tokens[at].norm in {"of", "an", "von"})
    while at < len(tokens) and at - first <= _MOST_OF and tokens[at].norm not in QUESTIONS[_known(intent.language)]:
        if _is_noun(tokens[at]):
            last = at + 1
        elif not (tokens[at].norm in _FOR or _is_article(tokens[at])) or at == first:
            break
        at += 1
    return _bits(first, last) if at < len(tokens) and _asks_behind(intent, last) else 0


def _known(language: str) -> str:
    return language if language in QUESTIONS else "en"


def _asks_behind(intent: Intent, at: int) -> bool:
    """A question follows, perhaps behind a mark."""
    asked = QUESTIONS[_known(intent.language)]
    return any(token.norm in asked for token in intent.tokens[at : at + 3])


def _is_article(token: Token) -> bool:
    return token.norm in _ARTICLES or token.norm in {"ein", "eine", "einen", "an", "some", "new"}


def _is_noun(token: Token) -> bool:
    plain = token.norm.replace("'", "").replace("-", "").isalpha()
    return plain and not is_function_word(token.norm) and token.norm not in PREPOSITIONS["en"]


def _bits(first: int, last: int) -> int:
    return ((1 << (last - first)) - 1) << first
