"""Limits that only the person can draw: "the files I no longer need", "alle PDFs, die ich behalten will".

What this stops: that such a clause is passed over as a remark about why, and all of the files are taken.
What it does not: stand in the way of a thing that is named ("setup.exe, which I no longer need"), or of a clause that
tells the same of a pronoun ("..., I don't need them any more").
"""

from __future__ import annotations

from collections.abc import Sequence

from kernel.language.function_words import DETERMINERS, is_function_word
from kernel.model import Intent, Span, Token
from skills.model import ValueKind

_ONES = frozenset("ones those diejenigen jene".split())
_ENGLISH, _GERMAN = frozenset("that which whom".split()), frozenset("die den das welche welchen welches".split())
_PERSONS = {"en": frozenset("i we he she they".split()), "de": frozenset("ich wir er sie".split())}
_KNOWN_BY_THEM = frozenset(
    "need needs needed want wants wanted like likes liked love loves hate hates use uses keep care prefer lose miss "
    "brauche brauchen braucht will wollen möchte möchten mag mögen benutze benutzen nutze nutzen benötige benötigen "
    "behalten liebe lieben".split()
)
_BETWEEN = frozenset("no longer do don't dont 't not never really still just actually would 'd always also".split())
_OBJECTS = DETERMINERS["en"] | frozenset("it them this that these those me us you".split())
_FARTHEST = 6


def only_they_know(intent: Intent) -> int:
    """Return the mask of the verbs of such clauses."""
    mask, tokens = 0, intent.tokens
    persons = _PERSONS.get(intent.language, frozenset())
    for at, token in enumerate(tokens):
        if at < 2 or token.norm not in persons:
            continue
        verb = _german(tokens, at) if intent.language == "de" else _english(tokens, at)
        if verb and not _is_named(intent, at):
            mask |= 1 << verb
    return mask


def _english(tokens: Sequence[Token], at: int) -> int:
    """The verb of "(the ones) (that) I no longer need", 0 where it is none or has an object of its own."""
    before = tokens[at - 1].norm
    if before not in _ENGLISH | _ONES and (not before[0].isalnum() or is_function_word(before)):
        return 0
    verb = at + 1
    while verb < min(len(tokens), at + _FARTHEST) and tokens[verb].norm in _BETWEEN:
        verb += 1
    if verb >= len(tokens) or tokens[verb].norm not in _KNOWN_BY_THEM:
        return 0
    return 0 if verb + 1 < len(tokens) and tokens[verb + 1].norm in _OBJECTS else verb


def _german(tokens: Sequence[Token], at: int) -> int:
    """The verb of ", die ich nicht mehr brauche": it stands last, where "die brauche ich" is a statement."""
    if tokens[at - 1].norm not in _GERMAN or tokens[at - 2].norm not in {",", *_ONES}:
        return 0
    last = at + 1
    while last < len(tokens) and tokens[last].norm[0].isalnum():
        last += 1
    return next((one for one in range(last - 1, at, -1) if tokens[one].norm in _KNOWN_BY_THEM), 0)


def _is_named(intent: Intent, at: int) -> bool:
    """Tell whether the clause is about one thing that is called by its name, and no place of several."""
    tokens, head = intent.tokens, at - 1
    opening = _ENGLISH | _GERMAN | _ONES | {"the"}
    while head > 0 and (tokens[head].norm in opening or not tokens[head].norm[0].isalnum()):
        head -= 1
    return any(_names(intent, span) for span in intent.spans if span.first <= head < span.last)


def _names(intent: Intent, span: Span) -> bool:
    if span.source == "missing" or span.confidence < 0.5:
        return False
    placed = span.first > 0 and intent.tokens[span.first - 1].norm in _PLACING
    return span.kind is ValueKind.FILE or (span.kind is ValueKind.FOLDER and not placed)


_PLACING = frozenset("in from inside of under within at on im aus vom unter von auf my meinem meinen".split())
